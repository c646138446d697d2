/* Passes over rows, lifted each time or kept in whatever form: the products are those of plain loops, with the same bits
 * on every pass, for any number of threads and on any processor. */
#include "unit/learning.h"

#include "sums/pass.h"

#define MOST_SCORES 17 /* more than are multiplied at a time */

typedef struct sums {
  size_t features, scores, block;
  const double *v;                     /* [score * features + feature] */
  double *out;                         /* [row * scores + score]: Z v */
  double *back;                        /* [lane][score * features + feature]: Z'u, with u as below */
  double *room;                        /* for each lane: a block of rows x scores */
  size_t rows[ENT_LANES], dense, rare; /* rows of a lane; columns of all blocks, and rare values */
  size_t mixed;                        /* blocks with both */
} sums;

static double u_of(size_t row, size_t score) {
  return 1 + (double)row / 7 - (double)(score * score);
}

/* The same product with every code that the processor has. */
static void try_codes(const ent_lifted *lifted, const sums *s, const double *out) {
  const ent_dense_code *codes[ENT_DENSE_MOST_CODES];
  size_t count = ent_dense_codes(codes), size = lifted->block.rows * s->scores;
  double *other = calloc(size, sizeof *other);
  for (size_t i = 0; i < count; i++) {
    ent_dense dense = {.code = codes[i], .room = lifted->dense->room};
    ent_lifted with = *lifted;
    with.dense = &dense;
    ent_lifted_multiply(&with, s->v, s->features, s->scores, other);
    assert_memory_equal(other, out, size * sizeof *out);
  }
  free(other);
}

static entropic_status add_up(entropic_context *context, void *shared, size_t lane, const ent_lifted *lifted) {
  (void)context;
  sums *s = shared;
  size_t rows = lifted->block.rows, first = lifted->block.first;
  double *u = s->room + lane * s->block * s->scores;
  assert_true(rows <= s->block);
  ent_lifted_multiply(lifted, s->v, s->features, s->scores, u);
  if (lane == 0)
    try_codes(lifted, s, u);
  for (size_t r = 0; r < rows; r++)
    for (size_t k = 0; k < s->scores; k++) {
      s->out[(first + r) * s->scores + k] = u[k * rows + r];
      u[k * rows + r] = u_of(first + r, k);
    }
  ent_lifted_multiply_trans(lifted, u, s->scores, s->back + lane * s->scores * s->features, s->features);
  s->rows[lane] += rows;
  size_t rare = lifted->starts == NULL ? 0 : lifted->starts[rows];
  __atomic_add_fetch(&s->dense, lifted->dense_count, __ATOMIC_RELAXED);
  __atomic_add_fetch(&s->rare, rare, __ATOMIC_RELAXED);
  __atomic_add_fetch(&s->mixed, lifted->dense_count > 0 && rare > 0, __ATOMIC_RELAXED);
  return ENTROPIC_OK;
}

/* What is passed over, and how. */
typedef struct setting {
  const ent_map *map;
  const ent_rows *source;
  size_t rows, scores;
  const double *v;
  const ent_pass_form *form; /* NULL: rows are not kept */
} setting;

/* The products of `passes` passes, one after the other: each Z v, then Z'u. */
static double *run(const setting *at, int threads, size_t passes, sums *s) {
  entropic_context *context = context_with(threads);
  ent_pass *pass = NULL;
  ASSERT_OK(context, ent_pass_create(context, at->map, &pass));
  if (at->form != NULL)
    ASSERT_OK(context, ent_pass_keep_as(context, pass, at->rows, *at->form));
  size_t features = at->map->features, forth = at->rows * at->scores, length = features * at->scores;
  double *all = calloc(passes * (forth + length), sizeof *all);
  for (size_t i = 0; i < passes; i++) {
    *s = (sums){.features = features, .scores = at->scores, .block = ent_pass_block(pass), .v = at->v};
    s->out = all + i * (forth + length);
    s->room = calloc(ENT_LANES * s->block * at->scores, sizeof *s->room);
    s->back = calloc(ENT_LANES * length, sizeof *s->back);
    ASSERT_OK(context, ent_pass_run(context, pass, at->source, add_up, s));
    ent_pass_sum(s->back, length);
    memcpy(s->out + forth, s->back, length * sizeof *all);
    free(s->back);
    free(s->room);
    size_t rows = 0;
    for (size_t lane = 0; lane < ENT_LANES; lane++)
      rows += s->rows[lane];
    assert_int_equal(rows, at->rows);
  }
  ent_pass_free(pass);
  entropic_context_free(context);
  return all;
}

/* Three passes on each of some numbers of threads: the same bits, near to the products of plain loops. */
static void check_form(const setting *at, const double *expected, const double *sizes, sums *s) {
  size_t count = (at->rows + at->map->features) * at->scores;
  double *first = run(at, 1, 1, s);
  for (size_t i = 0; i < count; i++)
    assert_close(first[i], expected[i], 1e-13 * sizes[i]);
  for (int threads = 1; threads <= 4; threads++) {
    double *all = run(at, threads, 3, s);
    for (size_t pass = 0; pass < 3; pass++)
      assert_memory_equal(all + pass * count, first, count * sizeof *first);
    free(all);
  }
  free(first);
}

static double *random_weights(size_t count) {
  double *v = calloc(count, sizeof *v);
  entropic_random random = entropic_random_start(5, count);
  for (size_t i = 0; i < count; i++)
    v[i] = entropic_random_normal(&random);
  return v;
}

/* Z v and Z'u of all rows, and the sums of the sizes of their terms. */
static void multiply_plainly(const problem *p, const setting *at, double *expected, double *sizes) {
  size_t forth = p->rows * at->scores;
  for (size_t k = 0; k < at->scores; k++)
    for (size_t r = 0; r < p->rows; r++)
      for (size_t j = 0; j < p->features; j++) {
        double z = p->z[r * p->features + j], term = z * at->v[k * p->features + j], back = z * u_of(r, k);
        expected[r * at->scores + k] += term;
        sizes[r * at->scores + k] += fabs(term);
        expected[forth + k * p->features + j] += back;
        sizes[forth + k * p->features + j] += fabs(back);
      }
}

static const ent_pass_form forms[] = {
    {64, 0},     /* all columns dense */
    {64, 2},     /* all columns in compressed rows */
    {64, 0.375}, /* as usual */
    {100, 0.1},  {512, 0.5}, {1, 0.5},
};

static void forms_agree(void **state) {
  (void)state;
  static const size_t features[] = {20, 900}; /* lifted densely; as compressed rows */
  static const size_t scores[] = {1, 3, MOST_SCORES};
  for (size_t i = 0; i < COUNT(features); i++)
    for (size_t k = 0; k < COUNT(scores); k++) {
      problem p = problem_start(i == 0 ? 1234 : 300, 1, features[i], 0, 1, ALL_ONE);
      setting at = {.map = &p.map, .source = rows_of(&p), .rows = p.rows, .scores = scores[k]};
      size_t count = (p.rows + p.features) * at.scores;
      double *v = random_weights(p.features * at.scores);
      double *expected = calloc(count, sizeof *expected), *sizes = calloc(count, sizeof *sizes);
      at.v = v;
      multiply_plainly(&p, &at, expected, sizes);
      sums s;
      check_form(&at, expected, sizes, &s);
      assert_int_equal(s.mixed, 0);
      for (size_t f = 0; f < COUNT(forms); f++) {
        at.form = &forms[f];
        check_form(&at, expected, sizes, &s);
        assert_true(forms[f].rare > 0 || s.rare == 0);
        assert_true(forms[f].rare < 1 || s.dense == 0);
        assert_true(forms[f].rare != 0.375 || s.mixed > 0);
      }
      free(sizes);
      free(expected);
      free(v);
      problem_stop(&p);
    }
}

/* More features than 16 bits can number. Every row has the last feature, most have 65,536, some have others. */
#define WIDE_FEATURES ((size_t)70001)
#define WIDE_NONZEROS 3

static size_t wide_row(double x, int32_t *columns, double *values) {
  size_t row = (size_t)x, count = 0;
  if (row % 3 == 0)
    columns[count++] = (int32_t)(row % 1000 + 65000);
  if (row % 4 != 0)
    columns[count++] = 66000;
  columns[count++] = (int32_t)WIDE_FEATURES - 1;
  for (size_t i = 0; i < count; i++)
    values[i] = 1 + x / 3 - (double)i;
  return count;
}

static entropic_status wide_scratch(entropic_context *context, const void *self, void **scratch) {
  (void)context;
  (void)self;
  *scratch = malloc(1);
  return *scratch == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

static entropic_status wide_sparse(entropic_context *context, const void *self, void *scratch, const double *x,
                                   size_t rows, size_t stride, size_t *starts, int32_t *columns, double *values) {
  (void)context;
  (void)self;
  (void)scratch;
  starts[0] = 0;
  for (size_t r = 0; r < rows; r++)
    starts[r + 1] = starts[r] + wide_row(x[r * stride], columns + starts[r], values + starts[r]);
  return ENTROPIC_OK;
}

static void many_features(void **state) {
  (void)state;
  static const ent_map_calls calls = {.scratch_create = wide_scratch, .scratch_free = free, .sparse = wide_sparse};
  ent_map map = {.calls = &calls, .inputs = 1, .features = WIDE_FEATURES, .nonzeros = WIDE_NONZEROS};
  double x[150];
  for (size_t r = 0; r < COUNT(x); r++)
    x[r] = (double)r;
  ent_memory_rows memory = {.all = {.rows = COUNT(x), .x = x, .x_stride = 1}, .inputs = 1};
  ent_rows source = ent_rows_of_memory(&memory);
  setting at = {.map = &map, .source = &source, .rows = COUNT(x), .scores = 2};
  size_t length = WIDE_FEATURES * at.scores, count = COUNT(x) * at.scores + length;
  double *v = random_weights(length), *expected = calloc(count, sizeof *expected),
         *sizes = calloc(count, sizeof *sizes);
  at.v = v;
  for (size_t r = 0; r < COUNT(x); r++) {
    int32_t columns[WIDE_NONZEROS];
    double values[WIDE_NONZEROS];
    size_t nonzeros = wide_row(x[r], columns, values);
    for (size_t i = 0; i < nonzeros * at.scores; i++) {
      size_t k = i / nonzeros, j = k * WIDE_FEATURES + (size_t)columns[i % nonzeros], back = COUNT(x) * at.scores + j;
      expected[r * at.scores + k] += values[i % nonzeros] * v[j];
      expected[back] += values[i % nonzeros] * u_of(r, k);
      sizes[r * at.scores + k] += fabs(values[i % nonzeros] * v[j]);
      sizes[back] += fabs(values[i % nonzeros] * u_of(r, k));
    }
  }
  ent_pass_form usual = ent_pass_form_default();
  sums s;
  check_form(&at, expected, sizes, &s);
  at.form = &usual;
  check_form(&at, expected, sizes, &s);
  assert_int_equal(s.mixed, 3);
  assert_int_equal(s.dense, 6); /* 66,000 and the last, in each block */
  free(sizes);
  free(expected);
  free(v);
}

/* Once all blocks are kept, inputs are not read again. */
static void kept_rows_need_no_inputs(void **state) {
  (void)state;
  problem p = problem_start(500, 2, 30, 0, 1, ALL_ONE);
  double *v = random_weights(p.features);
  ent_pass_form usual = ent_pass_form_default();
  setting at = {.map = &p.map, .source = rows_of(&p), .rows = p.rows, .scores = 1, .v = v, .form = &usual};
  sums s = {.features = p.features, .scores = 1, .v = v};
  double *once = run(&at, 1, 1, &s), *out = calloc(p.rows, sizeof *out);
  entropic_context *context = context_with(2);
  ent_pass *pass = NULL;
  ASSERT_OK(context, ent_pass_create(context, &p.map, &pass));
  ASSERT_OK(context, ent_pass_keep(context, pass, p.rows));
  s = (sums){.features = p.features, .scores = 1, .v = v, .out = out, .block = ent_pass_block(pass)};
  s.room = calloc(ENT_LANES * s.block, sizeof *s.room);
  s.back = calloc(ENT_LANES * p.features, sizeof *s.back);
  ASSERT_OK(context, ent_pass_run(context, pass, at.source, add_up, &s));
  for (size_t i = 0; i < p.rows * p.inputs; i++)
    p.x[i] = NAN;
  memset(out, 0, p.rows * sizeof *out);
  ASSERT_OK(context, ent_pass_run(context, pass, at.source, add_up, &s));
  assert_memory_equal(out, once, p.rows * sizeof *out);
  free(s.back);
  free(s.room);
  ent_pass_free(pass);
  entropic_context_free(context);
  free(out);
  free(once);
  free(v);
  problem_stop(&p);
}

SUITE(solve_pass) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms_agree), cmocka_unit_test(many_features),
                                     cmocka_unit_test(kept_rows_need_no_inputs)};
  return cmocka_run_group_tests_name("solve_pass", tests, NULL, NULL);
}
