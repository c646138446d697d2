/* Models: fit, describe, predict, score, save and load. */
#ifndef ENTROPIC_MODEL_H
#define ENTROPIC_MODEL_H

#include "entropic/learn.h"
#include "entropic/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A model: everything that is needed to predict. */
typedef struct entropic_model entropic_model;

/* Fits a model by the parameters of a fit. `valid` has validation rows, made with entropic_dataset_create_with_schema:
 * half of them choose omega, lambda and features (inner validation), the other half gives the reported error (outer
 * validation). Without it both use parts of the training rows. Parameters that are given are not searched. Groups: the
 * rows of a group stay on one side of every split. Time: validation is forward, in blocks of time; each block is
 * predicted by a model trained on earlier rows. The blocks do not depend on the order of rows. If `valid` has time, its
 * earlier half is for inner validation and its later half for outer validation. The weights always come from all
 * training rows. The model has the same bits for any number of threads.
 *
 * The report, to be freed, has what `entropic fit --json` prints but the model's path: its manual page lists the keys. */
ENTROPIC_API entropic_status entropic_fit(entropic_context *context, const entropic_dataset *train,
                                          const entropic_dataset *valid /* or NULL */,
                                          const entropic_parameters *parameters /* or NULL */,
                                          entropic_report **report /* or NULL */, entropic_model **model);
ENTROPIC_API void entropic_model_free(entropic_model *model);
/* A self-contained HTML page about a fit: its summary, and a plot of the validation error against the number of
 * features, compared with the reference models. title is the name of the data. Its foot has the texts "date" and
 * "command" of the report, if these were added to it (tools.h). Atomic. */
ENTROPIC_API entropic_status entropic_fit_html(entropic_context *context, const entropic_model *model,
                                               const entropic_report *report, const char *title, const char *path);

typedef enum entropic_validation {
  ENTROPIC_VALIDATION_NONE = 0, /* nothing to choose, or no validation possible */
  ENTROPIC_VALIDATION_FOLDS = 1,
  ENTROPIC_VALIDATION_ROWS = 2,   /* rows of another data set */
  ENTROPIC_VALIDATION_PART = 3,   /* some of the folds, each predicted by a model trained on the others */
  ENTROPIC_VALIDATION_FORWARD = 4 /* blocks of time, each predicted by a model trained on earlier rows */
} entropic_validation;

typedef struct entropic_model_info {
  entropic_task task;
  entropic_loss loss;
  entropic_solver solver; /* never auto */
  entropic_scaling scaling;
  entropic_select select;             /* never auto */
  entropic_target_scale target_scale; /* never auto. Root: predictions are target_origin + target_sign * (max(s, 0)^2 +
                                         retransformation_bias) for a score s */
  double target_origin, target_sign, retransformation_bias; /* 0 if the scale is plain */
  size_t inputs, targets;
  size_t inputs_used; /* inputs that predictions depend on: see entropic_input_info */
  size_t classes;     /* 0 for numbers */
  size_t scores;      /* fitted functions: targets; 1 for two classes; otherwise classes */
  size_t features;    /* and training rows that it contains. 0: the model is a constant */
  double nonzeros;    /* a row, mean over the training rows */
  size_t rows;        /* training rows */
  double lambda;
  int converged; /* 1 if the solver converged */
  uint64_t seed;
  entropic_validation validation;
  size_t folds;            /* of validation by folds or a part; forward: number of predicted blocks */
  size_t validation_rows;  /* number of outer validation rows */
  double validation_error; /* root mean square error, mean over several targets; or the share of wrong classes; NaN
                              without validation */
  double validation_loss;  /* classes: log loss, the mean of -ln(probability of the right class); otherwise NaN */
  size_t components;       /* whose scores are added; each has a scaling, a kernel and features of its own */
  size_t interval_rows;    /* validation rows that its intervals come from; 0: it has none. With n rows, levels up to
                              n/(n + 1) are possible */
  size_t effect_members;   /* fold models whose mean it is and whose main effects it keeps; 0: it is no mean, or its
                              rows have changed since its fit, or its file is older than that */
  size_t contained_rows;   /* training rows that the model contains, scaled: centres of its components; 0: none */
} entropic_model_info;

/* Writes the first `size` bytes of it; size is sizeof(entropic_model_info) as the caller knows it. */
ENTROPIC_API entropic_status entropic_model_describe(entropic_context *context, const entropic_model *model,
                                                     entropic_model_info *info, size_t size);
/* What `entropic info --json` prints but the file's size: to be freed. */
ENTROPIC_API entropic_status entropic_model_report(entropic_context *context, const entropic_model *model,
                                                   entropic_report **report);

/* An input of a model. Strings live as long as the model. */
typedef struct entropic_input_info {
  const char *name;
  size_t categories; /* 0: it is a number, or a category that is not used; otherwise values are codes below this */
  int missing;       /* 1 if values were missing in the training rows */
  int date;          /* 1 if it was a date: a number of days since 1970-01-01, by the clock as it is written */
  int category;      /* 1 if it is a category */
  int used;          /* 0 if no feature depends on it: its values are not read, its categories not kept */
  const char *part; /* "yearday", "weekday" or "hour" of a date, which is the last input before it that is one: the name
                        is that of the date, a colon and this; entropic_date_part has its values. "category": it is made of
                        other inputs, which are categories; entropic_model_fill_means has its values. "": it is a column */
} entropic_input_info;

/* The part of a date in days since 1970-01-01, by the clock as it is written: "yearday" is 1 to 366, counted as in a leap
 * year; "weekday" is 0, Monday, to 6; "hour" is 0 to 24 with its fraction; "" the days themselves. NaN for NaN and for
 * other names. */
ENTROPIC_API double entropic_date_part(double days, const char *part);

/* Fills the inputs that are made of categories, in place: x[row * stride + input], whose other inputs are there. Row readers
 * have filled them. Of models without such inputs nothing changes. */
ENTROPIC_API entropic_status entropic_model_fill_means(entropic_context *context, const entropic_model *model,
                                                       double *x, size_t rows, size_t stride);

/* BAD_ARGUMENT if there is no such input. */
ENTROPIC_API entropic_status entropic_model_input(entropic_context *context, const entropic_model *model, size_t input,
                                                  entropic_input_info *info, size_t size);
/* Names: of a category of an input, of a target, of a class; NULL if there is none of that number. */
ENTROPIC_API const char *entropic_model_category(const entropic_model *model, size_t input, size_t code);
ENTROPIC_API const char *entropic_model_target(const entropic_model *model, size_t target);
ENTROPIC_API const char *entropic_model_class(const entropic_model *model, size_t number);
/* The range of predictions of a numeric target, in its units: none is outside. It is what predictions are clamped to; the
 * square of a root target ends at its origin, plus the bias, if that is nearer. An open end is infinite. Returns 1, or 0
 * with nothing set if the model has no range, or there is no such target. */
ENTROPIC_API int entropic_model_range(const entropic_model *model, size_t target, double *lower, double *upper);
/* Kernel and features, of a model of several components those of the first; the exact solver has no design: NULL. A file keeps no axis of an unused input: in a loaded model
 * that axis is meaningless. */
ENTROPIC_API const entropic_kernel *entropic_model_kernel(const entropic_model *model);
ENTROPIC_API const entropic_design *entropic_model_design(const entropic_model *model);
/* The weights of a score, one for each feature of that design (exact: for each training row), and its offset; NULL if there is no such
 * score. */
ENTROPIC_API const double *entropic_model_weights(const entropic_model *model, size_t score, double *offset);

/* Prediction; entropic_predict, in predict.h, gives all else as well. x[row * stride + input] in the order of the model's inputs, in the units of the data: numbers, or codes
 * of categories. NaN is a missing value; a code at or above the number of categories is an unseen category. Infinity
 * and other codes are BAD_DATA, with row and input. Unused inputs are not read. Many threads may use one model, each
 * with its own context. Each call uses the context's threads. No result depends on how rows are divided into calls.
 *
 * predictions[row * targets + target]: numbers, clamped to the model's range if it has one, or the index of the
 * class. */
ENTROPIC_API entropic_status entropic_model_predict(entropic_context *context, const entropic_model *model,
                                                    const double *x, size_t rows, size_t stride, double *predictions);
/* probabilities[row * classes + class], which sum to 1; BAD_ARGUMENT for regression. The predicted class has the
 * largest probability; of equal ones it is the first. */
ENTROPIC_API entropic_status entropic_model_probabilities(entropic_context *context, const entropic_model *model,
                                                          const double *x, size_t rows, size_t stride,
                                                          double *probabilities);
/* Data warnings, counts over the inputs in use: values outside the training range, unseen categories and missing values;
 * predictions clamped to the model's range; and of the values outside those where the line of the input goes on, by at
 * most one range. All others are clamped to the range. */
typedef struct entropic_data_warnings {
  size_t outside, unseen, missing, clamped, continued;
} entropic_data_warnings;

/* A model file has the same bytes for the same model on every machine. The whole file and each part are checked before
 * use; docs/model-format.md describes it. Atomic. Models of custom kernels cannot be saved (BAD_ARGUMENT). */
ENTROPIC_API entropic_status entropic_model_save(entropic_context *context, const entropic_model *model,
                                                 const char *path);
/* The same for a file that is changed in place: it is replaced only if it still has before[count], the bytes that the model
 * was loaded from. Otherwise SYSTEM, and the file stays as it is. So of several processes that change one model at once
 * none undoes the work of another: whoever comes too late loads the model again. */
ENTROPIC_API entropic_status entropic_model_save_over(entropic_context *context, const entropic_model *model,
                                                      const char *path, const void *before, size_t count);
/* BAD_DATA says what is wrong with the file; "-" is standard input. */
ENTROPIC_API entropic_status entropic_model_load(entropic_context *context, const char *path, entropic_model **model);
/* The same bytes in memory: *bytes[*count], to be freed with entropic_bytes_free; and back. */
ENTROPIC_API entropic_status entropic_model_save_memory(entropic_context *context, const entropic_model *model,
                                                        unsigned char **bytes, size_t *count);
ENTROPIC_API entropic_status entropic_model_load_memory(entropic_context *context, const void *bytes, size_t count,
                                                        entropic_model **model);

/* A row reader: rows of files in the schema of a model, block by block. */
typedef struct entropic_row_reader entropic_row_reader;

/* Finds the inputs in use by name. In a file without names it finds them by position: in order, if the file has as many
 * columns as the model has inputs, or by number, if the model's names are x1, x2, ... as well. In LIBSVM text the label
 * is the target, and values that are not written are 0. Other columns are not read. with_targets: the targets are
 * needed as well, and the parameter weights may name a column of weights. Other roles must not be given. The file is read once, so it may be a pipe. */
ENTROPIC_API entropic_status entropic_row_reader_open(entropic_context *context, const entropic_model *model,
                                                      const char *const *paths, size_t count,
                                                      const entropic_parameters *parameters /* or NULL */,
                                                      int with_targets, entropic_row_reader **reader);
/* The same for the rows of a table, by the names of its columns: texts and codes become the model's categories, dates
 * days, whatever type the table has found. with_targets: the targets are needed as well, and the column that has the
 * role of the weights, if there is one, has the weights; other roles do not count. The table must outlive the reader,
 * unless it is borrowed or from Arrow. */
ENTROPIC_API entropic_status entropic_row_reader_open_table(entropic_context *context, const entropic_model *model,
                                                            const entropic_table *table, int with_targets,
                                                            entropic_row_reader **reader);
ENTROPIC_API void entropic_row_reader_free(entropic_row_reader *reader);
/* As entropic_table_notice. */
ENTROPIC_API const char *entropic_row_reader_notice(const entropic_row_reader *reader, size_t index);
/* Up to capacity >= 1 rows: x[capacity x inputs] (NaN for unused inputs), y[capacity x targets] (NaN where there is
 * none; classes: their index, BAD_DATA for an unknown class), weights[capacity] (1 without a column of weights). y and
 * weights may be NULL without targets. *rows is 0 at the end, otherwise possibly less than capacity. */
ENTROPIC_API entropic_status entropic_row_reader_next(entropic_context *context, entropic_row_reader *reader,
                                                      size_t capacity, double *x, double *y, double *weights,
                                                      size_t *rows);

/* Scores a model on all rows of a reader that was opened with targets. The report, to be freed, has what `entropic score
 * --json` prints: rows, task; rmse, mae, r2 (means over several targets) for numbers; error, accuracy, logloss, auc for
 * classes; dropped_rows (without a target); counts of data warnings; and validation_current, false if rows were added or
 * forgotten since the model was validated. BAD_DATA if no row has a target and a positive weight. If the progress
 * callback cancels the call, the reader is left between two rows. The memory for auc grows with the rows: 16 bytes for
 * each row and class. Probabilities below 1e-15 count as 1e-15 in logloss. r2 is null if a target is constant; auc is null if fewer than two classes occur, and the mean over
 * the classes that occur, each against the rest, if there are several. */
ENTROPIC_API entropic_status entropic_model_score(entropic_context *context, const entropic_model *model,
                                                  entropic_row_reader *reader, entropic_report **report);

#ifdef __cplusplus
}
#endif
#endif
