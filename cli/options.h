/* Options of a command. Its own stand in a small table; all others are parameters of the library, which has one table of
 * them, checks what they are set to and says what is wrong. */
#ifndef ENTROPIC_CLI_OPTIONS_H
#define ENTROPIC_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "session.h"

typedef enum option_kind {
  OPTION_FLAG,  /* bool */
  OPTION_TEXT,  /* const char * */
  OPTION_COUNT, /* uint64_t from least to most; `auto` keeps the default */
  OPTION_NUMBER /* double from low to high; `auto` keeps the default */
} option_kind;

typedef struct cli_option {
  const char *name; /* without dashes; NULL ends a table */
  char letter;      /* the o of -o, or 0 */
  option_kind kind;
  size_t offset;     /* where the value goes in the struct that belongs to the table */
  const char *value; /* what the help calls it */
  uint64_t least, most;
  double low, high;
  const char *help; /* lines, separated by \n */
} cli_option;

typedef struct cli_command {
  const char *name;
  const char *summary;       /* one line */
  const char *usage;         /* what follows "entropic NAME" */
  const char *text;          /* some lines more */
  const char *example;       /* lines, runnable */
  const cli_option *options; /* its own */
  unsigned purpose;          /* its parameters are those of this entropic_purpose; 0: it has none */
  const char *without;       /* one of them that it has no use for, or NULL */
  bool threads;              /* it has --threads */
  const char *operands[2];   /* what its arguments are, as far as they are needed */
  size_t least, most;        /* how many arguments besides options */
  bool several;              /* the last of them may be several files, which are one table */
  int (*run)(cli_session *session, int argc, char **argv);
} cli_command;

/* The most arguments besides options that any command takes. */
#define MOST_OPERANDS 16384

/* What was found on the command line besides values. */
typedef struct cli_arguments {
  bool own; /* one of the command's own options was given */
  const char
      *plain[MOST_OPERANDS]; /* arguments that are no options; several files are one, as the library takes them */
  size_t count;
} cli_arguments;

/* --threads, of the commands that have it, and what all have: --quiet, --help, --version. */
extern const cli_option threads_options[];
extern const cli_option common_options[];

/* Reads argv[0 .. argc) into `settings`, the struct of command->options, and into session->parameters, which are made
 * here if the command has a purpose. Returns -1 to go on; otherwise the exit status: the use was wrong, or --help or
 * --version has been answered. --quiet and --threads are in force after it. */
int options_parse(cli_session *session, const cli_command *command, int argc, char **argv, void *settings,
                  cli_arguments *arguments);

/* The next parameter of a command from *index on: sets *index and *info. False behind the last one. */
bool next_parameter(const cli_command *command, size_t *index, entropic_parameter *info);

/* What the help calls the value of a parameter: of a choice, its names. Returns the table's own text or the one given. */
#define VALUE_SIZE 256
const char *parameter_value(size_t index, const entropic_parameter *info, char text[VALUE_SIZE]);

#endif
