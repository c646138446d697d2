/* Blocks as compressed sparse rows.
 *
 * A tile is first written as if every group had a non-zero in every row, so all rows are equally long and chunks of groups
 * can be transposed into rows by fixed steps. Only then, and only if there were any, zeros are squeezed out. */
#include <string.h>

#include "lift/lift.h"

/* Where the rows of a tile go: row r at r * emit_count. */
typedef struct ent_sparse_rows {
  int32_t *columns;
  double *values;
  size_t full; /* the first so many groups have no 0 in any row */
} ent_sparse_rows;

static void write_node(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *node, double *vector,
                       size_t count, ent_sparse_rows *rows) {
  int32_t columns[ENT_TILE];
  ent_tile_node(lift, workspace, node, vector, columns);
  if (node->emit == ENT_NONE)
    return;
  for (size_t r = 0; r < count; r++) {
    rows->columns[r * lift->emit_count + node->emit] = columns[r];
    if (columns[r] < 0)
      vector[r] = 0;
  }
}

/* Hands the chunk's groups, from `emit` on, to the rows. */
static void flush(const entropic_lift *lift, entropic_workspace *workspace, uint32_t emit, size_t groups, size_t count,
                  ent_sparse_rows *rows) {
  double *to = rows->values + emit;
  bool zeros = false;
  if (count == ENT_TILE)
    zeros = lift->code->transpose(workspace->chunk, groups, to, lift->emit_count);
  for (size_t r = 0; r < count && count < ENT_TILE; r++)
    for (size_t i = 0; i < groups; i++) {
      double value = workspace->chunk[i * ENT_TILE + r];
      to[r * lift->emit_count + i] = value;
      zeros = zeros || value == 0;
    }
  if (zeros && rows->full > emit)
    rows->full = emit;
}

static void write_tile(const entropic_lift *lift, entropic_workspace *workspace, size_t count, ent_sparse_rows *rows) {
  for (size_t r = 0; r < count; r++)
    memcpy(rows->columns + r * lift->emit_count, lift->emit_columns, lift->emit_count * sizeof *rows->columns);
  uint32_t done = 0;
  size_t waiting = 0;
  for (size_t i = 0; i < lift->node_count;) {
    if (waiting == ENT_CHUNK) {
      flush(lift, workspace, done, waiting, count, rows);
      done += (uint32_t)waiting;
      waiting = 0;
    }
    const ent_node *nodes = &lift->nodes[i];
    double *vector = workspace->chunk + waiting * ENT_TILE;
    size_t singles = ent_single_columns(lift, i, ENT_CHUNK - waiting);
    if (singles > 0)
      lift->code->vectors(lift, workspace, nodes, singles, vector);
    else
      write_node(lift, workspace, nodes, vector, count, rows);
    waiting += singles > 0 ? singles : nodes->emit != ENT_NONE;
    i += singles > 0 ? singles : 1;
  }
  flush(lift, workspace, done, waiting, count, rows);
}

static void write_rare(const entropic_lift *lift, entropic_workspace *workspace, size_t row, ent_sparse_rows *rows) {
  ent_extended_row(lift, workspace, row);
  for (uint32_t e = 0; e < lift->emit_count; e++)
    rows->values[row * lift->emit_count + e] = workspace->rare_columns[e] >= 0 ? workspace->rare_values[e] : 0;
  memcpy(rows->columns + row * lift->emit_count, workspace->rare_columns, lift->emit_count * sizeof *rows->columns);
  rows->full = 0;
}

/* Moves the entries of a row to where it belongs, without zeros, of which the first `full` entries have none; returns how
 * many are left. */
static size_t squeeze(const int32_t *columns, const double *values, size_t count, size_t full, int32_t *to_columns,
                      double *to_values) {
  if (to_values != values) {
    memmove(to_columns, columns, full * sizeof *columns);
    memmove(to_values, values, full * sizeof *values);
  }
  size_t kept = full;
  for (size_t i = full; i < count; i++) {
    int32_t column = columns[i];
    double value = values[i];
    to_columns[kept] = column;
    to_values[kept] = value;
    kept += value != 0;
  }
  return kept;
}

/* Groups that share their terms come out in the order of the first of them: rows are short, so sort by insertion. */
static void sort_row(int32_t *columns, double *values, size_t count) {
  for (size_t i = 1; i < count; i++) {
    int32_t column = columns[i];
    double value = values[i];
    size_t place = i;
    for (; place > 0 && columns[place - 1] > column; place--) {
      columns[place] = columns[place - 1];
      values[place] = values[place - 1];
    }
    columns[place] = column;
    values[place] = value;
  }
}

entropic_status entropic_lift_sparse(entropic_context *context, const entropic_lift *lift,
                                     entropic_workspace *workspace, const double *x, size_t rows, size_t stride,
                                     size_t *starts, int32_t *columns, double *values) {
  ENT_NEED(context, lift);
  ENT_NEED(context, workspace);
  ENT_NEED(context, x);
  ENT_NEED(context, starts);
  ENT_NEED(context, columns);
  ENT_NEED(context, values);
  ent_lift_rows all = {.x = x, .count = rows, .stride = stride};
  ent_lift_entries entries = {starts, columns, values};
  return ent_lift_sparse(context, lift, workspace, &all, &entries);
}

entropic_status ent_lift_sparse(entropic_context *context, const entropic_lift *lift, entropic_workspace *workspace,
                                const ent_lift_rows *rows, const ent_lift_entries *entries) {
  entropic_status status = ent_check_stride(context, lift, rows->stride);
  if (status != ENTROPIC_OK)
    return status;
  size_t used = 0, width = lift->emit_count;
  entries->starts[0] = 0;
  for (size_t first = 0; first < rows->count; first += ENT_TILE) {
    ent_tile tile;
    status = ent_tile_start(context, lift, workspace, rows, first, &tile);
    if (status != ENTROPIC_OK)
      return status;
    ent_sparse_rows full = {.columns = entries->columns + used, .values = entries->values + used, .full = width};
    write_tile(lift, workspace, tile.count, &full);
    for (uint32_t rare = tile.rare; rare != 0; rare &= rare - 1)
      write_rare(lift, workspace, (size_t)__builtin_ctz(rare), &full);
    for (size_t r = 0; r < tile.count; r++) {
      int32_t *columns = entries->columns + used;
      double *values = entries->values + used;
      size_t kept = squeeze(full.columns + r * width, full.values + r * width, width, full.full, columns, values);
      if (lift->unsorted)
        sort_row(columns, values, kept);
      used += kept;
      entries->starts[first + r + 1] = used;
    }
  }
  return ENTROPIC_OK;
}
