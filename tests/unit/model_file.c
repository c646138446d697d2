/* Model files: what is saved comes back, equal models are equal bytes, and nothing that is wrong with a file gets past
 * the reader. */
#include <fcntl.h>
#include <zlib.h>

#include "unit/modelling.h"

/* A saved model. */
typedef struct saved {
  uint8_t *bytes;
  size_t count;
} saved;

static saved save(void **state, const entropic_model *model, const char *name) {
  entropic_context *context = context_with(1);
  const char *path = in_folder(state, name);
  saved file;
  ASSERT_OK(context, entropic_model_save(context, model, path));
  file.bytes = (uint8_t *)read_whole(path, &file.count);
  entropic_context_free(context);
  return file;
}

static entropic_model *load(const char *path) {
  entropic_context *context = context_with(1);
  entropic_model *model = NULL;
  ASSERT_OK(context, entropic_model_load(context, path, &model));
  entropic_context_free(context);
  return model;
}

static void put(uint8_t *at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++)
    at[i] = (uint8_t)(value >> 8 * i);
}

/* Makes the sum right again after a change. */
static void seal(uint8_t *bytes, size_t count) {
  put(bytes + count - 4, crc32_z(0, bytes, count - 4), 4);
}

/* Loads these bytes; *model is NULL unless that went well. */
static entropic_status load_bytes(void **state, entropic_context *context, const uint8_t *bytes, size_t count,
                                  entropic_model **model) {
  const char *path = in_folder(state, "changed");
  write_file(path, bytes, count);
  *model = NULL;
  return entropic_model_load(context, path, model);
}

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

static void assert_same_names(char *const *a, char *const *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    assert_string_equal(a[i], b[i]);
}

static void assert_same_predictions(const model_plan *plan, const entropic_model *a, const entropic_model *b) {
  enum { ROWS = 50 };
  double *x = plan_rows(plan, ROWS, 5, true), first[ROWS * 8], second[ROWS * 8];
  size_t size = ROWS * a->schema.targets * sizeof *first;
  assert_int_equal(entropic_model_predict(NULL, a, x, ROWS, plan->inputs, first), ENTROPIC_OK);
  assert_int_equal(entropic_model_predict(NULL, b, x, ROWS, plan->inputs, second), ENTROPIC_OK);
  assert_memory_equal(first, second, size);
  if (a->schema.classes > 0) {
    size = ROWS * a->schema.classes * sizeof *first;
    assert_int_equal(entropic_model_probabilities(NULL, a, x, ROWS, plan->inputs, first), ENTROPIC_OK);
    assert_int_equal(entropic_model_probabilities(NULL, b, x, ROWS, plan->inputs, second), ENTROPIC_OK);
    assert_memory_equal(first, second, size);
  }
  free(x);
}

/* All that the model says of itself. */
static void assert_same_model(const entropic_model *a, const entropic_model *b) {
  entropic_model_info x = ent_model_describe(a), y = ent_model_describe(b);
  assert_true(isnan(x.validation_error) == isnan(y.validation_error));
  assert_true(isnan(x.validation_loss) == isnan(y.validation_loss));
  x.validation_error = isnan(x.validation_error) ? -1 : x.validation_error;
  y.validation_error = isnan(y.validation_error) ? -1 : y.validation_error;
  assert_true(x.task == y.task && x.loss == y.loss && x.solver == y.solver && x.scaling == y.scaling);
  assert_true(x.inputs == y.inputs && x.targets == y.targets && x.classes == y.classes && x.scores == y.scores);
  assert_true(x.features == y.features && x.nonzeros == y.nonzeros && x.rows == y.rows && x.lambda == y.lambda);
  assert_true(x.converged == y.converged && x.seed == y.seed && x.validation == y.validation && x.folds == y.folds);
  assert_true(x.validation_rows == y.validation_rows && x.validation_error == y.validation_error);
  assert_true(a->inverse_temperature == b->inverse_temperature && x.inputs_used == y.inputs_used);
  assert_true((a->bounds == NULL) == (b->bounds == NULL));
  if (a->bounds != NULL)
    assert_memory_equal(a->bounds, b->bounds, 2 * x.targets * sizeof *a->bounds);
  assert_true(x.target_scale == y.target_scale && x.target_sign == y.target_sign);
  assert_true(x.target_origin == y.target_origin && x.retransformation_bias == y.retransformation_bias);
  for (size_t i = 0; i < x.inputs; i++) {
    const ent_input *p = &a->schema.input[i], *q = &b->schema.input[i];
    assert_string_equal(p->name, q->name);
    assert_true(p->missing == q->missing && p->categories == q->categories);
    assert_true(p->unused == q->unused && p->was_category == q->was_category);
    assert_same_names(p->category, q->category, p->categories);
    if (p->unused)
      continue; /* no file has its axis */
    entropic_axis_options s = ent_kernel_axis(a->kernel, i), t = ent_kernel_axis(b->kernel, i);
    assert_true(s.family == t.family && s.basis == t.basis && s.omega == t.omega && s.max_level == t.max_level);
    assert_true(s.smooth == t.smooth && !s.unit_height == !t.unit_height && s.missing == t.missing &&
                s.categories == t.categories);
  }
  assert_same_names(a->schema.target, b->schema.target, x.targets);
  assert_same_names(a->schema.class_name, b->schema.class_name, x.classes);
  assert_true((a->schema.missing_marks == NULL) == (b->schema.missing_marks == NULL));
  if (a->schema.missing_marks != NULL)
    assert_string_equal(a->schema.missing_marks, b->schema.missing_marks);
  assert_true((a->design == NULL) == (b->design == NULL));
  if (a->design != NULL) {
    assert_int_equal(entropic_design_groups(a->design), entropic_design_groups(b->design));
    assert_int_equal(entropic_design_nonzeros(a->design), entropic_design_nonzeros(b->design));
    assert_int_equal(entropic_design_exhausted(a->design), entropic_design_exhausted(b->design));
    assert_int_equal(entropic_design_criterion(a->design), entropic_design_criterion(b->design));
    for (size_t g = 0; g < entropic_design_groups(a->design); g++)
      assert_true(group_of(a->design, g).log2_score == group_of(b->design, g).log2_score);
  }
}

/* A file that keeps what is not used, as those of older versions do: it predicts the same, and becomes the same model. */
static void from_older(void **state, const model_plan *plan, entropic_model *model) {
  saved older = save(state, model, "older");
  entropic_model *loaded = load(in_folder(state, "older"));
  assert_same_predictions(plan, model, loaded);
  ent_model_drop_unused(model);
  assert_same_model(model, loaded);
  saved newer = save(state, model, "newer");
  size_t used = ent_model_describe(model).inputs_used;
  assert_true(used == plan->inputs ? newer.count == older.count : newer.bytes[8] == 4 && newer.count < older.count);
  free(older.bytes);
  free(newer.bytes);
  entropic_model_free(loaded);
}

static void there_and_back(void **state, const model_plan *plan, entropic_model *model) {
  if (ent_model_used(model) == plan->inputs && model->bounds == NULL)
    from_older(state, plan, model);
  saved first = save(state, model, "first");
  entropic_model *loaded = load(in_folder(state, "first"));
  assert_same_model(model, loaded);
  assert_same_predictions(plan, model, loaded);
  saved second = save(state, loaded, "second");
  assert_int_equal(first.count, second.count);
  assert_memory_equal(first.bytes, second.bytes, first.count);
  free(first.bytes);
  free(second.bytes);
  entropic_model_free(loaded);
  entropic_model_free(model);
}

static void round_trips(void **state) {
  for (size_t i = 0; i < MODEL_PLANS; i++)
    for (uint64_t seed = 0; seed < 4; seed++)
      there_and_back(state, &model_plans[i], plan_model(&model_plans[i], seed));
}

static void newest_round_trips(void **state) {
  for (size_t i = 0; i < MODEL_PLANS; i++) {
    model_plan plan = model_plans[i];
    there_and_back(state, &plan, plan_newest(&plan, i));
    plan.inputs += 3; /* now some of these are not used */
    plan.features = 6;
    there_and_back(state, &plan, plan_newest(&plan, i));
    if (plan.solver != ENTROPIC_SOLVER_EXACT)
      there_and_back(state, &plan, plan_constant(&plan, i));
  }
}

static void random_round_trips(void **state) {
  entropic_random random = entropic_random_start(5, 5);
  for (unsigned i = 0; i < rounds(60); i++) {
    model_plan plan = model_plans[entropic_random_below(&random, MODEL_PLANS)];
    plan.scaling = (entropic_scaling)(ENTROPIC_SCALING_QUANTILE + entropic_random_below(&random, 3));
    plan.family = ref_random(&random, REF_BUILT_IN)->family;
    plan.inputs = 1 + entropic_random_below(&random, 8);
    plan.outputs = plan.root != 0 ? 1 : 2 + entropic_random_below(&random, 4);
    plan.features = 1 + entropic_random_below(&random, 300);
    plan.categories = entropic_random_below(&random, 2) == 1;
    there_and_back(state, &plan, plan_model(&plan, i));
  }
}

/* Designs that the other tests do not come to: paper's features, smooth atoms, cut groups by data, many inputs. */
static void designs(void **state) {
  enum { PAPER, SMOOTH, CUT_BY_DATA, MANY_INPUTS, KINDS };
  for (int kind = 0; kind < KINDS; kind++) {
    model_plan plan = {.task = ENTROPIC_TASK_REGRESSION,
                       .loss = ENTROPIC_LOSS_SQUARED,
                       .solver = ENTROPIC_SOLVER_DIRECT,
                       .scaling = ENTROPIC_SCALING_NONE,
                       .family = ENTROPIC_FAMILY_CENTRED,
                       .inputs = kind == MANY_INPUTS ? 200 : 4,
                       .outputs = 1,
                       .features = 20};
    entropic_model *model = plan_model(&plan, 1);
    entropic_axis_options axis = ent_axis_options_default();
    entropic_design_options options = ent_design_options_default();
    options.features = 150;
    double *sample = plan_rows(&plan, 40, 1, false);
    if (kind == PAPER) {
      axis.basis = ENTROPIC_BASIS_INTERIOR;
      axis.unit_height = 1;
      options.select = ENTROPIC_SELECT_PAPER;
    } else if (kind == SMOOTH) {
      axis.smooth = 3;
      axis.max_level = 5;
      options.criterion = ENTROPIC_CRITERION_SUP;
    } else {
      options.sample = sample;
      options.sample_rows = 40;
      options.criterion = ENTROPIC_CRITERION_DATA;
      options.max_order = 2;
    }
    entropic_kernel_free(model->kernel);
    entropic_design_free(model->design);
    entropic_lift_free(model->lift);
    ent_delete(model->weights);
    model->kernel = make_kernel(&axis, 1, plan.inputs);
    for (size_t i = 0; i < plan.inputs; i++)
      model->scaler->scales[i].missing = false; /* as this kernel has no atom for it */
    model->design = make_design(model->kernel, &options);
    model->lift = make_lift(model->design, ENTROPIC_CODE_BEST);
    model->features = entropic_design_features(model->design);
    model->weights = plan_numbers(model->features, 3);
    there_and_back(state, &plan, model);
    free(sample);
  }
}

/* A model of a few hundred bytes with a bit of everything. */
static const model_plan small_plans[] = {
    {"two classes", ENTROPIC_TASK_CLASSIFICATION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_SCALING_MINMAX, ENTROPIC_FAMILY_LAPLACE, 2, 2, 7, true, 0},
    {"exact", ENTROPIC_TASK_REGRESSION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_EXACT, ENTROPIC_SCALING_QUANTILE,
     ENTROPIC_FAMILY_SOBOLEV, 2, 2, 3, true, 0},
    {"root", ENTROPIC_TASK_REGRESSION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DIRECT, ENTROPIC_SCALING_NONE,
     ENTROPIC_FAMILY_CENTRED, 1, 1, 3, false, -1},
    {"newest", ENTROPIC_TASK_REGRESSION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DIRECT, ENTROPIC_SCALING_MINMAX,
     ENTROPIC_FAMILY_CENTRED, 5, 1, 3, true, 1},
    {"constant", ENTROPIC_TASK_CLASSIFICATION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DIRECT, ENTROPIC_SCALING_QUANTILE,
     ENTROPIC_FAMILY_SOBOLEV, 3, 3, 7, true, 0}};

static const model_plan *small_plan(const char *name) {
  return plan_named_in(small_plans, COUNT(small_plans), name);
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
  copy[8] = 6;
  EXPECT_REFUSAL(state, copy, file.count, "a newer version of Entropic wrote it: format 6, expected at most 5");
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
  model->inverse_temperature = 0;
  expect_bad_model(state, model, "found sharpness 0, expected one above 0");
  model->inverse_temperature = 2.5;
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
  model->points[2] = NAN;
  expect_bad_model(state, model, "found nan, expected a scaled value, a finite number");
  model->points[2] = 0;
  model->schema.input[3].missing = false;
  expect_bad_model(state, model, "found an atom for missing values of input 4, which had none");
  model->schema.input[3].missing = true;
  model->schema.input[1].missing = !model->schema.input[1].missing; /* the scaler follows the schema */
  model->loss = ENTROPIC_LOSS_LOGISTIC;
  expect_bad_model(state, model, "found sharpness 2.5, expected 1");
  entropic_model_free(model);

  model = plan_model(plan_named("direct"), 1);
  model->loss = ENTROPIC_LOSS_LOGISTIC;
  expect_bad_model(state, model, "found the logistic loss with numbers");
  model->loss = ENTROPIC_LOSS_HINGE;
  expect_bad_model(state, model, "found the hinge loss with numbers");
  model->loss = ENTROPIC_LOSS_SQUARED;
  model->scaler->scales[1].at[3] = model->scaler->scales[1].at[2];
  expect_bad_model(state, model, "input 2");
  entropic_model_free(model);

  model = plan_model(plan_named("direct"), 1);
  model->design->terms[model->design->groups[2].first_term].level = model->design->base[0];
  expect_bad_model(state, model, "expected a level it has besides its base level");
  entropic_model_free(model);

  model = plan_model(plan_named("direct"), 1);
  model->design->base[1] = 4;
  expect_bad_model(state, model, "found base level 5 for input 2, expected one it has, with a single atom");
  model->design->base[1] = ENTROPIC_NO_LEVEL;
  expect_bad_model(state, model, "found no term of an input without base level");
  entropic_model_free(model);
  model = plan_model(plan_named("direct"), 1);
  model->features--;
  expect_bad_model(state, model, "bytes of weights, expected 40 weights and an offset for each of 1");
  model->features++;
  model->schema.input[0].categories = 1;
  model->schema.input[0].category = plan_names("category %zu", 1);
  expect_bad_model(state, model, "found the centred kernel for input 1, which is a category");
  entropic_model_free(model);
}

/* A file says the oldest version that has all that is in it, and has nothing that its version does not know. */
static void versions(void **state) {
  entropic_context *context = context_with(1);
  for (size_t i = 0; i < MODEL_PLANS; i++) {
    const model_plan *plan = &model_plans[i];
    entropic_model *model = plan_model(plan, 1), *loaded = NULL;
    bool newer = plan->scaling == ENTROPIC_SCALING_BLEND, root = plan->root != 0;
    for (size_t input = 0; input < plan->inputs; input++)
      newer |= plan_keeps_missing(plan, input);
    saved file = save(state, model, "version");
    assert_int_equal(file.bytes[8], root ? 3 : newer ? 2 : 1);
    file.bytes[8] = root || !newer ? 2 : 1;
    seal(file.bytes, file.count);
    assert_int_equal(load_bytes(state, context, file.bytes, file.count, &loaded),
                     newer || root ? ENTROPIC_BAD_DATA : ENTROPIC_OK);
    if (root)
      assert_message(context, "found more bytes, expected the end of section INFO");
    else if (newer)
      assert_message(context, plan->scaling == ENTROPIC_SCALING_BLEND
                                  ? "found 3, expected a kind of scaling, 0 to 2"
                                  : "expected whether hats have height 1 and missing values an atom, 0 to 1");
    else
      entropic_model_free(loaded);
    free(file.bytes);
    entropic_model_free(model);
  }
  entropic_context_free(context);
}

/* Groups that stand in the design twice. */
static void repeated_groups(void **state) {
  entropic_model *model = plan_model(plan_named("direct"), 1);
  entropic_design *design = model->design;
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

static void what_cannot_be_saved(void **state) {
  entropic_context *context = context_with(1);
  entropic_model *model = plan_model(plan_named("direct"), 1);
  const char *path = in_folder(state, "none");
  double omega = 1;
  model->weights[3] = INFINITY;
  assert_int_equal(entropic_model_save(context, model, path), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "not finite");
  model->weights[3] = 1;
  entropic_kernel_free(model->kernel);
  entropic_axis_options axis = ref_options(ref_named("custom as sobolev"), &omega, ENTROPIC_BASIS_FULL, 4);
  model->kernel = make_kernel(&axis, 1, 3);
  assert_int_equal(entropic_model_save(context, model, path), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "custom kernel");
  assert_int_not_equal(access(path, F_OK), 0);
  entropic_model *none = model;
  assert_int_equal(entropic_model_load(context, path, &none), ENTROPIC_SYSTEM);
  assert_message(context, "cannot read");
  assert_int_equal(entropic_model_load(context, *state, &none), ENTROPIC_SYSTEM); /* a folder */
  assert_int_equal(entropic_model_save(context, model, "/nowhere/model"), ENTROPIC_BAD_ARGUMENT);
  assert_ptr_equal(none, model);
  entropic_model_free(model);
  model = plan_model(plan_named("direct"), 1);
  assert_int_equal(entropic_model_save(context, model, "/nowhere/model"), ENTROPIC_SYSTEM);
  entropic_model_free(model);
  entropic_context_free(context);
}

/* "-" is standard input, here a pipe that hands out a few bytes at a time. */
static void standard_input(void **state) {
  entropic_model *model = plan_model(small_plan("exact"), 1);
  saved file = save(state, model, "small");
  int ends[2], kept = dup(STDIN_FILENO);
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(write(ends[1], file.bytes, file.count), file.count); /* fits into the pipe */
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  entropic_model *loaded = load("-"), *none = NULL;
  entropic_context *context = context_with(1);
  assert_int_equal(entropic_model_load(context, "-", &none), ENTROPIC_BAD_DATA); /* nothing is left */
  assert_message(context, "standard input: not an Entropic model");
  assert_null(none);
  dup2(kept, STDIN_FILENO);
  close(kept);
  assert_same_model(model, loaded);
  entropic_context_free(context);
  entropic_model_free(loaded);
  entropic_model_free(model);
  free(file.bytes);
}

/* Saving waits for the disk, which takes long when it is done some hundred times: a folder in memory if there is one. */
static int make_quick_folder(void **state) {
  if (access("/dev/shm", W_OK) == 0)
    setenv("TMPDIR", "/dev/shm", 1);
  return make_folder(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(round_trips),
                                     cmocka_unit_test(newest_round_trips),
                                     cmocka_unit_test(random_round_trips),
                                     cmocka_unit_test(designs),
                                     cmocka_unit_test(any_byte_changed),
                                     cmocka_unit_test(any_end_cut_off),
                                     cmocka_unit_test(heads),
                                     cmocka_unit_test(strange_sections),
                                     cmocka_unit_test(contradictions),
                                     cmocka_unit_test(versions),
                                     cmocka_unit_test(repeated_groups),
                                     cmocka_unit_test(what_cannot_be_saved),
                                     cmocka_unit_test(standard_input),
                                     cmocka_unit_test(marks_of_missing_values)};
  return cmocka_run_group_tests_name("model_file", tests, make_quick_folder, remove_folder);
}
