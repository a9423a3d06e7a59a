#include "check.h"
#include "image.h"

static char result[300];

static const char *rotate(const char *text, int times)
{
    struct image img, out;

    if (image_parse(&img, text) != 0)
        return "bad image";
    while (times-- > 0) {
        image_rotate_right(&img, &out);
        img = out;
    }
    image_format(&img, result, sizeof result);
    return result;
}

static const char *flip(const char *text)
{
    struct image img;

    if (image_parse(&img, text) != 0)
        return "bad image";
    image_flip(&img);
    image_format(&img, result, sizeof result);
    return result;
}

int main(void)
{
    CHECK_STR("a", rotate("a", 1));
    CHECK_STR("a/b/c/d", rotate("abcd", 1));
    CHECK_STR("dcba", rotate("a/b/c/d", 1));
    CHECK_STR("41/52/63", rotate("123/456", 1));
    CHECK_STR("531/642", rotate("12/34/56", 1));
    CHECK_STR("654/321", rotate("123/456", 2));
    CHECK_STR("36/25/14", rotate("123/456", 3));
    CHECK_STR("12345/67890", rotate("12345/67890", 4));
    CHECK_STR("741/852/963", rotate("123/456/789", 1));
    CHECK_STR("321/654", flip("123/456"));
    return CHECK_RESULT();
}
