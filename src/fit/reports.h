/* Reports about models: what fits, descriptions and scores have in common. */
#ifndef ENT_FIT_REPORTS_H
#define ENT_FIT_REPORTS_H

#include "base/report.h"
#include "fit/options.h"
#include "model/metrics.h"
#include "model/model.h"

/* What a kernel is called, the least and largest omega there is (low > high if it has none), and the largest degree of
 * smooth atoms, 0 if it has none; of the inputs that the model uses, of all if it is NULL. */
typedef struct ent_kernel_words {
  const char *family;
  double low, high;
  int smooth;
  const entropic_axis_options *custom; /* of the first input with a custom kernel as text; NULL: there is none */
} ent_kernel_words;

ent_kernel_words ent_kernel_wording(const entropic_kernel *kernel, const entropic_model *model);

/* All that is known of a model; with what its fit adds, if that is not NULL. */
void ent_report_model(entropic_report *report, const entropic_model *model, const ent_fit_report *fit);

/* The rows of a fit; valid may be NULL. */
typedef struct ent_fit_data {
  const entropic_dataset *train, *valid;
} ent_fit_data;

/* A fit: the model, its rows, and what the options asked for. */
void ent_report_fit(entropic_report *report, const entropic_model *model, const ent_fit_data *data,
                    const ent_fit_options *options, const ent_fit_report *fit);
/* Errors, and what is unusual about the rows. */
void ent_report_scores(entropic_report *report, entropic_task task, const ent_score_figures *scores,
                       const entropic_data_warnings *warnings);

#endif
