/* The largest eigenvalue of what a design leaves of the kernel: see remainder.h.
 *
 * The Gram matrix of products is the tensor product of those of one input. There an atom meets at most one atom of each
 * coarser level, so that 2^L atoms have only about L 2^L pairs that are not 0. The products up to a weight are no full
 * grid, so inputs cannot simply be taken in turn: on the way from a coarse level to a fine one the weight could pass the
 * depth. Each matrix of one input is therefore split into its part U from fine to coarse levels, with the diagonal, and
 * its part L from coarse to fine ones. U comes before the other inputs, L after them, and the weight never passes the
 * depth. */
#include "claims/remainder.h"

#include <string.h>

#include "base/progress.h"

#define STEPS 8 /* of Lanczos: more of them change less than 1e-5 of the eigenvalue */

/* One level of an input: boundary atoms come first, one a level, then hats. */
typedef struct ent_gram_level {
  int order; /* of hats; 0 for a boundary atom */
  size_t atoms;
  double *gram[ENT_REMAINDER_LEVELS]; /* of each atom with the one it meets of level 0, 1, .. up to this one */
} ent_gram_level;

/* One choice of a level for each input. */
typedef struct ent_product_group {
  size_t levels[ENT_REMAINDER_INPUTS];
  size_t first, size; /* its products, the last input fastest */
} ent_product_group;

struct ent_remainder {
  size_t inputs, level_count;
  int depth;
  ent_gram_level levels[ENT_REMAINDER_LEVELS];
  size_t level_of[ENT_REMAINDER_LEVELS]; /* the level that holds a level of the kernel */
  double *gram;                          /* of all levels */
  size_t group_count, product_count;
  ent_product_group *groups;
  size_t *group_at; /* group by its levels, level_count^inputs */
  bool *missing;    /* of each product: the design does not have it */
  double *vectors;  /* of Lanczos, and two for each input */
};

/* ---- One input --------------------------------------------------------------------------------------------- */

static size_t parent_of(const ent_gram_level *fine, const ent_gram_level *coarse, size_t atom) {
  return coarse->order == 0 ? 0 : atom >> (fine->order - coarse->order);
}

static double atom_at(const ent_claim_axis *axis, size_t level, size_t atom, double x) {
  if (level < axis->boundaries)
    return ent_boundary_at(axis, level, x);
  return ent_hat_at(axis, (int)(level - axis->boundaries) + 1, atom, x);
}

/* The integral of the product of two atoms over the support of the finer one. Each half takes four points of Gauss and
 * Legendre: exact for polynomials of degree 7, so also for products of lines. */
static double integrate(const ent_claim_axis *axis, const ent_gram_level *levels, const size_t level[2], size_t atom) {
  static const double nodes[] = {0.33998104358485626, 0.86113631159405258};
  static const double weights[] = {0.65214515486254614, 0.34785484513745386};
  const ent_gram_level *fine = &levels[level[0]];
  size_t parent = parent_of(fine, &levels[level[1]], atom);
  double width = fine->order == 0 ? 0.5 : ldexp(1, -fine->order), sum = 0;
  double left = fine->order == 0 ? 0 : 2 * (double)atom * width;
  for (int i = 0; i < 8; i++) {
    double middle = left + width * (i < 4 ? 0.5 : 1.5);
    double x = middle + width / 2 * nodes[i % 2] * (i % 4 < 2 ? 1 : -1);
    sum += weights[i % 2] * width / 2 * atom_at(axis, level[0], atom, x) * atom_at(axis, level[1], parent, x);
  }
  return sum;
}

static entropic_status fill_gram(entropic_context *context, const ent_claim_axis *axis, ent_remainder *r) {
  size_t total = 0;
  for (size_t v = 0; v < r->level_count; v++)
    total += (v + 1) * r->levels[v].atoms;
  double *at = r->gram = ent_new(context, total, sizeof *at);
  if (at == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t v = 0; v < r->level_count; v++)
    for (size_t u = 0; u <= v; u++) {
      r->levels[v].gram[u] = at;
      for (size_t i = 0; i < r->levels[v].atoms; i++)
        *at++ = integrate(axis, r->levels, (const size_t[]){v, u}, i);
    }
  return ENTROPIC_OK;
}

/* ---- Products ---------------------------------------------------------------------------------------------- */

static int weight_of(const ent_remainder *r, const size_t *levels) {
  int weight = 0;
  for (size_t d = 0; d < r->inputs; d++)
    weight += r->levels[levels[d]].order > 0 ? r->levels[levels[d]].order - 1 : 0;
  return weight;
}

static size_t place_of(const ent_remainder *r, const size_t *levels) {
  size_t place = 0;
  for (size_t d = 0; d < r->inputs; d++)
    place = place * r->level_count + levels[d];
  return place;
}

/* All groups of weight at most the depth. */
static entropic_status list_groups(entropic_context *context, ent_remainder *r) {
  size_t places = 1;
  for (size_t d = 0; d < r->inputs; d++)
    places *= r->level_count;
  r->groups = ent_new(context, places, sizeof *r->groups);
  r->group_at = ent_new(context, places, sizeof *r->group_at);
  if (r->groups == NULL || r->group_at == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t place = 0; place < places; place++) {
    ent_product_group group = {.first = r->product_count, .size = 1};
    for (size_t d = r->inputs, rest = place; d-- > 0; rest /= r->level_count) {
      group.levels[d] = rest % r->level_count;
      group.size *= r->levels[group.levels[d]].atoms;
    }
    if (weight_of(r, group.levels) > r->depth)
      continue;
    r->group_at[place] = r->group_count;
    r->groups[r->group_count++] = group;
    r->product_count += group.size;
  }
  return ENTROPIC_OK;
}

entropic_status ent_remainder_create(entropic_context *context, const ent_claim_axis *axis, size_t inputs, int depth,
                                     ent_remainder **remainder) {
  ent_remainder *r = ent_new(context, 1, sizeof *r);
  if (r == NULL)
    return ENTROPIC_NO_MEMORY;
  r->inputs = inputs;
  r->depth = depth;
  for (size_t j = 0; j < axis->boundaries; j++) {
    r->level_of[axis->boundary[j]] = r->level_count;
    r->levels[r->level_count++] = (ent_gram_level){.atoms = 1};
  }
  for (int l = 1; l <= depth + 1; l++) {
    r->level_of[axis->hats[l]] = r->level_count;
    r->levels[r->level_count++] = (ent_gram_level){.order = l, .atoms = (size_t)1 << (l - 1)};
  }
  entropic_status status = fill_gram(context, axis, r);
  if (status != ENTROPIC_OK)
    goto fail;
  status = list_groups(context, r);
  if (status != ENTROPIC_OK)
    goto fail;
  r->missing = ent_new(context, r->product_count, sizeof *r->missing);
  r->vectors = ent_new_matrix(context, 3 + 2 * inputs, r->product_count, sizeof *r->vectors);
  status = r->missing != NULL && r->vectors != NULL ? ENTROPIC_OK : ENTROPIC_NO_MEMORY;
  if (status != ENTROPIC_OK)
    goto fail;
  *remainder = r;
  return ENTROPIC_OK;
fail:
  ent_remainder_free(r);
  return status;
}

void ent_remainder_free(ent_remainder *remainder) {
  if (remainder == NULL)
    return;
  ent_delete(remainder->gram);
  ent_delete(remainder->groups);
  ent_delete(remainder->group_at);
  ent_delete(remainder->missing);
  ent_delete(remainder->vectors);
  ent_delete(remainder);
}

/* Which products the design lacks. */
static entropic_status mark_missing(entropic_context *context, const entropic_design *design, ent_remainder *r) {
  memset(r->missing, true, r->product_count * sizeof *r->missing);
  for (size_t g = 0; g < entropic_design_groups(design); g++) {
    entropic_group info;
    size_t levels[ENT_REMAINDER_INPUTS];
    entropic_status status = ent_design_group(context, design, g, &info);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t d = 0, term = 0; d < r->inputs; d++) {
      bool active = term < info.terms_count && info.terms[term].input == d;
      levels[d] = r->level_of[active ? info.terms[term++].level : entropic_design_base(design, d)];
    }
    if (weight_of(r, levels) > r->depth)
      continue;
    const ent_product_group *group = &r->groups[r->group_at[place_of(r, levels)]];
    for (size_t k = 0; k < info.features; k++)
      r->missing[group->first + (info.members != NULL ? info.members[k] : k)] = false;
  }
  return ENTROPIC_OK;
}

/* ---- The Gram matrix times a vector ------------------------------------------------------------------------ */

/* The products of one group, seen along one input. */
typedef struct ent_block_shape {
  size_t outer, inner;
} ent_block_shape;

static ent_block_shape shape_along(const ent_remainder *r, const ent_product_group *group, size_t input) {
  ent_block_shape shape = {1, 1};
  for (size_t d = 0; d < r->inputs; d++)
    *(d < input ? &shape.outer : &shape.inner) *= d == input ? 1 : r->levels[group->levels[d]].atoms;
  return shape;
}

/* y += U x, up from fine to coarse levels of one input; or y += L x, down from coarse to fine ones. */
typedef struct ent_gram_sweep {
  size_t input;
  bool up;
  const double *x;
  double *y;
} ent_gram_sweep;

/* The part of a group and of the one that has another level, no finer, of this input. */
static void sweep_pair(const ent_remainder *r, const ent_gram_sweep *sweep, const ent_product_group *fine,
                       size_t level) {
  size_t levels[ENT_REMAINDER_INPUTS];
  memcpy(levels, fine->levels, sizeof levels);
  levels[sweep->input] = level;
  const ent_product_group *coarse = &r->groups[r->group_at[place_of(r, levels)]];
  const ent_gram_level *own = &r->levels[fine->levels[sweep->input]], *other = &r->levels[level];
  const double *gram = own->gram[level];
  ent_block_shape shape = shape_along(r, fine, sweep->input);
  for (size_t o = 0; o < shape.outer; o++)
    for (size_t i = 0; i < own->atoms; i++) {
      size_t in_coarse = coarse->first + (o * other->atoms + parent_of(own, other, i)) * shape.inner;
      size_t in_fine = fine->first + (o * own->atoms + i) * shape.inner;
      const double *x = sweep->x + (sweep->up ? in_fine : in_coarse);
      double *y = sweep->y + (sweep->up ? in_coarse : in_fine), factor = gram[i];
      for (size_t k = 0; k < shape.inner; k++)
        y[k] += factor * x[k];
    }
}

static void sweep_all(const ent_remainder *r, size_t input, bool up, const double *x, double *y) {
  const ent_gram_sweep sweep = {.input = input, .up = up, .x = x, .y = y};
  for (size_t g = 0; g < r->group_count; g++) {
    size_t end = r->groups[g].levels[input] + (up ? 1 : 0); /* the diagonal goes up */
    for (size_t level = 0; level < end; level++)
      sweep_pair(r, &sweep, &r->groups[g], level);
  }
}

/* y = Gram x over this input and all later ones. */
static void multiply(const ent_remainder *r, size_t input, const double *x, double *y) {
  size_t bytes = r->product_count * sizeof *y;
  if (input + 1 == r->inputs || input + 1 == ENT_REMAINDER_INPUTS) {
    memset(y, 0, bytes);
    sweep_all(r, input, true, x, y);
    sweep_all(r, input, false, x, y);
    return;
  }
  double *first = r->vectors + (3 + 2 * input) * r->product_count, *second = first + r->product_count;
  memset(first, 0, bytes);
  sweep_all(r, input, true, x, first);
  multiply(r, input + 1, first, y);
  multiply(r, input + 1, x, second);
  sweep_all(r, input, false, second, y);
}

/* ---- Lanczos ----------------------------------------------------------------------------------------------- */

/* The largest eigenvalue of a tridiagonal matrix, by bisection: above it all pivots are negative. */
static double largest_of(const double *alpha, const double *beta, size_t count) {
  double low = 0, high = 0;
  for (size_t i = 0; i < count; i++)
    high = ent_worse(high, fabs(alpha[i]) + (i > 0 ? beta[i - 1] : 0) + (i + 1 < count ? beta[i] : 0));
  for (int step = 0; step < 60; step++) {
    double middle = (low + high) / 2, pivot = alpha[0] - middle;
    bool above = pivot < 0;
    for (size_t i = 1; above && i < count; i++) {
      pivot = alpha[i] - middle - beta[i - 1] * beta[i - 1] / pivot;
      above = pivot < 0;
    }
    *(above ? &high : &low) = middle;
  }
  return high;
}

static double dot(const double *x, const double *y, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += x[i] * y[i];
  return sum;
}

/* Starts from the sum of all products that are left. Where k - k_M is nowhere negative, neither is its first
 * eigenfunction, and this sum is not orthogonal to it. That is so for bridge, and for centred with omega 4: hats are not
 * negative, and both boundary atoms together give 1 + 4 (x - 1/2)(y - 1/2) >= 0 and sum to 2x. */
static void start_vectors(const ent_remainder *r, double *last, double *now) {
  double norm = 0;
  for (size_t i = 0; i < r->product_count; i++) {
    last[i] = 0;
    now[i] = r->missing[i] ? 1 : 0;
    norm += now[i];
  }
  for (size_t i = 0; i < r->product_count; i++)
    now[i] /= sqrt(norm);
}

entropic_status ent_remainder_eigenvalue(entropic_context *context, ent_remainder *remainder,
                                         const entropic_design *design, double *value) {
  size_t count = remainder->product_count, steps = 0;
  double *last = remainder->vectors, *now = last + count, *next = now + count;
  double alpha[STEPS], beta[STEPS];
  entropic_status status = mark_missing(context, design, remainder);
  if (status != ENTROPIC_OK)
    return status;
  start_vectors(remainder, last, now);
  while (steps < STEPS) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    multiply(remainder, 0, now, next);
    for (size_t i = 0; i < count; i++)
      next[i] = remainder->missing[i] ? next[i] - (steps > 0 ? beta[steps - 1] * last[i] : 0) : 0;
    alpha[steps] = dot(now, next, count);
    for (size_t i = 0; i < count; i++)
      next[i] -= alpha[steps] * now[i];
    beta[steps] = sqrt(dot(next, next, count));
    if (!(beta[steps++] > 1e-13 * alpha[0])) /* the start lies in a smaller invariant space */
      break;
    double *former = last;
    last = now;
    now = next;
    next = former;
    for (size_t i = 0; i < count; i++)
      now[i] /= beta[steps - 1];
  }
  *value = largest_of(alpha, beta, steps);
  return ENTROPIC_OK;
}
