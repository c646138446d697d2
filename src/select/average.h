/* Several models as one: the mean of functions of the same kernel's features is again such a function, of all features
 * that occur in any of them. */
#ifndef ENT_SELECT_AVERAGE_H
#define ENT_SELECT_AVERAGE_H

#include "lift/features.h"

/* A function for each score: offsets[score] + weights[score * features + feature] over the features of the lifting. */
typedef struct ent_member {
  ent_lifting lifting;
  size_t scores;
  double *weights, *offsets;
  double lambda;                         /* it was learnt with */
  double *final_weights, *final_offsets; /* from rows that take no part as well; NULL: not asked for */
} ent_member;

/* Frees and empties. */
void ent_member_clear(ent_member *member);

/* The mean of members, whose kernels are equal and whose inputs all have the same base levels. On failure *mean is
 * empty. */
entropic_status ent_average(entropic_context *context, const ent_member *members, size_t count, ent_member *mean);

#endif
