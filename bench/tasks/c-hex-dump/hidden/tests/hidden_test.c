#include "check.h"
#include "hex.h"

static const char *row(const char *text, unsigned offset)
{
    static char out[HEX_ROW_SIZE];

    hex_row((const unsigned char *)text, strlen(text), offset, out);
    return out;
}

static const char *dump(const char *text)
{
    static char out[400];

    hex_dump((const unsigned char *)text, strlen(text), out, sizeof out);
    return out;
}

int main(void)
{
    CHECK_STR("0000  61                        |a|", row("a", 0));
    CHECK_STR("0008  61 62                     |ab|", row("ab", 8));
    CHECK_STR("0010  61 62 63                  |abc|", row("abc", 16));
    CHECK_STR("0018  61 62 63 64               |abcd|", row("abcd", 24));
    CHECK_STR("0020  61 62 63 64  65           |abcde|", row("abcde", 32));
    CHECK_STR("0028  61 62 63 64  65 66        |abcdef|", row("abcdef", 40));
    CHECK_STR("0100  61 62 63 64  65 66 67     |abcdefg|", row("abcdefg", 256));
    CHECK_STR("ffff  7f 80 ff 41  20 7e 1f 42  |...A ~.B|", row("\x7f\x80\xff" "A ~\x1f" "B", 65535));
    CHECK_STR("0000  61 62 63 64  65 66 67 68  |abcdefgh|\n"
              "0008  69 6a                     |ij|\n",
              dump("abcdefghij"));
    CHECK_STR("0000  61 62 63 64  65 66 67 68  |abcdefgh|\n", dump("abcdefgh"));
    CHECK_STR("", dump(""));
    return CHECK_RESULT();
}
