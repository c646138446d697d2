/* `entropic help --json`: every command with its options, and every parameter of the library, for programs. The manual
 * pages, the completion of shells and docs/parameters.md are written from it. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "output.h"

static const char *const types[] = {"flag",      "integer", "number", "integers", "numbers", "choice",
                                    "character", "text",    "column", "columns",  "size"};

static const struct {
  entropic_purpose purpose;
  const char *name;
} purposes[] = {{ENTROPIC_PURPOSE_READ, "read"},      {ENTROPIC_PURPOSE_FIT, "fit"},
                {ENTROPIC_PURPOSE_DESIGN, "design"},  {ENTROPIC_PURPOSE_COMPARE, "compare"},
                {ENTROPIC_PURPOSE_SOLVE, "solve"},    {ENTROPIC_PURPOSE_EXPORT, "export"},
                {ENTROPIC_PURPOSE_COLLECT, "collect"}};

static void add_range(entropic_report *report, double lowest, double highest) {
  entropic_report_add_number(report, "lowest", lowest);
  entropic_report_add_number(report, "highest", highest);
}

/* The options of a table of the command. */
static void add_options(entropic_report *report, const cli_option *rows) {
  static const char *const kinds[] = {"flag", "text", "integer", "number"};
  for (const cli_option *row = rows; row->name; row++) {
    const char letter[2] = {row->letter};
    entropic_report_open_object(report, NULL);
    entropic_report_add_text(report, "name", row->name);
    entropic_report_add_text(report, "letter", row->letter ? letter : NULL);
    entropic_report_add_text(report, "type", kinds[row->kind]);
    entropic_report_add_text(report, "value", row->value ? row->value : "");
    if (row->kind == OPTION_COUNT)
      add_range(report, (double)row->least, (double)row->most);
    if (row->kind == OPTION_NUMBER)
      add_range(report, row->low, row->high);
    entropic_report_add_text(report, "help", row->help);
    entropic_report_close(report);
  }
}

static void add_choices(entropic_report *report, size_t index) {
  char name[64];
  const char *help;
  entropic_report_open_list(report, "choices");
  for (size_t i = 0; entropic_parameter_choice(index, i, name, sizeof name, &help); i++) {
    entropic_report_open_object(report, NULL);
    entropic_report_add_text(report, "name", name);
    entropic_report_add_text(report, "help", help);
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

static bool has_range(entropic_parameter_type type) {
  return type == ENTROPIC_PARAMETER_INTEGER || type == ENTROPIC_PARAMETER_NUMBER ||
         type == ENTROPIC_PARAMETER_INTEGERS || type == ENTROPIC_PARAMETER_NUMBERS;
}

static void add_parameter(entropic_report *report, size_t index, const entropic_parameter *info) {
  char value[VALUE_SIZE];
  entropic_report_open_object(report, NULL);
  entropic_report_add_text(report, "name", info->name);
  entropic_report_add_text(report, "type", types[info->type]);
  entropic_report_open_list(report, "purposes");
  for (size_t i = 0; i < sizeof purposes / sizeof *purposes; i++)
    if (info->purposes & (unsigned)purposes[i].purpose)
      entropic_report_add_text(report, NULL, purposes[i].name);
  entropic_report_close(report);
  entropic_report_add_text(report, "value", parameter_value(index, info, value));
  entropic_report_add_text(report, "default", info->default_text);
  if (has_range(info->type))
    add_range(report, info->lowest, info->highest);
  entropic_report_add_text(report, "words", info->keywords);
  add_choices(report, index);
  entropic_report_add_text(report, "since", info->since);
  entropic_report_add_text(report, "help", info->help);
  entropic_report_close(report);
}

static void add_command(entropic_report *report, const cli_command *command) {
  entropic_parameter info;
  entropic_report_open_object(report, NULL);
  entropic_report_add_text(report, "name", command->name);
  entropic_report_add_text(report, "summary", command->summary);
  entropic_report_add_text(report, "usage", command->usage);
  entropic_report_open_list(report, "options");
  add_options(report, command->options);
  if (command->threads)
    add_options(report, threads_options);
  entropic_report_close(report);
  entropic_report_open_list(report, "parameters"); /* numbers in the list of all */
  for (size_t i = 0; next_parameter(command, &i, &info); i++)
    entropic_report_add_integer(report, NULL, i);
  entropic_report_close(report);
  entropic_report_close(report);
}

int print_reference(const cli_session *session) {
  entropic_parameter info;
  int result = EXIT_DONE;
  entropic_report *report = report_begin(session, &result);
  if (!report)
    return result;
  entropic_report_add_text(report, "version", entropic_version());
  entropic_report_open_list(report, "commands");
  for (const cli_command *const *at = all_commands; *at; at++)
    add_command(report, *at);
  entropic_report_close(report);
  entropic_report_open_list(report, "common");
  add_options(report, common_options);
  entropic_report_close(report);
  entropic_report_open_list(report, "parameters");
  for (size_t i = 0; !entropic_parameter_describe(NULL, i, &info, sizeof info); i++)
    add_parameter(report, i, &info);
  entropic_report_close(report);
  result = report_print(session, report, "-");
  entropic_report_free(report);
  return result;
}
