/* The loops of dense_code.h, written once. A file that includes this defines before:
 *     LANES      doubles of a vector
 *     VECTORS    vectors of a column of the register tile
 *     COLUMNS    columns of it */
#ifndef ENT_BASE_DENSE_STEPS_H
#define ENT_BASE_DENSE_STEPS_H

#include <stdbool.h>

#include "base/dense_code.h"

#define ROWS (LANES * VECTORS)

typedef double ent_lanes __attribute__((vector_size(8 * LANES)));
typedef double ent_lanes_at __attribute__((vector_size(8 * LANES), aligned(8), may_alias)); /* anywhere in memory */

static inline ent_lanes load(const double *from) {
  return *(const ent_lanes_at *)from;
}

static inline void store(double *to, ent_lanes lanes) {
  *(ent_lanes_at *)to = lanes;
}

#define INLINE static inline __attribute__((always_inline))

INLINE ent_lanes step(bool subtract, ent_lanes sum, ent_lanes product) {
  return subtract ? sum - product : sum + product;
}

INLINE void multiply_tile(const ent_dense_tile *tile, bool subtract) {
  const double *a = tile->a, *b = tile->b;
  ptrdiff_t a_step = tile->a_step, b_step = tile->b_step, b_column = tile->b_column;
  ent_lanes sums[COLUMNS][VECTORS];
#pragma GCC unroll 16
  for (ptrdiff_t j = 0; j < COLUMNS; j++)
#pragma GCC unroll 16
    for (size_t v = 0; v < VECTORS; v++)
      sums[j][v] = load(tile->c + j * tile->c_column + v * LANES);
  for (size_t k = tile->depth; k > 0; k--) {
    ent_lanes of_a[VECTORS];
#pragma GCC unroll 16
    for (size_t v = 0; v < VECTORS; v++)
      of_a[v] = load(a + v * LANES);
#pragma GCC unroll 16
    for (ptrdiff_t j = 0; j < COLUMNS; j++)
#pragma GCC unroll 16
      for (size_t v = 0; v < VECTORS; v++)
        sums[j][v] = step(subtract, sums[j][v], of_a[v] * b[j * b_column]);
    a += a_step;
    b += b_step;
  }
#pragma GCC unroll 16
  for (ptrdiff_t j = 0; j < COLUMNS; j++)
#pragma GCC unroll 16
    for (size_t v = 0; v < VECTORS; v++)
      store(tile->c + j * tile->c_column + v * LANES, sums[j][v]);
}

#define MANY 8 /* vectors of a column at a time: so many sums hide the time of an addition */

INLINE void multiply_vectors(const ent_dense_tile *tile, size_t first, size_t vectors, bool subtract) {
  const double *a = tile->a + first, *b = tile->b;
  ent_lanes sums[MANY];
#pragma GCC unroll 16
  for (size_t v = 0; v < vectors; v++)
    sums[v] = load(tile->c + first + v * LANES);
  for (size_t k = tile->depth; k > 0; k--) {
#pragma GCC unroll 16
    for (size_t v = 0; v < vectors; v++)
      sums[v] = step(subtract, sums[v], load(a + v * LANES) * *b);
    a += tile->a_step;
    b += tile->b_step;
  }
#pragma GCC unroll 16
  for (size_t v = 0; v < vectors; v++)
    store(tile->c + first + v * LANES, sums[v]);
}

INLINE void multiply_column(const ent_dense_tile *tile, size_t rows, bool subtract) {
  size_t first = 0;
  for (; first + MANY * LANES <= rows; first += MANY * LANES)
    multiply_vectors(tile, first, MANY, subtract);
  for (; first + LANES <= rows; first += LANES)
    multiply_vectors(tile, first, 1, subtract);
  for (; first < rows; first++) {
    const double *a = tile->a + first, *b = tile->b;
    double sum = tile->c[first];
    for (size_t k = tile->depth; k > 0; k--, a += tile->a_step, b += tile->b_step)
      sum = subtract ? sum - *a * *b : sum + *a * *b;
    tile->c[first] = sum;
  }
}

static void add_tile(const ent_dense_tile *tile) {
  multiply_tile(tile, false);
}

static void subtract_tile(const ent_dense_tile *tile) {
  multiply_tile(tile, true);
}

static void add_column(const ent_dense_tile *tile, size_t rows) {
  multiply_column(tile, rows, false);
}

static void subtract_column(const ent_dense_tile *tile, size_t rows) {
  multiply_column(tile, rows, true);
}

static void solve_triangle(const ent_dense_tile *tile) {
  ent_lanes x[COLUMNS][VECTORS];
  double inverse[COLUMNS];
#pragma GCC unroll 16
  for (ptrdiff_t j = 0; j < COLUMNS; j++) {
    inverse[j] = 1 / tile->b[j * (tile->b_step + tile->b_column)];
#pragma GCC unroll 16
    for (size_t v = 0; v < VECTORS; v++)
      x[j][v] = load(tile->c + j * tile->c_column + v * LANES);
  }
#pragma GCC unroll 16
  for (ptrdiff_t j = 0; j < COLUMNS; j++) {
#pragma GCC unroll 16
    for (size_t v = 0; v < VECTORS; v++) {
      x[j][v] *= inverse[j];
      store(tile->c + j * tile->c_column + v * LANES, x[j][v]);
    }
#pragma GCC unroll 16
    for (ptrdiff_t i = j + 1; i < COLUMNS; i++)
#pragma GCC unroll 16
      for (size_t v = 0; v < VECTORS; v++)
        x[i][v] -= x[j][v] * tile->b[j * tile->b_step + i * tile->b_column];
  }
}

#define DOTS 4 /* columns at a time */
#define PARTS (ENT_DENSE_DOT_LANES / LANES)

INLINE void add_dots(const ent_dense_tile *tile, size_t column, size_t count) {
  const double *a = tile->a + (ptrdiff_t)column * tile->a_step, *b = tile->b;
  double sums[DOTS][ENT_DENSE_DOT_LANES];
  ent_lanes lanes[DOTS][PARTS] = {0};
  size_t full = tile->depth / ENT_DENSE_DOT_LANES * ENT_DENSE_DOT_LANES;
  for (size_t r = 0; r < full; r += ENT_DENSE_DOT_LANES)
#pragma GCC unroll 16
    for (size_t p = 0; p < PARTS; p++)
#pragma GCC unroll 16
      for (size_t j = 0; j < count; j++)
        lanes[j][p] += load(a + (ptrdiff_t)j * tile->a_step + r + p * LANES) * load(b + r + p * LANES);
  for (size_t j = 0; j < count; j++) {
    const double *of_a = a + (ptrdiff_t)j * tile->a_step;
    for (size_t p = 0; p < PARTS; p++)
      store(&sums[j][p * LANES], lanes[j][p]);
    for (size_t r = full; r < tile->depth; r++)
      sums[j][r - full] += of_a[r] * b[r];
    for (size_t half = ENT_DENSE_DOT_LANES / 2; half > 0; half /= 2)
      for (size_t i = 0; i < half; i++)
        sums[j][i] += sums[j][i + half];
    tile->c[column + j] += sums[j][0];
  }
}

static void multiply_dots(const ent_dense_tile *tile, size_t columns) {
  size_t column = 0;
  for (; column + DOTS <= columns; column += DOTS)
    add_dots(tile, column, DOTS);
  for (; column < columns; column++)
    add_dots(tile, column, 1);
}

#define DENSE_CODE(name)                                                                                               \
  { name, ROWS, COLUMNS, {add_tile, subtract_tile}, {add_column, subtract_column}, solve_triangle, multiply_dots }

#endif
