/* The kernels of random.h between rows and a point. */
#ifndef ENT_BASELINES_POINT_KERNEL_H
#define ENT_BASELINES_POINT_KERNEL_H

#include "baselines/baselines.h"
#include "baselines/wide.h"

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
