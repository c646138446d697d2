/* One row at a time, by models that leave no room on the stack. */
#include "unit/fitting.h"

/* More inputs than a row alone has room for on the stack. */
static void one_row_of_many_inputs(void **state) {
  (void)state;
  enum { FEW = 12, INPUTS = 4200 };
  entropic_context *context = context_with(1);
  sheet s = sheet_start(FEW, INPUTS, 1, PLAIN, 3);
  ent_fit_options options = fixed_options(1e-3, 8);
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  double all[FEW], one;
  ASSERT_OK(context, entropic_model_predict(context, model, s.values, FEW, s.columns, all));
  for (size_t r = 0; r < FEW; r++) {
    ASSERT_OK(context, entropic_model_predict(context, model, sheet_row(&s, r), 1, s.columns, &one));
    assert_memory_equal(&one, &all[r], sizeof one);
  }
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

SUITE(model_one_row) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_row_of_many_inputs)};
  return cmocka_run_group_tests_name("model_one_row", tests, NULL, NULL);
}
