/* Losses, slopes and curvatures of rows: see loss.h. */
#include "solve/loss.h"

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "solve/logistic.h"

#define CHUNK_ROWS ((size_t)2048)
#define CURVE_ROWS ((size_t)8) /* as many as a line of the cache holds */

void ent_labels_free(ent_labels *labels) {
  if (labels == NULL)
    return;
  ent_delete(labels->labels);
  ent_delete(labels->weights);
  ent_delete(labels->score);
  ent_delete(labels->probability);
  ent_delete(labels->change);
  ent_delete(labels);
}

static entropic_status read_labels(entropic_context *context, const ent_rows *rows, ent_labels *made, double *counts) {
  size_t label_room = 0, weight_room = 0;
  entropic_status status = rows->rewind(context, rows->self);
  while (status == ENTROPIC_OK) {
    ent_block block;
    status = ent_rows_take(context, rows, 4096, &block);
    if (status != ENTROPIC_OK || block.rows == 0)
      return status;
    int32_t *labels = ent_grow(context, made->labels, &label_room, made->rows + block.rows, sizeof *labels);
    made->labels = labels == NULL ? made->labels : labels;
    double *weights = ent_grow(context, made->weights, &weight_room, made->rows + block.rows, sizeof *weights);
    made->weights = weights == NULL ? made->weights : weights;
    if (labels == NULL || weights == NULL)
      return ENTROPIC_NO_MEMORY;
    for (size_t r = 0; r < block.rows; r++, made->rows++) {
      double label = block.y[r * block.y_stride], weight = ent_weight(&block, r);
      if (!(label >= 0 && label < (double)made->classes && label == floor(label)))
        return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu: the class %g; expected a whole number below %zu",
                        block.first + r + 1, label, made->classes);
      labels[made->rows] = (int32_t)label;
      weights[made->rows] = weight;
      counts[labels[made->rows]] += weight;
      made->weight += weight;
    }
  }
  return status;
}

entropic_status ent_labels_create(entropic_context *context, const ent_rows *rows, size_t classes,
                                  ent_labels **labels) {
  if (classes < 2 || classes > INT32_MAX || rows->targets != 1)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%zu classes in %zu targets; expected at least 2 in 1", classes,
                    rows->targets);
  entropic_status status = ENTROPIC_NO_MEMORY;
  ent_labels *made = ent_new(context, 1, sizeof *made);
  double *counts = ent_new(context, classes, sizeof *counts);
  size_t values;
  if (made == NULL || counts == NULL)
    goto fail;
  made->classes = classes;
  made->scores = classes == 2 ? 1 : classes;
  status = read_labels(context, rows, made, counts);
  for (size_t k = 0; k < classes && status == ENTROPIC_OK; k++)
    if (!(counts[k] > 0))
      status = ent_fail(context, ENTROPIC_BAD_DATA, "class %zu has no rows", k + 1);
  if (status == ENTROPIC_OK && !isfinite(made->weight))
    status = ent_fail(context, ENTROPIC_BAD_DATA, "the weights of the rows sum to %g", made->weight);
  if (status != ENTROPIC_OK)
    goto fail;
  status = ENTROPIC_NO_MEMORY;
  if (!ent_multiply(made->rows, made->scores, &values))
    values = SIZE_MAX; /* refused below */
  made->score = ent_new(context, values, sizeof *made->score);
  made->probability = ent_new(context, values, sizeof *made->probability);
  made->change = ent_new(context, values, sizeof *made->change);
  if (made->score != NULL && made->probability != NULL && made->change != NULL) {
    *labels = made;
    made = NULL;
    status = ENTROPIC_OK;
  }
fail:
  ent_labels_free(made);
  ent_delete(counts);
  return status;
}

void ent_probabilities(size_t classes, const double *scores, double *probabilities) {
  if (classes == 2) { /* the smaller of the two first, so that it is exact */
    double small = exp(-fabs(scores[0])) / (1 + exp(-fabs(scores[0])));
    probabilities[1] = scores[0] < 0 ? small : 1 - small;
    probabilities[0] = scores[0] < 0 ? 1 - small : small;
    return;
  }
  double most = scores[0], sum = 0;
  for (size_t k = 1; k < classes; k++)
    most = fmax(most, scores[k]);
  for (size_t k = 0; k < classes; k++)
    sum += probabilities[k] = exp(scores[k] - most);
  for (size_t k = 0; k < classes; k++)
    probabilities[k] /= sum;
}

/* The loss of one row, how far its class is in front, and its probabilities into p[scores]. */
static double row_loss(const ent_labels *labels, size_t row, const double *scores, double *p, double *margin) {
  size_t classes = labels->classes, label = (size_t)labels->labels[row];
  if (classes == 2) {
    double front = label == 1 ? scores[0] : -scores[0], rest = exp(-fabs(front));
    p[0] = scores[0] < 0 ? rest / (1 + rest) : 1 / (1 + rest);
    *margin = front;
    return log1p(rest) + (front < 0 ? -front : 0);
  }
  double most = scores[0], sum = 0, other = -INFINITY;
  for (size_t k = 0; k < classes; k++) {
    most = fmax(most, scores[k]);
    if (k != label)
      other = fmax(other, scores[k]);
  }
  *margin = scores[label] - other;
  for (size_t k = 0; k < classes; k++)
    sum += p[k] = exp(scores[k] - most);
  for (size_t k = 0; k < classes; k++)
    p[k] /= sum;
  /* Where the right class is in front, the sum is 1 and a bit: take the logarithm of the bit. */
  if (scores[label] == most) {
    double rest = 0;
    for (size_t k = 0; k < classes; k++)
      rest += k == label ? 0 : exp(scores[k] - most);
    return log1p(rest);
  }
  return log(sum) + most - scores[label];
}

typedef struct ent_loss_job {
  ent_labels *labels;
  double step;
  ent_losses *parts; /* of each chunk */
  double *room;      /* 2 * scores for each worker */
} ent_loss_job;

static entropic_status chunk_losses(entropic_context *context, void *shared, size_t chunk, int worker) {
  (void)context;
  ent_loss_job *job = shared;
  ent_labels *labels = job->labels;
  size_t scores = labels->scores, end = (chunk + 1) * CHUNK_ROWS;
  double *at = job->room + (size_t)worker * 2 * scores, *p = at + scores;
  ent_losses sum = {.separated = true, .margin = -INFINITY};
  for (size_t r = chunk * CHUNK_ROWS; r < end && r < labels->rows; r++) {
    double margin, weight = labels->weights[r], curvature = 0;
    for (size_t k = 0; k < scores; k++)
      at[k] = labels->score[r * scores + k] + job->step * labels->change[r * scores + k];
    double loss = row_loss(labels, r, at, p, &margin);
    for (size_t k = 0; k < scores; k++) {
      curvature += p[k] * (1 - p[k]);
      if (job->step == 0)
        labels->probability[r * scores + k] = p[k];
    }
    if (weight > 0) {
      sum.loss += weight * loss;
      sum.curvature += weight * curvature / (double)scores;
      sum.separated = sum.separated && margin > 0;
      sum.margin = fmax(sum.margin, margin);
    }
  }
  job->parts[chunk] = sum;
  return ENTROPIC_OK;
}

entropic_status ent_labels_losses(entropic_context *context, ent_labels *labels, double step, ent_losses *losses) {
  size_t chunks = labels->rows / CHUNK_ROWS + (labels->rows % CHUNK_ROWS > 0);
  size_t workers = (size_t)ent_workers(context, chunks);
  ent_loss_job job = {.labels = labels, .step = step};
  job.parts = ent_new(context, chunks, sizeof *job.parts);
  job.room = ent_new(context, workers * 2 * labels->scores, sizeof *job.room);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (job.parts != NULL && job.room != NULL)
    status = ent_parallel(context, chunks, chunk_losses, &job);
  if (status == ENTROPIC_OK) {
    ent_losses sum = {.separated = true, .margin = -INFINITY};
    for (size_t i = 0; i < chunks; i++) {
      sum.loss += job.parts[i].loss;
      sum.curvature += job.parts[i].curvature;
      sum.separated = sum.separated && job.parts[i].separated;
      sum.margin = fmax(sum.margin, job.parts[i].margin);
    }
    *losses = sum;
  }
  ent_delete(job.parts);
  ent_delete(job.room);
  return status;
}

void ent_labels_gradient(const ent_labels *labels, size_t first, size_t rows, double *out) {
  size_t scores = labels->scores;
  for (size_t r = 0; r < rows; r++)
    for (size_t k = 0; k < scores; k++) {
      bool here = (size_t)labels->labels[first + r] == (scores == 1 ? 1 : k);
      out[k * rows + r] = labels->weights[first + r] * (labels->probability[(first + r) * scores + k] - here);
    }
}

/* Up to CURVE_ROWS rows side by side: their scores stand one behind the other in `change`, those of a row far apart. */
static void curve_some(const ent_labels *labels, size_t first, size_t count, size_t rows, double *change) {
  size_t scores = labels->scores;
  const double *p = labels->probability + first * scores, *weights = labels->weights + first;
  double mean[CURVE_ROWS] = {0};
  for (size_t k = 0; k < scores; k++)
    for (size_t r = 0; r < count; r++)
      mean[r] += p[r * scores + k] * change[k * rows + r];
  for (size_t k = 0; k < scores; k++)
    for (size_t r = 0; r < count; r++)
      change[k * rows + r] = weights[r] * p[r * scores + k] * (change[k * rows + r] - mean[r]);
}

void ent_labels_hessian(const ent_labels *labels, size_t first, size_t rows, double *change) {
  for (size_t r = 0; r < rows; r += CURVE_ROWS)
    curve_some(labels, first + r, rows - r < CURVE_ROWS ? rows - r : CURVE_ROWS, rows, change + r);
}

size_t ent_class_of(size_t classes, const double *scores) {
  if (classes == 2)
    return scores[0] > 0;
  size_t best = 0;
  for (size_t k = 1; k < classes; k++)
    if (scores[k] > scores[best])
      best = k;
  return best;
}
