/* Passes over rows whose lifted blocks are kept: the same bits as without, on every pass. */
#include "unit/learning.h"

#include "solve/pass.h"

typedef struct sums {
  size_t features;
  double *back; /* [lane * features + feature]: of u, which is 1 + row / 7 */
  double *room; /* [lane * block rows] */
  size_t block;
  size_t rows[ENT_LANES];
} sums;

static entropic_status add_up(entropic_context *context, void *shared, size_t lane, const ent_lifted *lifted) {
  (void)context;
  sums *s = shared;
  double *u = s->room + lane * s->block;
  for (size_t r = 0; r < lifted->block.rows; r++)
    u[r] = 1 + (double)(lifted->block.first + r) / 7;
  ent_lifted_multiply_trans(lifted, u, 1, s->back + lane * s->features, s->features);
  s->rows[lane] += lifted->block.rows;
  return ENTROPIC_OK;
}

/* The sums of `passes` passes, one after the other: [pass * features + feature]. */
static double *run(problem *p, int threads, bool keep, size_t passes) {
  entropic_context *context = context_with(threads);
  ent_pass *pass = NULL;
  ASSERT_OK(context, ent_pass_create(context, &p->map, &pass));
  if (keep)
    ASSERT_OK(context, ent_pass_keep(context, pass, p->rows));
  sums s = {.features = p->features, .block = ent_pass_block(pass)};
  double *all = calloc(passes * p->features, sizeof *all);
  s.room = calloc(ENT_LANES * s.block, sizeof *s.room);
  for (size_t i = 0; i < passes; i++) {
    s.back = calloc(ENT_LANES * p->features, sizeof *s.back);
    memset(s.rows, 0, sizeof s.rows);
    ASSERT_OK(context, ent_pass_run(context, pass, rows_of(p), add_up, &s));
    ent_pass_sum(s.back, p->features);
    memcpy(all + i * p->features, s.back, p->features * sizeof *all);
    free(s.back);
    size_t rows = 0;
    for (size_t lane = 0; lane < ENT_LANES; lane++)
      rows += s.rows[lane];
    assert_int_equal(rows, p->rows);
  }
  free(s.room);
  ent_pass_free(pass);
  entropic_context_free(context);
  return all;
}

static void kept_rows_have_the_same_bits(void **state) {
  (void)state;
  static const size_t features[] = {20, 900}; /* dense; compressed */
  for (size_t i = 0; i < COUNT(features); i++) {
    problem p = problem_start(1234, 1, features[i], 0, 1, ALL_ONE);
    double *once = run(&p, 1, false, 1);
    for (size_t j = 0; j < p.features; j++) {
      double sum = 0;
      for (size_t r = 0; r < p.rows; r++)
        sum += (1 + (double)r / 7) * p.z[r * p.features + j];
      assert_close(once[j], sum, 1e-9 * (1 + fabs(sum)));
    }
    for (int threads = 1; threads <= 3; threads += 2) {
      double *kept = run(&p, threads, true, 3);
      for (size_t pass = 0; pass < 3; pass++)
        assert_memory_equal(kept + pass * p.features, once, p.features * sizeof *once);
      free(kept);
    }
    free(once);
    problem_stop(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kept_rows_have_the_same_bits)};
  return cmocka_run_group_tests_name("learn_pass", tests, NULL, NULL);
}
