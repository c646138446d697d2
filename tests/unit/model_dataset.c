/* Data sets: which inputs and rows of a table are used, and what is learnt. */
#include "unit/showing.h"
#include "dataset/dataset.h"

/* Tables, roles, and what becomes of them. */
static void tables_become_data_sets(void **state) {
  static const struct {
    const char *text;
    ent_roles roles;
    entropic_task task;
    const char *schema, *rows;
  } cases[] = {
      /* The task. */
      {"a,y\n1,2.5\n2,3.5\n3,1\n", {.targets = "y"}, ENTROPIC_TASK_AUTO, "a : y", "1 > 2.5/ 2 > 3.5/ 3 > 1"},
      {"a,y\n1,2\n2,1\n3,2\n", {.targets = "y"}, ENTROPIC_TASK_AUTO, "a : y[1 2]", "1 > 1/ 2 > 0/ 3 > 1"},
      {"a,y\n1,2\n2,1\n3,2\n", {.targets = "y"}, ENTROPIC_TASK_REGRESSION, "a : y", "1 > 2/ 2 > 1/ 3 > 2"},
      {"a,y\n1,10\n2,9\n3,-1.0\n",
       {.targets = "y"},
       ENTROPIC_TASK_CLASSIFICATION,
       "a : y[-1.0 9 10]",
       "1 > 2/ 2 > 1/ 3 > 0"},
      {"a,y\n1,.5\n2,1.50\n3,0.5\n", {.targets = "y"}, ENTROPIC_TASK_AUTO, "a : y[.5 1.50]", "1 > 0/ 2 > 1/ 3 > 0"},
      {"a,y\n1,0\n2,-0\n3,1\n", {.targets = "y"}, ENTROPIC_TASK_AUTO, "a : y[-0 1]", "1 > 0/ 2 > 0/ 3 > 1"},
      {"a,y\n1,b\n2,a\n3,10\n4,9\n",
       {.targets = "y"},
       ENTROPIC_TASK_AUTO,
       "a : y[10 9 a b]",
       "1 > 3/ 2 > 2/ 3 > 0/ 4 > 1"},
      {"a,y\n1,1.0\n2,2\n3,10\n",
       {.targets = "y", .categorical = "y"},
       ENTROPIC_TASK_AUTO,
       "a : y[1.0 2 10]",
       "1 > 0/ 2 > 1/ 3 > 2"},
      {"a,y\n1,5\n2,5\n", {.targets = "y"}, ENTROPIC_TASK_AUTO, "a : y", "1 > 5/ 2 > 5"},
      {"a,y,z\n1,0,1\n2,1,0\n", {.targets = "y,z"}, ENTROPIC_TASK_AUTO, "a : y z", "1 > 0 1/ 2 > 1 0"},
      /* LIBSVM text: its label, which is classes if whole. */
      {"3 1:1\n1 2:1\n2 1:5\n", {0}, ENTROPIC_TASK_AUTO, "x1, x2 : label[1 2 3]", "1 0 > 2/ 0 1 > 0/ 5 0 > 1"},
      {"3 1:1\n1.5 2:1\n2 1:5\n", {0}, ENTROPIC_TASK_AUTO, "x1, x2 : label", "1 0 > 3/ 0 1 > 1.5/ 5 0 > 2"},
      {"3 1:1\n1.5 2:1\n3 1:5\n", {0}, ENTROPIC_TASK_AUTO, "x1, x2 : label[1.5 3]", "1 0 > 1/ 0 1 > 0/ 5 0 > 1"},
      {"3 1:1\n3 2:1\n", {0}, ENTROPIC_TASK_AUTO, "x1, x2 : label", "1 0 > 3/ 0 1 > 3"},
      {"3 1:1 2:7\n3 2:8\n", {.targets = "x1"}, ENTROPIC_TASK_REGRESSION, "x2 : x1", "7 > 1/ 8 > 0"},
      /* Rows. */
      {"a,y\n1,2\n2,\n3,9\n4,?\n5,4\n", {.targets = "y"}, ENTROPIC_TASK_AUTO, "a : y", "1 > 2/ 3 > 9/ 5 > 4"},
      {"a,y,z\n1,2,\n2,,1\n3,9,8\n4,8,7\n", {.targets = "y,z"}, ENTROPIC_TASK_AUTO, "a : y z", "3 > 9 8/ 4 > 8 7"},
      {"a,w,y\n1,2,2\n2,0,3\n3,0.5,4\n4,,\n",
       {.targets = "y", .weights = "w"},
       ENTROPIC_TASK_REGRESSION,
       "a : y",
       "1 > 2 *2/ 3 > 4 *0.5"},
      {"a,g,y\n1,9,2\n2,7,3\n3,9,4\n4,-3,5\n5,7,6\n",
       {.targets = "y", .groups = "g"},
       ENTROPIC_TASK_REGRESSION,
       "a : y",
       "1 > 2 @0/ 2 > 3 @1/ 3 > 4 @0/ 4 > 5 @2/ 5 > 6 @1"},
      {"a,g,y\n1,z,\n2,y,3\n3,z,4\n4,y,5\n",
       {.targets = "y", .groups = "g"},
       ENTROPIC_TASK_REGRESSION,
       "a : y",
       "2 > 3 @0/ 3 > 4 @1/ 4 > 5 @0"},
      /* Inputs. */
      {"c,a,y\n5,1,2\n5,2,3\n5,3,4\n", {.targets = "y"}, ENTROPIC_TASK_REGRESSION, "a : y", "1 > 2/ 2 > 3/ 3 > 4"},
      {"c,a,y\n5,1,2\n6,2,\n5,3,4\n", {.targets = "y"}, ENTROPIC_TASK_REGRESSION, "a : y", "1 > 2/ 3 > 4"},
      {"c,a,y\n5,1,2\n,2,3\n5,3,4\n",
       {.targets = "y"},
       ENTROPIC_TASK_REGRESSION,
       "c?, a : y",
       "5 1 > 2/ . 2 > 3/ 5 3 > 4"},
      {"c,a,y\n,1,2\n6,2,\n,3,4\n", {.targets = "y"}, ENTROPIC_TASK_REGRESSION, "a : y", "1 > 2/ 3 > 4"},
      {"c,a,y\n5,1,2\n5,2,3\n5,3,4\n",
       {.targets = "y", .categorical = "c"},
       ENTROPIC_TASK_REGRESSION,
       "c[5], a : y",
       "0 1 > 2/ 0 2 > 3/ 0 3 > 4"},
      {"c,a,y\n,1,2\n,2,3\n", {.targets = "y", .categorical = "c"}, ENTROPIC_TASK_REGRESSION, "a : y", "1 > 2/ 2 > 3"},
      {"c,y\nred,1\nblue,2\ngreen,\n,3\nred,4\n",
       {.targets = "y"},
       ENTROPIC_TASK_REGRESSION,
       "c?[blue red] : y",
       "1 > 1/ 0 > 2/ . > 3/ 1 > 4"},
      {"c,a,y\n10,1,2\n9,2,3\n,3,\n10,4,5\n",
       {.targets = "y", .categorical = "c"},
       ENTROPIC_TASK_REGRESSION,
       "c[9 10], a : y",
       "1 1 > 2/ 0 2 > 3/ 1 4 > 5"},
      {"b,a,y\n1,2,3\n4,5,6\n", {.targets = "y", .ignore = "b"}, ENTROPIC_TASK_REGRESSION, "a : y", "2 > 3/ 5 > 6"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_dataset *dataset = create(state, cases[i].text, &cases[i].roles, cases[i].task);
    assert_string_equal(show_schema(&dataset->schema), cases[i].schema);
    assert_string_equal(show_rows(dataset), cases[i].rows);
    entropic_dataset_info info = ent_dataset_describe(dataset);
    assert_int_equal(info.task, dataset->schema.classes > 0 ? ENTROPIC_TASK_CLASSIFICATION : ENTROPIC_TASK_REGRESSION);
    assert_int_equal(info.task_found, cases[i].task == ENTROPIC_TASK_AUTO);
    entropic_dataset_free(dataset);
  }
}

static void data_sets_are_described(void **state) {
  char text[4000] = "id,key,same,number,word,w,g,y\n", *p = text + strlen(text);
  for (int row = 0; row < 30; row++)
    p += sprintf(p, "%d,k%d,7,%s,%s,%d,%d,%s\n", row, row,
                 row % 5 == 0 ? ""
                 : row % 2    ? "3"
                              : "4",
                 row % 7 == 0 ? "?" : "u", row % 10 == 3 ? 0 : 1, row / 3,
                 row == 4  ? ""
                 : row % 3 ? "yes"
                           : "no");
  const ent_roles roles = {.targets = "y", .weights = "w", .groups = "g"};
  entropic_dataset *dataset = create(state, text, &roles, ENTROPIC_TASK_AUTO);
  entropic_dataset_info info = ent_dataset_describe(dataset);
  assert_int_equal(info.task, ENTROPIC_TASK_CLASSIFICATION);
  assert_int_equal(info.task_found, 1);
  assert_int_equal(info.rows, 26);
  assert_int_equal(info.inputs, 2);
  assert_int_equal(info.targets, 1);
  assert_int_equal(info.classes, 2);
  assert_int_equal(info.without_target, 1);
  assert_int_equal(info.without_weight, 3);
  size_t missing = 0;
  for (int row = 0; row < 30; row++)
    missing += row == 4 || row % 10 == 3 ? 0 : (size_t)(row % 5 == 0) + (size_t)(row % 7 == 0);
  assert_int_equal(info.missing, missing);
  assert_int_equal(info.unseen, 0);
  assert_int_equal(info.dropped, 3);
  assert_int_equal(info.weighted, 1);
  assert_int_equal(info.grouped, 1);
  assert_int_equal(info.groups, 10);
  assert_int_equal(info.constant_target, 0);
  static const char *const dropped[] = {"id", "key", "same"};
  static const entropic_column_type why[] = {ENTROPIC_COLUMN_TYPE_IDENTIFIER, ENTROPIC_COLUMN_TYPE_IDENTIFIER,
                                             ENTROPIC_COLUMN_TYPE_CONSTANT};
  for (size_t i = 0; i < COUNT(dropped); i++) {
    entropic_column_type type = ENTROPIC_COLUMN_TYPE_NUMBER;
    assert_string_equal(entropic_dataset_dropped(dataset, i, &type), dropped[i]);
    assert_int_equal(type, why[i]);
    assert_string_equal(entropic_dataset_dropped(dataset, i, NULL), dropped[i]);
  }
  assert_null(entropic_dataset_dropped(dataset, 3, NULL));
  assert_null(entropic_dataset_dropped(NULL, 0, NULL));
  assert_int_equal(ent_dataset_describe(NULL).rows, 0);
  entropic_dataset_free(dataset);
  entropic_dataset_free(NULL);
  /* An identifier that the caller calls categorical is an input. */
  const ent_roles declared = {.targets = "y", .categorical = "id,key", .ignore = "w,g"};
  dataset = create(state, text, &declared, ENTROPIC_TASK_AUTO);
  info = ent_dataset_describe(dataset);
  assert_int_equal(info.inputs, 4);
  assert_int_equal(info.weighted + info.grouped, 0);
  assert_int_equal(info.groups, 0);
  assert_int_equal(dataset->schema.input[0].categories, 29);
  assert_string_equal(dataset->schema.input[0].category[28], "29"); /* as numbers, and without the row left out */
  assert_string_equal(dataset->schema.input[1].category[28], "k9"); /* by bytes */
  entropic_dataset_free(dataset);
}

/* Once a file is read, rows have the numbers of their lines if they go together, otherwise their own. */
static void places_are_lines_or_rows(void **state) {
  static const struct {
    const char *text, *place;
  } cases[] = {
      {"k,y,w\n1,2,3\n3,4,-1\n", "line 3"},
      {"k,y,w\r\n1,2,3\r\n3,4,-1", "line 3"},
      {"k,y,w\r1,2,3\r3,4,-1\r", "line 3"},
      {"# of old\nk,y,w\n1,2,3\n3,4,-1\n", "line 4"},
      {"# of old\nk,y,w\n1,2,3\n# of new\n3,4,-1\n", "row 2"},
      {"k,y,w\n1,2,3\n\n3,4,-1\n", "row 2"},
      {"k,y,w\n\"p\nq\",2,3\nr,4,-1\n", "row 2"},
      {"\"k\nl\",y,w\n1,2,3\n3,4,-1\n", "line 4"},
      {"k,y,w\n1,2,3\n3,4,-1\n\n", "row 2"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const char *path = in_folder(state, "file");
    ent_read_options options = ent_read_options_default();
    options.roles = (ent_roles){.targets = "y", .weights = "w"};
    write_file(path, cases[i].text, strlen(cases[i].text));
    entropic_table *table;
    entropic_dataset *dataset;
    assert_int_equal(ent_table_load(context, path, &options, &table), ENTROPIC_OK);
    assert_int_equal(ent_dataset_create(context, table, ENTROPIC_TASK_AUTO, &dataset), ENTROPIC_BAD_DATA);
    char message[200];
    snprintf(message, sizeof message, "file, %s, column 3 (w): found '-1', expected a weight", cases[i].place);
    assert_message(context, message);
    entropic_table_free(table);
  }
}

static void tables_are_refused(void **state) {
  static const struct {
    const char *text;
    ent_roles roles;
    entropic_task task;
    entropic_status status;
    const char *message;
  } cases[] = {
      {"a,y\n1,2\n3,4\n", {0}, ENTROPIC_TASK_AUTO, ENTROPIC_BAD_ARGUMENT, "file: no column has the role of a target"},
      {"1 1:2\n2 1:3\n", {.ignore = "label"}, ENTROPIC_TASK_AUTO, ENTROPIC_BAD_ARGUMENT, "the role of a target"},
      {"a,y\n1,2\n3,4\n", {.targets = "y"}, (entropic_task)3, ENTROPIC_BAD_ARGUMENT, "task is 3"},
      {"a,y\n1,\n3,\n",
       {.targets = "y"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file: none of the 2 rows can be used: 2 have no target (y), 0 have weight 0"},
      {"a,y,w\n1,2,0\n3,,4\n",
       {.targets = "y", .weights = "w"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file: none of the 2 rows can be used: 1 have no target (y), 1 have weight 0"},
      {"y\n1\n3\n", {.targets = "y"}, ENTROPIC_TASK_AUTO, ENTROPIC_BAD_DATA, "file has no inputs"},
      {"a,y\n1,1\n1,3\n",
       {.targets = "y"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "no input is left, all 1 are constant or identifiers; a is constant"},
      {"a,b,y\n1,2,3\n",
       {.targets = "y"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file: there is one row to learn from, of 1; expected two or more"},
      {"a,b,y\n1,2,\n3,4,7\n5,6,\n",
       {.targets = "y"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file: there is one row to learn from, of 3; expected two or more"},
      {"a,y,w\n1,2,1\n3,4,-0.5\n",
       {.targets = "y", .weights = "w"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file, line 3, column 3 (w): found '-0.5', expected a weight of 0 or more"},
      {"a,y,w\n1,2,\n3,4,1\n",
       {.targets = "y", .weights = "w"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file, line 2, column 3 (w): found '', expected a weight of 0 or more"},
      {"a,y,w\n1,2,NA\n3,4,1\n",
       {.targets = "y", .weights = "w"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file, line 2, column 3 (w): found 'NA', expected a weight of 0 or more"},
      /* The row without a target is not asked for its weight. */
      {"a,y,w\n1,,?\n3,4,1\n5,6,-\n1,3,2\n",
       {.targets = "y", .weights = "w"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file, line 4, column 3 (w): found '-', expected a weight of 0 or more"},
      {"a,y,w\n1,2,3\n3,4,x\n",
       {.targets = "y", .weights = "w"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file, line 3, column 3 (w): found 'x', expected a number as the row's weight"},
      {"a,y,w\n1,2,3\n3,4,5\n",
       {.targets = "y", .weights = "w", .categorical = "w"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file, line 2, column 3 (w): found '3', expected a number as the row's weight"},
      {"a,y,g\n1,2,3\n3,4,\n",
       {.targets = "y", .groups = "g"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file, line 3, column 3 (g): found '', expected a group"},
      {"a,y,g\n1,2,3\n3,4,-\n",
       {.targets = "y", .groups = "g"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file, line 3, column 3 (g): found '-', expected a group"},
      {"a,y,g\n1,2,u\n3,4,null\n",
       {.targets = "y", .groups = "g"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file, line 3, column 3 (g): found 'null', expected a group"},
      {"a,y\n1,no\n3,no\n",
       {.targets = "y"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "column 2 (y) is 'no' in every row, expected two classes or more"},
      {"a,y\n1,4\n3,4\n",
       {.targets = "y"},
       ENTROPIC_TASK_CLASSIFICATION,
       ENTROPIC_BAD_DATA,
       "column 2 (y) is '4' in every row, expected two classes or more"},
      {"a,y\n1,2\n3,no\n",
       {.targets = "y"},
       ENTROPIC_TASK_REGRESSION,
       ENTROPIC_BAD_DATA,
       "file, line 3, column 2 (y): found 'no', expected a number (text can be learnt as classes)"},
      {"a,y,z\n1,2,5\n3,no,6\n",
       {.targets = "z,y"},
       ENTROPIC_TASK_AUTO,
       ENTROPIC_BAD_DATA,
       "file, line 3, column 2 (y): found 'no', expected a number (of several targets none can be text)"},
      {"a,y,z\n1,2,5\n3,3,6\n",
       {.targets = "z,y"},
       ENTROPIC_TASK_CLASSIFICATION,
       ENTROPIC_BAD_ARGUMENT,
       "there are 2 targets, expected one to learn classes"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_table *table = load(state, cases[i].text, &cases[i].roles);
    entropic_dataset *dataset = NULL;
    assert_int_equal(ent_dataset_create(context, table, cases[i].task, &dataset), cases[i].status);
    assert_message(context, cases[i].message);
    assert_null(dataset);
    assert_int_equal(ent_dataset_create(NULL, table, cases[i].task, &dataset), cases[i].status);
    entropic_table_free(table);
  }
  entropic_dataset *dataset = NULL;
  assert_int_equal(ent_dataset_create(context, NULL, ENTROPIC_TASK_AUTO, &dataset), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "table is NULL");
  entropic_table *table = load(state, "a,y\n1,2\n3,4\n", NULL);
  assert_int_equal(ent_dataset_create(context, table, ENTROPIC_TASK_AUTO, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "dataset is NULL");
  entropic_table_free(table);
}

/* A table of one input and a target, row by row. */
static entropic_status try_target(size_t rows, double (*target)(size_t row), entropic_task task, size_t *classes) {
  double *values = malloc(rows * 2 * sizeof *values);
  assert_non_null(values);
  for (size_t row = 0; row < rows; row++) {
    values[2 * row] = (double)(row % 17);
    values[2 * row + 1] = target(row);
  }
  const ent_roles roles = {.targets = "2"};
  entropic_table *table = NULL;
  assert_int_equal(ent_table_create(context, values, rows, 2, 2, NULL, &roles, &table), ENTROPIC_OK);
  free(values);
  entropic_dataset *dataset = NULL;
  entropic_status status = ent_dataset_create(context, table, task, &dataset);
  *classes = ent_dataset_describe(dataset).classes;
  entropic_dataset_free(dataset);
  entropic_table_free(table);
  return status;
}

static double whole(size_t row) {
  return (double)(row * 7 % 10000);
}

static double whole_and_one(size_t row) {
  return (double)(row * 7 % 10001);
}

static double hundred_halves(size_t row) {
  return 0.5 * (double)(row % 100);
}

static double more_halves(size_t row) {
  return 0.5 * (double)(row % 101);
}

static void there_are_limits_to_classes(void **state) {
  (void)state;
  size_t classes = 0;
  assert_int_equal(try_target(20000, whole, ENTROPIC_TASK_CLASSIFICATION, &classes), ENTROPIC_OK);
  assert_int_equal(classes, 10000);
  assert_int_equal(try_target(20002, whole_and_one, ENTROPIC_TASK_CLASSIFICATION, &classes), ENTROPIC_BAD_DATA);
  assert_message(context, "column 2 (x2) has over 10000 distinct values, too many for classes");
  assert_int_equal(try_target(300, hundred_halves, ENTROPIC_TASK_CLASSIFICATION, &classes), ENTROPIC_OK);
  assert_int_equal(classes, 100);
  assert_int_equal(try_target(300, more_halves, ENTROPIC_TASK_CLASSIFICATION, &classes), ENTROPIC_BAD_DATA);
  assert_message(context, "has over 100 distinct values, some of them not whole numbers, too many for classes");
  assert_int_equal(try_target(300, more_halves, ENTROPIC_TASK_AUTO, &classes), ENTROPIC_OK);
  assert_int_equal(classes, 0);
}

/* The order of rows decides nothing about names, so that the model does not depend on it. */
static void order_of_rows_does_not_matter(void **state) {
  const ent_roles roles = {.targets = "y"};
  entropic_dataset *one = create(state, "c,a,y\nu,1,p\nv,2,q\nw,3,r\nv,4,p\n", &roles, ENTROPIC_TASK_AUTO);
  char schema[2000];
  strcpy(schema, show_schema(&one->schema));
  entropic_dataset *other = create(state, "c,a,y\nw,3,r\nv,4,p\nv,2,q\nu,1,p\n", &roles, ENTROPIC_TASK_AUTO);
  assert_string_equal(show_schema(&other->schema), schema);
  assert_string_equal(show_rows(other), "2 3 > 2/ 1 4 > 0/ 1 2 > 1/ 0 1 > 0");
  entropic_dataset_free(one);
  entropic_dataset_free(other);
}

SUITE(model_dataset) {
  const struct CMUnitTest tests[] = {TEST(tables_become_data_sets),     TEST(data_sets_are_described),
                                     TEST(places_are_lines_or_rows),    TEST(tables_are_refused),
                                     TEST(there_are_limits_to_classes), TEST(order_of_rows_does_not_matter)};
  return cmocka_run_group_tests_name("model_dataset", tests, NULL, NULL);
}
