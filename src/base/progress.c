/* Progress: see progress.h. */
#include "base/progress.h"

ent_progress ent_progress_start(entropic_context *context, entropic_progress callback, void *user, const char *stage) {
  if (context == NULL)
    return (ent_progress){0};
  ent_progress former = context->progress;
  context->progress = (ent_progress){.callback = callback, .user = user, .stage = stage, .from = 0, .to = 1};
  return former;
}

/* Where a part begins. It is the end of the part before, and the last part ends where the stage does, to the bit: so
 * progress never goes back. */
static double start_of(const ent_progress *stage, size_t part, size_t parts) {
  return part == parts ? stage->to : stage->from + (stage->to - stage->from) * (double)part / (double)parts;
}

ent_progress ent_progress_enter(entropic_context *context, size_t part, size_t parts) {
  if (context == NULL)
    return (ent_progress){0};
  ent_progress former = context->progress;
  context->progress.from = start_of(&former, part, parts);
  context->progress.to = start_of(&former, part + 1, parts);
  return former;
}

void ent_progress_leave(entropic_context *context, ent_progress former) {
  if (context != NULL)
    context->progress = former;
}

void ent_progress_report(const entropic_context *context, double done) {
  if (context == NULL || context->progress.callback == NULL)
    return;
  const ent_progress *p = &context->progress;
  p->callback(p->user, p->stage, done < 1 ? p->from + (p->to - p->from) * done : p->to);
}
