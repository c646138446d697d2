/* A row reader: rows of a file, a table or a data set as a model takes them. */
#ifndef ENT_MODEL_ROW_READER_H
#define ENT_MODEL_ROW_READER_H

#include "data/source.h"
#include "dataset/dataset.h"
#include "model/model.h"

#define ENT_NO_COLUMN SIZE_MAX

struct entropic_row_reader {
  ent_schema schema;
  ent_target_means *means; /* that fill derived inputs; NULL: there are none */
  bool with_targets;
  const char *weights;   /* as the caller names it; only while the file is opened */
  ent_dictionary *names; /* that a header has */
  ent_source *source;
  size_t *input, *target, weight; /* columns of the file; ENT_NO_COLUMN for inputs not in use, and without a weight */
  ent_names **categories;         /* of each input; NULL: a number */
  ent_names *classes;
  char expected[ENT_CLASSES_TEXT]; /* where a class is not known */
  double *block;
  size_t block_rows;
  size_t first_line; /* of the rows, in a file of lines */
  /* Instead of a source: a data set, borrowed, and its next row. */
  const entropic_dataset *dataset;
  size_t at;
};

/* The rows of a data set that has the schema of the model, with targets and weights. Nothing is to be freed. */
entropic_row_reader ent_row_reader_of_dataset(const entropic_dataset *dataset);
/* The next rows of such a reader, as entropic_row_reader_next gives them. */
void ent_dataset_rows_next(entropic_row_reader *reader, size_t capacity, double *x, double *y, double *weights,
                           size_t *rows);

/* entropic_row_reader_open by options, which may be NULL. */
entropic_status ent_row_reader_open(entropic_context *context, const entropic_model *model, const char *path,
                                    const ent_read_options *options, int with_targets, entropic_row_reader **reader);
/* BAD_DATA about a row that was read, from 0 on: the place, that value, and what was expected. column: a target by its
 * number, an input by its number behind the targets, or the weight (SIZE_MAX). */
entropic_status ent_row_reader_fail(entropic_context *context, const entropic_row_reader *reader, size_t row,
                                    size_t column, double value, const char *expected);

#endif
