/* The steps on whole tiles, in plain C. Every file that includes this is compiled for another processor, so that the
 * compiler turns the same lines into code of another width: the operations, and so the bits, are the same. For few rows
 * there are tiles of one row, ENT_WIDTH 1. */
#ifndef ENT_LIFT_STEPS_H
#define ENT_LIFT_STEPS_H

#include "axis/hyperbolic.h"
#include "lift/lift.h"

#ifndef ENT_WIDTH
#define ENT_WIDTH ENT_TILE
#endif

typedef double *restrict ent_out;
typedef const double *restrict ent_in;

static inline void step_line(double scale, double centre, ent_in x, ent_out out) {
  for (size_t r = 0; r < ENT_WIDTH; r++)
    out[r] = scale * (x[r] - centre);
}

/* Level 1: the only cell is all of [0,1]. Twice the scale times half the height is the same product, to the bit. */
static inline void step_root_hat(double scale, ent_in x, ent_out out) {
  double twice = 2 * scale;
  for (size_t r = 0; r < ENT_WIDTH; r++) {
    double rest = 1 - x[r];
    out[r] = twice * (x[r] < rest ? x[r] : rest);
  }
}

/* Hats of level 2 and deeper. */
static inline void step_hat(double scale, double cells, ent_in x, ent_out atoms, ent_out out) {
  double twice = 2 * scale, last = cells - 1;
  for (size_t r = 0; r < ENT_WIDTH; r++) {
    double u = x[r] * cells;
    double cell = floor(u);
    cell = cell < last ? cell : last;
    double f = u - cell, rest = 1 - f;
    atoms[r] = cell;
    out[r] = twice * (f < rest ? f : rest);
  }
}

/* One of them alone, 0 outside its cell: there the smaller height is no longer positive. */
static inline void step_one_hat(double scale, double cells, double cell, ent_in x, ent_out out) {
  double twice = 2 * scale;
  for (size_t r = 0; r < ENT_WIDTH; r++) {
    double f = x[r] * cells - cell, rest = 1 - f;
    double height = f < rest ? f : rest;
    out[r] = twice * (height > 0 ? height : 0);
  }
}

/* What a level of hyperbolic atoms makes of heights, or of x itself. */
static inline void step_hyperbolic(const ent_level *level, ent_in in, ent_out out) {
  switch (level->shape) {
  case ENT_SHAPE_SMALL_SINH_HAT:
    for (size_t r = 0; r < ENT_WIDTH; r++)
      out[r] = ent_small_sinh_hat_at(level, in[r]);
    break;
  case ENT_SHAPE_SINH_HAT:
    for (size_t r = 0; r < ENT_WIDTH; r++)
      out[r] = ent_sinh_hat_at(level, in[r]);
    break;
  case ENT_SHAPE_EVEN:
    for (size_t r = 0; r < ENT_WIDTH; r++)
      out[r] = ent_even_at(level, in[r]);
    break;
  case ENT_SHAPE_SMALL_EVEN:
    for (size_t r = 0; r < ENT_WIDTH; r++)
      out[r] = ent_small_even_at(level, in[r]);
    break;
  case ENT_SHAPE_SMALL_ODD:
    for (size_t r = 0; r < ENT_WIDTH; r++)
      out[r] = ent_small_odd_at(level, in[r]);
    break;
  default:
    for (size_t r = 0; r < ENT_WIDTH; r++)
      out[r] = ent_odd_at(level, in[r]);
  }
}

static inline void step_other_factor(const ent_factor *factor, ent_in x, ent_out atoms, ent_out out) {
  const ent_level level = *factor->level; /* a copy: the compiler sees that writing results cannot change it */
  double heights[ENT_WIDTH] __attribute__((aligned(64)));
  uint32_t numbers[ENT_WIDTH];
  switch (level.shape) {
  case ENT_SHAPE_SMALL_SINH_HAT:
  case ENT_SHAPE_SINH_HAT:
    step_hat(1, (double)level.info.atoms, x, atoms, heights);
    step_hyperbolic(&level, heights, out);
    break;
  case ENT_SHAPE_EVEN:
  case ENT_SHAPE_SMALL_EVEN:
  case ENT_SHAPE_ODD:
  case ENT_SHAPE_SMALL_ODD:
    step_hyperbolic(&level, x, out);
    break;
  default:
    level.evaluate(factor->axis, factor->level, x, ENT_WIDTH, numbers, out);
    for (size_t r = 0; r < ENT_WIDTH; r++)
      atoms[r] = numbers[r];
  }
}

static inline void step_factor(const ent_factor *factor, ent_in x, ent_out atoms, ent_out out) {
  const ent_level *level = factor->level;
  if (level->shape == ENT_SHAPE_LINE)
    step_line(level->scale, level->centre, x, out);
  else if (level->shape == ENT_SHAPE_HAT && level->info.order == 1)
    step_root_hat(level->scale, x, out);
  else if (level->shape == ENT_SHAPE_HAT)
    step_hat(level->scale, (double)level->info.atoms, x, atoms, out);
  else
    step_other_factor(factor, x, atoms, out);
}

static inline void step_multiply(ent_in a, ent_in b, ent_out out) {
  for (size_t r = 0; r < ENT_WIDTH; r++)
    out[r] = a[r] * b[r];
}

static inline void step_copy(ent_in from, ent_out out) {
  for (size_t r = 0; r < ENT_WIDTH; r++)
    out[r] = from[r];
}

/* One input's base joins the product of all, and its other factors are divided by it, once for all of them. */
static inline void step_base(ent_in base, ent_out product, ent_out inverse) {
  for (size_t r = 0; r < ENT_WIDTH; r++) {
    product[r] = product[r] * base[r];
    inverse[r] = base[r] == 0 ? 0 : 1 / base[r]; /* then all features are 0, or the row is computed with care */
  }
}

/* The atom of a group from those of its parent and its last factor. */
static inline void step_combine(ent_in parent, ent_in last, double radix, ent_out out) {
  for (size_t r = 0; r < ENT_WIDTH; r++)
    out[r] = parent[r] * radix + last[r];
}

/* A column holds a row's value if the row's atom is that column's. */
static inline void step_select(ent_in values, ent_in atoms, double atom, ent_out out) {
  for (size_t r = 0; r < ENT_WIDTH; r++) {
    double value = values[r]; /* read in any case: a conditional read makes the compiler's code slower */
    out[r] = atoms[r] == atom ? value : 0;
  }
}

static inline void step_value(entropic_workspace *workspace, const ent_node *node, ent_out out) {
  const double *slots = workspace->slots, *x = workspace->columns + (size_t)node->column * ENT_WIDTH;
  if (node->step == ENT_STEP_LINE)
    step_line(node->scale, node->centre, x, out);
  else if (node->step == ENT_STEP_HAT)
    step_root_hat(node->scale, x, out);
  else if (node->step == ENT_STEP_HATS)
    step_hat(node->scale, node->centre, x, workspace->atoms + (size_t)node->atoms * ENT_WIDTH, out);
  else
    step_multiply(slots + (size_t)node->parent * ENT_WIDTH, slots + (size_t)node->factor_slot * ENT_WIDTH, out);
}

/* Keeps what other nodes build on: the vector, and the atoms if they are new. */
static inline void step_keep(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *node,
                             ent_in values) {
  if (node->store != ENT_NONE)
    step_copy(values, workspace->slots + (size_t)node->store * ENT_WIDTH);
  if (node->factor != ENT_NONE)
    step_combine(workspace->atoms + (size_t)node->parent_atoms * ENT_WIDTH,
                 workspace->atoms + (size_t)lift->factors[node->factor].atom_slot * ENT_WIDTH,
                 (double)lift->factors[node->factor].level->info.atoms,
                 workspace->atoms + (size_t)node->atoms * ENT_WIDTH);
}

static bool steps_clamp(const entropic_lift *lift, double *columns, uint32_t *rare) {
  double nonsense[ENT_WIDTH] = {0}, tiny[ENT_WIDTH] = {0};
  for (size_t c = 0; c < lift->column_count; c++) {
    double *restrict column = columns + c * ENT_WIDTH;
    for (size_t r = 0; r < ENT_WIDTH; r++) {
      double value = column[r];
      nonsense[r] += 0 * value; /* NaN for NaN and infinity */
      value = value > 0 ? value : 0;
      value = value < 1 ? value : 1;
      tiny[r] += value > 0 && value < ENT_TINY ? 1 : 0;
      column[r] = value;
    }
  }
  double all = 0;
  for (size_t r = 0; r < ENT_WIDTH; r++) {
    all += nonsense[r];
    *rare |= (uint32_t)(tiny[r] > 0) << r;
  }
  return all == 0;
}

static void steps_factors(const entropic_lift *lift, entropic_workspace *workspace) {
  for (uint32_t f = 0; f < lift->factor_count; f++) {
    const ent_factor *factor = &lift->factors[f];
    if (factor->in_slot)
      step_factor(factor, workspace->columns + (size_t)factor->values * ENT_WIDTH,
                  workspace->atoms + (size_t)factor->atom_slot * ENT_WIDTH,
                  workspace->slots + (size_t)factor->slot * ENT_WIDTH);
  }
}

static inline double *spread(const ent_node *node, ent_in values, const double *atoms, double *out, size_t stride) {
  for (int32_t k = 0; k < node->count; k++, out += stride)
    step_select(values, atoms, k, out);
  return out;
}

static inline void write_few(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *nodes,
                             size_t count, double *out, size_t stride) {
  for (size_t i = 0; i < count; i++) {
    const ent_node *node = &nodes[i];
    if (node->lookup == ENT_LOOKUP_ONE) {
      step_value(workspace, node, out);
      step_keep(lift, workspace, node, out);
      out += stride;
      continue;
    }
    double values[ENT_WIDTH] __attribute__((aligned(64)));
    step_value(workspace, node, values);
    step_keep(lift, workspace, node, values);
    out = spread(node, values, workspace->atoms + (size_t)node->atoms * ENT_WIDTH, out, stride);
  }
}

static void steps_bases(const entropic_lift *lift, entropic_workspace *workspace) {
  double *slots = workspace->slots, *root = slots + ENT_WIDTH;
  for (size_t r = 0; r < ENT_WIDTH; r++)
    root[r] = 1;
  for (uint32_t i = 0; i < lift->base_count; i++)
    step_base(slots + (size_t)lift->factors[lift->bases[i]].slot * ENT_WIDTH, root,
              workspace->inverses + (size_t)lift->bases[i] * ENT_WIDTH);
  for (uint32_t f = 0; f < lift->factor_count; f++) {
    const ent_factor *factor = &lift->factors[f];
    double *values = slots + (size_t)factor->slot * ENT_WIDTH, quotients[ENT_WIDTH] __attribute__((aligned(64)));
    if (factor->base == ENT_NONE)
      continue;
    step_multiply(values, workspace->inverses + (size_t)factor->base * ENT_WIDTH, quotients);
    step_copy(quotients, values);
  }
}

/* How far the exponent of a value is from 0; for 0 itself 0. */
static inline int64_t exponent_size(double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  int64_t exponent = ((bits >> 52) & 0x7ff) - 1023;
  exponent = exponent < 0 ? -exponent : exponent;
  return value == 0 ? 0 : exponent;
}

/* Where the base of an input vanishes and nothing else of it does not, as hats do on the faces of the cube, all features
 * are 0 and need no care. */
static uint32_t steps_rare(const entropic_lift *lift, entropic_workspace *workspace) {
  int64_t *largest = workspace->exponents, sum[ENT_WIDTH] = {0};
  memset(largest, 0, (size_t)lift->column_count * ENT_WIDTH * sizeof *largest);
  for (uint32_t f = 0; f < lift->factor_count; f++) {
    const double *restrict values = workspace->slots + (size_t)lift->factors[f].slot * ENT_WIDTH;
    int64_t *restrict of_input = largest + (size_t)lift->factors[f].column * ENT_WIDTH;
    for (size_t r = 0; r < ENT_WIDTH; r++) {
      int64_t size = exponent_size(values[r]);
      of_input[r] = size > of_input[r] ? size : of_input[r];
    }
  }
  for (uint32_t f = 0; f < lift->factor_count; f++) {
    if (lift->factors[f].base == ENT_NONE)
      continue;
    const double *restrict values = workspace->slots + (size_t)lift->factors[f].slot * ENT_WIDTH;
    const double *restrict base = workspace->slots + (size_t)lift->factors[lift->factors[f].base].slot * ENT_WIDTH;
    for (size_t r = 0; r < ENT_WIDTH; r++)
      sum[r] += base[r] == 0 && values[r] != 0 ? ENT_SAFE_EXPONENTS + 1 : 0;
  }
  for (uint32_t c = 0; c < lift->column_count; c++)
    for (size_t r = 0; r < ENT_WIDTH; r++)
      sum[r] += largest[(size_t)c * ENT_WIDTH + r];
  uint32_t rare = 0;
  for (size_t r = 0; r < ENT_WIDTH; r++)
    rare |= (uint32_t)(sum[r] > ENT_SAFE_EXPONENTS) << r;
  return rare;
}

/* The common steps have loops of their own: with so little to do for a column, deciding what to do would take as long. */
static void steps_columns(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *nodes, size_t count,
                          double *out, size_t stride) {
  const double *columns = workspace->columns, *slots = workspace->slots, *atoms = workspace->atoms;
  switch (nodes->step) {
  case ENT_STEP_LINE:
    for (size_t i = 0; i < count; i++)
      step_line(nodes[i].scale, nodes[i].centre, columns + (size_t)nodes[i].column * ENT_WIDTH, out + i * stride);
    break;
  case ENT_STEP_HAT:
    for (size_t i = 0; i < count; i++)
      step_root_hat(nodes[i].scale, columns + (size_t)nodes[i].column * ENT_WIDTH, out + i * stride);
    break;
  case ENT_STEP_HATS:
    for (size_t i = 0; i < count; i++)
      for (int32_t k = 0; k < nodes[i].count; k++, out += stride)
        step_one_hat(nodes[i].scale, nodes[i].centre, k, columns + (size_t)nodes[i].column * ENT_WIDTH, out);
    break;
  case ENT_STEP_PRODUCT:
    for (size_t i = 0; i < count; i++)
      step_multiply(slots + (size_t)nodes[i].parent * ENT_WIDTH, slots + (size_t)nodes[i].factor_slot * ENT_WIDTH,
                    out + i * stride);
    break;
  case ENT_STEP_SPREAD:
    for (size_t i = 0; i < count; i++)
      out = spread(&nodes[i], slots + (size_t)nodes[i].factor_slot * ENT_WIDTH,
                   atoms + (size_t)nodes[i].atoms * ENT_WIDTH, out, stride);
    break;
  default:
    write_few(lift, workspace, nodes, count, out, stride);
  }
}

static void steps_vectors(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *nodes, size_t count,
                          double *out) {
  for (size_t i = 0; i < count; i++) {
    step_value(workspace, &nodes[i], out + i * ENT_WIDTH);
    step_keep(lift, workspace, &nodes[i], out + i * ENT_WIDTH);
  }
}

#if ENT_WIDTH % 4 == 0
/* A quarter of a tile, as one value: kept in registers over all columns, whatever their width. */
typedef double ent_quarter __attribute__((vector_size(ENT_WIDTH / 4 * sizeof(double)), may_alias));

static void steps_add(const double *vectors, const int32_t *columns, size_t count, const double *weights,
                      double *sums) {
  ent_quarter *to = (ent_quarter *)(void *)sums, a = to[0], b = to[1], c = to[2], d = to[3];
  for (size_t i = 0; i < count; i++) {
    const ent_quarter *from = (const ent_quarter *)(const void *)(vectors + i * ENT_WIDTH);
    double weight = weights[columns[i]];
    a += weight * from[0];
    b += weight * from[1];
    c += weight * from[2];
    d += weight * from[3];
  }
  to[0] = a;
  to[1] = b;
  to[2] = c;
  to[3] = d;
}

#else
static void steps_add(const double *vectors, const int32_t *columns, size_t count, const double *weights,
                      double *sums) {
  for (size_t i = 0; i < count; i++)
    for (size_t r = 0; r < ENT_WIDTH; r++)
      sums[r] += weights[columns[i]] * vectors[i * ENT_WIDTH + r];
}
#endif

static void steps_gather(ent_in values, const int32_t *restrict columns, ent_in weights, ent_out sums) {
  for (size_t r = 0; r < ENT_WIDTH; r++)
    sums[r] += weights[columns[r]] * values[r];
}

/* These steps as members of an ent_code. */
#define ENT_STEPS                                                                                                      \
  .clamp = steps_clamp, .factors = steps_factors, .rare = steps_rare, .bases = steps_bases, .columns = steps_columns,  \
  .vectors = steps_vectors, .add = steps_add, .gather = steps_gather

#endif
