/* A comparison as charts, table, page and JSON. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "study/paper.h"

#define LOOKS 8 /* of series; later ones have the looks of the first, dashed */

/* The points of one method. */
typedef struct ent_points {
  double *x, *y, *low, *high;
} ent_points;

/* Mean errors against sizes, with a standard error on either side. */
static void fill_points(const ent_experiments *experiments, ent_compare_method method, bool tuned, ent_points *points) {
  for (size_t i = 0; i < experiments->size_count; i++) {
    const ent_experiment *experiment = ent_experiments_find(experiments, method, tuned, experiments->sizes[i]);
    double mean = ent_experiment_mean(experiment),
           spread = ent_experiment_deviation(experiment) / sqrt((double)experiment->runs);
    points->x[i] = (double)experiments->sizes[i];
    points->y[i] = mean;
    points->low[i] = mean - spread;
    points->high[i] = mean + spread;
  }
}

static void add_chart(ent_page *page, const ent_experiments *experiments, bool tuned, const char *title,
                      const char *what) {
  size_t sizes = experiments->size_count;
  ent_series series[ENT_COMPARE_METHODS];
  double *room = ent_new(page->text.context, 4 * sizes * (size_t)ENT_COMPARE_METHODS, sizeof *room);
  if (room == NULL) {
    page->text.status = ENTROPIC_NO_MEMORY;
    return;
  }
  for (size_t i = 0; i < (size_t)ENT_COMPARE_METHODS; i++) {
    double *at = room + 4 * sizes * i;
    ent_points points = {at, at + sizes, at + 2 * sizes, at + 3 * sizes};
    fill_points(experiments, (ent_compare_method)i, tuned, &points);
    series[i] = (ent_series){.name = ent_compare_method_name((ent_compare_method)i),
                             .count = sizes,
                             .x = points.x,
                             .y = points.y,
                             .low = experiments->runs > 1 ? points.low : NULL,
                             .high = experiments->runs > 1 ? points.high : NULL,
                             .dashed = i == ENT_COMPARE_PRINTED || i >= LOOKS};
  }
  char full[256];
  snprintf(full, sizeof full, "%s, bandwidths %s", title, tuned ? "tuned" : "by rule");
  ent_page_chart(page, &(ent_chart){.title = full,
                                    .x = {.title = "features", .logarithmic = true},
                                    .y = {.title = what, .logarithmic = true},
                                    .series = series,
                                    .series_count = ENT_COMPARE_METHODS});
  ent_delete(room);
}

void ent_comparison_charts(ent_page *page, const entropic_comparison *comparison, const char *title, const char *what) {
  ent_page_panels_start(page);
  add_chart(page, &comparison->experiments, false, title, what);
  add_chart(page, &comparison->experiments, true, title, what);
  ent_page_panels_end(page);
}

void ent_comparison_table(ent_page *page, const entropic_comparison *comparison, const char *title) {
  enum { METHOD, BANDWIDTH, FEATURES, ERROR, TRAIN, LIFT, NONZEROS, USED, SCALING, COLUMNS };
  static const ent_table_column columns[COLUMNS] = {
      {.title = "method", .text = true},   {.title = "bandwidth", .text = true}, {.title = "features", .fixed = true},
      {.title = "error", .digits = 4},     {.title = "train, ms", .digits = 3},  {.title = "lift, ms", .digits = 3},
      {.title = "non-zeros", .digits = 4}, {.title = "its value", .digits = 3},  {.title = "scale", .text = true}};
  const ent_experiments *experiments = &comparison->experiments;
  ent_table_cell *cells = ent_new(page->text.context, experiments->grid * COLUMNS, sizeof *cells);
  if (cells == NULL) {
    page->text.status = ENTROPIC_NO_MEMORY;
    return;
  }
  for (size_t i = 0; i < experiments->grid; i++) {
    const ent_experiment *experiment = &experiments->list[i];
    ent_table_cell *row = cells + i * COLUMNS;
    double spread = ent_experiment_deviation(experiment);
    row[METHOD].text = ent_compare_method_name(experiment->request.method);
    row[BANDWIDTH].text = experiment->request.tuned ? "tuned" : "rule";
    row[FEATURES].value = (double)experiment->request.features;
    row[ERROR] = (ent_table_cell){.value = ent_experiment_mean(experiment), .spread = isnan(spread) ? 0 : spread};
    row[TRAIN].value = 1000 * experiment->train_seconds;
    row[LIFT].value = 1000 * experiment->lift_seconds;
    row[NONZEROS].value = experiment->nonzeros;
    row[USED].value = experiment->bandwidth;
    row[SCALING].text = entropic_scaling_name(ent_experiment_scaling(experiment));
  }
  ent_page_table(
      page,
      &(ent_table){
          .title = title,
          .note = "Error: mean and standard deviation over the runs. Times: the least of the runs timed, one "
                  "thread: to train is to make the features and to solve for the weights. Non-zeros of a lifted row. "
                  "Scale: that of the inputs in most runs.",
          .columns = columns,
          .column_count = COLUMNS,
          .cells = cells,
          .rows = experiments->grid});
  ent_delete(cells);
}

void ent_json_member(ent_text *text, const char *key, double value) {
  ent_text_format(text, ", \"%s\": ", key);
  ent_text_json_number(text, value);
}

void ent_comparison_json(ent_text *text, const entropic_comparison *comparison) {
  const ent_experiments *experiments = &comparison->experiments;
  ent_text_add(text, "[");
  for (size_t i = 0; i < experiments->grid; i++) {
    const ent_experiment *experiment = &experiments->list[i];
    ent_text_add(text, i > 0 ? ", {\"name\": " : "{\"name\": ");
    ent_text_json(text, ent_compare_method_name(experiment->request.method));
    ent_text_format(text, ", \"tuned\": %s, \"features\": %zu, \"runs\": %zu",
                    experiment->request.tuned ? "true" : "false", experiment->request.features, experiment->runs);
    ent_json_member(text, "error", ent_experiment_mean(experiment));
    ent_json_member(text, "sd", ent_experiment_deviation(experiment));
    ent_json_member(text, "train_seconds", experiment->train_seconds);
    ent_json_member(text, "lift_seconds", experiment->lift_seconds);
    ent_json_member(text, "nonzeros", experiment->nonzeros);
    ent_json_member(text, "bandwidth", experiment->bandwidth);
    ent_text_add(text, ", \"scale\": ");
    ent_text_json(text, entropic_scaling_name(ent_experiment_scaling(experiment)));
    ent_text_add(text, ", ");
    ent_json_list(text, "errors", experiment->errors, experiment->runs, true);
    ent_text_add(text, "}");
  }
  ent_text_add(text, "]");
}

/* The best tuned baseline with so many features, on the first so many runs. */
static const ent_experiment *best_baseline(const ent_experiments *experiments, size_t size, size_t runs) {
  const ent_experiment *best = NULL;
  for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
    const ent_experiment *experiment =
        ent_compare_method_is_ours(method) ? NULL : ent_experiments_find(experiments, method, true, size);
    if (experiment != NULL &&
        (best == NULL || ent_experiment_mean_first(experiment, runs) < ent_experiment_mean_first(best, runs)))
      best = experiment;
  }
  return best;
}

void ent_comparison_ratios_json(ent_text *text, const entropic_comparison *comparison) {
  const ent_experiments *experiments = &comparison->experiments;
  ent_text_add(text, ", \"ratios\": [");
  for (size_t i = 0; i < experiments->size_count; i++)
    for (ent_compare_method ours = ENT_COMPARE_ENTROPY; ours <= ENT_COMPARE_RESIDUAL; ours++) {
      const ent_experiment *experiment = ent_experiments_find(experiments, ours, true, experiments->sizes[i]);
      const ent_experiment *best = best_baseline(experiments, experiments->sizes[i], experiment->runs);
      ent_text_format(text, "%s{\"name\": \"%s\", \"features\": %zu, \"runs\": %zu, \"rival\": \"%s\"",
                      i > 0 || ours > ENT_COMPARE_ENTROPY ? ", " : "", ent_compare_method_name(ours),
                      experiments->sizes[i], experiment->runs, ent_compare_method_name(best->request.method));
      ent_json_member(text, "ratio",
                      ent_experiment_mean(experiment) / ent_experiment_mean_first(best, experiment->runs));
      ent_text_add(text, "}");
    }
  ent_text_add(text, "]");
}

double ent_comparison_ratio(const entropic_comparison *comparison, ent_compare_method ours, size_t *wins,
                            size_t *count) {
  const ent_experiments *experiments = &comparison->experiments;
  double sum = 0;
  *wins = *count = 0;
  for (size_t i = 0; i < experiments->size_count; i++) {
    const ent_experiment *experiment = ent_experiments_find(experiments, ours, true, experiments->sizes[i]);
    double error = ent_experiment_mean(experiment);
    double best = ent_experiment_mean_first(best_baseline(experiments, experiments->sizes[i], experiment->runs),
                                            experiment->runs);
    sum += log(error / best);
    *wins += error < best;
    ++*count;
  }
  return exp(sum / (double)*count);
}

entropic_status ent_comparison_html(entropic_context *context, const entropic_comparison *comparison, const char *title,
                                    const char *path) {
  const char *what = comparison->classes > 0 ? "share of wrong classes" : "RMSE";
  char rows[32], inputs[32], runs[32], selected[ENT_SHOWN_NUMBER], best_first[ENT_SHOWN_NUMBER];
  size_t wins, sizes;
  snprintf(rows, sizeof rows, "%zu", comparison->rows);
  snprintf(inputs, sizeof inputs, "%zu", comparison->inputs);
  snprintf(runs, sizeof runs, "%zu", comparison->experiments.runs);
  ent_show_number(ent_comparison_ratio(comparison, ENT_COMPARE_RESIDUAL, &wins, &sizes), 3, selected);
  ent_show_number(ent_comparison_ratio(comparison, ENT_COMPARE_ENTROPY, &wins, &sizes), 3, best_first);
  const char *const facts[][2] = {{"rows", rows},
                                  {"inputs", inputs},
                                  {"runs", runs},
                                  {"scale", entropic_scaling_name(comparison->scaling)},
                                  {"EOF / best tuned baseline", best_first},
                                  {"EOF-select / best tuned baseline", selected}};
  ent_page page;
  ent_text json = {.context = context};
  ent_page_start(
      &page, context, title,
      "Entropic optimal features beside random features and Nystroem, with the same rows, scalings, solver and "
      "tuning. EOF takes the best features of the kernel whatever the data, EOF-select selects them from the data, "
      "EOF-printed is as printed in the source paper. Every method is shown twice: with the bandwidth of that paper's "
      "rule, and tuned on validation rows: the best of five bandwidths and, if the scale is auto, of three "
      "scalings: quantile, blend and minmax. By the rule, auto is quantile.");
  ent_page_facts(&page, facts, sizeof facts / sizeof *facts);
  ent_page_section(&page, "Errors");
  ent_comparison_charts(&page, comparison, title, what);
  ent_page_section(&page, "All numbers");
  ent_comparison_table(&page, comparison, title);
  ent_text_add(&json, "{\"methods\": ");
  ent_comparison_json(&json, comparison);
  ent_text_add(&json, "}");
  return ent_study_page_save(&page, &json, path);
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
