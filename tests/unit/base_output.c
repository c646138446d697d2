/* Files that appear whole or not at all. */
#define _GNU_SOURCE
#include "unit/tests.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "unit/fixture.h"

static void assert_holds(const char *path, const char *expected) {
  char *bytes = read_whole(path, NULL);
  assert_string_equal(bytes, expected);
  free(bytes);
}

static int entries(void **state) {
  DIR *folder = opendir(*state);
  assert_non_null(folder);
  int count = -2; /* . and .. */
  while (readdir(folder) != NULL)
    count++;
  closedir(folder);
  return count;
}

static mode_t mode_of(const char *path) {
  struct stat about;
  assert_int_equal(lstat(path, &about), 0);
  return about.st_mode & 07777;
}

static void save(const char *path, const char *text) {
  entropic_output *output = NULL;
  assert_int_equal(entropic_output_create(context, path, &output), ENTROPIC_OK);
  assert_int_equal(entropic_output_write(context, output, text, strlen(text)), ENTROPIC_OK);
  assert_int_equal(entropic_output_commit(context, output), ENTROPIC_OK);
  entropic_output_free(output);
}

static void file_appears_on_commit(void **state) {
  const char *path = in_folder(state, "new");
  entropic_output *output = NULL;
  mode_t mask = umask(027);
  assert_int_equal(entropic_output_create(context, path, &output), ENTROPIC_OK);
  umask(mask);
  assert_int_equal(entropic_output_write(context, output, "one ", 4), ENTROPIC_OK);
  assert_int_equal(entropic_output_write(context, output, NULL, 0), ENTROPIC_OK);
  assert_int_equal(entropic_output_write(context, output, "two", 3), ENTROPIC_OK);
  assert_int_equal(access(path, F_OK), -1);
  assert_int_equal(entropic_output_commit(context, output), ENTROPIC_OK);
  assert_holds(path, "one two");
  assert_int_equal(mode_of(path), 0640);
  assert_int_equal(entropic_output_write(context, output, "x", 1), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "has already been committed");
  assert_int_equal(entropic_output_commit(context, output), ENTROPIC_BAD_ARGUMENT);
  entropic_output_free(output);
  assert_holds(path, "one two");
  assert_int_equal(entries(state), 1);
}

static void old_file_stays_without_commit(void **state) {
  const char *path = in_folder(state, "old");
  write_file(path, "before", 6);
  entropic_output *output = NULL;
  assert_int_equal(entropic_output_create(context, path, &output), ENTROPIC_OK);
  assert_int_equal(entropic_output_write(context, output, "after", 5), ENTROPIC_OK);
  assert_holds(path, "before");
  entropic_output_free(output);
  assert_holds(path, "before");
  assert_int_equal(entries(state), 1);
  entropic_output_free(NULL);
}

static void permissions_are_kept(void **state) {
  const char *path = in_folder(state, "private");
  static const mode_t modes[] = {0600, 0664, 0444, 0755};
  for (size_t i = 0; i < COUNT(modes); i++) {
    unlink(path);
    write_file(path, "before", 6);
    assert_int_equal(chmod(path, modes[i]), 0);
    save(path, "after");
    assert_int_equal(mode_of(path), modes[i]);
    assert_holds(path, "after");
  }
}

static void owner_is_kept_by_the_superuser(void **state) {
  if (geteuid() != 0)
    skip();
  const char *path = in_folder(state, "owned");
  write_file(path, "before", 6);
  assert_int_equal(chown(path, 12345, 23456), 0);
  save(path, "after");
  struct stat about;
  assert_int_equal(stat(path, &about), 0);
  assert_int_equal(about.st_uid, 12345);
  assert_int_equal(about.st_gid, 23456);
}

static void links_stay_links(void **state) {
  const char *transform = in_folder(state, "link");
  const char *second = in_folder(state, "second");
  const char *target = in_folder(state, "target");
  assert_int_equal(symlink("second", transform), 0);
  assert_int_equal(symlink(target, second), 0);
  save(transform, "through a link that led nowhere");
  assert_holds(target, "through a link that led nowhere");
  assert_int_equal(chmod(target, 0604), 0);
  save(transform, "again");
  assert_holds(target, "again");
  assert_int_equal(mode_of(target), 0604);
  struct stat about;
  assert_int_equal(lstat(transform, &about), 0);
  assert_true(S_ISLNK(about.st_mode));
  assert_int_equal(lstat(second, &about), 0);
  assert_true(S_ISLNK(about.st_mode));
}

static void circular_links_are_refused(void **state) {
  const char *transform = in_folder(state, "circle");
  assert_int_equal(symlink("circle", transform), 0);
  entropic_output *output = NULL;
  assert_int_equal(entropic_output_create(context, transform, &output), ENTROPIC_SYSTEM);
  assert_message(context, strerror(ELOOP));
  assert_null(output);
}

static void relative_names_work(void **state) {
  char here[4096];
  assert_non_null(getcwd(here, sizeof here));
  assert_int_equal(chdir(*state), 0);
  save("relative", "text");
  assert_holds("relative", "text");
  assert_int_equal(entries(state), 1);
  assert_int_equal(chdir(here), 0);
}

static void large_files_are_whole(void **state) {
  const char *path = in_folder(state, "large");
  static char bytes[300000];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (char)(i * 2654435761u >> 24);
  entropic_output *output = NULL;
  assert_int_equal(entropic_output_create(context, path, &output), ENTROPIC_OK);
  /* Below, at and above the size of the buffer, and many small ones. */
  static const size_t sizes[] = {1, 65535, 65536, 7, 65537, 100000, 3};
  size_t at = 0;
  for (size_t i = 0; i < COUNT(sizes); i++) {
    size_t count = sizes[i] < sizeof bytes - at ? sizes[i] : sizeof bytes - at;
    assert_int_equal(entropic_output_write(context, output, bytes + at, count), ENTROPIC_OK);
    at += count;
  }
  for (; at < sizeof bytes; at++)
    assert_int_equal(entropic_output_write(context, output, bytes + at, 1), ENTROPIC_OK);
  assert_int_equal(entropic_output_commit(context, output), ENTROPIC_OK);
  entropic_output_free(output);
  size_t count;
  char *back = read_whole(path, &count);
  assert_int_equal(count, sizeof bytes);
  assert_memory_equal(back, bytes, sizeof bytes);
  free(back);
}

static void assert_not_created(const char *path, int error) {
  entropic_output *output = NULL;
  assert_int_equal(entropic_output_create(context, path, &output), ENTROPIC_SYSTEM);
  assert_null(output);
  assert_message(context, path);
  assert_message(context, strerror(error));
}

static void bad_places_are_refused(void **state) {
  assert_not_created(in_folder(state, "none/file"), ENOENT);
  assert_not_created(*state, EISDIR);
  write_file(in_folder(state, "file"), "", 0);
  assert_not_created(in_folder(state, "file/inside"), ENOTDIR);
  char name[PATH_MAX + 10];
  memset(name, 'a', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  entropic_output *output = NULL;
  assert_int_equal(entropic_output_create(context, name, &output), ENTROPIC_SYSTEM);
  assert_int_equal(entries(state), 1);
}

/* In a child that is not the superuser, whom no permission stops. */
static void unwritable_folders_are_refused(void **state) {
  const char *path = in_folder(state, "locked/file");
  assert_int_equal(mkdir(in_folder(state, "locked"), 0555), 0);
  assert_int_equal(chmod(*state, 0755), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0)
      _exit(2);
    entropic_output *output = NULL;
    entropic_status status = entropic_output_create(context, path, &output);
    const char *message = entropic_context_message(context);
    _exit(status == ENTROPIC_SYSTEM && strstr(message, strerror(EACCES)) != NULL && strstr(message, path) != NULL ? 0
                                                                                                                  : 1);
  }
  int result;
  assert_int_equal(waitpid(child, &result, 0), child);
  assert_true(WIFEXITED(result) && WEXITSTATUS(result) == 0);
}

static void bad_arguments_are_refused(void **state) {
  (void)state;
  entropic_output *output = NULL;
  assert_int_equal(entropic_output_create(context, NULL, &output), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_output_create(context, "x", NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_output_create(context, "", &output), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_output_write(context, NULL, "x", 1), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_output_commit(context, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_output_create(context, "/dev/null", &output), ENTROPIC_OK);
  assert_int_equal(entropic_output_write(context, output, NULL, 1), ENTROPIC_BAD_ARGUMENT);
  entropic_output_free(output);
}

static void full_disks_are_reported(void **state) {
  (void)state;
  if (access("/dev/full", W_OK) != 0)
    skip();
  static char bytes[100000];
  entropic_output *output = NULL;
  assert_int_equal(entropic_output_create(context, "/dev/full", &output), ENTROPIC_OK);
  assert_int_equal(entropic_output_write(context, output, "small", 5), ENTROPIC_OK); /* in the buffer */
  assert_int_equal(entropic_output_commit(context, output), ENTROPIC_SYSTEM);
  assert_message(context, "/dev/full");
  assert_message(context, strerror(ENOSPC));
  assert_int_equal(entropic_output_commit(context, output), ENTROPIC_SYSTEM); /* and it stays so */
  entropic_output_free(output);
  assert_int_equal(entropic_output_create(context, "/dev/full", &output), ENTROPIC_OK);
  assert_int_equal(entropic_output_write(context, output, bytes, sizeof bytes), ENTROPIC_SYSTEM);
  assert_message(context, strerror(ENOSPC));
  assert_int_equal(entropic_output_write(context, output, "x", 1), ENTROPIC_SYSTEM);
  entropic_output_free(output);
}

static void failed_renames_leave_nothing(void **state) {
  const char *path = in_folder(state, "taken");
  entropic_output *output = NULL;
  assert_int_equal(entropic_output_create(context, path, &output), ENTROPIC_OK);
  assert_int_equal(mkdir(path, 0777), 0);
  assert_int_equal(entropic_output_commit(context, output), ENTROPIC_SYSTEM);
  assert_message(context, path);
  entropic_output_free(output);
  assert_int_equal(entries(state), 1);
}

static void devices_and_pipes_are_written_through(void **state) {
  save("/dev/null", "gone");
  struct stat about;
  assert_int_equal(stat("/dev/null", &about), 0);
  assert_true(S_ISCHR(about.st_mode));
  const char *path = in_folder(state, "pipe");
  assert_int_equal(mkfifo(path, 0600), 0);
  int reader = open(path, O_RDONLY | O_NONBLOCK);
  assert_true(reader >= 0);
  save(path, "through");
  char bytes[16] = {0};
  assert_int_equal(read(reader, bytes, sizeof bytes - 1), 7);
  assert_string_equal(bytes, "through");
  close(reader);
  assert_int_equal(stat(path, &about), 0);
  assert_true(S_ISFIFO(about.st_mode));
}

static void dash_is_standard_output(void **state) {
  const char *path = in_folder(state, "captured");
  fflush(stdout);
  int old = dup(STDOUT_FILENO), file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert_true(old >= 0 && file >= 0);
  assert_true(dup2(file, STDOUT_FILENO) >= 0);
  entropic_output *output = NULL;
  entropic_status created = entropic_output_create(context, "-", &output);
  entropic_status written = entropic_output_write(context, output, "hello", 5);
  entropic_status committed = entropic_output_commit(context, output);
  entropic_output_free(output);
  int still_open = fcntl(STDOUT_FILENO, F_GETFD);
  dup2(old, STDOUT_FILENO);
  close(old);
  close(file);
  assert_int_equal(created, ENTROPIC_OK);
  assert_int_equal(written, ENTROPIC_OK);
  assert_int_equal(committed, ENTROPIC_OK);
  assert_true(still_open >= 0);
  assert_holds(path, "hello");
}

/* With standard output closed, the file itself gets its number; it must be closed all the same. */
static void works_without_standard_output(void **state) {
  const char *path = in_folder(state, "lowest");
  fflush(stdout);
  int old = dup(STDOUT_FILENO);
  close(STDOUT_FILENO);
  entropic_output *output = NULL;
  entropic_status created = entropic_output_create(context, path, &output);
  entropic_status committed = entropic_output_commit(context, output);
  int open_after = fcntl(STDOUT_FILENO, F_GETFD);
  entropic_output_free(output);
  dup2(old, STDOUT_FILENO);
  close(old);
  assert_int_equal(created, ENTROPIC_OK);
  assert_int_equal(committed, ENTROPIC_OK);
  assert_int_equal(open_after, -1);
  assert_holds(path, "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start_in_folder, stop_in_folder)

SUITE(base_output) {
  const struct CMUnitTest tests[] = {
      TEST(file_appears_on_commit),
      TEST(old_file_stays_without_commit),
      TEST(permissions_are_kept),
      TEST(owner_is_kept_by_the_superuser),
      TEST(links_stay_links),
      TEST(circular_links_are_refused),
      TEST(relative_names_work),
      TEST(large_files_are_whole),
      TEST(bad_places_are_refused),
      TEST(unwritable_folders_are_refused),
      TEST(bad_arguments_are_refused),
      TEST(full_disks_are_reported),
      TEST(failed_renames_leave_nothing),
      TEST(devices_and_pipes_are_written_through),
      TEST(dash_is_standard_output),
      TEST(works_without_standard_output),
  };
  return cmocka_run_group_tests_name("base_output", tests, NULL, NULL);
}
