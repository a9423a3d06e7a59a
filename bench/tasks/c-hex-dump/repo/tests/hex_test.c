#include "check.h"
#include "hex.h"

static const char *row(const char *text, unsigned offset)
{
    static char out[HEX_ROW_SIZE];

    hex_row((const unsigned char *)text, strlen(text), offset, out);
    return out;
}

int main(void)
{
    CHECK_STR("0000  61 62 63 64  65 66 67 68  |abcdefgh|", row("abcdefgh", 0));
    CHECK_STR("0008  69 6a 6b 6c  6d 6e        |ijklmn|", row("ijklmn", 8));
    CHECK_STR("0010  61 09 62 0a  63 64 65     |a.b.cde|", row("a\tb\ncde", 16));
    return CHECK_RESULT();
}
