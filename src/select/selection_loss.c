/* Which loss selects features: see selection_loss.h. What the rule is worth stands in docs/recipe.md.
 *
 * A second path takes about as long as the first, so one fold decides for all. Short paths on few rows do not decide
 * reliably. */
#include "select/selection_loss.h"

#include "base/memory.h"
#include "base/threads.h"
#include "select/refit.h"

#define LOGISTIC_GAIN 0.98       /* the loss must fall to this part: noise alone makes it fall by less */
#define MOST_MISCLASSIFIED 0.125 /* share of the validation rows up to which a second path is worth its time */

/* The logistic validation loss of the best features that the squared loss selected. */
static entropic_status logistic_loss(entropic_context *context, const ent_path_task *task,
                                     const ent_selection *selection, double *loss) {
  ent_select_step step = *ent_best_step(selection, 1);
  ent_lifting lifting = {0};
  ent_irls irls = {0};
  double squares[2], *scores = ent_new(context, task->data.train.rows, sizeof *scores);
  ent_refit_task refit = {.path = task, .map = &lifting.map, .irls = &irls};
  ent_refit_output output = {.squares = squares};
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (scores == NULL)
    goto done;
  status = ent_irls_start(context, &task->data.train, scores, &irls);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_selection_lifting(context, selection, step.features, &lifting);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_refit_step(context, &refit, &step, &output);
  *loss = step.error;
done:
  ent_lifting_clear(&lifting);
  ent_irls_clear(&irls);
  ent_delete(scores);
  return status;
}

static void add_seconds(ent_path_seconds *to, const ent_path_seconds *from) {
  to->screen += from->screen;
  to->lift += from->lift;
  to->gram += from->gram;
  to->forward += from->forward;
  to->solve += from->solve;
}

static bool has_both_classes(const ent_block *rows) {
  bool seen[2] = {false, false};
  for (size_t r = 0; r < rows->rows; r++)
    seen[rows->y[r * rows->y_stride] > 0] |= ent_weight(rows, r) > 0;
  return seen[0] && seen[1];
}

/* Keeps the logistic path instead, if its loss is clearly below `loss`. */
static void keep_better(ent_selection *selection, ent_selection *logistic, double loss) {
  bool better = ent_best_step(logistic, 1)->error < LOGISTIC_GAIN * loss;
  ent_selection kept = better ? *logistic : *selection, *dropped = better ? selection : logistic;
  add_seconds(&kept.seconds, &dropped->seconds);
  ent_selection_clear(dropped);
  *selection = kept;
}

/* A second path, by the logistic loss; the first one took so many seconds. */
static entropic_status try_logistic(entropic_context *context, const entropic_kernel *kernel, ent_path_task task,
                                    double seconds, ent_selection *selection) {
  ent_selection logistic;
  double loss = 0;
  if (!has_both_classes(&task.data.train) || ent_best_step(selection, 1)->error_rate > MOST_MISCLASSIFIED)
    return ENTROPIC_OK;
  if (task.time.deadline > 0 && ent_seconds() + 2 * seconds > task.time.deadline) {
    selection->stopped_early = true;
    return ENTROPIC_OK;
  }
  task.logistic = true;
  entropic_status status = ent_select_path(context, kernel, &task, &logistic);
  if (status != ENTROPIC_OK)
    return status;
  status = logistic_loss(context, &task, selection, &loss);
  if (status != ENTROPIC_OK) {
    ent_selection_clear(&logistic);
    return status;
  }
  keep_better(selection, &logistic, loss);
  return ENTROPIC_OK;
}

entropic_status ent_select_by_loss(entropic_context *context, const entropic_kernel *kernel,
                                   ent_selection_loss selection_loss, const ent_path_task *task,
                                   ent_selection *selection) {
  ent_path_task own = *task;
  double start = ent_seconds();
  own.logistic = selection_loss == ENT_BY_LOGISTIC && has_both_classes(&task->data.train);
  entropic_status status = ent_select_path(context, kernel, &own, selection);
  if (status != ENTROPIC_OK || selection_loss != ENT_BY_BETTER)
    return status;
  status = try_logistic(context, kernel, own, ent_seconds() - start, selection);
  if (status != ENTROPIC_OK)
    ent_selection_clear(selection);
  return status;
}
