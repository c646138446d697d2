/* What random maps do not take, and what they say then. */
#include "unit/randoms.h"

static const double x[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, y[] = {1, 2, 4};

static ent_random_data all_data(void) {
  return (ent_random_data){.x = x, .rows = 3, .stride = 2, .y = y, .targets = 1, .y_stride = 1};
}

static void refused(const ent_random_options *options, size_t inputs, const ent_random_data *data,
                    entropic_status status, const char *message) {
  entropic_context *context = context_with(2);
  ent_random_map *map = NULL;
  assert_int_equal(ent_random_create(context, options, inputs, data, &map), status);
  assert_message(context, message);
  assert_null(map);
  entropic_context_free(context);
}

static void options(void **state) {
  (void)state;
  ent_random_options good = ent_random_options_default(), bad = good;
  bad.method = (ent_random_method)9;
  refused(&bad, 2, NULL, ENTROPIC_BAD_ARGUMENT, "method: 9 is not one of RKS, ORF, LKRF, EERF, Nystroem, QMC, SORF");
  bad = good;
  bad.kernel = (ent_random_kernel)-1;
  refused(&bad, 2, NULL, ENTROPIC_BAD_ARGUMENT, "kernel: -1 is not one of laplace, gauss, sobolev");
  bad = good;
  bad.kernel = ENT_RANDOM_SOBOLEV;
  refused(&bad, 2, NULL, ENTROPIC_BAD_ARGUMENT, "kernel: sobolev has no RKS features");
  bad.method = ENT_RANDOM_ORF;
  bad.kernel = ENT_RANDOM_LAPLACE;
  refused(&bad, 2, NULL, ENTROPIC_BAD_ARGUMENT, "kernel: laplace has no ORF features");
  bad.method = ENT_RANDOM_SORF;
  refused(&bad, 2, NULL, ENTROPIC_BAD_ARGUMENT, "kernel: laplace has no SORF features");
  bad.kernel = ENT_RANDOM_SOBOLEV;
  refused(&bad, 2, NULL, ENTROPIC_BAD_ARGUMENT, "kernel: sobolev has no SORF features");
  const double sigmas[] = {0, -1, 1e7, NAN, INFINITY};
  for (size_t i = 0; i < COUNT(sigmas); i++) {
    bad = good;
    bad.sigma = sigmas[i];
    refused(&bad, 2, NULL, ENTROPIC_BAD_ARGUMENT, "expected 1e-6 to 1e6");
  }
  bad = good;
  bad.features = 0;
  refused(&bad, 2, NULL, ENTROPIC_BAD_ARGUMENT, "features: 0; expected 1 to 2147483647");
  refused(&good, 0, NULL, ENTROPIC_BAD_ARGUMENT, "inputs: 0; expected 1 to 2147483647");
  bad = good;
  bad.rho = NAN;
  refused(&bad, 2, NULL, ENTROPIC_BAD_ARGUMENT, "rho: nan; expected a finite number");
  bad = good;
  bad.landmarks = (ent_random_landmarks)3;
  refused(&bad, 2, NULL, ENTROPIC_BAD_ARGUMENT, "landmarks: 3 is not one of uniform, spread, RPC");
  bad.landmarks = (ent_random_landmarks)-1;
  refused(&bad, 2, NULL, ENTROPIC_BAD_ARGUMENT, "landmarks: -1 is not one of uniform, spread, RPC");
  bad = good;
  bad.method = ENT_RANDOM_EERF;
  bad.candidates = 0;
  refused(&bad, 2, NULL, ENTROPIC_BAD_ARGUMENT, "candidates: 0; expected 1 to 1000000");
  bad = good; /* 2^31 features of 2^31 inputs */
  bad.features = INT32_MAX;
  refused(&bad, INT32_MAX, NULL, ENTROPIC_NO_MEMORY, "");
  assert_string_equal(ent_random_method_name(ENT_RANDOM_SORF), "SORF");
  assert_null(ent_random_method_name((ent_random_method)7));
  assert_null(ent_random_kernel_name((ent_random_kernel)3));
}

static void data(void **state) {
  (void)state;
  for (int method = ENT_RANDOM_LKRF; method <= ENT_RANDOM_NYSTROEM; method++) {
    ent_random_options o = ent_random_options_default();
    o.method = (ent_random_method)method;
    o.features = 2;
    refused(&o, 2, NULL, ENTROPIC_BAD_ARGUMENT, "learns from rows; there are none");
    ent_random_data bad = all_data();
    bad.rows = 0;
    refused(&o, 2, &bad, ENTROPIC_BAD_ARGUMENT, "learns from rows; there are none");
    bad = all_data();
    refused(&o, 3, &bad, ENTROPIC_BAD_ARGUMENT, "stride: 2; expected at least 3");
    double holes[] = {0.1, 0.2, NAN, NAN, 0.5, INFINITY};
    bad.x = holes;
    o.landmarks = ENT_LANDMARKS_SPREAD;
    refused(&o, 2, &bad, ENTROPIC_BAD_DATA, "is not a finite number");
    o.landmarks = ENT_LANDMARKS_RPC;
    refused(&o, 2, &bad, ENTROPIC_BAD_DATA, "is not a finite number");
    if (method == ENT_RANDOM_NYSTROEM)
      continue;
    bad = all_data();
    bad.y = NULL;
    refused(&o, 2, &bad, ENTROPIC_BAD_ARGUMENT, "learns from targets; there are none");
    bad = all_data();
    bad.targets = 2;
    refused(&o, 2, &bad, ENTROPIC_BAD_ARGUMENT, "y_stride: 1; expected at least 2");
    bad = all_data();
    bad.y = (double[]){1, NAN, 2};
    refused(&o, 2, &bad, ENTROPIC_BAD_DATA, "row 2, target 1: nan is not a finite number");
    bad = all_data();
    bad.weights = (double[]){1, 1, -1};
    refused(&o, 2, &bad, ENTROPIC_BAD_DATA, "row 3: weight -1; expected a finite number, not negative");
    bad.weights = (double[]){0, 0, 0};
    refused(&o, 2, &bad, ENTROPIC_BAD_DATA, "the weights of the rows sum to 0, expected more than 0");
  }
  ent_random_options o = ent_random_options_default();
  o.method = ENT_RANDOM_NYSTROEM;
  o.kernel = ENT_RANDOM_SOBOLEV;
  o.features = 1;
  o.sigma = 1e6;
  double *ones = new_numbers(60); /* 1e6^60 */
  for (size_t i = 0; i < 60; i++)
    ones[i] = 1;
  ent_random_data many = {.x = ones, .rows = 1, .stride = 60};
  for (int landmarks = 0; landmarks <= ENT_LANDMARKS_RPC; landmarks++) {
    o.landmarks = (ent_random_landmarks)landmarks;
    refused(&o, 60, &many, ENTROPIC_BAD_ARGUMENT, "sigma: 1e+06; the kernel is outside the range of a double");
  }
  free(ones);
}

static void rows(void **state) {
  (void)state;
  ent_random_options o = ent_random_options_default();
  o.features = 2;
  ent_random_map *random = make_random(&o, 2, NULL, 1);
  ent_map map = ent_map_of_random(random);
  entropic_context *context = context_with(1);
  void *scratch = NULL;
  double z[6], values[6], bad[] = {0.1, 0.2, 0.3, -INFINITY};
  size_t starts[4];
  int32_t columns[6];
  ASSERT_OK(context, map.calls->scratch_create(context, map.self, &scratch));
  assert_int_equal(map.calls->dense(context, map.self, scratch, x, 3, 1, z, 3), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "stride: 1; expected at least 2");
  assert_int_equal(map.calls->dense(context, map.self, scratch, x, 3, 2, z, 2), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "ld: 2; expected at least 3");
  assert_int_equal(map.calls->dense(context, map.self, scratch, bad, 2, 2, z, 3), ENTROPIC_BAD_DATA);
  assert_message(context, "row 2, column 2: -inf is not a finite number");
  assert_int_equal(map.calls->sparse(context, map.self, scratch, x, 3, 1, starts, columns, values),
                   ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "stride: 1; expected at least 2");
  assert_int_equal(map.calls->sparse(context, map.self, scratch, bad, 2, 2, starts, columns, values),
                   ENTROPIC_BAD_DATA);
  assert_message(context, "row 2, column 2: -inf is not a finite number");
  ASSERT_OK(context, map.calls->dense(context, map.self, scratch, x, 0, 2, z, 0));
  ASSERT_OK(context, map.calls->sparse(context, map.self, scratch, x, 0, 2, starts, columns, values));
  assert_int_equal(starts[0], 0);
  map.calls->scratch_free(scratch);
  map.calls->scratch_free(NULL);
  ent_random_free(random);
  ent_random_free(NULL);
  entropic_context_free(context);
}

SUITE(baselines_refusals) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(options), cmocka_unit_test(data), cmocka_unit_test(rows)};
  return cmocka_run_group_tests_name("random_refusals", tests, NULL, NULL);
}
