/* Dates: the calendar against the C library's, what is none, columns of them, and models of them. */
#include <time.h>

#include "columns/date.h"
#include "unit/lifting.h"
#include "dataset/dataset.h"

static double days_of(const char *text) {
  double days = NAN;
  assert_true(ent_parse_date(text, strlen(text), ENT_DATE_YEAR, &days));
  return days;
}

/* Every day of four centuries, and some of all others, as timegm counts them; and back. */
static void the_calendar(void **state) {
  (void)state;
  for (long day = -719528; day <= 2932896; day += day > -80000 && day < 70000 ? 1 : 97) {
    time_t seconds = day * 86400;
    struct tm parts;
    char text[64], again[ENT_DATE_SIZE];
    assert_non_null(gmtime_r(&seconds, &parts));
    snprintf(text, sizeof text, "%04d-%02d-%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
    assert_true(days_of(text) == (double)day);
    assert_string_equal(ent_format_date((double)day, again), text);
  }
}

static void times(void **state) {
  (void)state;
  char text[ENT_DATE_SIZE];
  assert_true(days_of("1970-01-01") == 0);
  assert_true(days_of("1970-01-01T00:00Z") == 0);
  assert_true(days_of("1970-01-02 12:00") == 1.5);
  assert_true(days_of("1970-01-02 6:00") == 1.25);
  assert_true(days_of("1970-01-02 06:00:00 PM") == 1.75);
  assert_true(days_of("1969-12-31T18:00:00") == -0.25);
  assert_true(days_of("2000-02-29 23:59:59.5Z") == 11016 + 86399.5 / 86400);
  assert_true(days_of("1970-01-01 00:00:00.12345678901234567890") == days_of("1970-01-01 00:00:00.123456789012345"));
  for (long second = 0; second < 86400; second += 7) {
    char time[64];
    snprintf(time, sizeof time, "2024-02-29T%02ld:%02ld:%02ld", second / 3600, second / 60 % 60, second % 60);
    assert_true(days_of(time) == 19782 + (double)second / 86400);
    time[second == 0 ? 10 : 19] = '\0';
    assert_string_equal(ent_format_date(days_of(time), text), time);
  }
  assert_string_equal(ent_format_date(-1e-9, text), "1970-01-01");
}

static void what_is_no_date(void **state) {
  (void)state;
  static const char *const others[] = {"",
                                       "2020",
                                       "2020-01-1",
                                       "20-01-01",
                                       "20200101",
                                       "2020-00-01",
                                       "2020-13-01",
                                       "2020-01-00",
                                       "2020-01-32",
                                       "2020-04-31",
                                       "2021-02-29",
                                       "1900-02-29",
                                       "2020-01-01T",
                                       "2020-01-01Z",
                                       "2020-01-01T1:00",
                                       "2020-01-01T24:00",
                                       "2020-01-01T23:60",
                                       "2020-01-01T23:59:60",
                                       "2020-01-01T23:59:",
                                       "2020-01-01T23:59:59.",
                                       "2020-01-01T23:59ZZ",
                                       "2020-01-01  23:59",
                                       "2020-01-01t23:59",
                                       " 2020-01-01",
                                       "2020-01-01 ",
                                       "-2020-01-01",
                                       "2020-01-01x",
                                       "2020-1",
                                       "1234-05",
                                       "2020-13",
                                       "2020/01/01/",
                                       "2020/01-01",
                                       "01/02/2020",
                                       "31.12.2020",
                                       "2020-01-01T23:59+1:00",
                                       "2020-01-01T23:59+01:60",
                                       "2020-01-01T23:59+15:00",
                                       "2020-01-01+01:00",
                                       "2020-01-01T11:59 PM",
                                       "Jan 2020",
                                       "Jan 012020",
                                       "32 Jan 2020",
                                       "31 Feb 2020",
                                       "31 Foo 2020",
                                       "31 Dec 20"};
  double days;
  for (size_t i = 0; i < COUNT(others); i++)
    if (ent_parse_date(others[i], strlen(others[i]), ENT_DATE_YEAR, &days))
      fail_msg("'%s' is taken for a date", others[i]);
  assert_false(ent_parse_date("2020-01-01", 9, ENT_DATE_YEAR, &days)); /* the rest is not looked at */
}

static double days_by(ent_date_order order, const char *text) {
  double days = NAN;
  return ent_parse_date(text, strlen(text), order, &days) ? days : (double)NAN;
}

/* Every tenth day of a century in each way to write it, against strftime of the C library. */
static void ways_to_write(void **state) {
  (void)state;
  static const struct {
    const char *format;
    ent_date_order order;
  } learners[] = {{"%Y-%m-%d", ENT_DATE_YEAR},  {"%Y/%m/%d", ENT_DATE_YEAR},  {"%Y.%m.%d", ENT_DATE_YEAR},
                  {"%d.%m.%Y", ENT_DATE_DAY},   {"%d/%m/%Y", ENT_DATE_DAY},   {"%d-%m-%Y", ENT_DATE_DAY},
                  {"%m/%d/%Y", ENT_DATE_MONTH}, {"%m-%d-%Y", ENT_DATE_MONTH}, {"%b %d %Y", ENT_DATE_YEAR},
                  {"%d %b %Y", ENT_DATE_YEAR},  {"%d-%b-%Y", ENT_DATE_YEAR},  {"%B %d, %Y", ENT_DATE_YEAR},
                  {"%d %B %Y", ENT_DATE_YEAR},  {"%d%b%Y", ENT_DATE_YEAR},    {"%Y-%m-%d", ENT_DATE_DAY},
                  {"%d %b %Y", ENT_DATE_MONTH}};
  for (long day = -20000; day < 20000; day += 11)
    for (size_t i = 0; i < COUNT(learners); i++) {
      time_t seconds = day * 86400;
      struct tm parts;
      char text[64];
      assert_non_null(gmtime_r(&seconds, &parts));
      assert_true(strftime(text, sizeof text, learners[i].format, &parts) > 0);
      if (!(days_by(learners[i].order, text) == (double)day))
        fail_msg("'%s' is %g, expected %ld", text, days_by(learners[i].order, text), day);
    }
  assert_true(days_by(ENT_DATE_YEAR, "1970-02") == 31);
  assert_true(days_by(ENT_DATE_DAY, "1.2.1970") == 31);
  assert_true(days_by(ENT_DATE_MONTH, "1/2/1970") == 1);
  assert_true(isnan(days_by(ENT_DATE_MONTH, "12.31.2020")));
  assert_true(isnan(days_by(ENT_DATE_MONTH, "31/12/2020")));
  assert_true(isnan(days_by(ENT_DATE_DAY, "12/31/2020")));
}

/* The clock as written, whatever zone stands behind it; and with the zone taken off, whatever way that is written. */
static void zones(void **state) {
  (void)state;
  static const char *const same[] = {"1970-01-02T12:00:00+00:00", "1970-01-02T12:00:00Z",
                                     "1970-01-02 13:00+01",       "1970-01-02T13:00:00+0100",
                                     "1970-01-02 07:00:00-05:00", "1970-01-02T17:30:00.000+05:30",
                                     "1970-01-02 12:00:00 +0000", "1970-01-02 12:00:00 UTC",
                                     "2 Jan 1970 12:00 PM",       "1970/1/2 12:00",
                                     "Jan 2, 1970 7:00 AM -0500"};
  for (size_t i = 0; i < COUNT(same); i++) {
    double days = NAN, clock = NAN, zone = NAN;
    bool read = ent_parse_instant(same[i], strlen(same[i]), ENT_DATE_YEAR, &days);
    if (!read || !(days == 1.5))
      fail_msg("'%s' is %.17g in UTC, expected 1.5", same[i], days);
    const char *sign = strpbrk(same[i] + 14, "+-");
    assert_true(ent_parse_date(same[i], strlen(same[i]), ENT_DATE_YEAR, &clock));
    assert_true(sign == NULL || ent_parse_zone(sign, strlen(sign), &zone));
    assert_true(fabs(clock - days - (sign == NULL ? 0 : zone / 86400)) <= 1e-15);
  }
  double zone;
  assert_true(ent_parse_zone("-0330", 5, &zone) && zone == -12600);
  assert_true(ent_parse_zone("Z", 1, &zone) && zone == 0);
  assert_false(ent_parse_zone("Europe/Berlin", 13, &zone));
  assert_false(ent_parse_zone("", 0, &zone));
}

/* Names of zones change nothing; where the zone matters they are none. */
static void zones_by_name(void **state) {
  (void)state;
  static const char *const named[] = {
      "1970-01-02T12:00:00 CET",        "1970-01-02 12:00 AEST",
      "1970-01-02 12:00 Europe/Berlin", "1970-01-02T12:00[America/Argentina/Buenos_Aires]",
      "1970-01-02T12:00+02:00[CET]",    "2 Jan 1970 12:00 PM EST",
      "1970-01-02 12:00:00 -0500 EST",  "1970-01-02 12:00 Etc/GMT+5"};
  static const char *const wrong[] = {"1970-01-02T12:00 PM",     "1970-01-02T12:00CET",      "1970-01-02 12:00 cet",
                                      "1970-01-02 12:00 ABCDEF", "1970-01-02 12:00 Europe/", "1970-01-02 12:00 [CET",
                                      "1970-01-02 CET",          "1970-01-02 12:00 CET ",    "1970-01-02T12:00+02:0"};
  double days;
  for (size_t i = 0; i < COUNT(named); i++) {
    if (!ent_parse_date(named[i], strlen(named[i]), ENT_DATE_YEAR, &days) || !(days == 1.5))
      fail_msg("'%s' is not 1.5 days", named[i]);
    assert_true(ent_date_has_zone_name(named[i], strlen(named[i])));
    assert_false(ent_parse_instant(named[i], strlen(named[i]), ENT_DATE_YEAR, &days));
  }
  for (size_t i = 0; i < COUNT(wrong); i++)
    if (ent_parse_date(wrong[i], strlen(wrong[i]), ENT_DATE_YEAR, &days))
      fail_msg("'%s' is taken for a date", wrong[i]);
  static const char *const none[] = {"1970-01-02",
                                     "1970-01-02 12:00 UTC",
                                     "1970-01-02 12:00Z",
                                     "1970/01/02 12:00",
                                     "1970-01-02 12:00 PM",
                                     "2 Jan 1970",
                                     "1970-01-02T12:00Z[UTC]",
                                     "",
                                     "CET"};
  for (size_t i = 0; i < COUNT(none); i++)
    assert_false(ent_date_has_zone_name(none[i], strlen(none[i])));
}

static void clocks(void **state) {
  (void)state;
  double seconds;
  for (int second = 0; second < 86400; second += 7) {
    char text[64];
    snprintf(text, sizeof text, "%02d:%02d:%02d", second / 3600, second / 60 % 60, second % 60);
    assert_true(ent_parse_clock(text, strlen(text), &seconds) && seconds == second);
    int hour = second / 3600 % 12;
    snprintf(text, sizeof text, "%d:%02d %s", hour == 0 ? 12 : hour, second / 60 % 60, second < 43200 ? "am" : "PM");
    assert_true(ent_parse_clock(text, strlen(text), &seconds) && seconds == second - second % 60);
  }
  assert_true(ent_parse_clock("0:00:00.25", 10, &seconds) && seconds == 0.25);
  static const char *const others[] = {"",     "1",       "13",      "24:00",    "13:60",
                                       "13:5", "13:05:1", "0:30 PM", "13:00 AM", "13:05x"};
  for (size_t i = 0; i < COUNT(others); i++)
    if (ent_parse_clock(others[i], strlen(others[i]), &seconds))
      fail_msg("'%s' is taken for a time", others[i]);
}

/* `rows` lines of a day after the other (with a time in every third), a number and y; `odd` in place of the 6th day. */
static const char *write_table(void **state, size_t rows, const char *odd, bool named) {
  const char *path = in_folder(state, "table.csv");
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  if (named)
    fprintf(file, "day,x,y\n");
  for (size_t r = 0; r < rows; r++) {
    char day[ENT_DATE_SIZE];
    ent_format_date(18000 + (double)r + (r % 3 == 0 ? 0.25 : 0), day);
    fprintf(file, "%s,%zu,%g\n", odd != NULL && r == 5 ? odd : day, r * 7919 % 101, (double)r / 7);
  }
  fclose(file);
  return path;
}

static entropic_table *load_table(const char *path, const char *categorical, entropic_status expected,
                                  entropic_context *context) {
  ent_read_options options = ent_read_options_default();
  options.roles.targets = "y";
  options.roles.categorical = categorical;
  entropic_table *table = NULL;
  entropic_status status = ent_table_load(context, path, &options, &table);
  assert_int_equal(status, expected);
  return table;
}

static entropic_column column_of(const entropic_table *table, size_t number) {
  entropic_column column;
  assert_int_equal(column_of_table(NULL, table, number, &column), ENTROPIC_OK);
  return column;
}

static void columns(void **state) {
  entropic_context *context = context_with(1);
  entropic_table *table = load_table(write_table(state, 300, "", true), NULL, ENTROPIC_OK, context);
  entropic_column day = column_of(table, 0);
  assert_int_equal(day.type, ENTROPIC_COLUMN_TYPE_DATE); /* no identifier, though days follow each other */
  assert_int_equal(day.text, 0);
  assert_int_equal(day.missing, 1);
  for (size_t r = 0; r < 300; r++)
    if (r != 5)
      assert_true(entropic_table_values(table)[r * 3] == 18000 + (double)r + (r % 3 == 0 ? 0.25 : 0));
    else
      assert_true(isnan(entropic_table_values(table)[r * 3]));
  entropic_table_free(table);

  table = load_table(write_table(state, 300, NULL, true), "day", ENTROPIC_OK, context);
  assert_int_equal(column_of(table, 0).type, ENTROPIC_COLUMN_TYPE_CATEGORY);
  assert_int_equal(column_of(table, 0).categories, 300);
  entropic_table_free(table);

  static const char *const odd[] = {"2021-02-29", "never", "17", "1e400"};
  for (size_t i = 0; i < COUNT(odd); i++) {
    load_table(write_table(state, 300, odd[i], true), NULL, ENTROPIC_BAD_DATA, context);
    char expected[200];
    snprintf(expected, sizeof expected,
             "table.csv, line 7, column 1 (day): found '%s', expected a date as in 99.67 %% of the rows", odd[i]);
    assert_message(context, expected);
    table = load_table(write_table(state, 12, odd[i], true), NULL, ENTROPIC_OK, context); /* too often for a slip */
    assert_int_equal(column_of(table, 0).type, ENTROPIC_COLUMN_TYPE_CATEGORY);
    entropic_table_free(table);
  }
  /* A single date among numbers is a slip as any other text is. */
  FILE *file = fopen(in_folder(state, "numbers.csv"), "w");
  fprintf(file, "x,y\n");
  for (size_t r = 0; r < 200; r++)
    fprintf(file, r == 150 ? "2020-01-01,1\n" : "%zu.5,%zu\n", r * 7 % 31, r);
  fclose(file);
  load_table(in_folder(state, "numbers.csv"), NULL, ENTROPIC_BAD_DATA, context);
  assert_message(context, "line 152, column 1 (x): found '2020-01-01', expected a number as in 99.5 %");
  entropic_context_free(context);
}

/* Dates that only show up behind many rows without: the file is read again. */
static void late_dates(void **state) {
  const char *path = in_folder(state, "late.csv");
  FILE *file = fopen(path, "w");
  fprintf(file, "day,y\n");
  for (size_t r = 0; r < 60000; r++)
    fprintf(file, r < 50000 ? ",%zu\n" : "2020-01-01 00:00:%02zu,%zu\n", r < 50000 ? r : r % 60, r);
  fclose(file);
  entropic_context *context = context_with(1);
  entropic_table *table = load_table(path, NULL, ENTROPIC_OK, context);
  assert_int_equal(column_of(table, 0).type, ENTROPIC_COLUMN_TYPE_DATE);
  assert_int_equal(column_of(table, 0).missing, 50000);
  assert_true(entropic_table_values(table)[2 * 59999] == 18262 + 59999 % 60 / 86400.0);
  entropic_table_free(table);
  entropic_context_free(context);
}

static entropic_model *fit(entropic_context *context, const entropic_dataset *train) {
  ent_fit_options options = ent_fit_options_default();
  const double omega = 1;
  options.omegas = &omega;
  options.omega_count = 1;
  options.features = 20;
  options.lambda = 1e-6;
  entropic_model *model = NULL;
  ASSERT_OK(context, ent_model_fit(context, train, NULL, &options, NULL, &model));
  return model;
}

/* The first row of a file as the model takes it. */
static entropic_status first_day(entropic_context *context, const entropic_model *model, const char *path,
                                 double *day) {
  entropic_row_reader *reader = NULL;
  double x[20 * 5];
  size_t rows;
  entropic_status status = ent_row_reader_open(context, model, path, NULL, 0, &reader);
  if (status == ENTROPIC_OK)
    status = entropic_row_reader_next(context, reader, 20, x, NULL, NULL, &rows);
  entropic_row_reader_free(reader);
  *day = status == ENTROPIC_OK ? x[0] : NAN;
  return status;
}

static void models(void **state) {
  entropic_context *context = context_with(1);
  entropic_table *table = load_table(write_table(state, 300, NULL, true), NULL, ENTROPIC_OK, context);
  entropic_dataset *train = NULL, *other = NULL;
  ASSERT_OK(context, ent_dataset_create(context, table, ENTROPIC_TASK_REGRESSION, &train));
  entropic_table_free(table);
  entropic_model *model = fit(context, train), *loaded = NULL;
  ASSERT_OK(context, entropic_model_save(context, model, in_folder(state, "model")));
  ASSERT_OK(context, entropic_model_load(context, in_folder(state, "model"), &loaded));
  entropic_input_info input;
  static const char *const parts[] = {"", "weekday", "hour", ""};
  for (size_t i = 0; i < COUNT(parts); i++) {
    ASSERT_OK(context, ent_model_input(context, loaded, i, &input));
    assert_int_equal(input.date, i == 0);
    assert_string_equal(input.part, parts[i]);
  }
  double day;
  ASSERT_OK(context, first_day(context, loaded, write_table(state, 8, NULL, true), &day));
  assert_true(day == 18000.25);
  assert_int_equal(first_day(context, loaded, write_table(state, 8, "2020-1-1", true), &day), ENTROPIC_BAD_DATA);
  assert_message(context, "line 7, column 1 (day): found '2020-1-1', expected a date such as 2024-12-31");
  assert_int_equal(first_day(context, loaded, write_table(state, 8, "18005", true), &day), ENTROPIC_BAD_DATA);
  ASSERT_OK(context, first_day(context, loaded, write_table(state, 8, "NA", true), &day));

  /* Other tables made to fit. */
  table = load_table(write_table(state, 30, NULL, true), NULL, ENTROPIC_OK, context);
  ASSERT_OK(context, entropic_dataset_create_with_schema(context, table, train, &other));
  entropic_dataset_free(other);
  entropic_table_free(table);
  table = load_table(write_table(state, 30, NULL, true), "day", ENTROPIC_OK, context);
  assert_int_equal(entropic_dataset_create_with_schema(context, table, train, &other), ENTROPIC_BAD_DATA);
  assert_message(context,
                 "line 2, column 1 (day): found '2019-04-14T06:00:00', expected a date, as in the rows learnt");
  entropic_table_free(table);
  write_file(in_folder(state, "numbers.csv"), "day,x,y\n18000,2,3\n18001,5,6\n", 28);
  table = load_table(in_folder(state, "numbers.csv"), NULL, ENTROPIC_OK, context);
  assert_int_equal(entropic_dataset_create_with_schema(context, table, train, &other), ENTROPIC_BAD_DATA);
  assert_message(context, "found '18000', expected a date, as in the rows learnt from");
  entropic_table_free(table);
  entropic_dataset_free(train);

  /* And the other way round. */
  table = load_table(in_folder(state, "numbers.csv"), NULL, ENTROPIC_OK, context);
  ASSERT_OK(context, ent_dataset_create(context, table, ENTROPIC_TASK_REGRESSION, &train));
  entropic_table_free(table);
  table = load_table(write_table(state, 30, NULL, true), NULL, ENTROPIC_OK, context);
  assert_int_equal(entropic_dataset_create_with_schema(context, table, train, &other), ENTROPIC_BAD_DATA);
  assert_message(context, "line 2, column 1 (day): found '2019-04-14T06:00:00', expected a number, as in the rows");
  entropic_dataset_free(train);
  entropic_table *texts = load_table(write_table(state, 30, NULL, true), "day", ENTROPIC_OK, context);
  ASSERT_OK(context, ent_dataset_create(context, texts, ENTROPIC_TASK_REGRESSION, &train));
  assert_int_equal(entropic_dataset_create_with_schema(context, table, train, &other), ENTROPIC_BAD_DATA);
  assert_message(context, "expected a category (list the column as categorical)");
  entropic_table_free(texts);
  entropic_table_free(table);
  entropic_dataset_free(train);

  /* What cannot hold text holds days. */
  const double values[] = {18000.25, 1, 2, 3};
  static const char *const names[] = {"day", "x"};
  ASSERT_OK(context, ent_table_create(context, values, 2, 2, 2, names, NULL, &table));
  entropic_table_free(table);
  double y[2];
  double rows[2 * 4];
  for (size_t i = 0; i < 8; i++)
    rows[i] = i % 4 == 3 ? values[i / 4 * 2 + 1] : entropic_date_part(values[i / 4 * 2], parts[i % 4]);
  ASSERT_OK(context, entropic_model_predict(context, model, rows, 2, 4, y));
  assert_true(isfinite(y[0]));
  entropic_model_free(model);
  entropic_model_free(loaded);
  entropic_context_free(context);
}

SUITE(data_dates) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_calendar),
      cmocka_unit_test(times),
      cmocka_unit_test(what_is_no_date),
      cmocka_unit_test(ways_to_write),
      cmocka_unit_test(zones),
      cmocka_unit_test(zones_by_name),
      cmocka_unit_test(clocks),
      cmocka_unit_test_setup_teardown(columns, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(late_dates, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(models, make_folder, remove_folder),
  };
  return cmocka_run_group_tests_name("data: dates", tests, NULL, NULL);
}
