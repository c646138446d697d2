/* Which loss tells classes apart better, and the weights by the logistic loss. */
#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "learn/logistic.h"
#include "model/fit.h"

#define LOGISTIC_VALUES 1e7 /* rows x features x scores up to which several classes are worth the logistic loss */

/* One model, or the members of one. */
typedef struct ent_settling {
  const ent_fit *fit;
  ent_fit_outcome *outcome;
  size_t count, parts, features; /* the most features of all */
  ent_way *ways;                 /* [count] */
  double *lambdas;               /* [count] of the squared loss */
  ent_logistic **starts;         /* [count] */
} ent_settling;

static void settling_clear(ent_settling *s) {
  for (size_t m = 0; s->starts != NULL && m < s->count; m++)
    ent_logistic_free(s->starts[m]);
  ent_delete(s->starts);
  ent_delete(s->ways);
  ent_delete(s->lambdas);
}

static entropic_status settling_start(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome,
                                      ent_settling *s) {
  bool several = outcome->members != NULL;
  *s = (ent_settling){.fit = fit, .outcome = outcome, .count = several ? outcome->member_count : 1};
  s->ways = ent_new(context, s->count, sizeof *s->ways);
  s->lambdas = ent_new(context, s->count, sizeof *s->lambdas);
  s->starts = ent_new(context, s->count, sizeof *s->starts);
  if (s->ways == NULL || s->lambdas == NULL || s->starts == NULL) {
    settling_clear(s);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t m = 0; m < s->count; m++) {
    const ent_map *map = several ? &outcome->members[m].lifting.map : &outcome->lifting.map;
    s->ways[m] =
        (ent_way){.solver = outcome->solver, .map = outcome->kernel == NULL ? map : NULL, .kernel = outcome->kernel};
    s->lambdas[m] = several ? outcome->members[m].lambda : outcome->lambda;
    s->features = outcome->kernel == NULL && map->features > s->features ? map->features : s->features;
  }
  /* Features chosen from the data know all rows but those of the part that they were tried on. */
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

/* The logistic loss on rows held out; told->rows is 0 if that could not be tried. */
static entropic_status try_logistic(entropic_context *context, ent_settling *s, ent_told *told) {
  const ent_fit *fit = s->fit;
  *told = (ent_told){.lambda = fit->grid.lambda_count > 1 ? 1e-4 : fit->grid.lambdas[0], .sharpness = 1};
  if (!fit->can_validate)
    return ENTROPIC_OK;
  ent_trials trials = fit->trials;
  ent_block valid = fit->valid_block;
  trials.targets = 1;
  trials.train.y = fit->train->y;
  trials.train.y_stride = 1;
  if (fit->valid != NULL) {
    valid.y = fit->valid->y;
    valid.y_stride = 1;
    trials.valid = &valid;
  }
  double lambda = told->lambda;
  ent_tries tries = {.trials = &trials,
                     .classes = fit->train->schema.classes,
                     .parts = s->parts,
                     .ways = s->ways,
                     .way_count = s->count};
  entropic_status status = ent_tell_logistic(context, &tries, fit->grid.lambdas, fit->grid.lambda_count,
                                             first_logistic(&fit->grid, s->outcome->lambda), told, s->starts);
  if (status == ENTROPIC_OK && told->rows == 0)
    *told = (ent_told){.lambda = lambda, .sharpness = 1};
  return status;
}

/* The weights move to where those by the squared loss are. */
static void take_weights(ent_logistic *logistic, ent_fit_outcome *outcome, size_t member) {
  if (outcome->members != NULL) {
    ent_member *to = &outcome->members[member];
    ent_delete(to->weights);
    ent_delete(to->offsets);
    to->weights = logistic->weights;
    to->offsets = logistic->offsets;
  } else {
    ent_learnt_clear(&outcome->learnt);
    outcome->learnt = (ent_learnt){.features = logistic->features,
                                   .scores = logistic->scores,
                                   .count = 1,
                                   .weights = logistic->weights,
                                   .offsets = logistic->offsets};
  }
  logistic->weights = logistic->offsets = NULL;
}

/* Weights by the logistic loss from all rows. */
static entropic_status fit_logistic(entropic_context *context, ent_settling *s, double lambda) {
  const ent_fit *fit = s->fit;
  ent_memory_rows memory = {.all = fit->trials.train, .inputs = fit->inputs, .targets = 1};
  memory.all.y = fit->train->y;
  memory.all.y_stride = 1;
  ent_rows rows = ent_rows_of_memory(&memory);
  entropic_status status = ENTROPIC_OK;
  s->outcome->lambda = lambda;
  s->outcome->report.ended = NULL;
  for (size_t m = 0; m < s->count && status == ENTROPIC_OK; m++) {
    ent_logistic *logistic = NULL;
    ent_trials_tell(&fit->trials, "solving", (double)m / (double)s->count);
    status = ent_logistic_fit(context, s->ways[m].map, &rows, fit->train->schema.classes, lambda,
                              ent_logistic_options_default(), s->starts[m], &logistic);
    if (status != ENTROPIC_OK)
      return status;
    if (logistic->end == ENT_END_UNBOUNDED)
      status = ent_fail(context, ENTROPIC_BAD_DATA, "%s; expected a lambda above 0", ent_end_text(logistic->end));
    else
      take_weights(logistic, s->outcome, m);
    if (logistic->end != ENT_END_CONVERGED)
      s->outcome->report.ended = ent_end_text(logistic->end);
    ent_logistic_free(logistic);
  }
  return status;
}

/* The loss of fewer mistakes; where the difference says nothing, half a standard error or less, the one of the smaller
 * logarithmic loss, whose probabilities can be relied on more. One that could not be tried is not preferred to one that
 * could: a class may have too few rows to be in every part that is learnt from, which only the squared loss can do
 * without. */
static entropic_loss better_loss(const ent_told *squared, const ent_told *logistic) {
  if (squared->rows == 0 || logistic->rows == 0)
    return squared->rows > 0 ? ENTROPIC_SQUARED : ENTROPIC_LOGISTIC;
  double error = (squared->error + logistic->error) / 2, deviation = sqrt(error * (1 - error) / (double)squared->rows);
  bool alike = fabs(squared->error - logistic->error) <= deviation / 2;
  bool better = alike ? squared->loss < logistic->loss : squared->error < logistic->error;
  return better ? ENTROPIC_SQUARED : ENTROPIC_LOGISTIC;
}

/* Of several classes the logistic loss is dear: every step is as much work as the squared loss is as a whole. Where
 * there is much to learn from, the squared loss was as good or better on every table tried. */
static bool is_logistic_dear(const ent_settling *s) {
  const ent_fit *fit = s->fit;
  return fit->scores > 1 && (double)fit->train->rows * (double)s->features * (double)fit->scores > LOGISTIC_VALUES;
}

/* Both losses are judged on the same parts held out, but for those whose other rows lack a class, which the logistic
 * loss cannot be tried on. */
static entropic_status settle(entropic_context *context, ent_settling *s, ent_told *told, entropic_loss *loss) {
  const ent_fit *fit = s->fit;
  ent_told squared = {.sharpness = 1}, logistic = {.sharpness = 1};
  entropic_status status = ENTROPIC_OK;
  double start = ent_seconds();
  *loss = s->outcome->kernel != NULL ? ENTROPIC_SQUARED : fit->options->loss;
  if (*loss != ENTROPIC_LOGISTIC && fit->can_validate) {
    ent_tries tries = {.trials = &fit->trials,
                       .classes = fit->train->schema.classes,
                       .parts = s->parts,
                       .ways = s->ways,
                       .way_count = s->count};
    status = ent_tell_squared(context, &tries, s->lambdas, &squared);
  }
  if (status == ENTROPIC_OK && *loss == ENTROPIC_LOSS_AUTO && squared.rows > 0) {
    bool late = ent_trials_late(&fit->trials, ent_seconds() - start);
    if (late || is_logistic_dear(s))
      *loss = ENTROPIC_SQUARED;
    s->outcome->report.hurried |= late;
  }
  if (status == ENTROPIC_OK && *loss != ENTROPIC_SQUARED)
    status = try_logistic(context, s, &logistic);
  if (status != ENTROPIC_OK)
    return status;
  if (*loss == ENTROPIC_LOSS_AUTO)
    *loss = better_loss(&squared, &logistic);
  *told = *loss == ENTROPIC_SQUARED ? squared : logistic;
  return *loss == ENTROPIC_LOGISTIC ? fit_logistic(context, s, logistic.lambda) : ENTROPIC_OK;
}

entropic_status ent_fit_settle_classes(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome,
                                       ent_told *told, entropic_loss *loss) {
  ent_settling s;
  double start = ent_seconds();
  entropic_status status = settling_start(context, fit, outcome, &s);
  if (status != ENTROPIC_OK)
    return status;
  status = settle(context, &s, told, loss);
  if (status == ENTROPIC_OK) {
    outcome->parts = s.parts;
    outcome->validation = told->rows == 0 ? ENTROPIC_VALIDATION_NONE : ent_fit_validation(fit, s.parts);
    outcome->validation_rows = told->rows;
  }
  settling_clear(&s);
  outcome->report.solve += ent_seconds() - start;
  return status;
}
