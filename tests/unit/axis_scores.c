/* Scores of levels: l2 is the integral of the atom's square and sup its largest square, as the atoms themselves show. */
#include "unit/reference.h"

static const double omegas[] = {1e-6, 1e-4, 1e-2, 0.3, 1, 3, 10, 100, 1e3, 1e4};
#define OMEGAS COUNT(omegas)

/* A Gauss rule on [0,1]. */
#define GAUSS 16
typedef struct rule {
  int count;
  double nodes[GAUSS], weights[GAUSS];
} rule;
static rule fine = {.count = GAUSS}, coarse = {.count = 4};

/* By Newton's method on Legendre's polynomial. */
static void fill_rule(rule *made) {
  int n = made->count;
  for (int i = 0; i < n; i++) {
    double t = cos(acos(-1) * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int step = 0; step < 10; step++) {
      double before = 1, value = t;
      for (int j = 2; j <= n; j++) {
        double next = ((2 * j - 1) * t * value - (j - 1) * before) / j;
        before = value;
        value = next;
      }
      slope = n * (before - t * value) / (1 - t * t);
      t -= value / slope;
    }
    made->nodes[i] = (1 + t) / 2;
    made->weights[i] = 1 / ((1 - t * t) * slope * slope);
  }
}

static int make_rules(void **state) {
  (void)state;
  fill_rule(&fine);
  fill_rule(&coarse);
  return 0;
}

typedef struct measured {
  double square;  /* integral of the square */
  double largest; /* square */
} measured;

static void add_panel(const entropic_kernel *kernel, size_t level, double from, double to, measured *sum) {
  double panel = 0;
  for (int i = 0; i < GAUSS; i++) {
    double value = atom_at(kernel, 0, level, from + (to - from) * fine.nodes[i], NULL);
    panel += fine.weights[i] * value * value;
    sum->largest = larger(sum->largest, value * value);
  }
  double end = atom_at(kernel, 0, level, to, NULL);
  sum->largest = larger(sum->largest, end * end);
  sum->square += (to - from) * panel;
}

/* Panels that shrink by halves towards both ends: whatever the rate, some of them fit it. */
static measured measure(const entropic_kernel *kernel, size_t level, double from, double to) {
  double start = atom_at(kernel, 0, level, from, NULL);
  measured sum = {.largest = start * start};
  const int depth = 34;
  double width = to - from;
  add_panel(kernel, level, from, from + ldexp(width, -depth), &sum);
  for (int k = depth; k >= 2; k--)
    add_panel(kernel, level, from + ldexp(width, -k), from + ldexp(width, 1 - k), &sum);
  for (int k = 2; k <= depth; k++)
    add_panel(kernel, level, to - ldexp(width, 1 - k), to - ldexp(width, -k), &sum);
  add_panel(kernel, level, to - ldexp(width, -depth), to, &sum);
  return sum;
}

static measured measure_hat(const entropic_kernel *kernel, size_t level, double node, double h) {
  measured left = measure(kernel, level, node - h, node), right = measure(kernel, level, node, node + h);
  return (measured){left.square + right.square, fmax(left.largest, right.largest)};
}

/* Built-in families: the first atom says all, because the others are the same function moved (tested below), and because
 * near 0 points keep all their digits at any depth. */
static void built_in_scores_are_integrals_and_maxima(void **state) {
  (void)state;
  for (const ref_family *family = NULL; (family = ref_next(family, REF_LIBRARY)) != NULL;)
    for (size_t i = 0; i < OMEGAS; i++) {
      double omega = omegas[i];
      entropic_kernel *kernel = ref_kernel_make(family, &omega, ENTROPIC_BASIS_FULL, ENTROPIC_MAX_LEVEL);
      for (size_t level = 0; level < entropic_kernel_levels(kernel, 0); level++) {
        entropic_level info = level_of(kernel, 0, level);
        double h = ldexp(1, -info.order);
        measured found =
            info.kind == ENTROPIC_LEVEL_KIND_HAT ? measure_hat(kernel, level, h, h) : measure(kernel, level, 0, 1);
        assert_near(info.l2, found.square, 1e-11 * found.square, "%s, w = %g, l2 of kind %d order %d", family->name,
                    omega, (int)info.kind, info.order);
        assert_near(info.sup, found.largest, 1e-14 * found.largest, "%s, w = %g, sup of kind %d order %d", family->name,
                    omega, (int)info.kind, info.order);
      }
      entropic_kernel_free(kernel);
    }
}

/* The printed formulas, in 113 bits. */
static void built_in_scores_are_the_formulas(void **state) {
  (void)state;
  for (size_t i = 0; i < OMEGAS; i++) {
    double omega = omegas[i];
    wide w = omega;
    entropic_kernel *laplace = ref_kernel_make(ref_named("laplace"), &omega, ENTROPIC_BASIS_FULL, ENTROPIC_MAX_LEVEL);
    entropic_kernel *cosines = ref_kernel_make(ref_named("cosh"), &omega, ENTROPIC_BASIS_FULL, ENTROPIC_MAX_LEVEL);
    wide ratio = wide_sinh(w) / w, e = wide_exp(w);
    const wide laplace_pair[2] = {(ratio + 1) / (e + 1), (ratio - 1) / (e - 1)};
    const wide cosh_pair[2] = {(1 + 1 / ratio) / 2, (1 - 1 / ratio) / 2};
    for (size_t j = 0; j < 2; j++) {
      assert_near(level_of(laplace, 0, j).l2, laplace_pair[j], 1e-14 * laplace_pair[j], "laplace %zu, w = %g", j,
                  omega);
      assert_near(level_of(cosines, 0, j).l2, cosh_pair[j], 1e-14 * cosh_pair[j], "cosh %zu, w = %g", j, omega);
    }
    for (int l = 1; l <= ENTROPIC_MAX_LEVEL; l++) {
      wide h = wide_power_of_two(-l), s = wide_sinh(w * h);
      wide square = (wide_sinh(2 * w * h) / (2 * w) - h) / (s * s), tangent = s / wide_cosh(w * h);
      if (w * h < 1e-8) { /* the difference loses too many digits; to (w h)^2 it is that of the straight hat */
        square = 2 * h / 3;
        tangent = w * h;
      }
      wide expected = tangent * square;
      assert_near(level_of(laplace, 0, (size_t)l + 1).l2, expected, 1e-14 * expected, "laplace level %d, w = %g", l,
                  omega);
      expected *= w / 2;
      assert_near(level_of(cosines, 0, (size_t)l + 1).l2, expected, 1e-14 * expected, "cosh level %d, w = %g", l,
                  omega);
    }
    entropic_kernel_free(laplace);
    entropic_kernel_free(cosines);
  }
}

/* Atoms of a level are one function, moved by multiples of 2h: exactly, at points where no digit is lost. */
static void built_in_atoms_are_translates(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(9, 0);
  for (const ref_family *family = NULL; (family = ref_next(family, REF_BUILT_IN)) != NULL;) {
    double omega = 20;
    entropic_kernel *kernel = ref_kernel_make(family, &omega, ENTROPIC_BASIS_INTERIOR, ENTROPIC_MAX_LEVEL);
    for (int l = 1; l <= ENTROPIC_MAX_LEVEL; l++)
      for (size_t j = 0; j < rounds(50); j++) {
        double h = ldexp(1, -l), offset = ldexp((double)entropic_random_below(&random, 1 << 21), -20 - l);
        uint64_t atom = entropic_random_below(&random, UINT64_C(1) << (l - 1)), found;
        double moved = atom_at(kernel, 0, (size_t)l - 1, 2 * (double)atom * h + offset, &found);
        assert_true(found == atom);
        assert_true(moved == atom_at(kernel, 0, (size_t)l - 1, offset, NULL));
      }
    entropic_kernel_free(kernel);
  }
}

/* Centred: linear and hat 1, Legendre j and hat j score exactly the same; the order of designs rests on it. */
static void ties_are_exact(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(2, 0);
  for (int i = 0; i < 200; i++) {
    entropic_axis_options options = ent_axis_options_default();
    options.omega = exp2(entropic_random_uniform(&random) * 33 - 19.5);
    options.smooth = 8;
    entropic_kernel *kernel = make_kernel(&options, 1, 1);
    assert_true(level_of(kernel, 0, 1).l2 == level_of(kernel, 0, 9).l2);
    for (size_t j = 2; j <= 8; j++) {
      assert_int_equal(level_of(kernel, 0, j).kind, ENTROPIC_LEVEL_KIND_LEGENDRE);
      assert_int_equal(level_of(kernel, 0, j).order, j);
      assert_true(level_of(kernel, 0, j).l2 == level_of(kernel, 0, 8 + j).l2);
    }
    entropic_kernel_free(kernel);
  }
}

static wide hat_square(const ref_family *family, wide omega, wide node, wide h, const rule *by) {
  wide sum = 0;
  for (int k = 0; k < by->count; k++) {
    wide left = ref_hat(family, omega, node, h, node - h * (wide)by->nodes[k]);
    wide right = ref_hat(family, omega, node, h, node + h * (wide)by->nodes[k]);
    sum += (wide)by->weights[k] * (left * left + right * right) * h;
  }
  return sum;
}

/* Custom: the mean (l2) and the largest (sup) over a level's atoms, each from p and q in 113 bits. */
static void custom_scores_are_means_and_maxima(void **state) {
  (void)state;
  const double rates[] = {0.01, 1, 40};
  int deepest = rounds(16) == 16 ? 16 : 8;
  for (size_t i = 0; i < COUNT(rates); i++) {
    const ref_family *family = ref_named("custom of its own");
    double omega = rates[i];
    entropic_kernel *kernel = ref_kernel_make(family, &omega, ENTROPIC_BASIS_INTERIOR, deepest);
    for (int l = 1; l <= deepest; l++) {
      wide mean = 0, largest = 0, h = wide_power_of_two(-l);
      for (int64_t z = 1; z < INT64_C(1) << l; z += 2) {
        wide c = ref_norm(family, omega, (wide)z * h, h);
        mean += c * hat_square(family, omega, (wide)z * h, h, l > 8 ? &coarse : &fine) * h * 2;
        largest = c > largest ? c : largest;
      }
      /* p(x)q(a) - p(a)q(x) loses the digits of its size, about h, in double. */
      double tolerance = 1e-11 + 2e-16 * (1 + omega) * ldexp(1, l);
      assert_near(level_of(kernel, 0, (size_t)l - 1).l2, mean, tolerance * mean, "l2 of level %d, w = %g", l, omega);
      assert_near(level_of(kernel, 0, (size_t)l - 1).sup, largest, tolerance * largest, "sup of level %d, w = %g", l,
                  omega);
    }
    entropic_kernel_free(kernel);
  }
}

static void custom_boundary_scores(void **state) {
  (void)state;
  for (const ref_family *family = NULL; (family = ref_next(family, REF_CUSTOM)) != NULL;)
    for (int e = -2; e <= 2; e++) {
      double omega = pow(10, e);
      entropic_kernel *kernel = ref_kernel_make(family, &omega, ENTROPIC_BASIS_FULL, 3);
      for (size_t level = 0; level_of(kernel, 0, level).kind != ENTROPIC_LEVEL_KIND_HAT; level++) {
        entropic_level info = level_of(kernel, 0, level);
        measured found = measure(kernel, level, 0, 1);
        assert_near(info.l2, found.square, 1e-11 * found.square, "%s, w = %g, l2 of boundary atom %zu", family->name,
                    omega, level);
        assert_near(info.sup, found.largest, 1e-6 * found.largest, "%s, w = %g, sup of boundary atom %zu", family->name,
                    omega, level);
      }
      entropic_kernel_free(kernel);
    }
}

SUITE(axis_scores) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(built_in_scores_are_integrals_and_maxima),
      cmocka_unit_test(built_in_scores_are_the_formulas),
      cmocka_unit_test(built_in_atoms_are_translates),
      cmocka_unit_test(ties_are_exact),
      cmocka_unit_test(custom_scores_are_means_and_maxima),
      cmocka_unit_test(custom_boundary_scores),
  };
  return cmocka_run_group_tests_name("axis: scores", tests, make_rules, NULL);
}
