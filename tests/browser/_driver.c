/* Writes a page with samples of all that pages can hold, for the tests that look at it in a browser: _driver FILE. */
#include <math.h>
#include <stdio.h>

#include "page/page.h"

#define METHODS 8
#define SIZES 7
#define CURVE 400
#define MANY ENT_SERIES_LOOKS

static const char *const methods[METHODS] = {"EOF", "EOF-select", "EOF-printed", "RKS",
                                             "ORF", "LKRF",       "EERF",        "Nystr\xc3\xb6m"};

/* Eight methods over seven numbers of features, with error bars, logarithmic both ways. */
static void add_errors(ent_page *page) {
  static double x[SIZES], y[METHODS][SIZES], low[METHODS][SIZES], high[METHODS][SIZES];
  ent_series series[METHODS];
  for (int m = 0; m < METHODS; m++) {
    for (int i = 0; i < SIZES; i++) {
      x[i] = 16 * pow(2, i);
      y[m][i] = (0.5 + 0.12 * m) * pow(x[i], -0.35 + 0.02 * m) + 0.002 * ((m * 7 + i * 5) % 6);
      low[m][i] = y[m][i] * (0.92 - 0.01 * (i % 3));
      high[m][i] = y[m][i] * (1.08 + 0.01 * (m % 3));
    }
    series[m] = (ent_series){
        .name = methods[m], .count = SIZES, .x = x, .y = y[m], .low = low[m], .high = high[m], .dashed = m >= 3};
  }
  y[4][3] = NAN;
  ent_page_chart(page, &(ent_chart){.title = "Test error by number of features; bars are one standard deviation",
                                    .x = {"number of features", .logarithmic = true},
                                    .y = {"test error", .logarithmic = true},
                                    .series = series,
                                    .series_count = METHODS,
                                    .note = "Ten splits each. One run of ORF is missing."});
  ent_page_chart(page, &(ent_chart){.title = "The same on linear axes, three methods",
                                    .x.title = "number of features",
                                    .y = {"test error", .zero = true},
                                    .series = series,
                                    .series_count = 3});
}

/* As many methods as there are looks, and one that keeps its look in a chart of its own. */
static void add_many(ent_page *page) {
  static double x[SIZES], y[MANY][SIZES];
  static char names[MANY][24];
  ent_series series[MANY];
  for (int m = 0; m < MANY; m++) {
    snprintf(names[m], sizeof names[m], m == 5 ? "a longer name of %d" : "method %d", m + 1);
    for (int i = 0; i < SIZES; i++) {
      x[i] = 16 * pow(2, i);
      y[m][i] = 0.02 + 0.38 * pow(0.72, i) * (0.5 + 0.5 * ((m * 5) % MANY) / MANY);
    }
    series[m] = (ent_series){.name = names[m], .count = SIZES, .x = x, .y = y[m]};
  }
  ent_page_chart(page, &(ent_chart){.title = "Sixteen methods",
                                    .x = {"number of features", .logarithmic = true},
                                    .y = {"test error", .logarithmic = true},
                                    .series = series,
                                    .series_count = MANY});
  series[11].look = 12;
  ent_page_chart(page, &(ent_chart){.title = "The twelfth of them alone",
                                    .x = {"number of features", .logarithmic = true},
                                    .y = {"test error", .logarithmic = true},
                                    .series = &series[11],
                                    .series_count = 1});
}

/* Errors against times, and the best of them all up to each time. */
static void add_times(ent_page *page) {
  static double seconds[4][5], errors[4][5];
  static const char *const labels[5] = {"M = 10", "M = 30", "M = 100", "M = 300", NULL};
  ent_series series[5] = {{.name = "best so far", .frontier = true}};
  for (int m = 0; m < 4; m++) {
    for (int i = 0; i < 5; i++) {
      seconds[m][i] = 0.004 * (1 + m) * pow(3.1, i);
      errors[m][i] = (0.3 + 0.08 * ((m * 3) % 4)) * pow(seconds[m][i] / 0.004, -0.3 - 0.05 * m) + 0.02;
    }
    series[m + 1] = (ent_series){
        .name = methods[m], .count = 5, .x = seconds[m], .y = errors[m], .labels = labels, .look = (size_t)m + 1};
  }
  ent_page_chart(page, &(ent_chart){.title = "Error against training time",
                                    .x = {"training time in s", .logarithmic = true},
                                    .y = {"test error", .logarithmic = true},
                                    .series = series,
                                    .series_count = 5,
                                    .note = "Points of one method are joined by the number of features."});
}

/* Curves with a band, small, side by side; one with hardly anything in it. */
static void add_panels(ent_page *page) {
  static double x[CURVE], y[CURVE], low[CURVE], high[CURVE], step[CURVE];
  for (int i = 0; i < CURVE; i++) {
    x[i] = 1e-6 * (i + 1) / CURVE;
    y[i] = i > 150 && i < 170 ? NAN : 2e5 * sin(i * 0.02) * exp(-i * 0.004);
    low[i] = y[i] - 2e4 - 50.0 * i;
    high[i] = y[i] + 2e4 + 50.0 * i;
    step[i] = 1e5 * floor(3 * cos(i * 0.01));
  }
  const ent_series curve = {
      .name = "effect", .count = CURVE, .x = x, .y = y, .low = low, .high = high, .style = ENT_SERIES_CURVE};
  const ent_series steps = {
      .name = "steps", .count = CURVE, .x = x, .y = step, .style = ENT_SERIES_STEPS, .dashed = true};
  const ent_series both[] = {curve, steps};
  const double one[] = {3}, bad_x[] = {1, 10, 100, 1000, 1e4}, bad_y[] = {-1, 0, 5, 8, INFINITY};
  const double bad_low[] = {-2, -1, -1, 4, 1}, bad_high[] = {1, 1, 9, 1e4, 1};
  const ent_series single = {.name = "one point", .count = 1, .x = one, .y = one};
  const ent_series bad = {
      .name = "dots", .count = 5, .x = bad_x, .y = bad_y, .low = bad_low, .high = bad_high, .style = ENT_SERIES_DOTS};
  ent_page_panels_start(page);
  ent_page_chart(page, &(ent_chart){.title = "Small and large numbers",
                                    .x.title = "length in m",
                                    .y.title = "effect on price",
                                    .series = both,
                                    .series_count = 2});
  ent_page_chart(page, &(ent_chart){.title = "One point", .x.title = "x", .series = &single, .series_count = 1});
  ent_page_chart(page, &(ent_chart){.title = "No series", .x = {"x", .logarithmic = true}, .y.title = "y"});
  ent_page_chart(page, &(ent_chart){.title = "Not all above zero",
                                    .x = {"x", .logarithmic = true},
                                    .y = {"y", .logarithmic = true},
                                    .series = &bad,
                                    .series_count = 1});
  ent_page_panels_end(page);
}

static void add_table(ent_page *page) {
  static const ent_table_column columns[] = {
      {.title = "method", .text = true},
      {.title = "features", .digits = 0, .fixed = true},
      {.title = "error", .digits = 4, .fixed = true, .best = ENT_BEST_LOWEST},
      {.title = "AUC", .digits = 3, .best = ENT_BEST_HIGHEST},
      {.title = "training, s", .digits = 3, .best = ENT_BEST_LOWEST},
      {.title = "lifting, s", .digits = 2},
      {.title = "non-zeros", .digits = 3},
      {.title = "remark", .text = true},
  };
  enum { COLUMNS = sizeof columns / sizeof columns[0] };
  ent_table_cell cells[METHODS][COLUMNS] = {{{0}}};
  for (int m = 0; m < METHODS; m++) {
    cells[m][0].text = methods[m];
    cells[m][1].value = m == 2 ? 1024 : 100 * (m + 1);
    cells[m][2] = (ent_table_cell){.value = 0.1234 + 0.01 * ((m * 3) % 8), .spread = 0.0021};
    cells[m][3].value = m == 5 ? NAN : 0.97 - 0.01 * m;
    cells[m][4].value = m == 7 ? 1e-7 : 0.5 * pow(3, (m * 5) % 7);
    cells[m][5].value = m == 6 ? INFINITY : -0.25 * (m - 3);
    cells[m][6].value = m < 3 ? 15 : 1e6 * m;
    cells[m][7].text = m == 3   ? "<script>alert('x')</script> & \"quotes\""
                       : m == 4 ? "item 10"
                       : m == 5 ? "item 9"
                                : "";
  }
  ent_page_table(page,
                 &(ent_table){.title = "All methods at their best",
                              .columns = columns,
                              .column_count = COLUMNS,
                              .cells = cells[0],
                              .rows = METHODS,
                              .note = "Mean and standard deviation of ten splits; the best of each column is marked."});
}

/* Two budgets, each with its own best. */
static void add_budgets(ent_page *page) {
  static const ent_table_column columns[] = {
      {.title = "method", .text = true},
      {.title = "error", .digits = 3, .best = ENT_BEST_LOWEST, .spread = "standard error"},
      {.title = "training, s", .digits = 3}};
  static const ent_table_cell cells[6][3] = {{{.text = "EOF"}, {.value = 0.3, .spread = 0.01}, {.value = 3}},
                                             {{.text = "RKS"}, {.value = 0.4, .spread = 0.02}, {.value = 1}},
                                             {{.text = "ORF"}, {.value = 0.35, .spread = 0.02}, {.value = 2}},
                                             {{.text = "EOF"}, {.value = 0.2, .spread = 0.01}, {.value = 31234}},
                                             {{.text = "RKS"}, {.value = 0.1, .spread = 0.02}, {.value = 12}},
                                             {{.text = "ORF"}, {.value = 0.15, .spread = 0.02}, {.value = 20}}};
  static const size_t groups[6] = {0, 0, 0, 1, 1, 1};
  static const char *const titles[] = {"10 features", "100 features"};
  ent_page_table(page, &(ent_table){.title = "By budget",
                                    .columns = columns,
                                    .column_count = 3,
                                    .cells = cells[0],
                                    .rows = 6,
                                    .groups = groups,
                                    .group_titles = titles});
}

int main(int count, char **arguments) {
  entropic_context *context = NULL;
  static const char *const facts[][2] = {{"rows", "20640"}, {"inputs", "8"}, {"splits", "10"}, {"kernel", "centred"}};
  if (count != 2 || entropic_context_create(&context) != ENTROPIC_OK)
    return 2;
  ent_page page;
  ent_page_start(
      &page, context, "Eight ways to choose features",
      "Entropic features against random ones on the same splits of one table. The error falls with the number "
      "of features for all methods; how fast it falls is what tells them apart.");
  ent_page_facts(&page, facts, 4);
  ent_page_section(&page, "Errors");
  ent_page_paragraph(&page,
                     "Each method was tuned by cross-validation on the training rows alone, and then fitted once "
                     "on all of them.");
  add_errors(&page);
  add_many(&page);
  add_times(&page);
  ent_page_section(&page, "Summary");
  add_table(&page);
  add_budgets(&page);
  ent_page_section(&page, "Inputs");
  add_panels(&page);
  ent_page_note(&page, "Charts of hardly anything are drawn all the same.");
  ent_page_json(&page, "numbers", "{\"title\": \"</script><b>\", \"values\": [1, 2.5, null]}");
  ent_page_foot(&page, &(ent_foot){.date = "2026-11-17",
                                   .command = "entropic compare 'my table.csv' --target y --features 10,30,100,300 "
                                              "--html a-folder/with-a-rather-long-name/comparison.html",
                                   .seeded = true,
                                   .seed = 7});
  ent_page_end(&page);
  entropic_status status = ent_page_save(&page, arguments[1]);
  if (status != ENTROPIC_OK)
    fprintf(stderr, "%s\n", entropic_context_message(context));
  ent_page_free(&page);
  entropic_context_free(context);
  return status == ENTROPIC_OK ? 0 : 1;
}
