/* Explanations of models with centres, compared with sums over all combinations of the coordinates of the training
 * rows. */
#include "unit/modelling.h"

#include "explain/explanation.h"
#include "explain/grid.h"
#include "model/joint.h"

enum { INPUTS = 4, ROWS = 6, ALL = ROWS * ROWS * ROWS * ROWS, TESTED = 7, MOST_NODES = 12 };

/* ---- One input ---- */

static double falling(double x, void *user) {
  (void)user;
  return 3 - x;
}

static double rising(double x, void *user) {
  (void)user;
  return x + x * x;
}

static entropic_axis_options axis_of(entropic_family family, entropic_basis basis, double omega, int smooth,
                                     bool missing) {
  entropic_axis_options options = ent_axis_options_default();
  if (family == ENTROPIC_FAMILY_CATEGORY)
    return category_options(5, omega);
  options.family = family;
  options.basis = basis;
  options.omega = omega;
  options.smooth = smooth;
  options.missing = missing;
  if (family == ENTROPIC_FAMILY_CUSTOM) {
    options.p = rising;
    options.q = falling;
  }
  return options;
}

/* Sums and products of sections by the definition. */
static void check_axis(const char *name, entropic_axis_options options, bool ends) {
  entropic_kernel *kernel = make_kernel(&options, 1, 1);
  bool category = options.family == ENTROPIC_FAMILY_CATEGORY;
  double nodes[MOST_NODES], shares[MOST_NODES], weights[MOST_NODES], sums[MOST_NODES], products[MOST_NODES];
  size_t count = category ? 6 : MOST_NODES;
  entropic_random random = entropic_random_start(5, count);
  double all = 0;
  for (size_t i = 0; i < count; i++) {
    nodes[i] = category ? ((double)i + 0.5) / 6 : ((double)i + entropic_random_uniform(&random)) / (double)count;
    shares[i] = i == 3 ? 0 : entropic_random_uniform(&random);
    weights[i] = entropic_random_normal(&random);
    all += shares[i];
  }
  for (size_t i = 0; i < count; i++)
    shares[i] /= all;
  if (ends && !category) {
    nodes[0] = 0;
    nodes[count - 1] = 1;
  }
  nodes[count - 1] = options.missing ? NAN : nodes[count - 1];
  ent_section_axis axis;
  ASSERT_OK(NULL, ent_section_axis_create(NULL, kernel->axes[0], nodes, shares, count, &axis));
  ent_section_axis_sums(&axis, weights, sums);
  for (size_t a = 0; a < count; a++) {
    double sum = 0, mean = 0;
    for (size_t x = 0; x < count; x++) {
      double value = ent_kernel_axis_value(kernel, 0, nodes[x], nodes[a]);
      sum += weights[x] * value;
      mean += shares[x] * value;
    }
    double large = fmax(1, fabs(mean));
    assert_near(sums[a], sum, 1e-13 * large * (1 + options.omega), "%s, sum %zu", name, a);
    assert_near(axis.means[a], mean, 1e-14 * large * (1 + options.omega), "%s, mean %zu", name, a);
    ent_section_axis_products(&axis, a, products);
    for (size_t b = 0; b < count; b++) {
      double expected = 0;
      for (size_t x = 0; x < count; x++)
        expected += shares[x] * ent_kernel_axis_value(kernel, 0, nodes[x], nodes[a]) *
                    ent_kernel_axis_value(kernel, 0, nodes[x], nodes[b]);
      double size = (1 + options.omega) * (1 + options.omega);
      assert_near(products[b], expected, 1e-14 * fmax(fabs(expected), size), "%s, %zu and %zu", name, a, b);
    }
  }
  ent_section_axis_clear(&axis);
  entropic_kernel_free(kernel);
}

static void sections_of_all_kernels(void **state) {
  (void)state;
  static const double omegas[] = {0.01, 1, 7, 900};
  size_t tested = 0;
  for (size_t f = 0; f < ent_family_count(); f++)
    for (size_t o = 0; o < COUNT(omegas); o++)
      for (int basis = ENTROPIC_BASIS_FULL; basis <= ENTROPIC_BASIS_INTERIOR; basis++)
        for (int variant = 0; variant < 4; variant++) {
          entropic_family family = (entropic_family)f;
          bool full = basis == ENTROPIC_BASIS_FULL, missing = variant % 2 == 1, smooth = variant > 1;
          if (!full && (missing || smooth || family == ENTROPIC_FAMILY_CATEGORY || family == ENTROPIC_FAMILY_CUSTOM))
            continue;
          if ((missing && !entropic_family_has(family, ENTROPIC_TRAIT_MISSING)) ||
              (smooth && !entropic_family_has(family, ENTROPIC_TRAIT_SMOOTH)))
            continue;
          entropic_axis_options options = axis_of(family, (entropic_basis)basis, omegas[o], smooth ? 5 : 0, missing);
          check_axis(entropic_family_name(family), options, false);
          check_axis(entropic_family_name(family), options, true);
          tested++;
        }
  assert_true(tested > 80);
}

/* ---- Models ---- */

typedef struct centre_case {
  const char *name;
  model_plan plans[3];
  size_t count;
  bool missing; /* rows have missing numbers */
} centre_case;

#define PLAN(plan_name, plan_scaling, plan_family, plan_solver, plan_features, plan_categories)                        \
  {                                                                                                                    \
    .name = plan_name, .task = ENTROPIC_TASK_REGRESSION, .loss = ENTROPIC_LOSS_SQUARED, .solver = plan_solver,         \
    .scaling = plan_scaling, .family = plan_family, .inputs = INPUTS, .outputs = 2, .features = plan_features,         \
    .categories = plan_categories                                                                                      \
  }
#define CENTRES(scaling, family, categories)                                                                           \
  PLAN("centres", ENTROPIC_SCALING_##scaling, ENTROPIC_FAMILY_##family, ENTROPIC_SOLVER_EXACT, 25, categories)
#define FEATURES(scaling, family, features, categories)                                                                \
  PLAN("features", ENTROPIC_SCALING_##scaling, ENTROPIC_FAMILY_##family, ENTROPIC_SOLVER_DIRECT, features, categories)

static const centre_case cases[] = {
    {"laplace", {CENTRES(QUANTILE, LAPLACE, false)}, 1, false},
    {"laplace, categories", {CENTRES(QUANTILE, LAPLACE, true)}, 1, true},
    {"centred, categories, missing", {CENTRES(MINMAX, CENTRED, true)}, 1, true},
    {"sobolev, missing", {CENTRES(BLEND, SOBOLEV, false)}, 1, true},
    {"cosh", {CENTRES(QUANTILE, COSH, true)}, 1, false},
    {"brownian", {CENTRES(MINMAX, BROWNIAN, false)}, 1, false},
    {"bridge", {CENTRES(NONE, BRIDGE, false)}, 1, false},
    {"neumann", {CENTRES(QUANTILE, NEUMANN, true)}, 1, false},
    {"features and centres", {FEATURES(QUANTILE, CENTRED, 60, true), CENTRES(MINMAX, LAPLACE, true)}, 2, false},
    {"centres and features", {CENTRES(QUANTILE, CENTRED, true), FEATURES(BLEND, LAPLACE, 30, true)}, 2, false},
    {"features know what is missing", {FEATURES(MINMAX, CENTRED, 70, true), CENTRES(QUANTILE, LAPLACE, true)}, 2, true},
    {"centres know what is missing", {FEATURES(QUANTILE, COSH, 20, false), CENTRES(QUANTILE, SOBOLEV, false)}, 2, true},
    {"centres twice",
     {CENTRES(QUANTILE, LAPLACE, true), FEATURES(QUANTILE, SOBOLEV, 25, true), CENTRES(MINMAX, CENTRED, true)},
     3,
     false},
};

/* A model whose centres are some rows, and these rows scaled. */
typedef struct centre_model {
  const centre_case *of;
  entropic_model *model;
  double *x, *scaled;
  size_t width;
} centre_model;

static centre_model start(const centre_case *c) {
  centre_model m = {.of = c, .model = plan_sum(c->plans, c->count, 3)};
  m.width = ent_model_width(m.model);
  m.x = plan_rows(&c->plans[0], ROWS, 33, false);
  m.scaled = calloc(ROWS * m.width, sizeof *m.scaled);
  for (size_t i = 0; i < INPUTS; i++)
    for (size_t r = 0; r < ROWS; r++)
      for (size_t k = 0; k < c->count; k++) { /* within the ranges of all scalings, where nothing is lost */
        const ent_scale *scale = &ent_model_component(m.model, k)->scaler->scales[i];
        double *x = &m.x[r * INPUTS + i];
        if (scale->categories == 0 && scale->knots > 0)
          *x = fmin(fmax(*x, scale->at[0]), scale->at[scale->knots - 1]);
      }
  for (size_t i = 0; i < INPUTS; i++) {
    if (plan_is_category(&c->plans[0], i) ? i % 2 == 1 && c->missing : c->missing)
      m.x[(i + 1) % ROWS * INPUTS + i] = m.x[(i + 3) % ROWS * INPUTS + i] = NAN;
    m.model->schema.input[i].missing = c->missing;
    m.x[5 * INPUTS + i] = m.x[i % 2 * INPUTS + i]; /* twice the same */
  }
  ent_model_scale(m.model, m.x, ROWS, INPUTS, m.scaled);
  for (size_t k = 0; k < c->count; k++) {
    ent_component *component = k == 0 ? &m.model->main : &m.model->more[k - 1];
    if (component->design != NULL)
      continue;
    component->features = ROWS;
    for (size_t r = 0; r < ROWS; r++)
      memcpy(component->centres + r * INPUTS, m.scaled + r * m.width + k * INPUTS, INPUTS * sizeof *m.scaled);
  }
  return m;
}

static void stop(centre_model *m) {
  entropic_model_free(m->model);
  free(m->x);
  free(m->scaled);
}

/* The mean score where the inputs of a set have the values of a scaled row and all others, independently, those of the
 * training rows. */
static void mean_of_set(const centre_model *m, const double *row, unsigned set, double *mean) {
  size_t count = 1, scores = m->model->scores;
  for (size_t i = 0; i < INPUTS; i++)
    count *= set >> i & 1 ? 1 : ROWS;
  double *x = calloc(count * m->width, sizeof *x), *y = calloc(count * scores, sizeof *y);
  for (size_t r = 0; r < count; r++)
    for (size_t i = 0, left = r; i < INPUTS; i++) {
      size_t other = left % ROWS;
      left /= set >> i & 1 ? 1 : ROWS;
      for (size_t k = 0; k < m->of->count; k++)
        x[r * m->width + k * INPUTS + i] =
            set >> i & 1 ? row[k * INPUTS + i] : m->scaled[other * m->width + k * INPUTS + i];
    }
  ASSERT_OK(NULL, ent_model_scores(NULL, m->model, x, count, m->width, y));
  for (size_t k = 0; k < scores; k++) {
    double sum = 0;
    for (size_t r = 0; r < count; r++)
      sum += y[r * scores + k];
    mean[k] = sum / (double)count;
  }
  free(x);
  free(y);
}

static const double factorials[] = {1, 1, 2, 6, 24};

/* Shapley values of rows that are not the training rows, by the formula with all subsets. */
static void check_rows(const centre_model *m, const ent_effects *e) {
  double *x = plan_rows(&m->of->plans[0], TESTED, 91, true), scores[2 * TESTED];
  double *scaled = calloc(TESTED * m->width, sizeof *scaled), found[TESTED * 2 * (1 + INPUTS)];
  ent_model_scale(m->model, x, TESTED, INPUTS, scaled);
  ASSERT_OK(NULL, ent_effects_rows(NULL, e, scaled, TESTED, m->width, found));
  ASSERT_OK(NULL, ent_model_scores(NULL, m->model, scaled, TESTED, m->width, scores));
  for (size_t r = 0; r < TESTED; r++) {
    double means[1 << INPUTS][2];
    for (unsigned set = 0; set < 1U << INPUTS; set++)
      mean_of_set(m, scaled + r * m->width, set, means[set]);
    for (size_t k = 0; k < 2; k++) {
      const double *effects = found + (r * 2 + k) * (1 + INPUTS);
      double sum = effects[0], large = 1;
      for (unsigned set = 0; set < 1U << INPUTS; set++)
        large = fmax(large, fabs(means[set][k]));
      assert_near(effects[0], means[0][k], 1e-11 * large, "%s, base", m->of->name);
      for (size_t i = 0; i < INPUTS; i++) {
        double expected = 0;
        for (unsigned set = 0; set < 1U << INPUTS; set++) {
          size_t others = (size_t)__builtin_popcount(set);
          if (!(set >> i & 1))
            expected += factorials[others] * factorials[INPUTS - 1 - others] / factorials[INPUTS] *
                        (means[set | 1U << i][k] - means[set][k]);
        }
        assert_near(effects[1 + i], expected, 1e-11 * large, "%s, row %zu, input %zu", m->of->name, r, i);
        sum += effects[1 + i];
      }
      assert_near(sum, scores[r * 2 + k], 1e-12 * large, "%s, sum of row %zu", m->of->name, r);
    }
  }
  free(x);
  free(scaled);
}

/* The variance of the mean score for each combination of a set of inputs. */
static void variance_of_set(const centre_model *m, const double *y, unsigned set, double *variances) {
  for (size_t k = 0; k < 2; k++) {
    double means[ALL] = {0}, mean = 0, sum = 0;
    size_t count = 1;
    for (size_t i = 0; i < INPUTS; i++)
      count *= set >> i & 1 ? ROWS : 1;
    for (size_t r = 0; r < ALL; r++) {
      size_t cell = 0;
      for (size_t i = 0, left = r; i < INPUTS; i++, left /= ROWS)
        cell = set >> i & 1 ? cell * ROWS + left % ROWS : cell;
      means[cell] += y[r * 2 + k] * (double)count / ALL;
      mean += y[r * 2 + k] / ALL;
    }
    for (size_t c = 0; c < count; c++)
      sum += (means[c] - mean) * (means[c] - mean) / (double)count;
    variances[k] = sum;
  }
  (void)m;
}

static void check_shares(const centre_model *m, const ent_effects *e) {
  double *x = calloc(ALL * m->width, sizeof *x), *y = calloc(ALL * 2, sizeof *y), of_set[1 << INPUTS][2];
  ent_effect_shares *shares = NULL;
  for (size_t r = 0; r < ALL; r++)
    for (size_t i = 0, left = r; i < INPUTS; i++, left /= ROWS)
      for (size_t k = 0; k < m->of->count; k++)
        x[r * m->width + k * INPUTS + i] = m->scaled[left % ROWS * m->width + k * INPUTS + i];
  ASSERT_OK(NULL, ent_model_scores(NULL, m->model, x, ALL, m->width, y));
  for (unsigned set = 0; set < 1U << INPUTS; set++)
    variance_of_set(m, y, set, of_set[set]);
  ASSERT_OK(NULL, ent_effect_shares_create(NULL, e, &shares));
  double unit = ldexp(1, 2 * e->unit);
  assert_int_equal(shares->pair_count, INPUTS * (INPUTS - 1) / 2);
  for (size_t k = 0; k < 2; k++) {
    double whole = of_set[(1 << INPUTS) - 1][k], near = 1e-10 * (1e-3 + whole);
    assert_near(shares->variances[k] * unit, whole, near, "%s, variance", m->of->name);
    for (size_t i = 0; i < INPUTS; i++) {
      assert_near(shares->first[k * INPUTS + i] * unit, of_set[1U << i][k], near, "%s, input %zu", m->of->name, i);
      double without = of_set[((1U << INPUTS) - 1) & ~(1U << i)][k];
      assert_near(shares->total[k * INPUTS + i] * unit, whole - without, near, "%s, total %zu", m->of->name, i);
    }
    for (size_t p = 0; p < shares->pair_count; p++) {
      unsigned a = 1U << shares->pairs[p].a, b = 1U << shares->pairs[p].b;
      double own = of_set[a | b][k] - of_set[a][k] - of_set[b][k];
      assert_near(shares->pairs[p].variances[k] * unit, own, near, "%s, pair %zu", m->of->name, p);
    }
  }
  ent_effect_shares_free(shares);
  free(x);
  free(y);
}

static void check_case(const centre_case *c, bool marginals) {
  centre_model m = start(c);
  ent_effects *e = NULL;
  if (marginals)
    ASSERT_OK(NULL, ent_model_marginals(NULL, m.model, m.scaled, ROWS, &m.model->marginals));
  ASSERT_OK(NULL, ent_effects_create(NULL, m.model, m.model->marginals, &e));
  assert_int_equal(e->used, INPUTS);
  check_rows(&m, e);
  check_shares(&m, e);
  ent_effects_free(e);
  stop(&m);
}

/* With the marginals of features in the model, and without, where centres tell all. */
static void against_all_combinations(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(cases); i++) {
    check_case(&cases[i], true);
    if (!cases[i].missing || cases[i].count == 1)
      check_case(&cases[i], false);
  }
}

/* ---- Grids and reports ---- */

/* The row of a point of each of two inputs. */
static void point_row(const ent_effect_grid *grid, const centre_model *m, size_t a, size_t p, size_t b, size_t q,
                      double *scaled) {
  double x[INPUTS];
  memcpy(x, m->x, sizeof x);
  x[a] = grid->points[a].at[p];
  x[b] = grid->points[b].at[q];
  ent_model_scale(m->model, x, 1, INPUTS, scaled);
}

static void check_grid(const centre_model *m, const entropic_explanation *x) {
  ent_effect_grid *grid = NULL;
  double effects[400], *row = calloc(m->width, sizeof *row), base[2], of_a[2], of_b[2], both[2];
  ASSERT_OK(NULL, ent_effect_grid_create(NULL, x, 5, 9, &grid));
  mean_of_set(m, m->scaled, 0, base);
  for (size_t p = 0; p < x->shares->pair_count; p++)
    for (size_t k = 0; k < 2; k++) {
      size_t a = x->shares->pairs[p].a, b = x->shares->pairs[p].b, columns = ent_effect_points_all(&grid->points[b]);
      double mains[2][100];
      ASSERT_OK(NULL, ent_effect_grid_pair(NULL, grid, p, k, effects));
      ent_effect_grid_main(grid, a, k, mains[0]);
      ent_effect_grid_main(grid, b, k, mains[1]);
      for (size_t i = 0; i < ent_effect_points_all(&grid->points[a]); i += 2)
        for (size_t j = i % 2; j < columns; j += 2) {
          point_row(grid, m, a, i, b, j, row);
          mean_of_set(m, row, 1U << a, of_a);
          mean_of_set(m, row, 1U << b, of_b);
          mean_of_set(m, row, 1U << a | 1U << b, both);
          double large = 1e-11 * (1 + fabs(both[k]));
          assert_near(mains[0][i], of_a[k] - base[k], large, "%s, main effect of %zu", m->of->name, a);
          assert_near(mains[1][j], of_b[k] - base[k], large, "%s, main effect of %zu", m->of->name, b);
          assert_near(effects[i * columns + j], both[k] - of_a[k] - of_b[k] + base[k], large, "%s, pair %zu",
                      m->of->name, p);
        }
    }
  ent_effect_grid_free(grid);
  free(row);
}

/* The effect of one input at a row, or of two beyond both. */
static double effect_at(const centre_model *m, const double *row, size_t a, size_t b, size_t score) {
  double base[2], of_a[2], of_b[2], both[2];
  mean_of_set(m, row, 0, base);
  mean_of_set(m, row, 1U << a, of_a);
  mean_of_set(m, row, 1U << b, of_b);
  mean_of_set(m, row, 1U << a | 1U << b, both);
  return a == b ? of_a[score] - base[score] : both[score] - of_a[score] - of_b[score] + base[score];
}

/* What rows say: the own variance of an effect, and that all of it adds up. */
static void check_dependence(const centre_model *m, const entropic_explanation *x) {
  const ent_effect_dependence *d = x->dependence;
  double unit = ldexp(1, 2 * x->effects->unit), rows = (double)x->sample.count;
  assert_non_null(d);
  for (size_t k = 0; k < 2; k++) {
    double all = 0;
    for (size_t i = 0; i < d->effects; i++)
      all += d->own[k * d->effects + i] + d->covariance[k * d->effects + i];
    assert_near(all, d->variances[k], 1e-10 * (1e-3 + d->variances[k]), "%s, all effects", m->of->name);
    for (size_t i = 0; i < INPUTS + x->shares->pair_count; i++) {
      double one = 0, square = 0;
      size_t a = i < INPUTS ? i : x->shares->pairs[i - INPUTS].a, b = i < INPUTS ? i : x->shares->pairs[i - INPUTS].b;
      for (size_t r = 0; r < x->sample.count; r++) {
        double effect = effect_at(m, x->sample.scaled + r * m->width, a, b, k);
        one += effect / rows;
        square += effect * effect / rows;
      }
      double near = 1e-10 * (1 + square);
      assert_near(d->own[k * d->effects + i] * unit, square - one * one, near, "%s, effect %zu", m->of->name, i);
    }
  }
}

static void curves_and_reports(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(cases); i++) {
    centre_model m = start(&cases[i]);
    entropic_context *context = context_with(2);
    double *rows = plan_rows(&cases[i].plans[0], 20, 17, false), y[20 * 2] = {0};
    entropic_explanation *x = NULL;
    entropic_report *report = NULL;
    if (cases[i].missing && cases[i].count > 1)
      ASSERT_OK(NULL, ent_model_marginals(NULL, m.model, m.scaled, ROWS, &m.model->marginals));
    ASSERT_OK(context, entropic_explain(context, m.model, NULL, &x));
    assert_null(x->shares);
    x->sample = (ent_row_sample){.inputs = INPUTS, .count = 20, .seen = 20, .width = m.width};
    x->sample.scaled = ent_new_matrix(NULL, 20, m.width, sizeof *x->sample.scaled);
    ent_model_scale(m.model, rows, 20, INPUTS, x->sample.scaled);
    ASSERT_OK(context, entropic_explanation_report(context, x, &report));
    assert_non_null(x->shares);
    check_grid(&m, x);
    check_dependence(&m, x);
    entropic_outputs outputs;
    double effects[20 * 2 * (1 + INPUTS)];
    ASSERT_OK(context, entropic_outputs_init(&outputs, sizeof outputs));
    outputs.scores = y;
    outputs.effects = effects;
    outputs.explanation = x;
    ASSERT_OK(context, entropic_predict(context, m.model, rows, 20, INPUTS, &outputs));
    for (size_t r = 0; r < 40; r++) {
      double sum = 0;
      for (size_t j = 0; j < 1 + INPUTS; j++)
        sum += effects[r * (1 + INPUTS) + j];
      assert_near(sum, y[r], 1e-11 * (1 + fabs(y[r])), "%s, row %zu", cases[i].name, r);
    }
    entropic_report_free(report);
    entropic_explanation_free(x);
    free(rows);
    entropic_context_free(context);
    stop(&m);
  }
}

/* The same bits for any number of threads. */
static void threads(void **state) {
  (void)state;
  centre_model m = start(&cases[12]);
  double first[2 * (1 + 2 * INPUTS)];
  ent_effects *e = NULL;
  ASSERT_OK(NULL, ent_effects_create(NULL, m.model, NULL, &e));
  for (int count = 1; count <= 4; count++) {
    entropic_context *context = context_with(count);
    ent_effect_shares *shares = NULL;
    ASSERT_OK(context, ent_effect_shares_create(context, e, &shares));
    if (count == 1) {
      memcpy(first, shares->variances, 2 * sizeof *first);
      memcpy(first + 2, shares->total, 2 * INPUTS * sizeof *first);
    }
    assert_memory_equal(first, shares->variances, 2 * sizeof *first);
    assert_memory_equal(first + 2, shares->total, 2 * INPUTS * sizeof *first);
    ent_effect_shares_free(shares);
    entropic_context_free(context);
  }
  ent_effects_free(e);
  stop(&m);
}

SUITE(explain_centres) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sections_of_all_kernels),
                                     cmocka_unit_test(against_all_combinations), cmocka_unit_test(curves_and_reports),
                                     cmocka_unit_test(threads)};
  return cmocka_run_group_tests_name("explain_centres", tests, NULL, NULL);
}
