/* What happens to a tile before its groups are written: see lift.h. */
#include <math.h>
#include <string.h>

#include "lift/lift.h"

/* Also inputs that no group uses must be finite, or missing where they may be. */
static bool all_accepted(const entropic_lift *lift, const double *x, size_t rows, size_t stride) {
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < lift->inputs; i++)
      if (!ent_accepts(lift->kernel->axes[i], x[r * stride + i]))
        return false;
  return true;
}

/* The same where nothing may be missing. Four sums, so that they do not wait for each other. */
static bool all_finite(const double *x, size_t rows, size_t inputs, size_t stride) {
  double sums[4] = {0, 0, 0, 0};
  for (size_t r = 0; r < rows; r++) {
    const double *row = x + r * stride;
    size_t i = 0;
    for (; i + 4 <= inputs; i += 4)
      for (size_t k = 0; k < 4; k++)
        sums[k] += 0 * row[i + k]; /* NaN for NaN and infinity, otherwise 0 */
    for (; i < inputs; i++)
      sums[0] += 0 * row[i];
  }
  return sums[0] + sums[1] + sums[2] + sums[3] == 0;
}

/* Clamps as the code does; missing values are replaced first and put back. */
static bool clamp_around_missing(const entropic_lift *lift, entropic_workspace *workspace, uint32_t *rare) {
  for (uint32_t c = 0; c < lift->column_count; c++) {
    double *column = workspace->columns + (size_t)c * ENT_TILE;
    uint32_t missing = 0;
    for (size_t r = 0; lift->kernel->axes[lift->column_input[c]]->options.missing && r < ENT_TILE; r++) {
      missing |= (uint32_t)(isnan(column[r]) != 0) << r;
      column[r] = isnan(column[r]) ? 0.5 : column[r];
    }
    workspace->missing[c] = missing;
  }
  bool finite = lift->code->clamp(lift, workspace->columns, rare);
  for (uint32_t c = 0; c < lift->column_count; c++)
    for (uint32_t missing = workspace->missing[c]; missing != 0; missing &= missing - 1)
      workspace->columns[(size_t)c * ENT_TILE + (size_t)__builtin_ctz(missing)] = NAN;
  return finite;
}

/* The values of a column before they are clamped, for the line that goes on. */
static void copy_beyond(const double *column, double *beyond) {
  for (size_t r = 0; r < ENT_TILE; r++)
    beyond[r] = ent_lift_beyond(column[r]);
}

/* Whether all rows of the tile can be lifted, clamped then. */
static bool take_tile(const entropic_lift *lift, entropic_workspace *workspace, const double *tile, size_t stride,
                      uint32_t *rare) {
  bool ordinary = lift->code->load(lift, tile, stride, workspace->columns);
  for (uint32_t k = 0; k < lift->beyond_count; k++)
    copy_beyond(workspace->columns + (size_t)lift->beyond[k] * ENT_TILE,
                workspace->columns + (size_t)(lift->column_count + k) * ENT_TILE);
  if (!ordinary && !(lift->missing ? clamp_around_missing(lift, workspace, rare)
                                   : lift->code->clamp(lift, workspace->columns, rare)))
    return false;
  return lift->column_count == lift->inputs || (lift->missing ? all_accepted(lift, tile, ENT_TILE, stride)
                                                              : all_finite(tile, ENT_TILE, lift->inputs, stride));
}

entropic_status ent_check_stride(entropic_context *context, const entropic_lift *lift, size_t stride) {
  if (stride < lift->inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stride: %zu is below the number of inputs, %zu", stride,
                    lift->inputs);
  return ENTROPIC_OK;
}

/* Says which value of a tile cannot be lifted. */
static entropic_status refuse(entropic_context *context, const entropic_lift *lift, const ent_lift_rows *tile) {
  for (size_t r = 0; r < tile->count; r++)
    for (size_t i = 0; i < lift->inputs; i++)
      if (!ent_accepts(lift->kernel->axes[i], tile->x[r * tile->stride + i]))
        return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, column %zu: %g is not a finite number",
                        tile->first + r + 1, i + 1, tile->x[r * tile->stride + i]);
  return ENTROPIC_OK; /* not reached: there is one */
}

/* Copies the rows of an incomplete tile, the last one again and again. */
static void pad_tile(const entropic_lift *lift, const ent_lift_rows *tile, double *padded) {
  for (size_t r = 0; r < ENT_TILE; r++)
    memcpy(padded + r * lift->inputs, tile->x + (r < tile->count ? r : tile->count - 1) * tile->stride,
           lift->inputs * sizeof *padded);
}

/* The rows from `first` on, at most ENT_TILE of them. */
static ent_lift_rows tile_rows(const ent_lift_rows *rows, size_t first) {
  size_t left = rows->count - first;
  return (ent_lift_rows){.x = rows->x + first * rows->stride,
                         .count = left < ENT_TILE ? left : ENT_TILE,
                         .stride = rows->stride,
                         .first = rows->first + first};
}

entropic_status ent_tile_start(entropic_context *context, const entropic_lift *lift, entropic_workspace *workspace,
                               const ent_lift_rows *rows, size_t first, ent_tile *tile) {
  ent_lift_rows some = tile_rows(rows, first);
  const double *x = some.x;
  size_t stride = some.stride;
  if (some.count < ENT_TILE) {
    pad_tile(lift, &some, workspace->padded);
    x = workspace->padded;
    stride = lift->inputs;
  }
  uint32_t rare = 0;
  if (!take_tile(lift, workspace, x, stride, &rare))
    return refuse(context, lift, &some);
  lift->code->factors(lift, workspace);
  if (lift->careful)
    rare |= lift->code->rare(lift, workspace);
  if (lift->base_count > 0)
    lift->code->bases(lift, workspace);
  if (some.count < ENT_TILE)
    rare &= (UINT32_C(1) << some.count) - 1;
  *tile = (ent_tile){some.count, rare};
  return ENTROPIC_OK;
}

size_t ent_single_columns(const entropic_lift *lift, size_t first, size_t most) {
  size_t count = 0;
  while (count < most && first + count < lift->node_count && lift->nodes[first + count].emit != ENT_NONE &&
         lift->nodes[first + count].lookup == ENT_LOOKUP_ONE)
    count++;
  return count;
}

int32_t ent_find_column(const entropic_lift *lift, const ent_node *node, uint64_t atom) {
  switch (node->lookup) {
  case ENT_LOOKUP_ONE:
    return node->first;
  case ENT_LOOKUP_RANGE:
    return atom < (uint64_t)node->count ? node->first + (int32_t)atom : -1;
  case ENT_LOOKUP_TABLE:
    return lift->tables[node->places + atom];
  case ENT_LOOKUP_LIST:
    break;
  }
  const ent_place *places = lift->places + node->places;
  size_t low = 0, high = (size_t)node->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (places[middle].atom < atom)
      low = middle + 1;
    else
      high = middle;
  }
  return low < (size_t)node->count && places[low].atom == atom ? places[low].column : -1;
}

void ent_tile_node(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *node, double *values,
                   int32_t *columns) {
  lift->code->vectors(lift, workspace, node, 1, values);
  if (node->emit == ENT_NONE)
    return;
  const double *atoms = workspace->atoms + (size_t)node->atoms * ENT_TILE;
  if (node->lookup == ENT_LOOKUP_RANGE) /* nearly all: worth a loop of its own */
    for (size_t r = 0; r < ENT_TILE; r++)
      columns[r] = atoms[r] < node->count ? node->first + (int32_t)atoms[r] : -1;
  else
    for (size_t r = 0; r < ENT_TILE; r++)
      columns[r] = ent_find_column(lift, node, (uint64_t)atoms[r]);
}
