#include "check.h"
#include "subtitle.h"

static char out[100];

static const char *format(long time)
{
    subtitle_format_time(time, out, sizeof out);
    return out;
}

static const char *shift(const char *line, long by)
{
    subtitle_shift_line(line, by, out, sizeof out);
    return out;
}

int main(void)
{
    CHECK_INT(0, subtitle_parse_time("00:00:00,000"));
    CHECK_INT(59999, subtitle_parse_time("00:00:59,999"));
    CHECK_INT(7384056, subtitle_parse_time("02:03:04,056"));
    CHECK_INT(-1, subtitle_parse_time("00:60:00,000"));
    CHECK_STR("00:00:00,000", format(0));
    CHECK_STR("00:00:00,050", format(50));
    CHECK_STR("00:00:00,999", format(999));
    CHECK_STR("02:03:04,056", format(7384056));
    CHECK_STR("10:59:59,007", format(39599007));

    CHECK_STR("00:00:00,000 --> 00:00:00,000",
              shift("00:00:01,000 --> 00:00:02,500", -5000));
    CHECK_STR("00:00:00,000 --> 00:00:00,001",
              shift("00:00:01,000 --> 00:00:02,500", -2499));
    CHECK_STR("00:00:00,000 --> 00:00:01,500",
              shift("00:00:01,000 --> 00:00:02,500", -1000));
    CHECK_STR("01:00:00,020 --> 01:00:01,000",
              shift("00:59:59,980 --> 01:00:00,960", 40));
    CHECK_STR("00:59:59,999 --> 01:30:00,000",
              shift("01:00:00,099 --> 01:30:00,100", -100));
    CHECK_STR("17", shift("17", -5000));
    CHECK_STR("", shift("", 100));
    CHECK_STR("left --> right", shift("left --> right", 100));
    return CHECK_RESULT();
}
