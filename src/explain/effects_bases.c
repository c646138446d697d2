/* Effects where inputs have a base level that is not constant: laplace, cosh, brownian and the like. There every feature has
 * a factor of every input, but most of them are base atoms, which all features share.
 *
 * At a node t of Gauss's rule let b_d be mean + t * difference of the base atom of input d, P the product of all b_d, and
 * R_u the same of another atom u, divided by the b_d of its input. A feature is then P times the product of R_u over its
 * active atoms. With Q_u, the sum over the features that have u of weight times the product of their other ratios, and S,
 * the sum of all features over P, the node adds to the effect of input d
 *
 *   P / b_d * (v_d * (S - sum over u of d of R_u Q_u) + sum over u of d of v_u Q_u),
 *
 * where v_d and v_u are the differences of its base atom and of its others. So a feature costs what its active atoms cost,
 * not what all inputs do. */
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "explain/effects_rows.h"

#define NO_SLOT UINT32_MAX
#define ROWS ENT_EFFECT_ROWS
#define POLL_FEATURES ((size_t)1 << 14) /* about 1 ms */

struct ent_effect_bases {
  uint32_t *base;  /* [used] the slot of its base atom; NO_SLOT if that is constant */
  size_t *starts;  /* [features + 1] */
  uint32_t *slots; /* active atoms of each feature */
};

void ent_effect_bases_free(ent_effect_bases *bases) {
  if (bases == NULL)
    return;
  ent_delete(bases->base);
  ent_delete(bases->starts);
  ent_delete(bases->slots);
  ent_delete(bases);
}

static void list_bases(const ent_effects *e, ent_effect_bases *bases) {
  const entropic_design *design = e->model->design;
  for (size_t k = 0; k < e->used; k++) {
    size_t input = e->inputs[k];
    bases->base[k] = NO_SLOT;
    if (ent_products_has_base(design, input))
      bases->base[k] =
          (uint32_t)(e->places[k] + ent_marginal_find(&e->marginals->input[input], design->base[input], 0));
  }
}

entropic_status ent_effect_bases_create(entropic_context *context, const ent_effects *e, ent_effect_bases **bases) {
  size_t features = e->model->features, total = 0;
  ent_effect_bases *made = ent_new(context, 1, sizeof *made);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made == NULL)
    goto done;
  made->base = ent_new(context, e->used, sizeof *made->base);
  made->starts = ent_new(context, features + 1, sizeof *made->starts);
  made->slots = ent_new(context, e->starts[features], sizeof *made->slots);
  if (made->base == NULL || made->starts == NULL || made->slots == NULL)
    goto done;
  list_bases(e, made);
  for (size_t f = 0; f < features; f++) {
    for (size_t i = e->starts[f]; i < e->starts[f + 1]; i++) {
      uint32_t slot = (uint32_t)(e->places[e->factors[i].input] + e->factors[i].atom);
      if (slot != made->base[e->factors[i].input])
        made->slots[total++] = slot;
    }
    made->starts[f + 1] = total;
  }
  *bases = made;
  made = NULL;
  status = ENTROPIC_OK;
done:
  ent_effect_bases_free(made);
  return status;
}

/* A base atom is divided by: between its mean and its value it must not pass zero. */
bool ent_effect_bases_suit(const ent_effects *e, const ent_effect_room *room) {
  for (size_t k = 0; k < e->used; k++) {
    uint32_t base = e->bases->base[k];
    if (base == NO_SLOT)
      continue;
    double mean = e->marginals->input[e->inputs[k]].means[base - e->places[k]];
    for (size_t r = 0; r < room->width; r++) {
      double value = mean + room->values[base * ROWS + r];
      if (!(mean > 0 ? value >= 0 : mean < 0 && value <= 0))
        return false;
    }
  }
  return true;
}

/* ---- One node ---- */

/* Inverses of base atoms, ratios of all others, and weight times the product of the bases. */
static void set_ratios(const ent_effects *e, double t, double weight, const ent_effect_room *room, double *product) {
  for (size_t r = 0; r < room->width; r++)
    product[r] = weight;
  for (size_t k = 0; k < e->used; k++) {
    const ent_marginal *m = &e->marginals->input[e->inputs[k]];
    double *inverse = room->inverses + k * ROWS;
    uint32_t base = e->bases->base[k];
    for (size_t r = 0; r < room->width; r++) {
      double b = base == NO_SLOT ? 1 : m->means[base - e->places[k]] + t * room->values[base * ROWS + r];
      product[r] *= b;
      inverse[r] = 1 / b;
    }
    for (size_t u = 0; u < m->count; u++) {
      if (e->places[k] + u == base)
        continue;
      const double *v = room->values + (e->places[k] + u) * ROWS;
      double *ratio = room->ratios + (e->places[k] + u) * ROWS, mean = m->means[u];
      for (size_t r = 0; r < room->width; r++)
        ratio[r] = (mean + t * v[r]) * inverse[r];
    }
  }
}

/* A feature of three active atoms or more. */
static void add_product(const uint32_t *slots, size_t count, double weight, const ent_effect_room *room, double *sum) {
  double before[ROWS], *behind = room->behind;
  for (size_t r = 0; r < room->width; r++) {
    behind[count * ROWS + r] = 1;
    before[r] = weight;
  }
  for (size_t i = count; i > 1; i--)
    for (size_t r = 0; r < room->width; r++)
      behind[(i - 1) * ROWS + r] = behind[i * ROWS + r] * room->ratios[slots[i - 1] * ROWS + r];
  for (size_t i = 0; i < count; i++) {
    const double *ratio = room->ratios + slots[i] * ROWS;
    double *partners = room->partners + slots[i] * ROWS;
    for (size_t r = 0; r < room->width; r++) {
      partners[r] += before[r] * behind[(i + 1) * ROWS + r];
      before[r] *= ratio[r];
    }
  }
  for (size_t r = 0; r < room->width; r++)
    sum[r] += before[r];
}

static void add_pair(const uint32_t *slots, double weight, const ent_effect_room *room, double *restrict sum) {
  const double *restrict one = room->ratios + slots[0] * ROWS, *restrict two = room->ratios + slots[1] * ROWS;
  double *restrict q = room->partners + slots[0] * ROWS, *restrict p = room->partners + slots[1] * ROWS;
  for (size_t r = 0; r < room->width; r++) {
    double part = weight * one[r];
    p[r] += part;
    q[r] += weight * two[r];
    sum[r] += part * two[r];
  }
}

static void add_single(uint32_t slot, double weight, const ent_effect_room *room, double *restrict sum) {
  const double *restrict ratio = room->ratios + slot * ROWS;
  double *restrict q = room->partners + slot * ROWS;
  for (size_t r = 0; r < room->width; r++) {
    q[r] += weight;
    sum[r] += weight * ratio[r];
  }
}

/* Those of base atoms are not used. */
static void clear_partners(const ent_effects *e, const ent_effect_room *room) {
  for (size_t k = 0; k < e->used; k++) {
    size_t base = e->bases->base[k], first = e->places[k], end = e->places[k + 1];
    size_t middle = base == NO_SLOT ? first : base, next = base == NO_SLOT ? first : base + 1;
    memset(room->partners + first * ROWS, 0, (middle - first) * ROWS * sizeof *room->partners);
    memset(room->partners + next * ROWS, 0, (end - next) * ROWS * sizeof *room->partners);
  }
}

/* The sums of all features, of one score: over the product of bases, and of what each atom is multiplied by. */
static entropic_status add_features(entropic_context *context, const ent_effects *e, const double *weights,
                                    const ent_effect_room *room, double *sum) {
  const ent_effect_bases *bases = e->bases;
  memset(sum, 0, ROWS * sizeof *sum);
  clear_partners(e, room);
  for (size_t f = 0; f < e->model->features; f++) {
    entropic_status status = f % POLL_FEATURES == 0 ? ent_poll(context) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
    const uint32_t *slots = bases->slots + bases->starts[f];
    size_t count = bases->starts[f + 1] - bases->starts[f];
    if (count == 2)
      add_pair(slots, weights[f], room, sum);
    else if (count == 1)
      add_single(slots[0], weights[f], room, sum);
    else
      add_product(slots, count, weights[f], room, sum);
  }
  return ENTROPIC_OK;
}

/* Adds a node to the effects of one score. */
static void add_inputs(const ent_effects *e, const double *product, const double *sum, const ent_effect_room *room,
                       double *sums) {
  for (size_t k = 0; k < e->used; k++) {
    size_t base = e->bases->base[k];
    double with[ROWS] = {0}, differences[ROWS] = {0}, *out = sums + k * ROWS;
    const double *inverse = room->inverses + k * ROWS;
    for (size_t u = e->places[k]; u < e->places[k + 1]; u++) {
      const double *ratio = room->ratios + u * ROWS, *partners = room->partners + u * ROWS,
                   *v = room->values + u * ROWS;
      for (size_t r = 0; r < room->width && u != base; r++) {
        with[r] += ratio[r] * partners[r];
        differences[r] += v[r] * partners[r];
      }
    }
    for (size_t r = 0; r < room->width && base != NO_SLOT; r++)
      differences[r] += room->values[base * ROWS + r] * (sum[r] - with[r]);
    for (size_t r = 0; r < room->width; r++)
      out[r] += product[r] * inverse[r] * differences[r];
  }
}

entropic_status ent_effect_bases_add(entropic_context *context, const ent_effects *e, const ent_effect_room *room) {
  const entropic_model *model = e->model;
  size_t first, nodes = ent_effect_rule(e, e->most, &first);
  double product[ROWS], sum[ROWS];
  for (size_t q = first; q < first + nodes; q++) {
    set_ratios(e, e->nodes[q], e->node_weights[q], room, product);
    for (size_t k = 0; k < model->scores; k++) {
      entropic_status status = add_features(context, e, model->weights + k * model->features, room, sum);
      if (status != ENTROPIC_OK)
        return status;
      add_inputs(e, product, sum, room, room->sums + k * e->used * ROWS);
    }
  }
  return ENTROPIC_OK;
}
