/* Contests: see contest.h. */
#include "study/contest.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "tune/classes.h"
#include "tune/folds.h"
#include "solve/pass.h"
#include "solve/ridge.h"

#define TUNING_ROWS ((size_t)5000) /* at most so many to learn from while tuning */
#define TUNING_PARTS ((size_t)5)   /* one in so many is kept apart */
#define FEW_ROWS ((size_t)2000)    /* up to so many every part is, if asked for: one part of few rows says little */

/* Training is not repeated, for a better clock, once it has taken that long altogether. Methods of up to fifty
 * milliseconds are all repeated as often: the least of more times is less. */
#define TIMED_SECONDS 0.5

/* Factors of the rule, and omegas of our own features, which have no rule: as many for everyone. */
static const double factors[] = {0.03, 0.1, 0.3, 1, 3};
static const double omegas[] = {0.1, 0.3, 1, 3, 10};
#define TRIES (sizeof factors / sizeof *factors)
_Static_assert(sizeof factors == sizeof omegas, "everyone has as many tries");

static const double lambdas[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
static const double fine_lambdas[] = {1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5,
                                      1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8};
#define MOST_LAMBDAS (sizeof fine_lambdas / sizeof *fine_lambdas)

/* What is not tuned. */
#define PLAIN_OMEGA 1.0

/* All rows by one scaling. */
typedef struct ent_look {
  entropic_scaling scaling;
  double rule; /* the bandwidth of the rule */
  ent_block train, test;
} ent_look;

struct ent_contest {
  ent_contest_data data;
  ent_look looks[1 + ENT_OTHER_SCALINGS];
  size_t look_count;
  const double *lambdas; /* to try */
  size_t lambda_count;
  size_t parts;    /* that the rows to learn from are in */
  size_t tried;    /* of those: how many are kept apart, one after the other, while tuning, the last one first */
  size_t *order;   /* of the rows to learn from: a random one */
  size_t *part_of; /* of each of them */
};

double ent_contest_rule(const ent_contest *contest) {
  return contest->looks[0].rule;
}

void ent_contest_free(ent_contest *contest) {
  if (contest == NULL)
    return;
  ent_delete(contest->order);
  ent_delete(contest->part_of);
  ent_delete(contest);
}

/* One look more at the rows. */
static entropic_status add_look(entropic_context *context, ent_contest *contest, const ent_contest_rows *rows,
                                uint64_t seed) {
  const ent_contest_data *data = &contest->data;
  ent_look *look = &contest->looks[contest->look_count++];
  ent_block block = {.x_stride = data->inputs, .y_stride = data->targets};
  *look = (ent_look){.scaling = rows->scaling, .train = block, .test = block};
  look->train.rows = data->rows;
  look->train.x = rows->x;
  look->train.y = data->y;
  look->test.rows = data->test_rows;
  look->test.x = rows->test_x;
  look->test.y = data->test_y;
  return ent_random_bandwidth(context, rows->x, data->rows, data->inputs, data->inputs, seed, &look->rule);
}

/* Groups to parts; there may be fewer of them than parts. */
static entropic_status part_groups(entropic_context *context, ent_contest *contest, uint64_t seed) {
  ent_fold_options split = {.rows = contest->data.rows, .groups = contest->data.groups};
  entropic_status status = ent_folds_deal(context, &split, seed, contest->part_of, &contest->parts);
  if (status == ENTROPIC_OK && contest->parts < 2)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%zu rows to learn from, all of one group; expected two groups or more, as rows of a group stay "
                    "together while tuning",
                    split.rows);
  if (contest->tried > contest->parts)
    contest->tried = contest->parts;
  return status;
}

/* The rows to learn from in random order, and the part that each belongs to. */
static entropic_status make_parts(entropic_context *context, ent_contest *contest, uint64_t seed) {
  size_t rows = contest->data.rows;
  contest->parts = TUNING_PARTS;
  contest->order = ent_new(context, rows, sizeof *contest->order);
  contest->part_of = ent_new(context, rows, sizeof *contest->part_of);
  if (contest->order == NULL || contest->part_of == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_random random = entropic_random_start(seed, 2);
  entropic_random_permutation(&random, rows, contest->order);
  if (contest->data.groups != NULL)
    return part_groups(context, contest, seed);
  for (size_t i = 0; i < rows; i++) /* counted from the end: the last part is not larger than its share */
    contest->part_of[contest->order[rows - 1 - i]] = TUNING_PARTS - 1 - ((i + 1) * TUNING_PARTS - 1) / rows;
  return ENTROPIC_OK;
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
  made->lambdas = data->thorough ? fine_lambdas : lambdas;
  made->lambda_count = data->thorough ? MOST_LAMBDAS : sizeof lambdas / sizeof *lambdas;
  made->tried = data->thorough && data->rows <= FEW_ROWS ? TUNING_PARTS : 1;
  ent_contest_rows first = {.scaling = data->scaling, .x = data->x, .test_x = data->test_x};
  entropic_status status = make_parts(context, made, seed);
  if (status == ENTROPIC_OK)
    status = add_look(context, made, &first, seed);
  for (size_t i = 0; i < data->other_count && status == ENTROPIC_OK; i++)
    status = add_look(context, made, &data->others[i], seed);
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
  return status == ENTROPIC_OK ? ent_statistics_collect(context, *statistics, map, &rows, ENT_GRAM_AUTO) : status;
}

/* Adds the sum of squares, over rows and targets, of each lambda on the rows kept apart. */
static entropic_status try_lambdas(entropic_context *context, const ent_contest *contest, const ent_map *map,
                                   const ent_block *train, const ent_block *kept, double *errors) {
  ent_statistics *from = NULL, *on = NULL;
  ent_ridge *ridge = NULL;
  size_t targets = contest->data.targets, count = contest->lambda_count;
  double *sums = ent_new(context, count * targets, sizeof *sums);
  entropic_status status = sums == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK)
    status = collect(context, contest, map, train, &from);
  if (status == ENTROPIC_OK)
    status = collect(context, contest, map, kept, &on);
  if (status == ENTROPIC_OK)
    status = ent_ridge_solve(context, from, contest->lambdas, count, ENT_METHOD_AUTO, &ridge);
  if (status == ENTROPIC_OK)
    status = ent_ridge_errors(context, ridge, on, sums);
  for (size_t i = 0; i < count && status == ENTROPIC_OK; i++) {
    double error = 0;
    for (size_t t = 0; t < targets; t++)
      error += sums[i * targets + t];
    errors[i] += error;
  }
  ent_ridge_free(ridge);
  ent_statistics_free(from);
  ent_statistics_free(on);
  ent_delete(sums);
  return status;
}

/* Rows of its own. */
typedef struct ent_copy {
  double *x, *y;
  ent_block block;
} ent_copy;

/* Copies rows by number, row after row. */
static entropic_status copy_rows(entropic_context *context, const ent_block *from, size_t inputs, size_t targets,
                                 const size_t *numbers, size_t count, ent_copy *copy) {
  copy->x = ent_new(context, count * inputs, sizeof *copy->x);
  copy->y = ent_new(context, count * targets, sizeof *copy->y);
  if (copy->x == NULL || copy->y == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < count; r++) {
    memcpy(copy->x + r * inputs, from->x + numbers[r] * inputs, inputs * sizeof *copy->x);
    memcpy(copy->y + r * targets, from->y + numbers[r] * targets, targets * sizeof *copy->y);
  }
  copy->block = (ent_block){.rows = count, .x = copy->x, .x_stride = inputs, .y = copy->y, .y_stride = targets};
  return ENTROPIC_OK;
}

static void copy_clear(ent_copy *copy) {
  ent_delete(copy->x);
  ent_delete(copy->y);
}

static ent_trial trial_of(const ent_contest *contest, const ent_request *request, const ent_block *rows,
                          double bandwidth, const ent_block *kept, double lambda, uint64_t seed) {
  return (ent_trial){.request = request,
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

/* What is tuned, and how well it did. */
typedef struct ent_tuned {
  const ent_look *look;
  size_t number; /* of the factor or omega */
  double lambda;
  double error; /* the sum of squares on the rows kept apart */
  size_t tries; /* of looks and bandwidths, so far */
} ent_tuned;

static double bandwidth_of(const ent_request *request, const ent_look *look, size_t number) {
  if (ent_baseline_has_rule(request->baseline))
    return request->tuned ? look->rule * factors[number] : look->rule;
  return request->tuned ? omegas[number] : PLAIN_OMEGA;
}

/* numbers[rows] becomes the rows of all other parts and then, from where it returns, those of this one. */
static size_t list_part(const ent_contest *contest, size_t part, size_t *numbers) {
  size_t rows = contest->data.rows, count = 0, others = 0;
  for (int inside = 0; inside < 2; inside++) {
    others = inside == 0 ? 0 : count;
    for (size_t i = 0; i < rows; i++)
      if ((contest->part_of[contest->order[i]] == part) == (inside == 1))
        numbers[count++] = contest->order[i];
  }
  return others;
}

/* Adds the errors of all lambdas on one part of the rows, learnt from the others. */
static entropic_status try_part(entropic_context *context, const ent_contest *contest, const ent_request *request,
                                uint64_t seed, const ent_look *look, double bandwidth, size_t part, double *errors) {
  size_t rows = contest->data.rows, inputs = contest->data.inputs, targets = contest->data.targets;
  ent_copy train = {0}, kept = {0};
  ent_study_entry entry = {0};
  size_t *numbers = ent_new(context, rows, sizeof *numbers);
  if (numbers == NULL)
    return ENTROPIC_NO_MEMORY;
  size_t train_rows = list_part(contest, part, numbers), kept_rows = rows - train_rows;
  train_rows = train_rows > TUNING_ROWS ? TUNING_ROWS : train_rows;
  kept_rows = kept_rows > TUNING_ROWS ? TUNING_ROWS : kept_rows;
  entropic_status status = copy_rows(context, &look->train, inputs, targets, numbers, train_rows, &train);
  if (status == ENTROPIC_OK)
    status = copy_rows(context, &look->train, inputs, targets, numbers + rows - kept_rows, kept_rows, &kept);
  if (status != ENTROPIC_OK)
    goto end;
  ent_trial trial = trial_of(contest, request, &train.block, bandwidth, &kept.block, -1, seed);
  status = ent_entry_make(context, &trial, &entry);
  if (status == ENTROPIC_OK)
    status = try_lambdas(context, contest, &entry.map, &train.block, &kept.block, errors);
end:
  ent_entry_clear(&entry);
  copy_clear(&train);
  copy_clear(&kept);
  ent_delete(numbers);
  return status;
}

/* One look and bandwidth, with all lambdas; *best is what was best so far. */
static entropic_status try_one(entropic_context *context, const ent_contest *contest, const ent_request *request,
                               uint64_t seed, const ent_look *look, size_t number, ent_tuned *best) {
  double errors[MOST_LAMBDAS] = {0}, bandwidth = bandwidth_of(request, look, number);
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < contest->tried && status == ENTROPIC_OK; i++)
    status = try_part(context, contest, request, seed, look, bandwidth, contest->parts - 1 - i, errors);
  best->tries++;
  for (size_t k = 0; k < contest->lambda_count && status == ENTROPIC_OK; k++)
    if (errors[k] < best->error) {
      best->error = errors[k];
      best->look = look;
      best->number = number;
      best->lambda = contest->lambdas[k];
    }
  return status;
}

/* The best lambda and, if they are to be tuned, bandwidth and scaling: of few rows every pair is tried; of many all
 * bandwidths with one scaling, then the others with the best of them. The second of several scalings lies between the
 * others: its bandwidth is near what suits each of them. */
static entropic_status tune(entropic_context *context, const ent_contest *contest, const ent_request *request,
                            uint64_t seed, ent_tuned *best) {
  *best = (ent_tuned){.look = contest->looks, .error = INFINITY};
  entropic_status status = ENTROPIC_OK;
  size_t looks = request->tuned ? contest->look_count : 1, middle = looks > 1 ? 1 : 0;
  bool pairs = contest->tried > 1;
  for (size_t i = 0; i < (request->tuned ? TRIES : 1) && status == ENTROPIC_OK; i++)
    status = try_one(context, contest, request, seed, &contest->looks[middle], i, best);
  size_t first = pairs ? 0 : best->number, end = pairs ? TRIES : first + 1;
  for (size_t look = 0; look < looks; look++)
    for (size_t i = first; look != middle && i < end && status == ENTROPIC_OK; i++)
      status = try_one(context, contest, request, seed, &contest->looks[look], i, best);
  return status;
}

/* The error on the test rows from their scores, row after row at that stride. */
static double test_error(const ent_contest *contest, const double *scores, size_t stride) {
  size_t targets = contest->data.targets, classes = contest->data.classes;
  double sum = 0;
  for (size_t r = 0; r < contest->data.test_rows; r++) {
    const double *y = contest->data.test_y + r * targets, *f = scores + r * stride;
    if (classes > 0)
      sum += ent_class_of(classes, f) != ent_class_of(classes, y);
    for (size_t t = 0; classes == 0 && t < targets; t++)
      sum += (y[t] - f[t]) * (y[t] - f[t]) / (double)targets;
  }
  sum /= (double)contest->data.test_rows;
  return classes > 0 ? sum : sqrt(sum);
}

entropic_status ent_contest_constant(entropic_context *context, const ent_contest *contest, double *error) {
  size_t rows = contest->data.rows, targets = contest->data.targets;
  double *means = ent_new(context, targets, sizeof *means);
  if (means == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows; r++)
    for (size_t t = 0; t < targets; t++)
      means[t] += contest->data.y[r * targets + t];
  for (size_t t = 0; t < targets; t++)
    means[t] /= (double)rows;
  *error = test_error(contest, means, 0);
  ent_delete(means);
  return ENTROPIC_OK;
}

/* Non-zeros of a lifted test row, and how long lifting takes, dense as it is learnt from. */
static entropic_status measure_lift(entropic_context *context, const ent_block *rows, const ent_map *map,
                                    ent_performance *performance) {
  enum { BLOCK = 256 };
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

/* Features and weights from all rows to learn from, as they were tuned; how long that took. */
static entropic_status train(entropic_context *context, const ent_contest *contest, const ent_request *request,
                             uint64_t seed, const ent_tuned *tuned, ent_study_entry *entry, ent_ridge **ridge,
                             double *seconds) {
  double start = ent_seconds();
  ent_statistics *statistics = NULL;
  const ent_block *rows = &tuned->look->train;
  ent_block one = *rows; /* lambda is known: there is nothing left to try */
  one.rows = 1;
  double bandwidth = bandwidth_of(request, tuned->look, tuned->number);
  ent_trial trial = trial_of(contest, request, rows, bandwidth, &one, tuned->lambda, seed);
  entropic_status status = ent_entry_make(context, &trial, entry);
  if (status == ENTROPIC_OK)
    status = collect(context, contest, &entry->map, rows, &statistics);
  if (status == ENTROPIC_OK)
    status = ent_ridge_solve(context, statistics, &tuned->lambda, 1, ENT_METHOD_CHOLESKY, ridge);
  *seconds = ent_seconds() - start;
  ent_statistics_free(statistics);
  return status;
}

entropic_status ent_contest_run(entropic_context *context, const ent_contest *contest, const ent_request *request,
                                uint64_t seed, size_t trainings, ent_performance *performance) {
  ent_performance p = {.train_seconds = INFINITY};
  ent_study_entry entry = {0};
  ent_ridge *ridge = NULL;
  ent_tuned tuned;
  double *scores = ent_new(context, contest->data.test_rows * contest->data.targets, sizeof *scores), all = 0;
  entropic_status status = scores == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK)
    status = tune(context, contest, request, seed, &tuned);
  for (size_t i = 0; status == ENTROPIC_OK && (i == 0 || (i < trainings && all < TIMED_SECONDS)); i++) {
    double seconds = 0;
    ent_ridge_free(ridge);
    ridge = NULL;
    ent_entry_clear(&entry);
    status = train(context, contest, request, seed, &tuned, &entry, &ridge, &seconds);
    p.train_seconds = fmin(p.train_seconds, seconds);
    all += seconds;
  }
  if (status == ENTROPIC_OK)
    status = measure_lift(context, &tuned.look->test, &entry.map, &p);
  if (status == ENTROPIC_OK)
    status = ent_scores(context, &entry.map, &tuned.look->test,
                        &(ent_linear){ridge->weights, ridge->means, contest->data.targets}, scores);
  if (status == ENTROPIC_OK) {
    p.error = test_error(contest, scores, contest->data.targets);
    p.features = entry.map.features;
    p.bandwidth = bandwidth_of(request, tuned.look, tuned.number);
    p.lambda = tuned.lambda;
    p.scaling = tuned.look->scaling;
    p.tries = tuned.tries;
    p.tuning_error = tuned.error;
    *performance = p;
  }
  ent_ridge_free(ridge);
  ent_entry_clear(&entry);
  ent_delete(scores);
  return status;
}
