/* MNIST with 32 inputs: codes of an auto-encoder, or principal components. */
#ifndef ENT_STUDY_DIGITS_H
#define ENT_STUDY_DIGITS_H

#include "base/context.h"
#include "study/sets.h"

#define ENT_DIGIT_INPUTS 32

/* All images of the folder, the test images last (*test of them), with 10 classes. The encoder is trained on the
 * training images alone. quick: principal components. On failure *split_table is as it was. */
entropic_status ent_digits_load(entropic_context *context, const ent_set_options *options, ent_split_table *split_table,
                                size_t *test);

/* MNIST's files: images and labels in the IDX format, plain or gzipped. */

/* Images as rows of pixels from 0 (paper) to 1 (ink), line after line of an image. Single precision: a pixel is one byte
 * in the file, and 60,000 images are 188 MB this way. */
typedef struct ent_images {
  size_t rows;
  size_t height, width; /* of an image */
  size_t inputs;        /* height x width */
  float *pixels;        /* rows x inputs */
} ent_images;

/* BAD_DATA says what is wrong with the file and what was expected. */
entropic_status ent_images_read(entropic_context *context, const char *path, ent_images **images);
void ent_images_free(ent_images *images);

/* *labels[*rows], 0 to 9 in MNIST, are the caller's: ent_delete. */
entropic_status ent_labels_read(entropic_context *context, const char *path, unsigned char **labels, size_t *rows);

#endif
