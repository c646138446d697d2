/* Parameters from values. Each value goes by way of its text, so that one place checks them all. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/parameters.h"

entropic_status entropic_parameters_set_flag(entropic_context *context, entropic_parameters *parameters,
                                             const char *name, int value) {
  return entropic_parameters_set(context, parameters, name, value ? "yes" : "no");
}

entropic_status entropic_parameters_set_integer(entropic_context *context, entropic_parameters *parameters,
                                                const char *name, uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, value);
  return entropic_parameters_set(context, parameters, name, text);
}

entropic_status entropic_parameters_set_number(entropic_context *context, entropic_parameters *parameters,
                                               const char *name, double value) {
  char text[ENTROPIC_NUMBER_SIZE];
  entropic_format_double(value, text);
  return entropic_parameters_set(context, parameters, name, text);
}

entropic_status entropic_parameters_set_numbers(entropic_context *context, entropic_parameters *parameters,
                                                const char *name, const double *values, size_t count) {
  ENT_NEED(context, parameters);
  ENT_NEED(context, name);
  ENT_NEED(context, values);
  if (count == 0)
    return ent_parameters_reset(context, parameters, name);
  char *text = ent_new_matrix(context, count, ENTROPIC_NUMBER_SIZE + 1, 1), *at = text;
  if (text == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < count; i++) {
    at += entropic_format_double(values[i], at);
    *at++ = i + 1 < count ? ',' : 0;
  }
  entropic_status status = entropic_parameters_set(context, parameters, name, text);
  ent_delete(text);
  return status;
}
