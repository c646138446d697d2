/* Blocks of the softmax Hessian: see hessian.h. For each row the products of all pairs of columns are computed once.
 * One matrix product weighs them for all classes. */
#include "solve/hessian.h"

#include <math.h>
#include <string.h>

#include "base/blas.h"
#include "base/memory.h"

#define MOST_FEATURES ((size_t)64)    /* with more there are too many pairs */
#define MOST_VALUES ((size_t)1 << 18) /* of all blocks: 2 MB for each lane */
#define STEP ((size_t)64)             /* rows at a time */

typedef struct ent_hessian_sums {
  const ent_labels *labels;
  const ent_blas *blas;
  size_t features, width, pairs, length; /* width = features + 1; length = pairs x scores */
  double *sums;                          /* length for each lane */
  bool lanes[ENT_LANES];                 /* which have sums */
  double *scratch;                       /* STEP x (width + pairs + scores) for each lane */
} ent_hessian_sums;

static size_t pair_count(size_t features) {
  return (features + 1) * (features + 2) / 2;
}

bool ent_hessian_pays(size_t features, size_t scores) {
  return scores > 1 && features <= MOST_FEATURES && scores <= MOST_VALUES / pair_count(features);
}

void ent_hessian_free(ent_hessian *hessian) {
  if (hessian == NULL)
    return;
  for (size_t k = 0; hessian->blocks != NULL && k < hessian->scores; k++)
    ent_preconditioner_free(hessian->blocks[k]);
  ent_delete(hessian->blocks);
  ent_delete(hessian);
}

/* Some rows of a lifted block as dense columns, STEP apart; the ones come last. */
static void to_columns(const ent_lifted *lifted, size_t first, size_t rows, double *columns) {
  size_t features = lifted->features;
  memset(columns, 0, STEP * features * sizeof *columns);
  for (size_t j = 0; j < lifted->dense_count; j++)
    memcpy(columns + ent_lifted_feature(lifted, j) * STEP, lifted->z + j * lifted->ld + first, rows * sizeof *columns);
  for (size_t r = 0; lifted->starts != NULL && r < rows; r++)
    for (size_t i = lifted->starts[first + r]; i < lifted->starts[first + r + 1]; i++)
      columns[(size_t)lifted->columns[i] * STEP + r] = lifted->values[i];
  for (size_t r = 0; r < rows; r++)
    columns[features * STEP + r] = 1;
}

static void add_rows(const ent_hessian_sums *c, const ent_lifted *lifted, size_t first, double *scratch, double *sums) {
  size_t left = lifted->block.rows - first, rows = left < STEP ? left : STEP, scores = c->labels->scores;
  double *columns = scratch, *pairs = columns + STEP * c->width, *row_weights = pairs + STEP * c->pairs, *pair = pairs;
  to_columns(lifted, first, rows, columns);
  for (size_t j = 0; j < c->width; j++)
    for (size_t i = 0; i <= j; i++, pair += STEP)
      for (size_t r = 0; r < rows; r++)
        pair[r] = columns[i * STEP + r] * columns[j * STEP + r];
  for (size_t r = 0; r < rows; r++) {
    size_t row = lifted->block.first + first + r;
    const double *p = c->labels->probability + row * scores;
    for (size_t k = 0; k < scores; k++)
      row_weights[k * STEP + r] = c->labels->weights[row] * fmax(p[k] * (1 - p[k]), ENT_LEAST_CURVATURE);
  }
  c->blas->dgemm(ENT_COL_MAJOR, ENT_TRANS, ENT_NO_TRANS, (int)c->pairs, (int)scores, (int)rows, 1, pairs, (int)STEP,
                 row_weights, (int)STEP, 1, sums, (int)c->pairs);
}

static entropic_status add_block(entropic_context *context, void *shared, size_t lane, const ent_lifted *lifted) {
  (void)context;
  ent_hessian_sums *c = shared;
  double *sums = c->sums + lane * c->length;
  double *scratch = c->scratch + lane * STEP * (c->width + c->pairs + c->labels->scores);
  if (!c->lanes[lane])
    memset(sums, 0, c->length * sizeof *sums);
  c->lanes[lane] = true;
  for (size_t first = 0; first < lifted->block.rows; first += STEP)
    add_rows(c, lifted, first, scratch, sums);
  return ENTROPIC_OK;
}

static void sum_lanes(const ent_hessian_sums *c) {
  for (size_t lane = 1; lane < ENT_LANES; lane++)
    for (size_t i = 0; c->lanes[lane] && i < c->length; i++)
      c->sums[i] += c->sums[lane * c->length + i];
}

/* The block of one score. If it fails, *block may be set, and is the caller's. */
static entropic_status make_block(entropic_context *context, const ent_hessian_sums *c, size_t score, double ridge,
                                  ent_preconditioner **block) {
  ent_statistics products = {.features = c->features, .size = c->width};
  const double *pair = c->sums + score * c->pairs;
  products.gram = ent_new(context, c->width * c->width, sizeof *products.gram);
  if (products.gram == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t j = 0; j < c->width; j++)
    for (size_t i = 0; i <= j; i++)
      products.gram[j * c->width + i] = *pair++;
  entropic_status status = ent_preconditioner_of_products(context, &products, block);
  ent_delete(products.gram);
  if (status != ENTROPIC_OK)
    return status;
  return ent_preconditioner_set(context, *block, 1 / c->labels->weight, ridge, true);
}

entropic_status ent_hessian_create(entropic_context *context, ent_pass *pass, const ent_rows *rows,
                                   const ent_labels *labels, double ridge, ent_hessian **made) {
  size_t features = ent_pass_features(pass), scores = labels->scores;
  ent_hessian_sums c = {.labels = labels, .features = features, .width = features + 1, .pairs = pair_count(features)};
  entropic_status status = ent_blas_get(context, &c.blas);
  if (status != ENTROPIC_OK)
    return status;
  c.length = c.pairs * scores;
  ent_hessian *fresh = ent_new(context, 1, sizeof *fresh);
  c.sums = ent_new_matrix(context, ENT_LANES, c.length, sizeof *c.sums);
  c.scratch = ent_new_matrix(context, ENT_LANES, STEP * (c.width + c.pairs + scores), sizeof *c.scratch);
  status = ENTROPIC_NO_MEMORY;
  if (fresh == NULL || c.sums == NULL || c.scratch == NULL)
    goto done;
  *fresh = (ent_hessian){.features = features, .scores = scores};
  fresh->blocks = ent_new(context, scores, sizeof(ent_preconditioner *));
  if (fresh->blocks == NULL)
    goto done;
  status = ent_pass_run(context, pass, rows, add_block, &c);
  if (status != ENTROPIC_OK)
    goto done;
  sum_lanes(&c);
  for (size_t k = 0; k < scores; k++) {
    status = make_block(context, &c, k, ridge, &fresh->blocks[k]);
    if (status != ENTROPIC_OK)
      goto done;
  }
  *made = fresh;
  fresh = NULL;
done:
  ent_delete(c.sums);
  ent_delete(c.scratch);
  ent_hessian_free(fresh);
  return status;
}

entropic_status ent_hessian_apply(entropic_context *context, const ent_hessian *hessian, const double *in,
                                  double *out) {
  size_t length = hessian->features + 1;
  for (size_t k = 0; k < hessian->scores; k++) {
    entropic_status status =
        ent_preconditioner_apply(context, hessian->blocks[k], in + k * length, 1, out + k * length);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}
