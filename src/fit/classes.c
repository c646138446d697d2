/* Classes: which loss validates best, and the weights by it. */
#include <math.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "solve/majorised.h"
#include "solve/logistic.h"
#include "tune/rules.h"
#include "fit/fit.h"

#define ALIKE 0.005 /* of a logarithmic loss: a difference that says little */

/* One model, or the members of one. */
typedef struct ent_class_choice {
  const ent_fit *fit;
  ent_fit_outcome *outcome;
  size_t count, parts, features; /* the most features of all */
  ent_learner *learners;         /* [count] */
  double *lambdas;               /* [count] of the squared loss */
  ent_logistic **starts;         /* [count] */
} ent_class_choice;

static void choice_clear(ent_class_choice *s) {
  for (size_t m = 0; s->starts != NULL && m < s->count; m++)
    ent_logistic_free(s->starts[m]);
  ent_delete(s->starts);
  ent_delete(s->learners);
  ent_delete(s->lambdas);
}

static entropic_status choice_start(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome,
                                    ent_class_choice *s) {
  bool several = outcome->members != NULL;
  *s = (ent_class_choice){.fit = fit, .outcome = outcome, .count = several ? outcome->member_count : 1};
  s->learners = ent_new(context, s->count, sizeof *s->learners);
  s->lambdas = ent_new(context, s->count, sizeof *s->lambdas);
  s->starts = ent_new(context, s->count, sizeof *s->starts);
  if (s->learners == NULL || s->lambdas == NULL || s->starts == NULL) {
    choice_clear(s);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t m = 0; m < s->count; m++) {
    const ent_map *map = several ? &outcome->members[m].lifting.map : &outcome->lifting.map;
    s->learners[m] = (ent_learner){
        .solver = outcome->solver, .map = outcome->kernel == NULL ? map : NULL, .kernel = outcome->kernel};
    s->lambdas[m] = several ? outcome->members[m].lambda : outcome->lambda;
    s->features = outcome->kernel == NULL && map->features > s->features ? map->features : s->features;
  }
  /* Features selected from the data have seen all rows but the validation rows of their part. */
  s->parts = several ? s->count : ent_fit_parts(fit, outcome->kernel == NULL ? s->features : fit->train->rows);
  return ENTROPIC_OK;
}

/* Where in the grid to begin with the logistic loss: scores that stand for probabilities near 0 and 1 are larger than
 * -1 and 1, so they want a smaller lambda than the squared loss did. */
static size_t first_logistic(const ent_grid *grid, double squared) {
  size_t first = 0;
  while (first + 1 < grid->lambda_count && grid->lambdas[first] > 1.01 * fmin(squared / 10, 0.1))
    first++;
  return first;
}

/* The logistic loss on validation rows; class_validation->rows is 0 if that was not possible. */
static entropic_status try_logistic(entropic_context *context, ent_class_choice *s,
                                    ent_class_validation *class_validation) {
  const ent_fit *fit = s->fit;
  *class_validation = (ent_class_validation){.lambda = fit->grid.lambda_count > 1 ? 1e-4 : fit->grid.lambdas[0],
                                             .inverse_temperature = 1};
  if (!fit->can_validate)
    return ENTROPIC_OK;
  ent_validation_splits splits = fit->splits;
  ent_block valid = fit->valid_block;
  splits.targets = 1;
  splits.train.y = fit->train->y;
  splits.train.y_stride = 1;
  if (fit->valid != NULL) {
    valid.y = fit->valid->y;
    valid.y_stride = 1;
    splits.valid = &valid;
  }
  double lambda = class_validation->lambda;
  ent_class_splits class_splits = {.splits = &splits,
                                   .classes = fit->train->schema.classes,
                                   .parts = s->parts,
                                   .learners = s->learners,
                                   .learner_count = s->count};
  ent_lambda_path path = {.lambdas = {fit->grid.lambdas, fit->grid.lambda_count},
                          .begin = first_logistic(&fit->grid, s->outcome->lambda)};
  entropic_status status = ent_class_validate_logistic(context, &class_splits, path, class_validation, s->starts);
  if (status != ENTROPIC_OK)
    return status;
  if (class_validation->rows == 0)
    *class_validation = (ent_class_validation){.lambda = lambda, .inverse_temperature = 1};
  return ENTROPIC_OK;
}

/* The weights move to where those by the squared loss are. */
static void take_weights(double **weights, double **offsets, ent_fit_outcome *outcome, size_t member) {
  double **to = outcome->members != NULL ? &outcome->members[member].weights : &outcome->learnt.weights;
  double **base = outcome->members != NULL ? &outcome->members[member].offsets : &outcome->learnt.offsets;
  ent_delete(*to);
  ent_delete(*base);
  *to = *weights;
  *base = *offsets;
  *weights = *offsets = NULL;
}

/* Weights of one member by the logistic loss; *ended becomes how, if it did not converge. */
static entropic_status fit_member(entropic_context *context, ent_class_choice *s, const ent_rows *rows, size_t member,
                                  const char **ended) {
  ent_logistic *logistic = NULL;
  entropic_status status = ent_logistic_fit(context,
                                            &(ent_logistic_problem){.map = s->learners[member].map,
                                                                    .rows = rows,
                                                                    .classes = s->fit->train->schema.classes,
                                                                    .lambda = s->outcome->lambda,
                                                                    .start = s->starts[member]},
                                            ent_logistic_options_default(), &logistic);
  if (status != ENTROPIC_OK)
    return status;
  if (logistic->end != ENT_END_CONVERGED)
    *ended = ent_end_text(logistic->end);
  if (logistic->end == ENT_END_UNBOUNDED)
    status = ent_fail(context, ENTROPIC_BAD_DATA, "%s; expected a lambda above 0", ent_end_text(logistic->end));
  else
    take_weights(&logistic->weights, &logistic->offsets, s->outcome, member);
  ent_logistic_free(logistic);
  return status;
}

/* All members by the logistic loss share these. */
typedef struct ent_member_fits {
  ent_class_choice *s;
  ent_block labels;
  const char **ended; /* [members] */
} ent_member_fits;

static entropic_status member_task(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  const ent_member_fits *fits = shared;
  ent_class_choice *s = fits->s;
  ent_row_subset all;
  ent_progress_at(context, "solving", task, s->count);
  entropic_status status = ent_splits_active_rows(context, &s->fit->splits, &fits->labels, 1, &all);
  if (status != ENTROPIC_OK)
    return status;
  ent_rows rows = ent_rows_of_subset(&all);
  status = fit_member(context, s, &rows, task, &fits->ended[task]);
  ent_row_subset_clear(&all);
  return status;
}

/* Weights by the logistic loss from all rows; members of small tables several at a time. */
static entropic_status fit_logistic(entropic_context *context, ent_class_choice *s, double lambda) {
  ent_member_fits fits = {.s = s, .labels = s->fit->splits.train};
  entropic_status status = ENTROPIC_OK;
  bool together = s->fit->train->rows <= ENT_SMALL_TABLE;
  fits.labels.y = s->fit->train->y;
  fits.labels.y_stride = 1;
  fits.ended = ent_new(context, s->count, sizeof *fits.ended);
  if (fits.ended == NULL)
    return ENTROPIC_NO_MEMORY;
  s->outcome->lambda = lambda;
  s->outcome->report.ended = NULL;
  if (together)
    status = ent_parallel_long(context, s->count, member_task, &fits);
  for (size_t m = 0; m < s->count && !together && status == ENTROPIC_OK; m++)
    status = member_task(context, &fits, m, 0);
  for (size_t m = 0; m < s->count; m++)
    if (fits.ended[m] != NULL)
      s->outcome->report.ended = fits.ended[m];
  ent_delete(fits.ended);
  return status;
}

/* Weights by majorisation from all rows. */
static entropic_status fit_majorised(entropic_context *context, ent_class_choice *s, const ent_loss *loss) {
  const ent_fit *fit = s->fit;
  ent_row_subset all;
  entropic_status status = ent_splits_active_rows(context, &fit->splits, &fit->splits.train, fit->scores, &all);
  if (status != ENTROPIC_OK)
    return status;
  ent_rows rows = ent_rows_of_subset(&all);
  s->outcome->report.ended = NULL;
  for (size_t m = 0; m < s->count; m++) {
    ent_majorised *found = NULL;
    const ent_majorised_problem problem = {
        .map = s->learners[m].map, .rows = &rows, .loss = loss, .lambda = s->lambdas[m]};
    ent_progress_at(context, "solving", m, s->count);
    status = ent_majorised_fit(context, &problem, ent_majorised_options_default(loss), &found);
    if (status != ENTROPIC_OK)
      goto done;
    take_weights(&found->weights, &found->offsets, s->outcome, m);
    if (!found->converged)
      s->outcome->report.ended = ent_end_text(ENT_END_LIMIT);
    ent_majorised_free(found);
  }
done:
  ent_row_subset_clear(&all);
  return status;
}

/* Weights by a loss whose minimum is no ridge. */
static entropic_status fit_loss(entropic_context *context, ent_class_choice *s, entropic_loss number, double lambda) {
  const ent_loss *loss = ent_loss_of(number);
  return loss->method == ENT_METHOD_NEWTON ? fit_logistic(context, s, lambda) : fit_majorised(context, s, loss);
}

/* Whether another loss is better: a smaller logarithmic loss, which says more than the number of mistakes does; or where
 * that is about the same, fewer mistakes. One with fewer validation rows, or none, never is: a class may have too few rows
 * to be among the training rows of every part. The logistic loss leaves out such parts, and their rows are the hard ones. */
static bool is_better(const ent_class_validation *other, const ent_class_validation *than) {
  if (than->rows != other->rows)
    return than->rows < other->rows;
  bool alike = fabs(than->loss - other->loss) <= ALIKE * than->loss;
  return alike ? other->error < than->error : other->loss < than->loss;
}

static bool is_too_costly(const ent_class_choice *s, const ent_loss *loss) {
  const ent_fit *fit = s->fit;
  return (double)fit->train->rows * (double)s->features * (double)fit->scores > loss->contest.most_values;
}

/* Whether a loss is compared with the squared one, if none is given. */
static bool is_candidate(const ent_class_choice *s, const ent_loss *loss) {
  bool several = s->fit->scores > 1;
  if (loss->method == ENT_METHOD_MAJORISED && s->features > ENT_MAJORISED_FEATURES)
    return false;
  return several ? !is_too_costly(s, loss) : !loss->contest.several_scores;
}

/* Of several classes some losses are too costly: a step of Newton's method is as much work as the squared loss is as a
 * whole. A loss that is preferred then takes the place of them and of the squared one: with the squared hinge pendigits went
 * from .0228 to .0192, MNIST's components from .0298 to .0270 on other rows. */
static entropic_loss first_loss(const ent_class_choice *s) {
  entropic_loss first = ent_loss_default(), loss;
  bool left_out = false;
  for (size_t i = 0; (loss = ent_loss_compared(i)) != ENTROPIC_LOSS_AUTO; i++) {
    const ent_loss *table = ent_loss_of(loss);
    left_out = left_out || is_too_costly(s, table);
    first = first == ent_loss_default() && table->contest.preferred && is_candidate(s, table) ? loss : first;
  }
  return left_out ? first : ent_loss_default();
}

/* One loss on validation rows; class_validation->rows stays 0 if that was not possible. */
static entropic_status try_loss(entropic_context *context, ent_class_choice *s, entropic_loss loss,
                                ent_class_validation *class_validation) {
  const ent_fit *fit = s->fit;
  *class_validation = (ent_class_validation){.lambda = s->lambdas[0], .inverse_temperature = 1};
  if (ent_loss_of(loss)->method == ENT_METHOD_NEWTON)
    return try_logistic(context, s, class_validation);
  if (!fit->can_validate)
    return ENTROPIC_OK;
  ent_class_splits class_splits = {.splits = &fit->splits,
                                   .classes = fit->train->schema.classes,
                                   .parts = s->parts,
                                   .learners = s->learners,
                                   .learner_count = s->count};
  return ent_class_validate_signs(context, &class_splits, s->lambdas, ent_loss_of(loss), class_validation);
}

/* All losses are validated on the same parts, but for those whose training rows lack a class: the logistic loss cannot
 * do without it. */
static entropic_status choose_class_loss(entropic_context *context, ent_class_choice *s,
                                         ent_class_validation *class_validation, entropic_loss *loss) {
  const ent_fit *fit = s->fit;
  entropic_loss given = s->outcome->kernel != NULL ? ent_loss_default() : fit->options->loss, other_loss;
  double start = ent_seconds();
  *loss = given != ENTROPIC_LOSS_AUTO ? given : first_loss(s);
  entropic_status status = try_loss(context, s, *loss, class_validation);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; given == ENTROPIC_LOSS_AUTO && (other_loss = ent_loss_compared(i)) != ENTROPIC_LOSS_AUTO; i++) {
    const ent_loss *table = ent_loss_of(other_loss);
    ent_class_validation other;
    if (other_loss == *loss || (class_validation->rows > 0 && !is_candidate(s, table)))
      continue;
    if (class_validation->rows > 0 && ent_splits_late(&fit->splits, ent_seconds() - start)) {
      s->outcome->report.stopped_early = true;
      break;
    }
    status = try_loss(context, s, other_loss, &other);
    if (status != ENTROPIC_OK)
      return status;
    if (is_better(&other, class_validation)) {
      *class_validation = other;
      *loss = other_loss;
    }
  }
  if (ent_loss_of(*loss)->method == ENT_METHOD_RIDGE)
    return ENTROPIC_OK;
  return fit_loss(context, s, *loss, class_validation->lambda);
}

entropic_status ent_fit_choose_class_loss(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome,
                                          ent_class_validation *class_validation, entropic_loss *loss) {
  ent_class_choice s;
  double start = ent_seconds();
  entropic_status status = choice_start(context, fit, outcome, &s);
  if (status != ENTROPIC_OK)
    return status;
  status = choose_class_loss(context, &s, class_validation, loss);
  if (status != ENTROPIC_OK)
    goto done;
  outcome->parts = s.parts;
  outcome->validation = class_validation->rows == 0 ? ENTROPIC_VALIDATION_NONE : ent_fit_validation(fit, s.parts);
  outcome->validation_rows = class_validation->rows;
done:
  choice_clear(&s);
  outcome->report.search.solve += ent_seconds() - start;
  return status;
}

/* The weights there are, as a fit to begin with. */
static entropic_status start_from_weights(entropic_context *context, ent_class_choice *s, size_t member) {
  ent_fit_outcome *outcome = s->outcome;
  bool several = outcome->members != NULL;
  const ent_map *map = several ? &outcome->members[member].lifting.map : &outcome->lifting.map;
  ent_logistic now = {.features = map->features,
                      .classes = s->fit->train->schema.classes,
                      .scores = s->fit->scores,
                      .weights = several ? outcome->members[member].weights : outcome->learnt.weights,
                      .offsets = several ? outcome->members[member].offsets : outcome->learnt.offsets};
  return ent_logistic_copy(context, &now, &s->starts[member]);
}

entropic_status ent_fit_finish_classes(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome,
                                       const ent_class_validation *class_validation, entropic_loss loss) {
  ent_class_choice s;
  entropic_status status = choice_start(context, fit, outcome, &s);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t m = 0; m < s.count && ent_loss_of(loss)->method == ENT_METHOD_NEWTON; m++) {
    status = start_from_weights(context, &s, m);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = fit_loss(context, &s, loss, class_validation->lambda);
done:
  choice_clear(&s);
  return status;
}
