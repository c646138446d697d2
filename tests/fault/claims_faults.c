/* Claims with every allocation failing once. */
#include "unit/claim_named.h"
#include "unit/lifting.h"

#include "fault/failing_malloc.h"

static entropic_context *context;

static int start(void **state) {
  (void)state;
  context = context_with(1);
  return 0;
}

static int stop(void **state) {
  (void)state;
  entropic_context_free(context);
  remove("faults.out");
  return 0;
}

static entropic_status measure(void *argument) {
  const ent_claim *claim = argument;
  static ent_finding finding;
  finding = (ent_finding){0};
  return claim->measure(context, &ent_subject_library, &finding);
}

/* One of each kind. The others take the same paths, over more kernels. */
static void claims_are_measured(void **state) {
  (void)state;
  static const char *const names[] = {"without", "bridge", "pair-orthogonal", "order", "knapsack", "product-expansion"};
  for (size_t i = 0; i < COUNT(names); i++)
    assert_true(expect_each_allocation_failure(measure, (void *)claim_named(names[i])) >= 3);
}

/* Claims that take many kernels ask for memory thousands of times: the first allocations fail. */
static void claims_are_started(void **state) {
  (void)state;
  static const char *const names[] = {"products", "sum", "nonzeros", "sparse", "rate", "support", "growth", "lemma"};
  for (size_t i = 0; i < COUNT(names); i++)
    for (long successes = 0; successes < 40; successes++) {
      long live = failing_malloc_live();
      failing_malloc_after(successes);
      entropic_status status = measure((void *)claim_named(names[i]));
      failing_malloc_after(-1);
      assert_int_equal(status, ENTROPIC_NO_MEMORY);
      assert_int_equal(failing_malloc_live(), live);
    }
}

static void all_are_checked(void **state) {
  (void)state;
  for (long successes = 0; successes < 20; successes++) {
    long live = failing_malloc_live();
    ent_claims *claims = untouched();
    failing_malloc_after(successes);
    entropic_status status = ent_claims_check(context, &claims);
    failing_malloc_after(-1);
    assert_int_equal(status, ENTROPIC_NO_MEMORY);
    check_failed(status, context, claims);
    assert_int_equal(failing_malloc_live(), live);
  }
}

typedef entropic_status (*writer)(entropic_context *, const ent_claims *, const char *);

typedef struct writing {
  writer write;
  const ent_claims *claims;
} writing;

static entropic_status write_claims(void *argument) {
  const writing *w = argument;
  return w->write(context, w->claims, "faults.out");
}

static void claims_are_written(void **state) {
  (void)state;
  static const writer writers[] = {ent_claims_text, ent_claims_json, ent_claims_html};
  ent_claims *claims = calloc(1, sizeof *claims);
  claims->findings[0].title = claims->findings[0].x_title = claims->findings[0].y_title = "made up";
  ent_series_put(ent_finding_series(&claims->findings[0], "drawn"), 1, 2);
  ent_series_put(ent_finding_series(&claims->findings[0], "drawn"), 2, 3);
  for (size_t i = 0; i < COUNT(writers); i++) {
    writing w = {writers[i], claims};
    assert_true(expect_each_allocation_failure(write_claims, &w) >= 2);
  }
  free(claims);
}

SUITE(claims_faults) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(claims_are_measured),
      cmocka_unit_test(claims_are_started),
      cmocka_unit_test(all_are_checked),
      cmocka_unit_test(claims_are_written),
  };
  return cmocka_run_group_tests_name("claims_faults", tests, start, stop);
}
