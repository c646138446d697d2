/* Sums over the rows of a table for a model, in one pass that keeps no row. */
#ifndef ENT_UPDATE_TABLE_PASS_H
#define ENT_UPDATE_TABLE_PASS_H

#include "data/table.h"
#include "sums/gradient_sums.h"
#include "update/collection.h"

/* Sums of the logistic gradient are asked for at the weights of the model. */
typedef struct ent_gradient_point {
  const entropic_model *model;
  const double *class_weight; /* [classes] factors of weights; NULL: none */
  int weight_exponent;        /* no weight is above 2 to this power */
} ent_gradient_point;

/* Adds the statistics of the rows, for what is frozen with the model. */
entropic_status ent_table_collect(entropic_context *context, const entropic_table *table, const entropic_model *model,
                                  ent_fixed *fixed, ent_collected *collected);
/* Adds sums of the gradient. */
entropic_status ent_table_add_gradient(entropic_context *context, const entropic_table *table,
                                       const ent_gradient_point *at, ent_gradient_sums *sums, ent_collected *collected);

#endif
