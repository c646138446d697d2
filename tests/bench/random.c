/* Times of random maps: rows lifted by orthogonal frequencies (ORF) and by fast transforms (SORF), landmarks by randomly
 * pivoted Cholesky, and exact kernel ridge. One thread. It uses internal headers, as unit tests do. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "baselines/baselines.h"
#include "solve/exact.h"

#define ROWS ((size_t)4096)
#define BLOCK ((size_t)256) /* rows lifted at a time */
#define REPEATS 5

static void need(const entropic_context *context, entropic_status status) {
  if (status == ENTROPIC_OK)
    return;
  fprintf(stderr, "bench-random: %s\n", entropic_context_message(context));
  exit(EXIT_FAILURE);
}

static double *uniform_rows(entropic_context *context, size_t count) {
  double *values = ent_new(context, count, sizeof *values);
  if (values == NULL)
    need(context, ENTROPIC_NO_MEMORY);
  entropic_random random = entropic_random_start(1, count);
  for (size_t i = 0; i < count; i++)
    values[i] = entropic_random_uniform(&random);
  return values;
}

/* Microseconds a row. */
static double time_lift(entropic_context *context, ent_random_method method, size_t inputs, size_t features) {
  ent_random_options options = ent_random_options_default();
  options.method = method;
  options.features = features;
  ent_random_map *random;
  need(context, ent_random_create(context, &options, inputs, NULL, &random));
  ent_map map = ent_map_of_random(random);
  double *x = uniform_rows(context, ROWS * inputs), *z = uniform_rows(context, BLOCK * features), best = 1e9;
  void *scratch;
  need(context, map.calls->scratch_create(context, map.self, &scratch));
  for (int i = 0; i < REPEATS; i++) {
    double start = ent_seconds();
    for (size_t first = 0; first < ROWS; first += BLOCK)
      need(context, map.calls->dense(context, map.self, scratch, x + first * inputs, BLOCK, inputs, z, BLOCK));
    double seconds = ent_seconds() - start;
    best = seconds < best ? seconds : best;
  }
  map.calls->scratch_free(scratch);
  ent_random_free(random);
  ent_delete(x);
  ent_delete(z);
  return 1e6 * best / (double)ROWS;
}

static void time_landmarks(entropic_context *context, ent_random_kernel kernel, size_t inputs) {
  const size_t rows = 20000, landmarks = 2000;
  static const char *const names[] = {"uniform", "spread", "RPC"};
  double *x = uniform_rows(context, rows * inputs);
  const ent_random_data data = {.x = x, .rows = rows, .stride = inputs};
  printf("%8s %6zu", ent_random_kernel_name(kernel), inputs);
  for (int how = ENT_LANDMARKS_UNIFORM; how <= ENT_LANDMARKS_RPC; how++) {
    ent_random_options options = ent_random_options_default();
    options.method = ENT_RANDOM_NYSTROEM;
    options.kernel = kernel;
    options.features = landmarks;
    options.landmarks = (ent_random_landmarks)how;
    ent_random_map *random;
    double start = ent_seconds();
    need(context, ent_random_create(context, &options, inputs, &data, &random));
    printf("  %s %.2f s", names[how], ent_seconds() - start);
    ent_random_free(random);
  }
  putchar('\n');
  ent_delete(x);
}

static void time_exact(entropic_context *context, size_t rows, size_t count) {
  const size_t inputs = 8, tests = 1000;
  static const double lambdas[] = {1e-6, 1e-5, 1e-4, 1e-3};
  double *x = uniform_rows(context, rows * inputs), *predictions = uniform_rows(context, count * tests);
  const ent_exact_ridge_task task = {
      .kernel = ENT_RANDOM_LAPLACE,
      .sigma = 1,
      .inputs = inputs,
      .data = {.x = x, .rows = rows, .stride = inputs, .y = x, .targets = 1, .y_stride = inputs},
      .lambdas = lambdas,
      .count = count,
      .x = x,
      .rows = tests,
      .stride = inputs};
  double start = ent_seconds();
  need(context, ent_exact_ridge(context, &task, predictions));
  printf("%6zu %7zu %8.2f s\n", rows, count, ent_seconds() - start);
  ent_delete(x);
  ent_delete(predictions);
}

int main(void) {
  static const size_t sizes[] = {8, 81, 500, 2000};
  entropic_context *context;
  if (entropic_context_create(&context) != ENTROPIC_OK)
    return EXIT_FAILURE;
  need(context, entropic_context_set_threads(context, 1));
  printf("microseconds a row, 2048 features\n%6s %8s %8s\n", "inputs", "ORF", "SORF");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    printf("%6zu %8.2f %8.2f\n", sizes[i], time_lift(context, ENT_RANDOM_ORF, sizes[i], 2048),
           time_lift(context, ENT_RANDOM_SORF, sizes[i], 2048));
    fflush(stdout);
  }
  printf("\nNystroem maps of 2000 landmarks among 20000 rows\n%8s %6s\n", "kernel", "inputs");
  time_landmarks(context, ENT_RANDOM_LAPLACE, 8);
  time_landmarks(context, ENT_RANDOM_GAUSS, 8);
  time_landmarks(context, ENT_RANDOM_LAPLACE, 81);
  printf("\nexact kernel ridge, 1000 rows predicted\n%6s %7s\n", "rows", "lambdas");
  time_exact(context, 1000, 1);
  time_exact(context, 4000, 1);
  time_exact(context, 4000, 4);
  entropic_context_free(context);
  return EXIT_SUCCESS;
}
