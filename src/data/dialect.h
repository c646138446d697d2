/* How a text file is written: its delimiter and the like, and fields cut out by these rules. */
#ifndef ENT_DATA_DIALECT_H
#define ENT_DATA_DIALECT_H

#include "columns/columns.h"

typedef struct ent_dialect {
  char delimiter; /* ' ' is any run of blanks and tabs */
  char quote;     /* 0 for none */
  char point;     /* the decimal mark */
  char comment;   /* 0 for none */
  bool blank;     /* the delimiter is a run of blanks */
  bool header;
  size_t names;    /* lines of the header: a second one may divide the columns of equal names, or hold units */
  size_t fields;   /* of a line */
  size_t trailing; /* so many empty fields more may stand at its end */
  size_t start;    /* so many bytes come before the header or first row: a line that names the delimiter, a title */
  size_t title;    /* of these, so many before the first line of the title that is not empty */
  size_t titles;   /* lines of the title, empty ones among them; 0 if there is none */
  bool numbers;    /* the names are numbers, and nobody has said that the first line is a header */
  bool row_names;  /* the first column has no name and stands for those of rows, as R writes it */
} ent_dialect;

/* A field without its quotes or the blanks around it. */
typedef struct ent_field {
  const char *text;
  size_t length;
  const char *end; /* the delimiter or line feed that ends it */
  size_t lines;    /* line feeds in it */
  bool quoted;
  bool doubled;      /* it holds doubled quotes, each of which stands for one */
  const char *fault; /* with ENT_FIELD_FAULT: what is wrong */
} ent_field;

typedef enum ent_cut {
  ENT_FIELD_CUT,  /* here it is */
  ENT_FIELD_MORE, /* it goes on past the limit */
  ENT_FIELD_FAULT
} ent_cut;

/* Cuts the field at p. A line feed stands at *limit, which is the end of what has been read; `ended`: of the file. */
ent_cut ent_field_cut(const ent_dialect *dialect, const char *p, const char *limit, bool ended, ent_field *field);

/* The first byte at or after p that is the delimiter or a line feed, of which there is one before the padding. */
const char *ent_find_end(const char *p, char delimiter);

/* Past the blanks of a line, and past its delimiters if `delimiters`. */
const char *ent_skip_blanks(const ent_dialect *dialect, const char *p, bool delimiters);

/* Is there nothing on the line at p that counts: no byte but blanks, or a comment? A line feed stands at *limit. */
bool ent_line_is_empty(const ent_dialect *dialect, const char *p);

/* The lines that end in [p, end). */
size_t ent_count_lines(const char *p, const char *end);

/* The first bytes of a file. */
typedef struct ent_sniff {
  const ent_columns *columns; /* for the marks of missing values and the names that are known; no columns yet */
  const char *start, *limit;  /* at *limit a line feed */
  bool ended;                 /* the file ends at the limit */
} ent_sniff;

/* Finds from a sample what the options leave open. */
entropic_status ent_dialect_find(entropic_context *context, const ent_sniff *sample, const ent_read_options *options,
                                 ent_dialect *dialect);

/* ---- Samples ---- */

/* The records of a sample of a text file, from which its dialect is found. */

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
