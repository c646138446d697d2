/* Prediction: rows are checked, brought to [0,1], lifted and summed up in blocks, on the context's threads. Nothing of
 * it depends on which rows share a block. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/threads.h"
#include "solve/logistic.h"
#include "lift/lift.h"
#include "model/model.h"

/* Few enough to stay in the cache, a multiple of the lift's tile. */
#define BLOCK_ROWS ((size_t)8 * ENT_TILE)

/* Rows between two polls: a row takes as many kernel values as there are training rows. */
#define EXACT_ROWS ((size_t)8)

/* Rows that take less time one after the other than a tile does; and numbers on the stack, for models of some thousand
 * features. */
#define FEW_ROWS ((size_t)4)
#define FEW_NUMBERS ((size_t)4096)

/* Weights and inputs read: less of it takes less than 50 ms on any machine. */
#define LEAST_WORK 1e5

/* What is made of the scores of a row. */
typedef enum ent_answer { SCORES, PREDICTIONS, PROBABILITIES } ent_answer;

typedef struct ent_prediction {
  const entropic_model *model;
  ent_answer outcome;
  bool scaled; /* rows are in [0,1] already */
  bool open;   /* predictions may pass the bounds */
  const double *x;
  size_t rows, stride;
  double *out;
  /* For each worker: */
  size_t block_rows;
  entropic_workspace **workspaces;
  double *values; /* block_rows x inputs scaled values */
  double *scores; /* block_rows x scores */
  double *sums;   /* scores x ENT_TILE */
} ent_prediction;

size_t ent_model_decide(const entropic_model *model, const double *scores) {
  return ent_class_of(model->schema.classes, scores);
}

void ent_model_chances(const entropic_model *model, const double *scores, double *probabilities) {
  size_t classes = model->schema.classes, best = ent_model_decide(model, scores);
  if (classes == 2) {
    double score = model->inverse_temperature * scores[0];
    ent_probabilities(2, &score, probabilities);
  } else {
    /* Differences first: the inverse temperature times a score may be too large, where it does not matter. */
    for (size_t k = 0; k < classes; k++)
      probabilities[k] = scores[k] == scores[best] ? 0 : model->inverse_temperature * (scores[k] - scores[best]);
    ent_probabilities(classes, probabilities, probabilities);
  }
  /* Rounding may have made equal what is not: a class that comes earlier would then seem to be the likeliest. */
  double most = probabilities[best];
  for (size_t k = 0; k < best; k++)
    if (probabilities[k] >= most)
      probabilities[k] = nextafter(most, 0);
}

static entropic_status refuse(entropic_context *context, const ent_input *input, size_t row, size_t number,
                              double value) {
  char text[ENTROPIC_NUMBER_SIZE], shown[ENT_SHOW_SIZE];
  entropic_format_double(value, text);
  return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, input %zu ('%s'): found %s, expected %s", row + 1, number + 1,
                  ent_show(input->name, strlen(input->name), shown), text,
                  input->categories > 0 ? "the code of a category, a whole number from 0 on, or nan for a missing value"
                                        : "a finite number, or nan for a missing value");
}

/* Whether a value can be used: NaN is missing, an infinite number is none; codes are whole and not negative. */
static bool is_usable(const ent_input *input, double value) {
  if (isnan(value))
    return true;
  return isfinite(value) && (input->categories == 0 || (value >= 0 && value == floor(value)));
}

entropic_status ent_model_check_rows(entropic_context *context, const entropic_model *model, const double *x,
                                     size_t first, size_t rows, size_t stride) {
  const ent_schema *schema = &model->schema;
  for (size_t row = first; row < first + rows; row++)
    for (size_t i = 0; i < schema->inputs; i++) {
      double value = x[row * stride + i];
      if (!schema->input[i].unused && !is_usable(&schema->input[i], value))
        return refuse(context, &schema->input[i], row, i, value);
    }
  return ENTROPIC_OK;
}

static bool are_usable(const entropic_model *model, const double *x, size_t rows, size_t stride) {
  const ent_schema *schema = &model->schema;
  for (size_t row = 0; row < rows; row++)
    for (size_t i = 0; i < schema->inputs; i++)
      if (!schema->input[i].unused && !is_usable(&schema->input[i], x[row * stride + i]))
        return false;
  return true;
}

static entropic_status score_rows(entropic_context *context, ent_prediction *job, const ent_lift_rows *of, int worker,
                                  double *scores) {
  const entropic_model *model = job->model;
  if (model->lift == NULL) {
    ent_kernel_functions sums = {model->points, model->features, model->weights, model->offsets, model->scores};
    for (size_t r = 0; r < of->count; r += EXACT_ROWS) {
      size_t rows = of->count - r < EXACT_ROWS ? of->count - r : EXACT_ROWS;
      entropic_status status = ent_poll(context);
      if (status != ENTROPIC_OK)
        return status;
      ent_kernel_sums(model->kernel, &sums, of->x + r * of->stride, rows, of->stride, scores + r * model->scores);
    }
    return ENTROPIC_OK;
  }
  if (job->workspaces[worker] == NULL) {
    entropic_status status = entropic_workspace_create(context, model->lift, &job->workspaces[worker]);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_lift_linear functions = {.weights = model->weights,
                               .offsets = model->offsets,
                               .count = model->scores,
                               .sums = job->sums + (size_t)worker * model->scores * ENT_TILE};
  return ent_lift_scores(context, model->lift, job->workspaces[worker], of, &functions, scores);
}

size_t entropic_model_clamp(const entropic_model *model, double *predictions, size_t rows) {
  if (model == NULL || predictions == NULL)
    return 0;
  size_t targets = model->schema.targets, cut = 0;
  for (size_t i = 0; model->bounds != NULL && i < rows * targets; i++) {
    const double *bound = model->bounds + 2 * (i % targets);
    bool below = predictions[i]<bound[0], above = predictions[i]> bound[1];
    predictions[i] = below ? bound[0] : above ? bound[1] : predictions[i];
    cut += below || above;
  }
  return cut;
}

static void conclude(const ent_prediction *job, size_t first, size_t rows, const double *scores) {
  const entropic_model *model = job->model;
  size_t classes = model->schema.classes, count = model->scores;
  for (size_t r = 0; r < rows; r++) {
    const double *row = scores + r * count;
    if (job->outcome == SCORES)
      memcpy(job->out + (first + r) * count, row, count * sizeof *row);
    else if (job->outcome == PROBABILITIES)
      ent_model_chances(model, row, job->out + (first + r) * classes);
    else if (classes > 0)
      job->out[first + r] = (double)ent_model_decide(model, row);
    else
      for (size_t k = 0; k < count; k++)
        job->out[(first + r) * count + k] = row[k];
  }
  if (classes > 0 || job->outcome == SCORES)
    return;
  ent_target_transform_invert(&model->transform, rows * count, job->out + first * count);
  if (!job->open)
    entropic_model_clamp(model, job->out + first * count, rows);
}

static entropic_status predict_block(entropic_context *context, void *shared, size_t block, int worker) {
  ent_prediction *job = shared;
  size_t inputs = job->model->schema.inputs, first = block * BLOCK_ROWS;
  size_t rows = job->rows - first < BLOCK_ROWS ? job->rows - first : BLOCK_ROWS;
  const double *x = job->x + first * job->stride;
  ent_lift_rows of = {.x = x, .count = rows, .stride = job->stride, .first = first};
  if (job->scaled)
    return score_rows(context, job, &of, worker, job->out + first * job->model->scores);
  entropic_status status = ent_model_check_rows(context, job->model, job->x, first, rows, job->stride);
  if (status != ENTROPIC_OK)
    return status;
  double *values = job->values + (size_t)worker * job->block_rows * inputs;
  double *scores = job->scores + (size_t)worker * job->block_rows * job->model->scores;
  ent_scaler_fill(job->model->scaler, x, rows, job->stride, values);
  of.x = values;
  of.stride = inputs;
  status = score_rows(context, job, &of, worker, scores);
  if (status != ENTROPIC_OK)
    return status;
  conclude(job, first, rows, scores);
  return ENTROPIC_OK;
}

/* Few rows one after the other, without threads and mostly without allocating. *done: whether it did; if not, nothing is
 * wrong but a row has to be computed with care, or refused with a message. */
static entropic_status predict_few(entropic_context *context, ent_prediction *job, bool *done) {
  const entropic_model *model = job->model;
  size_t inputs = model->schema.inputs, count = model->scores, lifting = ent_lift_row_room(model->lift);
  ent_lift_linear functions = {.weights = model->weights, .offsets = model->offsets, .count = count};
  double few[FEW_NUMBERS], *more = NULL, *values = few;
  *done = false;
  if (inputs + count + lifting > FEW_NUMBERS) {
    values = more = ent_new(context, inputs + count + lifting, sizeof *more);
    if (more == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  double *scores = values + inputs, *room = scores + count;
  bool usable = job->scaled || are_usable(model, job->x, job->rows, job->stride);
  for (size_t r = 0; r < job->rows && usable; r++) {
    const double *x = job->x + r * job->stride;
    double *out = job->scaled ? job->out + r * count : scores;
    if (!job->scaled)
      ent_scaler_fill(model->scaler, x, 1, job->stride, values);
    usable = ent_lift_row(model->lift, job->scaled ? x : values, &functions, room, out);
    if (usable && !job->scaled)
      conclude(job, r, 1, scores);
  }
  ent_delete(more);
  *done = usable;
  return ENTROPIC_OK;
}

/* An array of `each` doubles for each worker and row of a block. */
static double *new_room(entropic_context *context, size_t workers, size_t rows, size_t each) {
  size_t count;
  return ent_new(context, ent_multiply(workers * rows, each, &count) ? count : SIZE_MAX, sizeof(double));
}

static entropic_status run(entropic_context *context, void *arguments) {
  ent_prediction *job = arguments;
  const entropic_model *model = job->model;
  bool done = false;
  if (job->rows <= FEW_ROWS && model->lift != NULL) {
    entropic_status status = predict_few(context, job, &done);
    if (status != ENTROPIC_OK || done)
      return status;
  }
  size_t blocks = job->rows / BLOCK_ROWS + (job->rows % BLOCK_ROWS > 0);
  size_t workers = (size_t)ent_workers(context, blocks), room = job->scaled ? 0 : workers;
  job->block_rows = job->rows < BLOCK_ROWS ? job->rows : BLOCK_ROWS;
  job->workspaces = ent_new(context, workers, sizeof *job->workspaces);
  job->values = new_room(context, room, job->block_rows, model->schema.inputs);
  job->scores = new_room(context, room, job->block_rows, model->scores);
  job->sums = new_room(context, workers, ENT_TILE, model->scores);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (job->workspaces != NULL && job->values != NULL && job->scores != NULL && job->sums != NULL)
    status = ent_parallel(context, blocks, predict_block, job);
  for (size_t i = 0; job->workspaces != NULL && i < workers; i++)
    entropic_workspace_free(job->workspaces[i]);
  ent_delete(job->workspaces);
  ent_delete(job->values);
  ent_delete(job->scores);
  ent_delete(job->sums);
  return status;
}

/* Predicts as a long call. If it can be cancelled, the answers come into memory of their own first. Few rows are not
 * worth a thread. */
static entropic_status predict(entropic_context *context, ent_prediction *job) {
  const entropic_model *model = job->model;
  if (job->stride < model->schema.inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stride: %zu is below the number of inputs, %zu", job->stride,
                    model->schema.inputs);
  size_t classes = model->schema.classes, width = job->outcome == PROBABILITIES ? classes : model->scores;
  if (classes > 0 && job->outcome == PREDICTIONS)
    width = 1;
  double work = (double)job->rows * ((double)model->features * (double)model->scores + (double)model->schema.inputs);
  if (context == NULL || context->callback == NULL || context->call != NULL || work < LEAST_WORK)
    return run(context, job);
  double *out = job->out;
  job->out = ent_new_matrix(context, job->rows, width, sizeof *out);
  if (job->out == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_call_run(context, "predicting", run, job);
  if (status != ENTROPIC_OK)
    goto done;
  memcpy(out, job->out, job->rows * width * sizeof *out);
done:
  ent_delete(job->out);
  return status;
}

entropic_status ent_model_scores(entropic_context *context, const entropic_model *model, const double *x, size_t rows,
                                 size_t stride, double *scores) {
  ent_prediction job = {
      .model = model, .outcome = SCORES, .scaled = true, .x = x, .rows = rows, .stride = stride, .out = scores};
  return run(context, &job);
}

entropic_status entropic_model_predict(entropic_context *context, const entropic_model *model, const double *x,
                                       size_t rows, size_t stride, double *predictions) {
  ENT_NEED(context, model);
  ENT_NEED(context, x);
  ENT_NEED(context, predictions);
  ent_prediction job = {
      .model = model, .outcome = PREDICTIONS, .x = x, .rows = rows, .stride = stride, .out = predictions};
  return predict(context, &job);
}

entropic_status entropic_model_predict_open(entropic_context *context, const entropic_model *model, const double *x,
                                            size_t rows, size_t stride, double *predictions) {
  ENT_NEED(context, model);
  ENT_NEED(context, x);
  ENT_NEED(context, predictions);
  ent_prediction job = {
      .model = model, .outcome = PREDICTIONS, .open = true, .x = x, .rows = rows, .stride = stride, .out = predictions};
  return predict(context, &job);
}

entropic_status entropic_model_probabilities(entropic_context *context, const entropic_model *model, const double *x,
                                             size_t rows, size_t stride, double *probabilities) {
  ENT_NEED(context, model);
  ENT_NEED(context, x);
  ENT_NEED(context, probabilities);
  if (model->schema.classes == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the model predicts numbers and knows no classes");
  ent_prediction job = {
      .model = model, .outcome = PROBABILITIES, .x = x, .rows = rows, .stride = stride, .out = probabilities};
  return predict(context, &job);
}

entropic_status entropic_model_scores(entropic_context *context, const entropic_model *model, const double *x,
                                      size_t rows, size_t stride, double *scores) {
  ENT_NEED(context, model);
  ENT_NEED(context, x);
  ENT_NEED(context, scores);
  ent_prediction job = {.model = model, .outcome = SCORES, .x = x, .rows = rows, .stride = stride, .out = scores};
  return predict(context, &job);
}

/* Whether a number lies beyond those of the training rows; unscaled, beyond [0,1]. */
static bool is_outside(const ent_scale *scale, double value) {
  return scale->knots == 0 ? value < 0 || value > 1 : value < scale->at[0] || value > scale->at[scale->knots - 1];
}

/* Whether no input before this one comes from the same column, of those in use: a value that is missing counts once. */
static bool is_first_of_column(const ent_schema *schema, size_t input) {
  for (size_t whole = ent_schema_whole(schema, input); input > whole; input--)
    if (!schema->input[input - 1].unused)
      return false;
  return true;
}

void ent_model_count_data_warnings(const entropic_model *model, const double *x, size_t rows, size_t stride,
                                   entropic_data_warnings *warnings) {
  const ent_schema *schema = &model->schema;
  for (size_t row = 0; row < rows; row++)
    for (size_t i = 0; i < schema->inputs; i++) {
      double value = x[row * stride + i];
      if (schema->input[i].unused)
        continue;
      if (isnan(value))
        warnings->missing += is_first_of_column(schema, i);
      else if (schema->input[i].categories > 0)
        warnings->unseen += !(value >= 0 && value < (double)schema->input[i].categories);
      else if (is_outside(&model->scaler->scales[i], value)) {
        warnings->outside++;
        warnings->continued += model->scaler->scales[i].beyond;
      }
    }
}
