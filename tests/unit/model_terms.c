/* Fits restricted to terms: lists of terms as text, the features of the models, what the restriction costs, and files. */
#include "unit/fitting.h"

#include "design/design.h"
#include "fit/terms.h"

#include "unit/fixture.h"

enum { ROWS = 90, COLUMNS = 9 };

/* Two columns are no inputs: c is constant, and y the target. */
static const char *const column_names[COLUMNS] = {"a", "b", "a:b", "with, comma", "say \"so\"", "*", "c", "10", "y"};

static entropic_dataset *odd_names(void) {
  static double values[ROWS * COLUMNS];
  entropic_random random = entropic_random_start(3, 1);
  for (size_t r = 0; r < ROWS; r++) {
    double *row = values + r * COLUMNS;
    for (size_t i = 0; i < COLUMNS - 1; i++)
      row[i] = i == 6 ? 4 : entropic_random_uniform(&random);
    row[8] = row[0] + 2 * row[1] + 3 * row[0] * row[1] + row[2];
  }
  entropic_table *table = NULL;
  entropic_dataset *dataset = NULL;
  const ent_roles roles = {.targets = "y"};
  ASSERT_OK(context, ent_table_create(context, values, ROWS, COLUMNS, COLUMNS, column_names, &roles, &table));
  ASSERT_OK(context, ent_dataset_create(context, table, ENTROPIC_TASK_REGRESSION, &dataset));
  entropic_table_free(table);
  return dataset;
}

static entropic_parameters *parameters_of(const char *only, const char *without) {
  entropic_parameters *set = NULL;
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, &set));
  if (only != NULL)
    ASSERT_OK(context, entropic_parameters_set(context, set, "only", only));
  if (without != NULL)
    ASSERT_OK(context, entropic_parameters_set(context, set, "without", without));
  return set;
}

static ent_restriction *read_terms(const entropic_dataset *data, const char *only, const char *without) {
  entropic_parameters *set = parameters_of(only, without);
  ent_restriction *restriction = NULL;
  ASSERT_OK(context, ent_restriction_by(context, set, data, &restriction));
  entropic_parameters_free(set);
  return restriction;
}

/* What is read, written by names. */
static void check_text(const entropic_dataset *data, const char *terms, const char *expected) {
  ent_restriction *only = read_terms(data, terms, NULL), *without = read_terms(data, NULL, terms);
  assert_string_equal(only->texts[ENT_RESTRICT_ONLY], expected);
  assert_null(only->texts[ENT_RESTRICT_WITHOUT]);
  assert_string_equal(without->texts[ENT_RESTRICT_WITHOUT], expected);
  ent_restriction *again = read_terms(data, expected, NULL); /* what is written is read as the same */
  assert_string_equal(again->texts[ENT_RESTRICT_ONLY], expected);
  ent_restriction_free(only);
  ent_restriction_free(without);
  ent_restriction_free(again);
}

static void lists_are_read(void **state) {
  (void)state;
  entropic_dataset *data = odd_names();
  check_text(data, "a", "a");
  check_text(data, " a , 2 ", "a,b");
  check_text(data, "b:a", "\"b\":\"a\"");
  check_text(data, "a:b", "\"a:b\""); /* an input is called so */
  check_text(data, "\"a\":b", "\"a\":\"b\"");
  check_text(data, "\"a:b\":a", "\"a:b\":\"a\"");
  check_text(data, "3:2", "\"a:b\":\"b\"");
  check_text(data, "\"with, comma\":*", "\"with, comma\":*");
  check_text(data, "\"say \"\"so\"\"\",4", "\"say \"\"so\"\"\",\"with, comma\"");
  check_text(data, "\"*\":a", "\"*\":\"a\"");
  check_text(data, "a:*:*,b", "\"a\":*:*,b");
  check_text(data, "10", "10");                             /* names come before numbers */
  ent_restriction *both = read_terms(data, "*:*", "a:*,c"); /* a constant is out already */
  assert_string_equal(both->texts[ENT_RESTRICT_ONLY], "*:*");
  assert_string_equal(both->texts[ENT_RESTRICT_WITHOUT], "\"a\":*");
  assert_true(ent_restriction_allows(both, (size_t[]){1, 2}, 2));
  assert_false(ent_restriction_allows(both, (size_t[]){0, 2}, 2));
  assert_false(ent_restriction_allows(both, (size_t[]){1, 2, 3}, 3));
  ent_restriction_free(both);
  assert_null(read_terms(data, NULL, NULL));
  assert_null(read_terms(data, NULL, "c,c:a"));
  entropic_dataset_free(data);
}

static void lists_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *only, *without, *message;
  } cases[] = {{"d", NULL, "only: there is no input d; there are 7, the first is a"},
               {"with comma", NULL, "there is no input with comma: did you mean with, comma?"},
               {"a,y", NULL, "column y is the target, expected inputs"},
               {NULL, "a:y", "without: column y is the target"},
               {"a:9", NULL, "column y is the target"},
               {"c", NULL, "only: column c is dropped, expected inputs"},
               {"11", NULL, "there is no input 11; there are 7"},
               {"0", NULL, "there is no input 0"},
               {"12345678901234567890", NULL, "there is no input 12345678901234567890"},
               {"a:1", NULL, "a term has 1 twice, expected it once"},
               {"a::b", NULL, "a name is empty, expected terms such as x1,x2:x3"},
               {":a", NULL, "a name is empty"},
               {"a: ", NULL, "a name is empty"},
               {"\"a", NULL, "found \"a, expected a name between quotes"},
               {"\"a\"b", NULL, "found \"a\"b, expected a name between quotes"},
               {"\"", NULL, "expected a name between quotes"},
               {NULL, "*", "without: the terms leave no input"},
               {"a", "a", "the terms leave no input"}};
  entropic_dataset *data = odd_names();
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_parameters *set = parameters_of(cases[i].only, cases[i].without);
    ent_restriction *restriction = NULL;
    entropic_model *model = NULL;
    assert_int_equal(ent_restriction_by(context, set, data, &restriction), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, cases[i].message);
    assert_null(restriction);
    assert_int_equal(entropic_fit(context, data, NULL, set, NULL, &model), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, cases[i].message);
    assert_null(model);
    entropic_parameters_free(set);
  }
  entropic_dataset_free(data);
}

/* Every group of the model is allowed. Returns how many inputs the largest has. */
static size_t check_model(const entropic_model *model, const ent_restriction *restriction) {
  const entropic_design *design = entropic_model_design(model);
  size_t most = 0;
  assert_true(design->group_count > 0);
  for (size_t g = 0; g < design->group_count; g++) {
    const ent_group *group = &design->groups[g];
    size_t inputs[COLUMNS];
    assert_true(group->term_count <= COLUMNS);
    for (size_t t = 0; t < group->term_count; t++)
      inputs[t] = design->terms[group->first_term + t].input;
    assert_true(ent_restriction_allows(restriction, inputs, group->term_count));
    most = group->term_count > most ? group->term_count : most;
  }
  for (size_t i = 0; i < design->kernel->inputs; i++)
    assert_int_equal(level_of(design->kernel, i, design->base[i]).kind, ENTROPIC_LEVEL_KIND_CONSTANT);
  return most;
}

static double number_of(const entropic_report *report, const char *path) {
  double value = NAN;
  assert_true(entropic_report_number(report, path, &value));
  return value;
}

static entropic_model *fit_by(const entropic_dataset *data, entropic_parameters *set, entropic_report **report) {
  entropic_model *model = NULL;
  ASSERT_OK(context, entropic_fit(context, data, NULL, set, report, &model));
  return model;
}

/* Restricted and not, by the same parameters otherwise; "unrestricted" is the error of the other fit, to the bit. */
static void check_cost(const entropic_dataset *data, const char *name, const char *value) {
  entropic_parameters *open = parameters_of(NULL, NULL), *set = parameters_of("*,\"a\":b", "\"a:b\"");
  ent_restriction *restriction = read_terms(data, "*,\"a\":b", "\"a:b\"");
  entropic_report *reports[3];
  entropic_parameters *sets[] = {open, set, set};
  for (int i = 0; i < 2; i++) {
    ASSERT_OK(context, entropic_parameters_set(context, sets[i], name, value));
    ASSERT_OK(context, entropic_parameters_set(context, sets[i], "omega", "1"));
    ASSERT_OK(context, entropic_parameters_set(context, sets[i], "features", "30"));
  }
  for (int i = 0; i < 3; i++) {
    if (i == 2)
      ASSERT_OK(context, entropic_parameters_set(context, set, "unrestricted", "no"));
    entropic_model *model = fit_by(data, sets[i], &reports[i]);
    if (i > 0)
      assert_true(check_model(model, restriction) <= 2);
    entropic_model_free(model);
  }
  char text[64];
  assert_true(number_of(reports[1], "unrestricted.rmse") == number_of(reports[0], "validation.rmse"));
  assert_true(number_of(reports[1], "unrestricted.standard_error") ==
              number_of(reports[0], "validation.standard_error"));
  assert_true(number_of(reports[1], "validation.rmse") > 1.1 * number_of(reports[0], "validation.rmse"));
  assert_true(number_of(reports[1], "validation.rmse") == number_of(reports[2], "validation.rmse"));
  assert_true(entropic_report_text(reports[1], "only", text, sizeof text) > 0);
  assert_string_equal(text, "*,\"a\":\"b\"");
  assert_true(entropic_report_text(reports[1], "without", text, sizeof text) > 0);
  assert_string_equal(text, "\"a:b\"");
  double none;
  assert_false(entropic_report_number(reports[0], "unrestricted.rmse", &none));
  assert_false(entropic_report_number(reports[2], "unrestricted.rmse", &none));
  for (int i = 0; i < 3; i++)
    entropic_report_free(reports[i]);
  ent_restriction_free(restriction);
  entropic_parameters_free(open);
  entropic_parameters_free(set);
}

static void costs_are_those_of_the_other_fit(void **state) {
  (void)state;
  entropic_dataset *data = odd_names();
  check_cost(data, "select", "residual");
  check_cost(data, "select", "entropy");
  check_cost(data, "lambda", "0.001");
  entropic_dataset_free(data);
}

/* A model keeps the lists as text: in files, and in what comes of its statistics. */
static void files_keep_the_terms(void **state) {
  entropic_dataset *data = odd_names();
  entropic_parameters *set = parameters_of(NULL, "\"with, comma\",a:b");
  ASSERT_OK(context, entropic_parameters_set(context, set, "keep-statistics", "yes"));
  ASSERT_OK(context, entropic_parameters_set(context, set, "features", "12"));
  ASSERT_OK(context, entropic_parameters_set(context, set, "without", "\"with, comma\",\"a\":\"b\""));
  entropic_model *model = fit_by(data, set, NULL), *loaded = NULL;
  const char *path = in_folder(state, "terms.entropic");
  ASSERT_OK(context, entropic_model_save(context, model, path));
  ASSERT_OK(context, entropic_model_load(context, path, &loaded));
  entropic_report *report = NULL;
  char text[64];
  ASSERT_OK(context, entropic_model_report(context, loaded, &report));
  assert_true(entropic_report_text(report, "without", text, sizeof text) > 0);
  assert_string_equal(text, "\"with, comma\",\"a\":\"b\"");
  assert_int_equal(entropic_report_text(report, "only", text, sizeof text), 0);
  entropic_report_free(report);
  entropic_model_free(loaded);
  entropic_model_free(model);
  entropic_parameters_free(set);
  entropic_dataset_free(data);
}

static void refuse(const entropic_dataset *data, const char *name, const char *value, const char *message) {
  entropic_parameters *set = parameters_of("a", NULL);
  entropic_model *model = NULL;
  ASSERT_OK(context, entropic_parameters_set(context, set, name, value));
  assert_int_equal(entropic_fit(context, data, NULL, set, NULL, &model), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, message);
  assert_null(model);
  entropic_parameters_free(set);
}

static void kernels_without_a_constant_are_refused(void **state) {
  (void)state;
  entropic_dataset *data = odd_names();
  refuse(data, "kernel", "laplace", "terms need a kernel with the constant");
  refuse(data, "kernel", "brownian", "terms need a kernel with the constant");
  refuse(data, "basis", "interior", "and its full basis");
  refuse(data, "solver", "exact", "exact and only cannot be combined");
  entropic_dataset_free(data);
}

SUITE(model_terms) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_are_read),
      cmocka_unit_test(lists_are_refused),
      cmocka_unit_test(costs_are_those_of_the_other_fit),
      cmocka_unit_test(files_keep_the_terms),
      cmocka_unit_test(kernels_without_a_constant_are_refused),
  };
  return cmocka_run_group_tests_name("model_terms", tests, start_in_folder, stop_in_folder);
}
