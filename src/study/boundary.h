/* What the boundary functions are for. All hats vanish at 0 and 1, and so does every sum of them; two more functions of
 * each input span the rest. The atoms show it, and the least-squares fits to 1 + x on a grid, with and without them. */
#ifndef ENT_STUDY_BOUNDARY_H
#define ENT_STUDY_BOUNDARY_H

#include "entropic/entropic.h"

#define ENT_BOUNDARY_POINTS 257 /* a grid on [0,1] that has the nodes of all hats shown */
#define ENT_BOUNDARY_LEVELS 3   /* of hats, shown */
#define ENT_BOUNDARY_SIZES 6    /* 1, 3, .. 63 hats */

typedef struct ent_boundary {
  double x[ENT_BOUNDARY_POINTS];
  /* Atoms of norm 1 of the centred kernel with omega 1. The hats of a level do not overlap: one curve has them all. */
  double hats[ENT_BOUNDARY_LEVELS][ENT_BOUNDARY_POINTS], pair[2][ENT_BOUNDARY_POINTS];
  /* 1 + x; its fit by 7 hats, by 31 hats, by the boundary functions alone. */
  double truth[ENT_BOUNDARY_POINTS], coarse[ENT_BOUNDARY_POINTS], fine[ENT_BOUNDARY_POINTS],
      pair_alone[ENT_BOUNDARY_POINTS];
  /* The laplace kernel, omega 1: the root mean square of the residuals, and the largest of them. */
  double hat_count[ENT_BOUNDARY_SIZES];
  double without[ENT_BOUNDARY_SIZES], with[ENT_BOUNDARY_SIZES];
  double worst_without[ENT_BOUNDARY_SIZES], worst_with[ENT_BOUNDARY_SIZES];
} ent_boundary;

entropic_status ent_boundary_measure(entropic_context *context, ent_boundary *result);

/* Points of one input and the values of a function there; borrowed. */
typedef struct ent_boundary_points {
  const double *x, *truth; /* [rows] */
  size_t rows;
} ent_boundary_points;

/* Least squares by so many features of one input, best first: fitted[rows]. */
entropic_status ent_boundary_fit(entropic_context *context, entropic_family family, entropic_basis basis,
                                 size_t features, const ent_boundary_points *points, double *fitted);

#endif
