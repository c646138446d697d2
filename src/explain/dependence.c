/* Effects over rows: see dependence.h. */
#include "explain/dependence.h"

#include <string.h>

#include "base/memory.h"
#include "base/progress.h"

/* Of an effect, less its value at the first row: sums of it, of its square, and of its product with the score's. */
typedef struct ent_effect_sums {
  double start, one, square, product;
} ent_effect_sums;

typedef struct ent_dependence_work {
  const ent_effect_shares *shares;
  size_t effects;
  double *values;        /* of all atoms */
  double *scores;        /* ENT_EFFECT_ROWS x scores */
  double *of_effects;    /* scores x effects x ENT_EFFECT_ROWS */
  double *sections;      /* used x ENT_EFFECT_ROWS, of one centre; this and the next two only where there are centres */
  double *others;        /* used, pairs: products of means */
  double *behind;        /* used + 1 */
  ent_effect_sums *sums; /* scores x (effects + 1), the score itself last */
} ent_dependence_work;

void ent_effect_dependence_free(ent_effect_dependence *dependence) {
  if (dependence == NULL)
    return;
  ent_delete(dependence->own);
  ent_delete(dependence->covariance);
  ent_delete(dependence->variances);
  ent_delete(dependence);
}

static const double *values_of(const ent_dependence_work *w, ent_effect_factor factor) {
  return w->values + (w->shares->effects->places[factor.input] + factor.atom) * ENT_EFFECT_ROWS;
}

static void add_multiple(double factor, const double *values, double *sums) {
  for (size_t r = 0; r < ENT_EFFECT_ROWS; r++)
    sums[r] += factor * values[r];
}

/* Adds what a component of centres does to inputs and pairs. */
static entropic_status add_centres(entropic_context *context, const ent_dependence_work *w,
                                   const ent_sections *sections, const ent_block *block) {
  const ent_effects *e = w->shares->effects;
  size_t used = e->used, pairs = w->shares->pair_count;
  double *of_pairs = pairs > 0 ? w->others + used : NULL, product[ENT_EFFECT_ROWS];
  for (size_t j = 0; j < sections->centres; j++) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    ent_sections_values(sections, j, block->x, block->rows, block->x_stride, ENT_EFFECT_ROWS, w->sections);
    ent_sections_others(sections, j, w->behind, w->others, of_pairs);
    for (size_t k = 0; k < e->model->scores; k++) {
      double weight = sections->component->weights[k * sections->centres + j];
      double *to = w->of_effects + k * w->effects * ENT_EFFECT_ROWS;
      for (size_t i = 0; i < used; i++, to += ENT_EFFECT_ROWS)
        add_multiple(weight * w->others[i], w->sections + i * ENT_EFFECT_ROWS, to);
      for (size_t p = 0; p < pairs; p++, to += ENT_EFFECT_ROWS) {
        const ent_pair_effect *pair = &w->shares->pairs[p];
        const double *a = w->sections + pair->a * ENT_EFFECT_ROWS, *b = w->sections + pair->b * ENT_EFFECT_ROWS;
        for (size_t r = 0; r < ENT_EFFECT_ROWS; r++)
          product[r] = a[r] * b[r];
        add_multiple(weight * of_pairs[p], product, to);
      }
    }
  }
  return ENTROPIC_OK;
}

/* The effects that centres have at some rows, of all scores. */
static entropic_status start_effects(entropic_context *context, const ent_dependence_work *w, const ent_block *block) {
  const ent_effects *e = w->shares->effects;
  memset(w->of_effects, 0, e->model->scores * w->effects * ENT_EFFECT_ROWS * sizeof *w->of_effects);
  for (size_t c = 0; c < e->part_count; c++) {
    ent_block own = *block;
    own.x += c * e->model->schema.inputs;
    if (e->parts[c].sections == NULL)
      continue;
    entropic_status status = add_centres(context, w, e->parts[c].sections, &own);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* All effects of a score at some rows: adds those of features, and what is left of the score. */
static void find_effects(const ent_dependence_work *w, size_t score, const ent_block *block, double *of_effects) {
  const ent_effect_shares *s = w->shares;
  const ent_effects *e = s->effects;
  size_t atoms = ent_effects_atoms(e), higher = e->used + s->pair_count, rows = block->rows;
  for (size_t i = 0; i < e->used; i++)
    for (size_t u = e->places[i]; u < e->places[i + 1]; u++)
      for (size_t r = 0; r < ENT_EFFECT_ROWS; r++)
        of_effects[i * ENT_EFFECT_ROWS + r] += s->mains[score * atoms + u] * w->values[u * ENT_EFFECT_ROWS + r];
  for (size_t i = 0; i < e->used; i++)
    ent_effects_add_beyond(e, i, score, block, of_effects + i * ENT_EFFECT_ROWS);
  for (size_t p = 0; p < s->pair_count; p++)
    for (size_t i = s->pairs[p].first; i < s->pairs[p].first + s->pairs[p].count; i++) {
      const double *a = values_of(w, s->entries[i].a), *b = values_of(w, s->entries[i].b);
      double coefficient = s->entries[i].coefficients[score];
      for (size_t r = 0; r < ENT_EFFECT_ROWS; r++)
        of_effects[(e->used + p) * ENT_EFFECT_ROWS + r] += coefficient * a[r] * b[r];
    }
  for (size_t r = 0; r < rows; r++) {
    double rest = w->scores[r * e->model->scores + score] - e->base[score];
    for (size_t i = 0; i < higher; i++)
      rest -= of_effects[i * ENT_EFFECT_ROWS + r];
    of_effects[higher * ENT_EFFECT_ROWS + r] = rest;
  }
}

static void add_rows(const ent_dependence_work *w, size_t score, size_t rows, bool first) {
  ent_effect_sums *sums = w->sums + score * (w->effects + 1), *whole = sums + w->effects;
  size_t scores = w->shares->effects->model->scores;
  double unit = w->shares->effects->inverse_unit;
  const double *of_effects = w->of_effects + score * w->effects * ENT_EFFECT_ROWS;
  for (size_t r = 0; r < rows; r++) {
    double all = w->scores[r * scores + score] * unit;
    whole->start = first && r == 0 ? all : whole->start;
    all -= whole->start;
    whole->one += all;
    whole->square += all * all;
    for (size_t i = 0; i < w->effects; i++) {
      double value = of_effects[i * ENT_EFFECT_ROWS + r] * unit;
      sums[i].start = first && r == 0 ? value : sums[i].start;
      value -= sums[i].start;
      sums[i].one += value;
      sums[i].square += value * value;
      sums[i].product += value * all;
    }
  }
}

static void finish(const ent_dependence_work *w, size_t rows, ent_effect_dependence *d) {
  double n = (double)rows;
  for (size_t k = 0; k < w->shares->effects->model->scores; k++) {
    const ent_effect_sums *sums = w->sums + k * (w->effects + 1), *whole = sums + w->effects;
    d->variances[k] = whole->square / n - whole->one / n * (whole->one / n);
    for (size_t i = 0; i < w->effects; i++) {
      double mean = sums[i].one / n, own = sums[i].square / n - mean * mean;
      d->own[k * w->effects + i] = own;
      d->covariance[k * w->effects + i] = sums[i].product / n - mean * (whole->one / n) - own;
    }
  }
}

static entropic_status collect(entropic_context *context, const ent_dependence_work *w, const double *x, size_t rows,
                               size_t stride) {
  const entropic_model *model = w->shares->effects->model;
  for (size_t first = 0; first < rows; first += ENT_EFFECT_ROWS) {
    size_t some = rows - first < ENT_EFFECT_ROWS ? rows - first : ENT_EFFECT_ROWS;
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    status = ent_model_scores(context, model, x + first * stride, some, stride, w->scores);
    if (status != ENTROPIC_OK)
      return status;
    const ent_block block = {.rows = some, .x = x + first * stride, .x_stride = stride};
    ent_effects_values(w->shares->effects, block.x, some, stride, w->values);
    status = start_effects(context, w, &block);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t k = 0; k < model->scores; k++) {
      find_effects(w, k, &block, w->of_effects + k * w->effects * ENT_EFFECT_ROWS);
      add_rows(w, k, some, first == 0);
    }
  }
  return ENTROPIC_OK;
}

entropic_status ent_effect_dependence_create(entropic_context *context, const ent_effect_shares *shares,
                                             const double *x, size_t rows, size_t stride,
                                             ent_effect_dependence **dependence) {
  const ent_effects *e = shares->effects;
  size_t scores = e->model->scores, effects = e->used + shares->pair_count + 1, centres = e->points != NULL;
  ent_dependence_work w = {.shares = shares, .effects = effects};
  ent_effect_dependence *made = ent_new(context, 1, sizeof *made);
  w.values = ent_new_matrix(context, ent_effects_atoms(e), ENT_EFFECT_ROWS, sizeof *w.values);
  w.scores = ent_new_matrix(context, ENT_EFFECT_ROWS, scores, sizeof *w.scores);
  w.of_effects = ent_new_matrix(context, scores * effects, ENT_EFFECT_ROWS, sizeof *w.of_effects);
  w.sections = ent_new_matrix(context, centres * e->used, ENT_EFFECT_ROWS, sizeof *w.sections);
  w.others = ent_new(context, centres * effects, sizeof *w.others);
  w.behind = ent_new(context, centres * (e->used + 1), sizeof *w.behind);
  w.sums = ent_new_matrix(context, scores, effects + 1, sizeof *w.sums);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made == NULL || w.values == NULL || w.scores == NULL || w.of_effects == NULL || w.sums == NULL)
    goto done;
  if (w.sections == NULL || w.others == NULL || w.behind == NULL)
    goto done;
  made->effects = effects;
  made->own = ent_new_matrix(context, scores, effects, sizeof *made->own);
  made->covariance = ent_new_matrix(context, scores, effects, sizeof *made->covariance);
  made->variances = ent_new(context, scores, sizeof *made->variances);
  if (made->own == NULL || made->covariance == NULL || made->variances == NULL)
    goto done;
  status = collect(context, &w, x, rows, stride);
  if (status != ENTROPIC_OK)
    goto done;
  finish(&w, rows, made);
  *dependence = made;
  made = NULL;
done:
  ent_delete(w.values);
  ent_delete(w.scores);
  ent_delete(w.of_effects);
  ent_delete(w.sections);
  ent_delete(w.others);
  ent_delete(w.behind);
  ent_delete(w.sums);
  ent_effect_dependence_free(made);
  return status;
}
