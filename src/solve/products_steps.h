/* The loop of products.h, written once. A file that includes this defines before:
 *     ent_eight           eight lanes
 *     eight_zero, eight_load, eight_fma (a b + c)
 *     eights_add          adds the sum of the lanes of each of some ent_eight to a number: lanes four apart are added
 *                         first, then those two apart, then the rest
 *     A_COLUMNS, B_COLUMNS   the size of a register tile: so many sums stay in registers */
#ifndef ENT_SOLVE_PRODUCTS_STEPS_H
#define ENT_SOLVE_PRODUCTS_STEPS_H

/* A tile of the result, at most A_COLUMNS x B_COLUMNS. Inlined with constants, so that the sums are in registers. */
static inline __attribute__((always_inline)) void add_tile(size_t a_columns, size_t b_columns, const double *a,
                                                           const double *b, size_t ld, size_t rows, double *out,
                                                           size_t out_ld) {
  ent_eight sums[B_COLUMNS * A_COLUMNS];
#pragma GCC unroll 32 /* or the sums are zeroed in memory, and loaded from there */
  for (size_t i = 0; i < a_columns * b_columns; i++)
    sums[i] = eight_zero();
  for (size_t r = 0; r < rows; r += ENT_SUM_LANES) {
    ent_eight of_b[B_COLUMNS];
    for (size_t j = 0; j < b_columns; j++)
      of_b[j] = eight_load(b + j * ld + r);
    for (size_t i = 0; i < a_columns; i++) {
      ent_eight of_a = eight_load(a + i * ld + r);
      for (size_t j = 0; j < b_columns; j++)
        sums[j * a_columns + i] = eight_fma(of_a, of_b[j], sums[j * a_columns + i]);
    }
  }
  for (size_t j = 0; j < b_columns; j++)
    eights_add(sums + j * a_columns, a_columns, out + j * out_ld);
}

/* A tile of full width, or one column at a time. */
static inline __attribute__((always_inline)) void add_strip(size_t a_columns, size_t b_columns, const double *a,
                                                            const double *b, size_t ld, size_t rows, double *out,
                                                            size_t out_ld) {
  if (b_columns == B_COLUMNS)
    add_tile(a_columns, B_COLUMNS, a, b, ld, rows, out, out_ld);
  else
    for (size_t j = 0; j < b_columns; j++)
      add_tile(a_columns, 1, a, b + j * ld, ld, rows, out + j * out_ld, out_ld);
}

/* A tile at the edge of the result: a strip of full height, or strips of four, two and one columns of a. */
static void add_edge(size_t a_columns, size_t b_columns, const double *a, const double *b, size_t ld, size_t rows,
                     double *out, size_t out_ld) {
  size_t i = 0;
  if (a_columns == A_COLUMNS) {
    add_strip(A_COLUMNS, b_columns, a, b, ld, rows, out, out_ld);
    return;
  }
  if (A_COLUMNS > 4 && a_columns - i >= 4) {
    add_strip(4, b_columns, a, b, ld, rows, out, out_ld);
    i += 4;
  }
  if (A_COLUMNS > 2 && a_columns - i >= 2) {
    add_strip(2, b_columns, a + i * ld, b, ld, rows, out + i, out_ld);
    i += 2;
  }
  if (a_columns > i)
    add_strip(1, b_columns, a + i * ld, b, ld, rows, out + i, out_ld);
}

static void add_any(size_t a_columns, size_t b_columns, const double *a, const double *b, size_t ld, size_t rows,
                    double *out, size_t out_ld) {
  if (a_columns == A_COLUMNS && b_columns == B_COLUMNS)
    add_tile(A_COLUMNS, B_COLUMNS, a, b, ld, rows, out, out_ld);
  else
    add_edge(a_columns, b_columns, a, b, ld, rows, out, out_ld);
}

/* A tile on the diagonal: computed in a buffer, of which only what is on or above the diagonal is added. */
static void add_diagonal(size_t i, size_t a_columns, size_t j, size_t b_columns, const double *z, size_t ld,
                         size_t rows, double *out, size_t out_ld) {
  double tile[A_COLUMNS * B_COLUMNS] = {0};
  add_any(a_columns, b_columns, z + i * ld, z + j * ld, ld, rows, tile, A_COLUMNS);
  for (size_t k = 0; k < b_columns; k++)
    for (size_t l = 0; l < a_columns && i + l <= j + k; l++)
      out[(j + k) * out_ld + i + l] += tile[k * A_COLUMNS + l];
}

static void steps_add(const double *a, size_t a_columns, const double *b, size_t b_columns, size_t ld, size_t rows,
                      double *out, size_t out_ld) {
  for (size_t j = 0; j < b_columns; j += B_COLUMNS) {
    size_t width = b_columns - j < B_COLUMNS ? b_columns - j : B_COLUMNS;
    size_t end = a == b ? j + width : a_columns; /* not below the diagonal */
    for (size_t i = 0; i < end; i += A_COLUMNS) {
      size_t height = end - i < A_COLUMNS ? end - i : A_COLUMNS;
      if (a != b || i + height <= j + 1)
        add_any(height, width, a + i * ld, b + j * ld, ld, rows, out + j * out_ld + i, out_ld);
      else
        add_diagonal(i, height, j, width, a, ld, rows, out, out_ld);
    }
  }
}

#endif
