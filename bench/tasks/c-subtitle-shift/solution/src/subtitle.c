#include "subtitle.h"

#include <stdio.h>
#include <string.h>

#define ARROW " --> "

long subtitle_parse_time(const char *text)
{
    int hours, minutes, seconds, millis;

    if (sscanf(text, "%d:%d:%d,%d", &hours, &minutes, &seconds, &millis) != 4)
        return -1;
    if (hours < 0 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59)
        return -1;
    return ((hours * 60L + minutes) * 60 + seconds) * 1000 + millis;
}

void subtitle_format_time(long time, char *text, size_t size)
{
    long seconds = time / 1000;
    long minutes = seconds / 60;
    long hours = minutes / 60;

    snprintf(text, size, "%02ld:%02ld:%02ld,%03ld", hours, minutes % 60, seconds % 60,
             time % 1000);
}

void subtitle_shift_line(const char *line, long shift, char *out, size_t size)
{
    const char *arrow = strstr(line, ARROW);
    char first[40], second[40];
    long start, end;

    start = subtitle_parse_time(line);
    end = arrow ? subtitle_parse_time(arrow + strlen(ARROW)) : -1;
    if (start < 0 || end < 0) {
        snprintf(out, size, "%s", line);
        return;
    }
    start = start + shift > 0 ? start + shift : 0;
    end = end + shift > 0 ? end + shift : 0;
    subtitle_format_time(start, first, sizeof first);
    subtitle_format_time(end, second, sizeof second);
    snprintf(out, size, "%s" ARROW "%s", first, second);
}
