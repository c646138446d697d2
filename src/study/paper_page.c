/* The paper's experiments as one page, and as JSON. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "study/paper.h"

void ent_json_list(ent_text *text, const char *key, const double *values, size_t count, bool last) {
  ent_text_format(text, "\"%s\": [", key);
  for (size_t i = 0; i < count; i++) {
    ent_text_add(text, i > 0 ? ", " : "");
    ent_text_json_number(text, values[i]);
  }
  ent_text_add(text, last ? "]" : "], ");
}

void ent_paper_numbers(ent_text *text, const ent_paper *paper) {
  ent_text_format(text, "{\"quick\": %s, \"runs\": %zu, \"sets\": [", paper->quick ? "true" : "false", paper->runs);
  for (size_t i = 0, shown = 0; i < ENT_SETS; i++) {
    const entropic_comparison *comparison = paper->comparisons[i];
    if (comparison == NULL)
      continue;
    ent_text_add(text, shown++ > 0 ? ", {\"name\": " : "{\"name\": ");
    ent_text_json(text, ent_sets[i].name);
    ent_text_format(text, ", \"rows\": %zu, \"test_rows\": %zu, \"inputs\": %zu, \"methods\": ", comparison->rows,
                    paper->test_rows[i], comparison->inputs);
    ent_comparison_json(text, comparison);
    ent_comparison_ratios_json(text, comparison);
    ent_paper_budgets_json(text, comparison);
    ent_text_add(text, "}");
  }
  ent_text_add(text, "]");
  ent_paper_times_json(text, paper);
  ent_paper_boundary_json(text, paper);
  ent_text_add(text, ", \"kernels\": [");
  for (size_t i = 0; i < ENT_PAPER_APPROXIMATIONS; i++) {
    const ent_approximation *a = &paper->approximations[i];
    ent_text_format(text, "%s{\"inputs\": %zu, ", i > 0 ? ", " : "", a->inputs);
    ent_json_list(text, "features", a->features, ENT_APPROXIMATIONS, false);
    ent_json_list(text, "eof", a->complete, ENT_APPROXIMATIONS, false);
    ent_json_list(text, "printed", a->printed, ENT_APPROXIMATIONS, false);
    ent_json_list(text, "rks", a->random, ENT_APPROXIMATIONS, true);
    ent_text_add(text, "}");
  }
  ent_text_add(text, "]");
  ent_paper_rates_json(text, paper);
  ent_text_add(text, "}");
}

/* Ratios of our tuned features to the best tuned baseline, a row for each data set. */
static void add_ratios(ent_page *page, const ent_paper *paper) {
  enum { SET, RATIO, WINS, SELECT_RATIO, SELECT_WINS, SIZES, COLUMNS };
  static const ent_table_column columns[COLUMNS] = {
      {.title = "data set", .text = true},   {.title = "EOF / best baseline", .digits = 3},
      {.title = "sizes won", .fixed = true}, {.title = "EOF-select / best baseline", .digits = 3},
      {.title = "sizes won", .fixed = true}, {.title = "of", .fixed = true}};
  static const ent_compare_method ours[] = {ENT_COMPARE_ENTROPY, ENT_COMPARE_RESIDUAL};
  ent_table_cell cells[(ENT_SETS + 1) * COLUMNS] = {{0}};
  size_t rows = 0;
  for (size_t i = 0; i < ENT_SETS; i++)
    rows += paper->comparisons[i] != NULL;
  if (rows == 0)
    return;
  ent_table_cell *all = cells + rows * COLUMNS, *row = cells;
  all[SET].text = "all";
  for (size_t i = 0; i < ENT_SETS; i++) {
    if (paper->comparisons[i] == NULL)
      continue;
    row[SET].text = ent_sets[i].title;
    size_t wins, sizes = 0;
    for (size_t k = 0; k < 2; k++) {
      double ratio = ent_comparison_ratio(paper->comparisons[i], ours[k], &wins, &sizes);
      row[RATIO + 2 * k].value = ratio;
      row[WINS + 2 * k].value = (double)wins;
      all[RATIO + 2 * k].value += log(ratio) * (double)sizes;
      all[WINS + 2 * k].value += (double)wins;
    }
    row[SIZES].value = (double)sizes;
    all[SIZES].value += (double)sizes;
    row += COLUMNS;
  }
  for (size_t k = 0; k < 2; k++)
    all[RATIO + 2 * k].value = exp(all[RATIO + 2 * k].value / all[SIZES].value);
  ent_page_table(
      page,
      &(ent_table){.title = "Tuned features against the best tuned baseline of each size",
                   .note = "Geometric means over the sizes, on the same runs; below 1 our error is the smaller one.",
                   .columns = columns,
                   .column_count = COLUMNS,
                   .cells = cells,
                   .rows = rows + 1});
}

/* Runs that EOF-select took part in, of any set. */
static size_t selected_runs(const ent_paper *paper) {
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      return ent_experiments_find(&paper->comparisons[i]->experiments, ENT_COMPARE_RESIDUAL, true,
                                  paper->comparisons[i]->experiments.sizes[0])
          ->runs;
  return 0;
}

static void add_sets(ent_page *page, const ent_paper *paper) {
  ent_page_section(page, "Test errors");
  if (!ent_paper_has_data(paper)) {
    ent_page_note(page, "There were no data sets: only the experiments that need none were run. `entropic paper --data "
                        "DIR` takes the folder that holds them.");
    return;
  }
  char text[1024], fewer[96] = "";
  if (selected_runs(paper) < paper->runs)
    snprintf(fewer, sizeof fewer, " EOF-select has %zu of the %zu runs, since it takes longest.", selected_runs(paper),
             paper->runs);
  snprintf(text, sizeof text,
           "The error on test rows against the number of features, with the standard error over the "
           "runs. Of each pair of charts the first has the bandwidth of the paper's rule (1 over the mean "
           "distance to the 50th neighbour; our completed features have none and take omega = 1), "
           "the second the best of five on validation rows, held out of the training rows. Lambda is always "
           "chosen there. EOF-select, LKRF and EERF choose their features by the targets of the training rows, "
           "Nystroem by the rows; the others do not look at the data.%s",
           fewer);
  ent_page_paragraph(page, text);
  for (size_t i = 0; i < ENT_SETS; i++) {
    if (paper->comparisons[i] != NULL)
      ent_comparison_charts(page, paper->comparisons[i], ent_sets[i].title, ent_sets[i].error);
    else {
      char note[512];
      snprintf(note, sizeof note, "%s was left out: %s is not there.", ent_sets[i].title, ent_sets[i].files);
      ent_page_note(page, note);
    }
  }
  add_ratios(page, paper);
}

static void add_kernels(ent_page *page, const ent_paper *paper) {
  ent_page_section(page, "How well features stand for the kernel");
  ent_page_paragraph(page,
                     "The root of the mean square of z(x).z(y) - k(x,y) over random pairs, for the laplace kernel "
                     "with omega 1. The features as printed in the paper lack the boundary functions: their error "
                     "does not fall, however many there are.");
  ent_page_panels_start(page);
  for (size_t i = 0; i < ENT_PAPER_APPROXIMATIONS; i++) {
    const ent_approximation *a = &paper->approximations[i];
    char title[64];
    snprintf(title, sizeof title, "%zu input%s", a->inputs, a->inputs == 1 ? "" : "s");
    const ent_series series[] = {
        {.name = "EOF", .count = ENT_APPROXIMATIONS, .x = a->features, .y = a->complete},
        {.name = "EOF as printed", .count = ENT_APPROXIMATIONS, .x = a->features, .y = a->printed, .dashed = true},
        {.name = "RKS", .count = ENT_APPROXIMATIONS, .x = a->features, .y = a->random}};
    ent_page_chart(page,
                   &(ent_chart){.title = title,
                                .note = a->inputs == 1 ? "Where no pair of points shares a cell of the finest hats "
                                                         "any more, nothing is left to be missed."
                                                       : NULL,
                                .x = {.title = "features", .logarithmic = true},
                                .y = {.title = "error of the kernel", .logarithmic = true},
                                .series = series,
                                .series_count = 3});
  }
  ent_page_panels_end(page);
}

static void add_tables(ent_page *page, const ent_paper *paper) {
  ent_page_section(page, "All numbers");
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      ent_comparison_table(page, paper->comparisons[i], ent_sets[i].title);
}

entropic_status ent_paper_html(entropic_context *context, const ent_paper *paper, const char *path) {
  ent_page page;
  ent_text json = {.context = context};
  char lead[512];
  snprintf(lead, sizeof lead,
           "The experiments of L. Ding, R. Tuo and S. Shahrampour, Generalization Guarantees for Sparse Kernel "
           "Approximation with Entropic Optimal Features (ICML 2020), run anew%s, with the features completed by "
           "their boundary functions, best first (EOF) or selected from the data (EOF-select), beside those printed "
           "there (EOF-printed), random features and Nystroem. %zu run%s of each data set.",
           paper->quick ? " in short" : "", paper->runs, paper->runs == 1 ? "" : "s");
  ent_page_start(&page, context, "Entropic optimal features, the paper run anew", lead);
  add_sets(&page, paper);
  ent_paper_add_costs(&page, paper);
  ent_paper_add_boundary(&page, paper);
  add_kernels(&page, paper);
  ent_paper_add_rates(&page, paper);
  add_tables(&page, paper);
  ent_paper_numbers(&json, paper);
  return ent_study_page_save(&page, &json, path);
}

entropic_status ent_paper_json(entropic_context *context, const ent_paper *paper, const char *path) {
  ent_text json = {.context = context};
  ent_paper_numbers(&json, paper);
  ent_text_add(&json, "\n");
  entropic_status status = ent_text_save(&json, path);
  ent_text_free(&json);
  return status;
}
