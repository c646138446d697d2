/* Listening to every report of a call that runs on the test's own thread, as if no thread could be started. */
#ifndef LISTENING_H
#define LISTENING_H

#include "base/progress.h"

/* From here on every report and poll of this context calls back. */
static inline void listen_start(entropic_context *of, ent_call *call, entropic_progress hear, void *user) {
  entropic_context_set_progress(of, hear, user);
  ent_call_begin(of, "starting", call);
  call->period = 0;
  ent_call_stay(call);
}

static inline void listen_stop(entropic_context *of) {
  ent_call_end(of);
  entropic_context_set_progress(of, NULL, NULL);
}

#endif
