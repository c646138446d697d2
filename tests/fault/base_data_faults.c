/* Running out of memory anywhere in base, data, the scaler and the npz files: each call says so, leaves its output
 * arguments alone, leaks nothing, and works once there is memory again. */
#include "unit/tests.h"

#include <dirent.h>
#include <zlib.h>

#include "axis/scaler.h"
#include "fault/failing_malloc.h"

/* What each run gets: a context made beforehand, and a path. */
typedef struct setting {
  entropic_context *context;
  const char *path;
  int threads;
} setting;

static entropic_status make_context(void *argument) {
  (void)argument;
  entropic_context *context = untouched();
  entropic_status status = entropic_context_create(&context);
  if (status == ENTROPIC_OK)
    entropic_context_free(context);
  else
    assert_ptr_equal(context, untouched());
  return status;
}

static entropic_status grow_an_array(void *argument) {
  setting *at = argument;
  size_t capacity = 0;
  int *numbers = NULL;
  for (int i = 0; i < 1000; i++) {
    size_t before = capacity;
    int *grown = ent_grow(at->context, numbers, &capacity, (size_t)i + 1, sizeof *numbers);
    if (grown == NULL) {
      assert_int_equal(capacity, before);
      for (int j = 0; j < i; j++)
        assert_int_equal(numbers[j], j);
      ent_delete(numbers);
      return check_failed(ENTROPIC_NO_MEMORY, at->context, untouched());
    }
    numbers = grown;
    numbers[i] = i;
  }
  ent_delete(numbers);
  return ENTROPIC_OK;
}

static entropic_status write_output(void *argument) {
  setting *at = argument;
  entropic_output *output = untouched();
  entropic_status status = entropic_output_create(at->context, at->path, &output);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, output);
  status = entropic_output_write(at->context, output, "text", 4);
  if (status == ENTROPIC_OK)
    status = entropic_output_commit(at->context, output);
  entropic_output_free(output);
  return status;
}

static entropic_status read_table(void *argument) {
  setting *at = argument;
  entropic_table *table = untouched();
  entropic_status status = table_read_numbers(at->context, at->path, &table);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, table);
  assert_int_equal(entropic_table_rows(table), 300);
  entropic_table_free(table);
  return ENTROPIC_OK;
}

/* Any format, categories and all; and the blocks of a source after its survey. */
static entropic_status load_table(void *argument) {
  setting *at = argument;
  entropic_table *table = untouched();
  entropic_status status = ent_table_load(at->context, at->path, NULL, &table);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, table);
  entropic_table_free(table);
  return ENTROPIC_OK;
}

/* The same with rows on disk, and its columns as views. */
static entropic_status load_spooled(void *argument) {
  setting *at = argument;
  ent_read_options options = ent_read_options_default();
  options.memory = 1 << 20;
  entropic_table *table = untouched();
  ent_column_store *store = untouched();
  entropic_status status = ent_table_load(at->context, at->path, &options, &table);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, table);
  status = ent_table_views(at->context, table, &store);
  if (status == ENTROPIC_OK)
    ent_column_store_free(store);
  entropic_table_free(table);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, store);
}

static entropic_status survey_source(void *argument) {
  setting *at = argument;
  double values[100];
  size_t rows;
  ent_source *source = untouched();
  entropic_status status = ent_source_open(at->context, at->path, NULL, &source);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, source);
  status = ent_source_survey(at->context, source);
  if (status == ENTROPIC_OK)
    status = ent_source_read(at->context, source, values, 5, &rows);
  ent_source_free(source);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

/* Text in segments that threads parse. */
static entropic_status load_segments(void *argument) {
  setting *at = argument;
  ent_read_options options = ent_read_options_default();
  options.segment = 10;
  entropic_table *table = untouched();
  entropic_context_set_threads(at->context, 3);
  entropic_status status = ent_table_load(at->context, at->path, &options, &table);
  entropic_context_set_threads(at->context, 1);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, table);
  assert_int_equal(entropic_table_rows(table), 40);
  assert_string_equal(entropic_table_category(table, 1, 1), "two\n\"lines\"");
  entropic_table_free(table);
  return ENTROPIC_OK;
}

/* A title, names of all kinds, and classes that are nearly one: all that there is to say of a file. */
static entropic_status load_named(void *argument) {
  setting *at = argument;
  ent_read_options options = ent_read_options_default();
  options.roles = (ent_roles){.targets = "y", .ignore = "a, b"};
  entropic_table *table = untouched();
  entropic_status status = ent_table_load(at->context, at->path, &options, &table);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, table);
  assert_non_null(entropic_table_notice(table, 3));
  assert_null(entropic_table_notice(table, 4));
  options.roles = (ent_roles){.targets = "y", .schema_of = &table->source->columns};
  entropic_table *other = untouched();
  status = ent_table_load(at->context, at->path, &options, &other);
  if (status == ENTROPIC_OK)
    entropic_table_free(other);
  entropic_table_free(table);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static entropic_status generate(void *argument) {
  setting *at = argument;
  static double values[20000 * 4];
  entropic_context_set_threads(at->context, at->threads);
  entropic_status status = entropic_generate(at->context, entropic_generator_find("ishigami"), 0, 20000, 0, 1, values);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static void count_task(void *user, size_t task) {
  ((int *)user)[task]++;
}

/* A failed call has run no task: threads come first. */
static entropic_status run_tasks(void *argument) {
  setting *at = argument;
  int runs[50] = {0};
  entropic_context_set_threads(at->context, at->threads);
  entropic_status status = entropic_tasks_run(at->context, COUNT(runs), count_task, runs);
  for (size_t i = 0; i < COUNT(runs); i++)
    assert_int_equal(runs[i], status == ENTROPIC_OK);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static entropic_status make_scaler(void *argument) {
  setting *at = argument;
  double values[300];
  entropic_random random = entropic_random_start(1, 1);
  for (int i = 0; i < 300; i++)
    values[i] = entropic_random_normal(&random);
  entropic_context_set_threads(at->context, at->threads);
  for (int scaling = ENTROPIC_SCALING_QUANTILE; scaling <= ENTROPIC_SCALING_NONE; scaling++) {
    entropic_scaler *scaler = untouched();
    entropic_status status = entropic_scaler_create(at->context, (entropic_scaling)scaling, values, 100, 3, 3, &scaler);
    if (status != ENTROPIC_OK)
      return check_failed(status, at->context, scaler);
    assert_int_equal(entropic_scaler_apply(at->context, scaler, values, 100, 3, values), ENTROPIC_OK);
    entropic_scaler_free(scaler);
  }
  return ENTROPIC_OK;
}

/* To a text and back. */
static entropic_status save_scaler(void *argument) {
  setting *at = argument;
  static const double values[8] = {1, 5, 2, 5, 4, 5, 8, 6};
  entropic_scaler *scaler = untouched(), *again = untouched();
  unsigned char *bytes = untouched();
  size_t count = 0;
  entropic_status status = entropic_scaler_create(at->context, ENTROPIC_SCALING_QUANTILE, values, 4, 2, 2, &scaler);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, scaler);
  status = entropic_scaler_save_memory(at->context, scaler, &bytes, &count);
  entropic_scaler_free(scaler);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, bytes);
  status = entropic_scaler_load_memory(at->context, bytes, count, &again);
  entropic_bytes_free(bytes);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, again);
  entropic_scaler_free(again);
  return ENTROPIC_OK;
}

/* From stored parts; what was there stays until the new is whole. */
static entropic_status put_scaler_together(void *argument) {
  setting *at = argument;
  const double places[2] = {1, 2}, heights[2] = {0.25, 0.75};
  entropic_scaler *scaler = untouched();
  entropic_status status = ent_scaler_start(at->context, ENTROPIC_SCALING_QUANTILE, 2, &scaler);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, scaler);
  for (int twice = 0; twice < 2 && status == ENTROPIC_OK; twice++)
    status = ent_scaler_set(at->context, scaler, 1, &(ent_scale_parts){places, heights, 2, 0, false, false});
  double values[2] = {0, 2};
  ent_scaler_fill(scaler, values, 1, 2, values);
  entropic_scaler_free(scaler);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static entropic_status save_npz(void *argument) {
  setting *at = argument;
  size_t starts[] = {0, 1, 2};
  int32_t indices[] = {0, 1};
  double values[] = {1, 2};
  const entropic_csr csr = {.rows = 2, .columns = 2, .starts = starts, .indices = indices, .values = values};
  entropic_status status = entropic_csr_save_npz(at->context, &csr, at->path);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static setting at;

static int start(void **state) {
  at = (setting){.threads = 1};
  return entropic_context_create(&at.context) != ENTROPIC_OK || make_folder(state);
}

static int stop(void **state) {
  entropic_context_free(at.context);
  return remove_folder(state);
}

static int entries(void **state) {
  DIR *folder = opendir(*state);
  assert_non_null(folder);
  int found = -2; /* . and .. */
  while (readdir(folder) != NULL)
    found++;
  closedir(folder);
  return found;
}

static void contexts(void **state) {
  (void)state;
  assert_int_equal(expect_each_allocation_failure(make_context, NULL), 1);
}

static void arrays(void **state) {
  (void)state;
  assert_true(expect_each_allocation_failure(grow_an_array, &at) > 5);
}

static void outputs(void **state) {
  at.path = in_folder(state, "file");
  expect_each_allocation_failure(write_output, &at);
  assert_int_equal(entries(state), 1);
}

/* Wide enough that every array of the reader has to grow. */
static void tables(void **state) {
  char text[60000], *p = text;
  for (int column = 0; column < 40; column++)
    p += sprintf(p, "column%d%c", column, column < 39 ? ',' : '\n');
  for (int i = 0; i < 300 * 40; i++)
    p += sprintf(p, "%d%c", i % 100, i % 40 < 39 ? ',' : '\n');
  at.path = in_folder(state, "table.csv");
  write_file(at.path, text, (size_t)(p - text));
  assert_true(expect_each_allocation_failure(read_table, &at) > 50);
  at.path = in_folder(state, "table.csv.gz");
  gzFile file = gzopen(at.path, "wb");
  assert_non_null(file);
  assert_int_equal(gzwrite(file, text, (unsigned)(p - text)), p - text);
  assert_int_equal(gzclose(file), Z_OK);
  assert_true(expect_each_allocation_failure(read_table, &at) > 50);
}

static void other_tables(void **state) {
  static const struct {
    const char *text;
    size_t count;
  } files[] = {
      {"a,b,c\n1,x,\"p \"\"q\"\"\"\n2,y,r\n3,x,?\n", 0},
      {"day,price,at,gap\n01/02/2020,\"$1,234\",12:30,1\n03/04/2020,$5,1:15,-\n05/06/2020,$7,23:59,word\n", 0},
      {"a;b\n1,234;1\n2,345;2\n3,456;3\n", 0},
      {"1 1:0.5 3:2\n-1 2:1\n", 0},
      {"\x93NUMPY\1\0\x39\0{'descr': '|i1', 'fortran_order': True, 'shape': (2, 2)}\1\2\3\4", 71},
  };
  for (size_t i = 0; i < COUNT(files); i++) {
    at.path = in_folder(state, "file");
    write_file(at.path, files[i].text, files[i].count > 0 ? files[i].count : strlen(files[i].text));
    assert_true(expect_each_allocation_failure(load_table, &at) > 8);
    assert_true(expect_each_allocation_failure(load_spooled, &at) > 16);
    assert_true(expect_each_allocation_failure(survey_source, &at) > 8);
  }
}

static void tables_in_segments(void **state) {
  char text[2000] = "a,b,c\n";
  for (int i = 0; i < 40; i++) {
    char row[40];
    snprintf(row, sizeof row, "%d,%s,%d.5\n", i, i % 3 == 1 ? "\"two\n\"\"lines\"\"\"" : "one", i * i);
    strcat(text, row);
  }
  at.path = in_folder(state, "file");
  write_file(at.path, text, strlen(text));
  assert_true(expect_each_allocation_failure(load_segments, &at) > 40);
}

static void named_tables(void **state) {
  const char *text = "A title\n\na,,x2,a,a,b,y\n1,2,3,4,5,6,Yes\n2,3,4,5,6,7,yes\n3,4,5,6,7,9,no\n";
  char wide[400] = "\xff\xfe";
  size_t count = 2;
  for (const char *p = text; *p != '\0'; p++, count += 2)
    wide[count] = *p;
  at.path = in_folder(state, "file");
  write_file(at.path, text, strlen(text));
  assert_true(expect_each_allocation_failure(load_named, &at) > 40);
  write_file(at.path, wide, count);
  assert_true(expect_each_allocation_failure(load_named, &at) > 40);
}

static void generators(void **state) {
  (void)state;
  at.threads = 3;
  assert_int_equal(expect_each_allocation_failure(generate, &at), 1);
}

static void tasks(void **state) {
  (void)state;
  at.threads = 3;
  assert_int_equal(expect_each_allocation_failure(run_tasks, &at), 1);
}

static void scalers(void **state) {
  (void)state;
  for (at.threads = 1; at.threads <= 3; at.threads++)
    assert_true(expect_each_allocation_failure(make_scaler, &at) > 15);
}

static void stored_scalers(void **state) {
  (void)state;
  assert_int_equal(expect_each_allocation_failure(put_scaler_together, &at), 4);
  assert_true(expect_each_allocation_failure(save_scaler, &at) > 8);
}

static void archives(void **state) {
  at.path = in_folder(state, "rows.npz");
  expect_each_allocation_failure(save_npz, &at);
  assert_int_equal(entries(state), 1);
}

static void all_wrappers_fail_once_and_count(void **state) {
  (void)state;
  failing_malloc_after(0);
  void *refused = malloc(10), *block = calloc(2, 5), *aligned = aligned_alloc(64, 64);
  long asked = failing_malloc_count();
  failing_malloc_after(0);
  void *grown = realloc(block, 20);
  if (grown == NULL)
    free(block);
  else
    free(grown);
  failing_malloc_after(0);
  void *no_zeros = calloc(1, 1), *zeros = calloc(1, 1);
  failing_malloc_after(0);
  void *not_aligned = aligned_alloc(64, 64);
  failing_malloc_after(-1);
  assert_null(refused);
  assert_null(grown);
  assert_non_null(aligned);
  assert_int_equal(asked, 3);
  assert_null(no_zeros);
  assert_non_null(zeros);
  assert_null(not_aligned);
  free(aligned);
  free(zeros);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

SUITE(base_data_faults) {
  const struct CMUnitTest tests[] = {
      TEST(all_wrappers_fail_once_and_count),
      TEST(contexts),
      TEST(arrays),
      TEST(outputs),
      TEST(tables),
      TEST(other_tables),
      TEST(tables_in_segments),
      TEST(named_tables),
      TEST(generators),
      TEST(tasks),
      TEST(scalers),
      TEST(stored_scalers),
      TEST(archives),
  };
  return cmocka_run_group_tests_name("base_data_faults", tests, NULL, NULL);
}
