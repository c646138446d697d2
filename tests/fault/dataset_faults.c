/* Running out of memory in tables from memory, data sets, row readers and scores. */
#include "unit/modelling.h"

#include "fault/failing_malloc.h"
#include "dataset/target_means.h"

typedef struct setting {
  entropic_context *context;
  const entropic_table *table;
  const entropic_dataset *like;
  const entropic_model *model;
  const char *path;
  entropic_task task;
} setting;

static setting at;

static int start(void **state) {
  at = (setting){0};
  return entropic_context_create(&at.context) != ENTROPIC_OK || make_folder(state);
}

static int stop(void **state) {
  entropic_context_free(at.context);
  return remove_folder(state);
}

static entropic_status create_table(void *argument) {
  setting *of = argument;
  static const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const char *names[] = {"a", NULL, "c"};
  const ent_roles roles = {.targets = "a", .categorical = "c"};
  entropic_table *table = untouched();
  entropic_status status = ent_table_create(of->context, values, 3, 3, 3, names, &roles, &table);
  if (status != ENTROPIC_OK)
    return check_failed(status, of->context, table);
  entropic_table_free(table);
  return ENTROPIC_OK;
}

static entropic_status create_dataset(void *argument) {
  setting *of = argument;
  entropic_dataset *dataset = untouched();
  entropic_status status = of->like == NULL
                               ? ent_dataset_create(of->context, of->table, of->task, &dataset)
                               : entropic_dataset_create_with_schema(of->context, of->table, of->like, &dataset);
  if (status != ENTROPIC_OK)
    return check_failed(status, of->context, dataset);
  assert_int_equal(ent_dataset_describe(dataset).rows, 6);
  entropic_dataset_free(dataset);
  return ENTROPIC_OK;
}

static entropic_status read_rows(void *argument) {
  setting *of = argument;
  ent_read_options options = ent_read_options_default();
  options.roles.weights = "w";
  entropic_row_reader *reader = untouched();
  entropic_status status = ent_row_reader_open(of->context, of->model, of->path, &options, 1, &reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, of->context, reader);
  ent_score_figures scores = {.rows = 7};
  status = model_score(of->context, of->model, reader, NULL, &scores);
  entropic_row_reader_free(reader);
  assert_int_equal(scores.rows, status == ENTROPIC_OK ? 4 : 7);
  return status == ENTROPIC_OK ? status : check_failed(status, of->context, untouched());
}

/* Rows that carry all columns along. */
static entropic_status carry_rows(void *argument) {
  setting *of = argument;
  entropic_row_reader *reader = untouched();
  double x[3 * 3];
  size_t rows = 0;
  entropic_status status = ent_row_reader_open(of->context, of->model, of->path, NULL, 0, &reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, of->context, reader);
  status = entropic_row_reader_carry(of->context, reader, "all");
  if (status == ENTROPIC_OK)
    status = entropic_row_reader_next(of->context, reader, 3, x, NULL, NULL, &rows);
  if (status == ENTROPIC_OK) {
    assert_true(entropic_row_reader_carried(reader) > 0 && rows > 0);
    assert_non_null(entropic_row_reader_carried_name(reader, 0));
    assert_non_null(entropic_row_reader_carried_text(reader, 0, 0));
    assert_true(entropic_date_part(4, "weekday") == 0); /* a Monday */
  }
  entropic_row_reader_free(reader);
  return status == ENTROPIC_OK ? status : check_failed(status, of->context, untouched());
}

/* The same rows without targets, one block after the other. */
static entropic_status read_blocks(void *argument) {
  setting *of = argument;
  entropic_row_reader *reader = untouched();
  entropic_status status = ent_row_reader_open(of->context, of->model, of->path, NULL, 0, &reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, of->context, reader);
  double x[3 * 3];
  size_t rows = 1, all = 0;
  while (rows > 0 && status == ENTROPIC_OK) {
    status = entropic_row_reader_next(of->context, reader, 3, x, NULL, NULL, &rows);
    all += status == ENTROPIC_OK ? rows : 0;
  }
  entropic_row_reader_free(reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, of->context, untouched());
  assert_int_equal(all, 4);
  return ENTROPIC_OK;
}

static void tables(void **state) {
  (void)state;
  assert_true(expect_each_allocation_failure(create_table, &at) > 10);
}

static void datasets(void **state) {
  static const struct {
    const char *text;
    const char *categorical;
    entropic_task task;
    bool timed; /* by the column w, without groups */
  } cases[] = {
      {"same,kind,number,g,w,y\n7,u,1,p,1,yes\n7,v,2,q,1,no\n7,u,,p,2,yes\n7,w,4,q,1,no\n7,,5,p,1,no\n7,v,6,q,3,yes\n",
       NULL, ENTROPIC_TASK_AUTO, false},
      {"same,kind,number,g,w,y\n7,1,1,p,1,1\n7,0.1,2,q,1,2\n7,u,,p,2,3\n7,w,4,q,1,1\n7,,5,p,1,2\n7,v,6,q,3,3\n", NULL,
       ENTROPIC_TASK_CLASSIFICATION, false},
      {"same,kind,number,g,w,y\n7,1,$1,p,1,1.0\n7,1.0,$2,q,1,2\n7,u,,p,2,3\n7,w,$4,q,1,1\n7,,$5,p,1,2\n7,v,$6,q,3,3\n",
       NULL, ENTROPIC_TASK_CLASSIFICATION, false},
      {"same,kind,number,g,w,y\n7,u,1:00,p,1,$1\n7,v,2:00,q,1,$2\n7,u,,p,2,$3\n7,w,4:00,q,1,$1\n7,,5:00,p,1,$2\n"
       "7,v,6:00,q,3,$3\n",
       NULL, ENTROPIC_TASK_REGRESSION, false},
      {"same,kind,number,g,w,y\n7,1,1,1,1,1.5\n7,2,2,2,1,2\n7,1,,1,2,3\n7,3,4,2,1,1\n7,,5,1,1,2\n7,1,6,2,3,3\n", "kind",
       ENTROPIC_TASK_REGRESSION, false},
      {"kind,number,again,g,w,y,copy\nu,1,1,p,1,1,u\nv,2,2,q,1,2,v\nu,,,p,2,3,u\nw,4,4,q,1,1,w\n,5,5,p,1,2,\nv,6,6,q,3,"
       "3,v\n",
       NULL, ENTROPIC_TASK_REGRESSION, false},
      {"same,kind,number,g,w,y\n7,u,1,p,2020-01-01,yes\n7,v,2,q,2020-01-02,no\n7,u,,p,2020-01-03,yes\n"
       "7,w,4,q,2020-01-04,no\n7,,5,p,2020-01-05,no\n7,v,6,q,2020-01-06,yes\n",
       NULL, ENTROPIC_TASK_AUTO, true},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const char *path = in_folder(state, "file.csv");
    write_file(path, cases[i].text, strlen(cases[i].text));
    ent_read_options options = ent_read_options_default();
    options.roles = (ent_roles){.targets = "y", .weights = "w", .groups = "g", .categorical = cases[i].categorical};
    options.missing = i % 2 == 0 ? NULL : "none,-9";
    if (cases[i].timed)
      options.roles = (ent_roles){.targets = "y", .ignore = "w", .time = "w"};
    entropic_table *table = NULL;
    entropic_dataset *dataset = NULL;
    ASSERT_OK(at.context, ent_table_load(at.context, path, &options, &table));
    at.table = table;
    at.task = cases[i].task;
    at.like = NULL;
    assert_true(expect_each_allocation_failure(create_dataset, &at) > 25);
    ASSERT_OK(at.context, ent_dataset_create(at.context, table, at.task, &dataset));
    at.like = dataset;
    assert_true(expect_each_allocation_failure(create_dataset, &at) > 20);
    entropic_dataset_free(dataset);
    entropic_table_free(table);
  }
}

static entropic_status make_means(void *argument) {
  setting *of = argument;
  ent_target_means *means = untouched();
  double **values = NULL;
  const ent_means_rows rows = {.data = of->like, .most = 10};
  entropic_status status = ent_means_make(of->context, &rows, &means, &values);
  if (status != ENTROPIC_OK)
    return check_failed(status, of->context, untouched());
  assert_int_equal(means->set_count, 3);
  ent_means_free_values(values, means->set_count);
  ent_means_free(means);
  return ENTROPIC_OK;
}

/* Two categories and their pair, by folds and by time. */
static void target_means(void **state) {
  (void)state;
  enum { ROWS = 120 };
  double x[ROWS * 2], y[ROWS], time[ROWS];
  char first[] = "a", second[] = "b", target[] = "y", *targets[] = {target};
  ent_input inputs[] = {{.name = first, .categories = 12}, {.name = second, .categories = 11}};
  for (size_t r = 0; r < ROWS; r++) {
    x[2 * r] = (double)(r % 12);
    x[2 * r + 1] = (double)(r % 11);
    y[r] = x[2 * r] + 2 * x[2 * r + 1];
    time[r] = (double)(r / 3);
  }
  entropic_dataset data = {.rows = ROWS, .x = x, .y = y};
  data.schema = (ent_schema){.inputs = 2, .input = inputs, .targets = 1, .target = targets};
  at.like = &data;
  assert_true(expect_each_allocation_failure(make_means, &at) > 15);
  data.time = time;
  assert_true(expect_each_allocation_failure(make_means, &at) > 20);
}

static void row_readers(void **state) {
  entropic_context_set_threads(at.context, 1);
  for (size_t i = 0; i < MODEL_PLANS; i++) {
    if (model_plans[i].inputs != 2 && model_plans[i].inputs != 3)
      continue;
    entropic_model *model = plan_model(&model_plans[i], 1);
    model->schema.missing_marks = ent_new_text(NULL, "none", 4);
    assert_non_null(model->schema.missing_marks);
    char text[2000], *p = text + sprintf(text, "w,target 1");
    for (size_t k = 0; k < model_plans[i].inputs; k++)
      p += sprintf(p, ",\"input \"\"%zu\"\" \xc3\xa9\"", k + 1);
    p += sprintf(p, "\n");
    for (int row = 0; row < 4; row++) {
      p += sprintf(p, "%d,%d,%d", row + 1, row % 2 + 1, row);
      for (size_t k = 1; k < model_plans[i].inputs; k++)
        p += sprintf(p, row == 2 ? ",0.1" : ",%d", row);
      p += sprintf(p, "\n");
    }
    at.path = in_folder(state, "rows.csv");
    at.model = model;
    write_file(at.path, text, (size_t)(p - text));
    assert_true(expect_each_allocation_failure(read_rows, &at) > 30);
    assert_true(expect_each_allocation_failure(read_blocks, &at) > 20);
    assert_true(expect_each_allocation_failure(carry_rows, &at) > 20);
    entropic_model_free(model);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

SUITE(dataset_faults) {
  const struct CMUnitTest tests[] = {
      TEST(tables),
      TEST(datasets),
      TEST(target_means),
      TEST(row_readers),
  };
  return cmocka_run_group_tests_name("dataset_faults", tests, NULL, NULL);
}
