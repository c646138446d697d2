/* The blocks of the softmax Hessian against plain loops, dense and compressed rows; the Hessian times a direction. */
#include "unit/learning.h"

#include "solve/hessian.h"

enum { CLASSES = 5, ROWS = 700 };

static ent_labels *labels_of(problem *p, entropic_context *context) {
  ent_labels *labels = NULL;
  ASSERT_OK(context, ent_labels_create(context, rows_of(p), CLASSES, &labels));
  entropic_random random = entropic_random_start(3, p->features);
  for (size_t r = 0; r < p->rows; r++) {
    double sum = 0, *chances = labels->probability + r * CLASSES;
    for (size_t k = 0; k < CLASSES; k++)
      sum += chances[k] = pow(entropic_random_uniform(&random), 4);
    for (size_t k = 0; k < CLASSES; k++)
      chances[k] /= sum;
  }
  return labels;
}

/* Column j of a row's features, the one behind. */
static double entry(const problem *p, size_t row, size_t j) {
  return j < p->features ? p->z[row * p->features + j] : 1;
}

/* in = (block of the score) out, by plain loops. */
static double plain_product(const problem *p, const ent_labels *labels, size_t score, double ridge, size_t i,
                            const double *out) {
  long double sum = i < p->features ? ridge * out[i] : 0;
  for (size_t r = 0; r < p->rows; r++) {
    long double chance = labels->probability[r * CLASSES + score], dot = 0;
    for (size_t j = 0; j <= p->features; j++)
      dot += entry(p, r, j) * out[j];
    sum += labels->weights[r] * fmaxl(chance * (1 - chance), 1e-8L) * entry(p, r, i) * dot / labels->weight;
  }
  return (double)sum;
}

static void check_blocks(problem *p, double ridge) {
  entropic_context *context = context_with(2), *other = context_with(5);
  ent_labels *labels = labels_of(p, context);
  size_t all = CLASSES * (p->features + 1);
  double *in = calloc(all, sizeof *in), *out = calloc(all, sizeof *out), *again = calloc(all, sizeof *again);
  for (size_t i = 0; i < all; i++)
    in[i] = sin(1 + (double)i);
  entropic_context *contexts[] = {context, other};
  double *results[] = {out, again};
  for (size_t c = 0; c < COUNT(contexts); c++) {
    ent_pass *pass = NULL;
    ent_hessian *hessian = NULL;
    ASSERT_OK(contexts[c], ent_pass_create(contexts[c], &p->map, &pass));
    assert_int_equal(ent_pass_features(pass), p->features);
    ASSERT_OK(contexts[c], ent_hessian_create(contexts[c], pass, rows_of(p), labels, ridge, &hessian));
    ASSERT_OK(contexts[c], ent_hessian_apply(contexts[c], hessian, in, results[c]));
    ent_hessian_free(hessian);
    ent_pass_free(pass);
  }
  assert_memory_equal(out, again, all * sizeof *out); /* any number of threads */
  for (size_t k = 0; k < CLASSES; k++)
    for (size_t i = 0; i <= p->features; i++) {
      size_t at = k * (p->features + 1);
      assert_close(plain_product(p, labels, k, ridge, i, out + at), in[at + i], 1e-8);
    }
  ent_labels_free(labels);
  free(in);
  free(out);
  free(again);
  entropic_context_free(context);
  entropic_context_free(other);
}

static problem with_classes(size_t inputs, size_t features, size_t nonzeros, problem_kind kind) {
  problem p = problem_start(ROWS, inputs, features, nonzeros, 1, kind);
  for (size_t r = 0; r < p.rows; r++)
    p.y[r] = (double)(r % CLASSES);
  return p;
}

static void blocks_are_those_of_the_hessian(void **state) {
  (void)state;
  problem dense = with_classes(3, 20, 0, WEIGHTED), sparse = with_classes(1, 0, 9, ALL_ONE);
  assert_true(sparse.map.nonzeros < sparse.features / 8); /* lifted compressed */
  check_blocks(&dense, 1e-3);
  check_blocks(&sparse, 1e-2);
  problem_stop(&dense);
  problem_stop(&sparse);
}

static void many_are_not_worth_it(void **state) {
  (void)state;
  assert_true(ent_hessian_pays(30, 200));
  assert_false(ent_hessian_pays(30, 1));
  assert_false(ent_hessian_pays(65, 3));
  assert_false(ent_hessian_pays(30, 1000));
}

/* w p (u - mean), the mean by p, with any number of rows in a block. */
static void curvature_along_a_direction(void **state) {
  (void)state;
  problem p = with_classes(3, 10, 0, WEIGHTED);
  entropic_context *context = context_with(1);
  ent_labels *labels = labels_of(&p, context);
  for (size_t rows = 1; rows <= 19; rows += 3) {
    double change[CLASSES * 19], before[CLASSES * 19];
    const size_t first = 5;
    for (size_t i = 0; i < CLASSES * rows; i++)
      change[i] = before[i] = cos((double)i);
    ent_labels_hessian(labels, first, rows, change);
    for (size_t r = 0; r < rows; r++) {
      const double *chances = labels->probability + (first + r) * CLASSES;
      double mean = 0;
      for (size_t k = 0; k < CLASSES; k++)
        mean += chances[k] * before[k * rows + r];
      for (size_t k = 0; k < CLASSES; k++)
        assert_true(change[k * rows + r] ==
                    labels->weights[first + r] * chances[k] * (before[k * rows + r] - mean)); /* to the last bit */
    }
  }
  ent_labels_free(labels);
  entropic_context_free(context);
  problem_stop(&p);
}

SUITE(solve_hessian) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_those_of_the_hessian),
      cmocka_unit_test(many_are_not_worth_it),
      cmocka_unit_test(curvature_along_a_direction),
  };
  return cmocka_run_group_tests_name("learn_curvature", tests, NULL, NULL);
}
