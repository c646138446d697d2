/* Marginals of a model of several components: see joint.h. */
#include "explain/joint.h"

#include <string.h>

#include "axis/kernel.h"
#include "base/memory.h"
#include "base/progress.h"
#include "lift/lift.h"

#define MOST_PRODUCTS ((size_t)1 << 27) /* of two atoms, of all inputs */
#define BLOCK_ROWS ((size_t)256)

void ent_joint_free(ent_joint *joint) {
  if (joint == NULL)
    return;
  for (size_t c = 0; joint->of != NULL && c < joint->count; c++)
    ent_marginals_free(joint->of[c]);
  ent_delete(joint->of);
  ent_marginals_free(joint->all);
  ent_delete(joint);
}

/* The marginals of one component over rows that it has scaled. */
static entropic_status learn_component(entropic_context *context, const ent_component *component, const double *scaled,
                                       size_t rows, ent_marginals **marginals) {
  ent_marginals *made = NULL;
  entropic_status status = ent_marginals_create(context, component->design, &made);
  if (status != ENTROPIC_OK || rows == 0)
    goto done;
  const ent_block block = {.rows = rows, .x = scaled, .x_stride = component->kernel->inputs};
  status = ent_marginals_add(context, made, component->kernel, &block);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_marginals_finish(context, made);
done:
  if (status != ENTROPIC_OK)
    ent_marginals_free(made);
  else
    *marginals = made;
  return status;
}

/* Makes room for the atoms of all components. */
static entropic_status start_all(entropic_context *context, ent_joint *joint, size_t inputs) {
  size_t products = 0;
  joint->all = ent_new(context, 1, sizeof *joint->all);
  if (joint->all == NULL)
    return ENTROPIC_NO_MEMORY;
  joint->all->inputs = inputs;
  joint->all->weight = 1;
  joint->all->input = ent_new(context, inputs, sizeof *joint->all->input);
  if (joint->all->input == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < inputs; i++) {
    ent_marginal *m = &joint->all->input[i];
    for (size_t c = 0; c < joint->count; c++)
      m->count += joint->of[c]->input[i].count;
    if (m->count > MOST_PRODUCTS || m->count * m->count > MOST_PRODUCTS - products)
      return ent_fail(context, ENTROPIC_TOO_LARGE,
                      "input %zu has %zu atoms in the components of the model: too many to compare each two of them",
                      i + 1, m->count);
    products += m->count * m->count;
    m->means = ent_new(context, m->count, sizeof *m->means);
    m->all = ent_new(context, m->count * m->count, sizeof *m->all);
    if (m->means == NULL || m->all == NULL)
      return ENTROPIC_NO_MEMORY;
    for (size_t c = 0, at = 0; c < joint->count; at += joint->of[c++]->input[i].count)
      memcpy(m->means + at, joint->of[c]->input[i].means, joint->of[c]->input[i].count * sizeof *m->means);
  }
  return ENTROPIC_OK;
}

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
static entropic_status find_products(entropic_context *context, const entropic_model *model, const ent_joint *joint,
                                     size_t input, const double *scaled, size_t rows) {
  ent_marginal *m = &joint->all->input[input];
  size_t inputs = model->schema.inputs;
  double column[BLOCK_ROWS], *values = ent_new_matrix(context, m->count, BLOCK_ROWS, sizeof *values);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (values == NULL)
    return status;
  for (size_t first = 0; first < rows; first += BLOCK_ROWS) {
    size_t some = rows - first < BLOCK_ROWS ? rows - first : BLOCK_ROWS, at = 0;
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto done;
    for (size_t c = 0; c < joint->count; at += joint->of[c++]->input[input].count) {
      const ent_component *component = ent_model_component(model, c);
      for (size_t r = 0; r < some; r++)
        column[r] = ent_clamp(scaled[(c * rows + first + r) * inputs + input]);
      fill_values(component->kernel->axes[input], &joint->of[c]->input[input], column, some, values + at * some);
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

entropic_status ent_joint_create(entropic_context *context, const entropic_model *model, const double *x, size_t rows,
                                 ent_joint **joint) {
  size_t inputs = model->schema.inputs, count = ent_model_components(model);
  double *scaled = ent_new_matrix(context, count * rows, inputs, sizeof *scaled);
  ent_joint *made = ent_new(context, 1, sizeof *made);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (scaled == NULL || made == NULL)
    goto done;
  made->count = count;
  made->of = ent_new(context, count, sizeof *made->of);
  if (made->of == NULL)
    goto done;
  for (size_t c = 0; c < count; c++) {
    const ent_component *component = ent_model_component(model, c);
    double *own = scaled + c * rows * inputs;
    status = ent_scaler_fill_all(context, component->scaler, x, rows, inputs, own);
    if (status != ENTROPIC_OK)
      goto done;
    status = learn_component(context, component, own, rows, &made->of[c]);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = start_all(context, made, inputs);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; rows > 0 && i < inputs; i++) {
    status = made->all->input[i].count == 0 ? ENTROPIC_OK : find_products(context, model, made, i, scaled, rows);
    if (status != ENTROPIC_OK)
      goto done;
  }
  *joint = made;
  made = NULL;
done:
  ent_delete(scaled);
  ent_joint_free(made);
  return status;
}
