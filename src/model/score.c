/* Scoring a model on the rows of a file. */
#include <math.h>
#include <string.h>

#include "base/progress.h"
#include "loss/loss.h"
#include "model/interval_score.h"
#include "model/metrics.h"
#include "model/outputs.h"
#include "model/row_reader.h"

#define ENT_SCORE_ROWS 4096
/* A block has fewer rows if they are very long. */
#define ENT_SCORE_VALUES 4194304

/* A block of rows, and all that is known of it. */
typedef struct ent_model_scoring {
  size_t capacity, rows;
  double *x, *y, *weights, *predicted;
  size_t with_target, without_target; /* of all rows so far */
  const ent_loss *loss;               /* of numbers, which validation measures besides squares; or NULL */
  double losses;                      /* the weighted sum of it */
  ent_interval_score_sums intervals;
} ent_model_scoring;

static void close_scoring(ent_model_scoring *scoring) {
  ent_delete(scoring->x);
  ent_delete(scoring->y);
  ent_delete(scoring->weights);
  ent_delete(scoring->predicted);
}

static entropic_status open_scoring(entropic_context *context, const ent_schema *schema, ent_model_scoring *scoring) {
  size_t out = ent_schema_has_classes(schema) ? schema->classes : schema->targets, most = ENT_SCORE_VALUES;
  size_t wide = schema->inputs > out ? schema->inputs : out, rows = wide < most ? most / wide : 1;
  rows = rows > ENT_SCORE_ROWS ? ENT_SCORE_ROWS : rows;
  /* Products stay small: a row that is longer than the limit comes alone. */
  *scoring = (ent_model_scoring){.capacity = rows,
                                 .x = ent_new(context, rows * schema->inputs, sizeof *scoring->x),
                                 .y = ent_new(context, rows * schema->targets, sizeof *scoring->y),
                                 .weights = ent_new(context, rows, sizeof *scoring->weights),
                                 .predicted = ent_new(context, rows * out, sizeof *scoring->predicted)};
  return scoring->x == NULL || scoring->y == NULL || scoring->weights == NULL || scoring->predicted == NULL
             ? ENTROPIC_NO_MEMORY
             : ENTROPIC_OK;
}

/* Moves the rows that count to the front. */
static void keep_rows(const ent_schema *schema, ent_model_scoring *scoring, size_t rows) {
  size_t kept = 0, inputs = schema->inputs, targets = schema->targets;
  for (size_t row = 0; row < rows; row++) {
    bool there = true;
    for (size_t i = 0; i < targets; i++)
      there = there && !isnan(scoring->y[row * targets + i]);
    scoring->with_target += there;
    scoring->without_target += !there;
    if (!there || scoring->weights[row] == 0)
      continue;
    if (kept < row) {
      memcpy(scoring->x + kept * inputs, scoring->x + row * inputs, inputs * sizeof *scoring->x);
      memcpy(scoring->y + kept * targets, scoring->y + row * targets, targets * sizeof *scoring->y);
      scoring->weights[kept] = scoring->weights[row];
    }
    kept++;
  }
  scoring->rows = kept;
}

/* The sum over the block, as validation measures it. */
static double sum_losses(const entropic_model *model, const ent_model_scoring *scoring) {
  size_t targets = model->schema.targets;
  double sum = 0;
  for (size_t i = 0; scoring->loss != NULL && i < scoring->rows * targets; i++)
    sum += scoring->weights[i / targets] / (double)targets *
           ent_loss_deviance(scoring->loss, scoring->y[i], scoring->predicted[i], model->loss_parameter);
  return sum;
}

/* Predicts the block and measures how good that is. */
static entropic_status score_block(entropic_context *context, const entropic_model *model, ent_model_scoring *scoring,
                                   ent_metrics *metrics, entropic_data_warnings *warnings) {
  const ent_schema *schema = &model->schema;
  const ent_lift_rows own = {.x = scoring->x, .count = scoring->rows, .stride = schema->inputs};
  const ent_outputs out = {.predictions = ent_schema_has_classes(schema) ? NULL : scoring->predicted,
                           .probabilities = ent_schema_has_classes(schema) ? scoring->predicted : NULL,
                           .open = true,
                           .warnings = warnings};
  entropic_status status = ent_model_outputs(context, model, &own, &out);
  if (status != ENTROPIC_OK)
    return status;
  const ent_scored_rows rows = {scoring->rows, scoring->x, scoring->y, scoring->weights, scoring->predicted};
  ent_interval_score_add(model, &rows, &scoring->intervals);
  warnings->clamped += ent_model_clamp(model, scoring->predicted, scoring->rows);
  scoring->losses += sum_losses(model, scoring);
  return ent_metrics_add(context, metrics, scoring->y, scoring->predicted, scoring->weights, scoring->rows);
}

static entropic_status check(entropic_context *context, const entropic_model *model, const entropic_row_reader *reader,
                             const ent_score_figures *scores) {
  if (model == NULL || reader == NULL || scores == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL",
                    model == NULL    ? "model"
                    : reader == NULL ? "reader"
                                     : "scores");
  const ent_schema *schema = &model->schema, *other = &reader->schema;
  if (schema->inputs != other->inputs || schema->targets != other->targets || schema->classes != other->classes)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the reader was opened for another model");
  return reader->with_targets ? ENTROPIC_OK
                              : ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the reader was opened without targets");
}

/* The arguments of ent_model_score_at, and what it gives. */
typedef struct ent_score_call {
  const entropic_model *model;
  entropic_row_reader *reader;
  entropic_data_warnings warnings;
  ent_score_figures scores;
} ent_score_call;

/* Reads all rows into the metrics. */
static entropic_status score_rows(entropic_context *context, ent_score_call *call, ent_model_scoring *scoring,
                                  ent_metrics *metrics) {
  const entropic_model *model = call->model;
  bool any = false;
  for (size_t rows = 1; rows > 0;) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    status = entropic_row_reader_next(context, call->reader, scoring->capacity, scoring->x, scoring->y,
                                      scoring->weights, &rows);
    if (status != ENTROPIC_OK)
      return status;
    keep_rows(&model->schema, scoring, rows);
    any = any || scoring->rows > 0;
    if (scoring->rows > 0)
      status = score_block(context, model, scoring, metrics, &call->warnings);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (!any)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: of %zu rows none has a target and a weight above 0",
                    call->reader->source->columns.file, call->reader->source->row);
  return ENTROPIC_OK;
}

static entropic_status score_model(entropic_context *context, void *arguments) {
  ent_score_call *call = arguments;
  const ent_schema *schema = &call->model->schema;
  ent_metrics *metrics = NULL;
  ent_model_scoring scoring;
  double level = call->scores.level;
  entropic_status status = open_scoring(context, schema, &scoring);
  if (status != ENTROPIC_OK)
    goto done;
  scoring.intervals.level = level;
  if (!ent_schema_has_classes(schema) && !ent_loss_has(call->model->loss, ENT_LOSS_STATISTICS))
    scoring.loss = ent_loss_of(call->model->loss);
  status = ent_metrics_create(context, schema->targets, schema->classes, &metrics);
  if (status != ENTROPIC_OK)
    goto done;
  status = score_rows(context, call, &scoring, metrics);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_metrics_finish(context, metrics, &call->scores);
  if (status == ENTROPIC_OK && scoring.loss != NULL)
    call->scores.loss = scoring.losses / call->scores.weight;
  call->scores.rows = scoring.with_target;
  call->scores.without_target = scoring.without_target;
  ent_interval_score_finish(&scoring.intervals, &call->scores);
done:
  ent_metrics_free(metrics);
  close_scoring(&scoring);
  return status;
}

entropic_status ent_model_score_at(entropic_context *context, const entropic_model *model, entropic_row_reader *reader,
                                   entropic_data_warnings *warnings, ent_score_figures *scores) {
  entropic_status status = check(context, model, reader, scores);
  if (status != ENTROPIC_OK)
    return status;
  if (scores->level != 0)
    status = ent_interval_check_level(context, model, scores->level);
  if (status != ENTROPIC_OK)
    return status;
  ent_score_call call = {.model = model, .reader = reader, .scores.level = scores->level};
  status = ent_call_run(context, "scoring", score_model, &call);
  if (status != ENTROPIC_OK)
    return status;
  *scores = call.scores;
  if (warnings != NULL)
    ent_data_warnings_add(&call.warnings, warnings);
  return ENTROPIC_OK;
}
