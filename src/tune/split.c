/* Rows of a path: see split.h. */
#include "tune/split.h"

#include <string.h>

#include "base/memory.h"
#include "tune/rules.h"

/* Some rows, copied. */
typedef struct ent_copied {
  ent_block block;
  double *x, *y, *weights;
  double *choice; /* weights to choose by; NULL: the same */
} ent_copied;

static void copied_clear(ent_copied *c) {
  ent_delete(c->x);
  ent_delete(c->y);
  ent_delete(c->weights);
  ent_delete(c->choice);
  *c = (ent_copied){0};
}

/* Some of the weights of rows; NULL if these are. */
static entropic_status copy_weights(entropic_context *context, const double *from, const size_t *numbers, size_t count,
                                    double **to) {
  if (from == NULL)
    return ENTROPIC_OK;
  *to = ent_new(context, count, sizeof **to);
  for (size_t i = 0; *to != NULL && i < count; i++)
    (*to)[i] = from[numbers[i]];
  return *to == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

static entropic_status copy_rows(entropic_context *context, const ent_block *from, const double *choice, size_t inputs,
                                 size_t targets, const size_t *numbers, size_t count, ent_copied *to) {
  *to = (ent_copied){.x = ent_new_matrix(context, count, inputs, sizeof *to->x),
                     .y = ent_new_matrix(context, count, targets, sizeof *to->y)};
  entropic_status status = to->x == NULL || to->y == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK)
    status = copy_weights(context, from->weights, numbers, count, &to->weights);
  if (status == ENTROPIC_OK)
    status = copy_weights(context, choice, numbers, count, &to->choice);
  if (status != ENTROPIC_OK) {
    copied_clear(to);
    return status;
  }
  for (size_t i = 0; i < count; i++) {
    memcpy(to->x + i * inputs, from->x + numbers[i] * from->x_stride, inputs * sizeof *to->x);
    memcpy(to->y + i * targets, from->y + numbers[i] * from->y_stride, targets * sizeof *to->y);
  }
  if (from->scaler != NULL)
    ent_scaler_fill_own(from->scaler, to->x, count);
  to->block = (ent_block){.rows = count,
                          .x = to->x,
                          .x_stride = inputs,
                          .missing = from->missing,
                          .y = to->y,
                          .y_stride = targets,
                          .weights = to->weights};
  return ENTROPIC_OK;
}

void ent_split_clear(ent_split *split) {
  ent_delete(split->train);
  ent_delete(split->out);
  *split = (ent_split){0};
}

/* Validation rows that count, in random order: a path may be tried on some of them, and they may be sorted. */
static void shuffle_valid(const ent_trials *trials, entropic_random *random, size_t *order, ent_split *split) {
  entropic_random_permutation(random, trials->valid->rows, order);
  for (size_t i = 0; i < trials->valid->rows; i++)
    if (ent_weight(trials->valid, order[i]) > 0 && split->out_count < ENT_SELECT_VALIDATION_ROWS)
      split->out[split->out_count++] = order[i];
}

entropic_status ent_split_rows(entropic_context *context, const ent_trials *trials, size_t part, ent_split *split) {
  size_t rows = trials->train.rows, outside = trials->valid == NULL ? rows : trials->valid->rows;
  size_t *order = ent_new(context, rows > outside ? rows : outside, sizeof *order);
  /* No path takes more rows than these. */
  size_t train = rows < ENT_SELECT_ROWS ? rows : ENT_SELECT_ROWS,
         out = outside < ENT_SELECT_VALIDATION_ROWS ? outside : ENT_SELECT_VALIDATION_ROWS;
  *split = (ent_split){.train = ent_new(context, train, sizeof *split->train),
                       .out = ent_new(context, out, sizeof *split->out)};
  if (order == NULL || split->train == NULL || split->out == NULL) {
    ent_delete(order);
    ent_split_clear(split);
    return ENTROPIC_NO_MEMORY;
  }
  entropic_random random = entropic_random_start(trials->seed, 1);
  entropic_random_permutation(&random, rows, order);
  for (size_t i = 0; i < rows; i++)
    if (ent_teaches(trials, order[i], part)) {
      if (split->train_count < train)
        split->train[split->train_count++] = order[i];
    } else if (trials->valid == NULL && trials->fold_of[order[i]] == part && split->out_count < out) {
      split->out[split->out_count++] = order[i];
    }
  if (trials->valid != NULL)
    shuffle_valid(trials, &random, order, split);
  ent_delete(order);
  return ENTROPIC_OK;
}

/* Rows of one view to learn from and to try on. */
static entropic_status copy_split(entropic_context *context, const ent_recipe *recipe, const ent_split *split,
                                  const ent_path_options *learner, ent_copied *train, ent_copied *out) {
  const ent_trials *trials = recipe->trials;
  bool own = trials->valid != NULL;
  ent_block all = trials->train, others = own ? *trials->valid : trials->train;
  all.x = recipe->views[learner->view].x;
  others.x = own ? recipe->views[learner->view].valid_x : all.x;
  all.scaler = others.scaler = recipe->views[learner->view].scaler;
  if (recipe->weights != NULL)
    all.weights = recipe->weights;
  size_t train_count = split->train_count < learner->rows ? split->train_count : learner->rows;
  size_t out_count = split->out_count < learner->validation_rows ? split->out_count : learner->validation_rows;
  entropic_status status =
      copy_rows(context, &all, NULL, trials->inputs, trials->targets, split->train, train_count, train);
  if (status == ENTROPIC_OK)
    status = copy_rows(context, &others, own ? recipe->valid_weights : recipe->weights, trials->inputs, trials->targets,
                       split->out, out_count, out);
  if (status != ENTROPIC_OK)
    copied_clear(train);
  for (size_t i = 0; status == ENTROPIC_OK && learner->transform != NULL && i < train_count; i++)
    train->y[i] = ent_target_transform_apply(learner->transform, train->y[i]);
  return status;
}

static void add_seconds(const ent_selection *s, ent_found *found) {
  found->design += s->screen;
  found->gram += s->gram;
  found->solve += s->forward + s->solve;
}

entropic_status ent_split_select(entropic_context *context, const ent_recipe *recipe, const ent_split *split,
                                 const ent_path_options *learner, ent_found *found, ent_selection *selection) {
  const ent_trials *trials = recipe->trials;
  ent_features features = *recipe->features;
  ent_copied train = {0}, out = {0};
  entropic_kernel *kernel = NULL;
  features.without_smooth = learner->reach.without_smooth;
  entropic_status status = copy_split(context, recipe, split, learner, &train, &out);
  if (status == ENTROPIC_OK)
    status = ent_features_kernel(context, &features, learner->omega, &kernel);
  if (status == ENTROPIC_OK) {
    ent_selecting task = {.train = train.block,
                          .out = out.block,
                          .inputs = trials->inputs,
                          .targets = trials->targets,
                          .transform = learner->transform,
                          .out_weights = out.choice,
                          .scale = trials->scale,
                          .most = learner->most,
                          .lambda = recipe->lambda,
                          .whole = recipe->size > 0,
                          .max_order =
                              learner->reach.max_order > 0 ? learner->reach.max_order : features.design.max_order,
                          .used = recipe->used,
                          .classes = recipe->classes,
                          .deadline = learner->deadline,
                          .rest = learner->rest};
    status = ent_select_by_loss(context, kernel, learner->selection_loss, &task, selection);
  }
  if (status == ENTROPIC_OK) {
    add_seconds(selection, found);
    found->hurried |= selection->hurried;
  }
  entropic_kernel_free(kernel);
  copied_clear(&train);
  copied_clear(&out);
  return status;
}

const ent_select_step *ent_best_step(const ent_selection *s) {
  const ent_select_step *best = &s->steps[0];
  for (size_t i = 1; i < s->step_count; i++)
    if (s->steps[i].error * ENT_AS_GOOD < best->error)
      best = &s->steps[i];
  return best;
}
