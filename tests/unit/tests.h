/* What every unit test needs. */
#ifndef TESTS_H
#define TESTS_H

/* cmocka wants these before itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"
#include "suites.h"

/* Asked for impossible sizes, the address sanitizer shall return NULL as malloc does; it looks for this by name. */
const char *__asan_default_options(void) __attribute__((weak, visibility("default")));
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}

/* Whether fewer cases are to be tried, as instrumentation makes everything slow. */
static inline bool quick_tests(void) {
  return getenv("ENTROPIC_TEST_QUICK") != NULL;
}

/* The files of a table that are one: two arguments. */
#define ONE_PATH(path) (const char *const[]){path}, 1

/* How many elements an array has. */
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* |actual - expected| <= tolerance; NaN fails. */
#define assert_close(actual, expected, tolerance)                                                                      \
  test_close((double)(actual), (double)(expected), (double)(tolerance), #actual, __FILE__, __LINE__)

static inline void test_close(double actual, double expected, double tolerance, const char *what, const char *file,
                              int line) {
  if (fabs(actual - expected) <= tolerance)
    return;
  print_error("%s is %.17g, expected %.17g within %g\n", what, actual, expected, tolerance);
  _fail(file, line);
}

/* The error of validation figures in models, which keep 6 digits of them, as a share of the figure. */
#define FIGURE_ERROR 5.1e-6

/* The larger of two numbers; NaN if one of them is, unlike fmax. */
static inline double larger(double a, double b) {
  return isnan(a) || a >= b ? a : b;
}

/* How many doubles lie between a and b; UINT64_MAX if one is NaN. */
static inline uint64_t ulps_apart(double a, double b) {
  if (isnan(a) || isnan(b))
    return UINT64_MAX;
  uint64_t keys[2];
  const double values[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    /* An integer that is ordered as the doubles are; -0 and 0 are the same. */
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    uint64_t size = bits & (UINT64_MAX >> 1);
    keys[i] = bits >> 63 ? (UINT64_C(1) << 63) - size : (UINT64_C(1) << 63) + size;
  }
  return keys[0] > keys[1] ? keys[0] - keys[1] : keys[1] - keys[0];
}

/* Does the message hold this text? Shows the message if it does not. */
#define assert_message(context, part) test_message(entropic_context_message(context), part, __FILE__, __LINE__)

static inline void test_message(const char *message, const char *part, const char *file, int line) {
  if (strstr(message, part) != NULL)
    return;
  print_error("the message is \"%s\", expected \"%s\" in it\n", message, part);
  _fail(file, line);
}

/* The call succeeds; shows the message of the context if it does not. */
#define ASSERT_OK(context, call)                                                                                       \
  do {                                                                                                                 \
    if ((call) != ENTROPIC_OK) {                                                                                       \
      print_error("%s: %s\n", #call, entropic_context_message(context));                                               \
      fail();                                                                                                          \
    }                                                                                                                  \
  } while (0)

static inline entropic_context *context_with(int threads) {
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  assert_int_equal(entropic_context_set_threads(context, threads), ENTROPIC_OK);
  return context;
}

/* A fresh folder for a test's files, made in *state; for setup and teardown of a test or group. */
static inline int make_folder(void **state) {
  const char *base = getenv("TMPDIR");
  char *path = malloc(4096);
  if (path == NULL)
    return -1;
  snprintf(path, 4096, "%s/entropic-test-XXXXXX", base != NULL && base[0] != '\0' ? base : "/tmp");
  *state = path;
  return mkdtemp(path) == NULL ? -1 : 0;
}

static inline int remove_folder(void **state) {
  char command[4200];
  snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
  int result = system(command);
  free(*state);
  return result;
}

/* folder/name, in one of four buffers used in turn. */
static inline const char *in_folder(void **state, const char *name) {
  static char paths[4][4200];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", (char *)*state, name);
  return path;
}

static inline void write_file(const char *path, const void *bytes, size_t count) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, count, file), count);
  assert_int_equal(fclose(file), 0);
}

/* The whole file, to be freed; a 0 stands after its last byte. */
static inline char *read_whole(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  size_t size = (size_t)ftell(file);
  rewind(file);
  char *bytes = calloc(size + 1, 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, size, file), size);
  fclose(file);
  if (count != NULL)
    *count = size;
  return bytes;
}

#endif
