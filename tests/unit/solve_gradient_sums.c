/* Sums of the gradient over rows: against their definition, the same bytes for any order, and what is refused. */
#include "unit/gradient_rows.h"

#include "unit/fixed_rows.h"

/* A rounded product from its definition. */
static int64_t plain_product(double u, double z, int exponent) {
  double rounded = u * z;
  return (int64_t)rintl(ldexpl((long double)rounded, ENT_GRADIENT_BITS - exponent));
}

enum { MOST_COLUMNS = 11, MOST_SCORES = 9, LD = 131 };

typedef struct random_block {
  double z[MOST_COLUMNS * LD], u[MOST_SCORES * LD];
  ent_gradient_scale scales[MOST_COLUMNS];
  int exponents[MOST_COLUMNS]; /* of the products */
  int64_t sums[MOST_SCORES * MOST_COLUMNS], expected[MOST_SCORES * MOST_COLUMNS];
  ent_gradient_block block;
} random_block;

/* Values up to their scales; all of them at the scales if `full`. */
static void block_start(random_block *b, entropic_random *random, bool full) {
  b->block =
      (ent_gradient_block){.rows = full ? ENT_GRADIENT_ROWS : 1 + entropic_random_below(random, ENT_GRADIENT_ROWS),
                           .columns = 1 + entropic_random_below(random, MOST_COLUMNS),
                           .scores = 1 + entropic_random_below(random, MOST_SCORES),
                           .z = b->z,
                           .ld = LD,
                           .u = b->u,
                           .u_ld = LD,
                           .scales = b->scales,
                           .sums = b->sums,
                           .sums_ld = MOST_COLUMNS};
  int weight = (int)entropic_random_below(random, 20) - 10;
  for (size_t i = 0; i < COUNT(b->u); i++)
    b->u[i] = ldexp(full ? 1 : 2 * entropic_random_uniform(random) - 1, weight);
  for (size_t j = 0; j < MOST_COLUMNS; j++) {
    int exponent = (int)entropic_random_below(random, 40) - 20;
    b->exponents[j] = weight + exponent;
    b->scales[j] = (ent_gradient_scale){.magic = ldexp(1.5, 52 - ENT_GRADIENT_BITS + b->exponents[j]),
                                        .per = ldexp(1, ENT_GRADIENT_BITS - b->exponents[j]),
                                        .limit = ldexp(1 + 0x1p-47, exponent)};
    for (size_t r = 0; r < LD; r++) {
      double share = full ? (j % 2 ? 1 : -1) : 2 * entropic_random_uniform(random) - 1;
      /* Few bits make ties of products likely. */
      b->z[j * LD + r] = ldexp(r % 3 ? share : rint(share * 1024) / 1024, exponent);
    }
  }
  for (size_t i = 0; i < COUNT(b->sums); i++)
    b->sums[i] = b->expected[i] = (int64_t)entropic_random_below(random, 1000) - 500;
  for (size_t k = 0; k < b->block.scores; k++)
    for (size_t j = 0; j < b->block.columns; j++)
      for (size_t r = 0; r < b->block.rows; r++)
        b->expected[k * MOST_COLUMNS + j] += plain_product(b->u[k * LD + r], b->z[j * LD + r], b->exponents[j]);
}

static void products_are_rounded_as_defined(void **state) {
  (void)state;
  static random_block b, copy;
  const ent_gradient_code *codes[ENT_GRADIENT_MOST_CODES];
  size_t count = ent_gradient_codes(codes);
  entropic_random random = entropic_random_start(5, 0);
  for (int round = 0; round < 300; round++) {
    block_start(&b, &random, round % 10 == 0);
    for (size_t c = 0; c < count; c++) {
      copy = b;
      copy.block.z = copy.z;
      copy.block.u = copy.u;
      copy.block.scales = copy.scales;
      copy.block.sums = copy.sums;
      assert_true(codes[c]->add(&copy.block));
      assert_memory_equal(copy.sums, b.expected, sizeof b.sums);
      /* One value too large, or none. */
      size_t row = entropic_random_below(&random, b.block.rows),
             column = entropic_random_below(&random, b.block.columns);
      double limit = b.scales[column].limit, *z = &copy.z[column * LD + row];
      static const double wrong[] = {1 + 0x1p-52, -1 - 0x1p-52, 3, 1e300, -INFINITY, NAN};
      for (size_t i = 0; i < COUNT(wrong); i++) {
        *z = wrong[i] * limit;
        assert_false(codes[c]->add(&copy.block));
      }
      *z = limit;
      assert_true(codes[c]->add(&copy.block));
    }
  }
}

/* The loss, margin and gradient of one row, from the definition. */
static void plain_row(size_t classes, const double *scores, size_t label, long double *u, long double *loss) {
  long double most = -INFINITY, sum = 0, all[8] = {0};
  for (size_t k = 0; k < classes; k++) {
    all[k] = classes > 2 ? (long double)scores[k] : k == 1 ? (long double)scores[0] : 0;
    most = all[k] > most ? all[k] : most;
  }
  for (size_t k = 0; k < classes; k++)
    sum += expl(all[k] - most);
  for (size_t k = 0; k < classes; k++)
    u[k] = expl(all[k] - most) / sum - (k == label);
  u[0] = classes == 2 ? u[1] : u[0];
  *loss = logl(sum) + most - all[label];
}

enum { ROWS = 61 };

typedef struct random_rows {
  double labels[ROWS], weights[ROWS], scores[8 * ROWS], u[8 * ROWS], loss[ROWS], margin[ROWS], work[2 * ROWS];
} random_rows;

static ent_gradient_rows rows_start(random_rows *b, entropic_random *random, size_t classes) {
  static const double sizes[] = {1, 30, 800, 1e5, 1e-9};
  size_t scores = classes == 2 ? 1 : classes;
  for (size_t r = 0; r < ROWS; r++) {
    b->labels[r] = (double)entropic_random_below(random, classes);
    b->weights[r] = r % 7 == 3 ? 0 : entropic_random_uniform(random);
    for (size_t k = 0; k < scores; k++)
      b->u[k * ROWS + r] = b->scores[k * ROWS + r] = sizes[r % COUNT(sizes)] * entropic_random_normal(random);
  }
  return (ent_gradient_rows){.rows = ROWS,
                             .classes = classes,
                             .labels = b->labels,
                             .weights = b->weights,
                             .u = b->u,
                             .loss = b->loss,
                             .margin = b->margin,
                             .most = b->work,
                             .sum = b->work + ROWS};
}

static void losses_are_those_of_the_definition(void **state) {
  (void)state;
  static random_rows b, first;
  const ent_gradient_code *codes[ENT_GRADIENT_MOST_CODES];
  size_t count = ent_gradient_codes(codes);
  for (size_t classes = 2; classes <= 6; classes++)
    for (size_t c = 0; c < count; c++) {
      entropic_random random = entropic_random_start(6, classes);
      ent_gradient_rows rows = rows_start(&b, &random, classes);
      codes[c]->rows(&rows);
      if (c == 0)
        first = b;
      assert_memory_equal(b.u, first.u, sizeof b.u);
      assert_memory_equal(b.loss, first.loss, sizeof b.loss);
      assert_memory_equal(b.margin, first.margin, sizeof b.margin);
      size_t scores = classes == 2 ? 1 : classes;
      for (size_t r = 0; r < ROWS; r++) {
        double of_row[8], other = -INFINITY;
        size_t label = (size_t)b.labels[r];
        long double u[8], loss;
        for (size_t k = 0; k < scores; k++) {
          of_row[k] = b.scores[k * ROWS + r];
          other = k == label ? other : fmax(other, of_row[k]);
        }
        plain_row(classes, of_row, label, u, &loss);
        for (size_t k = 0; k < scores; k++)
          assert_close(b.u[k * ROWS + r], b.weights[r] * (double)u[k], 1e-15);
        assert_close(b.loss[r], (double)loss, 1e-15 * (1 + (double)loss));
        assert_true(b.margin[r] == (classes > 2 ? of_row[label] - other : label == 1 ? of_row[0] : -of_row[0]));
      }
    }
}

static void rows_that_cannot_be_computed(void **state) {
  (void)state;
  static random_rows b;
  const ent_gradient_code *codes[ENT_GRADIENT_MOST_CODES];
  size_t count = ent_gradient_codes(codes);
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (size_t classes = 2; classes <= 4; classes++)
    for (size_t c = 0; c < count; c++)
      for (size_t i = 0; i < COUNT(bad); i++) {
        entropic_random random = entropic_random_start(7, classes);
        ent_gradient_rows rows = rows_start(&b, &random, classes);
        b.u[(classes > 2 ? 1 : 0) * ROWS + 17] = bad[i];
        b.u[23] = b.labels[23] == 0 && classes == 2 ? 1e300 : -1e300; /* very wrong, but finite */
        b.labels[23] = classes == 2 ? b.labels[23] : 0;
        b.u[23] = classes == 2 ? (b.labels[23] == 1 ? -1e300 : 1e300) : -1e300;
        codes[c]->rows(&rows);
        for (size_t r = 0; r < ROWS; r++)
          assert_true(isnan(b.loss[r]) == (r == 17));
        assert_true(b.loss[23] == ENT_GRADIENT_MOST_LOSS);
      }
}

/* The sums as doubles against long doubles. */
static void assert_plain(const problem *p, const ent_logistic *at, const ent_gradient_sums *sums) {
  plain_sums plain = sum_plainly(p, at);
  size_t length = p->features + 1, rows = 0;
  double *gradient = calloc(at->scores * length, sizeof *gradient);
  double unit = ldexp((double)p->rows, WEIGHT_EXPONENT - ENT_GRADIENT_BITS);
  ent_gradient_sums_gradient(sums, gradient);
  for (size_t k = 0; k < at->scores; k++)
    for (size_t j = 0; j < length; j++) {
      double scale = j < p->features ? ldexp(1, sums->exponents[j]) : 1;
      assert_close(gradient[k * length + j], (double)plain.gradient[k * length + j], scale * unit);
    }
  double loss = (double)plain.loss;
  assert_close(ent_gradient_sums_loss(sums), loss, unit + 1e-14 * loss);
  assert_close(ent_gradient_sums_weight(sums), (double)plain.weight, unit);
  for (size_t r = 0; r < p->rows; r++)
    rows += p->weights[r] > 0;
  assert_int_equal(sums->rows, rows);
  assert_int_equal(sums->broken, 0);
  free(gradient);
  free(plain.gradient);
}

static void sums_are_those_of_the_definition(void **state) {
  (void)state;
  static const struct {
    size_t features, nonzeros;
    bool missing;
  } maps[] = {{40, 0, false}, {0, 30, false}, {60, 0, true}};
  for (size_t m = 0; m < COUNT(maps); m++)
    for (size_t classes = 2; classes <= 5; classes++)
      for (int kind = ALL_ONE; kind <= WEIGHTED; kind++) {
        problem p = problem_start(700, 2, maps[m].features, maps[m].nonzeros, 1, (problem_kind)kind);
        if (maps[m].missing)
          make_missing(&p, maps[m].features);
        assert_true(m != 1 || p.map.nonzeros < p.features / 8); /* compressed rows */
        set_classes(&p, classes, 0.2);
        ent_logistic *at = random_fit(&p, classes, 2, classes);
        ent_gradient_sums *sums = sums_of(&p, at, 0, p.rows, 2);
        assert_plain(&p, at, sums);
        ent_gradient_sums_free(sums);
        ent_logistic_free(at);
        problem_stop(&p);
      }
}

/* Threads, codes, shards, and the order in which they are added. */
static void any_order_gives_the_same_bytes(void **state) {
  (void)state;
  const ent_gradient_code *codes[ENT_GRADIENT_MOST_CODES];
  size_t count = ent_gradient_codes(codes);
  for (size_t nonzeros = 0; nonzeros <= 30; nonzeros += 30)
    for (size_t classes = 2; classes <= 6; classes += 2) {
      problem p = problem_start(3001, 2, 50, nonzeros, 1, WEIGHTED);
      set_classes(&p, classes, 0.2);
      ent_logistic *at = random_fit(&p, classes, 1, 1);
      ent_gradient_sums *one = sums_of(&p, at, 0, p.rows, 1);
      for (int threads = 2; threads <= 8; threads++) {
        ent_gradient_sums *many = sums_of(&p, at, 0, p.rows, threads);
        assert_same_sums(many, one);
        ent_gradient_sums_free(many);
      }
      const ent_linear point = linear_of(at);
      for (size_t c = 0; c < count; c++) {
        ent_gradient_sums *sums = no_sums(&p, classes);
        assert_int_equal(ent_gradient_sums_add_by(NULL, sums, &p.map, rows_of(&p), &point, codes[c]), ENTROPIC_OK);
        assert_same_sums(sums, one);
        ent_gradient_sums_free(sums);
      }
      entropic_random random = entropic_random_start(8, classes);
      for (int round = 0; round < 10; round++) {
        size_t cuts[6] = {0, 0, 0, 0, 0, p.rows};
        for (size_t i = 1; i < 5; i++)
          cuts[i] = cuts[i - 1] + entropic_random_below(&random, p.rows - cuts[i - 1] + 1);
        ent_gradient_sums *total = no_sums(&p, classes);
        for (size_t i = 0, start = entropic_random_below(&random, 5); i < 5; i++) {
          size_t part = (start + 2 * i) % 5;
          ent_gradient_sums *sums = sums_of(&p, at, cuts[part], cuts[part + 1] - cuts[part], 1 + (int)(i % 3)), *read;
          size_t size;
          unsigned char *bytes = bytes_of(sums, &size);
          assert_int_equal(ent_gradient_sums_from_bytes(NULL, bytes, size, &read), ENTROPIC_OK);
          assert_same_sums(read, sums);
          assert_int_equal(ent_gradient_sums_add(NULL, total, read), ENTROPIC_OK);
          ent_gradient_sums_free(sums);
          ent_gradient_sums_free(read);
          ent_delete(bytes);
        }
        assert_same_sums(total, one);
        ent_gradient_sums_free(total);
      }
      ent_gradient_sums_free(one);
      ent_logistic_free(at);
      problem_stop(&p);
    }
}

/* The rows of a problem, over and over again. */
typedef struct repeated_rows {
  const problem *p;
  size_t times, at;
} repeated_rows;

static entropic_status rewind_repeated(entropic_context *context, void *self) {
  (void)context;
  ((repeated_rows *)self)->at = 0;
  return ENTROPIC_OK;
}

static entropic_status next_repeated(entropic_context *context, void *self, size_t most, ent_block *block) {
  (void)context;
  repeated_rows *rows = self;
  static double x[8192 * 2], y[8192];
  const problem *p = rows->p;
  size_t left = p->rows * rows->times - rows->at, count = left < most ? left : most;
  assert_true(count <= COUNT(y) && p->inputs == 2);
  for (size_t r = 0; r < count; r++) {
    memcpy(x + 2 * r, p->x + 2 * ((rows->at + r) % p->rows), 2 * sizeof *x);
    y[r] = p->y[(rows->at + r) % p->rows];
  }
  *block = (ent_block){.first = rows->at, .rows = count, .x = x, .x_stride = 2, .y = y, .y_stride = 1};
  rows->at += count;
  return ENTROPIC_OK;
}

/* Rows again and again: the integers are multiples. */
static void very_many_rows(void **state) {
  (void)state;
  problem p = problem_start(1009, 2, 5, 0, 1, ALL_ONE);
  set_classes(&p, 2, 0.2);
  ent_logistic *at = random_fit(&p, 2, 3, 2);
  ent_gradient_sums *one = sums_of(&p, at, 0, p.rows, 2), *sums = no_sums(&p, 2);
  repeated_rows repeated = {.p = &p, .times = 1100}; /* two segments and a bit */
  ent_rows source = {.self = &repeated, .inputs = 2, .targets = 1, .rewind = rewind_repeated, .next = next_repeated};
  const ent_linear point = linear_of(at);
  entropic_context *context = context_with(2);
  ASSERT_OK(context, ent_gradient_sums_add_rows(context, sums, &p.map, &source, &point));
  one->rows *= repeated.times;
  one->misplaced *= repeated.times;
  one->loss *= (ent_int128)repeated.times;
  for (size_t k = 0; k < 2; k++)
    one->weights[k] *= (ent_int128)repeated.times;
  for (size_t j = 0; j <= p.features; j++)
    one->gradient[j] *= (ent_int128)repeated.times;
  assert_true(one->misplaced > 0);
  assert_same_sums(sums, one);
  /* The largest integers there are, all of one sign: more of them than 64 bits hold. */
  for (size_t r = 0; r < p.rows; r++)
    p.y[r] = 1;
  memset(at->weights, 0, p.features * sizeof *at->weights);
  at->offsets[0] = -800;
  repeated.times = 2200;
  ent_gradient_sums_free(sums);
  ASSERT_OK(context, ent_gradient_sums_create(context, &p.map, 2, 0, &sums));
  ASSERT_OK(context, ent_gradient_sums_add_rows(context, sums, &p.map, &source, &point));
  assert_true(sums->rows > 16 * ((size_t)1 << 17));
  assert_true(sums->gradient[p.features] == -((ent_int128)sums->rows << ENT_GRADIENT_BITS));
  assert_true(sums->loss == 800 * ((ent_int128)sums->rows << ENT_GRADIENT_BITS));
  entropic_context_free(context);
  ent_gradient_sums_free(sums);
  ent_gradient_sums_free(one);
  ent_logistic_free(at);
  problem_stop(&p);
}

/* Ends bytes with their hash again. */
static void hash_again(unsigned char *bytes, size_t count) {
  ent_sha256 hash = ent_sha256_start();
  ent_sha256_add(&hash, bytes, count - ENT_SHA256_SIZE);
  ent_sha256_finish(&hash, bytes + count - ENT_SHA256_SIZE);
}

static void damaged_bytes(void **state) {
  (void)state;
  problem p = problem_start(100, 2, 9, 0, 1, WEIGHTED);
  set_classes(&p, 3, 0.2);
  ent_logistic *at = random_fit(&p, 3, 1, 3);
  ent_gradient_sums *sums = sums_of(&p, at, 0, p.rows, 1), *read = NULL;
  size_t count;
  unsigned char *bytes = bytes_of(sums, &count);
  entropic_context *context = context_with(1);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(ent_gradient_sums_from_bytes(context, bytes, i, &read), ENTROPIC_BAD_DATA);
    bytes[i] ^= (unsigned char)(1 << i % 8);
    assert_int_equal(ent_gradient_sums_from_bytes(context, bytes, count, &read), ENTROPIC_BAD_DATA);
    bytes[i] ^= (unsigned char)(1 << i % 8);
  }
  /* Numbers that no rows have, with the right hash: where they are, and the byte. */
  const struct {
    size_t at;
    unsigned char byte;
    const char *message;
  } cases[] = {
      {8, 2, "version 2"},        {16, 10, "10 features"},
      {24, 1, "1 classes"},       {31, 1, "classes in"},
      {39, 1, "cannot have"},     {47, 1, "cannot have"},
      {55, 1, "cannot have"},     {63, 1, "cannot have"},
      {71, 0x7f, "cannot have"},  {72, 2, "cannot have"},
      {72, 0, "cannot have"},     {113, 0x40, "cannot have"},
      {163, 0x7f, "cannot have"}, {163, 0x80, "cannot have"},
      {179, 0x80, "cannot have"}, {count - 33, 0x7f, "cannot have"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    unsigned char before = bytes[cases[i].at];
    bytes[cases[i].at] = cases[i].byte;
    if (cases[i].at == 71)
      bytes[70] |= 0xf8; /* NaN */
    hash_again(bytes, count);
    assert_int_equal(ent_gradient_sums_from_bytes(context, bytes, count, &read), ENTROPIC_BAD_DATA);
    assert_message(context, cases[i].message);
    bytes[cases[i].at] = before;
    ent_delete(bytes);
    bytes = bytes_of(sums, &count);
  }
  assert_null(read);
  ent_delete(bytes);
  entropic_context_free(context);
  ent_gradient_sums_free(sums);
  ent_logistic_free(at);
  problem_stop(&p);
}

/* Fails, and leaves the sums as they were. */
static void assert_refused(ent_gradient_sums *sums, const problem *p, const ent_logistic *at, const char *message) {
  entropic_context *context = context_with(2);
  size_t count, after_count;
  unsigned char *before = bytes_of(sums, &count);
  some_rows some;
  some_rows_start(&some, p, 0, p->rows);
  const ent_linear point = linear_of(at);
  assert_int_not_equal(ent_gradient_sums_add_rows(context, sums, &p->map, &some.source, &point), ENTROPIC_OK);
  assert_message(context, message);
  unsigned char *after = bytes_of(sums, &after_count);
  assert_memory_equal(after, before, count);
  ent_delete(before);
  ent_delete(after);
  entropic_context_free(context);
}

static void refusals(void **state) {
  (void)state;
  problem p = problem_start(300, 2, 9, 0, 1, WEIGHTED);
  set_classes(&p, 3, 0.2);
  entropic_context *context = context_with(1);
  ent_logistic *at = random_fit(&p, 3, 1, 3), *other = random_fit(&p, 3, 1, 4), *two = random_fit(&p, 2, 1, 4);
  ent_gradient_sums *sums = sums_of(&p, at, 0, p.rows, 1), *none = NULL;
  assert_refused(sums, &p, other, "different weights");
  assert_refused(sums, &p, two, "do not match sums of 9 features and 3 scores");
  static const double wrong[] = {3, -1, 0.5};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    double before = p.y[200];
    p.y[200] = wrong[i];
    assert_refused(sums, &p, at, "row 201: the class");
    p.y[200] = before;
  }
  double before = p.weights[200];
  p.weights[200] = 2.000001;
  assert_refused(sums, &p, at, "row 201: the weight 2 is beyond the scale of weights, 2");
  p.weights[200] = before;
  assert_int_equal(ent_gradient_sums_create(context, &p.map, 1, 0, &none), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_gradient_sums_create(context, &p.map, 2, 257, &none), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "weights: a scale of 2^257");
  assert_null(none);
  ent_gradient_sums *of_two = no_sums(&p, 2), *same = no_sums(&p, 3);
  assert_int_equal(ent_gradient_sums_add(context, sums, of_two), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "expected the same features, classes and scales");
  same->exponents[4]++;
  assert_int_equal(ent_gradient_sums_add(context, sums, same), ENTROPIC_BAD_ARGUMENT);
  same->exponents[4]--;
  same->has_point = true;
  memcpy(same->point, sums->point, sizeof same->point);
  same->rows = ENT_FIXED_MOST_ROWS;
  assert_int_equal(ent_gradient_sums_add(context, sums, same), ENTROPIC_TOO_LARGE);
  ent_gradient_sums_free(of_two);
  ent_gradient_sums_free(same);
  ent_gradient_sums_free(sums);
  ent_gradient_sums_free(NULL);
  ent_logistic_free(at);
  ent_logistic_free(other);
  ent_logistic_free(two);
  entropic_context_free(context);
  problem_stop(&p);
}

static void small_exponents(const void *self, int *exponents) {
  const table_map *table = self;
  for (size_t j = 0; j < table->features; j++)
    exponents[j] = -1;
}

/* A map whose values are beyond what it says, dense or compressed; scores that are not finite. */
static void values_beyond_their_scale(void **state) {
  (void)state;
  for (int compressed = 0; compressed < 2; compressed++) {
    entropic_context *context = context_with(2);
    fixed_rows rows;
    fixed_rows_start(&rows, 500, 500, 20, 1, compressed ? 0 : 1);
    for (size_t i = 0; i < 500 * 20; i++)
      rows.z[i] = i % 20 == 3 || !compressed ? 0.25 + (double)(i % 7) / 32 : 0;
    for (size_t r = 0; r < 500; r++)
      rows.y[r] = (double)(r % 2);
    if (compressed)
      lift_compressed(&rows);
    ent_map_calls calls = table_calls;
    calls.exponents = small_exponents;
    rows.map.calls = &calls;
    rows.source = ent_rows_of_memory(&rows.memory);
    ent_gradient_sums *sums = NULL;
    double weights[20] = {0}, offset = 1;
    const ent_linear at = {.weights = weights, .offsets = &offset, .count = 1};
    ASSERT_OK(context, ent_gradient_sums_create(context, &rows.map, 2, 2, &sums)); /* weights are up to 2^2 */
    ASSERT_OK(context, ent_gradient_sums_add_rows(context, sums, &rows.map, &rows.source, &at));
    rows.z[333 * 20 + 3] = -0.51;
    assert_int_equal(ent_gradient_sums_add_rows(context, sums, &rows.map, &rows.source, &at), ENTROPIC_BAD_DATA);
    assert_message(context, "row 334, feature 4: the value -0.51 is beyond its scale, 2^-1");
    rows.z[333 * 20 + 3] = 0.5;
    weights[3] = 1e308; /* finite scores, but for those whose products overflow */
    offset = 1.5e308;
    ent_gradient_sums_clear(sums);
    ASSERT_OK(context, ent_gradient_sums_add_rows(context, sums, &rows.map, &rows.source, &at));
    assert_int_equal(sums->rows, 500 - 71);
    assert_true(sums->broken > 0 && sums->broken < sums->rows);
    ent_gradient_sums_free(sums);
    fixed_rows_stop(&rows);
    entropic_context_free(context);
  }
}

SUITE(solve_gradient_sums) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_rounded_as_defined),
      cmocka_unit_test(losses_are_those_of_the_definition),
      cmocka_unit_test(rows_that_cannot_be_computed),
      cmocka_unit_test(sums_are_those_of_the_definition),
      cmocka_unit_test(any_order_gives_the_same_bytes),
      cmocka_unit_test(very_many_rows),
      cmocka_unit_test(damaged_bytes),
      cmocka_unit_test(refusals),
      cmocka_unit_test(values_beyond_their_scale),
  };
  return cmocka_run_group_tests_name("solve_gradient_sums", tests, NULL, NULL);
}
