/* The loops of dense.h for each kind of processor: for any, for AVX2 and for AVX-512. Lanes are different elements of
 * the result, and nothing is fused, so all give the same bits. */
#ifndef ENT_BASE_DENSE_CODE_H
#define ENT_BASE_DENSE_CODE_H

#include <stddef.h>

#define ENT_DENSE_MOST_ROWS ((size_t)8) /* of a register tile */
#define ENT_DENSE_MOST_COLUMNS ((size_t)16)

/* c += a b, or c -= a b. Element (i, k) of a is a[k * a_step + i], element (k, j) of b is b[k * b_step + j * b_column],
 * element (i, j) of c is c[j * c_column + i]. */
typedef struct ent_dense_tile {
  size_t depth; /* k < depth, added from the first to the last */
  const double *a, *b;
  double *c;
  ptrdiff_t a_step, b_step, b_column, c_column;
} ent_dense_tile;

typedef struct ent_dense_code {
  const char *name;
  size_t rows, columns; /* of a register tile */
  /* A tile of `rows` x `columns`: [0] adds, [1] subtracts. */
  void (*tile[2])(const ent_dense_tile *tile);
  /* The same for one column of any number of rows. */
  void (*column[2])(const ent_dense_tile *tile, size_t rows);
  /* The columns of c become those of X in X B = C, B the upper triangle of b[columns x columns]: column j is
   * multiplied by 1/b_jj, then its multiples are subtracted from all later ones. */
  void (*triangle)(const ent_dense_tile *tile);
  /* c[j] += the dot product of column j of a, a_step apart, and b, both of `depth` rows, in ENT_DENSE_DOT_LANES sums:
   * row r is added to sum r % ENT_DENSE_DOT_LANES; then the upper half of the sums is added to the lower half, until
   * one is left. */
  void (*dots)(const ent_dense_tile *tile, size_t columns);
} ent_dense_code;

#define ENT_DENSE_DOT_LANES ((size_t)8)

/* All there are. The last two need a processor with these instructions. */
extern const ent_dense_code ent_dense_reference, ent_dense_avx2, ent_dense_avx512;

#endif
