/* Rows for the loops, and the kernels between rows and points: see wide.h. */
#include <math.h>
#include <string.h>

#include "baselines/wide.h"

static entropic_status check_number(entropic_context *context, double value, size_t row, size_t input) {
  if (isfinite(value))
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, column %zu: %g is not a finite number", row + 1, input + 1,
                  value);
}

static double clamped(double value) {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

entropic_status ent_point_load(entropic_context *context, const double *x, size_t inputs, size_t row, double *point) {
  for (size_t i = 0; i < inputs; i++) {
    entropic_status status = check_number(context, x[i], row, i);
    if (status != ENTROPIC_OK)
      return status;
    point[i] = clamped(x[i]);
  }
  return ENTROPIC_OK;
}

entropic_status ent_strip_load(entropic_context *context, const ent_wide_code *code, const ent_strip_source *source,
                               size_t first, size_t rows, double *strip) {
  size_t inputs = source->inputs, stride = source->stride;
  const double *x = source->x + first * stride;
  if (rows == ENT_STRIP && code->load(x, inputs, stride, strip))
    return ENTROPIC_OK;
  memset(strip, 0, inputs * ENT_STRIP * sizeof *strip);
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < inputs; i++) {
      entropic_status status = check_number(context, x[r * stride + i], first + r, i);
      if (status != ENTROPIC_OK)
        return status;
      strip[i * ENT_STRIP + r] = clamped(x[r * stride + i]);
    }
  return ENTROPIC_OK;
}

void ent_point_kernel_values(const ent_point_kernel *kernel, const double *strip, const double *point, double *values) {
  double sigma = kernel->sigma;
  switch (kernel->kernel) {
  case ENT_RANDOM_LAPLACE:
    kernel->code->distances(strip, kernel->inputs, point, values);
    for (size_t r = 0; r < ENT_STRIP; r++)
      values[r] = exp(-sigma * values[r]);
    break;
  case ENT_RANDOM_GAUSS:
    kernel->code->squares(strip, kernel->inputs, point, values);
    for (size_t r = 0; r < ENT_STRIP; r++)
      values[r] = exp(-0.5 * sigma * sigma * values[r]);
    break;
  case ENT_RANDOM_SOBOLEV:
    kernel->code->sobolev(strip, kernel->inputs, point, sigma, values);
    break;
  }
}

double ent_point_kernel_diagonal(const ent_point_kernel *kernel, const double *point) {
  double product = 1;
  for (size_t i = 0; kernel->kernel == ENT_RANDOM_SOBOLEV && i < kernel->inputs; i++)
    product *= fma(kernel->sigma, point[i], 1);
  return product;
}
