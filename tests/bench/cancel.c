/* How often long calls call back, and how soon they end when they are cancelled, on real tables.
 *
 *     bench-cancel DATA [SECONDS [CANCELS [NAME]]]
 *
 * Each call runs once, for SECONDS (default 20) at most, and then CANCELS (default 5) times until it is cancelled at a
 * random moment of that time. Printed are the longest time between two callbacks, or between a callback and the start or
 * end of the call, and the longest time from the callback that cancels to the return of the call. `idle` is the longest
 * time between two wakes of a thread that does nothing but sleep for 20 ms at a time: how busy the machine is. Only the
 * public interface is used. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "inside.h"
#include "dataset/dataset.h"

/* A call on a table. */
typedef struct bench_case {
  const char *name, *file, *target, *ignore;
  enum { READ, CREATE, FIT, COMPARE, SCORE, PREDICT, DESIGN } call;
  entropic_solver solver;
  size_t features;
  entropic_loss loss;
  entropic_select select;
} bench_case;

static const bench_case cases[] = {
    {"read superconductivity", "superconductivity.csv.gz", "critical_temp", NULL, .call = READ},
    {"data set superconductivity", "superconductivity.csv.gz", "critical_temp", NULL, .call = CREATE},
    {"fit airfoil", "airfoil.csv.gz", "scaled_sound_pressure", NULL, .call = FIT},
    {"fit concrete", "concrete.csv.gz", "compressive_strength", NULL, .call = FIT},
    {"fit energy", "energy_efficiency.csv.gz", "Y1", "Y2", .call = FIT},
    {"fit ccpp", "ccpp.csv.gz", "EP", NULL, .call = FIT},
    {"fit kin8nm", "kin8nm.csv.gz", "y", NULL, .call = FIT},
    {"fit grid", "grid_stability.csv.gz", "stabf", "stab", .call = FIT},
    {"fit bike", "bike_hour.csv.gz", "cnt", "instant,dteday,casual,registered", .call = FIT},
    {"fit superconductivity", "superconductivity.csv.gz", "critical_temp", NULL, .call = FIT},
    {"fit adult", "adult_train.csv.gz", "income", NULL, .call = FIT},
    {"fit a9a", "a9a.libsvm.gz", NULL, NULL, .call = FIT},
    {"fit pendigits", "pendigits.libsvm.gz", NULL, NULL, .call = FIT},
    {"fit adult, hinge, 2000", "adult_train.csv.gz", "income", NULL, .call = FIT, .loss = ENTROPIC_LOSS_HINGE,
     .features = 2000},
    {"fit kin8nm, exact", "kin8nm.csv.gz", "y", NULL, .call = FIT, .solver = ENTROPIC_SOLVER_EXACT},
    {"fit airfoil, exact", "airfoil.csv.gz", "scaled_sound_pressure", NULL, .call = FIT,
     .solver = ENTROPIC_SOLVER_EXACT},
    {"fit superconductivity, 4000", "superconductivity.csv.gz", "critical_temp", NULL, .call = FIT, .features = 4000},
    {"fit ccpp, entropy", "ccpp.csv.gz", "EP", NULL, .call = FIT, .select = ENTROPIC_SELECT_ENTROPY},
    {"compare airfoil", "airfoil.csv.gz", "scaled_sound_pressure", NULL, .call = COMPARE},
    {"compare pendigits", "pendigits.libsvm.gz", NULL, NULL, .call = COMPARE},
    {"predict kin8nm, exact", "kin8nm.csv.gz", "y", NULL, .call = PREDICT},
    {"score kin8nm, exact", "kin8nm.csv.gz", "y", NULL, .call = SCORE},
    {"design of 1000000 features", "kin8nm.csv.gz", "y", NULL, .call = DESIGN, .features = 1000000},
};

/* What a call needs. */
typedef struct bench {
  entropic_context *context;
  char path[1000];
  ent_read_options reading;
  entropic_table *table;
  entropic_dataset *data;
  entropic_model *model;
  entropic_kernel *kernel;
} bench;

typedef struct listening {
  double then, longest, cancel, cancelled; /* cancel: when; INFINITY: never */
  size_t calls;
} listening;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int hear(void *user, const char *stage, double done) {
  (void)stage, (void)done;
  listening *l = user;
  double time = now();
  l->longest = fmax(l->longest, time - l->then);
  l->then = time;
  l->calls++;
  if (time < l->cancel)
    return 0;
  l->cancelled = time;
  return 1;
}

static ent_fit_options options_of(const bench_case *c) {
  ent_fit_options options = ent_fit_options_default();
  options.solver = c->solver;
  options.features = c->features;
  options.loss = c->loss;
  options.select = c->select;
  return options;
}

static entropic_status score(const bench *b) {
  entropic_row_reader *reader = NULL;
  ent_score_figures scores;
  entropic_status status = ent_row_reader_open(b->context, b->model, b->path, NULL, 1, &reader);
  if (status == ENTROPIC_OK)
    status = model_score(b->context, b->model, reader, NULL, &scores);
  entropic_row_reader_free(reader);
  return status;
}

static entropic_status predict(const bench *b) {
  size_t rows = entropic_table_rows(b->table), columns = entropic_table_columns(b->table);
  double *out = calloc(rows, sizeof *out);
  entropic_status status =
      out == NULL ? ENTROPIC_NO_MEMORY
                  : entropic_model_predict(b->context, b->model, entropic_table_values(b->table), rows, columns, out);
  free(out);
  return status;
}

static entropic_status design(const bench *b, size_t features) {
  entropic_design *made = NULL;
  entropic_design_options options = ent_design_options_default();
  options.features = features;
  entropic_status status = ent_design_create(b->context, b->kernel, &options, &made);
  entropic_design_free(made);
  return status;
}

static entropic_status call(const bench *b, const bench_case *c) {
  entropic_table *table = NULL;
  entropic_dataset *data = NULL;
  entropic_model *model = NULL;
  entropic_comparison *comparison = NULL;
  ent_fit_options options = options_of(c);
  ent_compare_options comparing = ent_compare_options_default();
  entropic_status status = ENTROPIC_OK;
  comparing.runs = 1;
  switch (c->call) {
  case READ:
    status = ent_table_load(b->context, b->path, &b->reading, &table);
    break;
  case CREATE:
    status = ent_dataset_create(b->context, b->table, ENTROPIC_TASK_AUTO, &data);
    break;
  case FIT:
    status = ent_model_fit(b->context, b->data, NULL, &options, NULL, &model);
    break;
  case COMPARE:
    status = ent_compare(b->context, b->data, &comparing, &comparison);
    break;
  case SCORE:
    status = score(b);
    break;
  case PREDICT:
    status = predict(b);
    break;
  case DESIGN:
    status = design(b, c->features);
    break;
  }
  entropic_table_free(table);
  entropic_dataset_free(data);
  entropic_model_free(model);
  entropic_comparison_free(comparison);
  return status;
}

/* Runs until that many seconds have passed; seconds becomes how long it took. */
static listening run(const bench *b, const bench_case *c, double until, double *seconds) {
  double start = now();
  listening l = {.then = start, .cancel = start + until};
  entropic_context_set_progress(b->context, hear, &l);
  entropic_status status = call(b, c);
  double end = now();
  entropic_context_set_progress(b->context, NULL, NULL);
  if (status != (l.cancelled > 0 ? ENTROPIC_CANCELLED : ENTROPIC_OK)) {
    printf("%s: %s: %s\n", c->name, entropic_status_name(status), entropic_context_message(b->context));
    exit(1);
  }
  if (l.cancelled > 0)
    l.cancelled = end - l.cancelled;
  else
    l.longest = fmax(l.longest, end - l.then);
  *seconds = end - start;
  return l;
}

/* A thread that sleeps. */
static atomic_bool idle_over;

static void *idle(void *longest) {
  const struct timespec period = {.tv_nsec = 20000000};
  double then = now();
  while (!atomic_load(&idle_over)) {
    nanosleep(&period, NULL);
    double time = now();
    *(double *)longest = fmax(*(double *)longest, time - then);
    then = time;
  }
  return NULL;
}

static int prepare(bench *b, const char *folder, const bench_case *c) {
  entropic_axis_options axis = ent_axis_options_default();
  ent_fit_options exact = ent_fit_options_default();
  static const double omega = 1;
  exact.solver = ENTROPIC_SOLVER_EXACT;
  exact.omegas = &omega;
  exact.omega_count = 1;
  exact.lambda = 1e-3;
  snprintf(b->path, sizeof b->path, "%s/%s", folder, c->file);
  b->reading = ent_read_options_default();
  b->reading.roles.targets = c->target;
  b->reading.roles.ignore = c->ignore;
  if (entropic_context_create(&b->context) != ENTROPIC_OK ||
      ent_kernel_create(b->context, &axis, 1, 8, &b->kernel) != ENTROPIC_OK ||
      ent_table_load(b->context, b->path, &b->reading, &b->table) != ENTROPIC_OK ||
      ent_dataset_create(b->context, b->table, ENTROPIC_TASK_AUTO, &b->data) != ENTROPIC_OK)
    return 1;
  return (c->call == SCORE || c->call == PREDICT) &&
         ent_model_fit(b->context, b->data, NULL, &exact, NULL, &b->model) != ENTROPIC_OK;
}

static void finish(bench *b) {
  entropic_kernel_free(b->kernel);
  entropic_model_free(b->model);
  entropic_dataset_free(b->data);
  entropic_table_free(b->table);
  entropic_context_free(b->context);
}

static void measure(const char *folder, const bench_case *c, double limit, size_t cancels) {
  bench b = {0};
  double seconds = 0, ignored, longest = 0, gap, sum = 0;
  entropic_random random = entropic_random_start(1, 0);
  if (prepare(&b, folder, c) != 0) {
    printf("%-28s skipped: %s\n", c->name, entropic_context_message(b.context));
    finish(&b);
    return;
  }
  pthread_t sleeper;
  double idle_gap = 0;
  atomic_store(&idle_over, false);
  bool sleeps = pthread_create(&sleeper, NULL, idle, &idle_gap) == 0;
  listening whole = run(&b, c, limit, &seconds);
  gap = whole.longest;
  longest = sum = whole.cancelled;
  size_t count = whole.cancelled > 0;
  for (size_t i = 0; i < cancels; i++) {
    listening l = run(&b, c, entropic_random_uniform(&random) * seconds, &ignored);
    gap = fmax(gap, l.longest);
    longest = fmax(longest, l.cancelled);
    sum += l.cancelled;
    count += l.cancelled > 0;
  }
  atomic_store(&idle_over, true);
  if (sleeps)
    pthread_join(sleeper, NULL);
  printf("%-28s %7.2f %7zu %9.1f %9.1f %9zu %9.1f %9.1f\n", c->name, seconds, whole.calls, 1e3 * gap, 1e3 * idle_gap,
         count, count > 0 ? 1e3 * sum / (double)count : 0, 1e3 * longest);
  fflush(stdout);
  finish(&b);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: bench-cancel DATA [SECONDS [CANCELS [NAME]]]\n");
    return 1;
  }
  double limit = argc > 2 ? atof(argv[2]) : 20;
  size_t cancels = argc > 3 ? strtoul(argv[3], NULL, 10) : 5;
  printf("%-28s %7s %7s %9s %9s %9s %19s\n", "", "", "", "longest", "", "", "ms from cancel");
  printf("%-28s %7s %7s %9s %9s %9s %9s %9s\n", "call", "seconds", "calls", "gap, ms", "idle, ms", "cancels", "mean",
         "longest");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc <= 4 || strcmp(cases[i].name, argv[4]) == 0)
      measure(argv[1], &cases[i], limit, cancels);
  return 0;
}
