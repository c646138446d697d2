/* A network that reconstructs its inputs: see network.h. */
#include "study/network.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define TILE_VALUES ((size_t)16384) /* of the parameters and their moments: within a core's cache */

static void lay_out(ent_network *network, const size_t *widths, const bool *rectified) {
  for (size_t l = 0; l < network->count; l++) {
    ent_layer *layer = &network->layers[l];
    *layer = (ent_layer){.inputs = widths[l],
                         .outputs = widths[l + 1],
                         .rectified = rectified[l],
                         .at = network->parameters,
                         .columns = widths[l] + 1,
                         .tile_columns = TILE_VALUES / widths[l + 1],
                         .first_tile = network->tiles};
    layer->tile_columns = layer->tile_columns < 1 ? 1 : layer->tile_columns;
    size_t tile = layer->outputs * layer->tile_columns;
    network->tile_values = network->tile_values > tile ? network->tile_values : tile;
    network->tiles += (layer->columns + layer->tile_columns - 1) / layer->tile_columns;
    network->parameters += layer->outputs * layer->columns;
  }
}

/* Rectified values have half the mean square, so weights after them have twice the variance. Biases start at 0. */
static void draw(ent_network *network, uint64_t seed) {
  entropic_random random = entropic_random_start(seed, 0);
  for (size_t l = 0; l < network->count; l++) {
    const ent_layer *layer = &network->layers[l];
    bool after_rectified = l > 0 && network->layers[l - 1].rectified;
    double scale = sqrt((after_rectified ? 2.0 : 1.0) / (double)layer->inputs);
    for (size_t i = layer->outputs; i < layer->outputs * layer->columns; i++)
      network->values[layer->at + i] = scale * entropic_random_normal(&random);
  }
}

entropic_status ent_network_create(entropic_context *context, const size_t *widths, const bool *rectified, size_t count,
                                   uint64_t seed, ent_network **network) {
  ent_network *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->count = count;
  entropic_status status = ent_blas_get(context, &made->blas);
  if (status != ENTROPIC_OK)
    goto fail;
  for (size_t l = 0; l < count; l++) {
    int size; /* the values of a layer fit the integers of BLAS, then all sums of sizes fit ours */
    size_t values;
    if (!ent_multiply(widths[l] + 1, widths[l + 1] + 1, &values))
      values = SIZE_MAX;
    status = ent_blas_size(context, values, &size);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  lay_out(made, widths, rectified);
  status = ENTROPIC_NO_MEMORY;
  made->values = ent_new(context, made->parameters, sizeof *made->values);
  if (made->values == NULL)
    goto fail;
  draw(made, seed);
  *network = made;
  return ENTROPIC_OK;
fail:
  ent_network_free(made);
  return status;
}

void ent_network_free(ent_network *network) {
  if (network == NULL)
    return;
  ent_delete(network->values);
  ent_delete(network);
}

entropic_status ent_states_create(entropic_context *context, const ent_network *network, size_t capacity, bool backward,
                                  ent_states **states) {
  ent_states *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->capacity = capacity;
  for (size_t l = 0; l <= network->count; l++) {
    size_t width = l == 0 ? network->layers[0].inputs : network->layers[l - 1].outputs;
    made->values[l] = ent_new_matrix(context, capacity, width + 1, sizeof(double));
    if (made->values[l] == NULL)
      goto fail;
    for (size_t c = 0; c < capacity; c++)
      made->values[l][c * (width + 1)] = 1;
    if (l == 0 || !backward)
      continue;
    made->deltas[l - 1] = ent_new_matrix(context, capacity, width, sizeof(double));
    if (made->deltas[l - 1] == NULL)
      goto fail;
  }
  *states = made;
  return ENTROPIC_OK;
fail:
  ent_states_free(made);
  return ENTROPIC_NO_MEMORY;
}

void ent_states_free(ent_states *states) {
  if (states == NULL)
    return;
  for (size_t l = 0; l <= ENT_LAYERS_MOST; l++)
    ent_delete(states->values[l]);
  for (size_t l = 0; l < ENT_LAYERS_MOST; l++)
    ent_delete(states->deltas[l]);
  ent_delete(states);
}

/* Sums to values: the logistic function in the last layer, else max(0, sum). */
static void activate(double *values, size_t count, bool last) {
  if (last)
    for (size_t i = 0; i < count; i++)
      values[i] = 1 / (1 + exp(-values[i]));
  else
    for (size_t i = 0; i < count; i++)
      values[i] = values[i] > 0 ? values[i] : 0;
}

void ent_network_forward(const ent_network *network, ent_states *states, size_t from, size_t to, size_t first,
                         size_t columns) {
  for (size_t l = from; l < to; l++) {
    const ent_layer *layer = &network->layers[l];
    size_t step = layer->outputs + 1;
    double *out = states->values[l + 1] + first * step + 1;
    bool last = l + 1 == network->count;
    network->blas->dgemm(ENT_COL_MAJOR, ENT_NO_TRANS, ENT_NO_TRANS, (int)layer->outputs, (int)columns,
                         (int)layer->columns, 1, network->values + layer->at, (int)layer->outputs,
                         states->values[l] + first * layer->columns, (int)layer->columns, 0, out, (int)step);
    for (size_t c = 0; c < columns && (layer->rectified || last); c++)
      activate(out + c * step, layer->outputs, last);
  }
}

/* With probabilities p = 1 / (1 + e^-s), the derivative of the cross-entropy by s is p - x. */
static double last_deltas(const ent_network *network, ent_states *states, size_t first, size_t columns, double scale) {
  size_t width = network->layers[0].inputs, step = width + 1;
  double sum = 0;
  for (size_t c = first; c < first + columns; c++) {
    const double *x = states->values[0] + c * step + 1, *p = states->values[network->count] + c * step + 1;
    double *deltas = states->deltas[network->count - 1] + c * width, of_row = 0;
    for (size_t i = 0; i < width; i++) {
      double residual = p[i] - x[i];
      of_row += residual * residual;
      deltas[i] = scale * residual;
    }
    sum += of_row;
  }
  return sum;
}

double ent_network_backward(const ent_network *network, ent_states *states, size_t first, size_t columns,
                            double scale) {
  double sum = last_deltas(network, states, first, columns, scale);
  for (size_t l = network->count - 1; l > 0; l--) {
    const ent_layer *layer = &network->layers[l];
    size_t width = layer->inputs;
    double *deltas = states->deltas[l - 1] + first * width;
    network->blas->dgemm(ENT_COL_MAJOR, ENT_TRANS, ENT_NO_TRANS, (int)width, (int)columns, (int)layer->outputs, 1,
                         network->values + layer->at + layer->outputs, (int)layer->outputs,
                         states->deltas[l] + first * layer->outputs, (int)layer->outputs, 0, deltas, (int)width);
    for (size_t c = 0; c < columns && network->layers[l - 1].rectified; c++) {
      const double *values = states->values[l] + (first + c) * (width + 1) + 1;
      for (size_t i = 0; i < width; i++)
        deltas[c * width + i] = values[i] > 0 ? deltas[c * width + i] : 0;
    }
  }
  return sum;
}

size_t ent_network_gradient(const ent_network *network, const ent_states *states, size_t columns, size_t tile,
                            double *gradient, size_t *values) {
  size_t l = network->count - 1;
  while (network->layers[l].first_tile > tile)
    l--;
  const ent_layer *layer = &network->layers[l];
  size_t first = (tile - layer->first_tile) * layer->tile_columns, left = layer->columns - first;
  size_t count = left < layer->tile_columns ? left : layer->tile_columns;
  int outputs = (int)layer->outputs;
  network->blas->dgemm(ENT_COL_MAJOR, ENT_NO_TRANS, ENT_TRANS, outputs, (int)count, (int)columns, 1, states->deltas[l],
                       outputs, states->values[l] + first, (int)layer->columns, 0, gradient, outputs);
  *values = layer->outputs * count;
  return layer->at + layer->outputs * first;
}

/* The layer before makes the new state. The layer after takes it: the old state is origin + vectors^T new. Each row of
 * its weights is multiplied by vectors, and its bias takes the weights times the origin. */
void ent_network_rotate(ent_network *network, size_t state, const double *origin, const double *vectors, double *work) {
  const ent_layer *before = &network->layers[state - 1], *after = &network->layers[state];
  size_t width = before->outputs, outputs = after->outputs;
  for (size_t j = 0; j < before->columns; j++) {
    double *column = network->values + before->at + j * width;
    for (size_t k = 0; k < width; k++) {
      work[k] = 0;
      for (size_t i = 0; i < width; i++)
        work[k] += vectors[k * width + i] * (column[i] - (j == 0 ? origin[i] : 0));
    }
    memcpy(column, work, width * sizeof *work);
  }
  for (size_t o = 0; o < outputs; o++) {
    double *row = network->values + after->at + o, *weights = row + outputs;
    for (size_t i = 0; i < width; i++)
      row[0] += weights[i * outputs] * origin[i];
    for (size_t k = 0; k < width; k++) {
      work[k] = 0;
      for (size_t i = 0; i < width; i++)
        work[k] += vectors[k * width + i] * weights[i * outputs];
    }
    for (size_t k = 0; k < width; k++)
      weights[k * outputs] = work[k];
  }
}
