/* The plain code: what every tuned version must reproduce bit for bit. */
#include <math.h>

#include "lift/lift.h"

static bool load(const entropic_lift *lift, const double *x, size_t stride, double *columns, uint32_t *rare) {
  for (size_t c = 0; c < lift->column_count; c++) {
    for (size_t r = 0; r < ENT_TILE; r++) {
      double value = x[r * stride + lift->column_input[c]];
      if (!isfinite(value))
        return false;
      value = ent_clamp(value);
      if (value > 0 && value < ENT_TINY)
        *rare |= UINT32_C(1) << r;
      columns[c * ENT_TILE + r] = value;
    }
  }
  return true;
}

static void factor_values(const ent_factor *factor, const double *x, uint32_t *atoms, double *values) {
  factor->level->evaluate(factor->axis, factor->level, x, ENT_TILE, atoms, values);
}

static void run(const ent_node *nodes, size_t count, double *pool, double *out, size_t stride) {
  for (size_t i = 0; i < count; i++) {
    const double *parent = pool + (size_t)nodes[i].parent * ENT_TILE;
    const double *factor = pool + (size_t)nodes[i].factor_slot * ENT_TILE;
    for (size_t r = 0; r < ENT_TILE; r++)
      out[i * stride + r] = parent[r] * factor[r];
    if (nodes[i].store != ENT_NONE)
      for (size_t r = 0; r < ENT_TILE; r++)
        pool[(size_t)nodes[i].store * ENT_TILE + r] = out[i * stride + r];
  }
}

static bool turn(const double *chunk, size_t count, double *rows, size_t stride) {
  bool zero = false;
  for (size_t r = 0; r < ENT_TILE; r++) {
    for (size_t i = 0; i < count; i++) {
      double value = chunk[i * ENT_TILE + r];
      rows[r * stride + i] = value;
      zero = zero || value == 0;
    }
  }
  return zero;
}

const ent_code ent_code_reference = {
    .name = "reference", .load = load, .factor = factor_values, .run = run, .turn = turn};
