/* A grid: points of each input in use, in the units of the data, and the atoms there. Effects of inputs and of pairs at
 * these points are then short sums: pictures of a model are drawn from them, and nothing is sampled. Those of centres
 * are sums over all of them (grid_centres.c).
 *
 * The points of a number that had few distinct values are these values. Otherwise they are evenly spaced after scaling,
 * brought back to the units of the data. The points of a category are its codes. Behind them is one that is missing,
 * NaN, where the model knows missing values of the input. */
#ifndef ENT_EXPLAIN_GRID_H
#define ENT_EXPLAIN_GRID_H

#include "explain/explanation.h"

#define ENT_DISTINCT_POINTS ((size_t)100) /* values of a number of few */

typedef struct ent_effect_points {
  size_t count;   /* without the one that is missing */
  bool missing;   /* there is one more, behind the others */
  bool distinct;  /* a number: all values that it had */
  size_t left;    /* categories without a point: the rarest ones */
  double *at;     /* [most] in the units of the data, ascending; codes of a category */
  double *scaled; /* [most] */
  double *shares; /* [most] of the rows, NaN where not known; of a number only if distinct */
} ent_effect_points;

typedef struct ent_effect_grid {
  const entropic_explanation *explanation; /* borrowed */
  size_t most;                             /* room for the points of an input */
  ent_effect_points *points;               /* [used] */
  double *room;
  double *values; /* [atoms x most] how far each atom is from its mean at the points of its input */
  /* Only where a component is of centres: */
  double *scaled; /* [most x width of the model] row p has point p of each input */
  double *mains;  /* [scores x used x most] what centres add to the main effects */
} ent_effect_grid;

/* At most `most` points of an input and a missing one; of a number that is not distinct `steps` + 1 or less. */
entropic_status ent_effect_grid_create(entropic_context *context, const entropic_explanation *explanation, size_t steps,
                                       size_t most, ent_effect_grid **grid);
void ent_effect_grid_free(ent_effect_grid *grid);

/* The main effect of an input on a score: effects[count, + 1 if missing]. */
void ent_effect_grid_main(const ent_effect_grid *grid, size_t place, size_t score, double *effects);
/* Whether the model keeps the main effects of several fold models, over the same marginals. */
bool ent_effect_grid_has_bands(const ent_effect_grid *grid);
/* The lowest and the highest main effect of an input on a score among these fold models: low and high, as effects. */
void ent_effect_grid_band(const ent_effect_grid *grid, size_t place, size_t score, double *low, double *high);
/* The effect of a pair of ent_effect_shares on a score beyond those of both: effects[point of a * stride + point of b], where
 * stride is all points of b. NO_MEMORY, or CANCELLED: with centres it takes a while. */
entropic_status ent_effect_grid_pair(entropic_context *context, const ent_effect_grid *grid, size_t pair, size_t score,
                                     double *effects);
/* How many rows of the sample are nearest to each pair of points: counts, as the effects of a pair. */
void ent_effect_grid_count(const ent_effect_grid *grid, size_t pair, size_t *counts);

/* For grid.c: what centres add, of a grid that has points and `scaled`; and what they add to the effect of a pair. */
entropic_status ent_effect_grid_add_centres(entropic_context *context, ent_effect_grid *grid);
entropic_status ent_effect_grid_add_pair(entropic_context *context, const ent_effect_grid *grid, size_t pair,
                                         size_t score, double *effects);

/* All points of an input, a missing one among them. */
static inline size_t ent_effect_points_all(const ent_effect_points *points) {
  return points->count + (points->missing ? 1 : 0);
}

#endif
