/* Rows beyond a sample. A data set of a table with more rows than the parameter `sample` has those of a sample, on which
 * a fit chooses. Its weights then come from all rows of the table, in passes that keep none of them. */
#ifndef ENT_MODEL_FULL_PASS_H
#define ENT_MODEL_FULL_PASS_H

#include "data/table.h"
#include "model/collection.h"
#include "solve/gradient_sums.h"

/* Sums of the logistic gradient are asked for at the weights of the model. */
typedef struct ent_full_pass_gradient {
  const entropic_model *model;
  const double *class_weight; /* [classes] factors of weights; NULL: none */
  int weight_exponent;        /* no weight is above 2 to this power */
} ent_full_pass_gradient;

/* What can be asked of all rows, wherever they are. */
typedef struct ent_full_pass_calls {
  /* Adds the statistics of all rows, for what is frozen with the model. */
  entropic_status (*collect)(entropic_context *context, void *self, const entropic_model *model, ent_fixed *fixed,
                             ent_collected *collected);
  /* Adds sums of all rows. */
  entropic_status (*gradient)(entropic_context *context, void *self, const ent_full_pass_gradient *at,
                              ent_gradient_sums *sums, ent_collected *collected);
  void (*free)(void *self);
} ent_full_pass_calls;

typedef struct ent_full_pass {
  const ent_full_pass_calls *calls;
  void *self;
  uint64_t rows;           /* of the table, with and without a target */
  double *least, *most;    /* [targets] of numbers, over all rows */
  double most_weight;      /* over all rows; 1 without weights */
  ent_collected collected; /* what the last pass came to */
} ent_full_pass;

/* Of rows that shards have (shards.c); self is the table. */
extern const ent_full_pass_calls ent_full_pass_calls_of_shards;
void ent_full_pass_free_table(void *self);

/* Adds sums of the rows of a table. */
entropic_status ent_full_pass_add_gradient(entropic_context *context, const entropic_table *table,
                                           const ent_full_pass_gradient *at, ent_gradient_sums *sums,
                                           ent_collected *collected);

/* The rows of a table, which is shared, or those of its shards. targets: its columns; weight: that of the weights, or SIZE_MAX. */
entropic_status ent_full_pass_of_table(entropic_context *context, const entropic_table *table, const size_t *target,
                                       size_t targets, size_t weight, ent_full_pass **full_pass);
void ent_full_pass_free(ent_full_pass *full_pass);

#endif
