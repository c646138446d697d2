/* Verdicts on the claims of the paper follow from the numbers: changed numbers change them. */
#include "unit/papers.h"

#include "study/verdicts.h"

static entropic_context *context;
static ent_paper *paper;

static int start(void **state) {
  (void)state;
  context = context_with(2);
  paper = make_paper(context);
  return 0;
}

static int stop(void **state) {
  (void)state;
  ent_paper_free(paper);
  entropic_context_free(context);
  return 0;
}

static ent_verdict verdict_of(const char *key) {
  ent_verdict verdicts[ENT_VERDICTS];
  ent_verdicts_make(paper, verdicts);
  for (size_t i = 0; i < ENT_VERDICTS; i++)
    if (strcmp(verdicts[i].key, key) == 0)
      return verdicts[i];
  fail_msg("there is no verdict %s", key);
  return verdicts[0];
}

static const ent_claim *claim_of(const char *name) {
  size_t i = 0;
  while (strcmp(ent_claim_list[i].name, name) != 0)
    i++;
  return &ent_claim_list[i];
}

static double *claim(const char *name) {
  for (size_t i = 0; i < ENT_CLAIMS; i++)
    if (strcmp(ent_claim_list[i].name, name) == 0)
      return &paper->claims[i].value;
  fail_msg("there is no claim %s", name);
  return NULL;
}

static void expect(const char *key, ent_verdict_kind kind) {
  const ent_verdict verdict = verdict_of(key);
  if (verdict.kind != kind)
    fail_msg("%s: %s, expected %s: %s", key, ent_verdict_name(verdict.kind), ent_verdict_name(kind), verdict.evidence);
  if (strlen(verdict.evidence) < 20 || strlen(verdict.evidence) > ENT_EVIDENCE - 20)
    fail_msg("%s: %zu characters of evidence: %s", key, strlen(verdict.evidence), verdict.evidence);
}

/* With every claim at its limit all hold; each verdict falls with any claim that it rests on. */
static void by_claims(void **state) {
  (void)state;
  static const struct {
    const char *key;
    ent_verdict_kind kind;
    const char *claims[4];
  } cases[] = {{"supports", ENT_VERDICT_HOLDS, {"support", "nested", "union"}},
               {"basis", ENT_VERDICT_COMPLETED, {"orthogonal", "norms", "boundary", "expansion"}},
               {"products", ENT_VERDICT_COMPLETED, {"products", "product-norms", "faces", "product-expansion"}},
               {"pairs", ENT_VERDICT_COMPLETED, {"pair-orthogonal", "pair-expansion"}},
               {"expansion", ENT_VERDICT_COMPLETED, {"expansion", "root", "bridge"}},
               {"norms", ENT_VERDICT_HOLDS, {"growth", "linear"}},
               {"lemma", ENT_VERDICT_HOLDS, {"lemma", "logarithm"}},
               {"optimal", ENT_VERDICT_HOLDS, {"sum", "product", "knapsack"}},
               {"size", ENT_VERDICT_HOLDS, {"size", "nonzeros", "share"}},
               {"share-limit", ENT_VERDICT_HOLDS, {"share-limit"}},
               {"nonzeros", ENT_VERDICT_HOLDS, {"sparse", "completed-sparse"}},
               {"training", ENT_VERDICT_HOLDS, {"training"}}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    expect(cases[i].key, cases[i].kind);
    for (size_t k = 0; k < 4 && cases[i].claims[k] != NULL; k++) {
      double *value = claim(cases[i].claims[k]), was = *value;
      const ent_claim *of = claim_of(cases[i].claims[k]);
      *value = of->at_least ? was - 1 : was + 1;
      expect(cases[i].key, ENT_VERDICT_FAILS);
      *value = NAN;
      expect(cases[i].key, ENT_VERDICT_NONE);
      *value = was;
    }
  }
  /* Were nothing missing without boundary functions, the printed basis would hold. */
  *claim("without") = 0;
  expect("basis", ENT_VERDICT_HOLDS);
  *claim("without") = 0.5;
  *claim("order") = 1.5;
  expect("order", ENT_VERDICT_HOLDS);
  *claim("order") = 0.9;
  expect("order", ENT_VERDICT_FAILS);
  expect("laplace", ENT_VERDICT_FAILS);
  *claim("not-sinh") = 0;
  expect("laplace", ENT_VERDICT_HOLDS);
  *claim("not-sinh") = 0.5;
  paper->has_claims = false;
  expect("basis", ENT_VERDICT_NONE);
  paper->has_claims = true;
}

/* Gives all runs of a method these errors, a little apart so that intervals have a width. */
static void put_errors(ent_compare_method method, double error) {
  ent_experiments *experiments = &paper->comparisons[0]->experiments;
  for (size_t i = 0; i < experiments->count; i++)
    if (experiments->list[i].request.method == method)
      for (size_t k = 0; k < experiments->list[i].runs; k++)
        experiments->list[i].errors[k] = error * (1 + 1e-4 * (double)k);
}

/* Only sizes with several runs have intervals. */
static void drop_single_runs(void) {
  ent_experiments *experiments = &paper->comparisons[0]->experiments;
  for (size_t i = 0; i < experiments->count; i++)
    if (experiments->list[i].runs == 1) {
      experiments->list[i].errors[1] = experiments->list[i].errors[0];
      experiments->list[i].runs = 2;
    }
}

static void by_errors(void **state) {
  (void)state;
  static const struct {
    double printed, inset, completed;
    ent_verdict_kind kind;
  } cases[] = {{0.1, 0.9, 0.9, ENT_VERDICT_HOLDS},
               {0.9, 0.1, 0.9, ENT_VERDICT_INSET},
               {0.9, 0.9, 0.1, ENT_VERDICT_COMPLETED},
               {0.9, 0.9, 0.9, ENT_VERDICT_FAILS},
               {0.9, 0.9, 0.5, ENT_VERDICT_OPEN}};
  drop_single_runs();
  for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++)
    put_errors(method, 0.5);
  for (size_t i = 0; i < COUNT(cases); i++) {
    put_errors(ENT_COMPARE_PRINTED, cases[i].printed);
    put_errors(ENT_COMPARE_INSET, cases[i].inset);
    put_errors(ENT_COMPARE_ENTROPY, cases[i].completed);
    expect("figure", cases[i].kind);
    expect("any-random", cases[i].kind);
  }
  char sentences[ENT_SENTENCES][ENT_EVIDENCE];
  assert_int_equal(ent_verdict_sentences(paper, sentences), 4);
  assert_non_null(strstr(sentences[0], "Energy Efficiency 0.900 (0.500 to 0.500). On 1 of 1 sets it is worse"));
  /* Landmarks are no random features, QMC is one. */
  put_errors(ENT_COMPARE_ENTROPY, 0.1);
  put_errors(ENT_COMPARE_NYSTROEM, 0.01);
  expect("any-random", ENT_VERDICT_COMPLETED);
  put_errors(ENT_COMPARE_QMC, 0.01);
  expect("any-random", ENT_VERDICT_FAILS);
  expect("figure", ENT_VERDICT_COMPLETED);
}

static void put_times(ent_experiments *experiments, ent_compare_method method, bool budget, double seconds) {
  for (size_t i = 0; i < experiments->count; i++) {
    ent_experiment *e = &experiments->list[i];
    for (size_t k = 0; e->request.method == method && (e->request.nonzeros > 0) == budget && k < e->times.count; k++)
      e->times.rounds[k].durations.train = e->times.rounds[k].durations.given = seconds;
  }
}

static void by_times(void **state) {
  (void)state;
  ent_experiments *experiments = &paper->comparisons[0]->experiments, *given = &paper->given;
  for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++)
    put_times(experiments, method, false, 2);
  put_times(experiments, ENT_COMPARE_PRINTED, false, 1);
  expect("time", ENT_VERDICT_HOLDS);
  put_times(experiments, ENT_COMPARE_LKRF, false, 0.5);
  expect("time", ENT_VERDICT_FAILS);
  put_times(experiments, ENT_COMPARE_ENTROPY, false, 0.4);
  expect("time", ENT_VERDICT_COMPLETED);
  for (ent_given_form form = 0; form < ENT_GIVEN_FORMS; form++)
    put_times(given, ent_paper_given(paper, form, 80)->request.method, form == ENT_GIVEN_BUDGET, 1);
  expect("given", ENT_VERDICT_FAILS); /* as fast is not faster */
  put_times(given, ENT_COMPARE_ENTROPY, true, 0.5);
  expect("given", ENT_VERDICT_FAILS); /* a budget of non-zeros is not in the paper */
  put_times(given, ENT_COMPARE_ENTROPY, false, 0.9);
  expect("given", ENT_VERDICT_COMPLETED);
  put_times(given, ENT_COMPARE_INSET, false, 0.9);
  expect("given", ENT_VERDICT_INSET);
  put_times(given, ENT_COMPARE_PRINTED, false, 0.9);
  expect("given", ENT_VERDICT_HOLDS);
  put_times(given, ENT_COMPARE_RKS, false, NAN);
  assert_true(verdict_of("given").kind != ENT_VERDICT_HOLDS);
}

/* Risks that fall as rows to a power, with little noise between two runs. */
static void put_risks(ent_rate *rate, double power) {
  rate->count = 4;
  rate->rows[2] = 1024;
  rate->rows[3] = 2048;
  for (size_t i = 0; i < rate->count; i++)
    for (size_t run = 0; run < rate->runs; run++)
      rate->risks[i][run] = (1 + (double)run) * pow(rate->rows[i], power * (1 + 1e-6 * (double)run));
  ent_rate_fit(rate);
}

static void by_rates(void **state) {
  (void)state;
  for (size_t i = 0; i < ENT_PAPER_RATES; i++) {
    ent_rate *rate = &paper->rates[i];
    char key[16];
    snprintf(key, sizeof key, "rate-%zu", rate->inputs);
    if (rate->rule != ENT_RATE_FOURTH)
      continue;
    put_risks(rate, -0.6);
    expect(key, ENT_VERDICT_HOLDS);
    put_risks(rate, -0.1);
    expect(key, rate->inputs <= 2 ? ENT_VERDICT_FAILS : ENT_VERDICT_OPEN);
    put_risks(rate, NAN);
    expect(key, ENT_VERDICT_NONE);
  }
}

static void of_sets_alone(void **state) {
  (void)state;
  expect("sparser-inputs", ENT_VERDICT_FAILS);
  expect("sparser-rows", ENT_VERDICT_HOLDS);
  expect("sparse", ENT_VERDICT_HOLDS);
}

SUITE(study_verdicts) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_claims), cmocka_unit_test(by_errors),
                                     cmocka_unit_test(by_times), cmocka_unit_test(by_rates),
                                     cmocka_unit_test(of_sets_alone)};
  return cmocka_run_group_tests_name("study_verdicts", tests, start, stop);
}
