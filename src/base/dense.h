/* Dense linear algebra with the same bits on every processor. BLAS does not give them: its kernels add in an order that
 * depends on the processor, and fuse multiplications with additions where they can.
 *
 * Every element of a result is one sequence of multiplications and additions, each rounded, which is written down here.
 * Blocks, threads and the width of vectors do not change it. So all results are, bit for bit, those of the plain loops.
 *
 * All matrices are column-major. Functions that take a room allocate nothing. One thread uses a room at a time. */
#ifndef ENT_BASE_DENSE_H
#define ENT_BASE_DENSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/context.h"
#include "base/dense_code.h"

/* The code for this processor, the fastest there is. */
const ent_dense_code *ent_dense_best(void);

/* The codes that run on this processor, the fastest first; how many. */
#define ENT_DENSE_MOST_CODES 3
size_t ent_dense_codes(const ent_dense_code *codes[ENT_DENSE_MOST_CODES]);

#define ENT_DENSE_DEPTH ((size_t)128) /* products of a packed block */
#define ENT_DENSE_ROWS ((size_t)240)  /* rows of it: of whole tiles, whatever the code */
#define ENT_DENSE_FEW ((size_t)4)     /* fewer columns are not packed */

/* Doubles of a room: a panel of columns, and a block of rows. */
#define ENT_DENSE_PANEL (ENT_DENSE_DEPTH * ENT_DENSE_MOST_COLUMNS)
#define ENT_DENSE_BLOCK (ENT_DENSE_DEPTH * ENT_DENSE_ROWS)

/* Memory for packed matrices, with the code that uses it. */
typedef struct ent_dense {
  const ent_dense_code *code;
  double *room; /* [ENT_DENSE_PANEL + ENT_DENSE_BLOCK], aligned to 64 bytes, or as ent_dense_create makes it */
} ent_dense;

/* `count` >= 1 of them, for each worker one, say, for matrices of at most `most` rows and columns. *dense becomes an
 * array; free it with ent_dense_free. */
entropic_status ent_dense_create(entropic_context *context, size_t count, size_t most, ent_dense **dense);
void ent_dense_free(ent_dense *dense);

/* A matrix of a product. Element (i, j) is at[i * row + j * column]. If symmetric, it is that of the upper triangle:
 * (j, i) where i > j. */
typedef struct ent_operand {
  const double *at;
  ptrdiff_t row, column;
  bool symmetric;
} ent_operand;

/* c += a b, or c -= a b if `subtract`: for each element, products are added to c one after the other, from the first k
 * to the last. With `upper`, elements below the diagonal stay as they are. c is not a or b. */
typedef struct ent_product_task {
  size_t rows, columns, depth;
  ent_operand a, b; /* rows x depth, depth x columns */
  double *c;
  size_t ld;
  bool subtract, upper;
} ent_product_task;

void ent_dense_multiply(const ent_dense *dense, const ent_product_task *task);

/* out[columns] += a'x for a[rows x columns, ld]. */
typedef struct ent_dots_task {
  const double *a;
  size_t ld, rows, columns;
  const double *x;
  double *out;
} ent_dots_task;

/* Unlike all others this adds in several sums: see dense_code.h. */
void ent_dense_dots(const ent_dense *dense, const ent_dots_task *task);

/* A triangular system U'x = b or U x = b, for all columns of b, in place. U is the upper triangle of u[n x n, u_ld].
 *     U'x = b:  x_i = (b_i - u_0i x_0 - u_1i x_1 - ... - u_(i-1)i x_(i-1)) (1/u_ii), from the left to the right
 *     U x = b:  x_i = (b_i - u_i(n-1) x_(n-1) - ... - u_i(i+1) x_(i+1)) (1/u_ii), from the left to the right */
typedef struct ent_triangle_task {
  const double *u;
  size_t n, u_ld;
  double *b;
  size_t columns, ld;
  bool transpose; /* U'x = b */
} ent_triangle_task;

void ent_dense_solve(const ent_dense *dense, const ent_triangle_task *task);

/* a[n x n, ld] = U'U; U replaces the upper triangle, nothing else is changed.
 *     u_ij = (a_ij - u_0i u_0j - ... - u_(i-1)i u_(i-1)j) (1/u_ii), u_ii = sqrt(a_ii - u_0i^2 - ... - u_(i-1)i^2)
 * False if there is a root that is not a positive finite number; then the upper triangle is undefined. */
bool ent_dense_factor(const ent_dense *dense, double *a, size_t ld, size_t n);

/* The dot product, summed from the first element to the last. The bits are the same everywhere; those of BLAS are
 * not. */
static inline double ent_dot(const double *a, const double *b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

#endif
