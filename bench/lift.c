/* How fast rows become features: the sparse and the dense lift, their plain reference, and random kitchen sinks.
 *
 * All contestants write every feature of every row to memory, block after block of rows into the same buffer, on one
 * thread. Each one's block size (for the baseline also its panel width and layout) is tuned first; then they run in turn,
 * several times, and the fastest run of each counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "entropic/entropic.h"
#include "rks.h"

#define ROWS ((size_t)20000)
#define TUNING_ROWS ((size_t)4000)
#define LARGEST_BLOCK ((size_t)512)
#define REPEATS 9

typedef struct lift_race {
  entropic_context *context;
  entropic_design *design;
  entropic_lift *best, *reference;
  entropic_workspace *best_space, *reference_space;
  rks baseline;
  size_t inputs;
  double *x, *z;
  size_t *starts;
  int32_t *columns;
  size_t nonzeros; /* of all rows, counted by the sparse lift */
} lift_race;

static _Noreturn void stop(const char *message) {
  fprintf(stderr, "bench-lift: %s\n", message);
  exit(EXIT_FAILURE);
}

static void need(const lift_race *race, entropic_status status) {
  if (status)
    stop(entropic_context_message(race->context));
}

static void *allocate(size_t count, size_t size) {
  void *memory = aligned_alloc(64, (count * size + 63) / 64 * 64);
  if (!memory)
    stop("out of memory");
  return memory;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Each contestant lifts one block of rows at x. */
typedef void (*contestant_run)(lift_race *race, const double *x, size_t rows);

static void run_dense(lift_race *race, const double *x, size_t rows) {
  need(race, entropic_lift_dense(race->context, race->best, race->best_space, x, rows, race->inputs, race->z, rows));
}

static void run_sparse(lift_race *race, const double *x, size_t rows) {
  need(race, entropic_lift_sparse(race->context, race->best, race->best_space, x, rows, race->inputs, race->starts,
                                  race->columns, race->z));
  race->nonzeros += race->starts[rows];
}

static void run_dense_reference(lift_race *race, const double *x, size_t rows) {
  need(race, entropic_lift_dense(race->context, race->reference, race->reference_space, x, rows, race->inputs, race->z,
                                 rows));
}

static void run_sparse_reference(lift_race *race, const double *x, size_t rows) {
  need(race, entropic_lift_sparse(race->context, race->reference, race->reference_space, x, rows, race->inputs,
                                  race->starts, race->columns, race->z));
}

static void run_baseline_rows(lift_race *race, const double *x, size_t rows) {
  race->baseline.library_cosine = false;
  rks_lift_rows(&race->baseline, x, rows, race->z);
}

static void run_baseline_columns(lift_race *race, const double *x, size_t rows) {
  race->baseline.library_cosine = false;
  rks_lift_columns(&race->baseline, x, rows, race->z);
}

static void run_library_rows(lift_race *race, const double *x, size_t rows) {
  race->baseline.library_cosine = true;
  rks_lift_rows(&race->baseline, x, rows, race->z);
}

static void run_library_columns(lift_race *race, const double *x, size_t rows) {
  race->baseline.library_cosine = true;
  rks_lift_columns(&race->baseline, x, rows, race->z);
}

enum {
  DENSE,
  SPARSE,
  DENSE_REFERENCE,
  SPARSE_REFERENCE,
  LIBRARY_ROWS,
  LIBRARY_COLUMNS,
  BASELINE_ROWS,
  BASELINE_COLUMNS,
  CONTESTANTS
};

static const contestant_run runs[CONTESTANTS] = {
    run_dense,        run_sparse,          run_dense_reference, run_sparse_reference,
    run_library_rows, run_library_columns, run_baseline_rows,   run_baseline_columns};

typedef struct lift_settings {
  size_t block, panel;
} lift_settings;

/* Seconds a row. */
static double measure(lift_race *race, size_t who, lift_settings settings, size_t rows) {
  race->baseline.panel = settings.panel;
  race->nonzeros = 0;
  double start = seconds_now();
  for (size_t row = 0; row < rows; row += settings.block) {
    size_t count = rows - row < settings.block ? rows - row : settings.block;
    runs[who](race, race->x + row * race->inputs, count);
  }
  return (seconds_now() - start) / (double)rows;
}

static lift_settings tune(lift_race *race, size_t who) {
  lift_settings best = {0};
  double least = INFINITY;
  size_t features = race->baseline.features;
  for (size_t block = 16; block <= LARGEST_BLOCK; block *= 2) {
    for (size_t panel = features; panel >= 128 || panel == features; panel /= 2) {
      lift_settings trial = {block, panel};
      double first = measure(race, who, trial, TUNING_ROWS), second = measure(race, who, trial, TUNING_ROWS);
      double seconds = fmin(first, second);
      if (seconds < least) {
        least = seconds;
        best = trial;
      }
      if (who < LIBRARY_ROWS)
        break;
    }
  }
  return best;
}

static void race_create(lift_race *race, entropic_context *context, size_t inputs, size_t features) {
  race->context = context;
  race->inputs = inputs;
  entropic_axis_options axis;
  entropic_axis_options_init(&axis, sizeof axis);
  entropic_kernel *kernel;
  need(race, entropic_kernel_create(context, &axis, 1, inputs, &kernel));
  entropic_design_options options;
  entropic_design_options_init(&options, sizeof options);
  options.features = features;
  need(race, entropic_design_create(context, kernel, &options, &race->design));
  entropic_kernel_free(kernel);
  need(race, entropic_lift_create(context, race->design, &race->best));
  need(race, entropic_lift_create_by(context, race->design, ENTROPIC_LIFT_CODE_REFERENCE, &race->reference));
  need(race, entropic_workspace_create(context, race->best, &race->best_space));
  need(race, entropic_workspace_create(context, race->reference, &race->reference_space));
  if (rks_create(inputs, features, 1, 1, &race->baseline))
    stop("out of memory");
  race->x = allocate(ROWS * inputs, sizeof *race->x);
  race->z = allocate(LARGEST_BLOCK * features, sizeof *race->z);
  race->starts = allocate(LARGEST_BLOCK + 1, sizeof *race->starts);
  race->columns = allocate(LARGEST_BLOCK * entropic_lift_nonzeros(race->best), sizeof *race->columns);
  entropic_random random = entropic_random_start(1, inputs);
  for (size_t i = 0; i < ROWS * inputs; i++)
    race->x[i] = entropic_random_uniform(&random);
}

static void race_free(lift_race *race) {
  entropic_workspace_free(race->best_space);
  entropic_workspace_free(race->reference_space);
  entropic_lift_free(race->best);
  entropic_lift_free(race->reference);
  entropic_design_free(race->design);
  rks_free(&race->baseline);
  free(race->x);
  free(race->z);
  free(race->starts);
  free(race->columns);
}

static void run_race(entropic_context *context, size_t inputs, size_t features) {
  lift_race race = {0};
  race_create(&race, context, inputs, features);
  lift_settings settings[CONTESTANTS];
  double best[CONTESTANTS];
  for (size_t who = 0; who < CONTESTANTS; who++) {
    settings[who] = tune(&race, who);
    best[who] = INFINITY;
  }
  double nonzeros = 0; /* a row */
  for (size_t repeat = 0; repeat < REPEATS; repeat++) {
    for (size_t who = 0; who < CONTESTANTS; who++) {
      best[who] = fmin(best[who], 1e9 * measure(&race, who, settings[who], ROWS));
      if (who == SPARSE)
        nonzeros = (double)race.nonzeros / (double)ROWS;
    }
  }
  double library = fmin(best[LIBRARY_ROWS], best[LIBRARY_COLUMNS]);
  double baseline = fmin(best[BASELINE_ROWS], best[BASELINE_COLUMNS]);
  printf("%4zu %5zu %7.1f |", inputs, features, nonzeros);
  for (size_t who = DENSE; who <= SPARSE_REFERENCE; who++)
    printf(" %6.0f %6.2f |", best[who], best[who] / nonzeros);
  printf(" %6.0f %6.0f | %5.1f %5.1f | %5.1f %5.1f\n", library, baseline, library / best[DENSE], baseline / best[DENSE],
         library / best[SPARSE], baseline / best[SPARSE]);
  fflush(stdout);
  race_free(&race);
}

static void time_design(entropic_context *context, size_t inputs, size_t features) {
  entropic_axis_options axis;
  entropic_axis_options_init(&axis, sizeof axis);
  entropic_design_options options;
  entropic_design_options_init(&options, sizeof options);
  options.features = features;
  double least = INFINITY;
  for (int repeat = 0; repeat < 3; repeat++) {
    entropic_kernel *kernel;
    entropic_design *design;
    double start = seconds_now();
    if (entropic_kernel_create(context, &axis, 1, inputs, &kernel) ||
        entropic_design_create(context, kernel, &options, &design))
      stop(entropic_context_message(context));
    least = fmin(least, seconds_now() - start);
    if (entropic_design_features(design) != features)
      stop("the design has another number of features than asked for");
    entropic_design_free(design);
    entropic_kernel_free(kernel);
  }
  printf("\nbest-first design of %zu features in %zu inputs: %.1f ms\n", features, inputs, 1e3 * least);
}

static void run_races(entropic_context *context, const char *how) {
  static const size_t cases[][2] = {{32, 80}, {32, 160}, {32, 500}, {32, 2000}, {81, 160}};
  printf("RKS on OpenBLAS %s, where it uses its code for %s:\n", how, rks_blas_code());
  printf("%19s| %-29s | %-29s | %-13s | %s\n", "", "nanoseconds a row, a non-zero", "the same in plain C", "RKS, a row",
         "RKS time / our time");
  printf("%4s %5s %7s | %-13s | %-13s | %-13s | %-13s | %6s %6s | %-11s | %-11s\n", "D", "M", "nz/row", "dense",
         "sparse", "dense", "sparse", "libm", "own", "dense", "sparse");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    run_race(context, cases[i][0], cases[i][1]);
}

int main(int argc, char **argv) {
  (void)argc;
  rks_prepare_blas(argv, false);
  entropic_context *context;
  if (entropic_context_create(&context))
    stop("out of memory");
  entropic_context_set_threads(context, 1);
  if (rks_blas_was_told()) {
    run_races(context, "that was told which processor this is");
    time_design(context, 1000, 100000);
  } else {
    printf("%zu uniform rows, centred kernel, omega 1, one thread. RKS are random kitchen sinks of as many features:\n"
           "dgemm of OpenBLAS and cosines, once the C library's vector cosine (libm), once one made for the purpose\n"
           "(own); the faster of two layouts. Ratios above 1: we are faster; first against libm, then against own.\n\n",
           ROWS);
    run_races(context, "as it is");
    putchar('\n');
    rks_prepare_blas(argv, true);
  }
  entropic_context_free(context);
  return EXIT_SUCCESS;
}
