/* The two halves of the work: a matrix product, left to BLAS, and the cosines.
 *
 * Frequencies and phases are kept in turns, so that the reduction of the angle is one rounding; then
 * cos(2 pi t) = sin(2 pi (1/4 - |t|)) for |t| <= 1/2, an odd polynomial on a quarter turn. gcc makes vector code of the
 * loop, and the whole is a fifth faster than with the vector cosine of the C library (measured), and as exact. The phase is
 * added in the same loop, which costs less than a column of ones in the product or a pass to fill z with it. Callers
 * hand in blocks of rows small enough that z is still in the cache when the cosines are taken. */
#include "rks.h"

#include <cblas.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "entropic/entropic.h"

static const double two_pi = 6.283185307179586;

int rks_create(size_t inputs, size_t features, double omega, uint64_t seed, rks *sinks) {
  sinks->inputs = inputs;
  sinks->features = sinks->panel = features;
  sinks->library_cosine = false;
  sinks->scale = sqrt(2.0 / (double)features);
  sinks->frequencies = malloc(inputs * features * sizeof *sinks->frequencies);
  sinks->phases = malloc(features * sizeof *sinks->phases);
  if (!sinks->frequencies || !sinks->phases) {
    rks_free(sinks);
    return -1;
  }
  entropic_random random = entropic_random_start(seed, 0);
  for (size_t i = 0; i < inputs * features; i++)
    sinks->frequencies[i] = omega * entropic_random_cauchy(&random) / two_pi;
  for (size_t j = 0; j < features; j++)
    sinks->phases[j] = entropic_random_uniform(&random);
  return 0;
}

void rks_free(rks *sinks) {
  free(sinks->frequencies);
  free(sinks->phases);
  sinks->frequencies = sinks->phases = NULL;
}

/* a b + c in one instruction where there is one, whatever the flags the project is compiled with say of contraction. */
static inline double multiply_add(double a, double b, double c) {
#ifdef __FMA__
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

/* sin(2 pi v) / v as a polynomial in v^2, through the Chebyshev points of a quarter turn: the error is below 2e-16. */
static inline double cosine_of_turns(double turns) {
  double v = 0.25 - fabs(turns - rint(turns));
  double s = v * v;
  double sum = -0.69250670107207168;
  sum = multiply_add(s, sum, 3.817365633469135);
  sum = multiply_add(s, sum, -15.094506140734291);
  sum = multiply_add(s, sum, 42.058689953950939);
  sum = multiply_add(s, sum, -76.705859689628667);
  sum = multiply_add(s, sum, 81.605249275579766);
  sum = multiply_add(s, sum, -41.341702240398284);
  sum = multiply_add(s, sum, 6.2831853071795853);
  return v * sum;
}

static void cosines_of_row(const rks *sinks, double *restrict z, const double *restrict phases, size_t count) {
  double scale = sinks->scale;
  if (sinks->library_cosine)
    for (size_t j = 0; j < count; j++)
      z[j] = scale * cos(two_pi * (z[j] + phases[j]));
  else
    for (size_t j = 0; j < count; j++)
      z[j] = scale * cosine_of_turns(z[j] + phases[j]);
}

static void cosines_of_column(const rks *sinks, double *restrict z, double phase, size_t count) {
  double scale = sinks->scale;
  if (sinks->library_cosine)
    for (size_t i = 0; i < count; i++)
      z[i] = scale * cos(two_pi * (z[i] + phase));
  else
    for (size_t i = 0; i < count; i++)
      z[i] = scale * cosine_of_turns(z[i] + phase);
}

static size_t panel_width(const rks *sinks, size_t first) {
  size_t left = sinks->features - first;
  return left < sinks->panel ? left : sinks->panel;
}

void rks_lift_rows(const rks *sinks, const double *x, size_t rows, double *z) {
  int n = (int)rows, d = (int)sinks->inputs, m = (int)sinks->features;
  for (size_t first = 0; first < sinks->features; first += sinks->panel) {
    size_t width = panel_width(sinks, first);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, (int)width, d, 1, x, d, sinks->frequencies + first, m, 0,
                z + first, m);
    for (size_t row = 0; row < rows; row++)
      cosines_of_row(sinks, z + row * sinks->features + first, sinks->phases + first, width);
  }
}

void rks_lift_columns(const rks *sinks, const double *x, size_t rows, double *z) {
  int n = (int)rows, d = (int)sinks->inputs, m = (int)sinks->features;
  for (size_t first = 0; first < sinks->features; first += sinks->panel) {
    size_t width = panel_width(sinks, first);
    /* z^T = G^T x^T, row after row of features. */
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasTrans, (int)width, n, d, 1, sinks->frequencies + first, m, x, d, 0,
                z + first * rows, n);
    for (size_t j = first; j < first + width; j++)
      cosines_of_column(sinks, z + j * rows, sinks->phases[j], rows);
  }
}

/* What the environment says of how often the program has been started anew. */
static const char stage[] = "ENTROPIC_BENCH_STAGE";

bool rks_blas_was_told(void) {
  const char *value = getenv(stage);
  return value && !strcmp(value, "told");
}

void rks_prepare_blas(char **argv, bool tell) {
  if (rks_blas_was_told() || (getenv(stage) && !tell))
    return;
  __builtin_cpu_init();
  bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (tell && avx512)
    setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
  else if (tell && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    setenv("OPENBLAS_CORETYPE", "Haswell", 0);
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  setenv("OMP_NUM_THREADS", "1", 1);
  setenv(stage, tell ? "told" : "single-threaded", 1);
  fflush(NULL);
  execv("/proc/self/exe", argv); /* goes on as it is where that fails */
}

const char *rks_blas_code(void) {
  return openblas_get_corename();
}
