/* What is frozen with a model: see frozen.h. */
#include "model/frozen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "loss/loss.h"

#define TARGET_HEADROOM 3 /* bits: later targets may be so many powers of two farther from the middle */
#define SHIFT_BITS 16     /* of a shift, below the scale: differences from it are then mostly exact */
#define MOST_TARGET 300   /* exponents of targets and features are within, so that all columns are within their range */

void ent_frozen_free(ent_frozen *frozen) {
  if (frozen == NULL)
    return;
  for (size_t m = 0; frozen->members != NULL && m < frozen->member_count; m++)
    ent_delete(frozen->members[m].features);
  ent_delete(frozen->members);
  ent_delete(frozen->exponents);
  ent_delete(frozen->target_exponent);
  ent_delete(frozen->shift);
  ent_delete(frozen->missing);
  ent_delete(frozen->class_weight);
  ent_delete(frozen);
}

ent_frozen *ent_frozen_new(entropic_context *context, const entropic_model *model, size_t members, bool missing,
                           bool weighted) {
  ent_frozen *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return NULL;
  made->inputs = model->schema.inputs;
  made->features = model->main.features;
  made->scores = model->scores;
  made->classes = model->schema.classes;
  made->member_count = members;
  made->members = ent_new(context, members, sizeof *made->members);
  made->exponents = ent_new(context, made->features, sizeof *made->exponents);
  made->target_exponent = ent_new(context, made->scores, sizeof *made->target_exponent);
  made->shift = ent_new(context, made->scores, sizeof *made->shift);
  if (missing)
    made->missing = ent_new(context, made->inputs, sizeof *made->missing);
  if (weighted)
    made->class_weight = ent_new(context, made->classes, sizeof *made->class_weight);
  if (made->members == NULL || made->exponents == NULL || made->target_exponent == NULL || made->shift == NULL ||
      (missing && made->missing == NULL) || (weighted && made->class_weight == NULL)) {
    ent_frozen_free(made);
    return NULL;
  }
  for (size_t i = 0; missing && i < made->inputs; i++)
    made->missing[i] = 1;
  for (size_t k = 0; weighted && k < made->classes; k++)
    made->class_weight[k] = 1;
  return made;
}

bool ent_frozen_scale_target(double middle, double farthest, double *shift, int *exponent) {
  int unit = ent_fixed_exponent(farthest);
  *shift = ldexp(rint(ldexp(middle, SHIFT_BITS - unit)), unit - SHIFT_BITS);
  *exponent = unit + TARGET_HEADROOM;
  return isfinite(*shift) && *exponent >= -MOST_TARGET && *exponent <= MOST_TARGET;
}

bool ent_frozen_is_within_range(const ent_frozen *frozen) {
  bool within = frozen->root_exponent <= ENT_FROZEN_MOST_ROOT;
  for (size_t j = 0; j < frozen->features; j++)
    within = within && abs(frozen->exponents[j]) <= MOST_TARGET;
  for (size_t i = 0; frozen->missing != NULL && i < frozen->inputs; i++)
    within = within && isfinite(frozen->missing[i]);
  for (size_t k = 0; frozen->class_weight != NULL && k < frozen->classes; k++)
    within = within && isfinite(frozen->class_weight[k]) && frozen->class_weight[k] > 0;
  return within;
}

ent_fixed_targets ent_frozen_targets(const ent_frozen *frozen) {
  return (ent_fixed_targets){.count = frozen->scores,
                             .slices = ent_frozen_slices(frozen),
                             .exponents = frozen->target_exponent,
                             .shift = frozen->shift};
}

/* Scales hold with the roots of weights. */
entropic_status ent_frozen_statistics(entropic_context *context, const ent_frozen *frozen, ent_fixed **fixed) {
  size_t slices = ent_frozen_slices(frozen), targets = frozen->scores * slices, features = frozen->features;
  int *exponents = ent_new(context, features + 1 + targets, sizeof *exponents);
  if (exponents == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t j = 0; j < features; j++)
    exponents[j] = frozen->exponents[j] + frozen->root_exponent;
  exponents[features] = frozen->root_exponent;
  for (size_t t = 0; t < targets; t++)
    exponents[features + 1 + t] =
        ent_fixed_slice_exponent(frozen->target_exponent[t / slices], t % slices) + frozen->root_exponent;
  ent_fixed_shape shape = {.grade = ENT_GRADE_EXACT, .features = features, .targets = targets, .exponents = exponents};
  entropic_status status = ent_fixed_create(context, &shape, fixed);
  ent_delete(exponents);
  return status;
}

void ent_frozen_range(const entropic_model *model, size_t score, double *least, double *most) {
  const ent_frozen *frozen = model->frozen;
  double room = ldexp(1, frozen->target_exponent[score]);
  *least = frozen->shift[score] - room;
  *most = frozen->shift[score] + room;
  ent_link_targets_between(&model->link, least, most);
}

double ent_frozen_plain_weight(const entropic_model *model, size_t label, double weight) {
  return model->frozen->class_weight == NULL ? weight : weight * model->frozen->class_weight[label];
}

double ent_frozen_weight(const entropic_model *model, const double *x, size_t label, double weight) {
  const ent_frozen *frozen = model->frozen;
  double product = 1;
  weight = ent_frozen_plain_weight(model, label, weight);
  for (size_t i = 0; frozen->missing != NULL && i < frozen->inputs; i++)
    if (!model->schema.input[i].unused && isnan(x[i]))
      product *= frozen->missing[i];
  return weight / product;
}

/* Half the range of a target that is surely beyond the scales of statistics; 0 if there is none. Bounds are half a range
 * outside. */
static double extreme_target(const entropic_model *model, size_t *target) {
  for (size_t t = 0;
       model->bounds != NULL && !ent_link_has(&model->link, ENT_LINK_TRANSFORMS) && t < model->schema.targets; t++) {
    double half = (model->bounds[2 * t + 1] / 4 - model->bounds[2 * t] / 4);
    *target = t;
    if (isfinite(half) && (half > ENT_FROZEN_MOST_TARGET || 2 * half < ENT_FROZEN_LEAST_TARGET))
      return half;
  }
  return 0;
}

/* The model has no scales. */
static entropic_status refuse_unscaled(entropic_context *context, const entropic_model *model) {
  size_t target = 0;
  double half = extreme_target(model, &target);
  if (half > 0)
    return ent_fail(
        context, ENTROPIC_BAD_DATA,
        "the model has no scales for statistics: the range of its target '%s' is %.3g, expected " ENT_FROZEN_TARGETS
        "; give the target in other units",
        model->schema.target[target], 2 * half);
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "the model has no scales for statistics: an older version of Entropic wrote it, or its targets or "
                  "weights are extreme, not " ENT_FROZEN_TARGETS " and " ENT_FROZEN_WEIGHTS
                  "; expected one that is fitted anew");
}

entropic_status ent_frozen_check(entropic_context *context, const entropic_model *model) {
  if (model->more_count > 0)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "the model is a sum of %zu components: rows are added and forgotten in models of one component; "
                    "expected one that was fitted with --effort fast or --keep-statistics",
                    ent_model_components(model));
  if (model->means != NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "the model has target means, which are made of the rows that it was learnt from: these rows would "
                    "count twice, and others not; expected a model without them (--target-means no)");
  const char *loss = ent_loss_name(model->loss);
  if (!ent_loss_has(model->loss, ENT_LOSS_STATISTICS))
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "the model was learnt by the %s loss: what a row adds to it depends on the weights, so it keeps no "
                    "statistics to add to or subtract from; expected a model of the squared loss "
                    "(--loss squared). Its weights can be found anew from given rows alone (update --rows-only)",
                    loss);
  if (model->solver == ENTROPIC_SOLVER_EXACT)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "the model is of the exact solver, which has no features to collect statistics of; expected a "
                    "solver other than exact");
  if (model->frozen == NULL)
    return refuse_unscaled(context, model);
  return ENTROPIC_OK;
}
