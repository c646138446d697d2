/* Knots between values: see scaler.h. */
#include "axis/scaler.h"

#include <math.h>
#include <stdbool.h>

#define UNEVEN 16 /* so many times as far from one end of its step as from the other */

/* A number times a step that is a power of ten or one over it: what is a short decimal is rounded once. */
static double steps_of(double count, double power, bool small) {
  return small ? count / power : count * power;
}

/* Made of products and quotients alone: the same on every machine. */
double ent_knot_outward(double end, double least, double most, int direction) {
  double span = least < most ? most / 100 - least / 100 : fabs(end) / 100, power = 1;
  double away = direction < 0 ? -INFINITY : INFINITY, out = away;
  bool small = span < 1;
  while (small && power * span < 1 && power < 1e300)
    power *= 10;
  while (!small && power * 10 <= span)
    power *= 10;
  double count = floor(small ? fabs(end) * power : fabs(end) / power), sign = end < 0 ? -1 : 1;
  for (int more = -1; more <= 1; more++) { /* the nearest one beyond the end */
    double multiple = sign * steps_of(count + more, power, small);
    if (direction * (multiple - end) > 0 && direction * (out - multiple) > 0)
      out = multiple;
  }
  if (!isfinite(out))
    out = nextafter(end, away);
  return isfinite(out) ? out + 0.0 : end;
}

static double half_way(double a, double b) {
  return isfinite(a + b) ? (a + b) / 2 : a / 2 + b / 2;
}

size_t ent_knots_most(const ent_knot_values *values) {
  return 2 * values->count + 1;
}

/* The share of rows up to a value, from its mid-rank and the share below it. */
static double share_up_to(const ent_knot_values *values, size_t i, double below) {
  if (values->rows > 0) { /* both are whole numbers of halves */
    double halves = 2 * (double)values->rows;
    return (2 * rint(values->height[i] * halves) - rint(below * halves)) / halves;
  }
  return fmin(fmax(2 * values->height[i] - below, values->height[i]), 1);
}

/* Knots so far. */
typedef struct ent_knot_list {
  double *at, *height;
  size_t count;
} ent_knot_list;

/* No number may lie between neighbours: then the knot half-way is one of them, and comes once. */
static void put(ent_knot_list *list, double at, double height) {
  if (list->count > 0 && !(at > list->at[list->count - 1]))
    return;
  list->at[list->count] = at;
  list->height[list->count++] = height;
}

/* The knots around a value of few rows that ends its step of the distribution function at `top`: where it is much nearer to
 * one end of the step than to the other, the step becomes one as wide on both sides, and is flat outside. So it does not
 * meet a neighbour that is as near to the same end. */
static void put_step(ent_knot_list *list, double x, double end, double top) {
  double start = list->at[list->count - 1], below = x - start, above = end - x;
  if (above > 0 && below > UNEVEN * above && x - above < x)
    put(list, x - above, list->height[list->count - 1]);
  else if (below > 0 && above > UNEVEN * below && x + below > x)
    put(list, x + below, top);
  put(list, end, top);
}

size_t ent_knots_between(const ent_knot_values *values, double *at, double *height) {
  ent_knot_list list = {at, height, 0};
  const double *x = values->at, *h = values->height;
  size_t last = values->count - 1;
  double below = 0;
  if (!values->common[0])
    put(&list, ent_knot_outward(x[0], x[0], x[last], -1), h[0]);
  for (size_t i = 0; i < last; i++) {
    double top = share_up_to(values, i, below), half = half_way(x[i], x[i + 1]),
           level = fmin(fmax(top, h[i]), h[i + 1]);
    if (!values->common[i])
      put_step(&list, x[i], half, level);
    else
      put(&list, x[i], h[i]);
    if (values->common[i] && !values->common[i + 1])
      put(&list, half, level);
    below = top;
  }
  if (values->common[last])
    put(&list, x[last], h[last]);
  else if (last > 0)
    put_step(&list, x[last], ent_knot_outward(x[last], x[0], x[last], 1), h[last]);
  return list.count;
}
