/* Statistics: a model without weights that keeps them. */
#ifndef ENT_UPDATE_STATISTICS_CALLS_H
#define ENT_UPDATE_STATISTICS_CALLS_H

#include "update/collection.h"

struct entropic_statistics {
  entropic_frozen_design design; /* whose model has the sums */
};

/* A model without weights that has the statistics of another one, and all that is frozen of it. */
entropic_status ent_statistics_copy(entropic_context *context, const entropic_model *model, entropic_model **copy);

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

#endif
