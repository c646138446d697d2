/* Tables from comma-separated text. */
#include "unit/tests.h"

#include <fcntl.h>
#include <zlib.h>

#include "unit/fixture.h"

static entropic_table *read_text(void **state, const char *text, size_t length) {
  const char *path = in_folder(state, "table.csv");
  write_file(path, text, length);
  entropic_table *table = NULL;
  if (table_read_numbers(context, path, &table) != ENTROPIC_OK)
    fail_msg("'%s' is refused: %s", text, entropic_context_message(context));
  assert_non_null(table);
  return table;
}

/* Names separated by |, all values in order. */
static void assert_table(entropic_table *table, const char *names, size_t rows, size_t columns, const double *values) {
  assert_int_equal(entropic_table_rows(table), rows);
  assert_int_equal(entropic_table_columns(table), columns);
  char joined[1000] = "";
  for (size_t column = 0; column < columns; column++) {
    strcat(joined, column > 0 ? "|" : "");
    strcat(joined, entropic_table_name(table, column));
  }
  assert_string_equal(joined, names);
  assert_null(entropic_table_name(table, columns));
  for (size_t i = 0; i < rows * columns; i++)
    assert_true(entropic_table_values(table)[i] == values[i]);
  entropic_table_free(table);
}

static void good_tables_are_read(void **state) {
  static const double values[] = {1, 2.5, -3, 4e5};
  static const struct {
    const char *text, *names;
  } cases[] = {
      {"a,b\n1,2.5\n-3,4e5\n", "a|b"},
      {"a,b\r\n1,2.5\r\n-3,4e5\r\n", "a|b"},
      {"a,b\n1,2.5\n-3,4e5", "a|b"},
      {"a,b\r\n1,2.5\r\n-3,4e5\r", "a|b"},
      {"a,b\n1,2.5\n-3,4e5\n\n\r\n  \n", "a|b"},
      {"\xef\xbb\xbf"
       "a,b\n1,2.5\n-3,4e5\n",
       "a|b"},
      {"1,2.5\n-3,4e5\n", "x1|x2"},
      {"\xef\xbb\xbf"
       "1,2.5\n-3,4e5\n",
       "x1|x2"},
      {"\"a\",\"b\"\n\"1\",2.5\n-3,\"4e5\"\n", "a|b"},
      {"\"a, and\",\"b \"\"c\"\"\"\n1,2.5\n-3,4e5\n", "a, and|b \"c\""},
      {"\"two\nlines\",b\n1,2.5\n-3,4e5\n", "two\nlines|b"},
      {" a ,\tb\n 1 , 2.5\n-3, \"4e5\" \n", "a|b"},
      {"\" a \",b\n1,2.5\n-3,4e5\n", " a |b"},
      {"1,b\n1,2.5\n-3,4e5\n", "1|b"},
      {"caf\xc3\xa9,b\n1,2.5\n-3,4e5\n", "caf\xc3\xa9|b"},
      {"nan,x\n1,2.5\n-3,4e5\n", "nan|x"},
      {"a,\n1,2.5\n-3,4e5\n", "a|x2"},
      {"\n a,b\n\n1,2.5\n \t\n-3,4e5\n\n \n", "a|b"},
      {"a,b\n1,2.5,\n-3,4e5,\n", "a|b"},
      {"a,b,\n1,2.5,\n-3,4e5,\n", "a|b"},
      {"a,b\r1,2.5\r-3,4e5\r", "a|b"},
      {"# made up\n#\na,b\n1,2.5\n# here too\n-3,4e5\n", "a|b"},
      {"a;b\n1;2.5\n-3;4e5\n", "a|b"},
      {"a;b\n1;2,5\n-3;4e5\n", "a|b"},
      {"a\tb\n1\t2.5\n-3\t4e5\n", "a|b"},
      {"a|b\n1|2.5\n-3|4e5\n", "a|b"},
      {"a b\n1 2.5\n-3 4e5\n", "a|b"},
      {"  a   b\n  1 2.5 \r\n -3  4e5\n", "a|b"},
      {"'a','b'\n'1',2.5\n-3,'4e5'\n", "a|b"},
      {"'a''s','b'\n'1',2.5\n-3,'4e5'\n", "a's|b"},
  };
  for (size_t i = 0; i < COUNT(cases); i++)
    assert_table(read_text(state, cases[i].text, strlen(cases[i].text)), cases[i].names, 2, 2, values);
}

static void one_column_and_one_row_will_do(void **state) {
  static const double values[] = {7, 8};
  assert_table(read_text(state, "7\n8\n", 4), "x1", 2, 1, values);
  assert_table(read_text(state, "a\n7", 3), "a", 1, 1, values);
  assert_table(read_text(state, "7,8", 3), "x1|x2", 1, 2, values);
}

static void bad_tables_are_refused(void **state) {
  static const struct {
    const char *text;
    const char *parts[4]; /* of the message; it also names the file */
  } cases[] = {
      {"", {"is empty"}},
      {"\n\n", {"is empty"}},
      {"\xef\xbb\xbf", {"is empty"}},
      {"a,b\n", {"no rows"}},
      {"a,b", {"no rows"}},
      {"a,b\n1,2\n3\n", {"line 3", "found 1 field, expected 2", "column 2 (b)"}},
      {"a,b\n1,2,3\n", {"line 2", "found 3 fields, expected 2", "column 3 ('3')"}},
      {"a,b\n1,2,\n3,4\n5,6,7\n", {"line 2", "found 3 fields, expected 2"}},
      {"1,2\n3,4\n5\n", {"line 3", "column 2 (x2)"}},
      {"a,b\n1,2\n3,abc\n", {"line 3, column 2 (b)", "found 'abc'", "expected a number"}},
      {"a,b\n1,0x10\n", {"line 2, column 2 (b)", "found '0x10'", "expected a number"}},
      {"a,b\n1,2 3\n", {"line 2, column 2 (b)", "found '2 3'"}},
      {"a,b\n1,\" 2x\"\n", {"line 2, column 2 (b)", "found '2x'"}},
      {"a,b\n,2\n", {"line 2, column 1 (a)", "found ''", "expected a number"}},
      {"a,b\n1,\n", {"line 2, column 2 (b)", "found ''"}},
      {"a,b\n1,  \n", {"line 2, column 2 (b)", "found ''"}},
      {"1,,3\n", {"line 1, column 2 (x2)", "found ''", "expected a number"}},
      {"a\n\"\"\n", {"line 2, column 1 (a)", "found ''"}},
      {"a,b\n1,1e999\n", {"line 2, column 2 (b)", "found '1e999'", "range of double"}},
      {"1e999,2\n", {"line 1, column 1 (x1)", "found '1e999'", "range of double"}},
      {"a,b\n1,nan\n", {"line 2, column 2 (b)", "found 'nan'", "expected a finite number"}},
      {"a,b\n-inf,1\n", {"line 2, column 1 (a)", "found '-inf'", "expected a finite number"}},
      {"inf,1\n", {"line 1, column 1 (x1)", "found 'inf'"}},
      {"a,b\n1,\"2\n3,4\n", {"line 2, column 2", "never closed"}},
      {"\"a\n\n\n", {"line 1, column 1", "never closed"}},
      {"a,b\n1,\"2\"x\n", {"line 2, column 2", "after a closing quote"}},
      {"\"a\nb\",c\n1,\"2\" 3\n", {"line 3, column 2", "after a closing quote"}},
      {"\"a\nb\",c\n1,z\n", {"line 3, column 2 (c)", "found 'z'"}},
      {"a,b,a\n1,2,z\n", {"line 2, column 3 (a.1)", "'z'"}},
      {"x2,,b\n1,z,3\n", {"line 2, column 2 (x2.1)", "'z'"}},
      {"a,b\n1,2\n,\n3,4\n", {"line 3, column 1 (a)", "found ''"}},
      {"\n\na,b\n", {"no rows"}},
      {"a,b\n1,x\ty\x01\n", {"line 2", "found 'x\\x09y\\x01'"}},
      {"a,b\n1,2\r3,4\n", {"line 2, column 2 (b)", "found '2\\x0d3'"}},
      {"a,b\n1,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
       {"found 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'"}},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const char *path = in_folder(state, "bad.csv");
    write_file(path, cases[i].text, strlen(cases[i].text));
    entropic_table *table = NULL;
    if (table_read_numbers(context, path, &table) != ENTROPIC_BAD_DATA)
      fail_msg("'%s' is not refused as bad data", cases[i].text);
    assert_null(table);
    assert_message(context, path);
    for (size_t part = 0; part < 4 && cases[i].parts[part] != NULL; part++)
      assert_message(context, cases[i].parts[part]);
  }
}

static void assert_bad(void **state, const void *bytes, size_t count, const char *part) {
  const char *path = in_folder(state, "bad.csv");
  write_file(path, bytes, count);
  entropic_table *table = NULL;
  assert_int_equal(table_read_numbers(context, path, &table), ENTROPIC_BAD_DATA);
  assert_null(table);
  assert_message(context, part);
}

static void nul_bytes_are_refused(void **state) {
  assert_bad(state, "a,b\n1,2\0\n", 9, "line 2, column 2: found a NUL byte");
  assert_bad(state, "a,b\n\"1\0\",2\n", 11, "line 2, column 1: found a NUL byte");
  assert_bad(state, "\0", 1, "line 1, column 1: found a NUL byte");
}

static void missing_files_and_folders_are_refused(void **state) {
  entropic_table *table = NULL;
  const char *path = in_folder(state, "none.csv");
  assert_int_equal(table_read_numbers(context, path, &table), ENTROPIC_SYSTEM);
  assert_message(context, path);
  assert_message(context, "No such file");
  assert_int_equal(table_read_numbers(context, *state, &table), ENTROPIC_BAD_DATA);
  assert_message(context, "0 files and no table");
  assert_int_equal(table_read_numbers(context, NULL, &table), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(table_read_numbers(context, path, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(table_read_numbers(NULL, path, &table), ENTROPIC_SYSTEM);
  /* A file that opens, but cannot be read. */
  assert_int_equal(table_read_numbers(context, "/proc/self/mem", &table), ENTROPIC_SYSTEM);
  assert_message(context, "/proc/self/mem");
  assert_null(table);
}

/* More than one chunk of text, in lines that end anywhere in it. */
static char *long_text(size_t *length, size_t rows) {
  char *text = malloc(rows * 40 + 10), *p = text;
  assert_non_null(text);
  p += sprintf(p, "a,\"b\"\n");
  for (size_t row = 0; row < rows; row++)
    p += sprintf(p, row % 3 ? "%zu,%zu.25\n" : "\"%zu\",%zu.25\r\n", row, row * row);
  *length = (size_t)(p - text);
  return text;
}

static void check_long(entropic_table *table, size_t rows) {
  assert_int_equal(entropic_table_rows(table), rows);
  assert_int_equal(entropic_table_columns(table), 2);
  const double *values = entropic_table_values(table);
  for (size_t row = 0; row < rows; row++) {
    assert_true(values[2 * row] == (double)row);
    assert_true(values[2 * row + 1] == (double)(row * row) + 0.25);
  }
  entropic_table_free(table);
}

static void write_gz(const char *path, const char *text, size_t length) {
  gzFile file = gzopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(gzwrite(file, text, (unsigned)length), length);
  assert_int_equal(gzclose(file), Z_OK);
}

static void long_tables_are_read_plain_and_gzipped(void **state) {
  size_t length;
  char *text = long_text(&length, 20000);
  check_long(read_text(state, text, length), 20000);
  const char *path = in_folder(state, "long.csv.gz");
  write_gz(path, text, length);
  entropic_table *table = NULL;
  assert_int_equal(table_read_numbers(context, path, &table), ENTROPIC_OK);
  check_long(table, 20000);
  free(text);
}

static void broken_gzip_is_refused(void **state) {
  size_t length, size;
  char *text = long_text(&length, 20000);
  const char *path = in_folder(state, "whole.gz");
  write_gz(path, text, length);
  char *bytes = read_whole(path, &size);
  static const double cuts[] = {0.1, 0.5, 0.9};
  for (size_t i = 0; i < COUNT(cuts); i++)
    assert_bad(state, bytes, (size_t)((double)size * cuts[i]), "truncated");
  assert_bad(state, bytes, size - 1, "truncated");
  assert_bad(state, bytes, size - 8, "truncated");
  assert_bad(state, bytes, 12, "truncated");
  bytes[size / 2] = (char)~bytes[size / 2];
  bytes[size - 6] = (char)~bytes[size - 6]; /* the check sum, should the data still make sense */
  assert_bad(state, bytes, size, "line ");
  bytes[size / 2] = (char)~bytes[size / 2];
  assert_bad(state, bytes, size, "corrupt");
  free(bytes);
  free(text);
}

static void dash_is_standard_input(void **state) {
  const char *path = in_folder(state, "input.csv");
  write_file(path, "a,b\n1,2\n3,x\n", 12);
  int old = dup(STDIN_FILENO), file = open(path, O_RDONLY);
  assert_true(file >= 0);
  assert_true(dup2(file, STDIN_FILENO) >= 0);
  entropic_table *table = NULL;
  entropic_status status = table_read_numbers(context, "-", &table);
  int still_open = fcntl(STDIN_FILENO, F_GETFD);
  close(STDIN_FILENO);
  entropic_status closed = table_read_numbers(NULL, "-", &table);
  if (old >= 0)
    dup2(old, STDIN_FILENO);
  close(old);
  close(file);
  assert_int_equal(status, ENTROPIC_BAD_DATA);
  assert_message(context, "standard input, line 3, column 2 (b)");
  assert_true(still_open >= 0);
  assert_int_equal(closed, ENTROPIC_SYSTEM);
  assert_null(table);
}

static void many_columns_are_fine(void **state) {
  enum { columns = 5000 };
  char *text = malloc(columns * 16), *p = text;
  assert_non_null(text);
  for (int column = 0; column < columns; column++)
    p += sprintf(p, "n%d%c", column, column + 1 < columns ? ',' : '\n');
  for (int column = 0; column < columns; column++)
    p += sprintf(p, "%d%c", column, column + 1 < columns ? ',' : '\n');
  entropic_table *table = read_text(state, text, (size_t)(p - text));
  assert_int_equal(entropic_table_columns(table), columns);
  assert_string_equal(entropic_table_name(table, 4999), "n4999");
  assert_true(entropic_table_values(table)[4999] == 4999);
  entropic_table_free(table);
  free(text);
}

static void no_table_has_nothing(void **state) {
  (void)state;
  entropic_table_free(NULL);
  assert_int_equal(entropic_table_rows(NULL), 0);
  assert_int_equal(entropic_table_columns(NULL), 0);
  assert_null(entropic_table_name(NULL, 0));
  assert_null(entropic_table_values(NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start_in_folder, stop_in_folder)

SUITE(data_table) {
  const struct CMUnitTest tests[] = {
      TEST(good_tables_are_read),
      TEST(one_column_and_one_row_will_do),
      TEST(bad_tables_are_refused),
      TEST(nul_bytes_are_refused),
      TEST(missing_files_and_folders_are_refused),
      TEST(long_tables_are_read_plain_and_gzipped),
      TEST(broken_gzip_is_refused),
      TEST(dash_is_standard_input),
      TEST(many_columns_are_fine),
      TEST(no_table_has_nothing),
  };
  return cmocka_run_group_tests_name("data_table", tests, NULL, NULL);
}
