/* Statistics of rows as things of their own: collect, merge, solve, update, forget, receipt. Stable.
 *
 * A model of the squared loss is found from sums over its rows. Here these sums are integers: the same bytes whatever
 * the order of rows, blocks, threads and shards, and whatever the processor, as far as the features are the same on it.
 * So statistics of shards can be merged in any order, rows can be added to a model and forgotten again without a refit,
 * and a hash shows that this is what was done. Everything else is frozen: columns and categories, scaler, kernel,
 * features, members and lambdas, scales of columns, weights of classes and of rows with missing values, target
 * transform, range, inverse temperature. What is frozen of a fit was chosen with its rows in sight, and is not forgotten
 * with a row; a design of text has seen none: docs/manual.md. */
#ifndef ENTROPIC_STATISTICS_H
#define ENTROPIC_STATISTICS_H

#include "entropic/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Designs without weights ------------------------------------------------------------------------------- */

/* What is frozen, without weights: columns with their categories, scaler, kernel and features, lambda, scales. Statistics
 * have one; and one may be described by a text, which has seen no row: it has the columns by name, the ranges of inputs and
 * target (or their categories and classes), kernel, features and lambda. Whoever needs that nothing of the data is left in
 * what is frozen collects for such a design. */
typedef struct entropic_frozen_design entropic_frozen_design;

/* The text, by parameters of ENTROPIC_PURPOSE_COLLECT: those of a design, and ranges, target, target-range or classes, and
 * lambda. *bytes[*count], to be freed with entropic_bytes_free; written to a file it serves entropic_design_load too.
 * BAD_ARGUMENT if the parameters do not go together; BAD_DATA, with the line, if ranges is a file with a fault. */
ENTROPIC_API entropic_status entropic_frozen_design_make(entropic_context *context,
                                                         const entropic_parameters *parameters, unsigned char **bytes,
                                                         size_t *count);
/* The design that a text describes. Inputs are scaled by their ranges: values beyond count as the end. A missing value has
 * an atom of its own, or rows with it are refused, as the text says. The scale of targets has the middle of their range as
 * shift, and reaches at least 8 times its half width. BAD_DATA names file, line and what was expected; it is BAD_DATA too if
 * the text has no columns (entropic_design_save). */
ENTROPIC_API entropic_status entropic_frozen_design_load(entropic_context *context, const char *path,
                                                         entropic_frozen_design **design);
/* The same of text in memory. */
ENTROPIC_API entropic_status entropic_frozen_design_load_memory(entropic_context *context, const void *bytes,
                                                                size_t count, entropic_frozen_design **design);
ENTROPIC_API void entropic_frozen_design_free(entropic_frozen_design *design);

/* Row readers as entropic_row_reader_open and entropic_row_reader_open_table make them for a model, with targets. */
ENTROPIC_API entropic_status entropic_row_reader_open_design(entropic_context *context,
                                                             const entropic_frozen_design *design,
                                                             const char *const *paths, size_t count,
                                                             const entropic_parameters *parameters /* or NULL */,
                                                             entropic_row_reader **reader);
ENTROPIC_API entropic_status entropic_row_reader_open_design_table(entropic_context *context,
                                                                   const entropic_frozen_design *design,
                                                                   const entropic_table *table,
                                                                   entropic_row_reader **reader);

/* ---- Statistics -------------------------------------------------------------------------------------------- */

/* Statistics of some rows, for one design. */
typedef struct entropic_statistics entropic_statistics;

/* Statistics of no rows, for the design of a model; what is needed of it is copied. BAD_DATA, with the reason, unless
 * the model is of the squared loss and has features. */
ENTROPIC_API entropic_status entropic_statistics_create(entropic_context *context, const entropic_model *model,
                                                        entropic_statistics **statistics);
/* The same for a design without weights. */
ENTROPIC_API entropic_status entropic_statistics_create_for_design(entropic_context *context,
                                                                   const entropic_frozen_design *design,
                                                                   entropic_statistics **statistics);
/* A copy of the statistics that a model keeps; BAD_DATA if it keeps none (parameter keep-statistics of a fit). */
ENTROPIC_API entropic_status entropic_statistics_of_model(entropic_context *context, const entropic_model *model,
                                                          entropic_statistics **statistics);
ENTROPIC_API void entropic_statistics_free(entropic_statistics *statistics);

/* Their design, which lives as long as the statistics. NULL for NULL. */
ENTROPIC_API const entropic_frozen_design *entropic_statistics_design(const entropic_statistics *statistics);

typedef struct entropic_statistics_info {
  uint64_t rows;     /* with a target and a weight above 0 */
  size_t features;   /* of the design: those of all members */
  size_t members;    /* whose mean a model is */
  size_t targets;    /* scores of a model */
  uint64_t integers; /* at most 17 bytes each in a file */
} entropic_statistics_info;

/* Writes the first `size` bytes of it; size is sizeof(entropic_statistics_info) as the caller knows it. */
ENTROPIC_API entropic_status entropic_statistics_describe(entropic_context *context,
                                                          const entropic_statistics *statistics,
                                                          entropic_statistics_info *info, size_t size);

/* Adds all rows of a reader that was opened for the design, or for the model that it is of, with targets. They are read
 * once, in blocks, so memory does not grow with them. BAD_DATA, with the place, if a target or a weight is beyond the
 * scale that was frozen, with the bounds, or if a value is missing that the design refuses. On failure the statistics are as they were. The report, to be freed, has:
 * rows, dropped_rows (without a target or a weight), outside, unseen, missing (values: see entropic_data_warnings),
 * beyond_origin (targets beyond the origin of a root, which count as the origin), receipt. */
ENTROPIC_API entropic_status entropic_statistics_collect(entropic_context *context, entropic_statistics *statistics,
                                                         entropic_row_reader *reader,
                                                         entropic_report **report /* or NULL */);

/* sum += other, sum -= other. BAD_DATA, with what differs, unless both are for the same design. Subtracting is BAD_DATA
 * if it would leave a negative number of rows or sum of squares: then the rows were never added. Otherwise that cannot
 * be known: the rows given are trusted. On failure the sum is as it was. */
ENTROPIC_API entropic_status entropic_statistics_merge(entropic_context *context, entropic_statistics *sum,
                                                       const entropic_statistics *other);
ENTROPIC_API entropic_status entropic_statistics_subtract(entropic_context *context, entropic_statistics *sum,
                                                          const entropic_statistics *other);

/* The model of these rows, by parameters of ENTROPIC_PURPOSE_SOLVE (NULL: the defaults): lambda is that of each member
 * of the design, a number, or `auto`: chosen anew by generalised cross-validation on the same rows, which is optimistic
 * as the features were selected with them in sight. Its figures of validation are none. BAD_DATA if there are no rows.
 */
ENTROPIC_API entropic_status entropic_statistics_solve(entropic_context *context, const entropic_statistics *statistics,
                                                       const entropic_parameters *parameters /* or NULL */,
                                                       entropic_model **model);

/* A receipt is 64 hexadecimal digits and a 0: the SHA-256 of all that is frozen and of the integers, never of weights.
 */
#define ENTROPIC_RECEIPT_SIZE 65
ENTROPIC_API entropic_status entropic_statistics_receipt(entropic_context *context,
                                                         const entropic_statistics *statistics, char *receipt);
/* That of the statistics that a model keeps; BAD_DATA if it keeps none. */
ENTROPIC_API entropic_status entropic_model_receipt(entropic_context *context, const entropic_model *model,
                                                    char *receipt);

/* Adds rows to a model that keeps its statistics, or forgets rows it has learnt from: exactly, without a refit. Readers
 * and reports as with entropic_statistics_collect; forgetting as with entropic_statistics_subtract. The weights are
 * solved anew, with the lambdas there are. Figures of validation count as not current unless the statistics are those
 * that were validated. On failure the model is as it was. Handles that were got from the model stay
 * valid; no other thread may use the model meanwhile. */
ENTROPIC_API entropic_status entropic_model_update(entropic_context *context, entropic_model *model,
                                                   entropic_row_reader *reader, entropic_report **report /* or NULL */);
ENTROPIC_API entropic_status entropic_model_forget(entropic_context *context, entropic_model *model,
                                                   entropic_row_reader *reader, entropic_report **report /* or NULL */);
/* Finds the weights of a model anew from the rows of a reader alone; columns, scaler, features and lambda stay. For
 * models that keep no statistics, and the nearest that there is for those of the logistic and hinge loss, which have
 * none: to forget rows, give all others. Logistic: Newton's method from the weights there are, until it converges;
 * hinge likewise from the start; the mean of several members becomes one model of all their features. Squared: as
 * entropic_statistics_solve. Weights of classes are not kept for the first two: give weights of rows. Rows are held in
 * memory for them. The figures of validation are gone. Report and failure as above; no receipt, but converged. BAD_DATA
 * for models that keep statistics and for those of the exact solver. */
ENTROPIC_API entropic_status entropic_model_refit(entropic_context *context, entropic_model *model,
                                                  entropic_row_reader *reader, entropic_report **report /* or NULL */);
/* How many bytes of a model's file are its statistics; 0 if it keeps none, or for NULL. */
ENTROPIC_API uint64_t entropic_model_statistics_bytes(const entropic_model *model);

/* A file of statistics has the same bytes for the same rows on every machine. It is checked as model files are:
 * docs/model-format.md describes it. Atomic. */
ENTROPIC_API entropic_status entropic_statistics_save(entropic_context *context, const entropic_statistics *statistics,
                                                      const char *path);
/* BAD_DATA says what is wrong with the file; "-" is standard input. */
ENTROPIC_API entropic_status entropic_statistics_load(entropic_context *context, const char *path,
                                                      entropic_statistics **statistics);
/* The same bytes in memory: *bytes[*count], to be freed with entropic_bytes_free; and back. */
ENTROPIC_API entropic_status entropic_statistics_save_memory(entropic_context *context,
                                                             const entropic_statistics *statistics,
                                                             unsigned char **bytes, size_t *count);
ENTROPIC_API entropic_status entropic_statistics_load_memory(entropic_context *context, const void *bytes, size_t count,
                                                             entropic_statistics **statistics);

#ifdef __cplusplus
}
#endif
#endif
