/* Tables to fit models to, and what is needed to compare the models with plain algebra. */
#ifndef FITTING_H
#define FITTING_H

#include "unit/validation_splits.h"

#include "axis/scaler.h"
#include "dataset/dataset.h"

/* A table: inputs x1, x2, ..., targets y1, y2, ..., and if asked for w and g. */
typedef struct sheet {
  size_t rows, inputs, targets, columns;
  bool weighted, grouped;
  double *values;
  const char *categorical; /* names of inputs, or NULL */
} sheet;

enum { PLAIN = 0, WITH_WEIGHTS = 1, WITH_GROUPS = 2 };
enum { NAME_SIZE = 24 };

static inline double *sheet_row(const sheet *s, size_t row) {
  return s->values + row * s->columns;
}

static inline double *sheet_y(const sheet *s, size_t row) {
  return sheet_row(s, row) + s->inputs;
}

/* Uniform inputs in [0,1]; targets that are smooth functions of them, with noise; weights between 0.2 and 2. */
static inline sheet sheet_start(size_t rows, size_t inputs, size_t targets, int with, uint64_t seed) {
  sheet s = {.rows = rows, .inputs = inputs, .targets = targets};
  s.weighted = with & WITH_WEIGHTS;
  s.grouped = with & WITH_GROUPS;
  s.columns = inputs + targets + s.weighted + s.grouped;
  s.values = calloc(rows * s.columns, sizeof *s.values);
  entropic_random random = entropic_random_start(seed, 1000 + rows);
  for (size_t r = 0; r < rows; r++) {
    double *x = sheet_row(&s, r);
    for (size_t i = 0; i < inputs; i++)
      x[i] = entropic_random_uniform(&random);
    for (size_t t = 0; t < targets; t++)
      x[inputs + t] = smooth_target(x, inputs < 4 ? inputs : 4, t) + 0.1 * entropic_random_normal(&random);
    if (s.weighted)
      x[inputs + targets] = 0.2 + 1.8 * entropic_random_uniform(&random);
    if (s.grouped)
      x[s.columns - 1] = floor((double)r / 4);
  }
  return s;
}

/* Targets become classes 0, 1, ..., of about the same size, that overlap. */
static inline void sheet_classes(sheet *s, size_t classes) {
  for (size_t r = 0; r < s->rows; r++) {
    const double *x = sheet_row(s, r);
    double noise = sheet_y(s, r)[0] - smooth_target(x, s->inputs < 4 ? s->inputs : 4, 0);
    double value = (x[0] + (s->inputs > 1 ? x[1] : 0)) / (s->inputs > 1 ? 2 : 1) + 1.5 * noise;
    sheet_y(s, r)[0] = fmin(fmax(floor(value * (double)classes), 0), (double)classes - 1);
  }
  for (size_t r = 0; r < s->rows && r < classes; r++)
    sheet_y(s, r)[0] = (double)r;
}

static inline void sheet_stop(sheet *s) {
  free(s->values);
}

static inline entropic_table *table_of(entropic_context *context, const sheet *s) {
  char *text = calloc(s->columns, NAME_SIZE), targets[400] = "";
  const char **names = calloc(s->columns, sizeof *names);
  for (size_t i = 0; i < s->columns; i++) {
    char *name = text + NAME_SIZE * i;
    if (i < s->inputs)
      snprintf(name, NAME_SIZE, "x%zu", i + 1);
    else if (i < s->inputs + s->targets)
      snprintf(name, NAME_SIZE, "y%zu", i - s->inputs + 1);
    else
      snprintf(name, NAME_SIZE, "%s", s->weighted && i == s->inputs + s->targets ? "w" : "g");
    names[i] = name;
    if (name[0] == 'y')
      snprintf(targets + strlen(targets), NAME_SIZE + 1, "%s%s", targets[0] == '\0' ? "" : ",", name);
  }
  ent_roles roles = {.targets = targets,
                     .weights = s->weighted ? "w" : NULL,
                     .groups = s->grouped ? "g" : NULL,
                     .categorical = s->categorical};
  entropic_table *table = NULL;
  ASSERT_OK(context, ent_table_create(context, s->values, s->rows, s->columns, s->columns, names, &roles, &table));
  free(names);
  free(text);
  return table;
}

static inline entropic_dataset *dataset_of(entropic_context *context, const sheet *s, entropic_task task) {
  entropic_table *table = table_of(context, s);
  entropic_dataset *dataset = NULL;
  ASSERT_OK(context, ent_dataset_create(context, table, task, &dataset));
  entropic_table_free(table);
  return dataset;
}

static inline entropic_dataset *dataset_like(entropic_context *context, const sheet *s, const entropic_dataset *like) {
  entropic_table *table = table_of(context, s);
  entropic_dataset *dataset = NULL;
  ASSERT_OK(context, entropic_dataset_create_with_schema(context, table, like, &dataset));
  entropic_table_free(table);
  return dataset;
}

/* Fits and frees the data set. */
static inline entropic_model *fit_sheet(entropic_context *context, const sheet *s, entropic_task task,
                                        const ent_fit_options *options) {
  entropic_dataset *dataset = dataset_of(context, s, task);
  entropic_model *model = NULL;
  ASSERT_OK(context, ent_model_fit(context, dataset, NULL, options, NULL, &model));
  entropic_dataset_free(dataset);
  return model;
}

/* predictions[rows x targets] of the rows of a sheet. */
static inline double *predict_sheet(entropic_context *context, const entropic_model *model, const sheet *s) {
  double *out = calloc(s->rows * ent_model_describe(model).targets, sizeof *out);
  ASSERT_OK(context, entropic_model_predict(context, model, s->values, s->rows, s->columns, out));
  return out;
}

static inline void assert_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    assert_true(isfinite(values[i]));
}

/* The root of the mean square of what the model gets wrong on rows of a sheet, for one target. */
static inline double error_on(entropic_context *context, const entropic_model *model, const sheet *s) {
  double *p = predict_sheet(context, model, s), sum = 0;
  for (size_t r = 0; r < s->rows; r++)
    sum += (p[r] - sheet_y(s, r)[0]) * (p[r] - sheet_y(s, r)[0]);
  free(p);
  return sqrt(sum / (double)s->rows);
}

static const double fixed_omega = 2;

/* Nothing is left to choose, not by the data either. */
static inline ent_fit_options fixed_options(double lambda, size_t features) {
  ent_fit_options options = ent_fit_options_default();
  options.omegas = &fixed_omega;
  options.omega_count = 1;
  options.lambda = lambda;
  options.features = features;
  options.select = ENTROPIC_SELECT_ENTROPY;
  options.scaling = ENTROPIC_SCALING_QUANTILE;
  options.axis.smooth = 0;
  return options;
}

/* The scaled and lifted rows of a sheet, then of another one, which are not learnt from. The scaler is learnt anew. */
static inline void ground_of_sheets(ground *g, const sheet *s, const sheet *others, entropic_scaling scaling) {
  size_t inputs = s->inputs, rows = s->rows + others->rows;
  *g = (ground){.rows = s->rows, .others = others->rows, .inputs = inputs, .targets = s->targets};
  g->x = calloc(rows * inputs, sizeof *g->x);
  g->y = calloc(rows * s->targets, sizeof *g->y);
  g->weights = calloc(rows, sizeof *g->weights);
  g->fold_of = calloc(rows, sizeof *g->fold_of);
  for (size_t r = 0; r < s->rows; r++)
    g->weights[r] = s->weighted ? sheet_y(s, r)[s->targets] : 1;
  const ent_scale_rows ranked = {{s->values, s->columns, NULL},   s->rows, inputs, NULL,
                                 s->weighted ? g->weights : NULL, false};
  entropic_context *own = NULL;
  entropic_scaler *scaler = NULL;
  assert_int_equal(entropic_context_create(&own), ENTROPIC_OK);
  assert_int_equal(ent_scaler_learn_rows(own, scaling, &ranked, &scaler), ENTROPIC_OK);
  entropic_context_free(own);
  ent_scaler_apply(scaler, s->values, s->rows, s->columns, g->x);
  ent_scaler_apply(scaler, others->values, others->rows, others->columns, g->x + s->rows * inputs);
  entropic_scaler_free(scaler);
  for (size_t r = 0; r < rows; r++) {
    const sheet *from = r < s->rows ? s : others;
    const double *y = sheet_y(from, r < s->rows ? r : r - s->rows);
    memcpy(g->y + r * s->targets, y, s->targets * sizeof *y);
    g->weights[r] = from->weighted ? y[s->targets] : 1;
  }
}

#endif
