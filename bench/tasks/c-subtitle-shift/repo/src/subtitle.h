/* Times of subtitles, in milliseconds from the start of the film. */
#ifndef SUBTITLE_H
#define SUBTITLE_H

#include <stddef.h>

/* Reads a time such as "00:01:02,500". Returns -1 if it is not a time. */
long subtitle_parse_time(const char *text);

/* Writes a time in the same form. `time` is not negative. */
void subtitle_format_time(long time, char *text, size_t size);

/* Copies a line of a subtitle file. In a cue line both times are moved by `shift`; a time
 * never moves to before the start of the film. */
void subtitle_shift_line(const char *line, long shift, char *out, size_t size);

#endif
