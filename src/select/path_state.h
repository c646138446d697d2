/* The state of a path, shared by its start and its steps. */
#ifndef ENT_SELECT_PATH_STATE_H
#define ENT_SELECT_PATH_STATE_H

#include "base/threads.h"
#include "select/irls.h"
#include "select/path.h"
#include "sums/statistics.h"

typedef struct ent_path_state {
  const ent_path_task *task;
  const ent_path_data *data; /* of the task */
  ent_selection *selection;
  ent_level_cache *cache;
  double lambda, weight;
  double unit;               /* the mean of the weights; `residual` and `weights` are divided by it to fit a float */
  double *shift;             /* [targets] their means */
  float *residual, *weights; /* as in ent_residual */
  ent_irls irls;             /* empty unless the loss is logistic */
  double *scores;            /* of the training rows */
  double *predictions;       /* as in a selection, of the last step */
  ent_lifting lifting;       /* of the selected features */
  ent_statistics *selected;  /* their statistics */
} ent_path_state;

/* Whether a table has more inputs than its rows can tell apart. */
bool ent_path_is_wide(const ent_path_data *data);
/* The residual of the model so far, with the rows and the ridge it belongs to. */
ent_residual ent_path_residual(ent_path_state *state, ent_block *rows, double *ridge);
/* One step: selects features up to this size, fits the model and lets the pool grow. If there are no more candidates,
 * nothing changes. */
entropic_status ent_path_take_step(entropic_context *context, ent_path_state *state, size_t size);

/* The seconds since then; it becomes now. */
static inline double ent_lap(double *since) {
  double before = *since;
  *since = ent_seconds();
  return *since - before;
}

#endif
