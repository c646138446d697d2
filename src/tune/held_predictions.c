/* Predictions of validation rows that are kept: see search.h. */
#include <string.h>

#include "base/memory.h"
#include "tune/search.h"

void ent_held_predictions_clear(ent_held_predictions *held) {
  ent_delete(held->numbers);
  ent_delete(held->predictions);
  *held = (ent_held_predictions){0};
}

/* The two behind each other; they may be NULL if they are empty. */
static void join(void *to, const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
  if (a_bytes > 0)
    memcpy(to, a, a_bytes);
  if (b_bytes > 0)
    memcpy((char *)to + a_bytes, b, b_bytes);
}

entropic_status ent_held_predictions_add(entropic_context *context, const ent_held_predictions *more, size_t targets,
                                         ent_held_predictions *held) {
  size_t rows = held->rows + more->rows, each = targets * sizeof(double);
  ent_held_predictions both = {.rows = rows,
                               .numbers = ent_new(context, rows, sizeof *both.numbers),
                               .predictions = ent_new_matrix(context, rows, targets, sizeof *both.predictions)};
  if (both.numbers == NULL || both.predictions == NULL) {
    ent_held_predictions_clear(&both);
    return ENTROPIC_NO_MEMORY;
  }
  join(both.numbers, held->numbers, held->rows * sizeof *held->numbers, more->numbers,
       more->rows * sizeof *more->numbers);
  join(both.predictions, held->predictions, held->rows * each, more->predictions, more->rows * each);
  ent_held_predictions_clear(held);
  *held = both;
  return ENTROPIC_OK;
}
