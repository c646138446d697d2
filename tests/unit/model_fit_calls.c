/* Fits as a call: what is refused and with which words, progress, reports, defaults. */
#include "unit/fitting.h"
#include "unit/listening.h"

#include "model/model.h"

#include "unit/fixture.h"

static void defaults(void **state) {
  (void)state;
  ent_fit_options o = ent_fit_options_default();
  assert_int_equal(o.loss, ENTROPIC_LOSS_AUTO);
  assert_int_equal(o.class_weight, ENTROPIC_CLASS_WEIGHT_NONE);
  assert_int_equal(o.solver, ENTROPIC_SOLVER_AUTO);
  assert_int_equal(o.select, ENTROPIC_SELECT_AUTO);
  assert_int_equal(o.ensemble, 0);
  assert_true(o.seconds == 0);
  assert_int_equal(o.scaling, ENTROPIC_SCALING_AUTO);
  assert_int_equal(o.axis.family, ENTROPIC_FAMILY_CENTRED);
  assert_int_equal(o.axis.smooth, ENT_SMOOTH_AUTO);
  assert_int_equal(o.omega_count, 0);
  assert_true(o.lambda == ENT_LAMBDA_AUTO);
  assert_int_equal(o.features, 0);
  assert_int_equal(o.nonzeros, 0);
  assert_int_equal(o.criterion, ENTROPIC_CRITERION_L2);
  assert_int_equal(o.max_order, 0);
  assert_int_equal(o.seed, 1);
  assert_int_equal(o.folds, 5);
  assert_true(o.omegas == NULL);
}

/* A fit that must be refused, with this in its message. */
static void refuse(const entropic_dataset *train, const entropic_dataset *valid, const ent_fit_options *o,
                   const char *message) {
  ent_fit_report report = {.total = -7}, before = report;
  entropic_model *model = (entropic_model *)&report;
  assert_int_equal(ent_model_fit(context, train, valid, o, &report, &model), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, message);
  assert_ptr_equal(model, &report); /* outputs are left as they were */
  assert_memory_equal(&report, &before, sizeof report);
  assert_int_equal(ent_model_fit(NULL, train, valid, o, NULL, &model), ENTROPIC_BAD_ARGUMENT);
}

static void options_are_checked(void **state) {
  (void)state;
  sheet s = sheet_start(40, 3, 1, PLAIN, 1);
  entropic_dataset *numbers = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  sheet_classes(&s, 3);
  entropic_dataset *classes = dataset_of(context, &s, ENTROPIC_TASK_CLASSIFICATION);
  static const double omegas[] = {1, 2, 3, 4}, bad[] = {1, -1, 1}, odd[] = {NAN};
#define REFUSE(data, change, message)                                                                                  \
  do {                                                                                                                 \
    ent_fit_options o = fixed_options(1e-3, 10);                                                                       \
    change;                                                                                                            \
    refuse(data, NULL, &o, message);                                                                                   \
  } while (0)
  REFUSE(numbers, o.loss = (entropic_loss)200, "loss is 200");
  REFUSE(numbers, o.loss = (entropic_loss)-1, "loss is -1");
  REFUSE(numbers, o.solver = (entropic_solver)5, "solver is 5");
  REFUSE(numbers, o.scaling = (entropic_scaling)9, "scaling");
  REFUSE(numbers, o.select = (entropic_select)7, "select");
  REFUSE(numbers, o.criterion = (entropic_criterion)7, "criterion");
  REFUSE(numbers, o.loss = ENTROPIC_LOSS_LOGISTIC, "the logistic loss is for classes");
  REFUSE(numbers, o.loss = ENTROPIC_LOSS_HINGE, "the hinge loss is for classes");
  REFUSE(numbers, o.class_weight = ENTROPIC_CLASS_WEIGHT_BALANCED, "balanced weights are for classes");
  REFUSE(classes, o.class_weight = (entropic_class_weight)2, "class_weight is 2");
  REFUSE(classes, (o.loss = ENTROPIC_LOSS_LOGISTIC, o.solver = ENTROPIC_SOLVER_EXACT, o.features = 0),
         "the exact solver is for the squared loss only");
  REFUSE(classes, (o.loss = ENTROPIC_LOSS_HINGE, o.solver = ENTROPIC_SOLVER_EXACT, o.features = 0),
         "the exact solver is for the squared loss only");
  REFUSE(numbers, o.solver = ENTROPIC_SOLVER_EXACT, "the exact solver has no features to count");
  REFUSE(numbers, (o.solver = ENTROPIC_SOLVER_EXACT, o.features = 0, o.nonzeros = 5),
         "the exact solver has no features to count");
  REFUSE(numbers, (o.solver = ENTROPIC_SOLVER_EXACT, o.features = 0, o.axis.smooth = 2), "without smooth atoms");
  REFUSE(numbers, o.lambda = -0.5, "lambda is -0.5");
  REFUSE(numbers, o.lambda = -3, "lambda is -3");
  REFUSE(numbers, o.lambda = INFINITY, "lambda is inf");
  REFUSE(numbers, o.lambda = NAN, "lambda is ");
  REFUSE(numbers, o.folds = 1, "folds is 1, expected 2 to 100");
  REFUSE(numbers, o.folds = 0, "folds is 0");
  REFUSE(numbers, o.folds = 101, "folds is 101");
  REFUSE(numbers, o.nonzeros = 5, "features and nonzeros cannot be combined");
  REFUSE(numbers, (o.nonzeros = 5, o.features = ENT_FEATURES_THEORY), "features and nonzeros cannot be combined");
  REFUSE(numbers, o.omega_count = 2, "there are 2 omegas, expected 1 or one for each of the 3 inputs");
  REFUSE(numbers, (o.omegas = omegas, o.omega_count = 4), "there are 4 omegas");
  REFUSE(numbers, o.omegas = NULL, "omegas is NULL");
  REFUSE(numbers, (o.omegas = bad, o.omega_count = 3), "omega");
  REFUSE(numbers, o.omegas = odd, "omega");
  REFUSE(numbers, o.axis.family = ENTROPIC_FAMILY_CATEGORY, "axis.family is category");
  REFUSE(numbers, o.axis.family = (entropic_family)99, "family");
  REFUSE(numbers, o.axis.max_level = 99, "max_level");
  REFUSE(numbers, o.axis.smooth = 99, "smooth");
  REFUSE(numbers, o.select = ENTROPIC_SELECT_PAPER, "interior");
  REFUSE(numbers, o.axis.family = ENTROPIC_FAMILY_CUSTOM, "custom");
#undef REFUSE
  ent_fit_options o = fixed_options(1e-3, 10);
  refuse(numbers, classes, &o, "valid does not have the inputs and targets of train");
  sheet other = sheet_start(40, 2, 1, PLAIN, 1);
  entropic_dataset *fewer = dataset_of(context, &other, ENTROPIC_TASK_REGRESSION);
  refuse(numbers, fewer, &o, "valid does not have the inputs and targets of train");
  entropic_dataset_free(fewer);
  entropic_dataset_free(numbers);
  entropic_dataset_free(classes);
  sheet_stop(&other);
  sheet_stop(&s);
}

static void null_arguments(void **state) {
  (void)state;
  sheet s = sheet_start(30, 2, 1, PLAIN, 2);
  entropic_dataset *dataset = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  ent_fit_options o = fixed_options(1e-3, 10);
  entropic_model *model = NULL;
  refuse(NULL, NULL, &o, "train is NULL");
  refuse(dataset, NULL, NULL, "options is NULL");
  assert_int_equal(ent_model_fit(context, dataset, NULL, &o, NULL, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "model is NULL");
  assert_int_equal(ent_model_fit(NULL, dataset, NULL, &o, NULL, &model), ENTROPIC_OK);
  assert_non_null(model);
  entropic_model_free(model);
  entropic_model_free(NULL);
  entropic_dataset_free(dataset);
  sheet_stop(&s);
}

/* ---- Progress and report ---- */

typedef struct heard {
  size_t calls, stages;
  char stage[32][40];
  double last;
  bool sane;
} heard;

static int hear(void *user, const char *stage, double done) {
  heard *h = user;
  h->calls++;
  h->sane = h->sane && stage != NULL && strlen(stage) > 2 && strlen(stage) < 40 && done >= 0 && done <= 1;
  if (h->stages == 0 || strcmp(h->stage[h->stages - 1], stage) != 0) {
    h->sane = h->sane && h->stages < 32;
    snprintf(h->stage[h->stages++ % 32], sizeof h->stage[0], "%s", stage);
  } else {
    h->sane = h->sane && done >= h->last; /* within a stage it only grows */
  }
  h->last = done;
  return 0;
}

static void check_report(const ent_fit_report *report) {
  const ent_search_seconds *search = &report->search;
  double parts = report->prepare + report->validation + search->design + search->lift + search->gram + search->solve +
                 report->intervals + report->full_pass;
  assert_true(search->design >= 0 && search->lift >= 0 && search->gram >= 0 && search->solve >= 0);
  assert_true(report->prepare >= 0 && report->validation >= 0 && report->intervals >= 0 && report->full_pass >= 0);
  assert_true(report->total > 0 && parts <= report->total);
  assert_null(report->ended);
}

static void progress_and_report(void **state) {
  (void)state;
  for (int solver = ENTROPIC_SOLVER_AUTO; solver <= ENTROPIC_SOLVER_EXACT; solver++)
    for (int classes = 0; classes < 2; classes++)
      for (int valid = 0; valid < 2; valid++)
        for (int criterion = ENTROPIC_CRITERION_L2;
             criterion <= (solver == ENTROPIC_SOLVER_AUTO ? ENTROPIC_CRITERION_DATA : ENTROPIC_CRITERION_L2);
             criterion += 2) {
          sheet s = sheet_start(60, 2, 1, PLAIN, 3);
          if (classes)
            sheet_classes(&s, 2);
          entropic_dataset *train =
              dataset_of(context, &s, classes ? ENTROPIC_TASK_CLASSIFICATION : ENTROPIC_TASK_REGRESSION);
          entropic_dataset *others = valid ? dataset_like(context, &s, train) : NULL;
          ent_fit_options o = ent_fit_options_default();
          heard h = {.sane = true};
          o.axis.max_level = 2;
          o.solver = (entropic_solver)solver;
          o.criterion = (entropic_criterion)criterion;
          ent_fit_report report = {.ended = "?"};
          entropic_model *model = NULL;
          ent_call call;
          listen_start(context, &call, hear, &h);
          ASSERT_OK(context, ent_model_fit(context, train, others, &o, &report, &model));
          listen_stop(context);
          assert_true(h.sane && h.calls >= h.stages);
          size_t first = strcmp(h.stage[0], "starting") == 0; /* there may be a poll before the first stage */
          assert_string_equal(h.stage[first], valid ? "trying kernels" : "validating");
          assert_in_range(h.stages - first, 1, 7);
          check_report(&report);
          assert_true(report.search.solve > 0);
          entropic_model_free(model);
          entropic_dataset_free(train);
          entropic_dataset_free(others);
          sheet_stop(&s);
        }
}

static void check_unconverged(const sheet *s, entropic_task task, const ent_fit_options *o, const char *ended) {
  entropic_dataset *dataset = dataset_of(context, s, task);
  ent_fit_report report = {0};
  entropic_model *model = NULL;
  ASSERT_OK(context, ent_model_fit(context, dataset, NULL, o, &report, &model));
  assert_non_null(report.ended);
  assert_non_null(strstr(report.ended, ended));
  assert_false(ent_model_describe(model).converged);
  entropic_model_free(model);
  entropic_dataset_free(dataset);
}

/* A fit that did not converge is a model all the same, and says so: here because there is next to no penalty. */
static void unconverged_fits_say_so(void **state) {
  (void)state;
  sheet s = sheet_start(120, 2, 1, WITH_WEIGHTS, 4), many = sheet_start(2000, 1, 1, PLAIN, 4);
  sheet_classes(&s, 2);
  ent_fit_options o = fixed_options(1e-300, 20);
  o.loss = ENTROPIC_LOSS_LOGISTIC;
  check_unconverged(&s, ENTROPIC_TASK_CLASSIFICATION, &o, "stopped");
  o = fixed_options(0, 1500);
  o.solver = ENTROPIC_SOLVER_ITERATIVE;
  check_unconverged(&many, ENTROPIC_TASK_REGRESSION, &o, "the iteration stopped before it converged");
  sheet_stop(&s);
  sheet_stop(&many);
}

SUITE(model_fit_calls) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(defaults), cmocka_unit_test(options_are_checked),
                                     cmocka_unit_test(null_arguments), cmocka_unit_test(progress_and_report),
                                     cmocka_unit_test(unconverged_fits_say_so)};
  return cmocka_run_group_tests_name("model_fit_calls", tests, start_two_threads, stop);
}
