/* The kernel itself as a form: all training rows as centres. Family, scaling, omega and ridge are those with the least error
 * of rows left out of some of the rows; then all rows that take part are centres. */
#ifndef ENT_FIT_KERNEL_FORM_H
#define ENT_FIT_KERNEL_FORM_H

#include "fit/fit.h"
#include "fit/outer_forms.h"

#define ENT_KERNEL_ROWS ((size_t)5000) /* a candidate up to so many rows */

typedef struct ent_kernel_form {
  bool made; /* false: the kernel is no candidate, or its equations have no solution in doubles */
  entropic_kernel *kernel;
  size_t view, rows, inputs, scores;
  double ridge;
  double *centres;      /* [rows x inputs] scaled */
  double *coefficients; /* [scores x rows] */
  double *means;        /* [scores] */
  double inverse_temperature;
} ent_kernel_form;

void ent_kernel_form_clear(ent_kernel_form *form);

/* Whether the kernel is a candidate for a stack. */
bool ent_kernel_is_candidate(const ent_fit *fit);
/* Chooses and trains on the rows that take part; clear the form in any case. */
entropic_status ent_kernel_form_fit(entropic_context *context, const ent_fit *fit, ent_kernel_form *form);
/* Scores outer validation rows, from row number outer->rows on; without a form they get nothing. */
entropic_status ent_kernel_form_score(entropic_context *context, const ent_fit *fit, const ent_kernel_form *form,
                                      const ent_outer_rows *rows, ent_outer *outer);

#endif
