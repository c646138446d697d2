/* A comparison as charts, table, page and JSON. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "study/paper.h"

#define LOOKS 8 /* of series; those after them look like the first ones, dashed */

/* The points of one method. */
typedef struct ent_points {
  double *x, *y, *low, *high;
} ent_points;

/* Mean errors against sizes, with a standard error on either side. */
static void fill_points(const ent_races *races, ent_baseline baseline, bool tuned, ent_points *points) {
  for (size_t i = 0; i < races->size_count; i++) {
    const ent_race *race = ent_races_find(races, baseline, tuned, races->sizes[i]);
    double mean = ent_race_mean(race), spread = ent_race_deviation(race) / sqrt((double)race->runs);
    points->x[i] = (double)races->sizes[i];
    points->y[i] = mean;
    points->low[i] = mean - spread;
    points->high[i] = mean + spread;
  }
}

static void add_chart(ent_page *page, const ent_races *races, bool tuned, const char *title, const char *what) {
  size_t sizes = races->size_count;
  ent_series series[ENT_BASELINES];
  double *room = ent_new(page->text.context, 4 * sizes * (size_t)ENT_BASELINES, sizeof *room);
  if (room == NULL) {
    page->text.status = ENTROPIC_NO_MEMORY;
    return;
  }
  for (size_t i = 0; i < (size_t)ENT_BASELINES; i++) {
    double *at = room + 4 * sizes * i;
    ent_points points = {at, at + sizes, at + 2 * sizes, at + 3 * sizes};
    fill_points(races, (ent_baseline)i, tuned, &points);
    series[i] = (ent_series){.name = ent_baseline_name((ent_baseline)i),
                             .count = sizes,
                             .x = points.x,
                             .y = points.y,
                             .low = races->runs > 1 ? points.low : NULL,
                             .high = races->runs > 1 ? points.high : NULL,
                             .dashed = i == ENT_BASELINE_PRINTED || i >= LOOKS};
  }
  char full[256];
  snprintf(full, sizeof full, "%s, bandwidths %s", title, tuned ? "tuned" : "by rule");
  ent_page_chart(page, &(ent_chart){.title = full,
                                    .x = {.title = "features", .logarithmic = true},
                                    .y = {.title = what, .logarithmic = true},
                                    .series = series,
                                    .series_count = ENT_BASELINES});
  ent_delete(room);
}

void ent_comparison_charts(ent_page *page, const entropic_comparison *comparison, const char *title, const char *what) {
  ent_page_panels_start(page);
  add_chart(page, &comparison->races, false, title, what);
  add_chart(page, &comparison->races, true, title, what);
  ent_page_panels_end(page);
}

void ent_comparison_table(ent_page *page, const entropic_comparison *comparison, const char *title) {
  enum { METHOD, BANDWIDTH, FEATURES, ERROR, TRAIN, LIFT, NONZEROS, USED, SCALING, COLUMNS };
  static const ent_table_column columns[COLUMNS] = {
      {.title = "method", .text = true},   {.title = "bandwidth", .text = true}, {.title = "features", .fixed = true},
      {.title = "error", .digits = 4},     {.title = "train, ms", .digits = 3},  {.title = "lift, ms", .digits = 3},
      {.title = "non-zeros", .digits = 4}, {.title = "its value", .digits = 3},  {.title = "scale", .text = true}};
  const ent_races *races = &comparison->races;
  ent_table_cell *cells = ent_new(page->text.context, races->grid * COLUMNS, sizeof *cells);
  if (cells == NULL) {
    page->text.status = ENTROPIC_NO_MEMORY;
    return;
  }
  for (size_t i = 0; i < races->grid; i++) {
    const ent_race *race = &races->races[i];
    ent_table_cell *row = cells + i * COLUMNS;
    double spread = ent_race_deviation(race);
    row[METHOD].text = ent_baseline_name(race->request.baseline);
    row[BANDWIDTH].text = race->request.tuned ? "tuned" : "rule";
    row[FEATURES].value = (double)race->request.features;
    row[ERROR] = (ent_table_cell){.value = ent_race_mean(race), .spread = isnan(spread) ? 0 : spread};
    row[TRAIN].value = 1000 * race->train_seconds;
    row[LIFT].value = 1000 * race->lift_seconds;
    row[NONZEROS].value = race->nonzeros;
    row[USED].value = race->bandwidth;
    row[SCALING].text = entropic_scaling_name(ent_race_scaling(race));
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
          .rows = races->grid});
  ent_delete(cells);
}

void ent_json_member(ent_text *text, const char *key, double value) {
  ent_text_format(text, ", \"%s\": ", key);
  ent_text_json_number(text, value);
}

void ent_comparison_json(ent_text *text, const entropic_comparison *comparison) {
  const ent_races *races = &comparison->races;
  ent_text_add(text, "[");
  for (size_t i = 0; i < races->grid; i++) {
    const ent_race *race = &races->races[i];
    ent_text_add(text, i > 0 ? ", {\"name\": " : "{\"name\": ");
    ent_text_json(text, ent_baseline_name(race->request.baseline));
    ent_text_format(text, ", \"tuned\": %s, \"features\": %zu, \"runs\": %zu", race->request.tuned ? "true" : "false",
                    race->request.features, race->runs);
    ent_json_member(text, "error", ent_race_mean(race));
    ent_json_member(text, "sd", ent_race_deviation(race));
    ent_json_member(text, "train_seconds", race->train_seconds);
    ent_json_member(text, "lift_seconds", race->lift_seconds);
    ent_json_member(text, "nonzeros", race->nonzeros);
    ent_json_member(text, "bandwidth", race->bandwidth);
    ent_text_add(text, ", \"scale\": ");
    ent_text_json(text, entropic_scaling_name(ent_race_scaling(race)));
    ent_text_add(text, ", ");
    ent_json_list(text, "errors", race->errors, race->runs, true);
    ent_text_add(text, "}");
  }
  ent_text_add(text, "]");
}

/* The best tuned rival with so many features on the first so many runs. */
static const ent_race *best_baseline(const ent_races *races, size_t size, size_t runs) {
  const ent_race *best = NULL;
  for (ent_baseline baseline = 0; baseline < ENT_BASELINES; baseline++) {
    const ent_race *race = ent_baseline_is_ours(baseline) ? NULL : ent_races_find(races, baseline, true, size);
    if (race != NULL && (best == NULL || ent_race_mean_first(race, runs) < ent_race_mean_first(best, runs)))
      best = race;
  }
  return best;
}

void ent_comparison_ratios_json(ent_text *text, const entropic_comparison *comparison) {
  const ent_races *races = &comparison->races;
  ent_text_add(text, ", \"ratios\": [");
  for (size_t i = 0; i < races->size_count; i++)
    for (ent_baseline ours = ENT_BASELINE_ENTROPY; ours <= ENT_BASELINE_RESIDUAL; ours++) {
      const ent_race *race = ent_races_find(races, ours, true, races->sizes[i]);
      const ent_race *best = best_baseline(races, races->sizes[i], race->runs);
      ent_text_format(text, "%s{\"name\": \"%s\", \"features\": %zu, \"runs\": %zu, \"rival\": \"%s\"",
                      i > 0 || ours > ENT_BASELINE_ENTROPY ? ", " : "", ent_baseline_name(ours), races->sizes[i],
                      race->runs, ent_baseline_name(best->request.baseline));
      ent_json_member(text, "ratio", ent_race_mean(race) / ent_race_mean_first(best, race->runs));
      ent_text_add(text, "}");
    }
  ent_text_add(text, "]");
}

double ent_comparison_ratio(const entropic_comparison *comparison, ent_baseline ours, size_t *wins, size_t *count) {
  const ent_races *races = &comparison->races;
  double sum = 0;
  *wins = *count = 0;
  for (size_t i = 0; i < races->size_count; i++) {
    const ent_race *race = ent_races_find(races, ours, true, races->sizes[i]);
    double error = ent_race_mean(race);
    double best = ent_race_mean_first(best_baseline(races, races->sizes[i], race->runs), race->runs);
    sum += log(error / best);
    *wins += error < best;
    ++*count;
  }
  return exp(sum / (double)*count);
}

entropic_status entropic_comparison_html(entropic_context *context, const entropic_comparison *comparison,
                                         const char *title, const char *path) {
  const char *what = comparison->classes > 0 ? "share of wrong classes" : "RMSE";
  char rows[32], inputs[32], runs[32], selected[ENT_SHOWN_NUMBER], best_first[ENT_SHOWN_NUMBER];
  size_t wins, races;
  snprintf(rows, sizeof rows, "%zu", comparison->rows);
  snprintf(inputs, sizeof inputs, "%zu", comparison->inputs);
  snprintf(runs, sizeof runs, "%zu", comparison->races.runs);
  ent_show_number(ent_comparison_ratio(comparison, ENT_BASELINE_RESIDUAL, &wins, &races), 3, selected);
  ent_show_number(ent_comparison_ratio(comparison, ENT_BASELINE_ENTROPY, &wins, &races), 3, best_first);
  const char *const facts[][2] = {{"rows", rows},
                                  {"inputs", inputs},
                                  {"runs", runs},
                                  {"scale", entropic_scaling_name(comparison->scaling)},
                                  {"EOF / best tuned rival", best_first},
                                  {"EOF-select / best tuned rival", selected}};
  ent_page page;
  ent_text json = {.context = context};
  ent_page_start(
      &page, context, title,
      "Entropic optimal features beside random features and Nystroem, with the same rows, scalings, solver and "
      "tuning. EOF takes the best features of the kernel whatever the data, EOF-select selects them from the data, "
      "EOF-printed is as printed in the source paper. Every method is shown twice: with the bandwidth of that paper's "
      "rule, and tuned on rows kept apart: the best of five bandwidths and, if the scale is auto, of three "
      "scalings: quantile, blend and minmax. By the rule, auto is quantile.");
  ent_page_facts(&page, facts, sizeof facts / sizeof *facts);
  ent_page_section(&page, "Errors");
  ent_comparison_charts(&page, comparison, title, what);
  ent_page_section(&page, "All numbers");
  ent_comparison_table(&page, comparison, title);
  ent_text_add(&json, "{\"methods\": ");
  ent_comparison_json(&json, comparison);
  ent_text_add(&json, "}");
  entropic_status status = json.status;
  if (status == ENTROPIC_OK) {
    ent_page_json(&page, "numbers", json.bytes);
    ent_page_end(&page);
    status = ent_page_save(&page, path);
  }
  ent_text_free(&json);
  ent_page_free(&page);
  return status;
}
