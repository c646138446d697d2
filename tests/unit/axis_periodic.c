/* The periodic axis: its ends are one point. */
#include <math.h>

#include "unit/lifting.h"
#include "select/pool_parts.h"

static entropic_kernel *make(double omega, int smooth, int missing, int level) {
  entropic_axis_options options = ent_axis_options_default();
  options.family = ENTROPIC_FAMILY_PERIODIC;
  options.omega = omega;
  options.smooth = smooth;
  options.missing = missing;
  options.max_level = level;
  return make_kernel(&options, 1, 1);
}

/* Every atom has the same value at 0 and 1, bit for bit, and there is no line. */
static void ends_are_one_point(void **state) {
  (void)state;
  for (int smooth = 0; smooth <= 8; smooth += smooth == 0 ? 2 : 1)
    for (int missing = 0; missing < 2; missing++) {
      entropic_kernel *kernel = make(2.5, smooth, missing, 12);
      for (size_t level = 0; level < entropic_kernel_levels(kernel, 0); level++) {
        assert_int_not_equal(level_of(kernel, 0, level).kind, ENTROPIC_LEVEL_KIND_LINEAR);
        assert_true(atom_at(kernel, 0, level, 0, NULL) == atom_at(kernel, 0, level, 1, NULL));
      }
      for (int i = 0; i <= 64; i++)
        assert_true(fabs(ent_kernel_axis_value(kernel, 0, 0, i / 64.0) -
                         ent_kernel_axis_value(kernel, 0, 1, i / 64.0)) <= 1e-15);
      entropic_kernel_free(kernel);
    }
}

/* Smooth atoms are sines and cosines; their scores are the integral and the maximum of their squares. */
static void smooth_atoms_are_waves(void **state) {
  (void)state;
  entropic_kernel *kernel = make(3, 8, 0, 3);
  for (int order = 2; order <= 8; order++) {
    size_t level = (size_t)order - 1;
    entropic_level info = level_of(kernel, 0, level);
    assert_int_equal(info.kind, ENTROPIC_LEVEL_KIND_LEGENDRE);
    assert_int_equal(info.order, order);
    assert_true(info.l2 == 3 / 3.0 * ldexp(1, -2 * order) && info.sup == 2 * info.l2);
    int waves = order / 2;
    char name[16], expected[16];
    snprintf(expected, sizeof expected, "%s%d", order % 2 == 0 ? "cos" : "sin", waves);
    assert_int_equal(entropic_kernel_level_name(kernel, 0, level, name, sizeof name), strlen(expected));
    assert_string_equal(name, expected);
    assert_int_equal(entropic_kernel_level_name(kernel, 0, level, name, 3), strlen(expected)); /* cut off */
    assert_int_equal(strlen(name), 2);
    double most = 0, square = 0, scale = sqrt(info.sup);
    for (int i = 0; i < 4096; i++) {
      double x = i / 4096.0, at = 6.283185307179586476925 * waves * x;
      double value = atom_at(kernel, 0, level, x, NULL);
      assert_true(fabs(value - scale * (order % 2 == 0 ? cos(at) : sin(at))) <= 4e-15 * scale);
      assert_true(fabs(value) <= scale); /* exact statistics rest on this */
      most = fmax(most, fabs(value));
      square += value * value / 4096;
    }
    assert_true(fabs(most - scale) <= 1e-15 && fabs(square - info.l2) <= 1e-14);
  }
  entropic_kernel_free(kernel);
}

/* Selection starts from the first waves and the first hat: none of them leads to the others. */
static void what_opens(void **state) {
  (void)state;
  entropic_kernel *kernel = make(1, 5, 0, 6);
  const ent_axis *axis = kernel->axes[0];
  for (size_t level = 0; level < axis->level_count; level++) {
    entropic_level info = axis->levels[level].info;
    bool first = info.kind == ENTROPIC_LEVEL_KIND_HAT ? info.order == 1 : info.order == 2 || info.order == 3;
    assert_int_equal(ent_level_opens(axis, level), first);
  }
  entropic_kernel_free(kernel);
}

SUITE(axis_periodic) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_are_one_point), cmocka_unit_test(smooth_atoms_are_waves),
                                     cmocka_unit_test(what_opens)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
