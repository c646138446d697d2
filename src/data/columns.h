/* The columns of a source: names, roles, types, and cells that are no plain numbers. */
#ifndef ENT_DATA_COLUMNS_H
#define ENT_DATA_COLUMNS_H

#include "base/text.h"
#include "data/names.h"
#include "data/notices.h"

typedef enum ent_mode {
  ENT_MODE_NUMBER, /* cells are numbers */
  ENT_MODE_DATE,   /* cells are dates, read as numbers of days */
  ENT_MODE_TEXT,   /* cells are texts, numbered by the dictionary or by what is known */
  ENT_MODE_WEIGHT, /* cells are numbers that are not negative */
  ENT_MODE_SKIP    /* nobody looks */
} ent_mode;

typedef struct ent_column {
  char *name;
  ent_mode mode;
  entropic_role role;
  bool declared; /* as categorical, by the caller */
  entropic_type type;
  ent_dictionary *dictionary; /* with mode text, unless texts are known: */
  const ent_names *known;     /* a text's number is its place here, or their count; borrowed */
  const char *expected;       /* what other texts are refused with, or NULL: they are not; borrowed */

  /* Counts of the pass under way, or of the survey. */
  size_t missing;
  size_t texts;  /* cells that are no numbers */
  size_t ranges; /* cells that are numbers, but infinite or beyond the range of double */
  size_t dates;  /* cells that are dates, where numbers were looked for */
  bool same, consecutive;
  double first, last;
  bool full; /* its dictionary has ceased to grow: it is an identifier */

  /* The first cell that is no finite number. */
  size_t bad_line; /* 0 if there is none */
  bool bad_range;
  char bad_text[ENT_SHOW_SIZE];
} ent_column;

typedef struct ent_columns {
  const char *file;  /* the file's name, for messages */
  const char *place; /* what a row is called in messages: line or row */
  size_t first;      /* its number for the first row, once the file is closed */
  ent_column *list;
  size_t count;
  char *marks; /* of missing values, each with a 0, then another 0 */
  size_t longest_mark;
  bool number_marks; /* some of them are numbers, such as -999 */
  bool numbers_only;
  bool named;    /* by the file, not by their numbers */
  bool headless; /* the file may have names, but its first line was taken for data */
  bool tolerant; /* note bad cells and go on: a pass that finds types */
  /* Names looked for, or NULL: a first line that has all of them is a header. If they are numbers of columns, a first
   * line of texts above other texts is none. Borrowed, while the file is opened. */
  const ent_dictionary *wanted;
  bool wanted_numbers;
  /* Names the caller gives columns, or NULL: a first line that has one of them is a header. Borrowed likewise. */
  const ent_dictionary *asked;
  ent_notices notices;
} ent_columns;

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
entropic_status ent_columns_set_roles(entropic_context *context, ent_columns *columns, const entropic_roles *roles);

/* Finds a column by its name, or its number from 1; `taken` as below. */
entropic_status ent_columns_find(entropic_context *context, const ent_columns *columns, const ent_dictionary *taken,
                                 const char *name, size_t length, size_t *column);
/* Fails because there is no such column, with one that is much like it or a list of those there are. `what` is put
 * behind the name: "" or what it would have been. Columns that have a role already, or are among the names `taken`
 * (which may be NULL), cannot have been meant. */
entropic_status ent_columns_fail_unknown(entropic_context *context, entropic_status status, const ent_columns *columns,
                                         const ent_dictionary *taken, const char *what, const char *name,
                                         size_t length);
/* A dictionary of the names, whose codes are the numbers of columns: for finding very many. */
entropic_status ent_columns_index(entropic_context *context, const ent_columns *columns, ent_dictionary **index);

/* A column is read as text from now on. */
entropic_status ent_column_make_text(entropic_context *context, ent_column *column);

bool ent_columns_is_missing(const ent_columns *columns, const char *text, size_t length);

/* How a cell that is not a finite number is kept during a tolerant pass: NaNs that can be told apart. */
typedef enum ent_oddity { ENT_ODD_TEXT = 1, ENT_ODD_RANGE = 2, ENT_ODD_DATE = 3 } ent_oddity;
double ent_cell_bad(ent_oddity oddity);

/* Whether a column that was read as numbers has dates for the most part, of `present` values. */
bool ent_column_has_dates(const ent_column *column, size_t present);

/* The value of a cell from its text (without quotes or blanks around it), whatever it is. point is the decimal mark. */
entropic_status ent_columns_cell(entropic_context *context, ent_columns *columns, size_t index, size_t line,
                                 const char *text, size_t length, char point, double *value);
/* The same for a value that is a number already, NaN if it is missing. */
entropic_status ent_columns_number(entropic_context *context, ent_columns *columns, size_t index, size_t line,
                                   double number, double *value);
entropic_status ent_columns_fail(entropic_context *context, const ent_columns *columns, size_t column, size_t line,
                                 const char *text, size_t length, const char *expected);

/* Before a pass; after each block of it; after all `rows`. The last decides on types, or refuses; *again if a column
 * has turned out to be text that was read as numbers. */
void ent_columns_begin(ent_columns *columns);
void ent_columns_count(ent_columns *columns, const double *values, size_t rows, size_t before);
entropic_status ent_columns_decide(entropic_context *context, ent_columns *columns, size_t rows, bool *again);

void ent_columns_info(const ent_columns *columns, size_t index, entropic_column *info);

#endif
