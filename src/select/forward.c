/* Forward selection by ridge: see forward.h.
 *
 * Let G be the Gram matrix, C the candidates and S the selected features. Then
 *     A = G_CC + ridge I - G_CS (G_SS + ridge I)^-1 G_SC,   b = F_C'(y - m) - G_CS (G_SS + ridge I)^-1 F_S'(y - m).
 * Selecting a candidate is one step of Cholesky's method on A with that pivot. If few of the candidates are selected, only
 * the columns of their pivots are computed, with the same bits. */
#include "select/forward.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/factor.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"

#define STRIPE ((size_t)128)    /* columns of candidates a task works on */
#define FEW_PIVOTS ((size_t)10) /* one of so many candidates or fewer is selected: A is not worth computing */
#define LEAST_SHARE 1e-4        /* if less of |f|^2 is left, the candidate counts as being in the span of the others */

typedef struct ent_forward_state {
  const ent_statistics *statistics;
  ent_dense *dense; /* for each worker */
  size_t selected, candidates, targets, wanted;
  double ridge;
  double *factor;   /* selected x selected: the Cholesky factor R of G_SS + ridge I */
  double *across;   /* selected x (candidates + targets): R^-T times G_SC and F_S'(y - m) */
  double *a;        /* candidates x candidates, both triangles; NULL: columns are computed as they are needed */
  double *b;        /* targets x candidates */
  double *diagonal; /* candidates: A_jj after the steps so far */
  double *floor;    /* candidates: the least that A_jj counts as */
  size_t projected; /* columns of `steps` that come first: those of `across`, if there is no A */
  double *steps;    /* candidates x (projected + wanted): columns of the Cholesky factor of A */
  double *gains;    /* candidates */
  bool *taken;      /* candidates */
} ent_forward_state;

static void state_clear(ent_forward_state *f) {
  ent_dense_free(f->dense);
  ent_delete(f->factor);
  ent_delete(f->across);
  ent_delete(f->a);
  ent_delete(f->b);
  ent_delete(f->diagonal);
  ent_delete(f->floor);
  ent_delete(f->steps);
  ent_delete(f->gains);
  ent_delete(f->taken);
}

/* Column j of `across`: candidates first, then targets. */
static double *across_of(const ent_forward_state *f, size_t column) {
  return f->across + column * f->selected;
}

/* f_j'W(y_k - m_k) */
static double moment(const ent_statistics *s, size_t feature, size_t target) {
  double mean = ent_product(s, s->features, s->features + 1 + target) / s->weight;
  return ent_product(s, feature, s->features + 1 + target) - mean * ent_product(s, feature, s->features);
}

static entropic_status fill_across(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context;
  ent_forward_state *f = shared;
  const ent_statistics *s = f->statistics;
  size_t first = task * STRIPE, all = f->candidates + f->targets, n = all - first < STRIPE ? all - first : STRIPE;
  for (size_t j = first; j < first + n; j++) {
    double *to = across_of(f, j);
    if (j < f->candidates)
      memcpy(to, s->gram + (f->selected + j) * s->size, f->selected * sizeof *to);
    else
      for (size_t i = 0; i < f->selected; i++)
        to[i] = moment(s, i, j - f->candidates);
  }
  ent_dense_solve(&f->dense[worker], &(ent_triangle_task){.u = f->factor,
                                                          .n = f->selected,
                                                          .u_ld = f->selected,
                                                          .b = across_of(f, first),
                                                          .columns = n,
                                                          .ld = f->selected,
                                                          .transpose = true});
  return ENTROPIC_OK;
}

/* One stripe of columns of the upper triangle of A. */
static entropic_status fill_a(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context;
  ent_forward_state *f = shared;
  const ent_statistics *s = f->statistics;
  size_t first = task * STRIPE, n = f->candidates - first < STRIPE ? f->candidates - first : STRIPE;
  for (size_t j = first; j < first + n; j++)
    memcpy(f->a + j * f->candidates, s->gram + (f->selected + j) * s->size + f->selected, (j + 1) * sizeof *f->a);
  ptrdiff_t ld = (ptrdiff_t)f->selected;
  ent_product_task product = {.rows = first,
                              .columns = n,
                              .depth = f->selected,
                              .a = {.at = f->across, .row = ld, .column = 1},
                              .b = {.at = across_of(f, first), .row = 1, .column = ld},
                              .c = f->a + first * f->candidates,
                              .ld = f->candidates,
                              .subtract = true};
  ent_dense_multiply(&f->dense[worker], &product);
  product.rows = n;
  product.a = (ent_operand){.at = across_of(f, first), .row = ld, .column = 1};
  product.c += first;
  product.upper = true;
  ent_dense_multiply(&f->dense[worker], &product);
  return ENTROPIC_OK;
}

/* Factors G_SS + ridge I and fills `across` with it. */
static entropic_status project_out(entropic_context *context, ent_forward_state *f) {
  const ent_statistics *s = f->statistics;
  size_t selected = f->selected;
  bool positive = true;
  for (size_t j = 0; j < selected; j++) {
    memcpy(f->factor + j * selected, s->gram + j * s->size, (j + 1) * sizeof *f->factor);
    f->factor[j * selected + j] += f->ridge;
  }
  entropic_status status = ent_cholesky(context, f->factor, selected, &positive);
  if (status != ENTROPIC_OK)
    return status;
  if (!positive)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the ridge is too small for forward selection");
  return ent_parallel(context, (f->candidates + f->targets + STRIPE - 1) / STRIPE, fill_across, f);
}

/* A, and room for the columns of its factor. */
static entropic_status start_matrix(entropic_context *context, ent_forward_state *f) {
  size_t n = f->candidates;
  f->a = ent_new_raw(context, n, n, sizeof *f->a);
  f->steps = ent_new_raw(context, n, f->wanted, sizeof *f->steps);
  if (f->a == NULL || f->steps == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_parallel(context, (n + STRIPE - 1) / STRIPE, fill_a, f);
  if (status != ENTROPIC_OK)
    return status;
  ent_mirror(f->a, n, n, true);
  return ENTROPIC_OK;
}

/* The same without A. Selected features are subtracted from a column as those are that were selected since: theirs are the
 * first columns of `steps`. */
static entropic_status start_columns(entropic_context *context, ent_forward_state *f) {
  size_t n = f->candidates;
  f->projected = f->selected;
  f->steps = ent_new_raw(context, n, f->projected + f->wanted, sizeof *f->steps);
  if (f->steps == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < f->projected; i++)
      f->steps[i * n + j] = across_of(f, j)[i];
  return ENTROPIC_OK;
}

/* A_jj without the ridge. */
static double diagonal_of(const ent_forward_state *f, size_t j) {
  if (f->a != NULL)
    return f->a[j * f->candidates + j];
  double sum = ent_product(f->statistics, f->selected + j, f->selected + j);
  for (size_t i = 0; i < f->selected; i++)
    sum -= across_of(f, j)[i] * across_of(f, j)[i];
  return sum;
}

static entropic_status start(entropic_context *context, const double *scale, ent_forward_state *f) {
  const ent_statistics *s = f->statistics;
  size_t selected = f->selected, n = f->candidates;
  entropic_status status = selected > 0 ? project_out(context, f) : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    return status;
  ent_delete(f->factor); /* frees its memory for what follows */
  f->factor = NULL;
  status = f->wanted <= n / FEW_PIVOTS ? start_columns(context, f) : start_matrix(context, f);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t j = 0; j < n; j++) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    double own = ent_product(s, selected + j, selected + j);
    f->floor[j] = LEAST_SHARE * own + f->ridge;
    f->diagonal[j] = diagonal_of(f, j) + f->ridge;
    for (size_t k = 0; k < f->targets; k++) {
      double sum = moment(s, selected + j, k);
      const double *x = across_of(f, j), *y = across_of(f, n + k);
      for (size_t i = 0; i < selected; i++)
        sum -= x[i] * y[i];
      f->b[k * n + j] = sum / sqrt(scale[k]);
    }
  }
  return ENTROPIC_OK;
}

/* The gain of each candidate. Target by target, as b is stored. */
static void find_gains(ent_forward_state *f) {
  size_t n = f->candidates;
  double *gains = f->gains;
  memset(gains, 0, n * sizeof *gains);
  for (size_t k = 0; k < f->targets; k++)
    for (size_t j = 0; j < n; j++)
      gains[j] += f->b[k * n + j] * f->b[k * n + j];
  for (size_t j = 0; j < n; j++)
    gains[j] /= fmax(f->diagonal[j], f->floor[j]);
}

/* The column of a candidate: of A, or of G_CC if there is no A. */
static void copy_column(const ent_forward_state *f, size_t candidate, double *column) {
  const ent_statistics *s = f->statistics;
  size_t n = f->candidates, first = f->selected;
  if (f->a != NULL) {
    memcpy(column, f->a + candidate * n, n * sizeof *column);
    return;
  }
  memcpy(column, s->gram + (first + candidate) * s->size + first, (candidate + 1) * sizeof *column);
  for (size_t j = candidate + 1; j < n; j++)
    column[j] = s->gram[(first + j) * s->size + first + candidate];
}

/* One step of Cholesky's method: the column of the pivot, then the diagonal and b without it. */
static void take(ent_forward_state *f, size_t step, size_t pivot) {
  size_t n = f->candidates, depth = f->projected + step;
  double *column = f->steps + depth * n, root = sqrt(fmax(f->diagonal[pivot], f->floor[pivot]));
  copy_column(f, pivot, column);
  column[pivot] = f->diagonal[pivot];
  ent_dense_multiply(f->dense, &(ent_product_task){.rows = n,
                                                   .columns = 1,
                                                   .depth = depth,
                                                   .a = {.at = f->steps, .row = 1, .column = (ptrdiff_t)n},
                                                   .b = {.at = f->steps + pivot, .row = (ptrdiff_t)n},
                                                   .c = column,
                                                   .ld = n,
                                                   .subtract = true});
  for (size_t j = 0; j < n; j++) {
    column[j] /= root;
    f->diagonal[j] -= column[j] * column[j];
  }
  for (size_t k = 0; k < f->targets; k++) {
    double *b = f->b + k * n, part = b[pivot] / root;
    for (size_t j = 0; j < n; j++)
      b[j] -= column[j] * part;
  }
}

static entropic_status state_start(entropic_context *context, ent_forward_state *f) {
  size_t n = f->candidates;
  f->taken = ent_new(context, n, sizeof *f->taken);
  f->gains = ent_new(context, n, sizeof *f->gains);
  f->factor = ent_new_raw(context, f->selected, f->selected, sizeof *f->factor);
  f->across = ent_new_raw(context, f->selected, n + f->targets, sizeof *f->across);
  f->b = ent_new_matrix(context, n, f->targets, sizeof *f->b);
  f->diagonal = ent_new(context, n, sizeof *f->diagonal);
  f->floor = ent_new(context, n, sizeof *f->floor);
  bool complete = f->taken != NULL && f->gains != NULL && f->factor != NULL && f->across != NULL && f->b != NULL &&
                  f->diagonal != NULL && f->floor != NULL;
  if (!complete)
    return ENTROPIC_NO_MEMORY;
  size_t stripes = (n + f->targets + STRIPE - 1) / STRIPE;
  return ent_dense_create(context, (size_t)ent_workers(context, stripes), n + f->selected, &f->dense);
}

/* The candidate of the largest gain, the first of several; there may be none left: `candidates`. */
static size_t find_best(const ent_forward_state *f) {
  size_t best = f->candidates;
  double most = -1;
  for (size_t j = 0; j < f->candidates; j++)
    if (!f->taken[j] && f->gains[j] > most) {
      most = f->gains[j];
      best = j;
    }
  return best;
}

entropic_status ent_forward(entropic_context *context, const ent_forward_task *task, size_t *order, double *gains,
                            size_t *count) {
  const ent_statistics *statistics = task->statistics;
  size_t n = statistics->features - task->selected, wanted = task->wanted < n ? task->wanted : n;
  ent_forward_state f = {.statistics = statistics,
                         .selected = task->selected,
                         .candidates = n,
                         .targets = statistics->targets,
                         .wanted = wanted,
                         .ridge = task->ridge};
  *count = 0;
  entropic_status status = state_start(context, &f);
  if (status != ENTROPIC_OK)
    goto done;
  status = start(context, task->scale, &f);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t step = 0; step < wanted; step++) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto done;
    find_gains(&f);
    size_t best = find_best(&f);
    if (best == n)
      break;
    f.taken[best] = true;
    order[step] = best;
    gains[step] = f.gains[best];
    *count = step + 1;
    if (step + 1 < wanted)
      take(&f, step, best);
  }
done:
  state_clear(&f);
  return status;
}
