/* The search by the squared loss: see search.h. */
#include "tune/search.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "tune/folds.h"
#include "solve/ridge.h"

#define OMEGA_ROWS ((size_t)6000) /* to choose omega by */
#define OMEGA_SIZE ((size_t)350)  /* features to choose omega by, where their number is free */
#define WIDE_SIZE ((size_t)600)   /* from so many features on only lambdas near the last best are tried */
#define NEAR_LAMBDAS ((size_t)2)  /* on either side of it */
#define MUCH_WORSE 1.02           /* than the best so far: more features do not help any more */
#define AS_GOOD 1.002             /* as the best: the smaller model is taken */

void ent_trials_tell(const ent_trials *trials, const char *stage, double done) {
  if (trials->progress != NULL)
    trials->progress(trials->user, stage, done);
}

bool ent_trials_late(const ent_trials *trials, double seconds) {
  return trials->deadline > 0 && ent_seconds() + seconds > trials->deadline;
}

/* Part number `part` of a stage begins; ent_progress_leave ends it. */
static ent_progress begin(entropic_context *context, const ent_trials *trials, const char *stage, size_t part,
                          size_t parts) {
  ent_trials_tell(trials, stage, (double)part / (double)parts);
  ent_progress former = ent_progress_start(context, trials->progress, trials->user, stage);
  ent_progress_enter(context, part, parts);
  return former;
}

double ent_trials_sum(const ent_trials *trials, const double *errors) {
  double sum = 0;
  for (size_t t = 0; t < trials->targets; t++)
    sum += errors[t] / trials->scale[t];
  return sum / (double)trials->targets;
}

/* Statistics of the rows to learn from, and of those tried on; forward, also of those only learnt from, the last. */
typedef struct ent_collected {
  size_t parts;
  ent_statistics *total, **part;
} ent_collected;

static void collected_clear(ent_collected *c) {
  for (size_t k = 0; c->part != NULL && k < c->parts; k++)
    ent_statistics_free(c->part[k]);
  ent_delete(c->part);
  ent_statistics_free(c->total);
  *c = (ent_collected){0};
}

void ent_found_clear(ent_found *found) {
  ent_collected c = {.parts = found->parts, .total = found->total, .part = found->part};
  collected_clear(&c);
  ent_lifting_clear(&found->lifting);
  ent_delete(found->errors);
  ent_delete(found->variances);
  ent_curve_clear(&found->curve);
  *found = (ent_found){0};
}

typedef struct ent_fold_lookup {
  const size_t *fold_of, *numbers;
} ent_fold_lookup;

/* Into how many sets the rows are split. */
static size_t set_count(const ent_trials *trials) {
  return trials->valid != NULL ? 1 : trials->forward ? trials->folds + 1 : trials->folds;
}

static size_t look_up(void *user, size_t row) {
  const ent_fold_lookup *lookup = user;
  return lookup->fold_of[lookup->numbers == NULL ? row : lookup->numbers[row]];
}

static entropic_status start_rows(entropic_context *context, const ent_trials *trials, const ent_block *rows,
                                  size_t targets, bool part, ent_all_rows *all) {
  *all = (ent_all_rows){.memory = {.all = *rows, .inputs = trials->inputs, .targets = targets}};
  size_t count = 0;
  for (size_t r = 0; r < rows->rows; r++)
    count += ent_takes_part(trials, r) == part;
  if (count == rows->rows)
    return ENTROPIC_OK;
  all->numbers = ent_new(context, count, sizeof *all->numbers);
  if (all->numbers == NULL)
    return ENTROPIC_NO_MEMORY;
  all->subset = (ent_row_subset){
      .all = *rows, .inputs = trials->inputs, .targets = targets, .numbers = all->numbers, .count = count};
  for (size_t r = 0, i = 0; r < rows->rows; r++)
    if (ent_takes_part(trials, r) == part)
      all->numbers[i++] = r;
  return ENTROPIC_OK;
}

entropic_status ent_all_start(entropic_context *context, const ent_trials *trials, const ent_block *rows,
                              size_t targets, ent_all_rows *all) {
  return start_rows(context, trials, rows, targets, true, all);
}

entropic_status ent_all_start_rest(entropic_context *context, const ent_trials *trials, const ent_block *rows,
                                   size_t targets, ent_all_rows *all) {
  return start_rows(context, trials, rows, targets, false, all);
}

ent_rows ent_rows_of_all(ent_all_rows *all) {
  return all->numbers == NULL ? ent_rows_of_memory(&all->memory) : ent_rows_of_subset(&all->subset);
}

void ent_all_clear(ent_all_rows *all) {
  ent_memory_rows_clear(&all->memory);
  ent_row_subset_free(&all->subset);
  ent_delete(all->numbers);
  *all = (ent_all_rows){0};
}

/* The mean of each target, near enough: what is subtracted from the targets before they are multiplied. */
static void set_shifts(const ent_trials *trials, double *shift) {
  const ent_block *rows = &trials->train;
  for (size_t t = 0; t < trials->targets; t++) {
    double sum = 0, weight = 0;
    for (size_t r = 0; r < rows->rows; r++) {
      double w = ent_takes_part(trials, r) ? ent_weight(rows, r) : 0;
      sum += w * rows->y[r * rows->y_stride + t];
      weight += w;
    }
    shift[t] = weight > 0 ? sum / weight : 0;
  }
}

/* numbers: the rows to learn from that count, or NULL for all. */
static entropic_status collect(entropic_context *context, const ent_trials *trials, const ent_map *map,
                               const size_t *numbers, size_t count, ent_collected *out) {
  ent_collected c = {.parts = set_count(trials)};
  ent_memory_rows memory = {.all = trials->train, .inputs = trials->inputs, .targets = trials->targets}, own = memory;
  ent_row_subset subset = {
      .all = trials->train, .inputs = trials->inputs, .targets = trials->targets, .numbers = numbers, .count = count};
  ent_rows rows = numbers == NULL ? ent_rows_of_memory(&memory) : ent_rows_of_subset(&subset);
  double *shift = ent_new(context, trials->targets, sizeof *shift);
  c.part = ent_new(context, c.parts, sizeof(ent_statistics *));
  entropic_status status = shift == NULL || c.part == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK) {
    set_shifts(trials, shift);
    status = ent_statistics_create(context, map->features, trials->targets, shift, &c.total);
  }
  for (size_t k = 0; k < c.parts && status == ENTROPIC_OK; k++)
    status = ent_statistics_create(context, map->features, trials->targets, shift, &c.part[k]);
  if (status == ENTROPIC_OK && trials->valid == NULL) {
    ent_fold_lookup lookup = {trials->fold_of, numbers};
    status = ent_statistics_collect_folds(context, c.part, c.parts, look_up, &lookup, map, &rows, ENT_PATH_AUTO);
    for (size_t k = 0; k < c.parts && status == ENTROPIC_OK; k++) {
      status = ent_statistics_add(context, c.total, 1, c.part[k]);
      c.total->lift_seconds += c.part[k]->lift_seconds;
      c.total->gram_seconds += c.part[k]->gram_seconds;
    }
  } else if (status == ENTROPIC_OK) {
    own.all = *trials->valid;
    ent_rows others = ent_rows_of_memory(&own);
    ent_progress former = ent_progress_enter(context, 0, 2);
    status = ent_statistics_collect(context, c.total, map, &rows, ENT_PATH_AUTO);
    ent_progress_leave(context, former);
    former = ent_progress_enter(context, 1, 2);
    if (status == ENTROPIC_OK)
      status = ent_statistics_collect(context, c.part[0], map, &others, ENT_PATH_AUTO);
    ent_progress_leave(context, former);
  }
  ent_memory_rows_clear(&memory);
  ent_memory_rows_clear(&own);
  ent_row_subset_free(&subset);
  ent_delete(shift);
  if (status == ENTROPIC_OK)
    *out = c;
  else
    collected_clear(&c);
  return status;
}

/* The same for the first features alone. */
static entropic_status take_head(entropic_context *context, const ent_collected *from, size_t features,
                                 ent_collected *out) {
  ent_collected c = {.parts = from->parts};
  c.part = ent_new(context, c.parts, sizeof(ent_statistics *));
  entropic_status status = c.part == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK)
    status = ent_statistics_head(context, from->total, features, &c.total);
  for (size_t k = 0; k < c.parts && status == ENTROPIC_OK; k++)
    status = ent_statistics_head(context, from->part[k], features, &c.part[k]);
  if (status == ENTROPIC_OK)
    *out = c;
  else
    collected_clear(&c);
  return status;
}

/* Learns from all rows and tries on the part: errors as in ent_ridge_cross_validate. */
static entropic_status try_on_part(entropic_context *context, const ent_collected *c, const double *lambdas,
                                   size_t count, double *errors) {
  ent_ridge *ridge = NULL;
  entropic_status status = ent_ridge_solve(context, c->total, lambdas, count, ENT_METHOD_AUTO, false, &ridge);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_ridge_errors(context, ridge, c->part[0], errors);
  for (size_t i = 0; i < count * ridge->targets && status == ENTROPIC_OK; i++)
    errors[i] /= c->part[0]->weight;
  ent_ridge_free(ridge);
  return status;
}

/* The best of some lambdas: its number, and its errors[targets]. */
static entropic_status try_lambdas(entropic_context *context, const ent_trials *trials, const ent_collected *c,
                                   const double *lambdas, size_t count, size_t *best, double *errors) {
  double *all = ent_new_matrix(context, count, trials->targets, sizeof *all);
  if (all == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_forward_sets sets = {.total = c->total, .set = c->part, .count = c->parts};
  entropic_status status = trials->valid != NULL ? try_on_part(context, c, lambdas, count, all)
                           : trials->forward     ? ent_ridge_validate_forward(context, &sets, lambdas, count, all)
                                             : ent_ridge_cross_validate(context, c->total, c->part, c->parts, lambdas,
                                                                        count, ENT_METHOD_AUTO, all);
  if (status == ENTROPIC_OK) {
    *best = 0;
    for (size_t i = 1; i < count; i++)
      if (ent_trials_sum(trials, all + i * trials->targets) < ent_trials_sum(trials, all + *best * trials->targets))
        *best = i;
    memcpy(errors, all + *best * trials->targets, trials->targets * sizeof *errors);
  }
  ent_delete(all);
  return status;
}

/* Brings one row of each set to the front, so that none is left without any. */
static entropic_status bring_folds_forward(entropic_context *context, const ent_trials *trials, size_t *order) {
  size_t sets = set_count(trials), front = 0;
  bool *seen = ent_new(context, sets, sizeof *seen);
  if (seen == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < trials->train.rows && front < sets; i++) {
    size_t row = order[i], fold = trials->fold_of[row];
    if (fold == ENT_NO_FOLD || seen[fold])
      continue;
    seen[fold] = true;
    order[i] = order[front];
    order[front++] = row;
  }
  ent_delete(seen);
  return ENTROPIC_OK;
}

/* Some rows for a first look, the same for every trial; *numbers stays NULL if all rows are few enough. */
static entropic_status sample_rows(entropic_context *context, const ent_trials *trials, size_t **numbers) {
  if (trials->train.rows <= OMEGA_ROWS)
    return ENTROPIC_OK;
  size_t *order = ent_new(context, trials->train.rows, sizeof *order);
  if (order == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_random random = entropic_random_start(trials->seed, 1);
  entropic_random_permutation(&random, trials->train.rows, order);
  entropic_status status = trials->valid != NULL ? ENTROPIC_OK : bring_folds_forward(context, trials, order);
  if (status == ENTROPIC_OK)
    *numbers = order;
  else
    ent_delete(order);
  return status;
}

/* How good one omega is. */
static entropic_status try_omega(entropic_context *context, const ent_trials *trials, const ent_features *features,
                                 const ent_grid *grid, size_t size, double omega, const size_t *numbers,
                                 ent_found *found, double *error) {
  ent_lifting lifting = {0};
  ent_collected c = {0};
  size_t best = 0;
  double *errors = ent_new(context, trials->targets, sizeof *errors);
  entropic_status status = errors == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK)
    status = ent_features_make(context, features, omega, size, &lifting);
  ent_progress former = ent_progress_enter(context, 0, 2);
  if (status == ENTROPIC_OK)
    status = collect(context, trials, &lifting.map, numbers, OMEGA_ROWS, &c);
  ent_progress_leave(context, former);
  if (status == ENTROPIC_OK) {
    found->design += lifting.seconds;
    found->lift += c.total->lift_seconds;
    found->gram += c.total->gram_seconds;
    double start = ent_seconds();
    ent_progress_enter(context, 1, 2);
    status = try_lambdas(context, trials, &c, grid->lambdas, grid->lambda_count, &best, errors);
    ent_progress_leave(context, former);
    found->solve += ent_seconds() - start;
  }
  if (status == ENTROPIC_OK)
    *error = ent_trials_sum(trials, errors);
  collected_clear(&c);
  ent_lifting_clear(&lifting);
  ent_delete(errors);
  return status;
}

entropic_status ent_search_omega(entropic_context *context, const ent_trials *trials, const ent_features *features,
                                 const ent_grid *grid, size_t size, ent_found *found) {
  found->omega = grid->omegas[0];
  if (grid->omega_count == 1)
    return ENTROPIC_OK;
  size_t *numbers = NULL;
  entropic_status status = sample_rows(context, trials, &numbers);
  double least = INFINITY;
  for (size_t i = 0; i < grid->omega_count && status == ENTROPIC_OK; i++) {
    double error = INFINITY, start = ent_seconds();
    if (i > 0 && ent_trials_late(trials, found->trial)) {
      found->hurried = true;
      break;
    }
    ent_progress former = begin(context, trials, "trying kernels", i, grid->omega_count);
    status = try_omega(context, trials, features, grid, size, grid->omegas[i], numbers, found, &error);
    ent_progress_leave(context, former);
    found->trial = ent_seconds() - start;
    if (error < least) {
      least = error;
      found->omega = grid->omegas[i];
    }
  }
  ent_delete(numbers);
  return status;
}

/* How many sizes can be tried before the deadline, judged by a trial of `size` features: statistics take as much longer
 * as there are more rows, and with the square of the size. */
static entropic_status affordable_sizes(entropic_context *context, const ent_trials *trials,
                                        const ent_features *features, const ent_grid *grid, size_t size,
                                        ent_found *found, size_t *count) {
  *count = grid->size_count;
  if (!(trials->deadline > 0) || grid->size_count == 1)
    return ENTROPIC_OK;
  entropic_status status = ENTROPIC_OK;
  if (found->trial == 0) {
    double start = ent_seconds(), error;
    size_t *numbers = NULL;
    status = sample_rows(context, trials, &numbers);
    if (status == ENTROPIC_OK)
      status = try_omega(context, trials, features, grid, size, found->omega, numbers, found, &error);
    ent_delete(numbers);
    found->trial = ent_seconds() - start;
  }
  double rows = (double)trials->train.rows, seconds = found->trial * fmax(rows / OMEGA_ROWS, 1);
  while (*count > 1) {
    double growth = (double)grid->sizes[*count - 1] / (double)size;
    if (!ent_trials_late(trials, seconds * growth * growth))
      break;
    --*count;
  }
  found->hurried |= *count < grid->size_count;
  return status;
}

/* How many features, and which lambda. */
static entropic_status try_sizes(entropic_context *context, const ent_trials *trials, const ent_grid *grid,
                                 const ent_collected *c, size_t *size, ent_found *found) {
  double least = INFINITY;
  double *errors = ent_new(context, trials->targets, sizeof *errors);
  entropic_status status = errors == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  size_t last = 0, tried = 0, before = 0;
  for (size_t i = 0; i < grid->size_count && status == ENTROPIC_OK; i++) {
    size_t features = c->total->features; /* where there are no more, the last size is as many as there are */
    if (grid->size_count > 1 && grid->sizes[i] < features)
      features = grid->sizes[i];
    if (tried > 0 && features == before)
      break;
    before = features;
    size_t from = 0, to = grid->lambda_count, best = 0;
    if (features >= WIDE_SIZE && tried > 0) {
      from = last > NEAR_LAMBDAS ? last - NEAR_LAMBDAS : 0;
      to = last + NEAR_LAMBDAS + 1 < to ? last + NEAR_LAMBDAS + 1 : to;
    }
    ent_progress former = begin(context, trials, "trying sizes", i, grid->size_count);
    ent_collected head = {0};
    bool whole = features == c->total->features;
    if (!whole)
      status = take_head(context, c, features, &head);
    if (status == ENTROPIC_OK)
      status = try_lambdas(context, trials, whole ? c : &head, grid->lambdas + from, to - from, &best, errors);
    collected_clear(&head);
    ent_progress_leave(context, former);
    if (status != ENTROPIC_OK)
      break;
    last = from + best;
    tried++;
    ent_curve_add(&found->curve, features, grid->lambdas[last], errors, NAN);
    double error = ent_trials_sum(trials, errors);
    if (error * AS_GOOD < least || tried == 1) {
      least = error;
      *size = features;
      found->lambda = grid->lambdas[last];
      memcpy(found->errors, errors, trials->targets * sizeof *errors);
    } else if (error > least * MUCH_WORSE && features >= OMEGA_SIZE) {
      break; /* smaller ones are cheap, and omega is good at its own size: that one has to be reached */
    }
  }
  ent_delete(errors);
  return status;
}

/* Whether fewer features are the first of more. With a sample the last group of a smaller design may have other members;
 * the paper's choice draws anew. */
static bool are_nested(const ent_features *features) {
  return features->design.sample == NULL && features->design.choice == ENTROPIC_BEST;
}

/* Statistics for features of their own, and the errors with them. */
static entropic_status collect_again(entropic_context *context, const ent_trials *trials, const ent_map *map,
                                     ent_collected *kept, ent_found *found) {
  size_t best = 0;
  entropic_status status = collect(context, trials, map, NULL, 0, kept);
  if (status != ENTROPIC_OK)
    return status;
  found->lift += kept->total->lift_seconds;
  found->gram += kept->total->gram_seconds;
  return try_lambdas(context, trials, kept, &found->lambda, 1, &best, found->errors);
}

/* Keeps statistics and features of the size found. */
static entropic_status settle(entropic_context *context, const ent_trials *trials, const ent_features *features,
                              size_t size, ent_collected *c, ent_found *found) {
  ent_collected kept = {0};
  entropic_status status = ENTROPIC_OK;
  if (size == c->total->features) {
    kept = *c;
    *c = (ent_collected){0};
  } else {
    ent_lifting_clear(&found->lifting);
    status = ent_features_make(context, features, found->omega, size, &found->lifting);
    found->design += found->lifting.seconds;
    if (status == ENTROPIC_OK)
      status = are_nested(features) ? take_head(context, c, size, &kept)
                                    : collect_again(context, trials, &found->lifting.map, &kept, found);
  }
  found->total = kept.total;
  found->part = kept.part;
  found->parts = kept.parts;
  return status;
}

entropic_status ent_search(entropic_context *context, const ent_trials *trials, const ent_features *features,
                           const ent_grid *grid, ent_found *found) {
  *found = (ent_found){0};
  ent_collected c = {0};
  size_t largest = grid->sizes[grid->size_count - 1], size = 0, affordable = 0;
  size_t first = grid->size_count > 1 || largest == 0 || largest > OMEGA_SIZE ? OMEGA_SIZE : largest;
  entropic_status status = ent_search_omega(context, trials, features, grid, first, found);
  found->errors = ent_new(context, trials->targets, sizeof *found->errors);
  if (status == ENTROPIC_OK && found->errors == NULL)
    status = ENTROPIC_NO_MEMORY;
  if (status == ENTROPIC_OK)
    status = ent_curve_start(context, trials->targets, &found->curve);
  if (status == ENTROPIC_OK)
    status = affordable_sizes(context, trials, features, grid, first, found, &affordable);
  ent_grid allowed = *grid;
  if (status == ENTROPIC_OK) {
    allowed.size_count = affordable;
    largest = grid->sizes[affordable - 1];
    status = ent_features_make(context, features, found->omega, largest, &found->lifting);
  }
  if (status == ENTROPIC_OK) {
    found->design += found->lifting.seconds;
    ent_progress former = begin(context, trials, "lifting rows", 0, 1);
    status = collect(context, trials, &found->lifting.map, NULL, 0, &c);
    ent_progress_leave(context, former);
  }
  if (status == ENTROPIC_OK) {
    found->lift += c.total->lift_seconds;
    found->gram += c.total->gram_seconds;
    double start = ent_seconds();
    status = try_sizes(context, trials, &allowed, &c, &size, found);
    found->solve += ent_seconds() - start;
    if (status == ENTROPIC_OK)
      status = settle(context, trials, features, size, &c, found);
  }
  collected_clear(&c);
  if (status != ENTROPIC_OK)
    ent_found_clear(found);
  return status;
}
