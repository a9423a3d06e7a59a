/* A dump of bytes as hex numbers and text. */
#ifndef HEX_H
#define HEX_H

#include <stddef.h>

#define HEX_ROW_BYTES 8
#define HEX_ROW_SIZE 64 /* enough for any row */

/* Writes one row: the offset, up to HEX_ROW_BYTES bytes with a gap after the fourth, and
 * the bytes as text between bars. Bytes that cannot be printed are dots in the text. The
 * text starts in the same column in every row. */
void hex_row(const unsigned char *data, size_t length, unsigned offset, char *row);

/* Writes all rows, each with a newline. */
void hex_dump(const unsigned char *data, size_t length, char *out, size_t size);

#endif
