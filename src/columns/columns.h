/* The columns of a source: names, roles, types, and cells that are no plain numbers. */
#ifndef ENT_COLUMNS_COLUMNS_H
#define ENT_COLUMNS_COLUMNS_H

#include "base/text.h"
#include "columns/dictionary.h"
#include "columns/line_map.h"
#include "columns/notation.h"
#include "columns/notices.h"
#include "columns/read_options.h"

#define ENT_COLUMNS_MOST 1000000 /* rows are handed out dense, so there is a limit to what makes sense */

/* So many different words of a column are kept, spellings of a target, and texts of missing cells. */
#define ENT_WORDS_MOST 1000
#define ENT_SPELLINGS_MOST 20000
#define ENT_MISSING_TEXTS 1000

typedef enum ent_mode {
  ENT_MODE_NUMBER, /* cells are numbers, plainly written */
  ENT_MODE_NOTED,  /* cells are numbers in the column's notation, or plain ones whose spellings are kept */
  ENT_MODE_DATE,   /* cells are dates in the column's notation, read as numbers of days */
  ENT_MODE_TEXT,   /* cells are texts, numbered by the dictionary or by what is known */
  ENT_MODE_WEIGHT, /* cells are numbers that are not negative */
  ENT_MODE_SKIP    /* cells are not read */
} ent_mode;

/* What the cells of a column say of its notation. */
typedef struct ent_notation_evidence {
  size_t matches[ENT_NOTATIONS]; /* of the texts in the current pass: those that a notation reads */
  size_t ambiguous, marked;      /* of these: see ent_notation_match */
  char example[ENT_SHOW_SIZE];   /* the first text that a notation reads, an ambiguous one if there is any */
  bool example_ambiguous;
  bool unsettled;           /* another notation would have read it, too, as other values */
  char unit[ENT_UNIT_SIZE]; /* the first there is */
  bool units_differ;
  char point;            /* the file's decimal mark */
  size_t commas, groups; /* in the first rows: numbers with a decimal comma, and those that look like thousands */
} ent_notation_evidence;

typedef struct ent_column {
  char *name;
  ent_mode mode;
  entropic_role role;
  bool declared;     /* as categorical, by the caller */
  bool kept;         /* an input however it looks, by the caller */
  bool time;         /* the time of a row; its role is another matter */
  bool zone_unknown; /* dates of a zone by its name, taken as UTC */
  bool guessed;      /* its notation is that of the first rows; the other rows have not confirmed it yet */
  entropic_column_type type;
  ent_notation notation;      /* of numbers and dates; of texts what most of them were taken for */
  ent_dictionary *dictionary; /* with mode text, unless texts are known: */
  const ent_names *known;     /* a text's number is its place here, or their count; borrowed */
  const char *expected;       /* what other texts are refused with, or NULL: they are not; borrowed */

  /* Counts of the current pass, or of the survey. */
  size_t missing;
  size_t soft;   /* cells that mean no value if the others are numbers, such as "-" */
  size_t texts;  /* cells that are no numbers, or not plainly so */
  size_t ranges; /* cells that are numbers, but infinite or beyond the range of double */
  bool same;
  double first;
  bool full;        /* its dictionary has ceased to grow: it is an identifier */
  size_t full_rows; /* after so many rows of the pass */
  bool unlimited;   /* it must not cease to: other rows decide whether it is an identifier */
  /* Of targets and weights that are numbers: the range of their values; least > most if there is none. */
  double lowest, highest;

  /* Are the values consecutive integers, each once? The sum of their hashes says so in any order. */
  bool counting;
  double least, most, last;
  uint64_t hashes;

  ent_notation_evidence *evidence; /* once there is a text that is no plain number */
  ent_dictionary *words;           /* texts that are no numbers, as far as they are few */
  /* How missing cells are written, in columns where none may be missing: weights, groups, time. */
  ent_dictionary *missing_texts;
  /* Of targets that are plain numbers: the 8 bytes of a value, then how it is written, for all that occur; NULL if there
   * are too many. */
  ent_dictionary *spellings;
  bool unspelled;

  /* The first cell that is no finite number. Of texts it is known from the dictionary, and found when it is needed. */
  size_t bad_line; /* 0 if there is none */
  bool bad_range;
  char bad_text[ENT_SHOW_SIZE];
} ent_column;

typedef struct ent_columns {
  const char *file;             /* the file's name, for messages */
  const char *place;            /* what a row is called in messages: line or row */
  size_t first;                 /* its number for the first row, once the file is closed */
  const ent_line_map *line_map; /* of lines, if the table is in several files; borrowed */
  ent_column *list;
  size_t count;
  char *given_marks; /* the marks of missing values that the caller gave, comma separated; NULL: the usual ones */
  char *marks;       /* the marks in use, each with a 0, then another 0 */
  size_t longest_mark;
  double *mark_numbers; /* those of them that are numbers, such as -999; and how many there are */
  size_t number_marks;
  bool soft_marks;   /* the usual ones count as well where the rest of a column are numbers */
  bool sampling;     /* the first rows are read only to guess types */
  bool schema_known; /* what they are is known from another table */
  bool numbers_only;
  bool named;    /* by the file, not by their numbers */
  bool headless; /* the file may have names, but its first line was taken for data */
  bool tolerant; /* note bad cells and go on: a pass that finds types */
  /* Required names, or NULL: a first line that has all of them is a header. If they are numbers of columns, a first line
   * of texts above other texts is none. Borrowed while the file is opened. */
  const ent_dictionary *required;
  bool required_numbers;
  /* Names that roles request, or NULL: a first line that has one of them is a header. Borrowed likewise. */
  const ent_dictionary *requested;
  ent_notices notices;
} ent_columns;

/* Sets the marks of missing values, comma separated; NULL for the usual ones. */
entropic_status ent_columns_set_marks(entropic_context *context, ent_columns *columns, const char *marks);
/* Makes `count` columns without names. */
entropic_status ent_columns_create(entropic_context *context, ent_columns *columns, size_t count);
void ent_columns_free(ent_columns *columns);

/* Names a column; an empty name becomes x and its number. */
entropic_status ent_columns_name(entropic_context *context, ent_columns *columns, size_t column, const char *name,
                                 size_t length);
/* BAD_DATA if two columns share a name; line 0 for names that do not come from a file. */
entropic_status ent_columns_check_names(entropic_context *context, const ent_columns *columns, size_t line);
/* Finds the columns of the lists and sets their roles and modes. */
entropic_status ent_columns_set_roles(entropic_context *context, ent_columns *columns, const ent_roles *roles);

/* A column that is looked for. */
typedef struct ent_column_query {
  const char *name;
  size_t length;
  const ent_dictionary *taken; /* names that cannot have been meant, or NULL */
  const char *what;            /* what it would have been, for messages: ", which is the weight"; NULL: nothing */
} ent_column_query;

/* Finds a column by its name, or its number from 1. */
entropic_status ent_columns_find(entropic_context *context, const ent_columns *columns, const ent_column_query *query,
                                 size_t *column);
/* Fails because there is no such column. The message suggests the nearest name, or lists the columns there are. Columns
 * that have a role already cannot have been meant. */
entropic_status ent_columns_fail_unknown(entropic_context *context, entropic_status status, const ent_columns *columns,
                                         const ent_column_query *query);
/* A dictionary of the names, whose codes are the numbers of columns: for finding very many. */
entropic_status ent_columns_index(entropic_context *context, const ent_columns *columns, ent_dictionary **index);

/* A column is read as text from now on. */
entropic_status ent_column_make_text(entropic_context *context, ent_column *column);

/* Whether a cell is a mark of missing values: empty, one of them in letters of any case, or the same number as one, with
 * this decimal mark. */
bool ent_columns_is_missing(const ent_columns *columns, const char *text, size_t length, char point);
/* The same of a number. */
bool ent_columns_is_marked_number(const ent_columns *columns, double number);

/* A cell as it stands in a file. */
typedef struct ent_column_cell {
  size_t column, line;
  const char *text; /* without quotes, or blanks around it but those in quotes */
  size_t length;
  char point; /* the decimal mark */
} ent_column_cell;
/* Takes off the blanks around its text. */
static inline void ent_cell_trim(ent_column_cell *cell) {
  for (; cell->length > 0 && (cell->text[0] == ' ' || cell->text[0] == '\t'); cell->length--)
    cell->text++;
  while (cell->length > 0 && (cell->text[cell->length - 1] == ' ' || cell->text[cell->length - 1] == '\t'))
    cell->length--;
}

/* A tolerant pass keeps a cell that is no finite number as a NaN whose bits say why. */
typedef enum ent_cell_fault {
  ENT_CELL_TEXT = 1,  /* it is text */
  ENT_CELL_RANGE = 2, /* it is infinite or beyond the range of double */
  ENT_CELL_SOFT = 3   /* it is missing if the others are numbers */
} ent_cell_fault;
double ent_cell_nan(ent_cell_fault fault, ent_notation_match match);
/* The number of the text of a missing cell among missing_texts, from 1; 0: it is not known. */
size_t ent_cell_missing_number(double value);
double ent_cell_set_missing_number(double value, size_t number);
/* The text of a missing cell as it was written, from its value; "" where it is not known. */
const char *ent_column_missing_text(const ent_column *column, double value);

/* Are its numbers read plainly for now? They may turn out to have another notation. */
static inline bool ent_column_is_open(const ent_column *column) {
  return column->mode == ENT_MODE_NUMBER || (column->mode == ENT_MODE_NOTED && column->notation == ENT_NOTATION_PLAIN);
}
/* A column is read by a notation from now on. */
void ent_column_set_notation(ent_column *column, ent_notation notation);
/* Counts which notations read the texts of a category, as a pass that reads numbers would. It has evidence. */
void ent_column_match_categories(const ent_columns *columns, ent_column *column);
/* The notation of a column that was read plainly, of `present` values; plain if none reads it. */
ent_notation ent_column_find_notation(const ent_column *column, size_t present);

/* The value of a cell. */
entropic_status ent_columns_cell(entropic_context *context, ent_columns *columns, const ent_column_cell *written,
                                 double *value);
/* What can be said of a cell without a change of the columns. */
typedef enum ent_peek {
  ENT_PEEK_NOTHING, /* ent_columns_cell has to be asked, in the order of cells */
  ENT_PEEK_VALUE,   /* its value: all that ent_columns_cell would do */
  ENT_PEEK_CODE     /* the code of a text that is in the dictionary: ent_columns_note_code, in the order of cells */
} ent_peek;
ent_peek ent_columns_peek(const ent_columns *columns, const ent_column_cell *written, double *value);
void ent_columns_note_code(ent_columns *columns, size_t index, size_t line, double *value);
/* The same for a value that is a number already, NaN if it is missing. */
entropic_status ent_columns_number(entropic_context *context, ent_columns *columns, size_t index, size_t line,
                                   double number, double *value);
/* The file and number of a line, or of a row, for messages. */
ent_file_place ent_columns_place(const ent_columns *columns, size_t line);
/* BAD_DATA about a cell, with what was expected instead. */
entropic_status ent_columns_fail(entropic_context *context, const ent_columns *columns, const ent_column_cell *cell,
                                 const char *expected);

/* Before a pass; after each block of it; after all `rows`. The last decides on types, or refuses; *again if a column
 * has turned out to be text that was read as numbers. */
void ent_columns_begin(ent_columns *columns);
void ent_columns_count(ent_columns *columns, const double *values, size_t rows, size_t before);
/* Has the dictionary of a column so many texts after so many rows that the column is an identifier? */
bool ent_column_is_full(const ent_column *column, size_t texts, size_t rows);
entropic_status ent_columns_decide(entropic_context *context, ent_columns *columns, size_t rows, bool *again);
/* Adds what a user may want to know of the columns of a table of so many rows to its notices. */
entropic_status ent_columns_add_notices(entropic_context *context, ent_columns *columns, size_t rows);
/* Writes the most frequent words of a column that are no numbers: "'unknown' (5, first in line 3), 'x' (1, line 9)";
 * the first of them alone into `first`. Nothing if there are none. */
#define ENT_WORDS_SIZE 1024
void ent_column_list_words(const ent_columns *columns, const ent_column *column, char list[ENT_WORDS_SIZE],
                           char first[ENT_SHOW_SIZE]);
/* Are the values consecutive integers, each once? */
bool ent_column_is_run(const ent_column *column, size_t rows);

void ent_columns_info(const ent_columns *columns, size_t index, entropic_column *info);

/* Adds a notice for each target of text that has similar classes: their names differ by the case of letters or by blanks
 * around them alone. The classes stay as they are. */
entropic_status ent_columns_notice_similar_classes(entropic_context *context, ent_columns *columns);

#endif
