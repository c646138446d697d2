/* Effects over rows: see dependence.h. */
#include "explain/dependence.h"

#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"

#define MOST_BATCH ((size_t)16)         /* blocks of rows whose effects by centres are found at a time */
#define BATCH_NUMBERS ((size_t)1 << 22) /* of effects in a batch, unless a block has more */

/* Of an effect, less its value at the first row: sums of it, of its square, and of its product with the score's. */
typedef struct ent_effect_sums {
  double start, one, square, product;
} ent_effect_sums;

typedef struct ent_dependence_work {
  const ent_effect_shares *shares;
  size_t effects;
  double *values;     /* of all atoms */
  double *scores;     /* ENT_EFFECT_ROWS x scores */
  size_t batch;       /* blocks; 1 without centres. No result depends on it */
  double *of_effects; /* batch x scores x effects x ENT_EFFECT_ROWS */
  double *rooms;      /* of each worker, only where there are centres: room_size numbers */
  size_t room_size;
  const double *x; /* the rows of a batch */
  size_t rows, stride;
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

/* Adds what a component of centres does to inputs and pairs. room: that of a worker. */
static entropic_status add_centres(entropic_context *context, const ent_dependence_work *w,
                                   const ent_sections *sections, const ent_block *block, double *room,
                                   double *of_effects) {
  const ent_effects *e = w->shares->effects;
  size_t used = e->used, pairs = w->shares->pair_count;
  double *values = room, *behind = values + used * ENT_EFFECT_ROWS, *others = behind + used + 1;
  double *of_pairs = pairs > 0 ? others + used : NULL, product[ENT_EFFECT_ROWS];
  for (size_t j = 0; j < sections->centres; j++) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    ent_sections_values(sections, j, block->x, block->rows, block->x_stride, ENT_EFFECT_ROWS, values);
    ent_sections_others(sections, j, behind, others, of_pairs);
    for (size_t k = 0; k < e->model->scores; k++) {
      double weight = sections->component->weights[k * sections->centres + j];
      double *to = of_effects + k * w->effects * ENT_EFFECT_ROWS;
      for (size_t i = 0; i < used; i++, to += ENT_EFFECT_ROWS)
        add_multiple(weight * others[i], values + i * ENT_EFFECT_ROWS, to);
      for (size_t p = 0; p < pairs; p++, to += ENT_EFFECT_ROWS) {
        const ent_pair_effect *pair = &w->shares->pairs[p];
        const double *a = values + pair->a * ENT_EFFECT_ROWS, *b = values + pair->b * ENT_EFFECT_ROWS;
        for (size_t r = 0; r < ENT_EFFECT_ROWS; r++)
          product[r] = a[r] * b[r];
        add_multiple(weight * of_pairs[p], product, to);
      }
    }
  }
  return ENTROPIC_OK;
}

/* Some of the rows of a batch. */
static ent_block block_of(const ent_dependence_work *w, size_t number) {
  size_t first = number * ENT_EFFECT_ROWS, left = w->rows - first;
  return (ent_block){
      .rows = left < ENT_EFFECT_ROWS ? left : ENT_EFFECT_ROWS, .x = w->x + first * w->stride, .x_stride = w->stride};
}

static double *effects_of(const ent_dependence_work *w, size_t block) {
  return w->of_effects + block * w->shares->effects->model->scores * w->effects * ENT_EFFECT_ROWS;
}

/* The effects that centres have at the rows of a block, of all scores. */
static entropic_status start_block(entropic_context *context, void *shared, size_t number, int worker) {
  const ent_dependence_work *w = shared;
  const ent_effects *e = w->shares->effects;
  double *of_effects = effects_of(w, number);
  memset(of_effects, 0, e->model->scores * w->effects * ENT_EFFECT_ROWS * sizeof *of_effects);
  for (size_t c = 0; c < e->part_count; c++) {
    ent_block own = block_of(w, number);
    own.x += c * e->model->schema.inputs;
    if (e->parts[c].sections == NULL)
      continue;
    entropic_status status =
        add_centres(context, w, e->parts[c].sections, &own, w->rooms + (size_t)worker * w->room_size, of_effects);
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

static void add_rows(const ent_dependence_work *w, size_t score, size_t rows, bool first, const double *of_effects) {
  ent_effect_sums *sums = w->sums + score * (w->effects + 1), *whole = sums + w->effects;
  size_t scores = w->shares->effects->model->scores;
  double unit = w->shares->effects->inverse_unit;
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

/* Adds a block of a batch to the sums. */
static entropic_status add_block(entropic_context *context, const ent_dependence_work *w, size_t number, bool first) {
  const entropic_model *model = w->shares->effects->model;
  const ent_block block = block_of(w, number);
  entropic_status status = ent_model_scores(context, model, block.x, block.rows, w->stride, w->scores);
  if (status != ENTROPIC_OK)
    return status;
  ent_effects_values(w->shares->effects, block.x, block.rows, w->stride, w->values);
  for (size_t k = 0; k < model->scores; k++) {
    double *of_effects = effects_of(w, number) + k * w->effects * ENT_EFFECT_ROWS;
    find_effects(w, k, &block, of_effects);
    add_rows(w, k, block.rows, first, of_effects);
  }
  return ent_poll(context);
}

static entropic_status collect(entropic_context *context, ent_dependence_work *w, const double *x, size_t rows,
                               size_t stride) {
  for (size_t first = 0; first < rows; first += w->batch * ENT_EFFECT_ROWS) {
    w->x = x + first * stride;
    w->rows = rows - first < w->batch * ENT_EFFECT_ROWS ? rows - first : w->batch * ENT_EFFECT_ROWS;
    w->stride = stride;
    size_t blocks = (w->rows + ENT_EFFECT_ROWS - 1) / ENT_EFFECT_ROWS;
    entropic_status status = ent_parallel(context, blocks, start_block, w);
    for (size_t b = 0; b < blocks && status == ENTROPIC_OK; b++)
      status = add_block(context, w, b, first + b == 0);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_effect_dependence_create(entropic_context *context, const ent_effect_shares *shares,
                                             const double *x, size_t rows, size_t stride,
                                             ent_effect_dependence **dependence) {
  const ent_effects *e = shares->effects;
  size_t scores = e->model->scores, effects = e->used + shares->pair_count + 1;
  ent_dependence_work w = {.shares = shares, .effects = effects};
  ent_effect_dependence *made = ent_new(context, 1, sizeof *made);
  w.values = ent_new_matrix(context, ent_effects_atoms(e), ENT_EFFECT_ROWS, sizeof *w.values);
  w.scores = ent_new_matrix(context, ENT_EFFECT_ROWS, scores, sizeof *w.scores);
  w.batch = e->points == NULL ? 1 : BATCH_NUMBERS / ENT_EFFECT_ROWS / (scores * effects);
  w.batch = w.batch < 1 ? 1 : w.batch < MOST_BATCH ? w.batch : MOST_BATCH;
  w.of_effects = ent_new_matrix(context, scores * effects, w.batch * ENT_EFFECT_ROWS, sizeof *w.of_effects);
  w.room_size = e->points == NULL ? 0 : e->used * ENT_EFFECT_ROWS + e->used + 1 + effects;
  w.rooms = ent_new_matrix(context, (size_t)ent_workers(context, w.batch), w.room_size, sizeof *w.rooms);
  w.sums = ent_new_matrix(context, scores, effects + 1, sizeof *w.sums);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made == NULL || w.values == NULL || w.scores == NULL || w.of_effects == NULL || w.sums == NULL)
    goto done;
  if (w.rooms == NULL)
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
  ent_delete(w.rooms);
  ent_delete(w.sums);
  ent_effect_dependence_free(made);
  return status;
}
