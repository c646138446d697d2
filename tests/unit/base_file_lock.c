/* Files that are replaced only while nobody else has changed them. */
#include "unit/tests.h"

#include <fcntl.h>

#include "base/file_lock.h"
#include "base/output.h"
#include "unit/fixture.h"

static entropic_status replace(const char *path, const char *before, const char *after) {
  entropic_output *output = NULL;
  ASSERT_OK(context, entropic_output_create(context, path, &output));
  ent_output_expect(output, before, strlen(before));
  ASSERT_OK(context, entropic_output_write(context, output, after, strlen(after)));
  entropic_status status = entropic_output_commit(context, output);
  entropic_output_free(output);
  return status;
}

static void assert_file(const char *path, const char *expected) {
  size_t size;
  char *bytes = read_whole(path, &size);
  assert_int_equal(size, strlen(expected));
  assert_memory_equal(bytes, expected, size);
  free(bytes);
}

static void only_what_was_read_is_replaced(void **state) {
  const char *path = in_folder(state, "file");
  write_file(path, "one", 3);
  ASSERT_OK(context, replace(path, "one", "two"));
  assert_file(path, "two");
  static const char *const others[] = {"one", "tw", "two ", "twq", ""};
  for (size_t i = 0; i < COUNT(others); i++) {
    assert_int_equal(replace(path, others[i], "three"), ENTROPIC_SYSTEM);
    assert_message(context, "was changed by another process");
    assert_file(path, "two");
  }
  assert_int_equal(unlink(path), 0);
  assert_int_equal(replace(path, "two", "three"), ENTROPIC_SYSTEM);
  assert_int_equal(access(path, F_OK), -1);
}

static void locks_are_of_one_at_a_time(void **state) {
  const char *path = in_folder(state, "file");
  int held = -1;
  write_file(path, "one", 3);
  assert_int_equal(ent_file_hold(path, "one", 3, &held), ENT_FILE_SAME);
  int other = open(path, O_RDONLY | O_CLOEXEC);
  assert_true(other >= 0);
  assert_int_equal(ent_file_lock_take(other, 0.02), ENT_FILE_BUSY);
  close(held);
  assert_int_equal(ent_file_lock_take(other, 0), ENT_FILE_LOCKED);
  close(other);
  assert_int_equal(ent_file_hold(path, "onf", 3, &held), ENT_FILE_CHANGED);
  assert_int_equal(ent_file_hold(path, "one", 3, &held), ENT_FILE_SAME); /* nothing was left locked */
  close(held);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start_in_folder, stop_in_folder)

SUITE(base_file_lock) {
  const struct CMUnitTest tests[] = {TEST(only_what_was_read_is_replaced), TEST(locks_are_of_one_at_a_time)};
  return cmocka_run_group_tests_name("base_file_lock", tests, NULL, NULL);
}
