/* Everything that must hold of a design's lift on a block of rows: against the definition, for every code, dense and
 * sparse, whatever the layout of the arrays and the size of the blocks. */
#ifndef LIFT_CHECKS_H
#define LIFT_CHECKS_H

#include "unit/lifting.h"

#include "lift/lift.h"

#define CANARIES 4

/* What arrays hold before they are written. */
static const uint64_t canary_bits = UINT64_C(0x7ff4dead7ff4beef);

static inline bool is_canary(double value) {
  return memcmp(&value, &canary_bits, sizeof value) == 0;
}

static inline double *make_canaries(size_t count) {
  double *values = malloc((count + 1) * sizeof *values);
  assert_non_null(values);
  for (size_t i = 0; i < count; i++)
    memcpy(&values[i], &canary_bits, sizeof canary_bits);
  return values;
}

/* The rows that all lifts of a design are tested with. */
typedef struct trial {
  entropic_random *random;
  const double *x;
  size_t rows, inputs, stride;
  const char *what; /* for messages */
} trial;

/* Dense, in blocks of at most `block` rows, copied to columns without gaps. */
static inline double *lift_all_dense(const trial *on, const entropic_lift *lift, size_t block) {
  size_t features = entropic_lift_features(lift), gap = entropic_random_below(on->random, 4), ld = on->rows + gap;
  size_t used = (features - 1) * ld + on->rows;
  double *z = make_canaries(used + CANARIES), *packed = malloc(features * on->rows * sizeof *packed);
  entropic_workspace *workspace = make_workspace(lift);
  assert_non_null(packed);
  for (size_t first = 0, count; first < on->rows; first += count) {
    count = on->rows - first < block ? on->rows - first : block;
    assert_int_equal(
        entropic_lift_dense(NULL, lift, workspace, on->x + first * on->stride, count, on->stride, z + first, ld),
        ENTROPIC_OK);
  }
  for (size_t i = 0; i < used + CANARIES; i++)
    if (is_canary(z[i]) != (i % ld >= on->rows || i >= used))
      fail_msg("%s: dense, ld %zu, place %zu: %s", on->what, ld, i, is_canary(z[i]) ? "not written" : "written");
  for (size_t column = 0; column < features; column++)
    memcpy(packed + column * on->rows, z + column * ld, on->rows * sizeof *z);
  entropic_workspace_free(workspace);
  free(z);
  return packed;
}

/* Do the entries of a row say what the dense columns do? */
static inline void assert_entries(const trial *on, const double *dense, size_t row, const int32_t *columns,
                                  const double *values, size_t count, size_t features) {
  size_t entry = 0;
  for (size_t column = 0; column < features; column++) {
    const double *expected = &dense[column * on->rows + row];
    if (*expected == 0)
      continue;
    bool same =
        entry < count && columns[entry] == (int32_t)column && memcmp(&values[entry], expected, sizeof *expected) == 0;
    if (!same)
      fail_msg("%s: sparse row %zu differs from dense at column %zu (%a)", on->what, row + 1, column + 1, *expected);
    entry++;
  }
  if (entry != count)
    fail_msg("%s: sparse row %zu has %zu entries, expected %zu", on->what, row + 1, count, entry);
}

/* Sparse, in blocks, against what dense gave. */
static inline void check_sparse(const trial *on, const entropic_lift *lift, size_t block, const double *dense) {
  size_t width = entropic_lift_nonzeros(lift), features = entropic_lift_features(lift), most = block * width;
  size_t *starts = malloc((block + 1 + CANARIES) * sizeof *starts);
  int32_t *columns = malloc((most + CANARIES) * sizeof *columns);
  entropic_workspace *workspace = make_workspace(lift);
  for (size_t first = 0, count; first < on->rows; first += count) {
    count = on->rows - first < block ? on->rows - first : block;
    double *values = make_canaries(most + CANARIES);
    memset(starts, 0x5a, (block + 1 + CANARIES) * sizeof *starts);
    memset(columns, 0x5a, (most + CANARIES) * sizeof *columns);
    assert_int_equal(entropic_lift_sparse(NULL, lift, workspace, on->x + first * on->stride, count, on->stride, starts,
                                          columns, values),
                     ENTROPIC_OK);
    assert_int_equal(starts[0], 0);
    for (size_t r = 0; r < count; r++) {
      assert_in_range(starts[r + 1], starts[r], starts[r] + width);
      assert_entries(on, dense, first + r, columns + starts[r], values + starts[r], starts[r + 1] - starts[r],
                     features);
    }
    for (size_t i = 0; i < CANARIES; i++)
      if (!is_canary(values[count * width + i]) || columns[count * width + i] != 0x5a5a5a5a ||
          starts[count + 1 + i] != (size_t)0x5a5a5a5a5a5a5a5a)
        fail_msg("%s: sparse writes behind its arrays (%zu rows)", on->what, count);
    free(values);
  }
  entropic_workspace_free(workspace);
  free(starts);
  free(columns);
}

/* The first so many rows against the definition. */
static inline void check_naive(const trial *on, const entropic_design *design, const double *dense, size_t rows) {
  naive all = naive_start(design);
  for (size_t r = 0; r < on->rows && r < rows; r++)
    assert_row(&all, on->x + r * on->stride, dense + r, on->rows, on->what);
  naive_stop(&all);
}

/* No value is beyond the bound of its feature, but for rounding. */
static inline void check_exponents(const trial *on, const entropic_lift *lift, const double *dense) {
  size_t features = entropic_lift_features(lift);
  int *exponents = malloc(features * sizeof *exponents);
  assert_non_null(exponents);
  memset(exponents, 0x7f, features * sizeof *exponents);
  ent_lift_exponents(lift, exponents);
  for (size_t i = 0; i < features * on->rows; i++) {
    int exponent = exponents[i / on->rows];
    if (exponent > 1100)
      fail_msg("%s: no bound of column %zu", on->what, i / on->rows + 1);
    if (!(fabs(dense[i]) <= ldexp(1 + 1e-12, exponent)) && exponent > -1000)
      fail_msg("%s: %a of column %zu is beyond 2^%d", on->what, dense[i], i / on->rows + 1, exponent);
  }
  free(exponents);
}

/* Linear functions of the features: those of a tile have the bits of one row alone, unless that asks for care. */
static inline void check_scores(const trial *on, const entropic_lift *lift) {
  enum { FUNCTIONS = 2 };
  size_t features = entropic_lift_features(lift), quick = 0, tiny = 0;
  double *weights = calloc(FUNCTIONS * features, sizeof *weights), *all = calloc(on->rows * FUNCTIONS, sizeof *all);
  double *room = make_canaries(ent_lift_row_room(lift)), sums[FUNCTIONS * ENT_TILE] __attribute__((aligned(64)));
  double offsets[FUNCTIONS] = {0.75, -3}, one[FUNCTIONS];
  for (size_t i = 0; i < FUNCTIONS * features; i++)
    weights[i] = entropic_random_normal(on->random);
  ent_lift_linear functions = {.weights = weights, .offsets = offsets, .count = FUNCTIONS, .sums = sums};
  ent_lift_rows rows = {.x = on->x, .count = on->rows, .stride = on->stride};
  entropic_workspace *workspace = make_workspace(lift);
  assert_int_equal(ent_lift_scores(NULL, lift, workspace, &rows, &functions, all), ENTROPIC_OK);
  for (size_t r = 0; r < on->rows; r++) {
    bool is_tiny = false;
    for (size_t i = 0; i < on->inputs; i++)
      is_tiny = is_tiny || (on->x[r * on->stride + i] > 0 && on->x[r * on->stride + i] < ENT_TINY);
    tiny += is_tiny;
    if (!ent_lift_row(lift, on->x + r * on->stride, &functions, room, one))
      continue;
    quick++;
    if (memcmp(one, all + r * FUNCTIONS, sizeof one) != 0)
      fail_msg("%s: row %zu alone has not the scores that it has in a tile of %s", on->what, r + 1, lift->code->name);
  }
  if (!lift->careful)
    assert_true(quick + tiny >= on->rows);
  double *bad = calloc(on->inputs, sizeof *bad);
  for (size_t i = 0; i < 2 * on->inputs; i++) {
    bool missing = ent_kernel_axis(lift->kernel, i / 2).missing;
    memcpy(bad, on->x, on->inputs * sizeof *bad);
    bad[i / 2] = i % 2 == 0 && !missing ? NAN : INFINITY;
    assert_false(ent_lift_row(lift, bad, &functions, room, one));
  }
  free(bad);
  entropic_workspace_free(workspace);
  free(room);
  free(all);
  free(weights);
}

/* All of it. `work` bounds the multiplications of the naive lift. */
static inline void check_lift(const entropic_design *design, entropic_random *random, size_t rows, size_t work,
                              const char *what) {
  static const entropic_lift_code codes[] = {ENTROPIC_LIFT_CODE_REFERENCE, ENTROPIC_LIFT_CODE_AVX2,
                                             ENTROPIC_LIFT_CODE_BEST};
  size_t inputs = entropic_kernel_inputs(entropic_design_kernel(design)), stride = inputs;
  stride += entropic_random_below(random, 3);
  double *x = make_rows(random, rows, inputs, stride);
  for (size_t i = 0; i < rows * inputs; i++)
    if (ent_kernel_axis(entropic_design_kernel(design), i % inputs).missing && entropic_random_below(random, 3) == 0)
      x[i / inputs * stride + i % inputs] = NAN;
  const trial on = {.random = random, .x = x, .rows = rows, .inputs = inputs, .stride = stride, .what = what};
  double *expected = NULL;
  for (size_t c = 0; c < COUNT(codes); c++) {
    entropic_lift *lift = make_lift(design, codes[c]);
    size_t features = entropic_lift_features(lift);
    assert_int_equal(features, entropic_design_features(design));
    assert_int_equal(entropic_lift_inputs(lift), inputs);
    assert_int_equal(entropic_lift_nonzeros(lift), entropic_design_nonzeros(design));
    if (expected == NULL) {
      expected = lift_all_dense(&on, lift, rows);
      check_exponents(&on, lift, expected);
      check_naive(&on, design, expected, 1 + work / (entropic_design_groups(design) * (inputs + 4)));
    }
    double *again = lift_all_dense(&on, lift, c == 0 ? 1 + entropic_random_below(random, rows) : rows);
    if (memcmp(again, expected, features * rows * sizeof *again) != 0)
      fail_msg("%s: dense %s does not give the bits of reference", what, lift->code->name);
    check_sparse(&on, lift, rows, expected);
    check_sparse(&on, lift, 1 + entropic_random_below(random, rows), expected);
    check_scores(&on, lift);
    free(again);
    entropic_lift_free(lift);
  }
  free(expected);
  free(x);
}

/* Rows at which deeper levels would add nothing: with all features there are, z(x) z(y) is the kernel. */
static inline void check_all_features(const entropic_kernel *kernel, const double *x, size_t rows) {
  size_t inputs = entropic_kernel_inputs(kernel);
  entropic_design_options options = ent_design_options_default();
  options.features = 100000;
  entropic_design *design = make_design(kernel, &options);
  assert_int_equal(entropic_design_exhausted(design), 1);
  size_t features = entropic_design_features(design);
  double *z = calloc(rows * features, sizeof *z);
  entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_BEST);
  entropic_workspace *workspace = make_workspace(lift);
  assert_int_equal(entropic_lift_dense(NULL, lift, workspace, x, rows, inputs, z, rows), ENTROPIC_OK);
  for (size_t a = 0; a < rows; a++)
    for (size_t b = 0; b < rows; b++) {
      double sum = 0, size = 1;
      for (size_t column = 0; column < features; column++) {
        sum += z[column * rows + a] * z[column * rows + b];
        size += fabs(z[column * rows + a] * z[column * rows + b]);
      }
      assert_close(sum, entropic_kernel_value(kernel, x + a * inputs, x + b * inputs), 1e-13 * size);
    }
  entropic_workspace_free(workspace);
  entropic_lift_free(lift);
  free(z);
  entropic_design_free(design);
}

#endif
