/* Data sets of a few lines, shown as text. */
#ifndef SHOWING_H
#define SHOWING_H

#include "unit/tests.h"

#include "model/model.h"

#include "unit/fixture.h"
#include "dataset/dataset.h"

static inline entropic_table *load(void **state, const char *text, const ent_roles *roles) {
  const char *path = in_folder(state, "file");
  write_file(path, text, strlen(text));
  entropic_table *table = NULL;
  ent_read_options options = ent_read_options_default();
  if (roles != NULL)
    options.roles = *roles;
  if (ent_table_load(context, path, &options, &table) != ENTROPIC_OK)
    fail_msg("'%s' is refused: %s", text, entropic_context_message(context));
  return table;
}

static inline entropic_dataset *create(void **state, const char *text, const ent_roles *roles, entropic_task task) {
  entropic_table *table = load(state, text, roles);
  entropic_dataset *dataset = NULL;
  if (ent_dataset_create(context, table, task, &dataset) != ENTROPIC_OK)
    fail_msg("'%s' is refused: %s", text, entropic_context_message(context));
  entropic_table_free(table);
  return dataset;
}

static char *show_names(char *p, char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    p += sprintf(p, "%s%s", i > 0 ? " " : "", names[i]);
  return p;
}

/* The schema as text: inputs with their categories in brackets and a ? if values were missing, then : targets, then
 * classes in brackets. */
static const char *show_schema(const ent_schema *schema) {
  static char text[2000];
  char *p = text;
  for (size_t i = 0; i < schema->inputs; i++) {
    const ent_input *input = &schema->input[i];
    p += sprintf(p, "%s%s%s", i > 0 ? ", " : "", input->name, input->missing ? "?" : "");
    if (input->categories > 0) {
      p += sprintf(p, "[");
      p = show_names(p, input->category, input->categories);
      p += sprintf(p, "]");
    }
  }
  p = show_names(p + sprintf(p, " : "), schema->target, schema->targets);
  if (schema->classes > 0) {
    p = show_names(p + sprintf(p, "["), schema->class_name, schema->classes);
    sprintf(p, "]");
  }
  return text;
}

/* The rows as text: inputs, then > targets, then *weight and @group if there are any; missing values are dots. */
static const char *show_rows(const entropic_dataset *dataset) {
  static char text[4000];
  char *p = text;
  *p = '\0';
  const ent_schema *schema = &dataset->schema;
  for (size_t row = 0; row < dataset->rows; row++) {
    p += row > 0 ? sprintf(p, "/") : 0;
    for (size_t i = 0; i < schema->inputs; i++) {
      double value = dataset->x[row * schema->inputs + i];
      p += isnan(value) ? sprintf(p, " .") : sprintf(p, " %g", value);
    }
    p += sprintf(p, " >");
    for (size_t i = 0; i < schema->targets; i++)
      p += sprintf(p, " %g", dataset->y[row * schema->targets + i]);
    p += dataset->weights == NULL ? 0 : sprintf(p, " *%g", dataset->weights[row]);
    p += dataset->groups == NULL ? 0 : sprintf(p, " @%g", dataset->groups[row]);
  }
  return text + (text[0] == ' ');
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start_in_folder, stop_in_folder)

#endif
