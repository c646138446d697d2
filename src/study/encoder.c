/* Training an auto-encoder, and using it.
 *
 * A minibatch takes two steps. First its rows, cut into shards, go forwards and backwards through the network. Then each
 * tile of the parameters takes a step along its gradient over the minibatch. Shards and tiles run in parallel; how they are
 * cut does not depend on the threads. Only the errors of shards are summed across them, in order. */
#include "study/encoder.h"

#include <math.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "study/network.h"
#include "study/pca.h"

#define SHARD ((size_t)64) /* rows; wide enough for BLAS, and a minibatch has work for several threads */
#define MOST_BATCH ((size_t)65536)
#define MOST_WIDTH ((size_t)65536)

/* Adam's usual constants. */
#define BETA1 0.9
#define BETA2 0.999
#define EPSILON 1e-8

struct ent_encoder {
  size_t inputs, code;
  ent_network *network;
  double training_error;
};

typedef struct ent_training {
  ent_encoder_options options;
  ent_network *network;
  ent_states *states;
  const float *x;
  size_t rows;
  const size_t *subset;   /* the rows of the minibatch at hand */
  size_t columns;         /* how many */
  double *errors;         /* of each shard */
  double *first, *second; /* Adam's moments, for each parameter */
  double rate, epsilon;   /* of this step */
  double **gradients;     /* of a tile, for each worker */
  size_t workers;
} ent_training;

ent_encoder_options ent_encoder_options_default(void) {
  return (ent_encoder_options){
      .hidden = {256}, .hidden_count = 1, .code = 32, .epochs = 25, .batch = 256, .rate = 2e-3, .seed = 1};
}

/* A size option and its range. */
typedef struct ent_encoder_size {
  const char *name;
  size_t value, least, most;
} ent_encoder_size;

static entropic_status check_size(entropic_context *context, const ent_encoder_size *size) {
  if (size->value >= size->least && size->value <= size->most)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is %zu, expected %zu to %zu", size->name, size->value,
                  size->least, size->most);
}

static entropic_status check_options(entropic_context *context, const ent_encoder_options *options, size_t rows,
                                     size_t inputs) {
  const ent_encoder_size sizes[] = {{"rows", rows, 1, SIZE_MAX},
                                    {"inputs", inputs, 1, MOST_WIDTH},
                                    {"hidden_count", options->hidden_count, 0, ENT_ENCODER_HIDDEN_MOST},
                                    {"code", options->code, 1, MOST_WIDTH},
                                    {"epochs", options->epochs, 1, 1000000},
                                    {"batch", options->batch, 1, MOST_BATCH}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    entropic_status status = check_size(context, &sizes[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (size_t i = 0; i < options->hidden_count; i++) {
    entropic_status status = check_size(context, &(ent_encoder_size){"hidden", options->hidden[i], 1, MOST_WIDTH});
    if (status != ENTROPIC_OK)
      return status;
  }
  if (!(options->rate > 0 && isfinite(options->rate)))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "rate is %g, expected a finite number above 0", options->rate);
  return ENTROPIC_OK;
}

static entropic_status check_values(entropic_context *context, const float *x, size_t rows, size_t inputs) {
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < inputs; i++)
      if (!(x[r * inputs + i] >= 0 && x[r * inputs + i] <= 1))
        return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, input %zu: found %g, expected a number from 0 to 1",
                        r + 1, i + 1, (double)x[r * inputs + i]);
  return ENTROPIC_OK;
}

/* A row into a column of the first state. */
static void place(ent_states *states, size_t column, const float *x, size_t inputs) {
  double *to = states->values[0] + column * (inputs + 1) + 1;
  for (size_t i = 0; i < inputs; i++)
    to[i] = (double)x[i];
}

static size_t shards_of(size_t rows) {
  return rows / SHARD + (rows % SHARD > 0);
}

static size_t shard_rows(size_t shard, size_t rows) {
  size_t left = rows - shard * SHARD;
  return left < SHARD ? left : SHARD;
}

static entropic_status run_shard(entropic_context *context, void *shared, size_t shard, int worker) {
  (void)context, (void)worker;
  ent_training *t = shared;
  size_t first = shard * SHARD, count = shard_rows(shard, t->columns), inputs = t->network->layers[0].inputs;
  for (size_t c = first; c < first + count; c++)
    place(t->states, c, t->x + t->subset[c] * inputs, inputs);
  ent_network_forward(t->network, t->states, 0, t->network->count, first, count);
  t->errors[shard] = ent_network_backward(t->network, t->states, first, count, 1 / (double)t->columns);
  return ENTROPIC_OK;
}

static entropic_status move_tile(entropic_context *context, void *shared, size_t tile, int worker) {
  (void)context;
  ent_training *t = shared;
  size_t count;
  double *gradient = t->gradients[worker];
  size_t at = ent_network_gradient(t->network, t->states, t->columns, tile, gradient, &count);
  double *first = t->first + at, *second = t->second + at, *values = t->network->values + at;
  const double rate = t->rate, epsilon = t->epsilon;
  for (size_t i = 0; i < count; i++) {
    first[i] = BETA1 * first[i] + (1 - BETA1) * gradient[i];
    second[i] = BETA2 * second[i] + (1 - BETA2) * (gradient[i] * gradient[i]);
    values[i] -= rate * first[i] / (sqrt(second[i]) + epsilon);
  }
  return ENTROPIC_OK;
}

static void training_free(ent_training *t) {
  ent_states_free(t->states);
  for (size_t i = 0; t->gradients != NULL && i < t->workers; i++)
    ent_delete(t->gradients[i]);
  ent_delete(t->gradients);
  ent_delete(t->errors);
  ent_delete(t->first);
  ent_delete(t->second);
}

static entropic_status training_start(entropic_context *context, ent_training *t) {
  const ent_network *network = t->network;
  size_t batch = t->options.batch < t->rows ? t->options.batch : t->rows;
  t->workers = (size_t)ent_workers(context, network->tiles);
  t->errors = ent_new(context, shards_of(batch), sizeof *t->errors);
  t->first = ent_new(context, network->parameters, sizeof *t->first);
  t->second = ent_new(context, network->parameters, sizeof *t->second);
  t->gradients = ent_new(context, t->workers, sizeof *t->gradients);
  if (t->errors == NULL || t->first == NULL || t->second == NULL || t->gradients == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < t->workers; i++) {
    t->gradients[i] = ent_new(context, network->tile_values, sizeof *t->gradients[i]);
    if (t->gradients[i] == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  return ent_states_create(context, network, batch, true, &t->states);
}

/* One step of Adam, the step-th of `steps`, counted from 0; its errors are added to *error. */
static entropic_status run_batch(entropic_context *context, ent_training *t, size_t step, size_t steps, double *error) {
  double passed = (double)step + 1, second = 1 - pow(BETA2, passed);
  t->rate = t->options.rate * (1 - (double)step / (double)steps) * sqrt(second) / (1 - pow(BETA1, passed));
  t->epsilon = EPSILON * sqrt(second);
  size_t shards = shards_of(t->columns);
  entropic_status status = ent_parallel(context, shards, run_shard, t);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_parallel(context, t->network->tiles, move_tile, t);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t s = 0; s < shards; s++)
    *error += t->errors[s];
  return ENTROPIC_OK;
}

/* All epochs; *error is the mean square of the last. */
static entropic_status run_epochs(entropic_context *context, ent_training *t, size_t *order, double *error) {
  size_t batch = t->options.batch, batches = t->rows / batch + (t->rows % batch > 0);
  size_t steps = t->options.epochs * batches;
  for (size_t epoch = 0; epoch < t->options.epochs; epoch++) {
    entropic_random random = entropic_random_start(t->options.seed, 1 + epoch);
    entropic_random_permutation(&random, t->rows, order);
    *error = 0;
    for (size_t b = 0; b < batches; b++) {
      size_t left = t->rows - b * batch, step = epoch * batches + b;
      t->subset = order + b * batch;
      t->columns = left < batch ? left : batch;
      ent_progress_at(context, "auto-encoder", step, steps);
      entropic_status status = run_batch(context, t, step, steps, error);
      if (status != ENTROPIC_OK)
        return status;
    }
    *error /= (double)t->rows * (double)t->network->layers[0].inputs;
    if (!isfinite(*error))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                      "rate is %g, expected less: the parameters left the range of a double in epoch %zu",
                      t->options.rate, epoch + 1);
  }
  return ENTROPIC_OK;
}

/* inputs, hidden layers, code, hidden layers in reverse, inputs. */
static entropic_status make_network(entropic_context *context, const ent_encoder_options *options, size_t inputs,
                                    ent_network **network) {
  size_t hidden = options->hidden_count, count = 2 * hidden + 2, widths[2 * ENT_ENCODER_HIDDEN_MOST + 3];
  bool rectified[2 * ENT_ENCODER_HIDDEN_MOST + 2];
  widths[0] = widths[count] = inputs;
  widths[hidden + 1] = options->code;
  for (size_t i = 0; i < hidden; i++)
    widths[i + 1] = widths[count - 1 - i] = options->hidden[i];
  for (size_t l = 0; l < count; l++)
    rectified[l] = l != hidden && l + 1 != count;
  return ent_network_create(context, widths, rectified, count, options->seed, network);
}

void ent_encoder_free(ent_encoder *encoder) {
  if (encoder == NULL)
    return;
  ent_network_free(encoder->network);
  ent_delete(encoder);
}

double ent_encoder_training_error(const ent_encoder *encoder) {
  return encoder->training_error;
}

/* A pass of rows through a trained network. */
typedef struct ent_passage {
  const ent_encoder *encoder;
  const float *x;
  size_t rows;
  size_t layers;       /* up to the code, or all */
  double *out;         /* rows x width of the last of these, or NULL */
  double *errors;      /* of each shard, or NULL */
  ent_states **states; /* for each worker */
} ent_passage;

static entropic_status pass_shard(entropic_context *context, void *shared, size_t shard, int worker) {
  ent_passage *p = shared;
  const ent_network *network = p->encoder->network;
  size_t first = shard * SHARD, count = shard_rows(shard, p->rows), inputs = p->encoder->inputs;
  size_t width = network->layers[p->layers - 1].outputs;
  if (p->states[worker] == NULL) {
    entropic_status status = ent_states_create(context, network, SHARD, false, &p->states[worker]);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_states *states = p->states[worker];
  for (size_t c = 0; c < count; c++)
    place(states, c, p->x + (first + c) * inputs, inputs);
  ent_network_forward(network, states, 0, p->layers, 0, count);
  double error = 0;
  for (size_t c = 0; c < count; c++) {
    const double *values = states->values[p->layers] + c * (width + 1) + 1;
    for (size_t i = 0; i < width && p->out != NULL; i++)
      p->out[(first + c) * width + i] = values[i];
    for (size_t i = 0; i < width && p->errors != NULL; i++) {
      double apart = values[i] - (double)p->x[(first + c) * inputs + i];
      error += apart * apart;
    }
  }
  if (p->errors != NULL)
    p->errors[shard] = error;
  return ENTROPIC_OK;
}

static entropic_status pass(entropic_context *context, ent_passage *p) {
  size_t shards = shards_of(p->rows), workers = (size_t)ent_workers(context, shards);
  entropic_status status = check_values(context, p->x, p->rows, p->encoder->inputs);
  if (status != ENTROPIC_OK)
    return status;
  p->states = ent_new(context, workers, sizeof *p->states);
  if (p->states == NULL)
    return ENTROPIC_NO_MEMORY;
  status = ent_parallel(context, shards, pass_shard, p);
  for (size_t i = 0; i < workers; i++)
    ent_states_free(p->states[i]);
  ent_delete(p->states);
  return status;
}

entropic_status ent_encoder_codes(entropic_context *context, const ent_encoder *encoder, const float *x, size_t rows,
                                  double *codes) {
  ent_passage passage = {.encoder = encoder, .x = x, .rows = rows, .layers = encoder->network->count / 2, .out = codes};
  return pass(context, &passage);
}

entropic_status ent_encoder_reconstruct(entropic_context *context, const ent_encoder *encoder, const float *x,
                                        size_t rows, double *reconstructed, double *error) {
  size_t shards = shards_of(rows);
  ent_passage passage = {
      .encoder = encoder, .x = x, .rows = rows, .layers = encoder->network->count, .out = reconstructed};
  passage.errors = ent_new(context, shards, sizeof *passage.errors);
  if (passage.errors == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = pass(context, &passage);
  if (status != ENTROPIC_OK)
    goto done;
  double sum = 0;
  for (size_t s = 0; s < shards; s++)
    sum += passage.errors[s];
  if (error != NULL)
    *error = sum / ((double)rows * (double)encoder->inputs);
done:
  ent_delete(passage.errors);
  return status;
}

/* Rotates the code to the principal axes of these rows. Single precision is enough to find the axes: they are orthonormal
 * in double whichever they are. */
static entropic_status rotate_code(entropic_context *context, ent_encoder *encoder, const float *x, size_t rows) {
  size_t width = encoder->code;
  if (rows < 2)
    return ENTROPIC_OK;
  ent_pca *pca = NULL;
  double *codes = ent_new_matrix(context, rows, width, sizeof *codes);
  float *single = ent_new_matrix(context, rows, width, sizeof *single);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (codes == NULL || single == NULL)
    goto done;
  status = ent_encoder_codes(context, encoder, x, rows, codes);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < rows * width; i++)
    single[i] = (float)codes[i];
  status = ent_pca_create(context, single, rows, width, width, &pca);
  if (status != ENTROPIC_OK)
    goto done;
  /* codes have room for a row, and are not needed any more. */
  ent_network_rotate(encoder->network, encoder->network->count / 2, pca->mean, pca->vectors, codes);
done:
  ent_delete(codes);
  ent_delete(single);
  ent_pca_free(pca);
  return status;
}

entropic_status ent_encoder_train(entropic_context *context, const ent_encoder_options *options, const float *x,
                                  size_t rows, size_t inputs, ent_encoder **encoder) {
  ent_encoder *made = NULL;
  size_t *order = NULL;
  ent_training training = {.options = *options, .x = x, .rows = rows};
  entropic_status status = check_options(context, options, rows, inputs);
  if (status != ENTROPIC_OK)
    return status;
  status = check_values(context, x, rows, inputs);
  if (status != ENTROPIC_OK)
    return status;
  status = ENTROPIC_NO_MEMORY;
  made = ent_new(context, 1, sizeof *made);
  order = ent_new(context, rows, sizeof *order);
  if (made == NULL || order == NULL)
    goto done;
  made->inputs = inputs;
  made->code = options->code;
  status = make_network(context, options, inputs, &made->network);
  if (status != ENTROPIC_OK)
    goto done;
  training.network = made->network;
  status = training_start(context, &training);
  if (status != ENTROPIC_OK)
    goto done;
  status = run_epochs(context, &training, order, &made->training_error);
  if (status != ENTROPIC_OK)
    goto done;
  status = rotate_code(context, made, x, rows);
  if (status != ENTROPIC_OK)
    goto done;
  *encoder = made;
  made = NULL;
done:
  training_free(&training);
  ent_delete(order);
  ent_encoder_free(made);
  return status;
}
