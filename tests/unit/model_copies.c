/* Inputs that are the same as an earlier one: which they are, what is said of them, and that they change nothing. */
#include "unit/fitting.h"

#include "dataset/layout.h"

#include "unit/fixture.h"

/* "a b | c=a d=b 7": the inputs in use, then those set aside, copies with what they are copies of. */
static const char *show(const entropic_dataset *dataset) {
  static char text[2000];
  char *p = text;
  *p = '\0';
  for (size_t i = 0; i < dataset->schema.inputs; i++)
    p += sprintf(p, "%s%s", i > 0 ? " " : "", dataset->schema.input[i].name);
  p += sprintf(p, " |");
  const char *name;
  entropic_column_type why;
  for (size_t i = 0; (name = entropic_dataset_dropped(dataset, i, &why)) != NULL; i++) {
    const char *original = entropic_dataset_original(dataset, i);
    assert_int_equal(why == ENTROPIC_COLUMN_TYPE_COPY, original != NULL);
    p += original == NULL ? sprintf(p, " %s", name) : sprintf(p, " %s=%s", name, original);
  }
  return text;
}

static void copies_are_found(void **state) {
  static const struct {
    const char *text;
    ent_roles roles;
    const char *expected;
  } cases[] = {
      /* Numbers, however they are written; the first stays. */
      {"a,b,y\n1,1,3\n2,2,5\n3,3,4\n", {.targets = "y"}, "a | b=a"},
      {"b,a,y\n1,1.0,3\n2,2e0,5\n3,+3,4\n", {.targets = "y"}, "b | a=b"},
      {"a,b,y\n1,1,3\n2,2,5\n3,3.0000000000000004,4\n", {.targets = "y"}, "a b |"},
      {"a,b,y\n0,-0,3\n2,2,5\n-0,0,4\n", {.targets = "y"}, "a | b=a"},
      {"a,b,c,d,e,y\n1,3,1,3,1,3\n2,1,2,1,2,5\n4,9,4,9,4,4\n", {.targets = "y"}, "a b | c=a d=b e=a"},
      /* Only inputs count: not what is learnt, weighs, groups or is left out; and not what is set aside already. */
      {"a,y,w,g,i,b,k,l\n1,1,1,1,1,1,7,7\n2,2,2,2,2,3,7,7\n4,4,4,4,4,4,7,7\n",
       {.targets = "y", .weights = "w", .groups = "g", .ignore = "i"},
       "a b | k l"},
      /* Missing in the same rows, or not. */
      {"a,b,y\n1,1,3\n,,5\n3,3,4\n", {.targets = "y"}, "a | b=a"},
      {"a,b,y\n1,1,3\n,2,5\n3,3,4\n", {.targets = "y"}, "a b |"},
      {"a,b,y\n1,1,3\n2,,5\n3,3,4\n", {.targets = "y"}, "a b |"},
      {"a,b,y\n1,,3\n,1,5\n3,3,4\n", {.targets = "y"}, "a b |"},
      {"a,b,y\n0,,3\n,0,5\n3,3,4\n", {.targets = "y"}, "a b |"},
      /* Categories: by their texts, not by their codes. */
      {"a,b,y\nu,u,3\nv,v,5\nu,u,4\n", {.targets = "y"}, "a | b=a"},
      {"a,b,y\nu,p,3\nv,q,5\nu,p,4\n", {.targets = "y"}, "a b |"},
      {"a,b,y\nu,u,3\n,,5\nv,v,4\n", {.targets = "y"}, "a | b=a"},
      {"a,b,y\nu,u,3\n,v,5\nv,v,4\n", {.targets = "y"}, "a b |"},
      {"a,b,y\nu,v,3\nv,u,5\nu,v,4\n", {.targets = "y"}, "a b |"},
      /* A category is no number, not even one with the bits of its code, but two categories are the same. */
      {"a,b,y\nu,0,3\nv,5e-324,5\nu,0,4\n", {.targets = "y"}, "a b |"},
      {"a,b,y\n0,0,3\n1,1,5\n0,0,4\n", {.targets = "y", .categorical = "b"}, "a b |"},
      {"a,b,y\n0,0,3\n1,1,5\n0,0,4\n", {.targets = "y", .categorical = "a,b"}, "a | b=a"},
      /* Rows in use alone: others may differ, and number the texts otherwise. */
      {"a,b,y\n9,8,\n1,1,3\n2,2,5\n3,3,4\n", {.targets = "y"}, "a | b=a"},
      {"a,b,y\nv,u,\nu,u,3\nv,v,5\nu,u,4\n", {.targets = "y"}, "a | b=a"},
      {"a,b,w,y\nv,u,0,1\nu,u,1,3\nv,v,1,5\nu,u,1,4\n", {.targets = "y", .weights = "w"}, "a | b=a"},
      {"a,b,y\nv,v,\nu,v,3\nv,u,5\nu,v,4\n", {.targets = "y"}, "a b |"},
      /* Dates. */
      {"a,b,y\n2024-01-01,2024-01-01,3\n2024-01-05,2024-01-05,5\n2023-01-01,2023-01-01,4\n",
       {.targets = "y"},
       "a a:yearday a:weekday | b=a"},
      /* LIBSVM: zeros are not written. */
      {"1.5 1:2 2:1 3:2\n2.5 2:4\n3 1:5 3:5\n", {.targets = "label"}, "x1 x2 | x3=x1"},
      {"1.5 1:2 2:1 3:2\n2.5 2:4 3:1\n3 1:5 3:5\n", {.targets = "label"}, "x1 x2 x3 |"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const char *path = in_folder(state, "file");
    write_file(path, cases[i].text, strlen(cases[i].text));
    ent_read_options options = ent_read_options_default();
    options.roles = cases[i].roles;
    entropic_table *table = NULL;
    entropic_dataset *dataset = NULL;
    ASSERT_OK(context, ent_table_load(context, path, &options, &table));
    ASSERT_OK(context, ent_dataset_create(context, table, ENTROPIC_TASK_REGRESSION, &dataset));
    if (strcmp(show(dataset), cases[i].expected) != 0)
      fail_msg("'%s' gives %s, expected %s", cases[i].text, show(dataset), cases[i].expected);
    assert_null(entropic_dataset_original(dataset, ent_dataset_describe(dataset).dropped));
    entropic_dataset_free(dataset);
    entropic_table_free(table);
  }
  assert_null(entropic_dataset_original(NULL, 0));
}

static entropic_dataset *dataset_of_values(const double *values, size_t rows, size_t columns, const char *categorical) {
  char target[20];
  snprintf(target, sizeof target, "x%zu", columns);
  const ent_roles roles = {.targets = target, .categorical = categorical};
  entropic_table *table = NULL;
  entropic_dataset *dataset = NULL;
  ASSERT_OK(context, ent_table_create(context, values, rows, columns, columns, NULL, &roles, &table));
  ASSERT_OK(context, ent_dataset_create(context, table, ENTROPIC_TASK_REGRESSION, &dataset));
  entropic_table_free(table);
  return dataset;
}

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Columns that differ although their hashes do not. */
static void hashes_are_not_trusted(void **state) {
  (void)state;
  double a[] = {1, 2, 5}, b[] = {0, 0, 5};
  uint64_t first = ent_hash_step(ENT_HASH_START, bits_of(a[0])), other;
  do { /* such that the second value of b makes up for the first, and is finite */
    b[0] += 3;
    other = ent_hash_step(ENT_HASH_START, bits_of(b[0]));
    uint64_t bits = bits_of(a[1]) ^ first ^ other;
    memcpy(&b[1], &bits, sizeof bits);
  } while (!isfinite(b[1]));
  assert_true(a[0] != b[0] && a[1] != b[1]);
  assert_true(ent_hash_step(first, bits_of(a[1])) == ent_hash_step(other, bits_of(b[1])));
  double values[3 * 7];
  for (size_t r = 0; r < COUNT(a); r++) {
    const double row[] = {a[r], b[r], b[r], a[r], b[r], a[r], (double)(r * r)};
    memcpy(values + 7 * r, row, sizeof row);
  }
  entropic_dataset *dataset = dataset_of_values(values, 3, 7, NULL);
  assert_string_equal(show(dataset), "x1 x2 | x3=x2 x4=x1 x5=x2 x6=x1");
  entropic_dataset_free(dataset);
}

/* Against comparing each with each, for columns of few values, missing values, and every third a category. */
static void each_with_each(void **state) {
  (void)state;
  enum { ROWS = 9, COLUMNS = 61, INPUTS = COLUMNS - 1 };
  const char *categorical = "3,6,9,12,15,18,21,24,27,30,33,36,39,42,45,48,51,54,57,60";
  entropic_random random = entropic_random_start(21, 0);
  size_t copies = 0;
  for (int round = 0; round < 20; round++) {
    double values[ROWS * COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++)
      for (size_t r = 0; r < ROWS; r++) {
        double u = entropic_random_uniform(&random);
        /* Few patterns; no column is constant or empty. */
        values[r * COLUMNS + c] = r < 2 ? (double)r : r < 6 ? 7 : u < 0.3 ? NAN : u < 0.6 ? 1 : 2;
      }
    for (size_t r = 0; r < ROWS; r++)
      values[r * COLUMNS + INPUTS] = (double)(r * r);
    char expected[2000], *p = expected, dropped[2000], *q = dropped;
    for (size_t c = 0; c < INPUTS; c++) {
      size_t original = c;
      for (size_t o = 0; o < c && original == c; o++) {
        bool same = (c % 3 == 2) == (o % 3 == 2);
        for (size_t r = 0; r < ROWS; r++) {
          double left = values[r * COLUMNS + c], right = values[r * COLUMNS + o];
          same = same && (left == right || (isnan(left) && isnan(right)));
        }
        original = same ? o : c;
      }
      if (original == c)
        p += sprintf(p, "%sx%zu", c > 0 ? " " : "", c + 1);
      else
        q += sprintf(q, " x%zu=x%zu", c + 1, original + 1);
      copies += original != c;
    }
    sprintf(p, " |%s", q > dropped ? dropped : "");
    entropic_dataset *dataset = dataset_of_values(values, ROWS, COLUMNS, categorical);
    assert_string_equal(show(dataset), expected);
    entropic_dataset_free(dataset);
  }
  assert_true(copies > 200 && copies < 1000);
}

/* The same model, to the bit, with and without copies. */
static void copies_change_nothing(void **state) {
  sheet plain = sheet_start(80, 3, 1, PLAIN, 5), twice = sheet_start(80, 6, 1, PLAIN, 5);
  for (size_t r = 0; r < 80; r++) {
    const double *x = sheet_row(&plain, r);
    const double row[] = {x[0], x[1], x[2], x[1], x[0], x[2], x[3]};
    memcpy(sheet_row(&twice, r), row, sizeof row);
  }
  ent_fit_options options = ent_fit_options_default();
  entropic_model *models[2] = {fit_sheet(context, &plain, ENTROPIC_TASK_REGRESSION, &options),
                               fit_sheet(context, &twice, ENTROPIC_TASK_REGRESSION, &options)};
  double *plainly = predict_sheet(context, models[0], &plain), *with = predict_sheet(context, models[1], &twice);
  assert_memory_equal(plainly, with, 80 * sizeof *with);
  char *bytes[2];
  size_t count[2];
  for (int i = 0; i < 2; i++) {
    entropic_input_info input;
    assert_int_equal(ent_model_describe(models[i]).inputs, 3);
    ASSERT_OK(context, ent_model_input(context, models[i], 2, &input));
    assert_string_equal(input.name, "x3");
    const char *path = in_folder(state, "model");
    ASSERT_OK(context, entropic_model_save(context, models[i], path));
    bytes[i] = read_whole(path, &count[i]);
    entropic_model_free(models[i]);
  }
  assert_int_equal(count[0], count[1]);
  assert_memory_equal(bytes[0], bytes[1], count[0]);
  free(bytes[0]);
  free(bytes[1]);
  free(plainly);
  free(with);
  sheet_stop(&plain);
  sheet_stop(&twice);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start_in_folder, stop_in_folder)

SUITE(model_copies) {
  const struct CMUnitTest tests[] = {
      TEST(copies_are_found),
      TEST(hashes_are_not_trusted),
      TEST(each_with_each),
      TEST(copies_change_nothing),
  };
  return cmocka_run_group_tests_name("model_copies", tests, NULL, NULL);
}
