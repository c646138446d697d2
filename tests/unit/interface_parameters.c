/* Parameters by name: what is taken, what is refused, and that the table tells the truth. */
#include "unit/tests.h"

#include "design/by_parameters.h"

#include "unit/fixture.h"

static entropic_parameters *fresh(entropic_purpose purpose) {
  entropic_parameters *set = NULL;
  ASSERT_OK(context, entropic_parameters_create(context, purpose, &set));
  return set;
}

/* A refusal says this, and leaves the value as it was. */
#define REFUSED(set, name, text, message)                                                                              \
  do {                                                                                                                 \
    const char *before_it = entropic_parameters_get(set, name);                                                        \
    assert_int_equal(entropic_parameters_set(context, set, name, text), ENTROPIC_BAD_ARGUMENT);                        \
    assert_message(context, message);                                                                                  \
    assert_ptr_equal(entropic_parameters_get(set, name), before_it);                                                   \
  } while (0)

static void rows_are_complete(void **state) {
  (void)state;
  size_t count = entropic_parameter_count();
  assert_true(count > 40);
  for (size_t i = 0; i < count; i++) {
    entropic_parameter one, other;
    ASSERT_OK(context, entropic_parameter_describe(context, i, &one, sizeof one));
    assert_true(one.name[0] != 0 && one.help[0] != 0 && one.since[0] != 0 && one.purposes != 0);
    assert_true(strspn(one.name, "abcdefghijklmnopqrstuvwxyz-") == strlen(one.name));
    assert_true(one.type == ENTROPIC_PARAMETER_FLAG || one.value[0] != 0);
    for (const char *line = one.help; *line != 0; line += strcspn(line, "\n"), line += *line == '\n')
      assert_true(strcspn(line, "\n") <= 70);
    for (size_t k = 0; k < i; k++) { /* a name stands once for each purpose */
      ASSERT_OK(context, entropic_parameter_describe(context, k, &other, sizeof other));
      assert_false(strcmp(one.name, other.name) == 0 && (one.purposes & other.purposes) != 0);
    }
  }
  entropic_parameter info;
  assert_int_equal(entropic_parameter_describe(context, count, &info, sizeof info), ENTROPIC_BAD_ARGUMENT);
}

/* Every default, given as text, is taken by a set, and every choice too. */
static void defaults_and_choices_are_taken(void **state) {
  (void)state;
  for (size_t i = 0; i < entropic_parameter_count(); i++) {
    entropic_parameter info;
    char name[64];
    ASSERT_OK(context, entropic_parameter_describe(context, i, &info, sizeof info));
    for (unsigned purpose = 1; purpose <= 8; purpose *= 2) {
      if ((info.purposes & purpose) == 0)
        continue;
      entropic_parameters *set = fresh((entropic_purpose)purpose);
      assert_string_equal(entropic_parameters_get(set, info.name), info.default_text);
      assert_int_equal(entropic_parameters_is_set(set, info.name), 0);
      if (info.default_text[0] != 0)
        ASSERT_OK(context, entropic_parameters_set(context, set, info.name, info.default_text));
      size_t choices = 0;
      for (; entropic_parameter_choice(i, choices, name, sizeof name, NULL) > 0; choices++)
        ASSERT_OK(context, entropic_parameters_set(context, set, info.name, name));
      assert_int_equal(choices > 0, info.type == ENTROPIC_PARAMETER_CHOICE);
      entropic_parameters_free(set);
    }
  }
}

/* What the table calls a default is what a fit does if nothing is said. */
static void defaults_are_those_of_a_fit(void **state) {
  (void)state;
  double omegas[3];
  ent_fit_options plain, said, own = ent_fit_options_default();
  entropic_parameters *set = fresh(ENTROPIC_PURPOSE_FIT);
  ASSERT_OK(context, ent_fit_options_by(context, NULL, 2, omegas, &plain));
  for (size_t i = 0; i < ent_parameter_rows.count; i++) {
    const entropic_parameter *info = &ent_parameter_rows.rows[i].info;
    if ((info->purposes & ENTROPIC_PURPOSE_FIT) != 0 && info->default_text[0] != 0)
      ASSERT_OK(context, entropic_parameters_set(context, set, info->name, info->default_text));
  }
  ASSERT_OK(context, ent_fit_options_by(context, set, 2, omegas, &said));
  own.omegas = omegas;
  assert_memory_equal(&plain, &own, sizeof own);
  assert_memory_equal(&said, &own, sizeof own);
  entropic_parameters_free(set);
}

static void values_reach_the_options(void **state) {
  (void)state;
  double omegas[4];
  ent_fit_options o;
  static const char *const given[][2] = {{"loss", "hinge"},     {"solver", "dual"},
                                         {"select", "entropy"}, {"class-weight", "balanced"},
                                         {"scale", "minmax"},   {"target-scale", "plain"},
                                         {"ensemble", "3"},     {"seconds", "2.5"},
                                         {"kernel", "laplace"}, {"basis", "interior"},
                                         {"max-level", "7"},    {"smooth", "0"},
                                         {"omega", "1, 2.5,3"}, {"lambda", "1e-3"},
                                         {"nonzeros", "12"},    {"criterion", "sup"},
                                         {"max_order", "2"},    {"seed", "18446744073709551615"},
                                         {"folds", "7"}};
  entropic_parameters *set = fresh(ENTROPIC_PURPOSE_FIT);
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    ASSERT_OK(context, entropic_parameters_set(context, set, given[i][0], given[i][1]));
  ASSERT_OK(context, ent_fit_options_by(context, set, 3, omegas, &o));
  assert_int_equal(o.loss, ENTROPIC_LOSS_HINGE);
  assert_int_equal(o.solver, ENTROPIC_SOLVER_DUAL);
  assert_int_equal(o.select, ENTROPIC_SELECT_ENTROPY);
  assert_int_equal(o.class_weight, ENTROPIC_CLASS_WEIGHT_BALANCED);
  assert_int_equal(o.scaling, ENTROPIC_SCALING_MINMAX);
  assert_int_equal(o.target_scale, ENTROPIC_TARGET_SCALE_PLAIN);
  assert_int_equal(o.ensemble, 3);
  assert_true(o.seconds == 2.5);
  assert_int_equal(o.axis.family, ENTROPIC_FAMILY_LAPLACE);
  assert_int_equal(o.axis.basis, ENTROPIC_BASIS_INTERIOR);
  assert_int_equal(o.axis.max_level, 7);
  assert_int_equal(o.axis.smooth, 0);
  assert_int_equal(o.omega_count, 3);
  assert_true(omegas[0] == 1 && omegas[1] == 2.5 && omegas[2] == 3);
  assert_true(o.lambda == 1e-3);
  assert_int_equal(o.nonzeros, 12);
  assert_int_equal(o.criterion, ENTROPIC_CRITERION_SUP);
  assert_int_equal(o.max_order, 2);
  assert_true(o.seed == UINT64_MAX);
  assert_int_equal(o.folds, 7);
  assert_int_equal(ent_fit_options_by(context, set, 2, omegas, &o), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "omega has 3 numbers, there are 2 inputs");
  ASSERT_OK(context, entropic_parameters_set(context, set, "features", "theory"));
  ASSERT_OK(context, entropic_parameters_set(context, set, "lambda", "theory"));
  ASSERT_OK(context, ent_fit_options_by(context, set, 3, omegas, &o));
  assert_true(o.features == ENT_FEATURES_THEORY && o.lambda == ENT_LAMBDA_THEORY);
  entropic_parameters_free(set);
}

static void reading_reaches_its_options(void **state) {
  (void)state;
  ent_read_options o;
  entropic_parameters *set = fresh(ENTROPIC_PURPOSE_FIT);
  static const char *const given[][2] = {{"delimiter", "tab"}, {"decimal", ","},     {"quote", "none"},
                                         {"comment", "#"},     {"header", "no"},     {"missing", "-9"},
                                         {"format", "npy"},    {"from-zero", "yes"}, {"any_order", "1"},
                                         {"target", "y"},      {"ignore", "a,b"}};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    ASSERT_OK(context, entropic_parameters_set(context, set, given[i][0], given[i][1]));
  o = ent_read_options_by(set);
  assert_true(o.delimiter == '\t' && o.decimal == ',' && o.quote == 0 && o.comment == '#' && o.header == 0);
  assert_true(o.libsvm_from_zero && o.libsvm_any_order && !o.numbers_only);
  assert_int_equal(o.format, ENTROPIC_FORMAT_NPY);
  assert_string_equal(o.missing, "-9");
  assert_string_equal(o.roles.targets, "y");
  assert_string_equal(o.roles.ignore, "a,b");
  assert_null(o.roles.weights);
  o = ent_read_options_by(NULL);
  ent_read_options plain = ent_read_options_default();
  assert_true(o.format == plain.format && o.delimiter == plain.delimiter && o.quote == plain.quote);
  assert_true(o.decimal == plain.decimal && o.comment == plain.comment && o.header == plain.header);
  assert_true(o.missing == NULL && o.roles.targets == NULL && o.roles.keep == NULL && !o.libsvm_from_zero);
  entropic_parameters_free(set);
}

static void sizes_are_powers_of_1024(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t bytes;
  } sizes[] = {{"1048576", 1048576}, {"1024k", 1048576},          {"1M", 1048576},
               {"1.5m", 1572864},    {"2.5G", 2684354560u},       {"1T", UINT64_C(1) << 40},
               {"2e3K", 2048000},    {"1.0000001M", 1048576},     {"none", 0},
               {"auto", 0},          {"1024T", UINT64_C(1) << 50}};
  entropic_parameters *set = fresh(ENTROPIC_PURPOSE_FIT);
  for (size_t i = 0; i < COUNT(sizes); i++) {
    ASSERT_OK(context, entropic_parameters_set(context, set, "memory", sizes[i].text));
    ent_read_options options = ent_read_options_by(set);
    assert_int_equal(options.memory, sizes[i].bytes);
  }
  REFUSED(set, "memory", "1023k", "memory 1023k: expected a size from 1M to 1P, such as 500M or 2.5G");
  REFUSED(set, "memory", "1025T", "expected a size from 1M to 1P");
  REFUSED(set, "memory", "5P", "expected a size");
  REFUSED(set, "memory", "+5M", "expected a size");
  REFUSED(set, "memory", "inf", "expected a size");
  ASSERT_OK(context, entropic_parameters_set(context, set, "spool", "/var/tmp"));
  ASSERT_OK(context, entropic_parameters_set_integer(context, set, "memory", 5000000));
  ent_read_options options = ent_read_options_by(set);
  assert_true(options.memory == 5000000);
  assert_string_equal(options.spool, "/var/tmp");
  entropic_parameters_free(set);
}

static void wrong_names_and_values_are_refused(void **state) {
  (void)state;
  entropic_parameters *set = fresh(ENTROPIC_PURPOSE_FIT);
  REFUSED(set, "featurs", "5", "unknown parameter featurs; did you mean features?");
  REFUSED(set, "runs", "5", "unknown parameter runs");
  REFUSED(set, "", "5", "unknown parameter");
  REFUSED(set, "features", "0", "features 0: expected a whole number from 1 to 2147483647, auto or theory");
  REFUSED(set, "features", "1.5", "features 1.5: expected a whole number");
  REFUSED(set, "features", "-1", "features -1: expected a whole number");
  REFUSED(set, "features", "2147483648", "features 2147483648: expected");
  REFUSED(set, "features", "1e99", "expected a whole number");
  REFUSED(set, "features", "", "features needs a value that is not empty: M");
  REFUSED(set, "seed", "18446744073709551616", "from 0 to 18446744073709551615");
  REFUSED(set, "lambda", "nan", "lambda nan: expected a number from 0 to 1e300, auto or theory");
  REFUSED(set, "lambda", "-1", "expected a number from 0");
  REFUSED(set, "omega", "1,,2", "omega : expected a number from 1e-6 to 1e4");
  REFUSED(set, "omega", "1,2e4", "omega 2e4: expected");
  REFUSED(set, "kernel", "laplase", "did you mean laplace?");
  REFUSED(set, "kernel", "category", "kernel category: expected centred|");
  REFUSED(set, "select", "Auto", "did you mean auto?");
  REFUSED(set, "header", "maybe", "header maybe: expected auto|yes|no");
  REFUSED(set, "from-zero", "perhaps", "from-zero perhaps: expected yes or no");
  REFUSED(set, "delimiter", "dot", "expected one character, or its name");
  REFUSED(set, "ignore", "a,,b", "ignore a,,b: a name is empty");
  assert_int_equal(entropic_parameters_set_integer(context, set, "features", 0), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_parameters_set_number(context, set, "lambda", NAN), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_parameters_set_number(context, set, "features", 2.5), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_parameters_set_flag(context, set, "features", 2), ENTROPIC_BAD_ARGUMENT);
  ASSERT_OK(context, entropic_parameters_set_name_style(context, set, "--", '-'));
  REFUSED(set, "max-levle", "3", "did you mean --max-level?");
  ASSERT_OK(context, entropic_parameters_set_name_style(context, set, "", '_'));
  REFUSED(set, "max-level", "31", "max_level 31: expected a whole number from 0 to 30");
  assert_int_equal(entropic_parameters_set_name_style(context, set, "12345678", '-'), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_parameters_set_name_style(context, set, "", 0), ENTROPIC_BAD_ARGUMENT);
  entropic_parameters_free(set);
  assert_int_equal(entropic_parameters_create(context, (entropic_purpose)3, &set), ENTROPIC_BAD_ARGUMENT);
}

static void values_can_be_set_by_type(void **state) {
  (void)state;
  const double omegas[] = {0.1, 1e-6, 3};
  entropic_parameters *set = fresh(ENTROPIC_PURPOSE_FIT), *copy = NULL;
  ASSERT_OK(context, entropic_parameters_set_integer(context, set, "features", 300));
  ASSERT_OK(context, entropic_parameters_set_number(context, set, "lambda", 0.1));
  ASSERT_OK(context, entropic_parameters_set_number(context, set, "folds", 4));
  ASSERT_OK(context, entropic_parameters_set_flag(context, set, "any-order", 1));
  ASSERT_OK(context, entropic_parameters_set_numbers(context, set, "omega", omegas, 3));
  assert_string_equal(entropic_parameters_get(set, "features"), "300");
  assert_string_equal(entropic_parameters_get(set, "lambda"), "0.1");
  assert_string_equal(entropic_parameters_get(set, "any_order"), "yes");
  assert_string_equal(entropic_parameters_get(set, "omega"), "0.1,1e-06,3");
  ASSERT_OK(context, ent_parameters_copy(context, set, &copy));
  ASSERT_OK(context, entropic_parameters_set(context, set, "features", "auto"));
  assert_int_equal(entropic_parameters_is_set(set, "features"), 0);
  ASSERT_OK(context, ent_parameters_reset(context, set, "lambda"));
  assert_string_equal(entropic_parameters_get(set, "lambda"), "auto");
  ASSERT_OK(context, entropic_parameters_set_numbers(context, set, "omega", omegas, 0));
  assert_int_equal(entropic_parameters_is_set(set, "omega"), 0);
  assert_string_equal(entropic_parameters_get(copy, "features"), "300");
  assert_int_equal(entropic_parameters_is_set(copy, "omega"), 1);
  assert_null(entropic_parameters_get(set, "no such"));
  assert_null(entropic_parameters_get(NULL, "features"));
  assert_int_equal(entropic_parameters_is_set(NULL, "features"), 0);
  assert_int_equal(ent_parameters_reset(context, set, "no such"), ENTROPIC_BAD_ARGUMENT);
  entropic_parameters_free(set);
  entropic_parameters_free(copy);
  entropic_parameters_free(NULL);
}

static void what_does_not_go_together(void **state) {
  (void)state;
  static const struct {
    const char *one[2], *other[2], *message;
  } pairs[] = {{{"features", "5"}, {"nonzeros", "5"}, "--features and --nonzeros cannot be combined"},
               {{"select", "paper"}, {"basis", "full"}, "--select paper needs --basis interior"},
               {{"kernel", "bridge"}, {"omega", "2"}, "--omega cannot be combined with --kernel bridge"},
               {{"smooth", "3"}, {"basis", "interior"}, "--smooth needs --basis full"},
               {{"smooth", "3"}, {"kernel", "laplace"}, "--smooth cannot be combined with --kernel laplace"},
               {{"smooth", "1"}, {"folds", "5"}, "--smooth 1: the smooth atoms start at degree 2"},
               {{"p", "1+x"}, {"q", "1"}, "--p needs --kernel custom"},
               {{"alpha", "1"}, {"kernel", "laplace"}, "--alpha needs --kernel custom"},
               {{"kernel", "custom"}, {"folds", "5"}, "--kernel custom needs --p and --q, or --alpha, --beta, --left"},
               {{"kernel", "custom"}, {"q", "1"}, "--q needs --p too"},
               {{"kernel", "custom"}, {"right", "1,0"}, "--right needs --alpha too"},
               {{"groups", "a"}, {"time", "b"}, "--groups and --time cannot be combined"},
               {{"loss", "hinge"}, {"task", "regression"}, "--loss hinge and --task regression cannot be combined"},
               {{"solver", "exact"}, {"features", "5"}, "--solver exact and --features cannot be combined"},
               {{"solver", "exact"}, {"loss", "logistic"}, "--solver exact and --loss logistic cannot be combined"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    entropic_parameters *set = fresh(ENTROPIC_PURPOSE_FIT);
    ASSERT_OK(context, entropic_parameters_check(context, set));
    ASSERT_OK(context, entropic_parameters_set_name_style(context, set, "--", '-'));
    ASSERT_OK(context, entropic_parameters_set(context, set, pairs[i].one[0], pairs[i].one[1]));
    ASSERT_OK(context, entropic_parameters_set(context, set, pairs[i].other[0], pairs[i].other[1]));
    assert_int_equal(entropic_parameters_check(context, set), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, pairs[i].message);
    entropic_parameters_free(set);
  }
}

/* A custom kernel by parameters; a comparison takes one, too. */
static void custom_kernels(void **state) {
  (void)state;
  static const entropic_purpose purposes[] = {ENTROPIC_PURPOSE_FIT, ENTROPIC_PURPOSE_DESIGN, ENTROPIC_PURPOSE_COMPARE};
  for (size_t i = 0; i < sizeof purposes / sizeof *purposes; i++) {
    entropic_parameters *set = fresh(purposes[i]);
    ASSERT_OK(context, entropic_parameters_set(context, set, "kernel", "custom"));
    ASSERT_OK(context, entropic_parameters_set(context, set, "p", "1 + w*x"));
    assert_int_equal(entropic_parameters_check(context, set), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "p needs q too");
    ASSERT_OK(context, entropic_parameters_set(context, set, "q", "1 +"));
    assert_int_equal(entropic_parameters_check(context, set), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "q: column 4: expected a number");
    ASSERT_OK(context, entropic_parameters_set(context, set, "q", "1"));
    ASSERT_OK(context, entropic_parameters_check(context, set));
    ASSERT_OK(context, entropic_parameters_set(context, set, "left", "1,0"));
    assert_int_equal(entropic_parameters_check(context, set), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "left needs alpha too");
    entropic_parameters_free(set);
  }
}

/* By parameters and by options the same design comes out; a set for another purpose is refused. */
static void designs_by_parameters(void **state) {
  (void)state;
  entropic_parameters *set = fresh(ENTROPIC_PURPOSE_DESIGN), *fit = fresh(ENTROPIC_PURPOSE_FIT);
  entropic_design *named = NULL, *plain = NULL;
  entropic_kernel *kernel = NULL;
  unsigned char *bytes[2];
  size_t counts[2];
  ASSERT_OK(context, entropic_parameters_set(context, set, "kernel", "laplace"));
  ASSERT_OK(context, entropic_parameters_set(context, set, "omega", "2,3"));
  ASSERT_OK(context, entropic_parameters_set(context, set, "features", "37"));
  ASSERT_OK(context, entropic_design_make(context, set, 2, NULL, 0, &named));
  entropic_axis_options axes[2];
  for (int i = 0; i < 2; i++) {
    ASSERT_OK(context, entropic_axis_options_init(&axes[i], sizeof axes[i]));
    axes[i].family = ENTROPIC_FAMILY_LAPLACE;
    axes[i].omega = 2 + i;
  }
  ASSERT_OK(context, entropic_kernel_create(context, axes, 2, 2, &kernel));
  entropic_design_options options;
  ASSERT_OK(context, entropic_design_options_init(&options, sizeof options));
  options.features = 37;
  ASSERT_OK(context, entropic_design_create(context, kernel, &options, &plain));
  ASSERT_OK(context, entropic_design_save_memory(context, named, &bytes[0], &counts[0]));
  ASSERT_OK(context, entropic_design_save_memory(context, plain, &bytes[1], &counts[1]));
  assert_int_equal(counts[0], counts[1]);
  assert_memory_equal(bytes[0], bytes[1], counts[0]);
  assert_int_equal(entropic_design_make(context, fit, 2, NULL, 0, &named), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "a different purpose");
  ASSERT_OK(context, entropic_parameters_set(context, set, "criterion", "data"));
  assert_int_equal(entropic_design_make(context, set, 2, NULL, 0, &named), ENTROPIC_BAD_ARGUMENT);
  ASSERT_OK(context, entropic_parameters_set(context, set, "criterion", "l2"));
  ASSERT_OK(context, entropic_parameters_set(context, set, "seed", "3"));
  assert_int_equal(entropic_design_make(context, set, 2, NULL, 0, &named), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "seed needs select paper");
  for (int i = 0; i < 2; i++)
    entropic_bytes_free(bytes[i]);
  entropic_design_free(named);
  entropic_design_free(plain);
  entropic_kernel_free(kernel);
  entropic_parameters_free(set);
  entropic_parameters_free(fit);
}

SUITE(interface_parameters) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_complete),
      cmocka_unit_test(defaults_and_choices_are_taken),
      cmocka_unit_test(defaults_are_those_of_a_fit),
      cmocka_unit_test(values_reach_the_options),
      cmocka_unit_test(reading_reaches_its_options),
      cmocka_unit_test(sizes_are_powers_of_1024),
      cmocka_unit_test(wrong_names_and_values_are_refused),
      cmocka_unit_test(values_can_be_set_by_type),
      cmocka_unit_test(what_does_not_go_together),
      cmocka_unit_test(custom_kernels),
      cmocka_unit_test(designs_by_parameters),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
