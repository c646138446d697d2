/* Batches of a time series, for standard errors: see outer.h.
 *
 * Errors of rows that follow one another are alike, so they are not independent. Sums over batches of consecutive rows
 * nearly are, if batches are long. About sqrt(n) batches of sqrt(n) rows balance their number and their length. Where
 * errors go on for longer than a batch, the correlation of rows with the one before says so: see outer_figures.c. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fit/outer.h"

typedef struct ent_timed_row {
  double time;
  size_t row;
} ent_timed_row;

static int compare_timed_rows(const void *a, const void *b) {
  const ent_timed_row *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

entropic_status ent_outer_batch(entropic_context *context, ent_outer *outer) {
  size_t rows = outer->rows;
  if (outer->times == NULL || rows == 0)
    return ENTROPIC_OK;
  ent_timed_row *order = ent_new(context, rows, sizeof *order);
  size_t *by_time = ent_new(context, rows, sizeof *by_time);
  if (order == NULL || by_time == NULL) {
    ent_delete(order);
    ent_delete(by_time);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t r = 0; r < rows; r++)
    order[r] = (ent_timed_row){outer->times[r], r};
  qsort(order, rows, sizeof *order, compare_timed_rows);
  for (size_t i = 0; i < rows; i++)
    by_time[i] = order[i].row;
  size_t batches = (size_t)lround(sqrt((double)rows));
  for (size_t i = 0, first = 0; i < rows; i++) {
    if (order[i].time != order[first].time) /* rows of one time are in one batch */
      first = i;
    outer->group_of[order[i].row] = first * batches / rows;
  }
  ent_delete(order);
  ent_delete(outer->order);
  outer->order = by_time;
  return ENTROPIC_OK;
}
