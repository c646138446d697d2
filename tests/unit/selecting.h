/* Rows and a kernel to select features with: numbers, categories, missing values. */
#ifndef SELECTING_H
#define SELECTING_H

#include "unit/validation_splits.h"

#include "base/memory.h"
#include "design/design.h"
#include "select/path.h"

enum { MIXED_INPUTS = 4 };

/* A number with polynomials, three categories, a number that is often missing, one that is mostly large. */
static inline void mixed_axes(double omega, entropic_axis_options *axes) {
  for (size_t i = 0; i < MIXED_INPUTS; i++) {
    axes[i] = ent_axis_options_default();
    axes[i].omega = omega;
    axes[i].max_level = 3;
  }
  axes[0].smooth = 3;
  axes[1] = category_options(3, omega);
  axes[2].missing = 1;
  axes[3].family = ENTROPIC_FAMILY_SOBOLEV;
}

static inline entropic_kernel *mixed_kernel(double omega) {
  entropic_axis_options axes[MIXED_INPUTS];
  mixed_axes(omega, axes);
  return make_kernel(axes, MIXED_INPUTS, MIXED_INPUTS);
}

/* Rows of that kind, with validation rows; the ground must stay where it is. */
static inline void mixed_ground(ground *g, size_t rows, size_t others, size_t targets, bool weighted) {
  ground_start(g, (ground_options){.rows = rows,
                                   .others = others,
                                   .inputs = MIXED_INPUTS,
                                   .targets = targets,
                                   .weighted = weighted,
                                   .seed = rows});
  entropic_random random = entropic_random_start(5, rows);
  for (size_t r = 0; r < rows + others; r++) {
    double *x = g->x + r * MIXED_INPUTS;
    x[1] = (0.5 + (double)entropic_random_below(&random, 4)) / 4; /* the last cell is none of the categories */
    x[2] = entropic_random_below(&random, 5) < 2 ? NAN : x[2];
    x[3] = sqrt(sqrt(x[3]));
  }
  g->splits.train.missing = g->valid.missing = true;
}

static inline ent_path_task task_of(const ground *g, size_t most) {
  return (ent_path_task){.data = {.train = g->splits.train,
                                  .validation = g->valid,
                                  .inputs = g->inputs,
                                  .targets = g->targets,
                                  .scale = g->scale},
                         .max_features = most,
                         .lambda = -1};
}

#endif
