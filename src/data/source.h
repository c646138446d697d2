/* What a source is made of: bytes, columns, and a reader for the format. */
#ifndef ENT_DATA_SOURCE_H
#define ENT_DATA_SOURCE_H

#include "data/bytes.h"
#include "columns/carry.h"
#include "columns/columns.h"

#define ENT_BLOCK_VALUES 65536 /* of the file's columns that are held at a time, if a row has fewer */

/* Rows of files or of columns in memory, block by block: memory does not grow with a file. */
typedef struct ent_source ent_source;

typedef struct ent_reader {
  /* Makes state and columns from the first bytes. */
  entropic_status (*open)(entropic_context *context, ent_source *source, const ent_read_options *options);
  /* To the first row; the bytes have been rewound. */
  entropic_status (*begin)(entropic_context *context, ent_source *source);
  /* Up to capacity rows; 0 at the end. */
  entropic_status (*read)(entropic_context *context, ent_source *source, double *values, size_t capacity, size_t *rows);
  void (*free)(void *state); /* also of NULL */
} ent_reader;

extern const ent_reader ent_text_reader, ent_libsvm_reader, ent_npy_reader;

struct ent_source {
  entropic_format format;
  const ent_reader *reader;
  void *state;            /* the reader's */
  ent_bytes *bytes;       /* NULL: the rows are in memory */
  char *name;             /* of the file or files, for messages */
  ent_line_map *line_map; /* of several files, once they are closed */
  ent_columns columns;
  ent_carry *carry; /* cells that are handed on as they are written, with delimited text; NULL: none */
  bool fitted;      /* columns are known beforehand: LIBSVM text may have others */
  size_t empty;     /* columns without name and value past the last one */
  size_t row;       /* rows handed out since the beginning */
  size_t line;      /* where the rows of a pass begin */
  size_t spare;    /* rows that fit behind those that the reader is asked for: it may write there what it reads ahead */
  size_t rows;     /* in all; 0 before the survey */
  size_t expected; /* that there are, where a source without bytes knows; otherwise 0 */
};

/* Where the rows of a pass go. */
typedef struct ent_sink {
  /* Room for some more rows, where `rows` are used already: *capacity of them, at *values. */
  entropic_status (*room)(entropic_context *context, void *user, const ent_source *source, size_t rows, double **values,
                          size_t *capacity);
  void *user;
  /* How many rows would fit behind so many, and stay there until they are asked for. NULL: none. */
  size_t (*spare)(const void *user, const ent_source *source, size_t rows);
} ent_sink;

/* Columns that are known beforehand, so that nothing is guessed: those of a model. */
typedef struct ent_fitting {
  const ent_dictionary *names; /* see `required` of ent_columns, and its companion */
  bool numbers;
  /* Sets the modes of all columns, once their names are known. */
  entropic_status (*fit)(entropic_context *context, void *user, ent_source *source);
  void *user;
} ent_fitting;

/* Opens files by options, NULL for the default, and reads the first lines. BAD_DATA names file, line, column, value and what
 * was expected. BAD_ARGUMENT: a role names a column that does not exist. */
entropic_status ent_source_open(entropic_context *context, const char *path, const ent_read_options *options,
                                ent_source **source);
void ent_source_free(ent_source *source);
/* Reads all rows once to determine types, categories and counts, and rewinds. The text of a pipe is kept in memory for
 * that. Without a survey a column is a category if its first rows have text; text in other columns is then BAD_DATA. If
 * less than 1 % of a column's values are not numbers, the survey refuses it (BAD_DATA, with the first of them), unless
 * the column is listed as categorical. */
entropic_status ent_source_survey(entropic_context *context, ent_source *source);
/* Reads up to capacity >= 1 rows into values[capacity x columns], row after row. Missing values are NaN. *rows is 0 at
 * the end, otherwise possibly less than capacity. */
entropic_status ent_source_read(entropic_context *context, ent_source *source, double *values, size_t capacity,
                                size_t *rows);
/* Back to the first row; BAD_ARGUMENT for a pipe that has not been surveyed. */
entropic_status ent_source_rewind(entropic_context *context, ent_source *source);

/* BAD_ARGUMENT if there is no such column. The name lives as long as the source. */
entropic_status ent_source_column(entropic_context *context, const ent_source *source, size_t column,
                                  entropic_column *info);
/* The text of a category, valid until more rows are read; NULL if there is none of that code. */
const char *ent_source_category(const ent_source *source, size_t column, size_t code);
/* Notices about how the files were read: see entropic_table_notice. A survey may add some. */
const char *ent_source_notice(const ent_source *source, size_t index);

/* Opens a file for reading once, by a fitting: roles in the options do not count. With LIBSVM text indices beyond
 * libsvm_inputs, which has to be set, are passed over. */
entropic_status ent_source_open_fitted(entropic_context *context, const char *path, const ent_read_options *options,
                                       const ent_fitting *fitting, ent_source **source);

/* Guesses from the first rows which columns hold text, and how numbers are written. */
entropic_status ent_source_guess_types(entropic_context *context, ent_source *source);
/* Reads all rows once: the columns have their evidence, and nothing is decided. */
entropic_status ent_source_scan(entropic_context *context, ent_source *source, const ent_sink *sink, size_t *count);
/* Reads all rows and finds the types of columns. Reads them again if a column is not what the first rows said. */
entropic_status ent_source_pass(entropic_context *context, ent_source *source, const ent_sink *sink);
/* Closes the file; the columns and its name stay. Messages about cells speak of rows from then on, unless each row was
 * a line and each line a row. */
void ent_source_close(ent_source *source);

/* Is it named as LIBSVM text is, or does its first line read "label index:value ..."? */
bool ent_looks_like_libsvm(const ent_bytes *bytes);

#endif
