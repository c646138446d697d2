/* Expressions: values, and what is refused. */
#include "unit/tests.h"

#include "axis/expression.h"

static const ent_expression_form one_value = {"p", ENT_VARIABLE_X | ENT_VARIABLE_W, 1};

static double value_of(const char *text, double x, double w) {
  entropic_context *context = context_with(1);
  ent_expression expression;
  ent_quad value = NAN;
  ASSERT_OK(context, ent_expression_parse(context, text, &one_value, &expression));
  ent_expression_evaluate(&expression, x, w, &value);
  entropic_context_free(context);
  return (double)value;
}

static void values(void **state) {
  (void)state;
  const double x = 0.375, w = 2.5;
  const struct {
    const char *text;
    double value;
  } cases[] = {
      {"1", 1},
      {"  1.5e2 ", 150},
      {".5", 0.5},
      {"5.", 5},
      {"1e-400", 0},
      {"x", x},
      {"w", w},
      {"1+2*3", 7},
      {"(1+2)*3", 9},
      {"1-2-3", -4},
      {"8/4/2", 1},
      {"2^3^2", 512},
      {"-2^2", -4},
      {"(-2)^2", 4},
      {"2^-2", 0.25},
      {"2^-2*8", 2},
      {"-x", -x},
      {"--x", x},
      {"-+-x", x},
      {"2*-3", -6},
      {"2--3", 5},
      {"-2*3", -6},
      {"+x", x},
      {"1 + w * x", 1 + w * x},
      {"\t1\t", 1},
      {"exp(x)", exp(x)},
      {"exp (x)", exp(x)},
      {"expm1(x)", expm1(x)},
      {"log(x)", log(x)},
      {"log1p(x)", log1p(x)},
      {"sqrt(x)", sqrt(x)},
      {"cbrt(x)", cbrt(x)},
      {"sin(x)", sin(x)},
      {"cos(x)", cos(x)},
      {"tan(x)", tan(x)},
      {"asin(x)", asin(x)},
      {"acos(x)", acos(x)},
      {"atan(x)", atan(x)},
      {"sinh(x)", sinh(x)},
      {"cosh(x)", cosh(x)},
      {"tanh(x)", tanh(x)},
      {"asinh(x)", asinh(x)},
      {"acosh(w)", acosh(w)},
      {"atanh(x)", atanh(x)},
      {"erf(x)", erf(x)},
      {"abs(x-1)", 0.625},
      {"min(x,w)", x},
      {"max(x,w)", w},
      {"max(x,w)*min(w,x)^2", w * x * x},
      {"pow(x,w)", pow(x, w)},
      {"pow(2,min(3,max(1,2)))", 4},
      {"pi", 3.141592653589793},
      {"e", 2.718281828459045},
      {"e^x", exp(x)},
      {"sin(pi/6)", 0.5},
      {"1e1", 10},
      {"1E+1", 10},
      {"2*e", 2 * 2.718281828459045},
      {"((((((((((x))))))))))", x},
      {"x*(1-x)/(1+x)", x * (1 - x) / (1 + x)},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    double value = value_of(cases[i].text, x, w);
    if (!(fabs(value - cases[i].value) <= 4e-16 * fabs(cases[i].value))) {
      print_error("%s is %.17g, expected %.17g\n", cases[i].text, value, cases[i].value);
      fail();
    }
  }
  assert_true(isnan(value_of("0/0", x, w)));
  assert_true(isinf(value_of("1/0", x, w)));
  assert_true(isnan(value_of("log(-1)", x, w)));
  assert_true(isnan(value_of("min(0/0,1)", x, w)));
  assert_true(isnan(value_of("min(1,0/0)", x, w)));
  assert_true(isnan(value_of("max(0/0,1)", x, w)));
  assert_true(isnan(value_of("max(1,0/0)", x, w)));
  assert_true(isinf(value_of("exp(exp(10))", x, w)));
}

static void several_values(void **state) {
  (void)state;
  const ent_expression_form two = {"left", ENT_VARIABLE_W, 2};
  ent_expression expression;
  ent_quad values[2];
  assert_int_equal(ent_expression_parse(NULL, " w , max(1,-w) ", &two, &expression), ENTROPIC_OK);
  ent_expression_evaluate(&expression, 0, 3, values);
  assert_true(values[0] == 3 && values[1] == 1);
  assert_int_equal(expression.variables, ENT_VARIABLE_W);
}

static void where_w_is(void **state) {
  (void)state;
  static const char *const with[] = {"w", "1+w*x", "exp(-w*x)", "2*(w)", "1e5*w", ".5*w", "x^w", "max(w,1)", "w,0"};
  static const char *const without[] = {"x", "1", "", "pow(x,2)", "1e5", "ww", "w2", "xw", "_w", "1e-5+x"};
  for (size_t i = 0; i < COUNT(with); i++)
    assert_true(ent_expression_has_w(with[i]));
  for (size_t i = 0; i < COUNT(without); i++)
    assert_false(ent_expression_has_w(without[i]));
  assert_false(ent_expression_has_w(NULL));
}

static void refuse(const char *text, const char *message) {
  entropic_context *context = context_with(1);
  ent_expression expression;
  entropic_status status = ent_expression_parse(context, text, &one_value, &expression);
  if (status != ENTROPIC_BAD_ARGUMENT)
    print_error("not refused: %.60s\n", text);
  assert_int_equal(status, ENTROPIC_BAD_ARGUMENT);
  assert_message(context, message);
  assert_int_equal(ent_expression_parse(NULL, text, &one_value, &expression), ENTROPIC_BAD_ARGUMENT);
  entropic_context_free(context);
}

static void malformed(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "p: the expression is empty"},
      {" \t ", "p: the expression is empty"},
      {"1+", "p: column 3: expected a number, x, w, a function, '-' or '(', found the end"},
      {"*x", "p: column 1: expected a number, x, w, a function, '-' or '(', found '*'"},
      {"1+*x", "column 3: expected a number"},
      {"1//x", "column 3: expected a number"},
      {"x^", "column 3: expected a number"},
      {"-", "column 2: expected a number"},
      {"(", "column 2: expected a number"},
      {"()", "column 2: expected a number"},
      {")", "column 1: expected a number"},
      {"x)", "column 2: this ')' has no '('"},
      {"(x", "column 1: its '(' is not closed"},
      {"1+exp(x", "column 3: its '(' is not closed"},
      {"((x)", "column 1: its '(' is not closed"},
      {"2x", "column 2: expected an operator, such as *, found 'x'"},
      {"2 x", "column 3: expected an operator, such as *, found 'x'"},
      {"x w", "expected an operator, such as *"},
      {"x(1)", "column 2: expected an operator, such as *, found '('"},
      {"2(x)", "expected an operator"},
      {"exp x", "column 5: expected '(' and an argument behind the name of a function, found 'x'"},
      {"exp", "column 4: expected '(' and an argument behind the name of a function, found the end"},
      {"min", "expected '(' and two arguments"},
      {"exp()", "column 5: expected a number"},
      {"exp(x,1)", "column 6: expected an operator or ')', found ','"},
      {"min(x)", "column 6: expected ',' and a second argument, found ')'"},
      {"min(x,1,2)", "column 8: expected a"},
      {"min(,1)", "column 5: expected a number"},
      {"pow(x,)", "column 7: expected a number"},
      {"x,1", "column 2: expected an operator or the end, found ','"},
      {"1,5*x", "column 2: expected a decimal point, found ','"},
      {"(1,5)*x", "column 3: expected a decimal point, found ','"},
      {"epx(x)", "column 1: 'epx' is not known; did you mean exp?"},
      {"1+sinn(x)", "column 3: 'sinn' is not known; did you mean sin?"},
      {"sqr(x)", "did you mean sqrt?"},
      {"Cosh(x)", "did you mean cosh?"},
      {"y", "'y' is not known; expected x, w, pi, e, or a function"},
      {"X", "'X' is not known"},
      {"nan", "'nan' is not known"},
      {"inf", "'inf' is not known"},
      {"system(x)", "'system' is not known"},
      {"__import__", "'__import__' is not known"},
      {"0x10", "column 2: expected an operator, such as *, found 'x'"},
      {"1.2.3", "column 1: '1.2.3' is no number"},
      {"1..", "'1..' is no number"},
      {".", "column 1: expected a number"},
      {"1e400", "column 1: '1e400' is outside the range of a double"},
      {"1e99999999999999999999", "is outside the range of a double"},
      {"2e", "column 2: expected an operator, such as *, found 'e'"},
      {"2e+", "column 2: expected an operator"},
      {"x**2", "column 2: powers are written with ^"},
      {"x%2", "column 2: expected an operator, found '%'"},
      {"%s%n%s", "column 1: expected a number, x, w, a function, '-' or '(', found '%'"},
      {"x;rm", "column 2: expected an operator, found ';'"},
      {"x\n", "column 2: expected an operator, found '\\x0a'"},
      {"x\r", "found '\\x0d'"},
      {"x\x01", "found '\\x01'"},
      {"\xff", "found '\\xff'"},
      {"2\xc2\xb7x", "found '\xc2\xb7'"},
      {"\xe2\x88\x92x", "column 1: expected a number"},
      {"x=1", "found '='"},
      {"x<1", "found '<'"},
      {"$(x)", "found '$'"},
      {"`x`", "found '`'"},
      {"'x'", "found '''"},
      {"[x]", "found '['"},
      {"x!", "found '!'"},
      {"|x|", "found '|'"},
  };
  for (size_t i = 0; i < COUNT(cases); i++)
    refuse(cases[i].text, cases[i].message);
}

/* Text of a megabyte, and what is nested, chained or repeated as deeply as fits. */
static void hostile(void **state) {
  (void)state;
  static const struct {
    const char *repeated, *message;
    size_t count;
  } cases[] = {
      {"x", "the expression has 1048576 bytes, expected at most 2000", 1048576},
      {"(", "the expression has 1048576 bytes", 1048576},
      {"(", "nested more than 60 deep", 1000},
      {"-", "nested more than 60 deep", 1000},
      {"exp(", "nested more than 60 deep", 400},
      {"2^", "nested more than 60 deep", 900},
      {"1-(", "nested more than 60 deep", 600},
      {"x+", "more than 200 operations", 1000},
      {"max(x,", "nested", 300},
      {"9", "outside the range of a double", 1000},
  };
  char *text = malloc(1048577);
  assert_non_null(text);
  for (size_t i = 0; i < COUNT(cases); i++) {
    size_t length = strlen(cases[i].repeated), used = 0;
    for (size_t k = 0; k < cases[i].count; k++, used += length)
      memcpy(text + used, cases[i].repeated, length);
    text[used] = '\0';
    refuse(text, cases[i].message);
  }
  /* as deep as may be: has a value */
  memset(text, '(', 60);
  text[60] = 'x';
  memset(text + 61, ')', 60);
  text[121] = '\0';
  assert_true(value_of(text, 0.25, 1) == 0.25);
  free(text);
}

SUITE(axis_expression) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values),    cmocka_unit_test(several_values), cmocka_unit_test(where_w_is),
      cmocka_unit_test(malformed), cmocka_unit_test(hostile),
  };
  return cmocka_run_group_tests_name("axis: expressions", tests, NULL, NULL);
}
