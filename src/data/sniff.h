/* The records of a sample of a text file, from which its dialect is found. */
#ifndef ENT_DATA_SNIFF_H
#define ENT_DATA_SNIFF_H

#include "data/dialect.h"

#define ENT_SNIFF_RECORDS 200
/* A title has no more lines than this. */
#define ENT_TITLE_MOST 40

typedef struct ent_record_shape {
  size_t records;
  size_t first;  /* fields of the first record */
  size_t others; /* fields of most records but the first */
  /* Without the records before the first that has as many fields as most: they may be a title. */
  size_t body;
  size_t usual; /* fields of most records */
  size_t agree; /* records that have so many */
  size_t cells, numbers;
} ent_record_shape;

/* Called for each field of the sample. */
typedef void (*ent_sniff_visitor)(void *user, size_t record, size_t field, const ent_field *cut);

/* Visits the fields of the sample; returns how many records are complete. counts[ENT_SNIFF_RECORDS] gets the number of
 * fields of each. */
size_t ent_sniff_visit(const ent_sniff *sample, const ent_dialect *dialect, ent_sniff_visitor visitor, void *user,
                       size_t *counts);
ent_record_shape ent_sniff_shape(const ent_sniff *sample, const ent_dialect *dialect);
/* To the line after the one at *p; false if there is none. */
bool ent_sniff_next_line(const char **p, const char *limit);

/* Is all of text[0..length) digits with this mark among them? */
bool ent_is_fraction(const char *text, size_t length, char mark);
/* Is the field a number, with this decimal mark or a point? */
bool ent_field_is_number(const ent_field *field, char point);

/* Goes past the title: lines of text with fewer cells than the others have, above a header. `sample` then begins at the
 * header, and *title is the first line that is not empty; it is left alone if there is none. `header` as in the
 * options. */
entropic_status ent_sniff_skip_title(entropic_context *context, ent_sniff *sample, int header,
                                     const ent_dialect *dialect, const char **title);
/* Finds the lines of the header, the number of fields and of empty ones past them. */
entropic_status ent_sniff_find_columns(entropic_context *context, const ent_sniff *sample, int header,
                                       ent_dialect *dialect);

#endif
