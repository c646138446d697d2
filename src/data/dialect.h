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

#endif
