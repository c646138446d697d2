/* Paths of selected features against refits from scratch, models averaged into one, and the same bits on all threads. */
#include "unit/selecting.h"

#include "loss/root.h"
#include "select/average.h"
#include "sums/pass.h"

#include "unit/fixture.h"

/* The first features that a path selected, as a list. */
static listed *list_selected(const ent_selection *s, size_t count) {
  listed *list = calloc(count, sizeof *list);
  for (size_t i = 0; i < count; i++) {
    const ent_candidate_group *group = &s->candidates->groups[s->selected[i].group];
    for (size_t t = 0; t < group->order; t++) {
      list[i].terms[2 * t] = group->terms[t].input + 1;
      list[i].terms[2 * t + 1] = group->terms[t].level + 1;
    }
    list[i].member = s->selected[i].member;
  }
  sort_listed(list, count);
  return list;
}

/* The lifting of a prefix has its features, all of them and no other. */
static void check_lifting(const ent_selection *s, const ent_lifting *lifting, size_t features) {
  assert_int_equal(lifting->map.features, features);
  assert_int_equal(lifting->design->criterion, ENT_CRITERION_RESIDUAL);
  listed *expected = list_selected(s, features), *found = list_features(lifting->design);
  sort_listed(found, features);
  assert_no_duplicates(found, features);
  assert_memory_equal(found, expected, features * sizeof *found);
  free(expected);
  free(found);
}

/* Each step's errors on the validation rows, by a refit in long double. */
static void check_step(ground *g, const ent_selection *s, size_t step, double tolerance) {
  ent_lifting lifting;
  double errors[4], sum = 0;
  const ent_select_step *at = &s->steps[step];
  ASSERT_OK(context, ent_selection_lifting(context, s, at->features, &lifting));
  check_lifting(s, &lifting, at->features);
  ground_lift(g, lifting.lift);
  explicit_errors(g, 1, at->features, at->lambda, errors);
  for (size_t k = 0; k < g->targets; k++) {
    assert_close(s->squares[step * 2 * g->targets + k], errors[k], tolerance * errors[k]);
    sum += errors[k] / g->scale[k] / (double)g->targets;
  }
  assert_close(at->error, sum, tolerance * sum);
  ent_lifting_clear(&lifting);
}

static void check_path(ground *g, double lambda, size_t most, double tolerance) {
  entropic_kernel *kernel = mixed_kernel(3);
  ent_path_task task = task_of(g, most);
  ent_selection s;
  task.lambda = lambda;
  task.no_early_stop = true;
  ASSERT_OK(context, ent_select_path(context, kernel, &task, &s));
  assert_int_equal(s.count, most);
  assert_int_equal(s.steps[s.step_count - 1].features, most);
  for (size_t i = 0; i < s.step_count; i++) {
    assert_true(i == 0 || s.steps[i - 1].features < s.steps[i].features);
    assert_true(lambda < 0 ? s.steps[i].lambda >= 0.99e-7 && s.steps[i].lambda <= 0.101 : s.steps[i].lambda == lambda);
    check_step(g, &s, i, tolerance);
  }
  for (size_t i = 0; i < s.count; i++)
    assert_true(ent_is_selected(&s.candidates->groups[s.selected[i].group], s.selected[i].member));
  ent_selection_clear(&s);
  ent_selection_clear(&s);
  entropic_kernel_free(kernel);
}

static void errors_equal_refits(void **state) {
  (void)state;
  static const double lambdas[] = {-1, 1e-3, 0.3};
  for (size_t targets = 1; targets <= 2; targets++)
    for (int weighted = 0; weighted < 2; weighted++)
      for (size_t i = 0; i < COUNT(lambdas); i++) {
        ground g;
        mixed_ground(&g, 160, 60, targets, weighted);
        check_path(&g, lambdas[i], i == 0 ? 110 : 60, 1e-6);
        ground_stop(&g);
      }
}

/* Lambda 0 is one like others; --features 1 is one step. */
static void small_and_plain(void **state) {
  (void)state;
  ground g;
  mixed_ground(&g, 200, 50, 1, false);
  check_path(&g, -1, 1, 1e-6);
  check_path(&g, 0, 5, 1e-6);
  check_path(&g, 1e-12, 5, 1e-6);
  ground_stop(&g);
}

/* How many steps a path of these errors has by its rules: see path.c. */
static size_t steps_by_rules(const ent_selection *all, size_t patience) {
  double least = INFINITY;
  for (size_t i = 0, worse = 0; i < all->step_count; i++) {
    double error = all->steps[i].error;
    worse = error < least ? 0 : worse + 1;
    least = fmin(least, error);
    if (worse >= patience || error > 1.15 * least)
      return i + 1;
  }
  return all->step_count;
}

/* Less patience ends the same path earlier. Targets are noise, so errors rise soon. */
static void patience_ends_a_path(void **state) {
  (void)state;
  ground g;
  size_t shorter = 0;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    mixed_ground(&g, 160, 60, 1, false);
    entropic_random random = entropic_random_start(seed, 9);
    for (size_t r = 0; r < g.rows + g.others; r++)
      g.y[r] = entropic_random_normal(&random);
    entropic_kernel *kernel = mixed_kernel(3);
    ent_path_task task = task_of(&g, 350);
    ent_selection all, s;
    task.no_early_stop = true;
    ASSERT_OK(context, ent_select_path(context, kernel, &task, &all));
    task.no_early_stop = false;
    for (size_t patience = 0; patience <= 4; patience++) {
      task.patience = patience;
      ASSERT_OK(context, ent_select_path(context, kernel, &task, &s));
      assert_int_equal(s.step_count, steps_by_rules(&all, patience == 0 ? 3 : patience));
      for (size_t i = 0; i < s.step_count; i++)
        assert_true(s.steps[i].error == all.steps[i].error);
      shorter += patience == 1 && s.step_count < steps_by_rules(&all, 3);
      ent_selection_clear(&s);
    }
    ent_selection_clear(&all);
    entropic_kernel_free(kernel);
    ground_stop(&g);
  }
  assert_true(shorter > 0);
}

static void sizes_are_listed(void **state) {
  (void)state;
  assert_int_equal(ent_path_size(0), 50);
  assert_int_equal(ent_path_size(99.9), 50);
  assert_int_equal(ent_path_size(100), 100);
  assert_int_equal(ent_path_size(180), 100);
  assert_int_equal(ent_path_size(300), 200);
  assert_int_equal(ent_path_size(2999), 2000);
  assert_int_equal(ent_path_size(1e9), 6000);
}

/* The roots that a step predicts for the validation rows, from its definition: by a refit. */
static void explicit_roots(ground *g, const ent_selection *s, const ent_select_step *at, double *roots) {
  ent_lifting lifting;
  ASSERT_OK(context, ent_selection_lifting(context, s, at->features, &lifting));
  ground_lift(g, lifting.lift);
  double *a = calloc(at->features, sizeof *a), mean = refit(g, 0, at->features, 0, at->lambda, a);
  for (size_t r = 0; r < g->others; r++) {
    roots[r] = mean;
    for (size_t i = 0; i < at->features; i++)
      roots[r] += a[i] * g->z[(g->rows + r) * g->features + i];
  }
  free(a);
  ent_lifting_clear(&lifting);
}

/* A root is learnt, but errors are those of the target; other weights choose, but they are not in what is reported. */
static void roots_and_weights_to_choose_by(void **state) {
  (void)state;
  enum { ROWS = 160, OTHERS = 60, MOST = 110 };
  ground g;
  mixed_ground(&g, ROWS, OTHERS, 1, true);
  double roots[OTHERS], best[OTHERS] = {0}, choice[OTHERS], targets[ROWS + OTHERS];
  for (size_t r = 0; r < ROWS + OTHERS; r++)
    g.y[r] = targets[r] = exp(g.y[r] / 2);
  for (size_t r = 0; r < OTHERS; r++)
    choice[r] = 1 + (double)(r % 7);
  ent_link link;
  const ent_block *train = &g.splits.train;
  ent_root_find(&(ent_link_targets){train->rows, train->y, train->y_stride, train->weights}, false, &link);
  assert_true(link.sign == 1);
  entropic_kernel *kernel = mixed_kernel(3);
  ent_path_task task = task_of(&g, MOST);
  ent_selection s;
  for (size_t r = 0; r < ROWS; r++)
    g.y[r] = ent_link_score(&link, targets[r]);
  task.data.link = &link;
  task.data.validation_weights = choice;
  task.no_early_stop = true;
  ASSERT_OK(context, ent_select_path(context, kernel, &task, &s));
  double least = INFINITY;
  for (size_t i = 0; i < s.step_count; i++) {
    double error = 0, plain = 0, square = 0, bias = 0, chosen = 0, weight = 0, largest = 0;
    explicit_roots(&g, &s, &s.steps[i], roots);
    for (size_t r = 0; r < OTHERS; r++) {
      double off = ent_link_score(&link, targets[ROWS + r]) - roots[r];
      chosen += choice[r];
      weight += g.weights[ROWS + r];
      error += choice[r] * off * off;
      bias += g.weights[ROWS + r] * (targets[ROWS + r] - link.origin - pow(fmax(roots[r], 0), 2));
    }
    bias = fmax(bias / weight, 0);
    for (size_t r = 0; r < OTHERS; r++) {
      double off = targets[ROWS + r] - (link.origin + pow(fmax(roots[r], 0), 2) + bias);
      plain += choice[r] * off * off / chosen / g.scale[0];
      square += g.weights[ROWS + r] * off * off / weight;
      largest = larger(largest, choice[r] > 0 ? off * off / g.scale[0] : 0);
      best[r] = s.steps[i].error < least ? targets[ROWS + r] - off : best[r];
    }
    least = fmin(least, s.steps[i].error);
    assert_close(s.steps[i].error, error / chosen, 1e-7 * error);
    assert_close(s.steps[i].bias, bias, 1e-7 * bias);
    assert_close(s.steps[i].mse, plain, 1e-7 * plain);
    assert_close(s.steps[i].largest_square, largest, 1e-7 * largest);
    assert_close(s.squares[i * 2], square, 1e-7 * square);
  }
  for (size_t r = 0; r < OTHERS; r++)
    assert_close(s.predictions[r], best[r], 1e-5);
  ent_selection_clear(&s);
  entropic_kernel_free(kernel);
  ground_stop(&g);
}

/* A path ends where there is nothing left to choose. */
static void all_there_is(void **state) {
  (void)state;
  ground g;
  mixed_ground(&g, 100, 40, 1, false);
  entropic_kernel *kernel = mixed_kernel(1);
  ent_path_task task = task_of(&g, 100000);
  ent_selection s;
  task.no_early_stop = true;
  task.limits.max_order = 1;
  ASSERT_OK(context, ent_select_path(context, kernel, &task, &s));
  size_t features = 1; /* the constant, then what is not 0 at some row */
  for (size_t i = 0; i < MIXED_INPUTS; i++)
    for (size_t l = 1; l < kernel->axes[i]->level_count; l++) {
      bool seen[16] = {false};
      for (size_t r = 0; r < 100; r++) {
        uint64_t atom;
        bool is = atom_at(kernel, i, l, g.x[r * MIXED_INPUTS + i], &atom) != 0;
        features += is && !seen[atom];
        seen[atom] |= is;
      }
    }
  assert_int_equal(s.count, features);
  ent_selection_clear(&s);
  entropic_kernel_free(kernel);
  ground_stop(&g);
}

/* The size of weights says nothing, only what they are to each other. */
static void weights_of_any_size(void **state) {
  (void)state;
  static const double units[] = {1, 0x1p-200, 0x1p200};
  ent_selection s[3];
  entropic_kernel *kernel = mixed_kernel(3);
  for (size_t i = 0; i < COUNT(units); i++) {
    ground g;
    mixed_ground(&g, 150, 50, 2, true);
    for (size_t r = 0; r < 200; r++)
      g.weights[r] *= units[i];
    ent_path_task task = task_of(&g, 60);
    ASSERT_OK(context, ent_select_path(context, kernel, &task, &s[i]));
    assert_int_equal(s[i].count, s[0].count);
    for (size_t p = 0; p < s[0].count; p++)
      assert_true(s[i].selected[p].group == s[0].selected[p].group &&
                  s[i].selected[p].member == s[0].selected[p].member);
    assert_close(s[i].steps[0].error, s[0].steps[0].error, 1e-12 * s[0].steps[0].error);
    ground_stop(&g);
  }
  for (size_t i = 0; i < 3; i++)
    ent_selection_clear(&s[i]);
  entropic_kernel_free(kernel);
}

static void threads_do_not_matter(void **state) {
  (void)state;
  ground g;
  mixed_ground(&g, 1500, 300, 2, true);
  entropic_kernel *kernel = mixed_kernel(3);
  ent_path_task task = task_of(&g, 200);
  ent_selection one = {0};
  static const int threads[] = {1, 2, 5};
  for (size_t i = 0; i < COUNT(threads); i++) {
    entropic_context *other = context_with(threads[i]);
    ent_selection s;
    ASSERT_OK(other, ent_select_path(other, kernel, &task, &s));
    if (i == 0) {
      one = s;
    } else {
      assert_int_equal(s.count, one.count);
      assert_memory_equal(s.selected, one.selected, s.count * sizeof *s.selected);
      for (size_t k = 0; k < s.step_count; k++)
        assert_true(s.steps[k].lambda == one.steps[k].lambda && s.steps[k].error == one.steps[k].error);
      ent_selection_clear(&s);
    }
    entropic_context_free(other);
  }
  ent_selection_clear(&one);
  entropic_kernel_free(kernel);
  ground_stop(&g);
}

static void nothing_varies(void **state) {
  (void)state;
  ground g;
  ent_selection s;
  mixed_ground(&g, 30, 10, 1, false);
  for (size_t i = 0; i < 40 * MIXED_INPUTS; i++)
    g.x[i] = 0.5;
  for (size_t r = 0; r < 40; r++)
    g.x[r * MIXED_INPUTS + 2] = NAN;
  entropic_kernel *kernel = mixed_kernel(3);
  ent_path_task task = task_of(&g, 20);
  ASSERT_OK(context, ent_select_path(context, kernel, &task, &s)); /* the mean is all there is to learn */
  assert_true(isfinite(s.steps[0].error));
  ent_selection_clear(&s);
  entropic_kernel_free(kernel);
  ground_stop(&g);
}

/* ---- Several models as one ---- */

static void random_weights(ent_member *member, size_t scores, uint64_t seed) {
  size_t n = member->lifting.map.features;
  entropic_random random = entropic_random_start(seed, 4);
  member->scores = scores;
  member->weights = ent_new(NULL, scores * n, sizeof *member->weights);
  member->offsets = ent_new(NULL, scores, sizeof *member->offsets);
  for (size_t i = 0; i < scores * n; i++)
    member->weights[i] = entropic_random_normal(&random);
  for (size_t k = 0; k < scores; k++)
    member->offsets[k] = 10 * entropic_random_normal(&random);
}

static void check_blend(const ground *g, const ent_member *members, size_t count) {
  ent_member mean;
  size_t scores = members[0].scores, rows = g->rows, all = 0, distinct = 0;
  ASSERT_OK(context, ent_average(context, members, count, &mean, NULL));
  double *sum = calloc(rows * scores, sizeof *sum), *one = calloc(rows * scores, sizeof *one);
  for (size_t m = 0; m < count; m++) {
    ASSERT_OK(context,
              ent_scores(context, &members[m].lifting.map, &(ent_block){.rows = rows, .x = g->x, .x_stride = g->inputs},
                         &(ent_linear){members[m].weights, members[m].offsets, scores}, one));
    for (size_t i = 0; i < rows * scores; i++)
      sum[i] += one[i] / (double)count;
    all += members[m].lifting.map.features;
  }
  ASSERT_OK(context,
            ent_scores(context, &mean.lifting.map, &(ent_block){.rows = rows, .x = g->x, .x_stride = g->inputs},
                       &(ent_linear){mean.weights, mean.offsets, scores}, one));
  for (size_t i = 0; i < rows * scores; i++)
    assert_close(one[i], sum[i], 1e-12 * (1 + fabs(sum[i])) * 10);
  listed *features = calloc(all, sizeof *features), *found = list_features(mean.lifting.design);
  for (size_t m = 0, at = 0; m < count; m++) {
    listed *some = list_features(members[m].lifting.design);
    memcpy(features + at, some, members[m].lifting.map.features * sizeof *some);
    at += members[m].lifting.map.features;
    free(some);
  }
  sort_listed(features, all);
  for (size_t i = 0; i < all; i++)
    if (i == 0 || compare_listed(&features[distinct - 1], &features[i]) != 0)
      features[distinct++] = features[i];
  assert_int_equal(mean.lifting.map.features, distinct);
  sort_listed(found, distinct);
  assert_memory_equal(found, features, distinct * sizeof *found);
  free(features);
  free(found);
  free(sum);
  free(one);
  ent_member_clear(&mean);
}

static void blends_are_means(void **state) {
  (void)state;
  ground g;
  mixed_ground(&g, 200, 60, 2, false);
  entropic_axis_options axes[MIXED_INPUTS];
  mixed_axes(1, axes); /* designs of the kernel alone: whole groups, the last one cut */
  ent_features features = {.axes = axes, .inputs = MIXED_INPUTS, .design = ent_design_options_default()};
  static const size_t sizes[] = {17, 50, 50, 121};
  ent_member members[4] = {0};
  for (size_t m = 0; m < COUNT(sizes); m++) {
    ASSERT_OK(context, ent_features_make(context, &features, 0, sizes[m], &members[m].lifting));
    random_weights(&members[m], 2, m);
  }
  for (size_t count = 1; count <= 4; count++)
    check_blend(&g, members, count);
  for (size_t m = 0; m < 4; m++)
    ent_member_clear(&members[m]);
  entropic_kernel *kernel = mixed_kernel(3); /* selected ones, of which some occur in several members */
  for (size_t m = 0; m < 3; m++) {
    ent_path_task task = task_of(&g, 40 + 10 * m);
    ent_selection s;
    task.data.train.rows = 200 - 30 * m;
    ASSERT_OK(context, ent_select_path(context, kernel, &task, &s));
    ASSERT_OK(context, ent_selection_lifting(context, &s, s.count, &members[m].lifting));
    random_weights(&members[m], 3, 7 * m);
    ent_selection_clear(&s);
  }
  check_blend(&g, members, 3);
  for (size_t m = 0; m < 3; m++)
    ent_member_clear(&members[m]);
  entropic_kernel_free(kernel);
  ground_stop(&g);
}

/* Kernels that differ in omega have the same atoms, each in a unit of its own; other kernels are not alike. */
static void blends_of_several_omegas(void **state) {
  (void)state;
  ground g;
  mixed_ground(&g, 200, 60, 2, false);
  entropic_axis_options axes[MIXED_INPUTS];
  mixed_axes(1, axes);
  ent_features features = {.axes = axes, .inputs = MIXED_INPUTS, .design = ent_design_options_default()};
  static const double omegas[] = {0.3, 3, 1, 2};
  ent_member members[4] = {0};
  for (size_t m = 0; m < COUNT(omegas); m++) {
    ASSERT_OK(context, ent_features_make(context, &features, omegas[m], 40 + 20 * m, &members[m].lifting));
    random_weights(&members[m], 2, m);
    assert_true(ent_kernels_alike(members[0].lifting.design->kernel, members[m].lifting.design->kernel));
  }
  for (size_t count = 2; count <= 4; count++)
    check_blend(&g, members, count);
  entropic_kernel *plain = mixed_kernel(2), *other;
  for (size_t i = 0; i < MIXED_INPUTS; i++)
    axes[i].max_level = 2;
  ASSERT_OK(context, ent_features_kernel(context, &features, 0, &other));
  assert_false(ent_kernels_alike(members[0].lifting.design->kernel, other));
  assert_true(ent_kernels_alike(plain, plain));
  entropic_kernel_free(plain);
  entropic_kernel_free(other);
  for (size_t m = 0; m < COUNT(omegas); m++)
    ent_member_clear(&members[m]);
  ground_stop(&g);
}

/* Of more inputs than the rows bear, each can still be found, by itself and in products, whichever it is. */
static void many_inputs(void **state) {
  (void)state;
  enum { WIDE = 400, TRAIN = 300, OTHERS = 100 };
  ground g;
  ground_start(&g, (ground_options){.rows = TRAIN, .others = OTHERS, .inputs = WIDE, .targets = 1, .seed = 6});
  for (size_t r = 0; r < TRAIN + OTHERS; r++) {
    const double *x = g.x + r * WIDE;
    g.y[r] = 4 * x[WIDE - 1] + 4 * x[0] + 8 * (x[0] - 0.5) * (x[WIDE - 1] - 0.5);
  }
  entropic_axis_options axis = ent_axis_options_default();
  axis.omega = 1;
  axis.max_level = 2;
  entropic_kernel *kernel = make_kernel(&axis, 1, WIDE);
  ent_path_task task = task_of(&g, 100);
  ent_selection s[2];
  entropic_context *contexts[] = {context, context_with(1)};
  for (size_t c = 0; c < COUNT(contexts); c++)
    ASSERT_OK(contexts[c], ent_select_path(contexts[c], kernel, &task, &s[c]));
  assert_non_null(s[0].candidates->near);
  assert_int_equal(s[0].count, s[1].count); /* on any number of threads */
  assert_memory_equal(s[0].selected, s[1].selected, s[0].count * sizeof *s[0].selected);
  bool alone[2] = {false}, together = false;
  for (size_t i = 0; i < s[0].count; i++) {
    const ent_candidate_group *group = &s[0].candidates->groups[s[0].selected[i].group];
    for (size_t e = 0; e < 2; e++)
      alone[e] |= i < 5 && group->order == 1 && group->terms[0].input == (e == 0 ? 0 : WIDE - 1);
    together |= group->order == 2 && group->terms[0].input == 0 && group->terms[1].input == WIDE - 1;
  }
  assert_true(alone[0] && alone[1] && together);
  for (size_t c = 0; c < 2; c++)
    ent_selection_clear(&s[c]);
  entropic_context_free(contexts[1]);
  entropic_kernel_free(kernel);
  ground_stop(&g);
}

SUITE(select_path) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_equal_refits),
      cmocka_unit_test(small_and_plain),
      cmocka_unit_test(all_there_is),
      cmocka_unit_test(weights_of_any_size),
      cmocka_unit_test(nothing_varies),
      cmocka_unit_test(blends_are_means),
      cmocka_unit_test(blends_of_several_omegas),
      cmocka_unit_test(threads_do_not_matter),
      cmocka_unit_test(roots_and_weights_to_choose_by),
      cmocka_unit_test(many_inputs),
      cmocka_unit_test(patience_ends_a_path),
      cmocka_unit_test(sizes_are_listed),
  };
  return cmocka_run_group_tests_name("select_path", tests, start_two_threads, stop);
}
