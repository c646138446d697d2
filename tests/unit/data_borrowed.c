/* Tables in the caller's memory: every element, strides, masks, codes and dates; the models of their copies. */
#include "unit/tests.h"

#include "columns/column_view.h"
#include "data/table.h"
#include "dataset/dataset.h"

static entropic_context *context;

static int start(void **state) {
  return entropic_context_create(&context) != ENTROPIC_OK || make_folder(state);
}

static int stop(void **state) {
  entropic_context_free(context);
  return remove_folder(state);
}

static entropic_column column_of(const entropic_table *table, size_t index) {
  entropic_column column = {0};
  assert_int_equal(column_of_table(context, table, index, &column), ENTROPIC_OK);
  return column;
}

static void assert_values(const entropic_table *table, size_t column, const double *expected, size_t rows) {
  double values[64];
  ent_table_read(table, column, 0, rows, values);
  for (size_t r = 0; r < rows; r++)
    assert_true(isnan(expected[r]) ? isnan(values[r]) : values[r] == expected[r]);
}

static entropic_table *borrow(const entropic_column_view *columns, size_t count, size_t rows, const char *categorical) {
  const ent_roles roles = {.categorical = categorical};
  entropic_table *table = NULL;
  assert_int_equal(ent_table_borrow(context, columns, count, rows, &roles, &table), ENTROPIC_OK);
  return table;
}

#define VIEW(array, kind)                                                                                              \
  { .size = sizeof(entropic_column_view), .values = array, .stride = sizeof *(array), .element = kind }

static void every_element(void **state) {
  (void)state;
  static const double f64[] = {1.5, NAN, -3};
  static const float f32[] = {1.5f, NAN, -3};
  static const uint16_t f16[] = {0x3e00, 0x7e01, 0xc200};
  static const int8_t i8[] = {-128, 0, 127};
  static const int16_t i16[] = {-32768, 0, 32767};
  static const int32_t i32[] = {INT32_MIN, 0, INT32_MAX};
  static const int64_t i64[] = {INT64_MIN, 0, INT64_MAX};
  static const uint8_t u8[] = {0, 1, 255};
  static const uint16_t u16[] = {0, 1, 65535};
  static const uint32_t u32[] = {0, 1, UINT32_MAX};
  static const uint64_t u64[] = {0, 1, UINT64_MAX};
  const entropic_column_view columns[] = {
      VIEW(f64, ENTROPIC_ELEMENT_FLOAT64), VIEW(f32, ENTROPIC_ELEMENT_FLOAT32), VIEW(f16, ENTROPIC_ELEMENT_FLOAT16),
      VIEW(i8, ENTROPIC_ELEMENT_INT8),     VIEW(i16, ENTROPIC_ELEMENT_INT16),   VIEW(i32, ENTROPIC_ELEMENT_INT32),
      VIEW(i64, ENTROPIC_ELEMENT_INT64),   VIEW(u8, ENTROPIC_ELEMENT_UINT8),    VIEW(u16, ENTROPIC_ELEMENT_UINT16),
      VIEW(u32, ENTROPIC_ELEMENT_UINT32),  VIEW(u64, ENTROPIC_ELEMENT_UINT64)};
  static const double expected[][3] = {{1.5, NAN, -3},       {1.5, NAN, -3},     {1.5, NAN, -3},
                                       {-128, 0, 127},       {-32768, 0, 32767}, {INT32_MIN, 0, INT32_MAX},
                                       {-0x1p63, 0, 0x1p63}, {0, 1, 255},        {0, 1, 65535},
                                       {0, 1, UINT32_MAX},   {0, 1, 0x1p64}};
  entropic_table *table = borrow(columns, 11, 3, NULL);
  assert_null(entropic_table_values(table));
  assert_int_equal(entropic_table_format(table), ENTROPIC_FORMAT_AUTO);
  for (size_t c = 0; c < 11; c++)
    assert_values(table, c, expected[c], 3);
  assert_string_equal(entropic_table_name(table, 2), "x3");
  entropic_table_free(table);
  /* As categories integers keep all their digits. */
  table = borrow(columns, 11, 3, "7,11");
  assert_string_equal(entropic_table_category(table, 6, 0), "-9223372036854775808");
  assert_string_equal(entropic_table_category(table, 10, 2), "18446744073709551615");
  entropic_table_free(table);
}

static void strides_masks_codes_and_dates(void **state) {
  (void)state;
  static const double rows[] = {1, -1, 2, -2, 3, -3, 4, -4};
  static const unsigned char mask[] = {0, 9, 0, 9, 1, 9, 0, 9};
  static const int16_t codes[] = {1, -1, 0, 2};
  static const char *const names[] = {"no", " yes ", NULL};
  static const char *const numbers[] = {"10", "20", "30"};
  static const unsigned char flags[] = {0, 7, 1, 0};
  static const int64_t seconds[] = {-1, INT64_MIN, 86400, 43200};
  static const double five = 5;
  const size_t size = sizeof(entropic_column_view);
  const entropic_column_view columns[] = {
      {.size = size, .name = "a", .values = rows, .stride = 16, .mask = mask, .mask_stride = 2},
      {.size = size, .name = "a", .values = rows + 7, .stride = -16},
      {.size = size,
       .name = "kind",
       .values = codes,
       .stride = 2,
       .element = ENTROPIC_ELEMENT_INT16,
       .categories = 3,
       .category_names = names},
      {.size = size,
       .name = "ten",
       .values = codes,
       .stride = 2,
       .element = ENTROPIC_ELEMENT_INT16,
       .categories = 3,
       .category_names = numbers},
      {.size = size, .name = "flag", .values = flags, .stride = 1, .element = ENTROPIC_ELEMENT_BOOL8},
      {.size = size,
       .name = "\tat ",
       .values = seconds,
       .stride = 8,
       .element = ENTROPIC_ELEMENT_INT64,
       .date = ENTROPIC_DATE_SECONDS},
      {.size = size, .values = &five}};
  static const double expected[][4] = {{1, 2, NAN, 4},    {-4, -3, -2, -1}, {0, NAN, 1, NAN},
                                       {20, NAN, 10, 30}, {0, 1, 1, 0},     {-1 + 86399 / 86400.0, NAN, 1, 0.5},
                                       {5, 5, 5, 5}};
  entropic_table *table = borrow(columns, 7, 4, NULL);
  for (size_t c = 0; c < 7; c++)
    assert_values(table, c, expected[c], 4);
  assert_string_equal(entropic_table_name(table, 1), "a.1");
  assert_string_equal(entropic_table_name(table, 5), "at");
  assert_string_equal(entropic_table_name(table, 6), "x7");
  assert_string_equal(entropic_table_category(table, 2, 0), "yes");
  assert_string_equal(entropic_table_category(table, 4, 0), "false");
  assert_int_equal(column_of(table, 3).type, ENTROPIC_COLUMN_TYPE_NUMBER);
  assert_int_equal(column_of(table, 4).type, ENTROPIC_COLUMN_TYPE_CATEGORY);
  assert_int_equal(column_of(table, 5).type, ENTROPIC_COLUMN_TYPE_DATE);
  assert_int_equal(column_of(table, 6).type, ENTROPIC_COLUMN_TYPE_CONSTANT);
  entropic_table_free(table);
}

static void expect_refusal(const entropic_column_view *columns, size_t count, size_t rows, entropic_status expected,
                           const char *said) {
  entropic_table *table = NULL;
  assert_int_equal(ent_table_borrow(context, columns, count, rows, NULL, &table), expected);
  assert_message(context, said);
  assert_null(table);
}

static void refusals(void **state) {
  (void)state;
  static const double values[] = {1, 2, INFINITY}, good[] = {1, 2, 3};
  static const int8_t codes[] = {0, 1, 2};
  static const char *const names[] = {"a", "b"};
  const entropic_column_view fine = VIEW(good, ENTROPIC_ELEMENT_FLOAT64);
  entropic_column_view v = VIEW(values, ENTROPIC_ELEMENT_FLOAT64);
  entropic_table *table = NULL;
  expect_refusal(&v, 1, 3, ENTROPIC_BAD_DATA, "row 3, column 1 (x1): found 'inf', expected a finite number");
  ent_roles roles = {.categorical = "1"};
  assert_int_equal(ent_table_borrow(context, &v, 1, 3, &roles, &table), ENTROPIC_BAD_DATA);
  assert_message(context, "row 3, column 1 (x1): found 'inf'");
  expect_refusal(NULL, 1, 3, ENTROPIC_BAD_ARGUMENT, "columns is NULL");
  assert_int_equal(ent_table_borrow(context, &fine, 1, 3, NULL, NULL), ENTROPIC_BAD_ARGUMENT);
  expect_refusal(&fine, 0, 3, ENTROPIC_BAD_ARGUMENT, "count is 0");
  expect_refusal(&fine, 1, 0, ENTROPIC_BAD_ARGUMENT, "rows is 0");
  v = fine;
  v.size = 8;
  expect_refusal(&v, 1, 3, ENTROPIC_BAD_ARGUMENT, "size is 8, expected sizeof(entropic_column_view)");
  v = fine;
  v.values = NULL;
  expect_refusal(&v, 1, 3, ENTROPIC_BAD_ARGUMENT, "column 1: values is NULL");
  v = fine;
  v.element = (entropic_element)12;
  expect_refusal(&v, 1, 3, ENTROPIC_BAD_ARGUMENT, "element");
  v = fine;
  v.date = ENTROPIC_DATE_SECONDS;
  expect_refusal(&v, 1, 3, ENTROPIC_BAD_ARGUMENT, "integers");
  v.date = (entropic_date_unit)6;
  expect_refusal(&v, 1, 3, ENTROPIC_BAD_ARGUMENT, "date");
  v = (entropic_column_view)VIEW(codes, ENTROPIC_ELEMENT_INT8);
  v.categories = 2;
  expect_refusal(&v, 1, 3, ENTROPIC_BAD_ARGUMENT, "category_names is NULL");
  v.category_names = names;
  v.name = "kind";
  expect_refusal(&v, 1, 3, ENTROPIC_BAD_DATA, "row 3, column 1 (kind): found '2', expected a code below 2");
  v.date = ENTROPIC_DATE_DAYS;
  expect_refusal(&v, 1, 3, ENTROPIC_BAD_ARGUMENT, "it has a date");
  entropic_matrix_view matrix = {.size = sizeof matrix, .rows = 1, .columns = 1};
  assert_int_equal(ent_table_borrow_matrix(context, NULL, NULL, &table), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_table_borrow_matrix(context, &matrix, NULL, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_table_borrow_matrix(context, &matrix, NULL, &table), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "values is NULL");
  matrix.size = 3;
  assert_int_equal(ent_table_borrow_matrix(context, &matrix, NULL, &table), ENTROPIC_BAD_ARGUMENT);
  assert_null(table);
}

/* A caller of a later version: the struct has more at its end, which is not looked at. */
static void larger_structs(void **state) {
  (void)state;
  static const double values[] = {1, 2, 3};
  struct {
    entropic_column_view known;
    double more;
  } columns[2] = {{VIEW(values, ENTROPIC_ELEMENT_FLOAT64), 7}, {VIEW(values, ENTROPIC_ELEMENT_FLOAT64), 7}};
  columns[0].known.size = columns[1].known.size = sizeof columns[0];
  entropic_table *table = borrow(&columns[0].known, 2, 3, NULL);
  assert_values(table, 1, values, 3);
  entropic_table_free(table);
}

/* ---- The same model ---- */

enum { ROWS = 300, COLUMNS = 5 };

static void make_values(double *values) {
  for (size_t r = 0; r < ROWS; r++) {
    double *row = values + r * COLUMNS, a = (double)(r * 7919 % 256) / 256, b = (double)(r * 104729 % 512) / 64;
    row[0] = a;
    row[1] = r % 9 == 4 ? NAN : b;
    row[2] = (double)(r % 4);
    row[3] = a * 2; /* an input of its own */
    row[4] = r % 50 == 7 ? NAN : (double)lround(64 * (sin(6 * a) + 0.1 * b + (double)(r % 4)));
  }
}

/* The bytes of the model of a table, and its scores on the table itself. */
static size_t fit_bytes(void **state, const entropic_table *table, unsigned char *bytes, ent_score_figures *scores) {
  ent_fit_options options = ent_fit_options_default();
  options.features = 30;
  options.ensemble = 2;
  entropic_dataset *dataset = NULL;
  entropic_model *model = NULL;
  entropic_row_reader *reader = NULL;
  assert_int_equal(ent_dataset_create(context, table, ENTROPIC_TASK_REGRESSION, &dataset), ENTROPIC_OK);
  assert_int_equal(ent_model_fit(context, dataset, NULL, &options, NULL, &model), ENTROPIC_OK);
  const char *path = in_folder(state, "model.entropic");
  assert_int_equal(entropic_model_save(context, model, path), ENTROPIC_OK);
  assert_int_equal(entropic_row_reader_open_table(context, model, table, 1, &reader), ENTROPIC_OK);
  assert_int_equal(model_score(context, model, reader, NULL, scores), ENTROPIC_OK);
  entropic_row_reader_free(reader);
  entropic_model_free(model);
  entropic_dataset_free(dataset);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t size = fread(bytes, 1, 200000, file);
  fclose(file);
  return size;
}

static void models_are_those_of_copies(void **state) {
  static double values[ROWS * COLUMNS], across[ROWS * COLUMNS];
  static float single[ROWS * COLUMNS];
  static unsigned char first[200000], other[200000];
  make_values(values);
  for (size_t r = 0; r < ROWS; r++)
    for (size_t c = 0; c < COLUMNS; c++) {
      across[c * ROWS + r] = values[r * COLUMNS + c];
      single[c * ROWS + r] = (float)values[r * COLUMNS + c];
    }
  const char *names[COLUMNS] = {"a", "b", "kind", "c", "y"};
  const ent_roles roles = {.targets = "y", .categorical = "kind"};
  const ptrdiff_t wide = sizeof(double), narrow = sizeof(float);
  const entropic_matrix_view matrices[] = {
      {.values = values, .row_stride = COLUMNS * wide, .column_stride = wide},
      {.values = across, .row_stride = wide, .column_stride = ROWS * wide},
      {.values = single, .row_stride = narrow, .column_stride = ROWS * narrow, .element = ENTROPIC_ELEMENT_FLOAT32}};
  entropic_table *table = NULL;
  ent_score_figures scores, again;
  assert_int_equal(ent_table_create(context, values, ROWS, COLUMNS, COLUMNS, names, &roles, &table), ENTROPIC_OK);
  size_t size = fit_bytes(state, table, first, &scores);
  assert_true(size > 400 && size < sizeof first);
  entropic_table_free(table);
  for (size_t i = 0; i < 3; i++) {
    entropic_matrix_view matrix = matrices[i];
    matrix.size = sizeof matrix;
    matrix.rows = ROWS;
    matrix.columns = COLUMNS;
    matrix.names = names;
    assert_int_equal(ent_table_borrow_matrix(context, &matrix, &roles, &table), ENTROPIC_OK);
    assert_int_equal(fit_bytes(state, table, other, &again), size);
    assert_memory_equal(first, other, size);
    assert_memory_equal(&scores, &again, sizeof scores);
    entropic_table_free(table);
  }
}

static void row_readers_without_arguments(void **state) {
  (void)state;
  static const double values[] = {1, 2, 3};
  const entropic_column_view view = VIEW(values, ENTROPIC_ELEMENT_FLOAT64);
  entropic_table *table = borrow(&view, 1, 3, NULL);
  entropic_row_reader *reader = NULL;
  assert_int_equal(entropic_row_reader_open_table(context, NULL, table, 0, &reader), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "model is NULL");
  entropic_table_free(table);
}

static void decimals(void **state) {
  (void)state;
  static const struct {
    int64_t low, high;
    int decimals;
    const char *text;
    double value;
  } cases[] = {{12345, 0, 2, "123.45", 123.45},
               {-5, -1, 3, "-0.005", -0.005},
               {0, 0, 2, "0.00", 0},
               {7, 0, -3, "7000", 7000},
               {INT64_MAX, 0, 0, "9223372036854775807", 9223372036854775807.0},
               {0, 1, 5, "184467440737095.51616", 184467440737095.51616},
               {0, INT64_MIN, 0, "-170141183460469231731687303715884105728", -0x1p127}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[ENT_DECIMAL_SIZE];
    unsigned char bytes[16];
    memcpy(bytes, &cases[i].low, 8);
    memcpy(bytes + 8, &cases[i].high, 8);
    assert_int_equal(ent_decimal_text(bytes, 16, cases[i].decimals, text), strlen(cases[i].text));
    assert_string_equal(text, cases[i].text);
    assert_true(ent_decimal_value(bytes, 16, cases[i].decimals) == cases[i].value);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

SUITE(data_borrowed) {
  const struct CMUnitTest tests[] = {
      TEST(every_element),  TEST(strides_masks_codes_and_dates), TEST(refusals),
      TEST(larger_structs), TEST(models_are_those_of_copies),    TEST(row_readers_without_arguments),
      TEST(decimals),
  };
  return cmocka_run_group_tests_name("data_borrowed", tests, NULL, NULL);
}
