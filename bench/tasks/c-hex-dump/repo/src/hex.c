#include "hex.h"

#include <stdio.h>
#include <string.h>

void hex_row(const unsigned char *data, size_t length, unsigned offset, char *row)
{
    char *out = row;

    out += sprintf(out, "%04x ", offset);
    for (size_t i = 0; i < length; i++) {
        if (i % 4 == 0)
            *out++ = ' ';
        out += sprintf(out, "%02x ", (unsigned)data[i]);
    }
    *out++ = ' ';
    *out++ = '|';
    for (size_t i = 0; i < length; i++)
        *out++ = data[i] >= 32 && data[i] < 127 ? (char)data[i] : '.';
    *out++ = '|';
    *out = '\0';
}

void hex_dump(const unsigned char *data, size_t length, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t at = 0; at < length; at += HEX_ROW_BYTES) {
        char row[HEX_ROW_SIZE];
        size_t rest = length - at;

        hex_row(data + at, rest < HEX_ROW_BYTES ? rest : HEX_ROW_BYTES, (unsigned)at, row);
        if (used + strlen(row) + 2 > size)
            return;
        used += (size_t)sprintf(out + used, "%s\n", row);
    }
}
