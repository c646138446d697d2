/* The rates as charts, a table and JSON. */
#include <math.h>
#include <stdio.h>

#include "study/paper.h"

static const ent_rate *rates_of(const ent_paper *paper, size_t dimension) {
  return paper->rates + dimension * ENT_RATE_RULES;
}

#define SLOPE_TEXT (3 * ENT_SHOWN_NUMBER + 16)

/* "-0.753 (-0.791 to -0.715)". */
static const char *show_slope(const ent_slope *slope, char text[SLOPE_TEXT]) {
  char shown[3][ENT_SHOWN_NUMBER];
  ent_show_fixed(slope->slope, 3, shown[0]);
  if (isnan(slope->low))
    snprintf(text, SLOPE_TEXT, "%s", shown[0]);
  else
    snprintf(text, SLOPE_TEXT, "%s (%s to %s)", shown[0], ent_show_fixed(slope->low, 3, shown[1]),
             ent_show_fixed(slope->high, 3, shown[2]));
  return text;
}

/* All rules for one number of inputs, and the bound. */
static void add_chart(ent_page *page, const ent_rate *rates) {
  ent_series series[ENT_RATE_RULES + 1];
  char names[ENT_RATE_RULES][SLOPE_TEXT + 64], shown[SLOPE_TEXT], title[64];
  double low[ENT_RATE_RULES][ENT_RATE_MOST], high[ENT_RATE_RULES][ENT_RATE_MOST];
  for (size_t i = 0; i < ENT_RATE_RULES; i++) {
    const ent_rate *r = &rates[i];
    snprintf(names[i], sizeof names[i], "%s: slope %s", ent_rate_rule_name(r->rule), show_slope(&r->all, shown));
    for (size_t k = 0; k < r->count; k++) {
      low[i][k] = r->risk[k] - r->spread[k];
      high[i][k] = r->risk[k] + r->spread[k];
    }
    series[i] =
        (ent_series){.name = names[i], .count = r->count, .x = r->rows, .y = r->risk, .low = low[i], .high = high[i]};
  }
  const ent_rate *main = &rates[ENT_RATE_FOURTH];
  series[ENT_RATE_RULES] = (ent_series){.name = "bound for M = 2 N^(1/4), through its first point",
                                        .count = main->count,
                                        .x = main->rows,
                                        .y = main->bound,
                                        .style = ENT_SERIES_CURVE,
                                        .dashed = true};
  snprintf(title, sizeof title, "%zu input%s", main->inputs, main->inputs == 1 ? "" : "s");
  ent_page_chart(page, &(ent_chart){.title = title,
                                    .x = {.title = "rows, N", .logarithmic = true},
                                    .y = {.title = "excess risk", .logarithmic = true},
                                    .series = series,
                                    .series_count = ENT_RATE_RULES + 1});
}

static void add_table(ent_page *page, const ent_paper *paper) {
  enum { INPUTS, FEATURES, SLOPE, LATE, COLUMNS };
  static const ent_table_column columns[COLUMNS] = {{.title = "inputs", .fixed = true},
                                                    {.title = "features", .text = true},
                                                    {.title = "slope (95 % interval)"},
                                                    {.title = "slope of the last half of the points"}};
  ent_table_cell cells[ENT_PAPER_RATES * COLUMNS] = {{0}};
  char shown[ENT_PAPER_RATES][2][SLOPE_TEXT];
  for (size_t i = 0; i < ENT_PAPER_RATES; i++) {
    const ent_rate *r = &paper->rates[i];
    ent_table_cell *row = cells + i * COLUMNS;
    row[INPUTS].value = (double)r->inputs;
    row[FEATURES].text = ent_rate_rule_name(r->rule);
    row[SLOPE] = (ent_table_cell){.text = show_slope(&r->all, shown[i][0]), .value = r->all.slope};
    row[LATE] = (ent_table_cell){.text = show_slope(&r->late, shown[i][1]), .value = r->late.slope};
  }
  ent_page_table(page, &(ent_table){.title = "Slopes of log risk against log rows",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .rows = ENT_PAPER_RATES});
}

/* What the slopes with many inputs mean: whether they reach -1/2, and from which N on the bound falls at all. */
static void add_verdict(ent_page *page, const ent_paper *paper) {
  for (size_t d = 0; d < ENT_RATE_DIMENSIONS; d++) {
    const ent_rate *r = &rates_of(paper, d)[ENT_RATE_FOURTH];
    char text[1024], shown[2][SLOPE_TEXT], from[ENT_SHOWN_NUMBER], start[2 * SLOPE_TEXT + 96];
    snprintf(start, sizeof start, "%zu input%s: the slope is %s, over the last half of the points %s", r->inputs,
             r->inputs == 1 ? "" : "s", show_slope(&r->all, shown[0]), show_slope(&r->late, shown[1]));
    double falls = ent_rate_bound_falls_from(r->inputs);
    if (r->all.slope <= -0.5 && r->late.slope <= -0.5)
      snprintf(text, sizeof text, "%s: at least as steep as the -1/2 that theory promises for the worst function.%s",
               start,
               r->inputs == 1 ? " This one is a sum of kernels, smoother than the worst: its error falls as "
                                "M^-3 and not M^-2, which gives -3/4."
                              : "");
    else if (falls <= r->rows[0])
      snprintf(text, sizeof text,
               "%s. Where that is flatter than -1/2, the logarithms of the bound still count at so many rows.", start);
    else
      snprintf(text, sizeof text,
               "%s. This is no evidence for the rate of -1/2, nor against it. With %zu inputs the bound has the factor "
               "M^-2 log^%zu M, which falls only from N = %s on: the logarithms outweigh the power in %s of N that "
               "is measured here.",
               start, r->inputs, 3 * (r->inputs - 1), ent_show_number(falls, 2, from),
               falls > r->rows[r->count - 1] ? "all of the range" : "the first part of the range");
    ent_page_note(page, text);
  }
}

void ent_paper_add_rates(ent_page *page, const ent_paper *paper) {
  if (paper->rates[0].count == 0)
    return;
  ent_page_section(page, "How fast the error falls");
  ent_page_paragraph(
      page, "A known function with noise, learnt from N rows with M = 2 N^(1/4) features and lambda = N^(-1/2) / 100. "
            "Theory promises an excess risk of N^(-1/2), up to logarithms. Controls learn from the same rows: with "
            "4 N^(1/8) features or always 8, which must be worse in the end, and with as many random features. The "
            "dashed line is the bound with its logarithms, M^-2 log^(3(D-1)) M + N^(-1/2), drawn through the first "
            "point.");
  ent_page_paragraph(
      page, "Each run has its own line by least squares through log risk against log N; the slope is the mean over "
            "the runs, its interval Student's at 95 %. The interval is about the noise of the runs. It does not say "
            "that the points lie on a line; the slope of the last half of the points shows whether they do.");
  ent_page_panels_start(page);
  for (size_t d = 0; d < ENT_RATE_DIMENSIONS; d++)
    add_chart(page, rates_of(paper, d));
  ent_page_panels_end(page);
  add_verdict(page, paper);
  add_table(page, paper);
}

static void add_slope(ent_json *json, const ent_slope *slope) {
  ent_json_add_number(json, "slope", slope->slope);
  ent_json_add_number(json, "low", slope->low);
  ent_json_add_number(json, "high", slope->high);
}

void ent_paper_rates_json(ent_json *json, const ent_paper *paper) {
  ent_json_line(json);
  ent_json_open_list(json, "rates");
  for (size_t i = 0; i < ENT_PAPER_RATES; i++) {
    const ent_rate *r = &paper->rates[i];
    if (r->count == 0)
      continue;
    ent_json_line(json);
    ent_json_open_object(json, NULL);
    ent_json_add_integer(json, "inputs", r->inputs);
    ent_json_add_text(json, "method", r->rule == ENT_RATE_RANDOM ? "RKS" : "EOF");
    ent_json_add_text(json, "rule", ent_rate_rule_name(r->rule));
    ent_json_add_integer(json, "runs", r->runs);
    add_slope(json, &r->all);
    ent_json_open_object(json, "late");
    add_slope(json, &r->late);
    ent_json_close(json);
    ent_json_add_numbers(json, "rows", r->rows, r->count);
    ent_json_add_numbers(json, "features", r->features, r->count);
    ent_json_add_numbers(json, "risk", r->risk, r->count);
    ent_json_add_numbers(json, "spread", r->spread, r->count);
    ent_json_add_numbers(json, "bound", r->bound, r->count);
    ent_json_open_list(json, "risks");
    for (size_t k = 0; k < r->count; k++)
      ent_json_add_numbers(json, NULL, r->risks[k], r->runs);
    ent_json_close(json);
    ent_json_close(json);
  }
  ent_json_close(json);
}
