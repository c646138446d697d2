/* Fits with target means: see wide.h. */
#include "fit/wide.h"

#include <string.h>

#include "base/memory.h"
#include "base/residency.h"
#include "dataset/target_means.h"
#include "fit/prepare.h"

#define WIDE_VALUES ((size_t)1 << 25) /* of all inputs and rows together: 256 MB */
#define WIDE_SHARE 0.25               /* of the bound on memory, if there is one */

/* Whether the means may be offered to this fit at all: not where runs become parts of one model, since each has means of
 * its own. */
static bool is_open(const ent_fit *fit) {
  const ent_fit_options *o = fit->options;
  return o->target_means && !fit->stacked && fit->residual && fit->can_validate && o->restriction == NULL &&
         o->omega_count <= 1 && o->criterion != ENTROPIC_CRITERION_DATA && !o->keep_statistics &&
         fit->train->all_rows == NULL;
}

/* How many inputs there may be besides. */
static size_t most_inputs(const ent_fit *fit) {
  size_t rows = fit->train->rows + (fit->valid == NULL ? 0 : fit->valid->rows);
  double bytes = WIDE_SHARE * (double)ent_residency_bound();
  size_t values = bytes < (double)WIDE_VALUES * sizeof(double) ? (size_t)(bytes / sizeof(double)) : WIDE_VALUES;
  size_t inputs = values / rows;
  return inputs > fit->inputs ? inputs - fit->inputs : 0;
}

/* Borrows all that is not of the inputs. */
static void free_copy(entropic_dataset *copy) {
  if (copy == NULL)
    return;
  ent_schema_clear(&copy->schema);
  ent_delete(copy->x);
  ent_delete(copy);
}

static bool has_name(const ent_schema *schema, const char *name) {
  bool found = false;
  for (size_t i = 0; i < schema->inputs; i++)
    found = found || strcmp(schema->input[i].name, name) == 0;
  for (size_t i = 0; i < schema->targets; i++)
    found = found || strcmp(schema->target[i], name) == 0;
  return found;
}

/* The schema with the inputs that are made. *taken: there is a column of such a name already. */
static entropic_status widen_schema(entropic_context *context, const ent_schema *from, const ent_target_means *means,
                                    ent_schema *to, bool *taken) {
  entropic_status status = ent_schema_copy(context, from, to);
  if (status != ENTROPIC_OK)
    return status;
  size_t room = to->inputs;
  if (!ent_reserve(context, &to->input, &room, to->inputs + means->input_count, sizeof *to->input))
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < means->input_count; i++) {
    char *name = ent_means_name(context, from, means, &means->inputs[i]);
    if (name == NULL)
      return ENTROPIC_NO_MEMORY;
    *taken = *taken || has_name(from, name);
    to->input[to->inputs++] = (ent_input){.name = name, .derived = true};
  }
  return ENTROPIC_OK;
}

/* A copy of a data set with room for all inputs, the first of which are filled. */
static entropic_status copy_rows(entropic_context *context, const entropic_dataset *from, const ent_target_means *means,
                                 bool *taken, entropic_dataset **copy) {
  entropic_dataset *to = *copy = ent_new(context, 1, sizeof *to);
  if (to == NULL)
    return ENTROPIC_NO_MEMORY;
  to->rows = from->rows;
  to->y = from->y;
  to->weights = from->weights;
  to->groups = from->groups;
  to->time = from->time;
  to->group_count = from->group_count;
  entropic_status status = widen_schema(context, &from->schema, means, &to->schema, taken);
  if (status != ENTROPIC_OK)
    return status;
  const ent_inputs inputs = ent_dataset_inputs(from);
  size_t narrow = from->schema.inputs, wide = to->schema.inputs;
  to->x = ent_new_matrix(context, from->rows, wide, sizeof *to->x);
  if (to->x == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < narrow; i++)
    ent_inputs_column(&inputs, i, 0, from->rows, to->x + i, wide);
  return ENTROPIC_OK;
}

/* Puts the values of the training rows behind their inputs. */
static void put_values(const ent_target_means *means, double *const *values, entropic_dataset *train) {
  size_t width = means->columns + 1, inputs = train->schema.inputs;
  for (size_t i = 0; i < means->input_count; i++) {
    const double *from = values[means->inputs[i].set] + means->inputs[i].column;
    for (size_t r = 0; r < train->rows; r++)
      train->x[r * inputs + means->inputs[i].input] = from[r * width];
  }
}

/* Which rows take part. */
static bool *list_active(entropic_context *context, const ent_fit *fit) {
  bool *active = ent_new(context, fit->train->rows, sizeof *active);
  for (size_t r = 0; active != NULL && r < fit->train->rows; r++)
    active[r] = ent_takes_part(&fit->splits, r);
  return active;
}

/* Means and data sets; without means where there are none to be made. */
static entropic_status make_rows(entropic_context *context, const ent_fit *fit, ent_fit_wide *wide) {
  double **values = NULL;
  bool taken = false, *active = list_active(context, fit);
  ent_means_rows rows = {fit->train, active, most_inputs(fit)};
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (active == NULL)
    goto done;
  status = ent_means_make(context, &rows, &wide->means, &values);
  if (status != ENTROPIC_OK || wide->means == NULL)
    goto done;
  status = copy_rows(context, fit->train, wide->means, &taken, &wide->train);
  if (status != ENTROPIC_OK)
    goto done;
  put_values(wide->means, values, wide->train);
  if (fit->valid != NULL) {
    status = copy_rows(context, fit->valid, wide->means, &taken, &wide->valid);
    if (status != ENTROPIC_OK)
      goto done;
    ent_means_fill(wide->means, wide->valid->x, wide->valid->rows, wide->valid->schema.inputs);
  }
done:
  ent_means_free_values(values, wide->means == NULL ? 0 : wide->means->set_count);
  ent_delete(active);
  if (taken) { /* its own columns have these names */
    ent_means_free(wide->means);
    wide->means = NULL;
  }
  return status;
}

/* The splits are of rows with these inputs. */
static void use_inputs(ent_fit *fit) {
  bool missing = false;
  for (size_t i = 0; i < fit->inputs; i++)
    missing |= fit->axes[i].missing != 0;
  fit->splits.inputs = fit->inputs;
  fit->splits.train.x_stride = fit->valid_block.x_stride = fit->inputs;
  fit->splits.train.missing = fit->valid_block.missing = missing;
  ent_fit_use(fit, 0);
}

/* Scalers, views and axes of all inputs. */
static entropic_status prepare(entropic_context *context, const ent_fit *fit, ent_fit_wide *wide) {
  ent_fit *to = &wide->fit;
  *to = *fit;
  to->wide = NULL;
  to->train = wide->train;
  to->valid = wide->valid;
  to->inputs = wide->train->schema.inputs;
  to->axes = NULL;
  memset(to->scalers, 0, sizeof to->scalers);
  memset(to->scaled, 0, sizeof to->scaled);
  entropic_status status = ent_fit_prepare_inputs(context, to);
  if (status != ENTROPIC_OK)
    return status;
  to->scaler = to->scalers[0];
  status = ent_fit_prepare_axes(context, to);
  if (status != ENTROPIC_OK)
    return status;
  if (to->splits.valid != NULL)
    to->splits.valid = &to->valid_block;
  use_inputs(to);
  return ENTROPIC_OK;
}

/* Frees the offer; its fit has what is not the fit's. */
static void free_wide(ent_fit_wide *wide) {
  ent_fit_clear_inputs(&wide->fit);
  free_copy(wide->train);
  free_copy(wide->valid);
  ent_means_free(wide->means);
  ent_delete(wide);
}

entropic_status ent_fit_offer(entropic_context *context, ent_fit *fit) {
  if (fit->wide != NULL || !is_open(fit))
    return ENTROPIC_OK;
  ent_fit_wide *wide = ent_new(context, 1, sizeof *wide);
  if (wide == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = make_rows(context, fit, wide);
  if (status == ENTROPIC_OK && wide->means != NULL)
    status = prepare(context, fit, wide);
  if (status != ENTROPIC_OK || wide->means == NULL)
    free_wide(wide);
  else
    fit->wide = wide;
  return status;
}

#define SWAP(type, a, b)                                                                                               \
  do {                                                                                                                 \
    type former = (a);                                                                                                 \
    (a) = (b);                                                                                                         \
    (b) = former;                                                                                                      \
  } while (0)

/* Exchanges what depends on the inputs. */
static void swap_inputs(ent_fit *a, ent_fit *b) {
  SWAP(const entropic_dataset *, a->train, b->train);
  SWAP(const entropic_dataset *, a->valid, b->valid);
  SWAP(size_t, a->inputs, b->inputs);
  SWAP(size_t, a->view_count, b->view_count);
  SWAP(size_t, a->plain, b->plain);
  SWAP(entropic_scaler *, a->scaler, b->scaler);
  SWAP(entropic_axis_options *, a->axes, b->axes);
  SWAP(ent_features, a->features, b->features);
  for (size_t v = 0; v < ENT_VIEWS; v++) {
    SWAP(entropic_scaler *, a->scalers[v], b->scalers[v]);
    SWAP(ent_view, a->views[v], b->views[v]);
    SWAP(double *, a->scaled[v][0], b->scaled[v][0]);
    SWAP(double *, a->scaled[v][1], b->scaled[v][1]);
  }
}

void ent_fit_widen(ent_fit *fit) {
  swap_inputs(fit, &fit->wide->fit);
  fit->wide->taken = true;
  use_inputs(fit);
}

void ent_fit_narrow(ent_fit *fit) {
  if (fit->wide == NULL)
    return;
  if (fit->wide->taken) {
    swap_inputs(fit, &fit->wide->fit);
    use_inputs(fit);
  }
  free_wide(fit->wide);
  fit->wide = NULL;
}
