/* Settings of the pilot search, by paths on several parts: see pilot_setting.h. */
#include "tune/pilot_setting.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "tune/rules.h"

void ent_pilot_clear(ent_pilot *pilot) {
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
  const ent_trials *trials = recipe->trials;
  size_t wanted = (ENT_PILOT_ROWS - 1) / trials->train.rows + 1;
  size_t most = trials->valid != NULL ? 1 : trials->folds;
  if (recipe->options.pilot_parts > 0 && recipe->options.pilot_parts < most)
    most = recipe->options.pilot_parts;
  return wanted < most ? wanted : most;
}

double ent_pilot_deadline(const ent_trials *trials, double share) {
  double now = ent_seconds();
  return trials->deadline > 0 ? now + fmax(trials->deadline - now, 0) * share : 0;
}

double ent_pilot_following(const ent_trials *trials, size_t members) {
  double rows = (double)trials->train.rows;
  return (double)members * fmin(rows, ENT_SELECT_ROWS) / fmin(rows, ENT_PILOT_ROWS);
}

/* How long the next path may take. The time of the models that follow is guessed from the paths so far. */
static ent_path_time path_time(const ent_pilot *pilot) {
  const ent_pilot_time *time = &pilot->time;
  double end = pilot->recipe->trials->deadline, following = pilot->recipe->state.following;
  if (time->paths == 0)
    return (ent_path_time){time->deadline, end, ENT_MODEL_PATHS * following};
  return (ent_path_time){time->deadline, end - following * time->model_seconds / (double)time->paths, 0};
}

/* Counts a path. One that did not end by itself would go on in a model. */
static void count_path(ent_pilot *pilot, const ent_selection *path, double seconds) {
  pilot->time.model_seconds += seconds * (path->count < pilot->max_features ? 1 : ENT_MODEL_PATHS);
  pilot->time.paths++;
}

static entropic_status result_start(entropic_context *context, size_t parts, size_t inputs, ent_pilot_result *result) {
  *result = (ent_pilot_result){.error = INFINITY,
                               .mse = INFINITY,
                               .tail = INFINITY,
                               .mses = ent_new(context, parts, sizeof *result->mses),
                               .worth = ent_new(context, inputs, sizeof *result->worth)};
  return result->mses == NULL || result->worth == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

entropic_status ent_pilot_start(entropic_context *context, const ent_recipe *recipe, size_t max_features,
                                ent_search_result *result, ent_pilot *pilot) {
  const ent_trials *trials = recipe->trials;
  *pilot = (ent_pilot){.recipe = recipe,
                       .result = result,
                       .max_features = max_features < ENT_PILOT_SIZE ? max_features : ENT_PILOT_SIZE,
                       .parts = ent_pilot_parts(recipe),
                       .time = {.deadline = ent_pilot_deadline(trials, ENT_PILOT_SHARE), .last_end = ent_seconds()}};
  pilot->splits = ent_new(context, pilot->parts, sizeof *pilot->splits);
  if (pilot->splits == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = result_start(context, pilot->parts, trials->inputs, &pilot->best);
  if (status != ENTROPIC_OK)
    return status;
  status = result_start(context, pilot->parts, trials->inputs, &pilot->last);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t p = 0; p < pilot->parts; p++) {
    pilot->best.mses[p] = INFINITY;
    status = ent_split_rows(context, trials, p, &pilot->splits[p]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Adds the worth of inputs, and finds the order of the largest product. */
static void add_selected(const ent_selection *selection, ent_pilot_result *result) {
  for (size_t i = 0; i < selection->count; i++) {
    const ent_candidate_group *group = &selection->candidates->groups[selection->selected[i].group];
    for (size_t t = 0; t < group->order; t++)
      result->worth[group->terms[t].input] += selection->selected[i].gain / (double)group->order;
    result->order = group->order > result->order ? group->order : result->order;
  }
}

/* Makes the paths of a setting on all parts, into pilot->last. After two parts or more it is dropped, and its errors are
 * infinite, if its mean square error is `hopeless` times that of the best setting. */
static entropic_status validate_setting(entropic_context *context, ent_pilot *pilot, const ent_pilot_setting *setting,
                                        double hopeless) {
  ent_recipe with = *pilot->recipe;
  ent_pilot_result *last = &pilot->last;
  ent_path_options options = {.view = setting->view,
                              .omega = setting->omega,
                              .products = setting->products,
                              .rows = ENT_PILOT_ROWS,
                              .validation_rows = ENT_PILOT_VALIDATION_ROWS,
                              .max_features = pilot->max_features,
                              .selection_loss = ENT_BY_SQUARES,
                              .transform = setting->transform};
  double sum = 0, mse_sum = 0, best_sum = 0, largest = 0, rows = 0;
  with.state.used = setting->used;
  last->order = 0;
  memset(last->worth, 0, with.trials->inputs * sizeof *last->worth);
  for (size_t p = 0; p < pilot->parts; p++) {
    ent_selection selection;
    double since = ent_seconds();
    options.time = path_time(pilot);
    entropic_status status = ent_split_select(context, &with, &pilot->splits[p], &options, pilot->result, &selection);
    if (status != ENTROPIC_OK)
      return status;
    count_path(pilot, &selection, ent_seconds() - since);
    const ent_select_step *step = ent_best_step(&selection, ENT_AS_GOOD);
    last->mses[p] = step->mse;
    sum += step->error;
    largest = fmax(largest, step->largest_square);
    rows += (double)selection.validation_rows;
    add_selected(&selection, last);
    ent_selection_clear(&selection);
    mse_sum += last->mses[p];
    best_sum += pilot->best.mses[p];
    if (p > 0 && mse_sum > hopeless * best_sum) {
      last->error = last->mse = last->tail = INFINITY;
      return ENTROPIC_OK;
    }
  }
  last->error = sum / (double)pilot->parts;
  last->mse = mse_sum / (double)pilot->parts;
  last->tail = last->mse + largest / rows;
  return ENTROPIC_OK;
}

/* Whether the last setting is below `part` of the best so far. */
static bool is_better(const ent_pilot *pilot, const ent_pilot_setting *setting, ent_pilot_criterion criterion,
                      double part) {
  if (criterion == ENT_PILOT_TAIL)
    return pilot->last.tail < part * pilot->best.tail;
  if (setting->transform != pilot->setting.transform)
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
    pilot->result->hurried = true;
    return ENTROPIC_OK;
  }
  entropic_status status = validate_setting(context, pilot, &setting, criterion == ENT_PILOT_TAIL ? 1 : ENT_HOPELESS);
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
