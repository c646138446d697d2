/* Linear functions of the features of one row: the steps on tiles of one row, so the bits are those of any other tile. */
#define ENT_WIDTH 1
#include "lift/steps.h"

static const ent_code code = {.name = "row", ENT_STEPS};

size_t ent_lift_row_room(const entropic_lift *lift) {
  return (size_t)lift->slot_count + lift->atom_slot_count + lift->factor_count + 2 * (size_t)lift->column_count +
         lift->beyond_count;
}

static entropic_workspace divide_room(const entropic_lift *lift, double *room) {
  entropic_workspace made = {.slots = room};
  made.atoms = made.slots + lift->slot_count;
  made.inverses = made.atoms + lift->atom_slot_count;
  made.columns = made.inverses + lift->factor_count;
  made.exponents = (int64_t *)(void *)(made.columns + lift->column_count + lift->beyond_count);
  made.slots[0] = made.slots[1] = 1;
  return made;
}

/* Inputs in use, clamped. False if one is tiny, or if any input is neither finite nor missing where it may be. */
static bool load_row(const entropic_lift *lift, const double *x, double *columns) {
  for (uint32_t c = 0; c < lift->column_count; c++) {
    double value = x[lift->column_input[c]];
    if (value > 0 && value < ENT_TINY)
      return false;
    columns[c] = isnan(value) ? value : value > 0 ? (value < 1 ? value : 1) : 0;
  }
  for (uint32_t k = 0; k < lift->beyond_count; k++)
    columns[lift->column_count + k] = ent_lift_beyond(x[lift->column_input[lift->beyond[k]]]);
  for (size_t i = 0; i < lift->inputs; i++)
    if (!isfinite(x[i]) && !ent_accepts(lift->kernel->axes[i], x[i]))
      return false;
  return true;
}

static void add_node(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *node,
                     const ent_lift_linear *to, double *sums) {
  double value;
  int32_t column = node->first;
  code.vectors(lift, workspace, node, 1, &value);
  if (node->emit == ENT_NONE)
    return;
  if (node->lookup != ENT_LOOKUP_ONE)
    column = ent_find_column(lift, node, (uint64_t)workspace->atoms[node->atoms]);
  for (size_t k = 0; k < to->count && column >= 0; k++)
    sums[k] += to->weights[k * lift->features + (size_t)column] * value;
}

bool ent_lift_row(const entropic_lift *lift, const double *x, const ent_lift_linear *functions, double *room,
                  double *scores) {
  entropic_workspace workspace = divide_room(lift, room);
  if (!load_row(lift, x, workspace.columns))
    return false;
  code.factors(lift, &workspace);
  if (lift->careful && code.rare(lift, &workspace) != 0)
    return false;
  if (lift->base_count > 0)
    code.bases(lift, &workspace);
  memset(scores, 0, functions->count * sizeof *scores);
  for (size_t i = 0; i < lift->node_count; i++)
    add_node(lift, &workspace, &lift->nodes[i], functions, scores);
  for (size_t k = 0; k < functions->count; k++)
    scores[k] = functions->offsets[k] + scores[k];
  return true;
}
