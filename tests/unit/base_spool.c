/* Spools: bytes on disk without a name, what is said when there is no space, and mapped pages within a bound. */
#include "unit/tests.h"

#include <dirent.h>
#include <sys/resource.h>

#include "base/progress.h"
#include "base/residency.h"
#include "base/spool.h"

#include "unit/fixture.h"

/* How many files a folder has. */
static size_t files_in(const char *path) {
  DIR *folder = opendir(path);
  assert_non_null(folder);
  size_t count = 0;
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  closedir(folder);
  return count;
}

static ent_spool *make_spool(const char *directory, uint64_t memory) {
  const ent_spool_options options = {directory, memory};
  ent_spool *spool = NULL;
  assert_int_equal(ent_spool_create(context, &options, &spool), ENTROPIC_OK);
  assert_non_null(spool);
  return spool;
}

/* Bytes that depend on their place. */
static unsigned char byte_at(size_t place) {
  return (unsigned char)(place * 2654435761u >> 13);
}

static void append_bytes(ent_spool *spool, size_t count) {
  unsigned char bytes[5000];
  while (count > 0) {
    size_t from = (size_t)ent_spool_size(spool), part = count < sizeof bytes ? count : sizeof bytes;
    for (size_t i = 0; i < part; i++)
      bytes[i] = byte_at(from + i);
    assert_int_equal(ent_spool_append(context, spool, bytes, part), ENTROPIC_OK);
    count -= part;
  }
}

static void bytes_come_back(void **state) {
  const char *directory = *state;
  size_t before = files_in(directory);
  ent_spool *spool = make_spool(directory, 0);
  assert_string_equal(ent_spool_directory(spool), directory);
  const unsigned char *mapped = (const unsigned char *)"";
  assert_int_equal(ent_spool_map(context, spool, &mapped), ENTROPIC_OK);
  assert_null(mapped);
  append_bytes(spool, 100000);
  assert_int_equal(ent_spool_size(spool), 100000);
  assert_int_equal(files_in(directory), before);
  unsigned char few[300];
  assert_int_equal(ent_spool_read(context, spool, 70001, few, sizeof few), ENTROPIC_OK);
  for (size_t i = 0; i < sizeof few; i++)
    assert_int_equal(few[i], byte_at(70001 + i));
  assert_int_equal(ent_spool_read(context, spool, 99999, few, 2), ENTROPIC_SYSTEM);
  assert_non_null(strstr(entropic_context_message(context), "ends too early"));
  assert_int_equal(ent_spool_map(context, spool, &mapped), ENTROPIC_OK);
  for (size_t i = 0; i < 100000; i++)
    assert_int_equal(mapped[i], byte_at(i));
  assert_int_equal(ent_spool_restart(context, spool), ENTROPIC_OK);
  assert_int_equal(ent_spool_size(spool), 0);
  append_bytes(spool, 10);
  assert_int_equal(ent_spool_map(context, spool, &mapped), ENTROPIC_OK);
  for (size_t i = 0; i < 10; i++)
    assert_int_equal(mapped[i], byte_at(i));
  ent_spool_free(spool);
  ent_spool_free(NULL);
  assert_int_equal(files_in(directory), before);
}

static void bad_directories_are_refused(void **state) {
  static const struct {
    const char *name, *said;
  } cases[] = {{"missing/folder", "No such file"}, {"file", "Not a directory"}};
  write_file(in_folder(state, "file"), "x", 1);
  for (size_t i = 0; i < COUNT(cases); i++) {
    const char *path = in_folder(state, cases[i].name);
    const ent_spool_options options = {path, 0};
    ent_spool *spool = NULL;
    assert_int_equal(ent_spool_create(context, &options, &spool), ENTROPIC_SYSTEM);
    assert_null(spool);
    assert_non_null(strstr(entropic_context_message(context), path));
    assert_non_null(strstr(entropic_context_message(context), cases[i].said));
  }
}

static void the_usual_directory(void **state) {
  setenv("TMPDIR", *state, 1);
  ent_spool *spool = make_spool(NULL, 0);
  assert_string_equal(ent_spool_directory(spool), *state);
  ent_spool_free(spool);
  unsetenv("TMPDIR");
  spool = make_spool(NULL, 0);
  assert_string_equal(ent_spool_directory(spool), "/tmp");
  ent_spool_free(spool);
}

/* A limit on the size of files stands for a disk that is full; the signal that goes with it does not come. */
static void no_space_is_told(void **state) {
  struct rlimit old, low;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  low = old;
  low.rlim_cur = 20000;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
  ent_spool *spool = make_spool(*state, 0);
  ent_spool_expect(spool, 1500000);
  append_bytes(spool, 15000);
  char bytes[10000] = "";
  entropic_status first = ent_spool_append(context, spool, bytes, sizeof bytes);
  char said[ENT_MESSAGE_SIZE];
  strcpy(said, entropic_context_message(context));
  setrlimit(RLIMIT_FSIZE, &old);
  /* Bytes are missing now: it goes on failing, even if there is space again. */
  entropic_status second = ent_spool_append(context, spool, bytes, 1);
  ent_spool_free(spool);
  assert_int_equal(first, ENTROPIC_SYSTEM);
  assert_int_equal(second, ENTROPIC_SYSTEM);
  assert_non_null(strstr(said, (const char *)*state));
  assert_non_null(strstr(said, "the spool has 20.0 kB so far and needs about 1.50 MB"));
}

static void sizes_for_people(void **state) {
  (void)state;
  static const struct {
    uint64_t bytes;
    const char *text;
  } cases[] = {{0, "0 bytes"},           {1, "1 byte"},          {999, "999 bytes"},
               {1000, "1.00 kB"},        {12345, "12.3 kB"},     {999400, "999 kB"},
               {999600, "1.00 MB"},      {900000000, "900 MB"},  {2310000000u, "2.31 GB"},
               {99960000000u, "100 GB"}, {UINT64_MAX, "18.4 EB"}};
  char text[ENT_SIZE_TEXT];
  for (size_t i = 0; i < COUNT(cases); i++)
    assert_string_equal(ent_size_text(cases[i].bytes, text), cases[i].text);
}

/* All pages of a large spool are read, in order and in none, while only few of them may be resident. */
static void pages_stay_within_the_bound(void **state) {
#if defined(__SANITIZE_THREAD__)
  skip(); /* its own memory follows the pages that were read */
#endif
  enum { SIZE = 96 << 20, ROOM = 40 << 20 };
  uint64_t before = ent_resident_bytes();
  if (before == 0)
    skip();
  uint64_t bound = before + ROOM;
  ent_spool *spool = make_spool(*state, bound);
  unsigned char *bytes = calloc(1 << 20, 1);
  assert_non_null(bytes);
  for (size_t i = 0; i < 1 << 20; i++)
    bytes[i] = byte_at(i);
  for (size_t i = 0; i < SIZE >> 20; i++)
    assert_int_equal(ent_spool_append(context, spool, bytes, 1 << 20), ENTROPIC_OK);
  const unsigned char *mapped = NULL;
  assert_int_equal(ent_spool_map(context, spool, &mapped), ENTROPIC_OK);
  uint64_t most = 0;
  size_t drops = ent_residency_drops(), wrong = 0;
  entropic_random random = entropic_random_start(5, 1);
  for (size_t pass = 0; pass < 2; pass++)
    for (size_t block = 0; block < SIZE >> 12; block++) {
      size_t at = pass == 0 ? block : (size_t)entropic_random_below(&random, SIZE >> 12);
      ent_residency_read(4096);
      wrong += memcmp(mapped + (at << 12), bytes + ((at << 12) & 0xfffff), 4096) != 0;
      uint64_t resident = block % 64 == 0 ? ent_resident_bytes() : 0;
      most = resident > most ? resident : most;
    }
  drops = ent_residency_drops() - drops;
  ent_spool_free(spool);
  free(bytes);
  assert_int_equal(wrong, 0);
  assert_true(drops >= 2);
  assert_true(most > 0 && most <= bound);
  /* Without mappings nobody looks. */
  assert_int_equal(atomic_load(&ent_residency_mappings), 0);
}

/* What is resident by earlier reads is dropped when something else needs the memory: polls see to it. */
static void polls_drop_pages(void **state) {
  enum { SIZE = 32 << 20 };
  uint64_t before = ent_resident_bytes();
  if (before == 0)
    skip();
  ent_spool *spool = make_spool(*state, (before + SIZE) * 2);
  append_bytes(spool, SIZE);
  const unsigned char *mapped = NULL;
  assert_int_equal(ent_spool_map(context, spool, &mapped), ENTROPIC_OK);
  unsigned sum = 0;
  for (size_t i = 0; i < SIZE; i += 4096) {
    ent_residency_read(4096);
    sum += mapped[i];
  }
  size_t drops = ent_residency_drops(), more = (size_t)(before + SIZE);
  assert_true(sum > 0 && ent_resident_bytes() >= before + SIZE / 2);
  volatile unsigned char *heap = malloc(more);
  assert_non_null((void *)heap);
  for (size_t i = 0; i < more; i += 4096)
    heap[i] = 1;
  for (int i = 0; i < 50 && ent_residency_drops() == drops; i++) {
    assert_int_equal(ent_poll(context), ENTROPIC_OK);
    usleep(1000);
  }
  free((void *)heap);
  ent_spool_free(spool);
  assert_true(ent_residency_drops() > drops);
}

SUITE(base_spool) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes_come_back),     cmocka_unit_test(bad_directories_are_refused),
      cmocka_unit_test(the_usual_directory), cmocka_unit_test(no_space_is_told),
      cmocka_unit_test(sizes_for_people),    cmocka_unit_test(pages_stay_within_the_bound),
      cmocka_unit_test(polls_drop_pages),
  };
  return cmocka_run_group_tests_name("base_spool", tests, start_in_folder, stop_in_folder);
}
