/* Atoms point by point: which one, and its value, also at the ends, at nodes, beside them, and out of range. */
#include <float.h>

#include "axis/kernel.h"
#include "unit/reference.h"

static const double omegas[] = {1e-6, 1e-3, 0.5, 1, 15.9, 16.1, 32.5, 700, 3e3, 1e4};
#define OMEGAS COUNT(omegas)

/* The value of an atom in closed form. */
static wide expected_value(const ref_family *family, double omega, size_t level, const entropic_level *info, double x) {
  if (info->kind != ENTROPIC_LEVEL_KIND_HAT)
    return family->boundary[level](omega, x);
  wide h = wide_power_of_two(-info->order), cell = floor(ldexp(x, info->order - 1));
  if (cell >= (wide)info->atoms)
    cell = (wide)info->atoms - 1;
  wide from_left = x - 2 * cell * h, from_right = 2 * (cell + 1) * h - x, top = family->wedge(omega, h);
  wide height = family->wedge(omega, from_left < from_right ? from_left : from_right) / top;
  return wide_sqrt(top * (top / family->wedge(omega, 2 * h))) * height;
}

static void check_point(const ref_family *family, double omega, const entropic_kernel *kernel, size_t level, double x) {
  entropic_level info = level_of(kernel, 0, level);
  uint64_t atom;
  double value = atom_at(kernel, 0, level, x, &atom);
  wide expected = expected_value(family, omega, level, &info, x);
  if (info.kind == ENTROPIC_LEVEL_KIND_HAT) {
    uint64_t cell = (uint64_t)ldexp(x, info.order - 1);
    assert_true(atom == (cell < info.atoms ? cell : info.atoms - 1));
  } else {
    assert_true(atom == 0);
  }
  /* The lift relies on these bounds: it multiplies without looking for underflow. */
  const ent_level *own = &kernel->axes[0]->levels[level];
  if (value != 0 && (x == 0 || x >= 0x1p-60))
    assert_true(fabs(value) >= ldexp(1, own->floor) && fabs(value) <= ldexp(1, own->ceiling));
  /* w x is rounded before exp, sinh sees it; the smallest numbers have few digits. */
  wide tolerance = (4e-15 + 3e-16 * omega) * wide_abs(expected) + 1e-315;
  assert_near(value, expected, tolerance, "%s, w = %g, kind %d order %d at %.17g", family->name, omega, (int)info.kind,
              info.order, x);
}

/* Nodes of several levels with the doubles beside them, ends, and the smallest doubles. */
static size_t special_points(double *points) {
  size_t count = 0;
  const double nodes[] = {0x1p-30, 0x1p-29, 3 * 0x1p-30, 0x1p-14, 0.125,  0.25,        0.375,
                          0.5,     0.625,   0.75,        0.875,   0.9375, 1 - 0x1p-14, 1 - 0x1p-30};
  for (size_t i = 0; i < COUNT(nodes); i++) {
    points[count++] = nodes[i];
    points[count++] = nextafter(nodes[i], 0);
    points[count++] = nextafter(nodes[i], 1);
  }
  const double others[] = {0,      1,       nextafter(1, 0), nextafter(0, 1), 1e-310, DBL_MIN,
                           1e-300, 0x1p-60, 1e-17,           1.0 / 3,         0.1,    0.7};
  for (size_t i = 0; i < COUNT(others); i++)
    points[count++] = others[i];
  return count;
}

/* What can be written down of the hats is what p and q make. */
static void wedges_are_those_of_the_pair(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(12, 0);
  for (const ref_family *family = NULL; (family = ref_next(family, REF_BUILT_IN)) != NULL;)
    for (size_t i = 0; i < rounds(200); i++) {
      wide w = exp2(entropic_random_uniform(&random) * 16 - 8), x = entropic_random_uniform(&random);
      wide y = x + (1 - x) * entropic_random_uniform(&random), expected = ref_wedge(family, w, x, y);
      assert_near(family->wedge(w, y - x), expected, 1e-20 * (1 + expected), "%s, w = %g", family->name, (double)w);
    }
}

static void atoms_are_the_formulas(void **state) {
  (void)state;
  double points[100];
  size_t special = special_points(points);
  entropic_random random = entropic_random_start(11, 0);
  for (const ref_family *family = NULL; (family = ref_next(family, REF_BUILT_IN)) != NULL;)
    for (size_t i = 0; i < OMEGAS; i++) {
      double omega = omegas[i];
      entropic_kernel *kernel = ref_kernel_make(family, &omega, ENTROPIC_BASIS_FULL, ENTROPIC_MAX_LEVEL);
      for (size_t level = 0; level < entropic_kernel_levels(kernel, 0); level++) {
        for (size_t j = 0; j < special; j++)
          check_point(family, omega, kernel, level, points[j]);
        for (size_t j = 0; j < rounds(100); j++)
          check_point(family, omega, kernel, level, entropic_random_uniform(&random));
      }
      entropic_kernel_free(kernel);
    }
}

/* P_j(2x-1) = sum over k of (-1)^(j+k) C(j,k) C(j+k,k) x^k. */
static void legendre_atoms_are_the_polynomials(void **state) {
  (void)state;
  double omega = 3;
  entropic_axis_options options = ref_options(ref_named("centred"), &omega, ENTROPIC_BASIS_FULL, 4);
  options.smooth = 8;
  entropic_kernel *kernel = make_kernel(&options, 1, 1);
  assert_int_equal(entropic_kernel_levels(kernel, 0), 2 + 7 + 4);
  for (int j = 2; j <= 8; j++)
    for (int i = 0; i <= 64; i++) {
      wide x = i / (wide)64, power = 1, sum = 0, coefficient = 1;
      for (int k = 0; k <= j; k++) {
        sum += ((j + k) % 2 ? -1 : 1) * coefficient * power;
        power *= x;
        coefficient = coefficient * (j - k) * (j + k + 1) / ((k + 1) * (k + 1));
      }
      wide norm = wide_sqrt((wide)omega / 12 * wide_power_of_two(-2 * (j - 1)) * (2 * j + 1));
      assert_near(atom_at(kernel, 0, (size_t)j, i / 64.0, NULL), norm * sum, 1e-15, "degree %d at %d/64", j, i);
    }
  entropic_kernel_free(kernel);
}

/* Exactly 0 at the ends of every support, so that neighbours meet in 0. */
static void hats_vanish_at_their_ends(void **state) {
  (void)state;
  for (const ref_family *family = NULL; (family = ref_next(family, REF_BASIS)) != NULL;) {
    double omega = 5;
    entropic_kernel *kernel = ref_kernel_make(family, &omega, ENTROPIC_BASIS_INTERIOR, 12);
    for (size_t l = 1; l <= 12; l++) {
      uint64_t atom, last = (UINT64_C(1) << (l - 1)) - 1;
      for (uint64_t k = 0; k <= last; k++) {
        assert_true(atom_at(kernel, 0, l - 1, ldexp((double)k, 1 - (int)l), &atom) == 0);
        assert_true(atom == k);
      }
      assert_true(atom_at(kernel, 0, l - 1, 1, &atom) == 0);
      assert_true(atom == last);
    }
    entropic_kernel_free(kernel);
  }
}

static void kinds_of_levels(void **state) {
  (void)state;
  for (const ref_family *family = NULL; (family = ref_next(family, REF_BASIS)) != NULL;) {
    double omega = 2;
    entropic_kernel *full = ref_kernel_make(family, &omega, ENTROPIC_BASIS_FULL, 6);
    entropic_kernel *interior = ref_kernel_make(family, &omega, ENTROPIC_BASIS_INTERIOR, 6);
    size_t boundary = ref_boundary(family);
    entropic_level_kind first = level_of(full, 0, 0).kind;
    assert_int_equal(entropic_kernel_levels(full, 0), boundary + 6);
    assert_int_equal(entropic_kernel_levels(interior, 0), 6);
    assert_int_equal(first == ENTROPIC_LEVEL_KIND_CONSTANT,
                     entropic_family_has(family->family, ENTROPIC_TRAIT_CONSTANT));
    assert_int_equal(first == ENTROPIC_LEVEL_KIND_HAT, boundary == 0);
    if (boundary == 2)
      assert_int_equal(level_of(full, 0, 1).kind, ENTROPIC_LEVEL_KIND_LINEAR);
    for (size_t l = 0; l < 6; l++) {
      entropic_level a = level_of(full, 0, boundary + l), b = level_of(interior, 0, l);
      assert_int_equal(a.kind, ENTROPIC_LEVEL_KIND_HAT);
      assert_int_equal(b.kind, ENTROPIC_LEVEL_KIND_HAT);
      assert_int_equal(a.order, l + 1);
      assert_true(a.atoms == UINT64_C(1) << l && b.atoms == a.atoms && a.sup == b.sup && a.l2 == b.l2);
    }
    entropic_kernel_free(full);
    entropic_kernel_free(interior);
  }
}

static void unit_height_hats_reach_one(void **state) {
  (void)state;
  for (const ref_family *family = NULL; (family = ref_next(family, REF_BASIS)) != NULL;) {
    double omega = 3;
    entropic_axis_options options = ref_options(family, &omega, ENTROPIC_BASIS_INTERIOR, 9);
    entropic_kernel *normed = make_kernel(&options, 1, 1);
    options.unit_height = 1;
    entropic_kernel *unit = make_kernel(&options, 1, 1);
    for (size_t l = 1; l <= 9; l++)
      for (int i = 1; i < 40; i++) {
        double h = ldexp(1, -(int)l), x = i / 40.0;
        assert_close(atom_at(unit, 0, l - 1, h, NULL), 1, 1e-15);
        uint64_t atom;
        double value = atom_at(unit, 0, l - 1, x, &atom), node = (2 * (double)atom + 1) * h;
        assert_near(value * atom_at(normed, 0, l - 1, node, NULL), atom_at(normed, 0, l - 1, x, NULL), 1e-14,
                    "%s, level %zu", family->name, l);
      }
    assert_true(ent_kernel_axis_value(unit, 0, 0.3, 0.6) == ent_kernel_axis_value(normed, 0, 0.3, 0.6));
    entropic_kernel_free(normed);
    entropic_kernel_free(unit);
  }
}

static void points_outside_are_clamped(void **state) {
  (void)state;
  for (const ref_family *family = NULL; (family = ref_next(family, REF_ALL)) != NULL;) {
    double omega = 2;
    entropic_kernel *kernel = ref_kernel_make(family, &omega, ENTROPIC_BASIS_FULL, 8);
    for (size_t level = 0; level < entropic_kernel_levels(kernel, 0); level++) {
      const double below[] = {-1, -1e300, -0.0, -5e-324, -DBL_MAX}, above[] = {1.5, nextafter(1, 2), 1e300, DBL_MAX};
      uint64_t first, last, atom;
      double at_0 = atom_at(kernel, 0, level, 0, &first), at_1 = atom_at(kernel, 0, level, 1, &last);
      for (size_t i = 0; i < COUNT(below); i++)
        assert_true(atom_at(kernel, 0, level, below[i], &atom) == at_0 && atom == first);
      for (size_t i = 0; i < COUNT(above); i++)
        assert_true(atom_at(kernel, 0, level, above[i], &atom) == at_1 && atom == last);
    }
    assert_true(ent_kernel_axis_value(kernel, 0, -7, 9) == ent_kernel_axis_value(kernel, 0, 0, 1));
    entropic_kernel_free(kernel);
  }
}

static void what_is_no_number_is_refused(void **state) {
  (void)state;
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  double omega = 1;
  entropic_kernel *kernel = ref_kernel_make(ref_named("centred"), &omega, ENTROPIC_BASIS_FULL, 3);
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < COUNT(bad); i++) {
    uint64_t atom = 77;
    double value = -5;
    assert_int_equal(entropic_kernel_atom(context, kernel, 0, 2, bad[i], &atom, &value), ENTROPIC_BAD_DATA);
    assert_message(context, "x: ");
    assert_true(atom == 77 && value == -5);
  }
  uint64_t atom = 77;
  double value = -5;
  entropic_level info = {.order = 99};
  assert_int_equal(entropic_kernel_atom(context, kernel, 1, 0, 0.5, &atom, &value), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "input");
  assert_int_equal(entropic_kernel_atom(context, kernel, 0, 5, 0.5, &atom, &value), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "level");
  assert_int_equal(ent_kernel_level(context, kernel, 1, 0, &info), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "input");
  assert_int_equal(ent_kernel_level(context, kernel, 0, SIZE_MAX, &info), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "level");
  assert_true(atom == 77 && value == -5 && info.order == 99);
  assert_int_equal(entropic_kernel_levels(kernel, 1), 0);
  entropic_kernel_free(kernel);
  entropic_context_free(context);
}

SUITE(axis_atoms) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wedges_are_those_of_the_pair),
      cmocka_unit_test(atoms_are_the_formulas),
      cmocka_unit_test(legendre_atoms_are_the_polynomials),
      cmocka_unit_test(hats_vanish_at_their_ends),
      cmocka_unit_test(kinds_of_levels),
      cmocka_unit_test(unit_height_hats_reach_one),
      cmocka_unit_test(points_outside_are_clamped),
      cmocka_unit_test(what_is_no_number_is_refused),
  };
  return cmocka_run_group_tests_name("axis: atoms", tests, NULL, NULL);
}
