/* Explanations: what the inputs of a model do to its scores. Stable.
 *
 * A model is a finite sum of products, so nothing here is sampled or approximated: effects add up to the score, and shares
 * are closed formulas. All is on the scale of scores: of a root target the root, of classes the scores before they become
 * probabilities. Effects are relative to the marginals of the training rows, which a model keeps. */
#ifndef ENTROPIC_EXPLAIN_H
#define ENTROPIC_EXPLAIN_H

#include "entropic/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A model taken apart. */
typedef struct entropic_explanation entropic_explanation;

/* The model must outlive the explanation. rows, a reader without targets, are read to their end: the marginals are
 * theirs if the model keeps none, and the report says what they say about inputs that depend on each other. Of more
 * than 16,384 rows one of each two is kept, or one of each four and so on; of fewer where the model contains many
 * training rows. Such models are explained relative to these rows. BAD_ARGUMENT for other models that keep no marginals
 * where there are no rows; BAD_DATA if there is no row. */
ENTROPIC_API entropic_status entropic_explain(entropic_context *context, const entropic_model *model,
                                              entropic_row_reader *rows /* or NULL */,
                                              entropic_explanation **explanation);
ENTROPIC_API void entropic_explanation_free(entropic_explanation *explanation);

/* How many inputs have effects, which entropic_predict gives (predict.h), and the number in the model of each, ascending; SIZE_MAX if there is no such input. */
ENTROPIC_API size_t entropic_explanation_inputs(const entropic_explanation *explanation);
ENTROPIC_API size_t entropic_explanation_input(const entropic_explanation *explanation, size_t index);

/* The report, to be freed, has what `entropic explain --json` prints. Shares are of the variance of the score, of
 * several scores of the sum of their variances: inputs[{name, first, total}], best first, of each input alone and of
 * all effects that it is in; pairs[{names[2], share}], best first, beyond what both do alone; higher: all effects of
 * three inputs and more; variance; base, the mean score; scores[{name, base, variance, first[], total[]}] where there
 * are several; rows, how many were read; members, the effect_members of entropic_model_info. With rows also own and
 * covariance of each input and pair, and higher_own, higher_covariance: the variance of the effect over the rows, and
 * its covariance with all others, as shares of the variance over the rows; they add up to 1. pairs is null where there
 * are too many. TOO_LARGE where a model contains so many training rows that this takes more than 1e11 products of two
 * of them and inputs; effects of rows can be had then. */
ENTROPIC_API entropic_status entropic_explanation_report(entropic_context *context,
                                                         const entropic_explanation *explanation,
                                                         entropic_report **report);

/* A self-contained HTML page of fewer than 1,000,000 bytes: shares; curves of the effects of inputs, with the spread of fold models
 * where the model keeps it, and maps of those of pairs, at exact values; and the model as JavaScript, which answers for any row that is set on the page. Where the
 * model is too large for that, or not all pictures have room, the page says so with numbers. Rows that the explanation
 * was made with are counted in the pictures, and some of them are in the page as rows to start from. title is the name of
 * the model. The foot has the texts "date" and "command" of `about`, if it has them (tools.h), and the hash of the model.
 * Atomic; "-" is standard output. */
ENTROPIC_API entropic_status entropic_explanation_html(entropic_context *context,
                                                       const entropic_explanation *explanation,
                                                       const entropic_report *about /* or NULL */, const char *title,
                                                       const char *path);

/* ---- Exports ------------------------------------------------------------------------------------------------ */

/* Writes a model as text that predicts without the library. By the parameters of an export: one file of C99, a module
 * of JavaScript, or JSON, which docs/export-format.md describes. It has the scaler, the names of categories,
 * predictions, probabilities, effects if the model keeps marginals, intervals if it has them, and rows with the model's
 * answers to test it by. Predictions are those of entropic_model_predict but for rounding. Training rows that the model
 * contains are in the text, too. Atomic; "-" is standard output. BAD_ARGUMENT for features of custom kernels that are
 * not smooth to 14 digits, and for training rows with custom kernels or smooth atoms; TOO_LARGE says how large the
 * model is. */
ENTROPIC_API entropic_status entropic_model_export(entropic_context *context, const entropic_model *model,
                                                   const entropic_parameters *parameters /* or NULL */,
                                                   const char *path);
/* The same text in memory: *bytes[*count], to be freed with entropic_bytes_free. It has no 0 at its end. */
ENTROPIC_API entropic_status entropic_model_export_memory(entropic_context *context, const entropic_model *model,
                                                          const entropic_parameters *parameters /* or NULL */,
                                                          unsigned char **bytes, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
