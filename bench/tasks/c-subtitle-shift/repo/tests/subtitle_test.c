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
    CHECK_INT(62500, subtitle_parse_time("00:01:02,500"));
    CHECK_INT(3600000, subtitle_parse_time("01:00:00,000"));
    CHECK_INT(-1, subtitle_parse_time("Hello"));
    CHECK_STR("00:00:00,005", format(5));
    CHECK_STR("00:00:03,250 --> 00:00:04,750",
              shift("00:00:01,250 --> 00:00:02,750", 2000));
    CHECK_STR("00:00:00,000 --> 00:00:00,500",
              shift("00:00:01,000 --> 00:00:02,500", -2000));
    CHECK_STR("Good morning!", shift("Good morning!", 2000));
    return CHECK_RESULT();
}
