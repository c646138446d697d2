/* entropic solve: a model from statistics. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "models.h"

typedef struct solve_settings {
  const char *path;
  bool json;
} solve_settings;

static const cli_option solve_options[] = {{.name = "output",
                                            .letter = 'o',
                                            .kind = OPTION_TEXT,
                                            .offset = offsetof(solve_settings, path),
                                            .value = "MODEL",
                                            .help = "the model file; - is standard output"},
                                           {.name = "json",
                                            .kind = OPTION_FLAG,
                                            .offset = offsetof(solve_settings, json),
                                            .help = "a summary as JSON on standard output"},
                                           {0}};

static int run_solve(cli_session *session, int argc, char **argv);

const cli_command solve_command = {
    .name = "solve",
    .summary = "makes a model of statistics",
    .usage = "STAT -o MODEL [options]",
    .text = "Solves the weights of a model from statistics that 'entropic collect' or 'entropic merge'\n"
            "has made, each member by itself, with the lambda of the design unless --lambda is given.\n"
            "The model has no figures of validation: 'entropic score' with other rows gives some.",
    .example = "entropic generate friedman1 --rows 500 -o a.csv\n"
               "entropic fit a.csv --target y --quiet\n"
               "entropic collect a.csv --design a.entropic\n"
               "entropic solve a.stat -o again.entropic",
    .options = solve_options,
    .purpose = ENTROPIC_PURPOSE_SOLVE,
    .threads = true,
    .operands = {"STAT"},
    .least = 1,
    .most = 1,
    .run = run_solve,
};

static void print_line(void *user, const char *name, const char *value) {
  summary_line(user, name, value);
}

static int summarise(cli_session *session, const solve_settings *settings, const entropic_model *model) {
  entropic_report *report;
  entropic_status status = entropic_model_report(session->context, model, &report);
  if (status)
    return complain_library(session, status);
  int result = EXIT_DONE;
  if (settings->json) {
    model_place(report, settings->path);
    result = report_print(session, report, "-");
  } else {
    model_summarise(model, report, print_line, session);
  }
  entropic_report_free(report);
  return result;
}

static int work(cli_session *session, const solve_settings *settings, const char *path) {
  entropic_statistics *statistics = NULL;
  entropic_model *model = NULL;
  int result = statistics_open(session, path, &statistics);
  if (result)
    return result;
  entropic_status status = entropic_statistics_solve(session->context, statistics, session->parameters, &model);
  entropic_statistics_free(statistics);
  if (status)
    return complain_about(session, path, status);
  if (!strcmp(entropic_parameters_get(session->parameters, "lambda"), "auto"))
    notice(session, "--lambda auto uses generalised cross-validation on the same rows: it is optimistic where the "
                    "features were selected with these rows");
  result = model_save(session, model, settings->path);
  if (!result)
    result = summarise(session, settings, model);
  entropic_model_free(model);
  return result;
}

static int run_solve(cli_session *session, int argc, char **argv) {
  solve_settings settings = {0};
  cli_arguments arguments;
  int result = options_parse(session, &solve_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  if (!settings.path)
    return complain(session, EXIT_USAGE, "-o MODEL is required");
  const cli_destination places[] = {{"the model", settings.path, false},
                                    {"the summary", settings.json ? "-" : NULL, false},
                                    {"the statistics", arguments.plain[0], true}};
  result = destinations_check(session, places, sizeof places / sizeof *places);
  if (!result)
    result = check_writable(session, settings.path);
  return result ? result : work(session, &settings, arguments.plain[0]);
}
