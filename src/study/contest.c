/* Contests: see contest.h. */
#include "study/contest.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "learn/classes.h"
#include "learn/folds.h"
#include "learn/pass.h"
#include "learn/ridge.h"

#define TUNING_ROWS ((size_t)5000) /* at most so many to learn from while tuning */
#define TUNING_PARTS ((size_t)5)   /* one in so many is kept apart */

/* Training is not repeated, for a better clock, once it has taken that long altogether. Methods of up to fifty
 * milliseconds are all repeated as often: the least of more times is less. */
#define TIMED_SECONDS 0.5

/* Factors of the rule, and omegas of our own features, which have no rule: as many for everyone. */
static const double factors[] = {0.03, 0.1, 0.3, 1, 3};
static const double omegas[] = {0.1, 0.3, 1, 3, 10};
#define TRIES (sizeof factors / sizeof *factors)
_Static_assert(sizeof factors == sizeof omegas, "everyone has as many tries");

static const double lambdas[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
#define LAMBDAS (sizeof lambdas / sizeof *lambdas)

/* What is not tuned. */
#define PLAIN_OMEGA 1.0

struct ent_contest {
  ent_contest_data data;
  double rule;
  ent_block train, test;
  size_t *numbers; /* of the rows to tune with: to learn from, then to try on */
  size_t tune_train, tune_try;
};

double ent_contest_rule(const ent_contest *contest) {
  return contest->rule;
}

void ent_contest_free(ent_contest *contest) {
  if (contest == NULL)
    return;
  ent_delete(contest->numbers);
  ent_delete(contest);
}

entropic_status ent_contest_create(entropic_context *context, const ent_contest_data *data, uint64_t seed,
                                   ent_contest **contest) {
  if (data->rows < TUNING_PARTS || data->test_rows == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%zu rows to learn from and %zu to test on; expected at least %zu and 1", data->rows,
                    data->test_rows, TUNING_PARTS);
  ent_contest *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->data = *data;
  made->train =
      (ent_block){.rows = data->rows, .x = data->x, .x_stride = data->inputs, .y = data->y, .y_stride = data->targets};
  made->test = (ent_block){.rows = data->test_rows,
                           .x = data->test_x,
                           .x_stride = data->inputs,
                           .y = data->test_y,
                           .y_stride = data->targets};
  made->numbers = ent_new(context, data->rows, sizeof *made->numbers);
  entropic_status status = made->numbers == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK) {
    entropic_random random = entropic_random_start(seed, 2);
    entropic_random_permutation(&random, data->rows, made->numbers);
    made->tune_try = data->rows / TUNING_PARTS;
    made->tune_train = data->rows - made->tune_try;
    if (made->tune_train > TUNING_ROWS)
      made->tune_train = TUNING_ROWS;
    if (made->tune_try > TUNING_ROWS)
      made->tune_try = TUNING_ROWS;
    status = ent_random_bandwidth(context, data->x, data->rows, data->inputs, data->inputs, seed, &made->rule);
  }
  if (status == ENTROPIC_OK)
    *contest = made;
  else
    ent_contest_free(made);
  return status;
}

static entropic_status collect(entropic_context *context, const ent_contest *contest, const ent_map *map,
                               const ent_block *block, ent_statistics **statistics) {
  ent_memory_rows memory = {.all = *block, .inputs = contest->data.inputs, .targets = contest->data.targets};
  ent_rows rows = ent_rows_of_memory(&memory);
  entropic_status status = ent_statistics_create(context, map->features, rows.targets, NULL, statistics);
  return status == ENTROPIC_OK ? ent_statistics_collect(context, *statistics, map, &rows, ENT_PATH_AUTO) : status;
}

/* The mean square, summed over targets, of each lambda on the rows kept apart. */
static entropic_status try_lambdas(entropic_context *context, const ent_contest *contest, const ent_map *map,
                                   const ent_block *train, const ent_block *kept, double *errors) {
  ent_statistics *from = NULL, *on = NULL;
  ent_ridge *ridge = NULL;
  size_t targets = contest->data.targets;
  double *sums = ent_new(context, LAMBDAS * targets, sizeof *sums);
  entropic_status status = sums == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK)
    status = collect(context, contest, map, train, &from);
  if (status == ENTROPIC_OK)
    status = collect(context, contest, map, kept, &on);
  if (status == ENTROPIC_OK)
    status = ent_ridge_solve(context, from, lambdas, LAMBDAS, ENT_METHOD_AUTO, false, &ridge);
  if (status == ENTROPIC_OK)
    status = ent_ridge_errors(context, ridge, on, sums);
  for (size_t i = 0; i < LAMBDAS && status == ENTROPIC_OK; i++) {
    errors[i] = 0;
    for (size_t t = 0; t < targets; t++)
      errors[i] += sums[i * targets + t];
  }
  ent_ridge_free(ridge);
  ent_statistics_free(from);
  ent_statistics_free(on);
  ent_delete(sums);
  return status;
}

/* Copies rows by number, row after row. */
static entropic_status copy_rows(entropic_context *context, const ent_contest *contest, const size_t *numbers,
                                 size_t count, double **x, double **y, ent_block *block) {
  size_t inputs = contest->data.inputs, targets = contest->data.targets;
  *x = ent_new(context, count * inputs, sizeof **x);
  *y = ent_new(context, count * targets, sizeof **y);
  if (*x == NULL || *y == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < count; r++) {
    memcpy(*x + r * inputs, contest->data.x + numbers[r] * inputs, inputs * sizeof **x);
    memcpy(*y + r * targets, contest->data.y + numbers[r] * targets, targets * sizeof **y);
  }
  *block = (ent_block){.rows = count, .x = *x, .x_stride = inputs, .y = *y, .y_stride = targets};
  return ENTROPIC_OK;
}

static ent_trial trial_of(const ent_contest *contest, const ent_wish *wish, const ent_block *rows, double bandwidth,
                          const ent_block *kept, double lambda, uint64_t seed) {
  return (ent_trial){.wish = wish,
                     .kept = kept,
                     .lambda = lambda,
                     .bandwidth = bandwidth,
                     .seed = seed,
                     .inputs = contest->data.inputs,
                     .data = {.x = rows->x,
                              .rows = rows->rows,
                              .stride = rows->x_stride,
                              .y = rows->y,
                              .targets = contest->data.targets,
                              .y_stride = rows->y_stride}};
}

/* The bandwidth of a try. */
static double bandwidth_of(const ent_contest *contest, const ent_wish *wish, size_t number) {
  if (ent_rival_has_rule(wish->rival))
    return wish->tuned ? contest->rule * factors[number] : contest->rule;
  return wish->tuned ? omegas[number] : PLAIN_OMEGA;
}

/* The best bandwidth, if it is to be tuned, and lambda. */
static entropic_status tune(entropic_context *context, const ent_contest *contest, const ent_wish *wish, uint64_t seed,
                            double *bandwidth, double *lambda) {
  double *x[2] = {NULL, NULL}, *y[2] = {NULL, NULL}, least = INFINITY, errors[LAMBDAS];
  ent_block train, kept;
  entropic_status status = copy_rows(context, contest, contest->numbers, contest->tune_train, &x[0], &y[0], &train);
  if (status == ENTROPIC_OK)
    status = copy_rows(context, contest, contest->numbers + contest->data.rows - contest->tune_try, contest->tune_try,
                       &x[1], &y[1], &kept);
  for (size_t i = 0; i < (wish->tuned ? TRIES : 1) && status == ENTROPIC_OK; i++) {
    ent_trial trial = trial_of(contest, wish, &train, bandwidth_of(contest, wish, i), &kept, -1, seed);
    ent_entry entry;
    status = ent_entry_make(context, &trial, &entry);
    if (status == ENTROPIC_OK)
      status = try_lambdas(context, contest, &entry.map, &train, &kept, errors);
    for (size_t k = 0; k < LAMBDAS && status == ENTROPIC_OK; k++)
      if (errors[k] < least) {
        least = errors[k];
        *bandwidth = trial.bandwidth;
        *lambda = lambdas[k];
      }
    ent_entry_clear(&entry);
  }
  for (int i = 0; i < 2; i++) {
    ent_delete(x[i]);
    ent_delete(y[i]);
  }
  return status;
}

/* The error on the test rows from their scores. */
static double test_error(const ent_contest *contest, const double *scores) {
  size_t targets = contest->data.targets, classes = contest->data.classes;
  double sum = 0;
  for (size_t r = 0; r < contest->test.rows; r++) {
    const double *y = contest->test.y + r * targets, *f = scores + r * targets;
    if (classes > 0)
      sum += ent_class_of(classes, f) != ent_class_of(classes, y);
    for (size_t t = 0; classes == 0 && t < targets; t++)
      sum += (y[t] - f[t]) * (y[t] - f[t]) / (double)targets;
  }
  sum /= (double)contest->test.rows;
  return classes > 0 ? sum : sqrt(sum);
}

/* Non-zeros of a lifted test row, and how long lifting takes, dense as it is learnt from. */
static entropic_status measure_lift(entropic_context *context, const ent_contest *contest, const ent_map *map,
                                    ent_performance *performance) {
  enum { BLOCK = 256 };
  const ent_block *rows = &contest->test;
  void *scratch = NULL;
  double *z = ent_new(context, BLOCK * map->features, sizeof *z), nonzeros = 0, seconds = 0;
  entropic_status status = z == NULL ? ENTROPIC_NO_MEMORY : map->calls->scratch_create(context, map->self, &scratch);
  for (size_t first = 0; first < rows->rows && status == ENTROPIC_OK; first += BLOCK) {
    size_t left = rows->rows - first, count = left < BLOCK ? left : BLOCK;
    double start = ent_seconds();
    status = map->calls->dense(context, map->self, scratch, rows->x + first * rows->x_stride, count, rows->x_stride, z,
                               BLOCK);
    seconds += ent_seconds() - start;
    for (size_t j = 0; j < map->features && status == ENTROPIC_OK; j++)
      for (size_t r = 0; r < count; r++)
        nonzeros += z[j * BLOCK + r] != 0;
  }
  if (scratch != NULL)
    map->calls->scratch_free(scratch);
  ent_delete(z);
  performance->lift_seconds = seconds;
  performance->nonzeros = nonzeros / (double)rows->rows;
  return status;
}

/* Features and weights from all rows to learn from, as p has it; how long that took. */
static entropic_status train(entropic_context *context, const ent_contest *contest, const ent_wish *wish, uint64_t seed,
                             const ent_performance *p, ent_entry *entry, ent_ridge **ridge, double *seconds) {
  double start = ent_seconds();
  ent_statistics *statistics = NULL;
  ent_block one = contest->train; /* lambda is known: there is nothing left to try */
  one.rows = 1;
  ent_trial trial = trial_of(contest, wish, &contest->train, p->bandwidth, &one, p->lambda, seed);
  entropic_status status = ent_entry_make(context, &trial, entry);
  if (status == ENTROPIC_OK)
    status = collect(context, contest, &entry->map, &contest->train, &statistics);
  if (status == ENTROPIC_OK)
    status = ent_ridge_solve(context, statistics, &p->lambda, 1, ENT_METHOD_CHOLESKY, false, ridge);
  *seconds = ent_seconds() - start;
  ent_statistics_free(statistics);
  return status;
}

entropic_status ent_contest_run(entropic_context *context, const ent_contest *contest, const ent_wish *wish,
                                uint64_t seed, size_t trainings, ent_performance *performance) {
  ent_performance p = {.train_seconds = INFINITY};
  ent_entry entry = {0};
  ent_ridge *ridge = NULL;
  double *scores = ent_new(context, contest->test.rows * contest->data.targets, sizeof *scores), all = 0;
  entropic_status status = scores == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK)
    status = tune(context, contest, wish, seed, &p.bandwidth, &p.lambda);
  for (size_t i = 0; status == ENTROPIC_OK && (i == 0 || (i < trainings && all < TIMED_SECONDS)); i++) {
    double seconds = 0;
    ent_ridge_free(ridge);
    ridge = NULL;
    ent_entry_clear(&entry);
    status = train(context, contest, wish, seed, &p, &entry, &ridge, &seconds);
    p.train_seconds = fmin(p.train_seconds, seconds);
    all += seconds;
  }
  if (status == ENTROPIC_OK)
    status = measure_lift(context, contest, &entry.map, &p);
  if (status == ENTROPIC_OK)
    status = ent_scores(context, &entry.map, contest->test.x, contest->test.rows, contest->test.x_stride,
                        ridge->weights, ridge->means, contest->data.targets, scores);
  if (status == ENTROPIC_OK) {
    p.error = test_error(contest, scores);
    p.features = entry.map.features;
    *performance = p;
  }
  ent_ridge_free(ridge);
  ent_entry_clear(&entry);
  ent_delete(scores);
  return status;
}
