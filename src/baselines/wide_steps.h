/* The loops of wide.h, written once. A file that includes this defines before:
 *     LANES           doubles of a vector: 1, 4 with AVX2, 8 with AVX-512
 *     VECTORS         how many vectors of rows a panel takes at once, such that ENT_PANEL * VECTORS sums stay in registers
 *     FMA(a, b, c)    a b + c of vectors, rounded once
 *     NEAREST(a)      to the nearest integers
 *     LEAST(a, b)     of two vectors */
#ifndef ENT_BASELINES_WIDE_STEPS_H
#define ENT_BASELINES_WIDE_STEPS_H

#include <math.h>
#include <stdint.h>

#include "baselines/wide.h"
#if LANES > 1
#include "lift/transpose_avx.h"

typedef double ent_wide __attribute__((vector_size(8 * LANES)));
typedef int64_t ent_wide_words __attribute__((vector_size(8 * LANES)));
#else
typedef double ent_wide; /* which the compiler makes vectors of where it can */
#endif
typedef ent_wide ent_wide_at __attribute__((aligned(8), may_alias)); /* anywhere in memory */

static inline ent_wide wide_load(const double *from) {
  return *(const ent_wide_at *)from;
}
static inline void wide_store(double *to, ent_wide value) {
  *(ent_wide_at *)to = value;
}
static inline ent_wide wide_all(double value) {
  return value - (ent_wide){0};
}
static inline ent_wide wide_size(ent_wide value) {
#if LANES > 1
  return (ent_wide)((ent_wide_words)value & INT64_MAX);
#else
  return fabs(value);
#endif
}

static bool steps_load(const double *x, size_t inputs, size_t stride, double *strip) {
#if LANES > 1
  return transpose_rows(x, stride, NULL, inputs, ENT_STRIP, 0, strip);
#else
  bool inside = true;
  for (size_t r = 0; r < ENT_STRIP; r++)
    for (size_t i = 0; i < inputs; i++) {
      double value = x[r * stride + i];
      inside = inside && value >= 0 && value <= 1;
      strip[i * ENT_STRIP + r] = value;
    }
  return inside;
#endif
}

#define STEP (VECTORS * LANES)

static inline __attribute__((always_inline)) void add_products(const double *strip, size_t inputs, const double *g,
                                                               ent_wide sums[ENT_PANEL][VECTORS]) {
  for (size_t i = 0; i < inputs; i++) {
    ent_wide x[VECTORS];
    for (size_t v = 0; v < VECTORS; v++)
      x[v] = wide_load(strip + i * ENT_STRIP + v * LANES);
    for (size_t f = 0; f < ENT_PANEL; f++) {
      ent_wide factor = wide_all(g[i * ENT_PANEL + f]);
      for (size_t v = 0; v < VECTORS; v++)
        sums[f][v] = FMA(factor, x[v], sums[f][v]);
    }
  }
}

/* cos(2 pi t) = sin(2 pi v), v = 1/4 - |t| for |t| <= 1/2, and sin(2 pi v) / v is a polynomial in v^2, through the
 * Chebyshev points of a quarter turn. */
static inline ent_wide cosine_of_turns(ent_wide turns) {
  static const double terms[] = {3.817365633469135,  -15.094506140734291, 42.058689953950939, -76.705859689628667,
                                 81.605249275579766, -41.341702240398284, 6.2831853071795853};
  ent_wide v = wide_all(0.25) - wide_size(turns - NEAREST(turns));
  ent_wide square = v * v, sum = wide_all(-0.69250670107207168);
  for (size_t i = 0; i < 7; i++)
    sum = FMA(square, sum, wide_all(terms[i]));
  return v * sum;
}

static void steps_waves(const double *strip, size_t inputs, const ent_wave_panel *panel, double *out, size_t stride) {
  const double *g = panel->g, *phases = panel->phases, *scales = panel->scales;
  for (size_t row = 0; row < ENT_STRIP; row += STEP) {
    ent_wide sums[ENT_PANEL][VECTORS];
    for (size_t f = 0; f < ENT_PANEL; f++)
      for (size_t v = 0; v < VECTORS; v++)
        sums[f][v] = wide_all(phases[f]);
    add_products(strip + row, inputs, g, sums);
    for (size_t f = 0; f < ENT_PANEL; f++)
      for (size_t v = 0; v < VECTORS; v++)
        wide_store(out + f * stride + row + v * LANES, wide_all(scales[f]) * cosine_of_turns(sums[f][v]));
  }
}

static void steps_cosines(const double *values, size_t count, const ent_wave_panel *panel, double *out, size_t stride) {
  ent_wide factor = wide_all(panel->g[0]);
  for (size_t f = 0; f < count; f++) {
    ent_wide phase = wide_all(panel->phases[f]), scale = wide_all(panel->scales[f]);
    for (size_t row = 0; row < ENT_STRIP; row += LANES) {
      ent_wide turns = FMA(factor, wide_load(values + f * ENT_STRIP + row), phase);
      wide_store(out + f * stride + row, scale * cosine_of_turns(turns));
    }
  }
}

/* Two levels of the transform at once, on four inputs that are `step` doubles apart. */
static inline __attribute__((always_inline)) void transform_four(double *values, size_t step, const ent_wide signs[4]) {
  for (size_t row = 0; row < ENT_STRIP; row += LANES) {
    ent_wide x[4];
    for (size_t i = 0; i < 4; i++)
      x[i] = wide_load(values + i * step + row);
    for (size_t i = 0; signs != NULL && i < 4; i++)
      x[i] = x[i] * signs[i];
    ent_wide a = x[0] + x[1], b = x[0] - x[1], c = x[2] + x[3], d = x[2] - x[3];
    wide_store(values + row, a + c);
    wide_store(values + step + row, b + d);
    wide_store(values + 2 * step + row, a - c);
    wide_store(values + 3 * step + row, b - d);
  }
}

static void steps_hadamard(double *values, size_t order, const double *signs) {
  for (size_t i = 0; i < order; i += 4) {
    ent_wide four[4];
    for (size_t k = 0; k < 4; k++)
      four[k] = wide_all(signs[i + k]);
    transform_four(values + i * ENT_STRIP, ENT_STRIP, four);
  }
  size_t apart = 4;
  for (; 4 * apart <= order; apart *= 4)
    for (size_t first = 0; first < order; first += 4 * apart)
      for (size_t i = first; i < first + apart; i++)
        transform_four(values + i * ENT_STRIP, apart * ENT_STRIP, NULL);
  if (apart == order)
    return;
  double *upper = values + apart * ENT_STRIP;
  for (size_t i = 0; i < apart * ENT_STRIP; i += LANES) {
    ent_wide a = wide_load(values + i), b = wide_load(upper + i);
    wide_store(values + i, a + b);
    wide_store(upper + i, a - b);
  }
}

static void steps_products(const double *strip, size_t inputs, const double *g, double *in_out) {
  for (size_t row = 0; row < ENT_STRIP; row += STEP) {
    ent_wide sums[ENT_PANEL][VECTORS];
    for (size_t f = 0; f < ENT_PANEL; f++)
      for (size_t v = 0; v < VECTORS; v++)
        sums[f][v] = wide_load(in_out + f * ENT_STRIP + row + v * LANES);
    add_products(strip + row, inputs, g, sums);
    for (size_t f = 0; f < ENT_PANEL; f++)
      for (size_t v = 0; v < VECTORS; v++)
        wide_store(in_out + f * ENT_STRIP + row + v * LANES, sums[f][v]);
  }
}

static void steps_distances(const double *strip, size_t inputs, const double *point, double *out) {
  for (size_t row = 0; row < ENT_STRIP; row += STEP) {
    ent_wide sums[VECTORS];
    for (size_t v = 0; v < VECTORS; v++)
      sums[v] = wide_all(0);
    for (size_t i = 0; i < inputs; i++)
      for (size_t v = 0; v < VECTORS; v++)
        sums[v] = sums[v] + wide_size(wide_load(strip + i * ENT_STRIP + row + v * LANES) - wide_all(point[i]));
    for (size_t v = 0; v < VECTORS; v++)
      wide_store(out + row + v * LANES, sums[v]);
  }
}

static void steps_squares(const double *strip, size_t inputs, const double *point, double *out) {
  for (size_t row = 0; row < ENT_STRIP; row += STEP) {
    ent_wide sums[VECTORS];
    for (size_t v = 0; v < VECTORS; v++)
      sums[v] = wide_all(0);
    for (size_t i = 0; i < inputs; i++)
      for (size_t v = 0; v < VECTORS; v++) {
        ent_wide apart = wide_load(strip + i * ENT_STRIP + row + v * LANES) - wide_all(point[i]);
        sums[v] = FMA(apart, apart, sums[v]);
      }
    for (size_t v = 0; v < VECTORS; v++)
      wide_store(out + row + v * LANES, sums[v]);
  }
}

static void steps_sobolev(const double *strip, size_t inputs, const double *point, double scale, double *out) {
  for (size_t row = 0; row < ENT_STRIP; row += STEP) {
    ent_wide products[VECTORS];
    for (size_t v = 0; v < VECTORS; v++)
      products[v] = wide_all(1);
    for (size_t i = 0; i < inputs; i++)
      for (size_t v = 0; v < VECTORS; v++) {
        ent_wide least = LEAST(wide_load(strip + i * ENT_STRIP + row + v * LANES), wide_all(point[i]));
        products[v] = products[v] * FMA(wide_all(scale), least, wide_all(1));
      }
    for (size_t v = 0; v < VECTORS; v++)
      wide_store(out + row + v * LANES, products[v]);
  }
}

#define WIDE_CODE(title)                                                                                               \
  {                                                                                                                    \
    .name = title, .load = steps_load, .waves = steps_waves, .cosines = steps_cosines, .hadamard = steps_hadamard,     \
    .products = steps_products, .distances = steps_distances, .squares = steps_squares, .sobolev = steps_sobolev       \
  }

#endif
