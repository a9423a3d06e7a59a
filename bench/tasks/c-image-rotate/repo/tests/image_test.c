#include "check.h"
#include "image.h"

static const char *rotate(const char *text)
{
    static char result[300];
    struct image img, out;

    if (image_parse(&img, text) != 0)
        return "bad image";
    image_rotate_right(&img, &out);
    image_format(&out, result, sizeof result);
    return result;
}

int main(void)
{
    CHECK_STR("31/42", rotate("12/34"));
    CHECK_STR("41/52/63", rotate("123/456"));
    CHECK_STR("bad image", rotate("12/345"));
    return CHECK_RESULT();
}
