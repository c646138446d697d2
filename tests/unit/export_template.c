/* Templates of exports: conditions within each other, writers, names, and lines that mean nothing. */
#include "unit/fitting.h"

#include "base/output.h"
#include "export/template.h"

/* A model of one number target, as parts: no classes, with effects. */
typedef struct fixture {
  entropic_context *context;
  sheet sheet;
  entropic_model *model;
  ent_export_parts *parts;
} fixture;

static fixture make(void) {
  fixture f = {.context = context_with(1), .sheet = sheet_start(40, 2, 1, PLAIN, 3)};
  ent_fit_options options = fixed_options(1e-3, 10);
  f.model = fit_sheet(f.context, &f.sheet, ENTROPIC_TASK_REGRESSION, &options);
  ASSERT_OK(f.context, ent_export_parts_create(f.context, f.model, false, &f.parts));
  assert_true(f.parts->has_effects);
  return f;
}

static void clear(fixture *f) {
  ent_export_parts_free(f->parts);
  entropic_model_free(f->model);
  sheet_stop(&f->sheet);
  entropic_context_free(f->context);
}

static void write_inputs(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_format(text, "%zu inputs\n", parts->effects->used);
}

/* Writes a template; what comes out, up to 255 characters, with a 0. */
static entropic_status expand(const fixture *f, const char *source, char shown[256]) {
  static const ent_template_writer writers[] = {{"inputs", write_inputs}, {0}};
  ent_export_text text = {.context = f->context, .name = "own_1", .upper = "OWN_1"};
  unsigned char *bytes = NULL;
  size_t count = 0;
  ASSERT_OK(f->context, ent_output_create_memory(f->context, &text.output));
  ent_template_write(&text, f->parts, source, writers);
  if (text.status == ENTROPIC_OK) {
    ASSERT_OK(f->context, entropic_output_commit(f->context, text.output));
    ent_output_take(text.output, &bytes, &count);
    assert_true(count < 256);
    memcpy(shown, bytes, count);
    shown[count] = '\0';
  }
  entropic_bytes_free(bytes);
  entropic_output_free(text.output);
  return text.status;
}

static void texts(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"/* Left\n * out. */\n */\nkept /* and this */\n\n", "kept /* and this */\n\n"},
      {"*\n */\n//= inputs\n  //= inputs\n", "2 inputs\n2 inputs\n"},
      {" */\n//? effects\nyes\n//:\nno\n//.\n", "yes\n"},
      {" */\n//? classes\nyes\n//:\nno\n//.\nend\n", "no\nend\n"},
      {" */\n//? effects\n//? classes\n1\n//:\n2\n//.\n3\n//.\n", "2\n3\n"},
      {" */\n//? classes\n//? effects\n1\n//= inputs\n//:\n2\n//.\n3\n//:\n4\n//.\n", "4\n"},
      {" */\nmodel_a(MODEL_B, other_model_c, model, x->model_d, model_) + amodel_ // model_e\n",
       "own_1_a(OWN_1_B, other_model_c, model, x->own_1_d, own_1_) + amodel_ // own_1_e\n"},
      {" */\nmodel_", "own_1_\n"},
      {" */\n/// kept\n//! kept\n", "/// kept\n//! kept\n"}};
  fixture f = make();
  char shown[256];
  for (size_t i = 0; i < COUNT(cases); i++) {
    ASSERT_OK(f.context, expand(&f, cases[i][0], shown));
    assert_string_equal(shown, cases[i][1]);
  }
  clear(&f);
}

/* Also where the condition around them does not hold. */
static void mistakes(void **state) {
  (void)state;
  static const char *const cases[] = {" */\n//= nothing\n",
                                      " */\n//? nothing\n//.\n",
                                      " */\n//? classes\n//= nothing\n//.\n",
                                      " */\n//? classes\n//? nothing\n//.\n//.\n",
                                      " */\n//? classes\n",
                                      " */\n//.\n",
                                      " */\n//:\n",
                                      " */\n//? classes\n//: effects\n//.\n",
                                      " */\n//=\n"};
  fixture f = make();
  char shown[256];
  for (size_t i = 0; i < COUNT(cases); i++) {
    assert_int_equal(expand(&f, cases[i], shown), ENTROPIC_BAD_ARGUMENT);
    assert_non_null(strstr(entropic_context_message(f.context), "means nothing"));
  }
  clear(&f);
}

SUITE(export_template) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(mistakes)};
  return cmocka_run_group_tests_name("export_template", tests, NULL, NULL);
}
