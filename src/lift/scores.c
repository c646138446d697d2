/* Linear functions of the features, for prediction: each group's vector is multiplied by its weights as soon as it is
 * there and then forgotten. That costs one multiplication and one addition for each non-zero, dense or sparse. */
#include <string.h>

#include "lift/lift.h"

typedef struct ent_sums {
  const double *weights;
  size_t features, count;
  double *sums; /* count x ENT_TILE */
} ent_sums;

/* Nodes of one column each, the vectors of which are in the chunk. */
static void add_singles(const entropic_lift *lift, const entropic_workspace *workspace, uint32_t emit, size_t nodes,
                        const ent_sums *to) {
  for (size_t k = 0; k < to->count; k++)
    lift->code->add(workspace->chunk, lift->emit_columns + emit, nodes, to->weights + k * to->features,
                    to->sums + k * ENT_TILE);
}

/* A node of several columns, of which each row has one or none. */
static void add_several(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *node,
                        const ent_sums *to) {
  int32_t columns[ENT_TILE];
  double *values = workspace->chunk;
  ent_tile_node(lift, workspace, node, values, columns);
  if (node->emit == ENT_NONE)
    return;
  for (size_t r = 0; r < ENT_TILE; r++) { /* none: nothing of any column */
    values[r] = columns[r] < 0 ? 0 : values[r];
    columns[r] = columns[r] < 0 ? 0 : columns[r];
  }
  for (size_t k = 0; k < to->count; k++)
    lift->code->pick(values, columns, to->weights + k * to->features, to->sums + k * ENT_TILE);
}

/* How many of the nodes from `first` on write one column each, at most a chunk. */
static size_t single_columns(const entropic_lift *lift, size_t first) {
  size_t count = 0;
  while (count < ENT_CHUNK && first + count < lift->node_count && lift->nodes[first + count].emit != ENT_NONE &&
         lift->nodes[first + count].lookup == ENT_LOOKUP_ONE)
    count++;
  return count;
}

static void add_tile(const entropic_lift *lift, entropic_workspace *workspace, const ent_sums *to) {
  memset(to->sums, 0, to->count * ENT_TILE * sizeof *to->sums);
  for (size_t i = 0; i < lift->node_count;) {
    const ent_node *nodes = &lift->nodes[i];
    size_t singles = single_columns(lift, i);
    if (singles > 0) {
      lift->code->vectors(lift, workspace, nodes, singles, workspace->chunk);
      add_singles(lift, workspace, nodes->emit, singles, to);
    } else {
      add_several(lift, workspace, nodes, to);
    }
    i += singles > 0 ? singles : 1;
  }
}

static void add_rare(const entropic_lift *lift, entropic_workspace *workspace, size_t row, const ent_sums *to) {
  ent_rare_row(lift, workspace, row);
  for (size_t k = 0; k < to->count; k++) {
    double sum = 0;
    for (uint32_t e = 0; e < lift->emit_count; e++)
      if (workspace->rare_columns[e] >= 0)
        sum += to->weights[k * to->features + (size_t)workspace->rare_columns[e]] * workspace->rare_values[e];
    to->sums[k * ENT_TILE + row] = sum;
  }
}

entropic_status ent_lift_scores(entropic_context *context, const entropic_lift *lift, entropic_workspace *workspace,
                                const double *x, size_t rows, size_t stride, size_t row_number, const double *weights,
                                const double *offsets, size_t count, double *sums, double *scores) {
  entropic_status status = ent_check_stride(context, lift, stride);
  const ent_sums to = {.weights = weights, .features = lift->features, .count = count, .sums = sums};
  for (size_t first = 0; first < rows && status == ENTROPIC_OK; first += ENT_TILE) {
    size_t tile = rows - first < ENT_TILE ? rows - first : ENT_TILE;
    uint32_t rare;
    status = ent_tile_start(context, lift, workspace, x + first * stride, tile, stride, row_number + first, &rare);
    if (status != ENTROPIC_OK)
      break;
    add_tile(lift, workspace, &to);
    for (; rare != 0; rare &= rare - 1)
      add_rare(lift, workspace, (size_t)__builtin_ctz(rare), &to);
    for (size_t r = 0; r < tile; r++)
      for (size_t k = 0; k < count; k++)
        scores[(first + r) * count + k] = offsets[k] + sums[k * ENT_TILE + r];
  }
  return status;
}
