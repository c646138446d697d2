/* Principal components: eigenvectors of the covariance matrix.
 *
 * The matrix is summed block by block of rows: the rows of a block are centred, then stripes of the matrix take their
 * products, in parallel. Blocks and stripes have fixed sizes and each stripe takes the blocks in order, so the bits do not
 * depend on the threads. */
#include "study/pca.h"

#include <math.h>

#include "base/factor.h"
#include "base/memory.h"
#include "base/threads.h"

#define BLOCK ((size_t)1024)  /* rows at a time */
#define SEGMENT ((size_t)128) /* rows that are centred by one task */
#define STRIPE ((size_t)64)   /* columns of the matrix */

/* A block of rows at a time. */
typedef struct ent_centring {
  const ent_blas *blas;
  const ent_pca *pca;
  const float *x; /* of this block */
  size_t rows;
  double *centred;     /* rows x inputs */
  double *covariances; /* inputs x inputs, the upper triangle */
  double *codes;       /* of this block */
} ent_centring;

static size_t pieces(size_t count, size_t size) {
  return count / size + (count % size > 0);
}

static size_t piece_size(size_t piece, size_t count, size_t size) {
  size_t left = count - piece * size;
  return left < size ? left : size;
}

static entropic_status check(entropic_context *context, const float *x, size_t rows, size_t inputs) {
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < inputs; i++)
      if (!isfinite(x[r * inputs + i]))
        return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, input %zu: found %g, expected a finite number", r + 1,
                        i + 1, (double)x[r * inputs + i]);
  return ENTROPIC_OK;
}

static void centre(const ent_centring *c, size_t first, size_t rows) {
  size_t inputs = c->pca->inputs;
  for (size_t r = first; r < first + rows; r++)
    for (size_t i = 0; i < inputs; i++)
      c->centred[r * inputs + i] = (double)c->x[r * inputs + i] - c->pca->mean[i];
}

static entropic_status centre_segment(entropic_context *context, void *shared, size_t segment, int worker) {
  (void)context, (void)worker;
  ent_centring *c = shared;
  centre(c, segment * SEGMENT, piece_size(segment, c->rows, SEGMENT));
  return ENTROPIC_OK;
}

/* The longest stripes first, so that no thread is left with one at the end. */
static entropic_status add_stripe(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context, (void)worker;
  ent_centring *c = shared;
  size_t inputs = c->pca->inputs, stripe = pieces(inputs, STRIPE) - 1 - task, left = stripe * STRIPE;
  int columns = (int)piece_size(stripe, inputs, STRIPE), ld = (int)inputs;
  double *out = c->covariances + left * inputs;
  const double *of_stripe = c->centred + left;
  if (left > 0)
    c->blas->dgemm(ENT_COL_MAJOR, ENT_NO_TRANS, ENT_TRANS, (int)left, columns, (int)c->rows, 1, c->centred, ld,
                   of_stripe, ld, 1, out, ld);
  c->blas->dsyrk(ENT_COL_MAJOR, ENT_UPPER, ENT_NO_TRANS, columns, (int)c->rows, 1, of_stripe, ld, 1, out + left, ld);
  return ENTROPIC_OK;
}

static entropic_status code_segment(entropic_context *context, void *shared, size_t segment, int worker) {
  (void)context, (void)worker;
  ent_centring *c = shared;
  size_t first = segment * SEGMENT, rows = piece_size(segment, c->rows, SEGMENT);
  int inputs = (int)c->pca->inputs, count = (int)c->pca->count;
  centre(c, first, rows);
  c->blas->dgemm(ENT_COL_MAJOR, ENT_TRANS, ENT_NO_TRANS, count, (int)rows, inputs, 1, c->pca->vectors, inputs,
                 c->centred + first * c->pca->inputs, inputs, 0, c->codes + first * c->pca->count, count);
  return ENTROPIC_OK;
}

static void find_mean(ent_pca *pca, const float *x, size_t rows) {
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < pca->inputs; i++)
      pca->mean[i] += (double)x[r * pca->inputs + i];
  for (size_t i = 0; i < pca->inputs; i++)
    pca->mean[i] /= (double)rows;
}

static entropic_status find_covariances(entropic_context *context, ent_centring *c, const float *x, size_t rows) {
  size_t inputs = c->pca->inputs;
  for (size_t first = 0; first < rows; first += BLOCK) {
    c->x = x + first * inputs;
    c->rows = rows - first < BLOCK ? rows - first : BLOCK;
    entropic_status status = ent_parallel(context, pieces(c->rows, SEGMENT), centre_segment, c);
    if (status != ENTROPIC_OK)
      return status;
    status = ent_parallel(context, pieces(inputs, STRIPE), add_stripe, c);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (size_t i = 0; i < inputs * inputs; i++)
    c->covariances[i] /= (double)(rows - 1);
  return ENTROPIC_OK;
}

/* The sign of an eigenvector is arbitrary; we take the one whose largest entry is positive. */
static void take_vector(const double *from, size_t inputs, double *to) {
  size_t largest = 0;
  for (size_t i = 1; i < inputs; i++)
    if (fabs(from[i]) > fabs(from[largest]))
      largest = i;
  double sign = from[largest] < 0 ? -1 : 1;
  for (size_t i = 0; i < inputs; i++)
    to[i] = sign * from[i];
}

static entropic_status find_vectors(entropic_context *context, ent_pca *pca, double *covariances) {
  size_t inputs = pca->inputs;
  double *values = ent_new(context, inputs, sizeof *values);
  if (values == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < inputs; i++)
    pca->total += covariances[i * inputs + i];
  entropic_status status = ent_eigen(context, covariances, inputs, values);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t k = 0; k < pca->count; k++) {
    size_t from = inputs - 1 - k; /* they come ascending */
    pca->variances[k] = values[from] > 0 ? values[from] : 0;
    take_vector(covariances + from * inputs, inputs, pca->vectors + k * inputs);
  }
done:
  ent_delete(values);
  return status;
}

static entropic_status check_sizes(entropic_context *context, size_t rows, size_t inputs, size_t count) {
  int size;
  if (rows < 2)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "rows is %zu, expected at least 2", rows);
  if (count < 1 || count > inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%zu components of %zu inputs, expected 1 to %zu", count, inputs,
                    inputs);
  return ent_blas_size(context, inputs, &size);
}

entropic_status ent_pca_create(entropic_context *context, const float *x, size_t rows, size_t inputs, size_t count,
                               ent_pca **pca) {
  entropic_status status = check_sizes(context, rows, inputs, count);
  if (status != ENTROPIC_OK)
    return status;
  status = check(context, x, rows, inputs);
  if (status != ENTROPIC_OK)
    return status;
  ent_pca *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  *made = (ent_pca){.inputs = inputs, .count = count};
  ent_centring c = {.pca = made};
  made->mean = ent_new(context, inputs, sizeof *made->mean);
  made->vectors = ent_new_matrix(context, count, inputs, sizeof *made->vectors);
  made->variances = ent_new(context, count, sizeof *made->variances);
  c.centred = ent_new_matrix(context, rows < BLOCK ? rows : BLOCK, inputs, sizeof *c.centred);
  c.covariances = ent_new_matrix(context, inputs, inputs, sizeof *c.covariances);
  status = ENTROPIC_NO_MEMORY;
  if (made->mean == NULL || made->vectors == NULL || made->variances == NULL || c.centred == NULL ||
      c.covariances == NULL)
    goto done;
  status = ent_blas_get(context, &c.blas);
  if (status != ENTROPIC_OK)
    goto done;
  find_mean(made, x, rows);
  status = find_covariances(context, &c, x, rows);
  if (status != ENTROPIC_OK)
    goto done;
  status = find_vectors(context, made, c.covariances);
  if (status != ENTROPIC_OK)
    goto done;
  *pca = made;
  made = NULL;
done:
  ent_delete(c.centred);
  ent_delete(c.covariances);
  ent_pca_free(made);
  return status;
}

void ent_pca_free(ent_pca *pca) {
  if (pca == NULL)
    return;
  ent_delete(pca->mean);
  ent_delete(pca->vectors);
  ent_delete(pca->variances);
  ent_delete(pca);
}

entropic_status ent_pca_codes(entropic_context *context, const ent_pca *pca, const float *x, size_t rows,
                              double *codes) {
  ent_centring c = {.pca = pca};
  entropic_status status = check(context, x, rows, pca->inputs);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_blas_get(context, &c.blas);
  if (status != ENTROPIC_OK)
    return status;
  c.centred = ent_new_matrix(context, rows < BLOCK ? rows : BLOCK, pca->inputs, sizeof *c.centred);
  if (c.centred == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t first = 0; first < rows; first += BLOCK) {
    c.x = x + first * pca->inputs;
    c.rows = rows - first < BLOCK ? rows - first : BLOCK;
    c.codes = codes + first * pca->count;
    status = ent_parallel(context, pieces(c.rows, SEGMENT), code_segment, &c);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_delete(c.centred);
  return status;
}
