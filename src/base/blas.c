/* Loading OpenBLAS.
 *
 * OpenBLAS chooses its code by the model number of the processor when it is loaded; a version older than the processor
 * takes it for a Pentium 4 and is five times slower than it need be (0.3.21 on Sapphire Rapids, one thread: dgemm 15
 * instead of 65 GF/s). The variable OPENBLAS_CORETYPE says better, but is read only then; so it is set while the library
 * is loaded, to the code that fits what the processor says it can do. In the same way OPENBLAS_NUM_THREADS keeps it from
 * starting threads that we would never use. That touches the environment, which is safe only while no other thread may
 * read it; with other threads about, and where the host program had loaded OpenBLAS before us, it stays as it is. */
#define _GNU_SOURCE
#include "base/blas.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas_room.h"
#include "base/threads.h"

static const char library_name[] = "libopenblas.so.0";
static const char core_variable[] = "OPENBLAS_CORETYPE";
static const char threads_variable[] = "OPENBLAS_NUM_THREADS";

static ent_blas table, direct; /* what callers get, and what OpenBLAS has */
static ent_blas_buffers buffers;
static char trouble[256]; /* why there is none; "" if there is */

/* The code for what this processor can do; NULL where OpenBLAS knows best. Only Intel's new models are taken for very
 * old ones. */
static const char *fitting_code(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_is("intel") || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return NULL;
  bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512vl");
  return avx512 ? "SkylakeX" : "Haswell";
#else
  return NULL;
#endif
}

static const char *core_of(void *library) {
  char *(*name)(void) = NULL;
  *(void **)&name = dlsym(library, "openblas_get_corename");
  const char *core = name == NULL ? NULL : name();
  return core == NULL ? "unknown" : core;
}

/* Sets a variable that is not set; tells whether it did. */
static bool lend(const char *variable, const char *value) {
  return value != NULL && getenv(variable) == NULL && setenv(variable, value, 0) == 0;
}

static void *load_library(void) {
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (library != NULL)
    return library; /* the host's */
  if (!ent_alone())
    return dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  bool core = lend(core_variable, fitting_code()), threads = lend(threads_variable, "1");
  library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (core)
    unsetenv(core_variable);
  if (threads)
    unsetenv(threads_variable);
  return library;
}

static void find(void *library, const char *name, void *pointer) {
  void *symbol = dlsym(library, name);
  if (symbol == NULL && trouble[0] == '\0')
    snprintf(trouble, sizeof trouble, "it has no %s", name);
  memcpy(pointer, &symbol, sizeof symbol);
}

/* A call that needs a work buffer. */
static void call(void) {
  double a = 1, c = 0;
  direct.dsyrk(ENT_COLUMNS, ENT_UPPER, ENT_PLAIN, 1, 1, 1, &a, 1, 0, &c, 1);
}

static void load(void) {
  void *library = load_library();
  if (library == NULL) {
    const char *text = dlerror();
    snprintf(trouble, sizeof trouble, "%s", text == NULL ? "cannot be loaded" : text);
    return;
  }
  find(library, "cblas_dgemm", &direct.dgemm);
  find(library, "cblas_dsyrk", &direct.dsyrk);
  find(library, "cblas_dsymm", &direct.dsymm);
  find(library, "cblas_dtrsm", &direct.dtrsm);
  find(library, "cblas_dgemv", &direct.dgemv);
  find(library, "dpotrf_", &direct.dpotrf);
  find(library, "dsyevd_", &direct.dsyevd);
  find(library, "dsytrd_", &direct.dsytrd);
  find(library, "dormtr_", &direct.dormtr);
  direct.core = core_of(library);
  /* Its own threads would fight with ours, and their number would show in the last bits. That can be asked only of a
   * build with plain threads; any other takes one call at a time. */
  enum { WITHOUT_THREADS, PLAIN_THREADS };
  int (*parallel)(void) = NULL;
  void (*set_threads)(int) = NULL;
  *(void **)&parallel = dlsym(library, "openblas_get_parallel");
  *(void **)&set_threads = dlsym(library, "openblas_set_num_threads");
  int kind = parallel == NULL ? WITHOUT_THREADS : parallel();
  if (kind != WITHOUT_THREADS && set_threads != NULL)
    set_threads(1);
  *(void **)&buffers.take = dlsym(library, "blas_memory_alloc");
  *(void **)&buffers.give = dlsym(library, "blas_memory_free");
  if (buffers.give == NULL)
    buffers.take = NULL;
  buffers.call = call;
  buffers.shared = kind == PLAIN_THREADS;
  table = ent_blas_in_turns(&direct);
}

/* How many threads it will have once it is loaded: one for each processor, or fewer if it is told so. */
static size_t threads_to_start(void) {
  const char *class_validation = getenv(threads_variable);
  size_t most = (size_t)ent_workers(NULL, SIZE_MAX),
         count = class_validation == NULL ? 0 : strtoul(class_validation, NULL, 10);
  return count > 0 ? (count < most ? count : most) : ent_alone() ? 1 : most;
}

entropic_status ent_blas_get(entropic_context *context, const ent_blas **blas) {
  static ent_once once;
  bool loaded = atomic_load(&once.done);
  if (!loaded && ent_blas_room_to_load(context, threads_to_start()) != ENTROPIC_OK)
    return ENTROPIC_NO_MEMORY; /* there may be room later */
  ent_do_once(&once, load);
  if (trouble[0] != '\0')
    return ent_fail(context, ENTROPIC_SYSTEM, "OpenBLAS is needed to fit: %s", trouble);
  entropic_status status = ent_blas_room_to_run(context, &buffers);
  *blas = status == ENTROPIC_OK ? &table : NULL;
  return status;
}

entropic_status ent_blas_size(entropic_context *context, size_t size, int *as_int) {
  if (size > INT_MAX)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "a matrix of %zu rows or columns is more than BLAS can take", size);
  *as_int = (int)size;
  return ENTROPIC_OK;
}
