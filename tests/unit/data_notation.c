/* Numbers that are not plainly written: each way against a number that was there first, what is none, and the columns of
 * files whose numbers are written so. */
#include "columns/notation.h"
#include "unit/lifting.h"

static double read_as(ent_notation notation, const char *text) {
  double value;
  return ent_notation_read(notation, text, strlen(text), &value) ? value : (double)NAN;
}

/* Writes hundredths with marks between groups of digits. */
static void group_digits(long long hundredths, const char *group, const char *point, char *text) {
  char digits[32];
  int count = snprintf(digits, sizeof digits, "%lld", hundredths / 100);
  char *to = text;
  for (int i = 0; i < count; i++) {
    if (i > 0 && (count - i) % 3 == 0)
      to += sprintf(to, "%s", group);
    *to++ = digits[i];
  }
  sprintf(to, "%s%02lld", point, hundredths % 100);
}

static void assert_reads(ent_notation notation, const char *text, double expected) {
  double value = read_as(notation, text);
  if (!(value == expected))
    fail_msg("'%s' is %.17g, expected %.17g", text, value, expected);
}

/* All lengths of numbers, with every mark, against the quotient that the C library computes. */
static void groups(void **state) {
  (void)state;
  static const struct {
    const char *group, *point;
    ent_notation notation;
  } learners[] = {{",", ".", ENT_NOTATION_POINT},
                  {" ", ".", ENT_NOTATION_POINT},
                  {"'", ".", ENT_NOTATION_POINT},
                  {"\xc2\xa0", ".", ENT_NOTATION_POINT},
                  {"\xe2\x80\xaf", ".", ENT_NOTATION_POINT},
                  {".", ",", ENT_NOTATION_COMMA},
                  {" ", ",", ENT_NOTATION_COMMA},
                  {"\xe2\x80\x99", ",", ENT_NOTATION_COMMA}};
  uint64_t random = 1;
  for (int round = 0; round < 2000; round++) {
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    long long hundredths = (long long)(random >> (14 + round % 45));
    for (size_t i = 0; i < COUNT(learners); i++) {
      char text[96], wrapped[128], plain[64];
      group_digits(hundredths, learners[i].group, learners[i].point, text);
      snprintf(plain, sizeof plain, "%lld.%02lld", hundredths / 100, hundredths % 100);
      double expected = strtod(plain, NULL);
      assert_reads(learners[i].notation, text, expected);
      static const char *const wraps[] = {"$%s", "%s \xe2\x82\xac", "%s%%", "+%s", "USD %s", "%s EUR", "\xc2\xa3%s"};
      for (size_t w = 0; w < COUNT(wraps); w++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(wrapped, sizeof wrapped, wraps[w], text);
#pragma GCC diagnostic pop
        assert_reads(learners[i].notation, wrapped, expected);
      }
      snprintf(wrapped, sizeof wrapped, "($%s)", text);
      assert_reads(learners[i].notation, wrapped, -expected);
      snprintf(wrapped, sizeof wrapped, "-$%s", text);
      assert_reads(learners[i].notation, wrapped, -expected);
    }
  }
}

static void exponents(void **state) {
  (void)state;
  assert_reads(ENT_NOTATION_POINT, "1.2D+03", 1200);
  assert_reads(ENT_NOTATION_POINT, "-0.25d-2", -0.0025);
  assert_reads(ENT_NOTATION_POINT, "1.5e3", 1500);
  assert_reads(ENT_NOTATION_COMMA, "1,5E3", 1500);
  assert_reads(ENT_NOTATION_POINT,
               "\xe2\x88\x92"
               "7",
               -7);
  assert_reads(ENT_NOTATION_POINT, ".5 %", 0.5);
}

/* As India counts, and as spreadsheets write amounts. */
static void other_places(void **state) {
  (void)state;
  assert_reads(ENT_NOTATION_POINT, "1,23,456", 123456);
  assert_reads(ENT_NOTATION_POINT, "12,34,56,789.5", 123456789.5);
  assert_reads(ENT_NOTATION_POINT, "\xe2\x82\xb9 1,00,000", 100000);
  assert_reads(ENT_NOTATION_POINT, "$(1,234.50)", -1234.5);
  assert_reads(ENT_NOTATION_POINT, "$ (7)", -7);
  assert_reads(ENT_NOTATION_POINT, "7 R$", 7);
  static const char *const others[] = {"123,45,678", "1,23,456,789", "1,234,56", "1 23 456",
                                       "1'23'456",   "(-$7)",        "-$(7)"};
  for (size_t i = 0; i < COUNT(others); i++)
    if (!isnan(read_as(ENT_NOTATION_POINT, others[i])))
      fail_msg("'%s' is taken for a number", others[i]);
  assert_true(isnan(read_as(ENT_NOTATION_COMMA, "1.23.456")));
  assert_true(ent_notation_is_dash("$ -", 3) && ent_notation_is_dash("-", 1) == false && !ent_notation_is_dash("$", 1));
}

static void what_is_no_number(void **state) {
  (void)state;
  static const char *const others[] = {
      "",      "$",        "%",         "EUR",    "-",     "+",     ".",      "--5",   "1,23", "1,23,45", "1,2345",
      "0,123", "1234,567", "1,234 567", "1,,234", ",123",  "1.2.3", "$5 EUR", "5%%",   "(-5)", "(5",      "5)",
      "1e",    "1D+",      "1.2F+3",    "abc",    "12 kg", "0x10",  "1 2",    "1e400", "nan",  "inf"};
  for (size_t i = 0; i < COUNT(others); i++)
    if (!isnan(read_as(ENT_NOTATION_POINT, others[i])))
      fail_msg("'%s' is taken for a number", others[i]);
  char unit[ENT_UNIT_SIZE];
  ent_notation_match match = ent_notation_match_text("1,234", 5, unit);
  assert_true(match.ambiguous && !match.marked && unit[0] == '\0');
  match = ent_notation_match_text("1,234.5", 7, unit);
  assert_true(match.notations == 1u << ENT_NOTATION_POINT && !match.ambiguous);
  match = ent_notation_match_text("12 EUR", 6, unit);
  assert_true(match.marked && !match.ambiguous);
  assert_string_equal(unit, "EUR");
  match = ent_notation_match_text("03/04/2020", 10, unit);
  assert_true(match.ambiguous && match.notations == (1u << ENT_NOTATION_DAY | 1u << ENT_NOTATION_MONTH));
}

/* A file of two columns, of which the first has these texts in turn. */
static entropic_table *load_column(void **state, entropic_context *context, const char *const *texts, size_t count) {
  const char *path = in_folder(state, "table.csv");
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "a,y\n");
  for (size_t r = 0; r < 30 * count; r++)
    fprintf(file, "\"%s\",%zu.5\n", texts[r % count], r * r % 17);
  fclose(file);
  ent_read_options options = ent_read_options_default();
  options.roles.targets = "y";
  entropic_table *table = NULL;
  ASSERT_OK(context, ent_table_load(context, path, &options, &table));
  return table;
}

static void assert_column(void **state, const char *const texts[3], const double values[3], const char *notice) {
  entropic_context *context = context_with(1);
  entropic_table *table = load_column(state, context, texts, 3);
  entropic_column column;
  ASSERT_OK(context, column_of_table(context, table, 0, &column));
  assert_int_equal(column.type, ENTROPIC_COLUMN_TYPE_NUMBER);
  for (size_t i = 0; i < 3; i++)
    assert_true(entropic_table_values(table)[2 * i] == values[i]);
  assert_non_null(entropic_table_notice(table, 0));
  if (strstr(entropic_table_notice(table, 0), notice) == NULL)
    fail_msg("'%s' should have '%s'", entropic_table_notice(table, 0), notice);
  assert_null(entropic_table_notice(table, 1));
  entropic_table_free(table);
  entropic_context_free(context);
}

static void columns(void **state) {
  assert_column(state, (const char *const[]){"1,234", "5", "2,500"}, (double[]){1234, 5, 2500}, "read as thousands");
  assert_column(state, (const char *const[]){"1,234", "5", "2,5"}, (double[]){1.234, 5, 2.5}, "'1,234' is 1.234");
  assert_column(state, (const char *const[]){"$1,234.50", "$5", "$2"}, (double[]){1234.5, 5, 2},
                "'$1,234.50' is 1234.5");
  assert_column(state, (const char *const[]){"12%", "5%", "0"}, (double[]){12, 5, 0}, "with a unit");
  assert_column(state, (const char *const[]){"12:30", "0:01", "23:59"}, (double[]){45000, 60, 86340},
                "'12:30' is 45000");
}

SUITE(data_notation) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups),
      cmocka_unit_test(exponents),
      cmocka_unit_test(other_places),
      cmocka_unit_test(what_is_no_number),
      cmocka_unit_test_setup_teardown(columns, make_folder, remove_folder),
  };
  return cmocka_run_group_tests_name("data_notation", tests, NULL, NULL);
}
