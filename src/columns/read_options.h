/* How a file is read, and what its columns are for: the form in which the rooms have it. */
#ifndef ENT_COLUMNS_READ_OPTIONS_H
#define ENT_COLUMNS_READ_OPTIONS_H

#include "base/parameters.h"

/* The roles of columns. Each field is a comma separated list of header names or numbers from 1. A name takes precedence
 * over a number, and the whole text is first tried as one name. NULL for none. All other columns are inputs. */
typedef struct ent_roles {
  const char *targets;
  const char *weights; /* one column */
  const char *groups;  /* one column */
  const char *ignore;
  const char *categorical; /* categories even if they hold numbers; with any role but ignored */
  const char *keep;        /* inputs that would otherwise be dropped: identifiers, constants, copies */
  /* One column of numbers or dates: the time of a row. Not together with groups. The column keeps its role, input or
   * ignored. */
  const char *time;
  /* The schema that the lists refer to: columns are found by their names in that table. Only the weights must exist
   * here; other missing columns are skipped. NULL: the lists refer to the table itself. */
  const struct ent_columns *schema_of;
} ent_roles;

#define ENT_AUTO (-1)

/* How to read a file. A field that is ENT_AUTO is detected from the first lines. Start from
 * ent_read_options_default. Strings are borrowed for the call. */
typedef struct ent_read_options {
  entropic_format format; /* default auto */
  int delimiter;          /* a character; ' ' stands for any run of blanks and tabs */
  int quote;              /* a character, or 0 for none */
  int decimal;            /* '.' or ',' */
  int comment;            /* lines that begin with this character are skipped; 0 for none */
  const char *sql;        /* a query of DuckDB, whose rows are the table: the path is a database, or "-"; NULL: none */
  int header;             /* 1 if the first line holds names, 0 if not; auto: also by the names that roles give */
  /* Marks of missing values in text files, comma separated, in any case; an empty field always is one. NULL (default):
   * the marks the model was fitted with where rows are read for a model, otherwise "?,NA,N/A,nan,null". Unless it is "",
   * columns of numbers also have the marks None, nil, #N/A, #NA, \N, <NA>, NaT, "-", "--" and ".". */
  const char *missing;
  int numbers_only;     /* not 0: anything but a finite number, missing values too, is BAD_DATA. Default 0 */
  size_t libsvm_inputs; /* the number of inputs; 0 (default): the largest index there is */
  int libsvm_from_zero; /* not 0: indices start at 0. Default 0 */
  int libsvm_any_order; /* not 0: indices need not ascend; of equal ones the last counts. Default 0 */
  /* For tests: so many bytes of delimited text are parsed by one thread at a time. 0 (default): as many as usual. What is
   * read does not depend on it. */
  size_t segment;
  /* A bound on the memory of the process, in bytes: rows of a table go to a spool on disk. 0 (default): none, and rows are
   * kept in memory. What is read does not depend on it. */
  uint64_t memory;
  const char *spool; /* the directory of the spool; NULL (default): TMPDIR, or /tmp */
  ent_roles roles;
} ent_read_options;

ent_read_options ent_read_options_default(void);

/* The same by parameters, all of their roles included; the strings live as long as these are not changed. */
ent_read_options ent_read_options_by(const entropic_parameters *parameters);

#endif
