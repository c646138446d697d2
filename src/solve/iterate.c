/* Conjugate gradients: see iterate.h. Vectors have one element more than there are features. It belongs to the column
 * of ones of the preconditioner and stays 0 here. */
#include "solve/iterate.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/memory.h"
#include "solve/precondition.h"

typedef struct ent_iteration {
  const ent_rows *rows;
  ent_pass *pass;
  ent_preconditioner *preconditioner;
  size_t features, targets, length; /* length = features + 1 */
  double weight, ridge;             /* the sum of the weights; lambda times it */
  double *shift, *means;            /* [targets] the first row; the weighted means */
  double *x, *r, *z, *p, *q;        /* targets x length each: solution, residual, P^-1 r, direction, A p */
  double *rho, *start;              /* r.z now, and at the start, of each target */
  const double *input;              /* of the current pass; NULL: the targets less their means */
  double *sums;                     /* targets x length for each lane */
  double *block;                    /* a block of rows x targets for each lane */
} ent_iteration;

ent_iterate_options ent_iterate_options_default(void) {
  return (ent_iterate_options){.tolerance = 1e-9, .most_steps = 1000, .head = 512};
}

void ent_iterated_free(ent_iterated *result) {
  if (result == NULL)
    return;
  ent_delete(result->weights);
  ent_delete(result->means);
  ent_delete(result);
}

/* sums += Z'W(Z input), or Z'W(y - m). */
static entropic_status add_block(entropic_context *context, void *shared, size_t lane, const ent_lifted *lifted) {
  (void)context;
  ent_iteration *it = shared;
  const ent_block *block = &lifted->block;
  size_t rows = block->rows;
  double *u = it->block + lane * ent_pass_block(it->pass) * it->targets;
  if (it->input != NULL)
    ent_lifted_multiply(lifted, it->input, it->length, it->targets, u);
  for (size_t t = 0; t < it->targets; t++)
    for (size_t r = 0; r < rows; r++) {
      double value = it->input != NULL ? u[t * rows + r] : block->y[r * block->y_stride + t] - it->means[t];
      u[t * rows + r] = ent_weight(block, r) * value;
    }
  ent_lifted_multiply_trans(lifted, u, it->targets, it->sums + lane * it->targets * it->length, it->length);
  return ENTROPIC_OK;
}

/* out = Z'W(Z input) + ridge input, or Z'W(y - m). */
static entropic_status multiply(entropic_context *context, ent_iteration *it, const double *input, double *out) {
  size_t all = it->targets * it->length;
  it->input = input;
  memset(it->sums, 0, ENT_LANES * all * sizeof *it->sums);
  entropic_status status = ent_pass_run(context, it->pass, it->rows, add_block, it);
  if (status != ENTROPIC_OK)
    return status;
  ent_pass_sum(it->sums, all);
  for (size_t i = 0; i < all; i++)
    out[i] = it->sums[i] + (input != NULL ? it->ridge * input[i] : 0);
  return ENTROPIC_OK;
}

/* Adds up weights and targets, less the targets of the first row so that a large mean does not cost accuracy. */
static entropic_status add_targets(entropic_context *context, void *shared, const ent_block *block) {
  (void)context;
  ent_iteration *it = shared;
  for (size_t t = 0; t < it->targets && block->first == 0; t++)
    it->shift[t] = block->y[t];
  for (size_t r = 0; r < block->rows; r++) {
    it->weight += ent_weight(block, r);
    for (size_t t = 0; t < it->targets; t++)
      it->means[t] += ent_weight(block, r) * (block->y[r * block->y_stride + t] - it->shift[t]);
  }
  return ENTROPIC_OK;
}

/* The weighted means of the targets, and the sum of the weights. */
static entropic_status find_means(entropic_context *context, ent_iteration *it) {
  entropic_status status = ent_rows_each(context, it->rows, 4096, add_targets, it);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t t = 0; t < it->targets; t++)
    it->means[t] = it->shift[t] + it->means[t] / it->weight;
  if (!(it->weight > 0 && isfinite(it->weight)))
    return ent_fail(context, ENTROPIC_BAD_DATA, "the weights of the rows sum to %g, expected more than 0", it->weight);
  return ENTROPIC_OK;
}

/* The largest relative residual of all targets. */
static double residual(const ent_iteration *it) {
  double most = 0;
  for (size_t t = 0; t < it->targets; t++) {
    double ratio = it->start[t] > 0 ? sqrt(fmax(it->rho[t], 0) / it->start[t]) : 0;
    most = isnan(it->rho[t]) || isnan(ratio) ? NAN : fmax(most, ratio);
  }
  return most;
}

/* One step of conjugate gradients for every target. */
static entropic_status step(entropic_context *context, ent_iteration *it) {
  size_t length = it->length;
  entropic_status status = multiply(context, it, it->p, it->q);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t t = 0; t < it->targets; t++) {
    double *x = it->x + t * length, *r = it->r + t * length, *p = it->p + t * length, *q = it->q + t * length;
    double curvature = ent_dot(p, q, length), alpha = curvature > 0 ? it->rho[t] / curvature : 0;
    for (size_t i = 0; i < length; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
  }
  status = ent_preconditioner_apply(context, it->preconditioner, it->r, it->targets, it->z);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t t = 0; t < it->targets; t++) {
    double *z = it->z + t * length, *p = it->p + t * length, old = it->rho[t];
    it->rho[t] = ent_dot(it->r + t * length, z, length);
    double beta = old > 0 ? it->rho[t] / old : 0;
    for (size_t i = 0; i < length; i++)
      p[i] = z[i] + beta * p[i];
  }
  return ENTROPIC_OK;
}

static entropic_status iterate(entropic_context *context, ent_iteration *it, ent_iterate_options options,
                               ent_iterated *result) {
  entropic_status status = multiply(context, it, NULL, it->r);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_preconditioner_apply(context, it->preconditioner, it->r, it->targets, it->z);
  if (status != ENTROPIC_OK)
    return status;
  memcpy(it->p, it->z, it->targets * it->length * sizeof *it->p);
  for (size_t t = 0; t < it->targets; t++)
    it->start[t] = it->rho[t] = ent_dot(it->r + t * it->length, it->z + t * it->length, it->length);
  for (; result->steps < options.most_steps && residual(it) > options.tolerance; result->steps++) {
    status = step(context, it);
    if (status != ENTROPIC_OK)
      return status;
  }
  result->residual = residual(it);
  result->converged = result->residual <= options.tolerance;
  for (size_t t = 0; t < it->targets; t++) {
    memcpy(result->weights + t * it->features, it->x + t * it->length, it->features * sizeof *it->x);
    result->means[t] = it->means[t];
  }
  for (size_t i = 0; i < it->targets * it->features; i++)
    result->converged = result->converged && isfinite(result->weights[i]);
  return ENTROPIC_OK;
}

static bool allocate(entropic_context *context, ent_iteration *it) {
  size_t all = it->targets * it->length;
  double **vectors[] = {&it->x, &it->r, &it->z, &it->p, &it->q};
  for (size_t i = 0; i < 5; i++)
    if ((*vectors[i] = ent_new(context, all, sizeof **vectors[i])) == NULL)
      return false;
  it->shift = ent_new(context, it->targets, sizeof *it->shift);
  it->means = ent_new(context, it->targets, sizeof *it->means);
  it->rho = ent_new(context, it->targets, sizeof *it->rho);
  it->start = ent_new(context, it->targets, sizeof *it->start);
  it->sums = ent_new(context, ENT_LANES * all, sizeof *it->sums);
  it->block = ent_new(context, ENT_LANES * ent_pass_block(it->pass) * it->targets, sizeof *it->block);
  return it->shift != NULL && it->means != NULL && it->rho != NULL && it->start != NULL && it->sums != NULL &&
         it->block != NULL;
}

static void iteration_free(ent_iteration *it) {
  double *const vectors[] = {it->x,     it->r,   it->z,     it->p,    it->q,    it->shift,
                             it->means, it->rho, it->start, it->sums, it->block};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    ent_delete(vectors[i]);
  ent_preconditioner_free(it->preconditioner);
  ent_pass_free(it->pass);
}

static ent_iterated *new_result(entropic_context *context, const ent_iteration *it) {
  ent_iterated *result = ent_new(context, 1, sizeof *result);
  if (result == NULL)
    return NULL;
  result->features = it->features;
  result->targets = it->targets;
  result->weights = ent_new(context, it->targets * it->features, sizeof *result->weights);
  result->means = ent_new(context, it->targets, sizeof *result->means);
  if (result->weights != NULL && result->means != NULL)
    return result;
  ent_iterated_free(result);
  return NULL;
}

entropic_status ent_ridge_iterate(entropic_context *context, const ent_map *map, const ent_rows *rows, double lambda,
                                  ent_iterate_options options, ent_iterated **result) {
  if (!(isfinite(lambda) && lambda >= 0))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "lambda: %g; expected a finite number, not negative", lambda);
  ent_iteration it = {.rows = rows, .features = map->features, .targets = rows->targets, .length = map->features + 1};
  ent_iterated *made = NULL;
  entropic_status status = ent_pass_create(context, map, &it.pass);
  if (status != ENTROPIC_OK)
    return status;
  status = options.keep && rows->count > 0 ? ent_pass_keep(context, it.pass, rows->count) : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    goto done;
  status = ENTROPIC_NO_MEMORY;
  if (!allocate(context, &it) || (made = new_result(context, &it)) == NULL)
    goto done;
  status = find_means(context, &it);
  if (status != ENTROPIC_OK)
    goto done;
  it.ridge = lambda * it.weight;
  status = ent_preconditioner_create(context, map, it.pass, rows, options.head, &it.preconditioner);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_preconditioner_set(context, it.preconditioner, 1, it.ridge, false);
  if (status != ENTROPIC_OK)
    goto done;
  status = iterate(context, &it, options, made);
  if (status != ENTROPIC_OK)
    goto done;
  *result = made;
  made = NULL;
done:
  ent_iterated_free(made);
  iteration_free(&it);
  return status;
}
