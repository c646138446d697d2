/* A plain feed-forward network that reconstructs its inputs, and its derivatives, on BLAS.
 *
 * The parameters of a layer are one matrix, outputs x (1 + inputs): what is added comes first, and the state of a layer
 * has a 1 before its values, so that one product does both. States and derivatives of rows side by side are the columns
 * of matrices. Nothing here starts threads: a caller may take columns, then tiles of the parameters, side by side; the
 * bits depend on how columns and tiles are cut, not on who takes which. */
#ifndef ENT_STUDY_NETWORK_H
#define ENT_STUDY_NETWORK_H

#include <stdbool.h>

#include "base/blas.h"

#define ENT_LAYERS_MOST 8

typedef struct ent_layer {
  size_t inputs, outputs;
  bool bent;           /* negative values become 0; of the last layer values become probabilities whatever this is */
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
  double *slopes[ENT_LAYERS_MOST];     /* of the loss, by the sums each layer makes; NULL without `backward` */
} ent_states;

/* widths[count + 1], the last as the first; bent[count]. Parameters are drawn from the seed, fit for layers before
 * which values are bent or not. */
entropic_status ent_network_create(entropic_context *context, const size_t *widths, const bool *bent, size_t count,
                                   uint64_t seed, ent_network **network);
void ent_network_free(ent_network *network);

entropic_status ent_states_create(entropic_context *context, const ent_network *network, size_t capacity, bool backward,
                                  ent_states **states);
void ent_states_free(ent_states *states);

/* From a state to a later one, layers from .. to - 1, for columns first .. first + columns - 1. */
void ent_network_forward(const ent_network *network, ent_states *states, size_t from, size_t to, size_t first,
                         size_t columns);
/* After all layers: the slopes of `scale` times the loss of each column, and the sum over the columns of the squares of
 * what is not reconstructed. The loss is the cross-entropy of inputs and outputs, both taken as probabilities. */
double ent_network_backward(const ent_network *network, ent_states *states, size_t first, size_t columns, double scale);
/* After the slopes of columns 0 .. columns - 1: the derivatives of their sum by the parameters of a tile. Returns where
 * among the parameters the tile begins; *values says how many it has. gradient[tile_values]. */
size_t ent_network_gradient(const ent_network *network, const ent_states *states, size_t columns, size_t tile,
                            double *gradient, size_t *values);

/* Other axes for the state between two layers, of which the first must not bend it: a state s becomes
 * vectors (s - origin), and what the network makes of a row stays as it was but for rounding. vectors[width x width], one
 * after the other, are orthonormal; work[width]. */
void ent_network_turn(ent_network *network, size_t state, const double *origin, const double *vectors, double *work);

#endif
