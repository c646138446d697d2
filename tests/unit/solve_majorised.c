/* Losses by majorisation: the gradient at the end, found by plain loops, is 0; where they begin. Of the squared hinge: what it
 * ignores. Of Huber's: that it is ridge with a large width, and that outliers hardly move it. */
#include "unit/learning.h"

#include "solve/majorised.h"

static const ent_majorised_options exactly = {.tolerance = 1e-20, .most_steps = 20000};

/* Noisy classes by the sum of the inputs, as targets of -1 and 1: one against the rest, or of two the one. */
static void set_sides(problem *p, double noise) {
  entropic_random random = entropic_random_start(31, p->targets);
  size_t classes = p->targets == 1 ? 2 : p->targets;
  for (size_t r = 0; r < p->rows; r++) {
    double sum = noise * entropic_random_normal(&random);
    for (size_t i = 0; i < p->inputs; i++)
      sum += p->x[r * p->inputs + i] / (double)p->inputs;
    double label = fmin(fmax(floor(sum * (double)classes), 0), (double)classes - 1);
    for (size_t k = 0; k < p->targets; k++)
      p->y[r * p->targets + k] = label == (double)(classes == 2 ? 1 : k) ? 1 : -1;
  }
}

static ent_majorised *fit_with(problem *p, double lambda, ent_majorised_options options, int threads) {
  entropic_context *context = context_with(threads);
  ent_majorised *fit = NULL;
  ASSERT_OK(context,
            ent_majorised_fit(
                context,
                &(ent_majorised_problem){.map = &p->map, .rows = rows_of(p), .loss = &ent_loss_hinge, .lambda = lambda},
                options, &fit));
  entropic_context_free(context);
  assert_int_equal(fit->features, p->features);
  assert_int_equal(fit->scores, p->targets);
  return fit;
}

/* 1 - y f: what a row lacks of being on the right side by 1. */
static long double plain_lack(const problem *p, const ent_majorised *fit, size_t row, size_t score) {
  long double f = (long double)fit->offsets[score];
  for (size_t j = 0; j < p->features; j++)
    f += (long double)fit->weights[score * p->features + j] * (long double)p->z[row * p->features + j];
  return 1 - (long double)p->y[row * p->targets + score] * f;
}

/* Objective and largest element of the gradient, from the definition. */
static double plain_gradient(const problem *p, const ent_majorised *fit, double lambda, double *objective) {
  size_t features = p->features;
  long double *gradient = calloc(features + 1, sizeof *gradient), loss = 0, penalty = 0, most = 0, weight = 0;
  for (size_t r = 0; r < p->rows; r++)
    weight += (long double)p->weights[r];
  for (size_t k = 0; k < p->targets; k++) {
    memset(gradient, 0, (features + 1) * sizeof *gradient);
    for (size_t r = 0; r < p->rows; r++) {
      long double lack = plain_lack(p, fit, r, k);
      if (lack <= 0)
        continue;
      long double slope = -2 * (long double)p->weights[r] * (long double)p->y[r * p->targets + k] * lack;
      loss += (long double)p->weights[r] * lack * lack;
      for (size_t j = 0; j < features; j++)
        gradient[j] += slope * (long double)p->z[r * features + j];
      gradient[features] += slope;
    }
    for (size_t j = 0; j <= features; j++) {
      long double a = j < features ? (long double)fit->weights[k * features + j] : 0;
      long double slope = fabsl(gradient[j] / weight + 2 * (long double)lambda * a);
      penalty += a * a;
      most = slope <= most ? most : slope; /* NaN stays */
    }
  }
  *objective = (double)(loss / weight + (long double)lambda * penalty);
  free(gradient);
  return (double)most;
}

static void gradient_is_zero(void **state) {
  (void)state;
  static const double lambdas[] = {1e-1, 1e-2, 1e-3, 1e-4};
  for (size_t scores = 1; scores <= 3; scores += 2)
    for (int kind = ALL_ONE; kind <= WEIGHTED; kind++) {
      problem p = problem_start(300, 3, 30, 0, scores, (problem_kind)kind);
      set_sides(&p, 0.15);
      for (size_t l = 0; l < COUNT(lambdas); l++) {
        ent_majorised *fit = fit_with(&p, lambdas[l], exactly, 2);
        double objective, rough;
        assert_true(fit->converged);
        assert_true(fit->steps <= 250); /* about 900 if never begun anew, 1300 without acceleration */
        assert_true(plain_gradient(&p, fit, lambdas[l], &objective) <= 1e-9);
        assert_close(fit->objective, objective, 1e-13);
        assert_true(fit->decrement >= 0 && fit->decrement <= 1e-20 * fit->objective);
        /* The default stops earlier, but not far from there. */
        ent_majorised *quick = fit_with(&p, lambdas[l], ent_majorised_options_default(&ent_loss_hinge), 2);
        assert_true(quick->converged);
        assert_true(quick->steps <= fit->steps);
        plain_gradient(&p, quick, lambdas[l], &rough);
        assert_true(rough >= objective && rough <= objective * 1.005);
        ent_majorised_free(quick);
        ent_majorised_free(fit);
      }
      problem_stop(&p);
    }
}

/* Takes the means off the lifted rows; means[features]. */
static void centre(problem *p, double *means) {
  for (size_t j = 0; j < p->features; j++) {
    long double sum = 0, weight = 0;
    for (size_t r = 0; r < p->rows; r++) {
      sum += (long double)p->weights[r] * (long double)p->z[r * p->features + j];
      weight += (long double)p->weights[r];
    }
    means[j] = (double)(sum / weight);
    for (size_t r = 0; r < p->rows; r++)
      p->z[r * p->features + j] -= means[j];
  }
}

static void the_first_step_ends_at_the_ridge(void **state) {
  (void)state;
  for (size_t scores = 1; scores <= 3; scores += 2) {
    problem p = problem_start(300, 3, 30, 0, scores, WEIGHTED);
    double *a = calloc(p.features, sizeof *a), *means = calloc(p.features, sizeof *means);
    set_sides(&p, 0.15);
    ent_majorised *fit = fit_with(&p, 1e-3, (ent_majorised_options){.tolerance = 0, .most_steps = 1}, 1);
    assert_int_equal(fit->steps, 1);
    assert_false(fit->converged);
    centre(&p, means); /* the offset is free, not the mean of the targets: the same once features have no means */
    for (size_t k = 0; k < scores; k++) {
      double offset = plain_ridge(&p, k, 1e-3, every_row, a);
      for (size_t j = 0; j < p.features; j++)
        offset -= a[j] * means[j];
      assert_true(largest_difference(fit->weights + k * p.features, a, p.features) <= 1e-10);
      assert_close(fit->offsets[k], offset, 1e-10);
    }
    ent_majorised_free(fit);
    free(a);
    free(means);
    problem_stop(&p);
  }
}

/* Weight that moves from one row to another changes nothing as long as both are beyond 1 on the right side; it does
 * change the ridge. */
static void rows_far_on_the_right_side_cost_nothing(void **state) {
  (void)state;
  problem p = problem_start(300, 3, 30, 0, 1, WEIGHTED);
  set_sides(&p, 0.05);
  ent_majorised *before = fit_with(&p, 1e-4, exactly, 1);
  ent_majorised_options one = {.tolerance = 0, .most_steps = 1};
  ent_majorised *ridge_before = fit_with(&p, 1e-4, one, 1);
  size_t moved = 0, to = p.rows;
  for (size_t r = 0; r < p.rows; r++) {
    if (!(plain_lack(&p, before, r, 0) < -0.1L))
      continue;
    if (to == p.rows) {
      to = r;
      continue;
    }
    p.weights[to] += p.weights[r];
    p.weights[r] = 0;
    moved++;
  }
  assert_true(moved >= 30);
  ent_majorised *after = fit_with(&p, 1e-4, exactly, 1), *ridge_after = fit_with(&p, 1e-4, one, 1);
  assert_true(largest_difference(after->weights, before->weights, p.features) <= 1e-7);
  assert_close(after->offsets[0], before->offsets[0], 1e-7);
  assert_close(after->objective, before->objective, 1e-12);
  assert_true(largest_difference(ridge_after->weights, ridge_before->weights, p.features) > 1e-2);
  ent_majorised_free(before);
  ent_majorised_free(after);
  ent_majorised_free(ridge_before);
  ent_majorised_free(ridge_after);
  problem_stop(&p);
}

/* Separable classes without penalty: the loss falls to 0. */
static void separable_without_penalty(void **state) {
  (void)state;
  problem p = problem_start(40, 2, 60, 0, 1, ALL_ONE);
  set_sides(&p, 0);
  ent_majorised *fit = fit_with(&p, 0, ent_majorised_options_default(&ent_loss_hinge), 1);
  double objective;
  plain_gradient(&p, fit, 0, &objective);
  assert_true(objective <= 1e-4);
  for (size_t r = 0; r < p.rows; r++)
    assert_true(plain_lack(&p, fit, r, 0) < 0.5L);
  ent_majorised_free(fit);
  problem_stop(&p);
}

static void the_same_bits_on_any_threads(void **state) {
  (void)state;
  for (size_t scores = 1; scores <= 3; scores += 2) {
    problem p = problem_start(3000, 3, 40, 0, scores, WEIGHTED);
    set_sides(&p, 0.2);
    ent_majorised *one = fit_with(&p, 1e-4, ent_majorised_options_default(&ent_loss_hinge), 1);
    for (int threads = 2; threads <= 5; threads += 3) {
      ent_majorised *many = fit_with(&p, 1e-4, ent_majorised_options_default(&ent_loss_hinge), threads);
      assert_int_equal(many->steps, one->steps);
      assert_memory_equal(many->weights, one->weights, scores * p.features * sizeof *one->weights);
      assert_memory_equal(many->offsets, one->offsets, scores * sizeof *one->offsets);
      assert_memory_equal(&many->objective, &one->objective, sizeof one->objective);
      ent_majorised_free(many);
    }
    ent_majorised_free(one);
    problem_stop(&p);
  }
}

static void too_few_steps(void **state) {
  (void)state;
  problem p = problem_start(300, 2, 20, 0, 1, ALL_ONE);
  set_sides(&p, 0.2);
  ent_majorised_options options = exactly;
  for (options.most_steps = 1; options.most_steps <= 3; options.most_steps++) {
    ent_majorised *fit = fit_with(&p, 1e-4, options, 1);
    assert_false(fit->converged);
    assert_int_equal(fit->steps, options.most_steps);
    assert_true(fit->decrement > options.tolerance * fit->objective);
    ent_majorised_free(fit);
  }
  problem_stop(&p);
}

static ent_majorised *huber_with(problem *p, double width, const ent_majorised *start) {
  entropic_context *context = context_with(2);
  ent_majorised *fit = NULL;
  const ent_majorised_problem of = {.map = &p->map,
                                    .rows = rows_of(p),
                                    .loss = &ent_loss_huber,
                                    .parameter = width,
                                    .lambda = 1e-3,
                                    .weights = start == NULL ? NULL : start->weights,
                                    .offsets = start == NULL ? NULL : start->offsets};
  ASSERT_OK(context, ent_majorised_fit(context, &of, exactly, &fit));
  entropic_context_free(context);
  return fit;
}

/* The largest element of the gradient of Huber's loss, from the definition. */
static double huber_gradient(const problem *p, const ent_majorised *fit, long double width) {
  long double *gradient = calloc(p->features + 1, sizeof *gradient), most = 0, weight = 0;
  for (size_t r = 0; r < p->rows; r++) {
    long double f = (long double)fit->offsets[0];
    for (size_t j = 0; j < p->features; j++)
      f += (long double)fit->weights[j] * (long double)p->z[r * p->features + j];
    long double off = (long double)p->y[r] - f;
    long double slope = -2 * (off > width ? width : off < -width ? -width : off) * (long double)p->weights[r];
    for (size_t j = 0; j < p->features; j++)
      gradient[j] += slope * (long double)p->z[r * p->features + j];
    gradient[p->features] += slope;
    weight += (long double)p->weights[r];
  }
  for (size_t j = 0; j <= p->features; j++) {
    long double a = j < p->features ? (long double)fit->weights[j] : 0;
    long double slope = fabsl(gradient[j] / weight + 2e-3L * a);
    most = slope <= most ? most : slope; /* NaN stays */
  }
  free(gradient);
  return (double)most;
}

static void hubers_loss(void **state) {
  (void)state;
  problem p = problem_start(300, 3, 30, 0, 1, WEIGHTED);
  ent_majorised *clean = huber_with(&p, 0.1, NULL), *ridge = huber_with(&p, 1e6, NULL);
  assert_true(clean->converged && ridge->converged);
  assert_true(huber_gradient(&p, clean, 0.1L) <= 1e-9);
  assert_true(huber_gradient(&p, ridge, 1e6L) <= 1e-9);
  assert_true(largest_difference(clean->weights, ridge->weights, p.features) > 1e-3);
  /* From where it ends, and from the ridge, it ends there again. */
  const ent_majorised *starts[] = {clean, ridge};
  for (size_t i = 0; i < COUNT(starts); i++) {
    ent_majorised *again = huber_with(&p, 0.1, starts[i]);
    assert_true(again->converged && again->steps <= (i == 0 ? 2 : clean->steps));
    assert_true(largest_difference(again->weights, clean->weights, p.features) <= 1e-8);
    ent_majorised_free(again);
  }
  /* One row in ten is far off. */
  for (size_t r = 0; r < p.rows; r += 10)
    p.y[r] += 1e4;
  ent_majorised *outliers = huber_with(&p, 0.1, NULL), *moved = huber_with(&p, 1e6, NULL);
  assert_true(huber_gradient(&p, outliers, 0.1L) <= 1e-9);
  assert_true(fabs(outliers->offsets[0] - clean->offsets[0]) < 1);
  assert_true(fabs(moved->offsets[0] - clean->offsets[0]) > 100);
  ent_majorised *const all[] = {clean, ridge, outliers, moved};
  for (size_t i = 0; i < COUNT(all); i++)
    ent_majorised_free(all[i]);
  problem_stop(&p);
}

static void refusals(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  problem p = problem_start(50, 2, 5, 0, 1, WEIGHTED);
  ent_majorised_options options = ent_majorised_options_default(&ent_loss_hinge);
  ent_majorised *fit = NULL;
  set_sides(&p, 0.2);
  static const double wrong[] = {-1, -1e-300, NAN, INFINITY};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    assert_int_equal(
        ent_majorised_fit(
            context,
            &(ent_majorised_problem){.map = &p.map, .rows = rows_of(&p), .loss = &ent_loss_hinge, .lambda = wrong[i]},
            options, &fit),
        ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "expected a finite number, not negative");
  }
  ent_map large = p.map; /* refused before it is looked into */
  large.features = ENT_MAJORISED_FEATURES + 1;
  assert_int_equal(
      ent_majorised_fit(
          context, &(ent_majorised_problem){.map = &large, .rows = rows_of(&p), .loss = &ent_loss_hinge, .lambda = 1},
          options, &fit),
      ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "6001 features; expected at most 6000 with the hinge loss");
  const ent_majorised_problem ridge = {.map = &p.map, .rows = rows_of(&p), .loss = &ent_loss_squared, .lambda = 1};
  assert_int_equal(ent_majorised_fit(context, &ridge, options, &fit), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "the squared loss is not found by majorisation");
  memset(p.weights, 0, p.rows * sizeof *p.weights);
  assert_int_equal(
      ent_majorised_fit(
          context, &(ent_majorised_problem){.map = &p.map, .rows = rows_of(&p), .loss = &ent_loss_hinge, .lambda = 1},
          options, &fit),
      ENTROPIC_BAD_DATA);
  assert_null(fit);
  ent_majorised_free(NULL);
  problem_stop(&p);
  entropic_context_free(context);
}

SUITE(solve_majorised) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradient_is_zero),
      cmocka_unit_test(the_first_step_ends_at_the_ridge),
      cmocka_unit_test(rows_far_on_the_right_side_cost_nothing),
      cmocka_unit_test(separable_without_penalty),
      cmocka_unit_test(the_same_bits_on_any_threads),
      cmocka_unit_test(too_few_steps),
      cmocka_unit_test(hubers_loss),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests_name("solve_majorised", tests, NULL, NULL);
}
