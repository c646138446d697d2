/* Statistics of the training rows, and of each set of rows that is validated on: what a grid search needs. */
#ifndef ENT_TUNE_FOLD_STATISTICS_H
#define ENT_TUNE_FOLD_STATISTICS_H

#include "sums/statistics.h"
#include "tune/validation_splits.h"

/* An empty one is all zero. */
typedef struct ent_fold_statistics {
  ent_statistics *total;
  ent_statistics **set; /* [sets]; forward, the last one is of the rows that are always trained on */
  size_t sets;
} ent_fold_statistics;

/* How many sets the rows of the splits have. */
size_t ent_set_count(const ent_validation_splits *splits);

/* Of some of the training rows; without numbers, of all. On failure *s is empty. */
entropic_status ent_fold_statistics_collect(entropic_context *context, const ent_validation_splits *splits,
                                            const ent_map *map, ent_row_list rows, ent_grade grade,
                                            ent_fold_statistics *s);
/* Of the first features alone. On failure *s is empty. */
entropic_status ent_fold_statistics_head(entropic_context *context, const ent_fold_statistics *from, size_t features,
                                         ent_fold_statistics *s);
/* Frees and empties. */
void ent_fold_statistics_clear(ent_fold_statistics *s);

#endif
