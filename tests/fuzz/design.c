/* Any bytes as a design file: it is refused with a message, or it lifts rows (all code paths agree) and is the same
 * design after saving and loading. If it has columns, statistics can be collected for it. */
#define _GNU_SOURCE
#include "memory_file.h"

#include <math.h>
#include <string.h>

#include "inside.h"

enum { ROWS = 37, MOST_INPUTS = 200, MOST_FEATURES = 5000 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void fill(double *x, size_t count) {
  static const double special[] = {0, 1, 0.5, 5e-324, 0x1p-61, 0x1p-60, -3, 7, 0.25, 1e-310};
  entropic_random random = entropic_random_start(1, count);
  for (size_t i = 0; i < count; i++)
    x[i] = entropic_random_below(&random, 4) == 0 ? special[entropic_random_below(&random, 10)]
                                                  : entropic_random_uniform(&random);
}

static void lift_rows(const entropic_design *design, entropic_lift_code code, const double *x, double *z) {
  entropic_lift *lift = NULL;
  entropic_workspace *workspace = NULL;
  DEMAND(entropic_lift_create_by(NULL, design, code, &lift) == ENTROPIC_OK);
  DEMAND(entropic_workspace_create(NULL, lift, &workspace) == ENTROPIC_OK);
  size_t inputs = entropic_lift_inputs(lift), features = entropic_lift_features(lift);
  size_t width = entropic_lift_nonzeros(lift), starts[ROWS + 1];
  DEMAND(width == entropic_design_nonzeros(design) && width <= features);
  double *values = malloc(ROWS * width * sizeof *values);
  int32_t *columns = malloc(ROWS * width * sizeof *columns);
  DEMAND(values != NULL && columns != NULL);
  DEMAND(entropic_lift_dense(NULL, lift, workspace, x, ROWS, inputs, z, ROWS) == ENTROPIC_OK);
  DEMAND(entropic_lift_sparse(NULL, lift, workspace, x, ROWS, inputs, starts, columns, values) == ENTROPIC_OK);
  size_t nonzeros = 0;
  for (size_t i = 0; i < ROWS * features; i++) {
    DEMAND(isfinite(z[i]));
    nonzeros += z[i] != 0;
  }
  DEMAND(starts[0] == 0 && starts[ROWS] == nonzeros);
  for (size_t r = 0; r < ROWS; r++)
    for (size_t k = starts[r]; k < starts[r + 1]; k++) {
      DEMAND(k == starts[r] || columns[k - 1] < columns[k]);
      DEMAND(values[k] != 0 && values[k] == z[(size_t)columns[k] * ROWS + r]);
    }
  free(values);
  free(columns);
  entropic_workspace_free(workspace);
  entropic_lift_free(lift);
}

/* The design after saving and loading. */
static entropic_design *saved_and_loaded(entropic_context *context, const entropic_design *design) {
  char path[64];
  entropic_design *again = NULL;
  snprintf(path, sizeof path, "/dev/shm/entropic-fuzz-%ld", (long)getpid());
  DEMAND(entropic_design_save(context, design, path) == ENTROPIC_OK);
  DEMAND(entropic_design_load(context, path, &again) == ENTROPIC_OK);
  unlink(path);
  return again;
}

static void use(entropic_context *context, const entropic_design *design) {
  size_t inputs = entropic_kernel_inputs(entropic_design_kernel(design));
  size_t features = entropic_design_features(design);
  if (inputs > MOST_INPUTS || features > MOST_FEATURES)
    return;
  double *x = malloc(ROWS * inputs * sizeof *x), *z = malloc(3 * ROWS * features * sizeof *z);
  DEMAND(x != NULL && z != NULL);
  fill(x, ROWS * inputs);
  entropic_design *again = saved_and_loaded(context, design);
  DEMAND(entropic_design_features(again) == features);
  size_t block = ROWS * features;
  lift_rows(design, ENTROPIC_LIFT_CODE_REFERENCE, x, z);
  lift_rows(design, ENTROPIC_LIFT_CODE_BEST, x, z + block);
  lift_rows(again, ENTROPIC_LIFT_CODE_AVX2, x, z + 2 * block);
  DEMAND(memcmp(z, z + block, block * sizeof *z) == 0);
  DEMAND(memcmp(z, z + 2 * block, block * sizeof *z) == 0);
  entropic_design_free(again);
  free(x);
  free(z);
}

/* Only texts that are designs can have columns; then there are statistics of no rows, unless they are too large. */
static void use_columns(entropic_context *context, const uint8_t *bytes, size_t count, bool sound) {
  entropic_frozen_design *design = NULL;
  entropic_statistics *statistics = NULL;
  char receipt[ENTROPIC_RECEIPT_SIZE];
  entropic_status status = entropic_frozen_design_load_memory(context, bytes, count, &design);
  DEMAND(status == ENTROPIC_OK ? sound && design != NULL : design == NULL);
  DEMAND(status == ENTROPIC_OK || entropic_context_message(context)[0] != '\0');
  const entropic_design *features = entropic_model_design(entropic_frozen_design_model(design));
  if (status == ENTROPIC_OK && entropic_design_features(features) <= MOST_FEATURES / 10) {
    DEMAND(entropic_statistics_create_for_design(context, design, &statistics) == ENTROPIC_OK);
    DEMAND(entropic_statistics_receipt(context, statistics, receipt) == ENTROPIC_OK);
  }
  entropic_statistics_free(statistics);
  entropic_frozen_design_free(design);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  char path[64];
  int file = memory_file(bytes, count, path);
  entropic_context *context = NULL;
  entropic_design *design = NULL;
  DEMAND(entropic_context_create(&context) == ENTROPIC_OK);
  entropic_status status = entropic_design_load(context, path, &design);
  close(file);
  if (status != ENTROPIC_OK) {
    DEMAND(design == NULL && entropic_context_message(context)[0] != '\0');
    DEMAND(status != ENTROPIC_SYSTEM);
  } else {
    use(context, design);
  }
  if (count > 0)
    use_columns(context, bytes, count, status == ENTROPIC_OK);
  entropic_design_free(design);
  entropic_context_free(context);
  return 0;
}
