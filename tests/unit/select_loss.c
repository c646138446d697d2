/* Features of two classes selected by the logistic loss: Newton's weights against their definition, the models of a path
 * against plain Newton's steps in long double, and which loss is left to choose. */
#include "unit/selecting.h"

#include "base/threads.h"
#include "select/selection_loss.h"
#include "select/selected.h"
#include "select/irls.h"

#include "unit/fixture.h"

/* Classes -1 and 1: which side of its middle the target is on, but for a share of rows that are on the other. */
static void class_ground(ground *g, size_t rows, size_t others, double flipped, bool weighted) {
  mixed_ground(g, rows, others, 1, weighted);
  entropic_random random = entropic_random_start(8, rows);
  for (size_t r = 0; r < rows + others; r++) {
    const double *x = g->x + r * MIXED_INPUTS;
    double side = sin(7 * x[0]) + (x[1] < 0.5 ? x[3] : -x[3]) + (isnan(x[2]) ? 0.3 : x[2] * x[0] - 0.2);
    bool other = entropic_random_uniform(&random) < flipped;
    g->y[r] = (side > 0.3) != other ? 1 : -1;
  }
  g->scale[0] = 1;
}

/* ---- The squared loss that is as steep and as curved as the logistic one ---- */

static void weights_and_responses(void **state) {
  (void)state;
  static const double scores[] = {0, 1e-9, -0.3, 2, -6, 6.9, 7, -30, 45, -700, 800};
  enum { ROWS = 2 * COUNT(scores) };
  double y[ROWS], weights[ROWS], at[ROWS], mean = 0, sum = 0;
  for (size_t r = 0; r < ROWS; r++) {
    y[r] = r % 2 == 0 ? -1 : 1;
    weights[r] = r % 5 == 4 ? 0 : 0.5 + (double)r;
  }
  ent_block rows = {.rows = ROWS, .y = y, .y_stride = 1, .weights = weights};
  ent_irls irls;
  ASSERT_OK(context, ent_irls_start(context, &rows, at, &irls));
  double ones = 0, all = 0;
  for (size_t r = 0; r < ROWS; r++) {
    ones += y[r] > 0 ? weights[r] : 0;
    all += weights[r];
  }
  for (size_t r = 0; r < ROWS; r++) {
    assert_close(at[r], log(ones / (all - ones)), 1e-13);
    assert_true(irls.labels[r] == (y[r] > 0));
    at[r] = scores[r / 2];
  }
  ent_irls_set(&irls, &rows, at);
  for (size_t r = 0; r < ROWS; r++) {
    long double p = 1 / (1 + expl(-(long double)at[r])), q = 1 / (1 + expl((long double)at[r]));
    long double curve = p * q > 1e-3L ? p * q : 1e-3L, off = y[r] > 0 ? q : -p;
    assert_close(irls.weights[r], (double)((long double)weights[r] * curve), 1e-14 * weights[r]);
    assert_close(irls.responses[r], (double)((long double)at[r] + off / curve), 1e-12 * (1 + fabs(at[r])));
    /* the slope is that of the logistic loss even where the curvature is bounded */
    assert_close(irls.weights[r] * (irls.responses[r] - at[r]), (double)((long double)weights[r] * off),
                 1e-12 * weights[r]);
    mean += irls.weights[r] * irls.responses[r];
    sum += irls.weights[r];
  }
  assert_close(irls.mean, mean / sum, 1e-12 * fabs(mean / sum));
  double loss = 0;
  for (size_t r = 0; r < ROWS; r++)
    loss += weights[r] / all * (double)log1pl(expl(-(long double)y[r] * (long double)at[r]));
  assert_close(ent_irls_loss(&rows, at), loss, 1e-13 * loss);
  ent_irls_clear(&irls);
  ent_irls_clear(&irls);
}

static void one_class_has_no_odds(void **state) {
  (void)state;
  double y[] = {1, 1, -1}, weights[] = {1, 2, 0}, scores[3];
  ent_block rows = {.rows = 3, .y = y, .y_stride = 1, .weights = weights};
  ent_irls irls;
  assert_int_equal(ent_irls_start(context, &rows, scores, &irls), ENTROPIC_BAD_DATA);
  assert_message(context, "one class");
  assert_null(irls.labels);
}

/* ---- The models of a path ---- */

/* Newton's method from its definition on the lifted rows: a[features], then the intercept. */
static void plain_logistic(const ground *g, double lambda, long double *a) {
  size_t n = g->features + 1;
  long double *matrix = calloc(n * n, sizeof *matrix), *right = calloc(n, sizeof *right);
  memset(a, 0, n * sizeof *a);
  for (int step = 0; step < 25; step++) {
    long double weight = 0;
    memset(matrix, 0, n * n * sizeof *matrix);
    memset(right, 0, n * sizeof *right);
    for (size_t r = 0; r < g->rows; r++) {
      long double w = (long double)g->weights[r], score = a[n - 1];
      const double *z = g->z + r * g->features;
      for (size_t i = 0; i + 1 < n; i++)
        score += a[i] * (long double)z[i];
      long double p = 1 / (1 + expl(-score));
      weight += w;
      for (size_t i = 0; i < n; i++) {
        long double zi = i + 1 < n ? (long double)z[i] : 1;
        right[i] += w * zi * ((g->y[r] > 0) - p);
        for (size_t j = 0; j < n; j++)
          matrix[i * n + j] += w * p * (1 - p) * zi * (j + 1 < n ? (long double)z[j] : 1);
      }
    }
    for (size_t i = 0; i + 1 < n; i++) {
      matrix[i * n + i] += 2 * (long double)lambda * weight;
      right[i] -= 2 * (long double)lambda * weight * a[i];
    }
    eliminate(matrix, right, n);
    for (size_t i = 0; i < n; i++)
      a[i] += right[i];
  }
  free(matrix);
  free(right);
}

/* Loss, wrong classes and mean square of a step on the validation rows. */
static void check_step(ground *g, const ent_selection *s, size_t step, double lambda) {
  ent_lifting lifting;
  const ent_select_step *at = &s->steps[step];
  ASSERT_OK(context, ent_selection_lifting(context, s, at->features, &lifting));
  ground_lift(g, lifting.lift);
  long double *a = calloc(g->features + 1, sizeof *a), loss = 0, square = 0, wrong = 0, weight = 0;
  plain_logistic(g, lambda, a);
  for (size_t r = g->rows; r < g->rows + g->others; r++) {
    long double score = a[g->features], w = (long double)g->weights[r], y = (long double)g->y[r];
    for (size_t i = 0; i < g->features; i++)
      score += a[i] * (long double)g->z[r * g->features + i];
    long double off = y - (2 / (1 + expl(-score)) - 1);
    loss += w * log1pl(expl(-y * score));
    square += w * off * off;
    wrong += (score > 0) == (y > 0) ? 0 : w;
    weight += w;
  }
  assert_close(at->error, (double)(loss / weight), 3e-3 * (double)(loss / weight)); /* fits of a path are rough */
  assert_close(s->squares[2 * step], (double)(square / weight), 5e-3 * (double)(square / weight));
  assert_close(at->error_rate, (double)(wrong / weight), 0.02);
  free(a);
  ent_lifting_clear(&lifting);
}

static void losses_equal_refits(void **state) {
  (void)state;
  entropic_kernel *kernel = mixed_kernel(3);
  for (int weighted = 0; weighted < 2; weighted++)
    for (int given = 0; given < 2; given++) {
      ground g;
      ent_selection s;
      class_ground(&g, 300, 150, 0.1, weighted);
      ent_path_task task = task_of(&g, 60);
      task.data.classes = task.logistic = task.no_early_stop = true;
      task.lambda = given ? 1e-3 : -1;
      ASSERT_OK(context, ent_select_path(context, kernel, &task, &s));
      assert_int_equal(s.selection_loss, ENT_BY_LOGISTIC);
      assert_int_equal(s.count, 60);
      for (size_t i = 0; i < s.step_count; i++) {
        assert_true(given ? s.steps[i].lambda == 1e-3 : s.steps[i].lambda >= 0.99e-7 && s.steps[i].lambda <= 0.101);
        check_step(&g, &s, i, given ? 1e-3 : 0.1 * s.steps[i].lambda);
      }
      ent_selection_clear(&s);
      ground_stop(&g);
    }
  entropic_kernel_free(kernel);
}

/* What feature `last` of the lifted rows explains beyond the others, from its definition: rows weigh p(1-p). */
static double plain_gain(const ground *g, const long double *scores, size_t last, double ridge) {
  size_t n = g->features;
  long double *matrix = calloc(n * n, sizeof *matrix), *right = calloc(n, sizeof *right), weight = 0, mean = 0;
  long double *across = calloc(n, sizeof *across), own = 0, moment = 0;
  for (int pass = 0; pass < 2; pass++)
    for (size_t r = 0; r < g->rows; r++) {
      long double p = 1 / (1 + expl(-scores[r])), w = (long double)g->weights[r] * fmaxl(p * (1 - p), 1e-3L);
      long double response = scores[r] + ((g->y[r] > 0) - p) / fmaxl(p * (1 - p), 1e-3L);
      weight += pass == 0 ? w : 0;
      mean += pass == 0 ? w * response : 0;
      const double *z = g->z + r * n;
      for (size_t i = 0; i < n && pass == 1; i++) {
        long double part = w * (long double)z[i];
        right[i] += part * (response - mean / weight);
        across[i] += part * (long double)z[last];
        for (size_t j = 0; j < n; j++)
          matrix[i * n + j] += part * (long double)z[j];
      }
    }
  for (size_t i = 0; i < n; i++)
    matrix[i * n + i] += (long double)ridge;
  own = matrix[last * n + last];
  moment = right[last];
  for (size_t i = 0; i < n; i++) /* the last one apart from the others */
    matrix[last * n + i] = matrix[i * n + last] = i == last;
  across[last] = 0;
  long double *solved = calloc(n, sizeof *solved);
  memcpy(solved, across, n * sizeof *solved);
  eliminate(matrix, solved, n);
  for (size_t i = 0; i < n; i++) {
    moment -= solved[i] * right[i];
    own -= solved[i] * across[i];
  }
  free(matrix);
  free(right);
  free(across);
  free(solved);
  return (double)(moment * moment / own);
}

/* The 51st feature is selected under the weights that the model of the first 50 leaves. */
static void gains_are_of_the_weights_at_hand(void **state) {
  (void)state;
  enum { FIRST = 50 };
  ground g;
  ent_selection s;
  ent_lifting lifting;
  size_t columns[FIRST + 1];
  entropic_kernel *kernel = mixed_kernel(3);
  class_ground(&g, 500, 100, 0.02, true);
  ent_path_task task = task_of(&g, FIRST + 1);
  task.data.classes = task.logistic = task.no_early_stop = true;
  task.lambda = 1e-3;
  ASSERT_OK(context, ent_select_path(context, kernel, &task, &s));
  assert_int_equal(s.count, FIRST + 1);
  ASSERT_OK(context, ent_selection_lifting(context, &s, FIRST, &lifting));
  ground_lift(&g, lifting.lift);
  long double a[FIRST + 1], *scores = calloc(g.rows, sizeof *scores);
  double weight = 0;
  plain_logistic(&g, task.lambda, a);
  for (size_t r = 0; r < g.rows; r++) {
    scores[r] = a[FIRST];
    for (size_t i = 0; i < FIRST; i++)
      scores[r] += a[i] * (long double)g.z[r * FIRST + i];
    weight += g.weights[r];
  }
  ent_lifting_clear(&lifting);
  ent_candidate_list lists[2] = {{s.selected, FIRST + 1}, {NULL, 0}};
  ASSERT_OK(context, ent_selected_lifting(context, s.candidates, lists, columns, &lifting));
  ground_lift(&g, lifting.lift);
  double gain = plain_gain(&g, scores, columns[FIRST], 2 * task.lambda * weight);
  assert_close(s.selected[FIRST].gain, gain, 0.02 * gain); /* the first model is a rough one */
  free(scores);
  ent_lifting_clear(&lifting);
  ent_selection_clear(&s);
  entropic_kernel_free(kernel);
  ground_stop(&g);
}

/* ---- Which loss chooses ---- */

static ent_selection choose(entropic_context *with, ground *g, ent_selection_loss selection_loss, size_t most,
                            double deadline) {
  entropic_kernel *kernel = mixed_kernel(3);
  ent_path_task task = task_of(g, most);
  ent_selection s;
  task.data.classes = true;
  task.time.deadline = deadline;
  ASSERT_OK(with, ent_select_by_loss(with, kernel, selection_loss, &task, &s));
  entropic_kernel_free(kernel);
  return s;
}

static void assert_same(const ent_selection *a, const ent_selection *b) {
  assert_int_equal(a->selection_loss, b->selection_loss);
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->step_count, b->step_count);
  assert_memory_equal(a->selected, b->selected, a->count * sizeof *a->selected);
  for (size_t k = 0; k < a->step_count; k++)
    assert_true(a->steps[k].lambda == b->steps[k].lambda && a->steps[k].error == b->steps[k].error);
}

/* Where a boundary is sharp, what lies far from it stops to count; where a third of the rows are on the wrong side, it is
 * noise that the two differ by. */
static void the_better_one(void **state) {
  (void)state;
  static const double flipped[] = {0, 0.3};
  for (size_t i = 0; i < COUNT(flipped); i++) {
    ground g;
    class_ground(&g, 1200, 800, flipped[i], false);
    ent_selection one = choose(context, &g, i == 0 ? ENT_BY_LOGISTIC : ENT_BY_SQUARES, 120, 0);
    ent_selection s = choose(context, &g, ENT_BY_BETTER, 120, 0);
    assert_same(&s, &one);
    ent_selection_clear(&one);
    ent_selection_clear(&s);
    ground_stop(&g);
  }
}

static void threads_do_not_matter(void **state) {
  (void)state;
  ground g;
  ent_selection one = {0};
  static const int threads[] = {1, 2, 5};
  class_ground(&g, 1000, 300, 0.02, true);
  for (size_t i = 0; i < COUNT(threads); i++) {
    entropic_context *other = context_with(threads[i]);
    ent_selection s = choose(other, &g, ENT_BY_LOGISTIC, 120, 0);
    if (i == 0)
      one = s;
    else
      assert_same(&s, &one);
    if (i > 0)
      ent_selection_clear(&s);
    entropic_context_free(other);
  }
  ent_selection_clear(&one);
  ground_stop(&g);
}

/* Without time for a second path, or a second class, squares it is. */
static void when_squares_choose(void **state) {
  (void)state;
  ground g;
  class_ground(&g, 400, 100, 0, false);
  ent_selection s = choose(context, &g, ENT_BY_BETTER, 40, ent_seconds() + 1e-9);
  assert_int_equal(s.selection_loss, ENT_BY_SQUARES);
  assert_true(s.stopped_early);
  ent_selection_clear(&s);
  for (size_t r = 0; r < g.rows; r++)
    g.y[r] = 1;
  for (int selection_loss = ENT_BY_SQUARES; selection_loss <= ENT_BY_BETTER; selection_loss++) {
    s = choose(context, &g, (ent_selection_loss)selection_loss, 40, 0);
    assert_int_equal(s.selection_loss, ENT_BY_SQUARES);
    assert_false(s.stopped_early);
    ent_selection_clear(&s);
  }
  ground_stop(&g);
}

SUITE(select_loss) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weights_and_responses), cmocka_unit_test(one_class_has_no_odds),
      cmocka_unit_test(losses_equal_refits),   cmocka_unit_test(gains_are_of_the_weights_at_hand),
      cmocka_unit_test(the_better_one),        cmocka_unit_test(threads_do_not_matter),
      cmocka_unit_test(when_squares_choose),
  };
  return cmocka_run_group_tests_name("select_loss", tests, start_two_threads, stop);
}
