/* Blocks as column-major matrices. */
#include <string.h>

#include "lift/lift.h"

static void zero_columns(const entropic_lift *lift, const ent_node *node, double *z, size_t ld, size_t rows) {
  size_t bytes = rows * sizeof *z;
  switch (node->lookup) {
  case ENT_LOOKUP_ONE: /* has few columns, so never comes here */
  case ENT_LOOKUP_RANGE:
    for (size_t i = 0; i < (size_t)node->count; i++)
      memset(z + ((size_t)node->first + i) * ld, 0, bytes);
    break;
  case ENT_LOOKUP_LIST:
    for (size_t i = 0; i < (size_t)node->count; i++)
      memset(z + (size_t)lift->places[node->places + i].column * ld, 0, bytes);
    break;
  case ENT_LOOKUP_TABLE:
    for (size_t i = 0, left = (size_t)node->count; left > 0; i++) {
      int32_t column = lift->tables[node->places + i];
      if (column >= 0) {
        memset(z + (size_t)column * ld, 0, bytes);
        left--;
      }
    }
    break;
  }
}

static void write_run(const entropic_lift *lift, entropic_workspace *workspace, const ent_run *run, double *z,
                      size_t ld, size_t rows) {
  const ent_node *nodes = lift->nodes + run->first_node;
  if (rows == ENT_TILE) {
    lift->code->columns(lift, workspace, nodes, run->nodes, z + (size_t)nodes[0].first * ld, ld);
    return;
  }
  for (size_t i = 0; i < run->nodes; i++) {
    lift->code->columns(lift, workspace, &nodes[i], 1, workspace->chunk, ENT_TILE);
    for (size_t k = 0; k < (size_t)nodes[i].count; k++)
      memcpy(z + ((size_t)nodes[i].first + k) * ld, workspace->chunk + k * ENT_TILE, rows * sizeof *z);
  }
}

static void write_node(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *node, double *z,
                       size_t ld, size_t rows) {
  int32_t columns[ENT_TILE];
  ent_tile_node(lift, workspace, node, workspace->chunk, columns);
  if (node->emit == ENT_NONE)
    return;
  zero_columns(lift, node, z, ld, rows);
  for (size_t r = 0; r < rows; r++)
    if (columns[r] >= 0)
      z[(size_t)columns[r] * ld + r] = workspace->chunk[r];
}

static void write_rare(const entropic_lift *lift, entropic_workspace *workspace, size_t row, double *z, size_t ld) {
  ent_extended_row(lift, workspace, row);
  for (uint32_t e = 0; e < lift->emit_count; e++)
    if (workspace->rare_columns[e] >= 0)
      z[(size_t)workspace->rare_columns[e] * ld + row] = workspace->rare_values[e];
}

entropic_status entropic_lift_dense(entropic_context *context, const entropic_lift *lift, entropic_workspace *workspace,
                                    const double *x, size_t rows, size_t stride, double *z, size_t ld) {
  ENT_NEED(context, lift);
  ENT_NEED(context, workspace);
  ENT_NEED(context, x);
  ENT_NEED(context, z);
  if (stride < lift->inputs || ld < rows)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stride, ld: %zu and %zu; expected at least %zu and %zu", stride,
                    ld, lift->inputs, rows);
  ent_lift_rows all = {.x = x, .count = rows, .stride = stride};
  for (size_t first = 0; first < rows; first += ENT_TILE) {
    ent_tile tile;
    entropic_status status = ent_tile_start(context, lift, workspace, &all, first, &tile);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t i = 0; i < lift->run_count; i++) {
      const ent_run *run = &lift->runs[i];
      if (run->step != ENT_STEP_ANY)
        write_run(lift, workspace, run, z + first, ld, tile.count);
      else
        write_node(lift, workspace, &lift->nodes[run->first_node], z + first, ld, tile.count);
    }
    for (uint32_t rare = tile.rare; rare != 0; rare &= rare - 1)
      write_rare(lift, workspace, (size_t)__builtin_ctz(rare), z + first, ld);
  }
  return ENTROPIC_OK;
}
