/* Status, context, random numbers, numbers and files. The conventions of the whole interface stand in entropic.h. */
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
ENTROPIC_API int entropic_context_threads(const entropic_context *context);

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

/* ---- Random numbers ---------------------------------------------------------------------------------------- */

/* A counter-based generator (Philox 4x32-10). The numbers depend only on seed and stream, not on machine or threads.
 * Different streams of a seed are independent, so give each task its own. It is a plain value: a copy continues the
 * same sequence. Fields are private. */
typedef struct entropic_random {
  uint32_t key[2];
  uint32_t counter[4];
  uint32_t block[4];
  uint32_t used; /* words of block handed out; 4 when it is empty */
  uint32_t has_spare;
  double spare; /* the second normal of a pair */
} entropic_random;

ENTROPIC_API entropic_random entropic_random_start(uint64_t seed, uint64_t stream);
/* 64 uniform bits. */
ENTROPIC_API uint64_t entropic_random_bits(entropic_random *random);
/* Uniform on [0,1), a multiple of 2^-53. */
ENTROPIC_API double entropic_random_uniform(entropic_random *random);
/* Uniform on 0 .. bound-1, without bias; bound 0 gives 0. */
ENTROPIC_API uint64_t entropic_random_below(entropic_random *random, uint64_t bound);
/* Standard normal. */
ENTROPIC_API double entropic_random_normal(entropic_random *random);
/* Standard Cauchy. */
ENTROPIC_API double entropic_random_cauchy(entropic_random *random);
/* Chi with `degrees` >= 1 degrees of freedom: the length of a standard normal vector of that dimension. */
ENTROPIC_API double entropic_random_chi(entropic_random *random, unsigned degrees);
/* A uniform permutation of 0 .. count-1 into order[count]. */
ENTROPIC_API void entropic_random_permutation(entropic_random *random, size_t count, size_t *order);

/* ---- Numbers and files ------------------------------------------------------------------------------------- */

/* Reads all of text[0..length) as one decimal number: optional sign, digits with an optional '.', optional exponent,
 * or inf, infinity, nan in any case. Exactly rounded whatever the locale. BAD_DATA if it is anything else (also if
 * empty or with blanks around it), TOO_LARGE if it is finite as written but beyond the range of double. */
ENTROPIC_API entropic_status entropic_parse_double(const char *text, size_t length, double *value);

#define ENTROPIC_NUMBER_SIZE 32
/* Writes the shortest decimal that reads back as exactly this value, 0-terminated, into text[ENTROPIC_NUMBER_SIZE],
 * with '.' whatever the locale; nan, inf, -inf for the others. Returns its length. */
ENTROPIC_API size_t entropic_format_double(double value, char *text);

/* Longer texts are not compared. */
#define ENTROPIC_EDIT_LENGTH 63
/* The edit distance of two texts: how many characters must be inserted, deleted, replaced or swapped with their neighbour
 * to turn one into the other; the case of A to Z is ignored. SIZE_MAX if a text is longer than ENTROPIC_EDIT_LENGTH
 * bytes. */
ENTROPIC_API size_t entropic_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length);

/* An atomic output file: bytes go to a temporary file in the same folder, which is renamed on commit. "-" is standard
 * output, written directly. */
typedef struct entropic_output entropic_output;

ENTROPIC_API entropic_status entropic_output_create(entropic_context *context, const char *path,
                                                    entropic_output **output);
ENTROPIC_API entropic_status entropic_output_write(entropic_context *context, entropic_output *output,
                                                   const void *bytes, size_t count);
/* Renames the file to its final name. It replaces an older file, even a read-only one, and keeps its permissions. */
ENTROPIC_API entropic_status entropic_output_commit(entropic_context *context, entropic_output *output);
/* Frees. Without a commit nothing is left on disk. */
ENTROPIC_API void entropic_output_free(entropic_output *output);

/* Frees bytes that a call has made. */
ENTROPIC_API void entropic_bytes_free(unsigned char *bytes);

#ifdef __cplusplus
}
#endif
#endif
