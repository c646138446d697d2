/* Calls that ask for no memory do without: here are all that are the subject of no other fault test. */
#include "unit/fitting.h"
#include "unit/modelling.h"

#include "fault/failing_malloc.h"
#include "dataset/dataset.h"
#include "design/language_map.h"
#include "lift/lift.h"
#include "loss/loss.h"

/* Between the two no call may ask for memory. What it says is looked at afterwards: failed assertions allocate. */
static void begin_quiet(void) {
  failing_malloc_after(0);
}

static void end_quiet(void) {
  long asked = failing_malloc_count();
  failing_malloc_after(-1);
  assert_int_equal(asked, 0);
}

static void names_and_defaults(void **state) {
  (void)state;
  entropic_context *context = context_with(2);
  entropic_family family = ENTROPIC_FAMILY_CENTRED;
  begin_quiet();
  const char *const texts[] = {
      entropic_version(),
      entropic_status_name(ENTROPIC_BAD_DATA),
      entropic_status_text(ENTROPIC_BAD_DATA),
      entropic_context_message(context),
      entropic_family_name(ENTROPIC_FAMILY_LAPLACE),
      ent_family_help(ENTROPIC_FAMILY_LAPLACE),
      entropic_language_name(0),
      ent_language_help(1),
      entropic_language_endings(entropic_language_count() - 1),
      entropic_criterion_name(ENTROPIC_CRITERION_SUP),
      entropic_task_name(ENTROPIC_TASK_REGRESSION),
      ent_loss_name(ENTROPIC_LOSS_SQUARED),
      ent_solver_name(ENTROPIC_SOLVER_DUAL),
      ent_select_name(ENTROPIC_SELECT_ENTROPY),
      ent_form_name(ENT_FORM_LINEAR),
      ent_target_scale_name(ENTROPIC_TARGET_SCALE_ROOT),
      ent_class_weight_name(ENTROPIC_CLASS_WEIGHT_BALANCED),
      entropic_scaling_name(ENTROPIC_SCALING_MINMAX),
      entropic_generator_get(entropic_generator_count() - 1)->name,
  };
  const entropic_generator *generator = entropic_generator_find("wing");
  int found = entropic_family_find("bridge", &family);
  size_t families = ent_family_count(), edits = entropic_edit_distance("omega", 5, "Omgea", 5);
  int omega = entropic_family_has(ENTROPIC_FAMILY_LAPLACE, ENTROPIC_TRAIT_OMEGA);
  entropic_status status = entropic_context_set_threads(context, 3);
  int threads = ent_context_threads(context);
  size_t folds = ent_fit_options_default().folds, runs = ent_compare_options_default().runs;
  int level = ent_axis_options_default().max_level, header = ent_read_options_default().header;
  size_t features = ent_design_options_default().features;
  entropic_outputs outputs = {.level = 7};
  entropic_status empty = entropic_outputs_init(&outputs, sizeof outputs);
  end_quiet();
  assert_int_equal(empty, ENTROPIC_OK);
  assert_true(outputs.level == 0 && outputs.predictions == NULL);
  for (size_t i = 0; i < COUNT(texts); i++)
    assert_non_null(texts[i]);
  assert_non_null(generator);
  assert_int_equal(found, 1);
  assert_true(family == ENTROPIC_FAMILY_BRIDGE);
  assert_true(families > (size_t)ENTROPIC_FAMILY_BRIDGE && omega == 1);
  assert_int_equal(edits, 1);
  assert_int_equal(status, ENTROPIC_OK);
  assert_int_equal(threads, 3);
  assert_true(folds == 5 && runs == 5 && level == 16 && header == ENT_AUTO && features == 0);
  entropic_context_free(context);
}

static void numbers(void **state) {
  (void)state;
  char text[ENTROPIC_NUMBER_SIZE], pair[2 * ENTROPIC_NUMBER_SIZE];
  size_t order[50];
  double value = 0, tiny = 0;
  begin_quiet();
  entropic_random random = entropic_random_start(1, 2);
  double sum = entropic_random_uniform(&random) + entropic_random_normal(&random) + entropic_random_cauchy(&random) +
               entropic_random_chi(&random, 7) + (double)entropic_random_below(&random, 10) +
               (double)entropic_random_bits(&random);
  entropic_random_permutation(&random, 50, order);
  size_t length = entropic_format_double(0.1, text);
  size_t list = entropic_format_list((const double[]){0.1, -2}, 2, pair);
  entropic_status status = entropic_parse_double("0.1", 3, &value);
  /* half way between two doubles: decided by its last digit, which takes more than the short way */
  entropic_status hard = entropic_parse_double("9007199254740993.00000000000000000000000000000000000001", 55, &tiny);
  end_quiet();
  assert_true(isfinite(sum));
  assert_int_equal(length, 3);
  assert_int_equal(list, 6);
  assert_memory_equal(pair, "0.1,-2", 6);
  assert_int_equal(status, ENTROPIC_OK);
  assert_true(value == 0.1);
  assert_int_equal(hard, ENTROPIC_OK);
  assert_true(tiny == 9007199254740994.0);
}

static void sources_and_tables(void **state) {
  const char *path = in_folder(state, "file.csv"), *text = "a,b\n$1,x\n$2,y\n$3,x\n";
  write_file(path, text, strlen(text));
  entropic_context *context = context_with(1);
  ent_source *source = NULL;
  entropic_table *table = NULL;
  ASSERT_OK(context, ent_source_open(context, path, NULL, &source));
  ASSERT_OK(context, ent_source_survey(context, source));
  ASSERT_OK(context, ent_table_load(context, path, NULL, &table));
  double block[6];
  size_t rows = 0;
  entropic_column columns[2];
  begin_quiet();
  size_t sizes = source->columns.count + source->rows + entropic_table_columns(table) + entropic_table_rows(table) +
                 entropic_table_empty(table);
  entropic_status first = ent_source_column(context, source, 1, &columns[0]);
  entropic_status second = column_of_table(context, table, 1, &columns[1]);
  const char *in_source = ent_source_category(source, 1, 1), *in_table = entropic_table_category(table, 1, 1);
  const char *name = entropic_table_name(table, 0);
  const char *class_validation = ent_source_notice(source, 0), *also_told = entropic_table_notice(table, 0);
  bool all_told = ent_source_notice(source, 1) == NULL && entropic_table_notice(table, 1) == NULL &&
                  entropic_row_reader_notice(NULL, 0) == NULL;
  const double *values = entropic_table_values(table);
  bool text_files = source->format == ENTROPIC_FORMAT_TEXT && entropic_table_format(table) == ENTROPIC_FORMAT_TEXT;
  entropic_status read = ent_source_read(context, source, block, 3, &rows);
  entropic_status again = ent_source_rewind(context, source);
  end_quiet();
  assert_int_equal(sizes, 2 + 3 + 2 + 3 + 0);
  assert_true(first == ENTROPIC_OK && second == ENTROPIC_OK && read == ENTROPIC_OK && again == ENTROPIC_OK);
  assert_true(columns[0].categories == 2 && columns[1].categories == 2 && text_files);
  assert_string_equal(in_source, "y");
  assert_string_equal(in_table, "y");
  assert_string_equal(name, "a");
  assert_string_equal(class_validation, also_told);
  assert_true(all_told);
  assert_int_equal(rows, 3);
  assert_memory_equal(block, values, sizeof block);
  ent_source_free(source);
  entropic_table_free(table);
  entropic_context_free(context);
}

static void kernels_designs_and_lifts(void **state) {
  (void)state;
  entropic_design *design = design_of_axis(ent_axis_options_default(), 3, 40);
  entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_REFERENCE);
  const double x[3] = {0.25, 0.5, 0.75}, y[3] = {0.5, 0.5, 0.5};
  entropic_level level;
  entropic_group group;
  uint64_t atom = 0, features = 0, nonzeros = 0;
  double value = 0;
  begin_quiet();
  const entropic_kernel *kernel = entropic_design_kernel(design);
  size_t sizes[] = {entropic_kernel_inputs(kernel),   entropic_lift_inputs(lift),
                    entropic_design_features(design), entropic_lift_features(lift),
                    entropic_design_nonzeros(design), entropic_lift_nonzeros(lift),
                    entropic_kernel_levels(kernel, 0)};
  size_t groups = entropic_design_groups(design), base = entropic_design_base(design, 2);
  bool whole = entropic_design_exhausted(design) == 0 && entropic_design_criterion(design) == ENTROPIC_CRITERION_L2;
  double one = ent_kernel_axis_value(kernel, 1, 0.25, 0.5), all = entropic_kernel_value(kernel, x, y);
  double omega = ent_kernel_axis(kernel, 0).omega;
  const char *code = lift->code->name;
  int saved = entropic_kernel_has(kernel, 2, ENTROPIC_TRAIT_SAVED) + entropic_kernel_has(kernel, 3, 0);
  const entropic_status statuses[] = {
      ent_kernel_level(NULL, kernel, 0, 3, &level), entropic_kernel_atom(NULL, kernel, 0, 3, 0.3, &atom, &value),
      ent_design_group(NULL, design, groups - 1, &group), ent_paper_size(NULL, 8, 3, &features, &nonzeros)};
  char name[16];
  size_t length = entropic_kernel_level_name(kernel, 0, 3, name, sizeof name);
  uint64_t first = entropic_design_atom(design, &group, 0, 0);
  end_quiet();
  assert_string_equal(name, "hat2"); /* after the constant, the line and hat 1 */
  assert_true(length == 4 && first < UINT64_C(1) << 16);
  assert_true(sizes[0] == 3 && sizes[1] == 3 && sizes[2] == 40 && sizes[3] == 40 && sizes[4] == sizes[5]);
  assert_int_equal(sizes[6], 18); /* constant, line, hats 1 to 16 */
  assert_int_equal(sizes[4], groups);
  assert_int_equal(base, 0);
  assert_true(whole && omega == 1);
  assert_int_equal(saved, 1);
  assert_close(one, 1.125, 1e-15);
  assert_close(all, 1.125 * 1.25 * 1.125, 1e-15);
  assert_string_equal(code, "reference");
  for (size_t i = 0; i < COUNT(statuses); i++)
    assert_int_equal(statuses[i], ENTROPIC_OK);
  assert_true(features == 161 && nonzeros == 45);
  entropic_lift_free(lift);
  entropic_design_free(design);
}

static void datasets(void **state) {
  const char *path = in_folder(state, "file.csv"), *text = "a,b,c,y\n1,7,1,1\n2,7,2,5\n3,7,3,1.0\n5,7,5,9\n";
  write_file(path, text, strlen(text));
  entropic_context *context = context_with(1);
  ent_read_options options = ent_read_options_default();
  options.roles.targets = "y";
  entropic_table *table = NULL;
  entropic_dataset *dataset = NULL;
  ASSERT_OK(context, ent_table_load(context, path, &options, &table));
  ASSERT_OK(context, ent_dataset_create(context, table, ENTROPIC_TASK_CLASSIFICATION, &dataset));
  entropic_column_type why[2];
  begin_quiet();
  size_t dropped = ent_dataset_describe(dataset).dropped;
  const char *constant = entropic_dataset_dropped(dataset, 0, &why[0]);
  const char *copy = entropic_dataset_dropped(dataset, 1, &why[1]), *original = entropic_dataset_original(dataset, 1);
  const char *class_validation = entropic_dataset_notice(dataset, 0), *none = entropic_dataset_notice(dataset, 1);
  end_quiet();
  assert_non_null(strstr(class_validation, "'1' and '1.0' are the same number and become one class"));
  assert_null(none);
  assert_int_equal(dropped, 2);
  assert_string_equal(constant, "b");
  assert_string_equal(copy, "c");
  assert_string_equal(original, "a");
  assert_true(why[0] == ENTROPIC_COLUMN_TYPE_CONSTANT && why[1] == ENTROPIC_COLUMN_TYPE_COPY);
  entropic_dataset_free(dataset);
  entropic_table_free(table);
  entropic_context_free(context);
}

static void models(void **state) {
  (void)state;
  for (size_t i = 0; i < MODEL_PLANS; i++) {
    const model_plan *plan = &model_plans[i];
    entropic_model *model = plan_newest(plan, 1);
    double *x = plan_rows(plan, 50, 1, true), offset = NAN, lower = NAN, upper = NAN;
    double predictions[3] = {-1e9, 0, 1e9};
    entropic_data_warnings warnings = {0};
    entropic_input_info input;
    begin_quiet();
    size_t inputs = ent_model_describe(model).inputs;
    const entropic_kernel *kernel = entropic_model_kernel(model);
    const entropic_design *design = entropic_model_design(model);
    const double *weights = entropic_model_weights(model, 0, &offset);
    const char *target = entropic_model_target(model, 0), *class_name = entropic_model_class(model, 0);
    const char *category = entropic_model_category(model, 1, 0);
    entropic_status status = ent_model_input(NULL, model, 0, &input);
    ent_model_count_data_warnings(model, x, 50, plan->inputs, &warnings);
    size_t cut = ent_model_clamp(model, predictions, 1);
    entropic_status filled = entropic_model_fill_means(NULL, model, x, 50, plan->inputs);
    int ranged = entropic_model_range(model, 0, &lower, &upper);
    end_quiet();
    assert_int_equal(ranged, plan->task == ENTROPIC_TASK_REGRESSION);
    assert_true(ranged ? lower < upper && cut > 0 : cut == 0);
    assert_int_equal(inputs, plan->inputs);
    assert_true(kernel != NULL && weights != NULL && target != NULL && isfinite(offset));
    assert_int_equal(design == NULL, plan->solver == ENTROPIC_SOLVER_EXACT);
    assert_int_equal(class_name != NULL, plan->task == ENTROPIC_TASK_CLASSIFICATION);
    assert_int_equal(category != NULL, plan->categories && plan->inputs > 1);
    assert_int_equal(status, ENTROPIC_OK);
    assert_int_equal(filled, ENTROPIC_OK); /* no input is made of categories */
    assert_true(warnings.missing > 0);
    free(x);
    entropic_model_free(model);
  }
}

SUITE(quiet_faults) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_and_defaults),        cmocka_unit_test(numbers),  cmocka_unit_test(sources_and_tables),
      cmocka_unit_test(kernels_designs_and_lifts), cmocka_unit_test(datasets), cmocka_unit_test(models),
  };
  return cmocka_run_group_tests_name("quiet_faults", tests, make_folder, remove_folder);
}
