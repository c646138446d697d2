/* Tables: files and memory, copied or borrowed. */
#ifndef ENTROPIC_DATA_H
#define ENTROPIC_DATA_H

#include "entropic/parameters.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Tables ------------------------------------------------------------------------------------------------ */

/* What a file holds. Each may be compressed by gzip or zstd, and each may come from standard input, "-". Parquet files and
 * databases of DuckDB are detected from their first bytes and are no formats of these. */
typedef enum entropic_format {
  ENTROPIC_FORMAT_AUTO = 0, /* detected from content and name */
  ENTROPIC_FORMAT_TEXT = 1, /* lines of fields: CSV and similar text, any delimiter */
  ENTROPIC_FORMAT_LIBSVM =
      2, /* label index:value index:value ...; columns are called label, x1, x2, ...; up to 1000000 inputs */
  ENTROPIC_FORMAT_NPY = 3 /* one NumPy array, 1-D or 2-D: floats, integers or booleans */
} entropic_format;

typedef enum entropic_column_type {
  ENTROPIC_COLUMN_TYPE_NUMBER = 0,
  ENTROPIC_COLUMN_TYPE_CATEGORY = 1, /* some value is text, or the caller says so */
  ENTROPIC_COLUMN_TYPE_CONSTANT = 2, /* the same value in every row, or none in any */
  ENTROPIC_COLUMN_TYPE_IDENTIFIER =
      3,                         /* of N rows, 20 or more: text with nearly as many values as rows, or the whole numbers
                                   from 0 to N-1 or from 1 to N, each once, in any order */
  ENTROPIC_COLUMN_TYPE_DATE = 4, /* dates, perhaps with times, as days since 1970-01-01 (UTC) */
  ENTROPIC_COLUMN_TYPE_COPY = 5  /* data sets only: an input that equals an earlier one in every row */
} entropic_column_type;

typedef enum entropic_role {
  ENTROPIC_ROLE_INPUT = 0,
  ENTROPIC_ROLE_TARGET = 1,
  ENTROPIC_ROLE_WEIGHT = 2,
  ENTROPIC_ROLE_GROUP = 3,
  ENTROPIC_ROLE_IGNORED = 4 /* not read: all its values are NaN, unless it is the time */
} entropic_role;

/* The properties of a column. */
typedef struct entropic_column {
  const char *name; /* from the header, or x1, x2, ...; of equal names the second ends with .1, the third with .2 */
  entropic_column_type type;
  entropic_role role;
  int text;          /* 1 if its values are codes of categories, 0, 1, ... in order of first appearance */
  size_t categories; /* how many there are */
  size_t missing;    /* number of missing values */
} entropic_column;

/* The paths of a table, here and wherever else a table or rows are read from files: paths[count], count >= 1, which are one
 * table in this order. Each is a file, or "-" for standard input; a folder, whose Parquet files, or text files by their
 * endings, are taken; or a pattern with *, ? and [...], if no file has that name. Folders and patterns are taken in the order
 * of the bytes of names. A line feed in a path separates two of them, as the command has it ("a.csv\nb.csv"). Files after the
 * first must have the columns of the first, in the same order; of text a header is optional there. Rows are numbered across
 * files; messages name the file and its line. For one file: entropic_table_load(context, &path, 1, ...).
 *
 * Parquet files, a database of DuckDB with one table, and the rows of a query (parameter sql; the path is that of a database,
 * or "-" for none) are read through DuckDB's shared library, which is looked for when it is first needed: the environment
 * variable ENTROPIC_DUCKDB has its path, otherwise libduckdb.so is looked for where the system has its libraries. SYSTEM if it
 * is not there. What DuckDB says is passed on with BAD_DATA. Zstd is read through libzstd.so.1 likewise (ENTROPIC_ZSTD). */

/* All rows of files, or rows in memory. */
typedef struct entropic_table entropic_table;

/* Reads all rows of the files, by the parameters of reading. BAD_DATA names file, line, column, value and what was expected.
 * BAD_ARGUMENT: a role names a column that does not exist. If less than 1 % of a column's values are not numbers, it is
 * refused (BAD_DATA, with the first of them), unless the column is listed as categorical. */
ENTROPIC_API entropic_status entropic_table_load(entropic_context *context, const char *const *paths, size_t count,
                                                 const entropic_parameters *parameters /* or NULL */,
                                                 entropic_table **table);
/* Reads files with the schema of a table: the columns that the parameters name are found by their names in that table.
 * Only the weights must exist here; other columns that do not are skipped. Roles of groups are not taken. */
ENTROPIC_API entropic_status entropic_table_load_with_schema(entropic_context *context, const char *const *paths,
                                                             size_t count,
                                                             const entropic_parameters *parameters /* or NULL */,
                                                             const entropic_table *schema_of, entropic_table **table);
/* A table of values in memory, which are copied: rows x columns, `stride` doubles from row to row; NaN is a missing
 * value. names[columns], or NULL for x1, x2, ... Of the categorical columns each distinct value is a category, named by
 * its shortest decimal. Of the parameters the roles of columns count. */
ENTROPIC_API entropic_status entropic_table_create(entropic_context *context, const double *values, size_t rows,
                                                   size_t columns, size_t stride,
                                                   const char *const *names /* or NULL */,
                                                   const entropic_parameters *parameters /* or NULL */,
                                                   entropic_table **table);
ENTROPIC_API void entropic_table_free(entropic_table *table);
ENTROPIC_API size_t entropic_table_rows(const entropic_table *table);
ENTROPIC_API size_t entropic_table_columns(const entropic_table *table);
/* Notices about how a file was read, such as skipped lines above the header: sentences without a full stop, from index 0;
 * NULL past the last. Each lives as long as the table. */
ENTROPIC_API const char *entropic_table_notice(const entropic_table *table, size_t index);
/* The name of a column; NULL if there is no such column. */
ENTROPIC_API const char *entropic_table_name(const entropic_table *table, size_t column);
/* BAD_ARGUMENT if there is no such column. */
ENTROPIC_API entropic_status entropic_table_column(entropic_context *context, const entropic_table *table,
                                                   size_t column, entropic_column *info, size_t size);
/* The text of a category; NULL if there is none of that code. */
ENTROPIC_API const char *entropic_table_category(const entropic_table *table, size_t column, size_t code);
/* rows x columns, row after row; NULL for a table that is borrowed or from Arrow, whose values stay where they
 * are, or that was loaded with the parameter memory: its values are on disk. */
ENTROPIC_API const double *entropic_table_values(const entropic_table *table);

/* ---- Tables in the caller's memory: not copied --------------------------------------------------------------- */

/* What the values of a borrowed column are. */
typedef enum entropic_element {
  ENTROPIC_ELEMENT_FLOAT64 = 0,
  ENTROPIC_ELEMENT_FLOAT32 = 1,
  ENTROPIC_ELEMENT_FLOAT16 = 2, /* IEEE half precision */
  ENTROPIC_ELEMENT_INT8 = 3,
  ENTROPIC_ELEMENT_INT16 = 4,
  ENTROPIC_ELEMENT_INT32 = 5,
  ENTROPIC_ELEMENT_INT64 = 6,
  ENTROPIC_ELEMENT_UINT8 = 7,
  ENTROPIC_ELEMENT_UINT16 = 8,
  ENTROPIC_ELEMENT_UINT32 = 9,
  ENTROPIC_ELEMENT_UINT64 = 10,
  ENTROPIC_ELEMENT_BOOL8 = 11 /* bytes, not 0: true. Two categories, "false" and "true" */
} entropic_element;

/* What numbers of a borrowed column count, if they are dates. */
typedef enum entropic_date_unit {
  ENTROPIC_DATE_NONE = 0, /* they are no dates */
  ENTROPIC_DATE_DAYS = 1, /* days since 1970-01-01; the others are integers: seconds and parts of seconds since then */
  ENTROPIC_DATE_SECONDS = 2,
  ENTROPIC_DATE_MILLISECONDS = 3,
  ENTROPIC_DATE_MICROSECONDS = 4,
  ENTROPIC_DATE_NANOSECONDS = 5
} entropic_date_unit;

/* A column in the caller's memory. Fields that are not needed are 0. The struct may grow: size says how much of it the
 * caller knows. Values need not be aligned. */
typedef struct entropic_column_view {
  size_t size;        /* sizeof(entropic_column_view); the same in all columns of an array, and its distance */
  const char *name;   /* copied; NULL or "": x and the column's number */
  const void *values; /* of the first row */
  ptrdiff_t stride;   /* bytes from row to row; may be negative, or 0: the same value in every row */
  entropic_element element;
  entropic_date_unit date;
  const unsigned char *mask; /* not 0: missing; or NULL */
  ptrdiff_t mask_stride;     /* bytes from row to row */
  size_t categories;         /* above 0: values are integers, codes of category_names; a negative one is missing */
  const char *const *category_names; /* [categories]; NULL among them: missing */
} entropic_column_view;

/* A table of columns that are not copied: values, masks and names of categories must stay valid and unchanged until the
 * table, every data set made from it and every row reader opened on it are freed. columns[count] themselves and
 * names are borrowed for the call alone. Of the parameters the roles of columns count.
 *
 * Missing values: NaN, masked values, negative codes, and in dates of 64 bits the least number (NumPy's NaT). Infinity,
 * and a code at or above categories, are BAD_DATA with row and column. Everything else is as if the columns were
 * written as CSV and read again: types, roles, names (of equal names the second ends with .1), notices. So categories
 * whose names are numbers or dates become numbers or dates, unless they are listed as categorical. Two things
 * differ: of numbers a class or category is named by its shortest decimal, and float32 keeps its exact value, which a
 * file may round. Columns of text take memory of their own, 4 bytes a row. */
ENTROPIC_API entropic_status entropic_table_borrow(entropic_context *context, const entropic_column_view *columns,
                                                   size_t count, size_t rows,
                                                   const entropic_parameters *parameters /* or NULL */,
                                                   entropic_table **table);

/* A matrix in the caller's memory, row- or column-major. size as above. */
typedef struct entropic_matrix_view {
  size_t size; /* sizeof(entropic_matrix_view) */
  const void *values;
  size_t rows, columns;
  ptrdiff_t row_stride, column_stride; /* bytes from row to row, and from column to column */
  entropic_element element;
  const char *const *names; /* [columns], copied; or NULL for x1, x2, ... */
} entropic_matrix_view;

/* The same for a matrix. */
ENTROPIC_API entropic_status entropic_table_borrow_matrix(entropic_context *context, const entropic_matrix_view *matrix,
                                                          const entropic_parameters *parameters /* or NULL */,
                                                          entropic_table **table);

/* The Arrow C data and stream interfaces, as their specification defines them. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif

/* Columns in the caller's memory, as entropic_table_borrow takes them. size as above. */
typedef struct entropic_column_views {
  size_t size;                         /* sizeof(entropic_column_views) */
  const entropic_column_view *columns; /* [count] */
  size_t count, rows;
} entropic_column_views;

/* A table of all rows of an Arrow stream. The stream is taken over, whether this succeeds or not: the caller's is
 * marked released (release becomes NULL) and must not be used again. Its arrays are kept, and released, each once, when
 * the table, all data sets made from it and all row readers opened on it are freed; on failure at once. They may be
 * released on whichever thread that is. Numbers, dates and codes are not copied.
 *
 * Columns may be integers, floats, booleans, decimals, dates, timestamps (with a time zone: UTC), times of day, texts
 * (utf8, large utf8, views), dictionaries of texts or numbers with integers of any width, and null; in chunks, with
 * offsets. Anything else is BAD_DATA with the column's name and format. They are read as the CSV of the same table
 * would be: see entropic_table_borrow. Booleans are the categories false and true.
 *
 * Arrow does not tell the sizes of buffers, so these are trusted. What can be checked is: counts of children and
 * buffers, lengths, offsets, order of text offsets, places of text views, codes. A stream that fails there is BAD_DATA,
 * without a crash; so is one whose producer fails, with its message.
 *
 * Behind the columns of the stream stand `columns`, if there are some: a target or weights that the stream does not have.
 * They are borrowed. BAD_DATA if the stream has another number of rows. */
ENTROPIC_API entropic_status entropic_table_from_arrow(entropic_context *context, struct ArrowArrayStream *stream,
                                                       const entropic_column_views *columns /* or NULL */,
                                                       const entropic_parameters *parameters /* or NULL */,
                                                       entropic_table **table);

#ifdef __cplusplus
}
#endif
#endif
