/* The forms of a model, scored on outer validation rows; and which of them is worth it. */
#ifndef ENT_FIT_OUTER_FORMS_H
#define ENT_FIT_OUTER_FORMS_H

#include "fit/outer.h"

#define ENT_OUTER_SMALL ((size_t)5000) /* rows up to which a table is small */

/* Numbers of outer validation rows: training rows that were left out, or some of the validation rows. */
typedef struct ent_outer_rows {
  const size_t *numbers;
  size_t count;
} ent_outer_rows;

/* The data set that outer validation rows are of. */
static inline const entropic_dataset *ent_outer_data(const ent_fit *fit) {
  return fit->valid != NULL ? fit->valid : fit->train;
}

/* A row that is scored: errors and predictions [targets], as an ent_outer has them. */
typedef struct ent_outer_row {
  double loss;
  double *errors, *predictions;
} ent_outer_row;

/* Scores row `number`. scores: predictions of numbers in the units of fit->y; or scores of classes, which change. Room for
 * classes: probabilities[classes]. */
void ent_outer_score_row(const ent_fit *fit, double inverse_temperature, size_t number, double *scores,
                         double *probabilities, ent_outer_row *row);

/* Losses and errors of fitted->form on rows, from row number outer->rows on. scores[count x fit->scores]: predictions of
 * numbers, or scores of classes, which change. */
entropic_status ent_outer_add_scores(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                     const ent_outer_rows *rows, double *scores, ent_outer *outer);
/* Losses and errors of one form on rows that it was not trained on, from row number outer->rows on. */
entropic_status ent_outer_score(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                const ent_outer_rows *rows, ent_outer *outer);
/* scores[rows x scores]: of all training rows in the view that the fit uses, by an outcome whose link transforms nothing. */
entropic_status ent_outer_run_scores(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                                     double *scores);
/* The same of the simple forms. Where the linear form cannot be trained, the constant takes its place. */
entropic_status ent_outer_score_simple(entropic_context *context, const ent_fit *fit, const ent_outer_rows *rows,
                                       ent_outer *outer);
/* Trains the simple form fitted->form on all rows. */
entropic_status ent_outer_fit_simple(entropic_context *context, ent_fit *fit, ent_fitted *fitted);
/* fitted->form: the one that is worth it, once all rows are scored. Makes batches of a time series first. */
entropic_status ent_outer_decide(entropic_context *context, const ent_fit *fit, ent_fitted *fitted);

#endif
