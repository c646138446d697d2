/* The search against a brute force that refits for every fold, lambda, size and omega. */
#include "unit/searching.h"
#include "unit/listening.h"

#include "unit/fixture.h"

static const double omegas[] = {0.1, 1, 10};
static const double lambdas[] = {1, 1e-1, 1e-2, 1e-3, 1e-5};
#define LAMBDAS COUNT(lambdas)

static double sum_of(const ground *g, const double *errors) {
  double sum = 0;
  for (size_t t = 0; t < g->targets; t++)
    sum += errors[t] / g->scale[t] / (double)g->targets;
  return sum;
}

/* Lifts the ground's rows with features made for this purpose; returns how many there are. */
static size_t lift_with(ground *g, const ent_features *features, double omega, size_t count) {
  ent_lifting lifting;
  ASSERT_OK(context, ent_features_make(context, features, omega, count, &lifting));
  ground_lift(g, lifting.lift);
  ent_lifting_clear(&lifting);
  return g->features;
}

/* The best lambda for the first features; its errors. */
static size_t best_lambda(const ground *g, const ent_grid *grid, size_t features, double *errors) {
  size_t best = 0;
  double trial[4], least = INFINITY;
  for (size_t i = 0; i < grid->lambda_count; i++) {
    explicit_errors(g, ground_parts(g), features, grid->lambdas[i], trial);
    if (sum_of(g, trial) < least) {
      least = sum_of(g, trial);
      best = i;
      memcpy(errors, trial, sizeof trial);
    }
  }
  return best;
}

typedef struct expected {
  double omega, lambda, errors[4];
  size_t size;
} expected;

/* The whole search as search.h describes it: omega with all features (there are fewer than some hundred), then the sizes
 * from the smallest on, of which a larger one has to be better by 2 in 1000; so few are all tried. */
static expected brute_force(ground *g, const ent_features *features, const ent_grid *grid) {
  expected e = {.omega = grid->omegas[0]};
  double least = INFINITY, errors[4];
  size_t largest = grid->sizes[grid->size_count - 1], first = grid->size_count > 1 || largest == 0 ? 350 : largest;
  for (size_t i = 0; grid->omega_count > 1 && i < grid->omega_count; i++) {
    size_t all = lift_with(g, features, grid->omegas[i], first);
    best_lambda(g, grid, all, errors);
    if (sum_of(g, errors) < least) {
      least = sum_of(g, errors);
      e.omega = grid->omegas[i];
    }
  }
  size_t all = lift_with(g, features, e.omega, largest);
  least = INFINITY;
  for (size_t i = 0; i < grid->size_count; i++) {
    size_t size = grid->size_count > 1 && grid->sizes[i] < all ? grid->sizes[i] : all;
    if (size == e.size)
      break;
    size_t best = best_lambda(g, grid, size, errors);
    if (sum_of(g, errors) * 1.002 < least) {
      least = sum_of(g, errors);
      e.size = size;
      e.lambda = grid->lambdas[best];
      memcpy(e.errors, errors, sizeof errors);
    }
  }
  return e;
}

/* What is handed over belongs together: refits with the features found give the errors found, and the statistics are
 * those of these features. */
static void check_found(ground *g, const ent_search_result *found) {
  double errors[4], *a = calloc(found->statistics.total->features, sizeof *a);
  ent_ridge *ridge = NULL;
  assert_int_equal(found->lifting.map.features, found->statistics.total->features);
  assert_int_equal(found->statistics.sets, ground_parts(g));
  ground_lift(g, found->lifting.lift);
  explicit_errors(g, ground_parts(g), g->features, found->lambda, errors);
  assert_relative(found->validation.errors, errors, g->targets, 1e-9);
  ASSERT_OK(context, ent_ridge_solve(context, found->statistics.total, &found->lambda, 1, ENT_METHOD_AUTO, &ridge));
  for (size_t t = 0; t < g->targets; t++) {
    double mean = refit(g, SIZE_MAX, g->features, t, found->lambda, a), most = 0;
    for (size_t i = 0; i < g->features; i++)
      most = fmax(most, fabs(a[i]));
    assert_close(ridge->means[t], mean, 1e-11 * fabs(mean));
    assert_true(largest_difference(ridge->weights + t * g->features, a, g->features) <= 1e-8 * most);
  }
  ent_ridge_free(ridge);
  free(a);
  assert_true(found->seconds.design >= 0 && found->seconds.lift >= 0 && found->seconds.gram >= 0 &&
              found->seconds.solve >= 0);
}

/* Searches and compares with the brute force; the choice made is returned. */
static expected check_search(ground_options options, const ent_features *features, const ent_grid *grid) {
  ground g;
  ground_start(&g, options);
  ent_search_result found;
  ASSERT_OK(context, ent_search(context, &g.splits, features, grid, &found));
  expected e = brute_force(&g, features, grid);
  assert_true(found.omega == e.omega);
  assert_int_equal(found.statistics.total->features, e.size);
  assert_true(found.lambda == e.lambda);
  assert_relative(found.validation.errors, e.errors, g.targets, 1e-9);
  check_found(&g, &found);
  ent_search_result_clear(&found);
  assert_null(found.statistics.total);
  ground_stop(&g);
  return e;
}

static const size_t sizes[] = {3, 6, 12, 20, 25};

static ent_grid whole_grid(void) {
  return (ent_grid){
      .omegas = omegas, .omega_count = 3, .sizes = sizes, .size_count = 5, .lambdas = lambdas, .lambda_count = LAMBDAS};
}

/* The same with five features and no other size. */
static ent_grid grid_of_five(void) {
  static const size_t five[] = {5};
  ent_grid grid = whole_grid();
  grid.sizes = five;
  grid.size_count = 1;
  return grid;
}

/* Each of these makes the choices differ between the rounds, or it would not show much. */
static void search_equals_brute_force(void **state) {
  (void)state;
  ent_features features = small_features();
  ent_grid grid = whole_grid();
  bool seen_omega[2] = {0}, seen_size[2] = {0};
  for (uint64_t seed = 1; seed <= 4; seed++)
    for (int others = 0; others < 2; others++) {
      ground_options options = {.rows = 40 + 5 * seed,
                                .others = others ? 31 : 0,
                                .folds = 2 + seed,
                                .inputs = 2,
                                .targets = 1 + seed % 2 * 2,
                                .weighted = seed > 2,
                                .seed = seed};
      expected e = check_search(options, &features, &grid);
      seen_omega[e.omega > 0.5] = seen_size[e.size > 10] = true;
    }
  assert_true(seen_omega[0] || seen_omega[1]);
  assert_true(seen_size[0] || seen_size[1]);
}

/* A size that is worse than the one before does not end the search before omega's own size has been tried. */
static void a_worse_size_may_come_before_a_better_one(void **state) {
  (void)state;
  ent_features features = small_features();
  ent_grid grid = whole_grid();
  ground_options options = {.rows = 24, .folds = 3, .inputs = 2, .targets = 1, .seed = 14};
  expected e = check_search(options, &features, &grid);
  assert_int_equal(e.size, 20); /* 6 are better than 3 and 12 */
}

static void what_is_given_is_not_searched(void **state) {
  (void)state;
  ent_features features = small_features();
  ground_options options = {.rows = 50, .folds = 3, .inputs = 2, .targets = 2, .seed = 5};
  static const double no_omega[] = {0}, one_lambda[] = {0.003};
  static const size_t one_size[] = {11};
  ent_grid grid = whole_grid();
  grid.omegas = no_omega;
  grid.omega_count = 1;
  small_axes[0].omega = 2; /* as the axes have it */
  small_axes[1].omega = 0.5;
  check_search(options, &features, &grid);
  grid.sizes = one_size;
  grid.size_count = 1;
  expected e = check_search(options, &features, &grid);
  assert_int_equal(e.size, 11);
  grid.lambdas = one_lambda;
  grid.lambda_count = 1;
  check_search(options, &features, &grid);
  options.others = 20;
  e = check_search(options, &features, &grid);
  assert_true(e.lambda == 0.003);
}

static void designs_may_be_exhausted(void **state) {
  (void)state;
  static const size_t far[] = {6, 24, 50, 100, 200}, beyond[] = {1000};
  ent_features features = small_features();
  ground_options options = {.rows = 80, .folds = 4, .inputs = 2, .targets = 1, .weighted = true, .seed = 6};
  ent_grid grid = whole_grid();
  grid.sizes = far;
  check_search(options, &features, &grid);
  grid.sizes = beyond;
  grid.size_count = 1;
  expected e = check_search(options, &features, &grid);
  assert_int_equal(e.size, 25);
}

static void nonzeros_decide_how_many(void **state) {
  (void)state;
  static const size_t none[] = {0};
  ent_features features = small_features();
  features.design.nonzeros = 7;
  ground_options options = {.rows = 60, .folds = 3, .inputs = 2, .targets = 2, .weighted = true, .seed = 7};
  ent_grid grid = whole_grid();
  grid.sizes = none;
  grid.size_count = 1;
  expected e = check_search(options, &features, &grid);
  assert_true(e.size >= 7 && e.size < 25);
}

/* Where a smaller design is not the beginning of a larger one, what is found must still belong together. */
static void designs_that_are_not_nested(void **state) {
  (void)state;
  ent_grid grid = whole_grid();
  for (uint64_t seed = 1; seed <= 3; seed++)
    for (int paper = 0; paper < 2; paper++)
      for (int others = 0; others < 2; others++) {
        ground g;
        ground_start(&g,
                     (ground_options){
                         .rows = 70, .others = others ? 40 : 0, .folds = 3, .inputs = 2, .targets = 1, .seed = seed});
        ent_features features = small_features();
        small_axes[0].max_level = small_axes[1].max_level = 4;
        if (paper) {
          small_axes[0].basis = small_axes[1].basis = ENTROPIC_BASIS_INTERIOR;
          features.design.select = ENTROPIC_SELECT_PAPER;
          features.design.seed = seed;
        } else {
          features.design.criterion = ENTROPIC_CRITERION_DATA;
          features.design.sample = g.x;
          features.design.sample_rows = g.rows;
        }
        ent_search_result found;
        ASSERT_OK(context, ent_search(context, &g.splits, &features, &grid, &found));
        assert_true(found.statistics.total->features <= 25);
        check_found(&g, &found);
        ent_search_result_clear(&found);
        ground_stop(&g);
      }
}

/* From some hundred features on only lambdas near the last best are tried; what comes out must still be of that lambda. */
static void wide_designs(void **state) {
  (void)state;
  static const size_t wide_sizes[] = {60, 600, 700};
  static const double many[] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
  static const double no_omega[] = {0};
  ent_features features = small_features();
  features.inputs = 1;
  small_axes[0].max_level = 12;
  ent_grid grid = {
      .omegas = no_omega, .omega_count = 1, .sizes = wide_sizes, .size_count = 3, .lambdas = many, .lambda_count = 9};
  ground g;
  ground_start(&g, (ground_options){.rows = 400, .folds = 2, .inputs = 1, .targets = 1, .seed = 1});
  for (size_t r = 0; r < g.rows; r++)
    g.y[r] = sin(150 * g.x[r]); /* too fast for the fewest features */
  ent_search_result found;
  ASSERT_OK(context, ent_search(context, &g.splits, &features, &grid, &found));
  assert_true(found.statistics.total->features >= 600);
  double error, errors[9];
  ent_ridge_sets sets = {.total = found.statistics.total, .set = found.statistics.set, .count = 2};
  ASSERT_OK(context, ent_ridge_cross_validate(context, &sets, &found.lambda, 1, ENT_METHOD_AUTO, &error));
  assert_close(found.validation.errors[0], error, 1e-9 * error);
  ASSERT_OK(context, ent_ridge_cross_validate(context, &sets, many, 9, ENT_METHOD_AUTO, errors));
  size_t at = 0;
  while (many[at] != found.lambda)
    at++;
  assert_true((at == 0 || errors[at - 1] >= error) && (at == 8 || errors[at + 1] >= error));
  ent_search_result_clear(&found);
  ground_stop(&g);
}

/* From some thousand rows on omega is chosen on some of them; a fold of few rows must not get lost. */
static void a_small_fold_in_many_rows(void **state) {
  (void)state;
  ent_features features = small_features();
  ent_grid grid = grid_of_five();
  grid.lambda_count = 2;
  ground g;
  ground_start(&g, (ground_options){.rows = 20000, .folds = 2, .inputs = 2, .targets = 1, .seed = 1});
  for (size_t r = 0; r < g.rows; r++)
    g.fold_of[r] = r == 12345;
  for (g.splits.seed = 1; g.splits.seed <= 4; g.splits.seed++) {
    ent_search_result found;
    ASSERT_OK(context, ent_search(context, &g.splits, &features, &grid, &found));
    ent_search_result_clear(&found);
  }
  ground_stop(&g);
}

/* One row has nearly all the weight: the fold it is in is predicted from what little the others weigh. */
static void one_heavy_row(void **state) {
  (void)state;
  ent_features features = small_features();
  ent_grid grid = grid_of_five();
  for (double heavy = 1e3; heavy < 1e16; heavy *= 1e6) {
    ground g;
    ground_start(&g, (ground_options){.rows = 50, .folds = 3, .inputs = 2, .targets = 1, .weighted = true, .seed = 2});
    g.weights[20] = heavy;
    ent_search_result found;
    ASSERT_OK(context, ent_search(context, &g.splits, &features, &grid, &found));
    double errors[4];
    ground_lift(&g, found.lifting.lift);
    explicit_errors(&g, 3, 5, found.lambda, errors);
    /* Of 45 bits, the root of a weight 10^15 times the usual one leaves 20 to other rows. */
    assert_relative(found.validation.errors, errors, 1, heavy > 1e12 ? 1e-5 : 1e-8);
    ent_search_result_clear(&found);
    ground_stop(&g);
  }
}

typedef struct heard {
  size_t calls;
  double last;
  char stage[40];
  bool sane;
} heard;

static int hear(void *user, const char *stage, double done) {
  heard *h = user;
  h->calls += strcmp(stage, h->stage) != 0 || done > h->last; /* polls call back, too */
  h->sane = h->sane && stage != NULL && stage[0] != '\0' && done >= 0 && done <= 1;
  h->sane = h->sane && (strcmp(stage, h->stage) != 0 || done >= h->last); /* within a stage it only grows */
  snprintf(h->stage, sizeof h->stage, "%s", stage);
  h->last = done;
  return 0;
}

static void progress_is_told(void **state) {
  (void)state;
  ent_features features = small_features();
  ent_grid grid = whole_grid();
  ground g;
  heard h = {.sane = true};
  ground_start(&g, (ground_options){.rows = 50, .folds = 3, .inputs = 2, .targets = 1, .seed = 2});
  ent_search_result found;
  ent_call call;
  listen_start(context, &call, hear, &h);
  ASSERT_OK(context, ent_search(context, &g.splits, &features, &grid, &found));
  listen_stop(context);
  assert_true(h.sane);
  assert_true(h.calls >= 3 * (1 + 2 + 3) + 2 + 1 + 3); /* for each omega rows and folds; rows; a size and folds */
  ent_search_result_clear(&found);
  ground_stop(&g);
}

SUITE(tune_search) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(search_equals_brute_force),
                                     cmocka_unit_test(a_worse_size_may_come_before_a_better_one),
                                     cmocka_unit_test(what_is_given_is_not_searched),
                                     cmocka_unit_test(designs_may_be_exhausted),
                                     cmocka_unit_test(nonzeros_decide_how_many),
                                     cmocka_unit_test(designs_that_are_not_nested),
                                     cmocka_unit_test(wide_designs),
                                     cmocka_unit_test(a_small_fold_in_many_rows),
                                     cmocka_unit_test(one_heavy_row),
                                     cmocka_unit_test(progress_is_told)};
  return cmocka_run_group_tests_name("tune_search", tests, start_two_threads, stop);
}
