/* Our features against the baselines on the same runs: ratios, differences with intervals, runs won. */
#include <math.h>
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

#define CELL_TEXT 96
#define MOST_SIZES ((size_t)32)

/* "0.824, 50 of 50", with a mark where the interval of the difference has 0 in it. */
static void fill_cell(const ent_paired *pair, char text[CELL_TEXT], ent_table_cell *cell) {
  char shown[ENT_SHOWN_NUMBER];
  bool open = !(pair->high < 0) && !(pair->low > 0);
  snprintf(text, CELL_TEXT, "%s%s, %zu of %zu", ent_show_number(pair->ratio, 3, shown), open ? " ?" : "", pair->won,
           pair->runs);
  *cell = (ent_table_cell){.text = text, .value = pair->ratio};
}

/* One of ours against each baseline: a row each, a column for each size. */
static void add_ratios(ent_page *page, const entropic_comparison *comparison, ent_compare_method ours, bool tuned,
                       const char *title) {
  const ent_experiments *experiments = &comparison->experiments;
  size_t sizes = experiments->size_count + (tuned ? experiments->large_count : 0), columns, rows = 0;
  sizes = sizes < MOST_SIZES ? sizes : MOST_SIZES;
  columns = sizes + 1;
  ent_table_column heads[MOST_SIZES + 1] = {{.title = "baseline", .text = true}};
  char names[MOST_SIZES][24], full[256];
  size_t cells_most = (size_t)ENT_COMPARE_METHODS * columns;
  ent_table_cell *cells = ent_new(page->text.context, cells_most, sizeof *cells);
  char(*texts)[CELL_TEXT] = ent_new(page->text.context, cells_most, sizeof *texts);
  if (cells == NULL || texts == NULL) {
    page->text.status = ENTROPIC_NO_MEMORY;
    goto done;
  }
  for (size_t i = 0; i < sizes; i++) {
    snprintf(names[i], sizeof names[i], "M = %zu", ent_comparison_size(experiments, i));
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
      any = true;
    }
    cells[rows * columns].text = ent_compare_method_name(method);
    rows += any;
  }
  snprintf(full, sizeof full, "%s: error of %s over that of each baseline, bandwidths %s", title,
           ent_compare_method_name(ours), tuned ? "tuned" : "by rule");
  ent_page_table(page,
                 &(ent_table){.title = full,
                              .note = "Below 1 ours is smaller; then in how many runs it is. A question mark: the "
                                      "95 % interval of the difference, by Student's t over the runs, has 0 in "
                                      "it. All intervals are in the numbers of this page.",
                              .columns = heads,
                              .column_count = columns,
                              .cells = cells,
                              .rows = rows});
done:
  ent_delete(texts);
  ent_delete(cells);
}

void ent_comparison_pairs(ent_page *page, const entropic_comparison *comparison, const char *title) {
  for (int tuned = 0; tuned < 2; tuned++)
    for (ent_compare_method ours = ENT_COMPARE_ENTROPY; ours <= ENT_COMPARE_RESIDUAL; ours++)
      add_ratios(page, comparison, ours, tuned == 1, title);
}
