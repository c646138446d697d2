/* Training and validation rows of a path: see split.h. */
#include "tune/split.h"

#include "base/memory.h"
#include "base/threads.h"
#include "tune/rules.h"

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

void ent_split_clear(ent_split *split) {
  ent_delete(split->train);
  ent_delete(split->validation);
  *split = (ent_split){0};
}

/* Validation rows of positive weight, in random order: they may be sorted, and a path may use the first ones only. */
static void shuffle_validation(const ent_validation_splits *splits, entropic_random *random, size_t *order,
                               ent_split *split) {
  entropic_random_permutation(random, splits->valid->rows, order);
  for (size_t i = 0; i < splits->valid->rows; i++)
    if (ent_weight(splits->valid, order[i]) > 0 && split->validation_count < ENT_SELECT_VALIDATION_ROWS)
      split->validation[split->validation_count++] = order[i];
}

entropic_status ent_split_rows(entropic_context *context, const ent_validation_splits *splits, size_t part,
                               ent_split *split) {
  size_t rows = splits->train.rows, outside = splits->valid == NULL ? rows : splits->valid->rows;
  size_t *order = ent_new(context, rows > outside ? rows : outside, sizeof *order);
  size_t train = smaller(rows, ENT_SELECT_ROWS), validation = smaller(outside, ENT_SELECT_VALIDATION_ROWS);
  *split = (ent_split){.train = ent_new(context, train, sizeof *split->train),
                       .validation = ent_new(context, validation, sizeof *split->validation)};
  if (order == NULL || split->train == NULL || split->validation == NULL) {
    ent_delete(order);
    ent_split_clear(split);
    return ENTROPIC_NO_MEMORY;
  }
  entropic_random random = entropic_random_start(splits->seed, 1);
  entropic_random_permutation(&random, rows, order);
  bool more = true;
  for (size_t i = 0; i < rows && more; i++) {
    if (ent_is_training_row(splits, order[i], part)) {
      if (split->train_count < train)
        split->train[split->train_count++] = order[i];
    } else if (splits->valid == NULL && splits->fold_of[order[i]] == part && split->validation_count < validation) {
      split->validation[split->validation_count++] = order[i];
    }
    more = split->train_count < train || (splits->valid == NULL && split->validation_count < validation);
  }
  if (splits->valid != NULL)
    shuffle_validation(splits, &random, order, split);
  ent_delete(order);
  return ENTROPIC_OK;
}

/* The rows of a path, copied. */
typedef struct ent_split_rows_copy {
  ent_row_subset train, validation;
  double *validation_weights; /* to choose by; NULL: the weights of the rows */
} ent_split_rows_copy;

static void copy_clear(ent_split_rows_copy *copy) {
  ent_row_subset_clear(&copy->train);
  ent_row_subset_clear(&copy->validation);
  ent_delete(copy->validation_weights);
}

/* The training rows of a view, with transformed targets. */
static entropic_status copy_train(entropic_context *context, const ent_recipe *recipe, const ent_split *split,
                                  const ent_path_options *options, ent_row_subset *copy, ent_block *train) {
  const ent_validation_splits *splits = recipe->splits;
  *copy = (ent_row_subset){.from = {.all = splits->train, .inputs = splits->inputs, .targets = splits->targets},
                           .numbers = split->train,
                           .count = smaller(split->train_count, options->rows)};
  copy->from.all.x = recipe->views[options->view].x;
  copy->from.all.scaler = recipe->views[options->view].scaler;
  copy->from.all.columns = recipe->views[options->view].columns;
  if (recipe->state.weights != NULL)
    copy->from.all.weights = recipe->state.weights;
  entropic_status status = ent_row_subset_load(context, copy, train);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; options->link != NULL && i < copy->count; i++)
    copy->y[i] = ent_link_score(options->link, copy->y[i]);
  return ENTROPIC_OK;
}

/* The validation rows of a view; *weights become those to choose by, if they are others. */
static entropic_status copy_validation(entropic_context *context, const ent_recipe *recipe, const ent_split *split,
                                       const ent_path_options *options, ent_split_rows_copy *copy,
                                       ent_block *validation) {
  const ent_validation_splits *splits = recipe->splits;
  const ent_view *view = &recipe->views[options->view];
  bool own = splits->valid != NULL;
  const double *weights = own ? recipe->state.valid_weights : recipe->state.weights;
  ent_block all = own ? *splits->valid : splits->train;
  size_t count = smaller(split->validation_count, options->validation_rows);
  all.x = own ? view->valid_x : view->x;
  all.scaler = view->scaler;
  all.columns = own ? view->valid_columns : view->columns;
  copy->validation = (ent_row_subset){.from = {.all = all, .inputs = splits->inputs, .targets = splits->targets},
                                      .numbers = split->validation,
                                      .count = count};
  entropic_status status = ent_row_subset_load(context, &copy->validation, validation);
  if (status != ENTROPIC_OK || weights == NULL)
    return status;
  copy->validation_weights = ent_new(context, count, sizeof *copy->validation_weights);
  if (copy->validation_weights == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < count; i++)
    copy->validation_weights[i] = weights[split->validation[i]];
  return ENTROPIC_OK;
}

/* What ent_select_path is to do, but for the rows. */
static ent_path_task task_of(const ent_recipe *recipe, const ent_path_options *options) {
  const ent_validation_splits *splits = recipe->splits;
  size_t max_order = options->products.max_order;
  return (ent_path_task){.data = {.inputs = splits->inputs,
                                  .targets = splits->targets,
                                  .scale = splits->scale,
                                  .classes = recipe->classes,
                                  .link = options->link},
                         .max_features = options->max_features,
                         .limits = {.max_order = max_order > 0 ? max_order : recipe->features->design.max_order,
                                    .used = recipe->state.used,
                                    .restriction = recipe->features->restriction},
                         .patience = options->patience,
                         .lambda = recipe->options.lambda,
                         .no_early_stop = recipe->options.size > 0,
                         .time = options->time};
}

/* The seconds of a path. What is neither lifting nor solving chooses features: the kernel, the pool, the screening. */
static void add_seconds(const ent_path_seconds *path, double all, ent_search_seconds *seconds) {
  double solve = path->forward + path->solve;
  seconds->lift += path->lift;
  seconds->gram += path->gram;
  seconds->solve += solve;
  seconds->design += all - path->lift - path->gram - solve;
}

entropic_status ent_split_select(entropic_context *context, const ent_recipe *recipe, const ent_split *split,
                                 const ent_path_options *options, ent_search_result *result, ent_selection *selection) {
  ent_features features = *recipe->features;
  ent_split_rows_copy copy = {0};
  ent_path_task task = task_of(recipe, options);
  entropic_kernel *kernel = NULL;
  double start = ent_seconds();
  *selection = (ent_selection){0};
  entropic_status status = copy_train(context, recipe, split, options, &copy.train, &task.data.train);
  if (status != ENTROPIC_OK)
    goto done;
  status = copy_validation(context, recipe, split, options, &copy, &task.data.validation);
  if (status != ENTROPIC_OK)
    goto done;
  task.data.validation_weights = copy.validation_weights;
  features.without_smooth = options->products.without_smooth;
  status = ent_features_kernel(context, &features, options->omega, &kernel);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_select_by_loss(context, kernel, options->selection_loss, &task, selection);
  if (status != ENTROPIC_OK)
    goto done;
  add_seconds(&selection->seconds, ent_seconds() - start, &result->seconds);
  result->stopped_early |= selection->stopped_early;
done:
  entropic_kernel_free(kernel);
  copy_clear(&copy);
  return status;
}
