/* The average of several models. The mean of functions of one kernel's features is such a function again, of all
 * features that occur in any of them. */
#ifndef ENT_SELECT_AVERAGE_H
#define ENT_SELECT_AVERAGE_H

#include "lift/features.h"

/* A function for each score: offsets[score] + weights[score * features + feature] over the features of the lifting. */
typedef struct ent_member {
  ent_lifting lifting;
  size_t scores;
  double *weights, *offsets;
  double lambda;                         /* of the weights */
  double *final_weights, *final_offsets; /* trained on the rows without a fold as well; NULL: not asked for */
  double *left_out; /* [rows x scores] scores of training rows, each without that row; NaN: not known; NULL: likewise */
} ent_member;

/* Frees and empties. */
void ent_member_clear(ent_member *member);

/* Whether two kernels have the same levels of the same atoms, but perhaps other scales of these, as kernels that differ in
 * omega have. A feature of the one is then a multiple of that of the other. */
bool ent_kernels_alike(const entropic_kernel *a, const entropic_kernel *b);

/* The mean of members. Their kernels must be alike, with the same base levels; the mean has the kernel of the first one
 * with features. lists[count], unless it is NULL: the features of each member among those of the mean, ascending, to be
 * released with ent_delete. On failure *mean is empty, and there are no lists. */
entropic_status ent_average(entropic_context *context, const ent_member *members, size_t count, ent_member *mean,
                            uint32_t **lists);

#endif
