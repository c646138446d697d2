/* Running out of memory with tables in the caller's memory and from Arrow: nothing leaks, and arrays are released. */
#include <stddef.h>

/* The producer's memory does not run out. */
void *__real_calloc(size_t number, size_t size);
#define ARROW_CALLOC __real_calloc
#include "unit/arrow_arrays.h"

#include "fault/failing_malloc.h"
#include "unit/modelling.h"
#include "dataset/dataset.h"

static entropic_context *context;
static const entropic_model *model;

static int start(void **state) {
  (void)state;
  return entropic_context_create(&context) != ENTROPIC_OK || entropic_context_set_threads(context, 1) != ENTROPIC_OK;
}

static int stop(void **state) {
  (void)state;
  entropic_context_free(context);
  return 0;
}

/* A data set of the table, and one with its schema. */
static entropic_status use_table(entropic_table *table) {
  entropic_dataset *dataset = untouched(), *other = untouched();
  entropic_status status = ent_dataset_create(context, table, ENTROPIC_TASK_AUTO, &dataset);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, dataset);
  status = entropic_dataset_create_with_schema(context, table, dataset, &other);
  if (status != ENTROPIC_OK)
    check_failed(status, context, other);
  else
    entropic_dataset_free(other);
  entropic_dataset_free(dataset);
  return status;
}

static entropic_status make_roles(const char *target, const char *categorical, entropic_parameters **set) {
  entropic_status status = entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, set);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_parameters_set(context, *set, "target", target);
  if (status == ENTROPIC_OK && categorical != NULL)
    status = entropic_parameters_set(context, *set, "categorical", categorical);
  if (status != ENTROPIC_OK)
    entropic_parameters_free(*set);
  return status;
}

static entropic_status borrow(void *argument) {
  (void)argument;
  static const double x[] = {1, 2.5, 3, NAN, 5, 7}, y[] = {1, 2, 3, 4, 5, NAN};
  static const int8_t codes[] = {0, 1, -1, 0, 1, 2};
  static const char *const names[] = {"red", "green", NULL};
  static const unsigned char flags[] = {0, 1, 1, 0, 1, 0};
  static const int64_t days[] = {10, 20, 30, INT64_MIN, 50, 60};
  const size_t size = sizeof(entropic_column_view);
  const entropic_column_view columns[] = {
      {.size = size, .name = "x", .values = x, .stride = 8},
      {.size = size,
       .name = "x",
       .values = codes,
       .stride = 1,
       .element = ENTROPIC_ELEMENT_INT8,
       .categories = 3,
       .category_names = names},
      {.size = size, .values = flags, .stride = 1, .element = ENTROPIC_ELEMENT_BOOL8, .mask = flags, .mask_stride = 1},
      {.size = size,
       .name = "day",
       .values = days,
       .stride = 8,
       .element = ENTROPIC_ELEMENT_INT64,
       .date = ENTROPIC_DATE_DAYS},
      {.size = size, .name = "y", .values = y, .stride = 8}};
  entropic_table *table = untouched();
  entropic_parameters *set = NULL;
  entropic_status status = make_roles("y", "day", &set);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_table_borrow(context, columns, 5, 6, set, &table);
  entropic_parameters_free(set);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, table);
  status = use_table(table);
  entropic_table_free(table);
  return status;
}

static entropic_status borrow_matrix(void *argument) {
  (void)argument;
  static const float values[] = {1, 2, 3, 4, 5, 6, 7, 9};
  const entropic_matrix_view matrix = {.size = sizeof matrix,
                                       .values = values,
                                       .rows = 4,
                                       .columns = 2,
                                       .row_stride = 4,
                                       .column_stride = 16,
                                       .element = ENTROPIC_ELEMENT_FLOAT32};
  entropic_table *table = untouched();
  entropic_parameters *set = NULL;
  entropic_status status = make_roles("1", NULL, &set);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_table_borrow_matrix(context, &matrix, set, &table);
  entropic_parameters_free(set);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, table);
  status = use_table(table);
  entropic_table_free(table);
  return status;
}

/* With columns of the caller's behind those of the stream, or without. */
static entropic_status from_arrow(void *argument) {
  const entropic_column_views *more = argument;
  arrow_state made = {0};
  entropic_table *table = untouched();
  entropic_parameters *set = NULL;
  entropic_status status = make_roles(more == NULL ? "c0" : "target", "c8", &set);
  if (status != ENTROPIC_OK)
    return status;
  struct ArrowArrayStream stream = arrow_stream(&made);
  status = entropic_table_from_arrow(context, &stream, more, set, &table);
  entropic_parameters_free(set);
  assert_int_equal(made.released_arrays, status == ENTROPIC_OK ? 0 : made.made_arrays);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, table);
  status = use_table(table);
  entropic_table_free(table);
  assert_int_equal(made.released_arrays, made.made_arrays);
  return status;
}

/* Rows of a table that is a copy, in the schema of a model. */
static entropic_status feed(void *argument) {
  const entropic_table *table = argument;
  entropic_row_reader *reader = untouched();
  entropic_status status = entropic_row_reader_open_table(context, model, table, 1, &reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, reader);
  double x[8 * 3], y[8 * 3], weights[8];
  size_t rows = 0;
  status = entropic_row_reader_next(context, reader, 8, x, y, weights, &rows);
  entropic_row_reader_free(reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, untouched());
  assert_int_equal(rows, 4);
  return ENTROPIC_OK;
}

static void borrowed(void **state) {
  (void)state;
  assert_true(expect_each_allocation_failure(borrow, NULL) > 40);
  assert_true(expect_each_allocation_failure(borrow_matrix, NULL) > 20);
}

static void arrow(void **state) {
  (void)state;
  assert_true(expect_each_allocation_failure(from_arrow, NULL) > 40);
  static double values[ARROW_ROWS];
  for (size_t r = 0; r < ARROW_ROWS; r++)
    values[r] = (double)(r * r % 7);
  const entropic_column_view target = {
      .size = sizeof target, .name = "target", .values = values, .stride = sizeof *values};
  entropic_column_views more = {.size = sizeof more, .columns = &target, .count = 1, .rows = ARROW_ROWS};
  assert_true(expect_each_allocation_failure(from_arrow, &more) > 40);
}

static void feeds(void **state) {
  (void)state;
  for (size_t i = 0; i < MODEL_PLANS; i++) {
    const model_plan *plan = &model_plans[i];
    if (plan->inputs > 3 || plan->task != ENTROPIC_TASK_REGRESSION || plan->outputs != 1)
      continue;
    entropic_model *made = plan_model(plan, 1);
    double values[4 * 5];
    const char *names[5] = {"weight", made->schema.target[0]};
    for (size_t k = 0; k < plan->inputs; k++)
      names[2 + k] = made->schema.input[k].name;
    for (size_t k = 0; k < 4 * (2 + plan->inputs); k++)
      values[k] = (double)(k % 3) + 1;
    const ent_roles roles = {.weights = "weight"};
    entropic_table *table = NULL;
    assert_int_equal(ent_table_create(context, values, 4, 2 + plan->inputs, 2 + plan->inputs, names, &roles, &table),
                     ENTROPIC_OK);
    model = made;
    assert_true(expect_each_allocation_failure(feed, table) > 20);
    entropic_table_free(table);
    entropic_model_free(made);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

SUITE(columns_faults) {
  const struct CMUnitTest tests[] = {
      TEST(borrowed),
      TEST(arrow),
      TEST(feeds),
  };
  return cmocka_run_group_tests_name("columns_faults", tests, NULL, NULL);
}
