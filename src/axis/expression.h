/* Expressions in x and w as text: a formula is parsed into a short list of steps, and these are evaluated. No code is made or
 * run, nothing recurses, and length and depth are limited, so text from anywhere is safe. */
#ifndef ENT_AXIS_EXPRESSION_H
#define ENT_AXIS_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "axis/quad.h"
#include "base/context.h"

#define ENT_EXPRESSION_BYTES 2000 /* of text */
#define ENT_EXPRESSION_STEPS 200
#define ENT_EXPRESSION_DEPTH 60 /* open parentheses and operations, and values at hand */
#define ENT_EXPRESSION_VALUES 2

enum { ENT_VARIABLE_X = 1, ENT_VARIABLE_W = 2 };

typedef struct ent_expression_step {
  uint8_t code;
  double number;
  ent_quad (*call)(ent_quad x); /* a function of one argument */
} ent_expression_step;

typedef struct ent_expression {
  size_t count;
  ent_expression_step steps[ENT_EXPRESSION_STEPS];
  unsigned variables; /* that it has */
} ent_expression;

/* What a text is expected to be. */
typedef struct ent_expression_form {
  const char *name;   /* in messages */
  unsigned variables; /* that it may have */
  size_t values;      /* how many expressions, with commas between them */
} ent_expression_form;

/* BAD_ARGUMENT names the column, and what was expected there. */
entropic_status ent_expression_parse(entropic_context *context, const char *text, const ent_expression_form *form,
                                     ent_expression *expression);
/* Into values[form.values]. What has no value is NaN or infinite. */
void ent_expression_evaluate(const ent_expression *expression, ent_quad x, ent_quad w, ent_quad *values);

/* Whether a text has the variable w; also if it is no expression. NULL has none. */
bool ent_expression_has_w(const char *text);

#endif
