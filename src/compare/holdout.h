/* Test rows, held out of a table at random. */
#ifndef ENT_COMPARE_HOLDOUT_H
#define ENT_COMPARE_HOLDOUT_H

#include "tune/folds.h"

/* numbers[rows] becomes the training rows and then, from *train on, the test rows; both ascending. A share of the rows is
 * held out at random from the seed, of every class as well, to one row; every row has the same chance. Rows of a group
 * stay on one side: then groups are taken that bring each class as near to its share as random order allows. At least
 * one row is held out. *train may be 0 where rows are too few or all of one group. */
entropic_status ent_holdout(entropic_context *context, const ent_fold_options *split, double share, uint64_t seed,
                            size_t *numbers, size_t *train);

#endif
