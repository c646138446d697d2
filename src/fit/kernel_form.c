/* The kernel itself as a form: see kernel_form.h. */
#include "fit/kernel_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "solve/kernel_ridge.h"

#define SEARCH_ROWS ((size_t)600) /* about so many rows choose */
#define FIRST_RIDGE 0.1
#define LEAST_RIDGE 1e-7
#define MOST_RIDGE 1e3
#define WALK 5       /* steps of omega, by factors of 2, on either side */
#define BETTER 0.998 /* a step has to make the error smaller by this */

static const entropic_family families[] = {ENTROPIC_FAMILY_LAPLACE, ENTROPIC_FAMILY_CENTRED};

void ent_kernel_form_clear(ent_kernel_form *form) {
  entropic_kernel_free(form->kernel);
  ent_delete(form->centres);
  ent_delete(form->coefficients);
  ent_delete(form->means);
  *form = (ent_kernel_form){0};
}

bool ent_kernel_is_candidate(const ent_fit *fit) {
  const ent_fit_options *o = fit->options;
  const double *weights = fit->splits.train.weights;
  bool positive = true;
  for (size_t r = 0; r < fit->train->rows && weights != NULL; r++)
    positive = positive && weights[r] > 0;
  return positive && o->rows_in_model && o->restriction == NULL && fit->train->rows <= ENT_KERNEL_ROWS;
}

/* Rows of one view that take part. */
typedef struct ent_form_rows {
  double *x, *y, *weights; /* weights may be NULL */
  size_t *block_of;
  size_t rows;
} ent_form_rows;

static void rows_clear(ent_form_rows *rows) {
  ent_delete(rows->x);
  ent_delete(rows->y);
  ent_delete(rows->weights);
  ent_delete(rows->block_of);
  *rows = (ent_form_rows){0};
}

/* Rows with equal inputs, or of one group, are one block. */
typedef struct ent_block_key {
  const double *x; /* NULL: by groups */
  double group;
  size_t inputs, row;
} ent_block_key;

static int compare_keys(const void *a, const void *b) {
  const ent_block_key *x = a, *y = b;
  int order =
      x->x == NULL ? (x->group > y->group) - (x->group < y->group) : memcmp(x->x, y->x, x->inputs * sizeof *x->x);
  return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

static entropic_status find_blocks(entropic_context *context, const ent_fit *fit, const size_t *numbers,
                                   ent_form_rows *rows) {
  const double *groups = fit->train->groups;
  ent_block_key *keys = ent_new(context, rows->rows, sizeof *keys);
  rows->block_of = ent_new(context, rows->rows, sizeof *rows->block_of);
  if (keys == NULL || rows->block_of == NULL) {
    ent_delete(keys);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t r = 0; r < rows->rows; r++)
    keys[r] = (ent_block_key){.x = groups == NULL ? rows->x + r * fit->inputs : NULL,
                              .group = groups == NULL ? 0 : groups[numbers[r]],
                              .inputs = fit->inputs,
                              .row = r};
  qsort(keys, rows->rows, sizeof *keys, compare_keys);
  for (size_t i = 0, block = 0; i < rows->rows; i++) {
    bool same = i > 0 && (groups == NULL ? memcmp(keys[i].x, keys[i - 1].x, fit->inputs * sizeof(double)) == 0
                                         : keys[i].group == keys[i - 1].group);
    block += i > 0 && !same;
    rows->block_of[keys[i].row] = block;
  }
  ent_delete(keys);
  return ENTROPIC_OK;
}

/* At most `most` of the rows that take part, evenly spread over them, as a view has them. */
static entropic_status take_rows(entropic_context *context, const ent_fit *fit, size_t view, size_t most,
                                 ent_form_rows *rows) {
  ent_fit own = *fit;
  size_t *numbers = ent_new(context, fit->train->rows, sizeof *numbers), count = 0;
  *rows = (ent_form_rows){0};
  if (numbers == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_fit_use(&own, view);
  for (size_t r = 0; r < fit->train->rows; r++)
    if (ent_takes_part(&fit->splits, r))
      numbers[count++] = r;
  rows->rows = count < most ? count : most;
  for (size_t i = 0; i < rows->rows; i++)
    numbers[i] = numbers[(size_t)((double)i * (double)count / (double)rows->rows)];
  ent_row_subset subset = {.from = {.all = own.splits.train, .inputs = fit->inputs, .targets = fit->scores},
                           .numbers = numbers,
                           .count = rows->rows};
  ent_block block;
  rows->x = ent_new_matrix(context, rows->rows, fit->inputs, sizeof *rows->x);
  rows->y = ent_new_matrix(context, rows->rows, fit->scores, sizeof *rows->y);
  rows->weights = own.splits.train.weights == NULL ? NULL : ent_new(context, rows->rows, sizeof *rows->weights);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (rows->x == NULL || rows->y == NULL || (own.splits.train.weights != NULL && rows->weights == NULL))
    goto done;
  status = ent_row_subset_load(context, &subset, &block);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t r = 0; r < rows->rows; r++) {
    memcpy(rows->x + r * fit->inputs, block.x + r * block.x_stride, fit->inputs * sizeof *rows->x);
    memcpy(rows->y + r * fit->scores, block.y + r * block.y_stride, fit->scores * sizeof *rows->y);
    if (rows->weights != NULL)
      rows->weights[r] = ent_weight(&block, r);
  }
  status = find_blocks(context, fit, numbers, rows);
done:
  ent_row_subset_clear(&subset);
  ent_delete(numbers);
  return status;
}

/* The product of such kernels over the inputs; those of categories and of what comes round stay what they are. */
static entropic_status make_kernel(entropic_context *context, const ent_fit *fit, entropic_family family, double omega,
                                   entropic_kernel **kernel) {
  entropic_axis_options *axes = ent_new(context, fit->inputs, sizeof *axes);
  if (axes == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < fit->inputs; i++) {
    axes[i] = fit->axes[i];
    axes[i].omega = omega;
    if (entropic_family_has(axes[i].family, ENTROPIC_TRAIT_CATEGORIES))
      continue;
    if (!entropic_family_has(axes[i].family, ENTROPIC_TRAIT_PERIODIC))
      axes[i].family = family;
    axes[i].smooth = 0;
    axes[i].max_level = 0;
  }
  entropic_status status = ent_kernel_create(context, axes, fit->inputs, fit->inputs, kernel);
  ent_delete(axes);
  return status;
}

static bool takes_family(const ent_fit *fit, entropic_family family) {
  bool takes = true;
  for (size_t i = 0; i < fit->inputs; i++)
    takes = takes && (!fit->axes[i].missing || entropic_family_has(family, ENTROPIC_TRAIT_MISSING) ||
                      entropic_family_has(fit->axes[i].family, ENTROPIC_TRAIT_CATEGORIES) ||
                      entropic_family_has(fit->axes[i].family, ENTROPIC_TRAIT_PERIODIC));
  return takes;
}

/* What is chosen. */
typedef struct ent_kernel_setting {
  entropic_family family;
  size_t view;
  double omega, ridge, error;
} ent_kernel_setting;

/* A search on some rows of one view. */
typedef struct ent_kernel_search {
  const ent_fit *fit;
  ent_form_rows rows;
  double *left_out, *means; /* room */
  double *best_left_out;    /* of the best setting */
  ent_kernel_setting best;
} ent_kernel_search;

static void search_clear(ent_kernel_search *s) {
  rows_clear(&s->rows);
  ent_delete(s->left_out);
  ent_delete(s->means);
  ent_delete(s->best_left_out);
}

/* The mean square of what rows are without their block, in units of the targets' variances. */
static double error_of(const ent_kernel_search *s) {
  double sum = 0, weight = 0;
  size_t scores = s->fit->scores;
  for (size_t r = 0; r < s->rows.rows; r++) {
    double own = s->rows.weights == NULL ? 1 : s->rows.weights[r];
    for (size_t k = 0; k < scores; k++) {
      double off = s->rows.y[r * scores + k] - s->left_out[r * scores + k];
      sum += own * off * off / s->fit->scale[k] / (double)scores;
    }
    weight += own;
  }
  return isfinite(sum) ? sum / weight : INFINITY;
}

/* One ridge of a kernel; the best setting so far is kept. */
static entropic_status try_ridge(entropic_context *context, ent_kernel_search *s, ent_kernel_ridge *ridge,
                                 ent_kernel_setting *setting, double value, bool *better) {
  const ent_kernel_solution solution = {.means = s->means, .left_out = s->left_out};
  bool positive = false;
  *better = false;
  if (value < LEAST_RIDGE || value > MOST_RIDGE)
    return ENTROPIC_OK;
  entropic_status status = ent_kernel_ridge_solve(context, ridge, value, false, &solution, &positive);
  if (status != ENTROPIC_OK || !positive)
    return status;
  double error = error_of(s);
  *better = error < BETTER * setting->error;
  if (*better) {
    setting->error = error;
    setting->ridge = value;
  }
  if (error < BETTER * s->best.error) {
    s->best = *setting;
    memcpy(s->best_left_out, s->left_out, s->rows.rows * s->fit->scores * sizeof *s->left_out);
  }
  return ENTROPIC_OK;
}

/* A kernel, with the ridge near that of the setting that is best for it: setting->error and ridge. */
static entropic_status try_kernel(entropic_context *context, ent_kernel_search *s, ent_kernel_setting *setting) {
  const ent_kernel_rows rows = {s->rows.x,      s->rows.y,      s->rows.weights, s->rows.rows,
                                s->fit->inputs, s->fit->scores, s->rows.block_of};
  entropic_kernel *kernel = NULL;
  ent_kernel_ridge *ridge = NULL;
  double root = sqrt(10), first = setting->ridge;
  bool better = false;
  entropic_status status = make_kernel(context, s->fit, setting->family, setting->omega, &kernel);
  if (status != ENTROPIC_OK)
    return status;
  setting->error = INFINITY;
  status = ent_kernel_ridge_create(context, kernel, &rows, &ridge);
  if (status == ENTROPIC_OK)
    status = try_ridge(context, s, ridge, setting, first, &better);
  for (int side = 0; side < 2 && status == ENTROPIC_OK; side++) {
    if (side == 1 && setting->ridge != first) /* it falls on the first side */
      break;
    better = true;
    for (double value = first; better && status == ENTROPIC_OK;) {
      value = side == 0 ? value / root : value * root;
      status = try_ridge(context, s, ridge, setting, value, &better);
    }
  }
  ent_kernel_ridge_free(ridge);
  entropic_kernel_free(kernel);
  return status;
}

/* Omegas of one family from 1 on, larger and smaller ones as long as the error falls. */
static entropic_status try_family(entropic_context *context, ent_kernel_search *s, ent_kernel_setting setting) {
  setting.omega = 1;
  setting.ridge = FIRST_RIDGE;
  entropic_status status = try_kernel(context, s, &setting);
  ent_kernel_setting best = setting;
  for (int side = 0; side < 2 && status == ENTROPIC_OK; side++)
    for (int step = 0; step < WALK && status == ENTROPIC_OK; step++) {
      setting = best;
      setting.omega = side == 0 ? best.omega * 2 : best.omega / 2;
      status = try_kernel(context, s, &setting);
      if (!(setting.error < BETTER * best.error))
        break;
      best = setting;
    }
  return status;
}

static entropic_status search_start(entropic_context *context, ent_kernel_search *s, size_t view) {
  rows_clear(&s->rows);
  entropic_status status = take_rows(context, s->fit, view, SEARCH_ROWS, &s->rows);
  size_t count = s->rows.rows * s->fit->scores;
  if (status != ENTROPIC_OK || s->left_out != NULL)
    return status;
  s->left_out = ent_new(context, count, sizeof *s->left_out);
  s->best_left_out = ent_new(context, count, sizeof *s->best_left_out);
  s->means = ent_new(context, s->fit->scores, sizeof *s->means);
  return s->left_out == NULL || s->best_left_out == NULL || s->means == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* The family with the first view; then the other views with it. */
static entropic_status search(entropic_context *context, ent_kernel_search *s) {
  entropic_status status = search_start(context, s, 0);
  for (size_t f = 0; f < sizeof families / sizeof *families && status == ENTROPIC_OK; f++)
    if (takes_family(s->fit, families[f]))
      status = try_family(context, s, (ent_kernel_setting){.family = families[f]});
  for (size_t v = 1; v < s->fit->view_count && status == ENTROPIC_OK && isfinite(s->best.error); v++) {
    ent_kernel_setting setting = s->best;
    setting.view = v;
    status = search_start(context, s, v);
    if (status == ENTROPIC_OK)
      status = try_kernel(context, s, &setting);
  }
  return status;
}

/* The mean of -ln(p) of the rows without their block at one inverse temperature; one row more counts as wrong. */
static double class_loss(const ent_kernel_search *s, double inverse_temperature, double *room) {
  size_t scores = s->fit->scores, classes = s->fit->train->schema.classes;
  double sum = 0, weight = 0, doubt = 1 / (double)(s->rows.rows + 1);
  for (size_t r = 0; r < s->rows.rows; r++) {
    const double *y = s->rows.y + r * scores;
    size_t label = ent_class_of(classes, y);
    double own = s->rows.weights == NULL ? 1 : s->rows.weights[r], *probabilities = room + scores;
    for (size_t k = 0; k < scores; k++)
      room[k] = inverse_temperature * s->best_left_out[r * scores + k];
    ent_probabilities(classes, room, probabilities);
    for (size_t c = 0; c < classes; c++) {
      double share = c == label ? 1 - doubt : doubt / (double)(classes - 1);
      sum -= own * share * log(fmax(probabilities[c], ENT_LEAST_PROBABILITY));
    }
    weight += own;
  }
  return sum / weight;
}

/* The inverse temperature of least loss, by golden sections on its logarithm. */
static entropic_status calibrate(entropic_context *context, const ent_kernel_search *s, double *inverse_temperature) {
  const double golden = 0.6180339887498949;
  double low = -7, high = 7, at[2] = {high - golden * (high - low), low + golden * (high - low)}, loss[2];
  *inverse_temperature = 1;
  if (!ent_schema_has_classes(&s->fit->train->schema))
    return ENTROPIC_OK;
  double *room = ent_new(context, s->fit->scores + s->fit->train->schema.classes, sizeof *room);
  if (room == NULL)
    return ENTROPIC_NO_MEMORY;
  for (int i = 0; i < 2; i++)
    loss[i] = class_loss(s, exp(at[i]), room);
  for (int step = 0; step < 24; step++) {
    int left = loss[0] <= loss[1];
    *(left ? &high : &low) = left ? at[1] : at[0];
    at[left] = at[!left];
    loss[left] = loss[!left];
    at[!left] = left ? high - golden * (high - low) : low + golden * (high - low);
    loss[!left] = class_loss(s, exp(at[!left]), room);
  }
  *inverse_temperature = exp((low + high) / 2);
  ent_delete(room);
  return ENTROPIC_OK;
}

/* All rows that take part as centres. */
static entropic_status train(entropic_context *context, const ent_fit *fit, const ent_kernel_setting *setting,
                             ent_kernel_form *form) {
  ent_form_rows rows;
  ent_kernel_ridge *ridge = NULL;
  entropic_status status = take_rows(context, fit, setting->view, SIZE_MAX, &rows);
  if (status != ENTROPIC_OK)
    goto done;
  form->view = setting->view;
  form->rows = rows.rows;
  form->inputs = fit->inputs;
  form->scores = fit->scores;
  form->ridge = setting->ridge;
  status = make_kernel(context, fit, setting->family, setting->omega, &form->kernel);
  if (status != ENTROPIC_OK)
    goto done;
  status = ENTROPIC_NO_MEMORY;
  form->coefficients = ent_new_matrix(context, fit->scores, rows.rows, sizeof *form->coefficients);
  form->means = ent_new(context, fit->scores, sizeof *form->means);
  if (form->coefficients == NULL || form->means == NULL)
    goto done;
  const ent_kernel_rows all = {rows.x, rows.y, rows.weights, rows.rows, fit->inputs, fit->scores, NULL};
  status = ent_kernel_ridge_create(context, form->kernel, &all, &ridge);
  if (status != ENTROPIC_OK)
    goto done;
  const ent_kernel_solution solution = {.coefficients = form->coefficients, .means = form->means};
  status = ent_kernel_ridge_solve(context, ridge, setting->ridge, true, &solution, &form->made);
  form->centres = rows.x;
  rows.x = NULL;
done:
  ent_kernel_ridge_free(ridge);
  rows_clear(&rows);
  return status;
}

entropic_status ent_kernel_form_fit(entropic_context *context, const ent_fit *fit, ent_kernel_form *form) {
  ent_kernel_search s = {.fit = fit, .best = {.error = INFINITY}};
  *form = (ent_kernel_form){0};
  entropic_status status = search(context, &s);
  if (status != ENTROPIC_OK || !isfinite(s.best.error))
    goto done;
  status = train(context, fit, &s.best, form);
  if (status == ENTROPIC_OK)
    status = calibrate(context, &s, &form->inverse_temperature);
done:
  search_clear(&s);
  return status;
}

entropic_status ent_kernel_form_score(entropic_context *context, const ent_fit *fit, const ent_kernel_form *form,
                                      const ent_outer_rows *rows, ent_outer *outer) {
  ent_fit own = *fit;
  ent_fitted fitted = {.form = ENT_FORM_KERNEL, .class_validation = {.inverse_temperature = form->inverse_temperature}};
  if (!form->made)
    return ENTROPIC_OK;
  ent_fit_use(&own, form->view);
  ent_row_subset subset = {
      .from = {.all = own.splits.train, .inputs = fit->inputs}, .numbers = rows->numbers, .count = rows->count};
  ent_block block;
  double *scores = ent_new_matrix(context, rows->count, fit->scores, sizeof *scores);
  double *values = ent_new_matrix(context, rows->count, form->rows, sizeof *values);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (scores == NULL || values == NULL)
    goto done;
  status = ent_row_subset_load(context, &subset, &block);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_kernel_values(context, form->kernel, form->centres, form->rows, block.x, rows->count, values);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t r = 0; r < rows->count; r++)
    for (size_t k = 0; k < fit->scores; k++) {
      double sum = form->means[k];
      for (size_t i = 0; i < form->rows; i++)
        sum += form->coefficients[k * form->rows + i] * values[r * form->rows + i];
      scores[r * fit->scores + k] = sum;
    }
  status = ent_outer_add_scores(context, &own, &fitted, rows, scores, outer);
done:
  ent_row_subset_clear(&subset);
  ent_delete(scores);
  ent_delete(values);
  return status;
}
