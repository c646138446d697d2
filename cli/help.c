#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "output.h"

#define HELP_COLUMN 26

/* A line for each name that the option takes. */
static void print_choices(cli_output *output, const cli_option *option) {
  cli_choice choice;
  for (size_t i = 0; option->choice && option->choice(i, &choice); i++) {
    char line[160];
    snprintf(line, sizeof line, "%*s%-10s%s\n", HELP_COLUMN + 2, "", choice.name, choice.help);
    output_string(output, line);
  }
}

static void print_option(cli_output *output, const cli_option *option) {
  char left[VALUE_SIZE + 32], value[VALUE_SIZE];
  int used = option->letter ? snprintf(left, sizeof left, "  -%c, --%s", option->letter, option->name)
                            : snprintf(left, sizeof left, "      --%s", option->name);
  if (option->kind != OPTION_FLAG)
    used += snprintf(left + used, sizeof left - (size_t)used, " %s", option_value(option, value));
  output_string(output, left);
  const char *line = option->help;
  bool fits = used + 2 <= HELP_COLUMN;
  while (line) {
    char pad[HELP_COLUMN + 2];
    int blanks = fits ? HELP_COLUMN - used : HELP_COLUMN;
    snprintf(pad, sizeof pad, "%s%*s", fits ? "" : "\n", blanks, "");
    output_string(output, pad);
    size_t length = strcspn(line, "\n");
    output_bytes(output, line, length);
    line = line[length] ? line + length + 1 : NULL;
    fits = false;
  }
  output_character(output, '\n');
  print_choices(output, option);
}

static void print_indented(cli_output *output, const char *lines) {
  while (*lines) {
    size_t length = strcspn(lines, "\n");
    output_string(output, "  ");
    output_bytes(output, lines, length);
    output_character(output, '\n');
    lines += length + (lines[length] != 0);
  }
}

static void print_command(cli_output *output, const cli_command *command) {
  output_string(output, "usage: entropic ");
  output_string(output, command->name);
  output_character(output, ' ');
  output_string(output, command->usage);
  output_string(output, "\n\n");
  output_string(output, command->text);
  output_string(output, "\n\noptions:\n");
  for (size_t t = 0; t < COMMAND_TABLES && command->tables[t]; t++)
    for (const cli_option *row = command->tables[t]; row->name; row++)
      print_option(output, row);
  output_string(output, "\nexample:\n");
  print_indented(output, command->example);
}

static void print_overview(cli_output *output) {
  output_string(output, "usage: entropic COMMAND [ARGUMENTS]\n\n"
                        "Learning from tables with entropic optimal features.\n\ncommands:\n");
  for (const cli_command *const *at = all_commands; *at; at++) {
    char line[160];
    snprintf(line, sizeof line, "  %-12s%s\n", (*at)->name, (*at)->summary);
    output_string(output, line);
  }
  output_string(output, "  help        what a command does: entropic help COMMAND\n\n"
                        "options:\n  -h, --help  this text\n  --version   the version of the library\n\n"
                        "exit status: 0 done, 1 wrong use of the command, 2 bad input data or model,\n"
                        "  3 out of memory or disk or another failure of the system\n\nexample:\n"
                        "  entropic generate friedman1 --rows 1000 -o friedman1.csv\n"
                        "  entropic fit friedman1.csv --target y\n"
                        "  entropic predict friedman1.entropic friedman1.csv -o predictions.csv\n");
}

int print_help(const cli_session *session, const cli_command *command) {
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, "-", &result);
  if (!output)
    return result;
  if (command)
    print_command(output, command);
  else
    print_overview(output);
  return output_end(output, true);
}

int print_version(const cli_session *session) {
  char text[64];
  snprintf(text, sizeof text, "entropic %s\n", entropic_version());
  return output_print(session, text);
}
