/* Segments of text that several threads parse: whatever the cuts and the threads, the table, the notices and the messages
 * are those of one thread, which reads row by row. */
#include "unit/standard_input.h"

#include <zlib.h>

#include "data/dialect.h"

#include "unit/fixture.h"

/* A file that is read in every way. */
typedef struct reading {
  const char *path;
  ent_read_options options;
} reading;

/* A text that grows. */
typedef struct growing {
  char *text;
  size_t used, capacity;
} growing;

static void append(growing *g, const void *bytes, size_t count) {
  if (g->used + count + 1 > g->capacity) {
    g->capacity = 2 * (g->used + count + 1);
    g->text = realloc(g->text, g->capacity);
    assert_non_null(g->text);
  }
  memcpy(g->text + g->used, bytes, count);
  g->used += count;
  g->text[g->used] = '\0';
}

static void append_text(growing *g, const char *text) {
  append(g, text, strlen(text));
}

/* Names, types and counts of a column, and its categories in their order. */
static void append_column(growing *g, const entropic_table *table, size_t index) {
  entropic_column column = {0};
  char text[200];
  assert_int_equal(column_of_table(context, table, index, &column), ENTROPIC_OK);
  append_text(g, entropic_table_name(table, index));
  snprintf(text, sizeof text, " type %d role %d text %d missing %zu\n", (int)column.type, (int)column.role,
           (int)column.text, column.missing);
  append_text(g, text);
  for (size_t code = 0; entropic_table_category(table, index, code) != NULL; code++) {
    append_text(g, entropic_table_category(table, index, code));
    append_text(g, "\n");
  }
}

/* All that there is to say about a file as a table. */
static growing describe(const reading *r) {
  growing g = {0};
  entropic_table *table = NULL;
  entropic_status status = ent_table_load(context, r->path, &r->options, &table);
  append_text(&g, entropic_status_name(status));
  if (status != ENTROPIC_OK) {
    append_text(&g, entropic_context_message(context));
    return g;
  }
  size_t rows = entropic_table_rows(table), columns = entropic_table_columns(table);
  append(&g, &rows, sizeof rows);
  for (size_t i = 0; i < columns; i++)
    append_column(&g, table, i);
  for (size_t i = 0; entropic_table_notice(table, i) != NULL; i++) {
    append_text(&g, entropic_table_notice(table, i));
    append_text(&g, "\n");
  }
  append(&g, entropic_table_values(table), rows * columns * sizeof(double));
  entropic_table_free(table);
  return g;
}

static void expect_same(const reading *r, const growing *expected, int threads) {
  entropic_context_set_threads(context, threads);
  growing found = describe(r);
  if (found.used != expected->used || memcmp(found.text, expected->text, found.used) != 0)
    fail_msg("%s: %d threads, segments of %zu bytes find\n%s\ninstead of\n%s", r->path, threads, r->options.segment,
             found.text, expected->text);
  free(found.text);
}

static growing expect_of_one_thread(reading *r) {
  r->options.segment = 0;
  entropic_context_set_threads(context, 1);
  return describe(r);
}

static const int threads[] = {2, 3, 8};

/* Reads a file with cuts of so many sizes from 1 on. */
static void cut_everywhere(reading *r, size_t sizes) {
  growing expected = expect_of_one_thread(r);
  for (r->options.segment = 1; r->options.segment <= sizes; r->options.segment++)
    expect_same(r, &expected, threads[r->options.segment % COUNT(threads)]);
  free(expected.text);
}

static const char *const awkward[] = {
    /* Rows and columns of all kinds. */
    "a,b\n1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n13,14\n15,16\n17,18\n",
    "a,b\r\n1,2\r\n3,4\r\n5,6\r\n7,8\r\n9,10\r\n11,12\r\n13,14\r\n15,16",
    "\xef\xbb\xbf"
    "a;b\n1,5;2\n3;4,25\n5,5;6\n7,75;8\n9;10,0\n1e3;-4\n",
    "a b\n1 2\n 3\t4\n5   6 \n7 8\n9 10\n 11 12\n\n13 14\n",
    "a,b\r1,x\r2,y\r3,x\r4,z\r5,y\r6,x\r7,w\r",
    "x\n1\n2\n3\n\n4\n5\n\n\n6\n7\n8\n9",
    "a,b\n\"one\ntwo\",1\n\"three, \"\"four\"\"\",2\n\"\n\n\",3\n\"five\n\",4\nsix,5\n\"a\",6\n\"b\n,\n\",7\n\"\",8\n",
    "a,b\n'it\n',1\n'x''y',2\n'z',3\n'w\n\n',4\nv,5\nu,6\nt,7\n",
    "a,b\n\"p\"\"q\",1\n\"p\"\"\"\"q\",2\n\"p\"\"q\",3\n\"p\"\"\"\"q\",4\n\"p\"\"q\",5\n\"p\"\"\"\"q\",6\n\"r\",7\n",
    "# title\n# more\na,b\n1,2\n# 3,4\n5,6\n#,\n7,8\n9,10\n# end\n11,12\n",
    "a,b,c\n1,,x\n?,2,y\nNA,n/a,\n NULL ,nan,z\n4,5,x\n-,6,y\n--,7,?\n8,.,x\n",
    "a,b\n1,2\n,\n3,4\n,\n,\n5,6\n7,8\n,\n9,10\n,\n,\n",
    "when,price,n\n2020-01-31,\"$1,234.50\",1\n2020-02-01,$12.00,2\n2020-02-29,\"$1,000,000\",3\n2020-03-01,$ -,4\n"
    "2020-03-02,$3,5\n",
    "d,t\n31.12.2020,10:30\n01.02.2021,11:45:10\n15.03.2021,12:00\n28.02.2021,13:15\n03.04.2021,00:00\n",
    "d,v\n01/02/2020,1\n03/04/2020,2\n05/06/2020,3\n07/08/2020,4\n09/10/2020,5\n25/12/2020,6\n",
    "c,v\nred,1\ngreen,2\nblue,3\nred,4\npink,5\nblue,6\nblack,7\nred,8\ngreen,9\nwhite,10\n",
    "id,y\na1,1.0\na2,01\na3,1\na4,2.50\na5,2.5\na6,1.00\na7,2\na8,1e0\n",
    "a,b,,\n1,2,,\n3,4,,\n5,6,,\n,,,\n7,8,,\n,,,\n",
    "a,b\n9007199254740993,123456789012345678901234567890\n1,0.1234567890123456789\n-0,1e-320\n+5,.5\n7,5.\n8,1E+05\n",
    "A title\n\na,b\n1,2\n3,4\n5,6\n7,8\n9,10\n",
    "a,b\nkg,m\n1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n",
    "1 2 3\n4 5 6\n7 8 9\n1 2 3\n4 5 6\n7 8 9\n",
    /* Faults, and what stands before them. */
    "a,b\n1,2\n3,4\n5,6\n7\n9,10\n11,12\n",
    "a,b\n1,2\n3,4\n5,6\n7,8,9\n9,10\n11,12\n",
    "a,b\n1,2\n3,4\n5,\"6\n7,8\n9,10\n11,12\n",
    "a,b\n1,2\n3,4\n5,\"6\"x\n7,8\n9\n",
    "a,b\nx,2\ny,4\n\"z\nz\",4\n\"w\nw\",\"6\"x\n7,8\n9\n",
    "a,b\n1,2\n3,4\n5,6\n7,8\n\n9,10\n1e400,2\n3,4\n",
    "a,b\n1,2\n3,inf\n5,6\n7,8\n",
};

static void awkward_tables_are_the_same(void **state) {
  for (size_t i = 0; i < COUNT(awkward); i++) {
    char name[40];
    snprintf(name, sizeof name, "awkward-%zu", i);
    reading r = {.path = in_folder(state, name), .options = ent_read_options_default()};
    write_file(r.path, awkward[i], strlen(awkward[i]));
    cut_everywhere(&r, 14);
    r.options.roles = (ent_roles){.targets = "2"};
    cut_everywhere(&r, 7);
    r.options.roles = (ent_roles){.weights = "2"};
    cut_everywhere(&r, 4);
    r.options.roles = (ent_roles){.categorical = "1", .groups = "2"};
    cut_everywhere(&r, 4);
    r.options.roles = (ent_roles){.ignore = "1"};
    r.options.missing = "-999,5,x";
    cut_everywhere(&r, 4);
    r.options = ent_read_options_default();
    r.options.numbers_only = 1;
    cut_everywhere(&r, 4);
  }
}

static void bytes_that_are_no_text_are_found(void **state) {
  static const char nul[] = "a,b\n1,2\n3,4\n5,6\n7,8\n9,1\0 0\n11,12\n";
  static const char wide[] = "\xff\xfe"
                             "a\0,\0b\0\n\0"
                             "1\0,\0"
                             "2\0\n\0"
                             "3\0,\0"
                             "4\0\n\0"
                             "5\0,\0"
                             "6\0\n\0";
  reading r = {.path = in_folder(state, "bytes"), .options = ent_read_options_default()};
  write_file(r.path, nul, sizeof nul - 1);
  cut_everywhere(&r, 14);
  write_file(r.path, wide, sizeof wide - 1);
  cut_everywhere(&r, 14);
}

static uint32_t next_random(uint64_t *random) {
  *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*random >> 33);
}

/* A cell of a kind of column; some kinds have few, or rare, awkward ones. */
static void append_cell(growing *g, unsigned kind, uint64_t *random) {
  static const char *const texts[] = {"red",   "blue", "\"a, b\"", "\"two\nlines\"", "\"say \"\"so\"\"\"", "\"\n\n\"",
                                      "x y",   "",     "NA",       "\" padded \"",   "\"\"\"\n,\"",        "unknown",
                                      "green", "-",    "\"red\""};
  static const char *const odd[] = {"", "NA", "-", "\"7\"", " 8 ", "1e5", "0.1234567890123456789", "+3", ".5", "?"};
  char text[40];
  unsigned pick = next_random(random);
  snprintf(text, sizeof text, "%.*g", (int)(pick % 17) + 1, next_random(random) / 65536.0 - 9000);
  if (kind == 0)
    append_text(g, pick % 20 == 0 ? odd[pick / 20 % COUNT(odd)] : text);
  else if (kind == 1)
    append_text(g, texts[pick % COUNT(texts)]);
  else if (kind == 2)
    snprintf(text, sizeof text, "20%02u-%02u-%02u", pick % 30, pick / 30 % 12 + 1, pick / 360 % 28 + 1);
  else
    snprintf(text, sizeof text, "%u", pick % 4);
  if (kind >= 2)
    append_text(g, text);
}

/* A table of columns of random kinds; one line in `rare` is no row, or a wrong one. */
static growing random_table(uint64_t seed, size_t rows, unsigned rare) {
  growing g = {0};
  uint64_t random = seed * 77 + 5;
  size_t columns = 1 + next_random(&random) % 6;
  unsigned kinds[6];
  const char *end = next_random(&random) % 4 == 0 ? "\r\n" : "\n";
  for (size_t i = 0; i < columns; i++) {
    kinds[i] = next_random(&random) % 4;
    append_text(&g, i > 0 ? "," : "");
    append(&g, &"abcdef"[i], 1);
  }
  append_text(&g, end);
  for (size_t row = 0; row < rows; row++) {
    static const char *const others[] = {"", ",,,,,", ",", " ", "1,2", "x"};
    if (rare > 0 && next_random(&random) % rare == 0) {
      append_text(&g, others[next_random(&random) % COUNT(others)]);
      append_text(&g, end);
    }
    for (size_t i = 0; i < columns; i++) {
      append_text(&g, i > 0 ? "," : "");
      append_cell(&g, kinds[i], &random);
    }
    append_text(&g, row + 1 == rows && seed % 3 == 0 ? "" : end);
  }
  return g;
}

static void random_tables_are_the_same(void **state) {
  uint64_t count = quick_tests() ? 40 : 150;
  for (uint64_t seed = 0; seed < count; seed++) {
    growing text = random_table(seed, 1 + seed % 60, seed % 4 == 0 ? 40 : 0);
    reading r = {.path = in_folder(state, "random"), .options = ent_read_options_default()};
    if (seed % 2 == 0)
      r.options.roles.targets = "1";
    write_file(r.path, text.text, text.used);
    growing expected = expect_of_one_thread(&r);
    for (size_t i = 0; i < 4; i++) {
      r.options.segment = 1 + (seed * 13 + i * i * 31) % 150;
      expect_same(&r, &expected, threads[i % COUNT(threads)]);
    }
    free(expected.text);
    free(text.text);
  }
}

static void write_gzip(const char *path, const char *bytes, size_t count) {
  gzFile file = gzopen(path, "wb1");
  assert_non_null(file);
  assert_int_equal(gzwrite(file, bytes, (unsigned)count), (int)count);
  assert_int_equal(gzclose(file), Z_OK);
}

/* A column that turns out to be written otherwise than its first rows, which are read before: `first` up to row 30000,
 * then `then`; both with one number in it. Identifiers have more values than are kept. */
static growing changing_table(const char *first, const char *then, size_t rows) {
  growing g = {0};
  append_text(&g, "a,b\n");
  for (size_t i = 0; i < rows; i++) {
    char row[80];
    int used = snprintf(row, sizeof row, i < 30000 ? first : then, (unsigned)(10 + i % 80));
    snprintf(row + used, sizeof row - (size_t)used, ",i%zu\n", i % 100050);
    append_text(&g, row);
  }
  return g;
}

static void columns_that_change_are_the_same(void **state) {
  static const struct {
    const char *first, *then;
    size_t rows;
  } cases[] = {
      {"word%u", "1992-11-%02u", 70000},
      {"$%u.50", "%u EUR", 65000},
      {"w%u", "%u", 110000},
      {"%u", "x%u", 30100},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    growing text = changing_table(cases[i].first, cases[i].then, cases[i].rows);
    reading r = {.path = in_folder(state, "changing"), .options = ent_read_options_default()};
    write_file(r.path, text.text, text.used);
    growing expected = expect_of_one_thread(&r);
    expect_same(&r, &expected, 2);
    r.options.segment = 1000;
    expect_same(&r, &expected, 3);
    free(expected.text);
    free(text.text);
  }
}

/* Larger than all that is held at a time, so that bytes are read ahead; a row is longer than that, too. */
static void large_files_are_the_same(void **state) {
  for (uint64_t seed = 0; seed < (quick_tests() ? 2 : 5); seed++) {
    growing text = random_table(seed, 40000, seed == 3 ? 20000 : 0);
    reading r = {.path = in_folder(state, "large"), .options = ent_read_options_default()};
    if (seed == 4) { /* a long cell */
      append_text(&text, "\"");
      for (size_t i = 0; i < 200000; i++)
        append_text(&text, "long\ncells ");
      append_text(&text, "\"\n");
    }
    write_file(r.path, text.text, text.used);
    growing expected = expect_of_one_thread(&r);
    for (size_t i = 0; i < COUNT(threads); i++)
      expect_same(&r, &expected, threads[i]);
    r.options.segment = 3000;
    expect_same(&r, &expected, 2);
    r.options.segment = 0;
    assert_int_equal(unlink(r.path), 0);
    write_gzip(r.path, text.text, text.used);
    expect_same(&r, &expected, 2);
    free(expected.text);
    free(text.text);
  }
}

/* Files that end too early, or are corrupt, after rows that are right or wrong. */
static void gzip_failures_are_the_same(void **state) {
  reading r = {.path = in_folder(state, "gzip"), .options = ent_read_options_default()};
  for (int wrong = 0; wrong < 2; wrong++) {
    growing text = {0};
    append_text(&text, "a,b\n");
    for (size_t i = 0; i < 200000; i++) {
      char row[60];
      snprintf(row, sizeof row, "%zu,%u\n", i, (unsigned)(i * 2654435761u));
      append_text(&text, wrong && i == 150000 ? "1\n" : row);
    }
    write_gzip(r.path, text.text, text.used);
    size_t size;
    char *bytes = read_whole(r.path, &size);
    for (size_t part = 1; part < 8; part += 2) {
      size_t at = size * part / 8;
      write_file(r.path, bytes, at);
      growing expected = expect_of_one_thread(&r);
      for (size_t i = 0; i < COUNT(threads); i++)
        expect_same(&r, &expected, threads[i]);
      free(expected.text);
      char kept[16];
      memcpy(kept, bytes + at, sizeof kept);
      memset(bytes + at, 0xff, sizeof kept);
      write_file(r.path, bytes, size);
      expected = expect_of_one_thread(&r);
      for (size_t i = 0; i < COUNT(threads); i++)
        expect_same(&r, &expected, threads[i]);
      free(expected.text);
      memcpy(bytes + at, kept, sizeof kept);
    }
    free(bytes);
    free(text.text);
  }
}

static void pipes_are_the_same(void **state) {
  growing text = random_table(5, 40000, 0);
  reading r = {.path = in_folder(state, "piped"), .options = ent_read_options_default()};
  char command[4300];
  snprintf(command, sizeof command, "cat '%s'", r.path);
  write_file(r.path, text.text, text.used);
  growing expected = expect_of_one_thread(&r);
  r.path = "-";
  piped_input input = pipe_input(command);
  expect_same(&r, &expected, 2);
  restore_input(input);
  free(expected.text);
  free(text.text);
}

/* The same values; why one is missing is told in a table alone. */
static void expect_values(const double *found, const double *expected, size_t count) {
  for (size_t i = 0; i < count; i++)
    assert_true(found[i] == expected[i] || (isnan(found[i]) && isnan(expected[i])));
}

/* Reads a source from its first row on in blocks of `size`, as far as row `until`; places and lines are right between. */
static void read_blocks(ent_source *source, const growing *text, size_t size, const entropic_table *table,
                        size_t until) {
  size_t columns = entropic_table_columns(table), all = entropic_table_rows(table), total = 0, rows = 1;
  double *block = malloc(size * columns * sizeof *block);
  assert_non_null(block);
  for (; rows > 0 && total < until; total += rows) {
    uint64_t place = source->bytes->consumed + source->bytes->at;
    assert_true(text->text[place - 1] == '\n');
    assert_int_equal(source->bytes->line, 1 + ent_count_lines(text->text, text->text + place));
    assert_int_equal(ent_source_read(context, source, block, size, &rows), ENTROPIC_OK);
    assert_true(total + rows <= all);
    expect_values(block, entropic_table_values(table) + total * columns, rows * columns);
  }
  assert_int_equal(total, until > all ? all : until);
  assert_int_equal(ent_source_rewind(context, source), ENTROPIC_OK);
  free(block);
}

/* Blocks of any size, surveyed, and read again from the beginning, whatever has been read ahead. */
static void blocks_are_the_same(void **state) {
  growing text = random_table(10, 60000, 0);
  ent_read_options options = ent_read_options_default();
  const char *path = in_folder(state, "blocks");
  write_file(path, text.text, text.used);
  entropic_table *table = NULL;
  entropic_context_set_threads(context, 1);
  assert_int_equal(ent_table_load(context, path, &options, &table), ENTROPIC_OK);
  entropic_context_set_threads(context, 3);
  for (options.segment = 0; options.segment <= 20000; options.segment += 20000) {
    ent_source *source = NULL;
    assert_int_equal(ent_source_open(context, path, &options, &source), ENTROPIC_OK);
    assert_int_equal(ent_source_survey(context, source), ENTROPIC_OK);
    read_blocks(source, &text, 100, table, 300);
    read_blocks(source, &text, 7777, table, SIZE_MAX);
    read_blocks(source, &text, 1000, table, 20000);
    read_blocks(source, &text, 30000, table, SIZE_MAX);
    ent_source_free(source);
  }
  entropic_table_free(table);
  free(text.text);
}

/* Rows as a model reads them: weights, categories that are known, columns that are not read. */
static void known_columns_are_the_same(void **state) {
  static char *const names[] = {"red", "blue", "1"};
  const char *path = in_folder(state, "known");
  for (int wrong = 0; wrong < 4; wrong++) {
    growing text = {0};
    append_text(&text, "c,w,n,s\n");
    for (size_t i = 0; i < 400; i++) {
      char row[80];
      const char *weight = wrong == 1 && i == 300 ? "-1" : i % 7 == 0 ? "2.5" : "1";
      const char *colour = wrong == 2 && i == 301 ? "pink" : i % 3 == 0 ? "1.0" : i % 2 == 0 ? "\"red\"" : "blue";
      snprintf(row, sizeof row, "%s,%s,%s,\"a\"\"b\"\n", colour, weight, wrong == 3 && i == 302 ? "x" : "7");
      append_text(&text, row);
    }
    write_file(path, text.text, text.used);
    ent_names *known = NULL;
    char expected[1000] = "";
    double values[2][1600];
    assert_int_equal(ent_names_create(context, names, COUNT(names), &known), ENTROPIC_OK);
    for (int many = 0; many < 2; many++) {
      ent_read_options options = ent_read_options_default();
      ent_source *source = NULL;
      size_t rows = 0;
      options.segment = 100;
      entropic_context_set_threads(context, many ? 3 : 1);
      assert_int_equal(ent_source_open(context, path, &options, &source), ENTROPIC_OK);
      ent_column *list = source->columns.list;
      list[0].mode = ENT_MODE_TEXT;
      list[0].known = known;
      list[0].expected = "a colour";
      list[1].mode = ENT_MODE_WEIGHT;
      list[2].mode = ENT_MODE_NUMBER;
      list[3].mode = ENT_MODE_SKIP;
      entropic_status status = ent_source_read(context, source, values[many], 400, &rows);
      assert_int_equal(status, wrong ? ENTROPIC_BAD_DATA : ENTROPIC_OK);
      if (many && wrong)
        assert_string_equal(entropic_context_message(context), expected);
      else if (wrong)
        snprintf(expected, sizeof expected, "%s", entropic_context_message(context));
      else
        assert_int_equal(rows, 400);
      ent_source_free(source);
    }
    if (!wrong)
      assert_memory_equal(values[0], values[1], sizeof values[0]);
    ent_names_free(known);
    free(text.text);
  }
}

SUITE(data_segments) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(awkward_tables_are_the_same),
      cmocka_unit_test(bytes_that_are_no_text_are_found),
      cmocka_unit_test(random_tables_are_the_same),
      cmocka_unit_test(large_files_are_the_same),
      cmocka_unit_test(columns_that_change_are_the_same),
      cmocka_unit_test(known_columns_are_the_same),
      cmocka_unit_test(gzip_failures_are_the_same),
      cmocka_unit_test(pipes_are_the_same),
      cmocka_unit_test(blocks_are_the_same),
  };
  return cmocka_run_group_tests_name("data_segments", tests, start_in_folder, stop_in_folder);
}
