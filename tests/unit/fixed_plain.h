/* Fixed-point statistics from their definition, row by row, in plain 128-bit C: what all faster code must reproduce. */
#ifndef FIXED_PLAIN_H
#define FIXED_PLAIN_H

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "sums/fixed_block.h"
#include "sums/fixed_round.h"

/* Rounds a value of a row, times the root of its weight. */
static inline bool round_value(const ent_fixed *fixed, size_t column, double value, int64_t *q) {
  return ent_fixed_round(value, ent_fixed_scale_of(ent_grade_bits(fixed->grade), fixed->exponents[column]), &q[column]);
}

/* The row as integers, q[size]. False, with the column, if one is beyond its scale. */
static inline bool round_row(const ent_fixed *fixed, const ent_lifted *lifted, size_t row, int64_t *q, size_t *column) {
  const ent_block *block = &lifted->block;
  double root = sqrt(ent_weight(block, row));
  bool dense = lifted->z != NULL;
  memset(q, 0, fixed->size * sizeof *q);
  // z or starts is there. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
  size_t first = dense ? 0 : lifted->starts[row], end = dense ? fixed->features : lifted->starts[row + 1];
  for (size_t i = first; i < end; i++) {
    double value = dense ? lifted->z[i * lifted->ld + row] : lifted->values[i];
    *column = dense ? i : (size_t)lifted->columns[i];
    if (!round_value(fixed, *column, value * root, q))
      return false;
  }
  *column = fixed->features;
  if (!round_value(fixed, *column, root, q))
    return false;
  for (size_t t = 0; t < fixed->targets; t++) {
    ++*column;
    if (!round_value(fixed, *column, (block->y[row * block->y_stride + t] - fixed->shift[t]) * root, q))
      return false;
  }
  return true;
}

static inline void add_row(ent_fixed *fixed, const int64_t *q) {
  for (size_t j = 0; j < fixed->size; j++)
    for (size_t i = 0; i <= j; i++)
      fixed->totals[ent_fixed_index(i, j)] += (ent_int128)q[i] * q[j];
}

/* Adds lifted rows, dense or compressed. BAD_DATA, with row and column, if a value is beyond its scale: then the statistics
 * are as they were. */
static inline entropic_status fixed_add_plainly(entropic_context *context, ent_fixed *fixed, const ent_lifted *lifted) {
  ENT_NEED(context, fixed);
  ENT_NEED(context, lifted);
  size_t rows = lifted->block.rows, column;
  entropic_status status = ent_fixed_check_lifted(context, fixed, lifted);
  if (status != ENTROPIC_OK)
    return status;
  int64_t *q = ent_new(context, fixed->size, sizeof *q);
  if (q == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows; r++)
    if (!round_row(fixed, lifted, r, q, &column)) {
      status = ent_fixed_fail_value(context, fixed, lifted->block.first + r, column, 1);
      goto done;
    }
  for (size_t r = 0; r < rows; r++) {
    round_row(fixed, lifted, r, q, &column);
    add_row(fixed, q);
    fixed->rows += ent_weight(&lifted->block, r) > 0;
  }
done:
  ent_delete(q);
  return status;
}

/* The total of columns i <= j as a double, correctly rounded. */
static inline double fixed_product(const ent_fixed *fixed, size_t i, size_t j) {
  return ldexp((double)fixed->totals[ent_fixed_index(i, j)],
               fixed->exponents[i] + fixed->exponents[j] - 2 * ent_grade_bits(fixed->grade));
}

/* Do they have the same shape, rows and integers? */
static inline bool fixed_equal(const ent_fixed *a, const ent_fixed *b) {
  return a->grade == b->grade && a->features == b->features && a->targets == b->targets && a->rows == b->rows &&
         memcmp(a->exponents, b->exponents, a->size * sizeof *a->exponents) == 0 &&
         memcmp(a->shift, b->shift, a->targets * sizeof *a->shift) == 0 &&
         memcmp(a->totals, b->totals, a->size * (a->size + 1) / 2 * sizeof *a->totals) == 0 &&
         a->side_count == b->side_count &&
         (a->side_count == 0 || memcmp(a->side, b->side, a->side_count * sizeof *a->side) == 0);
}

#endif
