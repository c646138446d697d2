/* The methods of a comparison: see method.h. */
#include "compare/method.h"

#include <string.h>

#include "base/context.h"
#include "base/memory.h"
#include "tune/folds.h"
#include "tune/recipe.h"
#include "tune/rules.h"

/* How a method makes its features. */
typedef struct ent_maker {
  entropic_status (*make)(entropic_context *context, const ent_trial *trial, ent_method_features *features);
  ent_random_method method;       /* for make_random */
  ent_random_kernel kernels[2];   /* likewise: what tuning chooses from */
  size_t kernel_count;            /* likewise; 0: it has one of its own */
  ent_random_landmarks landmarks; /* Nystroem */
  ent_compare_inputs inputs;
  const char *kernel; /* the name of its own */
  bool ours, no_rule, papers, exact;
} ent_maker;

static const ent_maker makers[ENT_COMPARE_METHODS];

void ent_method_features_clear(ent_method_features *features) {
  ent_lifting_clear(&features->lifting);
  ent_random_free(features->random);
  *features = (ent_method_features){0};
}

/* How many groups, from the first, have ENT_METHOD_FEATURES_MOST features at most; all if they do. */
static size_t count_groups(const entropic_design *design) {
  size_t groups = entropic_design_groups(design), features = 0;
  for (size_t i = 0; i < groups; i++) {
    entropic_group group;
    if (ent_design_group(NULL, design, i, &group) != ENTROPIC_OK ||
        group.features > ENT_METHOD_FEATURES_MOST - features)
      return i;
    features += group.features;
  }
  return groups;
}

/* The features of these axes, by number or by non-zeros. */
static entropic_status make_lifting(entropic_context *context, const ent_trial *trial, ent_features *wanted,
                                    ent_method_features *features) {
  wanted->inputs = trial->inputs;
  wanted->design.seed = trial->seed;
  wanted->design.nonzeros = trial->request->nonzeros;
  entropic_status status = ent_features_make(context, wanted, 0, trial->request->features, &features->lifting);
  if (status != ENTROPIC_OK)
    return status;
  if (trial->request->features == 0) {
    size_t fitting = count_groups(features->lifting.design);
    if (fitting < entropic_design_groups(features->lifting.design)) {
      ent_lifting_clear(&features->lifting);
      wanted->design.nonzeros = fitting;
      status = ent_features_make(context, wanted, 0, 0, &features->lifting);
    }
  }
  features->map = features->lifting.map;
  return status;
}

/* Our features; all axes have these options. */
static entropic_status make_ours(entropic_context *context, const ent_trial *trial, const entropic_axis_options *axis,
                                 entropic_select select, ent_method_features *features) {
  entropic_axis_options *axes = ent_new(context, trial->inputs, sizeof *axes);
  if (axes == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < trial->inputs; i++) {
    axes[i] = *axis;
    axes[i].omega = trial->bandwidth;
  }
  ent_features wanted = {.axes = axes, .design = ent_design_options_default()};
  wanted.design.select = select;
  entropic_status status = make_lifting(context, trial, &wanted, features);
  ent_delete(axes);
  return status;
}

/* How many distinct values an input has on the rows; `most` if there are as many or more. */
static size_t count_distinct(const ent_random_data *data, size_t input, size_t most) {
  double seen[16];
  size_t count = 0;
  for (size_t r = 0; r < data->rows && count < most; r++) {
    double value = data->x[r * data->stride + input];
    size_t i = 0;
    while (i < count && seen[i] != value)
      i++;
    if (i == count)
      seen[count++] = value;
  }
  return count;
}

/* The kernel whose features are selected, as in models. */
static entropic_status select_kernel(entropic_context *context, const ent_trial *trial, entropic_kernel **kernel) {
  entropic_axis_options *axes = ent_new(context, trial->inputs, sizeof *axes);
  if (axes == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < trial->inputs; i++) {
    axes[i] = ent_axis_options_default();
    axes[i].omega = trial->bandwidth;
    axes[i].smooth = ENT_SELECT_SMOOTH;
    ent_select_trim(&axes[i], count_distinct(&trial->data, i, 16));
  }
  ent_features wanted = {.axes = axes, .inputs = trial->inputs};
  entropic_status status = ent_features_kernel(context, &wanted, 0, kernel);
  ent_delete(axes);
  return status;
}

/* The rows that features are selected by: all, or a random ENT_SELECT_ROWS of more. `subset` and `numbers` hold them, and
 * are the caller's to free, also on failure. */
static entropic_status rows_to_select_by(entropic_context *context, const ent_trial *trial, ent_row_subset *subset,
                                         size_t **numbers, ent_block *block) {
  const ent_random_data *data = &trial->data;
  *block =
      (ent_block){.rows = data->rows, .x = data->x, .x_stride = data->stride, .y = data->y, .y_stride = data->y_stride};
  if (data->rows <= ENT_SELECT_ROWS)
    return ENTROPIC_OK;
  *numbers = ent_new(context, data->rows, sizeof **numbers);
  if (*numbers == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_random random = entropic_random_start(trial->seed, 4);
  entropic_random_permutation(&random, data->rows, *numbers);
  *subset = (ent_row_subset){.from = {.all = *block, .inputs = trial->inputs, .targets = data->targets},
                             .numbers = *numbers,
                             .count = ENT_SELECT_ROWS};
  return ent_row_subset_load(context, subset, block);
}

/* Selected against the residual. All targets have scale 1, as in the test error. */
static entropic_status make_residual(entropic_context *context, const ent_trial *trial, ent_method_features *features) {
  size_t targets = trial->data.targets, *numbers = NULL;
  entropic_kernel *kernel = NULL;
  ent_selection selection = {0};
  ent_row_subset subset = {0};
  ent_path_task task = {.data = {.validation = *trial->validation, .inputs = trial->inputs, .targets = targets},
                        .max_features = trial->request->features,
                        .lambda = trial->lambda,
                        .no_early_stop = true};
  entropic_status status = ENTROPIC_NO_MEMORY;
  double *scale = ent_new(context, targets, sizeof *scale);
  if (scale == NULL)
    goto done;
  for (size_t k = 0; k < targets; k++)
    scale[k] = 1;
  task.data.scale = scale;
  status = select_kernel(context, trial, &kernel);
  if (status != ENTROPIC_OK)
    goto done;
  status = rows_to_select_by(context, trial, &subset, &numbers, &task.data.train);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_select_path(context, kernel, &task, &selection);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_selection_lifting(context, &selection, selection.count, &features->lifting);
  features->map = features->lifting.map;
done:
  ent_selection_clear(&selection);
  ent_row_subset_clear(&subset);
  entropic_kernel_free(kernel);
  ent_delete(numbers);
  ent_delete(scale);
  return status;
}

/* The completed basis, best first. */
static entropic_status make_entropy(entropic_context *context, const ent_trial *trial, ent_method_features *features) {
  entropic_axis_options axis = trial->axis == NULL ? ent_axis_options_default() : *trial->axis;
  return make_ours(context, trial, &axis, ENTROPIC_SELECT_ENTROPY, features);
}

/* As printed in the source paper. */
static entropic_status make_printed(entropic_context *context, const ent_trial *trial, ent_method_features *features) {
  entropic_axis_options axis = ent_axis_options_default();
  axis.family = ENTROPIC_FAMILY_LAPLACE;
  axis.basis = ENTROPIC_BASIS_INTERIOR;
  axis.unit_height = 1;
  return make_ours(context, trial, &axis, ENTROPIC_SELECT_PAPER, features);
}

static entropic_status make_random(entropic_context *context, const ent_trial *trial, ent_method_features *features) {
  ent_random_options options = ent_random_options_default();
  const ent_maker *maker = &makers[trial->request->method];
  options.method = maker->method;
  options.kernel = maker->kernels[trial->kernel];
  options.landmarks = maker->landmarks;
  options.sigma = trial->bandwidth;
  options.seed = trial->seed;
  options.features = trial->request->features;
  if (options.method == ENT_RANDOM_NYSTROEM && options.features > trial->data.rows)
    options.features = trial->data.rows;
  entropic_status status = ent_random_create(context, &options, trial->inputs, &trial->data, &features->random);
  if (status != ENTROPIC_OK)
    return status;
  features->map = ent_map_of_random(features->random);
  return ENTROPIC_OK;
}

/* Random features of the laplace kernel, of the Gaussian. */
#define LAPLACE .make = make_random, .kernels = {ENT_RANDOM_LAPLACE}, .kernel_count = 1
#define GAUSS .make = make_random, .kernels = {ENT_RANDOM_GAUSS}, .kernel_count = 1
#define EITHER .kernels = {ENT_RANDOM_LAPLACE, ENT_RANDOM_GAUSS}, .kernel_count = 2

static const ent_maker makers[ENT_COMPARE_METHODS] = {
    [ENT_COMPARE_ENTROPY] = {.make = make_entropy, .kernel = "centred", .ours = true, .no_rule = true},
    [ENT_COMPARE_RESIDUAL] = {.make = make_residual, .kernel = "centred", .ours = true, .no_rule = true},
    [ENT_COMPARE_PRINTED] = {.make = make_printed, .kernel = "laplace", .ours = true, .inputs = ENT_INPUTS_MINMAX},
    [ENT_COMPARE_INSET] = {.make = make_printed, .kernel = "laplace", .ours = true, .inputs = ENT_INPUTS_INSET},
    [ENT_COMPARE_RKS] = {LAPLACE, .method = ENT_RANDOM_RKS, .papers = true},
    [ENT_COMPARE_ORF] = {GAUSS, .method = ENT_RANDOM_ORF, .papers = true},
    [ENT_COMPARE_LKRF] = {LAPLACE, .method = ENT_RANDOM_LKRF, .papers = true},
    [ENT_COMPARE_EERF] = {LAPLACE, .method = ENT_RANDOM_EERF, .papers = true},
    [ENT_COMPARE_QMC] = {LAPLACE, .method = ENT_RANDOM_QMC},
    [ENT_COMPARE_SORF] = {GAUSS, .method = ENT_RANDOM_SORF},
    [ENT_COMPARE_NYSTROEM] = {EITHER, .make = make_random, .method = ENT_RANDOM_NYSTROEM,
                              .landmarks = ENT_LANDMARKS_UNIFORM},
    [ENT_COMPARE_PIVOTED] = {EITHER, .make = make_random, .method = ENT_RANDOM_NYSTROEM,
                             .landmarks = ENT_LANDMARKS_RPC},
    [ENT_COMPARE_EXACT] = {EITHER, .exact = true},
};

const char *ent_compare_method_name(ent_compare_method method) {
  static const char *const names[] = {
#define ENT_COMPARE_METHOD_NAME(name, text) text,
      ENT_COMPARE_METHOD_MAP(ENT_COMPARE_METHOD_NAME)
#undef ENT_COMPARE_METHOD_NAME
  };
  return (size_t)method < ENT_COMPARE_METHODS ? names[method] : NULL;
}

bool ent_compare_method_is_ours(ent_compare_method method) {
  return makers[method].ours;
}

bool ent_compare_method_is_papers(ent_compare_method method) {
  return makers[method].papers;
}

bool ent_compare_method_is_exact(ent_compare_method method) {
  return makers[method].exact;
}

ent_compare_method ent_compare_method_find(const char *name) {
  ent_compare_method method = 0;
  while (method < ENT_COMPARE_METHODS && strcmp(name, ent_compare_method_name(method)) != 0)
    method++;
  return method;
}

ent_compare_inputs ent_compare_method_inputs(ent_compare_method method) {
  return makers[method].inputs;
}

size_t ent_compare_method_kernels(ent_compare_method method) {
  return makers[method].kernel_count > 0 ? makers[method].kernel_count : 1;
}

ent_random_kernel ent_compare_method_random_kernel(ent_compare_method method, size_t kernel) {
  return makers[method].kernels[kernel];
}

const char *ent_compare_method_kernel(ent_compare_method method, size_t kernel) {
  return makers[method].kernel_count > 0 ? ent_random_kernel_name(makers[method].kernels[kernel])
                                         : makers[method].kernel;
}

bool ent_compare_method_has_rule(ent_compare_method method) {
  return !makers[method].no_rule;
}

entropic_status ent_method_features_make(entropic_context *context, const ent_trial *trial,
                                         ent_method_features *features) {
  const ent_request *request = trial->request;
  *features = (ent_method_features){0};
  if (request->features == 0 && (request->nonzeros == 0 || request->method != ENT_COMPARE_ENTROPY))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: neither features nor non-zeros are given",
                    ent_compare_method_name(request->method));
  if (makers[request->method].make == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s has no features", ent_compare_method_name(request->method));
  entropic_status status = makers[request->method].make(context, trial, features);
  if (status != ENTROPIC_OK)
    ent_method_features_clear(features);
  return status;
}
