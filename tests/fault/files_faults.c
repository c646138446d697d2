/* Running out of memory with tables in several files, compressed files, and rows of DuckDB: each call says so, leaks nothing,
 * and works once there is memory again. */
#include "unit/tests.h"

#include <dirent.h>
#include <sys/stat.h>
#include <zlib.h>

#include "fault/failing_malloc.h"

typedef struct setting {
  entropic_context *context;
  const char *path;
  size_t segment;
  int threads;
  const char *sql;
  size_t rows;
} setting;

static entropic_status load(void *argument) {
  setting *at = argument;
  ent_read_options options = ent_read_options_default();
  options.segment = at->segment;
  options.sql = at->sql;
  entropic_table *table = untouched();
  entropic_context_set_threads(at->context, at->threads);
  entropic_status status = ent_table_load(at->context, at->path, &options, &table);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, table);
  assert_int_equal(entropic_table_rows(table), at->rows);
  entropic_table_free(table);
  return ENTROPIC_OK;
}

static void write_bytes(const char *path, const void *bytes, size_t count) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, count, file), count);
  assert_int_equal(fclose(file), 0);
}

/* A frame of zstd with one block that is not compressed. */
static void write_zstd(const char *path, const char *text) {
  unsigned char frame[300] = {0x28, 0xb5, 0x2f, 0xfd, 0x20};
  size_t length = strlen(text);
  assert_true(length < 256);
  frame[5] = (unsigned char)length;
  frame[6] = (unsigned char)(length << 3 | 1);
  frame[7] = (unsigned char)(length >> 5);
  memcpy(frame + 9, text, length);
  write_bytes(path, frame, 9 + length);
}

static void write_gzip(const char *path, const char *text) {
  gzFile file = gzopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(gzwrite(file, text, (unsigned)strlen(text)), strlen(text));
  assert_int_equal(gzclose(file), Z_OK);
}

#define HEAD "name,value,when\n"

static void make_parts(void) {
  static const char first[] = HEAD "red,1,2020-01-01\n\"two\nlines\",2,2020-01-02\n";
  mkdir("parts", 0777);
  write_bytes("parts/1.csv", first, sizeof first - 1);
  write_gzip("parts/2.csv.gz", HEAD "green,3,2020-01-03\nred,4,2020-01-04");
  write_zstd("parts/3.csv.zst", "blue,5,2020-01-05\n\"a \"\"b\"\"\",6,2020-01-06\n");
  write_bytes("parts/4.csv", "", 0);
  write_bytes("parts/5.csv", HEAD, sizeof HEAD - 1);
  write_bytes("parts/6.csv", "\xef\xbb\xbf" HEAD "red,7,2020-01-07\n", sizeof HEAD + 19);
}

static void remove_parts(void) {
  static const char *const names[] = {"1.csv", "2.csv.gz", "3.csv.zst", "4.csv", "5.csv", "6.csv"};
  char path[64];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "parts/%s", names[i]);
    remove(path);
  }
  remove("parts");
}

static void several_files(void **state) {
  (void)state;
  setting at = {.threads = 1, .rows = 7};
  static const char *const paths[] = {"parts", "parts/*", "parts/1.csv\nparts/2.csv.gz\nparts/[3-6]*"};
  assert_int_equal(entropic_context_create(&at.context), ENTROPIC_OK);
  make_parts();
  if (ent_table_load(at.context, "parts/3.csv.zst", NULL, &(entropic_table *){NULL}) == ENTROPIC_SYSTEM) {
    entropic_context_free(at.context);
    remove_parts();
    skip(); /* there is no libzstd */
  }
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    at.path = paths[i];
    at.threads = 1;
    at.segment = 0;
    expect_each_allocation_failure(load, &at);
    at.threads = 3;
    at.segment = 10;
    expect_each_allocation_failure(load, &at);
  }
  entropic_context_free(at.context);
  remove_parts();
}

/* A header that is refused is so whatever fails before it. */
static entropic_status load_refused(void *argument) {
  setting *at = argument;
  entropic_table *table = untouched();
  entropic_status status = ent_table_load(at->context, at->path, NULL, &table);
  if (status == ENTROPIC_NO_MEMORY)
    return check_failed(status, at->context, table);
  assert_int_equal(status, ENTROPIC_BAD_DATA);
  assert_ptr_equal(table, untouched());
  assert_non_null(strstr(entropic_context_message(at->context), "parts/6.csv, line 1, column 2: found 'when'"));
  return ENTROPIC_OK;
}

static void refused_files(void **state) {
  (void)state;
  setting at = {.path = "parts/[1256].*"};
  assert_int_equal(entropic_context_create(&at.context), ENTROPIC_OK);
  assert_int_equal(entropic_context_set_threads(at.context, 1), ENTROPIC_OK);
  make_parts();
  write_bytes("parts/6.csv", "name,when,value\nred,2,3\n", 24);
  expect_each_allocation_failure(load_refused, &at);
  entropic_context_free(at.context);
  remove_parts();
}

static void rows_of_duckdb(void **state) {
  (void)state;
  setting at = {.threads = 1, .path = "-", .rows = 5000};
  entropic_table *table = NULL;
  ent_read_options options = ent_read_options_default();
  options.sql = at.sql =
      "SELECT i AS a, 'w' || (i % 5) AS b, i % 7 AS c, CASE WHEN i > 4500 THEN 'late' ELSE '1' END AS d "
      "FROM range(5000) r(i)";
  assert_int_equal(entropic_context_create(&at.context), ENTROPIC_OK);
  entropic_status status = ent_table_load(at.context, "-", &options, &table);
  if (status == ENTROPIC_SYSTEM) {
    entropic_context_free(at.context);
    skip(); /* there is no libduckdb */
  }
  assert_int_equal(status, ENTROPIC_OK);
  entropic_table_free(table);
  expect_each_allocation_failure(load, &at);
  entropic_context_free(at.context);
}

SUITE(files_faults) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(several_files),
      cmocka_unit_test(refused_files),
      cmocka_unit_test(rows_of_duckdb),
  };
  return cmocka_run_group_tests_name("files_faults", tests, NULL, NULL);
}
