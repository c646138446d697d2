/* Parameters by name: one table says all of them, and a set holds values for some. Stable. */
#ifndef ENTROPIC_PARAMETERS_H
#define ENTROPIC_PARAMETERS_H

#include "entropic/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Parameters -------------------------------------------------------------------------------------------- */

/* What a set of parameters is for; bits, so that a parameter can be for several. Every set but those of SOLVE and EXPORT has
 * the parameters of reading: how a file is written, and the roles of its columns. */
typedef enum entropic_purpose {
  ENTROPIC_PURPOSE_READ = 1,    /* sources, tables, rows for a model */
  ENTROPIC_PURPOSE_FIT = 2,     /* data sets and models */
  ENTROPIC_PURPOSE_DESIGN = 4,  /* kernels and features without a fit */
  ENTROPIC_PURPOSE_COMPARE = 8, /* comparisons (experimental) */
  ENTROPIC_PURPOSE_SOLVE = 16,  /* models from statistics */
  ENTROPIC_PURPOSE_EXPORT = 32, /* models as C, JavaScript or JSON */
  ENTROPIC_PURPOSE_COLLECT = 64 /* kernels and features for columns that are given, to collect statistics */
} entropic_purpose;

typedef enum entropic_parameter_type {
  ENTROPIC_PARAMETER_FLAG = 0,      /* yes or no */
  ENTROPIC_PARAMETER_INTEGER = 1,   /* a whole number, from lowest to highest; 1e6 is one */
  ENTROPIC_PARAMETER_NUMBER = 2,    /* a number, from lowest to highest */
  ENTROPIC_PARAMETER_INTEGERS = 3,  /* a comma list of such, each once */
  ENTROPIC_PARAMETER_NUMBERS = 4,   /* a comma list of such */
  ENTROPIC_PARAMETER_CHOICE = 5,    /* one of some names: see entropic_parameter_choice */
  ENTROPIC_PARAMETER_CHARACTER = 6, /* one character, or its name: tab, space, comma, semicolon, pipe, point, none */
  ENTROPIC_PARAMETER_TEXT = 7,      /* any text */
  ENTROPIC_PARAMETER_COLUMN = 8,    /* a column: its name, or its number from 1 */
  ENTROPIC_PARAMETER_COLUMNS = 9,   /* a comma list of such */
  ENTROPIC_PARAMETER_SIZE = 10      /* bytes: a number, then k, M, G or T for powers of 1024: 500M, 2.5G */
} entropic_parameter_type;

/* A parameter, as the table has it. Texts live for ever. */
typedef struct entropic_parameter {
  const char *name; /* "max-level" */
  entropic_parameter_type type;
  unsigned purposes;        /* entropic_purpose, several by | */
  const char *value;        /* what to call its value in a help text: "L", "COLS"; a choice: its names, "plain|root" */
  const char *default_text; /* its default, as text: "16"; "auto" means that the library chooses; "" means none */
  double lowest, highest;   /* of numbers */
  const char *keywords;     /* words that it takes besides, "auto|theory"; "" for none */
  const char *since;        /* the version that had it first: "0.2" */
  const char *help;         /* lines of at most 70 characters, separated by \n */
} entropic_parameter;

/* How many parameters there are. A name stands once for each purpose, but may be there again, with another default, for
 * another one. */
ENTROPIC_API size_t entropic_parameter_count(void);
/* Writes the first `size` bytes of what is known of a parameter to *info; size is sizeof(entropic_parameter) as the
 * caller knows it. BAD_ARGUMENT if there is no such index. */
ENTROPIC_API entropic_status entropic_parameter_describe(entropic_context *context, size_t index,
                                                         entropic_parameter *info, size_t size);
/* Name number `choice` of a parameter that is a choice: writes its first size - 1 bytes and a 0 to name[size], and sets
 * *help to one line about it, or "", which lives for ever. Returns the name's length; 0 past the last one, or if there is
 * no such index. */
ENTROPIC_API size_t entropic_parameter_choice(size_t index, size_t choice, char *name, size_t size,
                                              const char **help /* or NULL */);

/* Values for the parameters of one purpose. A fresh set has none: every parameter has its default. Names may be written
 * with - or _. */
typedef struct entropic_parameters entropic_parameters;

ENTROPIC_API entropic_status entropic_parameters_create(entropic_context *context, entropic_purpose purpose,
                                                        entropic_parameters **parameters);
ENTROPIC_API void entropic_parameters_free(entropic_parameters *parameters);

/* Sets a parameter from text, which is copied: "200", "1e-3", "auto", "yes", "residual", "a,b". BAD_ARGUMENT says what is
 * wrong: of an unknown name which known one is nearest, of a value what is expected. The set then is as it was. */
ENTROPIC_API entropic_status entropic_parameters_set(entropic_context *context, entropic_parameters *parameters,
                                                     const char *name, const char *text);
/* The same from values: of FLAG, INTEGER, NUMBER (also from an integer), NUMBERS and INTEGERS. */
ENTROPIC_API entropic_status entropic_parameters_set_flag(entropic_context *context, entropic_parameters *parameters,
                                                          const char *name, int value);
ENTROPIC_API entropic_status entropic_parameters_set_integer(entropic_context *context, entropic_parameters *parameters,
                                                             const char *name, uint64_t value);
ENTROPIC_API entropic_status entropic_parameters_set_number(entropic_context *context, entropic_parameters *parameters,
                                                            const char *name, double value);
ENTROPIC_API entropic_status entropic_parameters_set_numbers(entropic_context *context, entropic_parameters *parameters,
                                                             const char *name, const double *values, size_t count);
/* The text of a parameter's value: as it was set, otherwise its default. NULL if the set has no such parameter. It lives
 * until the parameter is set again. */
ENTROPIC_API const char *entropic_parameters_get(const entropic_parameters *parameters, const char *name);
/* 1 if it was set, otherwise 0; a word "auto" that a parameter takes does not count as set. */
ENTROPIC_API int entropic_parameters_is_set(const entropic_parameters *parameters, const char *name);
/* Whether the values go together, as far as that can be known without data. Every call that takes the set checks the same.
 */
ENTROPIC_API entropic_status entropic_parameters_check(entropic_context *context,
                                                       const entropic_parameters *parameters);
/* How messages write names: `prefix` before them, at most 7 bytes, and `separator` for each -. "--" and '-' are the
 * command's; "" and '-' the default. */
ENTROPIC_API entropic_status entropic_parameters_set_name_style(entropic_context *context,
                                                                entropic_parameters *parameters, const char *prefix,
                                                                char separator);

#ifdef __cplusplus
}
#endif
#endif
