/* Sums over all rows of a table, wherever they are: its own, or those of its shards. */
#ifndef ENT_SHARD_ALL_ROWS_PASS_H
#define ENT_SHARD_ALL_ROWS_PASS_H

#include "dataset/dataset.h"
#include "update/collection.h"

/* As ent_table_collect. */
entropic_status ent_all_rows_collect(entropic_context *context, const ent_all_rows *all, const entropic_model *model,
                                     ent_fixed *fixed, ent_collected *collected);
/* As ent_table_add_gradient. */
entropic_status ent_all_rows_add_gradient(entropic_context *context, const ent_all_rows *all,
                                          const ent_gradient_point *at, ent_gradient_sums *sums,
                                          ent_collected *collected);

#endif
