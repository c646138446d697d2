/* Names of columns: headers, titles, equal names; what is said of them; and UTF-16. */
#include "unit/tests.h"

#include <stdbool.h>

#include "unit/fixture.h"

static entropic_table *load(void **state, const char *text, size_t count, const ent_read_options *options) {
  const char *path = in_folder(state, "file");
  write_file(path, text, count);
  entropic_table *table = NULL;
  if (ent_table_load(context, path, options, &table) != ENTROPIC_OK)
    fail_msg("it is refused: %s", entropic_context_message(context));
  return table;
}

/* The names of columns, by |. */
static const char *names_of(const entropic_table *table) {
  static char text[1000];
  char *p = text;
  for (size_t i = 0; i < entropic_table_columns(table); i++)
    p += sprintf(p, "%s%s", i > 0 ? "|" : "", entropic_table_name(table, i));
  return text;
}

static void names_come_from_the_file(void **state) {
  static const struct {
    const char *text, *ignore, *names;
    size_t rows, notices;
  } cases[] = {
      {"a,b\n1,2\n3,4\n", NULL, "a|b", 2, 0},
      {"1,2\n3,4\n", NULL, "x1|x2", 2, 1},
      {"0,1,t\n1,2,u\n3,4,v\n5,1,u\n", "t", "0|1|t", 3, 0},
      {"0,1,t\n1,2,u\n3,4,v\n5,1,u\n", NULL, "x1|x2|x3", 4, 1},
      {"0,1,2,t\n1,2,1,u\n3,4,2,v\n5,1,3,u\n", NULL, "0|1|2|t", 3, 0},
      {"0,1,2\n1,2,3\n3,4,5\n", "2", "0|1|2", 2, 2},
      {"0,1,2\n1,2,3\n3,4,5\n", "1", "0|1|2", 2, 2},
      {"0,1,2\n1,2,3\n3,4,5\n", "3", "x1|x2|x3", 3, 1},
      {"a,a,b,a\n1,2,3,4\n3,4,5,6\n", NULL, "a|a.1|b|a.2", 2, 1},
      {"a,a.1,a,\n1,2,3,4\n3,4,5,6\n", NULL, "a|a.1|a.2|x4", 2, 1},
      {",x1,x1.1\n1,2,3\n3,4,5\n", NULL, "x1.2|x1|x1.1", 2, 1},
      {"A title\n\na,b,c\n1,2,3\n3,4,5\n", NULL, "a|b|c", 2, 1},
      {"A title,,\n,,\na,b,c\n1,2,3\n3,4,5\n", NULL, "a|b|c", 2, 1},
      {",,\na,b,c\n1,2,3\n3,4,5\n", NULL, "a|b|c", 2, 0},
      {"a,a,b\nr,s,\n1,2,3\n3,4,5\n", NULL, "a_r|a_s|b", 2, 1},
      {"a,b,c\nkg,m,\n1,2,3\n3,4,5\n", NULL, "a|b|c", 2, 1},
      {"a,\"a\"\"x\",\"a\"\"x\"\n\"r\n\"\"s\",t,u\n1,2,3\n3,4,5\n", NULL, "a_r\n\"s|a\"x_t|a\"x_u", 2, 1},
      {"sep=;\na;b\n1,5;2\n2,5;1\n", NULL, "a|b", 2, 0},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    ent_read_options options = ent_read_options_default();
    options.roles.ignore = cases[i].ignore;
    entropic_table *table = load(state, cases[i].text, strlen(cases[i].text), &options);
    assert_string_equal(names_of(table), cases[i].names);
    assert_int_equal(entropic_table_rows(table), cases[i].rows);
    size_t notices = 0;
    while (entropic_table_notice(table, notices) != NULL)
      notices++;
    assert_int_equal(notices, cases[i].notices);
    entropic_table_free(table);
  }
}

/* A source says the same, once, however often it is read. */
static void notices_are_given_once(void **state) {
  const char *path = in_folder(state, "file"), *text = "A title\n\na,a,y\nr,s,\n1,2,Yes\n3,4,yes\n2,2,no\n";
  write_file(path, text, strlen(text));
  ent_read_options options = ent_read_options_default();
  options.roles.targets = "y";
  ent_source *source = NULL;
  assert_int_equal(ent_source_open(context, path, &options, &source), ENTROPIC_OK);
  for (int i = 0; i < 3; i++)
    assert_int_equal(ent_source_survey(context, source), ENTROPIC_OK);
  assert_string_equal(ent_source_notice(source, 0), "2 lines above the header skipped; the first is 'A title'");
  assert_string_equal(ent_source_notice(source, 1),
                      "line 4 ('r,s,') is read as names, too, which are appended to those above it");
  assert_string_equal(ent_source_notice(source, 2), "classes of y differ only by case or blanks: 'Yes' and 'yes'");
  assert_null(ent_source_notice(source, 3));
  assert_null(ent_source_notice(NULL, 0));
  assert_null(entropic_table_notice(NULL, 0));
  assert_null(entropic_row_reader_notice(NULL, 0));
  ent_source_free(source);
}

/* Characters of two, three and four bytes, so many that every border of the reader's buffers falls into some; `wide` is
 * in words of two bytes. */
#define WIDE_ROWS 60000
static const uint16_t wide_row[] = {'1', ',', 0xe4, 0xd83d, 0xde00, 0x6f22, '\n'};

static size_t fill_wide(unsigned char *to, bool big, size_t shift) {
  static const uint16_t head[] = {0xfeff, 'n', 0xfc, ',', 't'};
  size_t count = 0;
  for (size_t i = 0; i < 5 + shift + 1 + WIDE_ROWS * 7; i++) {
    uint16_t word = i < 5 ? head[i] : i < 5 + shift ? 't' : i == 5 + shift ? '\n' : wide_row[(i - 6 - shift) % 7];
    to[count++] = (unsigned char)(big ? word >> 8 : word & 255);
    to[count++] = (unsigned char)(big ? word & 255 : word >> 8);
  }
  return count;
}

static void wide_text_is_read(void **state) {
  unsigned char *text = malloc(2 * (WIDE_ROWS + 10) * 7);
  assert_non_null(text);
  for (size_t shift = 0; shift < 7; shift++) {
    size_t count = fill_wide(text, shift % 2 == 0, shift);
    entropic_table *table = load(state, (const char *)text, count, NULL);
    assert_int_equal(entropic_table_rows(table), WIDE_ROWS);
    assert_string_equal(entropic_table_name(table, 0), "n\xc3\xbc");
    entropic_column column;
    assert_int_equal(column_of_table(context, table, 1, &column), ENTROPIC_OK);
    assert_int_equal(column.missing, 0);
    assert_string_equal(entropic_table_category(table, 1, 0), "\xc3\xa4\xf0\x9f\x98\x80\xe6\xbc\xa2");
    assert_null(entropic_table_category(table, 1, 1));
    entropic_table_free(table);
  }
  /* The place of a fault far down the file. */
  size_t count = fill_wide(text, false, 0);
  const char *path = in_folder(state, "file");
  write_file(path, (const char *)text, count - 1);
  entropic_table *table = NULL;
  assert_int_equal(ent_table_load(context, path, NULL, &table), ENTROPIC_BAD_DATA);
  char expected[100];
  snprintf(expected, sizeof expected, ", line %d, byte %zu: the file ends in the middle of a character", WIDE_ROWS + 1,
           count - 1);
  assert_non_null(strstr(entropic_context_message(context), expected));
  free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start_in_folder, stop_in_folder)

SUITE(data_header) {
  const struct CMUnitTest tests[] = {
      TEST(names_come_from_the_file),
      TEST(notices_are_given_once),
      TEST(wide_text_is_read),
  };
  return cmocka_run_group_tests_name("data_header", tests, NULL, NULL);
}
