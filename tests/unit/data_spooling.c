/* Tables on disk: whatever is packed comes back bit for bit, and a table is the same as in memory. */
#include "unit/standard_input.h"

#include "columns/packing.h"
#include "data/table.h"
#include "model/model.h"

#include "unit/fixture.h"
#include "dataset/dataset.h"

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double of_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Values in their places, those of other columns between them; packed, and read again. */
static ent_packed pack_and_read(const double *values, size_t rows, bool cells) {
  enum { STRIDE = 3 };
  double *spread = malloc(rows * STRIDE * sizeof *spread), *found = malloc(rows * sizeof *found);
  unsigned char *bytes = malloc(ENT_PACKED_MOST(rows));
  assert_non_null(spread);
  assert_non_null(found);
  assert_non_null(bytes);
  for (size_t i = 0; i < rows * STRIDE; i++)
    spread[i] = i % STRIDE == 0 ? values[i / STRIDE] : 1e300;
  ent_packed packed = ent_pack(spread, rows, STRIDE, cells, bytes);
  assert_true(packed.bytes <= ENT_PACKED_MOST(rows) && packed.bytes % 8 == 0);
  const ent_chunk chunk = {.rows = rows,
                           .values = packed.none ? NULL : bytes,
                           .element = packed.element,
                           .stride = packed.constant ? 0 : (ptrdiff_t)ent_element_size(packed.element),
                           .valid = {packed.valid > 0 ? bytes + packed.valid : NULL}};
  ent_column_view view = {.element = ENT_ELEMENT_PACKED};
  assert_int_equal(ent_column_view_add(context, &view, &chunk), ENTROPIC_OK);
  ent_column_view_read(&view, 0, rows, found, 1);
  for (size_t i = 0; i < rows; i++)
    if (isnan(values[i]) && !cells)
      assert_int_equal(bits_of(found[i]), bits_of((double)NAN));
    else
      assert_int_equal(bits_of(found[i]), bits_of(values[i]));
  ent_column_view_clear(&view);
  free(spread);
  free(found);
  free(bytes);
  return packed;
}

/* The narrowest element for some values, and how many bytes these take. */
static void elements_are_the_narrowest(void **state) {
  (void)state;
  static const struct {
    double values[4];
    int element;
    size_t bytes;
  } cases[] = {
      {{0, 255, 3, 4}, ENTROPIC_ELEMENT_UINT8, 8},
      {{0, 256, 3, 4}, ENTROPIC_ELEMENT_UINT16, 8},
      {{0, 65535, 3, 4}, ENTROPIC_ELEMENT_UINT16, 8},
      {{0, 65536, 3, 4}, ENTROPIC_ELEMENT_UINT32, 16},
      {{0, 4294967295.0, 3, 4}, ENTROPIC_ELEMENT_UINT32, 16},
      {{0, 4294967296.0, 3, 4}, ENTROPIC_ELEMENT_FLOAT32, 16},
      {{0, 4294967297.0, 3, 4}, ENTROPIC_ELEMENT_FLOAT64, 32},
      {{-1, 127, 3, 4}, ENTROPIC_ELEMENT_INT8, 8},
      {{-128, 127, 3, 4}, ENTROPIC_ELEMENT_INT8, 8},
      {{-129, 127, 3, 4}, ENTROPIC_ELEMENT_INT16, 8},
      {{-1, 128, 3, 4}, ENTROPIC_ELEMENT_INT16, 8},
      {{-32769, 0, 3, 4}, ENTROPIC_ELEMENT_INT32, 16},
      {{-2147483648.0, 2147483647.0, 3, 4}, ENTROPIC_ELEMENT_INT32, 16},
      {{-1, 2147483648.0, 3, 4}, ENTROPIC_ELEMENT_FLOAT32, 16},
      {{-1, 2147483649.0, 3, 4}, ENTROPIC_ELEMENT_FLOAT64, 32},
      {{-2147483649.0, 1, 3, 4}, ENTROPIC_ELEMENT_FLOAT64, 32},
      {{0, -0.0, 3, 4}, ENTROPIC_ELEMENT_FLOAT32, 16},
      {{0.5, 2, 3, 4}, ENTROPIC_ELEMENT_FLOAT32, 16},
      {{0.1, 2, 3, 4}, ENTROPIC_ELEMENT_FLOAT64, 32},
      {{0x1p-149, 0.5, 3, 4}, ENTROPIC_ELEMENT_FLOAT32, 16},
      {{0x1p-150, 0.5, 3, 4}, ENTROPIC_ELEMENT_FLOAT64, 32},
      {{0x1.fffffep127, 1, 3, 4}, ENTROPIC_ELEMENT_FLOAT32, 16},
      {{0x1.ffffffp127, 1, 3, 4}, ENTROPIC_ELEMENT_FLOAT64, 32},
      {{INFINITY, 1, 3, 4}, ENTROPIC_ELEMENT_FLOAT64, 32},
      {{7, 7, 7, 7}, ENTROPIC_ELEMENT_UINT8, 8},
      {{0.1, 0.1, 0.1, 0.1}, ENTROPIC_ELEMENT_FLOAT64, 8},
      {{NAN, 0.1, NAN, 0.1}, ENTROPIC_ELEMENT_FLOAT64, 16},
      {{NAN, 0.1, 0.2, NAN}, ENTROPIC_ELEMENT_FLOAT64, 32},
      {{NAN, 0.5, 0.25, NAN}, ENTROPIC_ELEMENT_FLOAT32, 16},
      {{NAN, 1, 300, NAN}, ENTROPIC_ELEMENT_UINT16, 16},
      {{NAN, NAN, NAN, NAN}, ENTROPIC_ELEMENT_FLOAT64, 0},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    ent_packed packed = pack_and_read(cases[i].values, 4, false);
    if (packed.element != cases[i].element || packed.bytes != cases[i].bytes)
      fail_msg("case %zu: element %d of %u bytes, expected %d of %zu", i, packed.element, (unsigned)packed.bytes,
               cases[i].element, cases[i].bytes);
  }
}

static void why_cells_are_missing_is_kept(void **state) {
  (void)state;
  const double values[] = {1, of_bits(UINT64_C(0x7ff8000000000005)), 3, of_bits(UINT64_C(0xfff8000300000000))};
  assert_int_equal(pack_and_read(values, 4, true).element, ENT_ELEMENT_CELL);
  assert_int_equal(pack_and_read(values, 4, false).element, ENTROPIC_ELEMENT_UINT8);
  assert_int_equal(pack_and_read(values, 1, true).element, ENTROPIC_ELEMENT_UINT8);
}

/* Random columns of any kind and length; the reference is the values themselves. */
static void random_columns_come_back(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(3, 8);
  double values[200];
  for (int round = 0; round < 3000; round++) {
    size_t rows = 1 + (size_t)entropic_random_below(&random, COUNT(values));
    int kind = (int)entropic_random_below(&random, 6), shift = (int)entropic_random_below(&random, 40);
    bool gaps = entropic_random_below(&random, 2) == 1;
    for (size_t i = 0; i < rows; i++) {
      uint64_t bits = entropic_random_bits(&random);
      values[i] = kind == 0   ? of_bits(bits)
                  : kind == 1 ? (double)(bits >> (24 + shift))
                  : kind == 2 ? (double)((int64_t)bits >> (24 + shift))
                  : kind == 3 ? (double)(float)entropic_random_normal(&random)
                  : kind == 4 ? entropic_random_normal(&random)
                              : (double)shift;
      if (gaps && entropic_random_below(&random, 4) == 0)
        values[i] = NAN;
    }
    pack_and_read(values, rows, entropic_random_below(&random, 5) == 0);
  }
}

/* A table of all kinds of columns, long enough for several blocks where memory is bounded by 1 MB. */
static void write_table(const char *path, size_t rows) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  entropic_random random = entropic_random_start(4, 4);
  fputs("id,number,count,text,day,gaps,late,weight,group,y\n", file);
  for (size_t i = 0; i < rows; i++) {
    uint64_t bits = entropic_random_bits(&random);
    fprintf(file, "%zu,%.17g,%u,t%u,2020-01-%02u,", i, entropic_random_normal(&random), (unsigned)(bits % 70000),
            (unsigned)(bits >> 20) % (i < rows / 2 ? 7 : 600), 1 + (unsigned)(bits >> 32) % 28);
    fputs(bits % 5 == 0 ? "NA" : bits % 5 == 1 ? "" : "0.5", file);
    /* Numbers, until texts come long after the first rows: all rows are read again. */
    fprintf(file, ",%s,%u,g%u,%g\n", i > rows - rows / 8 ? "word" : "3", (unsigned)(bits >> 40) % 4,
            (unsigned)(bits >> 44) % 9, bits % 7 == 0 ? 0.25 : 1.5 * (double)(bits % 3));
  }
  fclose(file);
}

static void expect_same_tables(const entropic_table *found, const entropic_table *expected) {
  size_t rows = entropic_table_rows(expected), columns = entropic_table_columns(expected);
  assert_int_equal(entropic_table_rows(found), rows);
  assert_int_equal(entropic_table_columns(found), columns);
  assert_null(entropic_table_values(found));
  double *column = malloc(rows * sizeof *column);
  assert_non_null(column);
  for (size_t i = 0; i < columns; i++) {
    entropic_column info, other;
    assert_int_equal(column_of_table(context, found, i, &info), ENTROPIC_OK);
    assert_int_equal(column_of_table(context, expected, i, &other), ENTROPIC_OK);
    assert_int_equal(info.type, other.type);
    assert_int_equal(info.missing, other.missing);
    assert_string_equal(entropic_table_name(found, i), entropic_table_name(expected, i));
    for (size_t code = 0; entropic_table_category(expected, i, code) != NULL; code++)
      assert_string_equal(entropic_table_category(found, i, code), entropic_table_category(expected, i, code));
    ent_table_read(found, i, 0, rows, column);
    for (size_t row = 0; row < rows; row++) {
      double value = entropic_table_values(expected)[row * columns + i];
      assert_true(isnan(value) ? isnan(column[row]) : bits_of(column[row]) == bits_of(value));
    }
  }
  free(column);
}

static void tables_are_the_same(void **state) {
  const char *path = in_folder(state, "table.csv");
  write_table(path, 20000);
  ent_read_options options = ent_read_options_default();
  options.roles = (ent_roles){.targets = "y", .weights = "weight", .groups = "group"};
  entropic_table *expected = NULL, *found = NULL;
  assert_int_equal(ent_table_load(context, path, &options, &expected), ENTROPIC_OK);
  options.memory = 1 << 20;
  options.spool = *state;
  assert_int_equal(ent_table_load(context, path, &options, &found), ENTROPIC_OK);
  assert_true(found->spooled && found->store->views[0].chunk_count > 3);
  expect_same_tables(found, expected);
  entropic_table_free(found);
  /* The bytes of a pipe are kept on disk as well, and read again for the late text. */
  char command[4300];
  snprintf(command, sizeof command, "cat '%s'", path);
  piped_input input = pipe_input(command);
  entropic_status status = ent_table_load(context, "-", &options, &found);
  restore_input(input);
  assert_int_equal(status, ENTROPIC_OK);
  expect_same_tables(found, expected);
  entropic_table_free(found);
  entropic_table_free(expected);
}

/* The spool starts anew where rows are read again: it is as large as if they had been read once. */
static void spools_start_anew(void **state) {
  const char *path = in_folder(state, "again.csv");
  write_table(path, 20000);
  ent_read_options options = ent_read_options_default();
  options.memory = 1 << 20;
  options.spool = *state;
  uint64_t sizes[2];
  for (int i = 0; i < 2; i++) {
    entropic_table *table = NULL;
    options.roles.categorical = i == 0 ? NULL : "late";
    ASSERT_OK(context, ent_table_load(context, path, &options, &table));
    sizes[i] = ent_spool_size(table->store->spool);
    entropic_table_free(table);
  }
  assert_true(sizes[0] > 0);
  assert_int_equal(sizes[0], sizes[1]);
}

/* Bytes of a pipe that are kept on disk are the same when they are read again, in many pieces. */
static void pipes_are_read_again(void **state) {
  enum { LINES = 400000 };
  const ent_spool_options options = {*state, 1 << 20};
  ent_bytes *bytes = NULL;
  piped_input input = pipe_input("seq 1000000 1400000");
  entropic_status status = ent_bytes_open(context, "-", &bytes);
  assert_int_equal(status, ENTROPIC_OK);
  ASSERT_OK(context, ent_bytes_keep_on_disk(context, bytes, &options));
  assert_non_null(bytes->disk);
  for (int pass = 0; pass < 3; pass++) {
    size_t line = 0, wrong = 0, pieces = 0;
    bool more = true;
    while (more) {
      for (; bytes->end - bytes->at >= 8; bytes->at += 8, line++)
        wrong += strtoul(bytes->data + bytes->at, NULL, 10) != 1000000 + line;
      ASSERT_OK(context, ent_bytes_more(context, bytes, &more));
      pieces++;
    }
    assert_int_equal(line, LINES + 1);
    assert_int_equal(wrong, 0);
    assert_true(pieces > 3);
    ASSERT_OK(context, ent_bytes_rewind(context, bytes));
  }
  ent_bytes_forget(bytes);
  ent_bytes_close(bytes);
  restore_input(input);
}

/* What a message says about a weight that is missing: its text is in the bits of a NaN. */
static void messages_are_the_same(void **state) {
  static const char text[] = "x,w,y\n1,1,2\n2,NA,3\n3,2,5\n";
  const char *path = in_folder(state, "weights.csv");
  write_file(path, text, strlen(text));
  ent_read_options options = ent_read_options_default();
  options.roles = (ent_roles){.targets = "y", .weights = "w"};
  options.spool = *state;
  char said[2][ENT_MESSAGE_SIZE];
  for (int i = 0; i < 2; i++) {
    entropic_table *table = NULL;
    entropic_dataset *dataset = NULL;
    options.memory = i == 0 ? 0 : 1 << 20;
    assert_int_equal(ent_table_load(context, path, &options, &table), ENTROPIC_OK);
    assert_int_equal(ent_dataset_create(context, table, ENTROPIC_TASK_AUTO, &dataset), ENTROPIC_BAD_DATA);
    strcpy(said[i], entropic_context_message(context));
    entropic_table_free(table);
  }
  assert_non_null(strstr(said[0], "'NA'"));
  assert_string_equal(said[1], said[0]);
}

/* Reads all rows of a table in the schema of a model. */
static double *read_rows(const entropic_model *model, const entropic_table *table, size_t rows, size_t inputs) {
  double *x = calloc(rows * inputs, sizeof *x);
  entropic_row_reader *reader = NULL;
  assert_non_null(x);
  ASSERT_OK(context, entropic_row_reader_open_table(context, model, table, 0, &reader));
  size_t total = 0;
  for (size_t count = 1; count > 0 && total < rows; total += count)
    ASSERT_OK(context, entropic_row_reader_next(context, reader, rows - total, x + total * inputs, NULL, NULL, &count));
  assert_int_equal(total, rows);
  entropic_row_reader_free(reader);
  return x;
}

/* Rows of a spooled table in the schema of a model, texts and all. */
static void models_read_spooled_tables(void **state) {
  enum { ROWS = 3000 };
  const char *path = in_folder(state, "rows.csv");
  write_table(path, ROWS);
  ent_read_options options = ent_read_options_default();
  options.roles = (ent_roles){.targets = "y", .ignore = "id", .weights = "weight"};
  entropic_table *tables[2] = {NULL, NULL};
  double *rows[2];
  entropic_dataset *dataset = NULL;
  entropic_model *model = NULL;
  for (int i = 0; i < 2; i++) {
    options.memory = i == 0 ? 0 : 1 << 20;
    options.spool = *state;
    ASSERT_OK(context, ent_table_load(context, path, &options, &tables[i]));
  }
  ASSERT_OK(context, ent_dataset_create(context, tables[0], ENTROPIC_TASK_REGRESSION, &dataset));
  entropic_parameters *parameters = NULL;
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, &parameters));
  ASSERT_OK(context, entropic_parameters_set(context, parameters, "select", "entropy"));
  ASSERT_OK(context, entropic_parameters_set(context, parameters, "features", "40"));
  ASSERT_OK(context, entropic_parameters_set(context, parameters, "omega", "1"));
  ASSERT_OK(context, entropic_parameters_set(context, parameters, "lambda", "0.001"));
  ASSERT_OK(context, entropic_fit(context, dataset, NULL, parameters, NULL, &model));
  size_t inputs = model->schema.inputs, texts = 0;
  for (int i = 0; i < 2; i++)
    rows[i] = read_rows(model, tables[i], ROWS, inputs);
  for (size_t i = 0; i < ROWS * inputs; i++) {
    assert_true(isnan(rows[0][i]) ? isnan(rows[1][i]) : rows[0][i] == rows[1][i]);
    texts += rows[0][i] > 100 && rows[0][i] < 601; /* codes of texts that take two bytes */
  }
  assert_true(texts > 0);
  for (int i = 0; i < 2; i++) {
    free(rows[i]);
    entropic_table_free(tables[i]);
  }
  entropic_parameters_free(parameters);
  entropic_dataset_free(dataset);
  entropic_model_free(model);
}

SUITE(data_spooling) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_are_the_narrowest), cmocka_unit_test(why_cells_are_missing_is_kept),
      cmocka_unit_test(random_columns_come_back),   cmocka_unit_test(tables_are_the_same),
      cmocka_unit_test(spools_start_anew),          cmocka_unit_test(pipes_are_read_again),
      cmocka_unit_test(messages_are_the_same),      cmocka_unit_test(models_read_spooled_tables),
  };
  return cmocka_run_group_tests_name("data_spooling", tests, start_in_folder, stop_in_folder);
}
