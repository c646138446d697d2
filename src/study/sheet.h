/* Rows of numbers, as contests take them: categories spread out, classes as -1 and 1; and cut into rows to learn from
 * and rows to be tested on, scaled by the former. */
#ifndef ENT_STUDY_SHEET_H
#define ENT_STUDY_SHEET_H

#include "model/model.h"
#include "study/contest.h"

typedef struct ent_sheet {
  size_t rows, columns;
  size_t targets; /* columns of y */
  size_t classes; /* 0: numbers */
  double *x, *y;  /* row after row; owned */
} ent_sheet;

/* Categories become columns of 0 and 1. Row weights are left behind. On failure *sheet is empty. */
entropic_status ent_sheet_of_dataset(entropic_context *context, const entropic_dataset *dataset, ent_sheet *sheet);
/* Room for so many rows; of classes, two have one column of y, several one each. */
entropic_status ent_sheet_start(entropic_context *context, size_t rows, size_t columns, size_t targets, size_t classes,
                                ent_sheet *sheet);
/* Sets row `row` of y for a class. */
void ent_sheet_set_class(ent_sheet *sheet, size_t row, size_t number);
/* Frees and empties. */
void ent_sheet_clear(ent_sheet *sheet);

/* A sheet in two parts. `data` points into it. */
typedef struct ent_cut {
  ent_sheet sheet;
  double *others[ENT_OTHER_SCALINGS]; /* its x by other scalings, or NULL */
  ent_contest_data data;
} ent_cut;

/* The rows numbers[0 .. train) to learn from, and `test` more to be tested on; missing numbers stand at their middle.
 * Scaled by the rows to learn from; auto: by quantile, with blend and minmax as the others. On failure *cut is
 * empty. */
entropic_status ent_sheet_cut(entropic_context *context, const ent_sheet *sheet, const size_t *numbers, size_t train,
                              size_t test, entropic_scaling scaling, ent_cut *cut);
void ent_cut_clear(ent_cut *cut);

#endif
