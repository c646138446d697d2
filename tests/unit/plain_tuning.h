/* Tuning from its description: every try by itself, with its own features, folds and solution. */
#ifndef PLAIN_TUNING_H
#define PLAIN_TUNING_H

#include "unit/plain_ridge.h"

#include "compare/experiments.h"
#include "compare/split_table.h"

enum {
  TUNE_ROWS = 63,
  TUNE_INPUTS = 2,
  TUNE_FEATURES = 6,
  TUNE_LOOKS = 3,
  TUNE_SEED = 3,   /* of the evaluation */
  TUNE_RANDOM = 9, /* of the features */
  TUNE_GRID = 5,
  TUNE_WIDER = 4,
  TUNE_STEPS = TUNE_WIDER + TUNE_GRID + TUNE_WIDER
};

typedef struct lambda_list {
  size_t count;
  double values[15];
} lambda_list;

static const lambda_list coarse_list = {8, {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}},
                         fine_list = {15,
                                      {1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7,
                                       3e-8, 1e-8}},
                         large_list = {4, {1000, 100, 10, 1}}, small_list = {4, {1e-9, 1e-10, 1e-11, 1e-12}};

static const double step_factors[TUNE_STEPS] = {0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300},
                    step_omegas[TUNE_STEPS] = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000};

/* The training rows by one scaling. */
typedef struct scaled_rows {
  entropic_scaling scaling;
  double rule;
  const double *x;
} scaled_rows;

/* One method that is tuned, and what came out. */
typedef struct plain_tuning {
  const ent_evaluation_data *data;
  ent_compare_method method;
  bool tuned;
  double inset[TUNE_ROWS * TUNE_INPUTS];
  scaled_rows looks[TUNE_LOOKS];
  size_t look_count;
  size_t look, kernel, number; /* of the best */
  double bandwidth, lambda, error;
  size_t grid, tries;              /* of the grid alone, and all */
  size_t below, above;             /* bandwidths beyond the grid */
  size_t large_tries, small_tries; /* lambdas beyond theirs */
} plain_tuning;

static inline bool has_two_kernels(ent_compare_method method) {
  return method == ENT_COMPARE_NYSTROEM || method == ENT_COMPARE_PIVOTED || method == ENT_COMPARE_EXACT;
}

static inline double rule_of(entropic_context *context, const double *x) {
  double rule = 0;
  const ent_random_data rows = {.x = x, .rows = TUNE_ROWS, .stride = TUNE_INPUTS};
  ASSERT_OK(context, ent_random_bandwidth(context, &rows, TUNE_INPUTS, TUNE_SEED, &rule));
  return rule;
}

/* The printed features have inputs of their own, whatever the scalings are. */
static inline void find_looks(entropic_context *context, plain_tuning *tuning) {
  const ent_evaluation_data *data = tuning->data;
  const double *minmax = data->minmax.x != NULL ? data->minmax.x : data->x;
  entropic_scaling scaling = data->minmax.x != NULL ? data->minmax.scaling : data->scaling;
  tuning->look_count = 1;
  if (tuning->method == ENT_COMPARE_PRINTED) {
    tuning->looks[0] = (scaled_rows){scaling, rule_of(context, minmax), minmax};
  } else if (tuning->method == ENT_COMPARE_INSET) {
    for (size_t i = 0; i < COUNT(tuning->inset); i++)
      tuning->inset[i] = 0.4 + minmax[i] / 5;
    tuning->looks[0] = (scaled_rows){scaling, 5 * rule_of(context, minmax), tuning->inset};
  } else {
    tuning->looks[0] = (scaled_rows){data->scaling, rule_of(context, data->x), data->x};
    for (size_t i = 0; i < data->other_count && tuning->tuned; i++, tuning->look_count++)
      tuning->looks[i + 1] =
          (scaled_rows){data->others[i].scaling, rule_of(context, data->others[i].x), data->others[i].x};
  }
}

/* The rows of one fold behind those of the others: the last fifth of a permutation, or every fifth, counted from the
 * end. */
static inline size_t gather_fold(const plain_tuning *tuning, const double *from, size_t fold, double *x, double *y) {
  size_t order[TUNE_ROWS], count = 0;
  size_t begin = TUNE_ROWS - (fold + 1) * TUNE_ROWS / 5, end = TUNE_ROWS - fold * TUNE_ROWS / 5, kept = end - begin;
  entropic_random random = entropic_random_start(TUNE_SEED, 2);
  entropic_random_permutation(&random, TUNE_ROWS, order);
  for (size_t i = 0; i < TUNE_ROWS + kept; i++) {
    if (i >= begin && i < end)
      continue;
    size_t r = order[i < TUNE_ROWS ? i : begin + i - TUNE_ROWS];
    memcpy(x + count * TUNE_INPUTS, from + r * TUNE_INPUTS, TUNE_INPUTS * sizeof *x);
    y[count++] = tuning->data->y[r];
  }
  assert_int_equal(count, TUNE_ROWS);
  return kept;
}

/* A bandwidth with one of the kernels. */
typedef struct plain_choice {
  size_t look, kernel, number;
  double bandwidth;
} plain_choice;

/* The features of the first rows; false where their kernel is beyond a double. */
static inline bool make_features(entropic_context *context, const plain_tuning *tuning, const plain_choice *at,
                                 const double *x, const double *y, size_t train, ent_method_features *features) {
  const ent_request request = {.method = tuning->method, .tuned = tuning->tuned, .features = TUNE_FEATURES};
  const ent_block kept = {
      .rows = TUNE_ROWS - train, .x = x + train * TUNE_INPUTS, .x_stride = TUNE_INPUTS, .y = y + train, .y_stride = 1};
  const ent_trial trial = {.request = &request,
                           .kernel = at->kernel,
                           .bandwidth = at->bandwidth,
                           .seed = TUNE_RANDOM,
                           .inputs = TUNE_INPUTS,
                           .data = {.x = x, .rows = train, .stride = TUNE_INPUTS, .y = y, .targets = 1, .y_stride = 1},
                           .validation = &kept,
                           .lambda = -1};
  entropic_status status = ent_method_features_make(context, &trial, features);
  if (status == ENTROPIC_TOO_LARGE)
    return false;
  ASSERT_OK(context, status);
  return true;
}

/* The sums of squares of these lambdas on the validation rows; false where there are none. */
static inline bool sum_squares(entropic_context *context, const plain_tuning *tuning, const plain_choice *at,
                               const lambda_list *lambdas, double *errors) {
  bool exact = tuning->method == ENT_COMPARE_EXACT;
  memset(errors, 0, lambdas->count * sizeof *errors);
  for (size_t fold = 0; fold < (tuning->data->thorough && !exact ? 5 : 1); fold++) {
    double x[TUNE_ROWS * TUNE_INPUTS], y[TUNE_ROWS], scores[TUNE_ROWS];
    size_t kept = gather_fold(tuning, tuning->looks[at->look].x, fold, x, y), train = TUNE_ROWS - kept;
    ent_method_features features = {0};
    if (!exact && !make_features(context, tuning, at, x, y, train, &features))
      return false;
    for (size_t k = 0; k < lambdas->count; k++) {
      const plain_kernel_ridge ridge = {at->kernel == 0 ? ENT_RANDOM_LAPLACE : ENT_RANDOM_GAUSS, at->bandwidth,
                                        lambdas->values[k], TUNE_INPUTS};
      if (exact)
        plain_kernel_scores(&ridge, x, y, train, kept, scores);
      else
        plain_scores(&features.map, x, y, TUNE_INPUTS, train, kept, lambdas->values[k], scores);
      for (size_t r = 0; r < kept; r++)
        errors[k] += (scores[r] - y[train + r]) * (scores[r] - y[train + r]);
    }
    ent_method_features_clear(&features);
  }
  return true;
}

static inline double bandwidth_at(const plain_tuning *tuning, size_t look, size_t number) {
  bool ours = tuning->method == ENT_COMPARE_ENTROPY || tuning->method == ENT_COMPARE_RESIDUAL;
  if (!tuning->tuned)
    return ours ? 1 : tuning->looks[look].rule;
  return ours ? step_omegas[number] : tuning->looks[look].rule * step_factors[number];
}

static inline bool attempt(entropic_context *context, plain_tuning *tuning, size_t look, size_t kernel, size_t number,
                           const lambda_list *lambdas) {
  const plain_choice at = {look, kernel, number, bandwidth_at(tuning, look, number)};
  double errors[COUNT(lambdas->values)];
  if (!sum_squares(context, tuning, &at, lambdas, errors))
    return false;
  tuning->tries++;
  for (size_t k = 0; k < lambdas->count; k++)
    if (errors[k] < tuning->error) {
      tuning->look = look;
      tuning->kernel = kernel;
      tuning->number = number;
      tuning->bandwidth = at.bandwidth;
      tuning->lambda = lambdas->values[k];
      tuning->error = errors[k];
    }
  return true;
}

static inline void attempt_more_lambdas(entropic_context *context, plain_tuning *tuning) {
  bool large = tuning->lambda == 1e-1, small = tuning->lambda == 1e-8;
  tuning->large_tries += large;
  tuning->small_tries += small;
  if (large || small)
    attempt(context, tuning, tuning->look, tuning->kernel, tuning->number, large ? &large_list : &small_list);
}

/* One more bandwidth on the side where the best is the last; false if it is not, or if nothing better is there. */
static inline bool attempt_more_bandwidths(entropic_context *context, plain_tuning *tuning, size_t *least,
                                           size_t *largest) {
  size_t look = tuning->look, kernel = tuning->kernel, number;
  if (tuning->number == *least && *least > 0)
    number = --*least;
  else if (tuning->number == *largest && *largest < TUNE_STEPS - 1)
    number = ++*largest;
  else
    return false;
  double bandwidth = bandwidth_at(tuning, look, number);
  if (bandwidth < 1e-6 || bandwidth > 1e6 ||
      !attempt(context, tuning, look, kernel, number, tuning->data->thorough ? &fine_list : &coarse_list))
    return false;
  tuning->below += number < TUNE_WIDER;
  tuning->above += number >= TUNE_WIDER + TUNE_GRID;
  if (tuning->number != number)
    return false;
  attempt_more_lambdas(context, tuning);
  return true;
}

/* All bandwidths by the second scaling, if there are several; then the others with the best of them, or with all; then
 * beyond the ends of both lists. */
static inline plain_tuning tune_plainly(entropic_context *context, const ent_evaluation_data *data,
                                        ent_compare_method method, bool tuned) {
  plain_tuning tuning = {.data = data, .method = method, .tuned = tuned, .error = INFINITY};
  const lambda_list *lambdas = data->thorough ? &fine_list : &coarse_list;
  size_t kernels = tuned && has_two_kernels(method) ? 2 : 1, least = TUNE_WIDER, largest = least + TUNE_GRID - 1;
  find_looks(context, &tuning);
  size_t middle = tuning.look_count > 1 ? 1 : 0;
  for (size_t kernel = 0; kernel < kernels; kernel++)
    for (size_t i = least; i <= (tuned ? largest : least); i++)
      assert_true(attempt(context, &tuning, middle, kernel, i, lambdas));
  size_t best_kernel = tuning.kernel, best_number = tuning.number;
  bool all = data->thorough && method != ENT_COMPARE_EXACT;
  for (size_t look = 0; look < tuning.look_count; look++)
    for (size_t kernel = 0; kernel < kernels && look != middle; kernel++)
      for (size_t i = least; i <= largest; i++)
        if (all || (kernel == best_kernel && i == best_number))
          assert_true(attempt(context, &tuning, look, kernel, i, lambdas));
  tuning.grid = tuning.tries;
  attempt_more_lambdas(context, &tuning);
  while (tuned && attempt_more_bandwidths(context, &tuning, &least, &largest))
    ;
  return tuning;
}

#endif
