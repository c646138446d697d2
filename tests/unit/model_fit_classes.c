/* Fits of classes through the public interface: the weights are where the gradient vanishes, probabilities and errors
 * are those of the rows held out. */
#include "unit/fitting.h"

#include "fit/outer.h"

#include "unit/fixture.h"

/* The lifted rows of a sheet, scaled and lifted by the public interface with the model's design. */
static void ground_of_model(ground *g, const sheet *s, const entropic_model *model) {
  sheet none = {.columns = 1};
  ground_of_sheets(g, s, &none, ent_model_describe(model).scaling);
  entropic_lift *lift = make_lift(entropic_model_design(model), ENTROPIC_LIFT_CODE_BEST);
  ground_lift(g, lift);
  entropic_lift_free(lift);
}

/* The largest element of the gradient of the mean loss + lambda |a|^2 at the model's weights. */
static double largest_gradient(const sheet *s, const entropic_model *model) {
  entropic_model_info info = ent_model_describe(model);
  ground g;
  ground_of_model(&g, s, model);
  size_t n = g.features, scores = info.scores;
  long double *gradient = calloc(scores * (n + 1), sizeof *gradient), weight = 0, p[8];
  double most = 0;
  assert_true(scores <= 8);
  for (size_t r = 0; r < s->rows; r++)
    weight += (long double)g.weights[r];
  for (size_t r = 0; r < s->rows; r++) {
    long double all = 0;
    for (size_t k = 0; k < scores; k++) {
      double offset;
      const double *a = entropic_model_weights(model, k, &offset);
      p[k] = (long double)offset;
      for (size_t i = 0; i < n; i++)
        p[k] += (long double)a[i] * (long double)g.z[r * n + i];
      p[k] = expl(p[k]);
      all += p[k];
    }
    for (size_t k = 0; k < scores; k++) {
      long double chance = scores == 1 ? p[0] / (1 + p[0]) : p[k] / all;
      bool here = g.y[r] == (double)(scores == 1 ? 1 : k);
      long double slope = (long double)g.weights[r] / weight * (chance - here);
      for (size_t i = 0; i < n; i++)
        gradient[k * (n + 1) + i] += slope * (long double)g.z[r * n + i];
      gradient[k * (n + 1) + n] += slope;
    }
  }
  for (size_t k = 0; k < scores; k++) {
    const double *a = entropic_model_weights(model, k, NULL);
    for (size_t i = 0; i <= n; i++) {
      long double penalty = i < n ? 2 * (long double)info.lambda * (long double)a[i] : 0;
      long double size = fabsl(gradient[k * (n + 1) + i] + penalty);
      most = larger(most, (double)size);
    }
  }
  free(gradient);
  ground_stop(&g);
  return most;
}

static void the_gradient_vanishes(void **state) {
  (void)state;
  for (size_t classes = 2; classes <= 4; classes++)
    for (int with = PLAIN; with <= WITH_WEIGHTS; with++)
      for (int solver = ENTROPIC_SOLVER_AUTO; solver <= ENTROPIC_SOLVER_ITERATIVE; solver += 3) {
        sheet s = sheet_start(90, 2, 1, with, classes);
        sheet_classes(&s, classes);
        ent_fit_options o = fixed_options(solver == 0 ? 1e-3 : ENT_LAMBDA_AUTO, 20);
        o.loss = ENTROPIC_LOSS_LOGISTIC;
        o.solver = (entropic_solver)solver;
        entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_CLASSIFICATION, &o);
        entropic_model_info info = ent_model_describe(model);
        assert_int_equal(info.loss, ENTROPIC_LOSS_LOGISTIC);
        assert_int_equal(info.classes, classes);
        assert_int_equal(info.scores, classes == 2 ? 1 : classes);
        assert_true(info.converged);
        assert_true(largest_gradient(&s, model) <= 1e-6);
        entropic_model_free(model);
        sheet_stop(&s);
      }
}

/* Classes by the squared loss: ridge on -1 and 1, one against the rest. */
static void squared_equals_dense_algebra(void **state) {
  (void)state;
  for (size_t classes = 2; classes <= 3; classes++) {
    sheet s = sheet_start(80, 2, 1, WITH_WEIGHTS, 20 + classes);
    sheet_classes(&s, classes);
    ent_fit_options o = fixed_options(1e-2, 15);
    o.loss = ENTROPIC_LOSS_SQUARED;
    entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_CLASSIFICATION, &o);
    ground g;
    ground_of_model(&g, &s, model);
    double *labels = calloc(s.rows, sizeof *labels), a[15], offset;
    memcpy(labels, g.y, s.rows * sizeof *labels);
    for (size_t k = 0; k < ent_model_describe(model).scores; k++) {
      for (size_t r = 0; r < s.rows; r++)
        g.y[r] = labels[r] == (double)(classes == 2 ? 1 : k) ? 1 : -1;
      double mean = refit(&g, SIZE_MAX, 15, 0, 1e-2, a);
      const double *weights = entropic_model_weights(model, k, &offset);
      assert_close(offset, mean, 1e-12);
      assert_true(largest_difference(weights, a, 15) <= 1e-9);
    }
    free(labels);
    ground_stop(&g);
    entropic_model_free(model);
    sheet_stop(&s);
  }
}

/* On validation rows the error and the loss are those of the model itself there, on the half that scores if the other
 * half has something to choose: its classes, its probabilities. */
static void valid_rows_tell_how_good_it_is(void **state) {
  (void)state;
  for (size_t classes = 2; classes <= 3; classes++)
    for (int loss = ENTROPIC_LOSS_SQUARED; loss <= ENTROPIC_LOSS_HINGE; loss++)
      for (int exact = 0; exact < (loss == ENTROPIC_LOSS_SQUARED ? 2 : 1); exact++) {
        sheet s = sheet_start(80, 2, 1, WITH_WEIGHTS, 30), others = sheet_start(50, 2, 1, WITH_WEIGHTS, 31);
        sheet_classes(&s, classes);
        sheet_classes(&others, classes);
        entropic_dataset *train = dataset_of(context, &s, ENTROPIC_TASK_CLASSIFICATION);
        entropic_dataset *valid = dataset_like(context, &others, train);
        ent_fit_options o = fixed_options(1e-2, exact ? 0 : 12);
        o.loss = (entropic_loss)loss;
        o.solver = exact ? ENTROPIC_SOLVER_EXACT : ENTROPIC_SOLVER_AUTO;
        entropic_model *model = NULL;
        ASSERT_OK(context, ent_model_fit(context, train, valid, &o, NULL, &model));
        entropic_model_info info = ent_model_describe(model);
        double *p = predict_sheet(context, model, &others), *chances = calloc(50 * classes, sizeof *chances);
        ASSERT_OK(context, entropic_model_probabilities(context, model, others.values, 50, others.columns, chances));
        size_t part_of[50], parts = 2, scored = 0;
        ASSERT_OK(context, ent_outer_deal(context, valid, o.seed, part_of, &parts));
        double wrong = 0, sum = 0, weight = 0;
        for (size_t r = 0; r < 50; r++) {
          if (info.validation_rows < 50 && part_of[r] != 0)
            continue;
          scored++;
          const double *y = sheet_y(&others, r);
          wrong += p[r] == y[0] ? 0 : y[1];
          sum -= y[1] * log(chances[r * classes + (size_t)y[0]]);
          weight += y[1];
        }
        assert_int_equal(info.validation, ENTROPIC_VALIDATION_ROWS);
        assert_int_equal(info.validation_rows, scored);
        assert_close(info.validation_error, wrong / weight, FIGURE_ERROR * wrong / weight);
        assert_close(info.validation_loss, sum / weight, 1e-3);
        assert_true(info.validation_loss < log((double)classes));
        free(p);
        free(chances);
        entropic_model_free(model);
        entropic_dataset_free(train);
        entropic_dataset_free(valid);
        sheet_stop(&s);
        sheet_stop(&others);
      }
}

static void a_weight_is_a_number_of_rows(void **state) {
  (void)state;
  for (size_t classes = 2; classes <= 3; classes++) {
    sheet weighted = sheet_start(60, 2, 1, WITH_WEIGHTS, 40), twice = sheet_start(90, 2, 1, WITH_WEIGHTS, 41);
    sheet_classes(&weighted, classes);
    for (size_t r = 0; r < 90; r++) {
      if (r < 60)
        sheet_y(&weighted, r)[1] = r % 2 == 0 ? 2 : 1;
      memcpy(sheet_row(&twice, r), sheet_row(&weighted, r < 60 ? r : 2 * (r - 60)), twice.columns * sizeof(double));
      sheet_y(&twice, r)[1] = 1;
    }
    ent_fit_options o = fixed_options(1e-3, 15);
    o.scaling = ENTROPIC_SCALING_NONE;
    o.select = ENTROPIC_SELECT_ENTROPY; /* otherwise they depend on the folds, and those on the number of rows */
    o.loss = ENTROPIC_LOSS_LOGISTIC;
    entropic_model *one = fit_sheet(context, &weighted, ENTROPIC_TASK_CLASSIFICATION, &o);
    entropic_model *two = fit_sheet(context, &twice, ENTROPIC_TASK_CLASSIFICATION, &o);
    for (size_t k = 0; k < ent_model_describe(one).scores; k++) {
      double offsets[2];
      const double *a = entropic_model_weights(one, k, &offsets[0]), *b = entropic_model_weights(two, k, &offsets[1]);
      assert_true(largest_difference(a, b, 15) <= 1e-4);
      assert_close(offsets[0], offsets[1], 1e-4);
    }
    entropic_model_free(one);
    entropic_model_free(two);
    sheet_stop(&weighted);
    sheet_stop(&twice);
  }
}

/* Balanced classes: the same bits as with the weights that this means. */
static void balanced_classes_have_weights(void **state) {
  (void)state;
  for (size_t classes = 2; classes <= 3; classes++)
    for (int loss = ENTROPIC_LOSS_SQUARED; loss <= ENTROPIC_LOSS_HINGE; loss++) {
      sheet own = sheet_start(120, 2, 1, WITH_WEIGHTS, 42), both = sheet_start(120, 2, 1, WITH_WEIGHTS, 42);
      size_t counts[3] = {0};
      sheet_classes(&own, classes);
      sheet_classes(&both, classes);
      for (size_t r = 0; r < 120; r += 3) /* the first class has more rows */
        sheet_y(&own, r)[0] = sheet_y(&both, r)[0] = 0;
      for (size_t r = 0; r < 120; r++)
        counts[(size_t)sheet_y(&own, r)[0]]++;
      for (size_t r = 0; r < 120; r++) {
        size_t k = (size_t)sheet_y(&own, r)[0];
        sheet_y(&own, r)[1] = r % 2 == 0 ? 2 : 1;
        sheet_y(&both, r)[1] = sheet_y(&own, r)[1] * (120 / ((double)classes * (double)counts[k]));
      }
      ent_fit_options o = fixed_options(1e-3, 15);
      o.scaling = ENTROPIC_SCALING_MINMAX; /* ranks count the weights of rows, not those of classes */
      o.select = classes == 2 ? ENTROPIC_SELECT_RESIDUAL : ENTROPIC_SELECT_ENTROPY;
      o.loss = (entropic_loss)loss;
      entropic_model *plain = fit_sheet(context, &own, ENTROPIC_TASK_CLASSIFICATION, &o);
      entropic_model *two = fit_sheet(context, &both, ENTROPIC_TASK_CLASSIFICATION, &o);
      o.class_weight = ENTROPIC_CLASS_WEIGHT_BALANCED;
      entropic_model *one = fit_sheet(context, &own, ENTROPIC_TASK_CLASSIFICATION, &o);
      entropic_model_info info = ent_model_describe(one);
      double most = 0; /* what weights change */
      assert_int_equal(info.features, ent_model_describe(two).features);
      assert_true(info.validation_error == ent_model_describe(two).validation_error);
      for (size_t k = 0; k < info.scores; k++) {
        double offsets[2], other;
        const double *a = entropic_model_weights(one, k, &offsets[0]), *b = entropic_model_weights(two, k, &offsets[1]);
        assert_memory_equal(a, b, info.features * sizeof *a);
        assert_true(offsets[0] == offsets[1]);
        entropic_model_weights(plain, k, &other);
        most = larger(most, fabs(other - offsets[0]));
      }
      assert_true(most > 1e-3);
      entropic_model_free(plain);
      entropic_model_free(one);
      entropic_model_free(two);
      sheet_stop(&own);
      sheet_stop(&both);
    }
}

/* Whether one loss is better than another by what validation said of them. */
static bool is_better(const double *errors, const double *losses, entropic_loss one, entropic_loss than, bool *alike) {
  *alike = fabs(losses[one] - losses[than]) <= 0.005 * losses[than];
  return *alike ? errors[one] < errors[than] : losses[one] < losses[than];
}

/* Whichever loss has the smaller logarithmic loss in validation is taken; of those that are alike, the one with fewer
 * mistakes. */
static void auto_takes_the_better_loss(void **state) {
  (void)state;
  bool seen[4] = {false};
  size_t alikes = 0, seeds = 16, splits = 0;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    sheet s = sheet_start(60, 2, 1, PLAIN, 50 + seed);
    size_t classes = 2 + seed % 2;
    sheet_classes(&s, classes);
    ent_fit_options o = fixed_options(seed % 4 < 2 ? 1e-2 : 1e-5, 15);
    double errors[4], losses[4];
    entropic_loss chosen = ENTROPIC_LOSS_AUTO, expected = ENTROPIC_LOSS_SQUARED;
    for (int loss = ENTROPIC_LOSS_AUTO; loss <= ENTROPIC_LOSS_HINGE; loss++) {
      o.loss = (entropic_loss)loss;
      entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_CLASSIFICATION, &o);
      entropic_model_info info = ent_model_describe(model);
      errors[loss] = info.validation_error;
      losses[loss] = info.validation_loss;
      assert_int_equal(info.validation, ENTROPIC_VALIDATION_FOLDS);
      assert_int_equal(info.validation_rows, 60);
      if (loss == ENTROPIC_LOSS_AUTO)
        chosen = info.loss;
      else
        assert_int_equal(info.loss, loss);
      entropic_model_free(model);
    }
    for (int loss = ENTROPIC_LOSS_HINGE; loss >= ENTROPIC_LOSS_LOGISTIC; loss--) {
      bool alike;
      if (loss == ENTROPIC_LOSS_HINGE && classes == 2)
        continue;
      if (is_better(errors, losses, (entropic_loss)loss, expected, &alike))
        expected = (entropic_loss)loss;
      alikes += alike;
      splits++;
    }
    assert_int_equal(chosen, expected);
    assert_true(errors[ENTROPIC_LOSS_AUTO] >= 0 && errors[ENTROPIC_LOSS_AUTO] <= 1); /* of rows that did not choose */
    seen[chosen] = true;
    sheet_stop(&s);
  }
  assert_true(seen[ENTROPIC_LOSS_SQUARED] && seen[ENTROPIC_LOSS_LOGISTIC] && seen[ENTROPIC_LOSS_HINGE]);
  assert_true(alikes > 0 && alikes < splits);
}

/* Classes that a line separates: with a penalty there is a best model, without one there is none. */
static sheet separable(size_t rows) {
  sheet s = sheet_start(rows, 2, 1, PLAIN, 60);
  for (size_t r = 0; r < rows; r++)
    sheet_y(&s, r)[0] = sheet_row(&s, r)[0] > 0.5;
  return s;
}

static void separable_classes_need_a_lambda(void **state) {
  (void)state;
  sheet s = separable(60);
  ent_fit_options o = fixed_options(0, 15);
  o.loss = ENTROPIC_LOSS_LOGISTIC;
  entropic_dataset *dataset = dataset_of(context, &s, ENTROPIC_TASK_AUTO);
  entropic_model *model = (entropic_model *)&o;
  assert_int_equal(ent_model_fit(context, dataset, NULL, &o, NULL, &model), ENTROPIC_BAD_DATA);
  assert_message(context, "the classes can be separated without error and lambda is 0");
  assert_message(context, "expected a lambda above 0");
  assert_ptr_equal(model, &o);
  o.lambda = 1e-6;
  ASSERT_OK(context, ent_model_fit(context, dataset, NULL, &o, NULL, &model));
  double *p = predict_sheet(context, model, &s);
  for (size_t r = 0; r < s.rows; r++)
    assert_true(p[r] == sheet_y(&s, r)[0]);
  assert_string_equal(entropic_model_class(model, 0), "0");
  assert_string_equal(entropic_model_class(model, 1), "1");
  assert_null(entropic_model_class(model, 2));
  free(p);
  entropic_model_free(model);
  entropic_dataset_free(dataset);
  sheet_stop(&s);
}

/* Two rows, one of each class; a class of one row; many classes of few rows. */
static void classes_of_few_rows(void **state) {
  (void)state;
  static const struct { size_t rows, classes; } cases[] = {{2, 2}, {3, 2}, {3, 3}, {5, 3}, {12, 10}, {40, 20}};
  for (size_t i = 0; i < COUNT(cases); i++)
    for (int loss = ENTROPIC_LOSS_AUTO; loss <= ENTROPIC_LOSS_HINGE; loss++) {
      sheet s = sheet_start(cases[i].rows, 2, 1, PLAIN, 70);
      for (size_t r = 0; r < s.rows; r++)
        sheet_y(&s, r)[0] = (double)(r % cases[i].classes);
      ent_fit_options o = fixed_options(ENT_LAMBDA_AUTO, 10);
      o.loss = (entropic_loss)loss;
      entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_CLASSIFICATION, &o);
      entropic_model_info info = ent_model_describe(model);
      double *chances = calloc(s.rows * info.classes, sizeof *chances);
      ASSERT_OK(context, entropic_model_probabilities(context, model, s.values, s.rows, s.columns, chances));
      for (size_t r = 0; r < s.rows; r++) {
        double sum = 0;
        for (size_t k = 0; k < info.classes; k++)
          sum += chances[r * info.classes + k];
        assert_close(sum, 1, 1e-12);
      }
      if (info.validation == ENTROPIC_VALIDATION_NONE)
        assert_true(isnan(info.validation_error) && isnan(info.validation_loss) && info.validation_rows == 0);
      else
        assert_true(info.validation_error >= 0 && info.validation_error <= 1 && info.validation_loss >= 0);
      free(chances);
      entropic_model_free(model);
      sheet_stop(&s);
    }
}

/* Every fold holds a class that no other has, so that the logistic loss can be validated on none: what can be is
 * taken, and validated. */
static void rare_classes_do_not_end_validation(void **state) {
  (void)state;
  sheet s = sheet_start(105, 2, 1, PLAIN, 71);
  for (size_t r = 0; r < s.rows; r++)
    sheet_y(&s, r)[0] = r < 100 ? (double)(sheet_row(&s, r)[0] > 0.5) : (double)r;
  ent_fit_options o = fixed_options(ENT_LAMBDA_AUTO, 10);
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_CLASSIFICATION, &o);
  entropic_model_info info = ent_model_describe(model);
  assert_int_equal(info.classes, 7);
  assert_int_equal(info.validation, ENTROPIC_VALIDATION_FOLDS);
  assert_int_equal(info.validation_rows, 105);
  assert_true(info.loss == ENTROPIC_LOSS_SQUARED || info.loss == ENTROPIC_LOSS_HINGE);
  assert_true(info.validation_error >= 5.0 / 105 && info.validation_error < 0.5);
  entropic_model_free(model);
  o.loss = ENTROPIC_LOSS_LOGISTIC; /* when asked for, it is taken untried */
  model = fit_sheet(context, &s, ENTROPIC_TASK_CLASSIFICATION, &o);
  info = ent_model_describe(model);
  assert_int_equal(info.validation, ENTROPIC_VALIDATION_NONE);
  assert_true(info.loss == ENTROPIC_LOSS_LOGISTIC && info.lambda == 1e-4);
  entropic_model_free(model);
  o.lambda = 0.02; /* one that is given stays */
  model = fit_sheet(context, &s, ENTROPIC_TASK_CLASSIFICATION, &o);
  assert_true(ent_model_describe(model).lambda == 0.02);
  entropic_model_free(model);
  sheet_stop(&s);
}

/* The two rows of a rare class never share a fold, or what is left could not be trained on. */
static void rare_classes_are_spread_over_folds(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    sheet s = sheet_start(62, 2, 1, PLAIN, 72);
    for (size_t r = 0; r < s.rows; r++)
      sheet_y(&s, r)[0] = r < 60 ? (double)(sheet_row(&s, r)[0] > 0.5) : 2;
    ent_fit_options o = fixed_options(1e-2, 5);
    o.loss = ENTROPIC_LOSS_LOGISTIC;
    o.seed = seed;
    entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_CLASSIFICATION, &o);
    assert_int_equal(ent_model_describe(model).validation_rows, 62);
    entropic_model_free(model);
    sheet_stop(&s);
  }
}

/* Where refits are dear, one fold is validated on. */
static void much_work_tries_one_fold(void **state) {
  (void)state;
  sheet s = sheet_start(5000, 2, 1, PLAIN, 80);
  sheet_classes(&s, 10);
  ent_fit_options o = fixed_options(1e-3, 90);
  o.loss = ENTROPIC_LOSS_SQUARED;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_CLASSIFICATION, &o);
  entropic_model_info info = ent_model_describe(model);
  assert_int_equal(info.validation, ENTROPIC_VALIDATION_PART);
  assert_int_equal(info.folds, 5);
  assert_in_range(info.validation_rows, 1000 - 10, 1000 + 10); /* of each class at most one more than elsewhere */
  assert_true(info.validation_error < 0.85 && info.validation_loss < log(10));
  entropic_model_free(model);
  sheet_stop(&s);
}

SUITE(model_fit_classes) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_gradient_vanishes),
                                     cmocka_unit_test(squared_equals_dense_algebra),
                                     cmocka_unit_test(valid_rows_tell_how_good_it_is),
                                     cmocka_unit_test(a_weight_is_a_number_of_rows),
                                     cmocka_unit_test(balanced_classes_have_weights),
                                     cmocka_unit_test(auto_takes_the_better_loss),
                                     cmocka_unit_test(separable_classes_need_a_lambda),
                                     cmocka_unit_test(classes_of_few_rows),
                                     cmocka_unit_test(rare_classes_do_not_end_validation),
                                     cmocka_unit_test(rare_classes_are_spread_over_folds),
                                     cmocka_unit_test(much_work_tries_one_fold)};
  return cmocka_run_group_tests_name("model_fit_classes", tests, start_two_threads, stop);
}
