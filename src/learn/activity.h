/* Rows as atoms: for each level of each input which atom is not zero at each row, and its value. Selection looks at
 * thousands of groups over the same rows, so the levels are evaluated once. */
#ifndef ENT_LEARN_ACTIVITY_H
#define ENT_LEARN_ACTIVITY_H

#include "axis/kernel.h"
#include "learn/rows.h"

/* One level over all rows. Single precision: what is screened by it is computed again in double before it counts. */
typedef struct ent_column {
  uint32_t *atoms; /* NULL if the level has one atom only */
  float *values;   /* NULL until the column has been asked for */
  double share;    /* mean square over the rows, divided by the number of atoms that occur; 0 if none does */
} ent_column;

typedef struct ent_activity {
  const entropic_kernel *kernel;
  const double *x;
  size_t rows, stride;
  ent_column **columns; /* [input][level] */
} ent_activity;

/* The kernel and x[row * stride + input] are borrowed. */
entropic_status ent_activity_create(entropic_context *context, const entropic_kernel *kernel, const double *x,
                                    size_t rows, size_t stride, ent_activity **activity);
void ent_activity_free(ent_activity *activity);

/* Sees to it that these columns are there; on the context's threads. */
entropic_status ent_activity_need(entropic_context *context, ent_activity *activity, const entropic_term *terms,
                                  size_t count);

#endif
