/* Products with lifted blocks: see pass.h. Dense columns are taken some at a time, which stay in the nearest cache for
 * all columns of v or u. */
#include "sums/pass.h"

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

/* A compressed row. */
typedef struct ent_lifted_row {
  const double *values;
  const int32_t *columns;
  size_t count;
} ent_lifted_row;

static ent_lifted_row row_of(const ent_lifted *lifted, size_t row) {
  size_t start = lifted->starts[row];
  return (ent_lifted_row){lifted->values + start, lifted->columns + start, lifted->starts[row + 1] - start};
}

#define INLINE static inline __attribute__((always_inline))
#define TOGETHER ((size_t)4) /* scores for which a compressed row is read once */

/* out[k * out_ld] += the dot product of a row and a column of v, each in four sums. */
INLINE void add_row_dots(const ent_lifted_row *row, size_t scores, const double *v, size_t v_ld, double *out,
                         size_t out_ld) {
  double sums[TOGETHER][4] = {{0}};
  for (size_t i = 0; i < row->count / 4 * 4; i += 4)
    for (size_t part = 0; part < 4; part++)
      for (size_t k = 0; k < scores; k++)
        sums[k][part] += row->values[i + part] * v[k * v_ld + (size_t)row->columns[i + part]];
  for (size_t i = row->count / 4 * 4; i < row->count; i++)
    for (size_t k = 0; k < scores; k++)
      sums[k][0] += row->values[i] * v[k * v_ld + (size_t)row->columns[i]];
  for (size_t k = 0; k < scores; k++)
    out[k * out_ld] += (sums[k][0] + sums[k][2]) + (sums[k][1] + sums[k][3]);
}

/* sum += the row times u[k * u_ld]. */
INLINE void add_row(const ent_lifted_row *row, size_t scores, const double *u, size_t u_ld, double *restrict sum,
                    size_t sum_ld) {
  double at[TOGETHER];
  for (size_t k = 0; k < scores; k++)
    at[k] = u[k * u_ld];
  for (size_t i = 0; i < row->count; i++) {
    double value = row->values[i], *to = sum + row->columns[i];
    for (size_t k = 0; k < scores; k++)
      to[k * sum_ld] += value * at[k];
  }
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
    ent_lifted_row row = row_of(lifted, r);
    size_t k = 0;
    for (; k + TOGETHER <= count; k += TOGETHER)
      add_row_dots(&row, TOGETHER, v + k * v_ld, v_ld, out + k * rows + r, rows);
    for (; k < count; k++)
      add_row_dots(&row, 1, v + k * v_ld, v_ld, out + k * rows + r, rows);
  }
}

/* sum += Z'u of a chunk with few scores, score by score: columns of sum are sum_ld apart. */
static void add_dots(const ent_lifted *lifted, const ent_lifted_chunk *chunk, const double *u, double *sum,
                     size_t sum_ld) {
  size_t rows = lifted->block.rows;
  for (size_t k = 0; k < chunk->scores; k++)
    ent_dense_dots(lifted->dense, &(ent_dots_task){.a = lifted->z + chunk->first * lifted->ld,
                                                   .ld = lifted->ld,
                                                   .rows = rows,
                                                   .columns = chunk->columns,
                                                   .x = u + (chunk->score + k) * rows,
                                                   .out = sum + k * sum_ld});
}

/* The element of sum for a column of the chunk and a score of it. */
static double *sum_of(const ent_lifted *lifted, const ent_lifted_chunk *chunk, size_t column, size_t score, double *sum,
                      size_t sum_ld) {
  return sum + (chunk->score + score) * sum_ld + ent_lifted_feature(lifted, chunk->first + column);
}

/* The same with more scores: u'Z, because Z need not be packed then. */
static void add_product(const ent_lifted *lifted, ent_lifted_chunk *chunk, const double *u, double *sum,
                        size_t sum_ld) {
  size_t rows = lifted->block.rows, scores = chunk->scores;
  for (size_t j = 0; j < chunk->columns; j++)
    for (size_t k = 0; k < scores; k++)
      chunk->buffer[j * SCORES + k] = *sum_of(lifted, chunk, j, k, sum, sum_ld);
  ent_dense_multiply(lifted->dense,
                     &(ent_product_task){.rows = scores,
                                         .columns = chunk->columns,
                                         .depth = rows,
                                         .a = {u + chunk->score * rows, (ptrdiff_t)rows, 1, false},
                                         .b = {lifted->z + chunk->first * lifted->ld, 1, (ptrdiff_t)lifted->ld, false},
                                         .c = chunk->buffer,
                                         .ld = SCORES});
  for (size_t j = 0; j < chunk->columns; j++)
    for (size_t k = 0; k < scores; k++)
      *sum_of(lifted, chunk, j, k, sum, sum_ld) = chunk->buffer[j * SCORES + k];
}

static void multiply_chunk_trans(const ent_lifted *lifted, ent_lifted_chunk *chunk, const double *u, double *sum,
                                 size_t sum_ld) {
  if (chunk->scores >= ENT_DENSE_FEW) {
    add_product(lifted, chunk, u, sum, sum_ld);
  } else if (lifted->dense_columns == NULL) {
    add_dots(lifted, chunk, u, sum + chunk->score * sum_ld + chunk->first, sum_ld);
  } else {
    gather(lifted, chunk, sum, sum_ld);
    add_dots(lifted, chunk, u, chunk->buffer, CHUNK);
    scatter(lifted, chunk, sum, sum_ld);
  }
}

void ent_lifted_multiply_trans(const ent_lifted *lifted, const double *u, size_t count, double *sum, size_t sum_ld) {
  size_t rows = lifted->block.rows;
  ent_lifted_chunk chunk;
  for (size_t first = 0; first < lifted->dense_count; first += CHUNK)
    for (size_t k = 0; k < count; k += SCORES) {
      set_chunk(lifted, first, k, count, &chunk);
      multiply_chunk_trans(lifted, &chunk, u, sum, sum_ld);
    }
  for (size_t r = 0; lifted->starts != NULL && r < rows; r++) {
    ent_lifted_row row = row_of(lifted, r);
    size_t k = 0;
    for (; k + TOGETHER <= count; k += TOGETHER)
      add_row(&row, TOGETHER, u + k * rows + r, rows, sum + k * sum_ld, sum_ld);
    for (; k < count; k++)
      add_row(&row, 1, u + k * rows + r, rows, sum + k * sum_ld, sum_ld);
  }
}
