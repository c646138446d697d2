/* Options of a command. One table drives parsing, checking and the help text: a new option is one row. */
#ifndef ENTROPIC_CLI_OPTIONS_H
#define ENTROPIC_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "session.h"

typedef enum option_kind {
  OPTION_FLAG,   /* bool */
  OPTION_TEXT,   /* const char * */
  OPTION_TEXTS,  /* cli_texts: may be given several times */
  OPTION_COUNT,  /* uint64_t from least to most; `auto` keeps the default */
  OPTION_NUMBER, /* double from low to high; `auto` keeps the default */
  OPTION_CHOICE  /* int: the position in value, "first|second|third", or a number of `choice` */
} option_kind;

/* One of the names that an option takes, where the library has the list. */
typedef struct cli_choice {
  int number;
  const char *name, *help; /* one line of help */
} cli_choice;

#define TEXTS_MOST 16

typedef struct cli_texts {
  const char *text[TEXTS_MOST];
  size_t count;
} cli_texts;

typedef struct cli_option {
  const char *name; /* without dashes; NULL ends a table */
  char letter;      /* the o of -o, or 0 */
  option_kind kind;
  size_t offset;     /* where the value goes in the struct that belongs to the table */
  const char *value; /* what the help calls it; a choice: the names, unless `choice` has them */
  bool (*choice)(size_t position, cli_choice *choice); /* the names, one after the other; false behind the last */
  uint64_t least, most;
  double low, high;
  const char *word; /* of a count or number: one more word that is taken, and what it stands for; or NULL */
  uint64_t word_count;
  double word_number;
  const char *help; /* lines, separated by \n */
} cli_option;

/* Options that several commands have, each with a field of that name in its own struct. */
#define OPTION_ROW_THREADS(settings)                                                                                   \
  {                                                                                                                    \
    .name = "threads", .kind = OPTION_COUNT, .offset = offsetof(settings, threads), .value = "T", .least = 1,          \
    .most = 1024, .help = "how many threads (all processors); no result depends on it"                                 \
  }

#define COMMAND_TABLES 6

typedef struct cli_command {
  const char *name;
  const char *summary;                      /* one line */
  const char *usage;                        /* what follows "entropic NAME" */
  const char *text;                         /* some lines more */
  const char *example;                      /* lines, runnable */
  const cli_option *tables[COMMAND_TABLES]; /* NULL after the last */
  const char *operands[2];                  /* what its arguments are, as far as they are needed */
  size_t least, most;                       /* how many arguments besides options */
  int (*run)(cli_session *session, int argc, char **argv);
} cli_command;

/* What was found on the command line besides values. */
typedef struct cli_arguments {
  uint64_t given[COMMAND_TABLES]; /* bit i: row i of that table was given */
  const char *plain[2];           /* arguments that are no options */
  size_t count;
} cli_arguments;

/* --quiet, --help, --version: the table that goes last in every command, and its struct. */
typedef struct common_settings {
  bool quiet, help, version;
} common_settings;

extern const cli_option common_options[];

/* Reads argv[0 .. argc) into values[t], the struct of command->tables[t]. Returns -1 to go on; otherwise the exit
 * status: the use was wrong, or --help or --version has been answered. Sets session->quiet. */
int options_parse(cli_session *session, const cli_command *command, int argc, char **argv, void *const *values,
                  cli_arguments *arguments);

/* What the help calls the value: of a choice, its names. Returns the option's own text or the one given. */
#define VALUE_SIZE 256
const char *option_value(const cli_option *option, char text[VALUE_SIZE]);

/* Whether the option of that name was given; `auto` is as good as not given. */
bool option_given(const cli_command *command, const cli_arguments *arguments, const char *name);
/* The first option of a table that was given, NULL if none was. */
const char *option_given_of(const cli_command *command, const cli_arguments *arguments, const cli_option *table);

#endif
