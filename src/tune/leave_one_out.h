/* What a member would say of a training row without that row. */
#ifndef ENT_TUNE_LEAVE_ONE_OUT_H
#define ENT_TUNE_LEAVE_ONE_OUT_H

#include "select/average.h"
#include "sums/statistics.h"
#include "tune/validation_splits.h"

/* Sets member->left_out from its features, weights and lambda. `rows` are all training rows, with the targets and row
 * weights that the weights were learnt from; the statistics are of those that take part. The features stay, which were
 * selected with the row unless it is of the member's own fold. Of many rows, every so many. */
entropic_status ent_leave_one_out(entropic_context *context, const ent_validation_splits *splits, const ent_block *rows,
                                  const ent_statistics *statistics, ent_member *member);

#endif
