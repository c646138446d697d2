/* The marginals of a whole model: see joint.h. */
#include "model/joint.h"

#include <string.h>

#include "axis/kernel.h"
#include "base/memory.h"
#include "base/progress.h"

#define MOST_PRODUCTS ((size_t)1 << 27) /* of two atoms, of all inputs */
#define BLOCK_ROWS ((size_t)256)

/* The means of the atoms of each component, one after the other. */
static void join_means(const ent_marginals *joint, size_t input) {
  const ent_marginal *m = &joint->input[input];
  for (size_t c = 0, at = 0; c < joint->part_count; c++) {
    const ent_marginal *part = &joint->parts[c]->input[input];
    for (size_t i = 0; i < part->count; i++) /* of centres there are none */
      m->means[at++] = part->means[i];
  }
}

void ent_marginals_split_means(const ent_marginals *joint, size_t input) {
  const ent_marginal *m = &joint->input[input];
  for (size_t c = 0, at = 0; c < joint->part_count; c++) {
    const ent_marginal *part = &joint->parts[c]->input[input];
    memcpy(part->means, m->means + at, part->count * sizeof *m->means);
    at += part->count;
  }
}

/* Makes room for the atoms of all components. */
static entropic_status join_atoms(entropic_context *context, ent_marginals *joint) {
  size_t products = 0;
  joint->input = ent_new(context, joint->inputs, sizeof *joint->input);
  if (joint->input == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < joint->inputs; i++) {
    ent_marginal *m = &joint->input[i];
    for (size_t c = 0; c < joint->part_count; c++)
      m->count += joint->parts[c]->input[i].count;
    if (m->count > MOST_PRODUCTS || m->count * m->count > MOST_PRODUCTS - products)
      return ent_fail(context, ENTROPIC_TOO_LARGE,
                      "input %zu has %zu atoms in the components of the model: too many to compare each two of them",
                      i + 1, m->count);
    products += m->count * m->count;
    m->means = ent_new(context, m->count, sizeof *m->means);
    m->all = ent_new(context, m->count * m->count, sizeof *m->all);
    if (m->means == NULL || m->all == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  return ENTROPIC_OK;
}

/* Those of a component of centres. */
static entropic_status create_empty(entropic_context *context, size_t inputs, ent_marginals **marginals) {
  ent_marginals *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  *made = (ent_marginals){.inputs = inputs, .weight = 1, .all_used = true};
  made->input = ent_new(context, inputs, sizeof *made->input);
  if (made->input == NULL) {
    ent_delete(made);
    return ENTROPIC_NO_MEMORY;
  }
  *marginals = made;
  return ENTROPIC_OK;
}

entropic_status ent_model_atoms(entropic_context *context, const entropic_model *model, ent_marginals **marginals) {
  size_t count = ent_model_components(model);
  if (count == 1 && model->main.design != NULL)
    return ent_marginals_create(context, model->main.design, marginals);
  ent_marginals *made = ent_new(context, 1, sizeof *made);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made == NULL)
    return status;
  *made = (ent_marginals){.inputs = model->schema.inputs, .weight = 1, .part_count = count};
  made->parts = ent_new(context, count, sizeof *made->parts);
  if (made->parts == NULL)
    goto done;
  for (size_t c = 0; c < count; c++) {
    const entropic_design *design = ent_model_component(model, c)->design;
    status = design == NULL ? create_empty(context, made->inputs, &made->parts[c])
                            : ent_marginals_create(context, design, &made->parts[c]);
    made->all_used = made->all_used || design == NULL;
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = join_atoms(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  *marginals = made;
  made = NULL;
done:
  ent_marginals_free(made);
  return status;
}

/* ---- Rows ---- */

/* The values of the atoms of a component at scaled values: values[atom * rows + row]. */
static void fill_values(const ent_axis *axis, const ent_marginal *m, const double *scaled, size_t rows,
                        double *values) {
  double height[BLOCK_ROWS];
  uint32_t atoms[BLOCK_ROWS];
  memset(values, 0, m->count * rows * sizeof *values);
  for (size_t p = 0; p < m->level_count; p++) {
    const ent_level *level = &axis->levels[m->levels[p]];
    level->evaluate(axis, level, scaled, rows, atoms, height);
    for (size_t r = 0; r < rows; r++) {
      uint32_t atom = height[r] == 0 ? ENT_NO_ATOM : ent_marginal_in_level(m, p, atoms[r]);
      if (atom != ENT_NO_ATOM)
        values[atom * rows + r] += height[r];
    }
  }
}

/* Adds some rows of an input to the products of its atoms. */
static void add_products(const double *values, size_t count, size_t rows, double *products) {
  for (size_t u = 0; u < count; u++)
    for (size_t v = 0; v <= u; v++) {
      double sum = 0;
      for (size_t r = 0; r < rows; r++)
        sum += values[u * rows + r] * values[v * rows + r];
      products[u * count + v] += sum;
    }
}

/* One input at all rows, block by block. */
static entropic_status find_products(entropic_context *context, const entropic_model *model, const ent_marginals *joint,
                                     size_t input, const double *scaled, size_t rows) {
  const ent_marginal *m = &joint->input[input];
  size_t inputs = model->schema.inputs, width = ent_model_width(model);
  double column[BLOCK_ROWS], *values = ent_new_matrix(context, m->count, BLOCK_ROWS, sizeof *values);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (values == NULL)
    return status;
  for (size_t first = 0; first < rows; first += BLOCK_ROWS) {
    size_t some = rows - first < BLOCK_ROWS ? rows - first : BLOCK_ROWS, at = 0;
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto done;
    for (size_t c = 0; c < joint->part_count; at += joint->parts[c++]->input[input].count) {
      for (size_t r = 0; r < some; r++)
        column[r] = ent_clamp(scaled[(first + r) * width + c * inputs + input]);
      fill_values(ent_model_component(model, c)->kernel->axes[input], &joint->parts[c]->input[input], column, some,
                  values + at * some);
    }
    add_products(values, m->count, some, m->all);
  }
  for (size_t u = 0; u < m->count; u++)
    for (size_t v = 0; v <= u; v++)
      m->all[v * m->count + u] = m->all[u * m->count + v] /= (double)rows;
  status = ENTROPIC_OK;
done:
  ent_delete(values);
  return status;
}

/* The marginals of one component. */
static entropic_status learn_component(entropic_context *context, const ent_component *component, const double *scaled,
                                       size_t rows, size_t stride, ent_marginals *marginals) {
  if (component->design == NULL)
    return ENTROPIC_OK;
  const ent_block block = {.rows = rows, .x = scaled, .x_stride = stride};
  entropic_status status = ent_marginals_add(context, marginals, component->kernel, &block);
  return status != ENTROPIC_OK ? status : ent_marginals_finish(context, marginals);
}

entropic_status ent_model_marginals(entropic_context *context, const entropic_model *model, const double *scaled,
                                    size_t rows, ent_marginals **marginals) {
  ent_marginals *made = NULL;
  size_t inputs = model->schema.inputs, width = ent_model_width(model);
  entropic_status status = ent_model_atoms(context, model, &made);
  if (status != ENTROPIC_OK)
    return status;
  if (made->parts == NULL)
    status = learn_component(context, &model->main, scaled, rows, width, made);
  for (size_t c = 0; c < made->part_count && status == ENTROPIC_OK; c++)
    status = learn_component(context, ent_model_component(model, c), scaled + c * inputs, rows, width, made->parts[c]);
  for (size_t i = 0; made->parts != NULL && i < inputs && status == ENTROPIC_OK; i++) {
    join_means(made, i);
    status = made->input[i].count == 0 ? ENTROPIC_OK : find_products(context, model, made, i, scaled, rows);
  }
  if (status != ENTROPIC_OK)
    ent_marginals_free(made);
  else
    *marginals = made;
  return status;
}
