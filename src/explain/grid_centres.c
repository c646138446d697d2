/* What centres add to the effects at the points of a grid: see grid.h. A main effect on P points takes a value of the
 * kernel for each point and node; the effect of a pair on P x P points takes P^2 products for each centre. */
#include "base/memory.h"
#include "base/progress.h"
#include "explain/grid.h"

#define POLL_VALUES ((size_t)1 << 16) /* of the kernel, or products: about 1 ms */

/* The section at a node, less its mean, at the points of an input. */
static void set_values(const ent_effect_grid *grid, size_t part, size_t place, double node, double mean,
                       double *values) {
  const ent_effects *e = grid->explanation->effects;
  size_t input = e->inputs[place], width = ent_model_width(e->model);
  const double *x = grid->scaled + part * e->model->schema.inputs + input;
  for (size_t p = 0; p < ent_effect_points_all(&grid->points[place]); p++)
    values[p] = ent_kernel_axis_value(e->parts[part].component->kernel, input, x[p * width], node) - mean;
}

static entropic_status add_mains(entropic_context *context, const ent_effect_grid *grid, size_t part, double *values) {
  const ent_effects *e = grid->explanation->effects;
  const ent_sections *s = e->parts[part].sections;
  size_t nodes = s->places[s->used], work = 0;
  for (size_t i = 0; i < e->used; i++)
    for (size_t u = 0; u < s->axes[i].count; u++) {
      size_t all = ent_effect_points_all(&grid->points[i]);
      work += all;
      entropic_status status = work >= POLL_VALUES ? ent_poll(context) : ENTROPIC_OK;
      if (status != ENTROPIC_OK)
        return status;
      work = work >= POLL_VALUES ? 0 : work;
      set_values(grid, part, i, s->axes[i].nodes[u], s->axes[i].means[u], values);
      for (size_t k = 0; k < e->model->scores; k++) {
        double coefficient = grid->explanation->shares->node_mains[part][k * nodes + s->places[i] + u];
        double *to = grid->mains + (k * e->used + i) * grid->most;
        for (size_t p = 0; p < all; p++)
          to[p] += coefficient * values[p];
      }
    }
  return ENTROPIC_OK;
}

entropic_status ent_effect_grid_add_centres(entropic_context *context, ent_effect_grid *grid) {
  const ent_effects *e = grid->explanation->effects;
  double *values = ent_new(context, grid->most, sizeof *values);
  entropic_status status = values == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t c = 0; c < e->part_count && status == ENTROPIC_OK; c++)
    if (e->parts[c].sections != NULL)
      status = add_mains(context, grid, c, values);
  ent_delete(values);
  return status;
}

/* The product of the means of a centre but those of two inputs. */
static double others(const ent_sections *s, size_t centre, size_t a, size_t b) {
  double product = 1;
  for (size_t k = 0; k < s->used; k++)
    product *= k == a || k == b ? 1 : ent_section_mean(s, centre, k);
  return product;
}

static entropic_status add_pair(entropic_context *context, const ent_effect_grid *grid, size_t part,
                                const ent_pair_effect *pair, size_t score, double *values, double *effects) {
  const ent_sections *s = grid->explanation->effects->parts[part].sections;
  size_t rows = ent_effect_points_all(&grid->points[pair->a]), columns = ent_effect_points_all(&grid->points[pair->b]);
  double *of_a = values, *of_b = values + grid->most;
  size_t work = 0;
  for (size_t j = 0; j < s->centres; j++) {
    double weight = s->component->weights[score * s->centres + j] * others(s, j, pair->a, pair->b);
    uint32_t a = s->nodes[j * s->used + pair->a], b = s->nodes[j * s->used + pair->b];
    work += rows * columns;
    entropic_status status = work >= POLL_VALUES ? ent_poll(context) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
    work = work >= POLL_VALUES ? 0 : work;
    set_values(grid, part, pair->a, s->axes[pair->a].nodes[a], s->axes[pair->a].means[a], of_a);
    set_values(grid, part, pair->b, s->axes[pair->b].nodes[b], s->axes[pair->b].means[b], of_b);
    for (size_t r = 0; r < rows; r++)
      for (size_t c = 0; c < columns; c++)
        effects[r * columns + c] += weight * of_a[r] * of_b[c];
  }
  return ENTROPIC_OK;
}

entropic_status ent_effect_grid_add_pair(entropic_context *context, const ent_effect_grid *grid, size_t pair,
                                         size_t score, double *effects) {
  const ent_effects *e = grid->explanation->effects;
  double *values = ent_new_matrix(context, 2, grid->most, sizeof *values);
  entropic_status status = values == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t c = 0; c < e->part_count && status == ENTROPIC_OK; c++)
    if (e->parts[c].sections != NULL)
      status = add_pair(context, grid, c, &grid->explanation->shares->pairs[pair], score, values, effects);
  ent_delete(values);
  return status;
}
