/* Structs that may grow, and models and designs in memory. */
#include <stddef.h>

#include "base/sized.h"
#include "model/intervals.h"
#include "model/member_effects.h"

#include "unit/modelling.h"

#include "unit/fixture.h"

/* A program of an earlier version knows a shorter struct, one of a later version a longer one. */
static void shorter_and_longer_structs(void **state) {
  (void)state;
  const int known[4] = {1, 2, 3, 4};
  int longer[6], shorter[2] = {7, 7}, got[4];
  memset(longer, 0x5a, sizeof longer);
  ASSERT_OK(context, ent_sized_give(context, longer, sizeof longer, known, sizeof known));
  assert_memory_equal(longer, ((const int[]){1, 2, 3, 4, 0, 0}), sizeof longer);
  ASSERT_OK(context, ent_sized_give(context, shorter, sizeof(int), known, sizeof known));
  assert_true(shorter[0] == 1 && shorter[1] == 7);
  assert_int_equal(ent_sized_give(context, NULL, 8, known, sizeof known), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_sized_give(context, longer, 0, known, sizeof known), ENTROPIC_BAD_ARGUMENT);

  ASSERT_OK(context, ent_sized_take(context, got, sizeof got, 8, longer, sizeof longer));
  assert_memory_equal(got, known, sizeof got);
  ASSERT_OK(context, ent_sized_take(context, got, sizeof got, 8, longer, 8));
  assert_memory_equal(got, ((const int[]){1, 2, 0, 0}), sizeof got);
  assert_int_equal(ent_sized_take(context, got, sizeof got, 8, longer, 4), ENTROPIC_BAD_ARGUMENT);
  longer[5] = 1;
  assert_int_equal(ent_sized_take(context, got, sizeof got, 8, longer, sizeof longer), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "later version");
}

/* Options of a later version: zeros beyond what is known are its defaults, anything else is refused. */
static void options_of_later_versions(void **state) {
  (void)state;
  struct {
    entropic_axis_options known;
    double later;
  } axes[2];
  entropic_kernel *kernel = NULL;
  memset(axes, 0, sizeof axes);
  for (int i = 0; i < 2; i++) {
    ASSERT_OK(context, entropic_axis_options_init(&axes[i].known, sizeof axes[i]));
    axes[i].known.omega = 2 + i;
  }
  ASSERT_OK(context, entropic_kernel_create(context, &axes[0].known, 2, 2, &kernel));
  assert_true(ent_kernel_axis(kernel, 1).omega == 3);
  entropic_kernel_free(kernel);
  axes[1].later = 1;
  assert_int_equal(entropic_kernel_create(context, &axes[0].known, 2, 2, &kernel), ENTROPIC_BAD_ARGUMENT);
  axes[0].known.size = 3;
  assert_int_equal(entropic_kernel_create(context, &axes[0].known, 1, 2, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "too small");
}

/* Each public description is the private one, whole, cut and extended. */
static void descriptions_by_size(void **state) {
  (void)state;
  const model_plan *plan = model_plans;
  entropic_model *model = plan_model(plan, 1);
  entropic_model_info own = ent_model_describe(model), whole;
  size_t task = 99;
  ASSERT_OK(context, entropic_model_describe(context, model, &whole, sizeof whole));
  /* Without the bytes between members, which may be any. */
  assert_memory_equal(&whole, &own, offsetof(entropic_model_info, converged));
  assert_true(whole.converged == own.converged && whole.seed == own.seed && whole.validation == own.validation);
  assert_memory_equal(&whole.folds, &own.folds, sizeof own - offsetof(entropic_model_info, folds));
  ASSERT_OK(context, entropic_model_describe(context, model, (void *)&task, sizeof(entropic_task)));
  assert_int_equal((unsigned)task, own.task);
  assert_int_equal(whole.interval_rows, ent_model_interval_rows(model));
  assert_int_equal(whole.effect_members, ent_model_effect_members(model));
  entropic_input_info input;
  ASSERT_OK(context, entropic_model_input(context, model, 0, &input, sizeof input));
  assert_int_equal(entropic_model_input(context, model, own.inputs, &input, sizeof input), ENTROPIC_BAD_ARGUMENT);
  entropic_model_free(model);
}

static void models_in_memory(void **state) {
  (void)state;
  for (size_t p = 0; p < MODEL_PLANS; p++) {
    entropic_model *model = plan_model(&model_plans[p], 1), *again = NULL;
    unsigned char *bytes = NULL, *twice = NULL;
    size_t count = 0, counted = 0, written;
    ASSERT_OK(context, entropic_model_save_memory(context, model, &bytes, &count));
    ASSERT_OK(context, entropic_model_save(context, model, "model.entropic"));
    char *file = read_whole("model.entropic", &written);
    assert_int_equal(written, count);
    assert_memory_equal(file, bytes, count);
    ASSERT_OK(context, entropic_model_load_memory(context, bytes, count, &again));
    ASSERT_OK(context, entropic_model_save_memory(context, again, &twice, &counted));
    assert_int_equal(counted, count);
    assert_memory_equal(twice, bytes, count);
    entropic_model_free(again);
    for (size_t cut = 0; cut < count; cut += cut < 64 ? 1 : count / 50 + 1) {
      again = NULL;
      assert_int_equal(entropic_model_load_memory(context, bytes, cut, &again), ENTROPIC_BAD_DATA);
      assert_null(again);
    }
    bytes[count / 2] ^= 1;
    assert_int_equal(entropic_model_load_memory(context, bytes, count, &again), ENTROPIC_BAD_DATA);
    assert_message(context, "checksum");
    free(file);
    entropic_bytes_free(bytes);
    entropic_bytes_free(twice);
    entropic_model_free(model);
  }
  entropic_bytes_free(NULL);
}

static void designs_in_memory(void **state) {
  (void)state;
  entropic_parameters *set;
  entropic_design *design = NULL, *again = NULL;
  unsigned char *bytes, *twice;
  size_t count, counted;
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_DESIGN, &set));
  ASSERT_OK(context, entropic_parameters_set(context, set, "features", "123"));
  ASSERT_OK(context, entropic_design_make(context, set, 5, NULL, 0, &design));
  ASSERT_OK(context, entropic_design_save_memory(context, design, &bytes, &count));
  ASSERT_OK(context, entropic_design_load_memory(context, bytes, count, &again));
  ASSERT_OK(context, entropic_design_save_memory(context, again, &twice, &counted));
  assert_int_equal(counted, count);
  assert_memory_equal(twice, bytes, count);
  entropic_design_free(again);
  for (size_t cut = 0; cut < count / 2; cut += 7) {
    again = NULL;
    assert_int_equal(entropic_design_load_memory(context, bytes, cut, &again), ENTROPIC_BAD_DATA);
    assert_null(again);
  }
  assert_message(context, "memory");
  entropic_bytes_free(bytes);
  entropic_bytes_free(twice);
  entropic_design_free(design);
  entropic_parameters_free(set);
}

SUITE(interface_sizes) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shorter_and_longer_structs), cmocka_unit_test(options_of_later_versions),
      cmocka_unit_test(descriptions_by_size), cmocka_unit_test(models_in_memory), cmocka_unit_test(designs_in_memory)};
  return cmocka_run_group_tests(tests, start, stop);
}
