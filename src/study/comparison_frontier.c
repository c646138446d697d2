/* Equal time and equal memory: errors of tuned methods against what their training takes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "study/paper.h"

/* Time of training in milliseconds, or bytes of a lifted row. */
static double cost_of(const ent_experiment *experiment, bool memory) {
  return memory ? ent_experiment_bytes(experiment) : 1000 * ent_experiment_seconds(experiment, ENT_DURATION_TRAIN, 0.5);
}

/* The tuned experiments of a method, by number of features; returns how many there are. */
static size_t list_method(const ent_experiments *experiments, ent_compare_method method, size_t most,
                          const ent_experiment **list) {
  size_t count = 0;
  for (size_t i = 0; i < experiments->sized && count < most; i++)
    if (experiments->list[i].request.method == method && experiments->list[i].request.tuned)
      list[count++] = &experiments->list[i];
  return count;
}

#define MOST_POINTS ((size_t)16) /* of a method */

typedef struct ent_cost_points {
  double x[MOST_POINTS], y[MOST_POINTS], low[MOST_POINTS], high[MOST_POINTS];
  char names[MOST_POINTS][32];
  const char *labels[MOST_POINTS];
} ent_cost_points;

static ent_series series_of(const ent_experiments *experiments, ent_compare_method method, bool memory,
                            ent_cost_points *points) {
  const ent_experiment *list[MOST_POINTS];
  size_t count = list_method(experiments, method, MOST_POINTS, list);
  for (size_t i = 0; i < count; i++) {
    double mean = ent_experiment_mean(list[i]),
           spread = ent_experiment_deviation(list[i]) / sqrt((double)list[i]->runs);
    points->x[i] = cost_of(list[i], memory);
    points->y[i] = mean;
    points->low[i] = mean - spread;
    points->high[i] = mean + spread;
    snprintf(points->names[i], sizeof points->names[i], "M = %.0f", ent_experiment_features(list[i]));
    points->labels[i] = points->names[i];
  }
  return (ent_series){.name = ent_compare_method_name(method),
                      .count = count,
                      .x = points->x,
                      .y = points->y,
                      .low = points->low,
                      .high = points->high,
                      .labels = points->labels,
                      .dashed = method == ENT_COMPARE_PRINTED,
                      .look = (size_t)method + 1};
}

static void add_chart(ent_page *page, const entropic_comparison *comparison, bool memory, const char *title,
                      const char *what) {
  const ent_experiments *experiments = &comparison->experiments;
  ent_series series[ENT_COMPARE_METHODS + 1];
  size_t count = 0;
  ent_cost_points *points = ent_new(page->text.context, ENT_COMPARE_METHODS, sizeof *points);
  char full[256];
  if (points == NULL) {
    page->text.status = ENTROPIC_NO_MEMORY;
    return;
  }
  for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
    series[count] = series_of(experiments, method, memory, &points[method]);
    count += series[count].count > 0;
  }
  series[count++] = (ent_series){.name = "the best so far", .frontier = true};
  snprintf(full, sizeof full, "%s, tuned: error against %s", title, memory ? "memory" : "training time");
  ent_page_chart(
      page, &(ent_chart){.title = full,
                         .x = {.title = memory ? "bytes of a lifted row" : "training time, ms", .logarithmic = true},
                         .y = {.title = what, .logarithmic = true},
                         .series = series,
                         .series_count = count,
                         .shared_legend = true});
  ent_delete(points);
}

/* The tuned experiment with the least error among those that cost no more; NULL if there is none. */
static const ent_experiment *best_within(const ent_experiments *experiments, double cost, bool memory,
                                         bool (*wanted)(ent_compare_method method)) {
  const ent_experiment *best = NULL;
  for (size_t i = 0; i < experiments->sized; i++) {
    const ent_experiment *experiment = &experiments->list[i];
    if (experiment->request.tuned && wanted(experiment->request.method) && cost_of(experiment, memory) <= cost &&
        (best == NULL || ent_experiment_mean(experiment) < ent_experiment_mean(best)))
      best = experiment;
  }
  return best;
}

static bool any_method(ent_compare_method method) {
  (void)method;
  return true;
}

static bool is_baseline(ent_compare_method method) {
  return !ent_compare_method_is_ours(method);
}

static bool is_entropy(ent_compare_method method) {
  return method == ENT_COMPARE_ENTROPY;
}

static bool is_selected(ent_compare_method method) {
  return method == ENT_COMPARE_RESIDUAL;
}

/* Budgets: 1, 3, 10, ... from the cheapest experiment to the dearest. Rows without non-zeros cost no memory: the first
 * budget has them, too. */
static size_t list_budgets(const ent_experiments *experiments, bool memory, size_t most, double *budgets) {
  double least = INFINITY, largest = 0;
  size_t count = 0;
  for (size_t i = 0; i < experiments->sized; i++)
    if (experiments->list[i].request.tuned && cost_of(&experiments->list[i], memory) > 0) {
      least = fmin(least, cost_of(&experiments->list[i], memory));
      largest = fmax(largest, cost_of(&experiments->list[i], memory));
    }
  if (!(least > 0 && largest >= least))
    return 0;
  for (int step = (int)floor(2 * log10(least)); count < most; step++) {
    double budget = (step % 2 == 0 ? 1 : 3) * pow(10, floor(step / 2.0));
    if (budget >= least)
      budgets[count++] = budget;
    if (budget >= largest)
      break;
  }
  return count;
}

#define CELL_TEXT 96

static void fill_cell(const ent_experiment *best, char text[CELL_TEXT], ent_table_cell *cell) {
  char shown[ENT_SHOWN_NUMBER];
  *cell = (ent_table_cell){.value = NAN};
  if (best == NULL)
    return;
  *cell = (ent_table_cell){.value = ent_experiment_mean(best), .text = text};
  ent_show_number(cell->value, 3, shown);
  if (ent_compare_method_is_exact(best->request.method))
    snprintf(text, CELL_TEXT, "%s", shown);
  else
    snprintf(text, CELL_TEXT, "%s, M = %zu", shown, best->request.features);
}

static void add_table(ent_page *page, const entropic_comparison *comparison, bool memory, const char *title) {
  enum { BUDGET, EOF_ERROR, SELECT_ERROR, BASELINE, WHICH, BEST, COLUMNS, MOST = 20 };
  const ent_table_column columns[COLUMNS] = {
      {.title = memory ? "bytes of a lifted row, at most" : "training time, at most, ms", .digits = 1},
      {.title = "EOF", .digits = 3},
      {.title = "EOF-select", .digits = 3},
      {.title = "best baseline", .digits = 3},
      {.title = "which", .text = true},
      {.title = "best of all", .text = true}};
  static bool (*const wanted[])(ent_compare_method method) = {is_entropy, is_selected, is_baseline, any_method};
  double budgets[MOST];
  ent_table_cell cells[MOST * COLUMNS] = {{0}};
  char texts[MOST * COLUMNS][CELL_TEXT], name[256];
  size_t count = list_budgets(&comparison->experiments, memory, MOST, budgets);
  for (size_t i = 0; i < count; i++) {
    ent_table_cell *row = cells + i * COLUMNS;
    row[BUDGET].value = budgets[i];
    for (size_t k = 0; k < 3; k++)
      fill_cell(best_within(&comparison->experiments, budgets[i], memory, wanted[k]), texts[i * COLUMNS + k],
                &row[EOF_ERROR + k]);
    const ent_experiment *baseline = best_within(&comparison->experiments, budgets[i], memory, is_baseline);
    const ent_experiment *best = best_within(&comparison->experiments, budgets[i], memory, any_method);
    row[WHICH].text = baseline == NULL ? "" : ent_compare_method_name(baseline->request.method);
    row[BEST].text = best == NULL ? "" : ent_compare_method_name(best->request.method);
  }
  snprintf(name, sizeof name, "%s: the least error for equal %s", title, memory ? "memory" : "time");
  ent_page_table(page,
                 &(ent_table){.title = name,
                              .note = "Of each method, the best number of features within the budget. A cell is empty "
                                      "if none is.",
                              .columns = columns,
                              .column_count = COLUMNS,
                              .cells = cells,
                              .rows = count});
}

void ent_comparison_frontier_intro(ent_page *page) {
  ent_page_paragraph(
      page, "Equal numbers of features are not equal costs. Here errors are plotted against the training time, on one "
            "thread, and against the bytes of a lifted row: 8 for each value or, if that is less, 12 for each non-zero "
            "with its column. The grey line is the best error of all methods up to that cost. Where one of ours is not "
            "on it, another method does better at the same cost.");
}

void ent_comparison_frontier(ent_page *page, const entropic_comparison *comparison, const char *title,
                             const char *what) {
  double load = ent_experiments_load(&comparison->experiments);
  ent_page_panels_start(page);
  add_chart(page, comparison, false, title, what);
  add_chart(page, comparison, true, title, what);
  ent_page_panels_end(page);
  add_table(page, comparison, false, title);
  add_table(page, comparison, true, title);
  if (load >= ENT_LOADED) {
    char note[256], shown[ENT_SHOWN_NUMBER];
    snprintf(
        note, sizeof note,
        "The machine was not idle while times were measured: other work kept %s processors busy on average. Do not "
        "trust these times.",
        ent_show_fixed(load, 1, shown));
    ent_page_note(page, note);
  }
}

static int by_cost(const void *a, const void *b) {
  const ent_experiment *first = *(const ent_experiment *const *)a, *second = *(const ent_experiment *const *)b;
  double x = cost_of(first, false), y = cost_of(second, false);
  return (x > y) - (x < y);
}

void ent_comparison_frontier_json(ent_json *json, const entropic_comparison *comparison) {
  const ent_experiments *experiments = &comparison->experiments;
  const ent_experiment **list = ent_new(json->text->context, experiments->sized, sizeof(const ent_experiment *));
  size_t count = 0;
  double best = INFINITY;
  if (list == NULL) {
    json->text->status = ENTROPIC_NO_MEMORY;
    return;
  }
  for (size_t i = 0; i < experiments->sized; i++)
    if (experiments->list[i].request.tuned && experiments->list[i].times.count > 0)
      list[count++] = &experiments->list[i];
  qsort(list, count, sizeof *list, by_cost);
  ent_json_open_list(json, "frontier");
  for (size_t i = 0; i < count; i++) {
    double error = ent_experiment_mean(list[i]);
    if (!(error < best))
      continue;
    best = error;
    ent_json_open_object(json, NULL);
    ent_json_add_text(json, "name", ent_compare_method_name(list[i]->request.method));
    ent_json_add_number(json, "features", ent_experiment_features(list[i]));
    ent_json_add_number(json, "train_seconds", ent_experiment_seconds(list[i], ENT_DURATION_TRAIN, 0.5));
    ent_json_add_number(json, "error", error);
    ent_json_close(json);
  }
  ent_json_close(json);
  ent_delete(list);
}
