/* Settings of the pilot search, by paths on several parts: see pilot_setting.h. */
#include "tune/pilot_setting.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "tune/rules.h"

#define CERTAIN_PARTS ((size_t)2) /* a setting of a model is validated on so many; then it may be dropped */

static void paths_free(ent_pilot_path *paths, size_t count) {
  for (size_t i = 0; paths != NULL && i < count; i++)
    ent_delete(paths[i].worth);
  ent_delete(paths);
}

void ent_pilot_clear(ent_pilot *pilot) {
  paths_free(pilot->ahead.paths, pilot->ahead.count * pilot->ahead.parts);
  ent_delete(pilot->ahead.settings);
  for (size_t p = 0; p < pilot->parts && pilot->splits != NULL; p++)
    ent_split_clear(&pilot->splits[p]);
  ent_delete(pilot->splits);
  ent_delete(pilot->best.mses);
  ent_delete(pilot->best.worth);
  ent_delete(pilot->last.mses);
  ent_delete(pilot->last.worth);
}

/* Small tables have several, so that all together have enough rows. */
size_t ent_pilot_parts(const ent_recipe *recipe) {
  const ent_validation_splits *splits = recipe->splits;
  size_t wanted = (ENT_PILOT_ROWS - 1) / splits->train.rows + 1;
  size_t most = splits->valid != NULL ? 1 : splits->folds;
  if (recipe->options.pilot_parts > 0 && recipe->options.pilot_parts < most)
    most = recipe->options.pilot_parts;
  return wanted < most ? wanted : most;
}

bool ent_pilot_is_scarce(const ent_recipe *recipe) {
  return recipe->splits->train.rows <= ENT_SCARCE_ROWS && !recipe->classes;
}

double ent_pilot_deadline(const ent_validation_splits *splits, double share) {
  double now = ent_seconds();
  return splits->deadline > 0 ? now + fmax(splits->deadline - now, 0) * share : 0;
}

double ent_pilot_following(const ent_validation_splits *splits, size_t members) {
  double rows = (double)splits->train.rows;
  return (double)members * fmin(rows, ENT_SELECT_ROWS) / fmin(rows, ENT_PILOT_ROWS);
}

/* How long the next path may take. The time of the models that follow is guessed from the paths so far. */
static ent_path_time path_time(const ent_pilot *pilot) {
  const ent_pilot_time *time = &pilot->time;
  double end = pilot->recipe->splits->deadline, following = pilot->recipe->state.following;
  if (time->paths == 0)
    return (ent_path_time){time->deadline, end, ENT_MODEL_PATHS * following};
  return (ent_path_time){time->deadline, end - following * time->model_seconds / (double)time->paths, 0};
}

/* Counts a path. One that did not end by itself would go on in a model. */
static void count_path(ent_pilot *pilot, const ent_pilot_path *path) {
  pilot->time.model_seconds += path->seconds * (path->features < pilot->max_features ? 1 : ENT_MODEL_PATHS);
  pilot->time.paths++;
  pilot->result->stopped_early |= path->partial.stopped_early;
}

static entropic_status result_start(entropic_context *context, size_t parts, size_t inputs, ent_pilot_result *result) {
  *result = (ent_pilot_result){.error = INFINITY,
                               .mse = INFINITY,
                               .tail = INFINITY,
                               .mses = ent_new(context, parts, sizeof *result->mses),
                               .worth = ent_new(context, inputs, sizeof *result->worth)};
  return result->mses == NULL || result->worth == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* The most features of a path. */
static size_t pilot_size(const ent_recipe *recipe) {
  size_t brief = ENT_BRIEF_INPUTS * recipe->splits->inputs <= ENT_BRIEF_LEAST ? ENT_BRIEF_LEAST : ENT_BRIEF_SIZE;
  size_t usual = recipe->options.brief ? brief : ENT_PILOT_SIZE;
  size_t few = ent_path_size(ENT_SCARCE_SHARE * (double)recipe->splits->train.rows);
  return ent_pilot_is_scarce(recipe) && few < usual ? few : usual;
}

entropic_status ent_pilot_start(entropic_context *context, const ent_recipe *recipe, size_t max_features,
                                ent_search_result *result, ent_pilot *pilot) {
  const ent_validation_splits *splits = recipe->splits;
  const size_t size = pilot_size(recipe);
  *pilot = (ent_pilot){.recipe = recipe,
                       .result = result,
                       .max_features = max_features < size ? max_features : size,
                       .parts = ent_pilot_parts(recipe),
                       .setting = {.recipe = recipe},
                       .time = {.deadline = ent_pilot_deadline(splits, ENT_PILOT_SHARE), .last_end = ent_seconds()}};
  pilot->splits = ent_new(context, pilot->parts, sizeof *pilot->splits);
  if (pilot->splits == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = result_start(context, pilot->parts, ent_recipe_most_inputs(recipe), &pilot->best);
  if (status != ENTROPIC_OK)
    return status;
  status = result_start(context, pilot->parts, ent_recipe_most_inputs(recipe), &pilot->last);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t p = 0; p < pilot->parts; p++) {
    pilot->best.mses[p] = INFINITY;
    status = ent_split_rows(context, splits, p, &pilot->splits[p]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* The worth of inputs, and the order of the largest product. */
static void set_selected(const ent_selection *selection, ent_pilot_path *path) {
  path->features = selection->count;
  for (size_t i = 0; i < selection->count; i++) {
    const ent_candidate_group *group = &selection->candidates->groups[selection->selected[i].group];
    for (size_t t = 0; t < group->order; t++)
      path->worth[group->terms[t].input] += selection->selected[i].gain / (double)group->order;
    path->order = group->order > path->order ? group->order : path->order;
  }
}

/* Makes the path of a setting on one part, into *path, which is empty. */
static entropic_status make_path(entropic_context *context, const ent_pilot *pilot, const ent_pilot_setting *setting,
                                 size_t part, ent_pilot_path *path) {
  ent_recipe with = *setting->recipe;
  ent_path_options options = {.view = setting->view,
                              .omega = setting->omega,
                              .products = setting->products,
                              .rows = ENT_PILOT_ROWS,
                              .validation_rows = ENT_PILOT_VALIDATION_ROWS,
                              .max_features = pilot->max_features,
                              .patience = ent_pilot_is_scarce(&with) ? ENT_SCARCE_PATIENCE : 0,
                              .selection_loss = ENT_BY_SQUARES,
                              .link = setting->link,
                              .time = path_time(pilot)};
  ent_selection selection;
  double start = ent_seconds();
  with.state = pilot->recipe->state;
  with.state.used = setting->used;
  path->inputs = with.splits->inputs;
  path->worth = ent_new(context, path->inputs, sizeof *path->worth);
  if (path->worth == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_split_select(context, &with, &pilot->splits[part], &options, &path->partial, &selection);
  if (status != ENTROPIC_OK)
    return status;
  const ent_select_step *step = ent_best_step(&selection, ENT_AS_GOOD);
  path->error = step->error;
  path->mse = step->mse;
  path->largest_square = step->largest_square;
  path->rows = selection.validation_rows;
  set_selected(&selection, path);
  ent_selection_clear(&selection);
  path->seconds = ent_seconds() - start;
  return ENTROPIC_OK;
}

/* Paths of several settings on the same parts. */
typedef struct ent_pilot_tasks {
  const ent_pilot *pilot;
  const ent_pilot_setting *settings;
  size_t first, parts;   /* which parts: the first one, and how many */
  ent_pilot_path *paths; /* [settings][parts] */
} ent_pilot_tasks;

static entropic_status path_task(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  const ent_pilot_tasks *tasks = shared;
  return make_path(context, tasks->pilot, &tasks->settings[task / tasks->parts], tasks->first + task % tasks->parts,
                   &tasks->paths[task]);
}

/* Makes the paths of so many settings, spread over the threads. Their seconds become those that went by, and are added to
 * the result: also those of paths that nobody will ask for. */
static entropic_status make_paths(entropic_context *context, ent_pilot_tasks *tasks, size_t settings) {
  double start = ent_seconds(), sum = 0;
  size_t count = settings * tasks->parts;
  entropic_status status = ent_parallel_long(context, count, path_task, tasks);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < count; i++)
    sum += tasks->paths[i].seconds;
  double share = sum > 0 ? (ent_seconds() - start) / sum : 1;
  for (size_t i = 0; i < count; i++) {
    tasks->paths[i].seconds *= share;
    ent_search_seconds_add(&tasks->paths[i].partial.seconds, share, &tasks->pilot->result->seconds);
  }
  return ENTROPIC_OK;
}

/* Whether paths are made several at a time: not if each has to know how long those before it took. */
static bool is_together(const entropic_context *context, const ent_pilot *pilot) {
  return pilot->recipe->splits->deadline == 0 && ent_workers(context, SIZE_MAX) > 1;
}

entropic_status ent_pilot_prepare(entropic_context *context, ent_pilot *pilot, const ent_pilot_setting *settings,
                                  size_t count) {
  ent_pilot_ahead *ahead = &pilot->ahead;
  if (!is_together(context, pilot))
    return ENTROPIC_OK;
  ahead->count = count;
  ahead->parts = pilot->parts < CERTAIN_PARTS ? pilot->parts : CERTAIN_PARTS;
  ahead->settings = ent_new(context, count, sizeof *ahead->settings);
  ahead->paths = ent_new_matrix(context, count, ahead->parts, sizeof *ahead->paths);
  if (ahead->settings == NULL || ahead->paths == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(ahead->settings, settings, count * sizeof *settings);
  ent_pilot_tasks tasks = {.pilot = pilot, .settings = settings, .parts = ahead->parts, .paths = ahead->paths};
  return make_paths(context, &tasks, count);
}

static bool is_same(const ent_pilot_setting *a, const ent_pilot_setting *b) {
  return a->recipe == b->recipe && a->used == b->used && a->view == b->view && a->omega == b->omega &&
         a->link == b->link && a->products.without_smooth == b->products.without_smooth &&
         a->products.max_order == b->products.max_order;
}

/* Moves the paths of a setting that were made ahead to paths[]. Returns how many. */
static size_t take_ahead(ent_pilot *pilot, const ent_pilot_setting *setting, ent_pilot_path *paths) {
  ent_pilot_ahead *ahead = &pilot->ahead;
  for (size_t i = 0; i < ahead->count; i++) {
    ent_pilot_path *from = ahead->paths + i * ahead->parts;
    if (!is_same(&ahead->settings[i], setting) || from->worth == NULL)
      continue;
    memcpy(paths, from, ahead->parts * sizeof *paths);
    memset(from, 0, ahead->parts * sizeof *from);
    return ahead->parts;
  }
  return 0;
}

/* On how many parts from part p on paths are made together. */
static size_t parts_at_once(const entropic_context *context, const ent_pilot *pilot, size_t p) {
  if (!is_together(context, pilot))
    return 1;
  return p == 0 && pilot->parts > CERTAIN_PARTS ? CERTAIN_PARTS : pilot->parts - p;
}

/* Sums over the parts of a setting so far. */
typedef struct ent_pilot_sums {
  double error, mse, best_mse, largest, rows;
} ent_pilot_sums;

/* Adds the path of part p to pilot->last. */
static void add_path(ent_pilot *pilot, const ent_pilot_path *path, size_t p, ent_pilot_sums *sums) {
  ent_pilot_result *last = &pilot->last;
  count_path(pilot, path);
  last->mses[p] = path->mse;
  last->order = path->order > last->order ? path->order : last->order;
  for (size_t d = 0; d < path->inputs; d++)
    last->worth[d] += path->worth[d];
  sums->error += path->error;
  sums->mse += path->mse;
  sums->best_mse += pilot->best.mses[p];
  sums->largest = fmax(sums->largest, path->largest_square);
  sums->rows += (double)path->rows;
}

/* How many times the mean square error of the best setting so far is hopeless. */
static double hopeless_of(const ent_recipe *recipe) {
  return recipe->options.brief || ent_pilot_is_scarce(recipe) ? ENT_SCARCE_HOPELESS : ENT_HOPELESS;
}

/* Makes the paths of a setting on all parts, into pilot->last. After two parts, or one where only an error is asked for,
 * it is dropped, and its errors are infinite, if its mean square error is `hopeless` times that of the best setting. */
static entropic_status validate_setting(entropic_context *context, ent_pilot *pilot, const ent_pilot_setting *setting,
                                        double hopeless) {
  const size_t parts = pilot->parts, certain = pilot->recipe->options.brief ? 1 : CERTAIN_PARTS;
  ent_pilot_result *last = &pilot->last;
  ent_pilot_sums sums = {0};
  ent_pilot_path *paths = ent_new(context, parts, sizeof *paths);
  entropic_status status = ENTROPIC_OK;
  if (paths == NULL)
    return ENTROPIC_NO_MEMORY;
  last->order = 0;
  last->error = last->mse = last->tail = INFINITY;
  memset(last->worth, 0, ent_recipe_most_inputs(pilot->recipe) * sizeof *last->worth);
  for (size_t p = 0, made = take_ahead(pilot, setting, paths); p < parts; p++) {
    if (p == made) {
      ent_pilot_tasks tasks = {.pilot = pilot,
                               .settings = setting,
                               .first = p,
                               .parts = parts_at_once(context, pilot, p),
                               .paths = paths + p};
      made += tasks.parts;
      status = make_paths(context, &tasks, 1);
      if (status != ENTROPIC_OK)
        goto done;
    }
    add_path(pilot, &paths[p], p, &sums);
    if (p + 1 >= certain && sums.mse > hopeless * sums.best_mse)
      goto done;
  }
  last->error = sums.error / (double)parts;
  last->mse = sums.mse / (double)parts;
  last->tail = last->mse + sums.largest / sums.rows;
done:
  paths_free(paths, parts);
  return status;
}

/* Whether the last setting is below `part` of the best so far. */
static bool is_better(const ent_pilot *pilot, const ent_pilot_setting *setting, ent_pilot_criterion criterion,
                      double part) {
  if (criterion == ENT_PILOT_TAIL)
    return pilot->last.tail < part * pilot->best.tail;
  if (setting->link != pilot->setting.link)
    return pilot->last.mse < part * pilot->best.mse;
  return pilot->last.error < part * pilot->best.error;
}

/* Whether a setting would end too late, if it takes as long as the last one. */
static bool is_late(const ent_pilot *pilot) {
  ent_path_time time = path_time(pilot);
  double end = pilot->time.last_end + pilot->time.last_seconds;
  return time.deadline > 0 && end > time.deadline && !ent_path_may_extend(&time, end, pilot->time.last_seconds);
}

entropic_status ent_pilot_try(entropic_context *context, ent_pilot *pilot, ent_pilot_setting setting,
                              ent_pilot_criterion criterion, double part) {
  pilot->taken = false;
  if (is_late(pilot)) {
    pilot->result->stopped_early = true;
    return ENTROPIC_OK;
  }
  double hopeless = hopeless_of(pilot->recipe);
  entropic_status status = validate_setting(context, pilot, &setting, criterion == ENT_PILOT_TAIL ? 1 : hopeless);
  if (status != ENTROPIC_OK)
    return status;
  if (is_better(pilot, &setting, criterion, part)) {
    ent_pilot_result former = pilot->best;
    pilot->best = pilot->last;
    pilot->last = former;
    pilot->setting = setting;
    pilot->taken = true;
  }
  pilot->time.last_seconds = ent_seconds() - pilot->time.last_end;
  pilot->time.last_end += pilot->time.last_seconds;
  return ENTROPIC_OK;
}
