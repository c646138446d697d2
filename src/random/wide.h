/* The loops in which all time goes, for any processor and compiled for wider ones.
 *
 * Rows are taken ENT_STRIP at a time and turned, a strip: strip[input * ENT_STRIP + row]. Features are taken ENT_PANEL at
 * a time, a panel: g[input * ENT_PANEL + feature]. A sum over the inputs begins with the first and takes one after the
 * other, each by a fused multiply-add; so a value depends on its row and its feature alone, never on what stands beside
 * it, how rows are cut into blocks, or which of the codes made it. A library's matrix product promises nothing of that
 * kind, and leaves the products in memory, where the cosines must fetch them. Measured from 4 to 200 inputs and from 100
 * to 4000 features with AVX-512, these loops take 70 to 100 % of the time of OpenBLAS with the fastest cosine we know
 * (bench/rks.c). */
#ifndef ENT_RANDOM_WIDE_H
#define ENT_RANDOM_WIDE_H

#include <stdbool.h>
#include <stddef.h>

#define ENT_STRIP 32
#define ENT_PANEL 6

typedef struct ent_wide_code {
  const char *name;
  /* Turns ENT_STRIP rows into a strip; returns whether all values were from 0 to 1 (with a -0, either answer). */
  bool (*load)(const double *x, size_t inputs, size_t stride, double *strip);
  /* out[f * stride + row] = scales[f] cos(2 pi (phases[f] + sum over i of g[i * ENT_PANEL + f] strip[i][row])), for all
   * rows and features of strip and panel. Frequencies and phases are in turns, so that the angle is reduced without any
   * error; that of the cosine is below 1e-15 for every finite angle. */
  void (*waves)(const double *strip, size_t inputs, const double *g, const double *phases, const double *scales,
                double *out, size_t stride);
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

#endif
