/* Collecting the statistics of rows for a model. Rows are read once, in blocks; memory does not grow with them. */
#ifndef ENT_UPDATE_COLLECTION_H
#define ENT_UPDATE_COLLECTION_H

#include "model/frozen.h"
#include "model/row_reader.h"

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

#endif
