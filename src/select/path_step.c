/* One step of a path: see path_state.h. */
#include "select/path_state.h"

#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "select/forward.h"
#include "select/refit.h"
#include "select/selected.h"

#define MIN_CANDIDATES ((size_t)600)   /* lifted in a step, or twice as many as are to be selected */
#define WIDE_CANDIDATES ((size_t)300)  /* the same for wide tables: many of their candidates are alike */
#define POOL_GROWTH ((size_t)1500)     /* groups that a step adds to the pool, */
#define POOL_GROWTH_INPUT ((size_t)40) /* or so many for each input, if that is more */
#define WIDE_GROWTH ((size_t)4000)     /* the same for wide tables */

/* The statistics of some of the features. */
static entropic_status subset_statistics(entropic_context *context, const ent_statistics *from, const size_t *features,
                                         size_t count, ent_statistics **subset) {
  ent_statistics *made = NULL;
  entropic_status status = ent_statistics_create(context, count, from->targets, from->shift, &made);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t j = 0; j < made->size; j++) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK) {
      ent_statistics_free(made);
      return status;
    }
    for (size_t i = 0; i <= j; i++)
      made->gram[j * made->size + i] = ent_product(from, i < count ? features[i] : from->features + i - count,
                                                   j < count ? features[j] : from->features + j - count);
  }
  made->weight = from->weight;
  made->rows = from->rows;
  *subset = made;
  return ENTROPIC_OK;
}

/* The work of one step. */
typedef struct ent_path_round {
  size_t wanted;              /* features to be selected */
  size_t most;                /* candidates that may be screened */
  size_t screened_count;      /* candidates that were */
  ent_candidate *screened;    /* [most] */
  size_t *columns;            /* [selected so far + most] of those selected, then of the candidates, in `lifting` */
  ent_lifting lifting;        /* of both */
  ent_statistics *statistics; /* of both */
  size_t *order; /* [wanted] candidates in the order of selection: columns, the first candidate's being 0 */
  double *gains; /* [wanted] */
  size_t taken;  /* how many were selected */
} ent_path_round;

static void round_clear(ent_path_round *round) {
  ent_statistics_free(round->statistics);
  ent_lifting_clear(&round->lifting);
  ent_delete(round->screened);
  ent_delete(round->columns);
  ent_delete(round->order);
  ent_delete(round->gains);
}

static entropic_status round_start(entropic_context *context, const ent_path_state *state, size_t size,
                                   ent_path_round *round) {
  size_t wanted = size - state->selection->count;
  size_t least = ent_path_is_wide(state->data) ? WIDE_CANDIDATES : MIN_CANDIDATES;
  size_t most = 2 * wanted < least ? least : 2 * wanted;
  *round = (ent_path_round){.wanted = wanted, .most = most};
  round->screened = ent_new(context, most, sizeof *round->screened);
  round->columns = ent_new(context, state->selection->count + most, sizeof *round->columns);
  round->order = ent_new(context, wanted, sizeof *round->order);
  round->gains = ent_new(context, wanted, sizeof *round->gains);
  bool complete = round->screened != NULL && round->columns != NULL && round->order != NULL && round->gains != NULL;
  return complete ? ENTROPIC_OK : ENTROPIC_NO_MEMORY;
}

/* The statistics of the selected features and the screened candidates. Products of selected features are known from the
 * step before, unless the weights of rows have changed. */
static entropic_status collect(entropic_context *context, ent_path_state *state, const ent_rows *rows,
                               ent_path_round *round) {
  const ent_path_data *data = state->data;
  ent_selection *s = state->selection;
  size_t known = state->task->logistic ? 0 : s->count;
  ent_candidate_list lists[2] = {{s->selected, s->count}, {round->screened, round->screened_count}};
  entropic_status status = ent_selected_lifting(context, s->candidates, lists, round->columns, &round->lifting);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_statistics_create(context, round->lifting.map.features, data->targets, state->shift, &round->statistics);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_statistics_extend(context, round->statistics, known, &round->lifting.map, rows, ENT_GRADE_ORDER_FREE);
  if (status != ENTROPIC_OK)
    return status;
  s->seconds.lift += round->statistics->lift_seconds;
  s->seconds.gram += round->statistics->gram_seconds;
  for (size_t j = 0; j < known; j++)
    memcpy(round->statistics->gram + j * round->statistics->size, state->selected->gram + j * state->selected->size,
           (j + 1) * sizeof *round->statistics->gram);
  ent_statistics_free(state->selected); /* those of the round hold all that is needed of them */
  state->selected = NULL;
  return ENTROPIC_OK;
}

/* Screens the pool, lifts the best candidates, and selects among them. */
static entropic_status select_features(entropic_context *context, ent_path_state *state, ent_path_round *round) {
  ent_selection *s = state->selection;
  double since = ent_seconds(), ridge;
  ent_memory_rows memory = {.inputs = state->data->inputs, .targets = state->data->targets};
  ent_residual residual = ent_path_residual(state, &memory.all, &ridge);
  ent_rows rows = ent_rows_of_memory(&memory);
  entropic_status status =
      ent_screen(context, s->candidates, &residual, round->most, round->screened, &round->screened_count);
  s->seconds.screen += ent_lap(&since);
  if (status != ENTROPIC_OK)
    return status;
  status = collect(context, state, &rows, round);
  if (status != ENTROPIC_OK)
    return status;
  ent_lap(&since);
  ent_forward_task task = {.statistics = round->statistics,
                           .selected = s->count,
                           .ridge = ridge,
                           .scale = state->data->scale,
                           .wanted = round->wanted};
  status = ent_forward(context, &task, round->order, round->gains, &round->taken);
  s->seconds.forward += ent_lap(&since);
  return status;
}

/* Adds the features of a round to the selection. columns[count + taken] become their columns in the round's lifting. */
static entropic_status append_selected(entropic_context *context, const ent_path_round *round, ent_selection *s,
                                       size_t *columns) {
  size_t before = s->count;
  size_t *candidate_at = ent_new(context, round->screened_count, sizeof *candidate_at); /* by column */
  if (candidate_at == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < round->screened_count; i++)
    candidate_at[round->columns[before + i] - before] = i;
  memcpy(columns, round->columns, before * sizeof *columns);
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < round->taken; i++) {
    ent_candidate candidate = round->screened[candidate_at[round->order[i]]];
    candidate.gain = round->gains[i];
    columns[before + i] = before + round->order[i];
    s->selected[s->count++] = candidate;
    status = ent_candidate_pool_select(context, s->candidates, candidate.group, candidate.member, candidate.gain);
    if (status != ENTROPIC_OK)
      break;
  }
  ent_delete(candidate_at);
  return status;
}

/* Moves the features of a round to the selection, with the part of the round's statistics that is theirs. */
static entropic_status finish_round(entropic_context *context, ent_path_state *state, const ent_path_round *round) {
  ent_selection *s = state->selection;
  size_t count = s->count + round->taken;
  size_t *old = ent_new(context, count, sizeof *old), *columns = ent_new(context, count, sizeof *columns);
  size_t *from = ent_new(context, count, sizeof *from);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (old == NULL || columns == NULL || from == NULL)
    goto done;
  status = append_selected(context, round, s, old);
  if (status != ENTROPIC_OK)
    goto done;
  ent_lifting_clear(&state->lifting);
  ent_candidate_list lists[2] = {{s->selected, count}, {NULL, 0}};
  status = ent_selected_lifting(context, s->candidates, lists, columns, &state->lifting);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < count; i++)
    from[columns[i]] = old[i];
  ent_statistics_free(state->selected);
  state->selected = NULL;
  status = subset_statistics(context, round->statistics, from, count, &state->selected);
done:
  ent_delete(old);
  ent_delete(columns);
  ent_delete(from);
  return status;
}

static size_t pool_growth(const ent_path_data *data) {
  if (ent_path_is_wide(data))
    return WIDE_GROWTH;
  return data->inputs > POOL_GROWTH / POOL_GROWTH_INPUT ? data->inputs * POOL_GROWTH_INPUT : POOL_GROWTH;
}

/* Weights and lambda for the selected features; then the pool grows. */
static entropic_status refit(entropic_context *context, ent_path_state *state) {
  const ent_path_task *task = state->task;
  ent_selection *s = state->selection;
  ent_select_step step = {.features = s->count, .lambda = state->lambda};
  ent_refit_task refit = {.path = task,
                          .map = &state->lifting.map,
                          .statistics = state->selected,
                          .irls = task->logistic ? &state->irls : NULL};
  ent_refit_output output = {.squares = s->squares + s->step_count * 2 * state->data->targets,
                             .predictions = state->predictions,
                             .scores = state->scores};
  entropic_status status = ent_refit_step(context, &refit, &step, &output);
  if (status != ENTROPIC_OK)
    return status;
  s->steps[s->step_count++] = step;
  state->lambda = step.lambda;
  return s->count < task->max_features ? ent_candidate_pool_grow(context, s->candidates, pool_growth(state->data))
                                       : ENTROPIC_OK;
}

entropic_status ent_path_take_step(entropic_context *context, ent_path_state *state, size_t size) {
  ent_path_round round;
  double since = 0;
  bool selected = false;
  entropic_status status = round_start(context, state, size, &round);
  if (status != ENTROPIC_OK)
    goto done;
  status = select_features(context, state, &round);
  if (status != ENTROPIC_OK)
    goto done;
  since = ent_seconds();
  status = finish_round(context, state, &round);
  selected = round.taken > 0;
done:
  round_clear(&round);
  if (status != ENTROPIC_OK || !selected)
    return status;
  status = refit(context, state);
  state->selection->seconds.solve += ent_lap(&since);
  return status;
}
