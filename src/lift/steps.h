/* The steps on whole tiles, in plain C. Every file that includes this is compiled for another processor, so that the
 * compiler turns the same lines into code of another width: the operations, and so the bits, are the same. */
#ifndef ENT_LIFT_STEPS_H
#define ENT_LIFT_STEPS_H

#include <math.h>

#include "lift/lift.h"

typedef double *restrict ent_out;
typedef const double *restrict ent_in;

static inline void step_line(const ent_level *level, ent_in x, ent_out out) {
  double scale = level->scale, centre = level->centre;
  for (size_t r = 0; r < ENT_TILE; r++)
    out[r] = scale * (x[r] - centre);
}

/* Level 1: the only cell is all of [0,1]. Twice the scale times half the height is the same product, to the bit. */
static inline void step_root_hat(const ent_level *level, ent_in x, ent_out out) {
  double scale = 2 * level->scale;
  for (size_t r = 0; r < ENT_TILE; r++) {
    double rest = 1 - x[r];
    out[r] = scale * (x[r] < rest ? x[r] : rest);
  }
}

static inline void step_hat(const ent_level *level, ent_in x, ent_out atoms, ent_out out) {
  double scale = 2 * level->scale, cells = (double)level->info.atoms, last = cells - 1;
  for (size_t r = 0; r < ENT_TILE; r++) {
    double u = x[r] * cells;
    double cell = floor(u);
    cell = cell < last ? cell : last;
    double f = u - cell, rest = 1 - f;
    atoms[r] = cell;
    out[r] = scale * (f < rest ? f : rest);
  }
}

static inline void step_factor(const ent_factor *factor, ent_in x, ent_out atoms, ent_out out) {
  const ent_level *level = factor->level;
  if (level->shape == ENT_SHAPE_LINE) {
    step_line(level, x, out);
  } else if (level->shape == ENT_SHAPE_HAT && level->info.order == 1) {
    step_root_hat(level, x, out);
  } else if (level->shape == ENT_SHAPE_HAT) {
    step_hat(level, x, atoms, out);
  } else {
    uint32_t numbers[ENT_TILE];
    level->evaluate(factor->axis, level, x, ENT_TILE, numbers, out);
    if (level->info.atoms > 1)
      for (size_t r = 0; r < ENT_TILE; r++)
        atoms[r] = numbers[r];
  }
}

static inline void step_multiply(ent_in a, ent_in b, ent_out out) {
  for (size_t r = 0; r < ENT_TILE; r++)
    out[r] = a[r] * b[r];
}

static inline void step_copy(ent_in from, ent_out out) {
  for (size_t r = 0; r < ENT_TILE; r++)
    out[r] = from[r];
}

/* The atom of a group from those of its parent and its last factor. */
static inline void step_combine(ent_in parent, ent_in last, double radix, ent_out out) {
  for (size_t r = 0; r < ENT_TILE; r++)
    out[r] = parent[r] * radix + last[r];
}

/* A column holds a row's value if the row's atom is that column's. */
static inline void step_select(ent_in values, ent_in atoms, double atom, ent_out out) {
  for (size_t r = 0; r < ENT_TILE; r++)
    out[r] = atoms[r] == atom ? values[r] : 0;
}

static inline void step_value(const entropic_lift *lift, const entropic_workspace *workspace, const ent_node *node,
                              ent_out out) {
  const double *pool = workspace->pool;
  if (node->direct == ENT_NONE) {
    step_multiply(pool + (size_t)node->parent * ENT_TILE, pool + (size_t)node->factor_slot * ENT_TILE, out);
  } else {
    const ent_factor *factor = &lift->factors[node->direct];
    const double *x = workspace->columns + (size_t)factor->column * ENT_TILE;
    if (factor->level->shape == ENT_SHAPE_LINE)
      step_line(factor->level, x, out);
    else
      step_root_hat(factor->level, x, out);
  }
}

/* Keeps what other nodes build on: the vector, and the atoms if they are new. */
static inline void step_keep(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *node,
                             ent_in values) {
  if (node->store != ENT_NONE)
    step_copy(values, workspace->pool + (size_t)node->store * ENT_TILE);
  if (node->factor != ENT_NONE)
    step_combine(workspace->atoms + (size_t)node->parent_atoms * ENT_TILE,
                 workspace->atoms + (size_t)lift->factors[node->factor].atom_slot * ENT_TILE,
                 (double)lift->factors[node->factor].level->info.atoms,
                 workspace->atoms + (size_t)node->atoms * ENT_TILE);
}

static void steps_factors(const entropic_lift *lift, entropic_workspace *workspace) {
  for (uint32_t f = 0; f < lift->factor_count; f++) {
    const ent_factor *factor = &lift->factors[f];
    if (factor->in_pool)
      step_factor(factor, workspace->columns + (size_t)factor->column * ENT_TILE,
                  workspace->atoms + (size_t)factor->atom_slot * ENT_TILE,
                  workspace->pool + (size_t)factor->slot * ENT_TILE);
  }
}

static void steps_columns(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *nodes, size_t count,
                          double *out, size_t stride) {
  for (size_t i = 0; i < count; i++) {
    const ent_node *node = &nodes[i];
    if (node->count == 1) {
      step_value(lift, workspace, node, out);
      step_keep(lift, workspace, node, out);
      out += stride;
      continue;
    }
    double values[ENT_TILE] __attribute__((aligned(64)));
    step_value(lift, workspace, node, values);
    step_keep(lift, workspace, node, values);
    const double *atoms = workspace->atoms + (size_t)node->atoms * ENT_TILE;
    for (int32_t k = 0; k < node->count; k++, out += stride)
      step_select(values, atoms, k, out);
  }
}

static void steps_vectors(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *nodes, size_t count,
                          double *out) {
  for (size_t i = 0; i < count; i++) {
    step_value(lift, workspace, &nodes[i], out + i * ENT_TILE);
    step_keep(lift, workspace, &nodes[i], out + i * ENT_TILE);
  }
}

#endif
