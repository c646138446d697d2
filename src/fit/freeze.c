/* What a fit freezes with its model, for statistics of rows: see frozen.h. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "lift/map.h"
#include "fit/fit.h"
#include "model/frozen.h"

#define ROOT_HEADROOM 1 /* bits: later roots of weights may be so many powers of two larger, where there are weights */

/* A target as it is learnt, and that of a row. */
static double learnt_value(const entropic_model *model, double y) {
  return ent_link_has(&model->link, ENT_LINK_TRANSFORMS) ? ent_link_score(&model->link, y) : y;
}

static double learnt_target(const entropic_model *model, const entropic_dataset *train, size_t row, size_t target) {
  return learnt_value(model, train->y[row * train->schema.targets + target]);
}

/* The mean of a target, and how far from it the farthest is; where all are equal, their size. */
static double find_farthest(const entropic_model *model, const entropic_dataset *train, size_t target, double *middle) {
  double mean = 0, most = 0, farthest = 0;
  for (size_t r = 0; r < train->rows; r++) {
    double y = learnt_target(model, train, r, target);
    mean += (y - mean) / (double)(r + 1);
    most = fmax(most, fabs(y));
  }
  for (size_t r = 0; r < train->rows; r++)
    farthest = fmax(farthest, fabs(learnt_target(model, train, r, target) - mean));
  if (train->all_rows != NULL &&
      train->all_rows->least[target] <= train->all_rows->most[target]) { /* outside the sample */
    double ends[] = {train->all_rows->least[target], train->all_rows->most[target]};
    for (size_t i = 0; i < 2; i++)
      farthest = fmax(farthest, fabs(learnt_value(model, ends[i]) - mean));
  }
  *middle = mean;
  return farthest > 0 ? farthest : most;
}

/* The shift of a target, near the middle of its mean, and its exponent. False if that is out of range. */
static bool freeze_target(const entropic_model *model, const entropic_dataset *train, size_t target, double *shift,
                          int *exponent) {
  double mean, farthest = find_farthest(model, train, target, &mean);
  return ent_frozen_scale_target(mean, farthest, shift, exponent);
}

/* The largest weight; 0 if all enter as repeated rows. */
static double largest_weight(const entropic_model *model, const entropic_dataset *train) {
  double most = 0;
  bool weighted = train->weights != NULL || model->frozen->class_weight != NULL;
  for (size_t r = 0; weighted && r < train->rows; r++) {
    double weight = train->weights == NULL ? 1 : train->weights[r];
    if (model->frozen->class_weight != NULL)
      weight *= model->frozen->class_weight[(size_t)train->y[r]];
    bool whole = weight <= ENT_MOST_REPEATS && weight == floor(weight);
    most = whole ? most : fmax(most, weight); /* factors of missing values only lower it */
  }
  if (train->all_rows != NULL && weighted) { /* rows that the sample does not have */
    double factor = 1, largest = train->all_rows->most_weight;
    for (size_t k = 0; model->frozen->class_weight != NULL && k < model->frozen->classes; k++)
      factor = fmax(factor, model->frozen->class_weight[k]);
    most = most > 0 || largest > ENT_MOST_REPEATS ? fmax(most, factor * largest) : most;
  }
  return most;
}

/* The exponent of roots of weights: 0 if all enter as repeated rows, whose weight is 1. */
static int freeze_weights(const entropic_model *model, const entropic_dataset *train) {
  double most = largest_weight(model, train);
  int exponent = ent_fixed_exponent(sqrt(most));
  return most == 0 ? 0 : exponent < 0 ? ROOT_HEADROOM : exponent + ROOT_HEADROOM;
}

/* Members with their lambdas; the lists move. */
static void freeze_members(const ent_fit_outcome *outcome, ent_frozen *frozen) {
  for (size_t m = 0; m < frozen->member_count; m++) {
    ent_frozen_member *member = &frozen->members[m];
    member->lambda = outcome->members != NULL ? outcome->members[m].lambda : outcome->lambda;
    member->count = frozen->features;
    if (outcome->members == NULL || outcome->lists == NULL)
      continue;
    member->features = outcome->lists[m];
    member->count = outcome->members[m].lifting.map.features;
    outcome->lists[m] = NULL;
  }
}

/* Statistics are to be kept, and the scales of `model` are out of range. */
static entropic_status refuse(entropic_context *context, const entropic_dataset *train, const entropic_model *model) {
  static const char advice[] = "for the statistics that --keep-statistics keeps";
  const ent_frozen *frozen = model->frozen;
  double mean, shift;
  int exponent;
  for (size_t k = 0; k < frozen->scores && frozen->classes == 0; k++)
    if (!freeze_target(model, train, k, &shift, &exponent))
      return ent_fail(
          context, ENTROPIC_BAD_DATA,
          "target '%s': found values as far as %.3g from their mean%s, expected distances " ENT_FROZEN_TARGETS
          " %s; give it in other units",
          train->schema.target[k], find_farthest(model, train, k, &mean), ent_link_of(&model->link)->scale_words,
          advice);
  if (frozen->root_exponent > ENT_FROZEN_MOST_ROOT)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "weights: found %.3g%s, expected " ENT_FROZEN_WEIGHTS " %s; divide all weights by the same number",
                    largest_weight(model, train), frozen->class_weight == NULL ? "" : " with that of the class",
                    advice);
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "found features or weights of missing values beyond 1e90, expected smaller ones %s", advice);
}

entropic_status ent_fit_freeze(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                               entropic_model *model) {
  const entropic_dataset *train = fit->train;
  size_t members = outcome->members != NULL ? outcome->member_count : 1;
  bool classes = ent_schema_has_classes(&model->schema), missing = outcome->missing != NULL && !classes, usable = true;
  if (!ent_loss_has(model->loss, ENT_LOSS_STATISTICS) || model->main.design == NULL || model->means != NULL)
    return ENTROPIC_OK; /* the features of rows learnt from are not those of the same rows as new ones */
  ent_frozen *frozen = ent_frozen_new(context, model, members, missing, fit->class_weight != NULL);
  if (frozen == NULL)
    return ENTROPIC_NO_MEMORY;
  model->frozen = frozen;
  freeze_members(outcome, frozen);
  ent_map map = ent_map_of_lift(model->main.lift);
  map.calls->exponents(map.self, frozen->exponents);
  for (size_t k = 0; k < frozen->scores && !classes; k++)
    usable = usable && freeze_target(model, train, k, &frozen->shift[k], &frozen->target_exponent[k]);
  for (size_t i = 0; missing && i < frozen->inputs; i++)
    frozen->missing[i] = model->schema.input[i].unused ? 1 : outcome->missing[i];
  if (fit->class_weight != NULL)
    memcpy(frozen->class_weight, fit->class_weight, frozen->classes * sizeof *frozen->class_weight);
  frozen->root_exponent = freeze_weights(model, train);
  usable = usable && ent_frozen_is_within_range(frozen);
  if (!usable && fit->options->keep_statistics)
    return refuse(context, train, model);
  if (!usable) { /* it is a model nonetheless */
    ent_frozen_free(frozen);
    model->frozen = NULL;
  }
  return ENTROPIC_OK;
}
