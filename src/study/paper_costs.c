/* What training costs: the paper's tables 2 and 3, and budgets of non-zeros. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "study/paper.h"

size_t ent_paper_timed_set(void) {
  size_t i = 0;
  while (i + 1 < ENT_SETS && !ent_sets[i].timed)
    i++;
  return i;
}

bool ent_paper_has_data(const ent_paper *paper) {
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      return true;
  return false;
}

/* Table 2: every method by the rule with the paper's own number of features, a group of rows for each set. */
static void add_table_2(ent_page *page, const ent_paper *paper) {
  enum { METHOD, ERROR, TRAIN, MAKE, NONZEROS, SHARE, ALL, COLUMNS };
  static const ent_table_column columns[COLUMNS] = {
      {.title = "method", .text = true},
      {.title = "error", .digits = 4, .best = ENT_BEST_LOWEST, .spread = "standard error"},
      {.title = "training, ms", .digits = 3, .best = ENT_BEST_LOWEST},
      {.title = "of it making features, ms", .digits = 3},
      {.title = "non-zeros of a row", .digits = 1, .fixed = true},
      {.title = "share, %", .digits = 1, .fixed = true},
      {.title = "nnz(F)", .digits = 4}};
  enum { ROWS = ENT_SETS * ENT_COMPARE_METHODS };
  ent_table_cell cells[ROWS * COLUMNS] = {{0}};
  size_t groups[ROWS], rows = 0;
  char titles[ENT_SETS][160];
  const char *group_titles[ENT_SETS];
  for (size_t set = 0; set < ENT_SETS; set++) {
    const entropic_comparison *comparison = paper->comparisons[set];
    group_titles[set] = titles[set];
    titles[set][0] = '\0';
    for (ent_compare_method method = 0; comparison != NULL && method < ENT_COMPARE_METHODS; method++) {
      size_t size = ent_sets[set].printed_features;
      const ent_experiment *e = ent_experiments_find(&comparison->experiments, method, false, size);
      if (e == NULL)
        continue;
      double spread = ent_experiment_deviation(e) / sqrt((double)e->runs);
      ent_table_cell *row = cells + rows * COLUMNS;
      groups[rows++] = set;
      snprintf(titles[set], sizeof titles[set], "%s: M = %zu, the paper's M0 %zu, %zu training rows, %zu inputs",
               ent_sets[set].title, size, ent_sets[set].printed_most, comparison->rows, comparison->inputs);
      row[METHOD].text = ent_compare_method_name(method);
      row[ERROR] = (ent_table_cell){.value = ent_experiment_mean(e), .spread = isnan(spread) ? 0 : spread};
      row[TRAIN].value = 1000 * ent_experiment_seconds(e, ENT_DURATION_TRAIN, 0.5);
      row[MAKE].value = 1000 * ent_experiment_seconds(e, ENT_DURATION_MAKE, 0.5);
      row[NONZEROS].value = ent_experiment_nonzeros(e);
      row[SHARE].value = 100 * ent_experiment_nonzeros(e) / ent_experiment_features(e);
      row[ALL].value = ent_experiment_nonzeros(e) * (double)comparison->rows;
    }
  }
  ent_page_table(
      page, &(ent_table){.title = "Table 2 of the paper: time and non-zeros with its own numbers of features",
                         .note = "By the rule. The paper's M0 is |S_n|, from which M features are drawn; its Grid "
                                 "Stability has 13 inputs, one of which decides the class and is left out here. nnz(F) "
                                 "is of all lifted training rows. Times are medians of trainings on one thread.",
                         .columns = columns,
                         .column_count = COLUMNS,
                         .cells = cells,
                         .rows = rows,
                         .groups = groups,
                         .group_titles = group_titles});
}

/* Table 3: from lifted rows to weights, and the whole training beside it. */
static void add_table_3(ent_page *page, const ent_paper *paper) {
  enum { FEATURES, GIVEN_EOF, GIVEN_RKS, GIVEN_RATIO, EOF_ALL, RKS_ALL, RATIO, COLUMNS, MOST = 8 };
  static const ent_table_column columns[COLUMNS] = {
      {.title = "M", .fixed = true},
      {.title = "features given: EOF, ms", .digits = 3},
      {.title = "RKS, ms", .digits = 3},
      {.title = "ratio", .digits = 3},
      {.title = "all of training: EOF, ms", .digits = 3},
      {.title = "RKS, ms", .digits = 3},
      {.title = "ratio", .digits = 3},
  };
  const ent_experiments *given = &paper->given;
  ent_table_cell cells[MOST * COLUMNS] = {{0}};
  char title[160];
  size_t rows = given->size_count < MOST ? given->size_count : MOST;
  for (size_t i = 0; i < rows; i++) {
    const ent_experiment *ours = ent_experiments_find(given, ENT_COMPARE_ENTROPY, false, given->sizes[i]);
    const ent_experiment *theirs = ent_experiments_find(given, ENT_COMPARE_RKS, false, given->sizes[i]);
    ent_table_cell *row = cells + i * COLUMNS;
    row[FEATURES].value = (double)given->sizes[i];
    row[GIVEN_EOF].value = 1000 * ent_experiment_seconds(ours, ENT_DURATION_GIVEN, 0.5);
    row[GIVEN_RKS].value = 1000 * ent_experiment_seconds(theirs, ENT_DURATION_GIVEN, 0.5);
    row[GIVEN_RATIO].value = row[GIVEN_EOF].value / row[GIVEN_RKS].value;
    row[EOF_ALL].value = 1000 * ent_experiment_seconds(ours, ENT_DURATION_TRAIN, 0.5);
    row[RKS_ALL].value = 1000 * ent_experiment_seconds(theirs, ENT_DURATION_TRAIN, 0.5);
    row[RATIO].value = row[EOF_ALL].value / row[RKS_ALL].value;
  }
  snprintf(title, sizeof title, "Table 3 of the paper: training without making the features, %s",
           ent_sets[ent_paper_timed_set()].title);
  ent_page_table(page, &(ent_table){.title = title,
                                    .note = "Features given: from lifted rows in memory to weights; neither making nor "
                                            "lifting is in it. What is left is the same work for both, as rows of so "
                                            "few features are dense. All of training has making and lifting in it.",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .rows = rows});
}

/* Our features with budgets of non-zeros. */
static void add_budgets(ent_page *page, const entropic_comparison *comparison, const char *name) {
  enum { BUDGET, BANDWIDTH, ERROR, TRAIN, FEATURES, NONZEROS, SHARE, COLUMNS };
  static const ent_table_column columns[COLUMNS] = {{.title = "non-zeros, at most", .fixed = true},
                                                    {.title = "omega", .text = true},
                                                    {.title = "error", .digits = 4, .spread = "standard error"},
                                                    {.title = "training, ms", .digits = 3},
                                                    {.title = "features", .digits = 0, .fixed = true},
                                                    {.title = "non-zeros", .digits = 1, .fixed = true},
                                                    {.title = "share, %", .digits = 1, .fixed = true}};
  const ent_experiments *experiments = &comparison->experiments;
  size_t rows = experiments->count - experiments->sized;
  ent_table_cell *cells = ent_new(page->text.context, rows * COLUMNS, sizeof *cells);
  char title[160];
  if (cells == NULL) {
    page->text.status = ENTROPIC_NO_MEMORY;
    return;
  }
  for (size_t i = 0; i < rows; i++) {
    const ent_experiment *e = &experiments->list[experiments->sized + i];
    double spread = ent_experiment_deviation(e) / sqrt((double)e->runs);
    ent_table_cell *row = cells + i * COLUMNS;
    row[BUDGET].value = (double)e->request.nonzeros;
    row[BANDWIDTH].text = e->request.tuned ? "tuned" : "1";
    row[ERROR] = (ent_table_cell){.value = ent_experiment_mean(e), .spread = isnan(spread) ? 0 : spread};
    row[TRAIN].value = 1000 * ent_experiment_seconds(e, ENT_DURATION_TRAIN, 0.5);
    row[FEATURES].value = ent_experiment_features(e);
    row[NONZEROS].value = ent_experiment_nonzeros(e);
    row[SHARE].value = 100 * ent_experiment_nonzeros(e) / ent_experiment_features(e);
  }
  snprintf(title, sizeof title, "%s: EOF with a budget of non-zeros", name);
  ent_page_table(
      page, &(ent_table){.title = title, .columns = columns, .column_count = COLUMNS, .cells = cells, .rows = rows});
  ent_delete(cells);
}

void ent_paper_add_costs(ent_page *page, const ent_paper *paper) {
  ent_page_section(page, "Time and non-zeros: the paper's tables");
  if (!ent_paper_has_data(paper)) {
    ent_page_note(page, "There were no data sets to measure on.");
    return;
  }
  char text[1024];
  snprintf(
      text, sizeof text,
      "Training makes the features, lifts the rows, multiplies the features with each other, and solves for the "
      "weights; choosing bandwidth and lambda is in nobody's time. EOF-select takes longest, since it selects from "
      "thousands of candidates. Budgets of non-zeros take whole levels, each of which costs one non-zero a row "
      "however many features it has (%zu features at most). Rows are truly sparse where levels are deep. With a "
      "number of features they are all but dense while there are few: linear functions and hats of the first level "
      "are nowhere zero.",
      ENT_METHOD_FEATURES_MOST);
  ent_page_paragraph(page, text);
  add_table_2(page, paper);
  if (paper->given.runs > 0)
    add_table_3(page, paper);
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      add_budgets(page, paper->comparisons[i], ent_sets[i].title);
}

void ent_paper_given_json(ent_text *text, const ent_paper *paper) {
  const ent_experiments *given = &paper->given;
  double seconds[ENT_MOST_ROUNDS];
  ent_text_add(text, ", \"given\": [");
  for (size_t i = 0; i < given->count; i++) {
    const ent_experiment *e = &given->list[i];
    ent_text_format(text, "%s{\"set\": \"%s\", \"name\": \"%s\", \"features\": %zu", i > 0 ? ", " : "",
                    ent_sets[ent_paper_timed_set()].name, ent_compare_method_name(e->request.method),
                    e->request.features);
    ent_json_member(text, "given_seconds", ent_experiment_seconds(e, ENT_DURATION_GIVEN, 0.5));
    ent_json_member(text, "train_seconds", ent_experiment_seconds(e, ENT_DURATION_TRAIN, 0.5));
    ent_json_member(text, "make_seconds", ent_experiment_seconds(e, ENT_DURATION_MAKE, 0.5));
    for (size_t k = 0; k < e->times.count; k++)
      seconds[k] = e->times.rounds[k].durations.given;
    ent_text_add(text, ", ");
    ent_json_list(text, "given", seconds, e->times.count, true);
    ent_text_add(text, "}");
  }
  ent_text_add(text, "]");
}
