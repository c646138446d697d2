/* The scale that a number is learnt on: see link.h. */
#include "learn/link.h"

#include <math.h>

#include "learn/measure.h"

double ent_link_find(const ent_block *rows, ent_link *link) {
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
  *link = (ent_link){.sign = cubes < 0 ? -1 : 1, .origin = cubes < 0 ? most : least};
  return least < most && squares > 0 ? fabs(cubes) / (squares * sqrt(squares)) : 0;
}

double ent_link_root(const ent_link *link, double target) {
  return sqrt(fmax(link->sign * (target - link->origin), 0));
}

static double square_of(double root) {
  return root > 0 ? root * root : 0;
}

void ent_link_square(const ent_link *link, size_t count, double *values) {
  for (size_t i = 0; i < count && link->sign != 0; i++)
    values[i] = link->origin + link->sign * (square_of(values[i]) + link->rise);
}

double ent_link_rise(const ent_link *link, const ent_block *rows, const double *roots) {
  double weight = ent_weight_sum(rows), rise = 0;
  for (size_t r = 0; r < rows->rows; r++)
    rise += ent_weight(rows, r) / weight *
            (link->sign * (rows->y[r * rows->y_stride] - link->origin) - square_of(roots[r]));
  return fmax(rise, 0);
}
