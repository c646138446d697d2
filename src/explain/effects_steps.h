/* The loops over rows of effects, compiled for several processors. None of them fuses a product with a sum, so all give the
 * same bits. A file that includes this defines LANES, the doubles of a vector, before. */
#ifndef ENT_EXPLAIN_EFFECTS_STEPS_H
#define ENT_EXPLAIN_EFFECTS_STEPS_H

#include <string.h>

#include "base/progress.h"
#include "explain/effects_rows.h"

#define POLL_PRODUCTS ((size_t)1 << 15) /* factors at nodes: about 1 ms */
#define POLL_FEATURES ((size_t)1 << 14) /* about 1 ms */

typedef double ent_effect_lanes __attribute__((vector_size(8 * LANES)));
typedef double ent_effect_lanes_at __attribute__((vector_size(8 * LANES), aligned(8), may_alias)); /* in memory */

static inline ent_effect_lanes load(const double *from) {
  return *(const ent_effect_lanes_at *)from;
}

static inline void store(double *to, ent_effect_lanes lanes) {
  *(ent_effect_lanes_at *)to = lanes;
}

/* Minus the mean of each atom of an input. */
static void set_means(const ent_marginal *m, size_t rows, double *values) {
  for (size_t u = 0; u < m->count; u++, values += ENT_EFFECT_ROWS) {
    const ent_effect_lanes none = {0}, mean = -(none + m->means[u]);
    for (size_t r = 0; r < ENT_EFFECT_ROWS && rows == ENT_EFFECT_ROWS; r += LANES)
      store(values + r, mean);
    for (size_t r = 0; r < ENT_EFFECT_ROWS && rows < ENT_EFFECT_ROWS; r++)
      values[r] = r < rows ? -m->means[u] : 0;
  }
}

/* Adds the heights of a level at some rows to those of its atoms that are in use. Where there is none, they go nowhere: that
 * cannot be foreseen, and a branch would cost more. */
static void add_heights(const uint32_t *table, const uint32_t *atoms, const double *height, size_t rows,
                        double *values) {
  double nowhere[ENT_EFFECT_ROWS] = {0};
  for (size_t r = 0; r < rows; r++) {
    size_t place = atoms[r] < table[0] ? 1 + (size_t)atoms[r] : 0;
    uint32_t atom = table[place];
    bool there = (place > 0) & (atom != ENT_NO_ATOM) & (height[r] != 0);
    double *to = there ? values + (size_t)atom * ENT_EFFECT_ROWS : nowhere;
    to[r] += height[r];
  }
}

/* The same of a level of one atom, at as many rows as there can be. */
static void add_one_height(uint32_t atom, const double *height, double *values) {
  double *to = values + (size_t)atom * ENT_EFFECT_ROWS;
  for (size_t r = 0; r < ENT_EFFECT_ROWS; r += LANES)
    store(to + r, load(to + r) + load(height + r));
}

/* The same without a table. */
static void add_heights_by_search(const ent_marginal *m, size_t place, const uint32_t *atoms, const double *height,
                                  size_t rows, double *values) {
  for (size_t r = 0; r < rows; r++) {
    uint32_t atom = height[r] == 0 ? ENT_NO_ATOM : ent_marginal_in_level(m, place, atoms[r]);
    if (atom != ENT_NO_ATOM)
      values[(size_t)atom * ENT_EFFECT_ROWS + r] += height[r];
  }
}

/* The atoms of an input at some rows: values[atom * ENT_EFFECT_ROWS + row]. tables are where those of its levels begin. */
static void input_values(const ent_effect_part *part, size_t input, const size_t *tables, const ent_block *column,
                         double *values) {
  const ent_marginal *m = &part->marginals->input[input];
  const ent_axis *axis = part->component->kernel->axes[input];
  double height[ENT_EFFECT_ROWS];
  uint32_t atoms[ENT_EFFECT_ROWS];
  set_means(m, column->rows, values);
  for (size_t p = 0; p < m->level_count; p++) {
    const ent_level *level = &axis->levels[m->levels[p]];
    const uint32_t *table = part->tables + tables[p];
    level->evaluate(axis, level, column->x, column->rows, atoms, height);
    if (level->info.atoms == 1 && table[0] == 1 && column->rows == ENT_EFFECT_ROWS)
      add_one_height(table[1], height, values);
    else if (table[0] > 0)
      add_heights(table, atoms, height, column->rows, values);
    else
      add_heights_by_search(m, p, atoms, height, column->rows, values);
  }
}

static void steps_values(const ent_effects *e, const double *x, size_t rows, size_t stride, double *values) {
  double column[ENT_EFFECT_ROWS];
  const ent_block own = {.rows = rows, .x = column, .x_stride = 1};
  for (size_t c = 0; c < e->part_count; c++, x += e->model->schema.inputs) {
    const ent_effect_part *part = &e->parts[c];
    size_t level = 0;
    for (size_t k = 0; k < e->used; k++) {
      for (size_t r = 0; r < rows; r++)
        column[r] = ent_clamp(x[r * stride + e->inputs[k]]);
      input_values(part, e->inputs[k], part->table_starts + level, &own, values + part->places[k] * ENT_EFFECT_ROWS);
      level += part->marginals->input[e->inputs[k]].level_count;
    }
  }
}

/* ---- Features, each for itself ---- */

/* Adds one node of Gauss's rule to the Shapley values of a feature. */
static void add_node(const ent_effects *e, const ent_effect_factor *factors, size_t count, double t, double weight,
                     const ent_effect_room *room) {
  double before[ENT_EFFECT_ROWS], *behind = room->behind;
  for (size_t r = 0; r < room->width; r++) {
    behind[count * ENT_EFFECT_ROWS + r] = 1;
    before[r] = weight;
  }
  for (size_t i = count; i > 1; i--) {
    const double *v = room->values + (e->places[factors[i - 1].input] + factors[i - 1].atom) * ENT_EFFECT_ROWS;
    double mean = ent_effect_factor_mean(e, factors[i - 1]);
    for (size_t r = 0; r < room->width; r++)
      behind[(i - 1) * ENT_EFFECT_ROWS + r] = behind[i * ENT_EFFECT_ROWS + r] * (mean + t * v[r]);
  }
  for (size_t i = 0; i < count; i++) {
    const double *v = room->values + (e->places[factors[i].input] + factors[i].atom) * ENT_EFFECT_ROWS;
    double mean = ent_effect_factor_mean(e, factors[i]);
    for (size_t r = 0; r < room->width; r++) {
      room->parts[i * ENT_EFFECT_ROWS + r] += before[r] * v[r] * behind[(i + 1) * ENT_EFFECT_ROWS + r];
      before[r] *= mean + t * v[r];
    }
  }
}

/* A feature of one input, or of two: one node is exact, and what add_node does needs no memory then. */
static void add_single(const ent_effects *e, size_t feature, const ent_effect_room *room) {
  const entropic_model *model = e->model;
  ent_effect_factor one = e->factors[e->starts[feature]];
  const double *v = room->values + (e->places[one.input] + one.atom) * ENT_EFFECT_ROWS, node = e->node_weights[0];
  size_t width = room->width;
  for (size_t k = 0; k < model->scores; k++) {
    double weight = e->weights[k * e->features + feature];
    double *sums = room->sums + (k * e->used + one.input) * ENT_EFFECT_ROWS;
    for (size_t r = 0; r < width; r += LANES)
      store(sums + r, load(sums + r) + weight * (node * load(v + r)));
  }
}

static void add_pair(const ent_effects *e, size_t feature, const ent_effect_room *room) {
  const entropic_model *model = e->model;
  const ent_effect_factor *factors = e->factors + e->starts[feature], one = factors[0], two = factors[1];
  const double *v = room->values + (e->places[one.input] + one.atom) * ENT_EFFECT_ROWS;
  const double *u = room->values + (e->places[two.input] + two.atom) * ENT_EFFECT_ROWS;
  double mean_one = ent_effect_factor_mean(e, one), mean_two = ent_effect_factor_mean(e, two);
  double t = e->nodes[0], node = e->node_weights[0];
  size_t width = room->width;
  for (size_t k = 0; k < model->scores; k++) {
    double weight = e->weights[k * e->features + feature], *all = room->sums + k * e->used * ENT_EFFECT_ROWS;
    double *sums_one = all + one.input * ENT_EFFECT_ROWS, *sums_two = all + two.input * ENT_EFFECT_ROWS;
    for (size_t r = 0; r < width; r += LANES) {
      ent_effect_lanes a = load(v + r), b = load(u + r);
      store(sums_one + r, load(sums_one + r) + weight * (node * a * (mean_two + t * b)));
      store(sums_two + r, load(sums_two + r) + weight * (node * (mean_one + t * a) * b));
    }
  }
}

/* Polls if there was enough work since the last time, with that of now. */
static entropic_status poll_products(entropic_context *context, size_t *work, size_t now) {
  *work += now;
  if (*work < POLL_PRODUCTS)
    return ENTROPIC_OK;
  *work = 0;
  return ent_poll(context);
}

/* Adds the Shapley values of a feature to those of all scores. *work is what was done since the last poll. */
static entropic_status add_feature(entropic_context *context, const ent_effects *e, size_t feature,
                                   const ent_effect_room *room, size_t *work) {
  const entropic_model *model = e->model;
  const ent_effect_factor *factors = e->factors + e->starts[feature];
  size_t count = e->starts[feature + 1] - e->starts[feature], first, nodes = ent_effect_rule(e, count, &first);
  if (count == 0)
    return ENTROPIC_OK;
  if (count <= 2) {
    if (count == 1)
      add_single(e, feature, room);
    else
      add_pair(e, feature, room);
    *work += model->scores * count;
    return ENTROPIC_OK;
  }
  memset(room->parts, 0, count * ENT_EFFECT_ROWS * sizeof *room->parts);
  for (size_t q = first; q < first + nodes; q++) {
    entropic_status status = poll_products(context, work, count);
    if (status != ENTROPIC_OK)
      return status;
    add_node(e, factors, count, e->nodes[q], e->node_weights[q], room);
  }
  for (size_t k = 0; k < model->scores; k++)
    for (size_t i = 0; i < count; i++) {
      double weight = e->weights[k * e->features + feature];
      double *sums = room->sums + (k * e->used + factors[i].input) * ENT_EFFECT_ROWS;
      for (size_t r = 0; r < room->width; r++)
        sums[r] += weight * room->parts[i * ENT_EFFECT_ROWS + r];
    }
  *work += model->scores * count;
  return ENTROPIC_OK;
}

static entropic_status steps_add(entropic_context *context, const ent_effects *e, const ent_effect_room *room) {
  size_t work = 0;
  for (size_t f = 0; f < e->features; f++) {
    entropic_status status = poll_products(context, &work, 0);
    if (status != ENTROPIC_OK)
      return status;
    status = add_feature(context, e, f, room, &work);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* ---- Features that share base atoms: one node ---- */

/* Inverses of base atoms, ratios of all others, and weight times the product of the bases. */
static void set_ratios(const ent_effects *e, double t, double weight, const ent_effect_room *room, double *product) {
  for (size_t r = 0; r < room->width; r++)
    product[r] = weight;
  for (size_t k = 0; k < e->used; k++) {
    const ent_marginal *m = &e->marginals->input[e->inputs[k]];
    double *inverse = room->inverses + k * ENT_EFFECT_ROWS;
    uint32_t base = e->bases->base[k];
    for (size_t r = 0; r < room->width; r++) {
      double b = base == ENT_NO_SLOT ? 1 : m->means[base - e->places[k]] + t * room->values[base * ENT_EFFECT_ROWS + r];
      product[r] *= b;
      inverse[r] = 1 / b;
    }
    for (size_t u = 0; u < m->count; u++) {
      if (e->places[k] + u == base)
        continue;
      const double *v = room->values + (e->places[k] + u) * ENT_EFFECT_ROWS;
      double *ratio = room->ratios + (e->places[k] + u) * ENT_EFFECT_ROWS, mean = m->means[u];
      for (size_t r = 0; r < room->width; r++)
        ratio[r] = (mean + t * v[r]) * inverse[r];
    }
  }
}

/* A feature of three active atoms or more. */
static void base_product(const uint32_t *slots, size_t count, double weight, const ent_effect_room *room, double *sum) {
  double before[ENT_EFFECT_ROWS], *behind = room->behind;
  for (size_t r = 0; r < room->width; r++) {
    behind[count * ENT_EFFECT_ROWS + r] = 1;
    before[r] = weight;
  }
  for (size_t i = count; i > 1; i--)
    for (size_t r = 0; r < room->width; r++)
      behind[(i - 1) * ENT_EFFECT_ROWS + r] =
          behind[i * ENT_EFFECT_ROWS + r] * room->ratios[slots[i - 1] * ENT_EFFECT_ROWS + r];
  for (size_t i = 0; i < count; i++) {
    const double *ratio = room->ratios + slots[i] * ENT_EFFECT_ROWS;
    double *partners = room->partners + slots[i] * ENT_EFFECT_ROWS;
    for (size_t r = 0; r < room->width; r++) {
      partners[r] += before[r] * behind[(i + 1) * ENT_EFFECT_ROWS + r];
      before[r] *= ratio[r];
    }
  }
  for (size_t r = 0; r < room->width; r++)
    sum[r] += before[r];
}

static void base_pair(const uint32_t *slots, double weight, const ent_effect_room *room, double *restrict sum) {
  const double *restrict one = room->ratios + slots[0] * ENT_EFFECT_ROWS, *restrict two =
                                                                              room->ratios + slots[1] * ENT_EFFECT_ROWS;
  double *restrict q = room->partners + slots[0] * ENT_EFFECT_ROWS, *restrict p =
                                                                        room->partners + slots[1] * ENT_EFFECT_ROWS;
  for (size_t r = 0; r < room->width; r++) {
    double part = weight * one[r];
    p[r] += part;
    q[r] += weight * two[r];
    sum[r] += part * two[r];
  }
}

static void base_single(uint32_t slot, double weight, const ent_effect_room *room, double *restrict sum) {
  const double *restrict ratio = room->ratios + slot * ENT_EFFECT_ROWS;
  double *restrict q = room->partners + slot * ENT_EFFECT_ROWS;
  for (size_t r = 0; r < room->width; r++) {
    q[r] += weight;
    sum[r] += weight * ratio[r];
  }
}

/* Those of base atoms are not used. */
static void clear_partners(const ent_effects *e, const ent_effect_room *room) {
  for (size_t k = 0; k < e->used; k++) {
    size_t base = e->bases->base[k], first = e->places[k], end = e->places[k + 1];
    size_t middle = base == ENT_NO_SLOT ? first : base, next = base == ENT_NO_SLOT ? first : base + 1;
    memset(room->partners + first * ENT_EFFECT_ROWS, 0, (middle - first) * ENT_EFFECT_ROWS * sizeof *room->partners);
    memset(room->partners + next * ENT_EFFECT_ROWS, 0, (end - next) * ENT_EFFECT_ROWS * sizeof *room->partners);
  }
}

/* The sums of all features, of one score: over the product of bases, and of what each atom is multiplied by. */
static entropic_status add_features(entropic_context *context, const ent_effects *e, const double *weights,
                                    const ent_effect_room *room, double *sum) {
  const ent_effect_bases *bases = e->bases;
  memset(sum, 0, ENT_EFFECT_ROWS * sizeof *sum);
  clear_partners(e, room);
  for (size_t f = 0; f < e->features; f++) {
    entropic_status status = f % POLL_FEATURES == 0 ? ent_poll(context) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
    const uint32_t *slots = bases->slots + bases->starts[f];
    size_t count = bases->starts[f + 1] - bases->starts[f];
    if (count == 2)
      base_pair(slots, weights[f], room, sum);
    else if (count == 1)
      base_single(slots[0], weights[f], room, sum);
    else
      base_product(slots, count, weights[f], room, sum);
  }
  return ENTROPIC_OK;
}

/* Adds a node to the effects of one score. */
static void add_inputs(const ent_effects *e, const double *product, const double *sum, const ent_effect_room *room,
                       double *sums) {
  for (size_t k = 0; k < e->used; k++) {
    size_t base = e->bases->base[k];
    double with[ENT_EFFECT_ROWS] = {0}, differences[ENT_EFFECT_ROWS] = {0}, *out = sums + k * ENT_EFFECT_ROWS;
    const double *inverse = room->inverses + k * ENT_EFFECT_ROWS;
    for (size_t u = e->places[k]; u < e->places[k + 1]; u++) {
      const double *ratio = room->ratios + u * ENT_EFFECT_ROWS, *partners = room->partners + u * ENT_EFFECT_ROWS,
                   *v = room->values + u * ENT_EFFECT_ROWS;
      for (size_t r = 0; r < room->width && u != base; r++) {
        with[r] += ratio[r] * partners[r];
        differences[r] += v[r] * partners[r];
      }
    }
    for (size_t r = 0; r < room->width && base != ENT_NO_SLOT; r++)
      differences[r] += room->values[base * ENT_EFFECT_ROWS + r] * (sum[r] - with[r]);
    for (size_t r = 0; r < room->width; r++)
      out[r] += product[r] * inverse[r] * differences[r];
  }
}

static entropic_status steps_add_bases(entropic_context *context, const ent_effects *e, const ent_effect_room *room) {
  const entropic_model *model = e->model;
  size_t first, nodes = ent_effect_rule(e, e->most, &first);
  double product[ENT_EFFECT_ROWS], sum[ENT_EFFECT_ROWS];
  for (size_t q = first; q < first + nodes; q++) {
    set_ratios(e, e->nodes[q], e->node_weights[q], room, product);
    for (size_t k = 0; k < model->scores; k++) {
      entropic_status status = add_features(context, e, e->weights + k * e->features, room, sum);
      if (status != ENTROPIC_OK)
        return status;
      add_inputs(e, product, sum, room, room->sums + k * e->used * ENT_EFFECT_ROWS);
    }
  }
  return ENTROPIC_OK;
}

/* ---- Centres ---- */

/* The Shapley values of one product of as many factors as there are inputs in use: room->parts, of the room's sections
 * and their means. */
static void steps_split_product(const ent_effects *e, const ent_effect_room *room) {
  size_t count = e->used, first, nodes = ent_effect_rule(e, count, &first);
  double *behind = room->behind;
  memset(room->parts, 0, count * ENT_EFFECT_ROWS * sizeof *room->parts);
  for (size_t q = first; q < first + nodes; q++) {
    double before[ENT_EFFECT_ROWS], t = e->nodes[q];
    for (size_t r = 0; r < room->width; r++) {
      behind[count * ENT_EFFECT_ROWS + r] = 1;
      before[r] = e->node_weights[q];
    }
    for (size_t i = count; i > 1; i--) {
      const double *v = room->sections + (i - 1) * ENT_EFFECT_ROWS;
      double *to = behind + (i - 1) * ENT_EFFECT_ROWS;
      for (size_t r = 0; r < room->width; r += LANES)
        store(to + r, load(to + ENT_EFFECT_ROWS + r) * (room->means[i - 1] + t * load(v + r)));
    }
    for (size_t i = 0; i < count; i++) {
      const double *v = room->sections + i * ENT_EFFECT_ROWS, *next = behind + (i + 1) * ENT_EFFECT_ROWS;
      double *part = room->parts + i * ENT_EFFECT_ROWS;
      for (size_t r = 0; r < room->width; r += LANES) {
        ent_effect_lanes a = load(v + r), b = load(before + r);
        store(part + r, load(part + r) + b * a * load(next + r));
        store(before + r, b * (room->means[i] + t * a));
      }
    }
  }
}

#define ENT_EFFECT_STEPS                                                                                               \
  .values = steps_values, .add = steps_add, .add_bases = steps_add_bases, .split_product = steps_split_product

#endif
