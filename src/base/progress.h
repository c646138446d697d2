/* Progress of long work. Whoever starts a stage puts it into the context. Code that works on it reports the fraction
 * that is done, from 0 to 1, and may pass a part of the stage on to others.
 *
 * Only the caller's thread reports: the contexts of other threads have no stage. No result depends on progress. */
#ifndef ENT_BASE_PROGRESS_H
#define ENT_BASE_PROGRESS_H

#include "base/context.h"

/* Starts a stage and returns the former one, for ent_progress_leave. Reports nothing. In all of these functions the
 * context may be NULL, and so may the callback. */
ent_progress ent_progress_start(entropic_context *context, entropic_progress callback, void *user, const char *stage);
/* Enters part number `part` of `parts` of the current stage; returns what was current, for ent_progress_leave. */
ent_progress ent_progress_enter(entropic_context *context, size_t part, size_t parts);
/* Makes the former stage, or part of it, current again. */
void ent_progress_leave(entropic_context *context, ent_progress former);

/* Reports the fraction of the current work that is done. */
void ent_progress_report(const entropic_context *context, double done);

#endif
