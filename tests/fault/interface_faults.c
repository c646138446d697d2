/* Parameters, reports, sizes of structs, models and designs in memory, with each allocation failing in turn. */
#include "unit/modelling.h"

#include "fault/fixture.h"

static entropic_status set_parameters(void *argument) {
  (void)argument;
  const double omegas[] = {1, 2, 3};
  entropic_parameters *set = untouched(), *copy = untouched();
  entropic_status status = entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, &set);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, set);
  status = entropic_parameters_set(context, set, "target", "y");
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_parameters_set_numbers(context, set, "omega", omegas, 3);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_parameters_set_integer(context, set, "features", 7);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_parameters_set_number(context, set, "lambda", 0.5);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_parameters_set_flag(context, set, "any-order", 1);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_parameters_copy(context, set, &copy);
  if (status != ENTROPIC_OK) {
    check_failed(status, context, copy);
    goto done;
  }
  entropic_parameters_free(copy);
done:
  entropic_parameters_free(set);
  return status;
}

/* What needs no memory says nothing of it. */
static void parameters_without_memory(void **state) {
  (void)state;
  entropic_parameter info;
  entropic_axis_options axis;
  entropic_design_options options;
  char name[16];
  const char *help;
  entropic_parameters *set = NULL;
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, &set));
  failing_malloc_after(0);
  assert_true(entropic_parameter_count() > 0);
  assert_int_equal(entropic_parameter_describe(context, 0, &info, sizeof info), ENTROPIC_OK);
  entropic_parameter_choice(0, 0, name, sizeof name, &help);
  assert_int_equal(entropic_parameters_check(context, set), ENTROPIC_OK);
  assert_int_equal(ent_parameters_reset(context, set, "target"), ENTROPIC_OK);
  assert_int_equal(entropic_parameters_set_name_style(context, set, "--", '-'), ENTROPIC_OK);
  assert_int_equal(entropic_parameters_is_set(set, "target"), 0);
  assert_string_equal(entropic_parameters_get(set, "folds"), "5");
  assert_int_equal(entropic_axis_options_init(&axis, sizeof axis), ENTROPIC_OK);
  assert_int_equal(entropic_design_options_init(&options, sizeof options), ENTROPIC_OK);
  failing_malloc_after(-1);
  entropic_parameters_free(set);
}

static entropic_status write_report(void *argument) {
  (void)argument;
  entropic_report *report = untouched();
  entropic_status status = entropic_report_create(context, &report);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, report);
  double value;
  char text[8];
  entropic_report_open_list(report, "list");
  for (uint64_t i = 0; i < 4000; i++)
    entropic_report_add_integer(report, NULL, i);
  entropic_report_close(report);
  entropic_report_open_object(report, "object");
  entropic_report_add_number(report, "number", 0.1);
  entropic_report_add_flag(report, "flag", 1);
  entropic_report_close(report);
  status = entropic_report_add_text(report, "text", "word");
  if (status != ENTROPIC_OK) {
    assert_int_equal(status, ENTROPIC_NO_MEMORY);
    assert_null(entropic_report_json(report));
    assert_int_equal(entropic_report_number(report, "object.number", &value), 0);
  } else {
    assert_int_equal(entropic_report_size(report, "list"), 4000);
    assert_int_equal(entropic_report_number(report, "object.number", &value), 1);
    assert_int_equal(entropic_report_text(report, "text", text, sizeof text), 4);
  }
  entropic_report_free(report);
  return status;
}

static entropic_status make_designs(void *argument) {
  (void)argument;
  entropic_design *design = untouched(), *other = untouched();
  entropic_kernel *kernel = untouched();
  entropic_axis_options axis;
  entropic_design_options options;
  entropic_level level;
  entropic_group group;
  unsigned char *bytes = untouched();
  size_t count = 0;
  entropic_status status = entropic_design_make(context, NULL, 3, NULL, 0, &design);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, design);
  assert_int_equal(entropic_design_criterion(design), ENTROPIC_CRITERION_L2);
  assert_int_equal(entropic_design_group(context, design, 0, &group, sizeof group), ENTROPIC_OK);
  status = entropic_design_save_memory(context, design, &bytes, &count);
  entropic_design_free(design);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, bytes);
  status = entropic_design_load_memory(context, bytes, count, &other);
  entropic_bytes_free(bytes);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, other);
  entropic_design_free(other);
  entropic_axis_options_init(&axis, sizeof axis);
  status = entropic_kernel_create(context, &axis, 1, 3, &kernel);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, kernel);
  assert_int_equal(entropic_kernel_axis(context, kernel, 0, &axis, sizeof axis), ENTROPIC_OK);
  assert_int_equal(entropic_kernel_level(context, kernel, 0, 0, &level, sizeof level), ENTROPIC_OK);
  entropic_design_options_init(&options, sizeof options);
  options.features = 9;
  design = untouched();
  status = entropic_design_create(context, kernel, &options, &design);
  entropic_kernel_free(kernel);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, design);
  entropic_design_free(design);
  return ENTROPIC_OK;
}

/* Rows of a file, a data set and its validation rows, a fit, and what is done with its model. */
static entropic_status use_model(const entropic_model *model) {
  entropic_report *report = untouched();
  entropic_row_reader *reader = untouched();
  entropic_model *again = untouched();
  unsigned char *bytes = untouched();
  size_t count;
  entropic_model_info info;
  entropic_input_info input;
  assert_int_equal(entropic_model_describe(context, model, &info, sizeof info), ENTROPIC_OK);
  assert_int_equal(entropic_model_input(context, model, 0, &input, sizeof input), ENTROPIC_OK);
  entropic_status status = entropic_model_report(context, model, &report);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, report);
  entropic_report_free(report);
  status = entropic_model_save_memory(context, model, &bytes, &count);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, bytes);
  status = entropic_model_load_memory(context, bytes, count, &again);
  entropic_bytes_free(bytes);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, again);
  entropic_model_free(again);
  status = entropic_row_reader_open(context, model, ONE_PATH("rows.csv"), NULL, 1, &reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, reader);
  report = untouched();
  status = entropic_model_score(context, model, reader, &report);
  entropic_row_reader_free(reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, report);
  entropic_report_free(report);
  return ENTROPIC_OK;
}

static entropic_status learn(void *argument) {
  const entropic_parameters *set = argument;
  entropic_table *table = NULL, *extra = NULL;
  entropic_dataset *train = NULL, *valid = NULL;
  entropic_report *report = NULL;
  entropic_model *model = NULL;
  entropic_column column;
  entropic_dataset_info info;
  entropic_status status = entropic_table_load(context, ONE_PATH("rows.csv"), set, &table);
  if (status != ENTROPIC_OK)
    goto done;
  assert_int_equal(entropic_table_column(context, table, 0, &column, sizeof column), ENTROPIC_OK);
  status = entropic_table_load_with_schema(context, ONE_PATH("rows.csv"), set, table, &extra);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_dataset_create(context, table, set, &train);
  if (status != ENTROPIC_OK)
    goto done;
  assert_int_equal(entropic_dataset_describe(context, train, &info, sizeof info), ENTROPIC_OK);
  status = entropic_dataset_create_with_schema(context, extra, train, &valid);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_fit(context, train, valid, set, &report, &model);
  if (status != ENTROPIC_OK) {
    assert_null(report);
    assert_null(model);
    goto done;
  }
  status = use_model(model);
done:
  entropic_model_free(model);
  entropic_report_free(report);
  entropic_dataset_free(valid);
  entropic_dataset_free(train);
  entropic_table_free(extra);
  entropic_table_free(table);
  return status;
}

static entropic_status read_rows(void *argument) {
  (void)argument;
  const double values[] = {1, 2, 3, 4};
  ent_source *source = untouched();
  entropic_table *table = untouched();
  entropic_column column;
  entropic_status status = ent_source_open(context, "rows.csv", NULL, &source);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, source);
  assert_int_equal(ent_source_column(context, source, 0, &column), ENTROPIC_OK);
  ent_source_free(source);
  status = entropic_table_create(context, values, 2, 2, 2, NULL, NULL, &table);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, table);
  entropic_table_free(table);
  return ENTROPIC_OK;
}

static entropic_status compare_features(void *argument) {
  entropic_comparison *comparison = untouched();
  entropic_parameters *set = untouched();
  entropic_status status = entropic_parameters_create(context, ENTROPIC_PURPOSE_COMPARE, &set);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, set);
  status = entropic_parameters_set(context, set, "features", "4");
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_parameters_set(context, set, "runs", "1");
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_compare(context, argument, set, &comparison);
  if (status != ENTROPIC_OK)
    check_failed(status, context, comparison);
  else
    entropic_comparison_free(comparison);
done:
  entropic_parameters_free(set);
  return status;
}

static void write_rows(void) {
  FILE *file = fopen("rows.csv", "w");
  assert_non_null(file);
  fprintf(file, "x1,x2,y\n");
  for (int i = 0; i < 40; i++)
    fprintf(file, "%d,%d,%d\n", i % 7, i % 11, i % 7 + (i % 11) * (i % 11));
  fclose(file);
}

/* Rows of a file and of a table, collected for a design without weights. */
static entropic_status collect_rows(void *argument) {
  const entropic_frozen_design *design = argument;
  entropic_statistics *sum = untouched();
  entropic_row_reader *reader = NULL;
  entropic_table *table = NULL;
  entropic_status status = entropic_statistics_create_for_design(context, design, &sum);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, sum);
  assert_non_null(entropic_frozen_design_model(entropic_statistics_design(sum)));
  status = entropic_row_reader_open_design(context, design, ONE_PATH("rows.csv"), NULL, &reader);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_statistics_collect(context, sum, reader, NULL);
  if (status != ENTROPIC_OK)
    goto done;
  entropic_row_reader_free(reader);
  reader = NULL;
  status = entropic_table_load(context, ONE_PATH("rows.csv"), NULL, &table);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_row_reader_open_design_table(context, design, table, &reader);
done:
  entropic_row_reader_free(reader);
  entropic_table_free(table);
  entropic_statistics_free(sum);
  return status;
}

static void a_design_without_weights(void **state) {
  (void)state;
  static const char *const given[][2] = {
      {"ranges", "x1=0:6,x2=0:10"}, {"target", "y"}, {"target-range", "0:110"}, {"features", "5"}};
  entropic_parameters *set;
  entropic_frozen_design *design = NULL;
  unsigned char *bytes = NULL;
  size_t count = 0;
  write_rows();
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_COLLECT, &set));
  for (size_t i = 0; i < COUNT(given); i++)
    ASSERT_OK(context, entropic_parameters_set(context, set, given[i][0], given[i][1]));
  ASSERT_OK(context, entropic_frozen_design_make(context, set, &bytes, &count));
  ASSERT_OK(context, entropic_frozen_design_load_memory(context, bytes, count, &design));
  assert_true(expect_each_allocation_failure(collect_rows, design) > 40);
  entropic_frozen_design_free(design);
  entropic_bytes_free(bytes);
  entropic_parameters_free(set);
}

static void small_calls(void **state) {
  (void)state;
  write_rows();
  assert_true(expect_each_allocation_failure(set_parameters, NULL) > 5);
  assert_true(expect_each_allocation_failure(write_report, NULL) > 3);
  assert_true(expect_each_allocation_failure(make_designs, NULL) > 20);
  assert_true(expect_each_allocation_failure(read_rows, NULL) > 5);
}

static void a_fit(void **state) {
  (void)state;
  static const char *const given[][2] = {{"target", "y"},       {"features", "5"}, {"lambda", "0.01"},
                                         {"select", "entropy"}, {"omega", "1"},    {"scale", "minmax"}};
  entropic_parameters *set;
  write_rows();
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, &set));
  for (size_t i = 0; i < COUNT(given); i++)
    ASSERT_OK(context, entropic_parameters_set(context, set, given[i][0], given[i][1]));
  assert_true(expect_allocation_failures(learn, set, 11) > 20);
  entropic_table *table;
  entropic_dataset *data;
  ASSERT_OK(context, entropic_table_load(context, ONE_PATH("rows.csv"), set, &table));
  ASSERT_OK(context, entropic_dataset_create(context, table, set, &data));
  assert_true(expect_allocation_failures(compare_features, data, 2503) > 1);
  entropic_dataset_free(data);
  entropic_table_free(table);
  entropic_parameters_free(set);
}

SUITE(interface_faults) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parameters_without_memory), cmocka_unit_test(small_calls),
                                     cmocka_unit_test(a_fit), cmocka_unit_test(a_design_without_weights)};
  return cmocka_run_group_tests(tests, start, stop);
}
