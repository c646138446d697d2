/* Files of statistics, and what goes together: everything that is wrong is refused, by the name of what is wrong. */
#include "unit/collecting.h"

#include <zlib.h>

#include "unit/fixture.h"

enum { ROWS = 40 };

static void put(uint8_t *at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++)
    at[i] = (uint8_t)(value >> 8 * i);
}

/* Makes length and sum right again after a change. */
static void seal(uint8_t *bytes, size_t count) {
  put(bytes + 12, count, 8);
  put(bytes + count - 4, crc32_z(0, bytes, count - 4), 4);
}

/* A model that keeps its statistics, of two members, with missing values. */
static entropic_model *model_of(sheet *s, size_t features) {
  const collecting *c = collecting_named("missing");
  *s = collecting_sheet(c, ROWS, 1);
  ent_fit_options options = collecting_options(c);
  options.features = features;
  return fit_sheet(context, s, c->task, &options);
}

static entropic_model *small_model(sheet *s) {
  return model_of(s, 3);
}

static entropic_statistics *small_statistics(void) {
  sheet s;
  entropic_statistics *statistics = NULL;
  entropic_model *model = small_model(&s);
  ASSERT_OK(context, entropic_statistics_of_model(context, model, &statistics));
  entropic_model_free(model);
  sheet_stop(&s);
  return statistics;
}

/* Loads bytes; what is accepted must be whole: it has a receipt, is saved as bytes that give the same bytes again, and is
 * solved or refused. */
static entropic_status load(const uint8_t *bytes, size_t count) {
  entropic_statistics *loaded = NULL;
  entropic_status status = entropic_statistics_load_memory(context, bytes, count, &loaded);
  if (status != ENTROPIC_OK) {
    assert_null(loaded);
    assert_true(entropic_context_message(context)[0] != '\0');
    return status;
  }
  entropic_model *model = NULL;
  char receipt[ENTROPIC_RECEIPT_SIZE];
  ASSERT_OK(context, entropic_statistics_receipt(context, loaded, receipt));
  held_bytes again = bytes_of_statistics(context, loaded);
  entropic_statistics *second = NULL;
  ASSERT_OK(context, entropic_statistics_load_memory(context, again.bytes, again.count, &second));
  held_bytes third = bytes_of_statistics(context, second);
  assert_same_bytes(again, third);
  entropic_bytes_free(third.bytes);
  entropic_statistics_free(second);
  entropic_status solved = entropic_statistics_solve(context, loaded, NULL, &model);
  assert_true(solved == ENTROPIC_OK || solved == ENTROPIC_BAD_DATA);
  entropic_model_free(model);
  entropic_bytes_free(again.bytes);
  entropic_statistics_free(loaded);
  return ENTROPIC_OK;
}

static void there_and_back(void **state) {
  entropic_statistics *statistics = small_statistics(), *loaded = NULL;
  char path[512];
  snprintf(path, sizeof path, "%s", in_folder(state, "a.stat"));
  held_bytes held = bytes_of_statistics(context, statistics);
  assert_int_equal(load(held.bytes, held.count), ENTROPIC_OK);
  ASSERT_OK(context, entropic_statistics_save(context, statistics, path));
  size_t count;
  uint8_t *file = (uint8_t *)read_whole(path, &count);
  assert_int_equal(count, held.count);
  assert_memory_equal(file, held.bytes, count);
  ASSERT_OK(context, entropic_statistics_load(context, path, &loaded));
  held_bytes again = bytes_of_statistics(context, loaded);
  assert_same_bytes(held, again);
  free(file);
  entropic_bytes_free(held.bytes);
  entropic_bytes_free(again.bytes);
  entropic_statistics_free(loaded);
  entropic_statistics_free(statistics);
}

static void any_end_cut_off(void **state) {
  (void)state;
  entropic_statistics *statistics = small_statistics();
  held_bytes held = bytes_of_statistics(context, statistics);
  size_t found = 0;
  for (size_t count = 0; count < held.count; count++) {
    assert_int_equal(load(held.bytes, count), ENTROPIC_BAD_DATA);
    if (count < 24)
      continue;
    uint8_t *shorter = malloc(count);
    memcpy(shorter, held.bytes, count);
    seal(shorter, count);
    /* Without the last section, sums behind marginals, it is a file as older versions wrote it. */
    bool old = count + 4 <= held.count && memcmp(held.bytes + count - 4, "msum", 4) == 0;
    assert_int_equal(load(shorter, count), old ? ENTROPIC_OK : ENTROPIC_BAD_DATA);
    found += old;
    free(shorter);
  }
  assert_int_equal(found, 1);
  entropic_bytes_free(held.bytes);
  entropic_statistics_free(statistics);
}

static void any_byte_changed(void **state) {
  (void)state;
  entropic_statistics *statistics = small_statistics();
  held_bytes held = bytes_of_statistics(context, statistics);
  size_t accepted = 0, refused = 0, step = quick_tests() ? 7 : 1;
  for (size_t at = 0; at + 4 < held.count; at += step) {
    uint8_t was = held.bytes[at];
    const uint8_t others[] = {was ^ 1, was ^ 128, 0, 255, (uint8_t)(was + 1)};
    for (size_t k = 0; k < sizeof others; k++) {
      if (others[k] == was)
        continue;
      held.bytes[at] = others[k];
      assert_int_equal(load(held.bytes, held.count), ENTROPIC_BAD_DATA);
      uint8_t end[4], length[8];
      memcpy(length, held.bytes + 12, 8);
      memcpy(end, held.bytes + held.count - 4, 4);
      seal(held.bytes, held.count);
      entropic_status status = load(held.bytes, held.count);
      assert_true(status == ENTROPIC_OK || status == ENTROPIC_BAD_DATA);
      accepted += status == ENTROPIC_OK;
      refused += status != ENTROPIC_OK;
      memcpy(held.bytes + 12, length, 8);
      memcpy(held.bytes + held.count - 4, end, 4);
    }
    held.bytes[at] = was;
  }
  assert_true(accepted > 100 && refused > 100); /* integers may be anything, counts may not */
  entropic_bytes_free(held.bytes);
  entropic_statistics_free(statistics);
}

/* A model is no file of statistics, and the other way round. */
static void other_kinds(void **state) {
  (void)state;
  sheet s;
  entropic_model *model = small_model(&s), *none = NULL;
  entropic_statistics *statistics = NULL, *nothing = NULL;
  ASSERT_OK(context, entropic_statistics_of_model(context, model, &statistics));
  held_bytes a = bytes_of_model(context, model), b = bytes_of_statistics(context, statistics);
  assert_int_equal(entropic_statistics_load_memory(context, a.bytes, a.count, &nothing), ENTROPIC_BAD_DATA);
  assert_message(context, "not a file of Entropic's statistics, but a model");
  assert_int_equal(entropic_model_load_memory(context, b.bytes, b.count, &none), ENTROPIC_BAD_DATA);
  assert_message(context, "not an Entropic model, but statistics");
  assert_int_equal(entropic_statistics_load_memory(context, "entropic", 8, &nothing), ENTROPIC_BAD_DATA);
  assert_message(context, "not a file of Entropic's statistics");
  assert_true(none == NULL && nothing == NULL);
  entropic_bytes_free(a.bytes);
  entropic_bytes_free(b.bytes);
  entropic_statistics_free(statistics);
  entropic_model_free(model);
  sheet_stop(&s);
}

/* What can differ between two designs, and what a refusal calls it. */
typedef enum difference {
  SCALER,
  KERNEL_OMEGA,
  CATEGORIES,
  INPUT_NAME,
  TARGET_NAME,
  RANGE,
  LAMBDA,
  MEMBERS,
  MEMBER_FEATURES,
  FEATURE_SCALE,
  TARGET_SCALE,
  SHIFT,
  WEIGHT_SCALE,
  MISSING_FACTORS,
  TRANSFORM,
  TEMPERATURE,
  DIFFERENCES
} difference;

static const char *const difference_names[DIFFERENCES] = {"the scaler",
                                                          "the kernel",
                                                          "the categories of input 2",
                                                          "the inputs",
                                                          "the targets",
                                                          "the range of predictions",
                                                          "the lambda of member 2",
                                                          "the number of members",
                                                          "the features of member 1",
                                                          "the scales of features",
                                                          "the scale of the target",
                                                          "the shift of the target",
                                                          "the scale of weights",
                                                          "the factors of missing values",
                                                          "the target transform",
                                                          "the inverse temperature"};

static void rename_to(char **name, const char *text) {
  ent_delete(*name);
  *name = ent_new_text(NULL, text, strlen(text));
}

/* Makes one thing of a design different. */
static void differ(entropic_model *model, difference what) {
  ent_frozen *frozen = model->frozen;
  switch (what) {
  case SCALER:
    model->main.scaler->scales[1].at[0] -= 1;
    break;
  case KERNEL_OMEGA:
    ((ent_axis *)model->main.kernel->axes[2])->options.omega *= 2;
    break;
  case CATEGORIES:
    model->schema.input[1].categories = 1;
    ent_delete(model->schema.input[1].category); /* an empty list */
    model->schema.input[1].category = ent_new(NULL, 1, sizeof(char *));
    rename_to(&model->schema.input[1].category[0], "red");
    break;
  case INPUT_NAME:
    rename_to(&model->schema.input[0].name, "other");
    break;
  case TARGET_NAME:
    rename_to(&model->schema.target[0], "other");
    break;
  case RANGE:
    model->bounds[0] -= 1;
    break;
  case LAMBDA:
    frozen->members[1].lambda *= 2;
    break;
  case MEMBERS:
    ent_delete(frozen->members[1].features);
    frozen->member_count = 1;
    break;
  case MEMBER_FEATURES:
    frozen->members[0].count--;
    break;
  case FEATURE_SCALE:
    frozen->exponents[1]++;
    break;
  case TARGET_SCALE:
    frozen->target_exponent[0]++;
    break;
  case SHIFT:
    frozen->shift[0] += 1;
    break;
  case WEIGHT_SCALE:
    frozen->root_exponent++;
    break;
  case MISSING_FACTORS:
    frozen->missing[0] += 0.5;
    break;
  case TRANSFORM:
    model->link.number = ENT_LINK_ROOT;
    model->link.sign = 1;
    break;
  case TEMPERATURE:
    model->link.inverse_temperature = 2;
    break;
  case DIFFERENCES:
    break;
  }
}

static void what_differs_is_named(void **state) {
  (void)state;
  sheet s;
  entropic_model *model = model_of(&s, 25);
  assert_int_equal(ent_model_used(model), 3);
  for (int what = 0; what <= DIFFERENCES; what++) {
    entropic_statistics *one = NULL, *other = NULL;
    ASSERT_OK(context, entropic_statistics_of_model(context, model, &one));
    ASSERT_OK(context, entropic_statistics_of_model(context, model, &other));
    differ(other->design.model, (difference)what);
    held_bytes before = bytes_of_statistics(context, one);
    entropic_status merged = entropic_statistics_merge(context, one, other);
    if (what == DIFFERENCES) {
      assert_int_equal(merged, ENTROPIC_OK);
      assert_int_equal(entropic_statistics_subtract(context, one, other), ENTROPIC_OK);
    } else {
      assert_int_equal(merged, ENTROPIC_BAD_DATA);
      assert_message(context, difference_names[what]);
      assert_int_equal(entropic_statistics_subtract(context, one, other), ENTROPIC_BAD_DATA);
      assert_message(context, difference_names[what]);
    }
    held_bytes after = bytes_of_statistics(context, one);
    assert_same_bytes(before, after);
    entropic_bytes_free(before.bytes);
    entropic_bytes_free(after.bytes);
    entropic_statistics_free(one);
    entropic_statistics_free(other);
  }
  entropic_model_free(model);
  sheet_stop(&s);
}

/* Another fit is another design. */
static void another_design(void **state) {
  (void)state;
  sheet s;
  entropic_model *model = small_model(&s);
  ent_fit_options options = fixed_options(1e-3, 9);
  entropic_model *another = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  entropic_statistics *one = NULL, *other = NULL;
  ASSERT_OK(context, entropic_statistics_create(context, model, &one));
  ASSERT_OK(context, entropic_statistics_create(context, another, &other));
  assert_int_equal(entropic_statistics_merge(context, one, other), ENTROPIC_BAD_DATA);
  assert_message(context, "expected statistics that were collected for the same design");
  entropic_statistics_free(one);
  entropic_statistics_free(other);
  entropic_model_free(model);
  entropic_model_free(another);
  sheet_stop(&s);
}

/* Models that can have no statistics, or keep none. */
static void models_without(void **state) {
  (void)state;
  const collecting *c = collecting_named("two classes");
  sheet s = collecting_sheet(c, 60, 2);
  ent_fit_options options = fixed_options(1e-2, 8);
  entropic_statistics *none = NULL;
  char receipt[ENTROPIC_RECEIPT_SIZE] = "untouched";
  options.loss = ENTROPIC_LOSS_LOGISTIC;
  entropic_model *model = fit_sheet(context, &s, c->task, &options);
  assert_int_equal(entropic_statistics_create(context, model, &none), ENTROPIC_BAD_DATA);
  assert_message(context, "the logistic loss");
  assert_message(context, "--loss squared");
  assert_int_equal(entropic_model_receipt(context, model, receipt), ENTROPIC_BAD_DATA);
  sheet_reader reader = read_sheet(context, model, &s);
  assert_int_equal(entropic_model_update(context, model, reader.reader, NULL), ENTROPIC_BAD_DATA);
  assert_message(context, "the logistic loss");
  sheet_reader_stop(&reader);
  entropic_model_free(model);
  options.loss = ENTROPIC_LOSS_SQUARED;
  options.solver = ENTROPIC_SOLVER_EXACT;
  options.features = 0;
  model = fit_sheet(context, &s, c->task, &options);
  assert_int_equal(entropic_statistics_create(context, model, &none), ENTROPIC_BAD_DATA);
  assert_message(context, "exact solver");
  reader = read_sheet(context, model, &s);
  assert_int_equal(entropic_model_refit(context, model, reader.reader, NULL), ENTROPIC_BAD_DATA);
  assert_message(context, "exact solver");
  sheet_reader_stop(&reader);
  entropic_model_free(model);
  options.solver = ENTROPIC_SOLVER_AUTO;
  options.features = 8;
  model = fit_sheet(context, &s, c->task, &options);
  assert_int_equal(entropic_statistics_of_model(context, model, &none), ENTROPIC_BAD_DATA);
  assert_message(context, "--keep-statistics");
  assert_null(none);
  assert_string_equal(receipt, "untouched");
  entropic_model_free(model);
  sheet_stop(&s);
}

/* Fits that cannot keep statistics say so. */
static void fits_without(void **state) {
  (void)state;
  const collecting *c = collecting_named("two classes");
  sheet s = collecting_sheet(c, 60, 3);
  entropic_dataset *data = dataset_of(context, &s, c->task);
  entropic_parameters *set = NULL;
  entropic_model *model = NULL;
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, &set));
  ASSERT_OK(context, entropic_parameters_set(context, set, "keep_statistics", "yes"));
  ASSERT_OK(context, entropic_parameters_set(context, set, "loss", "logistic"));
  assert_int_equal(entropic_fit(context, data, NULL, set, NULL, &model), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "keep-statistics is for the squared loss");
  ASSERT_OK(context, ent_parameters_reset(context, set, "loss"));
  ASSERT_OK(context, entropic_parameters_set(context, set, "solver", "exact"));
  assert_int_equal(entropic_fit(context, data, NULL, set, NULL, &model), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "keep-statistics cannot be combined");
  assert_null(model);
  ASSERT_OK(context, ent_parameters_reset(context, set, "solver"));
  ASSERT_OK(context, entropic_parameters_set(context, set, "features", "10"));
  ASSERT_OK(context, entropic_fit(context, data, NULL, set, NULL, &model));
  assert_int_equal(ent_model_describe(model).loss, ENTROPIC_LOSS_SQUARED);
  assert_true(entropic_model_statistics_bytes(model) > 0);
  entropic_model_free(model);
  entropic_parameters_free(set);
  entropic_dataset_free(data);
  sheet_stop(&s);
}

/* Tries a change that must be refused, and leave the model as it was. */
static void expect_refusal(entropic_model *model, const sheet *s, bool forget, const char *message) {
  held_bytes before = bytes_of_model(context, model);
  entropic_report *report = NULL;
  sheet_reader reader = read_sheet(context, model, s);
  assert_int_equal(forget ? entropic_model_forget(context, model, reader.reader, &report)
                          : entropic_model_update(context, model, reader.reader, &report),
                   ENTROPIC_BAD_DATA);
  assert_message(context, message);
  assert_null(report);
  held_bytes after = bytes_of_model(context, model);
  assert_same_bytes(before, after);
  entropic_bytes_free(before.bytes);
  entropic_bytes_free(after.bytes);
  sheet_reader_stop(&reader);
}

static void rows_that_do_not_fit(void **state) {
  (void)state;
  const collecting *c = collecting_named("weights");
  sheet s = collecting_sheet(c, ROWS, 4), others = collecting_sheet(c, ROWS, 5);
  entropic_model *model = collecting_fit(context, c, &s);
  double was = sheet_y(&others, 17)[1], least, most;
  ent_frozen_range(model, 1, &least, &most);
  sheet_y(&others, 17)[1] = most + 1;
  expect_refusal(model, &others, false, "row 18 (y2)");
  char low[ENTROPIC_NUMBER_SIZE];
  entropic_format_double(least, low);
  expect_refusal(model, &others, false, low);
  sheet_y(&others, 17)[1] = was;
  sheet_y(&others, 3)[2] = 1e9 + 0.5;
  expect_refusal(model, &others, false, "row 4 (w)");
  sheet_y(&others, 3)[2] = 1;
  expect_refusal(model, &s, true, "no rows");
  sheet many = collecting_sheet(c, ROWS + 1, 6);
  expect_refusal(model, &many, true, "never added");
  for (size_t r = 0; r < ROWS; r++)
    sheet_y(&others, r)[0] *= 3;
  others.rows = ROWS - 1;
  expect_refusal(model, &others, true, "never added"); /* larger squares than there are */
  entropic_model_free(model);
  sheet_stop(&s);
  sheet_stop(&others);
  sheet_stop(&many);
}

/* The report of rows, and readers that do not go with the model. */
static void reports_and_readers(void **state) {
  (void)state;
  const collecting *c = collecting_named("missing");
  sheet s = collecting_sheet(c, ROWS, 7), two = sheet_start(10, 2, 1, PLAIN, 8);
  entropic_model *model = collecting_fit(context, c, &s);
  ent_fit_options options = fixed_options(1e-3, 5);
  entropic_model *another = fit_sheet(context, &two, ENTROPIC_TASK_REGRESSION, &options);
  entropic_report *report = NULL;
  char receipt[ENTROPIC_RECEIPT_SIZE], found[ENTROPIC_RECEIPT_SIZE];
  double number;
  sheet_y(&s, 5)[0] = NAN;
  sheet_row(&s, 6)[1] = 7; /* beyond the range of the scaler */
  sheet_reader reader = read_sheet(context, model, &s), wrong = read_sheet(context, another, &two);
  ASSERT_OK(context, entropic_model_update(context, model, reader.reader, &report));
  assert_true(entropic_report_number(report, "rows", &number) && number == ROWS - 1);
  assert_true(entropic_report_number(report, "total_rows", &number) && number == 2 * ROWS - 1);
  assert_true(entropic_report_number(report, "dropped_rows", &number) && number == 1);
  assert_true(entropic_report_number(report, "missing", &number) && number == 14);
  assert_true(entropic_report_number(report, "outside", &number) && number >= 1);
  assert_true(entropic_report_text(report, "receipt", found, sizeof found));
  ASSERT_OK(context, entropic_model_receipt(context, model, receipt));
  assert_string_equal(found, receipt);
  entropic_report_free(report);
  sheet_reader scored = read_sheet(context, model, &s);
  ASSERT_OK(context, entropic_model_score(context, model, scored.reader, &report));
  assert_true(entropic_report_number(report, "validation_current", &number) && number == 0);
  assert_int_equal(entropic_model_update(context, model, wrong.reader, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "opened for another model");
  entropic_row_reader *without = NULL;
  ASSERT_OK(context, entropic_row_reader_open_table(context, model, reader.table, 0, &without));
  assert_int_equal(entropic_model_update(context, model, without, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "without targets");
  entropic_row_reader_free(without);
  assert_int_equal(entropic_model_refit(context, model, reader.reader, NULL), ENTROPIC_BAD_DATA);
  assert_message(context, "update and forget change it exactly");
  entropic_report_free(report);
  ASSERT_OK(context, entropic_model_report(context, model, &report));
  assert_true(entropic_report_number(report, "validation.current", &number) && number == 0);
  assert_true(entropic_report_number(report, "statistics_bytes", &number) &&
              number == (double)entropic_model_statistics_bytes(model));
  entropic_report_free(report);
  sheet_reader_stop(&reader);
  sheet_reader_stop(&scored);
  sheet_reader_stop(&wrong);
  entropic_model_free(model);
  entropic_model_free(another);
  sheet_stop(&s);
  sheet_stop(&two);
}

/* NULL where something is needed is said so. */
static void null_arguments(void **state) {
  (void)state;
  entropic_statistics *statistics = small_statistics(), *none = NULL;
  const entropic_model *design = entropic_frozen_design_model(entropic_statistics_design(statistics));
  entropic_statistics_info info;
  unsigned char *bytes = NULL;
  size_t count = 0;
  char receipt[ENTROPIC_RECEIPT_SIZE];
  entropic_model *model = NULL;
#define NEEDS(call) assert_int_equal(call, ENTROPIC_BAD_ARGUMENT)
  NEEDS(entropic_statistics_create(context, NULL, &none));
  NEEDS(entropic_statistics_create(context, design, NULL));
  NEEDS(entropic_statistics_create_for_design(context, NULL, &none));
  NEEDS(entropic_statistics_create_for_design(context, entropic_statistics_design(statistics), NULL));
  NEEDS(entropic_statistics_of_model(context, NULL, &none));
  NEEDS(entropic_statistics_of_model(context, design, NULL));
  NEEDS(entropic_statistics_describe(context, NULL, &info, sizeof info));
  NEEDS(entropic_statistics_describe(context, statistics, NULL, sizeof info));
  NEEDS(entropic_statistics_collect(context, NULL, NULL, NULL));
  NEEDS(entropic_statistics_collect(context, statistics, NULL, NULL));
  NEEDS(entropic_statistics_merge(context, NULL, statistics));
  NEEDS(entropic_statistics_merge(context, statistics, NULL));
  NEEDS(entropic_statistics_subtract(context, NULL, statistics));
  NEEDS(entropic_statistics_subtract(context, statistics, NULL));
  NEEDS(entropic_statistics_solve(context, NULL, NULL, &model));
  NEEDS(entropic_statistics_solve(context, statistics, NULL, NULL));
  NEEDS(entropic_statistics_receipt(context, NULL, receipt));
  NEEDS(entropic_statistics_receipt(context, statistics, NULL));
  NEEDS(entropic_model_receipt(context, NULL, receipt));
  NEEDS(entropic_model_update(context, NULL, NULL, NULL));
  NEEDS(entropic_model_forget(context, NULL, NULL, NULL));
  NEEDS(entropic_model_refit(context, NULL, NULL, NULL));
  NEEDS(entropic_statistics_save(context, NULL, "x"));
  NEEDS(entropic_statistics_save(context, statistics, NULL));
  NEEDS(entropic_statistics_load(context, NULL, &none));
  NEEDS(entropic_statistics_load(context, "x", NULL));
  NEEDS(entropic_statistics_save_memory(context, NULL, &bytes, &count));
  NEEDS(entropic_statistics_save_memory(context, statistics, NULL, &count));
  NEEDS(entropic_statistics_save_memory(context, statistics, &bytes, NULL));
  NEEDS(entropic_statistics_load_memory(context, NULL, 0, &none));
  NEEDS(entropic_statistics_load_memory(context, "x", 1, NULL));
#undef NEEDS
  assert_null(entropic_statistics_design(NULL));
  assert_null(entropic_frozen_design_model(NULL));
  entropic_frozen_design_free(NULL);
  assert_int_equal(entropic_model_statistics_bytes(NULL), 0);
  entropic_statistics_free(NULL);
  entropic_statistics_free(statistics);
}

SUITE(model_statistics_file) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back),        cmocka_unit_test(any_end_cut_off),
                                     cmocka_unit_test(any_byte_changed),      cmocka_unit_test(other_kinds),
                                     cmocka_unit_test(what_differs_is_named), cmocka_unit_test(another_design),
                                     cmocka_unit_test(models_without),        cmocka_unit_test(fits_without),
                                     cmocka_unit_test(rows_that_do_not_fit),  cmocka_unit_test(reports_and_readers),
                                     cmocka_unit_test(null_arguments)};
  return cmocka_run_group_tests_name("model_statistics_file", tests, start_in_folder, stop_in_folder);
}
