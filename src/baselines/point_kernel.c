/* The kernels of random.h: see point_kernel.h. */
#include "baselines/point_kernel.h"

#include <math.h>

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
