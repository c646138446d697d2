/* The rows of a table as learners of classes take them: scaled inputs, the number of the class, weights. They are read anew
 * in each pass; none is kept. Rows without a class or a weight are left out. */
#ifndef ENT_UPDATE_LABEL_ROWS_H
#define ENT_UPDATE_LABEL_ROWS_H

#include "data/table.h"
#include "update/collection.h"
#include "sums/rows.h"

typedef struct ent_label_rows {
  const entropic_model *model;
  const entropic_table *table;
  const double *class_weight; /* [classes] factors of weights; NULL: none */
  entropic_row_reader *reader;
  double *x, *y, *weights;
  size_t capacity;         /* in rows */
  size_t first;            /* the number of the next row that counts */
  ent_collected collected; /* of the last pass */
} ent_label_rows;

/* A source of the rows of a table with the schema of the model; all borrowed. Clear it. */
ent_rows ent_rows_of_labels(ent_label_rows *labels);
void ent_label_rows_clear(ent_label_rows *labels);

#endif
