/* Real files with all that is odd in them, where they are: ../shared/data, or where ENTROPIC_CRITERION_DATA points. Expected values were
 * found with NumPy and awk. */
#include "unit/shared_data.h"

#include "unit/fixture.h"

static double mean_of(const entropic_table *table, size_t column) {
  size_t rows = entropic_table_rows(table), columns = entropic_table_columns(table), count = 0;
  double sum = 0;
  for (size_t row = 0; row < rows; row++) {
    double value = entropic_table_values(table)[row * columns + column];
    sum += isnan(value) ? 0 : value;
    count += isnan(value) ? 0 : 1;
  }
  return sum / (double)count;
}

typedef struct expectation {
  const char *name;
  size_t rows, columns;
  size_t column; /* whose name, mean and number of missing values follow */
  const char *title;
  double mean;
  size_t missing;
  size_t categories; /* 0 for a column of numbers */
} expectation;

static void check(const expectation *e) {
  entropic_table *table = NULL;
  const char *path = data(e->name);
  assert_non_null(path);
  if (ent_table_load(context, path, NULL, &table) != ENTROPIC_OK)
    fail_msg("%s", entropic_context_message(context));
  entropic_column column;
  assert_int_equal(entropic_table_rows(table), e->rows);
  assert_int_equal(entropic_table_columns(table), e->columns);
  assert_int_equal(column_of_table(context, table, e->column, &column), ENTROPIC_OK);
  assert_string_equal(column.name, e->title);
  assert_int_equal(column.missing, e->missing);
  assert_int_equal(column.categories, e->categories);
  assert_close(mean_of(table, e->column), e->mean, 1e-5 * fabs(e->mean));
  entropic_table_free(table);
}

static void tables_as_the_data_say(void **state) {
  (void)state;
  need_data();
  static const expectation tables[] = {
      {"energy_efficiency.csv.gz", 768, 10, 8, "Y1", 22.3072, 0, 0},
      {"grid_stability.csv.gz", 10000, 14, 13, "stabf", 0.3620, 0, 2}, /* 6380 unstable come first, 3620 stable */
      {"superconductivity.csv.gz", 21263, 82, 81, "critical_temp", 34.4212, 0, 0},
      {"concrete.csv.gz", 1030, 9, 8, "compressive_strength", 35.8178, 0, 0},
      {"airfoil.csv.gz", 1503, 6, 5, "scaled_sound_pressure", 124.8359, 0, 0},
      {"ccpp.csv.gz", 9568, 5, 4, "EP", 454.36501, 0, 0},
      {"kin8nm.csv.gz", 8192, 9, 8, "y", 0.714283, 0, 0},
      {"bike_hour.csv.gz", 17379, 17, 16, "cnt", 189.46309, 0, 0},
      {"adult_train.csv.gz", 32561, 15, 14, "income", 0.240810, 0, 2},
      {"adult_train.csv.gz", 32561, 15, 1, "workclass", 2.112221, 1836, 8},
      {"adult_test.csv.gz", 16281, 15, 13, "native_country", 1.138877, 274, 40},
      {"a9a.libsvm.gz", 32561, 124, 0, "label", -0.518381, 0, 0},
      {"a9a.t.libsvm.gz", 16281, 123, 0, "label", -0.527547, 0, 0},
      {"pendigits.libsvm.gz", 7494, 17, 16, "x16", 28.565386, 0, 0},
      {"pendigits.t.libsvm.gz", 3498, 17, 0, "label", 4.433105, 0, 0},
      {"heart_scale.libsvm", 270, 14, 0, "label", -0.1111111, 0, 0},
  };
  for (size_t i = 0; i < COUNT(tables); i++)
    check(&tables[i]);
}

static void odd_files(void **state) {
  (void)state;
  need_data();
  static const expectation tables[] = {
      {"odd/AirQualityUCI_semicolon_decimalcomma_trailing_empty.csv", 9471, 15, 14, "AH", -6.837604, 114, 0},
      {"odd/AirQualityUCI_semicolon_decimalcomma_trailing_empty.csv", 9471, 15, 0, "Date", 12682.187560, 114, 0},
      {"odd/airfoil_tab_with_space_header.dat", 1503, 6, 5, "Decibels", 124.83594, 0, 0},
      {"odd/auto_imports_missing.csv", 201, 26, 1, "x2", 122.0, 37, 0},
      {"odd/auto_imports_missing.csv", 201, 26, 25, "x26", 13207.129, 0, 0},
      {"odd/boston_fixedwidth_no_final_newline.data", 506, 14, 13, "x14", 22.532806, 0, 0},
      {"odd/breast-cancer_single_quotes.csv", 286, 10, 9, "x10", 0.7027972, 0, 2},
      {"odd/breast-cancer_single_quotes.csv", 286, 10, 4, "x5", 0.7985612, 8, 2},
      {"odd/concrete_bom_crlf_longheader_trailing_space.csv", 1030, 9, 7, "Age (day)", 45.662136, 0, 0},
      {"odd/energy_bom_noheader_no_final_newline.csv", 768, 10, 8, "x9", 22.307201, 0, 0},
      {"odd/grid_semicolon_crlf.csv", 10000, 13, 12, "stab", 0.01573090, 0, 0},
      {"odd/X_train.npy", 50, 2, 0, "x1", 2.0459289, 0, 0},
      {"odd/y_train.npy", 50, 1, 0, "x1", 0.04, 0, 0},
      {"odd/bivariate_normal.npy", 15, 15, 4, "x5", 0.17667308, 0, 0},
      {"odd/estimate_gradients_hang.npy", 2225, 2, 1, "x2", 1.2916683, 0, 0},
      {"odd/python3.npy", 2, 1, 0, "x1", 1, 0, 0},
      {"odd/win64python2.npy", 2, 1, 0, "x1", 1, 0, 0},
      {"odd/stable-Z1-cdf-sample-data.npy", 4590, 5, 2, "x3", 1.0532680, 0, 0},
      {"odd/stable-Z1-pdf-sample-data.npy", 4589, 5, 3, "x4", 0.0065809545, 0, 0},
  };
  for (size_t i = 0; i < COUNT(tables); i++)
    check(&tables[i]);
  static const struct {
    const char *name, *message;
  } refused[] = {
      {"odd/py2-objarr.npy", "py2-objarr.npy, header: found '|O8', expected numbers (objects are pickled Python"},
      {"odd/py3-objarr.npy", "py3-objarr.npy, header: found '|O8', expected numbers (objects are pickled Python"},
      {"odd/stable-loc-scale-sample-data.npy", "expected one number type (arrays of records with named fields"},
      {"train-images-idx3-ubyte.gz", "line 1, column 1: found a NUL byte, expected text"},
  };
  for (size_t i = 0; i < COUNT(refused); i++) {
    entropic_table *table = NULL;
    assert_int_equal(ent_table_load(context, data(refused[i].name), NULL, &table), ENTROPIC_BAD_DATA);
    assert_message(context, refused[i].message);
    assert_null(table);
  }
}

/* With numbers alone asked for, the first fault is named with its line. */
static void faults_of_odd_files(void **state) {
  (void)state;
  need_data();
  static const struct {
    const char *name, *message;
  } refused[] = {
      {"odd/AirQualityUCI_semicolon_decimalcomma_trailing_empty.csv",
       "line 2, column 1 (Date): found '10/03/2004', expected a number"},
      {"odd/auto_imports_missing.csv", "line 1, column 2 (x2): found '?', expected a finite number"},
      {"odd/breast-cancer_single_quotes.csv", "line 1, column 1 (x1): found '40-49', expected a number"},
      {"adult_train.csv.gz", "line 2, column 2 (workclass): found 'State-gov', expected a number"},
  };
  for (size_t i = 0; i < COUNT(refused); i++) {
    entropic_table *table = NULL;
    assert_int_equal(table_read_numbers(context, data(refused[i].name), &table), ENTROPIC_BAD_DATA);
    assert_message(context, refused[i].message);
  }
}

SUITE(data_shared) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(tables_as_the_data_say, start_two_threads, stop),
      cmocka_unit_test_setup_teardown(odd_files, start_two_threads, stop),
      cmocka_unit_test_setup_teardown(faults_of_odd_files, start_two_threads, stop),
  };
  return cmocka_run_group_tests_name("data_shared", tests, NULL, NULL);
}
