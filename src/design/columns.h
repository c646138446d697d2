/* The columns that a design is for, where it says so: inputs with their ranges or categories, the target with its range
 * or classes, and lambda. All of it is given, nothing is learnt from rows. */
#ifndef ENT_DESIGN_COLUMNS_H
#define ENT_DESIGN_COLUMNS_H

#include "columns/dictionary.h"
#include "design/design.h"

/* An input. */
typedef struct ent_design_input {
  char *name;
  double low, high;  /* of a number: low < high, both finite */
  size_t categories; /* 0: a number */
  size_t category_capacity;
  char **category; /* their names, in the order of their codes */
  bool missing;    /* missing values have an atom of their own; otherwise they are refused */
} ent_design_input;

typedef struct ent_design_columns {
  size_t inputs, input_capacity;
  ent_design_input *input;
  char *target;
  double target_low, target_high; /* of a number: low < high, both finite */
  size_t classes, class_capacity; /* 0: a number */
  char **class_name;
  double inverse_temperature; /* of probabilities of classes: above 0 */
  double lambda;              /* not negative */
  ent_dictionary *names;      /* of inputs and target */
  ent_dictionary *values;     /* categories of the last input, or classes */
} ent_design_columns;

/* Without data nothing can calibrate probabilities. At 2 those of two classes rise at score 0 as (1 + score) / 2 does,
 * which the squared loss estimates. */
#define ENT_DESIGN_INVERSE_TEMPERATURE 2.0
#define ENT_DESIGN_LAMBDA 1e-4

entropic_status ent_design_columns_create(entropic_context *context, ent_design_columns **columns);
void ent_design_columns_free(ent_design_columns *columns);

/* Each adds a copy of text[0..length): the next input, the target, the next category of the last input, the next class.
 * BAD_DATA if it cannot be a name or is there already. */
entropic_status ent_design_add_input(entropic_context *context, ent_design_columns *columns, const char *text,
                                     size_t length);
entropic_status ent_design_set_target(entropic_context *context, ent_design_columns *columns, const char *text,
                                      size_t length);
entropic_status ent_design_add_category(entropic_context *context, ent_design_columns *columns, const char *text,
                                        size_t length);
entropic_status ent_design_add_class(entropic_context *context, ent_design_columns *columns, const char *text,
                                     size_t length);

/* Whether these are the ends of a range. */
bool ent_design_is_range(double low, double high);
/* How many atoms the category level of an input has. */
static inline size_t ent_design_atoms(const ent_design_input *input) {
  return input->categories + (input->missing ? 1 : 0);
}

/* The columns by the parameters ranges, target, target-range, classes and lambda (ranges.c). */
entropic_status ent_design_columns_by(entropic_context *context, const entropic_parameters *parameters,
                                      ent_design_columns **columns);
/* Whether these parameters go together. */
entropic_status ent_design_columns_check(entropic_context *context, const entropic_parameters *parameters);

/* The text of a design with its columns, or without (NULL) (save.c): *bytes[*count], to be freed with entropic_bytes_free. */
entropic_status ent_design_save_columns(entropic_context *context, const entropic_design *design,
                                        const ent_design_columns *columns, unsigned char **bytes, size_t *count);

/* Where the text of a design is: in a file, or without a path in memory. */
typedef struct ent_design_place {
  const char *path;
  const void *bytes;
  size_t count;
} ent_design_place;

/* A design with its columns; BAD_DATA if it has none. Without, if columns is NULL. */
entropic_status ent_design_load_columns(entropic_context *context, const ent_design_place *place,
                                        ent_design_columns **columns, entropic_design **design);

#endif
