/* Classes on rows held out: see classes.h. */
#include "tune/classes.h"

#include <math.h>
#include <stdbool.h>

#include "base/memory.h"
#include "solve/hinge.h"
#include "solve/pass.h"

#define TRIAL_TOLERANCE                                                                                                \
  1e-3                     /* of fits that only compare lambdas: what they minimise is right to about 1e-6, the loss of
                                rows held out to about 1e-4 */
#define MOST_WORK 1e11     /* multiplications, of all trials together: some seconds on one processor */
#define HARDLY 1e-3        /* the loss falls by less than this part of itself */
#define STRIDE ((size_t)2) /* of the lambdas in the list one in so many is tried */
#define LEAST_CHANCE 1e-15 /* of a class: keeps the loss finite, as others do */

size_t ent_class_scores(size_t classes) {
  return classes == 2 ? 1 : classes;
}

/* Scores of rows held out, with their classes. */
typedef struct ent_judged {
  size_t rows, capacity, classes, scores;
  double *score, *weights;
  size_t *labels;
  double *scratch; /* scores and probabilities of one row */
} ent_judged;

static void judged_clear(ent_judged *j) {
  ent_delete(j->score);
  ent_delete(j->weights);
  ent_delete(j->labels);
  ent_delete(j->scratch);
  *j = (ent_judged){0};
}

/* Room for all rows of the first parts. */
static entropic_status judged_start(entropic_context *context, const ent_trials *trials, size_t classes,
                                    ent_judged *j) {
  *j = (ent_judged){.classes = classes, .scores = ent_class_scores(classes)};
  j->capacity = trials->valid != NULL ? trials->valid->rows : trials->train.rows;
  j->score = ent_new_matrix(context, j->capacity, j->scores, sizeof *j->score);
  j->weights = ent_new(context, j->capacity, sizeof *j->weights);
  j->labels = ent_new(context, j->capacity, sizeof *j->labels);
  j->scratch = ent_new(context, 2 * classes, sizeof *j->scratch);
  if (j->score != NULL && j->weights != NULL && j->labels != NULL && j->scratch != NULL)
    return ENTROPIC_OK;
  judged_clear(j);
  return ENTROPIC_NO_MEMORY;
}

/* How far the score of the right class is ahead of those of the others, on average. */
static double lead_of(const ent_judged *j, const double *scores, size_t label) {
  if (j->classes == 2)
    return label == 1 ? scores[0] : -scores[0];
  double others = 0;
  for (size_t k = 0; k < j->scores; k++)
    others += k == label ? 0 : scores[k];
  return scores[label] - others / (double)(j->classes - 1);
}

/* `doubt` is the share of each row that counts as being of the other classes, evenly: ln of their probabilities is that
 * of the right one less the leads. */
static double loss_at(const ent_judged *j, double inverse_temperature, double doubt) {
  double sum = 0, weight = 0, *scores = j->scratch, *chances = j->scratch + j->classes;
  for (size_t r = 0; r < j->rows; r++) {
    for (size_t k = 0; k < j->scores; k++)
      scores[k] = inverse_temperature * j->score[r * j->scores + k];
    ent_probabilities(j->classes, scores, chances);
    double right = log(fmax(chances[j->labels[r]], LEAST_CHANCE));
    sum -= j->weights[r] * (right - doubt * lead_of(j, scores, j->labels[r]));
    weight += j->weights[r];
  }
  return sum / weight;
}

static double error_of(const ent_judged *j) {
  double wrong = 0, weight = 0;
  for (size_t r = 0; r < j->rows; r++) {
    wrong += ent_class_of(j->classes, j->score + r * j->scores) != j->labels[r] ? j->weights[r] : 0;
    weight += j->weights[r];
  }
  return wrong / weight;
}

/* The sharpness of least loss, by golden section on its logarithm: the loss is convex in the sharpness, so it has one
 * valley in its logarithm too. One row more than there are counts as wrong: where all happen to be right, the loss would
 * fall for ever, and the first wrong row to come would be called impossible. */
static double find_inverse_temperature(const ent_judged *j) {
  const double golden = 0.6180339887498949;
  double doubt = 1 / (double)(j->rows + 1);
  double low = -7, high = 7; /* powers of e: 1e-3 to 1e3 */
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double at_a = loss_at(j, exp(a), doubt), at_b = loss_at(j, exp(b), doubt);
  for (int i = 0; i < 24; i++) {
    if (at_a <= at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - golden * (high - low);
      at_a = loss_at(j, exp(a), doubt);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + golden * (high - low);
      at_b = loss_at(j, exp(b), doubt);
    }
  }
  return exp((low + high) / 2);
}

/* Scores of other rows by the squared loss. */
static entropic_status score_squared(entropic_context *context, const ent_learner *learner, const ent_rows *rows,
                                     double lambda, const ent_block *out, double *scores) {
  ent_learnt learnt;
  entropic_status status = ent_learn(context, learner, rows, &lambda, 1, &learnt);
  if (status == ENTROPIC_OK)
    status = ent_learnt_scores(context, learner, &learnt, 0, out, scores);
  ent_learnt_clear(&learnt);
  return status;
}

static entropic_status score_hinge(entropic_context *context, const ent_learner *learner, const ent_rows *rows,
                                   double lambda, const ent_block *out, double *scores) {
  ent_hinge *hinge = NULL;
  entropic_status status = ent_hinge_fit(context, learner->map, rows, lambda, ent_hinge_options_default(), &hinge);
  if (status == ENTROPIC_OK)
    status =
        ent_scores(context, learner->map, out, &(ent_linear){hinge->weights, hinge->offsets, hinge->scores}, scores);
  ent_hinge_free(hinge);
  return status;
}

static entropic_status judge(entropic_context *context, const ent_learner *learner, ent_held *held, double lambda,
                             bool hinge, ent_judged *j) {
  ent_rows rows = ent_rows_of_subset(&held->train);
  const ent_block *out = &held->out;
  entropic_status status =
      (hinge ? score_hinge : score_squared)(context, learner, &rows, lambda, out, j->score + j->rows * j->scores);
  for (size_t r = 0; r < out->rows && status == ENTROPIC_OK; r++) {
    j->labels[j->rows + r] = ent_class_of(j->classes, out->y + r * out->y_stride); /* behind targets of -1 and 1 */
    j->weights[j->rows + r] = ent_weight(out, r);
  }
  if (status == ENTROPIC_OK)
    j->rows += out->rows;
  return status;
}

static size_t way_of(const ent_class_trials *tries, size_t part) {
  return part < tries->learner_count ? part : tries->learner_count - 1;
}

entropic_status ent_class_validate_squared(entropic_context *context, const ent_class_trials *tries,
                                           const double *lambdas, bool hinge, ent_class_validation *class_validation) {
  ent_judged j;
  entropic_status status = judged_start(context, tries->trials, tries->classes, &j);
  for (size_t k = 0; k < tries->parts && status == ENTROPIC_OK; k++) {
    ent_held held;
    status = ent_hold_out(context, tries->trials, k, &held);
    if (status != ENTROPIC_OK)
      break;
    size_t learner = way_of(tries, k);
    status = judge(context, &tries->learners[learner], &held, lambdas[learner], hinge, &j);
    ent_held_clear(&held);
  }
  if (status == ENTROPIC_OK) {
    double inverse_temperature = find_inverse_temperature(&j);
    *class_validation = (ent_class_validation){.lambda = lambdas[0],
                                               .error = error_of(&j),
                                               .loss = loss_at(&j, inverse_temperature, 0),
                                               .inverse_temperature = inverse_temperature,
                                               .rows = j.rows};
  }
  judged_clear(&j);
  return status;
}

/* A rare class may be held out whole; then nothing can be learnt of it. */
static entropic_status every_class_is_left(entropic_context *context, const ent_trials *trials, size_t part,
                                           size_t classes, bool *every) {
  bool *seen = ent_new(context, classes, sizeof *seen);
  if (seen == NULL)
    return ENTROPIC_NO_MEMORY;
  const ent_block *rows = &trials->train;
  for (size_t r = 0; r < rows->rows; r++)
    if (ent_teaches(trials, r, part))
      seen[(size_t)rows->y[r * rows->y_stride]] = true;
  *every = true;
  for (size_t c = 0; c < classes; c++)
    *every &= seen[c];
  ent_delete(seen);
  return ENTROPIC_OK;
}

/* One part of the trials along the path of lambdas. */
typedef struct ent_walker {
  bool idle; /* it can learn nothing */
  const ent_map *map;
  ent_held held;
  ent_logistic *fit; /* with the last lambda: where the next begins */
} ent_walker;

static entropic_status walk(entropic_context *context, ent_walker *walker, double lambda, ent_judged *j) {
  const ent_block *out = &walker->held.out;
  ent_rows rows = ent_rows_of_subset(&walker->held.train);
  ent_logistic *fit = NULL;
  ent_logistic_options options = ent_logistic_options_default();
  options.tolerance = TRIAL_TOLERANCE;
  entropic_status status = ent_logistic_fit(
      context,
      &(ent_logistic_problem){
          .map = walker->map, .rows = &rows, .classes = j->classes, .lambda = lambda, .start = walker->fit},
      options, &fit);
  if (status == ENTROPIC_OK) {
    ent_logistic_free(walker->fit);
    walker->fit = fit;
    status = ent_scores(context, walker->map, out, &(ent_linear){fit->weights, fit->offsets, fit->scores},
                        j->score + j->rows * j->scores);
  }
  for (size_t r = 0; r < out->rows && status == ENTROPIC_OK; r++) {
    j->labels[j->rows + r] = (size_t)out->y[r * out->y_stride];
    j->weights[j->rows + r] = ent_weight(out, r);
  }
  if (status == ENTROPIC_OK)
    j->rows += out->rows;
  return status;
}

/* Walkers at one lambda after the other. */
typedef struct ent_path_walk {
  const ent_class_trials *tries;
  ent_walker *walkers;
  ent_judged judged;
  ent_class_validation best;
  ent_logistic **starts; /* of the first walker of each way, where the loss was least */
  double work;
} ent_path_walk;

static entropic_status keep_starts(entropic_context *context, ent_path_walk *path) {
  for (size_t k = 0; k < path->tries->parts && k < path->tries->learner_count; k++) {
    ent_logistic *copy = NULL;
    if (path->walkers[k].fit == NULL)
      continue;
    entropic_status status = ent_logistic_copy(context, path->walkers[k].fit, &copy);
    if (status != ENTROPIC_OK)
      return status;
    ent_logistic_free(path->starts[k]);
    path->starts[k] = copy;
  }
  return ENTROPIC_OK;
}

/* One lambda on all parts. *better tells whether the loss is the least so far, *on whether a further one is worth it. */
static entropic_status step_path(entropic_context *context, ent_path_walk *path, double lambda, bool *better,
                                 bool *on) {
  ent_judged *j = &path->judged;
  entropic_status status = ENTROPIC_OK;
  j->rows = 0;
  for (size_t k = 0; k < path->tries->parts && status == ENTROPIC_OK; k++) {
    ent_walker *walker = &path->walkers[k];
    if (walker->idle)
      continue;
    status = walk(context, walker, lambda, j);
    if (status == ENTROPIC_OK)
      path->work += 2.0 * (double)walker->fit->passes * (double)walker->held.train.count *
                    (double)walker->map->features * (double)j->scores;
  }
  *better = *on = false;
  if (status != ENTROPIC_OK || j->rows == 0)
    return status;
  double loss = loss_at(j, 1, 0), before = path->best.loss;
  *better = loss < before;
  *on = path->work < MOST_WORK;
  if (*better) {
    path->best = (ent_class_validation){
        .lambda = lambda, .error = error_of(j), .loss = loss, .inverse_temperature = 1, .rows = j->rows};
    *on = *on && !(before - loss < HARDLY * before);
    status = keep_starts(context, path);
  }
  return status;
}

/* From one lambda of the list downwards as long as the loss falls; if it does not at once, upwards. */
static entropic_status walk_path(entropic_context *context, ent_path_walk *path, const double *lambdas, size_t count,
                                 size_t begin) {
  const ent_trials *trials = path->tries->trials;
  bool better, on;
  size_t tried = 1, fallen = 0;
  entropic_status status = step_path(context, path, lambdas[begin], &better, &on);
  for (size_t i = begin + STRIDE; i < count && on && status == ENTROPIC_OK; i += STRIDE) {
    ent_trials_tell(trials, "trying lambdas", (double)tried++ / (double)count);
    status = step_path(context, path, lambdas[i], &better, &on);
    fallen += better;
    on = on && better;
  }
  on = fallen == 0 && path->best.rows > 0 && path->work < MOST_WORK;
  for (size_t i = begin; i >= STRIDE && on && status == ENTROPIC_OK; i -= STRIDE) {
    ent_trials_tell(trials, "trying lambdas", (double)tried++ / (double)count);
    status = step_path(context, path, lambdas[i - STRIDE], &better, &on);
    on = on && better;
  }
  return status;
}

entropic_status ent_class_validate_logistic(entropic_context *context, const ent_class_trials *tries,
                                            const double *lambdas, size_t count, size_t begin,
                                            ent_class_validation *class_validation, ent_logistic **starts) {
  ent_path_walk path = {.tries = tries, .best = {.loss = INFINITY}, .starts = starts};
  path.walkers = ent_new(context, tries->parts, sizeof *path.walkers);
  entropic_status status =
      path.walkers == NULL ? ENTROPIC_NO_MEMORY : judged_start(context, tries->trials, tries->classes, &path.judged);
  for (size_t k = 0; k < tries->parts && status == ENTROPIC_OK; k++) {
    bool every = false;
    path.walkers[k].map = tries->learners[way_of(tries, k)].map;
    status = every_class_is_left(context, tries->trials, k, tries->classes, &every);
    if (status == ENTROPIC_OK)
      status = ent_hold_out(context, tries->trials, k, &path.walkers[k].held);
    path.walkers[k].idle = !every;
  }
  if (status == ENTROPIC_OK)
    status = walk_path(context, &path, lambdas, count, begin);
  if (status == ENTROPIC_OK)
    *class_validation = path.best;
  for (size_t k = 0; path.walkers != NULL && k < tries->parts; k++) {
    ent_held_clear(&path.walkers[k].held);
    ent_logistic_free(path.walkers[k].fit);
  }
  ent_delete(path.walkers);
  judged_clear(&path.judged);
  return status;
}
