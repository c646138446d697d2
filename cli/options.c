#include "options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "output.h"
#include "suggest.h"

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

/* Where a row of a command's tables is. */
typedef struct cli_place {
  size_t table, row;
} cli_place;

static bool find(const cli_command *command, const char *name, size_t length, char letter, cli_place *place) {
  for (size_t t = 0; t < COMMAND_TABLES && command->tables[t]; t++) {
    const cli_option *rows = command->tables[t];
    for (size_t i = 0; rows[i].name; i++) {
      bool found =
          letter ? rows[i].letter == letter : strlen(rows[i].name) == length && !memcmp(rows[i].name, name, length);
      if (!found)
        continue;
      place->table = t;
      place->row = i;
      return true;
    }
  }
  return false;
}

static int unknown(const cli_session *session, const cli_command *command, const char *typed, size_t length) {
  char name[64] = "";
  memcpy(name, typed, length < sizeof name ? length : sizeof name - 1);
  const char *bare = name + strspn(name, "-");
  cli_suggestion near = suggestion_start(bare);
  for (size_t t = 0; t < COMMAND_TABLES && command->tables[t]; t++)
    for (const cli_option *row = command->tables[t]; row->name; row++)
      suggestion_try(&near, row->name);
  if (near.best)
    return complain(session, EXIT_USAGE, "unknown option %s: did you mean --%s?", name, near.best);
  return complain(session, EXIT_USAGE, "unknown option %s: see 'entropic help %s'", name, command->name);
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

/* ", auto or theory" in messages about options that take such a word. */
static const char *or_words(const cli_option *option, char text[32]) {
  text[0] = 0;
  if (option->word)
    snprintf(text, 32, ", auto or %s", option->word);
  return text;
}

static int set_count(const cli_session *session, const cli_option *option, const char *text, uint64_t *count) {
  uint64_t value;
  char words[32];
  if (!parse_count(text, &value) || value < option->least || value > option->most)
    return complain(session, EXIT_USAGE, "--%s %s: expected a whole number from %" PRIu64 " to %" PRIu64 "%s",
                    option->name, text, option->least, option->most, or_words(option, words));
  *count = value;
  return -1;
}

/* 1e-6 and 1e6 where printf has 1e-06 and 1e+06. */
static void format_limit(double value, char text[32]) {
  snprintf(text, 32, "%g", value);
  char *mark = strchr(text, 'e');
  if (!mark)
    return;
  char *to = mark + 1, *from = to;
  if (*from == '-')
    to++;
  from += strspn(from, "+-");
  from += strspn(from, "0");
  memmove(to, from, strlen(from) + 1);
}

static int set_number(const cli_session *session, const cli_option *option, const char *text, double *number) {
  double value;
  entropic_status status = entropic_parse_double(text, strlen(text), &value);
  if (status || !(value >= option->low && value <= option->high)) {
    char low[32], high[32], words[32];
    format_limit(option->low, low);
    format_limit(option->high, high);
    return complain(session, EXIT_USAGE, "--%s %s: expected a number from %s to %s%s", option->name, text, low, high,
                    or_words(option, words));
  }
  *number = value;
  return -1;
}

const char *option_value(const cli_option *option, char text[VALUE_SIZE]) {
  if (!option->choice)
    return option->value;
  cli_choice choice;
  size_t used = 0;
  text[0] = 0;
  for (size_t i = 0; used < VALUE_SIZE && option->choice(i, &choice); i++)
    used += (size_t)snprintf(text + used, VALUE_SIZE - used, "%s%s", i > 0 ? "|" : "", choice.name);
  return text;
}

static int set_choice(const cli_session *session, const cli_option *option, const char *text, int *choice) {
  cli_suggestion near = suggestion_start(text);
  char buffer[VALUE_SIZE], names[VALUE_SIZE];
  const char *value = option_value(option, buffer);
  snprintf(names, sizeof names, "%s", value);
  char *rest = names;
  for (size_t i = 0; rest; i++) {
    char *name = strsep(&rest, "|");
    if (!strcmp(name, text)) {
      cli_choice found = {.number = (int)i};
      if (option->choice)
        option->choice(i, &found);
      *choice = found.number;
      return -1;
    }
    suggestion_try(&near, name);
  }
  if (near.best)
    return complain(session, EXIT_USAGE, "--%s %s: expected %s; did you mean %s?", option->name, text, value,
                    near.best);
  return complain(session, EXIT_USAGE, "--%s %s: expected %s", option->name, text, value);
}

static int add_text(const cli_session *session, const cli_option *option, const char *text, cli_texts *texts) {
  if (texts->count == TEXTS_MOST)
    return complain(session, EXIT_USAGE, "--%s is given more than %d times", option->name, TEXTS_MOST);
  texts->text[texts->count++] = text;
  return -1;
}

static int set_value(const cli_session *session, const cli_option *option, const char *text, void *values) {
  void *where = (char *)values + option->offset;
  bool automatic = !strcmp(text, "auto"), word = option->word && !strcmp(text, option->word);
  switch (option->kind) {
  case OPTION_FLAG:
    *(bool *)where = true;
    return -1;
  case OPTION_TEXT:
    *(const char **)where = text;
    return -1;
  case OPTION_TEXTS:
    return add_text(session, option, text, where);
  case OPTION_COUNT:
    if (word)
      *(uint64_t *)where = option->word_count;
    return automatic || word ? -1 : set_count(session, option, text, where);
  case OPTION_NUMBER:
    if (word)
      *(double *)where = option->word_number;
    return automatic || word ? -1 : set_number(session, option, text, where);
  case OPTION_CHOICE:
    return set_choice(session, option, text, where);
  }
  return -1;
}

/* The words of a command line, and the one at hand. */
typedef struct cli_words {
  int count, at;
  char **list;
} cli_words;

/* The option at hand; goes to its value if that is a word of its own. */
static int parse_option(const cli_session *session, const cli_command *command, cli_words *words, void *const *values,
                        cli_arguments *arguments) {
  const char *text = words->list[words->at];
  bool is_long = text[1] == '-';
  const char *name = is_long ? text + 2 : text + 1;
  size_t length = is_long ? strcspn(name, "=") : 1;
  cli_place place = {0};
  bool known = find(command, name, length, is_long ? 0 : *name, &place);
  const cli_option *option = &command->tables[place.table][place.row];
  if (!known || (!is_long && text[2] && option->kind == OPTION_FLAG))
    return unknown(session, command, text, is_long ? length + 2 : strlen(text));
  const char *value = name[length] ? name + length + is_long : NULL; /* --name=value or -nvalue */
  char text_of_value[VALUE_SIZE];
  if (option->kind == OPTION_FLAG && value)
    return complain(session, EXIT_USAGE, "--%s takes no value", option->name);
  if (option->kind != OPTION_FLAG && !value) {
    /* A value that looks like an option is more likely a forgotten one; --name=value says it is meant. */
    if (words->at + 1 >= words->count || !strncmp(words->list[words->at + 1], "--", 2))
      return complain(session, EXIT_USAGE, "--%s needs a value: %s", option->name, option_value(option, text_of_value));
    value = words->list[++words->at];
  }
  if (option->kind != OPTION_FLAG && !*value)
    return complain(session, EXIT_USAGE, "--%s needs a value that is not empty: %s", option->name,
                    option_value(option, text_of_value));
  uint64_t bit = (uint64_t)1 << place.row;
  if ((arguments->given[place.table] & bit) && option->kind != OPTION_FLAG && option->kind != OPTION_TEXTS)
    return complain(session, EXIT_USAGE, "--%s is given twice", option->name);
  if (option->kind == OPTION_FLAG || strcmp(value, "auto") || option->kind == OPTION_CHOICE)
    arguments->given[place.table] |= bit;
  return set_value(session, option, value ? value : "", values[place.table]);
}

static int check_count(const cli_session *session, const cli_command *command, const cli_arguments *arguments) {
  if (arguments->count < command->least)
    return complain(session, EXIT_USAGE, "%s is needed; usage: entropic %s %s", command->operands[arguments->count],
                    command->name, command->usage);
  return -1;
}

int options_parse(cli_session *session, const cli_command *command, int argc, char **argv, void *const *values,
                  cli_arguments *arguments) {
  *arguments = (struct cli_arguments){0};
  bool only_plain = false;
  for (cli_words words = {.count = argc, .list = argv}; words.at < argc; words.at++) {
    char *word = argv[words.at];
    if (!only_plain && word[0] == '-' && word[1]) {
      if (!strcmp(word, "--")) {
        only_plain = true;
        continue;
      }
      int result = parse_option(session, command, &words, values, arguments);
      if (result >= 0)
        return result;
    } else if (arguments->count == command->most) {
      return complain(session, EXIT_USAGE, "unexpected argument %s; usage: entropic %s %s", word, command->name,
                      command->usage);
    } else {
      arguments->plain[arguments->count++] = word;
    }
  }
  size_t last = 0;
  while (last + 1 < COMMAND_TABLES && command->tables[last + 1])
    last++;
  const common_settings *common = values[last];
  session->quiet = common->quiet;
  if (common->help)
    return print_help(session, command);
  if (common->version)
    return print_version(session);
  return check_count(session, command, arguments);
}

const char *option_given_of(const cli_command *command, const cli_arguments *arguments, const cli_option *table) {
  for (size_t t = 0; t < COMMAND_TABLES && command->tables[t]; t++)
    for (size_t i = 0; command->tables[t] == table && table[i].name; i++)
      if (arguments->given[t] >> i & 1)
        return table[i].name;
  return NULL;
}

bool option_given(const cli_command *command, const cli_arguments *arguments, const char *name) {
  cli_place place;
  return find(command, name, strlen(name), 0, &place) && (arguments->given[place.table] >> place.row & 1);
}
