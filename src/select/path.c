/* Selection from data: see path.h. */
#include "select/path.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "select/forward.h"
#include "select/selected.h"
#include "select/refit.h"

#define FIRST_LAMBDA 1e-4
#define LEAST_CANDIDATES ((size_t)600) /* that are lifted; or twice as many as are wanted */
#define WIDE_CANDIDATES ((size_t)300)  /* of more inputs than the rows bear: few of many that look alike are lifted */
#define POOL_FEATURES ((size_t)2000)
#define FEW_INPUTS ((size_t)250)       /* so many are looked at with all their levels and products, or: */
#define PICKS_OF_INPUT ((size_t)4)     /* features screened for each */
#define ROWS_OF_INPUT ((size_t)4)      /* one for so many rows, if that is more */
#define POOL_GROWTH ((size_t)1500)     /* groups a round, or: */
#define POOL_GROWTH_INPUT ((size_t)40) /* so many for each input, if that is more */
#define WIDE_GROWTH ((size_t)4000)     /* of more inputs than the rows bear */
#define COSTLY_SIZE ((size_t)1000)     /* from here on a step must be worth its time: */
#define WORTH_IT 0.985                 /* the mean square falls to this part of itself, or the path ends */
#define PATIENCE ((size_t)3)           /* so many sizes in a row no better than the best so far: the path ends */
#define MUCH_WORSE 1.15                /* than the best so far: it ends at once */

static const size_t path_sizes[] = {50, 100, 200, 350, 600, 1000, 1400, 2000, 3000, 4200, 6000};
enum { PATH_COUNT = sizeof path_sizes / sizeof *path_sizes };
#define MOST_STEPS ((size_t)64)

/* The size of a step; beyond the list each is 1.5 times the one before. */
static size_t next_size(size_t step, size_t most) {
  double size = step < PATH_COUNT ? (double)path_sizes[step]
                                  : (double)path_sizes[PATH_COUNT - 1] * pow(1.5, (double)(step + 1 - PATH_COUNT));
  return size < (double)most ? (size_t)size : most;
}

/* A path under way. */
typedef struct ent_select_state {
  const ent_selecting *task;
  ent_selection *selection;
  ent_level_cache *cache;
  double lambda, weight;
  double unit;               /* of the weights in `residual` and `weights`: their mean, so that they fit a float */
  double *shift;             /* [targets] their means */
  float *residual, *weights; /* as ent_residual wants them */
  ent_irls irls;             /* empty unless the loss is logistic */
  double *scores;            /* of the rows learnt from */
  double *tried;             /* as in a selection, of the last step */
  ent_lifting lifting;       /* of what is chosen */
  ent_statistics *chosen;    /* of it */
} ent_select_state;

static void walk_clear(ent_select_state *w) {
  ent_irls_clear(&w->irls);
  ent_level_cache_free(w->cache);
  ent_delete(w->residual);
  ent_delete(w->weights);
  ent_delete(w->shift);
  ent_delete(w->scores);
  ent_delete(w->tried);
  ent_lifting_clear(&w->lifting);
  ent_statistics_free(w->chosen);
}

void ent_selection_clear(ent_selection *selection) {
  ent_candidate_pool_free(selection->candidates);
  entropic_kernel_free(selection->kernel);
  ent_delete(selection->picks);
  ent_delete(selection->steps);
  ent_delete(selection->squares);
  ent_delete(selection->tried);
  *selection = (ent_selection){0};
}

entropic_status ent_selection_lifting(entropic_context *context, const ent_selection *selection, size_t features,
                                      ent_lifting *lifting) {
  size_t *columns = ent_new(context, features, sizeof *columns);
  if (columns == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status =
      ent_selected_lifting(context, selection->candidates, selection->picks, features, NULL, 0, columns, lifting);
  ent_delete(columns);
  return status;
}

/* The statistics of some of the features. */
static entropic_status pick_statistics(entropic_context *context, const ent_statistics *from, const size_t *features,
                                       size_t count, ent_statistics **subset) {
  ent_statistics *made = NULL;
  entropic_status status = ent_statistics_create(context, count, from->targets, from->shift, &made);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t j = 0; j < made->size; j++)
    for (size_t i = 0; i <= j; i++)
      made->gram[j * made->size + i] = ent_product(from, i < count ? features[i] : from->features + i - count,
                                                   j < count ? features[j] : from->features + j - count);
  made->weight = from->weight;
  made->rows = from->rows;
  *subset = made;
  return ENTROPIC_OK;
}

/* How many inputs the rows bear: of more, those are looked at closely that explain most alone. */
static size_t bearable_inputs(size_t rows) {
  return rows / ROWS_OF_INPUT > FEW_INPUTS ? rows / ROWS_OF_INPUT : FEW_INPUTS;
}

static bool is_wide(const ent_selecting *task) {
  return task->inputs > bearable_inputs(task->train.rows);
}

static entropic_status start(entropic_context *context, const entropic_kernel *kernel, const ent_selecting *task,
                             ent_selection *selection, ent_select_state *w) {
  size_t rows = task->train.rows, targets = task->targets;
  *w = (ent_select_state){
      .task = task, .selection = selection, .lambda = task->lambda < 0 ? FIRST_LAMBDA : task->lambda};
  selection->kernel = ent_kernel_hold(kernel);
  entropic_status status =
      ent_level_cache_create(context, kernel, task->train.x, rows, task->train.x_stride, &w->cache);
  if (status == ENTROPIC_OK && is_wide(task))
    status = ent_candidate_pool_open(context, w->cache, task->max_order, task->used, &selection->candidates);
  else if (status == ENTROPIC_OK)
    status = ent_candidate_pool_create(context, w->cache, POOL_FEATURES, task->max_order, task->used,
                                       &selection->candidates);
  if (status != ENTROPIC_OK)
    return status;
  w->residual = ent_new_matrix(context, rows, targets, sizeof *w->residual);
  bool weighted = task->train.weights != NULL || task->logistic;
  w->weights = weighted ? ent_new(context, rows, sizeof *w->weights) : NULL;
  w->shift = ent_new(context, targets, sizeof *w->shift);
  w->scores = ent_new_matrix(context, rows, targets, sizeof *w->scores);
  w->tried = ent_new_matrix(context, task->out.rows, targets, sizeof *w->tried);
  selection->picks = ent_new(context, task->most, sizeof *selection->picks);
  selection->steps = ent_new(context, MOST_STEPS, sizeof *selection->steps);
  selection->squares = ent_new_matrix(context, MOST_STEPS, 2 * targets, sizeof *selection->squares);
  selection->tried = ent_new_matrix(context, task->out.rows, targets, sizeof *selection->tried);
  if (w->residual == NULL || (w->weights == NULL && weighted) || w->scores == NULL || w->tried == NULL ||
      w->shift == NULL || selection->picks == NULL || selection->steps == NULL || selection->squares == NULL ||
      selection->tried == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows; r++)
    w->weight += ent_weight(&task->train, r);
  w->unit = w->weights == NULL ? 1 : w->weight / (double)rows;
  for (size_t k = 0; k < targets; k++) {
    double mean = 0;
    for (size_t r = 0; r < rows; r++)
      mean += ent_weight(&task->train, r) * task->train.y[r * task->train.y_stride + k] / w->weight;
    w->shift[k] = mean;
    for (size_t r = 0; r < rows; r++)
      w->scores[r * targets + k] = mean;
  }
  return task->logistic ? ent_irls_start(context, &task->train, w->scores, &w->irls) : ENTROPIC_OK;
}

/* The rows as squares see them. */
static ent_block rows_to_explain(ent_select_state *w) {
  ent_block rows = w->task->train;
  if (w->task->logistic) {
    ent_irls_set(&w->irls, &rows, w->scores);
    rows.y = w->irls.responses;
    rows.y_stride = 1;
    rows.weights = w->irls.weights;
    w->shift[0] = w->irls.mean;
  }
  return rows;
}

static void set_residual(ent_select_state *w, const ent_block *rows) {
  const ent_selecting *task = w->task;
  size_t targets = task->targets;
  for (size_t r = 0; w->weights != NULL && r < rows->rows; r++)
    w->weights[r] = (float)(rows->weights[r] / w->unit);
  for (size_t r = 0; r < rows->rows; r++)
    for (size_t k = 0; k < targets; k++)
      w->residual[r * targets + k] =
          (float)(ent_weight(rows, r) / w->unit * (rows->y[r * rows->y_stride + k] - w->scores[r * targets + k]) /
                  sqrt(task->scale[k]));
}

/* What the rows leave to be explained; *rows as squares see them. */
static ent_residual find_residual(ent_select_state *w, ent_block *rows, double *ridge) {
  const ent_selecting *task = w->task;
  *rows = rows_to_explain(w);
  set_residual(w, rows);
  *ridge = (task->logistic ? 2 : 1) * ent_path_lambda(task, fmax(w->lambda, ENT_LEAST_LAMBDA)) * w->weight;
  return (ent_residual){
      .targets = task->targets, .values = w->residual, .weights = w->weights, .ridge = *ridge / w->unit};
}

/* Of many inputs: looks closely at those whose first levels explain most alone. */
static entropic_status focus(entropic_context *context, ent_select_state *w) {
  ent_candidate_pool *candidates = w->selection->candidates;
  size_t most = bearable_inputs(w->task->train.rows), found = 0, count = 0, capacity = PICKS_OF_INPUT * most;
  ent_block rows;
  double ridge;
  ent_candidate *picks = ent_new(context, capacity, sizeof *picks);
  bool *near = ent_new(context, w->task->inputs, sizeof *near);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (picks == NULL || near == NULL)
    goto done;
  ent_residual residual = find_residual(w, &rows, &ridge);
  status = ent_screen(context, candidates, &residual, capacity, picks, &found);
  for (size_t i = 0; i < found && count < most && status == ENTROPIC_OK; i++) {
    bool *input = &near[candidates->groups[picks[i].group].terms[0].input];
    count += !*input;
    *input = true;
  }
  if (status == ENTROPIC_OK)
    status = ent_candidate_pool_focus(context, candidates, near, POOL_FEATURES);
done:
  ent_delete(picks);
  ent_delete(near);
  return status;
}

/* One size of the path under way. */
typedef struct ent_round {
  size_t wanted;        /* features to be chosen */
  size_t most;          /* candidates */
  size_t found;         /* candidates there are */
  ent_candidate *picks; /* [most] */
  size_t *columns;      /* [chosen so far + most]: of what is chosen, then of the candidates, in `both` */
  ent_lifting both;
  ent_statistics *all; /* of both */
  size_t *order;       /* [wanted] candidates' columns, counted from those of the candidates on, in the order chosen */
  double *gains;
  size_t taken;
} ent_round;

static void round_clear(ent_round *round) {
  ent_statistics_free(round->all);
  ent_lifting_clear(&round->both);
  ent_delete(round->picks);
  ent_delete(round->columns);
  ent_delete(round->order);
  ent_delete(round->gains);
}

static entropic_status round_start(entropic_context *context, const ent_select_state *w, size_t size,
                                   ent_round *round) {
  size_t wanted = size - w->selection->count;
  size_t least = is_wide(w->task) ? WIDE_CANDIDATES : LEAST_CANDIDATES, most = 2 * wanted < least ? least : 2 * wanted;
  *round = (ent_round){.wanted = wanted, .most = most};
  round->picks = ent_new(context, most, sizeof *round->picks);
  round->columns = ent_new(context, w->selection->count + most, sizeof *round->columns);
  round->order = ent_new(context, wanted, sizeof *round->order);
  round->gains = ent_new(context, wanted, sizeof *round->gains);
  bool complete = round->picks != NULL && round->columns != NULL && round->order != NULL && round->gains != NULL;
  return complete ? ENTROPIC_OK : ENTROPIC_NO_MEMORY;
}

static double lap(double *since) {
  double before = *since;
  *since = ent_seconds();
  return *since - before;
}

/* Screens the pool, lifts the best, and chooses among them. */
static entropic_status choose(entropic_context *context, ent_select_state *w, ent_round *round) {
  const ent_selecting *task = w->task;
  ent_selection *s = w->selection;
  double since = ent_seconds();
  double ridge;
  ent_memory_rows memory = {.inputs = task->inputs, .targets = task->targets};
  ent_residual residual = find_residual(w, &memory.all, &ridge);
  ent_rows rows = ent_rows_of_memory(&memory);
  size_t known = task->logistic ? 0 : s->count; /* the weights are other ones each time */
  entropic_status status = ent_screen(context, s->candidates, &residual, round->most, round->picks, &round->found);
  s->screen += lap(&since);
  if (status == ENTROPIC_OK)
    status = ent_selected_lifting(context, s->candidates, s->picks, s->count, round->picks, round->found,
                                  round->columns, &round->both);
  if (status == ENTROPIC_OK)
    status = ent_statistics_create(context, round->both.map.features, task->targets, w->shift, &round->all);
  if (status == ENTROPIC_OK)
    status = ent_statistics_extend(context, round->all, known, &round->both.map, &rows, ENT_PATH_AUTO);
  if (status != ENTROPIC_OK)
    return status;
  s->lift += round->all->lift_seconds;
  s->gram += round->all->gram_seconds;
  for (size_t j = 0; j < known; j++)
    memcpy(round->all->gram + j * round->all->size, w->chosen->gram + j * w->chosen->size,
           (j + 1) * sizeof *round->all->gram);
  ent_statistics_free(w->chosen); /* settle takes them out of those of the round */
  w->chosen = NULL;
  lap(&since);
  status = ent_forward(context, round->all, s->count, ridge, task->scale, round->wanted, round->order, round->gains,
                       &round->taken);
  s->forward += lap(&since);
  return status;
}

/* Takes what was chosen into the selection, and its statistics out of those of the round. */
static entropic_status settle(entropic_context *context, ent_select_state *w, ent_round *round) {
  ent_selection *s = w->selection;
  size_t before = s->count, after = before + round->taken;
  size_t *pick_at = ent_new(context, round->found, sizeof *pick_at); /* by column of the candidates */
  size_t *old = ent_new(context, after, sizeof *old), *columns = ent_new(context, after, sizeof *columns);
  size_t *from = ent_new(context, after, sizeof *from);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (pick_at == NULL || old == NULL || columns == NULL || from == NULL)
    goto done;
  for (size_t i = 0; i < round->found; i++)
    pick_at[round->columns[before + i] - before] = i;
  memcpy(old, round->columns, before * sizeof *old);
  status = ENTROPIC_OK;
  for (size_t i = 0; i < round->taken && status == ENTROPIC_OK; i++) {
    ent_candidate pick = round->picks[pick_at[round->order[i]]];
    pick.gain = round->gains[i];
    old[before + i] = before + round->order[i];
    s->picks[s->count++] = pick;
    status = ent_candidate_pool_choose(context, s->candidates, pick.group, pick.member, pick.gain);
  }
  ent_lifting_clear(&w->lifting);
  if (status == ENTROPIC_OK)
    status = ent_selected_lifting(context, s->candidates, s->picks, after, NULL, 0, columns, &w->lifting);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < after; i++)
    from[columns[i]] = old[i];
  ent_statistics_free(w->chosen);
  w->chosen = NULL;
  status = pick_statistics(context, round->all, from, after, &w->chosen);
done:
  ent_delete(pick_at);
  ent_delete(old);
  ent_delete(columns);
  ent_delete(from);
  return status;
}

static size_t candidate_growth(const ent_selecting *task) {
  if (is_wide(task))
    return WIDE_GROWTH;
  return task->inputs > POOL_GROWTH / POOL_GROWTH_INPUT ? task->inputs * POOL_GROWTH_INPUT : POOL_GROWTH;
}

/* One size of the path. */
static entropic_status step(entropic_context *context, ent_select_state *w, size_t size) {
  ent_selection *s = w->selection;
  ent_round round;
  entropic_status status = round_start(context, w, size, &round);
  if (status == ENTROPIC_OK)
    status = choose(context, w, &round);
  double since = ent_seconds();
  if (status == ENTROPIC_OK)
    status = settle(context, w, &round);
  bool more = round.taken > 0;
  round_clear(&round);
  if (status != ENTROPIC_OK || !more)
    return status;
  ent_select_step made = {.features = s->count, .lambda = w->lambda};
  ent_chosen chosen = {
      .task = w->task, .map = &w->lifting.map, .statistics = w->chosen, .irls = w->task->logistic ? &w->irls : NULL};
  status =
      ent_refit_chosen(context, &chosen, &made, s->squares + s->step_count * 2 * w->task->targets, w->tried, w->scores);
  if (status == ENTROPIC_OK) {
    s->steps[s->step_count++] = made;
    w->lambda = made.lambda;
  }
  if (status == ENTROPIC_OK && s->count < w->task->most)
    status = ent_candidate_pool_grow(context, s->candidates, candidate_growth(w->task));
  s->solve += lap(&since);
  return status;
}

bool ent_rest_fits(const ent_rest *rest, double after, double seconds) {
  return rest->end > 0 && after + rest->paths * seconds <= rest->end;
}

/* Whether the next size of a path that began at `begin` would end too late, if it takes as much longer than the last as
 * equations of its size do. */
static bool is_late(const ent_selecting *task, const ent_selection *s, size_t size, double begin, double last_seconds) {
  if (!(task->deadline > 0) || s->step_count == 0)
    return false;
  double growth = (double)size / (double)s->count, after = ent_seconds() + last_seconds * growth * growth;
  return after > task->deadline && !ent_rest_fits(&task->rest, after, after - begin);
}

entropic_status ent_select(entropic_context *context, const entropic_kernel *kernel, const ent_selecting *task,
                           ent_selection *selection) {
  *selection = (ent_selection){.validation_rows = task->out.rows,
                               .selection_loss = task->logistic ? ENT_BY_LOGISTIC : ENT_BY_SQUARES};
  ent_select_state w;
  const double begin = ent_seconds();
  double since = begin, last_seconds = 0;
  entropic_status status = start(context, kernel, task, selection, &w);
  if (status == ENTROPIC_OK && is_wide(task))
    status = focus(context, &w);
  double least = INFINITY;
  size_t worse = 0;
  while (status == ENTROPIC_OK && selection->step_count < MOST_STEPS && selection->count < task->most) {
    size_t before = selection->count, size = next_size(selection->step_count, task->most);
    selection->hurried = is_late(task, selection, size, begin, last_seconds);
    if (selection->hurried)
      break;
    lap(&since);
    status = step(context, &w, size);
    last_seconds = lap(&since);
    if (status != ENTROPIC_OK || selection->count == before)
      break;
    double error = selection->steps[selection->step_count - 1].error;
    bool idle = selection->count >= COSTLY_SIZE && error > WORTH_IT * least;
    worse = error < least ? 0 : worse + 1;
    if (error < least) {
      double *former = selection->tried;
      selection->tried = w.tried;
      w.tried = former;
      least = error;
    }
    if (!task->whole && (idle || worse >= PATIENCE || error > MUCH_WORSE * least))
      break;
  }
  walk_clear(&w);
  if (selection->candidates != NULL)
    selection->candidates->cache = NULL; /* it belonged to the walk */
  if (status == ENTROPIC_OK && selection->step_count == 0)
    status = ent_fail(context, ENTROPIC_BAD_DATA, "no feature varies over the rows, expected some input that does");
  if (status != ENTROPIC_OK)
    ent_selection_clear(selection);
  return status;
}
