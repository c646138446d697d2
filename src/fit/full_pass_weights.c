/* The weights of a fit that chose on a sample, from all rows: The squared loss has statistics for that. The
 * logistic loss is minimised over all rows with the Hessian of the sample. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "fit/fit.h"
#include "lift/map.h"
#include "model/marginal_sums.h"
#include "model/member_effects.h"
#include "model/statistics_file.h"
#include "shard/all_rows_pass.h"
#include "solve/refine.h"
#include "update/statistics_calls.h"

/* Squared loss: statistics of all rows, and the weights that follow. */
static entropic_status finish_squares(entropic_context *context, const ent_fit *fit, entropic_model *model,
                                      ent_collected *collected) {
  bool keep = fit->options->keep_statistics;
  ent_solution solution = {0};
  ent_fixed *all = NULL;
  entropic_status status = ent_marginal_statistics(context, model, &all);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_all_rows_collect(context, fit->train->all_rows, model, all, collected);
  if (status != ENTROPIC_OK) {
    ent_fixed_free(all);
    return status;
  }
  model->totals = all;
  model->total_rows = collected->rows;
  status = ent_solution_find(context, model, ENT_LAMBDA_OF_DESIGN, &solution);
  if (status != ENTROPIC_OK)
    goto done;
  ent_solution_apply(&solution, model);
  status = ent_marginals_renew(context, model);
  if (status != ENTROPIC_OK)
    goto done;
  ent_model_drop_member_effects(model); /* their weights were of the sample */
  model->validated = keep && model->validation != ENTROPIC_VALIDATION_NONE;
  if (model->validated)
    status = ent_statistics_hash(context, model, model->validated_receipt);
  if (keep)
    goto done;
  ent_fixed_free(model->totals);
  model->totals = NULL;
  model->total_rows = 0;
done:
  ent_solution_clear(&solution);
  return status;
}

/* A fit by the logistic loss under way. */
typedef struct ent_full_pass_logistic {
  const ent_all_rows *all;
  entropic_model *model;
  ent_gradient_point gradient;
  ent_collected *collected; /* of the last pass */
} ent_full_pass_logistic;

/* The weights of the model become the point that is asked for. */
static entropic_status sums_at(entropic_context *context, void *user, const ent_linear *at, ent_gradient_sums *sums) {
  ent_full_pass_logistic *of = user;
  size_t count = of->model->scores * of->model->main.features;
  memcpy(of->model->main.weights, at->weights, count * sizeof *at->weights);
  memcpy(of->model->offsets, at->offsets, of->model->scores * sizeof *at->offsets);
  return ent_all_rows_add_gradient(context, of->all, &of->gradient, sums, of->collected);
}

/* The rows of the sample with their classes. */
static ent_memory_rows labelled_rows(const ent_fit *fit) {
  ent_memory_rows memory = {.all = fit->splits.train, .inputs = fit->inputs, .targets = 1};
  memory.all.y = fit->train->y;
  memory.all.y_stride = 1;
  memory.all.missing = true;
  return memory;
}

static entropic_status finish_logistic(entropic_context *context, const ent_fit *fit, entropic_model *model,
                                       ent_fit_report *report) {
  const ent_all_rows *all = fit->train->all_rows;
  double most = all->most_weight, factor = 1;
  for (size_t k = 0; fit->class_weight != NULL && k < model->schema.classes; k++)
    factor = fmax(factor, fit->class_weight[k]);
  ent_full_pass_logistic of = {
      all, model, {model, fit->class_weight, ent_fixed_exponent(most * factor)}, &report->all_rows};
  ent_memory_rows memory = labelled_rows(fit);
  ent_rows rows = ent_rows_of_memory(&memory);
  ent_map map = ent_map_of_lift(model->main.lift);
  size_t count = model->scores * model->main.features;
  ent_logistic *found = NULL;
  double *start = ent_new(context, count + model->scores, sizeof *start);
  if (start == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(start, model->main.weights, count * sizeof *start);
  memcpy(start + count, model->offsets, model->scores * sizeof *start);
  const ent_logistic begin = {.features = model->main.features,
                              .classes = model->schema.classes,
                              .scores = model->scores,
                              .weights = start,
                              .offsets = start + count};
  const ent_logistic_problem sample = {
      .map = &map, .rows = &rows, .classes = model->schema.classes, .lambda = model->lambda, .start = &begin};
  const ent_refine_problem problem = {&sample, of.gradient.weight_exponent, sums_at, &of};
  entropic_status status = ent_logistic_refine(context, &problem, ent_refine_options_default(), &found);
  if (status != ENTROPIC_OK)
    goto done;
  memcpy(model->main.weights, found->weights, count * sizeof *start);
  memcpy(model->offsets, found->offsets, model->scores * sizeof *start);
  ent_model_drop_member_effects(model);
  model->rows = (size_t)report->all_rows.rows;
  model->converged = found->end == ENT_END_CONVERGED;
  report->ended = model->converged ? NULL : ent_end_text(found->end);
done:
  ent_logistic_free(found);
  ent_memory_rows_clear(&memory);
  ent_delete(start);
  return status;
}

entropic_status ent_fit_full_pass(entropic_context *context, const ent_fit *fit, entropic_model *model,
                                  ent_fit_report *report) {
  report->sampled = false;
  ent_progress_at(context, "collecting", 0, 1);
  if (model->frozen != NULL && model->solver != ENTROPIC_SOLVER_ITERATIVE) /* whose features are too many to multiply */
    return finish_squares(context, fit, model, &report->all_rows);
  if (ent_loss_has(model->loss, ENT_LOSS_GRADIENT_SUMS) && model->main.features > 0 && model->main.lift != NULL)
    return finish_logistic(context, fit, model, report);
  report->sampled = true;
  return ENTROPIC_OK;
}
