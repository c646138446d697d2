/* Loading OpenBLAS.
 *
 * OpenBLAS chooses its kernels by the model number of the processor, once, when it is loaded. A version older than the
 * processor takes it for a Pentium 4 and is five times slower (0.3.21 on Sapphire Rapids, one thread: dgemm at 15
 * instead of 65 GF/s). So OPENBLAS_CORETYPE is set while the library is loaded, to the kernels that match the
 * instruction sets of the processor. OPENBLAS_NUM_THREADS is set to 1 at the same time, so that it starts no threads of
 * its own.
 *
 * Setting environment variables is safe only in a process with a single thread. With more threads, or if the host
 * program has loaded OpenBLAS already, the environment is left alone. */
#define _GNU_SOURCE
#include "base/blas.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"

static const char library_name[] = "libopenblas.so.0";
static const char core_variable[] = "OPENBLAS_CORETYPE";
static const char threads_variable[] = "OPENBLAS_NUM_THREADS";

static ent_blas throttled, direct; /* what callers get; the functions of OpenBLAS itself */
static ent_blas_buffers buffers;
static char load_error[256]; /* why it could not be loaded; "" if it was */

/* The OPENBLAS_CORETYPE of this processor; NULL to let OpenBLAS choose. Only new Intel models are misjudged. */
static const char *best_core(void) {
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

static const char *core_name(void *library) {
  char *(*name)(void) = NULL;
  *(void **)&name = dlsym(library, "openblas_get_corename");
  const char *core = name == NULL ? NULL : name();
  return core == NULL ? "unknown" : core;
}

/* Sets an environment variable unless it is set already; returns whether it did. */
static bool set_if_unset(const char *variable, const char *value) {
  return value != NULL && getenv(variable) == NULL && setenv(variable, value, 0) == 0;
}

static void *load_library(void) {
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (library != NULL)
    return library; /* the host program has loaded it */
  if (!ent_alone())
    return dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  bool core = set_if_unset(core_variable, best_core()), threads = set_if_unset(threads_variable, "1");
  library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (core)
    unsetenv(core_variable);
  if (threads)
    unsetenv(threads_variable);
  return library;
}

static void find_function(void *library, const char *name, void *pointer) {
  void *symbol = dlsym(library, name);
  if (symbol == NULL && load_error[0] == '\0')
    snprintf(load_error, sizeof load_error, "it has no %s", name);
  memcpy(pointer, &symbol, sizeof symbol);
}

static void find_functions(void *library) {
  find_function(library, "cblas_dgemm", &direct.dgemm);
  find_function(library, "cblas_dsyrk", &direct.dsyrk);
  find_function(library, "cblas_dtrsm", &direct.dtrsm);
  find_function(library, "dsyevd_", &direct.dsyevd);
  find_function(library, "dstedc_", &direct.dstedc);
  direct.core = core_name(library);
}

/* A call that makes OpenBLAS map a work buffer. */
static void use_buffer(void) {
  double a = 1, c = 0;
  direct.dsyrk(ENT_COL_MAJOR, ENT_UPPER, ENT_NO_TRANS, 1, 1, 1, &a, 1, 0, &c, 1);
}

static void load(void) {
  void *library = load_library();
  if (library == NULL) {
    const char *text = dlerror();
    snprintf(load_error, sizeof load_error, "%s", text == NULL ? "cannot be loaded" : text);
    return;
  }
  find_functions(library);
  /* Its own threads would compete with ours, and their number would change the last bits, so it gets one. Only a build
   * with plain threads may then be called from several threads at once. */
  enum { WITHOUT_THREADS, PLAIN_THREADS };
  int (*parallel)(void) = NULL;
  void (*set_threads)(int) = NULL;
  *(void **)&parallel = dlsym(library, "openblas_get_parallel");
  *(void **)&set_threads = dlsym(library, "openblas_set_num_threads");
  int kind = parallel == NULL ? WITHOUT_THREADS : parallel();
  if (kind != WITHOUT_THREADS && set_threads != NULL)
    set_threads(1);
  *(void **)&buffers.allocate = dlsym(library, "blas_memory_alloc");
  *(void **)&buffers.release = dlsym(library, "blas_memory_free");
  if (buffers.release == NULL)
    buffers.allocate = NULL;
  buffers.use = use_buffer;
  buffers.concurrent = kind == PLAIN_THREADS;
  throttled = ent_blas_throttled(&direct);
}

/* How many threads it will have once it is loaded: one for each processor, unless the environment asks for fewer. */
static size_t threads_to_start(void) {
  const char *setting = getenv(threads_variable);
  size_t most = (size_t)ent_workers(NULL, SIZE_MAX), count = setting == NULL ? 0 : strtoul(setting, NULL, 10);
  if (count > 0)
    return count < most ? count : most;
  return ent_alone() ? 1 : most;
}

static ent_once once;

void ent_blas_prepare(const entropic_context *context) {
  bool goes = context != NULL && context->callback != NULL && context->call == NULL;
  if (goes && !atomic_load(&once.done) && ent_blas_can_load(NULL, threads_to_start()) == ENTROPIC_OK)
    ent_do_once(&once, load);
}

entropic_status ent_blas_get(entropic_context *context, const ent_blas **blas) {
  bool loaded = atomic_load(&once.done);
  if (!loaded && ent_blas_can_load(context, threads_to_start()) != ENTROPIC_OK)
    return ENTROPIC_NO_MEMORY; /* not for ever: there may be memory at a later call */
  ent_do_once(&once, load);
  if (load_error[0] != '\0')
    return ent_fail(context, ENTROPIC_SYSTEM, "OpenBLAS is needed to fit: %s", load_error);
  *blas = NULL;
  entropic_status status = ent_blas_map_buffers(context, &buffers);
  if (status != ENTROPIC_OK)
    return status;
  *blas = &throttled;
  return ENTROPIC_OK;
}

entropic_status ent_blas_size(entropic_context *context, size_t size, int *as_int) {
  if (size > INT_MAX)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "a matrix of %zu rows or columns is too large for BLAS", size);
  *as_int = (int)size;
  return ENTROPIC_OK;
}
