/* Any text as an expression: it is refused with a message, or has the same value each time; and as p of a custom kernel it is
 * refused, or makes a kernel whose atoms are finite. */
#define _GNU_SOURCE
#include "memory_file.h"

#include <math.h>
#include <string.h>

#include "axis/expression.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void evaluate(const ent_expression *expression) {
  static const double places[] = {0, 0.25, 1, 1e-300};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    ent_quad once[ENT_EXPRESSION_VALUES] = {0}, again[ENT_EXPRESSION_VALUES] = {0};
    ent_expression_evaluate(expression, places[i], 2, once);
    ent_expression_evaluate(expression, places[i], 2, again);
    DEMAND(once[0] == again[0] || (once[0] != once[0] && again[0] != again[0]));
  }
}

static void make_kernel(entropic_context *context, const char *text) {
  entropic_axis_options options;
  entropic_kernel *kernel = NULL;
  DEMAND(entropic_axis_options_init(&options, sizeof options) == ENTROPIC_OK);
  options.family = ENTROPIC_FAMILY_CUSTOM;
  options.max_level = 3;
  options.p_text = text;
  options.q_text = "1";
  if (entropic_kernel_create(context, &options, 1, 1, &kernel) != ENTROPIC_OK) {
    DEMAND(kernel == NULL && entropic_context_message(context)[0] != '\0');
    return;
  }
  for (size_t level = 0; level < entropic_kernel_levels(kernel, 0); level++)
    for (int i = 0; i <= 16; i++) {
      uint64_t atom;
      double value;
      DEMAND(entropic_kernel_atom(context, kernel, 0, level, i / 16.0, &atom, &value) == ENTROPIC_OK);
      DEMAND(isfinite(value));
    }
  entropic_kernel_free(kernel);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  static const ent_expression_form forms[] = {{"p", ENT_VARIABLE_X | ENT_VARIABLE_W, 1}, {"left", ENT_VARIABLE_W, 2}};
  char *text = malloc(count + 1);
  entropic_context *context = NULL;
  DEMAND(text != NULL && entropic_context_create(&context) == ENTROPIC_OK);
  memcpy(text, bytes, count);
  text[count] = '\0';
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    ent_expression expression;
    entropic_status status = ent_expression_parse(context, text, &forms[i], &expression);
    DEMAND(status == ENTROPIC_OK || status == ENTROPIC_BAD_ARGUMENT);
    if (status == ENTROPIC_OK)
      evaluate(&expression);
    else
      DEMAND(entropic_context_message(context)[0] != '\0');
    DEMAND(status != ENTROPIC_OK || !(expression.variables & ENT_VARIABLE_W) || ent_expression_has_w(text));
  }
  make_kernel(context, text);
  entropic_context_free(context);
  free(text);
  return 0;
}
