#include "image.h"

#include <string.h>

int image_parse(struct image *img, const char *text)
{
    memset(img, 0, sizeof *img);
    while (*text != '\0') {
        size_t length = strcspn(text, "/");

        if (length == 0 || length > IMAGE_MAX_SIDE || img->height == IMAGE_MAX_SIDE)
            return -1;
        if (img->height > 0 && length != (size_t)img->width)
            return -1;
        img->width = (int)length;
        memcpy(img->pixels + img->height * img->width, text, length);
        img->height++;
        text += length;
        if (*text == '/')
            text++;
    }
    return 0;
}

void image_format(const struct image *img, char *text, size_t size)
{
    size_t used = 0;

    for (int y = 0; y < img->height; y++) {
        if (y > 0 && used + 1 < size)
            text[used++] = '/';
        for (int x = 0; x < img->width; x++) {
            char pixel = img->pixels[y * img->width + x];

            if (used + 1 < size)
                text[used++] = pixel ? pixel : '?';
        }
    }
    text[used] = '\0';
}

void image_rotate_right(const struct image *img, struct image *out)
{
    memset(out, 0, sizeof *out);
    out->width = img->height;
    out->height = img->width;
    for (int y = 0; y < img->height; y++) {
        for (int x = 0; x < img->width; x++) {
            int column = img->height - 1 - y;

            out->pixels[y * out->width + column] = img->pixels[y * img->width + x];
        }
    }
}

void image_flip(struct image *img)
{
    for (int y = 0; y < img->height; y++) {
        char *row = img->pixels + y * img->width;

        for (int x = 0; x < img->width / 2; x++) {
            char left = row[x];

            row[x] = row[img->width - 1 - x];
            row[img->width - 1 - x] = left;
        }
    }
}
