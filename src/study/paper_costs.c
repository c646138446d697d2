/* What training costs: the paper's tables 2 and 3, and budgets of non-zeros. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "study/paper.h"
#include "study/printed.h"

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

/* The mean error with its standard error; empty where there is no such experiment. */
static ent_table_cell error_cell(const ent_experiment *e) {
  if (e == NULL)
    return (ent_table_cell){.value = NAN};
  double spread = ent_experiment_deviation(e) / sqrt((double)e->runs);
  return (ent_table_cell){.value = ent_experiment_mean(e), .spread = isnan(spread) ? 0 : spread};
}

enum { METHOD, RULE, TUNED, TRAIN, RATIO, PAPER_RATIO, PAPER_TRAIN, NNZ, PAPER_NNZ, SHARE, PAPER_FROM, TABLE_2 };

/* A row of table 2: a method on a set, with the set's own number of features. */
static void fill_table_2(const entropic_comparison *comparison, size_t set, const ent_experiment *e,
                         ent_table_cell *row) {
  const ent_experiments *experiments = &comparison->experiments;
  size_t size = ent_sets[set].printed_features;
  const ent_experiment *rks = ent_experiments_find(experiments, ENT_COMPARE_RKS, false, size);
  const ent_printed_cost printed = ent_printed_cost_of(e->request.method, set);
  double seconds = ent_experiment_seconds(e, ENT_DURATION_TRAIN, 0.5);
  row[METHOD].text = ent_compare_method_name(e->request.method);
  row[RULE] = error_cell(e);
  row[TUNED] = error_cell(ent_experiments_find(experiments, e->request.method, true, size));
  row[TRAIN].value = 1000 * seconds;
  row[RATIO].value = rks == NULL ? NAN : seconds / ent_experiment_seconds(rks, ENT_DURATION_TRAIN, 0.5);
  row[PAPER_TRAIN].value = 1000 * printed.seconds;
  row[PAPER_RATIO].value = printed.seconds / ent_printed_cost_of(ENT_COMPARE_RKS, set).seconds;
  row[NNZ].value = ent_experiment_nonzeros(e) * (double)comparison->rows;
  row[PAPER_NNZ].value = printed.nonzeros;
  row[SHARE].value = 100 * ent_experiment_nonzeros(e) / ent_experiment_features(e);
  row[PAPER_FROM].value = printed.candidates;
}

/* Table 2: every method with the paper's own number of features, a group of rows for each set. */
static void add_table_2(ent_page *page, const ent_paper *paper) {
  static const ent_table_column columns[TABLE_2] = {
      {.title = "method", .text = true},
      {.title = "error by the rule", .digits = 4, .best = ENT_BEST_LOWEST, .spread = "standard error"},
      {.title = "error, tuned", .digits = 4, .best = ENT_BEST_LOWEST, .spread = "standard error"},
      {.title = "training, ms", .digits = 3, .best = ENT_BEST_LOWEST},
      {.title = "over RKS", .digits = 3},
      {.title = "paper: over RKS", .digits = 3},
      {.title = "paper: training, ms", .digits = 3},
      {.title = "nnz(F)", .digits = 3},
      {.title = "paper: nnz(F)", .digits = 3},
      {.title = "share, %", .digits = 1, .fixed = true},
      {.title = "paper: M0", .fixed = true}};
  enum { ROWS = ENT_SETS * ENT_COMPARE_METHODS };
  ent_table_cell cells[ROWS * TABLE_2] = {{0}};
  size_t groups[ROWS], rows = 0;
  char titles[ENT_SETS][160];
  const char *group_titles[ENT_SETS];
  for (size_t set = 0; set < ENT_SETS; set++) {
    const entropic_comparison *comparison = paper->comparisons[set];
    group_titles[set] = titles[set];
    snprintf(titles[set], sizeof titles[set], "%s: M = %zu", ent_sets[set].title, ent_sets[set].printed_features);
    for (ent_compare_method method = 0; comparison != NULL && method < ENT_COMPARE_METHODS; method++) {
      const ent_experiment *e =
          ent_experiments_find(&comparison->experiments, method, false, ent_sets[set].printed_features);
      if (e == NULL)
        continue;
      fill_table_2(comparison, set, e, cells + rows * TABLE_2);
      groups[rows++] = set;
    }
  }
  ent_page_table(
      page,
      &(ent_table){.title = "Table 2 of the paper: time and non-zeros with its own numbers of features",
                   .note = "Times and non-zeros are by the rule. nnz(F) is of all lifted training rows. Times are "
                           "medians of trainings on one thread; the paper's are of another machine, so only the "
                           "ratios to RKS compare. M0 is how many features M are chosen from. EOF, EOF-printed "
                           "and EOF-inset stand beside the paper's EOF.",
                   .columns = columns,
                   .column_count = TABLE_2,
                   .cells = cells,
                   .rows = rows,
                   .groups = groups,
                   .group_titles = group_titles});
}

const ent_experiment *ent_paper_given(const ent_paper *paper, ent_given_form form, size_t size) {
  static const ent_compare_method methods[ENT_GIVEN_FORMS] = {ENT_COMPARE_ENTROPY, ENT_COMPARE_PRINTED,
                                                              ENT_COMPARE_INSET, ENT_COMPARE_ENTROPY, ENT_COMPARE_RKS};
  bool budget = form == ENT_GIVEN_BUDGET;
  for (size_t i = 0; i < paper->given.count; i++) {
    const ent_request *request = &paper->given.list[i].request;
    if (request->method == methods[form] && request->features == (budget ? 0 : size) &&
        request->nonzeros == (budget ? size : 0))
      return &paper->given.list[i];
  }
  return NULL;
}

const char *ent_given_form_name(ent_given_form form) {
  static const char *const names[ENT_GIVEN_FORMS] = {"EOF", "EOF-printed", "EOF-inset", "EOF, M non-zeros", "RKS"};
  return names[form];
}

/* Table 3: from lifted rows to weights, a group of rows for each form of our features. */
static void add_table_3(ent_page *page, const ent_paper *paper) {
  enum { SIZE, FEATURES, NONZEROS, GIVEN, RKS, OVER, PAPER_EOF, PAPER_RKS, PAPER_OVER, ALL, ALL_OVER, COLUMNS };
  static const ent_table_column columns[COLUMNS] = {{.title = "M", .fixed = true},
                                                    {.title = "features", .fixed = true},
                                                    {.title = "non-zeros of a row", .digits = 1, .fixed = true},
                                                    {.title = "features given, ms", .digits = 3},
                                                    {.title = "RKS, ms", .digits = 3},
                                                    {.title = "ratio", .digits = 3},
                                                    {.title = "paper: EOF, ms", .digits = 3},
                                                    {.title = "paper: RKS, ms", .digits = 3},
                                                    {.title = "paper: ratio", .digits = 3},
                                                    {.title = "all of training, ms", .digits = 3},
                                                    {.title = "its ratio to RKS", .digits = 3}};
  enum { ROWS = (size_t)ENT_GIVEN_RKS * ENT_PRINTED_SIZES };
  ent_table_cell cells[ROWS * COLUMNS] = {{0}};
  const char *titles[ENT_GIVEN_FORMS];
  size_t groups[ROWS], rows = 0;
  char title[160];
  for (ent_given_form form = 0; form < ENT_GIVEN_RKS; form++) {
    titles[form] = ent_given_form_name(form);
    for (size_t i = 0; i < ENT_PRINTED_SIZES; i++) {
      size_t size = ent_printed_sizes[i];
      const ent_experiment *ours = ent_paper_given(paper, form, size);
      const ent_experiment *rks = ent_paper_given(paper, ENT_GIVEN_RKS, size);
      if (ours == NULL || rks == NULL)
        continue;
      ent_table_cell *row = cells + rows * COLUMNS;
      groups[rows++] = form;
      row[SIZE].value = (double)size;
      row[FEATURES].value = ent_experiment_features(ours);
      row[NONZEROS].value = ent_experiment_nonzeros(ours);
      row[GIVEN].value = 1000 * ent_experiment_seconds(ours, ENT_DURATION_GIVEN, 0.5);
      row[RKS].value = 1000 * ent_experiment_seconds(rks, ENT_DURATION_GIVEN, 0.5);
      row[OVER].value = row[GIVEN].value / row[RKS].value;
      row[PAPER_EOF].value = 1000 * ent_printed_given(ENT_COMPARE_PRINTED, size);
      row[PAPER_RKS].value = 1000 * ent_printed_given(ENT_COMPARE_RKS, size);
      row[PAPER_OVER].value = row[PAPER_EOF].value / row[PAPER_RKS].value;
      row[ALL].value = 1000 * ent_experiment_seconds(ours, ENT_DURATION_TRAIN, 0.5);
      row[ALL_OVER].value = row[ALL].value / (1000 * ent_experiment_seconds(rks, ENT_DURATION_TRAIN, 0.5));
    }
  }
  snprintf(title, sizeof title, "Table 3 of the paper: training without making the features, %s",
           ent_sets[ent_paper_timed_set()].title);
  ent_page_table(page, &(ent_table){.title = title,
                                    .note = "Features given: from lifted rows in memory, compressed where that takes "
                                            "less, to weights; neither making nor lifting is in it. All of training "
                                            "has both. With a budget, a row has at most M non-zeros of more features.",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .rows = rows,
                                    .groups = groups,
                                    .group_titles = titles});
}

/* Our features with budgets of non-zeros. */
static void add_budgets(ent_page *page, const entropic_comparison *comparison, const char *name) {
  enum { BUDGET, BANDWIDTH, ERROR, SECONDS, FEATURES, NONZEROS, PERCENT, COLUMNS };
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
    ent_table_cell *row = cells + i * COLUMNS;
    row[BUDGET].value = (double)e->request.nonzeros;
    row[BANDWIDTH].text = e->request.tuned ? "tuned" : "1";
    row[ERROR] = error_cell(e);
    row[SECONDS].value = 1000 * ent_experiment_seconds(e, ENT_DURATION_TRAIN, 0.5);
    row[FEATURES].value = ent_experiment_features(e);
    row[NONZEROS].value = ent_experiment_nonzeros(e);
    row[PERCENT].value = 100 * ent_experiment_nonzeros(e) / ent_experiment_features(e);
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
  ent_paper_add_sets(page, paper);
  add_table_2(page, paper);
  if (paper->given.runs > 0)
    add_table_3(page, paper);
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      add_budgets(page, paper->comparisons[i], ent_sets[i].title);
}

void ent_paper_given_json(ent_json *json, const ent_paper *paper) {
  const ent_experiments *given = &paper->given;
  ent_json_line(json);
  ent_json_open_list(json, "given");
  for (size_t i = 0; i < given->count; i++) {
    ent_json_line(json);
    ent_experiment_json(json, &given->list[i]);
  }
  ent_json_close(json);
}

void ent_paper_claims_json(ent_json *json, const ent_paper *paper) {
  if (!paper->has_claims)
    return;
  ent_json_line(json);
  ent_claims_list(json, paper->claims);
}
