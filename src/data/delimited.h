/* The reader of delimited text: its state, and what its files share. */
#ifndef ENT_DATA_DELIMITED_H
#define ENT_DATA_DELIMITED_H

#include "base/scan.h"
#include "data/dialect.h"
#include "data/source.h"

/* Delimited text parsed by several threads. The text at hand is cut into segments at line feeds. Threads parse them at
 * once, each as if a row began there; the bytes that follow are read meanwhile. Then the segments are linked: a segment
 * counts if the one before it ends where it begins, otherwise (the cut was within quotes) it is parsed again. Parsing
 * changes nothing but the segment: cells that would change the columns, or be refused, are left for later and read in
 * the order of the file when their rows are handed out. A row that cannot be parsed ends the segments; the reader goes
 * on there row by row, and says what is wrong. So rows, columns and messages are those of one thread. */

typedef struct ent_segment ent_segment;
typedef struct ent_segments ent_segments;

void ent_segments_free(ent_segments *segments);
/* Forgets all rows that have not been handed out. NULL is fine. */
void ent_segments_clear(ent_segments *segments);

/* Hands out up to `capacity` rows of delimited text, as long as it pays to parse segments: the text is long, there is more
 * than one thread, and rows are as usual. Fewer say nothing about the end: the caller reads on row by row. */
entropic_status ent_segments_read(entropic_context *context, ent_source *source, double *values, size_t capacity,
                                  size_t *rows);

/* A cell of the row of a segment that is being parsed: its value, or that it is left for later. Its line is counted from
 * that of the row. */
void ent_segment_cell(ent_segment *segment, const ent_columns *columns, const ent_column_cell *cell, bool doubled,
                      double *value);

typedef struct ent_delimited {
  ent_dialect dialect;
  bool named;      /* columns have their names */
  size_t header;   /* the line of the header */
  bool duplicates; /* it names columns the same */
  /* For the files that follow the first one. */
  char *header_text; /* the first line of the header as it is written, a line feed at [header_length]; or NULL */
  size_t header_length;
  size_t title_lines; /* lines above it */
  bool header_given;  /* by the caller: each file has one */
  unsigned char *modes;
  const ent_power *powers;
  char *scratch; /* for fields with doubled quotes */
  size_t scratch_capacity;
  size_t segment;         /* bytes of a segment; 0: as many as usual */
  ent_segments *segments; /* rows that several threads have parsed; NULL: there were none so far */
} ent_delimited;

/* What a line is. */
typedef enum ent_line {
  ENT_LINE_ROW,
  ENT_LINE_SKIP,  /* empty, or a comment */
  ENT_LINE_BLANK, /* delimiters alone: a row of missing values, below the header */
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
/* BAD_DATA about a field of the record at hand, after so many line feeds within its fields. */
entropic_status ent_delimited_fail(entropic_context *context, const ent_source *source, size_t lines, size_t column,
                                   const char *what);

typedef enum ent_row { ENT_ROW_READ, ENT_ROW_MORE, ENT_ROW_FAILED } ent_row;

/* Where the reader is in a row. */
typedef struct ent_row_cursor {
  const char *next;     /* the next field; NULL past the last one of the line */
  const char *line_end; /* the line feed of the row, once `next` is NULL */
  size_t lines;         /* line feeds within its fields so far */
  /* The segment that the row is part of: nothing else is changed, and nothing is said of failures. NULL: of none, and cells
   * are read at once. */
  ent_segment *segment;
  size_t done;            /* cells that were read before more bytes were needed: they count once */
  entropic_status status; /* with ENT_ROW_FAILED */
} ent_row_cursor;

/* Reads the row at cursor->next into row[columns]. */
ent_row ent_delimited_read_row(entropic_context *context, ent_source *source, ent_row_cursor *cursor, double *row);
/* The value of a cell, whose quotes may be doubled. */
entropic_status ent_delimited_cell(entropic_context *context, ent_source *source, const ent_column_cell *cell,
                                   bool doubled, double *value);

/* Makes state and columns from the first lines. */
entropic_status ent_delimited_open(entropic_context *context, ent_source *source, const ent_read_options *options);
/* Goes to the first row; the first time columns get their names. */
entropic_status ent_delimited_begin(entropic_context *context, ent_source *source);

/* Joins the other files to the first one, whose header and columns are known. A file that begins with the same header is
 * read after it. One without a header is all rows. One with another header is refused. */
void ent_delimited_join(ent_source *source);

#endif
