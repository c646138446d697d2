/* The steps of ent_fit_prepare. */
#ifndef ENT_FIT_PREPARE_H
#define ENT_FIT_PREPARE_H

#include "fit/fit.h"

/* BAD_ARGUMENT or BAD_DATA unless the options go together and with the data. valid may be NULL. */
entropic_status ent_fit_check_options(entropic_context *context, const entropic_dataset *train,
                                      const entropic_dataset *valid, const ent_fit_options *o);
/* Whether features are selected from the data. */
bool ent_fit_selects(const entropic_dataset *train, const entropic_dataset *valid, const ent_fit_options *o);

/* Whether missing values of an input are known as such: by an atom of their own. Other numbers become the middle. */
bool ent_fit_keeps_missing(const ent_fit *fit, size_t input);
/* Scalers, rows and targets of both data sets. */
entropic_status ent_fit_prepare_rows(entropic_context *context, ent_fit *fit);
/* Classes of few rows count more: in sum every class the same, and all rows together as much as before. */
entropic_status ent_fit_balance_classes(entropic_context *context, ent_fit *fit);

/* Of these, the part that depends on the inputs: scalers and views; and the axes. */
entropic_status ent_fit_prepare_inputs(entropic_context *context, ent_fit *fit);
entropic_status ent_fit_prepare_axes(entropic_context *context, ent_fit *fit);
/* Frees what these have made, but for the sample. */
void ent_fit_clear_inputs(ent_fit *fit);

/* Scales all rows of a data set into scaled[rows x inputs]. */
entropic_status ent_fit_scale_rows(entropic_context *context, const entropic_scaler *scaler,
                                   const entropic_dataset *data, double *scaled);

#endif
