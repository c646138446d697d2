/* Triangular systems and Cholesky factors.
 *
 * Both kinds of systems are one: its unknowns, in the order in which they are found, are x_0, x_1, ..., and its
 * coefficients t(k, i) with k <= i. The unknowns of U x = b are found from the last to the first, so steps are
 * negative.
 *
 * Many right-hand sides are taken in strips: as many columns as a tile has rows are transposed, so that the elements
 * of a row are adjacent. Then lanes are right-hand sides. */
#include <math.h>
#include <string.h>

#include "base/dense.h"

#define SMALL ((size_t)16)  /* matrices of so many rows are factored element by element */
#define BLOCK ((size_t)960) /* rows of a strip */
_Static_assert(BLOCK *ENT_DENSE_MOST_ROWS <= ENT_DENSE_BLOCK, "a strip fits into the room");

/* t(k, i) is at[k * step + i * column]. */
typedef struct ent_triangle {
  size_t n;
  const double *at;
  ptrdiff_t step, column;
} ent_triangle;

static ent_triangle triangle_of(const ent_triangle_task *task, size_t first, size_t n) {
  ptrdiff_t ld = (ptrdiff_t)task->u_ld;
  const double *at = task->u + first * (task->u_ld + 1);
  if (task->transpose)
    return (ent_triangle){.n = n, .at = at, .step = 1, .column = ld};
  return (ent_triangle){.n = n, .at = at + (n - 1) * (task->u_ld + 1), .step = -ld, .column = -1};
}

/* Solves for a strip of code->rows right-hand sides. Unknown i of all of them is at x[i * x_step]. */
static void solve_strip(const ent_dense_code *code, const ent_triangle *t, double *x, ptrdiff_t x_step) {
  size_t i = 0;
  ent_dense_tile tile = {
      .a = x, .a_step = x_step, .b_step = t->step, .b_column = t->column, .c = x, .c_column = x_step};
  for (; i + code->columns <= t->n; i += code->columns) {
    tile.depth = i;
    tile.b = t->at + (ptrdiff_t)i * t->column;
    tile.c = x + (ptrdiff_t)i * x_step;
    code->tile[1](&tile);
    tile.b += (ptrdiff_t)i * t->step;
    code->triangle(&tile);
  }
  for (; i < t->n; i++) {
    tile.depth = i;
    tile.b = t->at + (ptrdiff_t)i * t->column;
    tile.c = x + (ptrdiff_t)i * x_step;
    code->column[1](&tile, code->rows);
    double inverse = 1 / tile.b[(ptrdiff_t)i * t->step];
    for (size_t l = 0; l < code->rows; l++)
      tile.c[l] *= inverse;
  }
}

/* The strip of some columns of rows[n x columns, ld]: strip[i][column], 0 where there is none. */
static void strip_load(const double *rows, size_t n, size_t ld, size_t columns, size_t width, double *strip) {
  if (columns < width)
    memset(strip, 0, n * width * sizeof *strip);
  for (size_t j = 0; j < columns; j++)
    for (size_t i = 0; i < n; i++)
      strip[i * width + j] = rows[j * ld + i];
}

static void strip_store(double *rows, size_t n, size_t ld, size_t columns, size_t width, const double *strip) {
  for (size_t j = 0; j < columns; j++)
    for (size_t i = 0; i < n; i++)
      rows[j * ld + i] = strip[i * width + j];
}

/* All right-hand sides of n rows, which fit into the room. */
static void solve_many(const ent_dense *dense, const ent_triangle_task *task, const ent_triangle *t, double *rows) {
  size_t width = dense->code->rows, n = t->n;
  double *strip = dense->room + ENT_DENSE_PANEL;
  ptrdiff_t step = task->transpose ? (ptrdiff_t)width : -(ptrdiff_t)width;
  for (size_t first = 0; first < task->columns; first += width) {
    size_t left = task->columns - first, columns = left < width ? left : width;
    strip_load(rows + first * task->ld, n, task->ld, columns, width, strip);
    solve_strip(dense->code, t, task->transpose ? strip : strip + (n - 1) * width, step);
    strip_store(rows + first * task->ld, n, task->ld, columns, width, strip);
  }
}

#define AT_ONCE ((size_t)8) /* unknowns of a single right-hand side */

/* One right-hand side of U'x = b. Several sums hide the time of an addition. */
static void solve_one_transpose(const ent_triangle_task *task, double *x) {
  for (size_t first = 0; first < task->n; first += AT_ONCE) {
    size_t left = task->n - first, count = left < AT_ONCE ? left : AT_ONCE;
    const double *u = task->u + first * task->u_ld;
    double sums[AT_ONCE] = {0};
    memcpy(sums, x + first, count * sizeof *sums);
    for (size_t k = 0; k < first && count == AT_ONCE; k++)
      for (size_t i = 0; i < AT_ONCE; i++)
        sums[i] -= u[i * task->u_ld + k] * x[k];
    for (size_t i = 0; i < count; i++) {
      for (size_t k = count == AT_ONCE ? first : 0; k < first + i; k++)
        sums[i] -= u[i * task->u_ld + k] * x[k];
      x[first + i] = sums[i] * (1 / u[i * task->u_ld + first + i]);
    }
  }
}

/* One right-hand side of U x = b. */
static void solve_one(const ent_dense_code *code, const ent_triangle_task *task, double *x) {
  ptrdiff_t ld = (ptrdiff_t)task->u_ld;
  for (size_t end = task->n, first; end > 0; end = first) {
    first = end < AT_ONCE ? 0 : end - AT_ONCE;
    for (size_t i = end; i-- > first;) {
      for (size_t k = end; k-- > i + 1;)
        x[i] -= task->u[k * task->u_ld + i] * x[k];
      x[i] *= 1 / task->u[i * task->u_ld + i];
    }
    code->column[1](&(ent_dense_tile){.depth = end - first,
                                      .a = task->u + (end - 1) * task->u_ld,
                                      .a_step = -ld,
                                      .b = x + end - 1,
                                      .b_step = -1,
                                      .c = x},
                    first);
  }
}

/* Subtracts the unknowns `first` to `first + n` from the right-hand sides of those still to be found. */
static void subtract_found(const ent_dense *dense, const ent_triangle_task *task, size_t first, size_t n) {
  size_t end = first + n;
  ptrdiff_t ld = (ptrdiff_t)task->u_ld;
  ent_product_task product = {.columns = task->columns, .depth = n, .ld = task->ld, .subtract = true};
  if (task->transpose) {
    product.rows = task->n - end;
    product.a = (ent_operand){.at = task->u + end * task->u_ld + first, .row = ld, .column = 1};
    product.b = (ent_operand){.at = task->b + first, .row = 1, .column = (ptrdiff_t)task->ld};
    product.c = task->b + end;
  } else {
    product.rows = first;
    product.a = (ent_operand){.at = task->u + (end - 1) * task->u_ld, .row = 1, .column = -ld};
    product.b = (ent_operand){.at = task->b + end - 1, .row = -1, .column = (ptrdiff_t)task->ld};
    product.c = task->b;
  }
  ent_dense_multiply(dense, &product);
}

void ent_dense_solve(const ent_dense *dense, const ent_triangle_task *task) {
  if (task->columns < ENT_DENSE_FEW) {
    for (size_t j = 0; j < task->columns; j++)
      if (task->transpose)
        solve_one_transpose(task, task->b + j * task->ld);
      else
        solve_one(dense->code, task, task->b + j * task->ld);
    return;
  }
  for (size_t done = 0, n; done < task->n; done += n) {
    n = task->n - done < BLOCK ? task->n - done : BLOCK;
    size_t first = task->transpose ? done : task->n - done - n;
    ent_triangle t = triangle_of(task, first, n);
    solve_many(dense, task, &t, task->b + first);
    subtract_found(dense, task, first, n);
  }
}

/* Element by element. */
static bool factor_small(double *a, size_t ld, size_t n) {
  for (size_t i = 0; i < n; i++) {
    double *u = a + i * ld;
    for (size_t j = 0; j < i; j++) {
      for (size_t k = 0; k < j; k++)
        u[j] -= a[j * ld + k] * u[k];
      u[j] *= 1 / a[j * ld + j];
    }
    for (size_t k = 0; k < i; k++)
      u[i] -= u[k] * u[k];
    u[i] = sqrt(u[i]);
    if (!(u[i] > 0 && isfinite(u[i])))
      return false;
  }
  return true;
}

/* The first half of the rows, then what is left of the second half without them. */
bool ent_dense_factor(const ent_dense *dense, double *a, size_t ld, size_t n) {
  if (n <= SMALL)
    return factor_small(a, ld, n);
  size_t half = (n / 2 + SMALL - 1) / SMALL * SMALL, rest = n - half;
  double *right = a + half * ld, *corner = right + half;
  if (!ent_dense_factor(dense, a, ld, half)) // NOLINT(misc-no-recursion): it halves n
    return false;
  ent_dense_solve(dense, &(ent_triangle_task){
                             .u = a, .n = half, .u_ld = ld, .b = right, .columns = rest, .ld = ld, .transpose = true});
  ent_dense_multiply(dense, &(ent_product_task){.rows = rest,
                                                .columns = rest,
                                                .depth = half,
                                                .a = {.at = right, .row = (ptrdiff_t)ld, .column = 1},
                                                .b = {.at = right, .row = 1, .column = (ptrdiff_t)ld},
                                                .c = corner,
                                                .ld = ld,
                                                .subtract = true,
                                                .upper = true});
  return ent_dense_factor(dense, corner, ld, rest); // NOLINT(misc-no-recursion)
}
