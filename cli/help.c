/* What `help`, --help and --version print. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "output.h"

#define HELP_COLUMN 26

/* One option: what stands on its left, " --name VALUE", and the lines of its help. */
static void print_option(cli_output *output, const char *left, const char *help) {
  size_t used = strlen(left);
  bool fits = used + 2 <= HELP_COLUMN;
  output_string(output, left);
  while (help) {
    char pad[HELP_COLUMN + 2];
    int blanks = fits ? HELP_COLUMN - (int)used : HELP_COLUMN;
    snprintf(pad, sizeof pad, "%s%*s", fits ? "" : "\n", blanks, "");
    output_string(output, pad);
    size_t length = strcspn(help, "\n");
    output_bytes(output, help, length);
    help = help[length] ? help + length + 1 : NULL;
    fits = false;
  }
  output_character(output, '\n');
}

static void print_options(cli_output *output, const cli_option *rows) {
  for (const cli_option *row = rows; row->name; row++) {
    char left[VALUE_SIZE], letter[8] = "    ";
    if (row->letter)
      snprintf(letter, sizeof letter, "-%c, ", row->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, row->name, row->kind == OPTION_FLAG ? "" : " ",
             row->kind == OPTION_FLAG ? "" : row->value);
    print_option(output, left, row->help);
  }
}

static void print_parameters(cli_output *output, const cli_command *command) {
  entropic_parameter info;
  for (size_t i = 0; next_parameter(command, &i, &info); i++) {
    char left[VALUE_SIZE + 64], value[VALUE_SIZE], name[64];
    const char *help;
    bool flag = info.type == ENTROPIC_PARAMETER_FLAG;
    snprintf(left, sizeof left, "      --%s%s%s", info.name, flag ? "" : " ",
             flag ? "" : parameter_value(i, &info, value));
    print_option(output, left, info.help);
    for (size_t c = 0; entropic_parameter_choice(i, c, name, sizeof name, &help); c++) {
      if (!*help)
        continue;
      snprintf(left, sizeof left, "%*s%-10s%s\n", HELP_COLUMN + 2, "", name, help);
      output_string(output, left);
    }
  }
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
  print_options(output, command->options);
  print_parameters(output, command);
  if (command->threads)
    print_options(output, threads_options);
  print_options(output, common_options);
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
