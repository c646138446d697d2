/* Schemas: what rows look like. See model.h. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "columns/columns.h"
#include "dataset/schema.h"

#define ENT_CLASSES_SHOWN 10

static void free_names(char **names, size_t count) {
  for (size_t i = 0; names != NULL && i < count; i++)
    ent_delete(names[i]);
  ent_delete(names);
}

void ent_schema_clear(ent_schema *schema) {
  for (size_t i = 0; schema->input != NULL && i < schema->inputs; i++) {
    ent_delete(schema->input[i].name);
    free_names(schema->input[i].category, schema->input[i].categories);
  }
  ent_delete(schema->input);
  free_names(schema->target, schema->targets);
  ent_delete(schema->target_notation);
  ent_delete(schema->missing_marks);
  for (int kind = 0; kind < ENT_RESTRICT_KINDS; kind++)
    ent_delete(schema->terms[kind]);
  free_names(schema->class_name, schema->classes);
  *schema = (ent_schema){0};
}

/* Copies names into *to, which has to be NULL; what has been copied before a failure stays for the caller to free. */
static entropic_status copy_names(entropic_context *context, char *const *from, size_t count, char ***to) {
  if (from == NULL)
    return ENTROPIC_OK;
  *to = ent_new(context, count, sizeof **to);
  for (size_t i = 0; *to != NULL && i < count; i++) {
    (*to)[i] = ent_new_text(context, from[i], strlen(from[i]));
    if ((*to)[i] == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  return *to == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

static entropic_status copy_input(entropic_context *context, const ent_input *from, ent_input *to) {
  to->categories = from->categories;
  to->missing = from->missing;
  to->derived = from->derived;
  to->complete = from->complete;
  to->date = from->date;
  to->part = from->part;
  to->notation = from->notation;
  to->unused = from->unused;
  to->was_category = from->was_category;
  to->name = ent_new_text(context, from->name, strlen(from->name));
  return to->name == NULL ? ENTROPIC_NO_MEMORY : copy_names(context, from->category, from->categories, &to->category);
}

entropic_status ent_schema_set_terms(entropic_context *context, char *const *texts, ent_schema *schema) {
  for (int kind = 0; kind < ENT_RESTRICT_KINDS; kind++) {
    if (texts[kind] == NULL)
      continue;
    schema->terms[kind] = ent_new_text(context, texts[kind], strlen(texts[kind]));
    if (schema->terms[kind] == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  return ENTROPIC_OK;
}

entropic_status ent_schema_copy(entropic_context *context, const ent_schema *from, ent_schema *to) {
  *to = (ent_schema){.task = from->task, .inputs = from->inputs, .targets = from->targets, .classes = from->classes};
  to->input = ent_new(context, from->inputs, sizeof *to->input);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (to->input == NULL)
    goto fail;
  for (size_t i = 0; i < from->inputs; i++) {
    status = copy_input(context, &from->input[i], &to->input[i]);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  status = ent_schema_set_terms(context, from->terms, to);
  if (status != ENTROPIC_OK)
    goto fail;
  if (from->missing_marks != NULL) {
    status = ENTROPIC_NO_MEMORY;
    to->missing_marks = ent_new_text(context, from->missing_marks, strlen(from->missing_marks));
    if (to->missing_marks == NULL)
      goto fail;
  }
  status = copy_names(context, from->target, from->targets, &to->target);
  if (status != ENTROPIC_OK)
    goto fail;
  status = copy_names(context, from->class_name, from->classes, &to->class_name);
  if (status != ENTROPIC_OK)
    goto fail;
  if (from->target_notation == NULL)
    return ENTROPIC_OK;
  status = ENTROPIC_NO_MEMORY;
  to->target_notation = ent_new(context, from->targets, 1);
  if (to->target_notation == NULL)
    goto fail;
  memcpy(to->target_notation, from->target_notation, from->targets);
  return ENTROPIC_OK;
fail:
  ent_schema_clear(to);
  return status;
}

size_t ent_schema_date_of(const ent_schema *schema, size_t input) {
  while (ent_part_is_made(schema->input[input].part))
    input--;
  return input;
}

ent_notation ent_schema_reading(const ent_schema *schema, size_t input) {
  const ent_input *whole = &schema->input[ent_schema_date_of(schema, input)];
  if (!whole->date)
    return whole->notation;
  ent_notation notation = whole->notation == ENT_NOTATION_PLAIN ? ENT_NOTATION_DATE : whole->notation;
  return whole->part == ENT_PART_WHOLE ? notation : ent_notation_in_utc(notation);
}

size_t ent_schema_columns(const ent_schema *schema) {
  size_t columns = 0;
  for (size_t i = 0; i < schema->inputs; i++)
    columns += !ent_part_is_made(schema->input[i].part) && !schema->input[i].derived;
  return columns;
}

void ent_input_drop(ent_input *input) {
  input->unused = true;
  input->complete = false;
  input->was_category = input->was_category || input->categories > 0;
  free_names(input->category, input->categories);
  input->category = NULL;
  input->categories = 0;
}

/* The names of inputs, then those of targets. */
static const char *schema_name(const void *of, size_t index) {
  const ent_schema *schema = of;
  return index < schema->inputs ? schema->input[index].name : schema->target[index - schema->inputs];
}

entropic_status ent_schema_names(entropic_context *context, const ent_schema *schema, ent_dictionary **names) {
  return ent_dictionary_of(context, &(ent_text_list){schema->inputs + schema->targets, schema_name, schema}, names);
}

bool ent_schema_find_column(const ent_dictionary *index, const char *name, bool in_memory, uint32_t *column) {
  ent_column_cell plain = {.text = name, .length = strlen(name)};
  if (ent_dictionary_find(index, plain.text, plain.length, column))
    return true;
  ent_cell_trim(&plain);
  return in_memory && ent_dictionary_find(index, plain.text, plain.length, column);
}

entropic_status ent_schema_fail_column(entropic_context *context, const ent_schema *schema,
                                       const struct ent_columns *columns, const char *what, const char *name) {
  ent_dictionary *taken = NULL;
  entropic_status status = ent_schema_names(context, schema, &taken);
  if (status != ENTROPIC_OK)
    return status;
  ent_column_query query = {name, strlen(name), taken, what};
  status = ent_columns_fail_unknown(context, ENTROPIC_BAD_DATA, columns, &query);
  ent_dictionary_free(taken);
  return status;
}

void ent_schema_expect_class(const ent_schema *schema, char text[ENT_CLASSES_TEXT]) {
  size_t used = (size_t)snprintf(text, ENT_CLASSES_TEXT, "one of the classes ");
  for (size_t i = 0; i < schema->classes && i < ENT_CLASSES_SHOWN; i++) {
    char shown[ENT_SHOW_SIZE];
    used += (size_t)snprintf(text + used, ENT_CLASSES_TEXT - used, "%s%s", i > 0 ? ", " : "",
                             ent_show(schema->class_name[i], strlen(schema->class_name[i]), shown));
  }
  if (schema->classes > ENT_CLASSES_SHOWN)
    snprintf(text + used, ENT_CLASSES_TEXT - used, " and %zu more", schema->classes - ENT_CLASSES_SHOWN);
}
