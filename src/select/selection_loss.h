/* Which loss chooses the features of two classes: squares, or the logistic loss. */
#ifndef ENT_SELECT_SELECTION_LOSS_H
#define ENT_SELECT_SELECTION_LOSS_H

#include "select/path.h"

/* As ent_select; task->logistic is not looked at. By the better one both paths are walked: the features that squares
 * chose are given weights by the logistic loss too, and that loss has to be clearly smaller, on the rows tried on, for
 * those it chose itself. Where a second path would take too long, or all rows to learn from are of one class, squares
 * choose. */
entropic_status ent_select_by_loss(entropic_context *context, const entropic_kernel *kernel,
                                   ent_selection_loss selection_loss, const ent_selecting *task,
                                   ent_selection *selection);

#endif
