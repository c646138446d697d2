/* Collecting the statistics of rows for a model. Rows are read once, in blocks; memory does not grow with them. */
#ifndef ENT_UPDATE_COLLECTION_H
#define ENT_UPDATE_COLLECTION_H

#include "model/frozen.h"

/* Where rows come from: a row reader, or a data set. A small table of functions and the thing they work on. */
typedef struct ent_raw_rows {
  void *self;
  /* Up to capacity rows in the order and units of the data; as entropic_row_reader_next. */
  entropic_status (*next)(entropic_context *context, void *self, size_t capacity, double *x, double *y, double *weights,
                          size_t *rows);
  /* BAD_DATA about a row, from 0 on: found that value in that column: a target by its number, an input by its number
   * behind the targets, or the weight (SIZE_MAX). */
  entropic_status (*fail)(entropic_context *context, void *self, size_t row, size_t column, double value,
                          const char *expected);
} ent_raw_rows;

ent_raw_rows ent_raw_rows_of_reader(entropic_row_reader *reader);

/* The rows of a data set that has the schema of the model. */
typedef struct ent_dataset_rows {
  const entropic_dataset *dataset;
  size_t at;
} ent_dataset_rows;
ent_raw_rows ent_raw_rows_of_dataset(ent_dataset_rows *source);

/* What was collected. */
typedef struct ent_collected {
  uint64_t rows;                         /* with a target and a weight */
  size_t without_target, without_weight; /* left out */
  size_t beyond_origin;                  /* targets beyond the origin of a root, which count as the origin */
  entropic_data_warnings warnings;
} ent_collected;

/* Adds all rows of the source to statistics of the shape that the model has frozen. On failure these are as they were.
 * BAD_DATA, with the place, if a target or a weight is beyond its scale, or a value is missing that may not be. options as in ent_fixed_collect. */
entropic_status ent_collect(entropic_context *context, const entropic_model *model, const ent_raw_rows *source,
                            const ent_fixed_options *options, ent_fixed *fixed, ent_collected *collected);

#endif
