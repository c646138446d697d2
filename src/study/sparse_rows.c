/* Functions and rows of the experiment with sparse features: see sparse.h. */
#include <math.h>

#include "base/memory.h"
#include "base/progress.h"
#include "study/sparse.h"

#define CELLS 1000.0          /* bumps of the aligned function are so many times smaller than the cube */
#define OBLIQUE_ROUGHNESS 8.0 /* of ridge functions */
#define SAMPLE ((size_t)4096) /* rows for the deviation */
#define POLL_ROWS ((size_t)4096)

double ent_sparse_truth_at(const ent_sparse_truth *truth, const double *x) {
  double sum = 0;
  for (size_t j = 0; j < ENT_SPARSE_BUMPS; j++) {
    const double *centre = truth->centres + j * truth->inputs;
    double distance = 0;
    for (size_t d = 0; d < truth->inputs; d++)
      distance += truth->target == ENT_SPARSE_ALIGNED ? fabs(x[d] - centre[d]) : centre[d] * x[d];
    sum += truth->weights[j] * exp(-truth->roughness * fabs(distance - truth->offsets[j]));
  }
  return sum;
}

/* A random direction, and the place along it of a random point. */
static void direction_make(entropic_random *random, size_t inputs, double *direction, double *offset) {
  double square = 0;
  for (size_t d = 0; d < inputs; d++) {
    direction[d] = entropic_random_normal(random);
    square += direction[d] * direction[d];
  }
  *offset = 0;
  for (size_t d = 0; d < inputs; d++) {
    direction[d] /= sqrt(square);
    *offset += direction[d] * entropic_random_uniform(random);
  }
}

static double deviation(const ent_sparse_sample *rows) {
  double mean = 0, square = 0;
  for (size_t r = 0; r < rows->count; r++)
    mean += rows->y[r] / (double)rows->count;
  for (size_t r = 0; r < rows->count; r++)
    square += (rows->y[r] - mean) * (rows->y[r] - mean) / (double)rows->count;
  return sqrt(square);
}

entropic_status ent_sparse_truth_make(entropic_context *context, ent_sparse_target target, size_t inputs,
                                      ent_sparse_truth *truth) {
  bool aligned = target == ENT_SPARSE_ALIGNED;
  entropic_random random = entropic_random_start(2020, inputs + 100 * (uint64_t)target);
  *truth = (ent_sparse_truth){.target = target, .inputs = inputs};
  truth->roughness = aligned ? pow(CELLS, 1 / (double)inputs) : OBLIQUE_ROUGHNESS;
  for (size_t j = 0; j < ENT_SPARSE_BUMPS; j++) {
    double *centre = truth->centres + j * inputs;
    for (size_t d = 0; aligned && d < inputs; d++)
      centre[d] = entropic_random_uniform(&random);
    if (!aligned)
      direction_make(&random, inputs, centre, &truth->offsets[j]);
    truth->weights[j] = entropic_random_normal(&random);
  }
  ent_sparse_sample rows = {.count = SAMPLE};
  entropic_status status = ent_sparse_sample_make(context, truth, random, 0, &rows);
  if (status != ENTROPIC_OK)
    goto done;
  double all = deviation(&rows);
  for (size_t j = 0; j < ENT_SPARSE_BUMPS; j++)
    truth->weights[j] /= all;
done:
  ent_sparse_sample_clear(&rows);
  return status;
}

entropic_status ent_sparse_sample_make(entropic_context *context, const ent_sparse_truth *truth, entropic_random random,
                                       double noise, ent_sparse_sample *rows) {
  size_t inputs = truth->inputs;
  rows->x = ent_new(context, rows->count * inputs, sizeof *rows->x);
  rows->y = ent_new(context, rows->count, sizeof *rows->y);
  if (rows->x == NULL || rows->y == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows->count; r++) {
    double *x = rows->x + r * inputs;
    for (size_t d = 0; d < inputs; d++)
      x[d] = entropic_random_uniform(&random);
    rows->y[r] = ent_sparse_truth_at(truth, x) + (noise > 0 ? noise * entropic_random_normal(&random) : 0);
    entropic_status status = r % POLL_ROWS == 0 ? ent_poll(context) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

void ent_sparse_sample_clear(ent_sparse_sample *rows) {
  ent_delete(rows->x);
  ent_delete(rows->y);
  rows->x = rows->y = NULL;
}
