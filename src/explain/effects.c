/* Effects of rows: see effects.h. */
#include "explain/effects.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "explain/effects_rows.h"

#define BLOCK_ROWS (8 * ENT_EFFECT_ROWS) /* a task */

void ent_effects_free(ent_effects *effects) {
  if (effects == NULL)
    return;
  ent_products_free(effects->products);
  ent_delete(effects->base);
  ent_delete(effects->nodes);
  ent_delete(effects->node_weights);
  ent_effect_bases_free(effects->bases);
  ent_delete(effects);
}

/* ---- Rules and bases ---- */

/* Gauss's rule on [0,1]: zeros of the Legendre polynomial by Newton's method. It is exact up to degree 2 count - 1. */
static void set_rule(size_t count, double *nodes, double *weights) {
  for (size_t i = 0; i < count; i++) {
    double x = cos(3.14159265358979323846 * ((double)i + 0.75) / ((double)count + 0.5)), slope = 1;
    for (int step = 0; step < 100; step++) {
      double before = 1, value = x;
      for (size_t j = 2; j <= count; j++) {
        double next = ((2 * (double)j - 1) * x * value - ((double)j - 1) * before) / (double)j;
        before = value;
        value = next;
      }
      slope = (double)count * (x * value - before) / (x * x - 1);
      double change = value / slope;
      x -= change;
      if (fabs(change) < 1e-16)
        break;
    }
    nodes[i] = 0.5 * (1 - x);
    weights[i] = 1 / ((1 - x * x) * slope * slope);
  }
}

/* The rules of 1 node, 2 nodes and so on, one after the other. */
static entropic_status make_rules(entropic_context *context, ent_effects *e) {
  size_t most = (e->most + 1) / 2, all = most * (most + 1) / 2;
  e->nodes = ent_new(context, all, sizeof *e->nodes);
  e->node_weights = ent_new(context, all, sizeof *e->node_weights);
  if (e->nodes == NULL || e->node_weights == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t count = 1; count <= most; count++)
    set_rule(count, e->nodes + count * (count - 1) / 2, e->node_weights + count * (count - 1) / 2);
  return ENTROPIC_OK;
}

static entropic_status set_base(entropic_context *context, ent_effects *e) {
  const entropic_model *model = e->model;
  e->base = ent_new(context, model->scores, sizeof *e->base);
  if (e->base == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(e->base, model->offsets, model->scores * sizeof *e->base);
  for (size_t f = 0; f < model->features; f++) {
    double mean = 1;
    for (size_t i = e->starts[f]; i < e->starts[f + 1]; i++)
      mean *= ent_effect_factor_mean(e, e->factors[i]);
    for (size_t k = 0; k < model->scores; k++)
      e->base[k] += model->weights[k * model->features + f] * mean;
  }
  return ENTROPIC_OK;
}

entropic_status ent_effects_create(entropic_context *context, const entropic_model *model,
                                   const ent_marginals *marginals, ent_effects **effects) {
  if (model->design == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "the model is of the exact kernel: it has no features, and so no effects of inputs; fit it "
                    "with another solver than exact");
  ent_effects *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->model = model;
  made->marginals = marginals;
  entropic_status status = ent_products_create(context, model->design, marginals, &made->products);
  if (status != ENTROPIC_OK)
    goto done;
  made->used = made->products->used;
  made->inputs = made->products->inputs;
  made->starts = made->products->starts;
  made->factors = made->products->factors;
  made->most = made->products->most;
  made->places = made->products->places;
  status = make_rules(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  status = set_base(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t k = 0; k < made->used && made->bases == NULL; k++)
    if (ent_products_has_base(model->design, made->inputs[k])) {
      status = ent_effect_bases_create(context, made, &made->bases);
      if (status != ENTROPIC_OK)
        goto done;
    }
  *effects = made;
  made = NULL;
done:
  ent_effects_free(made);
  return status;
}

/* ---- Rows ---- */

/* The atoms of an input at some rows: values[atom * ENT_EFFECT_ROWS + row]. */
static void input_values(const ent_effects *e, size_t place, const double *x, size_t rows, double *values) {
  const ent_marginal *m = &e->marginals->input[e->inputs[place]];
  const ent_axis *axis = e->model->kernel->axes[e->inputs[place]];
  double height[ENT_EFFECT_ROWS];
  uint32_t atoms[ENT_EFFECT_ROWS];
  for (size_t u = 0; u < m->count; u++)
    for (size_t r = 0; r < ENT_EFFECT_ROWS; r++)
      values[u * ENT_EFFECT_ROWS + r] = r < rows ? -m->means[u] : 0;
  for (size_t p = 0; p < m->level_count; p++) {
    const ent_level *level = &axis->levels[m->levels[p]];
    level->evaluate(axis, level, x, rows, atoms, height);
    for (size_t r = 0; r < rows; r++) {
      uint32_t atom = height[r] == 0 ? ENT_NO_ATOM : ent_marginal_in_level(m, p, atoms[r]);
      if (atom != ENT_NO_ATOM)
        values[atom * ENT_EFFECT_ROWS + r] += height[r];
    }
  }
}

void ent_effects_values(const ent_effects *e, const double *x, size_t rows, size_t stride, double *values) {
  double column[ENT_EFFECT_ROWS];
  for (size_t k = 0; k < e->used; k++) {
    for (size_t r = 0; r < rows; r++)
      column[r] = ent_clamp(x[r * stride + e->inputs[k]]);
    input_values(e, k, column, rows, values + e->places[k] * ENT_EFFECT_ROWS);
  }
}

typedef struct ent_effect_rows {
  const ent_effects *effects;
  const double *x;
  size_t rows, stride;
  double *out;
  ent_effect_room *rooms; /* for each worker */
} ent_effect_rows;

/* Adds one node of Gauss's rule to the Shapley values of a feature. */
static void add_node(const ent_effects *e, const ent_effect_factor *factors, size_t count, double t, double weight,
                     const ent_effect_room *room) {
  double before[ENT_EFFECT_ROWS], *behind = room->behind;
  for (size_t r = 0; r < ENT_EFFECT_ROWS; r++) {
    behind[count * ENT_EFFECT_ROWS + r] = 1;
    before[r] = weight;
  }
  for (size_t i = count; i > 1; i--) {
    const double *v = room->values + (e->places[factors[i - 1].input] + factors[i - 1].atom) * ENT_EFFECT_ROWS;
    double mean = ent_effect_factor_mean(e, factors[i - 1]);
    for (size_t r = 0; r < ENT_EFFECT_ROWS; r++)
      behind[(i - 1) * ENT_EFFECT_ROWS + r] = behind[i * ENT_EFFECT_ROWS + r] * (mean + t * v[r]);
  }
  for (size_t i = 0; i < count; i++) {
    const double *v = room->values + (e->places[factors[i].input] + factors[i].atom) * ENT_EFFECT_ROWS;
    double mean = ent_effect_factor_mean(e, factors[i]);
    for (size_t r = 0; r < ENT_EFFECT_ROWS; r++) {
      room->parts[i * ENT_EFFECT_ROWS + r] += before[r] * v[r] * behind[(i + 1) * ENT_EFFECT_ROWS + r];
      before[r] *= mean + t * v[r];
    }
  }
}

/* Adds the Shapley values of a feature to those of all scores. */
static void add_feature(const ent_effects *e, size_t feature, const ent_effect_room *room) {
  const entropic_model *model = e->model;
  const ent_effect_factor *factors = e->factors + e->starts[feature];
  size_t count = e->starts[feature + 1] - e->starts[feature], nodes = (count + 1) / 2;
  const double *at = e->nodes + nodes * (nodes - 1) / 2, *weights = e->node_weights + nodes * (nodes - 1) / 2;
  if (count == 0)
    return;
  memset(room->parts, 0, count * ENT_EFFECT_ROWS * sizeof *room->parts);
  for (size_t q = 0; q < nodes; q++)
    add_node(e, factors, count, at[q], weights[q], room);
  for (size_t k = 0; k < model->scores; k++)
    for (size_t i = 0; i < count; i++) {
      double weight = model->weights[k * model->features + feature];
      double *sums = room->sums + (k * e->used + factors[i].input) * ENT_EFFECT_ROWS;
      for (size_t r = 0; r < ENT_EFFECT_ROWS; r++)
        sums[r] += weight * room->parts[i * ENT_EFFECT_ROWS + r];
    }
}

void ent_effects_add(const ent_effects *e, const ent_effect_room *room) {
  for (size_t f = 0; f < e->model->features; f++)
    add_feature(e, f, room);
}

/* At most ENT_EFFECT_ROWS rows. */
static void split_rows(const ent_effect_rows *job, const ent_effect_room *room, size_t first, size_t rows) {
  const ent_effects *e = job->effects;
  size_t scores = e->model->scores, width = 1 + e->used;
  ent_effects_values(e, job->x + first * job->stride, rows, job->stride, room->values);
  memset(room->sums, 0, scores * e->used * ENT_EFFECT_ROWS * sizeof *room->sums);
  if (e->bases != NULL && ent_effect_bases_suit(e, room))
    ent_effect_bases_add(e, room);
  else
    ent_effects_add(e, room);
  for (size_t r = 0; r < rows; r++)
    for (size_t k = 0; k < scores; k++) {
      double *out = job->out + ((first + r) * scores + k) * width;
      out[0] = e->base[k];
      for (size_t i = 0; i < e->used; i++)
        out[1 + i] = room->sums[(k * e->used + i) * ENT_EFFECT_ROWS + r];
    }
}

void ent_effect_room_clear(ent_effect_room *room) {
  ent_delete(room->values);
  ent_delete(room->parts);
  ent_delete(room->behind);
  ent_delete(room->sums);
  ent_delete(room->ratios);
  ent_delete(room->partners);
  ent_delete(room->inverses);
  *room = (ent_effect_room){0};
}

entropic_status ent_effect_room_create(entropic_context *context, const ent_effects *e, ent_effect_room *room) {
  size_t atoms = ent_effects_atoms(e), shared = e->bases != NULL;
  const struct {
    double **numbers;
    size_t count;
  } all[] = {{&room->values, atoms},
             {&room->parts, e->most},
             {&room->behind, e->most + 1},
             {&room->ratios, shared * atoms},
             {&room->partners, shared * atoms},
             {&room->inverses, shared * e->used},
             {&room->sums, e->model->scores * e->used}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    *all[i].numbers = ent_new_matrix(context, all[i].count, ENT_EFFECT_ROWS, sizeof **all[i].numbers);
    if (*all[i].numbers == NULL) {
      ent_effect_room_clear(room);
      return ENTROPIC_NO_MEMORY;
    }
  }
  return ENTROPIC_OK;
}

static entropic_status split_block(entropic_context *context, void *shared, size_t block, int worker) {
  const ent_effect_rows *job = shared;
  ent_effect_room *room = &job->rooms[worker];
  size_t first = block * BLOCK_ROWS, end = job->rows - first < BLOCK_ROWS ? job->rows : first + BLOCK_ROWS;
  if (room->values == NULL) {
    entropic_status status = ent_effect_room_create(context, job->effects, room);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (; first < end; first += ENT_EFFECT_ROWS)
    split_rows(job, room, first, end - first < ENT_EFFECT_ROWS ? end - first : ENT_EFFECT_ROWS);
  return ENTROPIC_OK;
}

entropic_status ent_effects_rows(entropic_context *context, const ent_effects *effects, const double *x, size_t rows,
                                 size_t stride, double *out) {
  size_t blocks = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS, workers = (size_t)ent_workers(context, blocks);
  ent_effect_rows job = {.effects = effects, .x = x, .rows = rows, .stride = stride, .out = out};
  job.rooms = ent_new(context, workers, sizeof *job.rooms);
  if (job.rooms == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_parallel(context, blocks, split_block, &job);
  for (size_t i = 0; i < workers; i++)
    ent_effect_room_clear(&job.rooms[i]);
  ent_delete(job.rooms);
  return status;
}
