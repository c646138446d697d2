/* Custom kernels as text in designs, lifts, models and files: there and back with the same bits, and bad texts in files. */
#define _GNU_SOURCE /* memmem */
#include <zlib.h>

#include "unit/fitting.h"
#include "unit/lift_checks.h"

typedef struct custom_text {
  const char *name;
  const char *texts[ENT_TEXTS];
} custom_text;

static const custom_text custom_texts[] = {
    {"restated sobolev", {"1 + w*x", "1", NULL, NULL, NULL, NULL}},
    {"uneven", {" exp(x^2) - 1 + x/10 ", "1 + w*(1 - x)^3", NULL, NULL, NULL, NULL}},
    {"equation", {NULL, NULL, "(1+x)^2", "-w^2*(2 - x)", "1,-w", "0,1"}},
    {"without w", {"x + x^2", "2 - x", NULL, NULL, NULL, NULL}},
};

static entropic_axis_options axis_of(const custom_text *of, double omega, entropic_basis basis) {
  entropic_axis_options axis = ent_axis_options_default();
  axis.family = ENTROPIC_FAMILY_CUSTOM;
  axis.omega = omega;
  axis.basis = basis;
  axis.max_level = 7;
  for (int i = 0; i < ENT_TEXTS; i++)
    *ent_text_of(&axis, i) = of->texts[i];
  return axis;
}

/* A design of three inputs: custom, centred, custom of another text. */
static entropic_design *mixed_design(size_t which, entropic_basis basis, size_t features, size_t nonzeros) {
  entropic_axis_options axes[3] = {axis_of(&custom_texts[which], 2, basis), ent_axis_options_default(),
                                   axis_of(&custom_texts[(which + 1) % COUNT(custom_texts)], 0.5, basis)};
  axes[1].basis = basis;
  entropic_kernel *kernel = make_kernel(axes, 3, 3);
  entropic_design_options options = ent_design_options_default();
  options.features = features;
  options.nonzeros = nonzeros;
  entropic_design *design = make_design(kernel, &options);
  entropic_kernel_free(kernel);
  return design;
}

static void assert_same_texts(const entropic_kernel *a, const entropic_kernel *b) {
  assert_int_equal(a->inputs, b->inputs);
  for (size_t i = 0; i < a->inputs; i++) {
    assert_true(ent_same_text(&a->axes[i]->options, &b->axes[i]->options));
    const char *p = a->axes[i]->options.p_text; /* without blanks around it */
    assert_true(p == NULL || (p[0] != ' ' && p[strlen(p) - 1] != ' '));
    assert_true(a->axes[i]->options.omega == b->axes[i]->options.omega);
    assert_int_equal(a->axes[i]->traits, b->axes[i]->traits);
  }
}

/* Reference, AVX2 and best code, in blocks of several sizes; and against products of atoms. */
static void lifts_are_the_same(const entropic_design *design, const entropic_design *again) {
  static double x[90 * 3];
  entropic_random random = entropic_random_start(5, 0);
  fill_rows(&random, x, 90, 3, 3);
  const trial on = {.random = &random, .x = x, .rows = 90, .inputs = 3, .stride = 3, .what = "custom text"};
  static const entropic_lift_code codes[] = {ENTROPIC_LIFT_CODE_REFERENCE, ENTROPIC_LIFT_CODE_AVX2,
                                             ENTROPIC_LIFT_CODE_BEST};
  double *expected = NULL;
  for (size_t c = 0; c < 2 * COUNT(codes); c++) {
    entropic_lift *lift = make_lift(c < COUNT(codes) ? design : again, codes[c % COUNT(codes)]);
    double *dense = lift_all_dense(&on, lift, c % 2 == 0 ? 90 : 17);
    if (expected == NULL)
      check_naive(&on, design, expected = dense, 90);
    else
      assert_memory_equal(dense, expected, 90 * entropic_design_features(design) * sizeof *dense);
    check_sparse(&on, lift, 33, expected);
    if (dense != expected)
      free(dense);
    entropic_lift_free(lift);
  }
  free(expected);
}

static void designs_there_and_back(void **state) {
  entropic_context *context = context_with(1);
  const char *path = in_folder(state, "text.design");
  for (size_t which = 0; which < COUNT(custom_texts); which++)
    for (int basis = 0; basis < 2; basis++)
      for (int by_nonzeros = 0; by_nonzeros < 2; by_nonzeros++) {
        entropic_design *design =
                            mixed_design(which, (entropic_basis)basis, by_nonzeros ? 0 : 400, by_nonzeros ? 30 : 0),
                        *again = NULL;
        ASSERT_OK(context, entropic_design_save(context, design, path));
        ASSERT_OK(context, entropic_design_load(context, path, &again));
        assert_same_texts(design->kernel, again->kernel);
        size_t features = entropic_design_features(design);
        assert_int_equal(entropic_design_features(again), features);
        listed *one = list_features(design), *other = list_features(again);
        assert_memory_equal(one, other, features * sizeof *one);
        free(one);
        free(other);
        lifts_are_the_same(design, again);
        unsigned char *bytes = NULL, *twice = NULL;
        size_t count = 0, recount = 0;
        ASSERT_OK(context, entropic_design_save_memory(context, design, &bytes, &count));
        ASSERT_OK(context, entropic_design_save_memory(context, again, &twice, &recount));
        assert_int_equal(count, recount);
        assert_memory_equal(bytes, twice, count);
        assert_memory_equal(bytes, "entropic design 2\n", 18);
        entropic_bytes_free(bytes);
        entropic_bytes_free(twice);
        entropic_design_free(design);
        entropic_design_free(again);
      }
  entropic_context_free(context);
}

/* Fits of every form, saved and loaded; predictions have the same bits, with any number of threads and any code. */
static void models_there_and_back(void **state) {
  sheet rows = sheet_start(200, 3, 1, PLAIN, 11), others = sheet_start(300, 3, 1, PLAIN, 12);
  unsigned char *first = NULL;
  size_t first_count = 0;
  for (size_t which = 0; which < COUNT(custom_texts); which++)
    for (int exact = 0; exact < 2; exact++)
      for (int threads = 1; threads <= 3; threads += 2) {
        entropic_context *context = context_with(threads);
        ent_fit_options options = fixed_options(1e-4, exact ? 0 : 150);
        options.axis = axis_of(&custom_texts[which], 1, ENTROPIC_BASIS_FULL);
        options.solver = exact ? ENTROPIC_SOLVER_EXACT : ENTROPIC_SOLVER_DIRECT;
        entropic_model *model = fit_sheet(context, &rows, ENTROPIC_TASK_REGRESSION, &options), *again = NULL;
        unsigned char *bytes = NULL;
        size_t count = 0;
        ASSERT_OK(context, entropic_model_save(context, model, in_folder(state, "model")));
        ASSERT_OK(context, entropic_model_save_memory(context, model, &bytes, &count));
        assert_int_equal(bytes[8], 5);
        ASSERT_OK(context, entropic_model_load(context, in_folder(state, "model"), &again));
        assert_same_texts(model->main.kernel, again->main.kernel);
        double *a = predict_sheet(context, model, &others), *b = predict_sheet(context, again, &others);
        assert_finite(a, others.rows);
        assert_memory_equal(a, b, others.rows * sizeof *a);
        if (which == 0)
          assert_true(error_on(context, again, &others) < 0.5);
        for (int code = ENTROPIC_LIFT_CODE_BEST; code <= ENTROPIC_LIFT_CODE_AVX2 && again->main.design != NULL;
             code++) {
          entropic_lift_free(again->main.lift);
          again->main.lift = make_lift(again->main.design, (entropic_lift_code)code);
          double *c = predict_sheet(context, again, &others);
          assert_memory_equal(a, c, others.rows * sizeof *a);
          free(c);
        }
        if (threads == 1) {
          first = bytes;
          first_count = count;
        } else {
          assert_int_equal(count, first_count);
          assert_memory_equal(bytes, first, count);
          entropic_bytes_free(first);
          entropic_bytes_free(bytes);
        }
        free(a);
        free(b);
        entropic_model_free(model);
        entropic_model_free(again);
        entropic_context_free(context);
      }
  sheet_stop(&rows);
  sheet_stop(&others);
}

/* omega is searched for where w stands in a text, and nowhere else. */
static void omega_is_tuned(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  sheet rows = sheet_start(120, 2, 1, PLAIN, 3);
  for (size_t which = 0; which < COUNT(custom_texts); which++) {
    ent_fit_options options = ent_fit_options_default();
    options.features = 60;
    options.axis = axis_of(&custom_texts[which], 1, ENTROPIC_BASIS_FULL);
    entropic_model *model = fit_sheet(context, &rows, ENTROPIC_TASK_REGRESSION, &options);
    bool has = entropic_kernel_has(model->main.kernel, 0, ENTROPIC_TRAIT_OMEGA);
    assert_int_equal(has, strcmp(custom_texts[which].name, "without w") != 0);
    entropic_report *report = NULL;
    double omega = -1;
    char text[64];
    ASSERT_OK(context, entropic_model_report(context, model, &report));
    assert_int_equal(entropic_report_number(report, "omega", &omega), has);
    entropic_report_text(report, "expressions.p", text, sizeof text);
    assert_string_equal(text, custom_texts[which].texts[0] == NULL ? "" : model->main.kernel->axes[0]->options.p_text);
    entropic_report_text(report, "expressions.right", text, sizeof text);
    assert_string_equal(text, custom_texts[which].texts[5] == NULL ? "" : custom_texts[which].texts[5]);
    entropic_report_free(report);
    entropic_model_free(model);
  }
  sheet_stop(&rows);
  entropic_context_free(context);
}

/* Files of designs with something wrong about their texts. */
static void bad_designs(void **state) {
  static const struct {
    const char *lines, *message;
  } cases[] = {
      {"entropic design 1\ncriterion l2\ninputs 1\naxis 1 custom full omega 1 level 3 smooth 0 unit 0\np 1+x\nq 1\n",
       "line 4: expected 'axis'"},
      {"entropic design 2\ncriterion l2\ninputs 1\naxis 1 custom full omega 1 level 3 smooth 0 unit 0\n",
       "expected 'p' or 'alpha' and an expression"},
      {"entropic design 2\ncriterion l2\ninputs 1\naxis 1 custom full omega 1 level 3 smooth 0 unit 0\nbase 1 1\n",
       "line 5: expected 'p' and an expression, found 'base 1 1'"},
      {"entropic design 2\ncriterion l2\ninputs 1\naxis 1 custom full omega 1 level 3 smooth 0 unit 0\np 1+x\n",
       "expected another expression"},
      {"entropic design 2\ncriterion l2\ninputs 1\naxis 1 custom full omega 1 level 3 smooth 0 unit 0\np 1+x\np 1\n",
       "line 6: expected 'q' and an expression"},
      {"entropic design 2\ncriterion l2\ninputs 1\naxis 1 custom full omega 1 level 3 smooth 0 unit 0\np 1+\nq 1\n",
       "line 6: p: column 3: expected a number"},
      {"entropic design 2\ncriterion l2\ninputs 1\naxis 1 custom full omega 1 level 3 smooth 0 unit 0\np \nq 1\n",
       "line 6: p: the expression is empty"},
      {"entropic design 2\ncriterion l2\ninputs 1\naxis 1 custom full omega 1 level 3 smooth 0 unit 0\np 1-x\nq 1\n",
       "line 6: custom kernel: p/q must increase strictly"},
      {"entropic design 2\ncriterion l2\ninputs 1\naxis 1 custom full omega 1 level 3 smooth 0 unit 0\nalpha 1\nbeta "
       "0\nleft 0,0\nright 1,0\n",
       "line 8: custom kernel: left is 0,0"},
      {"entropic design 2\ncriterion l2\ninputs 1\naxis 1 custom full omega 1 level 17 smooth 0 unit 0\np 1+x\nq 1\n",
       "max_level: 17"},
      {"entropic design 2\ncriterion l2\ninputs 1\naxis 1 custom full omega 1 level 3 smooth 0 unit 0\np 1+x\nq 1\n"
       "base 1 1\ngroups 2 exhausted 0\n0 1:5 = 1 2\n1 1:5 = 2\n",
       "the terms of this group stand in another one too"},
      {"entropic design 2\ncriterion l2\ninputs 1\naxis 1 custom full omega 1 level 3 smooth 0 unit 0\np 1+x\nq 1\n"
       "base 1 1\ngroups 2 exhausted 0\n0 1:5\n1 1:5 = 2\n",
       "the terms of this group stand in another one too"},
      {"entropic design 2\ncriterion l2\ninputs 1\naxis 1 laplace full omega 1 level 3 smooth 0 unit 0\n"
       "base 1 1\ngroups 2 exhausted 0\n0 1:5 = 1\n1 1:5 = 2\n",
       "the terms of this group stand in another one too"},
      {"entropic design 4\n", "expected 'entropic design 1'"},
      {"entropic design 3\n", "expected 'columns' and the number of inputs"},
  };
  entropic_context *context = context_with(1);
  const char *path = in_folder(state, "bad.design");
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_design *design = NULL;
    write_file(path, cases[i].lines, strlen(cases[i].lines));
    entropic_status status = entropic_design_load(context, path, &design);
    if (status != ENTROPIC_BAD_DATA)
      print_error("case %zu\n", i);
    assert_int_equal(status, ENTROPIC_BAD_DATA);
    assert_message(context, "bad.design");
    assert_message(context, cases[i].message);
    assert_null(design);
  }
  entropic_design *design = design_of_text(
      path,
      "entropic design 2\ncriterion l2\ninputs 1\naxis 1 custom full omega 1 level 3 smooth 0 unit 0\np 1+x\nq 1\n"
      "base 1 1\ngroups 2 exhausted 0\n0 1:5 = 1 3\n1 1:5 = 2\n");
  assert_int_equal(entropic_design_nonzeros(design), 1);
  assert_int_equal(entropic_design_features(design), 3);
  entropic_design_free(design);
  entropic_context_free(context);
}

/* A model file in which a text becomes another one of the same length, with the sum set right. */
static void bad_models(void **state) {
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"1 + w*", "p: column 8: expected a number"},
      {"1 - w*x", "above 0 inside"},
      {"1 + w*y", "'y' is not known"},
      {"-1- w*x", "p("},
      {"((((((", "p: column 8: expected a number"},
      {"1/(x-x)", "p("},
      {"%s%s%n%", "expected a number"},
      {"1 + 0*x", "p/q must increase strictly"},
      {"1\n+ w*x", "expected an operator"},
      {"       ", "p: the expression is empty"},
      {"1e9+1e9", "p/q must increase strictly"},
      {"1 + w\xff*x", "expected an operator"},
  };
  sheet rows = sheet_start(60, 2, 1, PLAIN, 21);
  entropic_context *context = context_with(1);
  ent_fit_options options = fixed_options(1e-3, 20);
  options.axis = axis_of(&custom_texts[0], 1, ENTROPIC_BASIS_FULL);
  entropic_model *model = fit_sheet(context, &rows, ENTROPIC_TASK_REGRESSION, &options), *none = NULL;
  unsigned char *bytes = NULL;
  size_t count = 0;
  ASSERT_OK(context, entropic_model_save_memory(context, model, &bytes, &count));
  unsigned char *text = memmem(bytes, count, "1 + w*x", 7);
  assert_non_null(text);
  const char *path = in_folder(state, "bad.entropic");
  for (size_t i = 0; i < COUNT(cases); i++) {
    memset(text, ' ', 7);
    memcpy(text, cases[i].text, strlen(cases[i].text) < 7 ? strlen(cases[i].text) : 7);
    uint32_t sum = (uint32_t)crc32_z(0, bytes, count - 4);
    for (int k = 0; k < 4; k++)
      bytes[count - 4 + (size_t)k] = (unsigned char)(sum >> 8 * k);
    write_file(path, bytes, count);
    assert_int_equal(entropic_model_load(context, path, &none), ENTROPIC_BAD_DATA);
    assert_message(context, "bad.entropic: byte ");
    assert_message(context, cases[i].message);
    assert_null(none);
    assert_int_equal(entropic_model_load_memory(NULL, bytes, count, &none), ENTROPIC_BAD_DATA);
  }
  entropic_bytes_free(bytes);
  entropic_model_free(model);
  entropic_context_free(context);
  sheet_stop(&rows);
}

SUITE(model_text) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(designs_there_and_back, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(models_there_and_back, make_folder, remove_folder),
      cmocka_unit_test(omega_is_tuned),
      cmocka_unit_test_setup_teardown(bad_designs, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(bad_models, make_folder, remove_folder),
  };
  return cmocka_run_group_tests_name("model: custom kernels as text", tests, NULL, NULL);
}
