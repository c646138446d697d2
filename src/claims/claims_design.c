/* The claims about the choice of features, against brute force. */
#include <stdlib.h>

#include "base/progress.h"
#include "claims/claims_atoms.h"

#define INPUTS_MOST 4
#define RANDOM_KERNELS 60
#define SUBSET_KERNELS 10
#define GROUPS_MOST 4096 /* of all levels: 8 to the power of INPUTS_MOST */

/* A random anisotropic kernel and how its features are chosen. */
typedef struct ent_claim_choice {
  size_t inputs;
  entropic_axis_options axes[INPUTS_MOST];
  entropic_design_options options;
} ent_claim_choice;

static double pick_omega(entropic_random *random) {
  return 0.05 * pow(400, entropic_random_uniform(random));
}

static ent_claim_choice choice_make(uint64_t number, size_t inputs, int depth) {
  static const entropic_family families[] = {ENTROPIC_FAMILY_CENTRED, ENTROPIC_FAMILY_SOBOLEV, ENTROPIC_FAMILY_LAPLACE,
                                             ENTROPIC_FAMILY_COSH};
  entropic_random random = entropic_random_start(2020, number);
  ent_claim_choice choice = {.inputs = inputs, .options = ent_design_options_default()};
  for (size_t d = 0; d < inputs; d++) {
    entropic_family family = families[(size_t)(4 * entropic_random_uniform(&random))];
    choice.axes[d] = ent_claim_axis_options(family, pick_omega(&random), ENTROPIC_BASIS_FULL, depth);
  }
  choice.options.criterion = number % 2 == 0 ? ENTROPIC_CRITERION_L2 : ENTROPIC_CRITERION_SUP;
  choice.options.features = 10 + (size_t)(250 * entropic_random_uniform(&random));
  return choice;
}

/* The scores of all levels of a kernel. */
#define LEVELS_MOST 8

typedef struct ent_level_scores {
  size_t inputs, count[INPUTS_MOST];
  double score[INPUTS_MOST][LEVELS_MOST]; /* of one atom */
  uint64_t atoms[INPUTS_MOST][LEVELS_MOST];
} ent_level_scores;

static entropic_status scores_read(entropic_context *context, const ent_subject *subject, const entropic_kernel *kernel,
                                   entropic_criterion criterion, ent_level_scores *scores) {
  *scores = (ent_level_scores){.inputs = entropic_kernel_inputs(kernel)};
  for (size_t d = 0; d < scores->inputs; d++) {
    scores->count[d] = entropic_kernel_levels(kernel, d);
    for (size_t level = 0; level < scores->count[d]; level++) {
      entropic_level info;
      entropic_status status = subject->level(context, kernel, d, level, &info);
      if (status != ENTROPIC_OK)
        return status;
      scores->score[d][level] = criterion == ENTROPIC_CRITERION_SUP ? info.sup : info.l2;
      scores->atoms[d][level] = info.atoms;
    }
  }
  return ENTROPIC_OK;
}

/* Sums over the chosen features: of scores, and of their logarithms, whose sum is that of the product. */
typedef struct ent_choice_sums {
  double score, log2_score;
  size_t features;
} ent_choice_sums;

static void sums_add(ent_choice_sums *sums, double score, size_t features) {
  sums->score += score * (double)features;
  sums->log2_score += log2(score) * (double)features;
  sums->features += features;
}

/* ---- Brute force ------------------------------------------------------------------------------------------- */

/* A group of features with the same score. */
typedef struct ent_scored {
  double score;
  uint64_t atoms;
} ent_scored;

static int compare_scored(const void *a, const void *b) {
  double left = ((const ent_scored *)a)->score, right = ((const ent_scored *)b)->score;
  return (left < right) - (left > right);
}

/* All groups of all levels, sorted; returns how many. */
static size_t list_groups(const ent_level_scores *scores, ent_scored *groups) {
  size_t total = 1;
  for (size_t d = 0; d < scores->inputs; d++)
    total *= scores->count[d];
  for (size_t i = 0; i < total; i++) {
    size_t rest = i;
    groups[i] = (ent_scored){.score = 1, .atoms = 1};
    for (size_t d = 0; d < scores->inputs; d++) {
      groups[i].score *= scores->score[d][rest % scores->count[d]];
      groups[i].atoms *= scores->atoms[d][rest % scores->count[d]];
      rest /= scores->count[d];
    }
  }
  qsort(groups, total, sizeof *groups, compare_scored);
  return total;
}

/* The sums over the `features` best of them. */
static ent_choice_sums sum_best(const ent_scored *groups, size_t count, size_t features) {
  ent_choice_sums sums = {0};
  for (size_t i = 0; i < count && sums.features < features; i++) {
    size_t left = features - sums.features;
    sums_add(&sums, groups[i].score, groups[i].atoms < left ? (size_t)groups[i].atoms : left);
  }
  return sums;
}

/* ---- The design -------------------------------------------------------------------------------------------- */

static entropic_status sum_design(entropic_context *context, const entropic_design *design,
                                  const ent_level_scores *scores, ent_choice_sums *sums) {
  *sums = (ent_choice_sums){0};
  for (size_t g = 0; g < entropic_design_groups(design); g++) {
    entropic_group group;
    entropic_status status = ent_design_group(context, design, g, &group);
    if (status != ENTROPIC_OK)
      return status;
    double score = 1;
    for (size_t d = 0, term = 0; d < scores->inputs; d++) {
      bool active = term < group.terms_count && group.terms[term].input == d;
      score *= scores->score[d][active ? group.terms[term++].level : entropic_design_base(design, d)];
    }
    sums_add(sums, score, group.features);
  }
  return ENTROPIC_OK;
}

/* A choice by the subject, and all that brute force needs. */
typedef struct ent_chosen {
  ent_level_scores scores;
  ent_choice_sums sums;
} ent_chosen;

static entropic_status choose(entropic_context *context, const ent_subject *subject, const ent_claim_choice *choice,
                              ent_chosen *chosen) {
  entropic_kernel *kernel = NULL;
  entropic_design *design = NULL;
  entropic_status status = ent_poll(context);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_kernel_create(context, choice->axes, choice->inputs, choice->inputs, &kernel);
  if (status != ENTROPIC_OK)
    return status;
  status = subject->design(context, kernel, &choice->options, &design);
  if (status != ENTROPIC_OK)
    goto done;
  status = scores_read(context, subject, kernel, choice->options.criterion, &chosen->scores);
  if (status != ENTROPIC_OK)
    goto done;
  status = sum_design(context, design, &chosen->scores, &chosen->sums);
done:
  entropic_design_free(design);
  entropic_kernel_free(kernel);
  return status;
}

/* Sums of the design and of brute force for each of the random kernels. */
static entropic_status visit_choices(entropic_context *context, const ent_subject *subject, bool product,
                                     ent_finding *finding) {
  ent_scored *groups = ent_new(context, GROUPS_MOST, sizeof *groups);
  entropic_status status = groups != NULL ? ENTROPIC_OK : ENTROPIC_NO_MEMORY;
  finding->x_title = "brute force";
  finding->y_title = "best-first design";
  for (uint64_t i = 0; status == ENTROPIC_OK && i < RANDOM_KERNELS; i++) {
    ent_claim_choice choice = choice_make(i, 2 + i % 3, 6);
    ent_chosen chosen;
    status = choose(context, subject, &choice, &chosen);
    if (status != ENTROPIC_OK)
      break;
    ent_choice_sums best = sum_best(groups, list_groups(&chosen.scores, groups), choice.options.features);
    double features = (double)best.features;
    double x = product ? best.log2_score / features : best.score;
    double y = product ? chosen.sums.log2_score / features : chosen.sums.score;
    bool whole = chosen.sums.features == best.features;
    finding->value = ent_worse(finding->value, !whole ? NAN : product ? fabs(y - x) : fabs(y / x - 1));
    ent_claim_series *series = ent_finding_series(
        finding, choice.options.criterion == ENTROPIC_CRITERION_L2 ? "scores by mean square" : "scores by maximum");
    series->dots = true;
    ent_series_put(series, x, y);
  }
  ent_delete(groups);
  return status;
}

entropic_status ent_claim_sum(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Sums of scores, 60 random kernels";
  finding->x_logarithmic = finding->y_logarithmic = true;
  return visit_choices(context, subject, false, finding);
}

entropic_status ent_claim_product(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Mean log2 of scores, 60 random kernels";
  return visit_choices(context, subject, true, finding);
}

/* ---- The knapsack ------------------------------------------------------------------------------------------ */

#define SUBSET_FEATURES 6
#define CANDIDATES_MOST 64

/* The largest sum of `wanted` of scores[count], by trying every subset. */
static double best_subset(const double *scores, size_t count, size_t wanted) {
  double best = wanted == 0 ? 0 : -INFINITY;
  for (size_t i = 0; wanted > 0 && i + wanted <= count; i++)
    best = fmax(best, scores[i] + best_subset(scores + i + 1, count - i - 1, wanted - 1));
  return best;
}

entropic_status ent_claim_knapsack(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  ent_scored groups[LEVELS_MOST * LEVELS_MOST];
  for (uint64_t i = 0; i < SUBSET_KERNELS; i++) {
    double candidates[CANDIDATES_MOST];
    size_t count = 0;
    ent_claim_choice choice = choice_make(1000 + i, 2, 2);
    ent_chosen chosen;
    choice.options.features = SUBSET_FEATURES;
    entropic_status status = choose(context, subject, &choice, &chosen);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t g = 0, all = list_groups(&chosen.scores, groups); g < all; g++)
      for (uint64_t k = 0; k < groups[g].atoms && count < CANDIDATES_MOST; k++)
        candidates[count++] = groups[g].score;
    double best = best_subset(candidates, count, SUBSET_FEATURES);
    bool whole = chosen.sums.features == SUBSET_FEATURES;
    finding->value = ent_worse(finding->value, whole ? fabs(chosen.sums.score / best - 1) : NAN);
  }
  return ENTROPIC_OK;
}
