/* Collecting the statistics of rows for a model. Rows are read once, in blocks; memory does not grow with them. */
#ifndef ENT_UPDATE_COLLECTION_H
#define ENT_UPDATE_COLLECTION_H

#include "data/table.h"
#include "model/frozen.h"
#include "model/row_reader.h"
#include "sums/gradient_sums.h"

/* What was collected. */
typedef struct ent_collected {
  uint64_t rows;                         /* with a target and a weight */
  size_t without_target, without_weight; /* left out */
  size_t beyond_origin;                  /* targets beyond the origin of a root, which count as the origin */
  entropic_data_warnings warnings;
} ent_collected;

/* Adds all rows that are left to read to statistics of the shape that the model has frozen. On failure these are as they were.
 * BAD_DATA, with the place, if a target or a weight is beyond its scale, or a value is missing that may not be. options as in ent_fixed_collect. */
entropic_status ent_collect(entropic_context *context, const entropic_model *model, entropic_row_reader *reader,
                            const ent_fixed_options *options, ent_fixed *fixed, ent_collected *collected);

/* ---- Tables (table_pass.c) ---- */

/* Sums over the rows of a table for a model, in one pass that keeps no row. */

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
