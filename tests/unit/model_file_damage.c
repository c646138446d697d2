/* Model files that are wrong: nothing gets past the reader. */
#include "unit/saving.h"

#define EXPECT_REFUSAL(state, bytes, count, message) expect_refusal(state, bytes, count, message, __LINE__)

static void expect_refusal(void **state, const uint8_t *bytes, size_t count, const char *message, int line) {
  entropic_context *context = context_with(1);
  entropic_model *model;
  if (load_bytes(state, context, bytes, count, &model) != ENTROPIC_BAD_DATA || model != NULL)
    _fail(__FILE__, line);
  test_message(entropic_context_message(context), in_folder(state, "changed"), __FILE__, line);
  test_message(entropic_context_message(context), message, __FILE__, line);
  entropic_context_free(context);
}

/* Two have what only the newest format has. */
static entropic_model *small_model(const model_plan *plan) {
  if (plan == small_plan("newest"))
    return plan_newest(plan, 1);
  return plan == small_plan("constant") ? plan_constant(plan, 1) : plan_model(plan, 1);
}

/* Something that was changed and accepted must be whole: it predicts, and is saved and read as the same. */
static void use(void **state, const model_plan *plan, const entropic_model *model) {
  saved first = save(state, model, "once"), second;
  entropic_model *again = load(in_folder(state, "once"));
  second = save(state, again, "twice");
  assert_int_equal(first.count, second.count);
  assert_memory_equal(first.bytes, second.bytes, first.count);
  assert_same_predictions(plan, model, again);
  free(first.bytes);
  free(second.bytes);
  entropic_model_free(again);
}

static void any_byte_changed(void **state) {
  for (size_t i = 0; i < COUNT(small_plans); i++) {
    entropic_model *model = small_model(&small_plans[i]), *loaded;
    entropic_context *context = context_with(1);
    saved file = save(state, model, "small");
    assert_true(file.count < 1000);
    size_t accepted = 0, refused = 0;
    for (size_t at = 0; at < file.count; at++) {
      uint8_t was = file.bytes[at];
      const uint8_t others[] = {was ^ 1, was ^ 2, was ^ 16,           was ^ 128,         0,
                                1,       255,     (uint8_t)(was + 1), (uint8_t)(was - 1)};
      for (size_t k = 0; k < sizeof others; k++) {
        if (others[k] == was)
          continue;
        file.bytes[at] = others[k];
        assert_int_equal(load_bytes(state, context, file.bytes, file.count, &loaded), ENTROPIC_BAD_DATA);
        if (at + 4 >= file.count)
          continue;
        uint8_t sum[4];
        memcpy(sum, file.bytes + file.count - 4, 4);
        seal(file.bytes, file.count);
        entropic_status status = load_bytes(state, context, file.bytes, file.count, &loaded);
        memcpy(file.bytes + file.count - 4, sum, 4);
        assert_true(status == ENTROPIC_OK || status == ENTROPIC_BAD_DATA);
        accepted += status == ENTROPIC_OK;
        refused += status != ENTROPIC_OK;
        if (status == ENTROPIC_OK && accepted % 64 == 0) /* saving takes its time */
          use(state, &small_plans[i], loaded);
        entropic_model_free(loaded);
      }
      file.bytes[at] = was;
    }
    assert_true(accepted > 300 && refused > 500); /* bytes of weights may be anything, those of counts may not */
    free(file.bytes);
    entropic_context_free(context);
    entropic_model_free(model);
  }
}

static void any_end_cut_off(void **state) {
  for (size_t i = 0; i < COUNT(small_plans); i++) {
    entropic_model *model = small_model(&small_plans[i]);
    saved file = save(state, model, "small");
    for (size_t count = 1; count < file.count; count++) {
      char message[64];
      snprintf(message, sizeof message, "is cut short at byte %zu", count);
      EXPECT_REFUSAL(state, file.bytes, count, message);
      if (count < 24)
        continue;
      /* The same with a length and a sum that fit what is left. */
      uint8_t *shorter = malloc(count);
      memcpy(shorter, file.bytes, count);
      put(shorter + 12, count, 8);
      seal(shorter, count);
      EXPECT_REFUSAL(state, shorter, count, ": byte ");
      free(shorter);
    }
    EXPECT_REFUSAL(state, file.bytes, 0, "not an Entropic model: it is empty");
    free(file.bytes);
    entropic_model_free(model);
  }
}

static void heads(void **state) {
  entropic_model *model = plan_model(small_plan("two classes"), 1);
  saved file = save(state, model, "small");
  static const uint8_t start[] = {0x89, 'E', 'N', 'T', '\r', '\n', 0x1a, '\n', 1, 0, 0, 0};
  assert_memory_equal(file.bytes, start, sizeof start);
  assert_int_equal(file.bytes[12] + 256 * file.bytes[13], file.count);
  uint8_t *copy = malloc(file.count + 1);
#define FRESH (memcpy(copy, file.bytes, file.count), copy[file.count] = 0)
  EXPECT_REFUSAL(state, (const uint8_t *)"x1,x2,y\n1,2,3\n", 14, "not an Entropic model");
  EXPECT_REFUSAL(state, (const uint8_t *)"\x89PNG\r\n\x1a\n", 8, "not an Entropic model");
  FRESH;
  memmove(copy + 4, copy + 5, file.count - 5); /* CR LF became LF */
  EXPECT_REFUSAL(state, copy, file.count - 1, "line ends were changed");
  FRESH;
  copy[8] = 9;
  EXPECT_REFUSAL(state, copy, file.count, "a newer version of Entropic wrote it: format 9, expected at most 8");
  copy[8] = 0;
  EXPECT_REFUSAL(state, copy, file.count, "byte 8: found format 0");
  FRESH;
  EXPECT_REFUSAL(state, copy, file.count + 1, "found more bytes, expected the end of the file");
  copy[19] = 1;
  EXPECT_REFUSAL(state, copy, file.count, "byte 12: found a length of 7205759403792");
  put(copy + 12, 23, 8);
  EXPECT_REFUSAL(state, copy, file.count, "byte 12: found a length of 23 bytes");
  FRESH;
  copy[file.count - 1] ^= 1;
  EXPECT_REFUSAL(state, copy, file.count, "checksum");
  free(copy);
  free(file.bytes);
  entropic_model_free(model);
}

/* The file with a section of this tag put in before byte `at`. */
static saved with_section(saved file, size_t at, const char *tag, size_t length) {
  saved grown = {malloc(file.count + 12 + length), file.count + 12 + length};
  memcpy(grown.bytes, file.bytes, at);
  memcpy(grown.bytes + at, tag, 4);
  put(grown.bytes + at + 4, length, 8);
  memset(grown.bytes + at + 12, 7, length);
  memcpy(grown.bytes + at + 12 + length, file.bytes + at, file.count - at);
  put(grown.bytes + 12, grown.count, 8);
  seal(grown.bytes, grown.count);
  return grown;
}

static size_t section_end(saved file, size_t at) {
  size_t length = 0;
  for (size_t i = 0; i < 4; i++)
    length |= (size_t)file.bytes[at + 4 + i] << 8 * i;
  return at + 12 + length;
}

/* Sections that are not known are skipped if they may be, wherever they stand. */
static void strange_sections(void **state) {
  entropic_model *model = plan_model(small_plan("two classes"), 1);
  saved file = save(state, model, "small");
  size_t places = 0;
  for (size_t at = 20; at <= file.count - 4; at = at < file.count - 4 ? section_end(file, at) : file.count, places++) {
    saved more = with_section(file, at, "extr", at % 7);
    const char *path = in_folder(state, "more");
    write_file(path, more.bytes, more.count);
    entropic_model *loaded = load(path);
    saved again = save(state, loaded, "again");
    assert_int_equal(again.count, file.count);
    assert_memory_equal(again.bytes, file.bytes, file.count);
    free(again.bytes);
    free(more.bytes);
    entropic_model_free(loaded);
    more = with_section(file, at, "EXTR", 3);
    EXPECT_REFUSAL(state, more.bytes, more.count,
                   "section EXTR is not known: a newer version of Entropic wrote the file");
    free(more.bytes);
    more = with_section(file, at, "WGTS", 0);
    EXPECT_REFUSAL(state, more.bytes, more.count,
                   at + 4 == file.count    ? "found section WGTS, expected no other"
                   : file.bytes[at] == 'W' ? "bytes of weights"
                                           : "found section WGTS, expected ");
    free(more.bytes);
    more = with_section(file, at, "a\nb ", 0);
    EXPECT_REFUSAL(state, more.bytes, more.count, "expected the name of a section");
    free(more.bytes);
  }
  assert_int_equal(places, 7);
  free(file.bytes);
  entropic_model_free(model);
}

/* The marks of missing values: a section of their own, which only models with marks have. */
static void marks_of_missing_values(void **state) {
  entropic_model *model = plan_model(small_plan("two classes"), 1);
  saved plain = save(state, model, "plain");
  model->schema.missing_marks = ent_new_text(NULL, "-999,x", 6);
  saved marked = save(state, model, "marked");
  size_t at = section_end(plain, section_end(plain, 20)); /* behind INFO and SCHM */
  assert_int_equal(marked.count, plain.count + 12 + 1 + 6);
  assert_memory_equal(marked.bytes + at, "miss\x07\0\0\0\0\0\0\0\x06-999,x", 19);
  assert_memory_equal(marked.bytes + at + 19, plain.bytes + at, plain.count - at - 4);
  marked.bytes[at + 12] = 7;
  seal(marked.bytes, marked.count);
  EXPECT_REFUSAL(state, marked.bytes, marked.count, "found 7, expected marks of missing values, for which 6 bytes");
  marked.bytes[at + 12] = 5;
  seal(marked.bytes, marked.count);
  EXPECT_REFUSAL(state, marked.bytes, marked.count, "found more bytes, expected the end of section miss");
  marked.bytes[at + 12] = 6;
  marked.bytes[at + 15] = 0;
  seal(marked.bytes, marked.count);
  EXPECT_REFUSAL(state, marked.bytes, marked.count, "found a 0 in a text, expected marks of missing values");
  free(plain.bytes);
  free(marked.bytes);
  entropic_model_free(model);
}

/* Models that nobody may save: the reader refuses what the writer was made to write. */
static void expect_bad_model(void **state, entropic_model *model, const char *message) {
  saved file = save(state, model, "bad");
  EXPECT_REFUSAL(state, file.bytes, file.count, message);
  free(file.bytes);
}

static void rename_to(char **name, const char *text) {
  ent_delete(*name);
  *name = ent_new_text(NULL, text, strlen(text));
}

static void contradictions(void **state) {
  model_plan plan = *plan_named("three classes, exact"); /* inputs 2 and 5 are categories */
  entropic_model *model = plan_model(&plan, 1);
  rename_to(&model->schema.input[2].name, model->schema.input[0].name);
  expect_bad_model(state, model, "twice, expected inputs of different names");
  rename_to(&model->schema.input[2].name, "another");
  rename_to(&model->schema.input[1].category[0], "category 2");
  expect_bad_model(state, model, "found 'category 2' twice, expected categories of different names");
  rename_to(&model->schema.input[1].category[0], "");
  rename_to(&model->schema.class_name[0], "10");
  expect_bad_model(state, model, "found '2' out of its place, expected classes in sorted order");
  rename_to(&model->schema.class_name[0], "1");
  rename_to(&model->schema.class_name[2], "10");
  there_and_back(state, &plan, model); /* 1, 2, 10: as numbers */
  model = plan_model(&plan, 1);
  rename_to(&model->schema.class_name[0], "1");
  rename_to(&model->schema.class_name[1], "10");
  rename_to(&model->schema.class_name[2], "2x");
  there_and_back(state, &plan, model); /* by bytes */
  model = plan_model(&plan, 1);
  model->loss = ENTROPIC_LOSS_HINGE; /* with an inverse temperature, as the squared loss */
  there_and_back(state, &plan, model);
  model = plan_model(&plan, 1);
  model->validation_loss = -NAN; /* the bits of what 0/0 is; one NaN alone is written, so that it can be read */
  there_and_back(state, &plan, model);

  model = plan_model(&plan, 1);
  model->link.inverse_temperature = 0;
  expect_bad_model(state, model, "found an inverse temperature of 0, expected one above 0");
  model->link.inverse_temperature = 2.5;
  model->lambda = -1;
  expect_bad_model(state, model, "found lambda -1");
  model->lambda = 0;
  model->rows = 0;
  expect_bad_model(state, model, "found 0, expected the number of rows learnt from, 1 to");
  model->rows = 1;
  model->folds = 1;
  expect_bad_model(state, model, "found 1 folds, expected 2 or more with this kind of validation");
  model->folds = 5;
  model->validation_rows = 0;
  expect_bad_model(state, model, "found 0 rows of validation, expected some as there was one");
  model->validation = ENTROPIC_VALIDATION_FORWARD;
  expect_bad_model(state, model, "found 0 rows of validation, expected some as there was one");
  model->validation_rows = 3;
  model->folds = 0;
  expect_bad_model(state, model, "found 0 folds, expected 1 or more with this kind of validation");
  model->folds = 5;
  model->validation = ENTROPIC_VALIDATION_NONE;
  expect_bad_model(state, model, "found 5 folds, expected 0 with this kind of validation");
  model->folds = 0;
  model->validation_rows = 321;
  expect_bad_model(state, model, "found 321 rows of validation, expected none as there was none");
  model->validation = ENTROPIC_VALIDATION_ROWS;
  model->validation_error = -1;
  expect_bad_model(state, model, "found -1, expected the error of validation");
  model->validation_error = 0;
  model->nonzeros = -1;
  expect_bad_model(state, model, "found -1 non-zeros");
  model->nonzeros = 1;
  model->main.centres[2] = NAN;
  expect_bad_model(state, model, "found nan, expected a scaled value, a finite number");
  model->main.centres[2] = 0;
  model->schema.input[3].missing = false;
  expect_bad_model(state, model, "found an atom for missing values of input 4, which had none");
  model->schema.input[3].missing = true;
  model->schema.input[1].missing = !model->schema.input[1].missing; /* the scaler follows the schema */
  model->loss = ENTROPIC_LOSS_LOGISTIC;
  expect_bad_model(state, model, "found an inverse temperature of 2.5, expected 1");
  entropic_model_free(model);

  model = plan_model(plan_named("direct"), 1);
  model->loss = ENTROPIC_LOSS_LOGISTIC;
  expect_bad_model(state, model, "found the logistic loss with numbers");
  model->loss = ENTROPIC_LOSS_HINGE;
  expect_bad_model(state, model, "found the hinge loss with numbers");
  model->loss = ENTROPIC_LOSS_SQUARED;
  model->main.scaler->scales[1].at[3] = model->main.scaler->scales[1].at[2];
  expect_bad_model(state, model, "input 2");
  entropic_model_free(model);

  model = plan_model(plan_named("direct"), 1);
  model->main.design->terms[model->main.design->groups[2].first_term].level = model->main.design->base[0];
  expect_bad_model(state, model, "expected a level it has besides its base level");
  entropic_model_free(model);

  model = plan_model(plan_named("direct"), 1);
  model->main.design->base[1] = 4;
  expect_bad_model(state, model, "found base level 5 for input 2, expected one it has, with a single atom");
  model->main.design->base[1] = ENTROPIC_NO_LEVEL;
  expect_bad_model(state, model, "found no term of an input without base level");
  entropic_model_free(model);
  model = plan_model(plan_named("direct"), 1);
  model->main.features--;
  expect_bad_model(state, model, "bytes of weights, expected 40 weights and an offset for each of 1");
  model->main.features++;
  model->schema.input[0].categories = 1;
  model->schema.input[0].category = plan_names("category %zu", 1);
  expect_bad_model(state, model, "found the centred kernel for input 1, which is a category");
  entropic_model_free(model);
}

/* Groups that stand in the design twice. */
static void repeated_groups(void **state) {
  entropic_model *model = plan_model(plan_named("direct"), 1);
  entropic_design *design = model->main.design;
  for (size_t g = 2; g < design->group_count; g++)
    for (size_t h = 1; h < g; h++)
      if (design->groups[h].term_count == design->groups[g].term_count && design->groups[h].atoms == 1 &&
          design->groups[g].atoms == 1) {
        for (size_t t = 0; t < design->groups[g].term_count; t++)
          design->terms[design->groups[g].first_term + t] = design->terms[design->groups[h].first_term + t];
        expect_bad_model(state, model, "of which the terms stand in another one too");
        entropic_model_free(model);
        return;
      }
  fail();
}

SUITE(model_file_damage) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_byte_changed),       cmocka_unit_test(any_end_cut_off), cmocka_unit_test(heads),
      cmocka_unit_test(strange_sections),       cmocka_unit_test(contradictions),  cmocka_unit_test(repeated_groups),
      cmocka_unit_test(marks_of_missing_values)};
  return cmocka_run_group_tests_name("model_file_damage", tests, make_quick_folder, remove_folder);
}
