/* Training from rows that were lifted before: the paper's table 3. */
#ifndef ENT_COMPARE_LIFTED_TRAINING_H
#define ENT_COMPARE_LIFTED_TRAINING_H

#include "lift/map.h"
#include "solve/ridge.h"
#include "sums/rows.h"

/* All borrowed. */
typedef struct ent_lifted_training {
  const ent_map *map;
  const ent_block *rows; /* with targets */
  size_t targets;
  double lambda;
} ent_lifted_training;

/* Lifts all rows into memory and then measures how long it takes to get from there to the weights: the products of
 * features, and the solution, which the caller frees. *seconds has neither making nor lifting in it. */
entropic_status ent_lifted_training_time(entropic_context *context, const ent_lifted_training *training,
                                         ent_ridge **ridge, double *seconds);

#endif
