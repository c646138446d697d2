/* The grid search by the squared loss: see search.h. */
#include "tune/search.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "select/path.h"
#include "solve/ridge.h"
#include "tune/rules.h"

#define WIDE_SIZE ((size_t)600)  /* from so many features on only lambdas near the last best are validated: */
#define NEAR_LAMBDAS ((size_t)2) /* so many on either side */
#define MUCH_WORSE 1.02          /* an error so many times the least ends the search for a size */

void ent_search_result_clear(ent_search_result *result) {
  ent_fold_statistics_clear(&result->statistics);
  ent_lifting_clear(&result->lifting);
  ent_delete(result->validation.errors);
  ent_delete(result->validation.variances);
  ent_held_predictions_clear(&result->validation.held);
  ent_delete(result->missing);
  ent_curve_clear(&result->curve);
  *result = (ent_search_result){0};
}

/* Trains on the training rows and validates on the validation rows: errors as in ent_ridge_cross_validate. */
static entropic_status validate_on_rows(entropic_context *context, const ent_fold_statistics *s, const double *lambdas,
                                        size_t count, double *errors) {
  ent_ridge *ridge = NULL;
  entropic_status status = ent_ridge_solve(context, s->total, lambdas, count, ENT_METHOD_AUTO, &ridge);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_ridge_errors(context, ridge, s->set[0], errors);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < count * ridge->targets; i++)
    errors[i] /= s->set[0]->weight;
done:
  ent_ridge_free(ridge);
  return status;
}

/* Validation errors of each lambda: errors[count][targets]. */
static entropic_status validate_lambdas(entropic_context *context, const ent_validation_splits *splits,
                                        const ent_fold_statistics *s, const double *lambdas, size_t count,
                                        double *errors) {
  if (splits->valid != NULL)
    return validate_on_rows(context, s, lambdas, count, errors);
  ent_ridge_sets sets = {.total = s->total, .set = s->set, .count = s->sets};
  if (splits->forward)
    return ent_ridge_validate_forward(context, &sets, lambdas, count, errors);
  return ent_ridge_cross_validate(context, &sets, lambdas, count, ENT_METHOD_AUTO, errors);
}

/* Models of one size: the first so many features, with some of the lambdas of a grid. */
typedef struct ent_size_models {
  size_t features; /* 0: all */
  const double *lambdas;
  size_t first, count; /* which lambdas */
} ent_size_models;

/* The best lambda of some models: its number, and its errors[targets]. */
static entropic_status best_lambda(entropic_context *context, const ent_validation_splits *splits,
                                   const ent_fold_statistics *s, ent_size_models models, size_t *best, double *errors) {
  ent_fold_statistics head = {0};
  size_t targets = splits->targets;
  double *all = ent_new_matrix(context, models.count, targets, sizeof *all);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (all == NULL)
    goto done;
  if (models.features > 0 && models.features < s->total->features) {
    status = ent_fold_statistics_head(context, s, models.features, &head);
    if (status != ENTROPIC_OK)
      goto done;
    s = &head;
  }
  status = validate_lambdas(context, splits, s, models.lambdas + models.first, models.count, all);
  if (status != ENTROPIC_OK)
    goto done;
  size_t least = ent_splits_best(splits, all, models.count);
  memcpy(errors, all + least * targets, targets * sizeof *errors);
  *best = models.first + least;
done:
  ent_fold_statistics_clear(&head);
  ent_delete(all);
  return status;
}

/* Brings one row of each set to the front, so that each set has a row in a sample. */
static entropic_status bring_folds_forward(entropic_context *context, const ent_validation_splits *splits,
                                           size_t *order) {
  size_t sets = ent_set_count(splits), front = 0;
  bool *seen = ent_new(context, sets, sizeof *seen);
  if (seen == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < splits->train.rows && front < sets; i++) {
    size_t row = order[i], fold = splits->fold_of[row];
    if (fold == ENT_NO_FOLD || seen[fold])
      continue;
    seen[fold] = true;
    order[i] = order[front];
    order[front++] = row;
  }
  ent_delete(seen);
  return ENTROPIC_OK;
}

/* A sample of rows to choose omega by, the same for each omega; *numbers stays NULL if all rows are few enough. */
static entropic_status sample_rows(entropic_context *context, const ent_validation_splits *splits, size_t **numbers) {
  if (splits->train.rows <= ENT_PILOT_ROWS)
    return ENTROPIC_OK;
  size_t *order = ent_new(context, splits->train.rows, sizeof *order);
  if (order == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_random random = entropic_random_start(splits->seed, 1);
  entropic_random_permutation(&random, splits->train.rows, order);
  entropic_status status = splits->valid != NULL ? ENTROPIC_OK : bring_folds_forward(context, splits, order);
  if (status != ENTROPIC_OK) {
    ent_delete(order);
    return status;
  }
  *numbers = order;
  return ENTROPIC_OK;
}

/* What all omegas are validated with. */
typedef struct ent_omega_search {
  const ent_validation_splits *splits;
  const ent_features *features;
  const ent_grid *grid;
  size_t size;     /* features */
  size_t *numbers; /* of the sampled rows; NULL: all */
} ent_omega_search;

static void add_seconds(ent_search_seconds *to, const ent_statistics *statistics) {
  to->lift += statistics->lift_seconds;
  to->gram += statistics->gram_seconds;
}

/* The error of one omega, with its best lambda. */
static entropic_status validate_omega(entropic_context *context, const ent_omega_search *search, double omega,
                                      ent_search_result *result, double *error) {
  const ent_validation_splits *splits = search->splits;
  ent_size_models models = {.lambdas = search->grid->lambdas, .count = search->grid->lambda_count};
  ent_row_list rows = {search->numbers, ENT_PILOT_ROWS};
  ent_lifting lifting = {0};
  ent_fold_statistics s = {0};
  size_t best = 0;
  double *errors = ent_new(context, splits->targets, sizeof *errors);
  if (errors == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_features_make(context, search->features, omega, search->size, &lifting);
  if (status != ENTROPIC_OK)
    goto done;
  ent_progress former = ent_progress_enter(context, 0, 2);
  status = ent_fold_statistics_collect(context, splits, &lifting.map, rows, ENT_GRADE_ORDER_FREE, &s);
  ent_progress_leave(context, former);
  if (status != ENTROPIC_OK)
    goto done;
  result->seconds.design += lifting.seconds;
  add_seconds(&result->seconds, s.total);
  double start = ent_seconds();
  ent_progress_enter(context, 1, 2);
  status = best_lambda(context, splits, &s, models, &best, errors);
  ent_progress_leave(context, former);
  result->seconds.solve += ent_seconds() - start;
  if (status != ENTROPIC_OK)
    goto done;
  *error = ent_splits_sum(splits, errors);
done:
  ent_fold_statistics_clear(&s);
  ent_lifting_clear(&lifting);
  ent_delete(errors);
  return status;
}

entropic_status ent_search_omega(entropic_context *context, const ent_validation_splits *splits,
                                 const ent_features *features, const ent_grid *grid, size_t size,
                                 ent_search_result *result) {
  ent_omega_search search = {.splits = splits, .features = features, .grid = grid, .size = size};
  result->omega = grid->omegas[0];
  if (grid->omega_count == 1)
    return ENTROPIC_OK;
  entropic_status status = sample_rows(context, splits, &search.numbers);
  if (status != ENTROPIC_OK)
    return status;
  double least = INFINITY;
  for (size_t i = 0; i < grid->omega_count; i++) {
    double error = INFINITY, start = ent_seconds();
    if (i > 0 && ent_splits_late(splits, result->seconds_of_omega)) {
      result->stopped_early = true;
      break;
    }
    ent_progress former = ent_progress_start(context, "trying kernels", i, grid->omega_count);
    status = validate_omega(context, &search, grid->omegas[i], result, &error);
    ent_progress_leave(context, former);
    if (status != ENTROPIC_OK)
      break;
    result->seconds_of_omega = ent_seconds() - start;
    if (error < least) {
      least = error;
      result->omega = grid->omegas[i];
    }
  }
  ent_delete(search.numbers);
  return status;
}

/* Times one omega, unless the search for omega did. */
static entropic_status time_omega(entropic_context *context, ent_omega_search *search, ent_search_result *result) {
  if (result->seconds_of_omega != 0)
    return ENTROPIC_OK;
  double start = ent_seconds(), error;
  entropic_status status = sample_rows(context, search->splits, &search->numbers);
  if (status != ENTROPIC_OK)
    return status;
  status = validate_omega(context, search, result->omega, result, &error);
  ent_delete(search->numbers);
  search->numbers = NULL;
  result->seconds_of_omega = ent_seconds() - start;
  return status;
}

/* How many sizes can be validated before the deadline. The time is guessed from that of one omega: it is proportional
 * to the number of rows and to the square of the size. */
static entropic_status affordable_sizes(entropic_context *context, ent_omega_search *search, ent_search_result *result,
                                        size_t *count) {
  const ent_validation_splits *splits = search->splits;
  const ent_grid *grid = search->grid;
  *count = grid->size_count;
  if (!(splits->deadline > 0) || grid->size_count == 1)
    return ENTROPIC_OK;
  entropic_status status = time_omega(context, search, result);
  if (status != ENTROPIC_OK)
    return status;
  double rows = (double)splits->train.rows, seconds = result->seconds_of_omega * fmax(rows / ENT_PILOT_ROWS, 1);
  while (*count > 1) {
    double growth = (double)grid->sizes[*count - 1] / (double)search->size;
    if (!ent_splits_late(splits, seconds * growth * growth))
      break;
    --*count;
  }
  result->stopped_early |= *count < grid->size_count;
  return ENTROPIC_OK;
}

/* The models of so many features: if these are many, only with lambdas near the last best. */
static ent_size_models models_of_size(const ent_grid *grid, size_t features, bool is_first, size_t last) {
  size_t from = 0, to = grid->lambda_count;
  if (features >= WIDE_SIZE && !is_first) {
    from = last > NEAR_LAMBDAS ? last - NEAR_LAMBDAS : 0;
    to = last + NEAR_LAMBDAS + 1 < to ? last + NEAR_LAMBDAS + 1 : to;
  }
  return (ent_size_models){.features = features, .lambdas = grid->lambdas, .first = from, .count = to - from};
}

/* Chooses the number of features and lambda. */
static entropic_status choose_size(entropic_context *context, const ent_validation_splits *splits, const ent_grid *grid,
                                   const ent_fold_statistics *s, size_t *size, ent_search_result *result) {
  double least = INFINITY;
  size_t last = 0, before = 0;
  double *errors = ent_new(context, splits->targets, sizeof *errors);
  if (errors == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < grid->size_count; i++) {
    size_t features = s->total->features; /* if there are fewer than the largest sizes ask for, the last size has all */
    if (grid->size_count > 1 && grid->sizes[i] < features)
      features = grid->sizes[i];
    if (i > 0 && features == before)
      break;
    before = features;
    ent_size_models models = models_of_size(grid, features, i == 0, last);
    ent_progress former = ent_progress_start(context, "trying sizes", i, grid->size_count);
    status = best_lambda(context, splits, s, models, &last, errors);
    ent_progress_leave(context, former);
    if (status != ENTROPIC_OK)
      break;
    ent_curve_add(&result->curve, &(ent_curve_model){.features = features,
                                                     .lambda = grid->lambdas[last],
                                                     .squares = errors,
                                                     .error_rate = NAN,
                                                     .rows = splits->train.rows});
    double error = ent_splits_sum(splits, errors);
    if (error * ENT_AS_GOOD < least || i == 0) {
      least = error;
      *size = features;
      result->lambda = grid->lambdas[last];
      memcpy(result->validation.errors, errors, splits->targets * sizeof *errors);
    } else if (error > least * MUCH_WORSE && features >= ENT_PILOT_SIZE) {
      break; /* not before the size that omega was chosen with: smaller ones are cheap */
    }
  }
  ent_delete(errors);
  return status;
}

/* Whether fewer features are the first of more. With a sample the last group of a smaller design may have other
 * members; the paper's design draws anew. */
static bool are_nested(const ent_features *features) {
  return features->design.sample == NULL && features->design.select == ENTROPIC_SELECT_ENTROPY;
}

/* Statistics of features that are not the first of others, and the validation errors with them. */
static entropic_status collect_again(entropic_context *context, const ent_validation_splits *splits, const ent_map *map,
                                     ent_search_result *result) {
  size_t best = 0;
  ent_size_models models = {.lambdas = &result->lambda, .count = 1};
  entropic_status status =
      ent_fold_statistics_collect(context, splits, map, (ent_row_list){0}, ENT_GRADE_EXACT, &result->statistics);
  if (status != ENTROPIC_OK)
    return status;
  add_seconds(&result->seconds, result->statistics.total);
  double start = ent_seconds();
  status = best_lambda(context, splits, &result->statistics, models, &best, result->validation.errors);
  result->seconds.solve += ent_seconds() - start;
  return status;
}

/* Keeps statistics and features of the size that was chosen. */
static entropic_status keep_size(entropic_context *context, const ent_validation_splits *splits,
                                 const ent_features *features, size_t size, ent_fold_statistics *s,
                                 ent_search_result *result) {
  if (size == s->total->features) {
    result->statistics = *s;
    *s = (ent_fold_statistics){0};
    return ENTROPIC_OK;
  }
  ent_lifting_clear(&result->lifting);
  entropic_status status = ent_features_make(context, features, result->omega, size, &result->lifting);
  result->seconds.design += result->lifting.seconds;
  if (status != ENTROPIC_OK)
    return status;
  return are_nested(features) ? ent_fold_statistics_head(context, s, size, &result->statistics)
                              : collect_again(context, splits, &result->lifting.map, result);
}

/* With omega chosen: the number of features and lambda, of the sizes that can be afforded. */
static entropic_status search_size(entropic_context *context, const ent_validation_splits *splits,
                                   const ent_features *features, const ent_grid *grid, ent_search_result *result) {
  ent_fold_statistics s = {0};
  size_t size = 0, largest = grid->sizes[grid->size_count - 1];
  entropic_status status = ent_features_make(context, features, result->omega, largest, &result->lifting);
  if (status != ENTROPIC_OK)
    return status;
  result->seconds.design += result->lifting.seconds;
  ent_progress former = ent_progress_start(context, "lifting rows", 0, 1);
  status = ent_fold_statistics_collect(context, splits, &result->lifting.map, (ent_row_list){0}, ENT_GRADE_EXACT, &s);
  ent_progress_leave(context, former);
  if (status != ENTROPIC_OK)
    return status;
  add_seconds(&result->seconds, s.total);
  double start = ent_seconds();
  status = choose_size(context, splits, grid, &s, &size, result);
  result->seconds.solve += ent_seconds() - start;
  if (status != ENTROPIC_OK)
    goto done;
  status = keep_size(context, splits, features, size, &s, result);
done:
  ent_fold_statistics_clear(&s);
  return status;
}

entropic_status ent_search(entropic_context *context, const ent_validation_splits *splits, const ent_features *features,
                           const ent_grid *grid, ent_search_result *result) {
  *result = (ent_search_result){0};
  size_t largest = grid->sizes[grid->size_count - 1];
  size_t first = grid->size_count > 1 || largest == 0 || largest > ENT_PILOT_SIZE ? ENT_PILOT_SIZE : largest;
  ent_omega_search search = {.splits = splits, .features = features, .grid = grid, .size = first};
  ent_grid affordable = *grid;
  entropic_status status = ent_search_omega(context, splits, features, grid, first, result);
  if (status != ENTROPIC_OK)
    goto done;
  status = ENTROPIC_NO_MEMORY;
  result->validation.errors = ent_new(context, splits->targets, sizeof *result->validation.errors);
  if (result->validation.errors == NULL)
    goto done;
  status = ent_curve_start(context, splits->targets, &result->curve);
  if (status != ENTROPIC_OK)
    goto done;
  status = affordable_sizes(context, &search, result, &affordable.size_count);
  if (status != ENTROPIC_OK)
    goto done;
  status = search_size(context, splits, features, &affordable, result);
done:
  if (status != ENTROPIC_OK)
    ent_search_result_clear(result);
  return status;
}
