/* Gram matrices Z'Z: the loop in which a fit spends most of its time, for any processor, for AVX2 and for AVX-512.
 *
 * BLAS packs columns before it multiplies them, which pays off for large matrices. Ours are tall, have some dozens to
 * some hundreds of columns, and are multiplied as they are. On one thread with AVX-512 that makes 75, 84, 88, 91 GF/s
 * for 20, 40, 80 and 160 columns; dsyrk of OpenBLAS 0.3.21 makes 24, 38, 52 and 68. */
#ifndef ENT_SOLVE_PRODUCTS_H
#define ENT_SOLVE_PRODUCTS_H

#include <stddef.h>

/* Every product is summed in this many lanes: row r is added to lane r % ENT_SUM_LANES by a fused multiply-add, row by
 * row. Then the lanes are added, the upper half to the lower half each time. So the bits depend on the two columns
 * alone, not on their neighbours nor on the code. */
#define ENT_SUM_LANES ((size_t)8)

typedef struct ent_products_code {
  const char *name;
  /* out[j * out_ld + i] += the sum over rows of a[i * ld + row] * b[j * ld + row], for i < a_columns, j < b_columns.
   * rows is a multiple of ENT_SUM_LANES. If a is b, i <= j only. */
  void (*add)(const double *a, size_t a_columns, const double *b, size_t b_columns, size_t ld, size_t rows, double *out,
              size_t out_ld);
} ent_products_code;

/* All there are. The last two need a processor with these instructions. */
extern const ent_products_code ent_products_reference, ent_products_avx2, ent_products_avx512;

/* The fastest on this processor; NULL if only the reference runs, because BLAS is faster than that. */
const ent_products_code *ent_products_best(void);

#endif
