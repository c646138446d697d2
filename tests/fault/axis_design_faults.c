/* Running out of memory anywhere in the making, saving and loading of kernels and designs. */
#include "fault/failing_malloc.h"
#include "unit/reference.h"

#include "base/memory.h"
#include "design/design.h"

typedef struct setting {
  entropic_context *context;
  const entropic_axis_options *axes;
  size_t count, inputs;
  const entropic_kernel *kernel;
  const entropic_design_options *options;
  const ent_restriction *restriction;
  const entropic_design *design;
  const char *path;
} setting;

static entropic_status make_a_kernel(void *argument) {
  setting *at = argument;
  entropic_kernel *kernel = untouched();
  entropic_status status = ent_kernel_create(at->context, at->axes, at->count, at->inputs, &kernel);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, kernel);
  entropic_kernel_free(kernel);
  return status;
}

static entropic_status make_a_design(void *argument) {
  setting *at = argument;
  entropic_design *design = untouched();
  entropic_status status = ent_design_create_restricted(at->context, at->kernel, at->options, at->restriction, &design);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, design);
  entropic_design_free(design);
  return status;
}

static entropic_status save_a_design(void *argument) {
  setting *at = argument;
  entropic_status status = entropic_design_save(at->context, at->design, at->path);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static entropic_status load_a_design(void *argument) {
  setting *at = argument;
  entropic_design *design = untouched();
  entropic_status status = entropic_design_load(at->context, at->path, &design);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, design);
  entropic_design_free(design);
  return status;
}

static void kernels(void **state) {
  (void)state;
  double omega[3] = {1, 2, 3};
  const entropic_axis_options axes[3] = {ref_options(ref_named("centred, smooth 3"), &omega[0], ENTROPIC_BASIS_FULL, 8),
                                         ref_options(ref_named("custom of its own"), &omega[1], ENTROPIC_BASIS_FULL, 5),
                                         ref_options(ref_named("laplace"), &omega[2], ENTROPIC_BASIS_INTERIOR, 30)};
  setting at = {.axes = axes, .count = 3, .inputs = 3};
  assert_int_equal(entropic_context_create(&at.context), ENTROPIC_OK);
  assert_true(expect_each_allocation_failure(make_a_kernel, &at) >= 8); /* three axes, a custom one among them */
  at.count = 1;
  at.inputs = 50;
  assert_true(expect_each_allocation_failure(make_a_kernel, &at) <= 8); /* fifty inputs share one */
  entropic_context_free(at.context);
}

/* Custom kernels as text: p and q, and an equation of several pieces. */
static entropic_axis_options text_options(bool equation) {
  entropic_axis_options options = ent_axis_options_default();
  options.family = ENTROPIC_FAMILY_CUSTOM;
  options.omega = 2;
  options.max_level = 4;
  options.p_text = equation ? NULL : "exp(x^2) - 1 + x/10";
  options.q_text = equation ? NULL : "1 + w*(1 - x)^3";
  options.alpha_text = equation ? "exp(x)" : NULL;
  options.beta_text = equation ? "-40*w" : NULL;
  options.left_text = equation ? "1,-w" : NULL;
  options.right_text = equation ? "0,1" : NULL;
  return options;
}

static void text_kernels(void **state) {
  (void)state;
  for (int equation = 0; equation < 2; equation++) {
    entropic_axis_options axis = text_options(equation);
    setting at = {.axes = &axis, .count = 1, .inputs = 3};
    assert_int_equal(entropic_context_create(&at.context), ENTROPIC_OK);
    assert_true(expect_each_allocation_failure(make_a_kernel, &at) >= 12);
    entropic_context_free(at.context);
  }
}

static void check_design(entropic_context *context, const entropic_axis_options *axes, size_t count, size_t inputs,
                         const entropic_design_options *options, const char *path) {
  entropic_kernel *kernel = make_kernel(axes, count, inputs);
  setting at = {.context = context, .kernel = kernel, .options = options, .path = path};
  expect_each_allocation_failure(make_a_design, &at);
  if (path != NULL) {
    entropic_design *design = make_design(kernel, options);
    at.design = design;
    expect_each_allocation_failure(save_a_design, &at);
    expect_each_allocation_failure(load_a_design, &at);
    entropic_design_free(design);
  }
  entropic_kernel_free(kernel);
}

/* x1:x2, and not x3. On failure the set stays with the caller. */
static entropic_status make_a_restriction(void *argument) {
  setting *at = argument;
  ent_restriction *restriction = untouched();
  entropic_status status = ent_restriction_create(at->context, at->inputs, &restriction);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, restriction);
  for (int kind = 0; kind < ENT_RESTRICT_KINDS && status == ENTROPIC_OK; kind++) {
    ent_input_set set = {.inputs = ent_new(at->context, 2, sizeof *set.inputs), .count = kind == 0 ? 2 : 1};
    status = set.inputs == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      break;
    set.inputs[0] = kind == 0 ? 0 : 2;
    set.inputs[1] = 1;
    status = ent_restriction_add(at->context, restriction, (ent_restriction_kind)kind, &set);
    if (status != ENTROPIC_OK)
      ent_delete(set.inputs);
  }
  ent_restriction_finish(restriction);
  if (status == ENTROPIC_OK) {
    entropic_design *design = untouched();
    status = ent_design_create_restricted(at->context, at->kernel, at->options, restriction, &design);
    if (status == ENTROPIC_OK)
      entropic_design_free(design);
    else
      check_failed(status, at->context, design);
  }
  ent_restriction_free(restriction);
  return status;
}

static void restricted_designs(void **state) {
  (void)state;
  const entropic_axis_options axis = ent_axis_options_default();
  entropic_design_options options = ent_design_options_default();
  options.features = 40;
  setting at = {.kernel = make_kernel(&axis, 1, 3), .options = &options, .inputs = 3};
  assert_int_equal(entropic_context_create(&at.context), ENTROPIC_OK);
  assert_true(expect_each_allocation_failure(make_a_restriction, &at) > 15);
  entropic_kernel_free((entropic_kernel *)at.kernel);
  entropic_context_free(at.context);
}

static void designs(void **state) {
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  static double sample[30 * 3];
  entropic_random random = entropic_random_start(1, 0);
  for (size_t i = 0; i < 90; i++)
    sample[i] = entropic_random_uniform(&random);
  const char *path = in_folder(state, "design");
  double omega[3] = {1, 2, 900};
  const entropic_axis_options axes[3] = {ref_options(ref_named("centred"), &omega[0], ENTROPIC_BASIS_FULL, 6),
                                         ref_options(ref_named("cosh"), &omega[1], ENTROPIC_BASIS_FULL, 6),
                                         ref_options(ref_named("laplace"), &omega[2], ENTROPIC_BASIS_FULL, 6)};
  const entropic_axis_options custom[2] = {
      ref_options(ref_named("custom of its own"), &omega[0], ENTROPIC_BASIS_FULL, 4),
      ref_options(ref_named("bridge"), &omega[1], ENTROPIC_BASIS_FULL, 4)};
  const entropic_axis_options texts[3] = {text_options(false), axes[0], text_options(true)};
  const entropic_axis_options mixed[3] = {category_options(40, 3), axes[0], category_options(3, 50)};
  for (int sampled = 0; sampled < 2; sampled++)
    for (size_t features = 60; features < 90; features += 7) {
      entropic_design_options options = ent_design_options_default();
      options.features = features;
      options.sample = sampled ? sample : NULL;
      options.sample_rows = 30;
      check_design(context, axes, 3, 3, &options, path);
      check_design(context, axes, 1, 3, &options, path);
      check_design(context, custom, 2, 2, &options, NULL);
      check_design(context, mixed, 3, 3, &options, path);
      if (features == 60)
        check_design(context, texts, 3, 3, &options, path);
      options.features = 0;
      options.nonzeros = features / 4;
      check_design(context, axes, 3, 3, &options, path);
    }
  entropic_context_free(context);
}

static void paper_designs(void **state) {
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  double omega = 1;
  const entropic_axis_options axis = ref_options(ref_named("laplace"), &omega, ENTROPIC_BASIS_INTERIOR, 6);
  entropic_design_options options = ent_design_options_default();
  options.select = ENTROPIC_SELECT_PAPER;
  for (options.features = 1; options.features < 200; options.features += 32)
    check_design(context, &axis, 1, 5, &options, in_folder(state, "design"));
  options.features = 71; /* all of S_3 */
  check_design(context, &axis, 1, 5, &options, NULL);
  entropic_context_free(context);
}

/* What failed to be saved leaves the old file as it was. */
static void old_files_survive(void **state) {
  double omega = 1;
  const entropic_axis_options axis = ref_options(ref_named("centred"), &omega, ENTROPIC_BASIS_FULL, 6);
  entropic_kernel *kernel = make_kernel(&axis, 1, 4);
  entropic_design_options options = ent_design_options_default();
  options.features = 40;
  entropic_design *design = make_design(kernel, &options);
  const char *path = in_folder(state, "old");
  write_file(path, "precious", 8);
  failing_malloc_after(0);
  entropic_status status = entropic_design_save(NULL, design, path);
  failing_malloc_after(-1);
  assert_int_equal(status, ENTROPIC_NO_MEMORY);
  char *text = read_whole(path, NULL);
  assert_string_equal(text, "precious");
  free(text);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

/* Calls that need no memory do without. */
static void calls_that_do_not_allocate(void **state) {
  (void)state;
  double omega = 2;
  const entropic_axis_options axis = ref_options(ref_named("custom of its own"), &omega, ENTROPIC_BASIS_FULL, 6);
  entropic_kernel *kernel = make_kernel(&axis, 1, 2);
  entropic_design_options options = ent_design_options_default();
  options.features = 40;
  entropic_design *design = make_design(kernel, &options);
  failing_malloc_after(0);
  uint64_t atom, features, nonzeros;
  double value;
  entropic_level level;
  entropic_group group;
  entropic_kernel_value(kernel, (double[]){0.1, 0.2}, (double[]){0.3, 0.4});
  entropic_kernel_atom(NULL, kernel, 0, 3, 0.3, &atom, &value);
  ent_kernel_level(NULL, kernel, 0, 3, &level);
  ent_design_group(NULL, design, 3, &group);
  ent_paper_size(NULL, 5, 3, &features, &nonzeros);
  long count = failing_malloc_count();
  failing_malloc_after(-1);
  assert_int_equal(count, 0);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

SUITE(axis_design_faults) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels),
      cmocka_unit_test(text_kernels),
      cmocka_unit_test(designs),
      cmocka_unit_test(paper_designs),
      cmocka_unit_test(old_files_survive),
      cmocka_unit_test(calls_that_do_not_allocate),
      cmocka_unit_test(restricted_designs),
  };
  return cmocka_run_group_tests_name("axis and design: out of memory", tests, make_folder, remove_folder);
}
