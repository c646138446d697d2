/* A table of numbers as evaluations take it: a column for each category, classes as -1 and 1. It is split into training
 * and test rows, scaled by the training rows. */
#ifndef ENT_COMPARE_SPLIT_TABLE_H
#define ENT_COMPARE_SPLIT_TABLE_H

#include "model/model.h"
#include "compare/evaluation.h"

typedef struct ent_split_table {
  size_t rows, columns;
  size_t targets; /* columns of y */
  size_t classes; /* 0: numbers */
  double *x, *y;  /* row after row; owned */
  int unit;       /* y counts in units of 2^unit; 0 unless the targets are extreme */
} ent_split_table;

/* Categories become columns of 0 and 1. Row weights are dropped. On failure *split_table is empty. */
entropic_status ent_split_table_of_dataset(entropic_context *context, const entropic_dataset *dataset,
                                           ent_split_table *split_table);
/* Room for so many rows; of classes, two have one column of y, several one each. */
entropic_status ent_split_table_start(entropic_context *context, size_t rows, size_t columns, size_t targets,
                                      size_t classes, ent_split_table *split_table);
/* Sets row `row` of y for a class. */
void ent_split_table_set_class(ent_split_table *split_table, size_t row, size_t number);
/* Frees and empties. */
void ent_split_table_clear(ent_split_table *split_table);

/* One split of the table. `data` points into it. */
typedef struct ent_split_cut {
  ent_split_table split_table;
  double *others[ENT_OTHER_SCALINGS]; /* its x by other scalings, or NULL */
  double *minmax;                     /* its x by minmax, or NULL where one of the others is that */
  ent_evaluation_data data;
} ent_split_cut;

/* Which rows of the table a split has: numbers[0 .. train) are training rows, the next `test` are test rows; borrowed. */
typedef struct ent_split_numbers {
  const size_t *numbers;
  size_t train, test;
} ent_split_numbers;

/* Missing numbers stand at their middle. Scaled by the training rows; auto: by quantile, with blend and minmax as the
 * others. On failure *cut is empty. */
entropic_status ent_split_table_cut(entropic_context *context, const ent_split_table *split_table,
                                    const ent_split_numbers *rows, entropic_scaling scaling, ent_split_cut *cut);
void ent_split_cut_clear(ent_split_cut *cut);

#endif
