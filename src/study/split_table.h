/* Rows of numbers, as contests take them: categories spread out, classes as -1 and 1; and cut into rows to learn from
 * and rows to be tested on, scaled by the former. */
#ifndef ENT_STUDY_SPLIT_TABLE_H
#define ENT_STUDY_SPLIT_TABLE_H

#include "model/model.h"
#include "study/contest.h"

typedef struct ent_split_table {
  size_t rows, columns;
  size_t targets; /* columns of y */
  size_t classes; /* 0: numbers */
  double *x, *y;  /* row after row; owned */
} ent_split_table;

/* Categories become columns of 0 and 1. Row weights are left behind. On failure *sheet is empty. */
entropic_status ent_split_table_of_dataset(entropic_context *context, const entropic_dataset *dataset,
                                           ent_split_table *split_table);
/* Room for so many rows; of classes, two have one column of y, several one each. */
entropic_status ent_split_table_start(entropic_context *context, size_t rows, size_t columns, size_t targets,
                                      size_t classes, ent_split_table *split_table);
/* Sets row `row` of y for a class. */
void ent_split_table_set_class(ent_split_table *split_table, size_t row, size_t number);
/* Frees and empties. */
void ent_split_table_clear(ent_split_table *split_table);

/* A sheet in two parts. `data` points into it. */
typedef struct ent_split_cut {
  ent_split_table split_table;
  double *others[ENT_OTHER_SCALINGS]; /* its x by other scalings, or NULL */
  ent_contest_data data;
} ent_split_cut;

/* The rows numbers[0 .. train) to learn from, and `test` more to be tested on; missing numbers stand at their middle.
 * Scaled by the rows to learn from; auto: by quantile, with blend and minmax as the others. On failure *cut is
 * empty. */
entropic_status ent_split_table_cut(entropic_context *context, const ent_split_table *split_table,
                                    const size_t *numbers, size_t train, size_t test, entropic_scaling scaling,
                                    ent_split_cut *cut);
void ent_cut_clear(ent_split_cut *cut);

#endif
