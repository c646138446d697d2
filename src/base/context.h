/* The context: last message, number of threads, progress. */
#ifndef ENT_BASE_CONTEXT_H
#define ENT_BASE_CONTEXT_H

#include <stdbool.h>

#include "entropic/entropic.h"

/* Enough for the longest path and what is said about it. */
#define ENT_MESSAGE_SIZE 8192

/* What a long call is at: see progress.h. */
typedef struct ent_progress {
  const char *stage;
  double from, to; /* the part of the stage, within 0 .. 1, that the current work makes up */
  bool held;       /* nothing is reported */
} ent_progress;

typedef struct ent_call ent_call;

#define ENT_THREADS_MOST 1024

struct entropic_context {
  int threads;                   /* as set; 0 for automatic */
  entropic_progress callback;    /* as set; NULL: none */
  void *user;                    /* handed to it */
  ent_call *call;                /* the long call that is running, with a callback; NULL: none */
  ent_progress progress;         /* of that call */
  int holds;                     /* calls that keep threads for their parallel regions: see ent_threads_hold */
  struct ent_kept_threads *kept; /* these threads; NULL: none yet */
  char message[ENT_MESSAGE_SIZE];
};

/* BAD_ARGUMENT, from the function it stands in, where a pointer is NULL that must not be. */
#define ENT_NEED(context, pointer)                                                                                     \
  do {                                                                                                                 \
    if ((pointer) == NULL)                                                                                             \
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: " #pointer " is NULL", __func__);                           \
  } while (0)

/* As set; 0 for automatic, or without a context. */
int ent_context_threads(const entropic_context *context);

/* Puts the message into the context (NULL is fine) and returns status, so that callers can `return ent_fail(...)`. */
entropic_status ent_fail(entropic_context *context, entropic_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* An analyzer reads one file at a time and cannot know which status is returned. */
#ifdef __clang_analyzer__
#define ent_fail(context, status, ...) (ent_fail(context, status, __VA_ARGS__), (status))
#endif

#endif
