/* Reduction to tridiagonal form by Householder reflections, in panels, as LAPACK's dsytrd does it for upper triangles;
 * by our own operations, so with the same bits on every processor. It polls after every column or block. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/factor.h"
#include "base/memory.h"
#include "base/progress.h"

#define PANEL ((size_t)32)        /* columns of a panel, and reflections of a block */
#define STRIPE ((size_t)512)      /* columns that are updated between two polls */
#define AT_ONCE ((size_t)1 << 23) /* values that are reflected between two polls: 20 ms */
#define COLUMNS ((size_t)8)       /* of a symmetric matrix that are multiplied at a time */
#define LEAST_PLAIN 1e-140        /* squares of elements that are smaller, or larger than its inverse, are not safe */

/* A reduction at work. */
typedef struct ent_reducing {
  const ent_dense *dense;
  ent_tridiagonal *t;
  size_t first, count; /* the columns of the panel, V */
  double *w;           /* n x PANEL: the matrix becomes A - V W' - W V' */
} ent_reducing;

static ent_operand matrix(const double *at, size_t ld) {
  return (ent_operand){.at = at, .row = 1, .column = (ptrdiff_t)ld};
}

/* The transpose of a matrix. */
static ent_operand transpose_of(const double *at, size_t ld) {
  return (ent_operand){.at = at, .row = (ptrdiff_t)ld, .column = 1};
}

/* The dot product of v and x. */
static double dot_of(const ent_dense *dense, const double *v, const double *x, size_t n) {
  double dot = 0;
  ent_dense_dots(dense, &(ent_dots_task){.a = v, .ld = n, .rows = n, .columns = 1, .x = x, .out = &dot});
  return dot;
}

/* y[n] = A x for the symmetric a[n x n, ld], of which the upper triangle counts. Each element is read once from
 * memory. */
static void multiply_symmetric(const ent_dense *dense, ent_operand a, size_t n, const double *x, double *y) {
  memset(y, 0, n * sizeof *y);
  for (size_t first = 0; first < n; first += COLUMNS) {
    size_t end = first + COLUMNS < n ? first + COLUMNS : n, ld = (size_t)a.column;
    const double *columns = a.at + first * ld;
    ent_dense_multiply(dense, &(ent_product_task){.rows = first,
                                                  .columns = 1,
                                                  .depth = end - first,
                                                  .a = matrix(columns, ld),
                                                  .b = matrix(x + first, n),
                                                  .c = y,
                                                  .ld = n});
    ent_dense_dots(dense, &(ent_dots_task){
                              .a = columns, .ld = ld, .rows = first, .columns = end - first, .x = x, .out = y + first});
    for (size_t j = first; j < end; j++) {
      for (size_t i = first; i < j; i++) {
        y[i] += a.at[j * ld + i] * x[j];
        y[j] += a.at[j * ld + i] * x[i];
      }
      y[j] += a.at[j * ld + j] * x[j];
    }
  }
}

/* The reflection H = I - tau v v' that maps (x, alpha) to (0, beta). v replaces x; its last element is 1. *alpha
 * becomes beta. Returns tau. */
static double make_reflection(const ent_dense *dense, double *x, size_t n, double *alpha) {
  double most = 0, unit = 1;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, fabs(x[i]));
  if (most == 0)
    return 0;
  most = fmax(most, fabs(*alpha));
  if (most < LEAST_PLAIN || (most > 1 / LEAST_PLAIN && isfinite(most))) {
    int exponent;
    frexp(most, &exponent);
    unit = ldexp(1, exponent - 1);
    for (size_t i = 0; i < n; i++)
      x[i] /= unit;
    *alpha /= unit;
  }
  double beta = -copysign(sqrt(dot_of(dense, x, x, n) + *alpha * *alpha), *alpha);
  double tau = (beta - *alpha) / beta, inverse = 1 / (*alpha - beta);
  for (size_t i = 0; i < n; i++)
    x[i] *= inverse;
  *alpha = beta * unit;
  return tau;
}

/* y[rows] -= m x, for m[rows x columns, n]. */
static void subtract_product(const ent_reducing *r, size_t rows, size_t columns, const double *m, ent_operand x,
                             double *y) {
  ent_dense_multiply(r->dense, &(ent_product_task){.rows = rows,
                                                   .columns = 1,
                                                   .depth = columns,
                                                   .a = matrix(m, r->t->n),
                                                   .b = x,
                                                   .c = y,
                                                   .ld = rows,
                                                   .subtract = true});
}

/* w_i -= V (W'v) + W (V'v), V and W being the later columns of the panel; v is column i. */
static void subtract_later(const ent_reducing *r, size_t i, double *w_column) {
  size_t n = r->t->n, later = r->first + r->count - i - 1;
  const double *v = r->t->a + i * n, *a_later = v + n, *w_later = w_column + n;
  double products[PANEL] = {0};
  ent_dots_task dots = {.a = w_later, .ld = n, .rows = i, .columns = later, .x = v, .out = products};
  ent_dense_dots(r->dense, &dots);
  subtract_product(r, i, later, a_later, matrix(products, later), w_column);
  memset(products, 0, sizeof products);
  dots.a = a_later;
  ent_dense_dots(r->dense, &dots);
  subtract_product(r, i, later, w_later, matrix(products, later), w_column);
}

/* Column i of the panel: its reflection, and its column of w. What the later columns of the panel do to it is applied
 * first. */
static void reduce_column(const ent_reducing *r, size_t i) {
  ent_tridiagonal *t = r->t;
  size_t n = t->n, later = r->first + r->count - i - 1;
  double *column = t->a + i * n, *w_column = r->w + (i - r->first) * n;
  subtract_product(r, i + 1, later, column + n, transpose_of(w_column + n + i, n), column);
  subtract_product(r, i + 1, later, w_column + n, transpose_of(column + n + i, n), column);
  if (i == 0)
    return;
  t->tau[i - 1] = make_reflection(r->dense, column, i - 1, &column[i - 1]);
  t->e[i - 1] = column[i - 1];
  column[i - 1] = 1;
  multiply_symmetric(r->dense, matrix(t->a, n), i, column, w_column);
  subtract_later(r, i, w_column);
  for (size_t k = 0; k < i; k++)
    w_column[k] *= t->tau[i - 1];
  double alpha = -0.5 * t->tau[i - 1] * dot_of(r->dense, w_column, column, i);
  for (size_t k = 0; k < i; k++)
    w_column[k] += alpha * column[k];
}

/* A -= V W' + W V' for the rows and columns before the panel. */
static entropic_status update_before(entropic_context *context, const ent_reducing *r) {
  size_t n = r->t->n;
  const double *v = r->t->a + r->first * n, *w = r->w;
  for (size_t left = 0; left < r->first; left += STRIPE) {
    size_t columns = r->first - left < STRIPE ? r->first - left : STRIPE;
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    for (int diagonal = 0; diagonal < 2; diagonal++) { /* the tile above the diagonal one, then that */
      size_t top = diagonal ? left : 0;
      ent_product_task task = {.rows = diagonal ? columns : left,
                               .columns = columns,
                               .depth = r->count,
                               .a = matrix(v + top, n),
                               .b = transpose_of(w + left, n),
                               .c = r->t->a + left * n + top,
                               .ld = n,
                               .subtract = true,
                               .upper = diagonal};
      ent_dense_multiply(r->dense, &task);
      task.a = matrix(w + top, n);
      task.b = transpose_of(v + left, n);
      ent_dense_multiply(r->dense, &task);
    }
  }
  return ENTROPIC_OK;
}

static entropic_status reduce_panel(entropic_context *context, const ent_reducing *r) {
  ent_tridiagonal *t = r->t;
  size_t end = r->first + r->count;
  for (size_t i = end; i-- > r->first;) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    reduce_column(r, i);
  }
  entropic_status status = update_before(context, r);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t j = r->first; j < end; j++) {
    if (j > 0)
      t->a[j * t->n + j - 1] = t->e[j - 1];
    t->d[j] = t->a[j * t->n + j];
  }
  return ENTROPIC_OK;
}

entropic_status ent_tridiagonal_reduce(entropic_context *context, ent_tridiagonal *t) {
  ent_dense *dense = NULL;
  entropic_status status = ent_dense_create(context, 1, t->n, &dense);
  if (status != ENTROPIC_OK)
    return status;
  ent_reducing r = {.dense = dense, .t = t, .w = ent_new_matrix(context, t->n, PANEL, sizeof *r.w)};
  status = ENTROPIC_NO_MEMORY;
  if (r.w == NULL)
    goto done;
  status = ENTROPIC_OK;
  for (size_t rest = t->n; rest > 0; rest = r.first) {
    r.count = rest < PANEL ? rest : PANEL;
    r.first = rest - r.count;
    status = reduce_panel(context, &r);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_delete(r.w);
  ent_dense_free(dense);
  return status;
}

/* Some columns that reflections are applied to, by blocks H_k ... H_1 = I - V T V' with T a lower triangle. */
typedef struct ent_reflecting {
  const ent_dense *dense;
  const ent_tridiagonal *t;
  bool transpose;
  double *b;
  size_t columns;
  size_t stripe;    /* columns between two polls */
  double *v;        /* n x PANEL: the vectors of the block */
  double *products; /* PANEL x stripe */
} ent_reflecting;

/* The vectors of reflections `first` to first + count, with their zeros, and the triangle T. */
static void load_block(const ent_reflecting *r, size_t first, size_t count, double triangle[PANEL][PANEL]) {
  const ent_tridiagonal *t = r->t;
  size_t rows = first + count;
  double gram[PANEL * PANEL] = {0};
  memset(r->v, 0, rows * count * sizeof *r->v);
  for (size_t k = 0; k < count; k++) {
    memcpy(r->v + k * rows, t->a + (first + k + 1) * t->n, (first + k) * sizeof *r->v);
    r->v[k * rows + first + k] = 1;
  }
  ent_dense_multiply(r->dense, &(ent_product_task){.rows = count,
                                                   .columns = count,
                                                   .depth = rows,
                                                   .a = transpose_of(r->v, rows),
                                                   .b = matrix(r->v, rows),
                                                   .c = gram,
                                                   .ld = PANEL,
                                                   .upper = true});
  for (size_t k = 0; k < count; k++) {
    double tau = t->tau[first + k];
    for (size_t j = 0; j < k; j++) {
      double sum = 0;
      for (size_t i = j; i < k; i++)
        sum += gram[k * PANEL + i] * triangle[i][j];
      triangle[k][j] = -tau * sum;
    }
    triangle[k][k] = tau;
  }
}

/* column = T column, or T'column. */
static void multiply_triangle(double triangle[PANEL][PANEL], bool transpose, size_t count, double *column) {
  double result[PANEL] = {0};
  for (size_t i = 0; i < count; i++)
    for (size_t j = transpose ? i : 0; j < (transpose ? count : i + 1); j++)
      result[i] += (transpose ? triangle[j][i] : triangle[i][j]) * column[j];
  memcpy(column, result, count * sizeof *column);
}

/* Applies the reflections of the block from number `first` on. */
static entropic_status reflect(entropic_context *context, const ent_reflecting *r, size_t first) {
  size_t n = r->t->n, left = n - 1 - first, count = left < PANEL ? left : PANEL, rows = first + count;
  double triangle[PANEL][PANEL];
  load_block(r, first, count, triangle);
  for (size_t at = 0; at < r->columns; at += r->stripe) {
    size_t columns = r->columns - at < r->stripe ? r->columns - at : r->stripe;
    double *b = r->b + at * n;
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    memset(r->products, 0, count * columns * sizeof *r->products);
    ent_product_task task = {.rows = count,
                             .columns = columns,
                             .depth = rows,
                             .a = transpose_of(r->v, rows),
                             .b = matrix(b, n),
                             .c = r->products,
                             .ld = count};
    ent_dense_multiply(r->dense, &task);
    for (size_t j = 0; j < columns; j++)
      multiply_triangle(triangle, r->transpose, count, r->products + j * count);
    task = (ent_product_task){.rows = rows,
                              .columns = columns,
                              .depth = count,
                              .a = matrix(r->v, rows),
                              .b = matrix(r->products, count),
                              .c = b,
                              .ld = n,
                              .subtract = true};
    ent_dense_multiply(r->dense, &task);
  }
  return ENTROPIC_OK;
}

/* All blocks, the last first for the transpose. */
static entropic_status reflect_all(entropic_context *context, const ent_reflecting *r) {
  size_t blocks = (r->t->n - 1 + PANEL - 1) / PANEL;
  for (size_t i = 0; i < blocks; i++) {
    entropic_status status = reflect(context, r, (r->transpose ? blocks - 1 - i : i) * PANEL);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_tridiagonal_apply(entropic_context *context, const ent_tridiagonal *t, bool transpose, double *b,
                                      size_t count) {
  if (t->n == 0 || count == 0)
    return ENTROPIC_OK;
  ent_dense *dense = NULL;
  entropic_status status = ent_dense_create(context, 1, SIZE_MAX, &dense);
  if (status != ENTROPIC_OK)
    return status;
  ent_reflecting r = {.dense = dense, .t = t, .transpose = transpose, .b = b, .columns = count};
  r.stripe = AT_ONCE / t->n < STRIPE ? STRIPE : AT_ONCE / t->n;
  r.stripe = r.stripe > count ? count : r.stripe;
  r.v = ent_new_matrix(context, t->n, PANEL, sizeof *r.v);
  r.products = ent_new_matrix(context, r.stripe, PANEL, sizeof *r.products);
  status = ENTROPIC_NO_MEMORY;
  if (r.v == NULL || r.products == NULL)
    goto done;
  status = reflect_all(context, &r);
done:
  ent_delete(r.v);
  ent_delete(r.products);
  ent_dense_free(dense);
  return status;
}
