/* The loops of wide.h, written once. A file that includes this says before what a vector is: the type ent_wide of LANES
 * doubles (+, - and * are the compiler's), wide_load, wide_store, wide_all (one value in all lanes), wide_fma (a b + c),
 * wide_round (to the nearest integer), wide_size (the absolute value), wide_least; and VECTORS, how many vectors of rows
 * a panel takes at once, such that ENT_PANEL * VECTORS sums stay in registers. */
#ifndef ENT_RANDOM_WIDE_STEPS_H
#define ENT_RANDOM_WIDE_STEPS_H

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
        sums[f][v] = wide_fma(factor, x[v], sums[f][v]);
    }
  }
}

/* cos(2 pi t) = sin(2 pi v), v = 1/4 - |t| for |t| <= 1/2, and sin(2 pi v) / v is a polynomial in v^2, through the
 * Chebyshev points of a quarter turn. */
static inline ent_wide cosine_of_turns(ent_wide turns) {
  static const double terms[] = {3.817365633469135,  -15.094506140734291, 42.058689953950939, -76.705859689628667,
                                 81.605249275579766, -41.341702240398284, 6.2831853071795853};
  ent_wide v = wide_all(0.25) - wide_size(turns - wide_round(turns));
  ent_wide square = v * v, sum = wide_all(-0.69250670107207168);
  for (size_t i = 0; i < 7; i++)
    sum = wide_fma(square, sum, wide_all(terms[i]));
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
        sums[v] = wide_fma(apart, apart, sums[v]);
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
        ent_wide least = wide_least(wide_load(strip + i * ENT_STRIP + row + v * LANES), wide_all(point[i]));
        products[v] = products[v] * wide_fma(wide_all(scale), least, wide_all(1));
      }
    for (size_t v = 0; v < VECTORS; v++)
      wide_store(out + row + v * LANES, products[v]);
  }
}

#define WIDE_CODE(title, load_rows)                                                                                    \
  {                                                                                                                    \
    .name = title, .load = load_rows, .waves = steps_waves, .products = steps_products, .distances = steps_distances,  \
    .squares = steps_squares, .sobolev = steps_sobolev                                                                 \
  }

#endif
