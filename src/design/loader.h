/* Reading the text of a design: a line at a time, of which words and numbers are taken off the front. */
#ifndef ENT_DESIGN_LOADER_H
#define ENT_DESIGN_LOADER_H

#include "data/lines.h"
#include "design/columns.h"

typedef struct ent_loader {
  entropic_context *context;
  ent_lines lines;
  const char *at; /* what is left of the line */
  entropic_axis_options *axes;
  entropic_design *design;
  entropic_term *terms;
  uint64_t *members;
  size_t member_capacity;
  size_t first_group_line;
  size_t unbased;              /* inputs without base level */
  bool texts;                  /* custom kernels may come */
  ent_design_columns *columns; /* NULL: the design says nothing of columns */
  char **kept;                 /* their texts, until there is a kernel */
  size_t kept_count, kept_capacity;
} ent_loader;

/* BAD_DATA with file, line, what was expected and what is left of the line. */
entropic_status ent_loader_expected(ent_loader *loader, const char *what);
/* Says of a failure below in which file and line it came up. What is wrong with a file is bad data, whatever it would be
 * elsewhere. Line 0: none in particular. */
entropic_status ent_loader_locate(ent_loader *loader, entropic_status status, size_t line);
/* The next line; BAD_DATA if there is none. */
entropic_status ent_loader_next(ent_loader *loader, const char *what);

/* Each of these takes something off the front of the line, with the blank behind it; false if it is not there. */
bool ent_take_word(ent_loader *loader, const char *word);
bool ent_take_integer(ent_loader *loader, uint64_t most, char end, uint64_t *value);
bool ent_take_double(ent_loader *loader, double *value);

/* The part of a design about its columns (load_columns.c). */
entropic_status ent_load_columns(ent_loader *loader);
/* Whether the axis of inputs `first` .. `first + count - 1` goes with their columns, if there are such. */
entropic_status ent_load_check_axis(ent_loader *loader, const entropic_axis_options *axis, size_t first, size_t count);

#endif
