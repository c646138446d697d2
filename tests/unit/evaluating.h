/* A small split for evaluations. */
#ifndef EVALUATING_H
#define EVALUATING_H

#include "unit/learning.h"

#include "compare/evaluation.h"

enum { ROWS = 160, TEST = 40, INPUTS = 3, SIZE = 12 };

typedef struct arena {
  double x[(ROWS + TEST) * INPUTS], y[ROWS + TEST];
  ent_evaluation_data data;
} arena;

static inline void arena_start(arena *a, size_t classes) {
  entropic_random random = entropic_random_start(4, classes);
  for (size_t i = 0; i < (ROWS + TEST) * INPUTS; i++)
    a->x[i] = entropic_random_uniform(&random);
  for (size_t r = 0; r < ROWS + TEST; r++) {
    a->y[r] = smooth_target(a->x + r * INPUTS, INPUTS, 0) + 0.1 * entropic_random_normal(&random);
    if (classes > 0)
      a->y[r] = a->y[r] > 2.5 ? 1 : -1;
  }
  a->data = (ent_evaluation_data){.inputs = INPUTS,
                                  .targets = 1,
                                  .classes = classes,
                                  .rows = ROWS,
                                  .test_rows = TEST,
                                  .x = a->x,
                                  .y = a->y,
                                  .test_x = a->x + ROWS * INPUTS,
                                  .test_y = a->y + ROWS};
}

/* The error of a constant: that of the mean of the training rows, or of their most frequent class. */
static inline double constant_error(const arena *a) {
  double sum = 0, square = 0;
  size_t wrong = 0;
  for (size_t r = 0; r < ROWS; r++)
    sum += a->y[r];
  for (size_t r = ROWS; r < ROWS + TEST; r++) {
    square += (a->y[r] - sum / ROWS) * (a->y[r] - sum / ROWS);
    wrong += (a->y[r] > 0) != (sum > 0);
  }
  return a->data.classes > 0 ? (double)wrong / TEST : sqrt(square / TEST);
}

#endif
