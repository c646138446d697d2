/* Verdicts about errors: our forms of features against random ones, at every number of features of every set. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/verdicts.h"

/* The forms of the paper's EOF, from the text to what completes it. */
static const struct {
  ent_compare_method method;
  ent_verdict_kind kind; /* the verdict where this is the first that wins */
} forms[] = {{ENT_COMPARE_PRINTED, ENT_VERDICT_HOLDS},
             {ENT_COMPARE_INSET, ENT_VERDICT_INSET},
             {ENT_COMPARE_ENTROPY, ENT_VERDICT_COMPLETED}};
#define FORMS (sizeof forms / sizeof *forms)

/* How one of ours does against some others, over sets and numbers of features. */
typedef struct ent_tally {
  size_t places; /* sets and numbers of features */
  size_t won;    /* where its mean error is below that of every other */
  size_t sure;   /* where the intervals of all differences are below 0 */
  size_t lost;   /* where one of the intervals is above 0 */
} ent_tally;

typedef bool (*ent_is_other)(ent_compare_method method);

static bool is_papers(ent_compare_method method) {
  return ent_compare_method_is_papers(method);
}

/* Features that are drawn at random, whatever the data do with them. Landmarks are rows. */
static bool is_random(ent_compare_method method) {
  return ent_compare_method_is_papers(method) || method == ENT_COMPARE_QMC || method == ENT_COMPARE_SORF;
}

/* One set and number of features. */
static void tally_place(const entropic_comparison *comparison, const ent_experiment *ours, ent_is_other is_other,
                        ent_tally *tally) {
  bool won = true, sure = true, lost = false;
  for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
    const ent_experiment *other = is_other(method) ? ent_experiments_find(&comparison->experiments, method,
                                                                          ours->request.tuned, ours->request.features)
                                                   : NULL;
    if (other == NULL)
      continue;
    const ent_paired pair = ent_comparison_paired(comparison, ours, other);
    won = won && pair.difference < 0;
    sure = sure && pair.high < 0;
    lost = lost || pair.low > 0;
  }
  tally->places++;
  tally->won += won;
  tally->sure += sure;
  tally->lost += lost;
}

static ent_tally tally_of(const ent_paper *paper, ent_compare_method method, bool tuned, ent_is_other is_other) {
  ent_tally tally = {0};
  for (size_t set = 0; set < ENT_SETS; set++) {
    const entropic_comparison *comparison = paper->comparisons[set];
    for (size_t i = 0; comparison != NULL && i < comparison->experiments.sized; i++) {
      const ent_experiment *e = &comparison->experiments.list[i];
      if (e->request.method == method && e->request.tuned == tuned)
        tally_place(comparison, e, is_other, &tally);
    }
  }
  return tally;
}

/* The first form that surely wins everywhere says which verdict. Where none does, the completed one decides between "does
 * not hold" and "not decided". */
static void judge_forms(const ent_paper *paper, bool tuned, ent_is_other is_other, ent_verdict *verdict) {
  ent_tally tally = {0};
  size_t form = 0;
  for (; form < FORMS; form++) {
    tally = tally_of(paper, forms[form].method, tuned, is_other);
    if (tally.places == 0)
      return;
    if (tally.sure == tally.places)
      break;
  }
  verdict->kind = form < FORMS ? forms[form].kind : tally.lost > 0 ? ENT_VERDICT_FAILS : ENT_VERDICT_OPEN;
  for (size_t i = 0; i < FORMS; i++) {
    tally = tally_of(paper, forms[i].method, tuned, is_other);
    if (i == 0)
      ent_verdict_say(verdict,
                      "Of %zu pairs of a set and an M, the mean error is below all others, surely below (95 %% "
                      "intervals), surely not:",
                      tally.places);
    ent_verdict_say(verdict, "%s %s %zu, %zu, %zu", i > 0 ? ";" : "", ent_compare_method_name(forms[i].method),
                    tally.won, tally.sure, tally.lost);
  }
  ent_verdict_say(verdict, ".");
}

void ent_judge_figure(const ent_paper *paper, ent_verdict *verdict) {
  judge_forms(paper, false, is_papers, verdict);
  if (verdict->kind != ENT_VERDICT_NONE)
    ent_verdict_say(verdict, " Bandwidths are by the paper's rule.");
}

void ent_judge_any_random(const ent_paper *paper, ent_verdict *verdict) {
  judge_forms(paper, true, is_random, verdict);
  if (verdict->kind == ENT_VERDICT_NONE)
    return;
  const ent_tally selected = tally_of(paper, ENT_COMPARE_RESIDUAL, true, is_random);
  ent_verdict_say(verdict,
                  " All are tuned; the others are RKS, ORF, LKRF, EERF, QMC and SORF. EOF-select, which is not in the "
                  "paper: %zu, %zu, %zu.",
                  selected.won, selected.sure, selected.lost);
}

/* ---- In words ---------------------------------------------------------------------------------------------- */

/* The error of a method by the rule with the paper's number of features; NaN if it was not run. */
static double error_of(const ent_paper *paper, size_t set, ent_compare_method method) {
  const entropic_comparison *comparison = paper->comparisons[set];
  const ent_experiment *e = comparison == NULL ? NULL
                                               : ent_experiments_find(&comparison->experiments, method, false,
                                                                      ent_sets[set].printed_features);
  return e == NULL ? NAN : ent_experiment_mean(e);
}

/* The least and the largest error of the paper's baselines. */
static void range_of(const ent_paper *paper, size_t set, double range[2]) {
  range[0] = INFINITY;
  range[1] = -INFINITY;
  for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
    double error = is_papers(method) ? error_of(paper, set, method) : NAN;
    range[0] = fmin(range[0], error);
    range[1] = fmax(range[1], error);
  }
}

/* Appends to one of the sentences. */
static void add(char sentence[ENT_EVIDENCE], const char *text) {
  size_t length = strlen(sentence);
  snprintf(sentence + length, ENT_EVIDENCE - length, "%s", text);
}

/* " Energy Efficiency 0.544 (0.106 to 0.210)" of every set; returns on how many the error is above all of the range. */
static size_t add_errors(const ent_paper *paper, ent_compare_method method, bool ranges, char sentence[ENT_EVIDENCE]) {
  size_t lost = 0, count = 0;
  for (size_t set = 0; set < ENT_SETS; set++) {
    char shown[3][ENT_SHOWN_NUMBER], text[192];
    double range[2], error = error_of(paper, set, method);
    if (isnan(error))
      continue;
    range_of(paper, set, range);
    lost += error > range[1];
    snprintf(text, sizeof text, ranges ? "%s%s %s (%s to %s)" : "%s%s %s", count++ > 0 ? ", " : " ",
             ent_sets[set].title, ent_show_number(error, 3, shown[0]), ent_show_number(range[0], 3, shown[1]),
             ent_show_number(range[1], 3, shown[2]));
    add(sentence, text);
  }
  return lost;
}

/* Returns the least of them. */
static double add_shares(const ent_paper *paper, ent_compare_method method, char sentence[ENT_EVIDENCE]) {
  double least = INFINITY;
  for (size_t set = 0, count = 0; set < ENT_SETS; set++) {
    const entropic_comparison *comparison = paper->comparisons[set];
    const ent_experiment *e = comparison == NULL ? NULL
                                                 : ent_experiments_find(&comparison->experiments, method, false,
                                                                        ent_sets[set].printed_features);
    char shown[ENT_SHOWN_NUMBER], text[96];
    if (e == NULL)
      continue;
    double share = ent_experiment_nonzeros(e) / ent_experiment_features(e);
    least = fmin(least, share);
    ent_show_fixed(100 * share, 0, shown);
    snprintf(text, sizeof text, "%s%s %s %%", count++ > 0 ? ", " : " ", ent_sets[set].title, shown);
    add(sentence, text);
  }
  return least;
}

size_t ent_verdict_sentences(const ent_paper *paper, char sentences[ENT_SENTENCES][ENT_EVIDENCE]) {
  char text[192];
  size_t sets = 0, lost;
  for (size_t set = 0; set < ENT_SETS; set++)
    sets += isnan(error_of(paper, set, ENT_COMPARE_PRINTED)) ? 0 : 1;
  if (sets == 0)
    return 0;
  memset(sentences, 0, (size_t)ENT_SENTENCES * ENT_EVIDENCE);
  add(sentences[0],
      "As printed, with the paper's bandwidth and its numbers of features of table 2, EOF has these errors "
      "(in brackets those of RKS, ORF, LKRF and EERF):");
  lost = add_errors(paper, ENT_COMPARE_PRINTED, true, sentences[0]);
  snprintf(text, sizeof text, ". On %zu of %zu sets it is worse than all four.", lost, sets);
  add(sentences[0], text);
  add(sentences[1],
      "The same features with the same inputs moved away from the faces of the cube, where all of them are "
      "zero, have:");
  lost = add_errors(paper, ENT_COMPARE_INSET, false, sentences[1]);
  snprintf(text, sizeof text, ". That is worse than all four on %zu of %zu sets.", lost, sets);
  add(sentences[1], text);
  add(sentences[2], "The EOF of this program has more than the text: boundary functions, inputs scaled by their "
                    "quantiles, omega 1 instead of the rule, and the best features first instead of a random draw. Its "
                    "errors are:");
  lost = add_errors(paper, ENT_COMPARE_ENTROPY, false, sentences[2]);
  snprintf(text, sizeof text, ". That is worse than all four on %zu of %zu sets.", lost, sets);
  add(sentences[2], text);
  add(sentences[3], "At these numbers of features so many values of its rows are not zero:");
  bool dense = add_shares(paper, ENT_COMPARE_ENTROPY, sentences[3]) > 0.5;
  add(sentences[3], dense ? ". So they are hardly sparse. As printed:" : ". As printed:");
  add_shares(paper, ENT_COMPARE_PRINTED, sentences[3]);
  add(sentences[3], ".");
  return 4;
}
