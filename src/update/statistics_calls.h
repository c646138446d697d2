/* Statistics: a model without weights that keeps them. */
#ifndef ENT_UPDATE_STATISTICS_CALLS_H
#define ENT_UPDATE_STATISTICS_CALLS_H

#include "model/model.h"
#include "update/collection.h"

struct entropic_statistics {
  entropic_frozen_design design; /* whose model has the sums */
};

/* BAD_DATA unless the model keeps statistics. */
entropic_status ent_statistics_check_kept(entropic_context *context, const entropic_model *model);

/* Adds statistics of `count` rows to those of a model, or forgets them. The opposite undoes it, and cannot fail. On
 * failure the model is as it was. */
entropic_status ent_statistics_change(entropic_context *context, entropic_model *model, const ent_fixed *rows,
                                      uint64_t count, bool forget);

/* BAD_ARGUMENT unless the reader was opened for such a model, with targets. */
entropic_status ent_statistics_check_reader(entropic_context *context, const entropic_model *model,
                                            const entropic_row_reader *reader);

/* What is reported of rows that were read. */
void ent_report_rows(entropic_report *report, const ent_collected *collected, uint64_t total_rows);

/* A receipt as text. */
void ent_statistics_receipt_text(const uint8_t digest[ENT_SHA256_SIZE], char receipt[ENTROPIC_RECEIPT_SIZE]);

/* ---- Weights from statistics ---- */

/* Weights of a model from the statistics that it has: each member by itself, then their mean. */

#define ENT_LAMBDA_OF_DESIGN (-1.0) /* that of each member */
#define ENT_LAMBDA_BY_GCV (-2.0)    /* by generalised cross-validation on the rows of the statistics */

/* What is solved: lambda is a number or one of the above. */
typedef struct ent_solution {
  double lambda;
  double *weights;       /* [scores x features] */
  double *offsets;       /* [scores] */
  double *member_lambda; /* [members] those used */
} ent_solution;

/* Solves; clear it in any case. BAD_DATA if there are no rows. */
entropic_status ent_solution_find(entropic_context *context, const entropic_model *model, double lambda,
                                  ent_solution *solution);
void ent_solution_clear(ent_solution *solution);
/* Puts the solution into the model in place of its weights, with the number of rows. Handed out pointers stay valid. */
void ent_solution_apply(const ent_solution *solution, entropic_model *model);

/* Collects statistics of the training rows of a model that a fit has made, and solves its weights from them. */
entropic_status ent_model_keep_statistics(entropic_context *context, const entropic_dataset *train,
                                          entropic_model *model);

#endif
