/* Atoms are orthonormal, and c is the norm constant.
 *
 * An atom is a combination of kernel sections k(.,u) at the ends and the node of its support (boundary atoms: at 0 and 1).
 * The coefficients follow from its values there, and inner products then from <k(.,u), g> = g(u). */
#include "unit/reference.h"

#define LEVELS 5
#define MOST_ATOMS 40

typedef struct combination {
  size_t level;
  uint64_t atom;
  int count; /* of points */
  double points[3];
  wide weights[3];
} combination;

typedef struct space {
  const ref_family *family;
  double omega;
  entropic_kernel *kernel;
  combination atoms[MOST_ATOMS];
  size_t count;
} space;

static wide section(const space *in, double x, double y) {
  return ref_kernel(in->family, in->omega, fmin(x, y), fmax(x, y));
}

/* The value of one atom, which is 0 where another of its level has its support. */
static double value_of(const space *in, const combination *one_atom, double x) {
  uint64_t atom;
  double value = atom_at(in->kernel, 0, one_atom->level, x, &atom);
  return atom == one_atom->atom ? value : 0;
}

/* Solves K weights = values by elimination with pivots. */
static void solve(const space *in, combination *atom) {
  wide matrix[3][4];
  int n = atom->count;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      matrix[i][j] = section(in, atom->points[i], atom->points[j]);
    matrix[i][n] = value_of(in, atom, atom->points[i]);
  }
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (wide_abs(matrix[i][k]) > wide_abs(matrix[pivot][k]))
        pivot = i;
    for (int j = 0; j <= n; j++) {
      wide swapped = matrix[k][j];
      matrix[k][j] = matrix[pivot][j];
      matrix[pivot][j] = swapped;
    }
    for (int i = 0; i < n; i++)
      for (int j = n; i != k && j >= k; j--)
        matrix[i][j] -= matrix[i][k] / matrix[k][k] * matrix[k][j];
  }
  for (int i = 0; i < n; i++)
    atom->weights[i] = matrix[i][n] / matrix[i][i];
}

static void add_atom(space *in, size_t level, uint64_t atom, const double *points, int count) {
  combination *added = &in->atoms[in->count++];
  *added = (combination){.level = level, .atom = atom};
  for (int i = 0; i < count; i++)
    if (section(in, points[i], points[i]) > 0 && /* k(.,u) = 0 where k(u,u) = 0 */
        !(points[i] == 1 && points[0] == 0 && in->family->family == ENTROPIC_FAMILY_PERIODIC)) /* one point */
      added->points[added->count++] = points[i];
  solve(in, added);
}

static void collect(space *in) {
  for (size_t level = 0; level < entropic_kernel_levels(in->kernel, 0); level++) {
    entropic_level info = level_of(in->kernel, 0, level);
    const double ends[2] = {0, 1};
    if (info.kind != ENTROPIC_LEVEL_KIND_HAT)
      add_atom(in, level, 0, ends, 2);
    for (uint64_t i = 0; info.kind == ENTROPIC_LEVEL_KIND_HAT && i < info.atoms; i++) {
      double h = ldexp(1, -info.order), z = (2 * (double)i + 1) * h;
      const double points[3] = {z - h, z, z + h};
      add_atom(in, level, i, points, 3);
    }
  }
}

/* The atom is the combination everywhere, not only at the points it was solved from. */
static void check_combination(const space *in, const combination *atom) {
  for (int i = 0; i <= 32; i++) {
    double x = (i + 0.37) / 33;
    wide sum = 0, size = 1;
    for (int j = 0; j < atom->count; j++) {
      sum += atom->weights[j] * section(in, x, atom->points[j]);
      size += wide_abs(atom->weights[j]) * section(in, atom->points[j], atom->points[j]);
    }
    assert_near(value_of(in, atom, x), sum, 1e-14 * size, "%s, w = %g, level %zu, atom %d at %g", in->family->name,
                in->omega, atom->level, (int)atom->atom, x);
  }
}

static void check_space(const ref_family *family, double omega) {
  space all = {.family = family, .omega = omega};
  all.kernel = ref_kernel_make(family, &omega, ENTROPIC_BASIS_FULL, LEVELS);
  collect(&all);
  assert_true(all.count >= 31);
  for (size_t i = 0; i < all.count; i++) {
    check_combination(&all, &all.atoms[i]);
    for (size_t j = 0; j < all.count; j++) {
      wide product = 0;
      for (int k = 0; k < all.atoms[i].count; k++)
        product += all.atoms[i].weights[k] * value_of(&all, &all.atoms[j], all.atoms[i].points[k]);
      assert_near(product, i == j ? 1 : 0, 1e-11, "%s, w = %g, atoms %zu and %zu", family->name, omega, i, j);
    }
  }
  entropic_kernel_free(all.kernel);
}

static void atoms_are_orthonormal(void **state) {
  (void)state;
  const double omegas[] = {1e-3, 0.1, 1, 7, 60, 250};
  for (const ref_family *family = NULL; (family = ref_next(family, REF_BASIS)) != NULL;)
    for (size_t i = 0; i < rounds(6); i++)
      check_space(family, omegas[i]);
}

/* Legendre atoms make a frame: the polynomial is no part of the kernel's own basis, and not orthogonal to its hats. */
static void smooth_atoms_are_not_orthogonal(void **state) {
  (void)state;
  double omega = 1;
  entropic_kernel *kernel = ref_kernel_make(ref_named("centred, smooth 2"), &omega, ENTROPIC_BASIS_FULL, 1);
  assert_int_equal(entropic_kernel_levels(kernel, 0), 4);
  assert_int_equal(level_of(kernel, 0, 2).kind, ENTROPIC_LEVEL_KIND_LEGENDRE);
  /* In the space of the plain centred kernel the hat is -+ sections at 0, 1/2, 1; its product with P_2 is not 0. */
  double hat = atom_at(kernel, 0, 3, 0.5, NULL);
  wide weight = -hat / 0.5 / omega; /* second differences: k(.,u) has the kink -w at u, the hat -4 hat at 1/2 */
  wide product = 0;
  const double points[3] = {0, 0.5, 1}, kinks[3] = {1, -2, 1};
  for (int i = 0; i < 3; i++)
    product += weight * kinks[i] * atom_at(kernel, 0, 2, points[i], NULL);
  assert_true(wide_abs(product) > 0.1);
  entropic_kernel_free(kernel);
}

/* c to level 30 for every omega, against its formula. */
static void norm_constant_is_the_formula(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(3, 0);
  for (const ref_family *family = NULL; (family = ref_next(family, REF_BUILT_IN)) != NULL;)
    for (int e = -6; e <= 4; e++) {
      double omega = pow(10, e);
      entropic_kernel *kernel = ref_kernel_make(family, &omega, ENTROPIC_BASIS_INTERIOR, ENTROPIC_MAX_LEVEL);
      assert_int_equal(entropic_kernel_levels(kernel, 0), ENTROPIC_MAX_LEVEL);
      for (int l = 1; l <= ENTROPIC_MAX_LEVEL; l++) {
        entropic_level info = level_of(kernel, 0, (size_t)l - 1);
        assert_int_equal(info.order, l);
        assert_true(info.atoms == UINT64_C(1) << (l - 1));
        uint64_t i = entropic_random_below(&random, info.atoms), found;
        wide h = ldexp(1, -l), z = (2 * (wide)i + 1) * h;
        wide c = ref_norm(family, omega, z, h);
        assert_true(info.sup > 0 && info.l2 > 0 && isfinite(info.sup) && isfinite(info.l2));
        /* the formula itself takes differences of size w^2 h from numbers of size 1 */
        wide digits = 1e-14 + 4e-33 / (h * (omega < 1 ? omega * omega : 1));
        assert_near(info.sup, c, digits * c, "%s, w = %g, c of level %d", family->name, omega, l);
        double value = atom_at(kernel, 0, (size_t)l - 1, (double)z, &found);
        assert_true(found == i);
        assert_near(value, wide_sqrt(c), digits * wide_sqrt(c), "%s, w = %g, node of level %d", family->name, omega, l);
      }
      entropic_kernel_free(kernel);
    }
}

/* The closed forms, by the C library. */
static void norm_constant_in_closed_form(void **state) {
  (void)state;
  double omega = 8;
  entropic_kernel *laplace = ref_kernel_make(ref_named("laplace"), &omega, ENTROPIC_BASIS_INTERIOR, 4);
  entropic_kernel *cosines = ref_kernel_make(ref_named("cosh"), &omega, ENTROPIC_BASIS_INTERIOR, 4);
  entropic_kernel *bridge = ref_kernel_make(ref_named("bridge"), &omega, ENTROPIC_BASIS_INTERIOR, 4);
  for (size_t l = 1; l <= 4; l++) {
    double h = ldexp(1, -(int)l);
    assert_close(level_of(laplace, 0, l - 1).sup, tanh(omega * h), 1e-15);
    assert_close(level_of(cosines, 0, l - 1).sup, 4 * tanh(omega * h), 1e-14);
    assert_true(level_of(bridge, 0, l - 1).sup == h / 2);
  }
  /* where the paper's order of sets fails: C_(4,1) < C_(3,3) though 4 + 1 < 3 + 3 */
  double c1 = level_of(laplace, 0, 0).sup, c3 = level_of(laplace, 0, 2).sup, c4 = level_of(laplace, 0, 3).sup;
  assert_close(c4 * c1, 0.462, 5e-4);
  assert_close(c3 * c3, 0.580, 5e-4);
  entropic_kernel_free(laplace);
  entropic_kernel_free(cosines);
  entropic_kernel_free(bridge);
}

SUITE(axis_orthogonality) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(atoms_are_orthonormal),
      cmocka_unit_test(smooth_atoms_are_not_orthogonal),
      cmocka_unit_test(norm_constant_is_the_formula),
      cmocka_unit_test(norm_constant_in_closed_form),
  };
  return cmocka_run_group_tests_name("axis: orthogonality", tests, NULL, NULL);
}
