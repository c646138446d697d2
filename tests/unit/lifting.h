/* What lifted rows are compared with, and rows that are worth lifting. */
#ifndef LIFTING_H
#define LIFTING_H

#include "unit/reference.h"

/* Is less than everything to be tried? See rounds. */
static inline bool in_a_hurry(void) {
  return rounds(100) < 100;
}

/* ---- Products ---- */

/* A product of doubles as mantissa 2^(exponent - 64), the top bit of the mantissa set, or the mantissa 0. Integers, so
 * that it neither overflows nor underflows, errs by less than 2^-64 of itself a factor, and is the same under valgrind. */
typedef struct product {
  uint64_t mantissa;
  long exponent;
  bool negative;
} product;

static inline product product_one(void) {
  return (product){.mantissa = UINT64_C(1) << 63, .exponent = 1};
}

static inline void product_times(product *all, double value) {
  int exponent;
  double part = frexp(fabs(value), &exponent);
  if (part == 0 || all->mantissa == 0) {
    all->mantissa = 0;
    return;
  }
  __extension__ unsigned __int128 whole = (unsigned __int128)all->mantissa * (uint64_t)ldexp(part, 64);
  all->exponent += exponent;
  if (whole >> 127 == 0) {
    whole <<= 1;
    all->exponent--;
  }
  uint64_t high = (uint64_t)(whole >> 64);
  bool up = (uint64_t)whole >> 63 && high != UINT64_MAX;
  all->mantissa = high + up;
  all->negative ^= signbit(value) != 0;
}

/* To the nearest double, in one rounding, whether that is a normal number or not. */
static inline double product_round(product all) {
  if (all.mantissa == 0)
    return 0;
  long drop = 11 + (all.exponent < -1021 ? -1021 - all.exponent : 0);
  if (drop > 64)
    return 0;
  __extension__ unsigned __int128 wide_mantissa = all.mantissa, unit = (unsigned __int128)1 << drop;
  uint64_t kept = (uint64_t)(wide_mantissa / unit), rest = (uint64_t)(wide_mantissa % unit),
           half = (uint64_t)(unit / 2);
  kept += rest > half || (rest == half && kept % 2 == 1);
  double size = ldexp((double)kept, (int)(all.exponent - 64 + drop));
  return all.negative ? -size : size;
}

/* So close to half of the least double that the last bit of any factor decides whether it becomes 0. */
static inline bool product_is_on_the_brink(product all) {
  const uint64_t half = UINT64_C(1) << 63, room = UINT64_C(1) << 20;
  return (all.exponent == -1074 && all.mantissa - half < room) || (all.exponent == -1075 && all.mantissa > -room);
}

/* ---- The lift by its definition ---- */

/* A design with what it takes to lift rows by multiplying atoms. */
typedef struct naive {
  const entropic_design *design;
  const entropic_kernel *kernel;
  size_t inputs, features, groups, widest;
  entropic_group *group;
  size_t *base;     /* of each input */
  bool *plain;      /* whose base is the constant 1 */
  size_t not_plain; /* how many others there are */
  double *value;    /* of the row, by input and level; NaN until asked for */
  uint64_t *atom;
} naive;

static inline naive naive_start(const entropic_design *design) {
  naive made = {.design = design, .kernel = entropic_design_kernel(design)};
  made.inputs = entropic_kernel_inputs(made.kernel);
  made.features = entropic_design_features(design);
  made.groups = entropic_design_groups(design);
  made.group = calloc(made.groups, sizeof *made.group);
  made.base = calloc(made.inputs, sizeof *made.base);
  made.plain = calloc(made.inputs, sizeof *made.plain);
  for (size_t g = 0; g < made.groups; g++)
    assert_int_equal(ent_design_group(NULL, design, g, &made.group[g]), ENTROPIC_OK);
  for (size_t i = 0; i < made.inputs; i++) {
    size_t levels = entropic_kernel_levels(made.kernel, i);
    made.widest = levels > made.widest ? levels : made.widest;
    made.base[i] = entropic_design_base(design, i);
    made.plain[i] = made.base[i] != ENTROPIC_NO_LEVEL &&
                    level_of(made.kernel, i, made.base[i]).kind == ENTROPIC_LEVEL_KIND_CONSTANT;
    made.not_plain += !made.plain[i];
  }
  made.value = calloc(made.inputs * made.widest, sizeof *made.value);
  made.atom = calloc(made.inputs * made.widest, sizeof *made.atom);
  return made;
}

static inline void naive_stop(naive *all) {
  free(all->group);
  free(all->base);
  free(all->plain);
  free(all->value);
  free(all->atom);
}

static inline size_t naive_ask(naive *all, const double *x, size_t input, size_t level) {
  size_t at = input * all->widest + level;
  if (isnan(all->value[at]))
    all->value[at] = atom_at(all->kernel, input, level, x[input], &all->atom[at]);
  return at;
}

/* The column of a group that holds this of its atoms; SIZE_MAX if none does. */
static inline size_t naive_column(const entropic_group *group, uint64_t number) {
  if (group->members == NULL)
    return group->first_feature + (size_t)number;
  for (size_t low = 0, high = group->features; low < high;) {
    size_t middle = (low + high) / 2;
    if (group->members[middle] == number)
      return group->first_feature + middle;
    if (group->members[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return SIZE_MAX;
}

/* z[features] of a row; NaN for 0 or the least double, where that is a matter of rounding. Bases that are 1 are left out
 * of the products: they would change nothing. */
static inline void naive_row(naive *all, const double *x, double *z) {
  for (size_t i = 0; i < all->inputs * all->widest; i++)
    all->value[i] = NAN;
  memset(z, 0, all->features * sizeof *z);
  for (size_t g = 0; g < all->groups; g++) {
    const entropic_group *group = &all->group[g];
    product value = product_one();
    uint64_t number = 0;
    size_t next = 0;
    for (size_t t = 0; t < group->terms_count; t++) {
      entropic_term term = group->terms[t];
      size_t at = naive_ask(all, x, term.input, term.level);
      number = number * level_of(all->kernel, term.input, term.level).atoms + all->atom[at];
      product_times(&value, all->value[at]);
    }
    for (size_t i = 0; i < all->inputs && all->not_plain > 0; i++) {
      while (next < group->terms_count && group->terms[next].input < i)
        next++;
      bool term = next < group->terms_count && group->terms[next].input == i;
      if (!term && !all->plain[i])
        product_times(&value, all->value[naive_ask(all, x, i, all->base[i])]);
    }
    size_t column = naive_column(group, number);
    if (column != SIZE_MAX)
      z[column] = product_is_on_the_brink(value) ? NAN : product_round(value);
  }
}

/* How many ulp values may be off: a handful where bases are 1, as few inputs are active then; otherwise one for each
 * base that is multiplied or divided by, with a little room. */
static inline uint64_t naive_ulps(const naive *all) {
  return all->not_plain > 0 ? all->inputs + 8 : 4;
}

/* Does z[column * ld] hold the row x? */
static inline void assert_row(naive *all, const double *x, const double *z, size_t ld, const char *what) {
  double *expected = calloc(all->features, sizeof *expected);
  naive_row(all, x, expected);
  for (size_t g = 0; g < all->groups; g++) {
    for (size_t k = 0; k < all->group[g].features; k++) {
      size_t column = all->group[g].first_feature + k;
      double value = z[column * ld];
      bool same = (value == 0) == (expected[column] == 0) && ulps_apart(value, expected[column]) <= naive_ulps(all);
      if (same || (isnan(expected[column]) && fabs(value) <= 0x1p-1074))
        continue;
      print_error("%s: column %zu of group %zu (%zu terms): %a, expected %a\n", what, column + 1, g + 1,
                  all->group[g].terms_count, value, expected[column]);
      for (size_t i = 0; i < all->inputs; i++)
        print_error("%a ", x[i]);
      print_error("\n");
      fail();
    }
  }
  free(expected);
}

/* ---- Rows ---- */

static inline double draw_node(entropic_random *random) {
  int level = 1 + (int)entropic_random_below(random, 30);
  return ldexp((double)entropic_random_below(random, (UINT64_C(1) << level) + 1), -level);
}

/* A value where something changes. */
static inline double draw_special(entropic_random *random) {
  static const double special[] = {0,
                                   1,
                                   -0.0,
                                   0.5,
                                   5e-324,
                                   1e-310,
                                   0x1p-1022,
                                   0x1p-61,
                                   0x1p-60,
                                   0x1p-59,
                                   0x1.8p-60,
                                   -0x1p-61,
                                   -1,
                                   2,
                                   1e300,
                                   -1e300,
                                   0.25,
                                   1e-200,
                                   0x1.fffffffffffffp-61,
                                   0x1.0000000000001p-60,
                                   0x1.fffffffffffffp-1,
                                   1.0000000000000002};
  switch (entropic_random_below(random, 4)) {
  case 0:
    return draw_node(random);
  case 1:
    return nextafter(draw_node(random), entropic_random_below(random, 2) ? 2 : -1);
  default:
    return special[entropic_random_below(random, COUNT(special))];
  }
}

/* Rows of several tempers; between rows, where nobody may look, NaN. x has (rows - 1) * stride + inputs doubles. */
static inline void fill_rows(entropic_random *random, double *x, size_t rows, size_t inputs, size_t stride) {
  static const unsigned strange[] = {0, 0, 5, 30, 100}; /* percent of special values */
  for (size_t r = 0; r < rows; r++) {
    unsigned percent = strange[entropic_random_below(random, 5)];
    bool zeros = entropic_random_below(random, 6) == 0;
    for (size_t i = 0; i < (r + 1 < rows ? stride : inputs); i++) {
      double value = entropic_random_uniform(random);
      if (i >= inputs)
        value = NAN;
      else if (zeros && entropic_random_below(random, 4) > 0)
        value = 0;
      else if (entropic_random_below(random, 100) < percent)
        value = draw_special(random);
      x[r * stride + i] = value;
    }
  }
}

static inline double *make_rows(entropic_random *random, size_t rows, size_t inputs, size_t stride) {
  double *x = calloc((rows > 0 ? rows - 1 : 0) * stride + inputs, sizeof *x); /* no more, so that sanitizers see */
  assert_non_null(x);
  fill_rows(random, x, rows, inputs, stride);
  return x;
}

/* ---- Handles ---- */

static inline entropic_lift *make_lift(const entropic_design *design, entropic_lift_code code) {
  entropic_lift *lift = NULL;
  assert_int_equal(entropic_lift_create_by(NULL, design, code, &lift), ENTROPIC_OK);
  return lift;
}

static inline entropic_workspace *make_workspace(const entropic_lift *lift) {
  entropic_workspace *workspace = NULL;
  assert_int_equal(entropic_workspace_create(NULL, lift, &workspace), ENTROPIC_OK);
  return workspace;
}

/* A design of `inputs` equal inputs. */
static inline entropic_design *design_of_axis(entropic_axis_options axis, size_t inputs, size_t features) {
  entropic_context *context = context_with(1);
  entropic_kernel *kernel = make_kernel(&axis, 1, inputs);
  entropic_design_options options = ent_design_options_default();
  options.features = features;
  entropic_design *design = NULL;
  ASSERT_OK(context, ent_design_create(context, kernel, &options, &design));
  entropic_kernel_free(kernel);
  entropic_context_free(context);
  return design;
}

/* A design from the text of a design file. */
static inline entropic_design *design_of_text(const char *path, const char *text) {
  entropic_context *context = context_with(1);
  entropic_design *design = NULL;
  write_file(path, text, strlen(text));
  ASSERT_OK(context, entropic_design_load(context, path, &design));
  entropic_context_free(context);
  return design;
}

#endif
