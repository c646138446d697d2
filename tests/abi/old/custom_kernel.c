/* A kernel of one's own: k(x,y) = p(min) q(max) with p/q increasing expands exactly into atoms, whatever they are.
 *
 * Here: Brownian motion run by a clock that slows down, k(x,y) = 1 + T(min(x,y)) with T(x) = a (1 - exp(-x/a)):
 * functions in its space may bend sharply near 0 and are smoother near 1. p = 1 + T, q = 1.
 *
 * The same kernel is made a second time from text, with w for a. Designs and models of that one can be saved. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "entropic/entropic.h"

/* `user` is the pointer given in the options: the parameter a. */
static double p(double x, void *user) {
  double a = *(const double *)user;
  return 1 - a * expm1(-x / a);
}

static double q(double x, void *user) {
  (void)x;
  (void)user;
  return 1;
}

/* The sum over all levels of atom(x) atom(y), which must be k(x,y). */
static double expansion(const entropic_kernel *kernel, double x, double y) {
  double sum = 0;
  for (size_t level = 0; level < entropic_kernel_levels(kernel, 0); level++) {
    uint64_t atom_x, atom_y;
    double value_x, value_y;
    if (entropic_kernel_atom(NULL, kernel, 0, level, x, &atom_x, &value_x) ||
        entropic_kernel_atom(NULL, kernel, 0, level, y, &atom_y, &value_y))
      return NAN;
    if (atom_x == atom_y)
      sum += value_x * value_y;
  }
  return sum;
}

/* The same p and q as expressions in x and w. */
static entropic_status kernel_by_text(entropic_context *context, double w, entropic_kernel **kernel) {
  entropic_axis_options axis;
  entropic_axis_options_init(&axis, sizeof axis);
  axis.family = ENTROPIC_FAMILY_CUSTOM;
  axis.omega = w;
  axis.p_text = "1 - w*expm1(-x/w)";
  axis.q_text = "1";
  return entropic_kernel_create(context, &axis, 1, 1, kernel); /* copies the texts */
}

int main(void) {
  double a = 0.2;
  entropic_axis_options axis;
  entropic_axis_options_init(&axis, sizeof axis);
  axis.family = ENTROPIC_FAMILY_CUSTOM;
  axis.p = p;
  axis.q = q;
  axis.user = &a; /* must live as long as the kernel */

  entropic_context *context;
  entropic_kernel *kernel = NULL, *text = NULL;
  if (entropic_context_create(&context))
    return EXIT_FAILURE;
  if (entropic_kernel_create(context, &axis, 1, 1, &kernel) || kernel_by_text(context, a, &text)) {
    fprintf(stderr, "custom_kernel: %s\n", entropic_context_message(context));
    entropic_kernel_free(kernel);
    entropic_context_free(context);
    return EXIT_FAILURE;
  }
  int wrong = 0;
  printf("%6s %6s %12s %12s %12s\n", "x", "y", "expansion", "by text", "p(min)q(max)");
  for (int i = 1; i <= 9; i += 2) {
    double x = 0.1 * i, y = 1 - 0.07 * i;
    double sum = expansion(kernel, x, y), again = expansion(text, x, y);
    double exact = p(fmin(x, y), &a) * q(fmax(x, y), &a);
    printf("%6.2f %6.2f %12.9f %12.9f %12.9f\n", x, y, sum, again, exact);
    wrong += !(fabs(sum - exact) <= 1e-10 && fabs(again - exact) <= 1e-10); /* written so that a NaN counts as wrong */
  }
  entropic_kernel_free(text);
  entropic_kernel_free(kernel);
  entropic_context_free(context);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
