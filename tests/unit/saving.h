/* Models that are saved, changed and loaded. */
#ifndef SAVING_H
#define SAVING_H

#include <zlib.h>

#include "unit/modelling.h"

/* A saved model. */
typedef struct saved {
  uint8_t *bytes;
  size_t count;
} saved;

static inline saved save(void **state, const entropic_model *model, const char *name) {
  entropic_context *context = context_with(1);
  const char *path = in_folder(state, name);
  saved file;
  ASSERT_OK(context, entropic_model_save(context, model, path));
  file.bytes = (uint8_t *)read_whole(path, &file.count);
  entropic_context_free(context);
  return file;
}

static inline entropic_model *load(const char *path) {
  entropic_context *context = context_with(1);
  entropic_model *model = NULL;
  ASSERT_OK(context, entropic_model_load(context, path, &model));
  entropic_context_free(context);
  return model;
}

static inline void put(uint8_t *at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++)
    at[i] = (uint8_t)(value >> 8 * i);
}

/* Makes the sum right again after a change. */
static inline void seal(uint8_t *bytes, size_t count) {
  put(bytes + count - 4, crc32_z(0, bytes, count - 4), 4);
}

/* Loads these bytes; *model is NULL unless that went well. */
static inline entropic_status load_bytes(void **state, entropic_context *context, const uint8_t *bytes, size_t count,
                                         entropic_model **model) {
  const char *path = in_folder(state, "changed");
  write_file(path, bytes, count);
  *model = NULL;
  return entropic_model_load(context, path, model);
}

static inline void assert_same_names(char *const *a, char *const *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    assert_string_equal(a[i], b[i]);
}

static inline void assert_same_predictions(const model_plan *plan, const entropic_model *a, const entropic_model *b) {
  enum { ROWS = 50 };
  double *x = plan_rows(plan, ROWS, 5, true), first[ROWS * 8], second[ROWS * 8];
  size_t size = ROWS * a->schema.targets * sizeof *first;
  assert_int_equal(entropic_model_predict(NULL, a, x, ROWS, plan->inputs, first), ENTROPIC_OK);
  assert_int_equal(entropic_model_predict(NULL, b, x, ROWS, plan->inputs, second), ENTROPIC_OK);
  assert_memory_equal(first, second, size);
  if (a->schema.classes > 0) {
    size = ROWS * a->schema.classes * sizeof *first;
    assert_int_equal(entropic_model_probabilities(NULL, a, x, ROWS, plan->inputs, first), ENTROPIC_OK);
    assert_int_equal(entropic_model_probabilities(NULL, b, x, ROWS, plan->inputs, second), ENTROPIC_OK);
    assert_memory_equal(first, second, size);
  }
  free(x);
}

/* All that the model says of itself. */
static inline void assert_same_model(const entropic_model *a, const entropic_model *b) {
  entropic_model_info x = ent_model_describe(a), y = ent_model_describe(b);
  assert_true(isnan(x.validation_error) == isnan(y.validation_error));
  assert_true(isnan(x.validation_loss) == isnan(y.validation_loss));
  x.validation_error = isnan(x.validation_error) ? -1 : x.validation_error;
  y.validation_error = isnan(y.validation_error) ? -1 : y.validation_error;
  assert_true(x.task == y.task && x.loss == y.loss && x.solver == y.solver && x.scaling == y.scaling);
  assert_true(x.inputs == y.inputs && x.targets == y.targets && x.classes == y.classes && x.scores == y.scores);
  assert_true(x.features == y.features && x.nonzeros == y.nonzeros && x.rows == y.rows && x.lambda == y.lambda);
  assert_true(x.converged == y.converged && x.seed == y.seed && x.validation == y.validation && x.folds == y.folds);
  assert_true(x.validation_rows == y.validation_rows && x.validation_error == y.validation_error);
  assert_true(a->link.inverse_temperature == b->link.inverse_temperature && x.inputs_used == y.inputs_used);
  assert_true((a->bounds == NULL) == (b->bounds == NULL));
  if (a->bounds != NULL)
    assert_memory_equal(a->bounds, b->bounds, 2 * x.targets * sizeof *a->bounds);
  assert_true(x.target_scale == y.target_scale && x.target_sign == y.target_sign);
  assert_true(x.target_origin == y.target_origin && x.retransformation_bias == y.retransformation_bias);
  for (size_t i = 0; i < x.inputs; i++) {
    const ent_input *p = &a->schema.input[i], *q = &b->schema.input[i];
    assert_string_equal(p->name, q->name);
    assert_true(p->missing == q->missing && p->categories == q->categories);
    assert_true(p->unused == q->unused && p->was_category == q->was_category);
    assert_same_names(p->category, q->category, p->categories);
    if (p->unused)
      continue; /* no file has its axis */
    entropic_axis_options s = ent_kernel_axis(a->main.kernel, i), t = ent_kernel_axis(b->main.kernel, i);
    assert_true(s.family == t.family && s.basis == t.basis && s.omega == t.omega && s.max_level == t.max_level);
    assert_true(s.smooth == t.smooth && !s.unit_height == !t.unit_height && s.missing == t.missing &&
                s.categories == t.categories);
  }
  assert_same_names(a->schema.target, b->schema.target, x.targets);
  assert_same_names(a->schema.class_name, b->schema.class_name, x.classes);
  assert_true((a->schema.missing_marks == NULL) == (b->schema.missing_marks == NULL));
  if (a->schema.missing_marks != NULL)
    assert_string_equal(a->schema.missing_marks, b->schema.missing_marks);
  assert_true((a->main.design == NULL) == (b->main.design == NULL));
  if (a->main.design != NULL) {
    assert_int_equal(entropic_design_groups(a->main.design), entropic_design_groups(b->main.design));
    assert_int_equal(entropic_design_nonzeros(a->main.design), entropic_design_nonzeros(b->main.design));
    assert_int_equal(entropic_design_exhausted(a->main.design), entropic_design_exhausted(b->main.design));
    assert_int_equal(entropic_design_criterion(a->main.design), entropic_design_criterion(b->main.design));
    for (size_t g = 0; g < entropic_design_groups(a->main.design); g++)
      assert_true(group_of(a->main.design, g).log2_score == group_of(b->main.design, g).log2_score);
  }
}

/* A file that keeps what is not used, as those of older versions do: it predicts the same, and becomes the same model. */
static inline void from_older(void **state, const model_plan *plan, entropic_model *model) {
  saved older = save(state, model, "older");
  entropic_model *loaded = load(in_folder(state, "older"));
  assert_same_predictions(plan, model, loaded);
  assert_int_equal(ent_model_drop_unused(NULL, model), ENTROPIC_OK);
  assert_same_model(model, loaded);
  saved newer = save(state, model, "newer");
  size_t used = ent_model_describe(model).inputs_used;
  assert_true(used == plan->inputs ? newer.count == older.count : newer.bytes[8] >= 4 && newer.count < older.count);
  free(older.bytes);
  free(newer.bytes);
  entropic_model_free(loaded);
}

static inline void there_and_back(void **state, const model_plan *plan, entropic_model *model) {
  if (ent_model_used(model) == plan->inputs && model->bounds == NULL)
    from_older(state, plan, model);
  saved first = save(state, model, "first");
  entropic_model *loaded = load(in_folder(state, "first"));
  assert_same_model(model, loaded);
  assert_same_predictions(plan, model, loaded);
  saved second = save(state, loaded, "second");
  assert_int_equal(first.count, second.count);
  assert_memory_equal(first.bytes, second.bytes, first.count);
  free(first.bytes);
  free(second.bytes);
  entropic_model_free(loaded);
  entropic_model_free(model);
}

/* A model of a few hundred bytes with a bit of everything. */
static const model_plan small_plans[] = {
    {"two classes", ENTROPIC_TASK_CLASSIFICATION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_SCALING_MINMAX, ENTROPIC_FAMILY_LAPLACE, 2, 2, 7, true, 0},
    {"exact", ENTROPIC_TASK_REGRESSION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_EXACT, ENTROPIC_SCALING_QUANTILE,
     ENTROPIC_FAMILY_SOBOLEV, 2, 2, 3, true, 0},
    {"root", ENTROPIC_TASK_REGRESSION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DIRECT, ENTROPIC_SCALING_NONE,
     ENTROPIC_FAMILY_CENTRED, 1, 1, 3, false, -1},
    {"newest", ENTROPIC_TASK_REGRESSION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DIRECT, ENTROPIC_SCALING_MINMAX,
     ENTROPIC_FAMILY_CENTRED, 5, 1, 3, true, 1},
    {"constant", ENTROPIC_TASK_CLASSIFICATION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DIRECT, ENTROPIC_SCALING_QUANTILE,
     ENTROPIC_FAMILY_SOBOLEV, 3, 3, 7, true, 0}};

static inline const model_plan *small_plan(const char *name) {
  return plan_named_in(small_plans, COUNT(small_plans), name);
}

/* Saving waits for the disk, which takes long when it is done some hundred times: a folder in memory if there is one. */
static inline int make_quick_folder(void **state) {
  if (access("/dev/shm", W_OK) == 0)
    setenv("TMPDIR", "/dev/shm", 1);
  return make_folder(state);
}

#endif
