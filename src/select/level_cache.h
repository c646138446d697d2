/* The level cache: which atom of each level is not zero at each row, and its value. Selection evaluates thousands of
 * groups at the same rows, so each level is evaluated once. */
#ifndef ENT_SELECT_LEVEL_CACHE_H
#define ENT_SELECT_LEVEL_CACHE_H

#include "axis/kernel.h"
#include "sums/rows.h"

/* One level at all rows. Single precision is enough for screening; what is screened is then computed in double. */
typedef struct ent_level_column {
  uint32_t *atoms; /* NULL if the level has one atom only */
  float *values;   /* NULL until the column is needed */
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

/* Fills the columns of these levels that are not there yet, on the context's threads. */
entropic_status ent_level_cache_need(entropic_context *context, ent_level_cache *cache, const entropic_term *terms,
                                     size_t count);

#endif
