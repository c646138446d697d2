/* The preconditioner: see precondition.h. */
#include "solve/precondition.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/factor.h"

#define CHEAP_HEAD ((size_t)2048)
#define USUAL_HEAD ((size_t)512)

/* For each lane: the Gram matrix of the head, the diagonal, and the columns of the head in a block. */
typedef struct ent_head_sums {
  size_t features, head, block, length;
  double *sums;    /* length = (head + 1)^2 + features for each lane */
  double *columns; /* block x (head + 1) for each lane */
} ent_head_sums;

void ent_preconditioner_free(ent_preconditioner *preconditioner) {
  if (preconditioner == NULL)
    return;
  ent_delete(preconditioner->gram);
  ent_delete(preconditioner->factor);
  ent_delete(preconditioner->diagonal);
  ent_delete(preconditioner->inverse);
  ent_delete(preconditioner);
}

/* Takes one entry of a lifted block, which is multiplied by the root of the weight of its row. */
static void take_entry(const ent_head_sums *h, double *columns, double *diagonal, size_t row, size_t feature,
                       double value) {
  diagonal[feature] += value * value;
  if (feature < h->head)
    columns[feature * h->block + row] = value;
}

static entropic_status add_block(entropic_context *context, void *shared, size_t lane, const ent_lifted *lifted) {
  (void)context;
  const ent_head_sums *h = shared;
  size_t width = h->head + 1, rows = lifted->block.rows;
  double *gram = h->sums + lane * h->length, *diagonal = gram + width * width;
  double *columns = h->columns + lane * h->block * width;
  memset(columns, 0, h->block * width * sizeof *columns);
  for (size_t r = 0; r < rows; r++) {
    double root = sqrt(ent_weight(&lifted->block, r));
    columns[h->head * h->block + r] = root;
    for (size_t j = 0; j < lifted->dense_count; j++)
      take_entry(h, columns, diagonal, r, ent_lifted_feature(lifted, j), root * lifted->z[j * lifted->ld + r]);
    if (lifted->starts == NULL)
      continue;
    for (size_t i = lifted->starts[r]; i < lifted->starts[r + 1]; i++)
      take_entry(h, columns, diagonal, r, (size_t)lifted->columns[i], root * lifted->values[i]);
  }
  ent_dense_multiply(lifted->dense, &(ent_product_task){.rows = width,
                                                        .columns = width,
                                                        .depth = rows,
                                                        .a = {columns, (ptrdiff_t)h->block, 1, false},
                                                        .b = {columns, 1, (ptrdiff_t)h->block, false},
                                                        .c = gram,
                                                        .ld = width,
                                                        .upper = true});
  return ENTROPIC_OK;
}

static ent_preconditioner *new_preconditioner(entropic_context *context, size_t features, size_t head) {
  ent_preconditioner *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return NULL;
  made->features = features;
  made->head = head;
  made->gram = ent_new(context, (head + 1) * (head + 1), sizeof *made->gram);
  made->factor = ent_new(context, (head + 1) * (head + 1), sizeof *made->factor);
  made->diagonal = ent_new(context, features, sizeof *made->diagonal);
  made->inverse = ent_new(context, features, sizeof *made->inverse);
  if (made->gram != NULL && made->factor != NULL && made->diagonal != NULL && made->inverse != NULL)
    return made;
  ent_preconditioner_free(made);
  return NULL;
}

static void take_products(const ent_statistics *products, ent_preconditioner *made) {
  size_t width = products->features + 1;
  for (size_t j = 0; j < width; j++) {
    memcpy(made->gram + j * width, products->gram + j * products->size, (j + 1) * sizeof *made->gram);
    if (j < products->features)
      made->diagonal[j] = made->gram[j * width + j];
  }
}

entropic_status ent_preconditioner_of_products(entropic_context *context, const ent_statistics *products,
                                               ent_preconditioner **made) {
  ent_preconditioner *fresh = new_preconditioner(context, products->features, products->features);
  if (fresh == NULL)
    return ENTROPIC_NO_MEMORY;
  take_products(products, fresh);
  *made = fresh;
  return ENTROPIC_OK;
}

/* A head of all features: collecting their statistics is faster than a pass. */
static entropic_status collect_all(entropic_context *context, const ent_map *map, const ent_rows *rows, ent_grade grade,
                                   ent_preconditioner *made) {
  ent_statistics *statistics = NULL;
  entropic_status status = ent_statistics_of_rows(context, map, rows, grade, &statistics);
  if (status != ENTROPIC_OK)
    return status;
  take_products(statistics, made);
  ent_statistics_free(statistics);
  return ENTROPIC_OK;
}

static entropic_status collect_head(entropic_context *context, ent_pass *pass, const ent_rows *rows,
                                    ent_preconditioner *made) {
  size_t width = made->head + 1;
  ent_head_sums h = {.features = made->features, .head = made->head, .block = ent_pass_block(pass)};
  h.length = width * width + made->features;
  h.sums = ent_new(context, ENT_LANES * h.length, sizeof *h.sums);
  h.columns = ent_new(context, ENT_LANES * h.block * width, sizeof *h.columns);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (h.sums == NULL || h.columns == NULL)
    goto done;
  status = ent_pass_run(context, pass, rows, add_block, &h);
  if (status != ENTROPIC_OK)
    goto done;
  ent_pass_sum(h.sums, h.length);
  memcpy(made->gram, h.sums, width * width * sizeof *h.sums);
  memcpy(made->diagonal, h.sums + width * width, made->features * sizeof *h.sums);
done:
  ent_delete(h.sums);
  ent_delete(h.columns);
  return status;
}

entropic_status ent_preconditioner_create(entropic_context *context, const ent_map *map, ent_pass *pass,
                                          const ent_rows *rows, size_t head, ent_preconditioner **made) {
  ent_grade grade = head == ENT_HEAD_AUTO ? ENT_GRADE_ORDER_FREE : ENT_GRADE_EXACT;
  if (head == ENT_HEAD_AUTO)
    head = map->features <= CHEAP_HEAD ? map->features : USUAL_HEAD;
  head = head < map->features ? head : map->features;
  ent_preconditioner *fresh = new_preconditioner(context, map->features, head);
  if (fresh == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status =
      head == map->features ? collect_all(context, map, rows, grade, fresh) : collect_head(context, pass, rows, fresh);
  if (status != ENTROPIC_OK) {
    ent_preconditioner_free(fresh);
    return status;
  }
  *made = fresh;
  return ENTROPIC_OK;
}

/* Into p->factor: curvature gram + ridge I + extra I, the ones without ridge. */
static void fill_factor(ent_preconditioner *p, double curvature, double ridge, bool ones, double extra) {
  size_t width = p->head + 1;
  for (size_t i = 0; i < width * width; i++)
    p->factor[i] = curvature * p->gram[i];
  for (size_t j = 0; j < width; j++)
    p->factor[j * width + j] += (j < p->head ? ridge : 0) + extra;
  for (size_t i = 0; i < p->head && !ones; i++)
    p->factor[p->head * width + i] = 0;
}

entropic_status ent_preconditioner_set(entropic_context *context, ent_preconditioner *p, double curvature, double ridge,
                                       bool ones) {
  size_t width = p->head + 1;
  double most = 0;
  for (size_t j = 0; j < p->features; j++)
    most = fmax(most, curvature * p->diagonal[j] + ridge);
  most = fmax(most, curvature * p->gram[width * width - 1]);
  for (size_t j = 0; j < p->features; j++)
    p->inverse[j] = 1 / fmax(curvature * p->diagonal[j] + ridge, most * DBL_EPSILON + DBL_MIN);
  /* A little more on the diagonal until there is a factor: any positive definite matrix is a preconditioner. */
  bool positive = false;
  double extra = 0;
  while (!positive) {
    if (!(extra < 1))
      return ent_fail(context, ENTROPIC_BAD_DATA, "the features are not finite");
    fill_factor(p, curvature, ridge, ones, extra * most * (double)width);
    entropic_status status = ent_cholesky(context, p->factor, width, &positive);
    if (status != ENTROPIC_OK)
      return status;
    extra = extra == 0 ? 1e-14 : extra * 100;
  }
  return ENTROPIC_OK;
}

entropic_status ent_preconditioner_apply(entropic_context *context, const ent_preconditioner *p, const double *in,
                                         size_t count, double *out) {
  size_t width = p->head + 1, length = p->features + 1;
  double *head = ent_new(context, count * width, sizeof *head);
  if (head == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t k = 0; k < count; k++) {
    memcpy(head + k * width, in + k * length, p->head * sizeof *head);
    head[k * width + p->head] = in[k * length + p->features];
  }
  entropic_status status = ent_cholesky_solve(context, p->factor, width, head, count);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t k = 0; k < count; k++) {
    memcpy(out + k * length, head + k * width, p->head * sizeof *head);
    for (size_t j = p->head; j < p->features; j++)
      out[k * length + j] = p->inverse[j] * in[k * length + j];
    out[k * length + p->features] = head[k * width + p->head];
  }
done:
  ent_delete(head);
  return status;
}
