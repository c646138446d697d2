/* The recipe: see recipe.h.
 *
 * What its rules are worth: root mean square errors over the target's deviation, 80/20 splits, nothing else changed.
 *  - averaging 5 models against 1 (3 splits): airfoil .2006 to .1862, concrete .2710 to .2517, energy .0340 to .0304,
 *    kin8nm .2819 to .2710, ccpp .1968 to .1883. Each is selected without one fold and learns its weights from all
 *    rows. The mean is one model again (blend.h).
 *  - omega 1, 3, 10, 30 (2 splits, one model): kin8nm .2960 .2861 .2798 .2951, concrete .2699 .2739 .2979 .3493, bike
 *    .2218 .2178 .2207 .2323; superconductivity at 0.3, 1, 3, 10: .3373 .3395 .3524 .3581. None is best for all.
 *  - blend beside quantile scaling: bike on rows held out .2423 to .2380; airfoil and concrete within 1 %.
 *  - paths to 2000 features rather than 1000, 3 models: superconductivity .311 to .289, bike .2208 to .2153. Where a
 *    step is not worth 1.5 %, kin8nm and ccpp for two, the path ends (select.c).
 *  - candidates 1.3, 2, 4 times the features wanted: superconductivity .369 .352 .347, bike .2296 .2206 .2182 at
 *    growing cost; groups added a round 500, 1500, 4000, 10000: superconductivity .3561 .3524 .3518 .3501.
 *  - leaving out inputs that explain little: with 20 columns of noise added airfoil falls from .345 to .181 (.181
 *    without noise), concrete from .320 to .236 (.231).
 *  - scaling penalties by the size of weights, once: kin8nm -3 %, bike -0.6 %, concrete -0.5 to +1.7 %: left out. */
#include "learn/recipe.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "learn/folds.h"
#include "learn/ridge.h"

#define LOOK_ROWS ((size_t)6000)     /* to choose the kernel by */
#define LOOK_SIZE ((size_t)350)      /* features to choose it by */
#define SELECT_ROWS ((size_t)25000)  /* features are chosen by at most so many; weights come from all rows */
#define MOST_FEATURES ((size_t)2000) /* at the end of a path */
#define FEW_FEATURES ((size_t)1000)  /* but not before these, or two for each row */
#define LOOK_SHARE 0.3               /* of the time there is, to choose the kernel in */
#define SMALL_TABLE ((size_t)5000)   /* rows, of numbers: up to so many five models are averaged, then three */
#define SOME_ROWS ((size_t)10000)    /* of two classes: up to so many three models are averaged */
#define FEW_ROWS ((size_t)2000)      /* of classes: up to so many all are tried on, each part by a model of its own */
#define FEW_VALUES ((size_t)8)       /* of an input: hats tell them all apart */
#define AS_GOOD 1.002                /* as the best: the smaller model is taken */

/* Descending: at more features than they are compared with, larger ones tend to be better, so a smaller one has to be
 * clearly better. */
static const double omega_grid[] = {10, 3, 1, 0.3};
#define CLEARLY_BETTER 0.99

/* Inputs are left out that explained less than these shares, one after the other. */
static const double worth_shares[] = {0.003, 0.01, 0.03};
#define COUNT(list) (sizeof(list) / sizeof *(list))

void ent_select_trim(entropic_axis_options *axis, size_t distinct) {
  axis->max_level = axis->max_level < ENT_SELECT_LEVEL ? axis->max_level : ENT_SELECT_LEVEL;
  if (distinct <= FEW_VALUES)
    axis->smooth = 0;
  if (distinct <= 2)
    axis->max_level = 0;
}

/* How many models are worth averaging, if nobody says. */
static size_t usual_members(const ent_recipe *recipe) {
  size_t rows = recipe->trials->train.rows;
  if (recipe->size > 0)
    return 1;
  if (!recipe->classes)
    return rows <= SMALL_TABLE ? 5 : 3;
  bool two = recipe->trials->targets == 1;
  return rows <= FEW_ROWS ? 5 : two && rows <= SOME_ROWS ? 3 : 1;
}

/* How many models are averaged. */
static size_t member_count(const ent_recipe *recipe) {
  size_t wanted = recipe->members > 0 ? recipe->members : usual_members(recipe);
  size_t most = recipe->trials->valid != NULL ? 1 : recipe->trials->folds;
  return wanted < most ? wanted : most;
}

/* Where paths end, if they do not before: few rows do not bear many features. */
static size_t most_features(size_t rows) {
  size_t some = rows < FEW_FEATURES ? (2 * rows < FEW_FEATURES ? 2 * rows : FEW_FEATURES) : rows;
  return some < MOST_FEATURES ? some : MOST_FEATURES;
}

/* Some rows, copied. */
typedef struct ent_copied {
  ent_block block;
  double *x, *y, *weights;
} ent_copied;

static void copied_clear(ent_copied *c) {
  ent_delete(c->x);
  ent_delete(c->y);
  ent_delete(c->weights);
  *c = (ent_copied){0};
}

static entropic_status copy_rows(entropic_context *context, const ent_block *from, size_t inputs, size_t targets,
                                 const size_t *numbers, size_t count, ent_copied *to) {
  *to = (ent_copied){.x = ent_new_matrix(context, count, inputs, sizeof *to->x),
                     .y = ent_new_matrix(context, count, targets, sizeof *to->y),
                     .weights = from->weights == NULL ? NULL : ent_new(context, count, sizeof *to->weights)};
  if (to->x == NULL || to->y == NULL || (to->weights == NULL && from->weights != NULL)) {
    copied_clear(to);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t i = 0; i < count; i++) {
    memcpy(to->x + i * inputs, from->x + numbers[i] * from->x_stride, inputs * sizeof *to->x);
    memcpy(to->y + i * targets, from->y + numbers[i] * from->y_stride, targets * sizeof *to->y);
    if (to->weights != NULL)
      to->weights[i] = from->weights[numbers[i]];
  }
  to->block = (ent_block){.rows = count,
                          .x = to->x,
                          .x_stride = inputs,
                          .gaps = from->gaps,
                          .y = to->y,
                          .y_stride = targets,
                          .weights = to->weights};
  return ENTROPIC_OK;
}

/* Row numbers in random order, split into those to learn from and those to try on. */
typedef struct ent_cut {
  size_t *train, *out;
  size_t train_count, out_count;
} ent_cut;

static void cut_clear(ent_cut *cut) {
  ent_delete(cut->train);
  ent_delete(cut->out);
}

static entropic_status cut_rows(entropic_context *context, const ent_trials *trials, size_t fold, ent_cut *cut) {
  size_t rows = trials->train.rows, outside = trials->valid == NULL ? rows : trials->valid->rows;
  size_t *order = ent_new(context, rows, sizeof *order);
  *cut = (ent_cut){.train = ent_new(context, rows, sizeof *cut->train),
                   .out = ent_new(context, outside, sizeof *cut->out)};
  if (order == NULL || cut->train == NULL || cut->out == NULL) {
    ent_delete(order);
    cut_clear(cut);
    return ENTROPIC_NO_MEMORY;
  }
  entropic_random random = entropic_random_start(trials->seed, 1);
  entropic_random_permutation(&random, rows, order);
  for (size_t i = 0; i < rows; i++)
    if (trials->valid == NULL && trials->fold_of[order[i]] == fold)
      cut->out[cut->out_count++] = order[i];
    else
      cut->train[cut->train_count++] = order[i];
  for (size_t i = 0; trials->valid != NULL && i < outside; i++)
    cut->out[cut->out_count++] = i;
  ent_delete(order);
  return ENTROPIC_OK;
}

/* Rows of one view to learn from and to try on. */
static entropic_status copy_cut(entropic_context *context, const ent_recipe *recipe, size_t view, const ent_cut *cut,
                                size_t most, ent_copied *train, ent_copied *out) {
  const ent_trials *trials = recipe->trials;
  ent_block all = trials->train, others = trials->valid == NULL ? trials->train : *trials->valid;
  all.x = recipe->views[view].x;
  others.x = trials->valid == NULL ? recipe->views[view].x : recipe->views[view].valid_x;
  size_t train_count = cut->train_count < most ? cut->train_count : most;
  size_t out_most = most / 3, out_count = cut->out_count < out_most ? cut->out_count : out_most;
  entropic_status status = copy_rows(context, &all, trials->inputs, trials->targets, cut->train, train_count, train);
  if (status == ENTROPIC_OK)
    status = copy_rows(context, &others, trials->inputs, trials->targets, cut->out, out_count, out);
  if (status != ENTROPIC_OK)
    copied_clear(train);
  return status;
}

static const ent_step *best_step(const ent_selection *s) {
  const ent_step *best = &s->steps[0];
  for (size_t i = 1; i < s->step_count; i++)
    if (s->steps[i].error * AS_GOOD < best->error)
      best = &s->steps[i];
  return best;
}

static void add_seconds(const ent_selection *s, ent_found *found) {
  found->design += s->screen;
  found->gram += s->gram;
  found->solve += s->forward + s->solve;
}

/* One kernel along its path. */
static entropic_status walk(entropic_context *context, const ent_recipe *recipe, size_t view, const ent_cut *cut,
                            size_t rows, double omega, size_t most, double deadline, ent_chooser chooser,
                            ent_found *found, ent_selection *selection) {
  const ent_trials *trials = recipe->trials;
  ent_copied train = {0}, out = {0};
  entropic_kernel *kernel = NULL;
  entropic_status status = copy_cut(context, recipe, view, cut, rows, &train, &out);
  if (status == ENTROPIC_OK)
    status = ent_features_kernel(context, recipe->features, omega, &kernel);
  if (status == ENTROPIC_OK) {
    ent_selecting task = {.train = train.block,
                          .out = out.block,
                          .inputs = trials->inputs,
                          .targets = trials->targets,
                          .scale = trials->scale,
                          .most = most,
                          .lambda = recipe->lambda,
                          .whole = recipe->size > 0,
                          .max_order = recipe->features->design.max_order,
                          .used = recipe->used,
                          .classes = recipe->classes,
                          .deadline = deadline};
    status = ent_select_by(context, kernel, chooser, &task, selection);
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

/* When the search for a kernel has to be over: much time is left for what follows. */
static double look_deadline(const ent_trials *trials) {
  double now = ent_seconds();
  return trials->deadline > 0 ? now + fmax(trials->deadline - now, 0) * LOOK_SHARE : 0;
}

/* The best kernel so far. */
typedef struct ent_look {
  size_t view;
  double omega, error;
  bool taken;                   /* the last one tried was */
  double *worth;                /* [inputs] what features with this input explained, shared among their inputs */
  double deadline, last, since; /* when to stop, how long the last trial took and when it ended */
} ent_look;

static void set_worth(const ent_selection *selection, size_t inputs, double *worth) {
  memset(worth, 0, inputs * sizeof *worth);
  for (size_t i = 0; i < selection->count; i++) {
    const ent_pooled *group = &selection->pool->groups[selection->picks[i].group];
    for (size_t t = 0; t < group->order; t++)
      worth[group->terms[t].input] += selection->picks[i].gain / (double)group->order;
  }
}

/* Tries one kernel along a short path; it is taken if its mean square is below `part` of the best so far. */
static entropic_status look(entropic_context *context, const ent_recipe *recipe, const ent_cut *cut, size_t most,
                            size_t view, double omega, double part, ent_found *found, ent_look *best) {
  ent_selection selection;
  best->taken = false;
  if (best->deadline > 0 && best->since + best->last > best->deadline) {
    found->hurried = true;
    return ENTROPIC_OK;
  }
  entropic_status status = walk(context, recipe, view, cut, LOOK_ROWS, omega, most < LOOK_SIZE ? most : LOOK_SIZE,
                                best->deadline, ENT_BY_SQUARES, found, &selection);
  if (status != ENTROPIC_OK)
    return status;
  double error = best_step(&selection)->error;
  if (error < part * best->error) {
    best->error = error;
    best->view = view;
    best->omega = omega;
    best->taken = true;
    set_worth(&selection, recipe->trials->inputs, best->worth);
  }
  ent_selection_clear(&selection);
  best->last = ent_seconds() - best->since;
  best->since += best->last;
  return ENTROPIC_OK;
}

/* First omega, from the largest down, with the first view; then the other views with that omega. */
static entropic_status look_at_kernels(entropic_context *context, const ent_recipe *recipe, const ent_cut *cut,
                                       size_t most, ent_found *found, ent_look *best) {
  const double *omegas = recipe->omegas == NULL ? omega_grid : recipe->omegas;
  size_t count = recipe->omegas == NULL ? COUNT(omega_grid) : 1, trials = count + recipe->view_count - 1;
  entropic_status status = ENTROPIC_OK;
  best->omega = omegas[0];
  for (size_t i = 0; i < trials && status == ENTROPIC_OK; i++) {
    ent_trials_tell(recipe->trials, "trying kernels", (double)i / (double)trials);
    status = i < count ? look(context, recipe, cut, most, 0, omegas[i], CLEARLY_BETTER, found, best)
                       : look(context, recipe, cut, most, i + 1 - count, best->omega, 1, found, best);
  }
  return status;
}

/* Leaves out inputs that explained little, as long as that is no worse. used[inputs] becomes those that stay. */
static entropic_status look_at_inputs(entropic_context *context, const ent_recipe *recipe, const ent_cut *cut,
                                      size_t most, ent_found *found, ent_look *best, bool *used) {
  size_t inputs = recipe->trials->inputs, left = inputs;
  entropic_status status = ENTROPIC_OK;
  bool *fewer = ent_new(context, inputs, sizeof *fewer);
  if (fewer == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < inputs; i++)
    used[i] = true;
  for (size_t i = 0; i < COUNT(worth_shares) && status == ENTROPIC_OK; i++) {
    ent_recipe with = *recipe;
    double sum = 0;
    size_t count = 0;
    for (size_t d = 0; d < inputs; d++)
      sum += best->worth[d];
    for (size_t d = 0; d < inputs; d++) {
      fewer[d] = used[d] && best->worth[d] > worth_shares[i] * sum;
      count += fewer[d];
    }
    if (count == 0 || count == left)
      continue;
    ent_trials_tell(recipe->trials, "trying inputs", (double)i / (double)COUNT(worth_shares));
    with.used = fewer;
    status = look(context, &with, cut, most, best->view, best->omega, AS_GOOD, found, best);
    if (best->taken) {
      memcpy(used, fewer, inputs * sizeof *used);
      left = count;
    }
  }
  ent_delete(fewer);
  return status;
}

/* Kernel, scaling and inputs by short paths on some of the rows. */
static entropic_status rehearse(entropic_context *context, const ent_recipe *recipe, size_t most, size_t *view,
                                ent_found *found, bool *used) {
  ent_cut cut;
  ent_look best = {.error = INFINITY, .deadline = look_deadline(recipe->trials), .since = ent_seconds()};
  best.worth = ent_new(context, recipe->trials->inputs, sizeof *best.worth);
  entropic_status status = best.worth == NULL ? ENTROPIC_NO_MEMORY : cut_rows(context, recipe->trials, 0, &cut);
  if (status == ENTROPIC_OK) {
    status = look_at_kernels(context, recipe, &cut, most, found, &best);
    if (status == ENTROPIC_OK)
      status = look_at_inputs(context, recipe, &cut, most, found, &best, used);
    cut_clear(&cut);
  }
  *view = best.view;
  found->omega = best.omega;
  ent_delete(best.worth);
  return status;
}

/* Weights of all rows with the features of one member. */
static entropic_status refit(entropic_context *context, const ent_recipe *recipe, size_t view,
                             const ent_selection *selection, const ent_step *step, ent_found *found,
                             ent_member *member) {
  const ent_trials *trials = recipe->trials;
  ent_memory_rows memory = {.all = trials->train, .inputs = trials->inputs, .targets = trials->targets};
  memory.all.x = recipe->views[view].x;
  ent_rows rows = ent_rows_of_memory(&memory);
  ent_statistics *statistics = NULL;
  ent_ridge *ridge = NULL;
  entropic_status status = ent_selection_lifting(context, selection, step->features, &member->lifting);
  if (status == ENTROPIC_OK)
    status = ent_statistics_create(context, member->lifting.map.features, trials->targets, NULL, &statistics);
  if (status == ENTROPIC_OK)
    status = ent_statistics_collect(context, statistics, &member->lifting.map, &rows, ENT_PATH_AUTO);
  double start = ent_seconds();
  if (status == ENTROPIC_OK)
    status = ent_ridge_solve(context, statistics, &step->lambda, 1, ENT_METHOD_AUTO, false, &ridge);
  if (status == ENTROPIC_OK) {
    member->scores = trials->targets;
    member->weights = ridge->weights;
    member->offsets = ridge->means;
    ridge->weights = ridge->means = NULL;
    found->lift += statistics->lift_seconds;
    found->gram += statistics->gram_seconds;
    found->solve += ent_seconds() - start;
  }
  ent_ridge_free(ridge);
  ent_statistics_free(statistics);
  return status;
}

/* The errors of one path, and of the model that was taken from it. */
static void add_errors(const ent_selection *selection, size_t taken, ent_found *found) {
  size_t targets = found->curve.targets;
  const double *squares = selection->squares + taken * 2 * targets;
  found->tried_rows += selection->tried_rows;
  for (size_t k = 0; k < targets; k++) {
    found->errors[k] += squares[k];
    found->variances[k] += squares[targets + k];
  }
  for (size_t i = 0; i < selection->step_count; i++)
    ent_curve_add(&found->curve, selection->steps[i].features, selection->steps[i].lambda,
                  selection->squares + i * 2 * targets, selection->steps[i].wrong);
}

/* One member: selected without one fold, learnt from all rows. What is to be found out about the chooser is, for those
 * that follow. */
static entropic_status make_member(entropic_context *context, const ent_recipe *recipe, size_t view, size_t fold,
                                   size_t most, ent_chooser *chooser, ent_found *found, ent_member *member) {
  ent_cut cut;
  ent_selection selection = {0};
  entropic_status status = cut_rows(context, recipe->trials, fold, &cut);
  if (status != ENTROPIC_OK)
    return status;
  status = walk(context, recipe, view, &cut, SELECT_ROWS, found->omega, most, recipe->trials->deadline, *chooser, found,
                &selection);
  if (status == ENTROPIC_OK) {
    *chooser = *chooser == ENT_BY_BETTER ? selection.chooser : *chooser;
    const ent_step *best = recipe->size > 0 ? &selection.steps[selection.step_count - 1] : best_step(&selection);
    found->lambda += best->lambda;
    add_errors(&selection, (size_t)(best - selection.steps), found);
    member->lambda = best->lambda;
    if (recipe->size == 0 && selection.count == most)
      found->largest = most;
    status = refit(context, recipe, view, &selection, best, found, member);
  }
  ent_selection_clear(&selection);
  cut_clear(&cut);
  return status;
}

void ent_members_free(ent_member *members, size_t count) {
  for (size_t m = 0; members != NULL && m < count; m++)
    ent_member_clear(&members[m]);
  ent_delete(members);
}

entropic_status ent_recipe_follow(entropic_context *context, const ent_recipe *recipe, size_t *view, ent_found *found,
                                  ent_member **members, size_t *count) {
  *found = (ent_found){0};
  ent_recipe with = *recipe;
  ent_chooser chooser = recipe->chooser;
  size_t most = recipe->size > 0 ? recipe->size : most_features(recipe->trials->train.rows),
         targets = recipe->trials->targets;
  size_t wanted = member_count(recipe), made = 0;
  ent_member *list = ent_new(context, wanted, sizeof *list);
  found->errors = ent_new(context, targets, sizeof *found->errors);
  found->variances = ent_new(context, targets, sizeof *found->variances);
  entropic_status status = ent_curve_start(context, targets, &found->curve);
  bool *used = ent_new(context, recipe->trials->inputs, sizeof *used);
  if (list == NULL || found->errors == NULL || found->variances == NULL || used == NULL)
    status = ENTROPIC_NO_MEMORY;
  if (status == ENTROPIC_OK)
    status = rehearse(context, recipe, most, view, found, used);
  with.used = used;
  for (double since = ent_seconds(), last = 0; made < wanted && status == ENTROPIC_OK; since += last) {
    if (made > 0 && ent_trials_late(recipe->trials, last)) {
      found->hurried = true;
      break;
    }
    ent_trials_tell(recipe->trials, "selecting", (double)made / (double)wanted);
    status = make_member(context, &with, *view, made, most, &chooser, found, &list[made]);
    made++;
    last = ent_seconds() - since;
  }
  ent_delete(used);
  if (status != ENTROPIC_OK) {
    ent_members_free(list, wanted);
    ent_found_clear(found);
    return status;
  }
  found->lambda /= (double)made;
  found->parts = made;
  for (size_t k = 0; k < targets; k++) {
    found->errors[k] /= (double)made;
    found->variances[k] /= (double)(made * made);
  }
  *members = list;
  *count = made;
  return ENTROPIC_OK;
}
