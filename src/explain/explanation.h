/* An explanation: effects and shares of a model, and what rows say about them. */
#ifndef ENT_EXPLAIN_EXPLANATION_H
#define ENT_EXPLAIN_EXPLANATION_H

#include "entropic/explain.h"
#include "explain/dependence.h"

/* Rows of a reader, one of each 2^levels. */
typedef struct ent_row_sample {
  size_t inputs, count, capacity;
  unsigned levels;
  size_t seen;
  size_t *numbers; /* [count] of the rows, from 0 */
  double *x;       /* [count x inputs] in the units of the data */
  size_t width;
  double *scaled; /* [count x width] by all components: see ent_model_scale */
} ent_row_sample;

struct entropic_explanation {
  const entropic_model *model; /* borrowed */
  ent_marginals *own;          /* marginals of rows, where the model keeps none */
  ent_effects *effects;
  /* Of models with centres these two are NULL until something needs them: they take longer than effects of rows. */
  _Atomic(ent_effect_shares *) shares;
  _Atomic(ent_effect_dependence *) dependence; /* NULL without rows */
  ent_row_sample sample;                       /* of the rows that were read; empty without them */
};

/* Makes the shares and, with rows, the dependence, if they are not there. Several threads may call it. */
entropic_status ent_explanation_complete(entropic_context *context, const entropic_explanation *explanation);

/* All rows of a reader; of more than there is room for one of each two, of each four and so on: as if at random, but the
 * same ones each time. On failure the sample is empty. */
entropic_status ent_row_sample_read(entropic_context *context, const entropic_model *model, entropic_row_reader *reader,
                                    ent_row_sample *sample);
/* Frees what it holds and empties it. */
void ent_row_sample_clear(ent_row_sample *sample);

#endif
