/* Losses, gradients and Hessians of rows: see loss.h. */
#include "solve/loss.h"

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "solve/logistic.h"

#define CHUNK_ROWS ((size_t)2048)
#define HESSIAN_ROWS ((size_t)8) /* the doubles of a cache line */

void ent_labels_free(ent_labels *labels) {
  if (labels == NULL)
    return;
  ent_delete(labels->labels);
  ent_delete(labels->weights);
  ent_delete(labels->score);
  ent_delete(labels->probability);
  ent_delete(labels->direction);
  ent_delete(labels);
}

/* Labels while they are read. */
typedef struct ent_label_reader {
  ent_labels *labels;
  size_t label_capacity, weight_capacity;
  double *counts; /* [classes] sums of the weights */
} ent_label_reader;

/* Appends the classes and weights of a block. */
static entropic_status add_labels(entropic_context *context, void *shared, const ent_block *block) {
  ent_label_reader *reader = shared;
  ent_labels *made = reader->labels;
  size_t rows = made->rows + block->rows;
  if (!ent_reserve(context, &made->labels, &reader->label_capacity, rows, sizeof *made->labels))
    return ENTROPIC_NO_MEMORY;
  if (!ent_reserve(context, &made->weights, &reader->weight_capacity, rows, sizeof *made->weights))
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < block->rows; r++, made->rows++) {
    double label = block->y[r * block->y_stride], weight = ent_weight(block, r);
    if (!(label >= 0 && label < (double)made->classes && label == floor(label)))
      return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu: the class %g; expected a whole number below %zu",
                      block->first + r + 1, label, made->classes);
    made->labels[made->rows] = (int32_t)label;
    made->weights[made->rows] = weight;
    reader->counts[(size_t)label] += weight;
    made->weight += weight;
  }
  return ENTROPIC_OK;
}

static entropic_status check_counts(entropic_context *context, const ent_labels *labels, const double *counts) {
  for (size_t k = 0; k < labels->classes; k++)
    if (!(counts[k] > 0))
      return ent_fail(context, ENTROPIC_BAD_DATA, "class %zu has no rows", k + 1);
  if (!isfinite(labels->weight))
    return ent_fail(context, ENTROPIC_BAD_DATA, "the weights of the rows sum to %g", labels->weight);
  return ENTROPIC_OK;
}

entropic_status ent_labels_create(entropic_context *context, const ent_rows *rows, size_t classes,
                                  ent_labels **labels) {
  if (classes < 2 || classes > INT32_MAX || rows->targets != 1)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%zu classes in %zu targets; expected at least 2 in 1", classes,
                    rows->targets);
  entropic_status status = ENTROPIC_NO_MEMORY;
  ent_labels *made = ent_new(context, 1, sizeof *made);
  double *counts = ent_new(context, classes, sizeof *counts);
  if (made == NULL || counts == NULL)
    goto done;
  made->classes = classes;
  made->scores = ent_class_scores(classes);
  ent_label_reader reader = {.labels = made, .counts = counts};
  status = ent_rows_each(context, rows, 4096, add_labels, &reader);
  if (status != ENTROPIC_OK)
    goto done;
  status = check_counts(context, made, counts);
  if (status != ENTROPIC_OK)
    goto done;
  made->score = ent_new_matrix(context, made->rows, made->scores, sizeof *made->score);
  made->probability = ent_new_matrix(context, made->rows, made->scores, sizeof *made->probability);
  made->direction = ent_new_matrix(context, made->rows, made->scores, sizeof *made->direction);
  status = ENTROPIC_NO_MEMORY;
  if (made->score == NULL || made->probability == NULL || made->direction == NULL)
    goto done;
  status = ENTROPIC_OK;
  *labels = made;
  made = NULL;
done:
  ent_labels_free(made);
  ent_delete(counts);
  return status;
}

/* The loss of one row; its margin; its probabilities into p[scores]. */
static double row_loss(const ent_labels *labels, size_t row, const double *scores, double *p, double *margin) {
  size_t classes = labels->classes, label = (size_t)labels->labels[row];
  if (labels->scores == 1) {
    *margin = label == 1 ? scores[0] : -scores[0];
    double rest = exp(-fabs(*margin));
    p[0] = scores[0] < 0 ? rest / (1 + rest) : 1 / (1 + rest);
    return log1p(rest) + (*margin < 0 ? -*margin : 0);
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
  /* If the right class has the largest score, the sum is 1 plus a small rest: log1p of the rest is accurate. */
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
  ent_losses *chunks; /* the sums of each chunk of rows */
  double *scratch;    /* 2 * scores for each worker */
} ent_loss_job;

static entropic_status chunk_losses(entropic_context *context, void *shared, size_t chunk, int worker) {
  (void)context;
  ent_loss_job *job = shared;
  ent_labels *labels = job->labels;
  size_t scores = labels->scores, end = (chunk + 1) * CHUNK_ROWS;
  double *at = job->scratch + (size_t)worker * 2 * scores, *p = at + scores;
  ent_losses sum = {.separated = true, .margin = -INFINITY};
  for (size_t r = chunk * CHUNK_ROWS; r < end && r < labels->rows; r++) {
    double margin, weight = labels->weights[r], curvature = 0;
    for (size_t k = 0; k < scores; k++)
      at[k] = labels->score[r * scores + k] + job->step * labels->direction[r * scores + k];
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
  job->chunks[chunk] = sum;
  return ENTROPIC_OK;
}

static ent_losses sum_chunks(const ent_losses *chunks, size_t count) {
  ent_losses sum = {.separated = true, .margin = -INFINITY};
  for (size_t i = 0; i < count; i++) {
    sum.loss += chunks[i].loss;
    sum.curvature += chunks[i].curvature;
    sum.separated = sum.separated && chunks[i].separated;
    sum.margin = fmax(sum.margin, chunks[i].margin);
  }
  return sum;
}

entropic_status ent_labels_losses(entropic_context *context, ent_labels *labels, double step, ent_losses *losses) {
  size_t chunks = labels->rows / CHUNK_ROWS + (labels->rows % CHUNK_ROWS > 0);
  size_t workers = (size_t)ent_workers(context, chunks);
  ent_loss_job job = {.labels = labels, .step = step};
  job.chunks = ent_new(context, chunks, sizeof *job.chunks);
  job.scratch = ent_new(context, workers * 2 * labels->scores, sizeof *job.scratch);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (job.chunks == NULL || job.scratch == NULL)
    goto done;
  status = ent_parallel(context, chunks, chunk_losses, &job);
  if (status != ENTROPIC_OK)
    goto done;
  *losses = sum_chunks(job.chunks, chunks);
done:
  ent_delete(job.chunks);
  ent_delete(job.scratch);
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

/* Up to HESSIAN_ROWS rows at once: in v, neighbouring rows of one score are contiguous, the scores of one row are
 * not. */
static void multiply_rows(const ent_labels *labels, size_t first, size_t count, size_t rows, double *v) {
  size_t scores = labels->scores;
  const double *p = labels->probability + first * scores, *weights = labels->weights + first;
  double mean[HESSIAN_ROWS] = {0};
  for (size_t k = 0; k < scores; k++)
    for (size_t r = 0; r < count; r++)
      mean[r] += p[r * scores + k] * v[k * rows + r];
  for (size_t k = 0; k < scores; k++)
    for (size_t r = 0; r < count; r++)
      v[k * rows + r] = weights[r] * p[r * scores + k] * (v[k * rows + r] - mean[r]);
}

void ent_labels_hessian(const ent_labels *labels, size_t first, size_t rows, double *v) {
  for (size_t r = 0; r < rows; r += HESSIAN_ROWS)
    multiply_rows(labels, first + r, rows - r < HESSIAN_ROWS ? rows - r : HESSIAN_ROWS, rows, v + r);
}
