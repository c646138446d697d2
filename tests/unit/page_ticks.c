/* Axes: what they span and where their ticks stand. */
#include "unit/reporting.h"

#include "page/ticks.h"

/* What a label says, read without the code that wrote it. */
static double label_value(const char *label) {
  char plain[64], *p = plain;
  bool power = false;
  for (const char *from = label; *from != '\0';) {
    if (strncmp(from, "\xe2\x88\x92", 3) == 0) {
      *p++ = '-';
      from += 3;
    } else if (strncmp(from,
                       "\xc3\x97"
                       "10^",
                       5) == 0 ||
               strncmp(from, "10^", 3) == 0) {
      power = true;
      if (*from == '1')
        *p++ = '1';
      *p++ = 'e';
      from += *from == '1' ? 3 : 5;
    } else if (*from == ',') {
      from++;
    } else {
      *p++ = *from++;
    }
  }
  *p = '\0';
  char *end;
  double value = strtod(plain, &end);
  if (*end != '\0' || (power && strchr(plain, 'e') == NULL))
    return NAN;
  return value;
}

/* 1, 2 or 5 times a power of ten? */
static bool is_round_step(double step) {
  char text[32];
  snprintf(text, sizeof text, "%.6e", step);
  return strncmp(text + 1, ".000000", 7) == 0 && strchr("125", text[0]) != NULL;
}

static size_t count_labelled(const ent_ticks *ticks) {
  size_t count = 0;
  for (size_t i = 0; i < ticks->count; i++)
    count += ticks->tick[i].labelled;
  return count;
}

static void check_ticks(const ent_report_span *span, const ent_ticks *ticks) {
  assert_in_range(ticks->count, 3, ENT_TICKS_MOST);
  assert_in_range(count_labelled(ticks), 3, ticks->count);
  for (size_t i = 0; i < ticks->count; i++) {
    const ent_tick *tick = &ticks->tick[i];
    double place = ent_span_place(span, tick->at);
    assert_true(place >= -1e-6 && place <= 1 + 1e-6);
    assert_true(i == 0 || ticks->tick[i - 1].at < tick->at);
    assert_true(label_value(tick->label) == tick->at);
  }
  for (size_t i = 0; i < ticks->minors; i++) {
    double place = ent_span_place(span, ticks->minor[i]);
    assert_true(place >= -1e-6 && place <= 1 + 1e-6);
    assert_true(i == 0 || ticks->minor[i - 1] < ticks->minor[i]);
  }
}

static ent_report_span span_of(bool logarithmic, double a, double b, bool zero) {
  ent_report_span span;
  ent_span_start(&span, logarithmic);
  ent_span_add(&span, a);
  ent_span_add(&span, b);
  ent_span_finish(&span, zero);
  assert_true(span.low < span.high);
  return span;
}

/* Any two numbers, of any size, close together or far apart. */
static void random_ends(entropic_random *random, bool positive, double ends[2]) {
  double size = pow(10, -305 + 610 * entropic_random_uniform(random));
  if (entropic_random_below(random, 2) == 0)
    size = pow(10, -8 + 16 * entropic_random_uniform(random));
  double width = pow(10, -14 + 17 * entropic_random_uniform(random));
  ends[0] = size * (positive || entropic_random_below(random, 2) == 0 ? 1 : -1);
  ends[1] = entropic_random_below(random, 4) == 0 ? -ends[0] * width : ends[0] * (1 + width);
  if (positive)
    ends[1] = fabs(ends[1]);
}

static void linear_ticks_are_few_and_round(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(7, 0);
  for (int i = 0; i < 6000; i++) {
    double ends[2];
    random_ends(&random, false, ends);
    ent_report_span span = span_of(false, ends[0], ends[1], i % 2);
    ent_ticks ticks;
    ent_ticks_make(&span, &ticks);
    check_ticks(&span, &ticks);
    double size = fmax(fabs(span.low), fabs(span.high));
    for (size_t t = 1; t < ticks.count; t++)
      if (size < 1e4 * (span.high - span.low)) /* else the difference has lost its digits */
        assert_true(is_round_step(ticks.tick[t].at - ticks.tick[t - 1].at));
    for (size_t e = 0; e < 2; e++)
      if (ent_span_fits(&span, ends[e]))
        assert_true(span.low <= ends[e] && ends[e] <= span.high);
  }
}

static void logarithmic_ticks_are_few_and_round(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(8, 0);
  for (int i = 0; i < 6000; i++) {
    double ends[2];
    random_ends(&random, true, ends);
    if (i % 3 == 0)
      ends[1] = ends[0] * pow(10, 30 * entropic_random_uniform(&random));
    ent_report_span span = span_of(true, ends[0], ends[1], false);
    ent_ticks ticks;
    ent_ticks_make(&span, &ticks);
    assert_true(span.low > 0);
    check_ticks(&span, &ticks);
    double decades = log10(span.high) - log10(span.low);
    if (decades >= 4.5 && decades < 7) /* each power of ten, and eight minor ones between two of them */
      for (size_t t = 1; t < ticks.count; t++)
        assert_close(log10(ticks.tick[t].at) - log10(ticks.tick[t - 1].at), 1, 1e-9);
  }
}

static void assert_labels(ent_report_span span, const char *expected) {
  ent_ticks ticks;
  char all[512] = "";
  ent_ticks_make(&span, &ticks);
  for (size_t i = 0; i < ticks.count; i++)
    if (ticks.tick[i].labelled)
      snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", *all ? " " : "", ticks.tick[i].label);
  assert_string_equal(all, expected);
}

static void labels_read_well(void **state) {
  (void)state;
  assert_labels((ent_report_span){false, 0, 1}, "0.0 0.2 0.4 0.6 0.8 1.0");
  assert_labels((ent_report_span){false, 0, 100}, "0 20 40 60 80 100");
  assert_labels((ent_report_span){false, 0, 0.26}, "0.00 0.05 0.10 0.15 0.20 0.25");
  assert_labels((ent_report_span){false, -1, 1}, "\xe2\x88\x92"
                                                 "1.0 \xe2\x88\x92"
                                                 "0.5 0.0 0.5 1.0");
  assert_labels((ent_report_span){false, 0, 400000}, "0 100,000 200,000 300,000 400,000");
  assert_labels((ent_report_span){false, 0, 3e7}, "0 0.5\xc3\x97"
                                                  "10^7 1.0\xc3\x97"
                                                  "10^7 1.5\xc3\x97"
                                                  "10^7 2.0\xc3\x97"
                                                  "10^7 2.5\xc3\x97"
                                                  "10^7 3.0\xc3\x97"
                                                  "10^7");
  assert_labels((ent_report_span){false, 0, 1e-6}, "0 0.2\xc3\x97"
                                                   "10^\xe2\x88\x92"
                                                   "6 0.4\xc3\x97"
                                                   "10^\xe2\x88\x92"
                                                   "6 0.6\xc3\x97"
                                                   "10^\xe2\x88\x92"
                                                   "6 0.8\xc3\x97"
                                                   "10^\xe2\x88\x92"
                                                   "6 1.0\xc3\x97"
                                                   "10^\xe2\x88\x92"
                                                   "6");
  assert_labels((ent_report_span){true, 0.01, 1000}, "0.01 0.1 1 10 100 1000");
  assert_labels((ent_report_span){true, 0.02, 0.4}, "0.02 0.03 0.05 0.1 0.2 0.3");
  assert_labels((ent_report_span){true, 0.01, 100}, "0.01 0.03 0.1 0.3 1 3 10 30 100");
  assert_labels((ent_report_span){true, 10, 50000}, "10 30 100 300 1000 3000 10,000 30,000");
  assert_labels((ent_report_span){true, 1.05, 5.2}, "1.2 1.5 2 2.5 3 4 5");
  assert_labels((ent_report_span){true, 10, 1e7}, "10^1 10^2 10^3 10^4 10^5 10^6 10^7");
  assert_labels((ent_report_span){true, 1e-6, 1e-3}, "10^\xe2\x88\x92"
                                                     "6 10^\xe2\x88\x92"
                                                     "5 10^\xe2\x88\x92"
                                                     "4 10^\xe2\x88\x92"
                                                     "3");
  assert_labels((ent_report_span){true, 16, 1100}, "20 30 50 100 200 300 500 1000");
  assert_labels((ent_report_span){true, 1.1, 4.5}, "1.2 1.5 2 2.5 3 4");
  assert_labels((ent_report_span){true, 1.1, 1.3}, "1.10 1.12 1.14 1.16 1.18 1.20 1.22 1.24 1.26 1.28 1.30");
  assert_labels((ent_report_span){true, 1e-20, 1e20}, "10^\xe2\x88\x92"
                                                      "20 10^\xe2\x88\x92"
                                                      "10 10^0 10^10 10^20");
}

static void spans_of_little(void **state) {
  (void)state;
  ent_report_span span;
  ent_ticks ticks;
  for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
    ent_span_start(&span, logarithmic);
    const double unfit[] = {NAN, INFINITY, -INFINITY, 1e308, logarithmic ? 0 : -1e308, logarithmic ? -1 : NAN};
    for (size_t i = 0; i < COUNT(unfit); i++) {
      assert_false(ent_span_fits(&span, unfit[i]));
      ent_span_add(&span, unfit[i]);
    }
    assert_true(span.low > span.high);
    ent_span_finish(&span, false);
    ent_ticks_make(&span, &ticks);
    check_ticks(&span, &ticks);
  }
  const double alone[] = {0, 1, -1, 1e-300, 1e300, -1e300, 123456.789, 5e-324};
  for (size_t i = 0; i < COUNT(alone); i++) {
    span = span_of(false, alone[i], alone[i], false);
    assert_true(span.low <= alone[i] && alone[i] <= span.high);
    ent_ticks_make(&span, &ticks);
    check_ticks(&span, &ticks);
  }
  span = span_of(true, 1e-300, 1e300, false);
  ent_ticks_make(&span, &ticks);
  check_ticks(&span, &ticks);
  span = span_of(false, -1e300, 1e300, false);
  ent_ticks_make(&span, &ticks);
  check_ticks(&span, &ticks);
  span = span_of(false, 3, 5, true);
  assert_true(span.low == 0 && span.high > 5);
  span = span_of(false, -3, 5, true);
  assert_true(span.low < -3);
  span = span_of(false, 0, 5, false); /* no room below zero where nothing is below zero */
  assert_true(span.low == 0);
  span = span_of(false, -5, 0, false);
  assert_true(span.high == 0);
}

/* An axis of a chart, as wide as a phone and as a desk have it: three labels at least, one of them in the lowest
 * quarter of a vertical axis, where the best errors are, or the lowest third of one whose labels stand side by side. */
static void drawn_axes_have_labels_at_the_low_end(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(10, 0);
  const struct {
    double length, font;
    bool upright;
  } axes[] = {{225, 12, true}, {340, 13, true}, {300, 12, false}, {640, 13, false}};
  for (int i = 0; i < 4000; i++) {
    double low = pow(10, -4 + 6 * entropic_random_uniform(&random));
    double high = low * pow(10, 0.05 + 3 * entropic_random_uniform(&random));
    ent_report_span span = span_of(true, low, high, false);
    for (size_t a = 0; a < COUNT(axes); a++) {
      ent_ticks ticks;
      ent_ticks_make(&span, &ticks);
      ent_ticks_thin(&span, &ticks, axes[a].length, axes[a].font, axes[a].upright);
      assert_true(count_labelled(&ticks) >= 3);
      size_t first = 0;
      while (!ticks.tick[first].labelled)
        first++;
      double place = ent_span_place(&span, ticks.tick[first].at);
      if (!(place <= (axes[a].upright ? 0.25 : 0.35)))
        fail_msg("%g to %g, axis %zu: the first label, %s, is at %g", low, high, a, ticks.tick[first].label, place);
    }
  }
}

/* Labels that are left do not touch, however short the axis, and one is always left. */
static void thinned_labels_keep_apart(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(9, 0);
  size_t thinned = 0;
  for (int i = 0; i < 4000; i++) {
    double ends[2], length = 20 + 380 * entropic_random_uniform(&random), font = 12, end = -INFINITY;
    bool logarithmic = i % 2, upright = i % 3 == 0;
    random_ends(&random, logarithmic, ends);
    ent_report_span span = span_of(logarithmic, ends[0], ends[1], false);
    ent_ticks ticks;
    ent_ticks_make(&span, &ticks);
    ent_ticks_thin(&span, &ticks, length, font, upright);
    size_t left = 0;
    for (size_t t = 0; t < ticks.count; t++) {
      if (!ticks.tick[t].labelled)
        continue;
      /* 0.5 em a character is less than any label takes. */
      double width = upright ? font : 0.5 * font * ent_label_width(ticks.tick[t].label) / 0.62;
      double at = length * ent_span_place(&span, ticks.tick[t].at);
      assert_true(at - width / 2 > end);
      end = at + width / 2;
      left++;
    }
    assert_true(left >= 1);
    thinned += left < ticks.count;
  }
  assert_true(thinned > 400 && thinned < 3800);
}

SUITE(page_ticks) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_ticks_are_few_and_round),
      cmocka_unit_test(logarithmic_ticks_are_few_and_round),
      cmocka_unit_test(labels_read_well),
      cmocka_unit_test(spans_of_little),
      cmocka_unit_test(thinned_labels_keep_apart),
      cmocka_unit_test(drawn_axes_have_labels_at_the_low_end),
  };
  return cmocka_run_group_tests_name("report_ticks", tests, NULL, NULL);
}
