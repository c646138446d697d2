/* Rows to learn from, with their targets, and what is known of the table they come from. */
#ifndef ENT_DATASET_DATASET_H
#define ENT_DATASET_DATASET_H

#include "columns/notices.h"
#include "data/table.h"
#include "dataset/schema.h"

/* All rows of a table of which a data set has a sample, on which a fit chooses. Its weights then come from all of them, in
 * passes that keep none (update/collection.h, shard/all_rows_pass.h). */
typedef struct ent_all_rows {
  entropic_table *table; /* shared; its own rows, or those of its shards */
  uint64_t rows;         /* with and without a target */
  double *least, *most;  /* [targets] of numbers, over all rows */
  double most_weight;    /* over all rows; 1 without weights */
} ent_all_rows;

/* target: the columns of the targets; weight: that of the weights, or SIZE_MAX. */
entropic_status ent_all_rows_of_table(entropic_context *context, const entropic_table *table, const size_t *target,
                                      size_t targets, size_t weight, ent_all_rows **all);
/* NULL is fine. */
void ent_all_rows_free(ent_all_rows *all);

#define ENT_SAMPLE_ROWS 1000000 /* that a fit chooses on, of a table with more */

/* An input that is not in use. */
typedef struct ent_dropped {
  char *name;
  entropic_column_type why;
  char *original; /* the name of the input that it is a copy of; NULL if it is none */
} ent_dropped;

/* A column of the table that a data set was made from. */
typedef struct ent_dataset_column {
  char *name;
  entropic_role role;
  entropic_column_type type;
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
  double read_seconds;    /* that table and data set took */
  ent_all_rows *all_rows; /* the rows are a sample: all of them; NULL: these are all */
};

/* The inputs of a data set, wherever they are. */
static inline ent_inputs ent_dataset_inputs(const entropic_dataset *dataset) {
  return (ent_inputs){dataset->x, dataset->schema.inputs, dataset->columns};
}

/* The calls of the interface without sizes of structs: the rooms know them. */
entropic_status ent_dataset_create(entropic_context *context, const entropic_table *table, entropic_task task,
                                   entropic_dataset **dataset);
/* The same; of a table of more rows than `sample`, if that is not 0, the data set has a sample (dataset->all_rows). */
entropic_status ent_dataset_create_sampled(entropic_context *context, const entropic_table *table, entropic_task task,
                                           size_t sample, entropic_dataset **dataset);
entropic_dataset_info ent_dataset_describe(const entropic_dataset *dataset);

#endif
