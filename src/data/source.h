/* What a source is made of: bytes, columns, and a reader for the format. */
#ifndef ENT_DATA_SOURCE_H
#define ENT_DATA_SOURCE_H

#include "data/bytes.h"
#include "columns/carry.h"
#include "columns/columns.h"

#define ENT_BLOCK_VALUES 65536 /* of the file's columns that are held at a time, if a row has fewer */

typedef struct ent_reader {
  /* Makes state and columns from the first bytes. */
  entropic_status (*open)(entropic_context *context, entropic_source *source, const ent_read_options *options);
  /* To the first row; the bytes have been rewound. */
  entropic_status (*begin)(entropic_context *context, entropic_source *source);
  /* Up to capacity rows; 0 at the end. */
  entropic_status (*read)(entropic_context *context, entropic_source *source, double *values, size_t capacity,
                          size_t *rows);
  void (*free)(void *state); /* also of NULL */
} ent_reader;

extern const ent_reader ent_text_reader, ent_libsvm_reader, ent_npy_reader;

struct entropic_source {
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
  entropic_status (*room)(entropic_context *context, void *user, const entropic_source *source, size_t rows,
                          double **values, size_t *capacity);
  void *user;
  /* How many rows would fit behind so many, and stay there until they are asked for. NULL: none. */
  size_t (*spare)(const void *user, const entropic_source *source, size_t rows);
} ent_sink;

/* Columns that are known beforehand, so that nothing is guessed: those of a model. */
typedef struct ent_fitting {
  const ent_dictionary *names; /* see `required` of ent_columns, and its companion */
  bool numbers;
  /* Sets the modes of all columns, once their names are known. */
  entropic_status (*fit)(entropic_context *context, void *user, entropic_source *source);
  void *user;
} ent_fitting;

/* The calls of the interface by options, and without sizes of structs. options may be NULL for the default. */
entropic_status ent_source_open(entropic_context *context, const char *path, const ent_read_options *options,
                                entropic_source **source);
entropic_status ent_source_column(entropic_context *context, const entropic_source *source, size_t column,
                                  entropic_column *info);

/* Opens a file for reading once, by a fitting: roles in the options do not count. With LIBSVM text indices beyond
 * libsvm_inputs, which has to be set, are passed over. */
entropic_status ent_source_open_fitted(entropic_context *context, const char *path, const ent_read_options *options,
                                       const ent_fitting *fitting, entropic_source **source);

/* Guesses from the first rows which columns hold text, and how numbers are written. */
entropic_status ent_source_guess_types(entropic_context *context, entropic_source *source);
/* Reads all rows once: the columns have their evidence, and nothing is decided. */
entropic_status ent_source_scan(entropic_context *context, entropic_source *source, const ent_sink *sink,
                                size_t *count);
/* Reads all rows and finds the types of columns. Reads them again if a column is not what the first rows said. */
entropic_status ent_source_pass(entropic_context *context, entropic_source *source, const ent_sink *sink);
/* Closes the file; the columns and its name stay. Messages about cells speak of rows from then on, unless each row was
 * a line and each line a row. */
void ent_source_close(entropic_source *source);

/* Is it named as LIBSVM text is, or does its first line read "label index:value ..."? */
bool ent_looks_like_libsvm(const ent_bytes *bytes);

#endif
