/* The context: last message, number of threads, callback. */
#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

entropic_status entropic_context_create(entropic_context **context) {
  if (context == NULL)
    return ENTROPIC_BAD_ARGUMENT;
  entropic_context *made = ent_new(NULL, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  *context = made;
  return ENTROPIC_OK;
}

void entropic_context_free(entropic_context *context) {
  ent_delete(context);
}

const char *entropic_context_message(const entropic_context *context) {
  return context == NULL ? "" : context->message;
}

entropic_status entropic_context_set_threads(entropic_context *context, int threads) {
  if (threads < 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "threads is %d, expected 1 or more, or 0 for automatic", threads);
  if (context == NULL)
    return ENTROPIC_BAD_ARGUMENT;
  context->threads = threads < ENT_THREADS_MOST ? threads : ENT_THREADS_MOST;
  return ENTROPIC_OK;
}

entropic_status entropic_context_set_progress(entropic_context *context, entropic_progress progress, void *user) {
  if (context == NULL)
    return ENTROPIC_BAD_ARGUMENT;
  context->callback = progress;
  context->user = user;
  return ENTROPIC_OK;
}

int ent_context_threads(const entropic_context *context) {
  return context == NULL ? 0 : context->threads;
}

#undef ent_fail
entropic_status ent_fail(entropic_context *context, entropic_status status, const char *format, ...) {
  if (context == NULL)
    return status;
  /* Into a buffer first: an argument may be the context's own message, quoted in the new one. */
  char message[ENT_MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  memcpy(context->message, message, strlen(message) + 1);
  return status;
}
