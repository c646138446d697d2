/* Explanations and exports of large models poll often enough to be cancelled within 100 ms. What is measured is the
 * processor time of this thread between two polls, so other work on the machine does not matter. */
#include "unit/fitting.h"
#include "unit/outputs.h"

#include <time.h>

#include "base/progress.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMIT 1.0 /* seconds */
#else
#define LIMIT 0.1
#endif

typedef struct gaps {
  double then, longest;
  size_t polls;
} gaps;

static double thread_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int note_gap(void *user, const char *stage, double done) {
  (void)stage, (void)done;
  gaps *g = user;
  double now = thread_seconds();
  g->longest = fmax(g->longest, now - g->then);
  g->then = now;
  g->polls++;
  return 0;
}

/* A call in which every poll calls back, on this thread. */
typedef struct watching {
  ent_call call;
  gaps gaps;
} watching;

static void watch_start(entropic_context *context, watching *w) {
  *w = (watching){.gaps = {.then = thread_seconds()}};
  ASSERT_OK(context, entropic_context_set_progress(context, note_gap, &w->gaps));
  ent_call_begin(context, "watching", &w->call);
  w->call.period = 0;
  ent_call_stay(&w->call);
}

static void watch_end(entropic_context *context, watching *w, const char *name, const char *what) {
  note_gap(&w->gaps, NULL, 0);
  ent_call_end(context);
  ASSERT_OK(context, entropic_context_set_progress(context, NULL, NULL));
  print_message("# %s, %s: %zu polls, at most %.1f ms between two\n", name, what, w->gaps.polls, 1e3 * w->gaps.longest);
  if (!(w->gaps.longest <= LIMIT))
    fail_msg("%s, %s: %.0f ms between two polls", name, what, 1e3 * w->gaps.longest);
}

static void check_exports(entropic_context *context, const entropic_model *model, const char *name) {
  static const char *const languages[] = {"c", "js", "json"};
  watching w;
  for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
    entropic_parameters *parameters = NULL;
    unsigned char *bytes = NULL;
    size_t count = 0;
    ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_EXPORT, &parameters));
    ASSERT_OK(context, entropic_parameters_set(context, parameters, "lang", languages[i]));
    watch_start(context, &w);
    ASSERT_OK(context, entropic_model_export_memory(context, model, parameters, &bytes, &count));
    watch_end(context, &w, name, languages[i]);
    assert_true(count > 1000);
    entropic_bytes_free(bytes);
    entropic_parameters_free(parameters);
  }
}

/* The page, the parts of a page of several scores and the exported model in it among them. */
static void check_page(entropic_context *context, const entropic_explanation *explanation, const char *name) {
  watching w;
  watch_start(context, &w);
  ASSERT_OK(context, entropic_explanation_html(context, explanation, NULL, name, "/dev/null"));
  watch_end(context, &w, name, "page");
}

static void check_model(const char *name, entropic_family family, size_t inputs, size_t features) {
  entropic_context *context = context_with(1);
  sheet s = sheet_start(64, inputs, 1, PLAIN, 3);
  ent_fit_options options = fixed_options(1e-2, features);
  double omega = family == ENTROPIC_FAMILY_LAPLACE ? 0.1 : 1;
  entropic_explanation *explanation = NULL;
  entropic_report *report = NULL;
  watching w;
  options.omegas = &omega;
  options.axis.family = family;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  watch_start(context, &w);
  ASSERT_OK(context, entropic_explain(context, model, NULL, &explanation));
  watch_end(context, &w, name, "explain");
  watch_start(context, &w);
  ASSERT_OK(context, entropic_explanation_report(context, explanation, &report));
  watch_end(context, &w, name, "report");
  double *effects = calloc(s.rows * (1 + entropic_explanation_inputs(explanation)), sizeof *effects);
  watch_start(context, &w);
  ASSERT_OK(context, predict_effects(context, model, explanation, s.values, s.rows, s.columns, effects));
  watch_end(context, &w, name, "effects");
  check_exports(context, model, name);
  check_page(context, explanation, name);
  free(effects);
  entropic_report_free(report);
  entropic_explanation_free(explanation);
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

static void many_factors(void **state) {
  (void)state;
  check_model("20 features of 3000 inputs", ENTROPIC_FAMILY_LAPLACE, 3000, 20);
}

static void more_factors(void **state) {
  (void)state;
  if (!quick_tests())
    check_model("4 features of 9000 inputs", ENTROPIC_FAMILY_LAPLACE, 9000, 4);
}

/* A line for each input: a page of many pictures. */
static void many_lines(void **state) {
  (void)state;
  check_model("3001 features of one of 3000 inputs", ENTROPIC_FAMILY_CENTRED, 3000, 3001);
}

static void many_pairs(void **state) {
  (void)state;
  check_model("pairs of 200 inputs", ENTROPIC_FAMILY_CENTRED, 200, 20000);
}

/* As many entries of pairs as are listed. */
static void most_entries(void **state) {
  (void)state;
  if (!quick_tests())
    check_model("16 features of 1000 inputs", ENTROPIC_FAMILY_LAPLACE, 1000, 16);
}

SUITE(cancel_large) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(many_factors), cmocka_unit_test(more_factors),
                                     cmocka_unit_test(many_lines), cmocka_unit_test(many_pairs),
                                     cmocka_unit_test(most_entries)};
  return cmocka_run_group_tests_name("cancel_large", tests, NULL, NULL);
}
