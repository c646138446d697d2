/* What axes and designs are compared with: p, q and everything made of them straight from the definitions, in 113-bit
 * arithmetic, so that neither overflow nor cancellation needs any care here. Software arithmetic on x86, hence the same
 * under valgrind. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "unit/tests.h"

#include <stdbool.h>

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 wide;
#else
typedef long double wide;
#endif

/* Fewer rounds where instrumentation makes everything slow. */
static inline size_t rounds(size_t full) {
  return quick_tests() ? full / 25 + 1 : full;
}

/* |actual - expected| <= tolerance, otherwise says where; NaN fails. */
#define assert_near(actual, expected, tolerance, ...)                                                                  \
  do {                                                                                                                 \
    wide near_actual = (actual), near_expected = (expected), near_tolerance = (tolerance);                             \
    if (!(wide_abs(near_actual - near_expected) <= near_tolerance)) {                                                  \
      print_error(__VA_ARGS__);                                                                                        \
      print_error(": %s is %.17g, expected %.17g within %g\n", #actual, (double)near_actual, (double)near_expected,    \
                  (double)near_tolerance);                                                                             \
      fail();                                                                                                          \
    }                                                                                                                  \
  } while (0)

static inline wide wide_abs(wide x) {
  return x < 0 ? -x : x;
}

static inline wide wide_power_of_two(int exponent) {
  wide result = 1, factor = exponent < 0 ? (wide)0.5 : 2;
  for (unsigned left = (unsigned)(exponent < 0 ? -exponent : exponent); left > 0; left /= 2, factor *= factor)
    if (left & 1)
      result *= factor;
  return result;
}

/* Argument reduced to |r| <= ln(2)/32, Taylor, four squarings, power of two put back. */
static inline wide wide_exp(wide x) {
  static wide ln2, inverse[20];
  if (ln2 == 0) {
    wide power = (wide)2 / 3; /* ln 2 = 2 artanh(1/3) */
    for (int k = 0; k < 40; k++, power /= 9)
      ln2 += power / (2 * k + 1);
    for (int n = 1; n < 20; n++)
      inverse[n] = (wide)1 / n;
  }
  if (x < -11000)
    return 0;
  int k = (int)lrint((double)(x / ln2));
  wide r = (x - k * ln2) / 16, sum = 1;
  for (int n = 18; n >= 1; n--)
    sum = 1 + sum * r * inverse[n];
  for (int i = 0; i < 4; i++)
    sum *= sum;
  return sum * wide_power_of_two(k);
}

static inline wide wide_sinh(wide x) {
  if (wide_abs(x) > 0.5)
    return (wide_exp(x) - wide_exp(-x)) / 2;
  wide sum = 1;
  for (int n = 26; n >= 2; n -= 2)
    sum = 1 + sum * x * x / (n * (n + 1));
  return x * sum;
}

static inline wide wide_cosh(wide x) {
  return (wide_exp(x) + wide_exp(-x)) / 2;
}

static inline wide wide_sqrt(wide x) {
  if (x > 0 && x < 0x1p-900)
    return wide_sqrt(x * 0x1p900) * 0x1p-450; /* into the range of double */
  wide root = sqrt((double)x);
  for (int i = 0; i < 3 && root > 0; i++)
    root = (root + x / root) / 2;
  return root;
}

/* ---- The pairs of functions, k = p(min) q(max) ---- */

typedef wide (*wide_function)(wide w, wide x);

static inline wide one(wide w, wide x) {
  (void)w, (void)x;
  return 1;
}
static inline wide sobolev_p(wide w, wide x) {
  return 1 + w * x;
}
static inline wide laplace_p(wide w, wide x) {
  return wide_exp(w * x);
}
static inline wide laplace_q(wide w, wide x) {
  return wide_exp(-w * x);
}
static inline wide cosh_p(wide w, wide x) {
  return w * wide_cosh(w * x) / wide_sinh(w);
}
static inline wide cosh_q(wide w, wide x) {
  return wide_cosh(w * (1 - x));
}
static inline wide neumann_p(wide w, wide x) {
  return wide_cosh(w * x);
}
static inline wide brownian_p(wide w, wide x) {
  return w * x;
}
static inline wide bridge_p(wide w, wide x) {
  (void)w;
  return x;
}
static inline wide bridge_q(wide w, wide x) {
  (void)w;
  return 1 - x;
}
/* A pair that is no family of ours; its k(.,0) and k(.,1) both live, and its atoms differ within a level. */
static inline wide other_p(wide w, wide x) {
  return (wide)0.25 + x + w * x * x;
}
static inline wide other_q(wide w, wide x) {
  (void)w;
  return 1 / (1 + x);
}

/* The same in double, as a user would write them; user points to w. */
static inline double user_one(double x, void *user) {
  (void)x, (void)user;
  return 1;
}
static inline double user_sobolev_p(double x, void *user) {
  return 1 + *(double *)user * x;
}
static inline double user_laplace_p(double x, void *user) {
  return exp(*(double *)user * x);
}
static inline double user_laplace_q(double x, void *user) {
  return exp(-*(double *)user * x);
}
static inline double user_brownian_p(double x, void *user) {
  return *(double *)user * x;
}
static inline double user_bridge_p(double x, void *user) {
  (void)user;
  return x;
}
static inline double user_bridge_q(double x, void *user) {
  (void)user;
  return 1 - x;
}
static inline double user_other_p(double x, void *user) {
  return 0.25 + x + *(double *)user * x * x;
}
static inline double user_other_q(double x, void *user) {
  (void)user;
  return 1 / (1 + x);
}

/* ---- What can be written down of the families of the library: p(x+d)q(x) - p(x)q(x+d), and boundary atoms ---- */

static inline wide straight_wedge(wide w, wide d) {
  return w * d;
}
static inline wide bridge_wedge(wide w, wide d) {
  (void)w;
  return d;
}
static inline wide laplace_wedge(wide w, wide d) {
  return 2 * wide_sinh(w * d);
}
static inline wide cosh_wedge(wide w, wide d) {
  return w * wide_sinh(w * d);
}
static inline wide neumann_wedge(wide w, wide d) {
  return wide_sinh(w * d);
}
static inline wide centred_line(wide w, wide x) {
  return wide_sqrt(w) * (x - (wide)0.5);
}
static inline wide line(wide w, wide x) {
  return wide_sqrt(w) * x;
}
/* exp(-w(1-x)) +- exp(-wx), with exp(-w/2) taken out: no difference is left. */
static inline wide laplace_even(wide w, wide x) {
  return 2 * wide_exp(-w / 2) * wide_cosh(w * (x - (wide)0.5)) / wide_sqrt(2 * (1 + wide_exp(-w)));
}
static inline wide laplace_odd(wide w, wide x) {
  return 2 * wide_exp(-w / 2) * wide_sinh(w * (x - (wide)0.5)) / wide_sqrt(2 * (1 - wide_exp(-w)));
}
static inline wide cosh_even(wide w, wide x) {
  return wide_sqrt(w / wide_sinh(w)) * wide_cosh(w * (x - (wide)0.5));
}
static inline wide cosh_odd(wide w, wide x) {
  return wide_sqrt(w / wide_sinh(w)) * wide_sinh(w * (x - (wide)0.5));
}
static inline wide neumann_cosh(wide w, wide x) {
  return wide_cosh(w * x) * wide_exp(-w) / wide_sqrt(wide_cosh(w) * wide_exp(-w));
}
static inline wide neumann_sinh(wide w, wide x) {
  return wide_sqrt(wide_sinh(w) / wide_cosh(w)) * wide_sinh(w * (1 - x)) / wide_sinh(w);
}

/* ---- Axes ---- */

typedef struct ref_family {
  const char *name; /* that of the library's, or "custom ..." and "centred, ..." */
  entropic_family family;
  wide_function p, q;        /* centred: those of its hats */
  wide_function wedge;       /* families of the library: p(x+d)q(x) - p(x)q(x+d), which is a function of d alone */
  wide_function boundary[2]; /* families of the library: their boundary atoms, NULL behind the last */
  entropic_kernel_factor user_p, user_q;
  int smooth;
} ref_family;

/* Every family of numbers that the library has must be here, under its name; the tests take their list from the library
 * and look here for what to expect. */
static const ref_family ref_families[] = {
    {"centred", ENTROPIC_FAMILY_CENTRED, sobolev_p, one, straight_wedge, {one, centred_line}, NULL, NULL, 0},
    {"sobolev", ENTROPIC_FAMILY_SOBOLEV, sobolev_p, one, straight_wedge, {one, line}, NULL, NULL, 0},
    {"laplace",
     ENTROPIC_FAMILY_LAPLACE,
     laplace_p,
     laplace_q,
     laplace_wedge,
     {laplace_even, laplace_odd},
     NULL,
     NULL,
     0},
    {"cosh", ENTROPIC_FAMILY_COSH, cosh_p, cosh_q, cosh_wedge, {cosh_even, cosh_odd}, NULL, NULL, 0},
    {"brownian", ENTROPIC_FAMILY_BROWNIAN, brownian_p, one, straight_wedge, {line, NULL}, NULL, NULL, 0},
    {"bridge", ENTROPIC_FAMILY_BRIDGE, bridge_p, bridge_q, bridge_wedge, {NULL, NULL}, NULL, NULL, 0},
    {"neumann",
     ENTROPIC_FAMILY_NEUMANN,
     neumann_p,
     laplace_q,
     neumann_wedge,
     {neumann_cosh, neumann_sinh},
     NULL,
     NULL,
     0},
    {"periodic", ENTROPIC_FAMILY_PERIODIC, sobolev_p, one, straight_wedge, {one, NULL}, NULL, NULL, 0},
    {"custom as sobolev", ENTROPIC_FAMILY_CUSTOM, sobolev_p, one, NULL, {NULL, NULL}, user_sobolev_p, user_one, 0},
    {"custom as laplace",
     ENTROPIC_FAMILY_CUSTOM,
     laplace_p,
     laplace_q,
     NULL,
     {NULL, NULL},
     user_laplace_p,
     user_laplace_q,
     0},
    {"custom as brownian", ENTROPIC_FAMILY_CUSTOM, brownian_p, one, NULL, {NULL, NULL}, user_brownian_p, user_one, 0},
    {"custom as bridge",
     ENTROPIC_FAMILY_CUSTOM,
     bridge_p,
     bridge_q,
     NULL,
     {NULL, NULL},
     user_bridge_p,
     user_bridge_q,
     0},
    {"custom of its own", ENTROPIC_FAMILY_CUSTOM, other_p, other_q, NULL, {NULL, NULL}, user_other_p, user_other_q, 0},
    {"centred, smooth 2", ENTROPIC_FAMILY_CENTRED, sobolev_p, one, straight_wedge, {one, centred_line}, NULL, NULL, 2},
    {"centred, smooth 3", ENTROPIC_FAMILY_CENTRED, sobolev_p, one, straight_wedge, {one, centred_line}, NULL, NULL, 3},
};
#define REF_FAMILIES COUNT(ref_families)

/* The one of that name, which must be there. */
static inline const ref_family *ref_named(const char *name) {
  for (size_t i = 0; i < REF_FAMILIES; i++)
    if (strcmp(ref_families[i].name, name) == 0)
      return &ref_families[i];
  print_error("tests/unit/reference.h does not say what to expect of the kernel %s\n", name);
  fail();
  return NULL;
}

typedef enum ref_kind {
  REF_BUILT_IN, /* the families of the library, all of them */
  REF_LIBRARY,  /* the same, and with smooth atoms too */
  REF_CUSTOM,   /* the caller's p and q */
  REF_BASIS,    /* all that have orthogonal atoms */
  REF_ALL
} ref_kind;

static inline bool ref_is(const ref_family *family, ref_kind kind) {
  switch (kind) {
  case REF_BUILT_IN:
    return family->user_p == NULL && family->smooth == 0;
  case REF_LIBRARY:
    return family->user_p == NULL;
  case REF_CUSTOM:
    return family->user_p != NULL;
  case REF_BASIS:
    return family->smooth == 0;
  case REF_ALL:
    return true;
  }
  return false;
}

/* Fails if the library has a family of numbers that is not in the table. */
static inline void ref_check_complete(void) {
  for (size_t i = 0; i < ent_family_count(); i++) {
    entropic_family family = (entropic_family)i;
    if (!entropic_family_has(family, ENTROPIC_TRAIT_CATEGORIES) &&
        !entropic_family_has(family, ENTROPIC_TRAIT_FUNCTIONS))
      assert_int_equal(ref_named(entropic_family_name(family))->family, family);
  }
}

/* The next one of that kind; the first behind NULL, and NULL behind the last. */
static inline const ref_family *ref_next(const ref_family *before, ref_kind kind) {
  if (before == NULL)
    ref_check_complete();
  const ref_family *at = before == NULL ? ref_families : before + 1;
  while (at < ref_families + REF_FAMILIES && !ref_is(at, kind))
    at++;
  return at < ref_families + REF_FAMILIES ? at : NULL;
}

/* Number n of that kind, counted round and round. */
static inline const ref_family *ref_nth(size_t n, ref_kind kind) {
  const ref_family *at = ref_next(NULL, kind);
  for (; n > 0; n--) {
    const ref_family *next = ref_next(at, kind);
    at = next != NULL ? next : ref_next(NULL, kind);
  }
  return at;
}

static inline const ref_family *ref_random(entropic_random *random, ref_kind kind) {
  size_t count = 0;
  for (const ref_family *family = NULL; (family = ref_next(family, kind)) != NULL;)
    count++;
  return ref_nth((size_t)entropic_random_below(random, count), kind);
}

/* exp(w) must be a double for a custom laplace. */
static inline bool ref_takes(const ref_family *family, double omega) {
  return family->user_p != user_laplace_p || omega <= 300;
}

/* How many boundary atoms there are: k(.,0) and k(.,1), where they are not 0. */
static inline size_t ref_boundary(const ref_family *family) {
  if (family->family == ENTROPIC_FAMILY_PERIODIC)
    return 1; /* the ends are one point */
  return (size_t)(family->p(1, 0) > 0) + (size_t)(family->q(1, 1) > 0);
}

/* omega must outlive the kernel. */
static inline entropic_axis_options ref_options(const ref_family *family, double *omega, entropic_basis basis,
                                                int max_level) {
  entropic_axis_options options = ent_axis_options_default();
  options.family = family->family;
  options.basis = basis;
  options.omega = *omega;
  options.max_level = max_level;
  options.smooth = basis == ENTROPIC_BASIS_FULL ? family->smooth : 0;
  options.p = family->user_p;
  options.q = family->user_q;
  options.user = omega;
  return options;
}

static inline entropic_axis_options category_options(size_t categories, double omega) {
  entropic_axis_options options = ent_axis_options_default();
  options.family = ENTROPIC_FAMILY_CATEGORY;
  options.categories = categories;
  options.omega = omega;
  return options;
}

static inline entropic_kernel *make_kernel(const entropic_axis_options *axes, size_t count, size_t inputs) {
  entropic_context *context = NULL;
  entropic_kernel *kernel = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  if (ent_kernel_create(context, axes, count, inputs, &kernel) != ENTROPIC_OK) {
    print_error("%s\n", entropic_context_message(context));
    fail();
  }
  entropic_context_free(context);
  return kernel;
}

static inline entropic_kernel *ref_kernel_make(const ref_family *family, double *omega, entropic_basis basis,
                                               int max_level) {
  entropic_axis_options options = ref_options(family, omega, basis, max_level);
  return make_kernel(&options, 1, 1);
}

static inline entropic_level level_of(const entropic_kernel *kernel, size_t input, size_t level) {
  entropic_level info;
  assert_int_equal(ent_kernel_level(NULL, kernel, input, level, &info), ENTROPIC_OK);
  return info;
}

static inline double atom_at(const entropic_kernel *kernel, size_t input, size_t level, double x, uint64_t *atom) {
  double value = NAN;
  uint64_t found = UINT64_MAX;
  assert_int_equal(entropic_kernel_atom(NULL, kernel, input, level, x, &found, &value), ENTROPIC_OK);
  if (atom != NULL)
    *atom = found;
  return value;
}

/* p(y)q(x) - p(x)q(y) */
static inline wide ref_wedge(const ref_family *family, wide w, wide x, wide y) {
  return family->p(w, y) * family->q(w, x) - family->p(w, x) * family->q(w, y);
}

/* What is left of k between A and B when its values there are known: the kernel of the space of functions that vanish at
 * A and B. For sobolev w (x-A)(B-y)/(B-A), for laplace 2 sinh(w(x-A)) sinh(w(B-y)) / sinh(w(B-A)). x <= y. */
static inline wide ref_tail(const ref_family *family, wide w, wide A, wide B, wide x, wide y) {
  return ref_wedge(family, w, A, x) * ref_wedge(family, w, y, B) / ref_wedge(family, w, A, B);
}

/* Legendre's P_j(2x-1), written out. */
static inline wide ref_legendre(int degree, wide x) {
  wide t = 2 * x - 1;
  return degree == 2 ? (3 * t * t - 1) / 2 : (5 * t * t * t - 3 * t) / 2;
}

/* The full kernel; x <= y. */
static inline wide ref_kernel(const ref_family *family, wide w, wide x, wide y) {
  if (family->family == ENTROPIC_FAMILY_PERIODIC)
    return 1 + w * x * (1 - y);
  if (family->family != ENTROPIC_FAMILY_CENTRED)
    return family->p(w, x) * family->q(w, y);
  wide sum = 1 + w / 4 - w * (y - x) / 2;
  if (family->smooth >= 2)
    sum += w / 12 / 4 * 5 * ref_legendre(2, x) * ref_legendre(2, y);
  if (family->smooth >= 3)
    sum += w / 12 / 16 * 7 * ref_legendre(3, x) * ref_legendre(3, y);
  return sum;
}

/* The hat with node z and neighbours z -+ h, without its norm. */
static inline wide ref_hat(const ref_family *family, wide w, wide z, wide h, wide x) {
  if (x <= z - h || x >= z + h)
    return 0;
  return x <= z ? ref_wedge(family, w, z - h, x) / ref_wedge(family, w, z - h, z)
                : ref_wedge(family, w, x, z + h) / ref_wedge(family, w, z, z + h);
}

/* c of that hat: one over its squared norm. */
static inline wide ref_norm(const ref_family *family, wide w, wide z, wide h) {
  return ref_wedge(family, w, z, z + h) * ref_wedge(family, w, z - h, z) / ref_wedge(family, w, z - h, z + h);
}

/* ---- Designs ---- */

static inline entropic_design *make_design(const entropic_kernel *kernel, const entropic_design_options *options) {
  entropic_context *context = NULL;
  entropic_design *design = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  if (ent_design_create(context, kernel, options, &design) != ENTROPIC_OK) {
    print_error("%s\n", entropic_context_message(context));
    fail();
  }
  entropic_context_free(context);
  return design;
}

static inline entropic_group group_of(const entropic_design *design, size_t group) {
  entropic_group info;
  assert_int_equal(ent_design_group(NULL, design, group, &info), ENTROPIC_OK);
  return info;
}

/* One feature, written so that equal features are equal bytes. */
#define MOST_TERMS 16
typedef struct listed {
  size_t terms[2 * MOST_TERMS]; /* input + 1, level + 1, zeros behind the last */
  uint64_t member;
} listed;

/* All features in order; to be freed. */
static inline listed *list_features(const entropic_design *design) {
  listed *list = calloc(entropic_design_features(design), sizeof *list);
  assert_non_null(list);
  size_t count = 0;
  for (size_t g = 0; g < entropic_design_groups(design); g++) {
    entropic_group group = group_of(design, g);
    assert_int_equal(group.first_feature, count);
    assert_true(group.terms_count <= MOST_TERMS);
    for (size_t f = 0; f < group.features; f++, count++) {
      for (size_t t = 0; t < group.terms_count; t++) {
        list[count].terms[2 * t] = group.terms[t].input + 1;
        list[count].terms[2 * t + 1] = group.terms[t].level + 1;
      }
      list[count].member = group.members != NULL ? group.members[f] : f;
      assert_true(list[count].member < group.atoms);
    }
  }
  assert_int_equal(count, entropic_design_features(design));
  return list;
}

static inline int compare_listed(const void *a, const void *b) {
  return memcmp(a, b, sizeof(listed));
}

static inline void sort_listed(listed *list, size_t count) {
  qsort(list, count, sizeof *list, compare_listed);
}

static inline void assert_no_duplicates(const listed *sorted, size_t count) {
  for (size_t i = 1; i < count; i++)
    assert_true(compare_listed(&sorted[i - 1], &sorted[i]) != 0);
}

#endif
