/* Times of prediction: weighted sums without storing the lifted rows (as models do), and through dense blocks for
 * OpenBLAS (as learners do). One thread. It uses internal headers, as unit tests do. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "sums/pass.h"
#include "lift/lift.h"

#define ROWS ((size_t)20000)
#define REPEATS 7

static void need(const entropic_context *context, entropic_status status) {
  if (status == ENTROPIC_OK)
    return;
  fprintf(stderr, "bench-predict: %s\n", entropic_context_message(context));
  exit(EXIT_FAILURE);
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double *fill(size_t count) {
  double *values = ent_new(NULL, count, sizeof *values);
  entropic_random random = entropic_random_start(1, count);
  for (size_t i = 0; values != NULL && i < count; i++)
    values[i] = entropic_random_uniform(&random);
  return values;
}

static void compare(entropic_context *context, entropic_family family, size_t inputs, size_t features, size_t nonzeros,
                    size_t scores) {
  entropic_axis_options axis = ent_axis_options_default();
  axis.family = family;
  entropic_kernel *kernel;
  entropic_design *design;
  entropic_lift *lift;
  entropic_workspace *workspace;
  entropic_design_options options = ent_design_options_default();
  options.features = features;
  options.nonzeros = nonzeros;
  need(context, ent_kernel_create(context, &axis, 1, inputs, &kernel));
  need(context, ent_design_create(context, kernel, &options, &design));
  need(context, entropic_lift_create(context, design, &lift));
  need(context, entropic_workspace_create(context, lift, &workspace));
  features = entropic_lift_features(lift);
  double *x = fill(ROWS * inputs), *weights = fill(scores * features), *offsets = fill(scores);
  double *out = fill(ROWS * scores), *sums = fill(scores * ENT_TILE), best[2] = {1e9, 1e9};
  const ent_map map = ent_map_of_lift(lift);
  const ent_lift_rows rows = {.x = x, .count = ROWS, .stride = inputs};
  const ent_lift_linear functions = {.weights = weights, .offsets = offsets, .count = scores, .sums = sums};
  for (int i = 0; i < REPEATS; i++) {
    double start = seconds_now();
    need(context, ent_lift_scores(context, lift, workspace, &rows, &functions, out));
    double middle = seconds_now();
    need(context, ent_scores(context, &map, &(ent_block){.rows = ROWS, .x = x, .x_stride = inputs},
                             &(ent_linear){weights, offsets, scores}, out));
    double end = seconds_now();
    best[0] = middle - start < best[0] ? middle - start : best[0];
    best[1] = end - middle < best[1] ? end - middle : best[1];
  }
  printf("%-9s %6zu %8zu %8zu %6zu %12.0f %12.0f %7.2f\n", entropic_family_name(family), inputs, features,
         entropic_lift_nonzeros(lift), scores, 1e9 * best[0] / ROWS, 1e9 * best[1] / ROWS, best[0] / best[1]);
  ent_delete(x);
  ent_delete(weights);
  ent_delete(offsets);
  ent_delete(out);
  ent_delete(sums);
  entropic_workspace_free(workspace);
  entropic_lift_free(lift);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

int main(void) {
  entropic_context *context;
  need(NULL, entropic_context_create(&context));
  need(context, entropic_context_set_threads(context, 1));
  puts("kernel    inputs features nonzeros scores  ns/row here  ns/row BLAS   ratio");
  static const size_t inputs[] = {4, 8, 30, 100}, features[] = {200, 500, 1000, 2000};
  for (size_t i = 0; i < 4; i++)
    for (size_t m = 0; m < 4; m++)
      compare(context, ENTROPIC_FAMILY_CENTRED, inputs[i], features[m], 0, 1);
  for (size_t scores = 3; scores <= 30; scores *= 3)
    compare(context, ENTROPIC_FAMILY_CENTRED, 8, 1000, 0, scores);
  compare(context, ENTROPIC_FAMILY_LAPLACE, 8, 1000, 0, 1);
  compare(context, ENTROPIC_FAMILY_CENTRED, 8, 0, 300, 1);
  entropic_context_free(context);
  return EXIT_SUCCESS;
}
