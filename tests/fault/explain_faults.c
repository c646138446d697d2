/* Explanations with each of their allocations failing in turn: NO_MEMORY, nothing leaked, no output touched. */
#include "unit/collecting.h"
#include "unit/outputs.h"

#include "fault/failing_malloc.h"
#include "explain/explanation.h"
#include "model/marginals.h"
#include "model/member_effects.h"
#include "page/explain_page.h"

enum { ROWS = 24 };

static struct {
  entropic_context *context;
  sheet sheet;
  entropic_table *table;
  entropic_dataset *data;
  entropic_model *model;
  entropic_explanation *explanation, *by_rows;
  entropic_report *about;
} at;

/* Of the model's own marginals, or of rows. */
static entropic_status explain(void *argument) {
  const bool *rows = argument;
  entropic_row_reader *reader = NULL;
  entropic_explanation *made = untouched();
  entropic_status status = ENTROPIC_OK;
  ent_marginals *kept = at.model->marginals;
  if (*rows)
    status = entropic_row_reader_open_table(at.context, at.model, at.table, 0, &reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  if (*rows)
    at.model->marginals = NULL;
  assert_true(reader == NULL || entropic_row_reader_line(reader) == 1);
  status = entropic_explain(at.context, at.model, reader, &made);
  at.model->marginals = kept;
  entropic_row_reader_free(reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  entropic_explanation_free(made);
  return ENTROPIC_OK;
}

static entropic_status report(void *argument) {
  (void)argument;
  entropic_report *made = untouched();
  entropic_status status = entropic_explanation_report(at.context, at.explanation, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  entropic_report_free(made);
  return ENTROPIC_OK;
}

static entropic_status split(void *argument) {
  (void)argument;
  double effects[2 * 4];
  assert_int_equal(entropic_explanation_inputs(at.explanation), 3);
  assert_int_equal(entropic_explanation_input(at.explanation, 2), 2);
  assert_true(entropic_explanation_input(at.explanation, 3) == SIZE_MAX);
  entropic_status status = predict_effects(at.context, at.model, at.explanation, sheet_row(&at.sheet, 0), 2,
                                           (size_t)(sheet_row(&at.sheet, 1) - sheet_row(&at.sheet, 0)), effects);
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, untouched());
}

static entropic_status draw(void *argument) {
  const bool *rows = argument;
  entropic_status status = entropic_explanation_html(at.context, *rows ? at.by_rows : at.explanation,
                                                     *rows ? at.about : NULL, "faults", "faults.html");
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, untouched());
}

static entropic_status pack(void *argument) {
  (void)argument;
  ent_text text = {.context = at.context};
  ent_explain_pack(&text, at.explanation->effects,
                   "const knots = new Float64Array([1]);\nconst heights = new Float64Array([1]);\n");
  entropic_status status = text.status;
  ent_text_free(&text);
  return status;
}

/* Effects where features share base atoms. */
static entropic_status split_shared(void *argument) {
  const entropic_model *model = argument;
  ent_effects *made = untouched();
  double effects[2 * 3], x[4] = {0.1, 0.2, 0.8, 0.9};
  entropic_status status = ent_effects_create(at.context, model, model->marginals, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  status = ent_effects_rows(at.context, made, x, 2, 2, effects);
  ent_effects_free(made);
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, untouched());
}

static void each_allocation_of_bases(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  sheet s = sheet_start(30, 2, 1, PLAIN, 3);
  ent_fit_options options = fixed_options(1e-3, 10);
  options.axis.family = ENTROPIC_FAMILY_LAPLACE;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  assert_true(expect_each_allocation_failure(split_shared, model) > 18);
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

/* A sum of features and centres: all that there is to be had of it. */
static entropic_status explain_sum(void *argument) {
  const entropic_model *model = argument;
  entropic_explanation *made = untouched();
  entropic_report *told = untouched();
  double effects[2 * 2 * 3], x[4] = {0.1, 0.2, 0.8, 0.9};
  entropic_status status = entropic_explain(at.context, model, NULL, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  status = predict_effects(at.context, model, made, x, 2, 2, effects);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_explanation_report(at.context, made, &told);
  if (status != ENTROPIC_OK)
    goto done;
  entropic_report_free(told);
  told = untouched();
  status = entropic_explanation_html(at.context, made, NULL, "faults", "faults.html");
done:
  entropic_explanation_free(made);
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, told);
}

static void each_allocation_of_centres(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  sheet s = sheet_start(14, 2, 1, PLAIN, 3);
  ent_fit_options options = fixed_options(1e-3, 6);
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  options = fixed_options(1e-3, 0);
  options.solver = ENTROPIC_SOLVER_EXACT;
  options.scaling = ENTROPIC_SCALING_MINMAX;
  entropic_model *centres = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  ent_marginals_free(model->marginals);
  ent_member_effects_free(model->member_effects);
  model->marginals = NULL;
  model->member_effects = NULL;
  ASSERT_OK(context, ent_model_add_component(context, model, &centres->main));
  assert_true(expect_each_allocation_failure(explain_sum, model) > 100);
  entropic_model_free(centres);
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

static void each_allocation(void **state) {
  (void)state;
  bool rows = false;
  assert_true(expect_each_allocation_failure(explain, &rows) > 20);
  rows = true;
  assert_true(expect_each_allocation_failure(explain, &rows) > 40);
  assert_true(expect_each_allocation_failure(report, NULL) > 2);
  assert_true(expect_each_allocation_failure(split, NULL) > 4);
  rows = false;
  assert_true(expect_each_allocation_failure(draw, &rows) > 40);
  rows = true;
  assert_true(expect_each_allocation_failure(draw, &rows) > 40);
  assert_true(expect_each_allocation_failure(pack, NULL) > 1);
}

static int start(void **state) {
  (void)state;
  const collecting *c = collecting_named("missing");
  at.context = context_with(1);
  at.sheet = collecting_sheet(c, ROWS, 1);
  ent_fit_options options = collecting_options(c);
  options.features = 12;
  at.data = dataset_of(at.context, &at.sheet, c->task);
  ASSERT_OK(at.context, ent_model_fit(at.context, at.data, NULL, &options, NULL, &at.model));
  assert_int_equal(ent_model_effect_members(NULL), 0);
  assert_true(ent_model_effect_members(at.model) != 1); /* none, or several */
  at.table = table_of(at.context, &at.sheet);
  ASSERT_OK(at.context, entropic_explain(at.context, at.model, NULL, &at.explanation));
  entropic_row_reader *reader = NULL;
  ASSERT_OK(at.context, entropic_row_reader_open_table(at.context, at.model, at.table, 0, &reader));
  ASSERT_OK(at.context, entropic_explain(at.context, at.model, reader, &at.by_rows));
  entropic_row_reader_free(reader);
  ASSERT_OK(at.context, entropic_report_create(at.context, &at.about));
  entropic_report_add_text(at.about, "date", "2026-11-17");
  entropic_report_add_text(at.about, "command", "entropic explain faults.entropic");
  return 0;
}

static int stop(void **state) {
  (void)state;
  remove("faults.html");
  entropic_report_free(at.about);
  entropic_explanation_free(at.by_rows);
  entropic_explanation_free(at.explanation);
  entropic_explanation_free(NULL);
  entropic_model_free(at.model);
  entropic_table_free(at.table);
  entropic_dataset_free(at.data);
  sheet_stop(&at.sheet);
  entropic_context_free(at.context);
  return 0;
}

SUITE(explain_faults) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation), cmocka_unit_test(each_allocation_of_bases),
                                     cmocka_unit_test(each_allocation_of_centres)};
  return cmocka_run_group_tests_name("explain_faults", tests, start, stop);
}
