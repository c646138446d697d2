/* Sources of rows: blocks of inputs, targets and weights, from the first row to the last, as often as a solver needs
 * them. Memory does not grow with the number of rows. */
#ifndef ENT_SUMS_ROWS_H
#define ENT_SUMS_ROWS_H

#include <stdbool.h>

#include "axis/scaler.h"
#include "base/context.h"

/* Some rows. The pointers are valid until the next call of the source. */
typedef struct ent_block {
  size_t first, rows; /* the number of the first row, from 0; how many there are */
  const double *x;    /* x[row * x_stride + input], in [0,1] unless there is a scaler */
  size_t x_stride;
  const double *y; /* y[row * y_stride + target]; may be NULL if there are no targets */
  size_t y_stride;
  const double *weights; /* not negative; NULL: all 1 */
  bool missing;          /* inputs may be missing (NaN); the kernel knows which */
  /* Of rows in memory: x is not scaled yet; whatever copies or hands out rows scales them. NULL: x is scaled. Sources
   * hand out scaled blocks only. */
  const entropic_scaler *scaler;
  /* Of rows in memory that have a scaler: the inputs are columns of a table, and x is NULL; NULL: they are in x. */
  const ent_input_columns *columns;
} ent_block;

/* A source of rows. It owns nothing; `self` must outlive it. */
typedef struct ent_rows {
  void *self;
  size_t inputs, targets;
  size_t count; /* of rows, for progress; 0: not known */
  /* Back to the first row. */
  entropic_status (*rewind)(entropic_context *context, void *self);
  /* The next `most` rows: fewer only at the end of the rows, 0 after it. So results do not depend on how the source
   * stores its data. */
  entropic_status (*next)(entropic_context *context, void *self, size_t most, ent_block *block);
  /* The same without inputs: x is NULL. It is cheaper, as no inputs are copied or scaled. */
  entropic_status (*next_targets)(entropic_context *context, void *self, size_t most, ent_block *block);
} ent_rows;

/* Rows in memory, all borrowed. Clear it where they have a scaler. */
typedef struct ent_memory_rows {
  ent_block all;
  size_t inputs, targets;
  size_t at;                         /* the next row */
  double *scaled;                    /* with a scaler: the current block, and rows that follow */
  size_t capacity;                   /* of it, in rows */
  size_t scaled_first, scaled_count; /* the rows that it has */
} ent_memory_rows;

/* Only needed where the rows have a scaler. */
void ent_memory_rows_clear(ent_memory_rows *memory);
/* Are rows first .. first + rows - 1 among the scaled ones? */
bool ent_memory_rows_has(const ent_memory_rows *memory, size_t first, size_t rows);
/* Room for scaled rows where at least `rows` are wanted of the `left` that there are: *count of them, more than most blocks
 * have, so that several threads can scale them. */
entropic_status ent_memory_rows_reserve(entropic_context *context, ent_memory_rows *memory, size_t rows, size_t left,
                                        size_t *count);
ent_rows ent_rows_of_memory(ent_memory_rows *memory);

/* Takes the next block and checks it. BAD_DATA, with row and column, unless inputs are finite (or NaN, if they may be
 * missing), targets are finite, and weights are finite and not negative. */
entropic_status ent_rows_take(entropic_context *context, const ent_rows *rows, size_t most, ent_block *block);

/* The same without inputs. */
entropic_status ent_rows_take_targets(entropic_context *context, const ent_rows *rows, size_t most, ent_block *block);

/* Takes one block. */
typedef entropic_status (*ent_block_task)(entropic_context *context, void *shared, const ent_block *block);

/* Runs the task on every block of at most `most` rows, from the first row to the last, on the caller's thread. */
entropic_status ent_rows_each(entropic_context *context, const ent_rows *rows, size_t most, ent_block_task task,
                              void *shared);

/* The weight of a row of a block. */
static inline double ent_weight(const ent_block *block, size_t row) {
  return block->weights == NULL ? 1 : block->weights[row];
}

#endif
