/* Any bytes as a model file: it is refused with a message, or it predicts (the same row by row) and is the same model
 * after saving and loading. The bytes are loaded twice: as they are, and with length and checksum corrected, because
 * few inputs pass these checks by chance. */
#define _GNU_SOURCE
#include "memory_file.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

#include "inside.h"

enum { ROWS = 35, MOST_VALUES = 200000 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void fill(const entropic_model *model, double *x, size_t inputs) {
  static const double special[] = {0, 1, 0.5, 5e-324, -3, 7, 1e300, -1e-310, NAN};
  entropic_random random = entropic_random_start(1, inputs);
  for (size_t r = 0; r < ROWS; r++)
    for (size_t i = 0; i < inputs; i++) {
      entropic_input_info input;
      DEMAND(ent_model_input(NULL, model, i, &input) == ENTROPIC_OK);
      DEMAND(input.name != NULL && strlen(input.name) < 1 << 24);
      double *value = &x[r * inputs + i];
      if (input.categories > 0)
        *value = r % 5 == 4 ? NAN : (double)entropic_random_below(&random, input.categories + 2);
      else
        *value = r % 3 == 0 ? special[entropic_random_below(&random, 9)] : entropic_random_uniform(&random);
    }
}

static void predict(const entropic_model *model, const double *x, entropic_model_info info, double *out) {
  size_t width = info.classes > 0 ? info.classes : info.targets;
  double *again = malloc(width * sizeof *again), class_number;
  DEMAND(again != NULL);
  if (info.classes == 0) {
    DEMAND(entropic_model_predict(NULL, model, x, ROWS, info.inputs, out) == ENTROPIC_OK);
    DEMAND(entropic_model_predict(NULL, model, x + 9 * info.inputs, 1, info.inputs, again) == ENTROPIC_OK);
  } else {
    DEMAND(entropic_model_probabilities(NULL, model, x, ROWS, info.inputs, out) == ENTROPIC_OK);
    DEMAND(entropic_model_probabilities(NULL, model, x + 9 * info.inputs, 1, info.inputs, again) == ENTROPIC_OK);
    DEMAND(entropic_model_predict(NULL, model, x + 9 * info.inputs, 1, info.inputs, &class_number) == ENTROPIC_OK);
    double sum = 0;
    size_t best = 0;
    for (size_t k = 0; k < width; k++) {
      sum += again[k];
      best = again[k] > again[best] ? k : best;
    }
    /* Weights may be so large that a score is the difference of infinities. */
    DEMAND(isnan(sum) || (fabs(sum - 1) <= 1e-9 && (double)best == class_number));
  }
  DEMAND(memcmp(again, out + 9 * width, width * sizeof *again) == 0);
  free(again);
}

/* Intervals have their prediction within, unless that is not a number. */
static void bound(const entropic_model *model, const double *x, entropic_model_info info, const double *out) {
  size_t count = ROWS * info.targets;
  if (info.classes > 0 || info.interval_rows == 0)
    return;
  double *lower = malloc(count * sizeof *lower), *upper = malloc(count * sizeof *upper);
  DEMAND(lower != NULL && upper != NULL);
  entropic_outputs outputs;
  DEMAND(entropic_outputs_init(&outputs, sizeof outputs) == ENTROPIC_OK);
  outputs.level = 0.9;
  outputs.lower = lower;
  outputs.upper = upper;
  DEMAND(entropic_predict(NULL, model, x, ROWS, info.inputs, &outputs) == ENTROPIC_OK);
  for (size_t i = 0; i < count; i++)
    DEMAND(isnan(out[i]) || (lower[i] <= out[i] && out[i] <= upper[i]));
  free(lower);
  free(upper);
}

static void use(entropic_context *context, const entropic_model *model) {
  entropic_model_info info = ent_model_describe(model);
  size_t width = info.classes > 0 ? info.classes : info.targets;
  DEMAND(entropic_model_target(model, info.targets - 1) != NULL && entropic_model_target(model, info.targets) == NULL);
  DEMAND(entropic_model_weights(model, info.scores - 1, NULL) != NULL);
  if (info.inputs > MOST_VALUES / ROWS || width > MOST_VALUES / ROWS || info.features * info.scores > MOST_VALUES)
    return;
  double *x = malloc(ROWS * info.inputs * sizeof *x), *out = malloc(2 * ROWS * width * sizeof *out);
  DEMAND(x != NULL && out != NULL);
  fill(model, x, info.inputs);
  predict(model, x, info, out);
  bound(model, x, info, out);
  char path[64];
  entropic_model *again = NULL;
  snprintf(path, sizeof path, "/dev/shm/entropic-fuzz-model-%ld", (long)getpid());
  DEMAND(entropic_model_save(context, model, path) == ENTROPIC_OK);
  DEMAND(entropic_model_load(context, path, &again) == ENTROPIC_OK);
  unlink(path);
  predict(again, x, info, out + ROWS * width);
  DEMAND(memcmp(out, out + ROWS * width, ROWS * width * sizeof *out) == 0);
  entropic_model_free(again);
  free(x);
  free(out);
}

static void try_bytes(const uint8_t *bytes, size_t count) {
  char path[64];
  int file = memory_file(bytes, count, path);
  entropic_context *context = NULL;
  entropic_model *model = NULL;
  DEMAND(entropic_context_create(&context) == ENTROPIC_OK);
  DEMAND(entropic_context_set_threads(context, 1) == ENTROPIC_OK);
  entropic_status status = entropic_model_load(context, path, &model);
  close(file);
  if (status == ENTROPIC_OK)
    use(context, model);
  else
    DEMAND(model == NULL && status == ENTROPIC_BAD_DATA && entropic_context_message(context)[0] != '\0');
  entropic_model_free(model);
  entropic_context_free(context);
}

static void put(uint8_t *at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++)
    at[i] = (uint8_t)(value >> 8 * i);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  try_bytes(bytes, count);
  if (count < 24)
    return 0;
  uint8_t *fixed = malloc(count);
  DEMAND(fixed != NULL);
  memcpy(fixed, bytes, count);
  put(fixed + 12, count, 8);
  put(fixed + count - 4, crc32_z(0, fixed, count - 4), 4);
  try_bytes(fixed, count);
  free(fixed);
  return 0;
}
