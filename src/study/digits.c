/* MNIST with 32 inputs: see digits.h. */
#include "study/digits.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "data/bytes.h"
#include "study/encoder.h"
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
  if (digits->labels == NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: there are no labels", labels);
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

/* The IDX format: two zero bytes, the type of the elements, the number of dimensions, then the dimensions and the
 * elements, all with the most significant byte first. MNIST has bytes in three dimensions or one. */

#define MAGIC_LABELS 0x801u
#define MAGIC_IMAGES 0x803u
#define MOST_DIMENSIONS 3
#define MOST_SIDE 65536 /* of an image: height x width stays within 32 bits */

/* What the head of a file says. */
typedef struct ent_idx_head {
  size_t sizes[MOST_DIMENSIONS]; /* rows first */
  size_t bytes;                  /* the head's own */
  size_t elements;               /* that have to follow */
} ent_idx_head;

/* At least `count` bytes at hand; a file that ends before, of `expected` bytes when whole, is refused. */
static entropic_status need(entropic_context *context, ent_bytes *bytes, size_t count, uint64_t expected) {
  bool there;
  entropic_status status = ent_bytes_need(context, bytes, count, &there);
  if (status != ENTROPIC_OK)
    return status;
  unsigned long long found = bytes->consumed + bytes->end;
  if (!there)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: found %llu bytes, expected %llu; the file is truncated",
                    bytes->name, found, (unsigned long long)expected);
  return ENTROPIC_OK;
}

static uint32_t big_endian(const char *from) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; i++)
    value = value << 8 | (unsigned char)from[i];
  return value;
}

static entropic_status read_head(entropic_context *context, ent_bytes *bytes, uint32_t magic, ent_idx_head *head) {
  const size_t dimensions = magic & 0xff;
  *head = (ent_idx_head){.bytes = 4 + 4 * dimensions, .elements = 1};
  entropic_status status = need(context, bytes, 4, head->bytes);
  if (status != ENTROPIC_OK)
    return status;
  uint32_t found = big_endian(bytes->data + bytes->at);
  if (found != magic)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: found the magic number 0x%08x, expected 0x%08x (%s)", bytes->name,
                    found, magic, magic == MAGIC_IMAGES ? "IDX images" : "IDX labels");
  status = need(context, bytes, head->bytes, head->bytes);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < dimensions; i++) {
    head->sizes[i] = big_endian(bytes->data + bytes->at + 4 + 4 * i);
    if (head->sizes[i] == 0 || (i > 0 && head->sizes[i] > MOST_SIDE))
      return ent_fail(context, ENTROPIC_BAD_DATA, "%s: dimension %zu is %zu, expected 1 to %u", bytes->name, i + 1,
                      head->sizes[i], i > 0 ? MOST_SIDE : UINT32_MAX);
    if (!ent_multiply(head->elements, head->sizes[i], &head->elements))
      return ent_fail(context, ENTROPIC_TOO_LARGE, "%s: the dimensions are beyond what memory can hold", bytes->name);
  }
  bytes->at += head->bytes;
  return ENTROPIC_OK;
}

/* After the last element there is nothing. */
static entropic_status check_end(entropic_context *context, ent_bytes *bytes, uint64_t expected) {
  bool there;
  entropic_status status = ent_bytes_need(context, bytes, 1, &there);
  if (status != ENTROPIC_OK)
    return status;
  if (there)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: there are bytes after the last element, expected %llu bytes",
                    bytes->name, (unsigned long long)expected);
  return ENTROPIC_OK;
}

/* All elements, in memory that grows with what has been read: a head alone, however large its numbers, takes none. */
static entropic_status read_elements(entropic_context *context, ent_bytes *bytes, const ent_idx_head *head,
                                     unsigned char **elements) {
  uint64_t expected = (uint64_t)head->bytes + head->elements;
  unsigned char *read = NULL;
  size_t used = 0, capacity = 0;
  entropic_status status;
  while (used < head->elements) {
    status = need(context, bytes, 1, expected);
    if (status != ENTROPIC_OK)
      goto fail;
    size_t part = bytes->end - bytes->at, left = head->elements - used;
    part = part < left ? part : left;
    unsigned char *grown = ent_grow(context, read, &capacity, used + part, 1);
    if (grown == NULL) {
      status = ENTROPIC_NO_MEMORY;
      goto fail;
    }
    read = grown;
    memcpy(read + used, bytes->data + bytes->at, part);
    used += part;
    bytes->at += part;
  }
  status = check_end(context, bytes, expected);
  if (status != ENTROPIC_OK)
    goto fail;
  *elements = read;
  return ENTROPIC_OK;
fail:
  ent_delete(read);
  return status;
}

static entropic_status read_file(entropic_context *context, const char *path, uint32_t magic, ent_idx_head *head,
                                 unsigned char **elements) {
  ent_bytes *bytes = NULL;
  entropic_status status = ent_bytes_open(context, path, &bytes);
  if (status != ENTROPIC_OK)
    return status;
  ent_bytes_forget(bytes);
  status = read_head(context, bytes, magic, head);
  if (status != ENTROPIC_OK)
    goto done;
  status = read_elements(context, bytes, head, elements);
done:
  ent_bytes_close(bytes);
  return status;
}

entropic_status ent_images_read(entropic_context *context, const char *path, ent_images **images) {
  ent_idx_head head;
  unsigned char *bytes = NULL;
  ent_images *made = NULL;
  entropic_status status = read_file(context, path, MAGIC_IMAGES, &head, &bytes);
  if (status != ENTROPIC_OK)
    return status;
  status = ENTROPIC_NO_MEMORY;
  made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    goto done;
  made->rows = head.sizes[0];
  made->height = head.sizes[1];
  made->width = head.sizes[2];
  made->inputs = made->height * made->width;
  made->pixels = ent_new(context, head.elements, sizeof *made->pixels);
  if (made->pixels == NULL)
    goto done;
  for (size_t i = 0; i < head.elements; i++)
    made->pixels[i] = (float)bytes[i] / 255;
  *images = made;
  made = NULL;
  status = ENTROPIC_OK;
done:
  ent_delete(bytes);
  ent_images_free(made);
  return status;
}

void ent_images_free(ent_images *images) {
  if (images == NULL)
    return;
  ent_delete(images->pixels);
  ent_delete(images);
}

entropic_status ent_labels_read(entropic_context *context, const char *path, unsigned char **labels, size_t *rows) {
  ent_idx_head head;
  entropic_status status = read_file(context, path, MAGIC_LABELS, &head, labels);
  if (status != ENTROPIC_OK)
    return status;
  *rows = head.sizes[0];
  return ENTROPIC_OK;
}
