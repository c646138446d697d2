/* The hot loops of random features, for any processor and compiled for wider ones.
 *
 * ENT_STRIP rows at a time are transposed into a strip: strip[input * ENT_STRIP + row]. ENT_PANEL features at a time are a
 * panel: g[input * ENT_PANEL + feature]. A sum over the inputs is in their order, each term by a fused multiply-add. So a
 * value depends on its row and its feature alone, not on its neighbours, on blocks of rows, or on the code that made it. A
 * library's matrix product does not promise that, and it stores the products, which the cosines then load again. These
 * loops take 70 to 100 % of the time of OpenBLAS with a fast cosine (bench/rks.c). */
#ifndef ENT_BASELINES_WIDE_H
#define ENT_BASELINES_WIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/context.h"
#include "baselines/baselines.h"

#define ENT_STRIP 32
#define ENT_PANEL 6

/* A panel of waves; borrowed. */
typedef struct ent_wave_panel {
  const double *g;               /* frequencies: [inputs * ENT_PANEL] */
  const double *phases, *scales; /* [ENT_PANEL] */
} ent_wave_panel;

typedef struct ent_wide_code {
  const char *name;
  /* Transposes ENT_STRIP rows into a strip; returns whether all values were from 0 to 1 (with a -0, either answer). */
  bool (*load)(const double *x, size_t inputs, size_t stride, double *strip);
  /* out[f * stride + row] = scales[f] cos(2 pi (phases[f] + sum over i of g[i * ENT_PANEL + f] strip[i][row])), for all
   * rows and features of strip and panel. Frequencies and phases are in turns, so that the angle is reduced without any
   * error; that of the cosine is below 1e-15 for every finite angle. */
  void (*waves)(const double *strip, size_t inputs, const ent_wave_panel *panel, double *out, size_t stride);
  /* out[f * stride + row] = scales[f] cos(2 pi (phases[f] + g[0] values[f * ENT_STRIP + row])), for `count` features f, of
   * which the panel may have any number. */
  void (*cosines)(const double *values, size_t count, const ent_wave_panel *panel, double *out, size_t stride);
  /* The Walsh-Hadamard transform, not normalised, of each row's values[i * ENT_STRIP + row] signs[i], in place; i below
   * `order`, a power of two, at least 4. */
  void (*hadamard)(double *values, size_t order, const double *signs);
  /* sums[f * ENT_STRIP + row] += sum over i of g[i * ENT_PANEL + f] strip[i][row]. */
  void (*products)(const double *strip, size_t inputs, const double *g, double *sums);
  /* out[row]: the sum of |x - point| or (x - point)^2 over the inputs, or the product of 1 + scale min(x, point). */
  void (*distances)(const double *strip, size_t inputs, const double *point, double *out);
  void (*squares)(const double *strip, size_t inputs, const double *point, double *out);
  void (*sobolev)(const double *strip, size_t inputs, const double *point, double scale, double *out);
} ent_wide_code;

/* Which there are. The last two need a processor that has the instructions. */
extern const ent_wide_code ent_wide_reference, ent_wide_avx2, ent_wide_avx512;

/* The fastest that runs here. */
const ent_wide_code *ent_wide_best(void);

/* ---- Rows for the loops: checked, clamped to [0,1], transposed ---- */

/* x[row * stride + input]; borrowed. */
typedef struct ent_strip_source {
  const double *x;
  size_t inputs, stride;
} ent_strip_source;

/* Rows first .. first + rows - 1, at most ENT_STRIP of them, transposed into a strip and clamped to [0,1]; lanes without a
 * row are 0. BAD_DATA if a value is not finite. */
entropic_status ent_strip_load(entropic_context *context, const ent_wide_code *code, const ent_strip_source *source,
                               size_t first, size_t rows, double *strip);

/* One row, checked and clamped, not transposed. */
entropic_status ent_point_load(entropic_context *context, const double *x, size_t inputs, size_t row, double *point);

/* ---- The kernels of baselines.h between rows and a point ---- */

typedef struct ent_point_kernel {
  ent_random_kernel kernel;
  double sigma;
  size_t inputs;
  const ent_wide_code *code;
} ent_point_kernel;

/* The kernel between a strip of rows and a point: values[ENT_STRIP]. */
void ent_point_kernel_values(const ent_point_kernel *kernel, const double *strip, const double *point, double *values);

/* The kernel between a point and itself; it may be infinite. */
double ent_point_kernel_diagonal(const ent_point_kernel *kernel, const double *point);

#endif
