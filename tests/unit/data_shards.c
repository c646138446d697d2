/* Tables read in parts are those read at once. */
#include "unit/sharding.h"
#include "unit/shared_data.h"

#include "unit/fixture.h"

/* A table by its text, and what its columns are for. */
typedef struct made_table {
  const char *name, *text;
  ent_roles roles;
} made_table;

static const made_table tables[] = {
    {"plain", "a,b,y\n1,2,3\n4,5,6\n7,8,9\n1,1,1\n2,2,2\n", {.targets = "y"}},
    {"no final line feed", "a,b\n1,x\n2,y\n3,x\n4,z", {0}},
    {"carriage returns and line feeds", "a,b\r\n1,x\r\n2,y\r\n3,x\r\n4,z\r\n", {0}},
    {"carriage returns alone", "a,b\r1,x\r2,y\r3,x\r4,z\r", {0}},
    {"a byte-order mark",
     "\xef\xbb\xbf"
     "a,b\n1,x\n2,y\n3,x\n",
     {0}},
    {"quotes with line feeds",
     "name,b\n\"one\ntwo\nthree\",1\n\"a\"\"b\n\"\"c\",2\nx,3\n\"\n\n\n\",4\n\"p,q\n1,2\n3,4\n\",5\nlast,6\n",
     {0}},
    {"a quoted field that looks like rows",
     "a,b\n1,\"x\n2,y\n3,z\n4,\"\n5,w\n\"6\",\"\n7,7\n8,8\n9,9\n\"\n10,v\n",
     {0}},
    {"marks of missing values", "a,b,c\n1,?,x\nNA,2,-\n3,,y\n-,4,?\n5,-,x\nnan,6,-\n,,\n7,8,z\n", {0}},
    {"a weight that is missing",
     "a,w,y\n1,1,3\n2,NA,4\n3,?,5\n4,NA,6\n5,2,7\n6,-,8\n",
     {.targets = "y", .weights = "w"}},
    {"a negative weight", "a,w,y\n1,1,3\n2,2,4\n3,3,5\n4,-4,6\n5,2,7\n6,1,8\n", {.targets = "y", .weights = "w"}},
    {"dates",
     "d,e,y\n2024-01-02,01/02/2024,1\n2024-01-03,02/03/2024,2\n2024-02-03,12/11/2024,3\n2024-02-05,13/11/2024,4\n",
     {.targets = "y"}},
    {"dates with words",
     "d,y\n2024-01-02,1\nnever,2\n2024-02-03,3\nnever,4\n2024-02-05,5\nlater,6\n",
     {.targets = "y"}},
    {"dates that stay ambiguous", "d,y\n01/02/2024,1\n02/03/2024,2\n03/04/2024,3\n", {.targets = "y"}},
    {"decimal commas", "a;b;y\n1,5;x;2\n2,25;y;3\n3,125;z;4\n10,5;x;5\n", {.targets = "y"}},
    {"thousands", "a;b\n1,500;1\n2,250;2\n3,125;3\n1,234,567.5;4\n12;5\n", {0}},
    {"units", "a,b\n5 kg,1\n6 kg,2\n7.5 kg,3\n8 kg,4\n9 kg,5\n", {0}},
    {"units that differ", "a,b\n5 kg,1\n6 kg,2\n7.5 kg,3\n8 g,4\n9 kg,5\n", {0}},
    {"clocks", "t,b\n10:15,1\n11:30,2\n23:59:30,3\n00:01,4\n", {0}},
    {"constants", "a,b,c,d\n1,x,,-\n1,x,,-\n1,x,,-\n1,x,,-\n1,x,,-\n", {0}},
    {"constants but for the last", "a,b,c\n1,x,\n1,x,\n1,x,\n1,x,\n1,y,5\n", {0}},
    {"no names", "1,2,x\n3,4,y\n5,6,x\n7,8,z\n", {0}},
    {"empty names", ",b,\n1,2,x\n3,4,y\n5,6,x\n7,8,z\n", {0}},
    {"a title", "A table of things\n\na,b\n1,x\n2,y\n3,x\n4,z\n5,x\n6,y\n", {0}},
    {"comments", "# first\na,b\n1,x\n# second\n2,y\n3,x\n# third\n# fourth\n4,z\n#\n", {0}},
    {"blank rows", "a,b\n1,x\n,\n,\n2,y\n\n3,x\n,\n,\n,\n4,z\n,\n,\n", {0}},
    {"a row too narrow", "a,b,c\n1,2,3\n4,5,6\n7,8\n9,10,11\n12,13\n", {0}},
    {"a row too wide", "a,b\n1,2\n3,4\n5,6,7\n8,9\n", {0}},
    {"a quote that is not closed", "a,b\n1,x\n2,\"y\n3,z\n4,w\n", {0}},
    {"text after a quote", "a,b\n1,x\n2,\"y\"z\n3,z\n4,w\n", {0}},
    {"classes that are numbers", "a,y\n1,01\n2,1.0\n3,2\n4,01\n5,2.00\n6,1\n", {.targets = "y"}},
    {"classes that are similar", "a,y\n1,Yes\n2,yes\n3,no\n4,No\n5,yes\n6,no \n", {.targets = "y"}},
    {"declared categories", "a,b,y\n1,7,1\n2,7,2\n1,8,3\n3,9,4\n2,7,5\n", {.targets = "y", .categorical = "a,b"}},
    {"groups and ignored columns",
     "g,a,i,y\n1,1,x,1\n1,2,y,2\n2,3,5,3\nz,4,6,4\n",
     {.targets = "y", .groups = "g", .ignore = "i"}},
    {"time", "t,a,y\n3,1,1\n1,2,2\nNA,3,3\n2,4,4\n", {.targets = "y", .time = "t"}},
    {"infinity", "a,b\n1,2\n2,inf\n3,1e400\n4,5\n", {0}},
    {"a header alone", "a,b\n", {0}},
    {"one row", "a,b\n1,x\n", {0}},
    {"one column", "a\n1\n2\n\n3\n4\n", {0}},
    {"blanks between columns", "a b c\n1  2 x\n3 4  y\n 5 6 z \n7 8 x\n", {0}},
};

/* Every byte of the file is the first of a part once: cuts are everywhere, and most parts are empty. */
static void small_tables_in_any_parts(void **state) {
  const char *path = in_folder(state, "table.csv");
  char copy[4200];
  snprintf(copy, sizeof copy, "%s", path);
  for (size_t i = 0; i < COUNT(tables); i++) {
    ent_read_options options = ent_read_options_default();
    options.roles = tables[i].roles;
    size_t size = strlen(tables[i].text);
    write_file(copy, tables[i].text, size);
    for (size_t parts = 1; parts <= 7; parts++)
      check_file(context, copy, &options, parts, (merge_order)(parts % MERGINGS));
    check_file(context, copy, &options, size, MERGE_TREE);
  }
}

/* ---- Larger tables ---- */

/* How a made table is odd. */
typedef enum oddity {
  ODD_NOTHING,
  ODD_LAST_TEXT,     /* a column is text in the last rows alone */
  ODD_FEW_WORDS,     /* a few words among numbers: refused */
  ODD_MANY_WORDS,    /* more words: categories */
  ODD_LAST_NOTATION, /* numbers with thousands from half-way on */
  ODD_LAST_QUOTES,   /* quoted line feeds */
  ODD_ORDER,         /* numbers of rows in another order */
  ODD_TARGET_WORDS,  /* a target with many values and words */
  ODD_SPELLINGS,     /* a target of many spellings */
  ODDITIES
} oddity;

static void write_cell(FILE *file, oddity odd, size_t row, size_t rows, entropic_random *random) {
  double value = entropic_random_uniform(random);
  size_t late = rows - rows / 10;
  if (odd == ODD_LAST_TEXT && row >= rows - 2 - rows / 50)
    fprintf(file, "text%zu", row % 3);
  else if ((odd == ODD_FEW_WORDS && row % 301 == 150) || (odd == ODD_MANY_WORDS && row % 50 > 45))
    fprintf(file, "%s", row % 2 ? "unknown" : "bad \"value");
  else if (odd == ODD_LAST_NOTATION && row >= rows / 2)
    fprintf(file, "%zu %03zu", row, row % 1000);
  else if (odd == ODD_LAST_QUOTES && row % 3 == 0)
    fprintf(file, "\"%zu,\n%zu,1,x,%zu\n\"\"\n\"", row % 7, row % 5, row % 2);
  else if (odd == ODD_ORDER)
    fprintf(file, "%zu", (row * 7919) % rows);
  else if (odd == ODD_TARGET_WORDS && row >= late)
    fprintf(file, "word%zu", row % 5);
  else
    fprintf(file, "%.6g", value * 100);
}

/* Columns: a run of numbers, the odd one, categories, texts that all differ, missing ones, the target. */
static void write_table(const char *path, oddity odd, size_t rows) {
  entropic_random random = entropic_random_start(5, (uint64_t)odd);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fprintf(file, "run,odd,category,name,gaps,y\n");
  for (size_t row = 0; row < rows; row++) {
    fprintf(file, "%zu,", row + 1);
    if (odd == ODD_FEW_WORDS && row % 301 == 150)
      fprintf(file, "unknown%s,", row % 2 ? "" : " value");
    else if (odd == ODD_MANY_WORDS && row % 50 > 45)
      fprintf(file, "w%zu,", row % 7);
    else if (odd == ODD_TARGET_WORDS || odd == ODD_SPELLINGS)
      fprintf(file, "%zu,", row % 10);
    else {
      write_cell(file, odd, row, rows, &random);
      fputc(',', file);
    }
    fprintf(file, "c%llu,name%zu,", (unsigned long long)entropic_random_below(&random, 1 + row / 20), row);
    fprintf(file, row % 4 == 1 ? "NA," : row % 9 == 2 ? "-," : "%zu.5,", row);
    if (odd == ODD_TARGET_WORDS)
      write_cell(file, odd, row, rows, &random);
    else
      fprintf(file, odd == ODD_SPELLINGS ? "%zu.0" : "%zu", odd == ODD_SPELLINGS ? row : row % 3);
    fputc('\n', file);
  }
  assert_int_equal(fclose(file), 0);
}

/* Segments and several threads, with cuts in rows and in quotes. */
static void larger_tables_in_parts(void **state) {
  char path[4200];
  snprintf(path, sizeof path, "%s", in_folder(state, "large.csv"));
  ent_read_options options = ent_read_options_default();
  options.roles.targets = "y";
  for (int odd = 0; odd < ODDITIES; odd++) {
    write_table(path, (oddity)odd, odd == ODD_SPELLINGS ? 23000 : 3000);
    for (size_t parts = 1; parts <= (quick_tests() ? 2 : 7); parts++) {
      options.segment = parts % 2 ? 0 : 1000;
      check_file(context, path, &options, parts, (merge_order)(parts % MERGINGS));
    }
    if (!quick_tests())
      check_file(context, path, &options, 31, MERGE_TREE);
  }
}

/* A text that differs in every row fills the dictionary; where others come first it is none. */
static void identifiers_of_many_rows(void **state) {
  char path[4200];
  snprintf(path, sizeof path, "%s", in_folder(state, "names.csv"));
  for (int late = 0; late < 2; late++) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "name,y\n");
    for (size_t row = 0; late && row < 230000; row++)
      fprintf(file, "%c,%zu\n", 'a' + (int)(row % 3), row % 7);
    for (size_t row = 0; row < 130000; row++)
      fprintf(file, "n%zu,%zu\n", row, row % 7);
    assert_int_equal(fclose(file), 0);
    for (size_t parts = 2; parts <= 3; parts++)
      check_file(context, path, NULL, parts, MERGE_RIGHT);
  }
}

/* Real tables, plain. */
static void real_tables_in_parts(void **state) {
  need_data();
  static const char *const names[] = {"odd/AirQualityUCI_semicolon_decimalcomma_trailing_empty.csv",
                                      "odd/airfoil_tab_with_space_header.dat",
                                      "odd/auto_imports_missing.csv",
                                      "odd/boston_fixedwidth_no_final_newline.data",
                                      "odd/breast-cancer_single_quotes.csv",
                                      "odd/concrete_bom_crlf_longheader_trailing_space.csv",
                                      "odd/energy_bom_noheader_no_final_newline.csv",
                                      "odd/grid_semicolon_crlf.csv",
                                      "small/autos.csv.gz",
                                      "small/breastcancer.csv.gz",
                                      "small/forest.csv.gz",
                                      "small/machine.csv.gz",
                                      "small/solar.csv.gz",
                                      "adult_train.csv.gz",
                                      "bike_hour.csv.gz",
                                      "grid_stability.csv.gz"};
  char plain[4200], command[9000];
  snprintf(plain, sizeof plain, "%s", in_folder(state, "plain"));
  for (size_t i = 0; i < COUNT(names); i++) {
    const char *path = data(names[i]);
    if (path == NULL)
      continue;
    snprintf(command, sizeof command, "gzip -dcf '%s' > '%s'", path, plain);
    assert_int_equal(system(command), 0);
    for (size_t parts = 1; parts <= 7; parts += parts > 3 ? 3 : 1)
      check_file(context, plain, NULL, parts, (merge_order)(parts % MERGINGS));
    check_file(context, plain, NULL, quick_tests() ? 11 : 53, MERGE_TREE);
  }
}

/* ---- Rounds ---- */

/* A cut within quotes takes a round more, and no more; what is read already is not read again. */
static void cuts_in_quotes_are_found(void **state) {
  char path[4200];
  snprintf(path, sizeof path, "%s", in_folder(state, "quotes.csv"));
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fprintf(file, "a,b\n");
  for (int row = 0; row < 50; row++)
    fprintf(file, "%d,x\n", row);
  fprintf(file, "50,\"");
  for (int row = 0; row < 100; row++)
    fprintf(file, "%d,y\n", row);
  fprintf(file, "\"\n");
  for (int row = 51; row < 100; row++)
    fprintf(file, "%d,x\n", row);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(check_file(context, path, NULL, 1, MERGE_LEFT), 1);
  assert_int_equal(check_file(context, path, NULL, 2, MERGE_LEFT), 2);
  /* The field is longer than the second and third part: these are empty, and each is known one round later. */
  assert_true(check_file(context, path, NULL, 5, MERGE_LEFT) <= 5);
}

/* Files and tables as parts of one table. */
static void files_as_parts(void **state) {
  char first[4200], second[4200], both[4200];
  snprintf(first, sizeof first, "%s", in_folder(state, "first.csv"));
  snprintf(second, sizeof second, "%s", in_folder(state, "second.csv"));
  snprintf(both, sizeof both, "%s", in_folder(state, "both.csv"));
  static const char one[] = "a,b,y\n1,x,1\n2,y,2\n3,x,3\n", two[] = "a,b,y\n4,z,1\nword,y,2\nother,x,2.5\n";
  write_file(first, one, strlen(one));
  write_file(second, two, strlen(two));
  char text[200];
  snprintf(text, sizeof text, "%s%s", one, strchr(two, '\n') + 1);
  write_file(both, text, strlen(text));
  entropic_table *expected = NULL;
  ASSERT_OK(context, ent_table_load(context, both, NULL, &expected));
  sharded *s = calloc(1, sizeof *s);
  s->parts = 2;
  ASSERT_OK(context, ent_shard_open_file(context, first, NULL, 0, &s->shards[0]));
  ASSERT_OK(context, ent_shard_open_file(context, second, NULL, 1, &s->shards[1]));
  run_rounds(context, s);
  compare_with(context, s, ENTROPIC_OK, "", expected, "files");
  assert_string_equal(s->survey.file + strlen(first), " and other files");
  sharded_free(s);
  free(s);
  entropic_table_free(expected);
}

static void tables_as_parts(void **state) {
  (void)state;
  static const char *const names[] = {"a", "b", "y"};
  double values[60 * 3];
  for (size_t row = 0; row < 60; row++) {
    values[row * 3] = (double)(row + 1);
    values[row * 3 + 1] = row % 7 == 3 ? NAN : (double)(row * row % 11);
    values[row * 3 + 2] = row < 20 ? 5 : (double)(row % 4);
  }
  const ent_roles roles = {.targets = "y", .categorical = "b"};
  static const size_t cuts[] = {0, 20, 21, 60};
  entropic_table *expected = NULL, *parts[3] = {0};
  ASSERT_OK(context, ent_table_create(context, values, 60, 3, 3, names, &roles, &expected));
  sharded *s = calloc(1, sizeof *s);
  s->parts = 3;
  for (size_t i = 0; i < 3; i++) {
    ASSERT_OK(context,
              ent_table_create(context, values + cuts[i] * 3, cuts[i + 1] - cuts[i], 3, 3, names, &roles, &parts[i]));
    ASSERT_OK(context, ent_shard_of_table(context, parts[i], i, &s->shards[i]));
  }
  run_rounds(context, s);
  assert_int_equal(s->status, ENTROPIC_OK);
  size_t row = 0;
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(parts[i]->source->columns.first, 1 + cuts[i]);
    compare_rows(parts[i], expected, row, "tables");
    row += cuts[i + 1] - cuts[i];
  }
  for (size_t i = 0; i < 3; i++)
    compare_column(&s->survey.columns.list[i], &expected->source->columns.list[i], "tables");
  sharded_free(s);
  free(s);
  for (size_t i = 0; i < 3; i++)
    entropic_table_free(parts[i]);
  entropic_table_free(expected);
}

static void what_cannot_be_cut_is_refused(void **state) {
  ent_shard *shard = NULL;
  const char *path = in_folder(state, "rows.libsvm");
  static const char text[] = "1 1:2 3:4\n-1 2:5\n1 1:1\n";
  write_file(path, text, strlen(text));
  assert_int_equal(ent_shard_open(context, path, NULL, 1, 2, &shard), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "cannot be read in parts, expected a file of delimited text");
  assert_int_equal(ent_shard_open(context, path, NULL, 2, 2, &shard), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "part 2 of 2, expected 0 to 1");
  check_file(context, path, NULL, 1, MERGE_LEFT);
}

SUITE(data_shards) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_tables_in_any_parts), cmocka_unit_test(larger_tables_in_parts),
      cmocka_unit_test(identifiers_of_many_rows),  cmocka_unit_test(real_tables_in_parts),
      cmocka_unit_test(cuts_in_quotes_are_found),  cmocka_unit_test(files_as_parts),
      cmocka_unit_test(tables_as_parts),           cmocka_unit_test(what_cannot_be_cut_is_refused),
  };
  return cmocka_run_group_tests(tests, start_in_folder, stop_in_folder);
}
