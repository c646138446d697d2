/* Effects of rows by centres. A centre is one product of the sections of all inputs, so it needs the nodes of a feature
 * of as many factors (effects.h): N centres of D inputs take about N D^2 / 2 products a row, and N D values of the
 * kernel. */
#include <string.h>

#include "base/progress.h"
#include "explain/effects_rows.h"

#define POLL_PRODUCTS ((size_t)1 << 14) /* values of the kernel and factors at nodes, of a block of rows: about 1 ms */

entropic_status ent_effects_add_centres(entropic_context *context, const ent_effects *e, const ent_sections *sections,
                                        const ent_block *rows, const ent_effect_room *room) {
  size_t first, nodes = ent_effect_rule(e, e->used, &first), work = POLL_PRODUCTS;
  memset(room->sections, 0, e->used * ENT_EFFECT_ROWS * sizeof *room->sections);
  for (size_t j = 0; j < sections->centres; j++) {
    if (work >= POLL_PRODUCTS) {
      entropic_status status = ent_poll(context);
      if (status != ENTROPIC_OK)
        return status;
      work = 0;
    }
    work += e->used * (8 + nodes);
    ent_sections_values(sections, j, rows->x, rows->rows, rows->x_stride, ENT_EFFECT_ROWS, room->sections);
    for (size_t i = 0; i < e->used; i++)
      room->means[i] = ent_section_mean(sections, j, i);
    e->code->split_product(e, room);
    for (size_t k = 0; k < e->model->scores; k++) {
      double weight = sections->component->weights[k * sections->centres + j];
      double *sums = room->sums + k * e->used * ENT_EFFECT_ROWS;
      for (size_t i = 0; i < e->used * ENT_EFFECT_ROWS; i++)
        sums[i] += weight * room->parts[i];
    }
  }
  return ENTROPIC_OK;
}
