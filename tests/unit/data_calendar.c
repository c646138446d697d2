/* Parts of dates. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "columns/date.h"
#include "unit/fixture.h"

/* Every day of four centuries, against the C library. */
static void days(void **state) {
  (void)state;
  for (long day = -75000; day < 75000; day++) {
    time_t seconds = day * 86400;
    struct tm parts;
    assert_non_null(gmtime_r(&seconds, &parts));
    int year = parts.tm_year + 1900;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    int expected = parts.tm_yday + 1 + (!leap && parts.tm_mon >= 2);
    for (int time = 0; time < 4; time++) {
      double at = (double)day + time / 4.0;
      assert_true(ent_part_value(ENT_PART_YEARDAY, at) == expected);
      assert_true(ent_part_value(ENT_PART_WEEKDAY, at) == (parts.tm_wday + 6) % 7);
      assert_true(ent_part_value(ENT_PART_HOUR, at) == 6 * time);
      assert_true(ent_part_value(ENT_PART_WHOLE, at) == at && ent_part_value(ENT_PART_NONE, at) == at);
    }
  }
}

/* Every minute is the minute, although days are no sums of powers of two. */
static void hours(void **state) {
  (void)state;
  for (long day = -40000; day <= 60000; day += 9973)
    for (int minute = 0; minute < 1440; minute++) {
      double at = (double)day + minute * 60 / 86400.0;
      assert_true(ent_part_value(ENT_PART_HOUR, at) == minute / 60.0);
      assert_true(ent_part_value(ENT_PART_WEEKDAY, at) == (double)(((day + 3) % 7 + 7) % 7));
    }
  /* A rounding error before midnight is midnight of the next day, in all parts. */
  double before = nextafter(19723, 0); /* 2024-01-01 */
  assert_true(ent_part_value(ENT_PART_HOUR, before) == 0);
  assert_true(ent_part_value(ENT_PART_YEARDAY, before) == 1);
  assert_true(ent_part_value(ENT_PART_WEEKDAY, before) == 0);
}

static void unusual_dates(void **state) {
  (void)state;
  for (int part = ENT_PART_NONE; part < ENT_DATE_PARTS; part++) {
    ent_date_part of = (ent_date_part)part;
    double ends[2];
    assert_true(isnan(ent_part_value(of, NAN)));
    bool number = part == ENT_PART_YEARDAY || part == ENT_PART_HOUR;
    assert_int_equal(ent_part_ends(of, ends), number);
    assert_int_equal(strlen(ent_part_name(of)) > 0, ent_part_is_made(of));
    if (ent_part_is_made(of))
      assert_true(isnan(ent_part_value(of, INFINITY)) && isnan(ent_part_value(of, -1e300)));
  }
  assert_true(entropic_date_part(0.5, "hour") == 12 && entropic_date_part(0.5, "") == 0.5);
  assert_true(entropic_date_part(0.5, "weekday") == 3 && entropic_date_part(0.5, "yearday") == 1);
  assert_true(isnan(entropic_date_part(0.5, "minute")) && isnan(entropic_date_part(0.5, NULL)));
  assert_true(isnan(entropic_date_part(NAN, "hour")));
}

SUITE(data_calendar) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(days), cmocka_unit_test(hours), cmocka_unit_test(unusual_dates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
