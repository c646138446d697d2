/* The rows of a data set as those of a row reader: see row_reader.h. */
#include <string.h>

#include "model/row_reader.h"

entropic_row_reader ent_row_reader_of_dataset(const entropic_dataset *dataset) {
  return (entropic_row_reader){.schema = dataset->schema, .with_targets = true, .dataset = dataset};
}

void ent_dataset_rows_next(entropic_row_reader *reader, size_t capacity, double *x, double *y, double *weights,
                           size_t *rows) {
  const entropic_dataset *data = reader->dataset;
  const ent_inputs from = ent_dataset_inputs(data);
  size_t targets = data->schema.targets, left = data->rows - reader->at;
  *rows = left < capacity ? left : capacity;
  ent_inputs_read(&from, data->schema.inputs, reader->at, *rows, x);
  memcpy(y, data->y + reader->at * targets, *rows * targets * sizeof *y);
  for (size_t r = 0; r < *rows; r++)
    weights[r] = data->weights == NULL ? 1 : data->weights[reader->at + r];
  reader->at += *rows;
}
