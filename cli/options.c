#include "options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "reading.h"
#include "suggest.h"

/* What options that are not a command's own are read into. */
typedef struct common_settings {
  bool quiet, help, version;
  uint64_t threads;
} common_settings;

const cli_option threads_options[] = {{.name = "threads",
                                       .kind = OPTION_COUNT,
                                       .offset = offsetof(common_settings, threads),
                                       .value = "T",
                                       .least = 1,
                                       .most = 1024,
                                       .help = "how many threads (all processors); no result depends on it"},
                                      {0}};

const cli_option common_options[] = {{.name = "quiet",
                                      .kind = OPTION_FLAG,
                                      .offset = offsetof(common_settings, quiet),
                                      .help = "no notices, no progress bar"},
                                     {.name = "help",
                                      .letter = 'h',
                                      .kind = OPTION_FLAG,
                                      .offset = offsetof(common_settings, help),
                                      .help = "this text"},
                                     {.name = "version",
                                      .kind = OPTION_FLAG,
                                      .offset = offsetof(common_settings, version),
                                      .help = "the version of the library"},
                                     {0}};

/* A table of options, the struct that they are read into, and which of them were given. */
typedef struct cli_table {
  const cli_option *rows;
  void *values;
  uint64_t given; /* bit i: row i */
} cli_table;

#define TABLES 3

/* A command line: its words, the one at hand, and where values go. */
typedef struct cli_line {
  cli_session *session;
  const cli_command *command;
  cli_table tables[TABLES]; /* the command's own one first */
  int count, at;
  char **words;
} cli_line;

/* An option that was found: a row of a table, or a parameter of the library. */
typedef struct cli_found {
  cli_table *table; /* NULL: a parameter */
  const cli_option *option;
  size_t index;
  entropic_parameter info;
} cli_found;

bool next_parameter(const cli_command *command, size_t *index, entropic_parameter *info) {
  for (; !entropic_parameter_describe(NULL, *index, info, sizeof *info); ++*index)
    if ((info->purposes & command->purpose) && !(command->without && !strcmp(info->name, command->without)))
      return true;
  return false;
}

const char *parameter_value(size_t index, const entropic_parameter *info, char text[VALUE_SIZE]) {
  char name[64];
  size_t used = 0;
  if (info->type != ENTROPIC_PARAMETER_CHOICE)
    return info->value;
  text[0] = 0;
  for (size_t i = 0; used < VALUE_SIZE && entropic_parameter_choice(index, i, name, sizeof name, NULL); i++)
    used += (size_t)snprintf(text + used, VALUE_SIZE - used, "%s%s", i > 0 ? "|" : "", name);
  return text;
}

static bool is_named(const char *name, const char *typed, size_t length) {
  return strlen(name) == length && !memcmp(name, typed, length);
}

/* By its letter, or by its name if there is none. */
static bool find(cli_line *line, const char *name, size_t length, char letter, cli_found *found) {
  for (size_t t = 0; t < TABLES; t++)
    for (const cli_option *row = line->tables[t].rows; row && row->name; row++)
      if (letter ? row->letter == letter : is_named(row->name, name, length)) {
        found->table = &line->tables[t];
        found->option = row;
        return true;
      }
  for (size_t i = 0; !letter && next_parameter(line->command, &i, &found->info); i++)
    if (is_named(found->info.name, name, length)) {
      found->index = i;
      return true;
    }
  return false;
}

static int complain_unknown(const cli_line *line, const char *typed, size_t length) {
  char name[64] = "";
  memcpy(name, typed, length < sizeof name ? length : sizeof name - 1);
  cli_suggestion near = suggestion_start(name + strspn(name, "-"));
  entropic_parameter info;
  for (size_t t = 0; t < TABLES; t++)
    for (const cli_option *row = line->tables[t].rows; row && row->name; row++)
      suggestion_try(&near, row->name);
  for (size_t i = 0; next_parameter(line->command, &i, &info); i++)
    suggestion_try(&near, info.name);
  if (near.best)
    return complain(line->session, EXIT_USAGE, "unknown option %s: did you mean --%s?", name, near.best);
  return complain(line->session, EXIT_USAGE, "unknown option %s: see 'entropic help %s'", name, line->command->name);
}

/* An integer written as 1e3 or 2.5e6, exact in a double. */
static bool parse_power(const char *text, uint64_t *count) {
  double value;
  if (*text < '0' || *text > '9' || entropic_parse_double(text, strlen(text), &value))
    return false;
  if (!(value >= 0 && value <= 0x1p53) || value != (double)(uint64_t)value)
    return false;
  *count = (uint64_t)value;
  return true;
}

static bool parse_count(const char *text, uint64_t *count) {
  uint64_t value = 0;
  if (!*text)
    return false;
  if (strpbrk(text, "eE"))
    return parse_power(text, count);
  for (; *text; text++) {
    if (*text < '0' || *text > '9')
      return false;
    if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
        __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
      return false;
  }
  *count = value;
  return true;
}

static int set_count(const cli_session *session, const cli_option *option, const char *text, uint64_t *count) {
  uint64_t value;
  if (!parse_count(text, &value) || value < option->least || value > option->most)
    return complain(session, EXIT_USAGE, "--%s %s: expected a whole number from %" PRIu64 " to %" PRIu64, option->name,
                    text, option->least, option->most);
  *count = value;
  return -1;
}

static int set_number(const cli_session *session, const cli_option *option, const char *text, double *number) {
  double value;
  char low[ENTROPIC_NUMBER_SIZE], high[ENTROPIC_NUMBER_SIZE];
  if (entropic_parse_double(text, strlen(text), &value) || !(value >= option->low && value <= option->high)) {
    entropic_format_double(option->low, low);
    entropic_format_double(option->high, high);
    return complain(session, EXIT_USAGE, "--%s %s: expected a number from %s to %s", option->name, text, low, high);
  }
  *number = value;
  return -1;
}

/* Sets a row of a table. */
static int set_option(const cli_line *line, const cli_found *found, const char *text) {
  const cli_option *option = found->option;
  void *where = (char *)found->table->values + option->offset;
  uint64_t bit = (uint64_t)1 << (option - found->table->rows);
  bool automatic = !strcmp(text, "auto");
  if (option->kind == OPTION_FLAG) {
    *(bool *)where = true;
    found->table->given |= bit;
    return -1;
  }
  if (found->table->given & bit)
    return complain(line->session, EXIT_USAGE, "--%s is given twice", option->name);
  if (option->kind == OPTION_TEXT)
    *(const char **)where = text;
  else if (automatic)
    return -1;
  found->table->given |= bit;
  if (option->kind == OPTION_COUNT)
    return set_count(line->session, option, text, where);
  if (option->kind == OPTION_NUMBER)
    return set_number(line->session, option, text, where);
  return -1;
}

/* Columns may be given in several pieces, each of which has been checked by itself: they are put together as a list. */
static int add_columns(const cli_session *session, const char *name, const char *before, const char *text) {
  char *list = malloc(strlen(before) + strlen(text) + 2);
  if (!list)
    return complain_memory(session);
  strcat(strcat(strcpy(list, before), ","), text);
  entropic_status status = entropic_parameters_set(session->context, session->parameters, name, list);
  free(list);
  return status ? complain_library(session, status) : -1;
}

/* Sets a parameter of the library. */
static int set_parameter(const cli_session *session, const entropic_parameter *info, const char *text) {
  const char *name = info->name;
  bool given = entropic_parameters_is_set(session->parameters, name);
  bool columns = given && info->type == ENTROPIC_PARAMETER_COLUMNS;
  if (given && !columns && info->type != ENTROPIC_PARAMETER_FLAG)
    return complain(session, EXIT_USAGE, "--%s is given twice", name);
  char *before = columns ? strdup(entropic_parameters_get(session->parameters, name)) : NULL;
  if (columns && !before)
    return complain_memory(session);
  int result = -1;
  entropic_status status = entropic_parameters_set(session->context, session->parameters, name, text);
  if (status)
    result = complain_library(session, status);
  else if (columns)
    result = add_columns(session, name, before, text);
  free(before);
  return result;
}

/* The value of an option: what stands behind =, behind a letter, or in the next word; yes for a flag. */
static int find_value(cli_line *line, const cli_found *found, const char *attached, const char **value) {
  char text[VALUE_SIZE];
  const char *name = found->table ? found->option->name : found->info.name;
  const char *label = found->table ? found->option->value : parameter_value(found->index, &found->info, text);
  bool flag = found->table ? found->option->kind == OPTION_FLAG : found->info.type == ENTROPIC_PARAMETER_FLAG;
  *value = attached ? attached : "yes";
  if (flag)
    return attached ? complain(line->session, EXIT_USAGE, "--%s takes no value", name) : -1;
  if (!attached) {
    /* A value that looks like an option is more likely a forgotten one; --name=value says it is meant. */
    if (line->at + 1 >= line->count || !strncmp(line->words[line->at + 1], "--", 2))
      return complain(line->session, EXIT_USAGE, "--%s needs a value: %s", name, label);
    *value = line->words[++line->at];
  }
  if (!**value && (found->table || found->info.type != ENTROPIC_PARAMETER_TEXT))
    return complain(line->session, EXIT_USAGE, "--%s needs a value that is not empty: %s", name, label);
  return -1;
}

/* The option at hand; goes to its value if that is a word of its own. */
static int parse_option(cli_line *line) {
  const char *text = line->words[line->at], *value;
  bool is_long = text[1] == '-';
  const char *name = is_long ? text + 2 : text + 1;
  size_t length = is_long ? strcspn(name, "=") : 1;
  cli_found found = {0};
  bool known = find(line, name, length, is_long ? 0 : *name, &found);
  if (!known || (!is_long && text[2] && found.option->kind == OPTION_FLAG))
    return complain_unknown(line, text, is_long ? length + 2 : strlen(text));
  int result = find_value(line, &found, name[length] ? name + length + is_long : NULL, &value);
  if (result >= 0)
    return result;
  return found.table ? set_option(line, &found, value) : set_parameter(line->session, &found.info, value);
}

/* Is a word behind the last argument one more file of the same table? */
static bool is_one_more(const cli_command *command, const cli_arguments *arguments, const char *word) {
  return command->several && arguments->count >= command->most && arguments->count < MOST_OPERANDS && names_data(word);
}

/* Makes one argument of several files: their names, with a line feed between two. */
static int join_files(cli_session *session, const cli_command *command, cli_arguments *arguments) {
  size_t first = command->most - 1;
  for (size_t i = 0; i < arguments->count; i++)
    if (strchr(arguments->plain[i], '\n'))
      return complain(session, EXIT_USAGE, "the name '%s' has a line feed in it, expected a name of one line",
                      arguments->plain[i]);
  if (arguments->count <= command->most)
    return -1;
  size_t size = strlen(arguments->plain[first]) + 1;
  for (size_t i = first + 1; i < arguments->count; i++)
    size += strlen(arguments->plain[i]) + 1;
  session->files = malloc(size);
  if (!session->files)
    return complain_memory(session);
  char *to = session->files;
  for (size_t i = first; i < arguments->count; i++) {
    to = stpcpy(to, arguments->plain[i]);
    *to++ = i + 1 < arguments->count ? '\n' : '\0';
  }
  arguments->plain[first] = session->files;
  arguments->count = command->most;
  return -1;
}

static int parse_words(cli_line *line, cli_arguments *arguments) {
  const cli_command *command = line->command;
  bool only_plain = false;
  for (; line->at < line->count; line->at++) {
    const char *word = line->words[line->at];
    if (!only_plain && !strcmp(word, "--")) {
      only_plain = true;
    } else if (!only_plain && word[0] == '-' && word[1]) {
      int result = parse_option(line);
      if (result >= 0)
        return result;
    } else if (arguments->count >= command->most && !is_one_more(command, arguments, word)) {
      return complain(line->session, EXIT_USAGE, "unexpected argument %s; usage: entropic %s %s", word, command->name,
                      command->usage);
    } else {
      arguments->plain[arguments->count++] = word;
    }
  }
  return -1;
}

static int make_parameters(cli_session *session, const cli_command *command) {
  if (!command->purpose)
    return -1;
  entropic_status status =
      entropic_parameters_create(session->context, (entropic_purpose)command->purpose, &session->parameters);
  if (!status)
    status = entropic_parameters_set_name_style(session->context, session->parameters, "--", '-');
  return status ? complain_library(session, status) : -1;
}

int options_parse(cli_session *session, const cli_command *command, int argc, char **argv, void *settings,
                  cli_arguments *arguments) {
  common_settings common = {0};
  cli_line line = {session,
                   command,
                   {{command->options, settings, 0},
                    {command->threads ? threads_options : NULL, &common, 0},
                    {common_options, &common, 0}},
                   argc,
                   0,
                   argv};
  *arguments = (struct cli_arguments){0};
  int result = make_parameters(session, command);
  if (result >= 0)
    return result;
  result = parse_words(&line, arguments);
  if (result >= 0)
    return result;
  result = join_files(session, command, arguments);
  if (result >= 0)
    return result;
  session->quiet = common.quiet;
  progress_listen(session);
  if (common.help)
    return print_help(session, command);
  if (common.version)
    return print_version(session);
  if (arguments->count < command->least)
    return complain(session, EXIT_USAGE, "%s is required; usage: entropic %s %s", command->operands[arguments->count],
                    command->name, command->usage);
  if (common.threads)
    entropic_context_set_threads(session->context, (int)common.threads);
  arguments->own = line.tables[0].given != 0;
  return -1;
}
