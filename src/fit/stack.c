/* The weights of a stack, and its errors: see stack.h. */
#include "fit/stack.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "fit/outer_forms.h"
#include "fit/stack_weights.h"
#include "loss/link.h"

#define MANY_CATEGORIES ((size_t)50)
#define WORTH_ROWS 0.98     /* of the loss without the kernel: then training rows may be in the model */
#define MOST_CORRECTION 0.5 /* of the loss of a row, that the mean of runs is worth at it */

/* The constant, the linear form, the mean of the runs, the kernel. */
static const ent_form candidates[ENT_STACK_CANDIDATES] = {ENT_FORM_CONSTANT, ENT_FORM_LINEAR, ENT_FORM_FULL,
                                                          ENT_FORM_KERNEL};

void ent_stack_clear(ent_stack *stack) {
  for (size_t r = 0; r < stack->run_count && stack->runs != NULL; r++)
    ent_fit_outcome_clear(&stack->runs[r].outcome);
  ent_delete(stack->runs);
  *stack = (ent_stack){0};
}

/* Whether some input has so many categories that target means may be worth more than a stack, which cannot have them. */
static bool has_codes(const ent_fit *fit) {
  bool codes = false;
  for (size_t i = 0; i < fit->inputs; i++)
    codes = codes || fit->train->schema.input[i].categories > MANY_CATEGORIES;
  return codes && fit->options->target_means;
}

bool ent_stack_is_candidate(const ent_fit *fit) {
  const ent_fit_options *o = fit->options;
  bool classes = ent_schema_has_classes(&fit->train->schema);
  bool loss = classes ? o->loss == ENTROPIC_LOSS_AUTO || ent_loss_has(o->loss, ENT_LOSS_PROBABILITIES)
                      : !ent_fit_has_own_loss(fit);
  return o->effort != ENT_EFFORT_FAST && loss && !has_codes(fit) && ent_fit_is_open(fit) && !o->keep_statistics &&
         fit->valid == NULL && !fit->splits.forward && fit->train->all_rows == NULL &&
         fit->scores <= ENT_STACK_SCORES && fit->train->rows <= (classes ? ENT_STACK_CLASS_ROWS : ENT_OUTER_SMALL);
}

/* Whether the models of all runs can be added up, and have scored every row once. */
static bool go_together(const ent_fit *fit, const ent_stack *stack, const ent_outer *outer) {
  bool together = outer->rows == fit->train->rows && stack->run_count > 1;
  for (size_t r = 0; r < stack->run_count && together; r++)
    together = stack->runs[r].made && stack->runs[r].outcome.members != NULL &&
               !ent_link_has(&stack->runs[r].outcome.link, ENT_LINK_TRANSFORMS);
  return together;
}

/* Scores of all rows by all runs: scores[run][row of the data set][score]. */
static entropic_status score_rows(entropic_context *context, const ent_fit *fit, const ent_stack *stack,
                                  double *scores) {
  size_t count = fit->train->rows * fit->scores;
  for (size_t r = 0; r < stack->run_count; r++) {
    const ent_stack_run *run = &stack->runs[r];
    ent_fit own = *fit;
    ent_fit_use(&own, run->view);
    entropic_status status = ent_outer_run_scores(context, &own, &run->outcome, scores + r * count);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t i = 0; i < count; i++)
      scores[r * count + i] *= run->class_validation.inverse_temperature;
  }
  return ENTROPIC_OK;
}

/* Numbers: the members of the run that has not seen a row also tell how much means differ, without what differs between
 * runs. Both say too little; what says more in the mean over the rows counts. */
static void take_larger(const ent_outer *outer, size_t runs, double *variances) {
  double seen = 0, unseen = 0, share = 1 - 1 / (double)runs;
  size_t count = outer->rows * outer->targets;
  for (size_t i = 0; i < count; i++) {
    seen += variances[i];
    unseen += share * outer->between[i];
  }
  for (size_t i = 0; i < count && unseen > seen; i++)
    variances[i] = share * outer->between[i];
}

/* variances[row of outer x scores]: between the runs that have seen the row, times what a mean of all runs takes away of
 * them: 1 - 1/runs. */
static entropic_status find_variances(entropic_context *context, const ent_fit *fit, const ent_stack *stack,
                                      const ent_outer *outer, double *variances) {
  size_t runs = stack->run_count, scores = fit->scores, count = fit->train->rows * scores;
  double *all = ent_new_matrix(context, runs, count, sizeof *all);
  if (all == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = score_rows(context, fit, stack, all);
  for (size_t i = 0; i < outer->rows && status == ENTROPIC_OK; i++)
    for (size_t k = 0; k < scores; k++) {
      double mean = 0, squares = 0, seen = 0;
      for (size_t r = 0; r < runs; r++) {
        double score = all[r * count + outer->numbers[i] * scores + k], off = score - mean;
        if (r == outer->run_of[i])
          continue;
        mean += off / ++seen;
        squares += off * (score - mean);
      }
      variances[i * scores + k] = seen > 1 ? squares / (seen - 1) * (1 - 1 / (double)runs) : 0;
    }
  if (status == ENTROPIC_OK && !ent_schema_has_classes(&fit->train->schema))
    take_larger(outer, runs, variances);
  ent_delete(all);
  return status;
}

/* The rows as candidates have scored them. Numbers: predictions are scores, as no link transforms them. */
static ent_stack_rows rows_of(const ent_fit *fit, const ent_outer *outer, const double *variances) {
  bool classes = ent_schema_has_classes(&fit->train->schema);
  ent_stack_rows rows = {.rows = outer->rows,
                         .scores = fit->scores,
                         .classes = fit->train->schema.classes,
                         .y = classes ? fit->train->y : fit->y,
                         .scale = fit->scale,
                         .numbers = outer->numbers,
                         .weights = outer->weights,
                         .part_of = outer->run_of,
                         .averaged = ENT_STACK_AVERAGED,
                         .variances = variances};
  for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++) {
    bool there = candidates[c] == ENT_FORM_LINEAR ? outer->linear : candidates[c] != ENT_FORM_KERNEL || outer->kernel;
    rows.candidate[c] = !there ? NULL : classes ? outer->scores[candidates[c]] : outer->predictions[candidates[c]];
  }
  return rows;
}

/* The figures of one row by the weights that the other parts have found. */
static void set_row(const ent_fit *fit, const ent_stack_rows *rows, const double *weights, size_t i, double *room,
                    ent_outer *outer) {
  size_t targets = outer->targets, scores = fit->scores;
  double *mix = room, *probabilities = room + scores;
  ent_outer_row row = {.errors = outer->errors[ENT_FORM_STACK] + i * targets,
                       .predictions = outer->predictions[ENT_FORM_STACK] + i * targets};
  ent_stack_mix(rows, weights, i, mix);
  ent_outer_score_row(fit, 1, outer->numbers[i], mix, probabilities, &row);
  double worth = ent_stack_correction(rows, weights, i, mix);
  outer->losses[ENT_FORM_STACK][i] = row.loss - fmin(worth, MOST_CORRECTION * row.loss);
  double share = weights[ENT_STACK_AVERAGED] * weights[ENT_STACK_AVERAGED];
  for (size_t k = 0; k < targets && rows->classes == 0; k++)
    row.errors[k] -= fmin(share * rows->variances[i * scores + k], MOST_CORRECTION * row.errors[k]);
}

/* The figures of all rows, part by part. */
static entropic_status set_figures(entropic_context *context, const ent_fit *fit, const ent_stack *stack,
                                   const ent_stack_rows *rows, ent_outer *outer) {
  double *room = ent_new(context, fit->scores + fit->train->schema.classes, sizeof *room);
  entropic_status status = room == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t part = 0; part < stack->run_count && status == ENTROPIC_OK; part++) {
    double weights[ENT_STACK_CANDIDATES];
    status = ent_stack_weigh(context, rows, part, weights);
    for (size_t i = 0; i < outer->rows && status == ENTROPIC_OK; i++)
      if (outer->run_of[i] == part)
        set_row(fit, rows, weights, i, room, outer);
  }
  ent_delete(room);
  return status;
}

/* The mean loss of a form. */
static double mean_loss(const ent_outer *outer, const double *losses) {
  double sum = 0, weight = 0;
  for (size_t i = 0; i < outer->rows; i++) {
    sum += outer->weights[i] * losses[i];
    weight += outer->weights[i];
  }
  return sum / weight;
}

/* Whether the stack is worth what it costs: its loss is smaller than that of the full form. */
static bool is_worth_it(const ent_outer *outer) {
  return mean_loss(outer, outer->losses[ENT_FORM_STACK]) < mean_loss(outer, outer->losses[ENT_FORM_FULL]);
}

/* Whether the kernel, whose figures are those of the stack now, makes losses smaller than `without` it: by enough to keep
 * rows in the model for it, and by more than a standard error. */
static bool is_worth_rows(const ent_outer *outer, const double *without) {
  double mean = 0, weight = 0, squares = 0;
  const double *with = outer->losses[ENT_FORM_STACK];
  for (size_t i = 0; i < outer->rows; i++)
    weight += outer->weights[i];
  for (size_t i = 0; i < outer->rows; i++)
    mean += outer->weights[i] / weight * (without[i] - with[i]);
  for (size_t i = 0; i < outer->rows; i++) {
    double share = outer->weights[i] / weight, off = without[i] - with[i] - mean;
    squares += share * share * off * off;
  }
  return mean_loss(outer, with) < WORTH_ROWS * mean_loss(outer, without) && mean > sqrt(squares);
}

/* Figures without the kernel, and with it if that is worth it. */
static entropic_status compare_kernel(entropic_context *context, const ent_fit *fit, const ent_stack *stack,
                                      ent_stack_rows *rows, ent_outer *outer) {
  const double *kernel = rows->candidate[ENT_STACK_KERNEL];
  rows->candidate[ENT_STACK_KERNEL] = NULL;
  entropic_status status = set_figures(context, fit, stack, rows, outer);
  if (status != ENTROPIC_OK || kernel == NULL)
    return status;
  double *without = ent_new(context, outer->rows, sizeof *without);
  if (without == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(without, outer->losses[ENT_FORM_STACK], outer->rows * sizeof *without);
  rows->candidate[ENT_STACK_KERNEL] = kernel;
  status = set_figures(context, fit, stack, rows, outer);
  if (status == ENTROPIC_OK && !is_worth_rows(outer, without)) {
    rows->candidate[ENT_STACK_KERNEL] = NULL;
    status = set_figures(context, fit, stack, rows, outer);
  }
  ent_delete(without);
  return status;
}

entropic_status ent_stack_score(entropic_context *context, const ent_fit *fit, ent_stack *stack, ent_outer *outer,
                                bool *usable) {
  double weights[ENT_STACK_CANDIDATES];
  *usable = go_together(fit, stack, outer);
  if (!*usable)
    return ENTROPIC_OK;
  double *variances = ent_new_matrix(context, outer->rows, fit->scores, sizeof *variances);
  if (variances == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_stack_rows rows = rows_of(fit, outer, variances);
  entropic_status status = find_variances(context, fit, stack, outer, variances);
  if (status != ENTROPIC_OK)
    goto done;
  status = compare_kernel(context, fit, stack, &rows, outer);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_stack_weigh(context, &rows, ENT_STACK_ALL_PARTS, weights);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++)
    stack->weights[candidates[c]] = weights[c];
  *usable = weights[ENT_STACK_AVERAGED] + weights[ENT_STACK_KERNEL] > 0 && is_worth_it(outer);
done:
  ent_delete(variances);
  return status;
}
