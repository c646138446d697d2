/* Features of any method: see entry.h. */
#include "study/entry.h"

#include "base/context.h"
#include "base/memory.h"
#include "tune/folds.h"
#include "tune/recipe.h"
#include "tune/rules.h"

/* How a method makes its features. */
typedef struct ent_maker {
  entropic_status (*make)(entropic_context *context, const ent_trial *trial, ent_study_entry *entry);
  ent_random_method method; /* for make_random */
  ent_random_kernel kernel;
  bool ours, no_rule;
} ent_maker;

static const ent_maker makers[ENT_BASELINES];

void ent_entry_clear(ent_study_entry *entry) {
  ent_lifting_clear(&entry->lifting);
  ent_random_free(entry->random);
  *entry = (ent_study_entry){0};
}

/* How many groups, from the first, have ENT_ENTRY_MOST features at most; all if they do. */
static size_t count_groups(const entropic_design *design) {
  size_t groups = entropic_design_groups(design), features = 0;
  for (size_t i = 0; i < groups; i++) {
    entropic_group group;
    if (entropic_design_group(NULL, design, i, &group) != ENTROPIC_OK || group.features > ENT_ENTRY_MOST - features)
      return i;
    features += group.features;
  }
  return groups;
}

/* The features of all these axes by number or by non-zeros. */
static entropic_status make_lifting(entropic_context *context, const ent_trial *trial, ent_features *wanted,
                                    ent_study_entry *entry) {
  wanted->inputs = trial->inputs;
  wanted->design.seed = trial->seed;
  wanted->design.nonzeros = trial->request->nonzeros;
  entropic_status status = ent_features_make(context, wanted, 0, trial->request->features, &entry->lifting);
  if (status == ENTROPIC_OK && trial->request->features == 0) {
    size_t fitting = count_groups(entry->lifting.design);
    if (fitting < entropic_design_groups(entry->lifting.design)) {
      ent_lifting_clear(&entry->lifting);
      wanted->design.nonzeros = fitting;
      status = ent_features_make(context, wanted, 0, 0, &entry->lifting);
    }
  }
  entry->map = entry->lifting.map;
  return status;
}

/* Our features, with axes like this one. */
static entropic_status make_ours(entropic_context *context, const ent_trial *trial, const entropic_axis_options *axis,
                                 entropic_choice choice, ent_study_entry *entry) {
  entropic_axis_options *axes = ent_new(context, trial->inputs, sizeof *axes);
  if (axes == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < trial->inputs; i++) {
    axes[i] = *axis;
    axes[i].omega = trial->bandwidth;
  }
  ent_features wanted = {.axes = axes, .design = entropic_design_options_default()};
  wanted.design.choice = choice;
  entropic_status status = make_lifting(context, trial, &wanted, entry);
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

/* The kernel that selection chooses from, as models have it. */
static entropic_status select_kernel(entropic_context *context, const ent_trial *trial, entropic_kernel **kernel) {
  entropic_axis_options *axes = ent_new(context, trial->inputs, sizeof *axes);
  if (axes == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < trial->inputs; i++) {
    axes[i] = entropic_axis_options_default();
    axes[i].omega = trial->bandwidth;
    axes[i].smooth = ENT_SELECT_SMOOTH;
    ent_select_trim(&axes[i], count_distinct(&trial->data, i, 16));
  }
  ent_features wanted = {.axes = axes, .inputs = trial->inputs};
  entropic_status status = ent_features_kernel(context, &wanted, 0, kernel);
  ent_delete(axes);
  return status;
}

/* The rows that features are selected by: all, or of very many as many as a model selects by, at random. `picked` and
 * `numbers` hold those and are to be freed. */
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

/* Selected by what is left to be explained. All targets count alike, as they do in the error. */
static entropic_status make_residual(entropic_context *context, const ent_trial *trial, ent_study_entry *entry) {
  size_t targets = trial->data.targets, *numbers = NULL;
  entropic_kernel *kernel = NULL;
  ent_selection selection = {0};
  ent_row_subset subset = {0};
  ent_path_task task = {.data = {.validation = *trial->kept, .inputs = trial->inputs, .targets = targets},
                        .max_features = trial->request->features,
                        .lambda = trial->lambda,
                        .no_early_stop = true};
  double *scale = ent_new(context, targets, sizeof *scale);
  entropic_status status = scale == NULL ? ENTROPIC_NO_MEMORY : select_kernel(context, trial, &kernel);
  if (status == ENTROPIC_OK)
    status = rows_to_select_by(context, trial, &subset, &numbers, &task.data.train);
  if (status == ENTROPIC_OK) {
    for (size_t k = 0; k < targets; k++)
      scale[k] = 1;
    task.data.scale = scale;
    status = ent_select_path(context, kernel, &task, &selection);
  }
  if (status == ENTROPIC_OK)
    status = ent_selection_lifting(context, &selection, selection.count, &entry->lifting);
  entry->map = entry->lifting.map;
  ent_selection_clear(&selection);
  ent_row_subset_clear(&subset);
  entropic_kernel_free(kernel);
  ent_delete(numbers);
  ent_delete(scale);
  return status;
}

/* Completed, and best first. */
static entropic_status make_entropy(entropic_context *context, const ent_trial *trial, ent_study_entry *entry) {
  entropic_axis_options axis = entropic_axis_options_default();
  return make_ours(context, trial, &axis, ENTROPIC_BEST, entry);
}

/* As printed in the source paper. */
static entropic_status make_printed(entropic_context *context, const ent_trial *trial, ent_study_entry *entry) {
  entropic_axis_options axis = entropic_axis_options_default();
  axis.family = ENTROPIC_LAPLACE;
  axis.basis = ENTROPIC_INTERIOR;
  axis.unit_height = 1;
  return make_ours(context, trial, &axis, ENTROPIC_PAPER, entry);
}

static entropic_status make_random(entropic_context *context, const ent_trial *trial, ent_study_entry *entry) {
  ent_random_options options = ent_random_options_default();
  options.method = makers[trial->request->baseline].method;
  options.kernel = makers[trial->request->baseline].kernel;
  options.sigma = trial->bandwidth;
  options.seed = trial->seed;
  options.features = trial->request->features;
  if (options.method == ENT_RANDOM_NYSTROEM && options.features > trial->data.rows)
    options.features = trial->data.rows;
  entropic_status status = ent_random_create(context, &options, trial->inputs, &trial->data, &entry->random);
  if (status == ENTROPIC_OK)
    entry->map = ent_map_of_random(entry->random);
  return status;
}

static const ent_maker makers[ENT_BASELINES] = {
    [ENT_BASELINE_ENTROPY] = {.make = make_entropy, .ours = true, .no_rule = true},
    [ENT_BASELINE_RESIDUAL] = {.make = make_residual, .ours = true, .no_rule = true},
    [ENT_BASELINE_PRINTED] = {.make = make_printed, .ours = true},
    [ENT_BASELINE_RKS] = {.make = make_random, .method = ENT_RANDOM_RKS, .kernel = ENT_RANDOM_LAPLACE},
    [ENT_BASELINE_ORF] = {.make = make_random, .method = ENT_RANDOM_ORF, .kernel = ENT_RANDOM_GAUSS},
    [ENT_BASELINE_LKRF] = {.make = make_random, .method = ENT_RANDOM_LKRF, .kernel = ENT_RANDOM_LAPLACE},
    [ENT_BASELINE_EERF] = {.make = make_random, .method = ENT_RANDOM_EERF, .kernel = ENT_RANDOM_LAPLACE},
    [ENT_BASELINE_NYSTROEM] = {.make = make_random, .method = ENT_RANDOM_NYSTROEM, .kernel = ENT_RANDOM_LAPLACE},
    [ENT_BASELINE_QMC] = {.make = make_random, .method = ENT_RANDOM_QMC, .kernel = ENT_RANDOM_LAPLACE},
};

const char *ent_baseline_name(ent_baseline baseline) {
  static const char *const names[] = {
#define ENT_BASELINE_NAME(name, text) text,
      ENT_BASELINE_MAP(ENT_BASELINE_NAME)
#undef ENT_BASELINE_NAME
  };
  return (size_t)baseline < ENT_BASELINES ? names[baseline] : NULL;
}

bool ent_baseline_is_ours(ent_baseline baseline) {
  return makers[baseline].ours;
}

bool ent_baseline_has_rule(ent_baseline baseline) {
  return !makers[baseline].no_rule;
}

entropic_status ent_entry_make(entropic_context *context, const ent_trial *trial, ent_study_entry *entry) {
  const ent_request *request = trial->request;
  *entry = (ent_study_entry){0};
  if (request->features == 0 && (request->nonzeros == 0 || request->baseline != ENT_BASELINE_ENTROPY))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: neither features nor non-zeros that it could go by",
                    ent_baseline_name(request->baseline));
  entropic_status status = makers[request->baseline].make(context, trial, entry);
  if (status != ENTROPIC_OK)
    ent_entry_clear(entry);
  return status;
}
