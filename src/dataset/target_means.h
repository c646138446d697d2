/* Target means of categories: inputs that are made of the categories of a row, and of the targets of the training rows
 * with these categories. A set is a category, or a pair of them. Its inputs are the mean of each target, or the share of
 * each class, and how many rows that is of.
 *
 * A training row gets the means of other rows alone: those of other folds, where folds are hashes of row numbers, or of
 * groups; with time those of earlier rows. Every other row gets the means of all training rows. */
#ifndef ENT_DATASET_TARGET_MEANS_H
#define ENT_DATASET_TARGET_MEANS_H

#include <stdatomic.h>

#include "dataset/dataset.h"

#define ENT_MEANS_LEVELS ((size_t)10)  /* a category of more levels has a set */
#define ENT_MEANS_COLUMNS ((size_t)10) /* the most classes or targets */
#define ENT_MEANS_PAIRED ((size_t)9)   /* the most categories that have pairs: the best ones */
#define ENT_MEANS_FOLDS ((size_t)5)
#define ENT_MEANS_PRIOR 10.0 /* rows that the overall mean counts as */
#define ENT_NO_INPUT SIZE_MAX

/* A category, or two. */
typedef struct ent_mean_set {
  size_t of[2];     /* inputs that are categories; the second may be ENT_NO_INPUT */
  size_t levels[2]; /* how many they have; 1 of none */
  size_t count;     /* of the keys */
  uint64_t *keys;   /* ascending: the code of the first times the levels of the second, and the code of the second */
  double *means;    /* [count x columns] */
  double *amounts;  /* [count] log(1 + rows), by weight */
} ent_mean_set;

/* What an input has of a set: the mean of a column, or the amount. Those of one set follow each other. */
typedef struct ent_mean_input {
  size_t input, set, column; /* column `columns` is the amount */
} ent_mean_input;

typedef struct ent_target_means {
  size_t columns;  /* 1 of two classes (the share of the second), otherwise one for each class or target */
  double *overall; /* [columns] means of all training rows, which take the place of those of no row */
  size_t set_count;
  ent_mean_set *sets;
  size_t input_count, singles; /* the first inputs are of single categories, so many */
  ent_mean_input *inputs;
  atomic_size_t holders; /* the last to let go frees it */
} ent_target_means;

/* The same means, held once more; free them once for each holder. NULL is fine. */
ent_target_means *ent_means_share(ent_target_means *means);
void ent_means_free(ent_target_means *means);
/* Room for so many sets and inputs, held once. On failure NULL. */
ent_target_means *ent_means_new(entropic_context *context, size_t columns, size_t sets, size_t inputs);

/* The sets that inputs in use are made of, and these inputs, held once. */
entropic_status ent_means_select(entropic_context *context, const ent_target_means *means, const ent_schema *schema,
                                 ent_target_means **selected);
/* needed[inputs]: adds the categories that inputs which are needed are made of. */
void ent_means_add_needed(const ent_target_means *means, bool *needed);

/* Writes the inputs that are made into rows of x, whose categories are there. */
void ent_means_fill(const ent_target_means *means, double *x, size_t rows, size_t stride);
/* How many columns the targets of a schema have; 0: there are too many for means. */
size_t ent_means_columns(const ent_schema *schema);
/* The name of an input that is made, which is to be freed; NULL without memory. */
char *ent_means_name(entropic_context *context, const ent_schema *schema, const ent_target_means *means,
                     const ent_mean_input *input);

/* The fold of a row, by its number or by that of its group: nothing that is in the row decides. */
size_t ent_means_fold(uint64_t number);

/* The rows that means are made of. */
typedef struct ent_means_rows {
  const entropic_dataset *data;
  const bool *active; /* [rows] whose targets count; NULL: all */
  size_t most;        /* inputs that may be made */
} ent_means_rows;

/* Means of the categories of more than ENT_MEANS_LEVELS levels, then of pairs of the best of them, and the values of
 * the rows: values[set][row * (columns + 1) + column]. *means becomes NULL where there are none to be made. The values
 * have to be freed by ent_means_free_values. */
entropic_status ent_means_make(entropic_context *context, const ent_means_rows *rows, ent_target_means **means,
                               double ***values);
void ent_means_free_values(double **values, size_t sets);

#endif
