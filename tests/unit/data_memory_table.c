/* Tables of values in memory, and lists of names. */
#include "unit/tests.h"

#include "columns/dictionary.h"

#include "unit/fixture.h"

static entropic_column column_of(const entropic_table *table, size_t index) {
  entropic_column column = {0};
  assert_int_equal(column_of_table(context, table, index, &column), ENTROPIC_OK);
  return column;
}

static void values_are_copied(void **state) {
  (void)state;
  /* Two columns of three: the last double of each row is not the table's. */
  double values[] = {1, 2, INFINITY, 3, NAN, INFINITY, 5, 6, INFINITY};
  entropic_table *table = NULL;
  assert_int_equal(ent_table_create(context, values, 3, 2, 3, NULL, NULL, &table), ENTROPIC_OK);
  values[0] = 99;
  assert_int_equal(entropic_table_rows(table), 3);
  assert_int_equal(entropic_table_columns(table), 2);
  assert_int_equal(entropic_table_format(table), ENTROPIC_FORMAT_AUTO);
  static const double expected[] = {1, 2, 3, NAN, 5, 6};
  for (size_t i = 0; i < COUNT(expected); i++) {
    double value = entropic_table_values(table)[i];
    assert_true(isnan(expected[i]) ? isnan(value) : value == expected[i]);
  }
  assert_string_equal(entropic_table_name(table, 0), "x1");
  assert_string_equal(entropic_table_name(table, 1), "x2");
  assert_int_equal(column_of(table, 0).missing, 0);
  assert_int_equal(column_of(table, 1).missing, 1);
  assert_int_equal(column_of(table, 1).type, ENTROPIC_COLUMN_TYPE_NUMBER);
  assert_int_equal(column_of(table, 1).text, 0);
  assert_null(entropic_table_category(table, 0, 0));
  entropic_table_free(table);
}

static void types_and_roles_are_those_of_files(void **state) {
  (void)state;
  enum { rows = 40, columns = 7 };
  double values[rows * columns];
  for (int row = 0; row < rows; row++) {
    const double cells[columns] = {row * row, (row * 7) % 40, 7, NAN, row % 3 - 1, row % 2, 0.5 * (row % 4)};
    memcpy(values + row * columns, cells, sizeof cells);
  }
  values[4] = -1;
  values[1 * columns + 4] = -0.0; /* the same category as 0 */
  const char *names[columns] = {"square", "count", "same", "", "kind", NULL, "weight"};
  ent_roles roles = {.targets = "x6", .weights = "weight", .categorical = "kind"};
  entropic_table *table = NULL;
  assert_int_equal(ent_table_create(context, values, rows, columns, columns, names, &roles, &table), ENTROPIC_OK);
  static const entropic_column_type types[] = {ENTROPIC_COLUMN_TYPE_NUMBER,   ENTROPIC_COLUMN_TYPE_IDENTIFIER,
                                               ENTROPIC_COLUMN_TYPE_CONSTANT, ENTROPIC_COLUMN_TYPE_CONSTANT,
                                               ENTROPIC_COLUMN_TYPE_CATEGORY, ENTROPIC_COLUMN_TYPE_NUMBER,
                                               ENTROPIC_COLUMN_TYPE_NUMBER};
  static const entropic_role expected[] = {ENTROPIC_ROLE_INPUT, ENTROPIC_ROLE_INPUT, ENTROPIC_ROLE_INPUT,
                                           ENTROPIC_ROLE_INPUT, ENTROPIC_ROLE_INPUT, ENTROPIC_ROLE_TARGET,
                                           ENTROPIC_ROLE_WEIGHT};
  for (size_t i = 0; i < columns; i++) {
    assert_int_equal(column_of(table, i).type, types[i]);
    assert_int_equal(column_of(table, i).role, expected[i]);
    assert_int_equal(column_of(table, i).text, i == 4);
  }
  assert_string_equal(entropic_table_name(table, 3), "x4");
  assert_int_equal(column_of(table, 4).categories, 3);
  assert_string_equal(entropic_table_category(table, 4, 0), "-1");
  assert_string_equal(entropic_table_category(table, 4, 1), "0");
  assert_string_equal(entropic_table_category(table, 4, 2), "1");
  for (int row = 0; row < rows; row++)
    assert_true(entropic_table_values(table)[row * columns + 4] == row % 3);
  entropic_table_free(table);
  /* What is ignored is not looked at, not even for infinity. */
  values[3] = INFINITY;
  roles = (ent_roles){.ignore = "x4,count"};
  assert_int_equal(ent_table_create(context, values, rows, columns, columns, names, &roles, &table), ENTROPIC_OK);
  assert_int_equal(column_of(table, 3).role, ENTROPIC_ROLE_IGNORED);
  assert_true(isnan(entropic_table_values(table)[1]));
  entropic_table_free(table);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  double values[] = {1, 2, 3, -INFINITY};
  const char *twice[] = {"a", "a"};
  ent_roles wrong = {.targets = "weihgt"}, fine = {.categorical = "x2"};
  const char *names[] = {"weight", "b"};
  static double one = 1;
  const struct {
    const double *values;
    size_t rows, columns, stride;
    const char *const *names;
    const ent_roles *roles;
    entropic_status status;
    const char *message;
  } cases[] = {
      {NULL, 2, 2, 2, NULL, NULL, ENTROPIC_BAD_ARGUMENT, "values is NULL"},
      {values, 0, 2, 2, NULL, NULL, ENTROPIC_BAD_ARGUMENT, "rows is 0, expected 1 or more"},
      {values, 2, 0, 2, NULL, NULL, ENTROPIC_BAD_ARGUMENT, "columns is 0, expected 1 or more"},
      {values, 2, 2, 1, NULL, NULL, ENTROPIC_BAD_ARGUMENT, "stride is 1, expected at least columns, 2"},
      {values, 2, 2, 2, NULL, NULL, ENTROPIC_BAD_DATA,
       "the table, row 2, column 2 (x2): found '-inf', expected a finite number"},
      {values, 2, 2, 2, NULL, &fine, ENTROPIC_BAD_DATA,
       "the table, row 2, column 2 (x2): found '-inf', expected a finite number"},
      {values, 1, 2, 2, twice, NULL, ENTROPIC_BAD_DATA,
       "the table, column 2: the name 'a' is already that of column 1"},
      {values, 1, 2, 2, names, &wrong, ENTROPIC_BAD_ARGUMENT, "the table: no column weihgt: did you mean weight?"},
      {&one, SIZE_MAX / 2, 4, 4, NULL, NULL, ENTROPIC_NO_MEMORY, "out of memory"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_table *table = NULL;
    assert_int_equal(ent_table_create(context, cases[i].values, cases[i].rows, cases[i].columns, cases[i].stride,
                                      cases[i].names, cases[i].roles, &table),
                     cases[i].status);
    assert_message(context, cases[i].message);
    assert_null(table);
  }
  assert_int_equal(ent_table_create(context, values, 1, 2, 2, NULL, NULL, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "table is NULL");
}

static void names_are_found_by_text_and_number(void **state) {
  (void)state;
  char *list[] = {"1", "1.0", "red", "-0.5", "1", "1e3", "inf", "0"};
  ent_names *names = NULL;
  assert_int_equal(ent_names_create(context, list, 8, &names), ENTROPIC_OK);
  assert_int_equal(ent_names_count(names), 8);
  static const struct {
    const char *text;
    size_t place;
  } texts[] = {{"1", 0}, {"1.0", 1}, {"red", 2}, {"-0.5", 3}, {"1e3", 5}, {"inf", 6}, {"1000", 8}, {"re", 8}, {"", 8}};
  for (size_t i = 0; i < COUNT(texts); i++)
    assert_int_equal(ent_names_find(names, texts[i].text, strlen(texts[i].text)), texts[i].place);
  static const struct {
    double number;
    size_t place;
  } numbers[] = {{1, 0}, {-0.5, 3}, {1000, 5}, {-0.0, 7}, {INFINITY, 8}, {-INFINITY, 8}, {NAN, 8}, {2, 8}, {-7, 8}};
  for (size_t i = 0; i < COUNT(numbers); i++)
    assert_int_equal(ent_names_find_number(names, numbers[i].number), numbers[i].place);
  ent_names_free(names);
  ent_names_free(NULL);
  assert_int_equal(ent_names_create(context, NULL, 0, &names), ENTROPIC_OK);
  assert_int_equal(ent_names_find(names, "a", 1), 0);
  assert_int_equal(ent_names_find_number(names, 0), 0);
  ent_names_free(names);
}

static void names_are_sorted(void **state) {
  (void)state;
  static const struct {
    const char *from, *to; /* each name is one word */
  } cases[] = {
      {"10 9 -1 2e1 1.0 1", "-1 1 1.0 9 10 2e1"},
      {"10 9 -1 x", "-1 10 9 x"},
      {"b a C \xc3\xa4", "C a b \xc3\xa4"},
      {"3 2 nan", "2 3 nan"},
      {"10 9 inf", "10 9 inf"},
      {"one", "one"},
      {"007 7 6", "6 007 7"},
      {"1e999 5 40", "1e999 40 5"},
      {"", ""},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    char text[100], sorted[100] = "", *list[10];
    size_t count = 0;
    strcpy(text, cases[i].from);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
      list[count++] = word;
    assert_int_equal(ent_names_sort(context, list, count), ENTROPIC_OK);
    for (size_t k = 0; k < count; k++) {
      strcat(sorted, k > 0 ? " " : "");
      strcat(sorted, list[k]);
    }
    assert_string_equal(sorted, cases[i].to);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

SUITE(data_memory_table) {
  const struct CMUnitTest tests[] = {
      TEST(values_are_copied),         TEST(types_and_roles_are_those_of_files),
      TEST(what_cannot_be_is_refused), TEST(names_are_found_by_text_and_number),
      TEST(names_are_sorted),
  };
  return cmocka_run_group_tests_name("data_memory_table", tests, NULL, NULL);
}
