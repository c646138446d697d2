/* Scalers as text:
 *
 *   entropic scaler 1
 *   scaling quantile
 *   inputs 2
 *   3 0.5 0.125 1 0.5 7 0.875     (an input each: the number of knots, then value and height of each)
 *   0
 */
#include <stdio.h>
#include <string.h>

#include "axis/scaler.h"
#include "base/output.h"

#define TITLE "entropic scaler 1\nscaling "
#define MOST_INPUTS ((size_t)1 << 24)

static entropic_status put_number(entropic_context *context, entropic_output *output, double value) {
  char text[ENTROPIC_NUMBER_SIZE + 1] = " ";
  size_t length = entropic_format_double(value, text + 1);
  return entropic_output_write(context, output, text, length + 1);
}

static entropic_status put_scale(entropic_context *context, entropic_output *output, const ent_scale *scale) {
  char text[32];
  int length = snprintf(text, sizeof text, "%zu", scale->knots);
  entropic_status status = entropic_output_write(context, output, text, (size_t)length);
  for (size_t i = 0; i < scale->knots && status == ENTROPIC_OK; i++) {
    status = put_number(context, output, scale->at[i]);
    if (status != ENTROPIC_OK)
      return status;
    status = put_number(context, output, scale->height[i]);
  }
  return status != ENTROPIC_OK ? status : entropic_output_write(context, output, "\n", 1);
}

entropic_status entropic_scaler_save_memory(entropic_context *context, const entropic_scaler *scaler,
                                            unsigned char **bytes, size_t *count) {
  ENT_NEED(context, scaler);
  ENT_NEED(context, bytes);
  ENT_NEED(context, count);
  char text[128];
  entropic_output *output = NULL;
  entropic_status status = ent_output_create_memory(context, &output);
  if (status != ENTROPIC_OK)
    return status;
  int length =
      snprintf(text, sizeof text, TITLE "%s\ninputs %zu\n", entropic_scaling_name(scaler->scaling), scaler->inputs);
  status = entropic_output_write(context, output, text, (size_t)length);
  for (size_t i = 0; i < scaler->inputs && status == ENTROPIC_OK; i++)
    status = put_scale(context, output, &scaler->scales[i]);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_output_commit(context, output);
  if (status != ENTROPIC_OK)
    goto done;
  ent_output_take(output, bytes, count);
done:
  entropic_output_free(output);
  return status;
}

/* What is left of the text. */
typedef struct ent_scaler_text {
  entropic_context *context;
  const char *at, *end;
} ent_scaler_text;

static entropic_status fail(const ent_scaler_text *text, const char *expected) {
  return ent_fail(text->context, ENTROPIC_BAD_DATA, "the scaler is damaged: expected %s", expected);
}

/* The next word, which ends with a blank or the end of its line. */
static size_t take_word(ent_scaler_text *text, const char **word) {
  while (text->at < text->end && (*text->at == ' ' || *text->at == '\n'))
    text->at++;
  *word = text->at;
  while (text->at < text->end && *text->at != ' ' && *text->at != '\n')
    text->at++;
  return (size_t)(text->at - *word);
}

static bool take_exactly(ent_scaler_text *text, const char *words) {
  size_t length = strlen(words);
  if ((size_t)(text->end - text->at) < length || memcmp(text->at, words, length) != 0)
    return false;
  text->at += length;
  return true;
}

static bool take_number(ent_scaler_text *text, double *value) {
  const char *word;
  size_t length = take_word(text, &word);
  return entropic_parse_double(word, length, value) == ENTROPIC_OK;
}

/* A whole number from least to most. */
static bool take_count(ent_scaler_text *text, size_t least, size_t most, size_t *count) {
  double value;
  if (!take_number(text, &value) || !(value >= (double)least && value <= (double)most) || value != floor(value))
    return false;
  *count = (size_t)value;
  return true;
}

static entropic_status take_scaling(ent_scaler_text *text, entropic_scaling *scaling) {
  const char *word;
  if (!take_exactly(text, TITLE))
    return fail(text, "the line 'entropic scaler 1' and a scaling");
  size_t length = take_word(text, &word);
  for (int i = ENTROPIC_SCALING_AUTO + 1; entropic_scaling_name((entropic_scaling)i) != NULL; i++) {
    const char *name = entropic_scaling_name((entropic_scaling)i);
    if (strlen(name) == length && memcmp(name, word, length) == 0) {
      *scaling = (entropic_scaling)i;
      return ENTROPIC_OK;
    }
  }
  return fail(text, "the name of a scaling");
}

static entropic_status take_scale(ent_scaler_text *text, entropic_scaler *scaler, size_t input) {
  double at[ENT_KNOTS], height[ENT_KNOTS];
  ent_scale_parts parts = {.at = at, .height = height};
  if (!take_count(text, 0, ENT_KNOTS, &parts.knots))
    return fail(text, "a number of knots");
  for (size_t i = 0; i < parts.knots; i++)
    if (!take_number(text, &at[i]) || !take_number(text, &height[i]))
      return fail(text, "the value and height of a knot");
  return ent_scaler_set(text->context, scaler, input, &parts);
}

entropic_status entropic_scaler_load_memory(entropic_context *context, const void *bytes, size_t count,
                                            entropic_scaler **scaler) {
  ENT_NEED(context, bytes);
  ENT_NEED(context, scaler);
  ent_scaler_text text = {.context = context, .at = bytes, .end = (const char *)bytes + count};
  entropic_scaling scaling = ENTROPIC_SCALING_NONE;
  entropic_scaler *made = NULL;
  size_t inputs;
  entropic_status status = take_scaling(&text, &scaling);
  if (status != ENTROPIC_OK)
    return status;
  if (!take_exactly(&text, "\ninputs") || !take_count(&text, 1, MOST_INPUTS, &inputs))
    return fail(&text, "a number of inputs");
  if (inputs > count)
    return fail(&text, "a line for each input");
  status = ent_scaler_start(context, scaling, inputs, &made);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < inputs; i++) {
    status = take_scale(&text, made, i);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  if (!take_exactly(&text, "\n") || text.at != text.end) {
    status = fail(&text, "no more than one line for each input");
    goto fail;
  }
  *scaler = made;
  return ENTROPIC_OK;
fail:
  entropic_scaler_free(made);
  return status;
}
