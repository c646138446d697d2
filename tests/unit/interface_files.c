/* Paths as arrays, designs without weights, and scaling, as programs call them. */
#include "axis/scaler.h"
#include "base/memory.h"
#include "data/files.h"

#include "unit/modelling.h"

#include "unit/fixture.h"

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static entropic_parameters *with_target(entropic_purpose purpose) {
  entropic_parameters *set = NULL;
  ASSERT_OK(context, entropic_parameters_create(context, purpose, &set));
  ASSERT_OK(context, entropic_parameters_set(context, set, "target", "y"));
  return set;
}

/* Several paths, one with a line feed, and the same names one after the other in one text are the same table. */
static void tables_of_several_files(void **state) {
  char folder[3][600], lines[1300];
  const char *paths[] = {folder[0], folder[1], folder[2]};
  for (size_t i = 0; i < 3; i++)
    snprintf(folder[i], sizeof folder[i], "%s", in_folder(state, (const char *const[]){"a.csv", "b.csv", "c.csv"}[i]));
  write_text(folder[0], "x,y\n1,2\n");
  write_text(folder[1], "x,y\n3,4\n5,6\n");
  write_text(folder[2], "x,y\n7,8\n");
  snprintf(lines, sizeof lines, "%s\n%s", folder[0], folder[1]);
  const struct {
    const char *paths[3];
    size_t count, rows;
  } cases[] = {{{paths[0]}, 1, 1},
               {{paths[0], paths[1]}, 2, 3},
               {{paths[0], paths[1], paths[2]}, 3, 4},
               {{lines, paths[2]}, 2, 4},
               {{lines}, 1, 3}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_table *table = NULL, *again = NULL;
    ASSERT_OK(context, entropic_table_load(context, cases[i].paths, cases[i].count, NULL, &table));
    assert_int_equal(entropic_table_rows(table), cases[i].rows);
    for (size_t row = 0; row < cases[i].rows; row++)
      assert_true(entropic_table_values(table)[2 * row] == (double)(2 * row + 1));
    ASSERT_OK(context, entropic_table_load_with_schema(context, cases[i].paths, cases[i].count, NULL, table, &again));
    assert_int_equal(entropic_table_rows(again), cases[i].rows);
    entropic_table_free(again);
    entropic_table_free(table);
  }
}

static void no_paths(void **state) {
  (void)state;
  entropic_table *table = NULL;
  const char *const paths[] = {"a.csv", NULL};
  assert_int_equal(entropic_table_load(context, paths, 0, NULL, &table), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "paths has none");
  assert_int_equal(entropic_table_load(context, paths, 2, NULL, &table), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "paths[1] is NULL");
  assert_int_equal(entropic_table_load(context, NULL, 1, NULL, &table), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "paths is NULL");
  assert_null(table);
  char *joined = NULL;
  ASSERT_OK(context, ent_paths_join(context, (const char *const[]){"a", "", "b c"}, 3, &joined));
  assert_string_equal(joined, "a\n\nb c");
  ent_delete(joined);
}

/* A design of text collects rows of files and of tables alike. */
static void rows_for_a_design(void **state) {
  char path[600];
  snprintf(path, sizeof path, "%s", in_folder(state, "rows.csv"));
  write_text(path, "x,y\n0.25,1\n0.5,2\n0.75,1.5\n");
  entropic_parameters *set = with_target(ENTROPIC_PURPOSE_COLLECT), *fit = with_target(ENTROPIC_PURPOSE_FIT);
  ASSERT_OK(context, entropic_parameters_set(context, set, "ranges", "x=0:1"));
  ASSERT_OK(context, entropic_parameters_set(context, set, "target-range", "0:4"));
  ASSERT_OK(context, entropic_parameters_set(context, set, "features", "5"));
  unsigned char *bytes = NULL;
  size_t count = 0;
  entropic_frozen_design *design = NULL;
  entropic_table *table = NULL;
  ASSERT_OK(context, entropic_frozen_design_make(context, set, &bytes, &count));
  ASSERT_OK(context, entropic_frozen_design_load_memory(context, bytes, count, &design));
  ASSERT_OK(context, entropic_table_load(context, ONE_PATH(path), fit, &table));
  char receipt[3][ENTROPIC_RECEIPT_SIZE];
  for (int how = 0; how < 3; how++) {
    entropic_statistics *sum = NULL;
    entropic_row_reader *reader = NULL;
    entropic_statistics_info info;
    ASSERT_OK(context, entropic_statistics_create_for_design(context, design, &sum));
    const entropic_frozen_design *own = entropic_statistics_design(sum);
    ASSERT_OK(context, how == 0   ? entropic_row_reader_open_design(context, design, ONE_PATH(path), NULL, &reader)
                       : how == 1 ? entropic_row_reader_open_design(context, own, ONE_PATH(path), NULL, &reader)
                                  : entropic_row_reader_open_design_table(context, own, table, &reader));
    ASSERT_OK(context, entropic_statistics_collect(context, sum, reader, NULL));
    ASSERT_OK(context, entropic_statistics_describe(context, sum, &info, sizeof info));
    assert_int_equal(info.rows, 3);
    ASSERT_OK(context, entropic_statistics_receipt(context, sum, receipt[how]));
    entropic_row_reader_free(reader);
    entropic_statistics_free(sum);
  }
  assert_string_equal(receipt[0], receipt[1]);
  assert_string_equal(receipt[0], receipt[2]);
  entropic_table_free(table);
  entropic_frozen_design_free(design);
  entropic_bytes_free(bytes);
  entropic_parameters_free(fit);
  entropic_parameters_free(set);
}

static void scaling(void **state) {
  (void)state;
  const double values[] = {0, 10, 4, 20, 8, 40};
  double scaled[6], expected[6];
  entropic_scaler *scaler = NULL;
  ASSERT_OK(context, entropic_scaler_create(context, ENTROPIC_SCALING_MINMAX, values, 3, 2, 2, &scaler));
  ASSERT_OK(context, entropic_scaler_apply(context, scaler, values, 3, 2, scaled));
  ent_scaler_apply(scaler, values, 3, 2, expected);
  assert_memory_equal(scaled, expected, sizeof scaled);
  assert_true(scaled[0] == 0 && scaled[2] == 0.5 && scaled[4] == 1);
  assert_int_equal(entropic_scaler_apply(context, NULL, values, 3, 2, scaled), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "scaler is NULL");
  entropic_scaler_free(scaler);
}

SUITE(interface_files) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_of_several_files), cmocka_unit_test(no_paths),
                                     cmocka_unit_test(rows_for_a_design), cmocka_unit_test(scaling)};
  return cmocka_run_group_tests(tests, start_in_folder, stop_in_folder);
}
