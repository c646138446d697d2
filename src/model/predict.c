/* Prediction: rows are checked, brought to [0,1], lifted and summed up in blocks, on the context's threads. Nothing of
 * it depends on which rows share a block. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/threads.h"
#include "lift/lift.h"
#include "model/outputs.h"

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

typedef struct ent_prediction {
  const entropic_model *model;
  const ent_lift_rows *rows;
  const ent_outputs *out;
  bool scaled;  /* rows are in [0,1] already, and only scores are asked for */
  double *none; /* [scores] zeros: the offsets of all components but the main one */
  /* For each worker: */
  size_t block_rows;
  entropic_workspace **workspaces;  /* one for each component */
  double *values;                   /* block_rows x ent_model_width scaled values */
  double *scores;                   /* block_rows x scores */
  double *others;                   /* block_rows x scores of another component than the main one */
  double *room;                     /* block_rows x ent_outputs_room */
  double *sums;                     /* scores x ENT_TILE */
  entropic_data_warnings *warnings; /* of its rows */
} ent_prediction;

static entropic_status refuse(entropic_context *context, const ent_input *input, size_t row, size_t number,
                              double value) {
  char text[ENTROPIC_NUMBER_SIZE], shown[ENT_SHOW_SIZE];
  entropic_format_double(value, text);
  return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, input %zu ('%s'): found %s, expected %s", row + 1, number + 1,
                  ent_show(input->name, strlen(input->name), shown), text,
                  input->derived ? "its value by entropic_model_fill_means"
                  : input->categories > 0
                      ? "the code of a category, a whole number from 0 on, or nan for a missing value"
                      : "a finite number, or nan for a missing value");
}

/* Whether a value can be used: NaN is missing, unless the input is made of others; an infinite number is none; codes are whole and not negative. */
static bool is_usable(const ent_input *input, double value) {
  if (isnan(value))
    return !input->derived;
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

/* The scores of one component, with the offsets or, if they are NULL, without. */
static entropic_status score_component(entropic_context *context, ent_prediction *job, size_t number,
                                       const ent_lift_rows *of, int worker, const double *offsets, double *scores) {
  const ent_component *component = ent_model_component(job->model, number);
  size_t count = job->model->scores;
  if (component->lift == NULL) {
    ent_kernel_functions sums = {component->centres, component->features, component->weights, offsets, count};
    for (size_t r = 0; r < of->count; r += EXACT_ROWS) {
      size_t rows = of->count - r < EXACT_ROWS ? of->count - r : EXACT_ROWS;
      entropic_status status = ent_poll(context);
      if (status != ENTROPIC_OK)
        return status;
      ent_kernel_sums(component->kernel, &sums, of->x + r * of->stride, rows, of->stride, scores + r * count);
    }
    return ENTROPIC_OK;
  }
  entropic_workspace **workspace = &job->workspaces[(size_t)worker * ent_model_components(job->model) + number];
  if (*workspace == NULL) {
    entropic_status status = entropic_workspace_create(context, component->lift, workspace);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_lift_linear functions = {.weights = component->weights,
                               .offsets = offsets,
                               .count = count,
                               .sums = job->sums + (size_t)worker * count * ENT_TILE};
  return ent_lift_scores(context, component->lift, *workspace, of, &functions, scores);
}

/* The components' scores are added in their order. */
static entropic_status score_rows(entropic_context *context, ent_prediction *job, const ent_lift_rows *of, int worker,
                                  double *scores) {
  const entropic_model *model = job->model;
  size_t numbers = of->count * model->scores;
  double *others = job->others + (size_t)worker * job->block_rows * model->scores;
  entropic_status status = score_component(context, job, 0, of, worker, model->offsets, scores);
  for (size_t c = 1; c < ent_model_components(model) && status == ENTROPIC_OK; c++) {
    ent_lift_rows own = *of;
    own.x += c * model->schema.inputs;
    status = score_component(context, job, c, &own, worker, job->none, others);
    for (size_t i = 0; i < numbers && status == ENTROPIC_OK; i++)
      scores[i] += others[i];
  }
  return status;
}

static entropic_status predict_block(entropic_context *context, void *shared, size_t block, int worker) {
  ent_prediction *job = shared;
  const entropic_model *model = job->model;
  const ent_lift_rows *all = job->rows;
  size_t width = ent_model_width(model), first = block * BLOCK_ROWS, each = (size_t)worker * job->block_rows;
  ent_lift_rows own = {.x = all->x + first * all->stride, .stride = all->stride, .first = first};
  own.count = all->count - first < BLOCK_ROWS ? all->count - first : BLOCK_ROWS;
  if (job->scaled)
    return score_rows(context, job, &own, worker, job->out->scores + first * model->scores);
  entropic_status status = ent_model_check_rows(context, model, all->x, first, own.count, all->stride);
  if (status != ENTROPIC_OK)
    return status;
  double *scores = job->scores + each * model->scores;
  ent_lift_rows scaled = {.x = job->values + each * width, .count = own.count, .stride = width, .first = first};
  ent_model_scale(model, own.x, own.count, own.stride, job->values + each * width);
  if (ent_outputs_need_scores(job->out)) {
    status = score_rows(context, job, &scaled, worker, scores);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (job->out->more != NULL) {
    status = job->out->more->add(context, job->out->more->self, &scaled, worker);
    if (status != ENTROPIC_OK)
      return status;
  }
  double *room = job->room + each * ent_outputs_room(model);
  ent_outputs_fill(model, job->out, &own, scores, room, &job->warnings[worker]);
  return ENTROPIC_OK;
}

/* Few rows one after the other, without threads and mostly without allocating. *done: whether it did; if not, nothing is
 * wrong but a row has to be computed with care, or refused with a message. */
static entropic_status predict_few(entropic_context *context, ent_prediction *job, bool *done) {
  const entropic_model *model = job->model;
  const ent_lift_rows *all = job->rows;
  size_t inputs = model->schema.inputs, count = model->scores, lifting = ent_lift_row_room(model->main.lift);
  size_t numbers = inputs + count + ent_outputs_room(model) + lifting;
  ent_lift_linear functions = {.weights = model->main.weights, .offsets = model->offsets, .count = count};
  double few[FEW_NUMBERS], *more = NULL, *values = few;
  entropic_data_warnings warnings = {0};
  *done = false;
  if (numbers > FEW_NUMBERS) {
    values = more = ent_new(context, numbers, sizeof *more);
    if (more == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  double *scores = values + inputs, *room = scores + count, *lift_room = room + ent_outputs_room(model);
  bool usable = job->scaled || are_usable(model, all->x, all->count, all->stride);
  for (size_t r = 0; r < all->count && usable; r++) {
    const ent_lift_rows row = {.x = all->x + r * all->stride, .count = 1, .stride = all->stride, .first = r};
    if (!job->scaled)
      ent_scaler_fill(model->main.scaler, row.x, 1, all->stride, values);
    double *to = job->scaled ? job->out->scores + r * count : scores;
    usable = ent_lift_row(model->main.lift, job->scaled ? row.x : values, &functions, lift_room, to);
    if (usable && !job->scaled)
      ent_outputs_fill(model, job->out, &row, scores, room, &warnings);
  }
  ent_delete(more);
  *done = usable;
  if (usable && job->out->warnings != NULL)
    ent_data_warnings_add(&warnings, job->out->warnings);
  return ENTROPIC_OK;
}

/* An array of `each` doubles for each worker and row of a block. */
static double *new_room(entropic_context *context, size_t workers, size_t rows, size_t each) {
  size_t count;
  return ent_new(context, ent_multiply(workers * rows, each, &count) ? count : SIZE_MAX, sizeof(double));
}

static entropic_status predict_blocks(entropic_context *context, ent_prediction *job, size_t blocks, size_t workers) {
  const entropic_model *model = job->model;
  const ent_rows_work *work = job->out->more;
  size_t room = job->scaled ? 0 : workers;
  job->block_rows = job->rows->count < BLOCK_ROWS ? job->rows->count : BLOCK_ROWS;
  size_t more = model->more_count > 0 ? workers : 0;
  job->workspaces = ent_new_matrix(context, workers, ent_model_components(model), sizeof *job->workspaces);
  job->none = ent_new(context, model->scores, sizeof *job->none);
  job->others = new_room(context, more, job->block_rows, model->scores);
  job->values = new_room(context, room, job->block_rows, ent_model_width(model));
  job->scores = new_room(context, room, job->block_rows, model->scores);
  job->room = new_room(context, room, job->block_rows, ent_outputs_room(model));
  job->sums = new_room(context, workers, ENT_TILE, model->scores);
  job->warnings = ent_new(context, workers, sizeof *job->warnings);
  if (job->workspaces == NULL || job->none == NULL || job->others == NULL || job->values == NULL ||
      job->scores == NULL || job->room == NULL || job->sums == NULL || job->warnings == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = work == NULL ? ENTROPIC_OK : work->start(context, work->self, workers);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_parallel(context, blocks, predict_block, job);
  for (size_t i = 0; i < workers && status == ENTROPIC_OK && job->out->warnings != NULL; i++)
    ent_data_warnings_add(&job->warnings[i], job->out->warnings);
  return status;
}

static entropic_status run(entropic_context *context, void *arguments) {
  ent_prediction *job = arguments;
  size_t rows = job->rows->count;
  bool done = false;
  if (rows <= FEW_ROWS && job->model->main.lift != NULL && job->model->more_count == 0 && job->out->more == NULL) {
    entropic_status status = predict_few(context, job, &done);
    if (status != ENTROPIC_OK || done)
      return status;
  }
  size_t blocks = rows / BLOCK_ROWS + (rows % BLOCK_ROWS > 0), workers = (size_t)ent_workers(context, blocks);
  entropic_status status = predict_blocks(context, job, blocks, workers);
  for (size_t i = 0; job->workspaces != NULL && i < workers * ent_model_components(job->model); i++)
    entropic_workspace_free(job->workspaces[i]);
  ent_delete(job->workspaces);
  ent_delete(job->none);
  ent_delete(job->others);
  ent_delete(job->values);
  ent_delete(job->scores);
  ent_delete(job->room);
  ent_delete(job->sums);
  ent_delete(job->warnings);
  return status;
}

/* Whether a call could be over before anybody would cancel it. */
static bool is_short(const entropic_context *context, const entropic_model *model, size_t rows) {
  double each = (double)ent_model_features(model) * (double)model->scores + (double)model->schema.inputs;
  return context == NULL || context->callback == NULL || context->call != NULL || (double)rows * each < LEAST_WORK;
}

static entropic_status check_stride(entropic_context *context, const entropic_model *model, size_t stride) {
  if (stride >= model->schema.inputs)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stride: %zu is below the number of inputs, %zu", stride,
                  model->schema.inputs);
}

entropic_status ent_model_outputs(entropic_context *context, const entropic_model *model, const ent_lift_rows *rows,
                                  const ent_outputs *outputs) {
  ent_prediction job = {.model = model, .rows = rows, .out = outputs};
  entropic_status status = check_stride(context, model, rows->stride);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_outputs_check(context, model, outputs);
  if (status != ENTROPIC_OK)
    return status;
  /* Few rows are not worth a thread. */
  bool is_plain = outputs->more == NULL && is_short(context, model, rows->count);
  return is_plain ? run(context, &job) : ent_call_run(context, "predicting", run, &job);
}

entropic_status ent_model_scores(entropic_context *context, const entropic_model *model, const double *x, size_t rows,
                                 size_t stride, double *scores) {
  const ent_lift_rows own = {.x = x, .count = rows, .stride = stride};
  const ent_outputs out = {.scores = scores};
  ent_prediction job = {.model = model, .rows = &own, .out = &out, .scaled = true};
  return run(context, &job);
}

/* Predictions or probabilities alone, outputs->*where of so many numbers a row. If the call can be cancelled, they come into
 * memory of their own first, so that the caller's array keeps its values. */
static entropic_status predict_alone(entropic_context *context, const entropic_model *model, const ent_lift_rows *rows,
                                     ent_outputs *outputs, double **where, size_t width) {
  double *out = *where;
  if (is_short(context, model, rows->count))
    return ent_model_outputs(context, model, rows, outputs);
  *where = ent_new_matrix(context, rows->count, width, sizeof *out);
  if (*where == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_model_outputs(context, model, rows, outputs);
  if (status == ENTROPIC_OK)
    memcpy(out, *where, rows->count * width * sizeof *out);
  ent_delete(*where);
  return status;
}

entropic_status entropic_model_predict(entropic_context *context, const entropic_model *model, const double *x,
                                       size_t rows, size_t stride, double *predictions) {
  ENT_NEED(context, model);
  ENT_NEED(context, x);
  ENT_NEED(context, predictions);
  const ent_lift_rows own = {.x = x, .count = rows, .stride = stride};
  ent_outputs out = {.predictions = predictions};
  return predict_alone(context, model, &own, &out, &out.predictions, model->schema.targets);
}

entropic_status entropic_model_probabilities(entropic_context *context, const entropic_model *model, const double *x,
                                             size_t rows, size_t stride, double *probabilities) {
  ENT_NEED(context, model);
  ENT_NEED(context, x);
  ENT_NEED(context, probabilities);
  const ent_lift_rows own = {.x = x, .count = rows, .stride = stride};
  ent_outputs out = {.probabilities = probabilities};
  return predict_alone(context, model, &own, &out, &out.probabilities, model->schema.classes);
}
