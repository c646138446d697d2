/* Forward selection by ridge: see forward.h.
 *
 * With G the products, C the candidates, S the chosen:  A = G_CC + ridge I - G_CS (G_SS + ridge I)^-1 G_SC  and
 * b = F_C'(y - m) - G_CS (G_SS + ridge I)^-1 F_S'(y - m). Taking a candidate is one step of Cholesky's method on A with
 * that pivot; only the columns of pivots are ever computed. */
#include "select/forward.h"

#include <math.h>
#include <string.h>

#include "base/factor.h"
#include "base/memory.h"
#include "base/threads.h"

#define STRIPE ((size_t)128) /* columns of candidates a task works on */
#define LEAST_SHARE 1e-4     /* of a candidate's own square: below, it is as good as in the span of the others */

typedef struct ent_forwarding {
  const ent_statistics *statistics;
  const ent_blas *blas;
  size_t chosen, candidates, targets, wanted;
  double ridge;
  double *factor; /* chosen x chosen: Cholesky's factor of G_SS + ridge I */
  double *across; /* chosen x (candidates + targets): its inverse, turned, times G_SC and F_S'(y - m) */
  double *a;      /* candidates x candidates, all of it */
  double *b;      /* targets x candidates */
  double *left;   /* candidates: A_jj as it is left */
  double *floor;  /* candidates */
  double *steps;  /* candidates x wanted: columns of Cholesky's factor */
} ent_forwarding;

static void forwarding_clear(ent_forwarding *f) {
  ent_delete(f->factor);
  ent_delete(f->across);
  ent_delete(f->a);
  ent_delete(f->b);
  ent_delete(f->left);
  ent_delete(f->floor);
  ent_delete(f->steps);
}

/* Column j of the candidates and targets: what the chosen have in common with it, by the factor. */
static double *across_of(const ent_forwarding *f, size_t column) {
  return f->across + column * f->chosen;
}

/* f_j'W(y_k - m_k) */
static double moment(const ent_statistics *s, size_t feature, size_t target) {
  double mean = ent_product(s, s->features, s->features + 1 + target) / s->weight;
  return ent_product(s, feature, s->features + 1 + target) - mean * ent_product(s, feature, s->features);
}

static entropic_status fill_across(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context, (void)worker;
  ent_forwarding *f = shared;
  const ent_statistics *s = f->statistics;
  size_t first = task * STRIPE, all = f->candidates + f->targets, n = all - first < STRIPE ? all - first : STRIPE;
  for (size_t j = first; j < first + n; j++) {
    double *to = across_of(f, j);
    if (j < f->candidates)
      memcpy(to, s->gram + (f->chosen + j) * s->size, f->chosen * sizeof *to);
    else
      for (size_t i = 0; i < f->chosen; i++)
        to[i] = moment(s, i, j - f->candidates);
  }
  f->blas->dtrsm(ENT_COLUMNS, ENT_LEFT, ENT_UPPER, ENT_TRANSPOSE, ENT_NON_UNIT, (int)f->chosen, (int)n, 1, f->factor,
                 (int)f->chosen, across_of(f, first), (int)f->chosen);
  return ENTROPIC_OK;
}

/* One stripe of columns of A, the upper triangle and the whole tile at the diagonal. */
static entropic_status fill_a(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context, (void)worker;
  ent_forwarding *f = shared;
  const ent_statistics *s = f->statistics;
  size_t first = task * STRIPE, n = f->candidates - first < STRIPE ? f->candidates - first : STRIPE;
  for (size_t j = first; j < first + n; j++)
    memcpy(f->a + j * f->candidates, s->gram + (f->chosen + j) * s->size + f->chosen, (j + 1) * sizeof *f->a);
  if (f->chosen > 0)
    f->blas->dgemm(ENT_COLUMNS, ENT_TRANSPOSE, ENT_PLAIN, (int)(first + n), (int)n, (int)f->chosen, -1, f->across,
                   (int)f->chosen, across_of(f, first), (int)f->chosen, 1, f->a + first * f->candidates,
                   (int)f->candidates);
  return ENTROPIC_OK;
}

static entropic_status start(entropic_context *context, const double *scale, ent_forwarding *f) {
  const ent_statistics *s = f->statistics;
  size_t chosen = f->chosen, n = f->candidates;
  bool positive = true;
  entropic_status status = ENTROPIC_OK;
  for (size_t j = 0; j < chosen; j++) {
    memcpy(f->factor + j * chosen, s->gram + j * s->size, (j + 1) * sizeof *f->factor);
    f->factor[j * chosen + j] += f->ridge;
  }
  if (chosen > 0)
    status = ent_cholesky(context, f->factor, chosen, &positive);
  if (status == ENTROPIC_OK && !positive)
    status = ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the ridge is too small for forward selection");
  if (status == ENTROPIC_OK && chosen > 0)
    status = ent_parallel(context, (n + f->targets + STRIPE - 1) / STRIPE, fill_across, f);
  if (status != ENTROPIC_OK)
    return status;
  ent_delete(f->factor); /* its room is taken by what follows */
  f->factor = NULL;
  f->a = ent_new_matrix(context, n, n, sizeof *f->a);
  f->steps = ent_new_matrix(context, n, f->wanted, sizeof *f->steps);
  if (f->a == NULL || f->steps == NULL)
    return ENTROPIC_NO_MEMORY;
  status = ent_parallel(context, (n + STRIPE - 1) / STRIPE, fill_a, f);
  if (status != ENTROPIC_OK)
    return status;
  ent_mirror(f->a, n, n, true);
  for (size_t j = 0; j < n; j++) {
    double own = ent_product(s, chosen + j, chosen + j);
    f->floor[j] = LEAST_SHARE * own + f->ridge;
    f->left[j] = f->a[j * n + j] + f->ridge;
    for (size_t k = 0; k < f->targets; k++) {
      double sum = moment(s, chosen + j, k);
      const double *x = across_of(f, j), *y = across_of(f, n + k);
      for (size_t i = 0; i < chosen; i++)
        sum -= x[i] * y[i];
      f->b[k * n + j] = sum / sqrt(scale[k]);
    }
  }
  return ENTROPIC_OK;
}

/* gains[candidates]: what each candidate would explain. Target by target, for b is stored so. */
static void find_gains(const ent_forwarding *f, double *gains) {
  size_t n = f->candidates;
  memset(gains, 0, n * sizeof *gains);
  for (size_t k = 0; k < f->targets; k++)
    for (size_t j = 0; j < n; j++)
      gains[j] += f->b[k * n + j] * f->b[k * n + j];
  for (size_t j = 0; j < n; j++)
    gains[j] /= fmax(f->left[j], f->floor[j]);
}

/* The column of the pivot, then everything without it. */
static void take(ent_forwarding *f, size_t step, size_t pivot) {
  size_t n = f->candidates;
  double *column = f->steps + step * n, root = sqrt(fmax(f->left[pivot], f->floor[pivot]));
  memcpy(column, f->a + pivot * n, n * sizeof *column);
  column[pivot] = f->left[pivot];
  if (step > 0)
    f->blas->dgemv(ENT_COLUMNS, ENT_PLAIN, (int)n, (int)step, -1, f->steps, (int)n, f->steps + pivot, (int)n, 1, column,
                   1);
  for (size_t j = 0; j < n; j++) {
    column[j] /= root;
    f->left[j] -= column[j] * column[j];
  }
  for (size_t k = 0; k < f->targets; k++) {
    double *b = f->b + k * n, part = b[pivot] / root;
    for (size_t j = 0; j < n; j++)
      b[j] -= column[j] * part;
  }
}

entropic_status ent_forward(entropic_context *context, const ent_statistics *statistics, size_t chosen, double ridge,
                            const double *scale, size_t wanted, size_t *order, double *gains, size_t *count) {
  size_t n = statistics->features - chosen;
  ent_forwarding f = {
      .statistics = statistics, .chosen = chosen, .candidates = n, .targets = statistics->targets, .ridge = ridge};
  f.wanted = wanted = wanted < n ? wanted : n;
  bool *taken = ent_new(context, n, sizeof *taken);
  double *all = ent_new(context, n, sizeof *all); /* gains */
  f.factor = ent_new_matrix(context, chosen, chosen, sizeof *f.factor);
  f.across = ent_new_matrix(context, chosen, n + f.targets, sizeof *f.across);
  f.b = ent_new_matrix(context, n, f.targets, sizeof *f.b);
  f.left = ent_new(context, n, sizeof *f.left);
  f.floor = ent_new(context, n, sizeof *f.floor);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (taken != NULL && all != NULL && f.factor != NULL && f.across != NULL && f.b != NULL && f.left != NULL &&
      f.floor != NULL)
    status = ent_blas_get(context, &f.blas);
  if (status == ENTROPIC_OK)
    status = start(context, scale, &f);
  *count = 0;
  for (size_t step = 0; step < wanted && status == ENTROPIC_OK; step++) {
    size_t best = n;
    double most = -1;
    find_gains(&f, all);
    for (size_t j = 0; j < n; j++)
      if (!taken[j] && all[j] > most) {
        most = all[j];
        best = j;
      }
    if (best == n)
      break;
    taken[best] = true;
    order[step] = best;
    gains[step] = most;
    *count = step + 1;
    if (step + 1 < wanted)
      take(&f, step, best);
  }
  forwarding_clear(&f);
  ent_delete(taken);
  ent_delete(all);
  return status;
}
