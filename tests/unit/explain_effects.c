/* Effects of rows where features share base atoms, compared with features one at a time and with Shapley's own formula. */
#include "unit/fitting.h"

#include "explain/effects_rows.h"

enum { INPUTS = 5, TARGETS = 2, TESTED = 12 };

/* Of a feature: the product of values of the inputs in the set and of means of the others. */
static double feature_of_set(const ent_effects *e, const double *values, size_t feature, unsigned set, size_t row) {
  double value = 1;
  for (size_t i = e->starts[feature]; i < e->starts[feature + 1]; i++) {
    ent_effect_factor factor = e->factors[i];
    double off = values[(e->places[factor.input] + factor.atom) * ENT_EFFECT_ROWS + row];
    value *= ent_effect_factor_mean(e, factor) + (set >> factor.input & 1 ? off : 0);
  }
  return value;
}

static double score_of_set(const ent_effects *e, const double *values, size_t score, unsigned set, size_t row) {
  const entropic_model *model = e->model;
  double sum = model->offsets[score];
  for (size_t f = 0; f < model->main.features; f++)
    sum += model->main.weights[score * model->main.features + f] * feature_of_set(e, values, f, set, row);
  return sum;
}

/* The mean over all orders of what an input adds to those before it. */
static double shapley(const ent_effects *e, const double *values, size_t score, size_t input, size_t row) {
  static const double factorials[] = {1, 1, 2, 6, 24, 120};
  double sum = 0;
  for (unsigned set = 0; set < 1u << e->used; set++) {
    if (set >> input & 1)
      continue;
    size_t others = (size_t)__builtin_popcount(set);
    sum += factorials[others] * factorials[e->used - 1 - others] / factorials[e->used] *
           (score_of_set(e, values, score, set | 1u << input, row) - score_of_set(e, values, score, set, row));
  }
  return sum;
}

static void check_sums(const ent_effects *e, const double *values, const double *sums, const double *plain) {
  double most = 0;
  for (size_t i = 0; i < TARGETS * e->used * ENT_EFFECT_ROWS; i++)
    most = fmax(most, fabs(plain[i]));
  assert_true(most > 0);
  for (size_t i = 0; i < TARGETS * e->used * ENT_EFFECT_ROWS; i++)
    assert_true(fabs(sums[i] - plain[i]) <= 1e-12 * most);
  for (size_t k = 0; k < TARGETS; k++)
    for (size_t i = 0; i < e->used; i++)
      for (size_t r = 0; r < TESTED; r++)
        assert_true(fabs(sums[(k * e->used + i) * ENT_EFFECT_ROWS + r] - shapley(e, values, k, i, r)) <= 1e-12 * most);
}

/* Every code this processor has gives the bits of the plain one, for any number of rows. */
static void check_codes(ent_effects *e, const double *x, ent_effect_room *room) {
  size_t atoms = ent_effects_atoms(e) * ENT_EFFECT_ROWS, size = e->model->scores * e->used * ENT_EFFECT_ROWS,
         tested = 0;
  double *values = calloc(atoms, sizeof *values), *sums = calloc(2 * size, sizeof *sums);
  const ent_effect_code *best = e->code;
  for (size_t rows = 1; rows <= ENT_EFFECT_ROWS; rows += rows == 25 ? 7 : 8) {
    room->width = (rows + 7) / 8 * 8;
    e->code = &ent_effect_code_reference;
    for (size_t i = 0; e->code != NULL; e->code = ent_effect_code_of(i++)) {
      ent_effects_values(e, x, rows, e->model->schema.inputs, room->values);
      for (size_t shared = 0; shared < 1 + (e->bases != NULL); shared++) {
        memset(room->sums, 0, size * sizeof *room->sums);
        ASSERT_OK(NULL, (shared ? ent_effect_bases_add : ent_effects_add)(NULL, e, room));
        if (i == 0)
          memcpy(sums + shared * size, room->sums, size * sizeof *sums);
        assert_memory_equal(sums + shared * size, room->sums, size * sizeof *sums);
      }
      if (i == 0)
        memcpy(values, room->values, atoms * sizeof *values);
      assert_memory_equal(values, room->values, atoms * sizeof *values);
      tested++;
    }
  }
  assert_true(tested >= 10);
  room->width = ENT_EFFECT_ROWS;
  e->code = best;
  free(values);
  free(sums);
}

static void check_kernel(entropic_family family, entropic_basis basis, const char *categorical) {
  entropic_context *context = context_with(1);
  sheet s = sheet_start(150, INPUTS, TARGETS, PLAIN, 3);
  ent_fit_options options = fixed_options(1e-4, 120);
  ent_effects *e = NULL;
  ent_effect_room room = {0};
  size_t orders[INPUTS + 1] = {0};
  for (size_t r = 0; r < s.rows; r++)
    sheet_row(&s, r)[1] = categorical != NULL ? floor(3 * sheet_row(&s, r)[1]) : sheet_row(&s, r)[1];
  s.categorical = categorical;
  options.axis.family = family;
  options.axis.basis = basis;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  assert_non_null(model->marginals);
  ASSERT_OK(context, ent_effects_create(context, model, model->marginals, &e));
  assert_int_equal(e->used, INPUTS);
  assert_non_null(e->bases);
  assert_int_equal(ent_products_has_base(model->main.design, 1), categorical == NULL);
  for (size_t g = 0; g < model->main.design->group_count; g++)
    orders[model->main.design->groups[g].term_count]++;
  assert_true(orders[1] > 0 && orders[2] > 0 && (family == ENTROPIC_FAMILY_COSH || orders[3] > 0));
  ASSERT_OK(context, ent_effect_room_create(context, e, &room));
  double *scaled = calloc(ENT_EFFECT_ROWS * INPUTS, sizeof *scaled);
  double *plain = calloc(TARGETS * INPUTS * ENT_EFFECT_ROWS, sizeof *plain);
  for (size_t r = 0; r < ENT_EFFECT_ROWS; r++)
    ent_scaler_fill(model->main.scaler, sheet_row(&s, r), 1, INPUTS, scaled + r * INPUTS);
  scaled[0] = 0; /* where some base atoms vanish */
  scaled[INPUTS + 2] = 1;
  check_codes(e, scaled, &room);
  memset(room.sums, 0, TARGETS * INPUTS * ENT_EFFECT_ROWS * sizeof *room.sums);
  ent_effects_values(e, scaled, ENT_EFFECT_ROWS - 3, INPUTS, room.values);
  assert_int_equal(ent_effects_add(NULL, e, &room), ENTROPIC_OK);
  memcpy(plain, room.sums, TARGETS * INPUTS * ENT_EFFECT_ROWS * sizeof *plain);
  memset(room.sums, 0, TARGETS * INPUTS * ENT_EFFECT_ROWS * sizeof *room.sums);
  assert_true(ent_effect_bases_suit(e, &room));
  assert_int_equal(ent_effect_bases_add(NULL, e, &room), ENTROPIC_OK);
  check_sums(e, room.values, room.sums, plain);
  /* A value beyond zero, seen from the mean of the first input's base atom, is not divided by. */
  size_t base = ent_marginal_find(&model->marginals->input[0], model->main.design->base[0], 0);
  room.values[base * ENT_EFFECT_ROWS + 7] = -2 * model->marginals->input[0].means[base];
  assert_false(ent_effect_bases_suit(e, &room));
  room.values[base * ENT_EFFECT_ROWS + 7] = NAN;
  assert_false(ent_effect_bases_suit(e, &room));
  free(plain);
  free(scaled);
  ent_effect_room_clear(&room);
  ent_effects_free(e);
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

static void shared_bases(void **state) {
  (void)state;
  check_kernel(ENTROPIC_FAMILY_LAPLACE, ENTROPIC_BASIS_FULL, NULL);
  check_kernel(ENTROPIC_FAMILY_COSH, ENTROPIC_BASIS_FULL, NULL);
  check_kernel(ENTROPIC_FAMILY_BROWNIAN, ENTROPIC_BASIS_FULL, NULL);
  check_kernel(ENTROPIC_FAMILY_LAPLACE, ENTROPIC_BASIS_INTERIOR, NULL);
}

/* Inputs whose base is constant go together with those that have others. */
static void some_bases(void **state) {
  (void)state;
  check_kernel(ENTROPIC_FAMILY_LAPLACE, ENTROPIC_BASIS_FULL, "x2");
}

/* Features of one and two inputs have loops of their own, with the bits of the rule for any number. */
static void check_pairs(const ent_effects *e, const ent_effect_room *room) {
  double *sums = calloc(e->used * ENT_EFFECT_ROWS, sizeof *sums);
  size_t orders[4] = {0}, first;
  for (size_t f = 0; f < e->model->main.features; f++) {
    size_t count = e->starts[f + 1] - e->starts[f], nodes = ent_effect_rule(e, count, &first);
    const ent_effect_factor *factors = e->factors + e->starts[f];
    assert_true(count <= 3);
    orders[count]++;
    for (size_t i = 0; i < count; i++)
      for (size_t r = 0; r < ENT_EFFECT_ROWS; r++) {
        double part = 0;
        for (size_t q = first; q < first + nodes; q++) {
          double before = e->node_weights[q], behind = 1;
          for (size_t j = count; j-- > 0;) {
            const double *v = room->values + (e->places[factors[j].input] + factors[j].atom) * ENT_EFFECT_ROWS;
            behind *= j > i ? ent_effect_factor_mean(e, factors[j]) + e->nodes[q] * v[r] : 1;
          }
          for (size_t j = 0; j < i; j++) {
            const double *v = room->values + (e->places[factors[j].input] + factors[j].atom) * ENT_EFFECT_ROWS;
            before *= ent_effect_factor_mean(e, factors[j]) + e->nodes[q] * v[r];
          }
          part += before * room->values[(e->places[factors[i].input] + factors[i].atom) * ENT_EFFECT_ROWS + r] * behind;
        }
        sums[factors[i].input * ENT_EFFECT_ROWS + r] += e->model->main.weights[f] * part;
      }
  }
  assert_true(orders[1] > 0 && orders[2] > 0);
  assert_memory_equal(sums, room->sums, e->used * ENT_EFFECT_ROWS * sizeof *sums);
  free(sums);
}

/* Kernels with a constant have no need of it. */
static void constant_bases(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  sheet s = sheet_start(60, 3, 1, PLAIN, 3);
  ent_fit_options options = fixed_options(1e-4, 40);
  ent_effects *e = NULL;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  ASSERT_OK(context, ent_effects_create(context, model, model->marginals, &e));
  assert_null(e->bases);
  ent_effect_room room = {0};
  double *scaled = calloc(ENT_EFFECT_ROWS * 3, sizeof *scaled);
  for (size_t r = 0; r < ENT_EFFECT_ROWS; r++)
    ent_scaler_fill(model->main.scaler, sheet_row(&s, r), 1, 3, scaled + r * 3);
  ASSERT_OK(context, ent_effect_room_create(context, e, &room));
  check_codes(e, scaled, &room);
  check_pairs(e, &room);
  ent_effect_room_clear(&room);
  free(scaled);
  ent_effects_free(e);
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

/* Of one feature, the Shapley value of its factor number `which`: the coefficients of the product of all other factors as
 * m + x s, by their power of s, weighted by how many orders have so many of them first. */
static double shapley_of_factor(const ent_effects *e, const double *values, size_t feature, size_t which, size_t row) {
  size_t count = e->starts[feature + 1] - e->starts[feature], degree = 0;
  long double *coefficients = calloc(count, sizeof *coefficients), sum = 0, orders = 1 / (long double)count;
  double own = 0;
  coefficients[0] = 1;
  for (size_t i = 0; i < count; i++) {
    ent_effect_factor factor = e->factors[e->starts[feature] + i];
    double mean = ent_effect_factor_mean(e, factor);
    double off = values[(e->places[factor.input] + factor.atom) * ENT_EFFECT_ROWS + row];
    if (i == which) {
      own = off;
      continue;
    }
    coefficients[degree + 1] = 0;
    for (size_t k = ++degree; k > 0; k--)
      coefficients[k] = coefficients[k] * mean + coefficients[k - 1] * ((long double)mean + off);
    coefficients[0] *= mean;
  }
  for (size_t k = 0; k < count; k++) {
    sum += coefficients[k] * orders;
    orders *= (long double)(k + 1) / (long double)(count - 1 - k);
  }
  free(coefficients);
  return (double)(sum * own);
}

/* Features of many factors take far fewer nodes than half of them, and keep their digits. */
static void check_long(size_t inputs, double omega) {
  entropic_context *context = context_with(1);
  sheet s = sheet_start(60, inputs, 1, PLAIN, 5);
  ent_fit_options options = fixed_options(1e-2, 6);
  ent_effects *e = NULL;
  ent_effect_room room = {0};
  options.axis.family = ENTROPIC_FAMILY_LAPLACE;
  options.omegas = &omega;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  ASSERT_OK(context, ent_effects_create(context, model, model->marginals, &e));
  assert_int_equal(e->most, inputs);
  for (size_t f = 0; f < model->main.features; f++) /* the features are so small that those of the fit may be 0 */
    model->main.weights[f] = f % 2 == 0 ? 1 : -0.5;
  assert_in_range(e->long_nodes, 65, (size_t)(6 * sqrt((double)inputs)));
  ASSERT_OK(context, ent_effect_room_create(context, e, &room));
  double *scaled = calloc(ENT_EFFECT_ROWS * inputs, sizeof *scaled), sum = 0;
  double *plain = calloc(inputs * ENT_EFFECT_ROWS, sizeof *plain);
  for (size_t r = 0; r < ENT_EFFECT_ROWS; r++)
    ent_scaler_fill(model->main.scaler, sheet_row(&s, r), 1, inputs, scaled + r * inputs);
  ent_effects_values(e, scaled, ENT_EFFECT_ROWS, inputs, room.values);
  ASSERT_OK(context, ent_effect_bases_add(NULL, e, &room));
  memcpy(plain, room.sums, inputs * ENT_EFFECT_ROWS * sizeof *plain);
  memset(room.sums, 0, inputs * ENT_EFFECT_ROWS * sizeof *room.sums);
  ASSERT_OK(context, ent_effects_add(NULL, e, &room));
  for (size_t q = 0; q < e->long_nodes; q++)
    sum += e->node_weights[e->rule_numbers - e->long_nodes + q];
  assert_true(fabs(sum - 1) <= 1e-14);
  for (size_t r = 0; r < 3; r++) {
    double most = 0;
    for (size_t i = 0; i < inputs; i++)
      most = fmax(most, fabs(plain[i * ENT_EFFECT_ROWS + r]));
    assert_true(most > 0);
    for (size_t i = 0; i < inputs; i++)
      assert_true(fabs(plain[i * ENT_EFFECT_ROWS + r] - room.sums[i * ENT_EFFECT_ROWS + r]) <= 1e-12 * most);
    for (size_t i = 0; i < inputs; i += inputs / 3) {
      double exact = 0;
      for (size_t f = 0; f < model->main.features; f++)
        exact += model->main.weights[f] * shapley_of_factor(e, room.values, f, i, r);
      assert_true(fabs(plain[i * ENT_EFFECT_ROWS + r] - exact) <= 1e-12 * most);
    }
  }
  free(plain);
  free(scaled);
  ent_effect_room_clear(&room);
  ent_effects_free(e);
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

static void long_features(void **state) {
  (void)state;
  check_long(129, 2);
  check_long(400, 1);
  check_long(1500, 0.5);
}

/* Where most factors may change their sign, that takes half as many nodes as factors: beyond a limit it is refused, for
 * rows alone. */
static void too_long_features(void **state) {
  (void)state;
  enum { MANY = 4600 };
  entropic_context *context = context_with(1);
  sheet s = sheet_start(20, MANY, 1, PLAIN, 5);
  ent_fit_options options = fixed_options(1e-2, 2);
  ent_effects *e = NULL;
  static double effects[MANY + 1];
  options.axis.family = ENTROPIC_FAMILY_LAPLACE;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  double *scaled = calloc(MANY, sizeof *scaled);
  ent_scaler_fill(model->main.scaler, sheet_row(&s, 0), 1, MANY, scaled);
  for (size_t i = 0; i < MANY; i++)
    for (size_t u = 0; u < model->marginals->input[i].count; u++)
      model->marginals->input[i].means[u] *= -1;
  ASSERT_OK(context, ent_effects_create(context, model, model->marginals, &e));
  assert_int_equal(ent_effects_rows(context, e, scaled, 1, MANY, effects), ENTROPIC_TOO_LARGE);
  assert_message(context, "feature 1 has 4600 inputs");
  assert_message(context, "at most 1e+07 are computed");
  free(scaled);
  ent_effects_free(e);
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

SUITE(explain_effects) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shared_bases), cmocka_unit_test(some_bases),
                                     cmocka_unit_test(constant_bases), cmocka_unit_test(long_features),
                                     cmocka_unit_test(too_long_features)};
  return cmocka_run_group_tests_name("explain_effects", tests, NULL, NULL);
}
