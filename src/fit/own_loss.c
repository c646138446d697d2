/* Numbers by a loss of their own: see fit.h.
 *
 * At any scores f the squared loss of the targets f - slope lies above the loss and touches it: so a search by squares is one by
 * the loss if it has these targets, in which outliers are no longer far off. The first search, of the targets themselves, says
 * what they are; the second one finds features, sizes and lambdas. The weights go on from there to the minimum of the loss. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "fit/fit.h"
#include "fit/outer.h"
#include "solve/majorised.h"

#define BLOCK ((size_t)1024) /* rows that are scored at a time */

bool ent_fit_has_own_loss(const ent_fit *fit) {
  return !ent_schema_has_classes(&fit->train->schema) && !ent_loss_has(ent_fit_loss(fit), ENT_LOSS_STATISTICS);
}

/* The parameter of the loss for residuals of these sizes, which are sorted. If half of them are 0 their root mean square stands
 * for the deviation. */
static double parameter_for(const ent_loss *loss, double *sizes, size_t count) {
  double squares = 0;
  if (loss->parameter == NULL)
    return 0;
  for (size_t i = 0; i < count; i++)
    squares += sizes[i] * sizes[i];
  double deviation = ent_loss_deviation(sizes, count);
  return loss->parameter(deviation > 0 || count == 0 ? deviation : sqrt(squares / (double)count));
}

/* By the rows that the squared loss was validated on, whose residuals are not too small; without them, by the rows trained
 * on. */
static entropic_status find_parameter(entropic_context *context, const ent_fit *fit, const ent_rows *rows,
                                      ent_fit_outcome *outcome) {
  const ent_held_predictions *held = &outcome->held;
  ent_block block;
  size_t most = held->rows > fit->train->rows ? held->rows : fit->train->rows;
  double *sizes = ent_new(context, most, sizeof *sizes);
  if (sizes == NULL)
    return ENTROPIC_NO_MEMORY;
  size_t count = 0;
  const double *y = fit->valid != NULL ? fit->valid_y : fit->y;
  entropic_status status = ENTROPIC_OK;
  for (; count < held->rows; count++)
    sizes[count] = fabs(y[held->numbers[count]] - held->predictions[count]);
  if (count > 0)
    goto done;
  const ent_map *map = outcome->members != NULL ? &outcome->members[0].lifting.map : &outcome->lifting.map;
  const ent_linear model = outcome->members != NULL
                               ? (ent_linear){outcome->members[0].weights, outcome->members[0].offsets, 1}
                               : (ent_linear){outcome->learnt.weights, outcome->learnt.offsets, 1};
  status = rows->rewind(context, rows->self);
  while (status == ENTROPIC_OK && count < most) {
    status = ent_rows_take(context, rows, most - count, &block);
    if (status != ENTROPIC_OK || block.rows == 0)
      break;
    status = ent_scores(context, map, &block, &model, sizes + count);
    for (size_t r = 0; r < block.rows; r++)
      sizes[count + r] = fabs(block.y[r * block.y_stride] - sizes[count + r]);
    count += block.rows;
  }
done:
  if (status == ENTROPIC_OK)
    outcome->loss_parameter = parameter_for(ent_loss_of(ent_fit_loss(fit)), sizes, count);
  ent_delete(sizes);
  return status;
}

/* The weights of one member, or of the one model, go on to the minimum. */
static entropic_status minimise(entropic_context *context, const ent_fit *fit, const ent_rows *rows, size_t member,
                                ent_fit_outcome *outcome) {
  ent_member *of = outcome->members == NULL ? NULL : &outcome->members[member];
  double **weights = of != NULL ? &of->weights : &outcome->learnt.weights;
  double **offsets = of != NULL ? &of->offsets : &outcome->learnt.offsets;
  const ent_loss *loss = ent_loss_of(ent_fit_loss(fit));
  const ent_majorised_problem problem = {.map = of != NULL ? &of->lifting.map : &outcome->lifting.map,
                                         .rows = rows,
                                         .loss = loss,
                                         .parameter = outcome->loss_parameter,
                                         .lambda = of != NULL ? of->lambda : outcome->lambda,
                                         .weights = *weights,
                                         .offsets = *offsets};
  ent_majorised *found = NULL;
  entropic_status status = ent_majorised_fit(context, &problem, ent_majorised_options_default(loss), &found);
  if (status != ENTROPIC_OK)
    return status;
  ent_delete(*weights);
  ent_delete(*offsets);
  *weights = found->weights;
  *offsets = found->offsets;
  found->weights = found->offsets = NULL;
  if (!found->converged)
    outcome->report.ended = ent_end_text(ENT_END_LIMIT);
  ent_majorised_free(found);
  return ENTROPIC_OK;
}

entropic_status ent_fit_own_loss(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome) {
  ent_row_subset all;
  if (!ent_fit_has_own_loss(fit))
    return ENTROPIC_OK;
  entropic_status status = ent_splits_active_rows(context, &fit->splits, &fit->splits.train, fit->scores, &all);
  if (status != ENTROPIC_OK)
    return status;
  ent_rows rows = ent_rows_of_subset(&all);
  status = find_parameter(context, fit, &rows, outcome);
  size_t count = outcome->members == NULL ? 1 : outcome->member_count;
  bool has_width = ent_loss_of(ent_fit_loss(fit))->parameter == NULL || outcome->loss_parameter > 0;
  for (size_t m = 0; m < count && has_width && status == ENTROPIC_OK; m++) { /* otherwise nothing is left to fit */
    ent_progress_at(context, "solving", m, count);
    status = minimise(context, fit, &rows, m, outcome);
  }
  ent_row_subset_clear(&all);
  return status;
}

/* Mean scores of rows first .. first + rows - 1 of the training rows, over the members. */
static entropic_status score_rows(entropic_context *context, const ent_fit_outcome *outcome, const ent_block *block,
                                  double *own, double *scores) {
  size_t count = outcome->members == NULL ? 1 : outcome->member_count;
  memset(scores, 0, block->rows * sizeof *scores);
  for (size_t m = 0; m < count; m++) {
    const ent_member *of = outcome->members == NULL ? NULL : &outcome->members[m];
    const ent_linear model = of != NULL ? (ent_linear){of->weights, of->offsets, 1}
                                        : (ent_linear){outcome->learnt.weights, outcome->learnt.offsets, 1};
    entropic_status status =
        ent_scores(context, of != NULL ? &of->lifting.map : &outcome->lifting.map, block, &model, own);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t r = 0; r < block->rows; r++)
      scores[r] += own[r] / (double)count;
  }
  return ENTROPIC_OK;
}

entropic_status ent_fit_touching_targets(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                                         double *targets) {
  const ent_loss *loss = ent_loss_of(ent_fit_loss(fit));
  ent_memory_rows memory = {.all = fit->splits.train, .inputs = fit->inputs, .targets = 1};
  ent_rows rows = ent_rows_of_memory(&memory);
  ent_block block;
  double *own = ent_new(context, BLOCK, sizeof *own), *scores = ent_new(context, BLOCK, sizeof *scores), slope;
  entropic_status status = own == NULL || scores == NULL ? ENTROPIC_NO_MEMORY : rows.rewind(context, rows.self);
  for (size_t at = 0; status == ENTROPIC_OK && at < fit->train->rows; at += block.rows) {
    status = ent_rows_take(context, &rows, BLOCK, &block);
    if (status != ENTROPIC_OK)
      break;
    status = score_rows(context, outcome, &block, own, scores);
    for (size_t r = 0; r < block.rows; r++) {
      loss->row(block.y[r * block.y_stride], scores[r], 1, outcome->loss_parameter, &slope);
      targets[at + r] = scores[r] - slope;
    }
  }
  ent_memory_rows_clear(&memory);
  ent_delete(own);
  ent_delete(scores);
  return status;
}

entropic_status ent_outer_measure(entropic_context *context, const ent_fit *fit, ent_outer *outer) {
  const double *y = fit->valid != NULL ? fit->valid_y : fit->y;
  if (!ent_fit_has_own_loss(fit))
    return ENTROPIC_OK;
  const ent_loss *loss = ent_loss_of(ent_fit_loss(fit));
  double *sizes = ent_new(context, outer->rows, sizeof *sizes);
  if (sizes == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < outer->rows; r++)
    sizes[r] = fabs(y[outer->numbers[r]] - outer->predictions[ENT_FORM_FULL][r]);
  double parameter = parameter_for(loss, sizes, outer->rows);
  for (int f = 0; f < ENT_FORMS; f++)
    for (size_t r = 0; r < outer->rows; r++)
      outer->losses[f][r] =
          ent_loss_deviance(loss, y[outer->numbers[r]], outer->predictions[f][r], parameter) / fit->scale[0];
  ent_delete(sizes);
  return ENTROPIC_OK;
}
