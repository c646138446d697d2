/* Evaluations and their features: against plain algebra and by hand. */
#include "unit/plain_ridge.h"

#include "compare/evaluation_parts.h"
#include "tune/recipe.h"
#include "tune/rules.h"
#include "baselines/baselines.h"
#include "unit/evaluating.h"

/* The error that a map gives by ridge from its definition. */
static double plain_error(const arena *a, const ent_map *map, double lambda) {
  double scores[TEST], sum = 0;
  plain_scores(map, a->x, a->y, INPUTS, ROWS, TEST, lambda, scores);
  for (size_t r = 0; r < TEST; r++) {
    double f = scores[r], y = a->y[ROWS + r];
    sum += a->data.classes > 0 ? (f > 0) != (y > 0) : (f - y) * (f - y);
  }
  return a->data.classes > 0 ? sum / TEST : sqrt(sum / TEST);
}

/* A random method with the kernel, bandwidth, lambda and seed that an evaluation says it used. */
static void errors_are_those_of_plain_ridge(void **state) {
  (void)state;
  static const ent_random_method methods[ENT_COMPARE_METHODS] = {
      [ENT_COMPARE_RKS] = ENT_RANDOM_RKS,           [ENT_COMPARE_ORF] = ENT_RANDOM_ORF,
      [ENT_COMPARE_LKRF] = ENT_RANDOM_LKRF,         [ENT_COMPARE_EERF] = ENT_RANDOM_EERF,
      [ENT_COMPARE_NYSTROEM] = ENT_RANDOM_NYSTROEM, [ENT_COMPARE_QMC] = ENT_RANDOM_QMC,
      [ENT_COMPARE_PIVOTED] = ENT_RANDOM_NYSTROEM,  [ENT_COMPARE_SORF] = ENT_RANDOM_SORF};
  static arena a;
  entropic_context *context = context_with(1);
  for (size_t classes = 0; classes <= 2; classes += 2) {
    ent_evaluation *evaluation = NULL;
    arena_start(&a, classes);
    ASSERT_OK(context, ent_evaluation_create(context, &a.data, 3, &evaluation));
    double rule = 0;
    ASSERT_OK(context, ent_random_bandwidth(context, &(ent_random_data){.x = a.x, .rows = ROWS, .stride = INPUTS},
                                            INPUTS, 3, &rule));
    assert_true(evaluation->scaled[0].rule == rule);
    for (ent_compare_method method = ENT_COMPARE_RKS; method < ENT_COMPARE_EXACT; method++)
      for (int tuned = 0; tuned < 2; tuned++) {
        ent_performance p;
        ent_request request = {.method = method, .tuned = tuned, .features = SIZE};
        ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, 9, &p));
        ent_random_options options = ent_random_options_default();
        bool gauss = method == ENT_COMPARE_ORF || method == ENT_COMPARE_SORF || p.choice.kernel == 1;
        options.method = methods[method];
        options.kernel = gauss ? ENT_RANDOM_GAUSS : ENT_RANDOM_LAPLACE;
        options.landmarks = method == ENT_COMPARE_PIVOTED ? ENT_LANDMARKS_RPC : ENT_LANDMARKS_UNIFORM;
        options.sigma = p.choice.bandwidth;
        options.features = SIZE;
        options.seed = 9;
        ent_random_data data = {.x = a.x, .rows = ROWS, .stride = INPUTS, .y = a.y, .targets = 1, .y_stride = 1};
        ent_random_map *random = NULL;
        ASSERT_OK(context, ent_random_create(context, &options, INPUTS, &data, &random));
        ent_map map = ent_map_of_random(random);
        assert_true(fabs(plain_error(&a, &map, p.choice.lambda) - p.error) <= 1e-8);
        assert_true(tuned || (p.choice.bandwidth == rule && p.choice.kernel == 0));
        assert_string_equal(ent_compare_method_kernel(method, p.choice.kernel), gauss ? "gauss" : "laplace");
        assert_true(p.nonzeros <= SIZE && p.nonzeros > 0.9 * SIZE && p.features == SIZE);
        ent_random_free(random);
      }
    ent_evaluation_free(evaluation);
  }
  entropic_context_free(context);
}

/* Exact kernel ridge against a dense solution with each of its kernels; the target is smooth or has a kink. */
static void exact_kernel_ridge_is_exact(void **state) {
  (void)state;
  static arena a;
  entropic_context *context = context_with(1);
  size_t taken[2] = {0};
  for (size_t classes = 0; classes <= 2; classes += 2)
    for (int kink = 0; kink < 2; kink++)
      for (int tuned = 0; tuned < 2; tuned++) {
        ent_evaluation *evaluation = NULL;
        ent_performance p;
        double scores[TEST], sum = 0;
        arena_start(&a, classes);
        for (size_t r = 0; kink == 1 && classes == 0 && r < ROWS + TEST; r++)
          a.y[r] = fabs(a.x[r * INPUTS] - 0.5) + (a.x[r * INPUTS + 1] > 0.4);
        ASSERT_OK(context, ent_evaluation_create(context, &a.data, 3, &evaluation));
        const ent_request request = {.method = ENT_COMPARE_EXACT, .tuned = tuned};
        ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, 9, &p));
        const plain_kernel_ridge ridge = {p.choice.kernel == 1 ? ENT_RANDOM_GAUSS : ENT_RANDOM_LAPLACE,
                                          p.choice.bandwidth, p.choice.lambda, INPUTS};
        plain_kernel_scores(&ridge, a.x, a.y, ROWS, TEST, scores);
        for (size_t r = 0; r < TEST; r++)
          sum += classes > 0 ? (scores[r] > 0) != (a.y[ROWS + r] > 0) : pow(scores[r] - a.y[ROWS + r], 2);
        assert_close(p.error, classes > 0 ? sum / TEST : sqrt(sum / TEST), 1e-8);
        assert_true(p.features == ROWS && p.nonzeros == ROWS);
        assert_true(tuned || (p.choice.bandwidth == evaluation->scaled[0].rule && p.choice.kernel == 0));
        taken[p.choice.kernel] += tuned == 1;
        ent_evaluation_free(evaluation);
      }
  assert_true(taken[0] > 0 && taken[1] > 0);
  ent_method_features none;
  const ent_request request = {.method = ENT_COMPARE_EXACT, .features = SIZE};
  const ent_trial trial = {.request = &request, .bandwidth = 1, .inputs = INPUTS};
  assert_int_equal(ent_method_features_make(context, &trial, &none), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "kernel ridge has no features");
  entropic_context_free(context);
}

/* The design of these axes and of so many features, as a map. */
typedef struct designed {
  entropic_design *design;
  entropic_lift *lift;
  ent_map map;
} designed;

static designed design_of(const entropic_axis_options *axis, entropic_select select) {
  entropic_kernel *kernel = make_kernel(axis, 1, INPUTS);
  entropic_design_options options = ent_design_options_default();
  options.features = SIZE;
  options.select = select;
  options.seed = 9;
  designed made = {.design = make_design(kernel, &options)};
  made.lift = make_lift(made.design, ENTROPIC_LIFT_CODE_BEST);
  made.map = ent_map_of_lift(made.lift);
  entropic_kernel_free(kernel);
  return made;
}

static void designed_clear(designed *made) {
  entropic_lift_free(made->lift);
  entropic_design_free(made->design);
}

/* Our features: complete with the omega that was tuned, and as printed, on rows in [0,1] and in [0.4,0.6]. */
static void ours_are_those_of_the_design(void **state) {
  (void)state;
  static const ent_compare_method methods[] = {ENT_COMPARE_ENTROPY, ENT_COMPARE_PRINTED, ENT_COMPARE_INSET};
  static arena a, inset;
  entropic_context *context = context_with(1);
  ent_evaluation *evaluation = NULL;
  double rule = 0;
  arena_start(&a, 0);
  arena_start(&inset, 0);
  for (size_t i = 0; i < COUNT(inset.x); i++)
    inset.x[i] = 0.4 + inset.x[i] / 5;
  ASSERT_OK(context, ent_evaluation_create(context, &a.data, 3, &evaluation));
  rule = evaluation->scaled[0].rule;
  for (size_t i = 0; i < COUNT(methods); i++)
    for (int tuned = 0; tuned < 2; tuned++) {
      ent_performance p;
      ent_request request = {.method = methods[i], .tuned = tuned, .features = SIZE};
      ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, 9, &p));
      entropic_axis_options axis = ent_axis_options_default();
      if (i > 0) {
        axis.family = ENTROPIC_FAMILY_LAPLACE;
        axis.basis = ENTROPIC_BASIS_INTERIOR;
        axis.unit_height = 1;
      }
      axis.omega = p.choice.bandwidth;
      designed made = design_of(&axis, i > 0 ? ENTROPIC_SELECT_PAPER : ENTROPIC_SELECT_ENTROPY);
      assert_close(p.error, plain_error(i == 2 ? &inset : &a, &made.map, p.choice.lambda), 1e-8);
      assert_true(tuned || p.choice.bandwidth == (i == 0 ? 1 : i == 1 ? rule : 5 * rule));
      assert_string_equal(ent_compare_method_kernel(methods[i], 0), i == 0 ? "centred" : "laplace");
      designed_clear(&made);
    }
  ent_evaluation_free(evaluation);
  entropic_context_free(context);
}

/* Printed features are products of functions that are zero at both ends of every input. An input that has two values has
 * nothing but ends: all features are zero on every row, and what is learnt is the constant. Away from the ends they are
 * not. */
static void printed_features_of_two_values_are_zero(void **state) {
  (void)state;
  static arena a;
  entropic_context *context = context_with(1);
  for (size_t classes = 0; classes <= 2; classes += 2) {
    ent_evaluation *evaluation = NULL;
    double constant = -1;
    arena_start(&a, classes);
    for (size_t r = 0; r < ROWS + TEST; r++)
      a.x[r * INPUTS + 1] = round(a.x[r * INPUTS + 1]);
    ASSERT_OK(context, ent_evaluation_create(context, &a.data, 3, &evaluation));
    ASSERT_OK(context, ent_evaluation_constant(context, evaluation, &constant));
    for (int tuned = 0; tuned < 2; tuned++) {
      ent_performance printed, inset;
      ent_request request = {.method = ENT_COMPARE_PRINTED, .tuned = tuned, .features = SIZE};
      ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, 9, &printed));
      request.method = ENT_COMPARE_INSET;
      ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, 9, &inset));
      assert_true(printed.nonzeros == 0);
      assert_close(printed.error, constant, 1e-12);
      assert_true(inset.nonzeros > 1 && inset.error < 0.9 * constant);
    }
    ent_evaluation_free(evaluation);
  }
  entropic_context_free(context);
}

/* Selected from all training rows, with the omega and lambda that were tuned. The last input has two values, the one
 * before it five: no hats of the one, no polynomials of the other. */
static void eof_select_is_the_selection(void **state) {
  (void)state;
  static arena a;
  static const double scale[] = {1};
  entropic_context *context = context_with(1);
  for (size_t classes = 0; classes <= 2; classes += 2)
    for (int tuned = 0; tuned < 2; tuned++) {
      ent_evaluation *evaluation = NULL;
      ent_performance p;
      arena_start(&a, classes);
      for (size_t r = 0; r < ROWS + TEST; r++) {
        a.x[r * INPUTS + INPUTS - 1] = round(a.x[r * INPUTS + INPUTS - 1]);
        a.x[r * INPUTS + INPUTS - 2] = round(4 * a.x[r * INPUTS + INPUTS - 2]) / 4;
      }
      ASSERT_OK(context, ent_evaluation_create(context, &a.data, 3, &evaluation));
      ent_request request = {.method = ENT_COMPARE_RESIDUAL, .tuned = tuned, .features = SIZE};
      ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, 9, &p));
      assert_true(p.features == SIZE && p.nonzeros > 0 && p.nonzeros < SIZE);
      assert_true(tuned || p.choice.bandwidth == 1);
      entropic_axis_options axes[INPUTS];
      for (int i = 0; i < INPUTS; i++) {
        axes[i] = ent_axis_options_default();
        axes[i].omega = p.choice.bandwidth;
        axes[i].smooth = i == INPUTS - 3 ? 3 : 0;
        axes[i].max_level = i == INPUTS - 1 ? 0 : 8;
      }
      entropic_kernel *kernel = make_kernel(axes, INPUTS, INPUTS);
      ent_block rows = {.rows = ROWS, .x = a.x, .x_stride = INPUTS, .y = a.y, .y_stride = 1};
      ent_path_task task = {.data = {.train = rows, .validation = rows, .inputs = INPUTS, .targets = 1, .scale = scale},
                            .max_features = SIZE,
                            .lambda = p.choice.lambda,
                            .no_early_stop = true};
      ent_selection selection;
      ent_lifting lifting;
      ASSERT_OK(context, ent_select_path(context, kernel, &task, &selection));
      ASSERT_OK(context, ent_selection_lifting(context, &selection, SIZE, &lifting));
      assert_true(fabs(plain_error(&a, &lifting.map, p.choice.lambda) - p.error) <= 1e-8);
      ent_lifting_clear(&lifting);
      ent_selection_clear(&selection);
      entropic_kernel_free(kernel);
      ent_evaluation_free(evaluation);
    }
  entropic_context_free(context);
}

/* What is selected never depends on the rows to be tested on. */
static void eof_select_does_not_see_the_test_rows(void **state) {
  (void)state;
  static arena a;
  entropic_context *context = context_with(1);
  ent_performance p[2];
  arena_start(&a, 0);
  for (int i = 0; i < 2; i++) {
    ent_evaluation *evaluation = NULL;
    for (size_t r = ROWS; i == 1 && r < ROWS + TEST; r++)
      a.y[r] = 100;
    ASSERT_OK(context, ent_evaluation_create(context, &a.data, 3, &evaluation));
    ent_request request = {.method = ENT_COMPARE_RESIDUAL, .tuned = true, .features = SIZE};
    ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, 9, &p[i]));
    ent_evaluation_free(evaluation);
  }
  assert_true(p[0].choice.bandwidth == p[1].choice.bandwidth && p[0].choice.lambda == p[1].choice.lambda &&
              p[0].nonzeros == p[1].nonzeros);
  assert_true(p[0].error < 1 && p[1].error > 50);
  entropic_context_free(context);
}

/* A budget of non-zeros gives the design of that budget; where that has too many features, of the largest that has not. */
static void budgets_are_those_of_the_design(void **state) {
  (void)state;
  static const size_t budgets[] = {5, 20, 100};
  entropic_context *context = context_with(1);
  ent_request request = {.method = ENT_COMPARE_ENTROPY};
  entropic_axis_options axis = ent_axis_options_default();
  axis.omega = 0.3;
  entropic_kernel *kernel = make_kernel(&axis, 1, INPUTS);
  entropic_design_options options = ent_design_options_default();
  for (size_t i = 0; i < COUNT(budgets); i++) {
    request.nonzeros = budgets[i];
    ent_trial trial = {.request = &request, .bandwidth = axis.omega, .inputs = INPUTS};
    ent_method_features entry;
    ASSERT_OK(context, ent_method_features_make(context, &trial, &entry));
    size_t features = 0, groups = budgets[i] + 1;
    do {
      options.nonzeros = --groups;
      entropic_design *design = make_design(kernel, &options);
      features = entropic_design_features(design);
      entropic_design_free(design);
    } while (features > ENT_METHOD_FEATURES_MOST);
    assert_true(i == 2 ? groups < budgets[i] : groups == budgets[i]);
    assert_int_equal(entry.map.features, features);
    assert_int_equal(entropic_design_groups(entry.lifting.design), groups);
    ent_method_features_clear(&entry);
  }
  request.nonzeros = 0;
  ent_trial nothing = {.request = &request, .bandwidth = 1, .inputs = INPUTS};
  ent_method_features entry;
  assert_int_equal(ent_method_features_make(context, &nothing, &entry), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "EOF: neither features nor non-zeros");
  request = (ent_request){.method = ENT_COMPARE_RKS, .nonzeros = 3};
  assert_int_equal(ent_method_features_make(context, &nothing, &entry), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "RKS: neither");
  entropic_kernel_free(kernel);
  entropic_context_free(context);
}

static void constants_of_classes(void **state) {
  (void)state;
  static arena a;
  entropic_context *context = context_with(1);
  ent_evaluation *evaluation = NULL;
  double error = -1;
  arena_start(&a, 2);
  ASSERT_OK(context, ent_evaluation_create(context, &a.data, 3, &evaluation));
  ASSERT_OK(context, ent_evaluation_constant(context, evaluation, &error));
  assert_true(error == constant_error(&a) && error > 0 && error < 1);
  ent_evaluation_free(evaluation);
  entropic_context_free(context);
}

/* Of very many rows some are selected by, from everywhere: all that there is to learn is in the last fifth here. */
static void eof_select_is_selected_by_rows_from_everywhere(void **state) {
  (void)state;
  const size_t rows = ENT_SELECT_ROWS / 4 * 5;
  double *x = calloc(rows * INPUTS, sizeof *x), *y = calloc(rows, sizeof *y), *z = calloc(SIZE, sizeof *z);
  entropic_random random = entropic_random_start(6, 0);
  for (size_t i = 0; i < rows * INPUTS; i++)
    x[i] = entropic_random_uniform(&random);
  for (size_t r = ENT_SELECT_ROWS; r < rows; r++)
    y[r] = x[r * INPUTS + 2];
  ent_request request = {.method = ENT_COMPARE_RESIDUAL, .features = 1};
  ent_block one = {.rows = 1, .x = x, .x_stride = INPUTS, .y = y, .y_stride = 1};
  ent_trial trial = {.request = &request,
                     .bandwidth = 1,
                     .seed = 3,
                     .inputs = INPUTS,
                     .data = {.x = x, .rows = rows, .stride = INPUTS, .y = y, .targets = 1, .y_stride = 1},
                     .validation = &one,
                     .lambda = 1e-6};
  ent_method_features entry;
  entropic_context *context = context_with(2);
  ASSERT_OK(context, ent_method_features_make(context, &trial, &entry));
  assert_int_equal(entry.map.features, 1);
  /* The feature is the line of the third input: as large at 1 as at 0, with the other sign. */
  void *scratch = NULL;
  const double ends[] = {0.3, 0.6, 0, 0.4, 0.1, 1};
  ASSERT_OK(context, entry.map.calls->scratch_create(context, entry.map.self, &scratch));
  ASSERT_OK(context, entry.map.calls->dense(context, entry.map.self, scratch, ends, 2, INPUTS, z, 2));
  entry.map.calls->scratch_free(scratch);
  assert_true(z[1] != 0 && z[0] == -z[1]);
  ent_method_features_clear(&entry);
  entropic_context_free(context);
  free(x);
  free(y);
  free(z);
}

static void refusals(void **state) {
  (void)state;
  static arena a;
  entropic_context *context = context_with(1);
  ent_evaluation *evaluation = NULL;
  arena_start(&a, 0);
  a.data.rows = 4;
  assert_int_equal(ent_evaluation_create(context, &a.data, 1, &evaluation), ENTROPIC_BAD_DATA);
  assert_message(context, "4 training rows");
  a.data.rows = ROWS;
  a.data.test_rows = 0;
  assert_int_equal(ent_evaluation_create(context, &a.data, 1, &evaluation), ENTROPIC_BAD_DATA);
  assert_null(ent_compare_method_name(ENT_COMPARE_METHODS));
  entropic_context_free(context);
}

SUITE(compare_evaluation) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_those_of_plain_ridge),
      cmocka_unit_test(exact_kernel_ridge_is_exact),
      cmocka_unit_test(ours_are_those_of_the_design),
      cmocka_unit_test(printed_features_of_two_values_are_zero),
      cmocka_unit_test(eof_select_is_the_selection),
      cmocka_unit_test(eof_select_does_not_see_the_test_rows),
      cmocka_unit_test(eof_select_is_selected_by_rows_from_everywhere),
      cmocka_unit_test(budgets_are_those_of_the_design),
      cmocka_unit_test(constants_of_classes),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests_name("compare_evaluation", tests, NULL, NULL);
}
