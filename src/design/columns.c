/* Columns of a design: see columns.h. */
#include "design/columns.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static void free_texts(char **texts, size_t count) {
  for (size_t i = 0; i < count; i++)
    ent_delete(texts[i]);
  ent_delete(texts);
}

void ent_design_columns_free(ent_design_columns *columns) {
  if (columns == NULL)
    return;
  for (size_t i = 0; i < columns->inputs; i++) {
    ent_delete(columns->input[i].name);
    free_texts(columns->input[i].category, columns->input[i].categories);
  }
  ent_delete(columns->input);
  ent_delete(columns->target);
  free_texts(columns->class_name, columns->classes);
  ent_dictionary_free(columns->names);
  ent_dictionary_free(columns->values);
  ent_delete(columns);
}

entropic_status ent_design_columns_create(entropic_context *context, ent_design_columns **columns) {
  ent_design_columns *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->inverse_temperature = ENT_DESIGN_INVERSE_TEMPERATURE;
  made->lambda = ENT_DESIGN_LAMBDA;
  entropic_status status = ent_dictionary_create(context, &made->names);
  if (status != ENTROPIC_OK) {
    ent_design_columns_free(made);
    return status;
  }
  *columns = made;
  return ENTROPIC_OK;
}

bool ent_design_is_range(double low, double high) {
  return isfinite(low) && isfinite(high) && low < high;
}

/* A line of a design holds a name: no control characters, no blanks around it. */
static bool is_name(const char *text, size_t length) {
  bool printable = length > 0 && text[0] != ' ' && text[length - 1] != ' ';
  for (size_t i = 0; i < length; i++)
    printable = printable && (unsigned char)text[i] >= ' ' && text[i] != '\x7f';
  return printable;
}

/* A copy of a name that is not among `names` yet, and now is. */
static entropic_status take_name(entropic_context *context, ent_dictionary *names, const char *text, size_t length,
                                 char **name) {
  char shown[ENT_SHOW_SIZE];
  uint32_t code;
  bool is_new = true;
  if (!is_name(text, length))
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "found '%s', expected a name, without line breaks and without blanks around it",
                    ent_show(text, length, shown));
  entropic_status status = ent_dictionary_code(context, names, text, length, &code, &is_new);
  if (status != ENTROPIC_OK)
    return status;
  if (!is_new)
    return ent_fail(context, ENTROPIC_BAD_DATA, "found '%s' twice, expected different names",
                    ent_show(text, length, shown));
  *name = ent_new_text(context, text, length);
  return *name == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* A list of names that grows: categories or classes. */
typedef struct ent_design_values {
  char ***names;
  size_t *count, *capacity;
} ent_design_values;

static entropic_status add_value(entropic_context *context, ent_design_columns *columns, const char *text,
                                 size_t length, const ent_design_values *list) {
  if (*list->count == 0) { /* another list begins */
    ent_dictionary_free(columns->values);
    columns->values = NULL;
    entropic_status status = ent_dictionary_create(context, &columns->values);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (!ent_reserve(context, list->names, list->capacity, *list->count + 1, sizeof **list->names))
    return ENTROPIC_NO_MEMORY;
  entropic_status status = take_name(context, columns->values, text, length, &(*list->names)[*list->count]);
  if (status != ENTROPIC_OK)
    return status;
  ++*list->count;
  return ENTROPIC_OK;
}

entropic_status ent_design_add_category(entropic_context *context, ent_design_columns *columns, const char *text,
                                        size_t length) {
  ent_design_input *input = &columns->input[columns->inputs - 1];
  const ent_design_values list = {&input->category, &input->categories, &input->category_capacity};
  return add_value(context, columns, text, length, &list);
}

entropic_status ent_design_add_class(entropic_context *context, ent_design_columns *columns, const char *text,
                                     size_t length) {
  const ent_design_values list = {&columns->class_name, &columns->classes, &columns->class_capacity};
  return add_value(context, columns, text, length, &list);
}

entropic_status ent_design_add_input(entropic_context *context, ent_design_columns *columns, const char *text,
                                     size_t length) {
  if (!ent_reserve(context, &columns->input, &columns->input_capacity, columns->inputs + 1, sizeof *columns->input))
    return ENTROPIC_NO_MEMORY;
  entropic_status status = take_name(context, columns->names, text, length, &columns->input[columns->inputs].name);
  if (status != ENTROPIC_OK)
    return status;
  columns->inputs++;
  return ENTROPIC_OK;
}

entropic_status ent_design_set_target(entropic_context *context, ent_design_columns *columns, const char *text,
                                      size_t length) {
  return take_name(context, columns->names, text, length, &columns->target);
}
