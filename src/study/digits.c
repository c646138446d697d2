/* MNIST with 32 inputs: see digits.h. */
#include "study/digits.h"

#include <stdio.h>

#include "base/memory.h"
#include "study/encoder.h"
#include "study/idx.h"
#include "study/pca.h"

#define PATH_SIZE 4096
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
  char images[PATH_SIZE], labels[PATH_SIZE];
  size_t rows = 0;
  if (snprintf(images, sizeof images, "%s/%s-images-idx3-ubyte.gz", folder, part) >= PATH_SIZE ||
      snprintf(labels, sizeof labels, "%s/%s-labels-idx1-ubyte.gz", folder, part) >= PATH_SIZE)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: the path is too long", folder);
  entropic_status status = ent_images_read(context, images, &digits->images);
  if (status == ENTROPIC_OK)
    status = ent_labels_read(context, labels, &digits->labels, &rows);
  if (status == ENTROPIC_OK && rows != digits->images->rows)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: %zu labels, expected the %zu of its images", labels, rows,
                    digits->images->rows);
  for (size_t i = 0; i < rows && status == ENTROPIC_OK; i++)
    if (digits->labels[i] >= DIGITS)
      return ent_fail(context, ENTROPIC_BAD_DATA, "%s: label %zu is %d, expected 0 to 9", labels, i + 1,
                      digits->labels[i]);
  return status;
}

/* Codes of both sets by principal components of the first. */
static entropic_status code_by_components(entropic_context *context, const ent_digits *sets, double *codes) {
  ent_pca *pca = NULL;
  const ent_images *train = sets[0].images, *test = sets[1].images;
  entropic_status status = ent_pca_create(context, train->pixels, train->rows, train->inputs, ENT_DIGIT_INPUTS, &pca);
  if (status == ENTROPIC_OK)
    status = ent_pca_codes(context, pca, train->pixels, train->rows, codes);
  if (status == ENTROPIC_OK)
    status = ent_pca_codes(context, pca, test->pixels, test->rows, codes + train->rows * ENT_DIGIT_INPUTS);
  ent_pca_free(pca);
  return status;
}

/* The same by an auto-encoder. */
static entropic_status code_by_encoder(entropic_context *context, const ent_digits *sets, uint64_t seed,
                                       entropic_progress progress, void *user, double *codes) {
  ent_encoder *encoder = NULL;
  ent_encoder_options options = ent_encoder_options_default();
  const ent_images *train = sets[0].images, *test = sets[1].images;
  options.code = ENT_DIGIT_INPUTS;
  options.seed = seed;
  entropic_status status =
      ent_encoder_train(context, &options, train->pixels, train->rows, train->inputs, progress, user, &encoder);
  if (status == ENTROPIC_OK)
    status = ent_encoder_codes(context, encoder, train->pixels, train->rows, codes);
  if (status == ENTROPIC_OK)
    status = ent_encoder_codes(context, encoder, test->pixels, test->rows, codes + train->rows * ENT_DIGIT_INPUTS);
  ent_encoder_free(encoder);
  return status;
}

entropic_status ent_digits_load(entropic_context *context, const char *folder, bool quick, uint64_t seed,
                                entropic_progress progress, void *user, ent_split_table *split_table, size_t *test) {
  ent_digits sets[2] = {{NULL, NULL}, {NULL, NULL}};
  entropic_status status = read_digits(context, folder, "train", &sets[0]);
  if (status == ENTROPIC_OK)
    status = read_digits(context, folder, "t10k", &sets[1]);
  // What was read is there. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
  if (status == ENTROPIC_OK && sets[0].images->inputs != sets[1].images->inputs)
    status = ent_fail(context, ENTROPIC_BAD_DATA, "%s: images to learn from and to test on differ in size", folder);
  if (status == ENTROPIC_OK)
    status = ent_split_table_start(context, sets[0].images->rows + sets[1].images->rows, ENT_DIGIT_INPUTS, 1, DIGITS,
                                   split_table);
  if (status == ENTROPIC_OK) {
    size_t first = sets[0].images->rows;
    for (size_t r = 0; r < split_table->rows; r++)
      ent_split_table_set_class(split_table, r, r < first ? sets[0].labels[r] : sets[1].labels[r - first]);
    *test = sets[1].images->rows;
    status = quick ? code_by_components(context, sets, split_table->x)
                   : code_by_encoder(context, sets, seed, progress, user, split_table->x);
    if (status != ENTROPIC_OK)
      ent_split_table_clear(split_table);
  }
  digits_clear(&sets[0]);
  digits_clear(&sets[1]);
  return status;
}
