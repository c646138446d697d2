/* Reduction to tridiagonal form and its reflections, by the algorithms of LAPACK's dsytrd, dlatrd and dormql, upper case,
 * with the same blocks and the same calls, so with the same bits. Those functions take seconds for a few thousand rows and
 * cannot be interrupted. These poll after every column or block. */
#include <string.h>

#include "base/factor.h"
#include "base/memory.h"
#include "base/progress.h"

#define PANEL ((size_t)32)        /* columns of a panel, and reflections of a block: LAPACK's choice */
#define STRIPE ((size_t)512)      /* columns that are updated between two polls */
#define AT_ONCE ((size_t)1 << 23) /* values that are reflected between two polls: 20 ms */

/* Column i of panel `first` .. first + PANEL: its reflection, and its column of w. What the later columns of the panel do
 * to it is applied first. w[n x PANEL]. */
static void reduce_column(const ent_blas *blas, ent_tridiagonal *t, size_t first, size_t i, double *w) {
  size_t n = t->n, end = first + PANEL;
  int ld = (int)n, rows = (int)i, later = (int)(end - i - 1), one = 1;
  double *a = t->a, *column = a + i * n, *w_column = w + (i - first) * n, *w_later = w_column + n;
  const double *a_later = column + n;
  if (later > 0) {
    blas->dgemv(ENT_COL_MAJOR, ENT_NO_TRANS, rows + 1, later, -1, a_later, ld, w_later + i, ld, 1, column, 1);
    blas->dgemv(ENT_COL_MAJOR, ENT_NO_TRANS, rows + 1, later, -1, w_later, ld, a_later + i, ld, 1, column, 1);
  }
  if (i == 0)
    return;
  blas->dlarfg(&rows, column + i - 1, column, &one, &t->tau[i - 1]);
  t->e[i - 1] = column[i - 1];
  column[i - 1] = 1;
  blas->dsymv(ENT_COL_MAJOR, ENT_UPPER, rows, 1, a, ld, column, 1, 0, w_column, 1);
  if (later > 0) {
    double *products = w_column + i + 1;
    blas->dgemv(ENT_COL_MAJOR, ENT_TRANS, rows, later, 1, w_later, ld, column, 1, 0, products, 1);
    blas->dgemv(ENT_COL_MAJOR, ENT_NO_TRANS, rows, later, -1, a_later, ld, products, 1, 1, w_column, 1);
    blas->dgemv(ENT_COL_MAJOR, ENT_TRANS, rows, later, 1, a_later, ld, column, 1, 0, products, 1);
    blas->dgemv(ENT_COL_MAJOR, ENT_NO_TRANS, rows, later, -1, w_later, ld, products, 1, 1, w_column, 1);
  }
  blas->dscal(rows, t->tau[i - 1], w_column, 1);
  double alpha = -0.5 * t->tau[i - 1] * blas->ddot(rows, w_column, 1, column, 1);
  blas->daxpy(rows, alpha, column, 1, w_column, 1);
}

/* A -= V W' + W V' for the rows and columns before the panel, which is V. */
static entropic_status update_before(entropic_context *context, const ent_blas *blas, ent_tridiagonal *t, size_t first,
                                     const double *w) {
  const double *v = t->a + first * t->n;
  int ld = (int)t->n, panel = (int)PANEL;
  for (size_t left = 0; left < first; left += STRIPE) {
    int columns = (int)(first - left < STRIPE ? first - left : STRIPE), above = (int)left;
    double *a = t->a + left * t->n;
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    if (above > 0) {
      blas->dgemm(ENT_COL_MAJOR, ENT_NO_TRANS, ENT_TRANS, above, columns, panel, -1, v, ld, w + left, ld, 1, a, ld);
      blas->dgemm(ENT_COL_MAJOR, ENT_NO_TRANS, ENT_TRANS, above, columns, panel, -1, w, ld, v + left, ld, 1, a, ld);
    }
    blas->dsyr2k(ENT_COL_MAJOR, ENT_UPPER, ENT_NO_TRANS, columns, panel, -1, v + left, ld, w + left, ld, 1, a + left,
                 ld);
  }
  return ENTROPIC_OK;
}

static entropic_status reduce_panel(entropic_context *context, const ent_blas *blas, ent_tridiagonal *t, size_t first,
                                    double *w) {
  for (size_t i = first + PANEL; i-- > first;) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    reduce_column(blas, t, first, i, w);
  }
  entropic_status status = update_before(context, blas, t, first, w);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t j = first; j < first + PANEL; j++) {
    if (j > 0)
      t->a[j * t->n + j - 1] = t->e[j - 1];
    t->d[j] = t->a[j * t->n + j];
  }
  return ENTROPIC_OK;
}

entropic_status ent_tridiagonal_reduce(entropic_context *context, ent_tridiagonal *t) {
  const ent_blas *blas;
  int size, info = 0;
  entropic_status status = ent_blas_get(context, &blas);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_blas_size(context, t->n, &size);
  if (status != ENTROPIC_OK || t->n == 0)
    return status;
  double *w = ent_new_matrix(context, t->n, PANEL, sizeof *w);
  if (w == NULL)
    return ENTROPIC_NO_MEMORY;
  size_t rest = t->n; /* rows that are not reduced yet; the last PANEL of them, or fewer, at once */
  for (; rest > PANEL; rest -= PANEL) {
    status = reduce_panel(context, blas, t, rest - PANEL, w);
    if (status != ENTROPIC_OK)
      goto done;
  }
  int left = (int)rest;
  blas->dsytd2("U", &left, t->a, &size, t->d, t->e, t->tau, &info, 1);
done:
  ent_delete(w);
  return status;
}

/* Some columns that reflections are applied to. */
typedef struct ent_reflecting {
  const ent_blas *blas;
  const ent_tridiagonal *t;
  bool transpose;
  double *b;
  size_t columns;
  size_t stripe; /* columns between two polls */
  double *work;  /* stripe x PANEL */
} ent_reflecting;

/* Applies the reflections of the block from number `first` on. */
static entropic_status reflect(entropic_context *context, const ent_reflecting *r, size_t first) {
  const ent_tridiagonal *t = r->t;
  size_t left = t->n - 1 - first, count = left < PANEL ? left : PANEL;
  int ld = (int)t->n, rows = (int)(first + count), reflections = (int)count, panel = (int)PANEL;
  const double *v = t->a + (first + 1) * t->n;
  double triangle[PANEL * PANEL];
  r->blas->dlarft("B", "C", &rows, &reflections, v, &ld, t->tau + first, triangle, &panel, 1, 1);
  for (size_t at = 0; at < r->columns; at += r->stripe) {
    int columns = (int)(r->columns - at < r->stripe ? r->columns - at : r->stripe);
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    r->blas->dlarfb("L", r->transpose ? "T" : "N", "B", "C", &rows, &columns, &reflections, v, &ld, triangle, &panel,
                    r->b + at * t->n, &ld, r->work, &columns, 1, 1, 1, 1);
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
  bool single = t->n <= PANEL + 1; /* one block: LAPACK applies its reflections one by one */
  size_t stripe = t->n == 0 || single ? count : AT_ONCE / t->n;
  ent_reflecting r = {.t = t, .transpose = transpose, .b = b, .columns = count};
  int size, columns, info = 0;
  entropic_status status = ent_blas_get(context, &r.blas);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_blas_size(context, t->n, &size);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_blas_size(context, count, &columns);
  if (status != ENTROPIC_OK || t->n == 0 || count == 0)
    return status;
  r.stripe = stripe < STRIPE ? STRIPE : stripe;
  r.stripe = r.stripe > count ? count : r.stripe;
  r.work = ent_new_matrix(context, r.stripe, PANEL, sizeof *r.work);
  if (r.work == NULL)
    return ENTROPIC_NO_MEMORY;
  if (single)
    r.blas->dormtr("L", "U", transpose ? "T" : "N", &size, &columns, t->a, &size, t->tau, b, &size, r.work, &columns,
                   &info, 1, 1, 1);
  else
    status = reflect_all(context, &r);
  ent_delete(r.work);
  return status;
}
