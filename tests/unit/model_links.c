/* A model of each link is saved, loaded, predicts, and is exported: what the table says is all that is needed. */
#include "unit/saving.h"

#include "entropic/explain.h"
#include "loss/link.h"

/* A model of numbers with that link. */
static entropic_model *model_with(ent_link_number number, double sign) {
  entropic_model *model = plan_model(plan_named("direct"), 3);
  bool directed = ent_link_at(number)->traits & ENT_LINK_DIRECTED;
  model->link = (ent_link){.number = number, .sign = directed ? sign : 0, .inverse_temperature = 1};
  for (size_t i = 0; i < ent_link_of(&model->link)->parameter_count; i++)
    *ent_link_parameter_of(&model->link, &ent_link_of(&model->link)->parameters[i]) = 0.5 + (double)i;
  return model;
}

static void saved_and_loaded(void **state) {
  entropic_context *context = context_with(1);
  enum { ROWS = 30 };
  for (int i = 0; i < ENT_LINKS; i++)
    for (double sign = -1; sign <= 1 && (ent_link_at((ent_link_number)i)->traits & ENT_LINK_NUMBERS); sign += 2) {
      entropic_model *model = model_with((ent_link_number)i, sign), *copy;
      double *x = plan_rows(plan_named("direct"), ROWS, 2, false), scores[ROWS], predictions[ROWS], lower, upper;
      saved file = save(state, model, "model");
      ASSERT_OK(context, load_bytes(state, context, file.bytes, file.count, &copy));
      assert_true(ent_link_equal(&model->link, &copy->link));
      assert_true(copy->link.inverse_temperature == 1);
      ASSERT_OK(context, entropic_model_predict(context, copy, x, ROWS, 3, predictions));
      bool range = entropic_model_range(copy, 0, &lower, &upper);
      copy->link = ent_link_for(0);
      ASSERT_OK(context, entropic_model_predict(context, copy, x, ROWS, 3, scores));
      for (size_t r = 0; r < ROWS; r++) {
        double prediction = scores[r];
        ent_link_predict(&model->link, 1, &prediction);
        assert_close(predictions[r], prediction, 1e-12 * fabs(prediction));
        assert_true(!range || (predictions[r] >= lower && predictions[r] <= upper));
      }
      free(file.bytes);
      free(x);
      entropic_model_free(copy);
      entropic_model_free(model);
    }
  entropic_context_free(context);
}

/* In each language, with no name left where a number belongs. */
static void exports(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  static const char *const languages[] = {"c", "js", "json"};
  for (int i = 0; i < ENT_LINKS; i++)
    for (size_t l = 0; l < COUNT(languages) && (ent_link_at((ent_link_number)i)->traits & ENT_LINK_NUMBERS); l++) {
      entropic_model *model = model_with((ent_link_number)i, 1);
      const ent_link_family *family = ent_link_of(&model->link);
      entropic_parameters *parameters = NULL;
      unsigned char *bytes = NULL;
      char name[64];
      size_t count;
      ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_EXPORT, &parameters));
      ASSERT_OK(context, entropic_parameters_set(context, parameters, "lang", languages[l]));
      ASSERT_OK(context, entropic_model_export_memory(context, model, parameters, &bytes, &count));
      char *text = calloc(count + 1, 1);
      memcpy(text, bytes, count);
      for (size_t p = 0; p < family->parameter_count; p++) {
        snprintf(name, sizeof name, "{%s}", family->parameters[p].name);
        assert_null(strstr(text, name));
        snprintf(name, sizeof name, "\"%s\":", family->parameters[p].name);
        assert_true(strcmp(languages[l], "json") != 0 || strstr(text, name) != NULL);
      }
      assert_null(strstr(text, "{+}"));
      assert_null(strstr(text, ":double}"));
      free(text);
      entropic_bytes_free(bytes);
      entropic_parameters_free(parameters);
      entropic_model_free(model);
    }
  entropic_context_free(context);
}

/* Files with a number that no link has, or one that their version does not have, are refused. */
static void unknown_numbers(void **state) {
  entropic_context *context = context_with(1);
  entropic_model *model = plan_newest(plan_named("root from below"), 1), *copy;
  model->link.origin = 12345.678;
  saved file = save(state, model, "model");
  size_t at = 0; /* the number stands in front of the origin */
  while (at + 1 + sizeof(double) < file.count && memcmp(file.bytes + at + 1, &model->link.origin, sizeof(double)) != 0)
    at++;
  assert_int_equal(file.bytes[at], ent_link_code(&model->link));
  file.bytes[at] = (uint8_t)(ent_link_most_code() + 1);
  seal(file.bytes, file.count);
  assert_int_not_equal(load_bytes(state, context, file.bytes, file.count, &copy), ENTROPIC_OK);
  assert_message(context, "the end of the target");
  free(file.bytes);
  entropic_model_free(model);
  entropic_context_free(context);
}

SUITE(model_links) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(saved_and_loaded), cmocka_unit_test(exports),
                                     cmocka_unit_test(unknown_numbers)};
  return cmocka_run_group_tests_name("model_links", tests, make_quick_folder, remove_folder);
}
