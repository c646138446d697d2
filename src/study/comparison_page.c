/* A comparison as charts, table, page and JSON. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "study/paper.h"

/* The points of one method. */
typedef struct ent_points {
  double *x, *y, *low, *high;
} ent_points;

/* Mean errors against sizes, with a standard error on either side. */
static void fill_points(const ent_experiments *experiments, ent_compare_method method, bool tuned, size_t count,
                        ent_points *points) {
  for (size_t i = 0; i < count; i++) {
    size_t size = i < experiments->size_count ? experiments->sizes[i] : experiments->large[i - experiments->size_count];
    const ent_experiment *experiment = ent_experiments_find(experiments, method, tuned, size);
    double mean = ent_experiment_mean(experiment),
           spread = ent_experiment_deviation(experiment) / sqrt((double)experiment->runs);
    points->x[i] = (double)size;
    points->y[i] = mean;
    points->low[i] = mean - spread;
    points->high[i] = mean + spread;
  }
}

/* Exact kernel ridge has no number of features: a line across the chart. */
static ent_series series_of_exact(const ent_experiments *experiments, ent_points *points) {
  const ent_experiment *exact = ent_experiments_find(experiments, ENT_COMPARE_EXACT, true, 0);
  if (exact == NULL || exact->runs == 0)
    return (ent_series){0};
  size_t last = experiments->size_count - 1;
  points->x[0] = (double)experiments->sizes[0];
  points->x[1] = (double)(experiments->large_count > 0 ? experiments->large[experiments->large_count - 1]
                                                       : experiments->sizes[last]);
  points->y[0] = points->y[1] = ent_experiment_mean(exact);
  return (ent_series){.name = ent_compare_method_name(ENT_COMPARE_EXACT),
                      .count = 2,
                      .x = points->x,
                      .y = points->y,
                      .style = ENT_SERIES_CURVE,
                      .dashed = true,
                      .look = (size_t)ENT_COMPARE_EXACT + 1};
}

static void add_chart(ent_page *page, const ent_experiments *experiments, bool tuned, const char *title,
                      const char *what) {
  size_t sizes = experiments->size_count + (tuned ? experiments->large_count : 0), room_sizes = sizes > 2 ? sizes : 2;
  ent_series series[ENT_COMPARE_METHODS];
  double *room = ent_new(page->text.context, 4 * room_sizes * (size_t)ENT_COMPARE_METHODS, sizeof *room);
  size_t count = 0;
  if (room == NULL) {
    page->text.status = ENTROPIC_NO_MEMORY;
    return;
  }
  for (size_t i = 0; i < (size_t)ENT_COMPARE_METHODS; i++) {
    double *at = room + 4 * room_sizes * i;
    ent_points points = {at, at + room_sizes, at + 2 * room_sizes, at + 3 * room_sizes};
    if (ent_compare_method_is_exact((ent_compare_method)i)) {
      series[count] = tuned ? series_of_exact(experiments, &points) : (ent_series){0};
      count += series[count].count > 0;
      continue;
    }
    fill_points(experiments, (ent_compare_method)i, tuned, sizes, &points);
    series[count] = (ent_series){.name = ent_compare_method_name((ent_compare_method)i),
                                 .count = sizes,
                                 .x = points.x,
                                 .y = points.y,
                                 .low = experiments->runs > 1 ? points.low : NULL,
                                 .high = experiments->runs > 1 ? points.high : NULL,
                                 .dashed = i == ENT_COMPARE_PRINTED,
                                 .look = i + 1};
    count++;
  }
  char full[256];
  snprintf(full, sizeof full, "%s, bandwidths %s", title, tuned ? "tuned" : "by rule");
  ent_page_chart(page, &(ent_chart){.title = full,
                                    .note = experiments->runs > 1 ? "Bars: one standard error of the mean." : NULL,
                                    .x = {.title = "features", .logarithmic = true},
                                    .y = {.title = what, .logarithmic = true},
                                    .series = series,
                                    .series_count = count,
                                    .shared_legend = true});
  ent_delete(room);
}

void ent_comparison_charts(ent_page *page, const entropic_comparison *comparison, const char *title, const char *what) {
  ent_page_panels_start(page);
  add_chart(page, &comparison->experiments, false, title, what);
  add_chart(page, &comparison->experiments, true, title, what);
  ent_page_panels_end(page);
}

/* The group of an experiment in tables: its number of features, so that only equal budgets are compared. */
static size_t group_of(const ent_experiments *experiments, const ent_request *request) {
  size_t i = 0;
  while (i < experiments->size_count && experiments->sizes[i] != request->features)
    i++;
  for (size_t k = 0; i == experiments->size_count && k < experiments->large_count; k++)
    if (experiments->large[k] == request->features)
      return i + k;
  return i < experiments->size_count ? i : i + experiments->large_count;
}

enum { METHOD, BANDWIDTH, FEATURES, ERROR, TRAIN, LIFT, NONZEROS, KERNEL, USED, SCALING, COLUMNS };

static void fill_row(const ent_experiment *experiment, ent_table_cell *row) {
  double spread = ent_experiment_deviation(experiment) / sqrt((double)experiment->runs);
  double train = 1000 * ent_experiment_seconds(experiment, ENT_DURATION_TRAIN, 0.5);
  double quartiles = 1000 * (ent_experiment_seconds(experiment, ENT_DURATION_TRAIN, 0.75) -
                             ent_experiment_seconds(experiment, ENT_DURATION_TRAIN, 0.25));
  row[METHOD].text = ent_compare_method_name(experiment->request.method);
  row[BANDWIDTH].text = experiment->request.tuned ? "tuned" : "rule";
  row[FEATURES].value =
      experiment->request.features > 0 ? (double)experiment->request.features : ent_experiment_features(experiment);
  row[ERROR] = (ent_table_cell){.value = ent_experiment_mean(experiment), .spread = isnan(spread) ? 0 : spread};
  row[TRAIN] = (ent_table_cell){.value = train, .spread = isnan(quartiles) ? 0 : quartiles / 2};
  row[LIFT].value = 1000 * ent_experiment_seconds(experiment, ENT_DURATION_LIFT, 0.5);
  row[NONZEROS].value = ent_experiment_nonzeros(experiment);
  row[KERNEL].text = ent_experiment_kernel(experiment);
  row[USED].value = ent_experiment_bandwidth(experiment);
  row[SCALING].text = entropic_scaling_name(ent_experiment_scaling(experiment));
}

void ent_comparison_table(ent_page *page, const entropic_comparison *comparison, const char *title) {
  static const ent_table_column columns[COLUMNS] = {
      {.title = "method", .text = true},
      {.title = "bandwidth", .text = true},
      {.title = "features", .fixed = true},
      {.title = "error", .digits = 4, .best = ENT_BEST_LOWEST, .spread = "standard error"},
      {.title = "train, ms", .digits = 3, .spread = "half the interquartile range"},
      {.title = "lift, ms", .digits = 3},
      {.title = "non-zeros", .digits = 4},
      {.title = "kernel", .text = true},
      {.title = "omega or sigma", .digits = 3},
      {.title = "scale", .text = true}};
  const ent_experiments *experiments = &comparison->experiments;
  ent_table_cell *cells = ent_new(page->text.context, experiments->sized * COLUMNS, sizeof *cells);
  size_t *groups = ent_new(page->text.context, experiments->sized, sizeof *groups);
  char full[256];
  if (cells == NULL || groups == NULL) {
    page->text.status = ENTROPIC_NO_MEMORY;
    goto done;
  }
  for (size_t i = 0; i < experiments->sized; i++) {
    fill_row(&experiments->list[i], cells + i * COLUMNS);
    groups[i] = group_of(experiments, &experiments->list[i].request);
  }
  snprintf(full, sizeof full, "%s: all methods and sizes", title);
  ent_page_table(
      page,
      &(ent_table){
          .title = full,
          .note =
              "Error: mean over the runs; the smallest for each number of features is marked. Times: medians on one "
              "thread, with the methods taking turns. Training makes the features and solves for the weights. "
              "Non-zeros: of a lifted row. Kernel and scale: the most frequent of the runs.",
          .columns = columns,
          .column_count = COLUMNS,
          .cells = cells,
          .groups = groups,
          .rows = experiments->sized});
done:
  ent_delete(groups);
  ent_delete(cells);
}

entropic_status ent_comparison_html(entropic_context *context, const entropic_comparison *comparison,
                                    const ent_study_names *names, const char *path) {
  const char *title = names->title;
  const ent_foot foot = {.date = names->date, .command = names->command, .seeded = true, .seed = names->seed};
  const char *what = comparison->classes > 0 ? "share of wrong classes" : "RMSE";
  char rows[32], inputs[32], runs[32], selected[ENT_SHOWN_NUMBER], best_first[ENT_SHOWN_NUMBER];
  size_t wins, sizes;
  snprintf(rows, sizeof rows, "%zu", comparison->rows);
  snprintf(inputs, sizeof inputs, "%zu", comparison->inputs);
  snprintf(runs, sizeof runs, "%zu", comparison->experiments.runs);
  ent_show_number(ent_comparison_ratio(comparison, ENT_COMPARE_RESIDUAL, &wins, &sizes), 3, selected);
  ent_show_number(ent_comparison_ratio(comparison, ENT_COMPARE_ENTROPY, &wins, &sizes), 3, best_first);
  const char *const facts[][2] = {{"target", names->target},
                                  {"rows", rows},
                                  {"inputs", inputs},
                                  {"runs", runs},
                                  {"scale", entropic_scaling_name(comparison->scaling)},
                                  {"EOF / best tuned baseline", best_first},
                                  {"EOF-select / best tuned baseline", selected}};
  ent_page page;
  ent_text numbers = {.context = context};
  ent_json json = {.text = &numbers, .in_page = true};
  char heading[512];
  snprintf(heading, sizeof heading, "%s: kinds of features compared", title);
  ent_page_start(
      &page, context, heading,
      "Entropic optimal features (EOF) against random features and Nystroem. All methods have the same rows, "
      "scalings, solver and tuning.");
  ent_page_facts(&page, facts, sizeof facts / sizeof *facts);
  ent_page_section(&page, "Errors");
  ent_page_paragraph(
      &page, "EOF takes the best features of the kernel without looking at the data. EOF-select selects features "
             "from the data. EOF-printed has the features as printed in the source paper. EOF-inset has the same "
             "features, with the inputs scaled away from the faces of the cube.");
  ent_page_paragraph(&page,
                     "Every method is shown with the bandwidth of that paper's rule and with a tuned one: the best of "
                     "five on validation rows, or of more if the best is the last of the five. If the scale is auto, "
                     "tuning also chooses between the scalings quantile, blend and minmax; by the rule, auto means "
                     "quantile.");
  ent_comparison_charts(&page, comparison, title, what);
  ent_page_section(&page, "Equal time, equal memory");
  ent_comparison_frontier_intro(&page);
  ent_comparison_frontier(&page, comparison, title, what);
  ent_page_section(&page, "Paired differences");
  ent_comparison_pairs_intro(&page);
  ent_comparison_pairs(&page, comparison, title);
  ent_page_section(&page, "All numbers");
  ent_comparison_table(&page, comparison, title);
  ent_page_foot(&page, &foot);
  ent_json_open_object(&json, NULL);
  ent_comparison_json(&json, comparison);
  ent_json_close(&json);
  return ent_study_page_save(&page, &numbers, path);
}

entropic_status ent_study_page_save(ent_page *page, ent_text *json, const char *path) {
  entropic_status status = json->status;
  if (status != ENTROPIC_OK)
    goto done;
  ent_page_json(page, "numbers", json->bytes);
  ent_page_end(page);
  status = ent_page_save(page, path);
done:
  ent_text_free(json);
  ent_page_free(page);
  return status;
}
