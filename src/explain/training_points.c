/* The training rows as points of inputs: see training_points.h. */
#include "explain/training_points.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/sort.h"
#include "explain/input_distribution.h"
#include "explain/section_axis.h"

#define BLOCK_ROWS ((size_t)256)
#define LEAST_DIFFERENCE 1e-9 /* of an atom, between 1/2 and missing, beside its largest value there */
#define LEAST_SHARE 1e-9      /* of rows that are missing: rounding is far below */

void ent_training_points_free(ent_training_points *points) {
  if (points == NULL)
    return;
  for (size_t i = 0; points->input != NULL && i < points->inputs; i++) {
    ent_delete(points->input[i].shares);
    ent_delete(points->input[i].at);
    ent_delete(points->input[i].of);
  }
  ent_delete(points->input);
  ent_delete(points);
}

/* ---- Distinct coordinates ---- */

typedef struct ent_centre_value {
  double value; /* NaN is last */
  uint32_t centre;
} ent_centre_value;

static int compare_values(const void *a, const void *b) {
  const ent_centre_value *x = a, *y = b;
  if (isnan(x->value) != isnan(y->value))
    return isnan(x->value) ? 1 : -1;
  if (x->value != y->value && !isnan(x->value))
    return x->value < y->value ? -1 : 1;
  return x->centre < y->centre ? -1 : 1;
}

/* The distinct coordinates of the centres, ascending, in the place of this component. */
static entropic_status list_points(entropic_context *context, const entropic_model *model, ent_training_points *p,
                                   size_t input, ent_centre_value *values) {
  const ent_component *component = ent_model_component(model, p->component);
  ent_training_input *made = &p->input[input];
  for (size_t j = 0; j < p->centres; j++) {
    double at = component->centres[j * p->inputs + input];
    values[j] = (ent_centre_value){ent_section_node(component->kernel->axes[input], at), (uint32_t)j};
  }
  entropic_status status = ent_sort(context, values, p->centres, sizeof *values, compare_values);
  if (status != ENTROPIC_OK)
    return status;
  made->of = ent_new(context, p->centres, sizeof *made->of);
  if (made->of == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t j = 0; j < p->centres; j++) {
    bool same = j > 0 && (values[j].value == values[j - 1].value || isnan(values[j - 1].value));
    made->count += !same;
    made->of[values[j].centre] = (uint32_t)(made->count - 1);
  }
  /* one more, for rows that are missing */
  made->shares = ent_new(context, made->count + 1, sizeof *made->shares);
  made->at = ent_new_matrix(context, p->components, made->count + 1, sizeof *made->at);
  if (made->shares == NULL || made->at == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t j = 0; j < p->centres; j++) {
    uint32_t point = made->of[values[j].centre];
    made->shares[point] += 1;
    made->at[p->component * made->count + point] = values[j].value;
  }
  for (size_t k = 0; k < made->count; k++)
    made->shares[k] /= (double)p->centres;
  return ENTROPIC_OK;
}

/* ---- The same points by other components ---- */

/* What a coordinate is scaled from. */
static double unscaled(const ent_scale *scale, double at) {
  if (isnan(at))
    return NAN;
  if (scale->categories == 0)
    return ent_scale_invert(scale, at);
  double cell = floor(at * (double)scale->cells), last = (double)scale->cells - 1;
  if (cell < (double)scale->categories)
    return cell;
  return cell < last ? NAN : last + 1; /* the cell of missing values; a code that no category has */
}

static bool same_scale(const ent_component *a, const ent_component *b, size_t input) {
  const ent_scale *x = &a->scaler->scales[input], *y = &b->scaler->scales[input];
  return x->knots == y->knots && x->categories == y->categories && x->cells == y->cells && x->ignored == y->ignored &&
         (x->knots == 0 || (memcmp(x->at, y->at, x->knots * sizeof *x->at) == 0 &&
                            memcmp(x->height, y->height, x->knots * sizeof *x->height) == 0));
}

/* Row r has point first + r of each input. */
static void take_block(const entropic_model *model, ent_training_points *p, size_t first, const double *scaled) {
  size_t width = ent_model_width(model);
  const ent_component *own = ent_model_component(model, p->component);
  for (size_t i = 0; i < p->inputs; i++) {
    ent_training_input *input = &p->input[i];
    const double *known = input->at + p->component * input->count;
    for (size_t c = 0; c < p->components; c++) {
      bool same = same_scale(own, ent_model_component(model, c), i);
      const ent_axis *axis = ent_model_component(model, c)->kernel->axes[i];
      for (size_t r = 0; r < BLOCK_ROWS && first + r < input->count && c != p->component; r++) {
        double at = scaled[r * width + c * p->inputs + i];
        input->at[c * input->count + first + r] =
            same && !isnan(known[first + r]) ? known[first + r] : ent_section_node(axis, at);
      }
    }
  }
}

static entropic_status scale_points(entropic_context *context, const entropic_model *model, ent_training_points *p) {
  size_t most = 0;
  const entropic_scaler *scaler = ent_model_component(model, p->component)->scaler;
  double *x = ent_new_matrix(context, BLOCK_ROWS, p->inputs, sizeof *x);
  double *scaled = ent_new_matrix(context, BLOCK_ROWS, ent_model_width(model), sizeof *scaled);
  entropic_status status = x == NULL || scaled == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t i = 0; i < p->inputs; i++)
    most = p->input[i].count > most ? p->input[i].count : most;
  for (size_t first = 0; first < most && status == ENTROPIC_OK && p->components > 1; first += BLOCK_ROWS) {
    for (size_t r = 0; r < BLOCK_ROWS; r++)
      for (size_t i = 0; i < p->inputs; i++) {
        const ent_training_input *input = &p->input[i];
        size_t point = first + r < input->count ? first + r : 0;
        x[r * p->inputs + i] = unscaled(&scaler->scales[i], input->at[p->component * input->count + point]);
      }
    ent_model_scale(model, x, BLOCK_ROWS, p->inputs, scaled);
    take_block(model, p, first, scaled);
    status = ent_poll(context);
  }
  ent_delete(x);
  ent_delete(scaled);
  return status;
}

entropic_status ent_training_points_create(entropic_context *context, const entropic_model *model,
                                           ent_training_points **points) {
  ent_centre_value *values = NULL;
  ent_training_points *made = ent_new(context, 1, sizeof *made);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made == NULL)
    return status;
  while (ent_model_component(model, made->component)->design != NULL)
    made->component++;
  made->inputs = model->schema.inputs;
  made->components = ent_model_components(model);
  made->centres = ent_model_component(model, made->component)->features;
  made->input = ent_new(context, made->inputs, sizeof *made->input);
  values = ent_new(context, made->centres, sizeof *values);
  if (made->input == NULL || values == NULL)
    goto done;
  for (size_t i = 0; i < made->inputs; i++) {
    status = list_points(context, model, made, i, values);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = scale_points(context, model, made);
  if (status != ENTROPIC_OK)
    goto done;
  *points = made;
  made = NULL;
done:
  ent_delete(values);
  ent_training_points_free(made);
  return status;
}

/* ---- Marginals of features ---- */

entropic_status ent_training_points_marginals(entropic_context *context, const entropic_model *model,
                                              const ent_training_points *p, ent_marginals **marginals) {
  size_t width = ent_model_width(model);
  double *scaled = ent_new_matrix(context, p->centres, width, sizeof *scaled);
  if (scaled == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t j = 0; j < p->centres; j++)
    for (size_t c = 0; c < p->components; c++)
      for (size_t i = 0; i < p->inputs; i++) {
        const ent_training_input *input = &p->input[i];
        scaled[j * width + c * p->inputs + i] = input->at[c * input->count + input->of[j]];
      }
  entropic_status status = ent_model_marginals(context, model, scaled, p->centres, marginals);
  ent_delete(scaled);
  return status;
}

void ent_training_points_atom(const entropic_model *model, const ent_marginals *marginals, const ent_training_points *p,
                              size_t component, size_t input, uint32_t atom, double *values) {
  const ent_marginal *m = &ent_marginals_part(marginals, component)->input[input];
  const ent_axis *axis = ent_model_component(model, component)->kernel->axes[input];
  const ent_level *level = &axis->levels[m->levels[m->places[atom]]];
  const double *at = p->input[input].at + component * p->input[input].count;
  uint32_t atoms[BLOCK_ROWS];
  for (size_t first = 0; first < p->input[input].count; first += BLOCK_ROWS) {
    size_t some = p->input[input].count - first < BLOCK_ROWS ? p->input[input].count - first : BLOCK_ROWS;
    level->evaluate(axis, level, at + first, some, atoms, values + first);
    for (size_t r = 0; r < some; r++)
      values[first + r] = atoms[r] == m->atoms[atom] ? values[first + r] : 0;
  }
}

static double atom_at(const ent_axis *axis, const ent_marginal *m, uint32_t atom, double x) {
  const ent_level *level = &axis->levels[m->levels[m->places[atom]]];
  uint32_t found;
  double value;
  level->evaluate(axis, level, &x, 1, &found, &value);
  return found == m->atoms[atom] ? value : 0;
}

/* Where a component has rows that are missing. */
static double missing_at(const ent_axis *axis) {
  return axis->options.missing ? NAN : 0.5;
}

/* The share of the rows that are missing, by the atom of a component that tells them best from the numbers of the point
 * at 1/2; 0 if none does. */
static double missing_share(const entropic_model *model, const ent_marginals *marginals, const ent_training_points *p,
                            size_t component, size_t input, size_t middle, double *values) {
  const ent_training_input *of = &p->input[input];
  const ent_marginal *m = &ent_marginals_part(marginals, component)->input[input];
  const ent_axis *axis = ent_model_component(model, component)->kernel->axes[input];
  double best = 0, at = of->at[component * of->count + middle], mean = 0;
  uint32_t found = 0;
  for (uint32_t u = 0; u < m->count; u++) {
    double here = atom_at(axis, m, u, at), missing = atom_at(axis, m, u, missing_at(axis)), off = missing - here;
    bool clear = fabs(off) > LEAST_DIFFERENCE * fmax(fabs(here), fabs(missing));
    if (clear && fabs(off) > fabs(best)) {
      best = off;
      found = u;
    }
  }
  if (best == 0)
    return 0;
  ent_training_points_atom(model, marginals, p, component, input, found, values);
  for (size_t k = 0; k < of->count; k++)
    mean += of->shares[k] * values[k];
  return (m->means[found] - mean) / best;
}

/* Adds a point of missing values with this share, which those at the middle lose. */
static void add_missing(const entropic_model *model, ent_training_input *input, size_t number, size_t components,
                        size_t middle, double share) {
  size_t count = input->count++;
  for (size_t c = components; c > 0; c--) {
    const ent_axis *axis = ent_model_component(model, c - 1)->kernel->axes[number];
    memmove(input->at + (c - 1) * (count + 1), input->at + (c - 1) * count, count * sizeof *input->at);
    input->at[(c - 1) * (count + 1) + count] = missing_at(axis);
  }
  input->shares[middle] -= share;
  input->shares[count] = share;
}

entropic_status ent_training_points_split(entropic_context *context, const entropic_model *model,
                                          const ent_marginals *marginals, ent_training_points *p) {
  const ent_component *own = ent_model_component(model, p->component);
  for (size_t i = 0; i < p->inputs; i++) {
    ent_training_input *input = &p->input[i];
    const double *at = input->at + p->component * input->count;
    size_t middle = 0;
    double share = 0;
    while (middle < input->count && at[middle] != 0.5)
      middle++;
    bool known = own->kernel->axes[i]->options.missing || own->scaler->scales[i].categories > 0;
    if (known || middle == input->count || !model->schema.input[i].missing)
      continue;
    double *values = ent_new(context, input->count, sizeof *values);
    if (values == NULL)
      return ENTROPIC_NO_MEMORY;
    for (size_t c = 0; c < p->components && share == 0; c++)
      if (ent_model_component(model, c)->design != NULL)
        share = missing_share(model, marginals, p, c, i, middle, values);
    ent_delete(values);
    share = share < input->shares[middle] ? share : input->shares[middle];
    if (share > LEAST_SHARE)
      add_missing(model, input, i, p->components, middle, share);
  }
  return ENTROPIC_OK;
}
