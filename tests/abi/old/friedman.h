/* A table for the examples: the function of Friedman (1991) at inputs that fill the cube evenly. */
#ifndef EXAMPLES_FRIEDMAN_H
#define EXAMPLES_FRIEDMAN_H

#include <math.h>
#include <stddef.h>

#define INPUTS 5
#define COLUMNS (INPUTS + 1)

/* values[rows x COLUMNS], row after row: the inputs, then y. */
static inline void friedman_fill(double *values, size_t rows) {
  static const double steps[INPUTS] = {0.8566748838545029, 0.7338918566271260, 0.6287067210378087, 0.5385972572236101,
                                       0.4614018847366750};
  for (size_t row = 0; row < rows; row++) {
    double *x = values + row * COLUMNS;
    for (size_t i = 0; i < INPUTS; i++)
      x[i] = fmod(0.5 + (double)(row + 1) * steps[i], 1);
    x[INPUTS] = 10 * sin(3.141592653589793 * x[0] * x[1]) + 20 * (x[2] - 0.5) * (x[2] - 0.5) + 10 * x[3] + 5 * x[4];
  }
}

#endif
