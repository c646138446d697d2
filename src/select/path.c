/* Feature selection from data: see path.h. */
#include "select/path.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "select/path_state.h"
#include "select/refit.h"
#include "select/selected.h"

#define FIRST_LAMBDA 1e-4
#define POOL_FEATURES ((size_t)2000)     /* in the pool at the beginning */
#define FEW_INPUTS ((size_t)250)         /* a table of more inputs may be wide: see max_near_inputs */
#define CANDIDATES_PER_INPUT ((size_t)4) /* screened to find the near inputs of a wide table */
#define ROWS_PER_INPUT ((size_t)4)       /* a near input for so many rows */
#define COSTLY_SIZE ((size_t)1000)       /* from this size on the error of a step must fall */
#define WORTH_IT 0.985                   /* to this part of the least error, or the path ends */
#define PATIENCE ((size_t)3) /* the path ends after so many steps in a row without a smaller error, mostly */
#define MUCH_WORSE 1.15      /* it ends at once if the error is so many times the least */

static const size_t path_sizes[] = {ENT_SIZES, 3000, 4200, 6000};
enum { PATH_COUNT = sizeof path_sizes / sizeof *path_sizes };
#define MOST_STEPS ((size_t)64)

size_t ent_path_size(double most) {
  size_t at = 0;
  while (at + 1 < PATH_COUNT && (double)path_sizes[at + 1] <= most)
    at++;
  return path_sizes[at];
}

/* The size of a step; beyond the list each is 1.5 times the one before. */
static size_t next_size(size_t step, size_t most) {
  double size = step < PATH_COUNT ? (double)path_sizes[step]
                                  : (double)path_sizes[PATH_COUNT - 1] * pow(1.5, (double)(step + 1 - PATH_COUNT));
  return size < (double)most ? (size_t)size : most;
}

static void state_clear(ent_path_state *state) {
  ent_irls_clear(&state->irls);
  ent_level_cache_free(state->cache);
  ent_delete(state->residual);
  ent_delete(state->weights);
  ent_delete(state->shift);
  ent_delete(state->scores);
  ent_delete(state->predictions);
  ent_lifting_clear(&state->lifting);
  ent_statistics_free(state->selected);
}

void ent_selection_clear(ent_selection *selection) {
  ent_candidate_pool_free(selection->candidates);
  entropic_kernel_free(selection->kernel);
  ent_delete(selection->selected);
  ent_delete(selection->steps);
  ent_delete(selection->squares);
  ent_delete(selection->predictions);
  *selection = (ent_selection){0};
}

entropic_status ent_selection_lifting(entropic_context *context, const ent_selection *selection, size_t features,
                                      ent_lifting *lifting) {
  size_t *columns = ent_new(context, features, sizeof *columns);
  if (columns == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_candidate_list lists[2] = {{selection->selected, features}, {NULL, 0}};
  entropic_status status = ent_selected_lifting(context, selection->candidates, lists, columns, lifting);
  ent_delete(columns);
  return status;
}

const ent_select_step *ent_best_step(const ent_selection *selection, double as_good) {
  const ent_select_step *best = &selection->steps[0];
  for (size_t i = 1; i < selection->step_count; i++)
    if (selection->steps[i].error * as_good < best->error)
      best = &selection->steps[i];
  return best;
}

/* How many inputs so many rows can tell apart. A table of more is wide: all products are looked at only of those inputs
 * that explain most alone, the near ones. */
static size_t max_near_inputs(size_t rows) {
  return rows / ROWS_PER_INPUT > FEW_INPUTS ? rows / ROWS_PER_INPUT : FEW_INPUTS;
}

bool ent_path_is_wide(const ent_path_data *data) {
  return data->inputs > max_near_inputs(data->train.rows);
}

/* The cache of levels and the first candidates. */
static entropic_status pool_start(entropic_context *context, const entropic_kernel *kernel, ent_path_state *state) {
  const ent_path_task *task = state->task;
  const ent_block *train = &task->data.train;
  ent_selection *selection = state->selection;
  entropic_status status =
      ent_level_cache_create(context, kernel, train->x, train->rows, train->x_stride, &state->cache);
  if (status != ENTROPIC_OK)
    return status;
  if (ent_path_is_wide(&task->data))
    return ent_candidate_pool_open(context, state->cache, &task->limits, &selection->candidates);
  return ent_candidate_pool_create(context, state->cache, POOL_FEATURES, &task->limits, &selection->candidates);
}

static entropic_status arrays_start(entropic_context *context, ent_path_state *state) {
  const ent_path_task *task = state->task;
  const ent_path_data *data = &task->data;
  ent_selection *selection = state->selection;
  size_t rows = data->train.rows, targets = data->targets;
  bool weighted = data->train.weights != NULL || task->logistic;
  state->residual = ent_new_matrix(context, rows, targets, sizeof *state->residual);
  state->weights = weighted ? ent_new(context, rows, sizeof *state->weights) : NULL;
  state->shift = ent_new(context, targets, sizeof *state->shift);
  state->scores = ent_new_matrix(context, rows, targets, sizeof *state->scores);
  state->predictions = ent_new_matrix(context, data->validation.rows, targets, sizeof *state->predictions);
  selection->selected = ent_new(context, task->max_features, sizeof *selection->selected);
  selection->steps = ent_new(context, MOST_STEPS, sizeof *selection->steps);
  selection->squares = ent_new_matrix(context, MOST_STEPS, 2 * targets, sizeof *selection->squares);
  selection->predictions = ent_new_matrix(context, data->validation.rows, targets, sizeof *selection->predictions);
  bool complete = state->residual != NULL && (state->weights != NULL || !weighted) && state->shift != NULL &&
                  state->scores != NULL && state->predictions != NULL && selection->selected != NULL &&
                  selection->steps != NULL && selection->squares != NULL && selection->predictions != NULL;
  return complete ? ENTROPIC_OK : ENTROPIC_NO_MEMORY;
}

static entropic_status start(entropic_context *context, const entropic_kernel *kernel, const ent_path_task *task,
                             ent_selection *selection, ent_path_state *state) {
  const ent_block *train = &task->data.train;
  size_t rows = train->rows, targets = task->data.targets;
  *state = (ent_path_state){.task = task,
                            .data = &task->data,
                            .selection = selection,
                            .lambda = task->lambda < 0 ? FIRST_LAMBDA : task->lambda};
  selection->kernel = ent_kernel_hold(kernel);
  entropic_status status = pool_start(context, kernel, state);
  if (status != ENTROPIC_OK)
    return status;
  status = arrays_start(context, state);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t r = 0; r < rows; r++)
    state->weight += ent_weight(train, r);
  state->unit = state->weights == NULL ? 1 : state->weight / (double)rows;
  for (size_t k = 0; k < targets; k++) {
    double mean = 0;
    for (size_t r = 0; r < rows; r++)
      mean += ent_weight(train, r) * train->y[r * train->y_stride + k] / state->weight;
    state->shift[k] = mean;
    for (size_t r = 0; r < rows; r++)
      state->scores[r * targets + k] = mean;
  }
  return task->logistic ? ent_irls_start(context, train, state->scores, &state->irls) : ENTROPIC_OK;
}

/* The rows of the least squares problem: the training rows, or those of the next IRLS step. */
static ent_block least_squares_rows(ent_path_state *state) {
  ent_block rows = state->data->train;
  if (state->task->logistic) {
    ent_irls_set(&state->irls, &rows, state->scores);
    rows.y = state->irls.responses;
    rows.y_stride = 1;
    rows.weights = state->irls.weights;
    state->shift[0] = state->irls.mean;
  }
  return rows;
}

static void set_residual(ent_path_state *state, const ent_block *rows) {
  const ent_path_data *data = state->data;
  size_t targets = data->targets;
  for (size_t r = 0; state->weights != NULL && r < rows->rows; r++)
    state->weights[r] = (float)(rows->weights[r] / state->unit);
  for (size_t r = 0; r < rows->rows; r++)
    for (size_t k = 0; k < targets; k++)
      state->residual[r * targets + k] =
          (float)(ent_weight(rows, r) / state->unit *
                  (rows->y[r * rows->y_stride + k] - state->scores[r * targets + k]) / sqrt(data->scale[k]));
}

ent_residual ent_path_residual(ent_path_state *state, ent_block *rows, double *ridge) {
  const ent_path_task *task = state->task;
  *rows = least_squares_rows(state);
  set_residual(state, rows);
  *ridge = (task->logistic ? 2 : 1) * ent_path_lambda(task, fmax(state->lambda, ENT_LEAST_LAMBDA)) * state->weight;
  return (ent_residual){.targets = state->data->targets,
                        .values = state->residual,
                        .weights = state->weights,
                        .ridge = *ridge / state->unit};
}

/* Wide tables: finds the near inputs, those whose first levels explain most alone. */
static entropic_status find_near_inputs(entropic_context *context, ent_path_state *state) {
  ent_candidate_pool *candidates = state->selection->candidates;
  size_t most = max_near_inputs(state->data->train.rows), screened_count = 0, count = 0;
  size_t capacity = CANDIDATES_PER_INPUT * most;
  ent_block rows;
  double ridge;
  ent_candidate *screened = ent_new(context, capacity, sizeof *screened);
  bool *near = ent_new(context, state->data->inputs, sizeof *near);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (screened == NULL || near == NULL)
    goto done;
  ent_residual residual = ent_path_residual(state, &rows, &ridge);
  status = ent_screen(context, candidates, &residual, capacity, screened, &screened_count);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < screened_count && count < most; i++) {
    bool *input = &near[candidates->groups[screened[i].group].terms[0].input];
    count += !*input;
    *input = true;
  }
  status = ent_candidate_pool_focus(context, candidates, near, POOL_FEATURES);
done:
  ent_delete(screened);
  ent_delete(near);
  return status;
}

bool ent_path_may_extend(const ent_path_time *time, double end, double seconds) {
  return time->last_deadline > 0 && end + time->following * seconds <= time->last_deadline;
}

/* Whether the next step of a path that began at `begin` would end too late. Its time is guessed: it grows with the
 * square of the size. */
static bool is_late(const ent_path_task *task, const ent_selection *s, size_t size, double begin, double last_seconds) {
  if (!(task->time.deadline > 0) || s->step_count == 0)
    return false;
  double growth = (double)size / (double)s->count, end = ent_seconds() + last_seconds * growth * growth;
  return end > task->time.deadline && !ent_path_may_extend(&task->time, end, end - begin);
}

/* Keeps the predictions of the step of least error. Returns whether the path should end. */
static bool should_stop(ent_path_state *state, double *least, size_t *worse) {
  ent_selection *selection = state->selection;
  size_t patience = state->task->patience > 0 ? state->task->patience : PATIENCE;
  double error = selection->steps[selection->step_count - 1].error;
  bool idle = selection->count >= COSTLY_SIZE && error > WORTH_IT * *least;
  *worse = error < *least ? 0 : *worse + 1;
  if (error < *least) {
    double *former = selection->predictions;
    selection->predictions = state->predictions;
    state->predictions = former;
    *least = error;
  }
  return !state->task->no_early_stop && (idle || *worse >= patience || error > MUCH_WORSE * *least);
}

/* All steps, until the path ends. */
static entropic_status take_steps(entropic_context *context, ent_path_state *state, double begin) {
  const ent_path_task *task = state->task;
  ent_selection *selection = state->selection;
  double since = begin, last_seconds = 0, least = INFINITY;
  size_t worse = 0;
  while (selection->step_count < MOST_STEPS && selection->count < task->max_features) {
    size_t before = selection->count, size = next_size(selection->step_count, task->max_features);
    selection->stopped_early = is_late(task, selection, size, begin, last_seconds);
    if (selection->stopped_early)
      break;
    ent_lap(&since);
    entropic_status status = ent_path_take_step(context, state, size);
    last_seconds = ent_lap(&since);
    if (status != ENTROPIC_OK)
      return status;
    if (selection->count == before || should_stop(state, &least, &worse))
      break;
  }
  if (selection->step_count == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "no feature varies over the rows, expected some input that does");
  return ENTROPIC_OK;
}

entropic_status ent_select_path(entropic_context *context, const entropic_kernel *kernel, const ent_path_task *task,
                                ent_selection *selection) {
  *selection = (ent_selection){.validation_rows = task->data.validation.rows,
                               .selection_loss = task->logistic ? ENT_BY_LOGISTIC : ENT_BY_SQUARES};
  ent_path_state state;
  const double begin = ent_seconds();
  entropic_status status = start(context, kernel, task, selection, &state);
  if (status != ENTROPIC_OK)
    goto done;
  if (ent_path_is_wide(&task->data)) {
    status = find_near_inputs(context, &state);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = take_steps(context, &state, begin);
done:
  state_clear(&state);
  if (selection->candidates != NULL)
    selection->candidates->cache = NULL; /* it belonged to the state */
  if (status != ENTROPIC_OK)
    ent_selection_clear(selection);
  return status;
}
