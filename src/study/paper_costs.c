/* What training costs: times and non-zeros, as tables and JSON. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "study/paper.h"

#define SHOWN_SIZE ((size_t)160) /* methods are shown at the largest size up to this one */

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

static size_t shown_size(const ent_experiments *experiments) {
  size_t shown = experiments->sizes[0];
  for (size_t i = 0; i < experiments->size_count; i++)
    if (experiments->sizes[i] <= SHOWN_SIZE && experiments->sizes[i] > shown)
      shown = experiments->sizes[i];
  return shown;
}

enum { METHOD, ASKED, ERROR, TRAIN, FEATURES, NONZEROS, SHARE, COLUMNS };
#define ASKED_SIZE 48

static void fill_row(const ent_experiment *experiment, char asked[ASKED_SIZE], ent_table_cell *row) {
  double spread = ent_experiment_deviation(experiment);
  bool budget = experiment->request.features == 0;
  size_t amount = budget ? experiment->request.nonzeros : experiment->request.features;
  snprintf(asked, ASKED_SIZE, budget ? "B = %zu%s" : "M = %zu%s", amount, experiment->request.tuned ? "" : ", omega 1");
  row[METHOD].text = ent_compare_method_name(experiment->request.method);
  row[ASKED].text = asked;
  row[FEATURES].value = experiment->features;
  row[NONZEROS].value = experiment->nonzeros;
  row[SHARE].value = 100 * experiment->nonzeros / experiment->features;
  row[ERROR] = (ent_table_cell){.value = ent_experiment_mean(experiment), .spread = isnan(spread) ? 0 : spread};
  row[TRAIN].value = 1000 * experiment->train_seconds;
}

/* Every method with one number of features, and our features with each budget of non-zeros. */
static void add_set(ent_page *page, const entropic_comparison *comparison, const char *name) {
  static const ent_table_column columns[COLUMNS] = {{.title = "method", .text = true},
                                                    {.title = "asked for", .text = true},
                                                    {.title = "error", .digits = 4, .best = ENT_BEST_LOWEST},
                                                    {.title = "train, ms", .digits = 3},
                                                    {.title = "features", .digits = 0, .fixed = true},
                                                    {.title = "non-zeros", .digits = 1, .fixed = true},
                                                    {.title = "share, %", .digits = 1, .fixed = true}};
  const ent_experiments *experiments = &comparison->experiments;
  size_t size = shown_size(experiments), rows = (size_t)ENT_COMPARE_METHODS + experiments->count - experiments->grid,
         at = 0;
  ent_table_cell *cells = ent_new(page->text.context, rows * COLUMNS, sizeof *cells);
  char(*asked)[ASKED_SIZE] = ent_new(page->text.context, rows, sizeof *asked);
  if (cells == NULL || asked == NULL) {
    page->text.status = ENTROPIC_NO_MEMORY;
  } else {
    for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++, at++)
      fill_row(ent_experiments_find(experiments, method, true, size), asked[at], cells + at * COLUMNS);
    for (size_t i = experiments->grid; i < experiments->count; i++, at++)
      fill_row(&experiments->list[i], asked[at], cells + at * COLUMNS);
    char title[160];
    snprintf(title, sizeof title, "%s: %zu training rows, %zu inputs", name, comparison->rows, comparison->inputs);
    ent_page_table(page,
                   &(ent_table){.title = title,
                                .note = "M features, or B non-zeros a row at most. Bandwidths are tuned but where "
                                        "it says omega 1. Non-zeros, and their share, are those of a lifted row.",
                                .columns = columns,
                                .column_count = COLUMNS,
                                .cells = cells,
                                .rows = rows});
  }
  ent_delete(cells);
  ent_delete(asked);
}

/* A row for each method, a column for each size. */
static void add_times(ent_page *page, const ent_paper *paper) {
  enum { MOST = 8 };
  const ent_experiments *experiments = &paper->times;
  ent_table_column heads[MOST + 1] = {{.title = "method", .text = true}};
  ent_table_cell cells[ENT_COMPARE_METHODS * (MOST + 1)] = {{0}};
  char names[MOST][24], title[160];
  size_t columns = experiments->size_count + 1;
  for (size_t j = 1; j < columns; j++) {
    snprintf(names[j - 1], sizeof names[0], "M = %zu", experiments->sizes[j - 1]);
    heads[j] = (ent_table_column){.title = names[j - 1], .digits = 3, .best = ENT_BEST_LOWEST};
  }
  for (size_t i = 0; i < (size_t)ENT_COMPARE_METHODS; i++) {
    cells[i * columns].text = ent_compare_method_name((ent_compare_method)i);
    for (size_t j = 1; j < columns; j++)
      cells[i * columns + j].value =
          1000 *
          ent_experiments_find(experiments, (ent_compare_method)i, false, experiments->sizes[j - 1])->train_seconds;
  }
  size_t set = ent_paper_timed_set();
  snprintf(title, sizeof title, "%s: training alone, ms, by the number of features M", ent_sets[set].title);
  ent_page_table(page, &(ent_table){.title = title,
                                    .note = "From rows in [0,1] to weights: features made and lifted, the matrix of "
                                            "their products, its solution. One thread; the least of the runs timed.",
                                    .columns = heads,
                                    .column_count = columns,
                                    .cells = cells,
                                    .rows = ENT_COMPARE_METHODS});
}

void ent_paper_add_costs(ent_page *page, const ent_paper *paper) {
  ent_page_section(page, "Time and non-zeros");
  if (!ent_paper_has_data(paper)) {
    ent_page_note(page, "There were no data sets to measure on.");
    return;
  }
  char text[1024];
  snprintf(text, sizeof text,
           "The paper's tables 2 and 3. Every method with one number of features, and our completed features also with "
           "budgets of non-zeros a row: then whole levels are taken, each of which costs one non-zero a row however "
           "many features it has (%zu features at most). Rows are truly sparse where levels are deep. With a number of "
           "features they are all but dense while there are few: linear functions and hats of the first level are "
           "nowhere zero. So are they with a budget where tuning prefers a large omega, which spends it on products "
           "instead of depth. EOF-select takes longest to train, since it screens thousands of features several times "
           "over and "
           "then chooses among hundreds one by one; all that is in its time. Choosing bandwidth and lambda is in "
           "nobody's time, which is in milliseconds on one thread.",
           ENT_METHOD_FEATURES_MOST);
  ent_page_paragraph(page, text);
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      add_set(page, paper->comparisons[i], ent_sets[i].title);
  if (paper->times.runs > 0)
    add_times(page, paper);
}

void ent_paper_budgets_json(ent_text *text, const entropic_comparison *comparison) {
  const ent_experiments *experiments = &comparison->experiments;
  ent_text_add(text, ", \"budgets\": [");
  for (size_t i = experiments->grid; i < experiments->count; i++) {
    const ent_experiment *experiment = &experiments->list[i];
    ent_text_format(text, "%s{\"name\": \"%s\", \"tuned\": %s, \"budget\": %zu, \"runs\": %zu",
                    i > experiments->grid ? ", " : "", ent_compare_method_name(experiment->request.method),
                    experiment->request.tuned ? "true" : "false", experiment->request.nonzeros, experiment->runs);
    ent_json_member(text, "features", experiment->features);
    ent_json_member(text, "nonzeros", experiment->nonzeros);
    ent_json_member(text, "error", ent_experiment_mean(experiment));
    ent_json_member(text, "sd", ent_experiment_deviation(experiment));
    ent_json_member(text, "train_seconds", experiment->train_seconds);
    ent_json_member(text, "lift_seconds", experiment->lift_seconds);
    ent_json_member(text, "bandwidth", experiment->bandwidth);
    ent_text_add(text, "}");
  }
  ent_text_add(text, "]");
}

void ent_paper_times_json(ent_text *text, const ent_paper *paper) {
  const ent_experiments *experiments = &paper->times;
  ent_text_add(text, ", \"times\": [");
  for (size_t i = 0; i < experiments->count; i++) {
    const ent_experiment *experiment = &experiments->list[i];
    ent_text_format(text, "%s{\"set\": \"%s\", \"name\": \"%s\", \"features\": %zu", i > 0 ? ", " : "",
                    ent_sets[ent_paper_timed_set()].name, ent_compare_method_name(experiment->request.method),
                    experiment->request.features);
    ent_json_member(text, "train_seconds", experiment->train_seconds);
    ent_text_add(text, "}");
  }
  ent_text_add(text, "]");
}
