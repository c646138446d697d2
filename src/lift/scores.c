/* Linear functions of the features, for prediction: each group's vector is multiplied by its weights as soon as it is
 * there and then forgotten. That costs one multiplication and one addition for each non-zero, dense or sparse. */
#include <string.h>

#include "lift/lift.h"

/* Nodes of one column each, the vectors of which are in the chunk. */
static void add_singles(const entropic_lift *lift, const entropic_workspace *workspace, uint32_t emit, size_t nodes,
                        const ent_lift_linear *to) {
  for (size_t k = 0; k < to->count; k++)
    lift->code->add(workspace->chunk, lift->emit_columns + emit, nodes, to->weights + k * lift->features,
                    to->sums + k * ENT_TILE);
}

/* A node of several columns, of which each row has one or none. */
static void add_several(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *node,
                        const ent_lift_linear *to) {
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
    lift->code->gather(values, columns, to->weights + k * lift->features, to->sums + k * ENT_TILE);
}

static void add_tile(const entropic_lift *lift, entropic_workspace *workspace, const ent_lift_linear *to) {
  memset(to->sums, 0, to->count * ENT_TILE * sizeof *to->sums);
  for (size_t i = 0; i < lift->node_count;) {
    const ent_node *nodes = &lift->nodes[i];
    size_t singles = ent_single_columns(lift, i, ENT_CHUNK);
    if (singles > 0) {
      lift->code->vectors(lift, workspace, nodes, singles, workspace->chunk);
      add_singles(lift, workspace, nodes->emit, singles, to);
    } else {
      add_several(lift, workspace, nodes, to);
    }
    i += singles > 0 ? singles : 1;
  }
}

static void add_rare(const entropic_lift *lift, entropic_workspace *workspace, size_t row, const ent_lift_linear *to) {
  ent_extended_row(lift, workspace, row);
  for (size_t k = 0; k < to->count; k++) {
    double sum = 0;
    for (uint32_t e = 0; e < lift->emit_count; e++)
      if (workspace->rare_columns[e] >= 0)
        sum += to->weights[k * lift->features + (size_t)workspace->rare_columns[e]] * workspace->rare_values[e];
    to->sums[k * ENT_TILE + row] = sum;
  }
}

entropic_status ent_lift_scores(entropic_context *context, const entropic_lift *lift, entropic_workspace *workspace,
                                const ent_lift_rows *rows, const ent_lift_linear *functions, double *scores) {
  entropic_status status = ent_check_stride(context, lift, rows->stride);
  if (status != ENTROPIC_OK)
    return status;
  size_t count = functions->count;
  for (size_t first = 0; first < rows->count; first += ENT_TILE) {
    ent_tile tile;
    status = ent_tile_start(context, lift, workspace, rows, first, &tile);
    if (status != ENTROPIC_OK)
      return status;
    add_tile(lift, workspace, functions);
    for (uint32_t rare = tile.rare; rare != 0; rare &= rare - 1)
      add_rare(lift, workspace, (size_t)__builtin_ctz(rare), functions);
    for (size_t r = 0; r < tile.count; r++)
      for (size_t k = 0; k < count; k++)
        scores[(first + r) * count + k] = functions->offsets[k] + functions->sums[k * ENT_TILE + r];
  }
  return ENTROPIC_OK;
}
