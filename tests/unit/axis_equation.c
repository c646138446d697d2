/* Custom kernels by a Sturm-Liouville equation: Green's functions that are known in closed form. */
#include "unit/reference.h"

#include "axis/pair.h"

typedef struct problem {
  const char *name, *alpha, *beta, *left, *right;
  double w;
  double (*p)(double w, double x), (*q)(double w, double x); /* up to a factor */
  double (*factor)(double w);                                /* alpha (p'q - pq') */
} problem;

static double exp_up(double w, double x) {
  return exp(w * x);
}
static double exp_down(double w, double x) {
  return exp(-w * x);
}
static double twice(double w) {
  return 2 * w;
}
static double sinh_up(double w, double x) {
  return sinh(w * x);
}
static double sinh_down(double w, double x) {
  return sinh(w * (1 - x));
}
static double sinh_factor(double w) {
  return w * sinh(w);
}
static double sin_up(double w, double x) {
  return sin(w * x);
}
static double sin_down(double w, double x) {
  return sin(w * (1 - x));
}
static double sin_factor(double w) {
  return w * sin(w);
}
static double cosh_up(double w, double x) {
  return cosh(w * x);
}
static double cosh_down(double w, double x) {
  return cosh(w * (1 - x));
}
static double robin_p(double w, double x) {
  (void)w;
  return 1 + 2 * x;
}
static double robin_q(double w, double x) {
  (void)w;
  return 4 - 3 * x;
}
static double eleven(double w) {
  (void)w;
  return 11;
}
static double euler_p(double w, double x) {
  (void)w;
  return (1 + x) - pow(1 + x, -2);
}
static double euler_q(double w, double x) {
  (void)w;
  return (1 + x) / 4 + pow(1 + x, -2);
}
static double euler_factor(double w) {
  (void)w;
  return 3.75;
}
static double growing_p(double w, double x) {
  (void)w;
  return -expm1(-x);
}
static double growing_q(double w, double x) {
  (void)w;
  return exp(-x) - exp(-1);
}
static double growing_factor(double w) {
  (void)w;
  return 1 - exp(-1);
}
static double flat_p(double w, double x) {
  (void)w;
  return 2 * exp(x) + exp(-2 * x);
}
static double flat_q(double w, double x) {
  (void)w;
  return 2 * exp(x - 1) + exp(2 - 2 * x);
}
static double flat_factor(double w) {
  (void)w;
  return 6 * (exp(2) - exp(-1));
}
static double bessel_p(double w, double x) {
  return sinh(w * x) / (1 + x);
}
static double bessel_q(double w, double x) {
  return sinh(w * (1 - x)) / (1 + x);
}
static double legendre_p(double w, double x) {
  (void)w;
  return x / 2;
}
static double legendre_q(double w, double x) {
  (void)w;
  return x * (0.5 * atanh(0.5) - 1) - (x / 2 * atanh(x / 2) - 1);
}
static double half(double w) {
  (void)w;
  return 0.5;
}
static double parabola(double w, double x) {
  (void)w;
  return x + x * x / 2;
}
static double one_of(double w, double x) {
  (void)w, (void)x;
  return 1;
}
static double one_factor(double w) {
  (void)w;
  return 1;
}
static double hermite_p(double w, double x) {
  (void)w;
  return exp(x * x / 2);
}
static double hermite_q(double w, double x) {
  (void)w;
  return exp(x * x / 2) * sqrt(acos(-1)) / 2 * (erfc(x) - erfc(1));
}

static const problem problems[] = {
    {"real roots, Robin ends", "1", "-w^2", "1,-w", "1,w", 3, exp_up, exp_down, twice},
    {"real roots, slow", "1", "-w^2", "1,-w", "1,w", 0.01, exp_up, exp_down, twice},
    {"real roots, fast", "1", "-w^2", "1,-w", "1,w", 300, exp_up, exp_down, twice},
    {"real roots, Dirichlet ends", "1", "-w^2", "0,1", "0,-1", 5, sinh_up, sinh_down, sinh_factor},
    {"imaginary roots, Dirichlet ends", "1", "w^2", "0,1", "0,1", 2.5, sin_up, sin_down, sin_factor},
    {"real roots, Neumann ends", "1", "-w^2", "1,0", "-1,0", 4, cosh_up, cosh_down, sinh_factor},
    {"lines, Robin ends", "1", "0", "1,-2", "1,3", 1, robin_p, robin_q, eleven},
    {"Euler", "(1+x)^2", "-2", "0,1", "1,0", 1, euler_p, euler_q, euler_factor},
    {"alpha = exp(x), Dirichlet ends", "exp(x)", "0", "0,1", "0,1", 1, growing_p, growing_q, growing_factor},
    {"alpha = exp(x), Neumann ends", "exp(x)", "-2*exp(x)", "1,0", "1,0", 1, flat_p, flat_q, flat_factor},
    {"spherical Bessel", "(1+x)^2", "-(w*(1+x))^2", "0,1", "0,1", 6, bessel_p, bessel_q, sinh_factor},
    {"Legendre", "1-x^2/4", "1/2", "0,1", "0,1", 1, legendre_p, legendre_q, half},
    {"alpha = 1/(1+x)", "1/(1+x)", "0", "0,1", "1,0", 1, parabola, one_of, one_factor},
    {"Hermite", "1", "-(1+x^2)", "1,0", "0,1", 1, hermite_p, hermite_q, one_factor},
};

static entropic_axis_options options_of(const problem *at) {
  entropic_axis_options options = ent_axis_options_default();
  options.family = ENTROPIC_FAMILY_CUSTOM;
  options.omega = at->w;
  options.alpha_text = at->alpha;
  options.beta_text = at->beta;
  options.left_text = at->left;
  options.right_text = at->right;
  return options;
}

/* All of k, over the root of k(x,x) k(y,y); and the sum of atoms over levels. */
static void known_solutions(void **state) {
  (void)state;
  double worst = 0;
  for (size_t i = 0; i < COUNT(problems); i++) {
    const problem *at = &problems[i];
    entropic_axis_options options = options_of(at);
    options.max_level = 10;
    entropic_kernel *kernel = make_kernel(&options, 1, 1);
    double factor = at->factor(at->w);
    for (int j = 0; j <= 40; j++)
      for (int k = j; k <= 40; k++) {
        double x = j / 40.0, y = k / 40.0, expected = at->p(at->w, x) * at->q(at->w, y) / factor;
        double size = sqrt(at->p(at->w, x) * at->q(at->w, x) * at->p(at->w, y) * at->q(at->w, y)) / factor;
        double value = ent_kernel_axis_value(kernel, 0, x, y);
        /* closed forms of functions that vanish at an end lose digits beside it */
        assert_near(value, expected, 1e-11 * size + 1e-15 / factor, "%s at %g, %g", at->name, x, y);
        if (size > 1e-3 / factor)
          worst = larger(worst, fabs(value - expected) / size);
        double sum = 0;
        bool nodes = j % 5 == 0 && k % 5 == 0; /* where ten levels are all there is */
        for (size_t level = 0; nodes && level < entropic_kernel_levels(kernel, 0); level++) {
          uint64_t one, other;
          double a = atom_at(kernel, 0, level, x, &one), b = atom_at(kernel, 0, level, y, &other);
          sum += one == other ? a * b : 0;
        }
        if (nodes)
          assert_near(sum, expected, 1e-11 * size + 1e-15 / factor, "%s: atoms at %g, %g", at->name, x, y);
      }
    entropic_kernel_free(kernel);
  }
  print_message("# largest relative error of a Green's function: %.1e\n", worst);
}

typedef struct refusal {
  const char *alpha, *beta, *left, *right;
  double w;
  const char *message;
} refusal;

static void wrong_equations_are_refused(void **state) {
  (void)state;
  static const refusal refusals[] = {
      {"x", "0", "1,0", "0,1", 1, "alpha(0) = 0"},
      {"1-x", "0", "1,0", "0,1", 1, "alpha(1) = 0"},
      {"x-0.5", "0", "1,0", "0,1", 1, "it must be finite and above 0"},
      {"0-1", "0", "1,0", "0,1", 1, "alpha(0) = -1"},
      {"1/x", "0", "1,0", "0,1", 1, "alpha(0) = inf"},
      {"log(x-2)", "0", "1,0", "0,1", 1, "must be finite"},
      {"1", "1/x", "1,0", "0,1", 1, "beta("},
      {"1", "log(x)", "1,0", "0,1", 1, "beta(0) = -inf"},
      {"1", "0", "0,0", "0,1", 1, "left is 0,0"},
      {"1", "0", "1,0", "0,0", 1, "right is 0,0"},
      {"1", "0", "1,0", "1/0,1", 1, "right is inf,1"},
      {"1", "0", "1", "0,1", 1, "left: expected 2 expressions"},
      {"1", "0", "1,0,0", "0,1", 1, "left: column 4: expected an operator or the end, found ','"},
      {"1", "0", "x,0", "0,1", 1, "left: column 1: x cannot be here"},
      {"1", "0", "1,0", "1,0", 1, "no positive Green's function"},    /* two constants */
      {"1", "pi^2", "0,1", "0,1", 1, "no positive Green's function"}, /* the first eigenvalue */
      {"1", "w^2", "0,1", "0,1", 4, "above 0"},                       /* beyond it */
      {"1", "w^2", "0,1", "0,1", 7, "above 0 inside"},                /* beyond the second */
      {"1+abs(x-0.3)", "0", "1,0", "0,1", 1, "residual of"},
      {"1", "1-2*max(0,x-0.3)^0.5", "1,0", "0,1", 1, "residual of"},
      {"1", "-1e9*(1+sin(1e5*x))", "1,0", "0,1", 1, "residual of"},
      {"1", "-1e9", "1,0", "0,1", 1, "varies too fast"},
      {"1", "nan", "1,0", "0,1", 1, "'nan' is not known"},
  };
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  for (size_t i = 0; i < COUNT(refusals); i++) {
    const refusal *at = &refusals[i];
    const problem as = {"", at->alpha, at->beta, at->left, at->right, at->w, NULL, NULL, NULL};
    entropic_axis_options options = options_of(&as);
    entropic_kernel *kernel = NULL;
    entropic_status status = ent_kernel_create(context, &options, 1, 1, &kernel);
    if (status != ENTROPIC_BAD_ARGUMENT)
      print_error("case %zu: %s, %s\n", i, at->alpha, at->beta);
    assert_int_equal(status, ENTROPIC_BAD_ARGUMENT);
    assert_message(context, at->message);
    assert_null(kernel);
    assert_int_equal(ent_kernel_create(NULL, &options, 1, 1, &kernel), ENTROPIC_BAD_ARGUMENT);
  }
  entropic_context_free(context);
}

/* A break in alpha where pieces meet is fine: two strings of different weight. */
static void breaks_between_pieces(void **state) {
  (void)state;
  entropic_axis_options options = options_of(&problems[0]);
  options.alpha_text = "1 + max(0, x - 0.5)";
  options.beta_text = "0";
  options.left_text = "0,1";
  options.right_text = "1,0";
  entropic_kernel *kernel = make_kernel(&options, 1, 1);
  for (int i = 0; i <= 20; i++) {
    double x = i / 20.0, expected = x <= 0.5 ? x : 0.5 + log(0.5 + x);
    assert_near(ent_kernel_axis_value(kernel, 0, x, 1), expected, 1e-14, "at %g", x);
  }
  entropic_kernel_free(kernel);
}

SUITE(axis_equation) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_solutions),
      cmocka_unit_test(wrong_equations_are_refused),
      cmocka_unit_test(breaks_between_pieces),
  };
  return cmocka_run_group_tests_name("axis: Sturm-Liouville equations", tests, NULL, NULL);
}
