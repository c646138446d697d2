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
  for (size_t f = 0; f < model->features; f++)
    sum += model->weights[score * model->features + f] * feature_of_set(e, values, f, set, row);
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
  assert_int_equal(ent_products_has_base(model->design, 1), categorical == NULL);
  for (size_t g = 0; g < model->design->group_count; g++)
    orders[model->design->groups[g].term_count]++;
  assert_true(orders[1] > 0 && orders[2] > 0 && (family == ENTROPIC_FAMILY_COSH || orders[3] > 0));
  ASSERT_OK(context, ent_effect_room_create(context, e, &room));
  double *scaled = calloc(ENT_EFFECT_ROWS * INPUTS, sizeof *scaled);
  double *plain = calloc(TARGETS * INPUTS * ENT_EFFECT_ROWS, sizeof *plain);
  for (size_t r = 0; r < ENT_EFFECT_ROWS; r++)
    ent_scaler_fill(model->scaler, sheet_row(&s, r), 1, INPUTS, scaled + r * INPUTS);
  scaled[0] = 0; /* where some base atoms vanish */
  scaled[INPUTS + 2] = 1;
  ent_effects_values(e, scaled, ENT_EFFECT_ROWS - 3, INPUTS, room.values);
  ent_effects_add(e, &room);
  memcpy(plain, room.sums, TARGETS * INPUTS * ENT_EFFECT_ROWS * sizeof *plain);
  memset(room.sums, 0, TARGETS * INPUTS * ENT_EFFECT_ROWS * sizeof *room.sums);
  assert_true(ent_effect_bases_suit(e, &room));
  ent_effect_bases_add(e, &room);
  check_sums(e, room.values, room.sums, plain);
  /* A value beyond zero, seen from the mean of the first input's base atom, is not divided by. */
  size_t base = ent_marginal_find(&model->marginals->input[0], model->design->base[0], 0);
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
  ent_effects_free(e);
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shared_bases), cmocka_unit_test(some_bases),
                                     cmocka_unit_test(constant_bases)};
  return cmocka_run_group_tests_name("explain_effects", tests, NULL, NULL);
}
