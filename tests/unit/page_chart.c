/* Charts: sound whatever the data, the same bytes each time, and with the data where they belong. */
#include "unit/reporting.h"

#include "base/memory.h"
#include "page/parts.h"

#define MOST 12

static char *chart_text(const ent_chart *chart, bool narrow_only) {
  ent_text text = {0};
  ent_write_chart(&text, chart, narrow_only);
  assert_sound(&text);
  return text.bytes;
}

/* Numbers that make trouble, and some that do not. */
static double odd_number(entropic_random *random) {
  static const double odd[] = {NAN,    INFINITY, -INFINITY, 0, -0.0, 1e308, -1e308, 5e-324,
                               1e-300, 1e300,    1,         1, -1,   2,     1e6};
  size_t count = COUNT(odd);
  size_t number = entropic_random_below(random, count + 6);
  return number < count ? odd[number] : 100 * entropic_random_normal(random);
}

static void any_data_make_sound_charts(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(11, 0);
  static double numbers[4][4][MOST];
  for (int round = 0; round < 400; round++) {
    ent_series series[4];
    bool tame = round % 3 == 0;
    for (int s = 0; s < 4; s++) {
      for (int k = 0; k < 4; k++)
        for (int i = 0; i < MOST; i++)
          numbers[s][k][i] = tame ? exp(3 * entropic_random_normal(&random)) : odd_number(&random);
      bool bars = entropic_random_below(&random, 2);
      series[s] = (ent_series){.name = entropic_random_below(&random, 3) == 0 ? NULL : "a<b & \"c\"\xff",
                               .count = entropic_random_below(&random, MOST + 1),
                               .x = numbers[s][0],
                               .y = numbers[s][1],
                               .low = bars ? numbers[s][2] : NULL,
                               .high = bars ? numbers[s][3] : NULL,
                               .style = (ent_series_style)entropic_random_below(&random, 4),
                               .dashed = entropic_random_below(&random, 2),
                               .look = entropic_random_below(&random, 40),
                               .frontier = entropic_random_below(&random, 5) == 0};
    }
    const ent_chart chart = {.title = "t<i>tle",
                             .note = round % 2 ? "note" : NULL,
                             .x = {"x & y", entropic_random_below(&random, 2), entropic_random_below(&random, 2)},
                             .y = {round % 5 ? "y" : NULL, entropic_random_below(&random, 2), round % 7 == 0},
                             .series = series,
                             .series_count = entropic_random_below(&random, 5)};
    char *first = chart_text(&chart, false), *second = chart_text(&chart, false);
    assert_string_equal(first, second);
    ent_delete(first);
    ent_delete(second);
  }
}

/* Every coordinate of the data lies within the drawing: its error bars, too. */
static void data_lie_within_the_axes(void **state) {
  (void)state;
  const double x[] = {1, 2, 3}, y[] = {10, 20, 15}, low[] = {-40, NAN, 14}, high[] = {11, 90, NAN};
  const ent_series series = {.name = "s", .count = 3, .x = x, .y = y, .low = low, .high = high};
  const ent_chart chart = {.series = &series, .series_count = 1};
  char *text = chart_text(&chart, true);
  assert_int_equal(count_of(text, "class=\"e\""), 3);
  assert_int_equal(count_of(text, "class=\"m\""), 4); /* one in the legend */
  size_t checked = 0;
  for (const char *p = text; (p = strstr(p, "class=\"e\" d=\"M")) != NULL; p++) {
    double at[3];
    assert_int_equal(sscanf(p, "class=\"e\" d=\"M%lf %lfV%lf", &at[0], &at[1], &at[2]), 3);
    assert_true(at[0] > 0 && at[0] < 360);
    for (int i = 1; i < 3; i++)
      assert_true(at[i] >= 10 && at[i] <= 260);
    checked++;
  }
  assert_int_equal(checked, 3);
  ent_delete(text);
}

/* A chart of two points, whose places can be computed from where the labels of the axis stand. */
static void points_stand_where_labels_say(void **state) {
  (void)state;
  for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
    const double x[] = {10, 100, 1000}, y[] = {1, 10, 100};
    const ent_series series = {.name = "s", .count = 3, .x = x, .y = y};
    const ent_chart chart = {
        .x.logarithmic = logarithmic, .y.logarithmic = logarithmic, .series = &series, .series_count = 1};
    char *text = chart_text(&chart, true);
    double label_x, label_y, point_x = 0, point_y = 0;
    const char *label = strstr(text, ">100</text></g>\n<g class=\"x\">");
    assert_non_null(label);
    while (strncmp(label, "<text", 5) != 0)
      label--;
    assert_int_equal(sscanf(label, "<text x=\"%lf\" y=\"%lf\"", &label_x, &label_y), 2);
    const char *circle = NULL;
    for (const char *p = text; (p = strstr(p, "<circle")) != NULL; p++)
      circle = p; /* the last point, whose y is 100 */
    assert_non_null(circle);
    assert_int_equal(sscanf(circle, "<circle class=\"h\" r=\"9\" cx=\"%lf\" cy=\"%lf\"", &point_x, &point_y), 2);
    assert_close(point_y, label_y - 0.35 * 12, 0.011);
    assert_true(point_x > label_x);
    ent_delete(text);
  }
}

static void gaps_and_steps(void **state) {
  (void)state;
  const double x[] = {0, 1, 2, 3, 4}, y[] = {1, 2, NAN, 3, 3};
  ent_series series = {.count = 5, .x = x, .y = y, .style = ENT_SERIES_CURVE};
  const ent_chart chart = {.series = &series, .series_count = 1};
  char *text = chart_text(&chart, true);
  const char *line = strstr(text, "class=\"l\" d=\"");
  assert_non_null(line);
  assert_int_equal(count_of(line, "M"), 2);
  assert_int_equal(count_of(line, "L"), 2);
  assert_null(strstr(text, "<ul"));
  assert_null(strstr(text, "class=\"m\""));
  ent_delete(text);
  series.style = ENT_SERIES_STEPS;
  text = chart_text(&chart, true);
  line = strstr(text, "class=\"l\" d=\"");
  assert_int_equal(count_of(line, "H"), 2);
  assert_int_equal(count_of(line, "V"), 2);
  ent_delete(text);
  series.count = 1; /* a single point of a curve is a dot */
  text = chart_text(&chart, true);
  assert_non_null(strstr(strstr(text, "class=\"l\" d=\""), "h0\""));
  ent_delete(text);
}

static void notes_say_what_is_missing(void **state) {
  (void)state;
  const double x[] = {0, 1, 10, 100, 1000}, y[] = {1, -1, 5, INFINITY, 7}, low[] = {1, 1, -1, 1, 6},
               high[] = {2, 2, 6, 2, 8};
  const ent_series series = {
      .name = "s", .count = 5, .x = x, .y = y, .low = low, .high = high, .style = ENT_SERIES_DOTS};
  ent_chart chart = {.x.logarithmic = true, .y.logarithmic = true, .series = &series, .series_count = 1, .note = "N."};
  char *text = chart_text(&chart, true);
  assert_non_null(strstr(text, ">2 points are not above zero"));
  assert_non_null(strstr(text, ">1 point is too large"));
  assert_non_null(strstr(text, ">1 error bar reaches zero"));
  assert_non_null(strstr(text, ">N.<"));
  ent_delete(text);
  chart.x.logarithmic = chart.y.logarithmic = false;
  text = chart_text(&chart, true);
  assert_null(strstr(text, "above zero"));
  assert_null(strstr(text, "error bar"));
  assert_non_null(strstr(text, ">1 point is too large"));
  ent_delete(text);
  text = chart_text(&(ent_chart){.title = "nothing"}, false);
  assert_int_equal(count_of(text, ">no data<"), 2);
  ent_delete(text);
}

static void tips_tell_numbers(void **state) {
  (void)state;
  const double x[] = {1e-6}, y[] = {0.123456}, low[] = {0.1}, high[] = {0.2};
  const ent_series series = {.name = "<EOF>", .count = 1, .x = x, .y = y, .low = low, .high = high, .dashed = true};
  const ent_chart chart = {.x.title = "size", .y.title = "error", .series = &series, .series_count = 1};
  char *text = chart_text(&chart, true);
  assert_non_null(strstr(text, "<title>&lt;EOF&gt;\nsize: 1e-6\nerror: 0.1235 (0.1000 to 0.2000)</title>"));
  assert_int_equal(count_of(text, "class=\"s s0 d\""), 2);
  ent_delete(text);
}

/* The marker of each entry of the legend, from where the pen is: a copy, to be freed. */
static char *marker_of_entry(const char *text, size_t entry) {
  const char *p = strstr(text, "<ul");
  assert_non_null(p);
  for (size_t i = 0; i <= entry; i++) {
    p = strstr(p + 1, "class=\"m\" d=\"M15 6");
    assert_non_null(p);
  }
  return strndup(p, strcspn(p, ">"));
}

static void series_look_different(void **state) {
  (void)state;
  const double x[] = {1, 2}, y[] = {3, 4};
  ent_series series[ENT_SERIES_LOOKS + 1];
  char *markers[ENT_SERIES_LOOKS + 1], class[32];
  for (size_t s = 0; s <= ENT_SERIES_LOOKS; s++)
    series[s] = (ent_series){.name = "s", .count = 2, .x = x, .y = y};
  char *text = chart_text(&(ent_chart){.series = series, .series_count = ENT_SERIES_LOOKS + 1}, true);
  for (size_t s = 0; s <= ENT_SERIES_LOOKS; s++) {
    markers[s] = marker_of_entry(text, s);
    snprintf(class, sizeof class, "class=\"s s%zu\"", s % ENT_SERIES_LOOKS);
    assert_int_equal(count_of(text, class), s % ENT_SERIES_LOOKS == 0 ? 4 : 2); /* in the drawing and in the legend */
    for (size_t before = 0; before < s; before++)
      assert_int_equal(strcmp(markers[before], markers[s]) == 0, s == ENT_SERIES_LOOKS && before == 0);
  }
  ent_delete(text);
  series[0].look = 12; /* wherever it stands */
  text = chart_text(&(ent_chart){.series = series, .series_count = 1}, true);
  char *marker = marker_of_entry(text, 0);
  assert_string_equal(marker, markers[11]);
  assert_int_equal(count_of(text, "class=\"s s11\""), 2);
  free(marker);
  for (size_t s = 0; s <= ENT_SERIES_LOOKS; s++)
    free(markers[s]);
  ent_delete(text);
}

/* The places of a frontier's path: where it begins, and each step. */
static size_t frontier_steps(const char *text, double at[][2], size_t most) {
  const char *p = strstr(text, "<g class=\"s f\"><path class=\"l\" d=\"M");
  if (p == NULL)
    return 0;
  p = strchr(p, 'M') + 1;
  assert_int_equal(sscanf(p, "%lf %lf", &at[0][0], &at[0][1]), 2);
  size_t count = 1;
  for (p = strchr(p, 'H'); p != NULL && count < most; count++) {
    int used = 0;
    at[count][1] = at[count - 1][1];
    assert_true(sscanf(p, "H%lfV%lf%n", &at[count][0], &at[count][1], &used) >= 1);
    if (used == 0)
      return count + 1;
    p += used;
  }
  return count;
}

/* Out of order, with points that are no better, a gap, two of one x: only the best so far are on it. */
static void frontiers_take_the_best(void **state) {
  (void)state;
  const double x[] = {4, 1, 2, 2, 3, NAN, 5, 6}, y[] = {3, 8, 7, 5, 6, 1, INFINITY, 3};
  const double more_x[] = {5}, more_y[] = {2};
  double at[8][2];
  ent_series series[] = {{.name = "a", .count = 8, .x = x, .y = y},
                         {.name = "b", .count = 1, .x = more_x, .y = more_y},
                         {.name = "best so far", .frontier = true}};
  const ent_chart chart = {.series = series, .series_count = 3};
  char *text = chart_text(&chart, true);
  assert_int_equal(frontier_steps(text, at, 8), 5); /* 1, 2, 4 and 5, then the right end */
  for (size_t i = 1; i < 5; i++)
    assert_true(at[i][0] > at[i - 1][0] && (i == 4 ? at[i][1] == at[i - 1][1] : at[i][1] > at[i - 1][1]));
  assert_true(strstr(text, "class=\"s f\"") < strstr(text, "class=\"s s0\"")); /* behind the others */
  assert_int_equal(count_of(text, "class=\"s f\""), 2);
  assert_int_equal(count_of(strstr(text, "<ul"), "class=\"m\""), 2);
  ent_delete(text);
  series[2] = (ent_series){.frontier = true, .count = 8, .x = x, .y = y}; /* of its own points */
  text = chart_text(&chart, true);
  assert_int_equal(frontier_steps(text, at, 8), 4);
  ent_delete(text);
  series[0].count = series[1].count = series[2].count = 0;
  text = chart_text(&chart, true);
  assert_int_equal(frontier_steps(text, at, 8), 0);
  ent_delete(text);
}

static void labels_and_alternatives(void **state) {
  (void)state;
  const double x[] = {10, 20}, y[] = {0.5, 0.25};
  const char *const labels[] = {"M = <80>", NULL};
  const ent_series series = {.name = "EOF", .count = 2, .x = x, .y = y, .labels = labels};
  char *text = chart_text(
      &(ent_chart){.title = "T", .x.title = "seconds", .y.title = "error", .series = &series, .series_count = 1}, true);
  assert_non_null(strstr(text, "<title>EOF\nM = &lt;80&gt;\nseconds: 10\nerror: 0.5000</title>"));
  assert_non_null(strstr(text, "<title>EOF\nseconds: 20\nerror: 0.2500</title>"));
  assert_non_null(strstr(text, "role=\"img\" aria-label=\"T. error against seconds; EOF: lowest 0.250 at 20.0.\""));
  ent_delete(text);
}

SUITE(page_chart) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_data_make_sound_charts),    cmocka_unit_test(data_lie_within_the_axes),
      cmocka_unit_test(points_stand_where_labels_say), cmocka_unit_test(gaps_and_steps),
      cmocka_unit_test(notes_say_what_is_missing),     cmocka_unit_test(tips_tell_numbers),
      cmocka_unit_test(series_look_different),         cmocka_unit_test(frontiers_take_the_best),
      cmocka_unit_test(labels_and_alternatives),
  };
  return cmocka_run_group_tests_name("report_chart", tests, NULL, NULL);
}
