/* A feature map: what learners know of whatever makes features of rows. The lift of a design is one, random features
 * are others. A small table of functions and the thing they work on; a plain value, copied freely, that owns nothing:
 * the thing must outlive it. */
#ifndef ENT_LIFT_MAP_H
#define ENT_LIFT_MAP_H

#include <stdbool.h>

#include "entropic/entropic.h"

typedef struct ent_map_calls {
  /* Scratch memory for the calls below, one for each thread. */
  entropic_status (*scratch_create)(entropic_context *context, const void *self, void **scratch);
  void (*scratch_free)(void *scratch);
  /* As entropic_lift_dense and entropic_lift_sparse: column-major z, or compressed rows with ascending columns and room
   * for map.nonzeros entries a row. Neither allocates. */
  entropic_status (*dense)(entropic_context *context, const void *self, void *scratch, const double *x, size_t rows,
                           size_t stride, double *z, size_t ld);
  entropic_status (*sparse)(entropic_context *context, const void *self, void *scratch, const double *x, size_t rows,
                            size_t stride, size_t *starts, int32_t *columns, double *values);
  /* exponents[feature]: no |z_feature(x)| is above 2^exponents[feature], whatever x in [0,1] or missing, but for rounding.
   * Close: within a factor 2 for most kernels. */
  void (*exponents)(const void *self, int *exponents);
  /* One line for people into text, 0-terminated and cut to size. */
  void (*describe)(const void *self, char *text, size_t size);
} ent_map_calls;

typedef struct ent_map {
  const ent_map_calls *calls;
  const void *self;
  size_t inputs, features;
  size_t nonzeros; /* the most a row can have; equal to features where rows are dense */
  bool missing;    /* inputs may be missing, NaN */
} ent_map;

ent_map ent_map_of_lift(const entropic_lift *lift);

#endif
