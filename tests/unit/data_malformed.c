/* Files with one fault each: the status, and what the message says of it. */
#include "unit/tests.h"

#include <sys/stat.h>
#include <zlib.h>

#include "unit/fixture.h"

/* A file, and the end of the message about it: all that follows the file's name. */
typedef struct fault {
  const char *name, *bytes;
  size_t count; /* 0: bytes is a string */
  const char *message;
} fault;

static void expect(void **state, const fault *faults, size_t count, const ent_read_options *options) {
  for (size_t i = 0; i < count; i++) {
    const fault *f = &faults[i];
    const char *path = in_folder(state, f->name);
    write_file(path, f->bytes, f->count > 0 ? f->count : strlen(f->bytes));
    entropic_table *table = NULL;
    entropic_status status = ent_table_load(context, path, options, &table);
    const char *message = entropic_context_message(context);
    char expected[2000];
    snprintf(expected, sizeof expected, "%s%s", path, f->message);
    if (status != ENTROPIC_BAD_DATA)
      fail_msg("%s: status %s", f->name, entropic_status_name(status));
    assert_null(table);
    assert_string_equal(message, expected);
    assert_int_equal(unlink(path), 0);
  }
}

static const fault texts[] = {
    {"empty", "\n", 0, " is empty, expected rows"},
    {"empty lines", "\r\n \n\t\n", 0, " is empty, expected rows"},
    {"a mark and no more", "\xef\xbb\xbf", 0, " is empty, expected rows"},
    {"comments alone", "# one\n# two\n", 0, ", line 1, column 1 (x1): found '#', expected a number"},
    {"a header alone", "a,b\n", 0, " has a header and no rows, expected some"},
    {"a header without an end", "a,b", 0, " has a header and no rows, expected some"},
    {"a header and blanks", "a,b\n\n  \n\t\n", 0, " has a header and no rows, expected some"},
    {"a header and a row without values", "a,b\n\n,\n", 0, ", line 3, column 1 (a): found '', expected a number"},
    {"delimiters alone", ",,\n\n,,\n", 0, " is empty, expected rows"},
    {"too few fields", "a,b,c\n1,2,3\n4,5\n", 0,
     ", line 3: found 2 fields, expected 3; column 3 (c) is the first one missing"},
    {"too few fields, no header", "1,2,3\n4\n", 0,
     ", line 2: found 1 field, expected 3; column 2 (x2) is the first one missing"},
    {"too many fields", "a,b\n1,2\n3,4,5,6\n", 0, ", line 3: found 4 fields, expected 2; column 3 ('5') is too many"},
    {"a delimiter too many, once", "a,b\n1,2\n3,4,\n5,6\n", 0,
     ", line 3: found 3 fields, expected 2; column 3 ('') is too many"},
    {"too few between blanks", "1 2 3\n4 5 6\n7 8 9\n1 2 3\n4 5\n", 0,
     ", line 5: found 2 fields, expected 3; column 3 (x3) is the first one missing"},
    {"too many between blanks", "1 2\n3 4\n5 6\n7 8 \n9 1 2\n", 0,
     ", line 5: found 3 fields, expected 2; column 3 ('2') is too many"},
    {"too few, with semicolons", "a;b\n1,5;2\n3\n", 0,
     ", line 3: found 1 field, expected 2; column 2 (b) is the first one missing"},
    {"a quote never closed", "a,b\n1,\"2\n3,4\n5,6\n", 0, ", line 2, column 2: a quote is opened and never closed"},
    {"a quote never closed in the header", "\"a,b\n1,2\n", 0, ", line 1, column 1: a quote is opened and never closed"},
    {"a single quote never closed", "'a','b'\n'1','2\n", 0, ", line 2, column 2: a quote is opened and never closed"},
    {"text after a quote", "a,b\n1,\"2\"x\n", 0,
     ", line 2, column 2: there is text after a closing quote, expected the end of the field"},
    {"text after a quote in the header", "\"a\"b,c\n1,2\n", 0,
     ", line 1, column 1: there is text after a closing quote, expected the end of the field"},
    {"junk after a number", "a,b\n1,2x\n", 0, ", line 2, column 2 (b): found '2x', expected a number"},
    {"two numbers", "a,b\n1,2 3\n", 0, ", line 2, column 2 (b): found '2 3', expected a number"},
    {"two points", "a,b\n1,2.3.4\n", 0, ", line 2, column 2 (b): found '2.3.4', expected a number"},
    {"a number in hexadecimal", "a,b\n0x10,1\n", 0, ", line 2, column 1 (a): found '0x10', expected a number"},
    {"a sign alone", "a,b\n-,1\n", 0, ", line 2, column 1 (a): found '-', expected a number"},
    {"an exponent without digits", "a,b\n1e,1\n", 0, ", line 2, column 1 (a): found '1e', expected a number"},
    {"thousands", "a;b\n1'000;2\n", 0, ", line 2, column 1 (a): found '1'000', expected a number"},
    {"a percentage", "a,b\n5%,2\n", 0, ", line 2, column 1 (a): found '5%', expected a number"},
    {"a decimal comma in quotes", "a,b\n\"1,5\",2\n", 0, ", line 2, column 1 (a): found '1,5', expected a number"},
    {"a point among decimal commas", "a;b\n1,5;2,5\n1.5;3,5\n", 0,
     ", line 3, column 1 (a): found '1.5', expected a number"},
    {"too large", "a,b\n1,1e999\n", 0,
     ", line 2, column 2 (b): found '1e999', expected a number within the range of double, up to 1.8e308"},
    {"too large below zero", "a,b\n1,-2e308\n", 0,
     ", line 2, column 2 (b): found '-2e308', expected a number within the range of double, up to 1.8e308"},
    {"infinite", "a,b\n1,inf\n", 0, ", line 2, column 2 (b): found 'inf', expected a finite number"},
    {"infinite, no header", "-Infinity,2\n", 0, ", line 1, column 1 (x1): found '-Infinity', expected a finite number"},
    {"not a number", "a,b\n1,NaN\n", 0, ", line 2, column 2 (b): found 'NaN', expected a finite number"},
    {"a missing value", "a,b\n1,2\n,3\n", 0, ", line 3, column 1 (a): found '', expected a number"},
    {"a missing value in quotes", "a,b\n1,\"\"\n", 0, ", line 2, column 2 (b): found '', expected a number"},
    {"a mark of missing values", "a,b\n1,?\n", 0, ", line 2, column 2 (b): found '?', expected a finite number"},
    {"a row without values", "a,b\n1,2\n,\n3,4\n", 0, ", line 3, column 1 (a): found '', expected a number"},
    {"text", "a,b\n1,two\n", 0, ", line 2, column 2 (b): found 'two', expected a number"},
    {"text with control characters", "a,b\n1,x\x1b[2J\n", 0,
     ", line 2, column 2 (b): found 'x\\x1b[2J', expected a number"},
    {"bytes that are no UTF-8", "a,b\n1,\xff\xfe\n", 0,
     ", line 2, column 2 (b): found '\\xff\\xfe', expected a number"},
    {"a long text", "a\n1\nabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\n", 0,
     ", line 3, column 1 (a): found 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn...', expected a number"},
    {"a fault after lines within quotes", "\"a\nb\",c\n\"1\n\",2\n", 0,
     ", line 3, column 1 (a\\x0ab): found '1\\x0a', expected a number"},
    {"text under a name that was there before", "a,b,a\n1,2,z\n", 0,
     ", line 2, column 3 (a.1): found 'z', expected a number"},
    {"text under a name that was made up already", "x2,\n1,z\n", 0,
     ", line 2, column 2 (x2.1): found 'z', expected a number"},
    {"a NUL byte", "a,b\n1,2\0\n", 9, ", line 2, column 2: found a NUL byte, expected text"},
    {"a NUL byte in the header", "a\0,b\n1,2\n", 9, ", line 1, column 1: found a NUL byte, expected text"},
    {"a NUL byte in quotes", "a,b\n1,\"\0\"\n", 10, ", line 2, column 2: found a NUL byte, expected text"},
    {"carriage returns within lines", "a,b\n1,2\r3,4\n", 0,
     ", line 2, column 2 (b): found '2\\x0d3', expected a number"},
    {"a spreadsheet", "PK\3\4......", 0,
     " is a zip archive (a spreadsheet, or .npz), expected delimited text, LIBSVM text or .npy, plain or compressed by "
     "gzip or zstd"},
    {"UTF-16 with an odd byte",
     "\xff\xfe"
     "a\0,\0b\0\n\0001",
     11, ", line 2, byte 11: the file ends in the middle of a character, expected UTF-16 text"},
    {"a picture", "\x89PNG\r\n\x1a\n", 0,
     " is a PNG image, expected delimited text, LIBSVM text or .npy, plain or compressed by gzip or zstd"},
    {"a program",
     "\x7f"
     "ELF\2\1\1",
     0, " is a program, expected delimited text, LIBSVM text or .npy, plain or compressed by gzip or zstd"},
    {"a model",
     "\x89"
     "ENT\r\n\x1a\n",
     8, " is a model of Entropic, expected delimited text, LIBSVM text or .npy, plain or compressed by gzip or zstd"},
    {"a page", "%PDF-1.4\n", 0,
     " is a PDF document, expected delimited text, LIBSVM text or .npy, plain or compressed by gzip or zstd"},
};

static const fault libsvm[] = {
    {"index 0", "1 0:1 1:2\n", 0,
     ", line 1, entry 2: found '0:1', expected an index of 1 or more (indices from zero are an option)"},
    {"indices that descend", "1 1:1 2:1\n1 2:1 1:1\n", 0,
     ", line 2, entry 3: found '1:1', expected indices in ascending order (any order is an option)"},
    {"an index twice", "1 1:1 1:2\n", 0,
     ", line 1, entry 3: found '1:2', expected an index that does not appear twice"},
    {"no colon", "1 1:1\n2 3\n", 0, ", line 2, entry 2: found '3', expected index:value"},
    {"no label", "1 1:1\n2:1\n", 0, ", line 2, entry 1: found '2:1', expected a label that is one number"},
    {"several labels", "1 1:1\n1,2 1:1\n", 0, ", line 2, entry 1: found '1,2', expected a label that is one number"},
    {"a label in words", "1 1:1\nyes 1:1\n", 0, ", line 2, entry 1: found 'yes', expected a label that is one number"},
    {"no value", "1 1:\n", 0, ", line 1, entry 2: found '1:', expected a number after the colon"},
    {"no number", "1 1:x\n", 0, ", line 1, entry 2: found '1:x', expected a number after the colon"},
    {"a negative index", "1 1:1\n1 -1:1\n", 0, ", line 2, entry 2: found '-1:1', expected index:value"},
    {"an infinite value", "1 1:inf\n", 0, ", line 1, entry 2: found '1:inf', expected a finite number"},
    {"a value too large", "1 1:1e999\n", 0, ", line 1, entry 2: found '1:1e999', expected a finite number"},
    {"queries", "1 qid:3 1:1\n", 0, ", line 1, entry 2: found 'qid:3', expected index:value"},
    {"too large an index", "1 1000001:1\n", 0,
     ", line 1, entry 2: found '1000001:1', expected an index of at most 1000000"},
    {"an index beyond 64 bits", "1 1:1\n1 99999999999999999999:1\n", 0,
     ", line 2, entry 2: found '99999999999999999999:1', expected index:value"},
};

static void texts_are_refused(void **state) {
  ent_read_options options = ent_read_options_default();
  options.numbers_only = 1;
  expect(state, texts, COUNT(texts), &options);
  expect(state, libsvm, COUNT(libsvm), &options);
}

#define NPY(descr, order, shape) "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }\n"

static void arrays_are_refused(void **state) {
  static const struct {
    const char *header, *message;
  } cases[] = {
      {NPY("'|O'", "False", "(1,)"),
       ", header: found '|O', expected numbers (objects are pickled Python, which can run any code and is not read)"},
      {NPY("'<c16'", "False", "(1,)"), ", header: found '<c16', expected real numbers, not complex ones"},
      {NPY("'<U3'", "False", "(1,)"), ", header: found '<U3', expected numbers, not texts"},
      {NPY("'|S8'", "False", "(1,)"), ", header: found '|S8', expected numbers, not texts"},
      {NPY("'<M8[D]'", "False", "(1,)"), ", header: found '<M8[D]', expected numbers, not times"},
      {NPY("'<f2'", "False", "(1,)"), ", header: found '<f2', expected floats of 4 or 8 bytes"},
      {NPY("'<f16'", "False", "(1,)"), ", header: found '<f16', expected floats of 4 or 8 bytes"},
      {NPY("[('a', '<f8')]", "False", "(1,)"),
       ", header: found '[('a', '<f8')]', expected one number type (arrays of records with named fields are not read)"},
      {NPY("'<f8'", "False", "()"), ", header: found '()', expected a shape of one or two dimensions"},
      {NPY("'<f8'", "False", "(1, 1, 1)"), ", header: found '(1, 1, 1)', expected a shape of one or two dimensions"},
      {NPY("'<f8'", "False", "(0, 3)"), ", header: found '(0, 3)', expected rows and columns"},
      {NPY("'<f8'", "False", "(3, -1)"), ", header: found '(3, -1)', expected a shape such as (3, 4)"},
      {NPY("'<f8'", "False", "(1, 2000000)"), ", header: found '(1, 2000000)', expected at most 1000000 columns"},
      {NPY("'<f8'", "Maybe", "(1,)"), ", header: found 'Maybe, 'shape': (1,), }\\x0a', expected True or False "
                                      "('fortran_order')"},
      {NPY("'<f8'", "False", "(3,)"), ": the .npy data end too early; the file is truncated"},
      {NPY("'<f8'", "True", "(3, 2)"), ": the .npy data end too early; the file is truncated"},
      {NPY("'<f4'", "False", "(1,)"), ": there are bytes after the array, expected the end of the file"},
      {"{'shape': (1,), 'fortran_order': False}", ", header: found '', expected a type ('descr')"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    char bytes[400] = "\x93NUMPY\1";
    size_t length = strlen(cases[i].header);
    bytes[8] = (char)length;
    memcpy(bytes + 10, cases[i].header, length);
    fault f = {"array.npy", bytes, 10 + length + 8, cases[i].message};
    expect(state, &f, 1, NULL);
  }
  static const fault broken[] = {
      {"version 4", "\x93NUMPY\4\0\0\0\0\0\0", 13, ": found .npy version 4.0, expected 1, 2 or 3"},
      {"no header", "\x93NUMPY\1\0", 8, ": the .npy data end too early; the file is truncated"},
      {"half a header", "\x93NUMPY\1\0\x50\0{'descr'", 18, ": the .npy data end too early; the file is truncated"},
      {"a huge header", "\x93NUMPY\2\0\xff\xff\xff\x7f{}", 14,
       ": the .npy header has 2147483647 bytes, expected at most 1048576"},
  };
  expect(state, broken, COUNT(broken), NULL);
  char infinite[100] = "\x93NUMPY\1";
  const char header[] = NPY("'>f8'", "False", "(1, 1)");
  infinite[8] = (char)(sizeof header - 1);
  memcpy(infinite + 10, header, sizeof header - 1);
  memcpy(infinite + 10 + sizeof header - 1, "\x7f\xf0\0\0\0\0\0\0", 8);
  fault f = {"infinite.npy", infinite, 10 + sizeof header - 1 + 8,
             ", row 1, column 1 (x1): found 'inf', expected a finite number"};
  expect(state, &f, 1, NULL);
}

/* Under 1 % of a column that is no number is a fault; so is any infinity. */
static void junk_is_told_from_categories(void **state) {
  static char text[40000];
  for (int junk = 1; junk <= 2; junk++) {
    char *p = text + sprintf(text, "a,b\n");
    for (int row = 0; row < 150; row++)
      p += sprintf(p, row == 100 || (row == 120 && junk == 2) ? "%d,oops\n" : "%d,%d.5\n", row % 7, row % 9);
    const char *path = in_folder(state, "junk.csv");
    write_file(path, text, strlen(text));
    entropic_table *table = NULL;
    entropic_column column;
    entropic_status status = ent_table_load(context, path, NULL, &table);
    if (junk == 1) {
      assert_int_equal(status, ENTROPIC_BAD_DATA);
      assert_message(context,
                     "junk.csv, line 102, column 2 (b): found 'oops', expected a number as in 99.33 % of the "
                     "rows, but these are not: 'oops' (1, line 102) (--missing oops: a missing value; --categorical b: "
                     "the column holds categories)");
      ent_read_options options = ent_read_options_default();
      options.roles.categorical = "b";
      assert_int_equal(ent_table_load(context, path, &options, &table), ENTROPIC_OK);
      entropic_table_free(table);
      options.roles.categorical = NULL;
      options.roles.ignore = "b";
      assert_int_equal(ent_table_load(context, path, &options, &table), ENTROPIC_OK);
    } else {
      assert_int_equal(status, ENTROPIC_OK);
      assert_int_equal(column_of_table(context, table, 1, &column), ENTROPIC_OK);
      assert_int_equal(column.type, ENTROPIC_COLUMN_TYPE_CATEGORY);
      assert_int_equal(column.categories, 10);
      assert_string_equal(entropic_table_category(table, 1, 1), "1.5");
    }
    entropic_table_free(table);
  }
  fault f = {"inf.csv", "a,b\n1,2\n3,inf\n1,inf\n", 0, ", line 3, column 2 (b): found 'inf', expected a finite number"};
  expect(state, &f, 1, NULL);
}

static void long_lines(void **state) {
  enum { most = 10 << 20 };
  char *text = malloc(most + 100);
  assert_non_null(text);
  memcpy(text, "a,b\n1,", 6);
  memset(text + 6, '7', most);
  memcpy(text + 6 + most, ",3\n", 3);
  fault f = {"long.csv", text, most + 9, ", line 2: found 3 fields, expected 2; column 3 ('3') is too many"};
  ent_read_options options = ent_read_options_default();
  options.numbers_only = 1;
  f.message = ", line 2, column 2 (b): found '7777777777777777777777777777777777777777...', expected a number within "
              "the range of double, up to 1.8e308";
  expect(state, &f, 1, &options);
  memset(text + 6, ' ', most); /* a short number in a long line */
  text[6 + most / 2] = '8';
  text[6 + most] = '\n';
  const char *path = in_folder(state, "blank.csv");
  write_file(path, text, most + 7);
  entropic_table *table = NULL;
  assert_int_equal(ent_table_load(context, path, &options, &table), ENTROPIC_OK);
  assert_int_equal(entropic_table_rows(table), 1);
  assert_true(entropic_table_values(table)[1] == 8);
  entropic_table_free(table);
  free(text);
}

static void files_that_cannot_be_read(void **state) {
  entropic_table *table = NULL;
  const char *path = in_folder(state, "none.csv");
  assert_int_equal(ent_table_load(context, path, NULL, &table), ENTROPIC_SYSTEM);
  assert_message(context, "No such file or directory");
  assert_int_equal(ent_table_load(context, *state, NULL, &table), ENTROPIC_BAD_DATA);
  assert_message(context, "and no table, expected .csv");
  write_file(path, "a\n1\n", 4);
  assert_int_equal(chmod(path, 0), 0);
  if (geteuid() != 0) {
    assert_int_equal(ent_table_load(context, path, NULL, &table), ENTROPIC_SYSTEM);
    assert_message(context, "Permission denied");
  }
  assert_int_equal(ent_table_load(context, "/dev/null", NULL, &table), ENTROPIC_BAD_DATA);
  assert_message(context, "/dev/null is empty, expected rows");
  assert_null(table);
}

static void broken_gzip(void **state) {
  char text[5000], *p = text;
  for (int row = 0; row < 400; row++)
    p += sprintf(p, "%d,%d\n", row * 17 % 401, row);
  const char *whole = in_folder(state, "whole.gz");
  gzFile file = gzopen(whole, "wb");
  assert_int_equal(gzwrite(file, text, (unsigned)(p - text)), p - text);
  assert_int_equal(gzclose(file), Z_OK);
  size_t size;
  char *bytes = read_whole(whole, &size);
  /* The line where the bytes end that are there. */
  const char *cut = in_folder(state, "cut.gz");
  char got[5000], expected[200];
  write_file(cut, bytes, size - 20);
  file = gzopen(cut, "rb");
  int there = gzread(file, got, sizeof got), lines = 0;
  gzclose(file);
  for (int i = 0; i < there; i++)
    lines += got[i] == '\n';
  assert_true(lines > 300 && lines < 400);
  snprintf(expected, sizeof expected, ", line %d: the gzip data end too early; the file is truncated", lines + 1);
  fault f = {"cut.gz", bytes, size - 20, expected};
  expect(state, &f, 1, NULL);
  bytes[size - 6] = (char)~bytes[size - 6];
  snprintf(expected, sizeof expected, ", after line 401, byte %zu: the gzip data are corrupt: incorrect data check",
           size - 3);
  f = (fault){"sum.gz", bytes, size, expected};
  expect(state, &f, 1, NULL);
  free(bytes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start_in_folder, stop_in_folder)

SUITE(data_malformed) {
  const struct CMUnitTest tests[] = {
      TEST(texts_are_refused), TEST(arrays_are_refused),        TEST(junk_is_told_from_categories),
      TEST(long_lines),        TEST(files_that_cannot_be_read), TEST(broken_gzip),
  };
  return cmocka_run_group_tests_name("data_malformed", tests, NULL, NULL);
}
