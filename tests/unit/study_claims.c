/* The claims of the source paper: all hold for the library, and each fails for a subject with a fault of its kind. */
#include "unit/claim_faults.h"
#include "unit/claim_named.h"
#include "unit/learning.h"

#include "claims/claims_atoms.h"

static entropic_context *context;

static int start(void **state) {
  context = context_with(1);
  return make_folder(state);
}

static int stop(void **state) {
  entropic_context_free(context);
  return remove_folder(state);
}

static double measure(const ent_claim *claim, const ent_subject *subject) {
  ent_finding *finding = calloc(1, sizeof *finding);
  ASSERT_OK(context, claim->measure(context, subject, finding));
  double value = finding->value;
  free(finding);
  return value;
}

static void all_hold_for_the_library(void **state) {
  (void)state;
  ent_claims *claims = NULL;
  ASSERT_OK(context, ent_claims_check(context, &claims));
  for (size_t i = 0; i < ENT_CLAIMS; i++)
    if (!ent_claim_holds(&ent_claim_list[i], claims->findings[i].value))
      fail_msg("%s does not hold: %g", ent_claim_list[i].name, claims->findings[i].value);
  assert_int_equal(ent_claims_failed(claims), 0);
  assert_int_equal(ent_claims_count(claims), ENT_CLAIMS);
  ent_claims_free(claims);
  ent_claims_free(NULL);
  assert_int_equal(ent_claims_check(context, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "claims is NULL");
}

static void each_fails_with_its_fault(void **state) {
  (void)state;
  bool seen[ENT_CLAIMS] = {false};
  for (size_t i = 0; i < COUNT(faults); i++) {
    const ent_claim *claim = claim_named(faults[i].claim);
    const ent_subject subject = with_fault(&faults[i].fault);
    double value = measure(claim, &subject);
    if (ent_claim_holds(claim, value))
      fail_msg("%s holds with %s: %g", claim->name, faults[i].what, value);
    seen[claim - ent_claim_list] = true;
  }
  for (size_t i = 0; i < ENT_CLAIMS; i++)
    if (!seen[i])
      fail_msg("no fault is planted for %s", ent_claim_list[i].name);
}

static void nan_fails(void **state) {
  (void)state;
  static const char *const counts[] = {"size",   "nonzeros",         "share",    "share-limit",
                                       "sparse", "completed-sparse", "training", "rate"};
  const ent_subject subject = {.kernel = kernel_is_nan,
                               .atom = atom_is_nan,
                               .level = level_is_nan,
                               .design = ent_design_create,
                               .size = ent_paper_size,
                               .lift = lift_is_nan,
                               .rate = ent_rate_measure};
  for (size_t i = 0; i < ENT_CLAIMS; i++) {
    bool counted = false;
    for (size_t k = 0; k < COUNT(counts); k++)
      counted = counted || strcmp(ent_claim_list[i].name, counts[k]) == 0;
    if (!counted && ent_claim_holds(&ent_claim_list[i], measure(&ent_claim_list[i], &subject)))
      fail_msg("%s holds with NaN", ent_claim_list[i].name);
    assert_false(ent_claim_holds(&ent_claim_list[i], NAN));
  }
  assert_true(isnan(ent_worse(NAN, 1)) && isnan(ent_worse(1, NAN)) && ent_worse(1, 2) == 2 && ent_worse(2, 1) == 2);
  ent_subject failing = ent_subject_library;
  failing.atom = atom_fails;
  assert_false(ent_claim_holds(claim_named("support"), measure(claim_named("support"), &failing)));
}

static int stop_at_once(void *user, const char *stage, double done) {
  (void)stage, (void)done;
  ++*(int *)user;
  return 1;
}

static void can_be_cancelled(void **state) {
  (void)state;
  ent_claims *claims = NULL;
  int calls = 0;
  entropic_context_set_progress(context, stop_at_once, &calls);
  assert_int_equal(ent_claims_check(context, &claims), ENTROPIC_CANCELLED);
  entropic_context_set_progress(context, NULL, NULL);
  assert_true(claims == NULL && calls > 0);
}

/* Limits are limits: the value itself holds, the next one does not. */
static void limits(void **state) {
  (void)state;
  for (size_t i = 0; i < ENT_CLAIMS; i++) {
    const ent_claim *claim = &ent_claim_list[i];
    double beyond = claim->at_least ? -INFINITY : INFINITY;
    assert_true(ent_claim_holds(claim, claim->limit));
    assert_false(ent_claim_holds(claim, nextafter(claim->limit, beyond)));
    for (size_t k = 0; k < i; k++)
      assert_string_not_equal(claim->name, ent_claim_list[k].name);
    assert_null(strchr(claim->text, '\t'));
    assert_null(strchr(claim->measured, '\t'));
  }
}

/* The custom pairs solve their equations: by central differences. */
static void pairs_solve_their_equations(void **state) {
  (void)state;
  for (size_t pair = 0; pair < ENT_PAIRS; pair++) {
    entropic_axis_options options = ent_pair_options(pair, 4);
    const entropic_kernel_factor solutions[] = {options.p, options.q};
    for (size_t i = 0; i < 2; i++)
      for (double x = 0.1; x < 0.95; x += 0.1) {
        double h = 1e-4, y = solutions[i](x, NULL), up = solutions[i](x + h, NULL), down = solutions[i](x - h, NULL);
        double first = (up - down) / (2 * h), second = (up - 2 * y + down) / (h * h);
        double residual = pair == 0 ? second - 8 * x * y : (1 + x) * (1 + x) * second + (1 + x) * first / 2 - 3 * y;
        assert_close(residual, 0, 1e-5);
      }
  }
}

/* Inner products against integrals of derivatives: for the bridge <f,g> is that of f'g'. */
static void inner_products_are_integrals(void **state) {
  (void)state;
  const entropic_axis_options options = ent_claim_axis_options(ENTROPIC_FAMILY_BRIDGE, 1, ENTROPIC_BASIS_FULL, 4);
  enum { CELLS = 1 << 6 };
  const double points[2] = {0.25, 0.75}, values[2] = {0.3, -0.2};
  ent_claim_axis atoms;
  ASSERT_OK(context, ent_claim_axis_open(context, &ent_subject_library, &options, &atoms));
  ent_combination f = ent_combine(&atoms, points, values, 2);
  for (int l = 1; l <= 4; l++)
    for (uint64_t i = 0; i < UINT64_C(1) << (l - 1); i++) {
      ent_combination g = ent_hat_combination(&atoms, l, i);
      double integral = 0;
      for (int k = 0; k < CELLS; k++) {
        double a = (double)k / CELLS, b = (double)(k + 1) / CELLS;
        integral += CELLS * (ent_combination_at(&atoms, &f, b) - ent_combination_at(&atoms, &f, a)) *
                    (ent_combination_at(&atoms, &g, b) - ent_combination_at(&atoms, &g, a));
      }
      assert_close(ent_combination_inner(&atoms, &f, &g), integral, 1e-13);
      assert_close(ent_combination_hat(&atoms, &f, l, i), integral, 1e-13);
    }
  ent_claim_axis_close(&atoms);
}

/* Lines, JSON and page of made-up findings, one of which does not hold. */
static void outputs(void **state) {
  ent_claims *claims = calloc(1, sizeof *claims);
  for (size_t i = 0; i < ENT_CLAIMS; i++)
    claims->findings[i].value = ent_claim_list[i].limit;
  size_t wrong = (size_t)(claim_named("combination") - ent_claim_list);
  claims->findings[wrong].value = NAN;
  strcpy(claims->findings[wrong].note, "more of it");
  claims->findings[0].title = "Made up";
  claims->findings[0].x_title = claims->findings[0].y_title = "x";
  for (int i = 0; i < 2 * ENT_CLAIM_POINTS; i++)
    ent_series_put(ent_finding_series(&claims->findings[0], "drawn"), i, i);
  for (int i = 0; i < 2 * ENT_CLAIM_SERIES; i++) {
    char name[200];
    snprintf(name, sizeof name, "%0100d", i);
    ent_series_put(ent_finding_series(&claims->findings[0], name), 1, 2);
  }
  assert_int_equal(ent_claims_failed(claims), 1);
  assert_int_equal(claims->findings[0].series_count, ENT_CLAIM_SERIES);
  ASSERT_OK(context, ent_claims_text(context, claims, in_folder(state, "claims.tsv")));
  char *text = read_whole(in_folder(state, "claims.tsv"), NULL);
  size_t lines = 0;
  for (const char *at = text; *at != '\0'; at++)
    lines += *at == '\n';
  assert_int_equal(lines, ENT_CLAIMS + 1);
  assert_ptr_equal(strstr(text, "number\tclaim\tvalue\tlimit\tholds\n1\tTheorem 1: "), text);
  assert_non_null(strstr(text, "largest difference; more of it\t"));
  assert_non_null(strstr(text, "\t<= 1e-11\tno\n5\t"));
  assert_non_null(strstr(text, "\t1\t<= 1\tyes\n2\t"));
  free(text);
  ASSERT_OK(context, ent_claims_json(context, claims, in_folder(state, "claims.json")));
  text = read_whole(in_folder(state, "claims.json"), NULL);
  assert_ptr_equal(strstr(text, "{\"claims\": [\n{\"number\": 1, \"name\": \"support\", "), text);
  assert_non_null(strstr(text, "\"measured\": \"largest difference\", \"note\": \"more of it\", "));
  assert_non_null(strstr(text, "\"value\": null, \"limit\": 1e-11, \"relation\": \"<=\", \"holds\": false}"));
  assert_non_null(strstr(text, "\"relation\": \">=\", \"holds\": true}"));
  free(text);
  ASSERT_OK(context, ent_claims_html(context, claims, in_folder(state, "claims.html")));
  text = read_whole(in_folder(state, "claims.html"), NULL);
  assert_non_null(strstr(text, "36 of 37 claims hold"));
  assert_non_null(strstr(text, "Claim 1. Made up"));
  assert_null(strstr(text, "Claim 2."));
  free(text);
  free(claims);
}

SUITE(study_claims) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_hold_for_the_library),
      cmocka_unit_test(each_fails_with_its_fault),
      cmocka_unit_test(nan_fails),
      cmocka_unit_test(can_be_cancelled),
      cmocka_unit_test(limits),
      cmocka_unit_test(pairs_solve_their_equations),
      cmocka_unit_test(inner_products_are_integrals),
      cmocka_unit_test(outputs),
  };
  return cmocka_run_group_tests_name("study_claims", tests, start, stop);
}
