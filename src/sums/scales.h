/* Scales of collections: what fixed-point numbers of a source of rows are measured by. */
#ifndef ENT_SUMS_SCALES_H
#define ENT_SUMS_SCALES_H

#include "sums/fixed.h"

/* The shape of a collection, and how exact it is. */
typedef struct ent_scales {
  ent_grade grade;
  bool sliced;     /* each target has two columns: it, rounded, and the rest */
  int *exponents;  /* of features, the 1, columns of targets */
  ent_fixed fixed; /* the shape, without totals: borrows the exponents, and the shift of the statistics */
} ent_scales;

/* The scales of all rows of the source: of features from the map, of weights and targets from the largest ones. They do not
 * depend on the order of rows. The grade is exact if asked for, or if most rows would be too small for the other one. BAD_DATA
 * as ent_rows_take, or if targets, weights or features are too large. On failure there is nothing to clear. */
entropic_status ent_scales_find(entropic_context *context, const ent_statistics *statistics, const ent_map *map,
                                const ent_rows *rows, ent_grade grade, ent_scales *scales);
void ent_scales_clear(ent_scales *scales);

#endif
