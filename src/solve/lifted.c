/* Products with lifted blocks: see lifted.h. Dense columns are taken some at a time, which stay in the nearest cache for
 * all columns of v or u. */
#include "solve/lifted.h"

#include <string.h>

#define CHUNK ENT_DENSE_DEPTH         /* dense columns at a time */
#define SCORES ENT_DENSE_MOST_COLUMNS /* columns of v or u at a time */

/* Some dense columns of a block, and some columns of v or sum. */
typedef struct ent_lifted_chunk {
  size_t first, columns;
  size_t score, scores;
  double buffer[CHUNK * SCORES]; /* their part of v or sum, if the features of the columns are not adjacent */
} ent_lifted_chunk;

static size_t at_most(size_t left, size_t most) {
  return left < most ? left : most;
}

/* Sets the chunk that begins at a dense column and a score. */
static void set_chunk(const ent_lifted *lifted, size_t first, size_t score, size_t count, ent_lifted_chunk *chunk) {
  chunk->first = first;
  chunk->columns = at_most(lifted->dense_count - first, CHUNK);
  chunk->score = score;
  chunk->scores = at_most(count - score, SCORES);
}

/* Copies the chunk's part of m[features x count, ld] into the buffer. */
static void gather(const ent_lifted *lifted, ent_lifted_chunk *chunk, const double *m, size_t ld) {
  for (size_t k = 0; k < chunk->scores; k++)
    for (size_t j = 0; j < chunk->columns; j++)
      chunk->buffer[k * CHUNK + j] = m[(chunk->score + k) * ld + (size_t)lifted->dense_columns[chunk->first + j]];
}

/* And back. */
static void scatter(const ent_lifted *lifted, const ent_lifted_chunk *chunk, double *m, size_t ld) {
  for (size_t k = 0; k < chunk->scores; k++)
    for (size_t j = 0; j < chunk->columns; j++)
      m[(chunk->score + k) * ld + (size_t)lifted->dense_columns[chunk->first + j]] = chunk->buffer[k * CHUNK + j];
}

static void multiply_chunk(const ent_lifted *lifted, ent_lifted_chunk *chunk, const double *v, size_t v_ld,
                           double *out) {
  size_t rows = lifted->block.rows, ld = v_ld;
  const double *at = v + chunk->score * v_ld + chunk->first;
  if (lifted->dense_columns != NULL) {
    gather(lifted, chunk, v, v_ld);
    at = chunk->buffer;
    ld = CHUNK;
  }
  ent_dense_multiply(lifted->dense,
                     &(ent_product_task){.rows = rows,
                                         .columns = chunk->scores,
                                         .depth = chunk->columns,
                                         .a = {lifted->z + chunk->first * lifted->ld, 1, (ptrdiff_t)lifted->ld, false},
                                         .b = {at, 1, (ptrdiff_t)ld, false},
                                         .c = out + chunk->score * rows,
                                         .ld = rows});
}

/* The dot product of a compressed row and v, in four sums. */
static double compressed_dot(const double *values, const int32_t *columns, size_t count, const double *v) {
  double sums[4] = {0, 0, 0, 0};
  size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (size_t k = 0; k < 4; k++)
      sums[k] += values[i + k] * v[columns[i + k]];
  for (; i < count; i++)
    sums[0] += values[i] * v[columns[i]];
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

void ent_lifted_multiply(const ent_lifted *lifted, const double *v, size_t v_ld, size_t count, double *out) {
  size_t rows = lifted->block.rows;
  ent_lifted_chunk chunk;
  memset(out, 0, rows * count * sizeof *out);
  for (size_t first = 0; first < lifted->dense_count; first += CHUNK)
    for (size_t k = 0; k < count; k += SCORES) {
      set_chunk(lifted, first, k, count, &chunk);
      multiply_chunk(lifted, &chunk, v, v_ld, out);
    }
  for (size_t r = 0; lifted->starts != NULL && r < rows; r++) {
    size_t start = lifted->starts[r], length = lifted->starts[r + 1] - start;
    for (size_t k = 0; k < count; k++)
      out[k * rows + r] += compressed_dot(lifted->values + start, lifted->columns + start, length, v + k * v_ld);
  }
}

/* sum += the product, for adjacent features: columns of sum are sum_ld apart. */
static void add_products(const ent_lifted *lifted, const ent_lifted_chunk *chunk, const double *u, double *sum,
                         size_t sum_ld) {
  size_t rows = lifted->block.rows;
  const double *z = lifted->z + chunk->first * lifted->ld;
  for (size_t k = 0; chunk->scores < ENT_DENSE_FEW && k < chunk->scores; k++)
    ent_dense_dots(lifted->dense, &(ent_dots_task){.a = z,
                                                   .ld = lifted->ld,
                                                   .rows = rows,
                                                   .columns = chunk->columns,
                                                   .x = u + (chunk->score + k) * rows,
                                                   .out = sum + k * sum_ld});
  if (chunk->scores >= ENT_DENSE_FEW)
    ent_dense_multiply(lifted->dense, &(ent_product_task){.rows = chunk->columns,
                                                          .columns = chunk->scores,
                                                          .depth = rows,
                                                          .a = {z, (ptrdiff_t)lifted->ld, 1, false},
                                                          .b = {u + chunk->score * rows, 1, (ptrdiff_t)rows, false},
                                                          .c = sum,
                                                          .ld = sum_ld});
}

static void multiply_chunk_trans(const ent_lifted *lifted, ent_lifted_chunk *chunk, const double *u, double *sum,
                                 size_t sum_ld) {
  if (lifted->dense_columns == NULL) {
    add_products(lifted, chunk, u, sum + chunk->score * sum_ld + chunk->first, sum_ld);
    return;
  }
  gather(lifted, chunk, sum, sum_ld);
  add_products(lifted, chunk, u, chunk->buffer, CHUNK);
  scatter(lifted, chunk, sum, sum_ld);
}

void ent_lifted_multiply_trans(const ent_lifted *lifted, const double *u, size_t count, double *sum, size_t sum_ld) {
  size_t rows = lifted->block.rows;
  ent_lifted_chunk chunk;
  for (size_t first = 0; first < lifted->dense_count; first += CHUNK)
    for (size_t k = 0; k < count; k += SCORES) {
      set_chunk(lifted, first, k, count, &chunk);
      multiply_chunk_trans(lifted, &chunk, u, sum, sum_ld);
    }
  for (size_t r = 0; lifted->starts != NULL && r < rows; r++)
    for (size_t k = 0; k < count; k++) {
      double at = u[k * rows + r], *to = sum + k * sum_ld;
      for (size_t i = lifted->starts[r]; i < lifted->starts[r + 1]; i++)
        to[lifted->columns[i]] += lifted->values[i] * at;
    }
}
