/* Two classes: whether the squared or the logistic loss selects features. */
#ifndef ENT_SELECT_SELECTION_LOSS_H
#define ENT_SELECT_SELECTION_LOSS_H

#include "select/path.h"

/* As ent_select_path; task->logistic is ignored.
 *
 * ENT_BY_BETTER makes both paths. The features that the squared loss selected get weights by the logistic loss, too. Those
 * that the logistic loss selected are taken if their validation loss is clearly smaller. The squared loss selects alone
 * if a second path would take too long, or if all training rows are of one class. */
entropic_status ent_select_by_loss(entropic_context *context, const entropic_kernel *kernel,
                                   ent_selection_loss selection_loss, const ent_path_task *task,
                                   ent_selection *selection);

#endif
