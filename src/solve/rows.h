/* Where learners get their rows from: blocks of inputs, targets and weights, from the first to the last, as often as
 * they like. Memory does not grow with the number of rows. */
#ifndef ENT_SOLVE_ROWS_H
#define ENT_SOLVE_ROWS_H

#include <stdbool.h>

#include "axis/scaler.h"
#include "base/context.h"

/* Some rows. What the pointers point to is valid until the next call to the source. */
typedef struct ent_block {
  size_t first, rows; /* the number of its first row, from 0 where the source begins; how many */
  const double *x;    /* x[row * x_stride + input], in [0,1] unless there is a scaler */
  size_t x_stride;
  const double *y; /* y[row * y_stride + target]; may be NULL if there are no targets */
  size_t y_stride;
  const double *weights; /* not negative; NULL: all 1 */
  bool missing;          /* inputs may be missing; the kernel knows which */
  /* Rows in memory: x is as it came, and who copies or hands out rows scales them. NULL: x is scaled. Sources hand out
   * scaled blocks only. */
  const entropic_scaler *scaler;
} ent_block;

/* A source of rows. It owns nothing; self must outlive it. */
typedef struct ent_rows {
  void *self;
  size_t inputs, targets;
  size_t count; /* of rows, for those who wait to know how many are left; 0: not known */
  /* Back to the first row. */
  entropic_status (*rewind)(entropic_context *context, void *self);
  /* The next `most` rows: fewer only at the end of all rows, where there are none any more 0. So what is computed does
   * not depend on how the source cuts its data. */
  entropic_status (*next)(entropic_context *context, void *self, size_t most, ent_block *block);
} ent_rows;

/* Rows in memory, all borrowed. Clear it where they have a scaler. */
typedef struct ent_memory_rows {
  ent_block all;
  size_t inputs, targets;
  size_t at;       /* the next row to hand out */
  double *scaled;  /* with a scaler: the block at hand */
  size_t capacity; /* of it, in rows */
} ent_memory_rows;

void ent_memory_rows_clear(ent_memory_rows *memory);
ent_rows ent_rows_of_memory(ent_memory_rows *memory);

/* Takes the next block and checks it: finite inputs (or missing ones, NaN, if there may be gaps), finite targets, finite
 * weights that are not negative (BAD_DATA, with row and column). */
entropic_status ent_rows_take(entropic_context *context, const ent_rows *rows, size_t most, ent_block *block);

/* The weight of a row of a block. */
static inline double ent_weight(const ent_block *block, size_t row) {
  return block->weights == NULL ? 1 : block->weights[row];
}

#endif
