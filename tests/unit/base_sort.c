/* Sorting in runs that are merged: the order of qsort, and cancelled at any poll. */
#include "unit/tests.h"

#include "base/memory.h"
#include "base/progress.h"
#include "base/sort.h"

static int compare_numbers(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static uint64_t *numbers_of(size_t count) {
  uint64_t *numbers = calloc(count + 1, sizeof *numbers);
  entropic_random random = entropic_random_start(7, count);
  for (size_t i = 0; i < count; i++)
    numbers[i] = entropic_random_below(&random, UINT64_C(1) << 40);
  return numbers;
}

static void any_count(void **state) {
  (void)state;
  static const size_t counts[] = {0, 1, 2, 8191, 8192, 8193, 16384, 16385, 24576, 24577, 100000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    uint64_t *sorted = numbers_of(counts[i]), *wanted = numbers_of(counts[i]);
    assert_int_equal(ent_sort(NULL, sorted, counts[i], sizeof *sorted, compare_numbers), ENTROPIC_OK);
    qsort(wanted, counts[i], sizeof *wanted, compare_numbers);
    assert_memory_equal(sorted, wanted, counts[i] * sizeof *sorted);
    free(sorted);
    free(wanted);
  }
}

static size_t polls_left;

static int count_down(void *user, const char *stage, double done) {
  (void)user, (void)stage, (void)done;
  return polls_left-- == 0;
}

static void cancelled(void **state) {
  (void)state;
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  assert_int_equal(entropic_context_set_progress(context, count_down, NULL), ENTROPIC_OK);
  size_t polls = 0;
  for (entropic_status status = ENTROPIC_CANCELLED; status == ENTROPIC_CANCELLED; polls++) {
    uint64_t *numbers = numbers_of(100000);
    ent_call call;
    polls_left = polls;
    ent_call_begin(context, "sorting", &call);
    call.period = 0;
    ent_call_stay(&call);
    status = ent_sort(context, numbers, 100000, sizeof *numbers, compare_numbers);
    ent_call_end(context);
    free(numbers);
  }
  assert_true(polls > 20);
  entropic_context_free(context);
}

SUITE(base_sort) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(any_count), cmocka_unit_test(cancelled)};
  return cmocka_run_group_tests_name("base_sort", tests, NULL, NULL);
}
