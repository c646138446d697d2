/* Validation of class models: see classes.h. */
#include "tune/classes.h"

#include <math.h>
#include <stdbool.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "select/refit.h"
#include "solve/majorised.h"
#include "sums/pass.h"
#include "solve/precondition.h"
#include "tune/rules.h"

#define MOST_WORK 1e11     /* multiplications of all fits together: some seconds on one processor */
#define HARDLY 1e-3        /* the loss hardly falls if it falls by less than this part of itself */
#define STRIDE ((size_t)2) /* every second lambda of the list is validated */

/* Scores of validation rows, with their classes and weights. */
typedef struct ent_held_out_scores {
  size_t rows, capacity, classes, scores;
  double *score, *weights;
  size_t *labels;
  double *scratch; /* scores and probabilities of one row */
} ent_held_out_scores;

static void scores_clear(ent_held_out_scores *s) {
  ent_delete(s->score);
  ent_delete(s->weights);
  ent_delete(s->labels);
  ent_delete(s->scratch);
  *s = (ent_held_out_scores){0};
}

/* Room for the rows of all parts. On failure there is none. */
static entropic_status scores_start(entropic_context *context, const ent_validation_splits *splits, size_t classes,
                                    ent_held_out_scores *s) {
  *s = (ent_held_out_scores){.classes = classes, .scores = ent_class_scores(classes)};
  s->capacity = splits->valid != NULL ? splits->valid->rows : splits->train.rows;
  s->score = ent_new_matrix(context, s->capacity, s->scores, sizeof *s->score);
  s->weights = ent_new(context, s->capacity, sizeof *s->weights);
  s->labels = ent_new(context, s->capacity, sizeof *s->labels);
  s->scratch = ent_new(context, 2 * classes, sizeof *s->scratch);
  if (s->score != NULL && s->weights != NULL && s->labels != NULL && s->scratch != NULL)
    return ENTROPIC_OK;
  scores_clear(s);
  return ENTROPIC_NO_MEMORY;
}

/* The margin of the true class: its score minus the mean score of the others. */
static double margin_of(const ent_held_out_scores *s, const double *scores, size_t label) {
  if (s->scores == 1)
    return label == 1 ? scores[0] : -scores[0];
  double others = 0;
  for (size_t k = 0; k < s->scores; k++)
    others += k == label ? 0 : scores[k];
  return scores[label] - others / (double)(s->classes - 1);
}

/* The weighted mean of -ln(probability of the true class). `doubt` is the share of each row that counts as being of the
 * other classes, evenly. The mean of ln(probability) over those is that of the true class minus the margin. */
static double loss_at(const ent_held_out_scores *s, double inverse_temperature, double doubt) {
  double sum = 0, weight = 0, *scores = s->scratch, *probabilities = s->scratch + s->classes;
  for (size_t r = 0; r < s->rows; r++) {
    for (size_t k = 0; k < s->scores; k++)
      scores[k] = inverse_temperature * s->score[r * s->scores + k];
    ent_probabilities(s->classes, scores, probabilities);
    double truth = log(fmax(probabilities[s->labels[r]], ENT_LEAST_PROBABILITY));
    sum -= s->weights[r] * (truth - doubt * margin_of(s, scores, s->labels[r]));
    weight += s->weights[r];
  }
  return sum / weight;
}

/* The weighted share of misclassified rows. */
static double error_of(const ent_held_out_scores *s) {
  double wrong = 0, weight = 0;
  for (size_t r = 0; r < s->rows; r++) {
    wrong += ent_class_of(s->classes, s->score + r * s->scores) != s->labels[r] ? s->weights[r] : 0;
    weight += s->weights[r];
  }
  return wrong / weight;
}

/* The inverse temperature of least loss, by golden section on its logarithm. The loss is convex in the inverse
 * temperature, so it has one minimum. One row more than there are counts as misclassified. Otherwise, if all rows
 * happen to be right, the loss would fall without end, and the first error to come would have probability 0. */
static double find_inverse_temperature(const ent_held_out_scores *s) {
  const double golden = 0.6180339887498949;
  double doubt = 1 / (double)(s->rows + 1);
  double low = -7, high = 7; /* powers of e: 1e-3 to 1e3 */
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double at_a = loss_at(s, exp(a), doubt), at_b = loss_at(s, exp(b), doubt);
  for (int i = 0; i < 24; i++) {
    if (at_a <= at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - golden * (high - low);
      at_a = loss_at(s, exp(a), doubt);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + golden * (high - low);
      at_b = loss_at(s, exp(b), doubt);
    }
  }
  return exp((low + high) / 2);
}

/* Scores of validation rows by the squared loss. */
static entropic_status score_squared(entropic_context *context, const ent_learner *learner, const ent_rows *rows,
                                     double lambda, const ent_block *validation, double *scores) {
  ent_learnt learnt;
  entropic_status status = ent_learn(context, learner, rows, &lambda, 1, &learnt);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_learnt_scores(context, learner, &learnt, 0, validation, scores);
done:
  ent_learnt_clear(&learnt);
  return status;
}

static entropic_status score_majorised(entropic_context *context, const ent_majorised_problem *problem,
                                       const ent_block *validation, double *scores) {
  ent_majorised *fit = NULL;
  entropic_status status = ent_majorised_fit(context, problem, ent_majorised_options_default(problem->loss), &fit);
  if (status != ENTROPIC_OK)
    return status;
  status =
      ent_scores(context, problem->map, validation, &(ent_linear){fit->weights, fit->offsets, fit->scores}, scores);
  ent_majorised_free(fit);
  return status;
}

/* Fits a model without a part and adds the scores of that part. */
static entropic_status add_scores(entropic_context *context, const ent_learner *learner, ent_held_out *held,
                                  double lambda, const ent_loss *loss, ent_held_out_scores *s) {
  ent_rows rows = ent_rows_of_subset(&held->train);
  const ent_block *out = &held->validation;
  double *scores = s->score + s->rows * s->scores;
  entropic_status status =
      loss->method == ENT_METHOD_RIDGE
          ? score_squared(context, learner, &rows, lambda, out, scores)
          : score_majorised(
                context, &(ent_majorised_problem){.map = learner->map, .rows = &rows, .loss = loss, .lambda = lambda},
                out, scores);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t r = 0; r < out->rows; r++) {
    s->labels[s->rows + r] = ent_class_of(s->classes, out->y + r * out->y_stride); /* targets are -1 and 1 */
    s->weights[s->rows + r] = ent_weight(out, r);
  }
  s->rows += out->rows;
  return ENTROPIC_OK;
}

static size_t learner_of(const ent_class_splits *task, size_t part) {
  return part < task->learner_count ? part : task->learner_count - 1;
}

entropic_status ent_class_validate_signs(entropic_context *context, const ent_class_splits *task, const double *lambdas,
                                         const ent_loss *loss, ent_class_validation *class_validation) {
  ent_held_out_scores s;
  entropic_status status = scores_start(context, task->splits, task->classes, &s);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t k = 0; k < task->parts; k++) {
    ent_held_out held;
    size_t learner = learner_of(task, k);
    status = ent_hold_out(context, task->splits, k, &held);
    if (status != ENTROPIC_OK)
      goto done;
    status = add_scores(context, &task->learners[learner], &held, lambdas[learner], loss, &s);
    ent_held_out_clear(&held);
    if (status != ENTROPIC_OK)
      goto done;
  }
  double inverse_temperature = find_inverse_temperature(&s);
  *class_validation = (ent_class_validation){.lambda = lambdas[0],
                                             .error = error_of(&s),
                                             .loss = loss_at(&s, inverse_temperature, 0),
                                             .inverse_temperature = inverse_temperature,
                                             .rows = s.rows};
done:
  scores_clear(&s);
  return status;
}

/* Whether the training rows have every class while a part is held out. A rare class may be held out altogether. */
static entropic_status has_every_class(entropic_context *context, const ent_validation_splits *splits, size_t part,
                                       size_t classes, bool *every) {
  bool *seen = ent_new(context, classes, sizeof *seen);
  if (seen == NULL)
    return ENTROPIC_NO_MEMORY;
  const ent_block *rows = &splits->train;
  for (size_t r = 0; r < rows->rows; r++)
    if (ent_is_training_row(splits, r, part))
      seen[(size_t)rows->y[r * rows->y_stride]] = true;
  *every = true;
  for (size_t c = 0; c < classes; c++)
    *every &= seen[c];
  ent_delete(seen);
  return ENTROPIC_OK;
}

/* One part, along the path of lambdas. */
typedef struct ent_path_fold {
  bool unusable; /* its training rows lack a class */
  size_t first;  /* where its scores begin */
  const ent_map *map;
  ent_held_out held;
  ent_logistic *fit;                  /* with the last lambda: where the next begins */
  ent_preconditioner *preconditioner; /* of that fit */
} ent_path_fold;

/* The path of lambdas: all parts at one lambda after the other. */
typedef struct ent_lambda_path_state {
  const ent_class_splits *task;
  ent_path_fold *folds;
  ent_held_out_scores scores;
  ent_class_validation best;
  ent_logistic **starts; /* of the first part of each learner, with the best lambda */
  double work;           /* multiplications so far */
  double lambda;         /* the current one */
} ent_lambda_path_state;

/* Fits the model without a part with one lambda and sets the scores of that part. */
static entropic_status fit_fold(entropic_context *context, ent_path_fold *fold, double lambda, ent_held_out_scores *s) {
  const ent_block *out = &fold->held.validation;
  ent_rows rows = ent_rows_of_subset(&fold->held.train);
  ent_logistic *fit = NULL;
  ent_logistic_options options = ent_logistic_options_default();
  options.tolerance = ENT_VALIDATION_TOLERANCE;
  options.kept = &fold->preconditioner;
  entropic_status status = ent_logistic_fit(
      context,
      &(ent_logistic_problem){
          .map = fold->map, .rows = &rows, .classes = s->classes, .lambda = lambda, .start = fold->fit},
      options, &fit);
  if (status != ENTROPIC_OK)
    return status;
  ent_logistic_free(fold->fit);
  fold->fit = fit;
  status = ent_scores(context, fold->map, out, &(ent_linear){fit->weights, fit->offsets, fit->scores},
                      s->score + fold->first * s->scores);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t r = 0; r < out->rows; r++) {
    s->labels[fold->first + r] = (size_t)out->y[r * out->y_stride];
    s->weights[fold->first + r] = ent_weight(out, r);
  }
  return ENTROPIC_OK;
}

static entropic_status fold_task(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  ent_lambda_path_state *path = shared;
  ent_path_fold *fold = &path->folds[task];
  return fold->unusable ? ENTROPIC_OK : fit_fold(context, fold, path->lambda, &path->scores);
}

/* Fits all parts, those of small tables several at a time. */
static entropic_status fit_folds(entropic_context *context, ent_lambda_path_state *path) {
  size_t parts = path->task->parts;
  if (path->task->splits->train.rows <= ENT_SMALL_TABLE)
    return ent_parallel_long(context, parts, fold_task, path);
  for (size_t k = 0; k < parts; k++) {
    entropic_status status = fold_task(context, path, k, 0);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status keep_starts(entropic_context *context, ent_lambda_path_state *path) {
  for (size_t k = 0; k < path->task->parts && k < path->task->learner_count; k++) {
    ent_logistic *copy = NULL;
    if (path->folds[k].fit == NULL)
      continue;
    entropic_status status = ent_logistic_copy(context, path->folds[k].fit, &copy);
    if (status != ENTROPIC_OK)
      return status;
    ent_logistic_free(path->starts[k]);
    path->starts[k] = copy;
  }
  return ENTROPIC_OK;
}

/* One lambda on all parts. *better becomes whether the loss is the least so far, *on whether a further one is worth
 * it. */
static entropic_status try_lambda(entropic_context *context, ent_lambda_path_state *path, double lambda, bool *better,
                                  bool *on) {
  ent_held_out_scores *s = &path->scores;
  *better = *on = false;
  path->lambda = lambda;
  entropic_status status = fit_folds(context, path);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t k = 0; k < path->task->parts; k++) {
    const ent_path_fold *fold = &path->folds[k];
    if (fold->unusable)
      continue;
    path->work += 2.0 * (double)fold->fit->passes * (double)fold->held.train.count * (double)fold->map->features *
                  (double)s->scores;
  }
  if (s->rows == 0)
    return ENTROPIC_OK;
  double loss = loss_at(s, 1, 0), before = path->best.loss;
  *better = loss < before;
  *on = path->work < MOST_WORK;
  if (!*better)
    return ENTROPIC_OK;
  path->best = (ent_class_validation){
      .lambda = lambda, .error = error_of(s), .loss = loss, .inverse_temperature = 1, .rows = s->rows};
  *on = *on && !(before - loss < HARDLY * before);
  return keep_starts(context, path);
}

/* From the first lambda downwards as long as the loss falls. If it does not fall at once, upwards. */
static entropic_status try_lambdas(entropic_context *context, ent_lambda_path_state *path, ent_lambda_list lambdas,
                                   size_t begin) {
  bool better, on;
  size_t fitted = 1, fallen = 0, count = lambdas.count;
  entropic_status status = try_lambda(context, path, lambdas.values[begin], &better, &on);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = begin + STRIDE; i < count && on; i += STRIDE) {
    ent_progress_at(context, "trying lambdas", fitted++, count);
    status = try_lambda(context, path, lambdas.values[i], &better, &on);
    if (status != ENTROPIC_OK)
      return status;
    fallen += better;
    on = on && better;
  }
  on = fallen == 0 && path->best.rows > 0 && path->work < MOST_WORK;
  for (size_t i = begin; i >= STRIDE && on; i -= STRIDE) {
    ent_progress_at(context, "trying lambdas", fitted++, count);
    status = try_lambda(context, path, lambdas.values[i - STRIDE], &better, &on);
    if (status != ENTROPIC_OK)
      return status;
    on = on && better;
  }
  return ENTROPIC_OK;
}

static void path_clear(ent_lambda_path_state *path) {
  for (size_t k = 0; path->folds != NULL && k < path->task->parts; k++) {
    ent_held_out_clear(&path->folds[k].held);
    ent_logistic_free(path->folds[k].fit);
    ent_preconditioner_free(path->folds[k].preconditioner);
  }
  ent_delete(path->folds);
  scores_clear(&path->scores);
}

/* On failure the path has to be cleared as well. */
static entropic_status path_start(entropic_context *context, ent_lambda_path_state *path) {
  const ent_class_splits *task = path->task;
  path->folds = ent_new(context, task->parts, sizeof *path->folds);
  if (path->folds == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = scores_start(context, task->splits, task->classes, &path->scores);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t k = 0; k < task->parts; k++) {
    ent_path_fold *fold = &path->folds[k];
    bool every = false;
    fold->map = task->learners[learner_of(task, k)].map;
    status = has_every_class(context, task->splits, k, task->classes, &every);
    if (status != ENTROPIC_OK)
      return status;
    fold->unusable = !every;
    status = ent_hold_out(context, task->splits, k, &fold->held);
    if (status != ENTROPIC_OK)
      return status;
    fold->first = path->scores.rows;
    path->scores.rows += fold->unusable ? 0 : fold->held.validation.rows;
  }
  return ENTROPIC_OK;
}

entropic_status ent_class_validate_logistic(entropic_context *context, const ent_class_splits *task,
                                            ent_lambda_path lambdas, ent_class_validation *class_validation,
                                            ent_logistic **starts) {
  ent_lambda_path_state path = {.task = task, .best = {.loss = INFINITY}, .starts = starts};
  entropic_status status = path_start(context, &path);
  if (status != ENTROPIC_OK)
    goto done;
  status = try_lambdas(context, &path, lambdas.lambdas, lambdas.begin);
  if (status != ENTROPIC_OK)
    goto done;
  *class_validation = path.best;
done:
  path_clear(&path);
  return status;
}
