/* The order of columns within blocks of rows: see fixed_layout.h. */
#include "solve/fixed_layout.h"

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

void ent_fixed_layout_free(ent_fixed_layout *layout) {
  if (layout == NULL)
    return;
  ent_delete(layout->place);
  ent_delete(layout->column);
  ent_delete(layout);
}

/* How many panels, from the first on, have a mean density of at least `least`. */
static size_t panels_above(const ent_fixed_density *sorted, size_t columns, double least) {
  size_t panels = 0;
  for (size_t first = 0; first < columns; first += ENT_FIXED_PANEL) {
    size_t count = columns - first < ENT_FIXED_PANEL ? columns - first : ENT_FIXED_PANEL;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
      sum += sorted[first + i].density;
    if (!(sum >= least * (double)count))
      break;
    panels++;
  }
  return panels;
}

entropic_status ent_fixed_layout_create(entropic_context *context, const double *densities, size_t columns, double full,
                                        double dense, ent_fixed_layout **layout) {
  size_t panels = (columns + ENT_FIXED_PANEL - 1) / ENT_FIXED_PANEL;
  ent_fixed_layout *made = ent_new(context, 1, sizeof *made);
  ent_fixed_density *sorted = ent_new(context, columns, sizeof *sorted);
  if (made == NULL || sorted == NULL)
    goto fail;
  made->place = ent_new(context, columns, sizeof *made->place);
  made->column = ent_new(context, panels * ENT_FIXED_PANEL, sizeof *made->column);
  if (made->place == NULL || made->column == NULL)
    goto fail;
  for (size_t j = 0; j < columns; j++)
    sorted[j] = (ent_fixed_density){densities[j], (uint32_t)j};
  qsort(sorted, columns, sizeof *sorted, compare_densities);
  made->columns = columns;
  made->panels = panels;
  made->full = panels_above(sorted, columns, full);
  made->dense = panels_above(sorted, columns, dense);
  made->dense = made->dense < made->full ? made->full : made->dense;
  for (size_t position = 0; position < panels * ENT_FIXED_PANEL; position++)
    made->column[position] = position < columns ? sorted[position].column : ENT_FIXED_NOWHERE;
  for (size_t position = 0; position < columns; position++)
    made->place[sorted[position].column] = (uint32_t)position;
  ent_delete(sorted);
  *layout = made;
  return ENTROPIC_OK;
fail:
  ent_delete(sorted);
  ent_fixed_layout_free(made);
  return ENTROPIC_NO_MEMORY;
}
