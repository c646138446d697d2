/* Version, status and context. The conventions of the whole interface stand in entropic.h. */
#ifndef ENTROPIC_BASE_H
#define ENTROPIC_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ENTROPIC_VERSION_MAJOR 0
#define ENTROPIC_VERSION_MINOR 2
#define ENTROPIC_VERSION_PATCH 0

#if defined(__GNUC__)
#define ENTROPIC_API __attribute__((visibility("default")))
#else
#define ENTROPIC_API
#endif
/* Declares what libentropic.a alone has: see tools.h. */
#define ENTROPIC_STATIC

/* "0.2.0": the version of the library that is running, which may be newer than the header's. */
ENTROPIC_API const char *entropic_version(void);

/* ---- Status ------------------------------------------------------------------------------------------------ */

/* Every status: its name, its number (stable for ever) and its text. */
#define ENTROPIC_STATUS_MAP(X)                                                                                         \
  X(OK, 0, "success")                                                                                                  \
  X(BAD_ARGUMENT, 1, "an argument is not valid")                                                                       \
  X(BAD_DATA, 2, "the data are not valid")                                                                             \
  X(NO_MEMORY, 3, "out of memory")                                                                                     \
  X(TOO_LARGE, 4, "a size is beyond what can be represented")                                                          \
  X(SYSTEM, 5, "a file or system call failed")                                                                         \
  X(CANCELLED, 6, "cancelled by the progress callback")

typedef enum entropic_status {
#define ENTROPIC_STATUS_MEMBER(name, number, text) ENTROPIC_##name = number,
  ENTROPIC_STATUS_MAP(ENTROPIC_STATUS_MEMBER)
#undef ENTROPIC_STATUS_MEMBER
} entropic_status;

/* "BAD_DATA", and "the data are not valid"; for a number that is no status "UNKNOWN" and "unknown status". */
ENTROPIC_API const char *entropic_status_name(entropic_status status);
ENTROPIC_API const char *entropic_status_text(entropic_status status);

/* ---- Context ----------------------------------------------------------------------------------------------- */

/* Holds the last message, the number of threads and the progress callback. */
typedef struct entropic_context entropic_context;

ENTROPIC_API entropic_status entropic_context_create(entropic_context **context);
ENTROPIC_API void entropic_context_free(entropic_context *context);

/* The text of the last failure, "" if there was none. Valid until the next call with this context. */
ENTROPIC_API const char *entropic_context_message(const entropic_context *context);

/* threads >= 1, of which 1024 at most are used; 0 means one for each processor this process may use (the default). No
 * result depends on it. */
ENTROPIC_API entropic_status entropic_context_set_threads(entropic_context *context, int threads);

/* Called while a long call runs: the name of the current stage, which lives for ever, and its finished share, 0 to 1 (0 if
 * it is not known). Returns 0 to go on, anything else to cancel the call. */
typedef int (*entropic_progress)(void *user, const char *stage, double done);

/* Sets the callback of a context, NULL (the default) for none; user is handed to it. It is called at least every 50 ms
 * while a long call with this context lasts, from the thread that made the call; never again once it has cancelled the
 * call, and never after the call has returned. A call of less than 50 ms may end without it. Long calls read a table,
 * create a data set, a design or lifted rows, fit, compare, predict, score, collect, update, forget, solve, save,
 * load, explain and export. If the callback cancels a call, the call returns CANCELLED within 100 ms or so, and nothing of it is left behind:
 * arguments keep their values, and no file is written. With a callback the work itself runs on another thread, if one can
 * be started. Results do not depend on that.
 *
 * The callback may call the library with another context, but not with this one. */
ENTROPIC_API entropic_status entropic_context_set_progress(entropic_context *context, entropic_progress progress,
                                                           void *user /* or NULL */);

/* ---- Bytes ------------------------------------------------------------------------------------------------- */

/* Frees bytes that a call has made; NULL is fine. */
ENTROPIC_API void entropic_bytes_free(unsigned char *bytes);

#ifdef __cplusplus
}
#endif
#endif
