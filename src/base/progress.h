/* How far long work has come, for those who wait. Whoever starts a stage puts it into the context; whoever works tells
 * how much of it is done, from 0 to 1, and may hand parts of it on to others. Threads other than the caller's have
 * contexts without a stage, so all is told by the caller's thread, and nothing that is computed depends on it. */
#ifndef ENT_BASE_PROGRESS_H
#define ENT_BASE_PROGRESS_H

#include "base/context.h"

/* From here on the work is this stage's; returns what it was before. Tells nothing. context may be NULL in all of
 * these, and tell as well. */
ent_progress ent_progress_start(entropic_context *context, entropic_progress tell, void *user, const char *stage);
/* From here on the work is part number `part` of `parts` of what it was; returns what it was. */
ent_progress ent_progress_enter(entropic_context *context, size_t part, size_t parts);
/* Back to what it was. */
void ent_progress_leave(entropic_context *context, ent_progress former);

/* So much of the work is done. */
void ent_progress_tell(const entropic_context *context, double done);

#endif
