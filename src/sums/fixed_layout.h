/* The order of columns within blocks of rows: by density, 48 columns a panel.
 *
 * Columns are known or new; products of two known ones are not needed. No panel holds both, so pairs of known panels are
 * left out. Panels are ordered as full known, full new, dense known, dense new, rare known, rare new ones.
 *
 * Panels below `full` are multiplied with each other in tiles. Panels below `dense` are stored as panels, row after row.
 * Columns of panels from `full` on are also stored as lists of non-zeros. So the products of columns i and j, with i at the
 * lower position, are summed
 *     in tiles            if the panel of j is below `full`,
 *     by axpy             if the panel of i is below `dense`: for each non-zero of j a multiple of a row of that panel,
 *     by scattering       otherwise: pairs of non-zeros, row by row.
 * The layout decides how long that takes, and never shows in the sums. */
#ifndef ENT_SUMS_FIXED_LAYOUT_H
#define ENT_SUMS_FIXED_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"

#define ENT_FIXED_PANEL ((size_t)48) /* columns; 3 registers of 16 integers, 6 of 8 sums */
#define ENT_FIXED_NOWHERE UINT32_MAX

typedef struct ent_fixed_layout {
  size_t columns;
  size_t panels;     /* that hold all columns */
  size_t full;       /* panels */
  size_t dense;      /* panels, at least `full` */
  size_t rare_known; /* panels that follow the dense ones and are known */
  bool *known;       /* [panels] */
  uint8_t *used;     /* [panels] columns of a panel; its other positions, which come last, are empty */
  uint32_t *place;   /* [columns] position of a column */
  uint32_t *column;  /* [panels * ENT_FIXED_PANEL] column at a position, ascending in a panel, or ENT_FIXED_NOWHERE */
} ent_fixed_layout;

/* What a layout is made for, all borrowed. */
typedef struct ent_fixed_columns {
  size_t count;
  size_t known;            /* the first ones are known; 0: none */
  const double *densities; /* [count] shares of rows in which a column is not zero, as far as that can be told */
} ent_fixed_columns;

/* Panels of a mean density of at least `full` are full, of at least `dense` dense. */
entropic_status ent_fixed_layout_create(entropic_context *context, const ent_fixed_columns *columns, double full,
                                        double dense, ent_fixed_layout **layout);
void ent_fixed_layout_free(ent_fixed_layout *layout);

/* How the products of columns of two panels, lower <= upper, are summed. */
typedef enum ent_fixed_way { ENT_FIXED_TILE, ENT_FIXED_AXPY, ENT_FIXED_SCATTER } ent_fixed_way;

static inline ent_fixed_way ent_fixed_way_of(const ent_fixed_layout *layout, size_t lower, size_t upper) {
  return upper < layout->full ? ENT_FIXED_TILE : lower < layout->dense ? ENT_FIXED_AXPY : ENT_FIXED_SCATTER;
}

/* Are the products of columns of two panels needed? */
static inline bool ent_fixed_is_needed(const ent_fixed_layout *layout, size_t lower, size_t upper) {
  return !(layout->known[lower] && layout->known[upper]);
}

/* Where the sums of columns of two panels, lower <= upper, begin: ENT_FIXED_PANEL columns of ENT_FIXED_PANEL sums. Those
 * of (lower, upper + 1) follow. */
static inline size_t ent_fixed_sums_at(const ent_fixed_layout *layout, size_t lower, size_t upper) {
  return (lower * layout->panels - lower * (lower + 1) / 2 + upper) * (ENT_FIXED_PANEL * ENT_FIXED_PANEL);
}

/* How many sums there are. */
static inline size_t ent_fixed_sum_count(const ent_fixed_layout *layout) {
  return layout->panels * (layout->panels + 1) / 2 * (ENT_FIXED_PANEL * ENT_FIXED_PANEL);
}

#endif
