/* The public calls about parameters that need the table. */
#include <stdio.h>

#include "base/sized.h"
#include "design/by_parameters.h"

size_t entropic_parameter_count(void) {
  return ent_parameter_rows.count;
}

entropic_status entropic_parameter_describe(entropic_context *context, size_t index, entropic_parameter *info,
                                            size_t size) {
  ENT_NEED(context, info);
  if (index >= ent_parameter_rows.count)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "index: %zu; there are %zu parameters", index,
                    ent_parameter_rows.count);
  return ent_sized_give(context, info, size, &ent_parameter_rows.rows[index].info, sizeof *info);
}

size_t entropic_parameter_choice(size_t index, size_t choice, char *name, size_t size, const char **help) {
  const char *about = "", *found = NULL;
  size_t length = 0;
  if (index < ent_parameter_rows.count && ent_parameter_rows.rows[index].info.type == ENTROPIC_PARAMETER_CHOICE)
    found = ent_parameter_choice(&ent_parameter_rows.rows[index], choice, &length, &about);
  if (help != NULL)
    *help = about;
  if (name != NULL && size > 0)
    snprintf(name, size, "%.*s", (int)length, found == NULL ? "" : found);
  return length;
}

entropic_status entropic_parameters_create(entropic_context *context, entropic_purpose purpose,
                                           entropic_parameters **parameters) {
  ENT_NEED(context, parameters);
  if (purpose != ENTROPIC_PURPOSE_READ && purpose != ENTROPIC_PURPOSE_FIT && purpose != ENTROPIC_PURPOSE_DESIGN &&
      purpose != ENTROPIC_PURPOSE_COMPARE && purpose != ENTROPIC_PURPOSE_SOLVE && purpose != ENTROPIC_PURPOSE_EXPORT &&
      purpose != ENTROPIC_PURPOSE_COLLECT)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "purpose: %d is not one of entropic_purpose", (int)purpose);
  return ent_parameters_create(context, &ent_parameter_rows, (unsigned)purpose, parameters);
}
