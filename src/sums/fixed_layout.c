/* The order of columns within blocks of rows: see fixed_layout.h. */
#include "sums/fixed_layout.h"

#include <stdlib.h>

#include "base/memory.h"

typedef struct ent_fixed_density {
  double density;
  uint32_t column;
} ent_fixed_density;

/* Denser columns first; equally dense ones in their order. */
static int compare_densities(const void *left, const void *right) {
  const ent_fixed_density *a = left, *b = right;
  if (a->density != b->density)
    return a->density > b->density ? -1 : 1;
  return a->column < b->column ? -1 : a->column > b->column;
}

static int compare_columns(const void *left, const void *right) {
  const ent_fixed_density *a = left, *b = right;
  return a->column < b->column ? -1 : a->column > b->column;
}

void ent_fixed_layout_free(ent_fixed_layout *layout) {
  if (layout == NULL)
    return;
  ent_delete(layout->known);
  ent_delete(layout->used);
  ent_delete(layout->place);
  ent_delete(layout->column);
  ent_delete(layout);
}

/* Known or new columns, sorted. */
typedef struct ent_fixed_group {
  ent_fixed_density *sorted; /* [count] */
  size_t count;
  size_t panels, full, dense; /* panels: all of them, those that are full, those that are full or dense */
} ent_fixed_group;

/* How many panels, from the first on, have a mean density of at least `least`. */
static size_t panels_above(const ent_fixed_group *group, double least) {
  size_t panels = 0;
  for (size_t first = 0; first < group->count; first += ENT_FIXED_PANEL) {
    size_t count = group->count - first < ENT_FIXED_PANEL ? group->count - first : ENT_FIXED_PANEL;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
      sum += group->sorted[first + i].density;
    if (!(sum >= least * (double)count))
      break;
    panels++;
  }
  return panels;
}

/* Full columns go by number, and so do those of a panel: their order does not matter, and statistics are written in that
 * order. */
static void sort_group(ent_fixed_group *group, double full, double dense) {
  qsort(group->sorted, group->count, sizeof *group->sorted, compare_densities);
  group->panels = (group->count + ENT_FIXED_PANEL - 1) / ENT_FIXED_PANEL;
  group->full = panels_above(group, full);
  group->dense = panels_above(group, dense);
  group->dense = group->dense < group->full ? group->full : group->dense;
  size_t columns = group->full * ENT_FIXED_PANEL;
  columns = columns < group->count ? columns : group->count;
  qsort(group->sorted, columns, sizeof *group->sorted, compare_columns);
  for (size_t first = columns; first < group->count; first += ENT_FIXED_PANEL) {
    size_t left = group->count - first;
    qsort(group->sorted + first, left < ENT_FIXED_PANEL ? left : ENT_FIXED_PANEL, sizeof *group->sorted,
          compare_columns);
  }
}

/* Places panels first .. end - 1 of a group, from panel number *at on. */
static void place_panels(ent_fixed_layout *layout, const ent_fixed_group *group, size_t first, size_t end, bool known,
                         size_t *at) {
  for (size_t panel = first; panel < end; panel++, ++*at) {
    size_t start = panel * ENT_FIXED_PANEL, left = group->count - start;
    layout->known[*at] = known;
    layout->used[*at] = (uint8_t)(left < ENT_FIXED_PANEL ? left : ENT_FIXED_PANEL);
    for (size_t i = 0; i < ENT_FIXED_PANEL; i++) {
      size_t position = *at * ENT_FIXED_PANEL + i;
      layout->column[position] = i < left ? group->sorted[start + i].column : ENT_FIXED_NOWHERE;
      if (i < left)
        layout->place[group->sorted[start + i].column] = (uint32_t)position;
    }
  }
}

entropic_status ent_fixed_layout_create(entropic_context *context, const ent_fixed_columns *columns, double full,
                                        double dense, ent_fixed_layout **layout) {
  ent_fixed_layout *made = ent_new(context, 1, sizeof *made);
  ent_fixed_density *sorted = ent_new(context, columns->count, sizeof *sorted);
  if (made == NULL || sorted == NULL)
    goto fail;
  for (size_t j = 0; j < columns->count; j++)
    sorted[j] = (ent_fixed_density){columns->densities[j], (uint32_t)j};
  ent_fixed_group old = {.sorted = sorted, .count = columns->known};
  ent_fixed_group new = {.sorted = sorted + columns->known, .count = columns->count - columns->known};
  sort_group(&old, full, dense);
  sort_group(&new, full, dense);
  made->columns = columns->count;
  made->panels = old.panels + new.panels;
  made->full = old.full + new.full;
  made->dense = old.dense + new.dense;
  made->rare_known = old.panels - old.dense;
  made->known = ent_new(context, made->panels, sizeof *made->known);
  made->used = ent_new(context, made->panels, sizeof *made->used);
  made->place = ent_new(context, columns->count, sizeof *made->place);
  made->column = ent_new_matrix(context, made->panels, ENT_FIXED_PANEL, sizeof *made->column);
  if (made->known == NULL || made->used == NULL || made->place == NULL || made->column == NULL)
    goto fail;
  size_t at = 0;
  place_panels(made, &old, 0, old.full, true, &at);
  place_panels(made, &new, 0, new.full, false, &at);
  place_panels(made, &old, old.full, old.dense, true, &at);
  place_panels(made, &new, new.full, new.dense, false, &at);
  place_panels(made, &old, old.dense, old.panels, true, &at);
  place_panels(made, &new, new.dense, new.panels, false, &at);
  ent_delete(sorted);
  *layout = made;
  return ENTROPIC_OK;
fail:
  ent_delete(sorted);
  ent_fixed_layout_free(made);
  return ENTROPIC_NO_MEMORY;
}
