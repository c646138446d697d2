/* The target transform: see target_transform.h. */
#include "select/target_transform.h"

#include <math.h>

#include "solve/measure.h"

#define COMMON_ROWS ((size_t)10) /* an end that so many rows share is the origin */
#define ORIGIN_BITS 16           /* any other is rounded outward, to so many bits of the range; fewer cost accuracy */

/* The origin of an end of the range: that of a single row would be its target. Powers of two as units change nothing. */
static double find_origin(const ent_block *rows, double end, double other) {
  size_t count = 0;
  for (size_t r = 0; r < rows->rows; r++)
    count += ent_weight(rows, r) > 0 && rows->y[r * rows->y_stride] == end;
  int exponent;
  frexp(end - other, &exponent);
  double step = ldexp(1, exponent - ORIGIN_BITS), steps = end < other ? floor(end / step) : ceil(end / step);
  return count >= COMMON_ROWS || !isfinite(step * steps) || !(step > 0) ? end : step * steps;
}

double ent_target_transform_find(const ent_block *rows, bool rounded, ent_target_transform *transform) {
  double weight = ent_weight_sum(rows), mean = 0, squares = 0, cubes = 0, least = INFINITY, most = -INFINITY;
  for (size_t r = 0; r < rows->rows; r++) {
    double y = rows->y[r * rows->y_stride];
    if (!(ent_weight(rows, r) > 0))
      continue;
    mean += ent_weight(rows, r) / weight * y;
    least = fmin(least, y);
    most = fmax(most, y);
  }
  for (size_t r = 0; r < rows->rows; r++) {
    double off = rows->y[r * rows->y_stride] - mean, part = ent_weight(rows, r) / weight;
    squares += part * off * off;
    cubes += part * off * off * off;
  }
  double end = cubes < 0 ? most : least, other = cubes < 0 ? least : most;
  *transform =
      (ent_target_transform){.sign = cubes < 0 ? -1 : 1, .origin = rounded ? find_origin(rows, end, other) : end};
  return least < most && squares > 0 ? fabs(cubes) / (squares * sqrt(squares)) : 0;
}

double ent_target_transform_apply(const ent_target_transform *transform, double target) {
  return sqrt(fmax(transform->sign * (target - transform->origin), 0));
}

static double square_of(double root) {
  return root > 0 ? root * root : 0;
}

void ent_target_transform_invert(const ent_target_transform *transform, size_t count, double *values) {
  for (size_t i = 0; i < count && transform->sign != 0; i++)
    values[i] = transform->origin + transform->sign * (square_of(values[i]) + transform->bias);
}

double ent_target_transform_bias(const ent_target_transform *transform, const ent_block *rows, const double *roots) {
  double weight = ent_weight_sum(rows), bias = 0;
  for (size_t r = 0; r < rows->rows; r++)
    bias += ent_weight(rows, r) / weight *
            (transform->sign * (rows->y[r * rows->y_stride] - transform->origin) - square_of(roots[r]));
  return fmax(bias, 0);
}
