/* A model: inputs, scaling, features, weights, and what is known of how it came about. */
#ifndef ENT_MODEL_MODEL_H
#define ENT_MODEL_MODEL_H

#include <stdbool.h>

#include "axis/kernel.h"
#include "axis/scaler.h"
#include "data/inputs.h"
#include "data/notation.h"
#include "data/notices.h"
#include "base/sha256.h"
#include "design/restriction.h"
#include "select/target_transform.h"

/* An input as it comes from data. */
typedef struct ent_input {
  char *name;
  size_t categories;     /* 0: a number */
  char **category;       /* their names, in the order of their codes */
  bool missing;          /* values were missing in the training rows; a category then has one more atom for that */
  bool date;             /* a number of days that comes as a date where it comes as text */
  ent_notation notation; /* how it is written where it comes as text; plain also for dates of ENT_NOTATION_DATE */
  ent_date_part
      part; /* of a date; parts that are made follow their date, whose name stands in theirs, and have no notation */
  bool complete;     /* a row where it is missing is refused by statistics, as the design says */
  bool unused;       /* in models: no feature depends on it, and its categories are not kept */
  bool was_category; /* such an input was one */
} ent_input;

/* What rows look like; data sets and models have one each. */
typedef struct ent_schema {
  entropic_task task;
  size_t inputs;
  ent_input *input;
  size_t targets;           /* 1 for classes */
  char **target;            /* their names */
  uint8_t *target_notation; /* an ent_notation each; NULL: plain */
  char *missing_marks;      /* marks of missing values in text, comma separated, as the caller gave them; NULL: none */
  char *terms[ENT_RESTRICT_KINDS]; /* of models: the lists that features were restricted to; NULL: not given */
  size_t classes;                  /* 0 for numbers */
  char **class_name;
} ent_schema;

/* Copies; on failure *to is empty. */
entropic_status ent_schema_copy(entropic_context *context, const ent_schema *from, ent_schema *to);
/* Copies the texts of a restriction, [ENT_RESTRICT_KINDS], into a schema that has none. On failure the schema is still to
 * be cleared. */
entropic_status ent_schema_set_terms(entropic_context *context, char *const *texts, ent_schema *schema);
/* Frees what it holds and empties it; an empty one, all zero, is fine. */
void ent_schema_clear(ent_schema *schema);
struct ent_columns;
struct ent_dictionary;
/* A dictionary of the names of inputs and targets. */
entropic_status ent_schema_names(entropic_context *context, const ent_schema *schema, struct ent_dictionary **names);
/* Fails because `columns` have no column of that name; what the schema names is not what could be meant instead. */
entropic_status ent_schema_fail_column(entropic_context *context, const ent_schema *schema,
                                       const struct ent_columns *columns, const char *what, const char *name);
/* What is said to be expected where a class is not known: "one of the classes a, b, c", or the first ten. */
#define ENT_CLASSES_TEXT 4096
void ent_schema_expect_class(const ent_schema *schema, char text[ENT_CLASSES_TEXT]);
/* The date that a part is made of; the input itself if it is no such part. */
size_t ent_schema_whole(const ent_schema *schema, size_t input);
/* How the column of an input is written, as it has to be read. */
ent_notation ent_schema_reading(const ent_schema *schema, size_t input);
/* How many columns the inputs come from. */
size_t ent_schema_columns(const ent_schema *schema);
/* How the column of a target is written. */
static inline ent_notation ent_schema_target_notation(const ent_schema *schema, size_t target) {
  return schema->target_notation == NULL ? ENT_NOTATION_PLAIN : (ent_notation)schema->target_notation[target];
}
/* Marks an input as not in use; its categories are let go. */
void ent_input_drop(ent_input *input);
/* How many atoms the category level of an input has: its categories, and one if values were missing. */
static inline size_t ent_input_atoms(const ent_input *input) {
  return input->categories + (input->missing ? 1 : 0);
}

/* An input that is not in use. */
typedef struct ent_dropped {
  char *name;
  entropic_type why;
  char *original; /* the name of the input that it is a copy of; NULL if it is none */
} ent_dropped;

/* A column of the table that a data set was made from. */
typedef struct ent_dataset_column {
  char *name;
  entropic_role role;
  entropic_type type;
} ent_dataset_column;

struct entropic_dataset {
  ent_schema schema;
  bool task_found;
  size_t rows;
  double *x; /* rows x inputs: numbers or codes; NaN is missing, a code that is none is a category not seen */
  ent_input_columns *columns; /* the same in the place of x, where the table is not copied; NULL: there is x */
  double *y;                  /* rows x targets; classes: their number */
  double *weights;            /* rows, above 0; NULL: all 1 */
  double *groups;             /* rows: rows of one group have the same number, 0, 1, ...; NULL: none */
  double *time;               /* rows, finite: when a row was; NULL: not known. Not with groups */
  size_t without_target, without_weight, unseen, missing;
  size_t group_count;             /* 0: none */
  bool one_time, constant_target; /* all rows have the same time; the same targets */
  size_t dropped_count;
  ent_dropped *dropped;
  ent_notices notices;
  ent_dataset_column *table_columns; /* of the whole table */
  size_t table_column_count;
  double read_seconds;             /* that table and data set took */
  struct ent_full_pass *full_pass; /* the rows are a sample: all of them (full_pass.h); NULL: these are all */
};

/* The inputs of a data set, wherever they are. */
static inline ent_inputs ent_dataset_inputs(const entropic_dataset *dataset) {
  return (ent_inputs){dataset->x, dataset->schema.inputs, dataset->columns};
}

typedef struct ent_frozen ent_frozen;

struct entropic_model {
  ent_schema schema;
  entropic_loss loss;
  entropic_solver solver;
  entropic_scaler *scaler;
  entropic_kernel *kernel; /* a holder */
  entropic_design *design; /* NULL with the exact solver */
  entropic_lift *lift;     /* of the design; never saved */
  size_t scores;
  size_t features;                /* exact: the points */
  double *points;                 /* exact: features x inputs, scaled; otherwise NULL */
  double *weights;                /* weights[score * features + feature] */
  double *offsets;                /* [scores] */
  ent_target_transform transform; /* what scores are of the target, in its units */
  double *bounds; /* lower and upper, [targets x 2]: predictions are kept within, infinity is none; NULL: no bounds */
  double inverse_temperature; /* classes by squared loss: probabilities are those of scores times this. Otherwise 1 */
  double nonzeros;            /* a row, on average */
  size_t rows;
  double lambda;
  bool converged;
  uint64_t seed;
  entropic_validation validation;
  size_t folds, validation_rows;
  double validation_error, validation_loss;  /* see ent_model_set_figures */
  struct ent_marginals *marginals;           /* of the atoms of its inputs over the training rows; NULL: not kept */
  struct ent_intervals *intervals;           /* of predictions (intervals.h); NULL: it has none */
  struct ent_member_effects *member_effects; /* of the members it is the mean of; NULL: not kept, or not a mean */
  ent_frozen *frozen;       /* what statistics of rows need besides (frozen.h); NULL: it can have none */
  struct ent_fixed *totals; /* the statistics of its rows; NULL: it does not keep them */
  uint64_t total_rows;      /* of them */
  bool validated;           /* of a model that keeps statistics: the next two are known */
  bool outdated;            /* rows were added or forgotten since validation */
  uint8_t validated_receipt[ENT_SHA256_SIZE]; /* of the statistics when it was validated */
};

/* Sets validation_error and validation_loss, rounded to 6 digits: a model keeps no bits that could depend on the
 * processor and mean nothing. */
void ent_model_set_figures(entropic_model *model, double error, double loss);

/* Scores of scaled rows, before anything is made of them: scores[row * model->scores + score]. */
entropic_status ent_model_scores(entropic_context *context, const entropic_model *model, const double *x, size_t rows,
                                 size_t stride, double *scores);
/* BAD_DATA, with row and input, if a value of some rows of x cannot be used: rows from number `first` on. */
entropic_status ent_model_check_rows(entropic_context *context, const entropic_model *model, const double *x,
                                     size_t first, size_t rows, size_t stride);
/* Marks the inputs that no feature depends on, and lets go of what the model kept of them: knots and categories. */
void ent_model_drop_unused(entropic_model *model);
/* From now on the line of an input alone goes on outside the range learnt from, in units of the input and by at most one
 * range: scaler and design. The lift has to be made anew. */
entropic_status ent_model_go_beyond(entropic_context *context, entropic_model *model, size_t input);
/* What the line of an input alone adds to a score for each scaled unit outside the range; 0 if it does not go on. */
double ent_model_beyond_slope(const entropic_model *model, size_t input, size_t score);
/* How many inputs are in use. */
size_t ent_model_used(const entropic_model *model);
/* The class of a row from its scores, and the probabilities of all classes. */
size_t ent_model_decide(const entropic_model *model, const double *scores);
void ent_model_chances(const entropic_model *model, const double *scores, double *probabilities);

/* The calls of the interface by options, and without sizes of structs: the rooms know them. */
entropic_status ent_dataset_create(entropic_context *context, const entropic_table *table, entropic_task task,
                                   entropic_dataset **dataset);
/* The same; of a table of more rows than `sample`, if that is not 0, the data set has a sample (dataset->full_pass). */
entropic_status ent_dataset_create_sampled(entropic_context *context, const entropic_table *table, entropic_task task,
                                           size_t sample, entropic_dataset **dataset);
entropic_dataset_info ent_dataset_describe(const entropic_dataset *dataset);
entropic_model_info ent_model_describe(const entropic_model *model);
void ent_model_count_data_warnings(const entropic_model *model, const double *x, size_t rows, size_t stride,
                                   entropic_data_warnings *warnings);
entropic_status ent_model_input(entropic_context *context, const entropic_model *model, size_t input,
                                entropic_input *info);

#endif
