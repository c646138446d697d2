/* MNIST with 32 inputs: see digits.h. */
#include "study/digits.h"

#include <stdio.h>

#include "base/memory.h"
#include "study/encoder.h"
#include "study/idx.h"
#include "study/pca.h"

#define DIGITS 10

/* Images and their labels. */
typedef struct ent_digits {
  ent_images *images;
  unsigned char *labels;
} ent_digits;

static void digits_clear(ent_digits *digits) {
  ent_images_free(digits->images);
  ent_delete(digits->labels);
}

static entropic_status read_digits(entropic_context *context, const char *folder, const char *part,
                                   ent_digits *digits) {
  char images[ENT_STUDY_PATH], labels[ENT_STUDY_PATH];
  size_t rows = 0;
  if (snprintf(images, sizeof images, "%s/%s-images-idx3-ubyte.gz", folder, part) >= ENT_STUDY_PATH ||
      snprintf(labels, sizeof labels, "%s/%s-labels-idx1-ubyte.gz", folder, part) >= ENT_STUDY_PATH)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: the path is too long", folder);
  entropic_status status = ent_images_read(context, images, &digits->images);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_labels_read(context, labels, &digits->labels, &rows);
  if (status != ENTROPIC_OK)
    return status;
  if (rows != digits->images->rows)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: %zu labels, expected the %zu of its images", labels, rows,
                    digits->images->rows);
  for (size_t i = 0; i < rows; i++)
    if (digits->labels[i] >= DIGITS)
      return ent_fail(context, ENTROPIC_BAD_DATA, "%s: label %zu is %d, expected 0 to 9", labels, i + 1,
                      digits->labels[i]);
  return ENTROPIC_OK;
}

/* codes: of all images, the training images first, by principal components of these. */
static entropic_status code_by_components(entropic_context *context, const ent_images *train, const ent_images *test,
                                          double *codes) {
  ent_pca *pca = NULL;
  entropic_status status = ent_pca_create(context, train->pixels, train->rows, train->inputs, ENT_DIGIT_INPUTS, &pca);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_pca_codes(context, pca, train->pixels, train->rows, codes);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_pca_codes(context, pca, test->pixels, test->rows, codes + train->rows * ENT_DIGIT_INPUTS);
done:
  ent_pca_free(pca);
  return status;
}

/* The same by an auto-encoder. */
static entropic_status code_by_encoder(entropic_context *context, const ent_images *train, const ent_images *test,
                                       const ent_set_options *options, double *codes) {
  ent_encoder *encoder = NULL;
  ent_encoder_options training = ent_encoder_options_default();
  training.code = ENT_DIGIT_INPUTS;
  training.seed = options->seed;
  entropic_status status = ent_encoder_train(context, &training, train->pixels, train->rows, train->inputs, &encoder);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_encoder_codes(context, encoder, train->pixels, train->rows, codes);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_encoder_codes(context, encoder, test->pixels, test->rows, codes + train->rows * ENT_DIGIT_INPUTS);
done:
  ent_encoder_free(encoder);
  return status;
}

static entropic_status fill_table(entropic_context *context, const ent_digits *train, const ent_digits *test,
                                  const ent_set_options *options, ent_split_table *split_table) {
  size_t first = train->images->rows;
  for (size_t r = 0; r < split_table->rows; r++)
    ent_split_table_set_class(split_table, r, r < first ? train->labels[r] : test->labels[r - first]);
  return options->quick ? code_by_components(context, train->images, test->images, split_table->x)
                        : code_by_encoder(context, train->images, test->images, options, split_table->x);
}

entropic_status ent_digits_load(entropic_context *context, const ent_set_options *options, ent_split_table *split_table,
                                size_t *test) {
  ent_digits training = {NULL, NULL}, testing = {NULL, NULL};
  ent_split_table made = {0};
  entropic_status status = read_digits(context, options->folder, "train", &training);
  if (status != ENTROPIC_OK)
    goto done;
  status = read_digits(context, options->folder, "t10k", &testing);
  if (status != ENTROPIC_OK)
    goto done;
  if (training.images->inputs != testing.images->inputs) {
    status = ent_fail(context, ENTROPIC_BAD_DATA, "%s: training and test images differ in size", options->folder);
    goto done;
  }
  size_t rows = training.images->rows + testing.images->rows;
  status = ent_split_table_start(context, rows, ENT_DIGIT_INPUTS, 1, DIGITS, &made);
  if (status != ENTROPIC_OK)
    goto done;
  status = fill_table(context, &training, &testing, options, &made);
  if (status != ENTROPIC_OK)
    goto done;
  *split_table = made;
  made = (ent_split_table){0};
  *test = testing.images->rows;
done:
  ent_split_table_clear(&made);
  digits_clear(&training);
  digits_clear(&testing);
  return status;
}
