/* The pilot search: what it chooses follows from paths made one by one. */
#include "unit/recipes.h"

#include "base/threads.h"
#include "loss/root.h"
#include "tune/pilot_search.h"

enum { MOST = 24, MOST_PARTS = 5 };
static const double omegas[] = ENT_OMEGAS;
#define OMEGAS COUNT(omegas)

static void set_wave(setting *at, double pace, double noise) {
  ground *g = &at->g;
  entropic_random random = entropic_random_start(g->splits.seed, 3);
  for (size_t r = 0; r < g->rows + g->others; r++) {
    const double *x = g->x + r * g->inputs;
    g->y[r] = noise * entropic_random_normal(&random);
    for (size_t i = 0; i < 3 && i < g->inputs; i++)
      g->y[r] += sin(pace * x[i]) + (i > 0 ? cos(pace * x[i]) * cos(pace * x[i - 1]) : 0);
  }
}

/* A path: its best step, how many validation rows it had and the most inputs of a product. */
typedef struct path {
  ent_select_step best;
  size_t rows, order;
} path;

/* One path with the rows and sizes of the pilot search. */
static path make_path(setting *at, size_t part, const bool *used, ent_path_options options) {
  ent_split split;
  ent_selection selection;
  ent_search_result found = {0};
  ent_recipe with = at->recipe;
  options.rows = ENT_PILOT_ROWS;
  options.validation_rows = ENT_PILOT_VALIDATION_ROWS;
  options.max_features = MOST;
  options.selection_loss = ENT_BY_SQUARES;
  with.state.used = used;
  ASSERT_OK(context, ent_split_rows(context, &at->g.splits, part, &split));
  ASSERT_OK(context, ent_split_select(context, &with, &split, &options, &found, &selection));
  path made = {.best = *ent_best_step(&selection, ENT_AS_GOOD), .rows = selection.validation_rows};
  for (size_t i = 0; i < selection.count; i++) {
    size_t order = selection.candidates->groups[selection.selected[i].group].order;
    made.order = order > made.order ? order : made.order;
  }
  ent_selection_clear(&selection);
  ent_split_clear(&split);
  return made;
}

static ent_select_step root_path(setting *at, size_t part, double omega, const ent_link *link) {
  return make_path(at, part, NULL, (ent_path_options){.omega = omega, .link = link}).best;
}

/* The mean square of one path. */
static double path_error(setting *at, size_t part, size_t view, double omega, const bool *used) {
  return make_path(at, part, used, (ent_path_options){.view = view, .omega = omega}).best.error;
}

/* All omegas on all parts, each by itself. */
typedef struct omega_errors {
  size_t parts;
  double hopeless; /* so many times the least error is */
  double errors[OMEGAS][MOST_PARTS];
} omega_errors;

/* Few rows are given up sooner. */
static double hopeless_of(const setting *at) {
  return at->g.rows <= 500 ? 1.1 : 1.3;
}

static void all_omegas(setting *at, size_t parts, omega_errors *w) {
  w->parts = parts;
  w->hopeless = hopeless_of(at);
  for (size_t i = 0; i < OMEGAS; i++)
    for (size_t p = 0; p < parts; p++)
      w->errors[i][p] = path_error(at, p, 0, omegas[i], NULL);
}

static double mean_of(const double *errors, size_t parts) {
  double sum = 0;
  for (size_t p = 0; p < parts; p++)
    sum += errors[p];
  return sum / (double)parts;
}

/* Is it so many times worse after two parts or more? */
static bool is_worse(const double *errors, const double *best, size_t parts, double times) {
  for (size_t p = 2; p <= parts; p++)
    if (mean_of(errors, p) > times * mean_of(best, p))
      return true;
  return false;
}

/* The one of least mean, where a smaller omega has to win 1 %; after two in a row that are 5 % worse than the best, or
 * hopeless, no further ones are tried. Which it is; *tried becomes how many were. */
static size_t expected_omega(const omega_errors *w, size_t parts, size_t *tried) {
  size_t best = 0, worse = 0;
  for (*tried = 1; *tried < OMEGAS && worse < 2; (*tried)++) {
    const double *errors = w->errors[*tried], *least = w->errors[best];
    bool hopeless = is_worse(errors, least, parts, w->hopeless);
    double ratio = mean_of(errors, parts) / mean_of(least, parts);
    worse = hopeless || ratio > 1.05 ? worse + 1 : 0;
    if (!hopeless && ratio < 0.99)
      best = *tried;
  }
  return best;
}

/* What the pilot search chooses. */
typedef struct taken {
  double omega;
  ent_link link;
  ent_product_limits products;
  size_t view;
  bool stopped_early, used[MOST_INPUTS];
} taken;

static taken search(setting *at) {
  taken t = {.view = SIZE_MAX};
  ent_search_result found = {0};
  at->reports.count = 0;
  ent_call call;
  listen_start(context, &call, record_progress, &at->reports);
  ASSERT_OK(context, ent_pilot_search(context, &at->recipe, MOST, &t.view, &found, t.used));
  listen_stop(context);
  t.omega = found.omega;
  t.link = found.link;
  t.products = found.products;
  t.stopped_early = found.stopped_early;
  return t;
}

/* The progress reported: of the omegas tried, then of so many views. */
static void assert_reported(const setting *at, size_t tried, size_t omega_count, size_t views) {
  size_t all = omega_count + at->recipe.view_count - 1;
  assert_int_equal(at->reports.count, tried + views);
  for (size_t i = 0; i < at->reports.count; i++)
    assert_true(at->reports.done[i] == (double)(i < tried ? i : omega_count + i - tried) / (double)all);
}

/* Tables of 90 rows: their five parts together say which omega. */
static void all_parts_choose_omega_on_small_tables(void **state) {
  (void)state;
  static const struct {
    uint64_t seed;
    double pace;
    bool given_up; /* one that has the least mean was hopeless after some parts */
  } cases[] = {{3, 8, false},  {9, 2, false},  {13, 2, false}, {47, 4, false}, {5, 2, false},
               {12, 2, false}, {21, 2, false}, {26, 4, false}, {17, 2, true},  {20, 2, true}};
  size_t others = 0, short_of_one = 0, early = 0;
  for (size_t i = 0; i < COUNT(cases); i++) {
    setting at;
    omega_errors w;
    size_t tried, ignored, least = 0;
    setting_start(&at, (ground_options){.rows = 90, .inputs = 3, .targets = 1, .folds = 5, .seed = cases[i].seed});
    set_wave(&at, cases[i].pace, 0.3);
    all_omegas(&at, 5, &w);
    taken t = search(&at);
    size_t expected = expected_omega(&w, 5, &tried);
    assert_true(t.omega == omegas[expected]);
    assert_int_equal(t.view, 0);
    assert_reported(&at, tried, OMEGAS, 0);
    assert_false(t.stopped_early);
    for (size_t k = 1; k < OMEGAS; k++)
      least = mean_of(w.errors[k], 5) < mean_of(w.errors[least], 5) ? k : least;
    assert_true((least == expected) == !cases[i].given_up);
    others += expected_omega(&w, 1, &ignored) != expected;
    short_of_one += expected_omega(&w, 4, &ignored) != expected;
    early += tried < OMEGAS;
    ground_stop(&at.g);
  }
  assert_true(others >= 3 && short_of_one >= 3 && early >= 3); /* or they would not tell rules apart */
}

/* One fold of 100 rows and one of all others: paths without the latter are much worse, and want another omega. */
static void large_tables_are_left_to_one_part(void **state) {
  (void)state;
  size_t expected[2];
  for (size_t parts = 1; parts <= 2; parts++) {
    setting at;
    omega_errors w;
    size_t tried, rows = ENT_PILOT_ROWS + 1 - parts;
    setting_start(&at, (ground_options){.rows = rows, .inputs = 2, .targets = 1, .folds = 2, .seed = 1});
    for (size_t r = 0; r < rows; r++)
      at.g.fold_of[r] = r < 100 ? 0 : 1;
    set_wave(&at, 8, 0.3);
    all_omegas(&at, parts, &w);
    expected[parts - 1] = expected_omega(&w, parts, &tried);
    assert_true(search(&at).omega == omegas[expected[parts - 1]]);
    assert_reported(&at, tried, OMEGAS, 0);
    ground_stop(&at.g);
  }
  assert_int_not_equal(expected[0], expected[1]);
}

/* Validation rows are one part, however few rows there are. */
static void validation_rows_are_one_part(void **state) {
  (void)state;
  setting at;
  omega_errors w;
  size_t tried;
  setting_start(&at, (ground_options){.rows = 90, .others = 40, .inputs = 3, .targets = 1, .seed = 6});
  set_wave(&at, 4, 0.3);
  all_omegas(&at, 1, &w);
  assert_true(search(&at).omega == omegas[expected_omega(&w, 1, &tried)]);
  assert_reported(&at, tried, OMEGAS, 0);
  ground_stop(&at.g);
}

/* Views are tried in turn as long as the next is better. Here one has nothing to do with the targets, one half. */
static void views_are_tried_uphill(void **state) {
  (void)state;
  static const struct {
    int views[3]; /* 0: the inputs; 1: the first of them alone is right; 2: none is */
    size_t tried, taken;
  } cases[] = {{{2, 1, 0}, 3, 2}, {{1, 2, 0}, 2, 0}, {{1, 0, 2}, 3, 1}, {{0, 2, 1}, 2, 0}};
  setting at;
  const double given = 1;
  enum { ROWS = 90, INPUTS = 2 };
  setting_start(&at, (ground_options){.rows = ROWS, .inputs = INPUTS, .targets = 1, .folds = 5, .seed = 4});
  set_wave(&at, 4, 0.1);
  double wrong[2][ROWS * INPUTS];
  for (size_t i = 0; i < ROWS * INPUTS; i++) {
    wrong[1][i] = at.g.x[(i + 40 * INPUTS) % (ROWS * INPUTS)]; /* those of another row */
    wrong[0][i] = i % INPUTS == 0 ? at.g.x[i] : wrong[1][i];
  }
  at.recipe.options.omegas = &given;
  at.recipe.view_count = 3;
  for (size_t i = 0; i < COUNT(cases); i++) {
    for (size_t v = 0; v < 3; v++)
      at.views[v].x = cases[i].views[v] == 0 ? at.g.x : wrong[cases[i].views[v] - 1];
    taken t = search(&at);
    assert_int_equal(t.view, cases[i].taken);
    assert_true(t.omega == given);
    assert_reported(&at, 1, 1, cases[i].tried - 1);
  }
  ground_stop(&at.g);
}

/* Inputs that are noise are left out where that is no worse; where it would be, as one that explains little helps
 * nevertheless, all stay. */
static void inputs_that_explain_little_are_left_out(void **state) {
  (void)state;
  for (int helps = 0; helps < 2; helps++) {
    setting at;
    const double given = 1;
    setting_start(&at, (ground_options){.rows = 150, .inputs = 6, .targets = 1, .folds = 5, .seed = 5});
    set_wave(&at, helps ? 1 : 2, helps ? 0.14 : 0.1); /* of the first three */
    for (size_t r = 0; r < 150 && helps; r++)
      at.g.y[r] += 0.1 * at.g.x[r * 6 + 3];
    at.recipe.options.omegas = &given;
    taken t = search(&at);
    size_t out = 0;
    double all = 0, some = 0;
    for (size_t i = 0; i < 6; i++) {
      assert_true(t.used[i] || i >= 3);
      out += !t.used[i];
    }
    assert_true(helps ? out == 0 : out > 0);
    for (size_t p = 0; p < 5 && !helps; p++) {
      all += path_error(&at, p, 0, given, NULL);
      some += path_error(&at, p, 0, given, t.used);
    }
    assert_true(some <= 1.002 * 1.002 * 1.002 * all);
    ground_stop(&at.g);
  }
}

/* Where half of the inputs or more were left out, the omega that was best with all of them is raised as long as the
 * next is better with those that stay. */
static void omegas_rise_without_idle_inputs(void **state) {
  (void)state;
  size_t risen = 0;
  for (uint64_t seed = 4; seed <= 9; seed++) {
    setting at;
    omega_errors w;
    size_t tried, left = 0, end = 0;
    setting_start(&at, (ground_options){.rows = 90, .inputs = 12, .targets = 1, .folds = 5, .seed = seed});
    set_wave(&at, 4, 0.1); /* of the first three */
    all_omegas(&at, 5, &w);
    size_t first = expected_omega(&w, 5, &tried);
    taken t = search(&at);
    for (size_t i = 0; i < 12; i++)
      left += t.used[i];
    while (omegas[end] != t.omega)
      end++;
    assert_true(end == first || (end < first && 2 * left <= 12));
    double errors[OMEGAS][MOST_PARTS] = {{0}};
    for (size_t o = 0; o <= first && 2 * left <= 12; o++)
      for (size_t p = 0; p < 5; p++)
        errors[o][p] = path_error(&at, p, 0, omegas[o], t.used);
    for (size_t o = first; o > 0 && o >= end && 2 * left <= 12; o--) {
      bool better =
          !is_worse(errors[o - 1], errors[o], 5, hopeless_of(&at)) && mean_of(errors[o - 1], 5) < mean_of(errors[o], 5);
      assert_int_equal(better, o > end);
    }
    risen += end < first;
    ground_stop(&at.g);
  }
  assert_true(risen > 0);
}

/* Targets whose root is what the inputs make of it: it is taken where they are skewed, are numbers, and it is better,
 * errors being those of the target. */
static void roots_are_taken_where_they_are_better(void **state) {
  (void)state;
  const double given = 1;
  size_t taken_count = 0, left_count = 0;
  for (uint64_t seed = 1; seed <= 8; seed++)
    for (int power = 1; power <= 2; power++) {
      setting at;
      setting_start(&at, (ground_options){.rows = 90, .inputs = 3, .targets = 1, .folds = 5, .seed = seed});
      set_wave(&at, 2, 0.1);
      for (size_t r = 0; r < 90; r++) /* few large values among others, or a long tail */
        at.g.y[r] = power == 2 ? 3 * (at.g.x[3 * r] < 0.1) + 0.3 * at.g.y[r] : exp(5 * at.g.x[3 * r]) + 3 * at.g.y[r];
      at.recipe.options.omegas = &given;
      ent_link link;
      const ent_block *train = &at.g.splits.train;
      const ent_link_targets targets = {train->rows, train->y, train->y_stride, train->weights};
      double skew = ent_root_find(&targets, false, &link), plain[5], root[5];
      for (size_t p = 0; p < 5; p++) {
        plain[p] = root_path(&at, p, given, NULL).mse;
        root[p] = root_path(&at, p, given, &link).mse;
      }
      bool better =
          skew >= ENT_SKEWED && !is_worse(root, plain, 5, hopeless_of(&at)) && mean_of(root, 5) < mean_of(plain, 5);
      taken t = search(&at);
      assert_true(t.link.sign == (better ? link.sign : 0));
      assert_true(!better || t.link.origin == link.origin);
      taken_count += better;
      left_count += skew >= ENT_SKEWED && !better;
      at.recipe.options.root = ENT_ROOT_NEVER;
      assert_true(search(&at).link.sign == 0);
      at.recipe.options.root = ENT_ROOT_ALWAYS;
      t = search(&at);
      assert_true(t.link.sign == link.sign && t.link.origin == link.origin);
      at.recipe.options.root = ENT_ROOT_IF_BETTER;
      at.recipe.classes = true;
      assert_true(search(&at).link.sign == 0);
      ground_stop(&at.g);
    }
  assert_true(taken_count >= 2 && left_count >= 2); /* or they would not tell rules apart */
}

/* Targets with kinks, of single inputs, with a product of three, and with rows far off. */
typedef enum target_shape { KINKS, SINGLE_INPUTS, PRODUCT_OF_THREE, OUTLIERS, TARGET_SHAPES } target_shape;

static void set_shapes(setting *at, target_shape shape) {
  ground *g = &at->g;
  entropic_random random = entropic_random_start(g->splits.seed, 5);
  for (size_t r = 0; r < g->rows; r++) {
    const double *x = g->x + r * g->inputs;
    double kinks = fabs(x[0] - 0.4) + fabs(x[1] - 0.7), squares = 0;
    double triple = (x[0] - 0.5) * (x[1] - 0.5) * (x[2] - 0.5);
    for (size_t i = 0; i < g->inputs; i++)
      squares += x[i] * x[i];
    g->y[r] = shape == SINGLE_INPUTS || shape == PRODUCT_OF_THREE ? squares : kinks;
    g->y[r] += shape == PRODUCT_OF_THREE ? 30 * triple : 0;
    g->y[r] += shape == OUTLIERS && r % 31 == 0;
    g->y[r] += (shape == SINGLE_INPUTS ? 0.3 : 0.05) * entropic_random_normal(&random);
  }
}

/* One kind of products on all parts. */
typedef struct products_result {
  ent_product_limits products;
  double errors[MOST_PARTS], tail; /* mean squares; their mean with the largest square counted once more */
  size_t order;                    /* most inputs of a product */
} products_result;

static products_result products_paths(setting *at, const bool *used, double omega, ent_product_limits products) {
  products_result all = {.products = products};
  double largest = 0, rows = 0;
  for (size_t p = 0; p < MOST_PARTS; p++) {
    path one = make_path(at, p, used, (ent_path_options){.omega = omega, .products = products});
    all.errors[p] = one.best.mse;
    all.order = one.order > all.order ? one.order : all.order;
    largest = larger(largest, one.best.largest_square);
    rows += (double)one.rows;
  }
  all.tail = mean_of(all.errors, MOST_PARTS) + largest / rows;
  return all;
}

/* Other products in place of the best, if it is 5 % better and after no two parts or more worse; whether it is. */
static bool prefer(setting *at, const bool *used, double omega, ent_product_limits products, products_result *best) {
  products_result other = products_paths(at, used, omega, products);
  bool better = !is_worse(other.errors, best->errors, MOST_PARTS, 1) && other.tail < 0.95 * best->tail;
  if (better)
    *best = other;
  return better;
}

/* Legendre atoms, then products of more than two inputs and of two are left out where that is better, the largest error
 * being counted once more; not where a degree or an order was asked for. */
static void products_are_as_simple_as_is_worth_it(void **state) {
  (void)state;
  const double given = 1;
  size_t without = 0, lower = 0, as_far = 0;
  static const uint64_t seeds[] = {1, 2, 3, 4, 10, 21, 31, 37, 38, 53}; /* of which some leave something out */
  for (size_t s = 0; s < COUNT(seeds); s++) {
    setting at;
    uint64_t seed = seeds[s];
    setting_start(&at, (ground_options){.rows = 90, .inputs = 5, .targets = 1, .folds = MOST_PARTS, .seed = seed});
    for (size_t i = 0; i < 5; i++)
      at.axes[i].smooth = 3;
    set_shapes(&at, (target_shape)(seed % TARGET_SHAPES));
    at.recipe.options.omegas = &given;
    at.recipe.options.root = ENT_ROOT_NEVER;
    taken t = search(&at);
    products_result best = products_paths(&at, t.used, given, (ent_product_limits){0});
    prefer(&at, t.used, given, (ent_product_limits){.without_smooth = true}, &best);
    bool better = true;
    for (size_t most = 2; most >= 1 && best.order > most && better; most--)
      better = prefer(&at, t.used, given, (ent_product_limits){best.products.without_smooth, most}, &best);
    assert_int_equal(t.products.without_smooth, best.products.without_smooth);
    assert_int_equal(t.products.max_order, best.products.max_order);
    without += best.products.without_smooth;
    lower += best.products.max_order > 0;
    as_far += !best.products.without_smooth && best.products.max_order == 0;
    at.recipe.options.smooth_given = true;
    at.features.design.max_order = 3;
    t = search(&at);
    assert_false(t.products.without_smooth);
    assert_int_equal(t.products.max_order, 0);
    ground_stop(&at.g);
  }
  assert_true(without >= 2 && lower >= 1 && as_far >= 2); /* or they would not tell rules apart */
}

/* No time left: it says so, and what was not tried does not matter. */
static void a_deadline_ends_it(void **state) {
  (void)state;
  setting at;
  setting_start(&at, (ground_options){.rows = 90, .inputs = 3, .targets = 1, .folds = 5, .seed = 1});
  set_wave(&at, 2, 0.3);
  at.g.splits.deadline = 1e-9;
  taken t = search(&at);
  assert_true(t.stopped_early);
  assert_true(t.omega == omegas[0]);
  ground_stop(&at.g);
}

/* The time of a pilot search that is not hurried. */
static double seconds_of(setting *at, taken *t) {
  at->g.splits.deadline = 0;
  double start = ent_seconds();
  *t = search(at);
  assert_false(t->stopped_early);
  return ent_seconds() - start;
}

/* Past its share of the time it goes on if what follows fits, and only then. Clocks are not to be relied on: one try in
 * several will do. */
static void its_share_counts_if_the_models_do_not_fit(void **state) {
  (void)state;
  setting at;
  setting_start(&at, (ground_options){.rows = 90, .inputs = 3, .targets = 1, .folds = 5, .seed = 1});
  set_wave(&at, 2, 0.3);
  for (int fits = 0; fits < 2; fits++) {
    bool as_expected = false;
    at.recipe.state.following = fits ? 0 : 1e9;
    for (int i = 0; i < 10 && !as_expected; i++) {
      taken free, t;
      double seconds = seconds_of(&at, &free);
      at.g.splits.deadline = ent_seconds() + 2 * seconds; /* of which its share is less than it needs */
      t = search(&at);
      as_expected = t.stopped_early == !fits && (!fits || (t.omega == free.omega && t.view == free.view));
    }
    assert_true(as_expected);
  }
  ground_stop(&at.g);
}

/* Validation rows may be sorted, and some have no weight: the first ones are a sample of those that have. */
static void validation_rows_are_shuffled(void **state) {
  (void)state;
  enum { ROWS = 20, OTHERS = 4000 };
  double *weights = calloc(OTHERS, sizeof *weights);
  size_t fold_of[ROWS] = {0}, early = 0;
  for (size_t r = 0; r < OTHERS; r++)
    weights[r] = r < OTHERS / 2 ? 0 : 1;
  ent_block others = {.rows = OTHERS, .weights = weights};
  ent_validation_splits splits = {.train = {.rows = ROWS}, .valid = &others, .fold_of = fold_of, .folds = 1, .seed = 1};
  ent_split split;
  ASSERT_OK(context, ent_split_rows(context, &splits, 0, &split));
  assert_int_equal(split.train_count, ROWS);
  assert_int_equal(split.validation_count, OTHERS / 2);
  for (size_t i = 0; i < split.validation_count; i++) {
    assert_in_range(split.validation[i], OTHERS / 2, OTHERS - 1);
    assert_true(weights[split.validation[i]]-- == 1); /* each once */
    early += i < OTHERS / 4 && split.validation[i] < 3 * OTHERS / 4;
  }
  assert_in_range(early, OTHERS / 10, 3 * OTHERS / 20); /* half of them */
  ent_split_clear(&split);
  free(weights);
}

SUITE(tune_pilot_search) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_parts_choose_omega_on_small_tables),
      cmocka_unit_test(large_tables_are_left_to_one_part),
      cmocka_unit_test(validation_rows_are_one_part),
      cmocka_unit_test(validation_rows_are_shuffled),
      cmocka_unit_test(views_are_tried_uphill),
      cmocka_unit_test(inputs_that_explain_little_are_left_out),
      cmocka_unit_test(omegas_rise_without_idle_inputs),
      cmocka_unit_test(roots_are_taken_where_they_are_better),
      cmocka_unit_test(products_are_as_simple_as_is_worth_it),
      cmocka_unit_test(a_deadline_ends_it),
      cmocka_unit_test(its_share_counts_if_the_models_do_not_fit),
  };
  return cmocka_run_group_tests_name("tune_pilot_search", tests, start, stop);
}
