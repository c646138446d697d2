/* What rows look like: inputs with their names, categories and notations, targets and classes. Data sets and models have
 * one each. */
#ifndef ENT_DATASET_SCHEMA_H
#define ENT_DATASET_SCHEMA_H

#include <stdbool.h>

#include "columns/inputs.h"
#include "columns/notation.h"
#include "design/restriction.h"

/* An input as it comes from data. */
typedef struct ent_input {
  char *name;
  size_t categories;     /* 0: a number */
  char **category;       /* their names, in the order of their codes */
  bool missing;          /* values were missing in the training rows; a category then has one more atom for that */
  bool date;             /* a number of days that comes as a date where it comes as text */
  ent_notation notation; /* how it is written where it comes as text; plain also for dates of ENT_NOTATION_DATE */
  ent_date_part
      part; /* of a date; parts that are made follow their date, whose name stands in theirs, and have no notation */
  bool derived;      /* made of categories by target means (target_means.h): no column has it */
  bool complete;     /* a row where it is missing is refused by statistics, as the design says */
  bool unused;       /* in models: no feature depends on it, and its categories are not kept */
  bool was_category; /* such an input was one */
} ent_input;

/* What rows look like; data sets and models have one each. */
typedef struct ent_schema {
  entropic_task task;
  size_t inputs;
  ent_input *input;
  size_t targets;           /* 1 for classes */
  char **target;            /* their names */
  uint8_t *target_notation; /* an ent_notation each; NULL: plain */
  char *missing_marks;      /* marks of missing values in text, comma separated, as the caller gave them; NULL: none */
  char *terms[ENT_RESTRICT_KINDS]; /* of models: the lists that features were restricted to; NULL: not given */
  size_t classes;                  /* 0 for numbers */
  char **class_name;
} ent_schema;

/* Copies; on failure *to is empty. */
entropic_status ent_schema_copy(entropic_context *context, const ent_schema *from, ent_schema *to);
/* Copies the texts of a restriction, [ENT_RESTRICT_KINDS], into a schema that has none. On failure the schema is still to
 * be cleared. */
entropic_status ent_schema_set_terms(entropic_context *context, char *const *texts, ent_schema *schema);
/* Frees what it holds and empties it; an empty one, all zero, is fine. */
void ent_schema_clear(ent_schema *schema);
struct ent_columns;
struct ent_dictionary;
/* A dictionary of the names of inputs and targets. */
entropic_status ent_schema_names(entropic_context *context, const ent_schema *schema, struct ent_dictionary **names);
/* Finds a column by its name in an index of names. Names in memory have no blanks around them, so there one that had them in
 * quotes is also looked for without. */
bool ent_schema_find_column(const struct ent_dictionary *index, const char *name, bool in_memory, uint32_t *column);
/* Fails because `columns` have no column of that name; what the schema names is not what could be meant instead. */
entropic_status ent_schema_fail_column(entropic_context *context, const ent_schema *schema,
                                       const struct ent_columns *columns, const char *what, const char *name);
/* What is said to be expected where a class is not known: "one of the classes a, b, c", or the first ten. */
#define ENT_CLASSES_TEXT 4096
void ent_schema_expect_class(const ent_schema *schema, char text[ENT_CLASSES_TEXT]);
/* The date that a part is made of; the input itself if it is no such part. */
size_t ent_schema_date_of(const ent_schema *schema, size_t input);
/* How the column of an input is written, as it has to be read. */
ent_notation ent_schema_reading(const ent_schema *schema, size_t input);
/* How many columns the inputs come from. */
size_t ent_schema_columns(const ent_schema *schema);
/* Whether targets are classes; otherwise numbers. */
static inline bool ent_schema_has_classes(const ent_schema *schema) {
  return schema->classes > 0;
}
/* How the column of a target is written. */
static inline ent_notation ent_schema_target_notation(const ent_schema *schema, size_t target) {
  return schema->target_notation == NULL ? ENT_NOTATION_PLAIN : (ent_notation)schema->target_notation[target];
}
/* Marks an input as not in use; its categories are let go. */
void ent_input_drop(ent_input *input);
/* How many atoms the category level of an input has: its categories, and one if values were missing. */
static inline size_t ent_input_atoms(const ent_input *input) {
  return input->categories + (input->missing ? 1 : 0);
}

#endif
