/* Sources: what is found out about a file, types and roles of columns, blocks, rewinding, pipes. */
#include "unit/standard_input.h"

#include <fcntl.h>
#include <stdbool.h>
#include <zlib.h>

#include "unit/fixture.h"

static entropic_table *load(void **state, const char *text, const ent_read_options *options) {
  const char *path = in_folder(state, "file");
  write_file(path, text, strlen(text));
  entropic_table *table = NULL;
  if (ent_table_load(context, path, options, &table) != ENTROPIC_OK)
    fail_msg("'%s' is refused: %s", text, entropic_context_message(context));
  return table;
}

static entropic_column column_of(const entropic_table *table, size_t index) {
  entropic_column column;
  assert_int_equal(column_of_table(context, table, index, &column), ENTROPIC_OK);
  return column;
}

/* The table as text: cells by |, rows by /, categories by their names, missing values as a dot. */
static const char *show(const entropic_table *table) {
  static char text[4000];
  size_t rows = entropic_table_rows(table), columns = entropic_table_columns(table);
  const double *values = entropic_table_values(table);
  char *p = text;
  for (size_t i = 0; i < rows * columns; i++) {
    const char *name = NULL;
    if (column_of(table, i % columns).text && !isnan(values[i]))
      name = entropic_table_category(table, i % columns, (size_t)values[i]);
    p += i == 0 ? 0 : sprintf(p, i % columns > 0 ? "|" : "/");
    if (name != NULL)
      p += sprintf(p, "%s", name);
    else
      p += isnan(values[i]) ? sprintf(p, ".") : sprintf(p, "%.17g", values[i]);
  }
  return text;
}

static void files_are_read_as_they_are_written(void **state) {
  static const struct {
    const char *text, *names, *rows;
  } cases[] = {
      {"a,b\n1,x\n2,y\n3,x\n", "a|b", "1|x/2|y/3|x"},
      {"a,b\n1,\n?,2\nNA,n/a\n NULL ,nan\n4,5\n", "a|b", "1|./.|2/.|./.|./4|5"},
      {"a,b\n1,none\n2,x\n", "a|b", "1|none/2|x"},
      {"red,1\nblue,2\nred,3\n", "x1|x2", "red|1/blue|2/red|3"},
      {"red,yes\nblue,no\nred,no\nblue,yes\n", "x1|x2", "red|yes/blue|no/red|no/blue|yes"},
      {"colour,ok\nblue,no\nred,no\nblue,yes\n", "colour|ok", "blue|no/red|no/blue|yes"},
      {"a;b;c\n1,5;2;x,y\n-0,25;3,0;z\n", "a|b|c", "1.5|2|x,y/-0.25|3|z"},
      {"1,5;2,5\n3,5;4,5\n", "x1|x2", "1.5|2.5/3.5|4.5"},
      {"a|b\n1|a b\n2|c, d\n", "a|b", "1|a b/2|c, d"},
      {"a\tb c\n1\t\n\t2\n", "a|b c", "1|./.|2"},
      {"h1   h2\n1\t2\n3\t4\n", "h1|h2", "1|2/3|4"},
      {"\"a\",\"b\"\n\"x, \"\"y\"\"\",1\n\"two\nlines\",2\n", "a|b", "x, \"y\"|1/two\nlines|2"},
      {",a\n0,5\n1,6\n", "x1|a", "0|5/1|6"},
      {"a,b,,\n1,2,,\n3,4,,\n,,,\n", "a|b", "1|2/3|4/.|."},
      /* A line of delimiters is a row, wherever it stands below the header; a blank line is none. */
      {"a,b\n1,2\n,\n3,4\n,\n", "a|b", "1|2/.|./3|4/.|."},
      {"a,b\n,\n1,2\n", "a|b", ".|./1|2"},
      {",\n,\na,b\n,\n,\n1,2\n\n,", "a|b", ".|./.|./1|2/.|."},
      {",\n,\n1,2\n3,4\n", "x1|x2", ".|./.|./1|2/3|4"},
      {"a\tb\n\t\n1\t2\n\n \n\t\n", "a|b", ".|./1|2/.|."},
      {"a\n5\n\"\"\n\nNA\n6\n\n", "a", "5/././6"},
      {"#ff,1\n#00,2\n#ff,3\n", "x1|x2", "#ff|1/#00|2/#ff|3"},
      {"# a comment, here\na,b\n1,2\n#3,4\n", "a|b", "1|2"},
      {"a,b\n1,2\n3,4x\n", "a|b", "1|2/3|4x"},
      {"a\n5\n\n6\n", "a", "5/6"},
      {"id,when\n1,2020-01-01 10:00\n2,2020-01-01 11:00\n", "id|when", "1|18262.416666666668/2|18262.458333333332"},
      {"a,b\n007,1e2\n+5,.5\n", "a|b", "7|100/5|0.5"},
      {"a,b\n9007199254740993,123456789012345678901234567890\n1,2\n", "a|b",
       "9007199254740992|1.2345678901234568e+29/1|2"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_table *table = load(state, cases[i].text, NULL);
    char names[200] = "";
    for (size_t c = 0; c < entropic_table_columns(table); c++) {
      strcat(names, c > 0 ? "|" : "");
      strcat(names, entropic_table_name(table, c));
    }
    assert_string_equal(names, cases[i].names);
    assert_string_equal(show(table), cases[i].rows);
    assert_int_equal(entropic_table_format(table), ENTROPIC_FORMAT_TEXT);
    entropic_table_free(table);
  }
}

/* Text that shows up long after the sample of the first rows. */
static void late_text_is_a_category(void **state) {
  enum { rows = 60000 };
  char *text = malloc(rows * 20), *p = text;
  assert_non_null(text);
  for (int row = 0; row < rows; row++)
    p += sprintf(p, row >= rows - 3000 ? "%03d,text%d\n" : "%03d,%02d\n", row % 1000, row % 3);
  entropic_table *table = load(state, text, NULL);
  assert_int_equal(entropic_table_rows(table), rows);
  assert_int_equal(column_of(table, 0).type, ENTROPIC_COLUMN_TYPE_NUMBER);
  assert_int_equal(column_of(table, 1).type, ENTROPIC_COLUMN_TYPE_CATEGORY);
  assert_int_equal(column_of(table, 1).categories, 6);
  assert_string_equal(entropic_table_category(table, 1, 2), "02");
  assert_string_equal(entropic_table_category(table, 1, 3), "text0");
  assert_null(entropic_table_category(table, 1, 6));
  assert_null(entropic_table_category(table, 0, 0));
  assert_true(entropic_table_values(table)[2 * rows - 1] == 5);
  entropic_table_free(table);
  /* The same without a survey: refused where it stands. */
  ent_source *source = NULL;
  assert_int_equal(ent_source_open(context, in_folder(state, "file"), NULL, &source), ENTROPIC_OK);
  double *values = malloc(rows * 2 * sizeof *values);
  assert_non_null(values);
  size_t count = 1;
  assert_int_equal(ent_source_read(context, source, values, rows, &count), ENTROPIC_BAD_DATA);
  assert_message(context, "line 57001, column 2 (x2): found 'text0', expected a number");
  ent_source_free(source);
  free(values);
  free(text);
}

static void types_are_found(void **state) {
  char text[4000] = "number,word,same,none,count,back,key,mostly,gap\n", *p = text + strlen(text);
  for (int row = 0; row < 30; row++)
    p += sprintf(p, "%d.5,w%d,7,,%d,%d,k%d,%s,%s\n", row * row, row % 4, (row * 7) % 30 + 1, row + 5, row,
                 row == 3 ? "" : "q", row == 3 ? "" : "1");
  static const entropic_column_type types[] = {
      ENTROPIC_COLUMN_TYPE_NUMBER,     ENTROPIC_COLUMN_TYPE_CATEGORY,   ENTROPIC_COLUMN_TYPE_CONSTANT,
      ENTROPIC_COLUMN_TYPE_CONSTANT,   ENTROPIC_COLUMN_TYPE_IDENTIFIER, ENTROPIC_COLUMN_TYPE_NUMBER,
      ENTROPIC_COLUMN_TYPE_IDENTIFIER, ENTROPIC_COLUMN_TYPE_CATEGORY,   ENTROPIC_COLUMN_TYPE_NUMBER};
  static const size_t missing[] = {0, 0, 0, 30, 0, 0, 0, 1, 1};
  entropic_table *table = load(state, text, NULL);
  for (size_t i = 0; i < COUNT(types); i++) {
    entropic_column column = column_of(table, i);
    assert_int_equal(column.type, types[i]);
    assert_int_equal(column.missing, missing[i]);
    assert_int_equal(column.text, i == 1 || i == 6 || i == 7);
  }
  entropic_table_free(table);
  /* In a short table nothing is an identifier, and what the caller calls a category is one. */
  table = load(state, "a,b\n1,x\n2,y\n3,z\n", NULL);
  assert_int_equal(column_of(table, 0).type, ENTROPIC_COLUMN_TYPE_NUMBER);
  assert_int_equal(column_of(table, 1).type, ENTROPIC_COLUMN_TYPE_CATEGORY);
  entropic_table_free(table);
  ent_read_options options = ent_read_options_default();
  options.roles.categorical = "key,count, number";
  table = load(state, text, &options);
  assert_int_equal(column_of(table, 0).type, ENTROPIC_COLUMN_TYPE_CATEGORY);
  assert_int_equal(column_of(table, 4).type, ENTROPIC_COLUMN_TYPE_CATEGORY);
  assert_int_equal(column_of(table, 6).type, ENTROPIC_COLUMN_TYPE_CATEGORY);
  assert_string_equal(entropic_table_category(table, 0, 2), "4.5");
  entropic_table_free(table);
}

static void roles_are_found(void **state) {
  static const char text[] = "age,weight,2,\"a,b\",y\n1,2,3,4,5\n6,7,8,9,x\n";
  ent_read_options options = ent_read_options_default();
  options.roles = (ent_roles){.targets = "y,1", .weights = "weight", .groups = "2", .ignore = "a,b"};
  entropic_table *table = load(state, text, &options);
  static const entropic_role roles[] = {ENTROPIC_ROLE_TARGET, ENTROPIC_ROLE_WEIGHT, ENTROPIC_ROLE_GROUP,
                                        ENTROPIC_ROLE_IGNORED, ENTROPIC_ROLE_TARGET};
  for (size_t i = 0; i < COUNT(roles); i++)
    assert_int_equal(column_of(table, i).role, roles[i]);
  assert_string_equal(show(table), "1|2|3|.|5/6|7|8|.|x");
  assert_int_equal(column_of_table(context, table, 5, &(entropic_column){0}), ENTROPIC_BAD_ARGUMENT);
  entropic_table_free(table);

  static const struct {
    ent_roles roles;
    const char *message;
  } wrong[] = {
      {{.targets = "wieght"}, "file: no column wieght: did you mean weight?"},
      {{.targets = "AGE"}, "file: no column AGE: did you mean age?"},
      {{.targets = "zzzzz"}, "file: no column zzzzz; there are age, weight, 2, a,b, y"},
      {{.targets = "weight", .ignore = "WEIGHT"}, "file: no column WEIGHT; there are age, weight, 2, a,b, y"},
      {{.targets = "y", .weights = "weight", .groups = "wieght"}, "file: no column wieght; there are"},
      {{.targets = "6"}, "file: no column 6; there are 5"},
      {{.ignore = "0"}, "file: no column 0; there are 5"},
      {{.ignore = "age,,y"}, "file: no column ;"},
      {{.weights = "age,y"}, "file: no column age,y"},
      {{.targets = "y", .ignore = "age,5"}, "column y is the target and cannot be ignored"},
      {{.targets = "y", .weights = "y"}, "column y is the target and cannot be the weight"},
      {{.ignore = "y", .categorical = "y"}, "column y is ignored and cannot be categorical"},
      {{.categorical = "age,nil"}, "file: no column nil"},
  };
  for (size_t i = 0; i < COUNT(wrong); i++) {
    options.roles = wrong[i].roles;
    table = NULL;
    assert_int_equal(ent_table_load(context, in_folder(state, "file"), &options, &table), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, wrong[i].message);
    assert_null(table);
  }
}

/* Numbers are those of the other table, and its columns are found by name: none but the weights has to be there. */
static void roles_like_those_of_another_table(void **state) {
  ent_read_options options = ent_read_options_default();
  options.roles = (ent_roles){.targets = "3", .weights = "4", .groups = "g", .ignore = "c,d", .categorical = "2"};
  entropic_table *like = load(state, "a,b,y,w,g,\"c,d\",c,d\n1,2,3,4,5,6,7,8\n2,3,4,5,6,7,8,9\n", &options);
  options.roles.schema_of = &like->source->columns;
  entropic_table *table = load(state, "w,y,\"c,d\",c,b,a\n1,2,3,4,5,6\n7,8,9,1,2,3\n", &options);
  static const entropic_role roles[] = {ENTROPIC_ROLE_WEIGHT, ENTROPIC_ROLE_TARGET, ENTROPIC_ROLE_IGNORED,
                                        ENTROPIC_ROLE_INPUT,  ENTROPIC_ROLE_INPUT,  ENTROPIC_ROLE_INPUT};
  for (size_t i = 0; i < COUNT(roles); i++) {
    assert_int_equal(column_of(table, i).role, roles[i]);
    assert_int_equal(column_of(table, i).text, i == 4);
  }
  entropic_table_free(table);
  table = load(state, "w,z\n1,2\n7,8\n", &options);
  assert_int_equal(column_of(table, 0).role, ENTROPIC_ROLE_WEIGHT);
  assert_int_equal(column_of(table, 1).role, ENTROPIC_ROLE_INPUT);
  entropic_table_free(table);
  write_file(in_folder(state, "file"), "y,b,a\n1,2,3\n", 12);
  assert_int_equal(ent_table_load(context, in_folder(state, "file"), &options, &table), ENTROPIC_BAD_DATA);
  assert_message(context, "file: no column w, which is the weight; there are y, b, a");
  options.roles.targets = "9";
  assert_int_equal(ent_table_load(context, in_folder(state, "file"), &options, &table), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "no column 9; there are 8");
  entropic_table_free(like);
}

static void options_override_what_is_found(void **state) {
  ent_read_options options = ent_read_options_default();
  options.header = 0;
  options.delimiter = ';';
  entropic_table *table = load(state, "a,b\nc,d\n", &options);
  assert_string_equal(show(table), "a,b/c,d");
  entropic_table_free(table);
  options.delimiter = ',';
  options.header = 1;
  table = load(state, "1,2\n3,4\n", &options);
  assert_string_equal(entropic_table_name(table, 1), "2");
  entropic_table_free(table);
  options = ent_read_options_default();
  options.quote = 0;
  options.missing = "none,-200";
  options.comment = '%';
  table = load(state, "a,b\n% no\n\"x\",None\nNA,-200\n", &options);
  assert_string_equal(show(table), "\"x\"|./NA|.");
  entropic_table_free(table);
  options = ent_read_options_default();
  assert_null(options.missing); /* the usual marks */
  table = load(state, "a,b\nx,?\nNA,2\nNone,3\n", &options);
  assert_string_equal(show(table), "x|./.|2/None|3");
  entropic_table_free(table);
  options = ent_read_options_default();
  options.decimal = ',';
  options.delimiter = ' ';
  table = load(state, "1,5 2\n3,5 4\n", &options);
  assert_string_equal(show(table), "1.5|2/3.5|4");
  entropic_table_free(table);
  options = ent_read_options_default();
  options.format = ENTROPIC_FORMAT_TEXT;
  table = load(state, "1 1:2\n3 1:4\n", &options);
  assert_string_equal(show(table), "1|1:2/3|1:4");
  entropic_table_free(table);

  const struct {
    const char *name;
    int *field, value;
  } wrong[] = {
      {"delimiter", &options.delimiter, 'e'}, {"delimiter", &options.delimiter, '\n'}, {"quote", &options.quote, '7'},
      {"decimal", &options.decimal, ';'},     {"comment", &options.comment, '-'},      {"header", &options.header, 2},
      {"comment", &options.comment, 200},
  };
  for (size_t i = 0; i < COUNT(wrong); i++) {
    options = ent_read_options_default();
    *wrong[i].field = wrong[i].value;
    assert_int_equal(ent_table_load(context, in_folder(state, "file"), &options, &table), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, wrong[i].name);
  }
  options = ent_read_options_default();
  options.format = (entropic_format)9;
  assert_int_equal(ent_table_load(context, in_folder(state, "file"), &options, &table), ENTROPIC_BAD_ARGUMENT);
}

static void libsvm_is_read(void **state) {
  ent_read_options options = ent_read_options_default();
  static const char text[] = "+1 1:0.5 3:-2\n-1\n\n0.5 2:1e-3 # the third\n";
  entropic_table *table = load(state, text, NULL);
  assert_int_equal(entropic_table_format(table), ENTROPIC_FORMAT_LIBSVM);
  assert_string_equal(entropic_table_name(table, 0), "label");
  assert_string_equal(entropic_table_name(table, 3), "x3");
  assert_string_equal(show(table), "1|0.5|0|-2/-1|0|0|0/0.5|0|0.001|0");
  entropic_table_free(table);
  options.libsvm_inputs = 5;
  table = load(state, text, &options);
  assert_int_equal(entropic_table_columns(table), 6);
  entropic_table_free(table);
  options.libsvm_inputs = 2;
  assert_int_equal(ent_table_load(context, in_folder(state, "file"), &options, &table), ENTROPIC_BAD_DATA);
  assert_message(context, "line 1, entry 3: found '3:-2', expected an index of at most 2");
  options = ent_read_options_default();
  options.libsvm_from_zero = options.libsvm_any_order = 1;
  table = load(state, "1 2:5 0:4 2:6\n2 1:nan\n", &options);
  assert_string_equal(show(table), "1|4|0|6/2|0|.|0");
  entropic_table_free(table);
  options = ent_read_options_default();
  options.roles = (ent_roles){.targets = "label", .ignore = "x1", .categorical = "x2"};
  table = load(state, "1 1:1 2:7\n2 1:2\n", &options);
  assert_string_equal(show(table), "1|.|7/2|.|0");
  entropic_table_free(table);
}

/* An array with the elements 1, 2, ... as each type has them. */
static void write_npy(const char *path, const char *descr, int version, bool fortran, const void *data, size_t size) {
  char bytes[600], header[200];
  int length =
      sprintf(header, "{'descr': '%s', 'fortran_order': %s, 'shape': (3, 2), }\n", descr, fortran ? "True" : "False");
  memcpy(bytes, "\x93NUMPY", 6);
  bytes[6] = (char)version;
  bytes[7] = 0;
  memset(bytes + 8, 0, 4);
  bytes[8] = (char)length;
  size_t at = version > 1 ? 12 : 10;
  memcpy(bytes + at, header, (size_t)length);
  memcpy(bytes + at + (size_t)length, data, size);
  write_file(path, bytes, at + (size_t)length + size);
}

static void arrays_are_read(void **state) {
  static const struct {
    const char *type;
    size_t size;
    unsigned char one[8], two[8]; /* the elements 1 and -2 (unsigned: 2), least byte first */
  } types[] = {
      {"f8", 8, {0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, {0, 0, 0, 0, 0, 0, 0, 0xc0}},
      {"f4", 4, {0, 0, 0x80, 0x3f}, {0, 0, 0, 0xc0}},
      {"i1", 1, {1}, {0xfe}},
      {"i2", 2, {1}, {0xfe, 0xff}},
      {"i4", 4, {1}, {0xfe, 0xff, 0xff, 0xff}},
      {"i8", 8, {1}, {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
      {"u1", 1, {1}, {2}},
      {"u2", 2, {1}, {2}},
      {"u4", 4, {1}, {2}},
      {"u8", 8, {1}, {2}},
      {"b1", 1, {1}, {0}},
  };
  for (size_t i = 0; i < COUNT(types); i++) {
    double second = types[i].type[0] == 'u' ? 2 : types[i].type[0] == 'b' ? 0 : -2;
    for (int variant = 0; variant < 12; variant++) {
      bool big = variant & 1, fortran = variant & 2;
      unsigned char data[48];
      for (size_t e = 0; e < 6; e++)
        for (size_t b = 0; b < types[i].size; b++)
          data[e * types[i].size + (big ? types[i].size - 1 - b : b)] = e == 4 ? types[i].two[b] : types[i].one[b];
      char descr[8];
      snprintf(descr, sizeof descr, "%c%s", types[i].size == 1 ? '|' : big ? '>' : '<', types[i].type);
      const char *path = in_folder(state, "array");
      write_npy(path, descr, 1 + variant / 4, fortran, data, 6 * types[i].size);
      entropic_table *table = NULL;
      assert_int_equal(ent_table_load(context, path, NULL, &table), ENTROPIC_OK);
      assert_int_equal(entropic_table_rows(table), 3);
      assert_int_equal(entropic_table_columns(table), 2);
      for (size_t e = 0; e < 6; e++) /* the fifth element is (2,0), or in Fortran's order (1,1) */
        assert_true(entropic_table_values(table)[e] == (e == (fortran ? 3 : 4) ? second : 1));
      entropic_table_free(table);
    }
  }
}

/* Blocks of any size add up to the table, plain and gzipped, before and after a survey, and again. */
static void blocks_add_up(void **state) {
  enum { rows = 5000 };
  char *text = malloc(rows * 40), *p = text;
  assert_non_null(text);
  p += sprintf(p, "a,b,c\r\n");
  for (int row = 0; row < rows; row++)
    p += sprintf(p, row % 5 ? "%d,%d.125,w%d\r\n" : "\"%d\",%d.125,\"w\n%d\"\r\n", row, row * 3, row % 11);
  entropic_table *table = load(state, text, NULL);
  const char *plain = in_folder(state, "file"), *packed = in_folder(state, "file.gz");
  gzFile file = gzopen(packed, "wb");
  assert_int_equal(gzwrite(file, text, (unsigned)(p - text)), p - text);
  assert_int_equal(gzclose(file), Z_OK);
  static double values[7000 * 3];
  static const size_t sizes[] = {1, 7, 1024, 7000};
  for (size_t s = 0; s < 8; s++) {
    ent_source *source = NULL;
    assert_int_equal(ent_source_open(context, s % 2 ? packed : plain, NULL, &source), ENTROPIC_OK);
    assert_int_equal(source->columns.count, 3);
    assert_int_equal(source->rows, 0);
    for (int pass = 0; pass < 3; pass++) {
      size_t total = 0, count;
      do {
        assert_int_equal(ent_source_read(context, source, values, sizes[s / 2], &count), ENTROPIC_OK);
        assert_memory_equal(values, entropic_table_values(table) + 3 * total, count * 3 * sizeof *values);
        total += count;
      } while (count > 0);
      assert_int_equal(total, rows);
      assert_int_equal(ent_source_read(context, source, values, 1, &count), ENTROPIC_OK);
      assert_int_equal(count, 0);
      if (pass == 0)
        assert_int_equal(ent_source_rewind(context, source), ENTROPIC_OK);
      if (pass == 1)
        assert_int_equal(ent_source_survey(context, source), ENTROPIC_OK);
    }
    assert_int_equal(source->rows, rows);
    entropic_column column;
    assert_int_equal(ent_source_column(context, source, 2, &column), ENTROPIC_OK);
    assert_int_equal(column.categories, 22);
    assert_string_equal(ent_source_category(source, 2, 0), "w\n0");
    ent_source_free(source);
  }
  entropic_table_free(table);
  free(text);
}

static void pipes_are_read(void **state) {
  (void)state;
  const char *command = "i=0; while [ $i -lt 20000 ]; do echo \"$i,$((i % 7))\"; i=$((i+1)); done; "
                        "i=0; while [ $i -lt 2000 ]; do echo 5,text; i=$((i+1)); done";
  piped_input input = pipe_input(command);
  entropic_table *table = NULL;
  entropic_status status = ent_table_load(context, "-", NULL, &table);
  restore_input(input);
  assert_int_equal(status, ENTROPIC_OK);
  assert_int_equal(entropic_table_rows(table), 22000);
  assert_int_equal(column_of(table, 1).categories, 8);
  assert_true(entropic_table_values(table)[2 * 19999] == 19999);
  entropic_table_free(table);

  input = pipe_input(command);
  ent_source *source = NULL;
  status = ent_source_open(context, "-", NULL, &source);
  double values[20];
  size_t rows = 0;
  entropic_status read = ent_source_read(context, source, values, 10, &rows);
  entropic_status again = ent_source_rewind(context, source);
  ent_source_free(source);
  restore_input(input);
  assert_int_equal(status, ENTROPIC_OK);
  assert_int_equal(read, ENTROPIC_OK);
  assert_int_equal(rows, 10);
  assert_int_equal(again, ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "standard input is not a regular file and cannot be read again");
}

static void nothing_is_refused_politely(void **state) {
  ent_source *source = NULL;
  double value;
  size_t rows;
  entropic_column column;
  const char *path = in_folder(state, "file");
  write_file(path, "a\n1\n", 4);
  assert_int_equal(ent_source_open(context, NULL, NULL, &source), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_source_open(context, path, NULL, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_table_load(context, path, NULL, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_source_open(context, path, NULL, &source), ENTROPIC_OK);
  assert_int_equal(ent_source_read(context, source, &value, 0, &rows), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_source_read(context, source, NULL, 1, &rows), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_source_column(context, source, 1, &column), ENTROPIC_BAD_ARGUMENT);
  assert_null(ent_source_category(source, 1, 0));
  ent_source_free(source);
  ent_source_free(NULL);
  assert_int_equal(ent_source_survey(context, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_source_rewind(context, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_table_format(NULL), ENTROPIC_FORMAT_AUTO);
  assert_null(entropic_table_category(NULL, 0, 0));
  assert_int_equal(column_of_table(context, NULL, 0, &column), ENTROPIC_BAD_ARGUMENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start_in_folder, stop_in_folder)

SUITE(data_source) {
  const struct CMUnitTest tests[] = {
      TEST(files_are_read_as_they_are_written),
      TEST(late_text_is_a_category),
      TEST(types_are_found),
      TEST(roles_are_found),
      TEST(roles_like_those_of_another_table),
      TEST(options_override_what_is_found),
      TEST(libsvm_is_read),
      TEST(arrays_are_read),
      TEST(blocks_add_up),
      TEST(pipes_are_read),
      TEST(nothing_is_refused_politely),
  };
  return cmocka_run_group_tests_name("data_source", tests, NULL, NULL);
}
