/* A sample of the rows of a reader: see explanation.h. */
#include <string.h>

#include "base/memory.h"
#include "explain/explanation.h"

#define MOST_ROWS ((size_t)1 << 14)
#define MOST_VALUES ((size_t)1 << 23)
#define FEWEST_ROWS ((size_t)256)
#define MOST_PRODUCTS 5e9 /* of rows, centres, and inputs and their pairs: they take half a minute */
#define BLOCK_ROWS ((size_t)512)

/* Which of two neighbours is kept: a bit that looks random, so that no period of the rows is kept alone. */
static size_t kept_of_pair(size_t pair, unsigned level) {
  uint64_t bits = ((uint64_t)pair * 64 + level + 1) * UINT64_C(0x9e3779b97f4a7c15);
  bits = (bits ^ bits >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return (size_t)(bits >> 63);
}

static bool is_kept(size_t row, unsigned levels) {
  for (unsigned level = 0; level < levels; level++)
    if ((row >> level & 1) != kept_of_pair(row >> (level + 1), level))
      return false;
  return true;
}

/* Keeps one of each two rows of those that are kept. */
static void halve(ent_row_sample *sample) {
  size_t kept = 0;
  for (size_t i = 0; i < sample->count; i++) {
    if ((i & 1) != kept_of_pair(i >> 1, sample->levels))
      continue;
    memmove(sample->x + kept * sample->inputs, sample->x + i * sample->inputs, sample->inputs * sizeof *sample->x);
    sample->numbers[kept++] = sample->numbers[i];
  }
  sample->count = kept;
  sample->levels++;
}

static void keep_rows(ent_row_sample *sample, const double *x, size_t rows) {
  for (size_t r = 0; r < rows; r++, sample->seen++) {
    if (!is_kept(sample->seen, sample->levels))
      continue;
    if (sample->count == sample->capacity)
      halve(sample);
    if (!is_kept(sample->seen, sample->levels))
      continue;
    sample->numbers[sample->count] = sample->seen;
    memcpy(sample->x + sample->count++ * sample->inputs, x + r * sample->inputs, sample->inputs * sizeof *x);
  }
}

void ent_row_sample_clear(ent_row_sample *sample) {
  ent_delete(sample->x);
  ent_delete(sample->scaled);
  ent_delete(sample->numbers);
  *sample = (ent_row_sample){0};
}

entropic_status ent_row_sample_read(entropic_context *context, const entropic_model *model, entropic_row_reader *reader,
                                    ent_row_sample *sample) {
  size_t inputs = model->schema.inputs, most = MOST_VALUES / inputs, rows = 1;
  double each = (double)ent_model_centres(model) * (double)inputs * ((double)inputs + 1) / 2;
  if (each > 0 && (double)most > MOST_PRODUCTS / each)
    most = (size_t)(MOST_PRODUCTS / each);
  most = most > MOST_ROWS ? MOST_ROWS : most < FEWEST_ROWS ? FEWEST_ROWS : most;
  *sample = (ent_row_sample){.inputs = inputs, .capacity = most};
  sample->x = ent_new_matrix(context, most, inputs, sizeof *sample->x);
  sample->numbers = ent_new(context, most, sizeof *sample->numbers);
  double *x = ent_new_matrix(context, BLOCK_ROWS, inputs, sizeof *x);
  entropic_status status = sample->x == NULL || sample->numbers == NULL || x == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  while (status == ENTROPIC_OK && rows > 0) {
    status = entropic_row_reader_next(context, reader, BLOCK_ROWS, x, NULL, NULL, &rows);
    if (status != ENTROPIC_OK)
      break;
    keep_rows(sample, x, rows);
  }
  ent_delete(x);
  if (status == ENTROPIC_OK && sample->count == 0)
    status = ent_fail(context, ENTROPIC_BAD_DATA, "found no row, expected some to explain the model with");
  if (status != ENTROPIC_OK)
    ent_row_sample_clear(sample);
  return status;
}
