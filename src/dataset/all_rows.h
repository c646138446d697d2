/* All rows of a table of which a data set has a sample, on which a fit chooses. Its weights then come from all of them, in
 * passes that keep none (update/table_pass.h, shard/all_rows_pass.h). */
#ifndef ENT_DATASET_ALL_ROWS_H
#define ENT_DATASET_ALL_ROWS_H

#include "data/table.h"

typedef struct ent_all_rows {
  entropic_table *table; /* shared; its own rows, or those of its shards */
  uint64_t rows;         /* with and without a target */
  double *least, *most;  /* [targets] of numbers, over all rows */
  double most_weight;    /* over all rows; 1 without weights */
} ent_all_rows;

/* target: the columns of the targets; weight: that of the weights, or SIZE_MAX. */
entropic_status ent_all_rows_of_table(entropic_context *context, const entropic_table *table, const size_t *target,
                                      size_t targets, size_t weight, ent_all_rows **all);
/* NULL is fine. */
void ent_all_rows_free(ent_all_rows *all);

#endif
