/* A feed-forward network that reconstructs its inputs, and its derivatives, on BLAS.
 *
 * The parameters of a layer are one matrix, outputs x (1 + inputs): biases are its first column. The state of a layer has a
 * 1 before its values, so one product does both. Rows are the columns of the matrices of states and derivatives. Nothing
 * here starts threads: a caller may work on columns, then on tiles of the parameters, in parallel. The bits depend on how
 * columns and tiles are cut, not on the threads. */
#ifndef ENT_STUDY_NETWORK_H
#define ENT_STUDY_NETWORK_H

#include <stdbool.h>

#include "base/blas.h"

#define ENT_LAYERS_MOST 8

typedef struct ent_layer {
  size_t inputs, outputs;
  bool rectified;      /* max(0, .); the last layer has the logistic function whatever this is */
  size_t at;           /* where its matrix begins among the parameters */
  size_t columns;      /* of the matrix: 1 + inputs */
  size_t tile_columns; /* of a tile */
  size_t first_tile;   /* its tiles are counted from here */
} ent_layer;

typedef struct ent_network {
  const ent_blas *blas;
  size_t count; /* of layers */
  ent_layer layers[ENT_LAYERS_MOST];
  size_t parameters;         /* in all layers */
  size_t tiles, tile_values; /* the parameters cut into pieces; the values of the largest */
  double *values;
} ent_network;

/* States and derivatives of up to `capacity` rows. */
typedef struct ent_states {
  size_t capacity;
  double *values[ENT_LAYERS_MOST + 1]; /* before each layer and after the last: capacity columns of 1 and values */
  double *deltas[ENT_LAYERS_MOST];     /* derivatives of the loss by the sums of each layer; NULL without `backward` */
} ent_states;

/* widths[count + 1], the last as the first; rectified[count]. Parameters are drawn from the seed. */
entropic_status ent_network_create(entropic_context *context, const size_t *widths, const bool *rectified, size_t count,
                                   uint64_t seed, ent_network **network);
void ent_network_free(ent_network *network);

entropic_status ent_states_create(entropic_context *context, const ent_network *network, size_t capacity, bool backward,
                                  ent_states **states);
void ent_states_free(ent_states *states);

/* From a state to a later one, layers from .. to - 1, for columns first .. first + columns - 1. */
void ent_network_forward(const ent_network *network, ent_states *states, size_t from, size_t to, size_t first,
                         size_t columns);
/* After all layers: the deltas of `scale` times the loss of each column. Returns the sum over the columns of the squared
 * residuals of the reconstruction. The loss is the cross-entropy of inputs and outputs, both taken as probabilities. */
double ent_network_backward(const ent_network *network, ent_states *states, size_t first, size_t columns, double scale);
/* After the deltas of columns 0 .. columns - 1: the gradient of the sum of their losses by the parameters of a tile. Returns
 * where among the parameters the tile begins; *values becomes how many it has. gradient[tile_values]. */
size_t ent_network_gradient(const ent_network *network, const ent_states *states, size_t columns, size_t tile,
                            double *gradient, size_t *values);

/* Rotates the state between two layers, of which the first must not be rectified: a state s becomes vectors (s - origin).
 * The outputs of the network stay as they were but for rounding. vectors[width x width], one after the other, are
 * orthonormal; work[width]. */
void ent_network_rotate(ent_network *network, size_t state, const double *origin, const double *vectors, double *work);

#endif
