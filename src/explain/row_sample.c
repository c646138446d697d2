/* A sample of the rows of a reader: see explanation.h. */
#include <string.h>

#include "base/memory.h"
#include "explain/explanation.h"

#define MOST_ROWS ((size_t)1 << 14)
#define MOST_VALUES ((size_t)1 << 23)
#define FEWEST_ROWS ((size_t)256)
#define BLOCK_ROWS ((size_t)512)

/* Keeps every second row of those that are kept. */
static void halve(ent_row_sample *sample) {
  for (size_t i = 1; 2 * i < sample->count; i++)
    memcpy(sample->x + i * sample->inputs, sample->x + 2 * i * sample->inputs, sample->inputs * sizeof *sample->x);
  sample->count = (sample->count + 1) / 2;
  sample->stride *= 2;
}

static void keep_rows(ent_row_sample *sample, const double *x, size_t rows) {
  for (size_t r = 0; r < rows; r++, sample->seen++) {
    if (sample->seen % sample->stride != 0)
      continue;
    if (sample->count == sample->capacity)
      halve(sample);
    if (sample->seen % sample->stride == 0)
      memcpy(sample->x + sample->count++ * sample->inputs, x + r * sample->inputs, sample->inputs * sizeof *x);
  }
}

entropic_status ent_row_sample_read(entropic_context *context, const entropic_model *model, entropic_row_reader *reader,
                                    ent_row_sample *sample) {
  size_t inputs = model->schema.inputs, most = MOST_VALUES / inputs, rows = 1;
  most = most > MOST_ROWS ? MOST_ROWS : most < FEWEST_ROWS ? FEWEST_ROWS : most;
  *sample = (ent_row_sample){.inputs = inputs, .capacity = most, .stride = 1};
  sample->x = ent_new_matrix(context, most, inputs, sizeof *sample->x);
  double *x = ent_new_matrix(context, BLOCK_ROWS, inputs, sizeof *x);
  entropic_status status = sample->x == NULL || x == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  while (status == ENTROPIC_OK && rows > 0) {
    status = entropic_row_reader_next(context, reader, BLOCK_ROWS, x, NULL, NULL, &rows);
    if (status != ENTROPIC_OK)
      break;
    keep_rows(sample, x, rows);
  }
  ent_delete(x);
  if (status == ENTROPIC_OK && sample->count == 0)
    status = ent_fail(context, ENTROPIC_BAD_DATA, "found no row, expected some to explain the model by");
  if (status != ENTROPIC_OK) {
    ent_delete(sample->x);
    sample->x = NULL;
  }
  return status;
}
