/* Fits have the same bits for any number of threads. */
#include "unit/fitting.h"

#include "model/model.h"

#include "unit/fixture.h"

static void check_threads(const sheet *s, entropic_task task, const ent_fit_options *o) {
  static const int threads[] = {1, 2, 3, 8};
  entropic_model *first = NULL;
  for (size_t i = 0; i < COUNT(threads); i++) {
    entropic_context *other = context_with(threads[i]);
    entropic_model *model = fit_sheet(other, s, task, o);
    if (i == 0) {
      first = model;
    } else {
      entropic_model_info a = ent_model_describe(first), b = ent_model_describe(model);
      assert_int_equal(a.features, b.features);
      assert_int_equal(a.components, b.components);
      assert_int_equal(first->main.features, model->main.features);
      assert_int_equal(a.loss, b.loss);
      assert_int_equal(a.solver, b.solver);
      assert_true(a.lambda == b.lambda && a.nonzeros == b.nonzeros);
      assert_true(ulps_apart(a.validation_error, b.validation_error) == 0 || isnan(a.validation_error));
      assert_true(first->link.inverse_temperature == model->link.inverse_temperature);
      for (size_t k = 0; k < a.scores; k++) {
        double offsets[2];
        assert_memory_equal(entropic_model_weights(first, k, &offsets[0]),
                            entropic_model_weights(model, k, &offsets[1]), first->main.features * sizeof(double));
        assert_true(offsets[0] == offsets[1]);
      }
      entropic_model_free(model);
    }
    entropic_context_free(other);
  }
  entropic_model_free(first);
}

static void threads_do_not_matter(void **state) {
  (void)state;
  for (int solver = ENTROPIC_SOLVER_DIRECT; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
    sheet s = sheet_start(quick_tests() ? 120 : 300, 3, 2, WITH_WEIGHTS, 1);
    ent_fit_options o = fixed_options(1e-3, solver == ENTROPIC_SOLVER_EXACT ? 0 : 60);
    o.solver = (entropic_solver)solver;
    check_threads(&s, ENTROPIC_TASK_REGRESSION, &o);
    sheet_stop(&s);
  }
  for (size_t classes = 2; classes <= 3; classes++)
    for (int loss = ENTROPIC_LOSS_AUTO; loss <= ENTROPIC_LOSS_LOGISTIC; loss += 2) {
      sheet s = sheet_start(quick_tests() ? 120 : 300, 3, 1, WITH_WEIGHTS, 2);
      sheet_classes(&s, classes);
      ent_fit_options o = fixed_options(ENT_LAMBDA_AUTO, 30);
      o.loss = (entropic_loss)loss;
      check_threads(&s, ENTROPIC_TASK_CLASSIFICATION, &o);
      sheet_stop(&s);
    }
}

/* Nothing is given. The design has an end soon, to keep it short. */
static void threads_do_not_matter_to_a_search(void **state) {
  (void)state;
  ent_fit_options o = ent_fit_options_default();
  o.axis.max_level = 3;
  sheet s = sheet_start(150, 2, 1, WITH_GROUPS, 3);
  check_threads(&s, ENTROPIC_TASK_REGRESSION, &o);
  o.solver = ENTROPIC_SOLVER_EXACT;
  check_threads(&s, ENTROPIC_TASK_REGRESSION, &o);
  o.solver = ENTROPIC_SOLVER_AUTO;
  o.criterion = ENTROPIC_CRITERION_DATA;
  sheet_classes(&s, 3);
  check_threads(&s, ENTROPIC_TASK_CLASSIFICATION, &o);
  sheet_stop(&s);
}

SUITE(model_fit_threads) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_matter),
                                     cmocka_unit_test(threads_do_not_matter_to_a_search)};
  return cmocka_run_group_tests_name("model_fit_threads", tests, start_two_threads, stop);
}
