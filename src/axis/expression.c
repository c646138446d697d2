#include "axis/expression.h"

#include <string.h>

#include "base/parameters.h"
#include "base/text.h"

typedef enum ent_step_code {
  STEP_NUMBER,
  STEP_X,
  STEP_W,
  STEP_PI,
  STEP_E,
  STEP_ADD,
  STEP_SUBTRACT,
  STEP_MULTIPLY,
  STEP_DIVIDE,
  STEP_POWER,
  STEP_NEGATE,
  STEP_MINIMUM,
  STEP_MAXIMUM,
  STEP_CALL, /* a function of one argument */
  STEP_OPEN  /* a parenthesis; never among the steps */
} ent_step_code;

typedef struct ent_word {
  const char *name;
  ent_step_code code;
  int arguments; /* 0: a constant or a variable */
  ent_quad (*call)(ent_quad x);
} ent_word;

#define CALL(name)                                                                                                     \
  { #name, STEP_CALL, 1, ENT_QUAD_CALL(name) }

static const ent_word words[] = {
    {"x", STEP_X, 0, NULL},
    {"w", STEP_W, 0, NULL},
    {"pi", STEP_PI, 0, NULL},
    {"e", STEP_E, 0, NULL},
    {"min", STEP_MINIMUM, 2, NULL},
    {"max", STEP_MAXIMUM, 2, NULL},
    {"pow", STEP_POWER, 2, NULL},
    {"abs", STEP_CALL, 1, ent_quad_abs},
    CALL(exp),
    CALL(expm1),
    CALL(log),
    CALL(log1p),
    CALL(sqrt),
    CALL(cbrt),
    CALL(sin),
    CALL(cos),
    CALL(tan),
    CALL(asin),
    CALL(acos),
    CALL(atan),
    CALL(sinh),
    CALL(cosh),
    CALL(tanh),
    CALL(asinh),
    CALL(acosh),
    CALL(atanh),
    CALL(erf),
};

#define WORDS (sizeof words / sizeof *words)

/* An operation, or a parenthesis, that waits for what is behind it. */
typedef struct ent_waiting {
  ent_step_code code;
  int binds;          /* how strongly; 0 for a parenthesis */
  size_t at;          /* in the text */
  const ent_word *of; /* the function of a parenthesis, or NULL */
  int arguments;      /* that the parenthesis has so far */
} ent_waiting;

typedef struct ent_parser {
  entropic_context *context;
  const ent_expression_form *form;
  const char *text;
  size_t at;
  ent_expression *expression;
  ent_waiting waiting[ENT_EXPRESSION_DEPTH];
  size_t waiting_count;
  size_t height; /* values at hand */
  size_t values; /* expressions that are complete */
} ent_parser;

static entropic_status fail_at(ent_parser *parser, size_t at, const char *what) {
  return ent_fail(parser->context, ENTROPIC_BAD_ARGUMENT, "%s: column %zu: %s", parser->form->name, at + 1, what);
}

/* The character at hand for a message: all of it, if it has several bytes. */
static entropic_status fail_expected(ent_parser *parser, const char *what) {
  char shown[ENT_SHOW_SIZE];
  const char *from = parser->text + parser->at;
  uint32_t code;
  size_t length = *from == '\0' ? 0 : ent_utf8(from, strlen(from), &code);
  const char *name = parser->form->name;
  if (*from == '\0')
    return ent_fail(parser->context, ENTROPIC_BAD_ARGUMENT, "%s: column %zu: expected %s, found the end", name,
                    parser->at + 1, what);
  return ent_fail(parser->context, ENTROPIC_BAD_ARGUMENT, "%s: column %zu: expected %s, found '%s'", name,
                  parser->at + 1, what, ent_show(from, length == 0 ? 1 : length, shown));
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t number_length(const char *text) {
  size_t length = strspn(text, "0123456789.");
  if (text[length] != 'e' && text[length] != 'E')
    return length;
  size_t sign = text[length + 1] == '+' || text[length + 1] == '-', digits = length + 1 + sign;
  return is_digit(text[digits]) ? digits + strspn(text + digits, "0123456789") : length;
}

static size_t word_length(const char *text) {
  size_t length = 0;
  while (is_letter(text[length]) || is_digit(text[length]))
    length++;
  return length;
}

static entropic_status fail_deep(ent_parser *parser, size_t at) {
  return ent_fail(parser->context, ENTROPIC_BAD_ARGUMENT, "%s: column %zu: the expression is nested more than %d deep",
                  parser->form->name, at + 1, ENT_EXPRESSION_DEPTH);
}

static entropic_status emit(ent_parser *parser, ent_expression_step step, int arguments) {
  ent_expression *expression = parser->expression;
  if (expression->count == ENT_EXPRESSION_STEPS)
    return ent_fail(parser->context, ENTROPIC_BAD_ARGUMENT,
                    "%s: column %zu: the expression has more than %d operations and numbers", parser->form->name,
                    parser->at + 1, ENT_EXPRESSION_STEPS);
  parser->height = parser->height + 1 - (size_t)arguments;
  if (parser->height > ENT_EXPRESSION_DEPTH)
    return fail_deep(parser, parser->at);
  expression->steps[expression->count++] = step;
  return ENTROPIC_OK;
}

static entropic_status push_waiting(ent_parser *parser, ent_waiting waiting) {
  if (parser->waiting_count == ENT_EXPRESSION_DEPTH)
    return fail_deep(parser, waiting.at);
  parser->waiting[parser->waiting_count++] = waiting;
  return ENTROPIC_OK;
}

/* Emits the operations that wait and bind at least that strongly, down to a parenthesis. */
static entropic_status emit_waiting(ent_parser *parser, int binds) {
  while (parser->waiting_count > 0) {
    const ent_waiting *top = &parser->waiting[parser->waiting_count - 1];
    if (top->code == STEP_OPEN || top->binds < binds)
      break;
    parser->waiting_count--;
    entropic_status status =
        emit(parser, (ent_expression_step){.code = (uint8_t)top->code}, top->code == STEP_NEGATE ? 1 : 2);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status take_number(ent_parser *parser) {
  const char *from = parser->text + parser->at;
  size_t length = number_length(from);
  double number;
  entropic_status status = entropic_parse_double(from, length, &number);
  if (status == ENTROPIC_NO_MEMORY)
    return ent_fail(parser->context, status, "%s: out of memory", parser->form->name);
  if (status != ENTROPIC_OK) {
    char shown[ENT_SHOW_SIZE];
    return ent_fail(parser->context, ENTROPIC_BAD_ARGUMENT, "%s: column %zu: '%s' is %s", parser->form->name,
                    parser->at + 1, ent_show(from, length, shown),
                    status == ENTROPIC_TOO_LARGE ? "outside the range of a double" : "no number");
  }
  status = emit(parser, (ent_expression_step){.code = STEP_NUMBER, .number = number}, 0);
  parser->at += length;
  return status;
}

static entropic_status fail_word(ent_parser *parser, size_t length) {
  const char *from = parser->text + parser->at;
  char shown[ENT_SHOW_SIZE];
  ent_nearest nearest = ent_nearest_start(from, length);
  for (size_t i = 0; i < WORDS; i++)
    ent_nearest_try(&nearest, words[i].name, strlen(words[i].name));
  ent_show(from, length, shown);
  if (nearest.best != NULL)
    return ent_fail(parser->context, ENTROPIC_BAD_ARGUMENT, "%s: column %zu: '%s' is not known; did you mean %s?",
                    parser->form->name, parser->at + 1, shown, nearest.best);
  return ent_fail(parser->context, ENTROPIC_BAD_ARGUMENT,
                  "%s: column %zu: '%s' is not known; expected x, w, pi, e, or a function such as exp or sqrt",
                  parser->form->name, parser->at + 1, shown);
}

static entropic_status take_variable(ent_parser *parser, const ent_word *word) {
  unsigned variable = word->code == STEP_X ? ENT_VARIABLE_X : word->code == STEP_W ? ENT_VARIABLE_W : 0;
  if (variable & ~parser->form->variables)
    return fail_at(parser, parser->at, "x cannot be here: expected an expression in w alone");
  parser->expression->variables |= variable;
  entropic_status status = emit(parser, (ent_expression_step){.code = (uint8_t)word->code}, 0);
  parser->at += strlen(word->name);
  return status;
}

/* A variable or a constant; or a function with its parenthesis, which waits: then *complete is false. */
static entropic_status take_word(ent_parser *parser, bool *complete) {
  const char *from = parser->text + parser->at;
  size_t length = word_length(from), i = 0;
  while (i < WORDS && !(strlen(words[i].name) == length && memcmp(words[i].name, from, length) == 0))
    i++;
  if (i == WORDS)
    return fail_word(parser, length);
  if (words[i].arguments == 0)
    return take_variable(parser, &words[i]);
  size_t start = parser->at;
  parser->at += length;
  parser->at += strspn(parser->text + parser->at, " \t");
  if (parser->text[parser->at] != '(')
    return fail_expected(parser, words[i].arguments == 1 ? "'(' and an argument behind the name of a function"
                                                         : "'(' and two arguments behind the name of a function");
  parser->at++;
  *complete = false;
  return push_waiting(parser, (ent_waiting){.code = STEP_OPEN, .at = start, .of = &words[i], .arguments = 1});
}

/* Something with a value, or what can stand before it. */
static entropic_status take_operand(ent_parser *parser, bool *complete) {
  char c = parser->text[parser->at];
  *complete = true;
  if (is_digit(c) || (c == '.' && is_digit(parser->text[parser->at + 1])))
    return take_number(parser);
  if (is_letter(c))
    return take_word(parser, complete);
  if (c != '-' && c != '+' && c != '(')
    return fail_expected(parser, "a number, x, w, a function, '-' or '('");
  *complete = false;
  size_t at = parser->at++;
  if (c == '+')
    return ENTROPIC_OK;
  if (c == '-')
    return push_waiting(parser, (ent_waiting){.code = STEP_NEGATE, .binds = 3, .at = at});
  return push_waiting(parser, (ent_waiting){.code = STEP_OPEN, .at = at});
}

static entropic_status close_parenthesis(ent_parser *parser) {
  entropic_status status = emit_waiting(parser, 0);
  if (status != ENTROPIC_OK)
    return status;
  if (parser->waiting_count == 0)
    return fail_at(parser, parser->at, "this ')' has no '('");
  ent_waiting open = parser->waiting[--parser->waiting_count];
  if (open.of != NULL && open.arguments < open.of->arguments)
    return fail_expected(parser, "',' and a second argument");
  parser->at++;
  if (open.of == NULL)
    return ENTROPIC_OK;
  return emit(parser, (ent_expression_step){.code = (uint8_t)open.of->code, .call = open.of->call}, open.of->arguments);
}

/* A comma ends an argument, or outside of all parentheses an expression. */
static entropic_status separate(ent_parser *parser) {
  entropic_status status = emit_waiting(parser, 0);
  if (status != ENTROPIC_OK)
    return status;
  ent_waiting *open = parser->waiting_count > 0 ? &parser->waiting[parser->waiting_count - 1] : NULL;
  bool decimal = parser->form->values == 1 && parser->at > 0 && is_digit(parser->text[parser->at - 1]) &&
                 is_digit(parser->text[parser->at + 1]);
  bool more = open == NULL ? parser->values + 1 < parser->form->values
                           : open->of != NULL && open->arguments < open->of->arguments;
  if (!more)
    return fail_expected(parser, decimal        ? "a decimal point"
                                 : open != NULL ? "an operator or ')'"
                                                : "an operator or the end");
  parser->at++;
  if (open == NULL)
    parser->values++;
  else
    open->arguments++;
  return ENTROPIC_OK;
}

/* An operation between two values, or what ends a value: then *complete stays. */
static entropic_status take_operator(ent_parser *parser, bool *complete) {
  static const struct {
    char character;
    ent_step_code code;
    int binds;
  } operators[] = {{'+', STEP_ADD, 1},
                   {'-', STEP_SUBTRACT, 1},
                   {'*', STEP_MULTIPLY, 2},
                   {'/', STEP_DIVIDE, 2},
                   {'^', STEP_POWER, 4}};
  char c = parser->text[parser->at];
  if (c == ')')
    return close_parenthesis(parser);
  *complete = false;
  if (c == ',')
    return separate(parser);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    if (operators[i].character != c)
      continue;
    if (c == '*' && parser->text[parser->at + 1] == '*')
      return fail_at(parser, parser->at, "powers are written with ^");
    /* a^b^c is a^(b^c), all others from left to right */
    entropic_status status = emit_waiting(parser, operators[i].binds + (c == '^'));
    if (status != ENTROPIC_OK)
      return status;
    return push_waiting(parser,
                        (ent_waiting){.code = operators[i].code, .binds = operators[i].binds, .at = parser->at++});
  }
  bool product = is_letter(c) || is_digit(c) || c == '(';
  return fail_expected(parser, product ? "an operator, such as *" : "an operator");
}

static entropic_status finish(ent_parser *parser) {
  const ent_expression_form *form = parser->form;
  entropic_status status = emit_waiting(parser, 0);
  if (status != ENTROPIC_OK)
    return status;
  if (parser->waiting_count > 0)
    return fail_at(parser, parser->waiting[parser->waiting_count - 1].at, "its '(' is not closed");
  if (parser->values + 1 < form->values)
    return ent_fail(parser->context, ENTROPIC_BAD_ARGUMENT, "%s: expected %zu expressions with a comma between them",
                    form->name, form->values);
  return ENTROPIC_OK;
}

entropic_status ent_expression_parse(entropic_context *context, const char *text, const ent_expression_form *form,
                                     ent_expression *expression) {
  ent_parser parser = {.context = context, .form = form, .text = text, .expression = expression};
  size_t length = strlen(text);
  bool complete = false;
  *expression = (ent_expression){.count = 0};
  if (length > ENT_EXPRESSION_BYTES)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: the expression has %zu bytes, expected at most %d", form->name,
                    length, ENT_EXPRESSION_BYTES);
  if (text[strspn(text, " \t")] == '\0')
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: the expression is empty", form->name);
  for (;;) {
    parser.at += strspn(text + parser.at, " \t");
    if (text[parser.at] == '\0' && complete)
      return finish(&parser);
    entropic_status status = complete ? take_operator(&parser, &complete) : take_operand(&parser, &complete);
    if (status != ENTROPIC_OK)
      return status;
  }
}

/* NaN stays NaN. */
static ent_quad of_two(ent_step_code code, ent_quad x, ent_quad y) {
  switch (code) {
  case STEP_ADD:
    return x + y;
  case STEP_SUBTRACT:
    return x - y;
  case STEP_MULTIPLY:
    return x * y;
  case STEP_DIVIDE:
    return x / y;
  case STEP_MINIMUM:
    return x < y || x != x ? x : y;
  case STEP_MAXIMUM:
    return x > y || x != x ? x : y;
  default:
    return ENT_QUAD_CALL(pow)(x, y);
  }
}

void ent_expression_evaluate(const ent_expression *expression, ent_quad x, ent_quad w, ent_quad *values) {
  ent_quad stack[ENT_EXPRESSION_DEPTH + 1] = {0};
  size_t height = 0;
  for (size_t i = 0; i < expression->count; i++) {
    const ent_expression_step *step = &expression->steps[i];
    ent_step_code code = (ent_step_code)step->code;
    if (code <= STEP_E) {
      stack[height++] = code == STEP_NUMBER ? (ent_quad)step->number
                        : code == STEP_X    ? x
                        : code == STEP_W    ? w
                        : code == STEP_PI   ? ent_quad_pi()
                                            : ent_quad_e();
    } else if (code < STEP_NEGATE || code == STEP_MINIMUM || code == STEP_MAXIMUM) {
      height--;
      stack[height - 1] = of_two(code, stack[height - 1], stack[height]);
    } else {
      stack[height - 1] = code == STEP_CALL ? step->call(stack[height - 1]) : -stack[height - 1];
    }
  }
  for (size_t i = 0; i < height && i < ENT_EXPRESSION_VALUES; i++)
    values[i] = stack[i];
}

bool ent_expression_has_w(const char *text) {
  for (size_t at = 0; text != NULL && text[at] != '\0';) {
    size_t length = is_digit(text[at]) || text[at] == '.' ? number_length(text + at) : word_length(text + at);
    if (length == 1 && text[at] == 'w')
      return true;
    at += length > 0 ? length : 1;
  }
  return false;
}
