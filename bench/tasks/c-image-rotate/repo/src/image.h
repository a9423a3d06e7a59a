/* Small gray images. The pixels are stored row by row. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stddef.h>

#define IMAGE_MAX_SIDE 16

struct image {
    int width;
    int height;
    char pixels[IMAGE_MAX_SIDE * IMAGE_MAX_SIDE];
};

/* Reads an image from rows of equal length that are separated by '/', such as "123/456".
 * Returns 0, or -1 if a row is too long, too short or one too many. */
int image_parse(struct image *img, const char *text);

/* Writes an image in the same form. */
void image_format(const struct image *img, char *text, size_t size);

/* Rotates an image to the right by 90 degrees. `out` is another image. */
void image_rotate_right(const struct image *img, struct image *out);

/* Mirrors an image in place: left becomes right. */
void image_flip(struct image *img);

#endif
