/* Rows as atoms: for each level of each input which atom is not zero at each row, and its value. Selection looks at
 * thousands of groups over the same rows, so the levels are evaluated once. */
#ifndef ENT_SELECT_LEVEL_CACHE_H
#define ENT_SELECT_LEVEL_CACHE_H

#include "axis/kernel.h"
#include "solve/rows.h"

/* One level over all rows. Single precision: what is screened by it is computed again in double before it counts. */
typedef struct ent_level_column {
  uint32_t *atoms; /* NULL if the level has one atom only */
  float *values;   /* NULL until the column has been asked for */
  double share;    /* mean square over the rows, divided by the number of atoms that occur; 0 if none does */
} ent_level_column;

typedef struct ent_level_cache {
  const entropic_kernel *kernel;
  const double *x;
  size_t rows, stride;
  ent_level_column **columns; /* [input][level] */
} ent_level_cache;

/* The kernel and x[row * stride + input] are borrowed. */
entropic_status ent_level_cache_create(entropic_context *context, const entropic_kernel *kernel, const double *x,
                                       size_t rows, size_t stride, ent_level_cache **cache);
void ent_level_cache_free(ent_level_cache *cache);

/* Sees to it that these columns are there; on the context's threads. */
entropic_status ent_level_cache_need(entropic_context *context, ent_level_cache *cache, const entropic_term *terms,
                                     size_t count);

#endif
