/* Verdicts about time and sparsity. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/printed.h"
#include "study/verdicts.h"

/* Medians of times that differ by less are equal: repeated measurements differ by as much. */
#define EQUAL_TIME 0.05

#define RANGE_TEXT ((size_t)2 * ENT_SHOWN_NUMBER + 8)

typedef struct ent_ratios {
  double least, most;
  size_t count;
} ent_ratios;

static void widen(ent_ratios *range, double value) {
  range->least = range->count == 0 ? value : fmin(range->least, value);
  range->most = range->count == 0 ? value : fmax(range->most, value);
  range->count++;
}

static const char *show_range(const ent_ratios *range, char text[RANGE_TEXT]) {
  char shown[2][ENT_SHOWN_NUMBER];
  ent_show_number(range->least, 3, shown[0]);
  ent_show_number(range->most, 3, shown[1]);
  bool one = strcmp(shown[0], shown[1]) == 0;
  snprintf(text, RANGE_TEXT, "%s%s%s", shown[0], one ? "" : " to ", one ? "" : shown[1]);
  return text;
}

static const ent_experiment *printed_size(const ent_paper *paper, size_t set, ent_compare_method method) {
  const entropic_comparison *comparison = paper->comparisons[set];
  return comparison == NULL
             ? NULL
             : ent_experiments_find(&comparison->experiments, method, false, ent_sets[set].printed_features);
}

static double training(const ent_paper *paper, size_t set, ent_compare_method method) {
  const ent_experiment *e = printed_size(paper, set, method);
  return e == NULL ? NAN : ent_experiment_seconds(e, ENT_DURATION_TRAIN, 0.5);
}

/* Training times of one of ours over the fastest of some others, over the sets that were timed. */
static ent_ratios time_ratios(const ent_paper *paper, ent_compare_method ours, const ent_compare_method *others,
                              size_t count) {
  ent_ratios range = {0};
  for (size_t set = 0; set < ENT_SETS; set++) {
    double fastest = INFINITY, seconds = training(paper, set, ours);
    for (size_t i = 0; i < count; i++)
      fastest = fmin(fastest, training(paper, set, others[i]));
    if (!isnan(seconds) && isfinite(fastest))
      widen(&range, seconds / fastest);
  }
  return range;
}

void ent_judge_time(const ent_paper *paper, ent_verdict *verdict) {
  static const ent_compare_method choosing[] = {ENT_COMPARE_LKRF, ENT_COMPARE_EERF}, rks[] = {ENT_COMPARE_RKS};
  char shown[4][RANGE_TEXT];
  const ent_ratios printed = time_ratios(paper, ENT_COMPARE_PRINTED, choosing, 2),
                   completed = time_ratios(paper, ENT_COMPARE_ENTROPY, choosing, 2),
                   printed_rks = time_ratios(paper, ENT_COMPARE_PRINTED, rks, 1),
                   completed_rks = time_ratios(paper, ENT_COMPARE_ENTROPY, rks, 1);
  if (printed.count == 0)
    return;
  verdict->kind = printed.most < 1 - EQUAL_TIME     ? ENT_VERDICT_HOLDS
                  : completed.most < 1 - EQUAL_TIME ? ENT_VERDICT_COMPLETED
                                                    : ENT_VERDICT_FAILS;
  ent_verdict_say(
      verdict,
      "Training time over that of the faster of the two, on %zu set%s: as printed %s, completed %s. Over that "
      "of RKS: as printed %s, completed %s.",
      printed.count, printed.count == 1 ? "" : "s", show_range(&printed, shown[0]), show_range(&completed, shown[1]),
      show_range(&printed_rks, shown[2]), show_range(&completed_rks, shown[3]));
}

/* Shares of non-zeros, in per cent, with the paper's numbers of features. */
static ent_ratios shares(const ent_paper *paper, ent_compare_method method) {
  ent_ratios range = {0};
  for (size_t set = 0; set < ENT_SETS; set++) {
    const ent_experiment *e = printed_size(paper, set, method);
    if (e != NULL)
      widen(&range, 100 * ent_experiment_nonzeros(e) / ent_experiment_features(e));
  }
  return range;
}

void ent_judge_nonzeros(const ent_paper *paper, ent_verdict *verdict) {
  char shown[3][RANGE_TEXT];
  const ent_ratios printed = shares(paper, ENT_COMPARE_PRINTED), inset = shares(paper, ENT_COMPARE_INSET),
                   completed = shares(paper, ENT_COMPARE_ENTROPY);
  if (printed.count == 0)
    return;
  verdict->kind = printed.most < 100 ? ENT_VERDICT_HOLDS : ENT_VERDICT_FAILS;
  ent_verdict_say(
      verdict,
      "Of the values that random features have, all of them non-zero, EOF has as printed %s %%, inset %s %%, "
      "completed %s %%.",
      show_range(&printed, shown[0]), show_range(&inset, shown[1]), show_range(&completed, shown[2]));
  if (printed.least == 0)
    ent_verdict_say(verdict,
                    " As printed, one set has no non-zero at all: an input with two values lies on the faces.");
}

void ent_judge_given(const ent_paper *paper, ent_verdict *verdict) {
  static const ent_verdict_kind kinds[] = {[ENT_GIVEN_PRINTED] = ENT_VERDICT_HOLDS,
                                           [ENT_GIVEN_INSET] = ENT_VERDICT_INSET,
                                           [ENT_GIVEN_EOF] = ENT_VERDICT_COMPLETED};
  static const ent_given_form order[] = {ENT_GIVEN_PRINTED, ENT_GIVEN_INSET, ENT_GIVEN_EOF, ENT_GIVEN_BUDGET};
  ent_verdict_kind kind = ENT_VERDICT_FAILS;
  for (size_t i = sizeof order / sizeof *order; i-- > 0;) {
    ent_ratios range = {0};
    for (size_t k = 0; k < ENT_PRINTED_SIZES; k++) {
      const ent_experiment *ours = ent_paper_given(paper, order[i], ent_printed_sizes[k]);
      const ent_experiment *rks = ent_paper_given(paper, ENT_GIVEN_RKS, ent_printed_sizes[k]);
      if (ours == NULL || rks == NULL)
        return;
      widen(&range, ent_experiment_seconds(ours, ENT_DURATION_GIVEN, 0.5) /
                        ent_experiment_seconds(rks, ENT_DURATION_GIVEN, 0.5));
    }
    char shown[RANGE_TEXT];
    bool faster = range.most < 1 - EQUAL_TIME;
    if (faster && order[i] != ENT_GIVEN_BUDGET)
      kind = kinds[order[i]];
    ent_verdict_say(verdict, "%s: %s (%s of the time of RKS). ", ent_given_form_name(order[i]),
                    faster                          ? "holds"
                    : range.least > 1 + EQUAL_TIME  ? "does not hold"
                    : range.least >= 1 - EQUAL_TIME ? "as fast, does not hold"
                                                    : "holds for some M",
                    show_range(&range, shown));
  }
  verdict->kind = kind;
  ent_ratios printed = {0};
  for (size_t k = 0; k < ENT_PRINTED_SIZES; k++)
    widen(&printed, ent_printed_given(ENT_COMPARE_PRINTED, ent_printed_sizes[k]) /
                        ent_printed_given(ENT_COMPARE_RKS, ent_printed_sizes[k]));
  char shown[RANGE_TEXT];
  ent_verdict_say(verdict, "The paper prints %s.", show_range(&printed, shown));
}

/* Where EOF reaches the least error of RKS, and takes less time to train, to predict. */
void ent_judge_pays(const ent_paper *paper, ent_verdict *verdict) {
  size_t counts[ENT_SPARSE_TARGETS] = {0}, reached[ENT_SPARSE_TARGETS] = {0}, trains[ENT_SPARSE_TARGETS] = {0},
         predicts[ENT_SPARSE_TARGETS] = {0}, all = 0, faster = 0, open = 0;
  for (size_t i = 0; i < paper->sparse.count; i++) {
    const ent_sparse_case *one = &paper->sparse.cases[i];
    const ent_sparse_curve *rks = &one->curves[ENT_SPARSE_RKS];
    double least = INFINITY;
    for (size_t k = 0; k < rks->count; k++)
      least = fmin(least, rks->points[k].error);
    const ent_sparse_cost ours = ent_sparse_at_error(&one->curves[ENT_SPARSE_EOF], least),
                          theirs = ent_sparse_at_error(rks, least);
    counts[one->target]++;
    all++;
    if (!ours.reached)
      continue;
    reached[one->target]++;
    trains[one->target] += ours.train < theirs.train;
    predicts[one->target] += ours.predict < theirs.predict;
    faster += ours.train < theirs.train && ours.predict < theirs.predict;
    open += ours.train < theirs.train || ours.predict < theirs.predict;
  }
  if (all == 0)
    return;
  verdict->kind = faster == all ? ENT_VERDICT_COMPLETED : open > 0 ? ENT_VERDICT_OPEN : ENT_VERDICT_FAILS;
  ent_verdict_say(verdict,
                  "D = 2 to 6, completed. The least error of RKS is reached, in less training time, with faster "
                  "prediction:");
  for (ent_sparse_target target = 0; target < ENT_SPARSE_TARGETS; target++)
    ent_verdict_say(verdict, "%s %s function %zu, %zu, %zu of %zu cases", target > 0 ? ";" : "",
                    ent_sparse_target_name(target), reached[target], trains[target], predicts[target], counts[target]);
  ent_verdict_say(verdict, ". It depends on the function and on D.");
}

/* The share of non-zeros in a row of the smallest S_n with M features, and n. */
static double share_of(size_t inputs, double features, unsigned *n) {
  uint64_t size = 0, nonzeros = 0;
  for (*n = 1; *n < 60; ++*n)
    if (ent_paper_size(NULL, inputs, *n, &size, &nonzeros) != ENTROPIC_OK || (double)size >= features)
      break;
  return (double)nonzeros / (double)size;
}

void ent_judge_sparser_inputs(const ent_paper *paper, ent_verdict *verdict) {
  static const size_t inputs[] = {2, 4, 8, 16, 32};
  enum { COUNT = sizeof inputs / sizeof *inputs };
  double last = INFINITY;
  bool falls = true;
  unsigned n;
  (void)paper;
  ent_verdict_say(verdict, "Of 1,000 features of the smallest S_n that has as many, non-zero in a row are, by D:");
  for (size_t i = 0; i < COUNT; i++) {
    char shown[ENT_SHOWN_NUMBER];
    double share = share_of(inputs[i], 1000, &n);
    falls = falls && share < last;
    last = share;
    ent_verdict_say(verdict, "%s %zu: %s %%", i > 0 ? "," : "", inputs[i], ent_show_number(100 * share, 2, shown));
  }
  verdict->kind = falls ? ENT_VERDICT_HOLDS : ENT_VERDICT_FAILS;
  ent_verdict_say(verdict, ". More inputs leave fewer levels for the same M.");
}

void ent_judge_sparser_rows(const ent_paper *paper, ent_verdict *verdict) {
  enum { INPUTS = 8 };
  double last = INFINITY;
  bool falls = true;
  unsigned n;
  (void)paper;
  ent_verdict_say(verdict, "With M = 2 N^(1/4) features of %d inputs, by N:", INPUTS);
  for (int power = 4; power <= 12; power += 4) {
    char shown[ENT_SHOWN_NUMBER];
    double share = share_of(INPUTS, 2 * pow(10, power / 4.0), &n);
    falls = falls && share < last;
    last = share;
    ent_verdict_say(verdict, "%s 10^%d: %s %%", power > 4 ? "," : "", power, ent_show_number(100 * share, 2, shown));
  }
  verdict->kind = falls ? ENT_VERDICT_HOLDS : ENT_VERDICT_FAILS;
  ent_verdict_say(verdict, " of a row are non-zero.");
}
