/* Random maps with each of their allocations failing in turn. */
#include "unit/randoms.h"

#include "base/blas.h"
#include "fault/failing_malloc.h"
#include "solve/exact.h"

typedef struct setting {
  entropic_context *context;
  ent_random_options options;
  ent_random_data data;
} setting;

static setting at;
static double x[80], y[40];

static entropic_status create(void *argument) {
  setting *s = argument;
  ent_random_map *map = untouched();
  entropic_status status = ent_random_create(s->context, &s->options, 2, &s->data, &map);
  if (status != ENTROPIC_OK)
    return check_failed(status, s->context, map);
  ent_map face = ent_map_of_random(map);
  void *scratch = untouched();
  status = face.calls->scratch_create(s->context, face.self, &scratch);
  if (status == ENTROPIC_OK)
    face.calls->scratch_free(scratch);
  else
    check_failed(status, s->context, scratch);
  ent_random_free(map);
  return status;
}

static entropic_status bandwidth(void *argument) {
  setting *s = argument;
  double sigma = -7;
  entropic_status status = ent_random_bandwidth(s->context, &s->data, 2, 1, &sigma);
  if (status == ENTROPIC_OK)
    return status;
  assert_true(sigma == -7);
  return check_failed(status, s->context, untouched());
}

static entropic_status exact(void *argument) {
  setting *s = argument;
  const double lambdas[] = {1e-3, 1};
  double predictions[2 * 10];
  const ent_exact_ridge_task task = {.kernel = ENT_RANDOM_LAPLACE,
                                     .sigma = 1,
                                     .inputs = 2,
                                     .data = s->data,
                                     .lambdas = lambdas,
                                     .count = 2,
                                     .x = x,
                                     .rows = 10,
                                     .stride = 2};
  entropic_status status = ent_exact_ridge(s->context, &task, predictions);
  return status == ENTROPIC_OK ? status : check_failed(status, s->context, untouched());
}

static void each_allocation(void **state) {
  (void)state;
  const ent_blas *blas;
  assert_int_equal(ent_blas_get(NULL, &blas), ENTROPIC_OK); /* loading it allocates, once */
  for (int threads = 1; threads <= 3; threads++) {
    at.context = context_with(threads);
    for (int method = ENT_RANDOM_RKS; method <= ENT_RANDOM_SORF; method++)
      for (int landmarks = 0; landmarks <= ENT_LANDMARKS_RPC; landmarks++) {
        at.options = ent_random_options_default();
        at.options.method = (ent_random_method)method;
        at.options.features = 35;
        at.options.landmarks = (ent_random_landmarks)landmarks;
        assert_true(expect_each_allocation_failure(create, &at) >= 5);
      }
    assert_true(expect_each_allocation_failure(bandwidth, &at) >= 3);
    assert_true(expect_each_allocation_failure(exact, &at) >= 9);
    entropic_context_free(at.context);
  }
}

SUITE(random_faults) {
  entropic_random random = entropic_random_start(1, 0);
  for (size_t i = 0; i < 80; i++)
    x[i] = entropic_random_uniform(&random);
  for (size_t i = 0; i < 40; i++)
    y[i] = x[2 * i] * x[2 * i + 1];
  at.data = (ent_random_data){.x = x, .rows = 40, .stride = 2, .y = y, .targets = 1, .y_stride = 1};
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation)};
  return cmocka_run_group_tests_name("random_faults", tests, NULL, NULL);
}
