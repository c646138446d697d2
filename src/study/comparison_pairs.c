/* Our features against the baselines on the same runs: ratios, differences with intervals, runs won. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memory.h"
#include "study/paper.h"

const ent_experiment *ent_comparison_best(const ent_experiments *experiments, bool tuned, size_t size, size_t runs) {
  const ent_experiment *best = NULL;
  for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
    const ent_experiment *experiment =
        ent_compare_method_is_ours(method) ? NULL : ent_experiments_find(experiments, method, tuned, size);
    if (experiment != NULL && experiment->runs >= runs &&
        (best == NULL || ent_experiment_mean_first(experiment, runs) < ent_experiment_mean_first(best, runs)))
      best = experiment;
  }
  return best;
}

double ent_comparison_ratio(const entropic_comparison *comparison, ent_compare_method ours, size_t *wins,
                            size_t *count) {
  const ent_experiments *experiments = &comparison->experiments;
  double sum = 0;
  *wins = *count = 0;
  for (size_t i = 0; i < experiments->size_count + experiments->large_count; i++) {
    size_t size = ent_comparison_size(experiments, i);
    const ent_experiment *experiment = ent_experiments_find(experiments, ours, true, size);
    double error = ent_experiment_mean(experiment),
           best = ent_experiment_mean_first(ent_comparison_best(experiments, true, size, experiment->runs),
                                            experiment->runs);
    sum += log(error / best);
    *wins += error < best;
    ++*count;
  }
  return exp(sum / (double)*count);
}

size_t ent_comparison_size(const ent_experiments *experiments, size_t i) {
  return i < experiments->size_count ? experiments->sizes[i] : experiments->large[i - experiments->size_count];
}

#define CELL_TEXT 64
#define PAIRS_NOTE 384
#define MOST_SIZES ((size_t)32)
#define FEWEST_RUNS ((size_t)3) /* that have an interval worth showing */

/* The ratio, and below it the runs won; with enough runs, whether the interval of the difference includes 0. */
static void fill_cell(const ent_paired *pair, char text[CELL_TEXT], ent_table_cell *cell) {
  bool open = pair->runs >= FEWEST_RUNS && !(pair->high < 0) && !(pair->low > 0);
  snprintf(text, CELL_TEXT, "won %zu of %zu", pair->won, pair->runs);
  *cell = (ent_table_cell){.value = pair->ratio, .under = {text, open ? "not significant" : NULL}};
}

/* What the cells of such a table mean, from the pairs with the fewest and the most runs. */
static void write_pairs_note(ent_compare_method ours, size_t fewest, size_t most, char note[PAIRS_NOTE]) {
  snprintf(note, PAIRS_NOTE,
           "A ratio below 1: %s has the smaller error. Won: the runs in which it has the smaller one.%s%s",
           ent_compare_method_name(ours),
           most < FEWEST_RUNS ? ""
                              : " Not significant: the 95 % interval of the difference, by Student's t over the runs, "
                                "includes 0. All intervals are in the numbers of this page.",
           fewest < FEWEST_RUNS ? " One or two runs are too few for an interval." : "");
}

/* One of ours against each baseline: a row each, a column for each size. */
static void add_ratios(ent_page *page, const entropic_comparison *comparison, ent_compare_method ours, bool tuned,
                       const char *title) {
  const ent_experiments *experiments = &comparison->experiments;
  size_t sizes = experiments->size_count + (tuned ? experiments->large_count : 0), columns, rows = 0;
  size_t fewest = SIZE_MAX, most = 0;
  sizes = sizes < MOST_SIZES ? sizes : MOST_SIZES;
  columns = sizes + 1;
  ent_table_column heads[MOST_SIZES + 1] = {{.title = "baseline", .text = true}};
  char names[MOST_SIZES][24], full[256], note[PAIRS_NOTE];
  size_t cells_most = (size_t)ENT_COMPARE_METHODS * columns;
  ent_table_cell *cells = ent_new(page->text.context, cells_most, sizeof *cells);
  char(*texts)[CELL_TEXT] = ent_new(page->text.context, cells_most, sizeof *texts);
  if (cells == NULL || texts == NULL) {
    page->text.status = ENTROPIC_NO_MEMORY;
    goto done;
  }
  for (size_t i = 0; i < sizes; i++) {
    snprintf(names[i], sizeof names[i], "M\xc2\xa0=\xc2\xa0%zu", ent_comparison_size(experiments, i));
    heads[i + 1] = (ent_table_column){.title = names[i], .digits = 3};
  }
  for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
    bool exact = ent_compare_method_is_exact(method), any = false;
    if (ent_compare_method_is_ours(method))
      continue;
    for (size_t i = 0; i < sizes; i++) {
      size_t size = ent_comparison_size(experiments, i), at = rows * columns + i + 1;
      const ent_experiment *other = ent_experiments_find(experiments, method, tuned, exact ? 0 : size);
      cells[at].value = NAN;
      if (other == NULL || other->runs == 0)
        continue;
      const ent_paired pair =
          ent_comparison_paired(comparison, ent_experiments_find(experiments, ours, tuned, size), other);
      fill_cell(&pair, texts[at], &cells[at]);
      fewest = pair.runs < fewest ? pair.runs : fewest;
      most = pair.runs > most ? pair.runs : most;
      any = true;
    }
    cells[rows * columns].text = ent_compare_method_name(method);
    rows += any;
  }
  snprintf(full, sizeof full, "%s: error of %s over that of each baseline, bandwidths %s", title,
           ent_compare_method_name(ours), tuned ? "tuned" : "by rule");
  write_pairs_note(ours, fewest, most, note);
  ent_page_table(
      page, &(ent_table){
                .title = full, .note = note, .columns = heads, .column_count = columns, .cells = cells, .rows = rows});
done:
  ent_delete(texts);
  ent_delete(cells);
}

void ent_comparison_pairs_intro(ent_page *page) {
  ent_page_paragraph(
      page, "All methods have the same rows in a run, so errors are compared run by run. The 95 % interval of a "
            "difference is that of the mean over all splits of these rows. Splits share rows, so it says less about "
            "other rows from the same source. For those, the numbers of this page have a wider interval (Nadeau and "
            "Bengio 2003).");
}

void ent_comparison_pairs(ent_page *page, const entropic_comparison *comparison, const char *title) {
  for (int tuned = 0; tuned < 2; tuned++)
    for (ent_compare_method ours = ENT_COMPARE_ENTROPY; ours <= ENT_COMPARE_RESIDUAL; ours++)
      add_ratios(page, comparison, ours, tuned == 1, title);
}
