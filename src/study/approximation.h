/* The approximation of the kernel by M features: the root mean square of z(x).z(y) - k(x,y) over random pairs, for our
 * features, complete and as printed, and for random features. */
#ifndef ENT_STUDY_APPROXIMATION_H
#define ENT_STUDY_APPROXIMATION_H

#include "entropic/entropic.h"

#define ENT_APPROXIMATIONS 9 /* numbers of features: 16, 32, .. 4096 */

typedef struct ent_approximation {
  size_t inputs;
  double features[ENT_APPROXIMATIONS];
  double complete[ENT_APPROXIMATIONS]; /* entropic optimal features of the laplace kernel */
  double printed[ENT_APPROXIMATIONS];  /* their interior part alone, each of norm 1 */
  double random[ENT_APPROXIMATIONS];   /* RKS, the mean over some seeds */
} ent_approximation;

entropic_status ent_approximation_measure(entropic_context *context, size_t inputs, ent_approximation *result);

#endif
