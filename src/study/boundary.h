/* What the boundary functions are for. All hats vanish at 0 and 1, and so does whatever is made of them alone; two more
 * functions of each input span the rest. Shown by the atoms themselves and by how well 1 + x is approached, by least
 * squares on a grid, with and without them. */
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
  /* 1 + x; as 7 and as 31 hats approach it; as the boundary functions alone do. */
  double truth[ENT_BOUNDARY_POINTS], coarse[ENT_BOUNDARY_POINTS], fine[ENT_BOUNDARY_POINTS],
      pair_alone[ENT_BOUNDARY_POINTS];
  /* The laplace kernel, omega 1: the root of the mean square of what is missing, and the most of it. */
  double hat_count[ENT_BOUNDARY_SIZES];
  double without[ENT_BOUNDARY_SIZES], with[ENT_BOUNDARY_SIZES];
  double worst_without[ENT_BOUNDARY_SIZES], worst_with[ENT_BOUNDARY_SIZES];
} ent_boundary;

entropic_status ent_boundary_measure(entropic_context *context, ent_boundary *result);

/* Least squares for truth[rows] at x[rows] by so many features of one input, best first: fitted[rows]. */
entropic_status ent_boundary_fit(entropic_context *context, entropic_family family, entropic_basis basis,
                                 size_t features, const double *x, const double *truth, size_t rows, double *fitted);

#endif
