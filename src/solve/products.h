/* Products of columns with each other, Z'Z: the loop in which most of the time of learning goes, for any processor and
 * compiled for wider ones.
 *
 * BLAS takes columns apart and puts them together anew before it multiplies, which pays off for large matrices. Ours
 * are tall and of some dozens to some hundreds of columns, and come out of the lift such that they can be multiplied as
 * they are. Measured on one thread with AVX-512, in 10^9 operations a second: 75, 84, 88, 91 for 20, 40, 80 and 160
 * columns, where OpenBLAS (0.3.21, dsyrk) does 24, 38, 52 and 68. */
#ifndef ENT_SOLVE_PRODUCTS_H
#define ENT_SOLVE_PRODUCTS_H

#include <stddef.h>

/* Every product is summed up in so many lanes, row r in lane r % ENT_SUM_LANES, each by fused multiply-adds one row after
 * the other; then the lanes are added, halves to halves. So the bits depend on the two columns alone, not on those beside
 * them nor on which of the codes made them. */
#define ENT_SUM_LANES ((size_t)8)

typedef struct ent_products_code {
  const char *name;
  /* out[j * out_ld + i] += the sum over rows of a[i * ld + row] * b[j * ld + row], for i < a_columns, j < b_columns. rows
   * is a multiple of ENT_SUM_LANES. If a is b, i <= j only. */
  void (*add)(const double *a, size_t a_columns, const double *b, size_t b_columns, size_t ld, size_t rows, double *out,
              size_t out_ld);
} ent_products_code;

/* Which there are. The last two need a processor that has the instructions. */
extern const ent_products_code ent_products_reference, ent_products_avx2, ent_products_avx512;

/* The fastest that runs here; NULL if that is the plain one, which BLAS is faster than. */
const ent_products_code *ent_products_best(void);

#endif
