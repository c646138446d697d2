/* The reader of delimited text: its state, and what its two files share. */
#ifndef ENT_DATA_DELIMITED_H
#define ENT_DATA_DELIMITED_H

#include "base/scan.h"
#include "data/dialect.h"
#include "data/source.h"

typedef struct ent_delimited {
  ent_dialect dialect;
  size_t blank_rows; /* rows of delimiters alone that have been passed: rows if others follow, otherwise nothing */
  size_t blank_line; /* the line of the first of them */
  size_t lines;      /* line feeds within the fields of this record */
  bool named;        /* columns have their names */
  size_t header;     /* the line of the header */
  bool duplicates;   /* it names columns the same */
  unsigned char *modes;
  const ent_power *powers;
  char *scratch; /* for fields with doubled quotes */
  size_t scratch_capacity;
} ent_delimited;

/* What a line is. */
typedef enum ent_line {
  ENT_LINE_ROW,
  ENT_LINE_SKIP,  /* empty, or a comment */
  ENT_LINE_BLANK, /* delimiters alone */
  ENT_LINE_MORE   /* more bytes are needed to tell */
} ent_line;

/* Classifies the line at p; *line_end is its line feed if it is no row. */
ent_line ent_delimited_classify(const ent_delimited *text, const ent_bytes *bytes, const char *p,
                                const char **line_end);
/* Goes past a record that ends at line_end and has so many line feeds within its fields. */
void ent_delimited_pass(ent_bytes *bytes, const char *line_end, size_t lines);
/* Where the field after the one that ends at `end` starts; NULL if the record ends, with its line feed in *line_end. */
const char *ent_delimited_next_field(const ent_dialect *dialect, const char *end, const char **line_end);
/* Makes one quote of each doubled one. */
entropic_status ent_delimited_undouble(entropic_context *context, ent_delimited *text, ent_field *field);
/* BAD_DATA about a field of the record at hand. */
entropic_status ent_delimited_fail(entropic_context *context, const entropic_source *source, size_t column,
                                   const char *what);

/* Makes state and columns from the first lines. */
entropic_status ent_delimited_open(entropic_context *context, entropic_source *source, const ent_read_options *options);
/* Goes to the first row; the first time columns get their names. */
entropic_status ent_delimited_begin(entropic_context *context, entropic_source *source);

#endif
