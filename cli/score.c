/* entropic score: how good a model's predictions are. */
#include <math.h>
#include <string.h>

#include "commands.h"
#include "intervals.h"
#include "models.h"

typedef struct score_settings {
  double level; /* of intervals; below 0: none */
  bool json;
} score_settings;

static const cli_option score_options[] = {INTERVAL_OPTION(offsetof(score_settings, level),
                                                           "level, coverage and width of intervals, too: the share of\n"
                                                           "targets within them, and the mean of upper - lower; of\n"
                                                           "classes set_size, the mean number of classes in a set"),
                                           {.name = "json",
                                            .kind = OPTION_FLAG,
                                            .offset = offsetof(score_settings, json),
                                            .help = "one JSON object instead of lines"},
                                           {0}};

static int run_score(cli_session *session, int argc, char **argv);

const cli_command score_command = {
    .name = "score",
    .summary = "how good a model's predictions are",
    .usage = "MODEL DATA [options]",
    .text = "Predicts the rows of DATA and compares with the target that stands there. Prints lines of\n"
            "a name, a tab and a value: rows and task; then rmse, mae and r2 for numbers (of several\n"
            "targets the mean of each), and loss, the mean loss of a model of another loss than the\n"
            "squared one; or error, accuracy, logloss and auc for classes (of more than two classes auc\n"
            "is the mean over each against the rest).",
    .example = "entropic generate friedman1 -o friedman1.csv\n"
               "entropic fit friedman1.csv --target y --quiet\n"
               "entropic generate friedman1 --seed 2 -o other.csv\n"
               "entropic score friedman1.entropic other.csv",
    .options = score_options,
    .purpose = ENTROPIC_PURPOSE_READ,
    .threads = true,
    .operands = {"MODEL", "DATA"},
    .least = 2,
    .most = 2,
    .several = true,
    .run = run_score,
};

static void print_score(cli_output *output, const entropic_report *report, const char *name) {
  output_character(output, '\n');
  output_string(output, name);
  output_character(output, '\t');
  output_number(output, report_number(report, name));
}

static int print_scores(const cli_session *session, const entropic_report *report) {
  static const char *const names[] = {"rmse", "mae", "r2", "error", "accuracy", "logloss", "auc"};
  static const char *const further[] = {"loss", "level", "coverage", "width", "set_size"};
  char task[32];
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, "-", &result);
  if (!output)
    return result;
  entropic_report_text(report, "task", task, sizeof task);
  size_t first = strcmp(task, "classification") ? 0 : 3, count = first ? 4 : 3;
  output_string(output, "rows\t");
  output_count(output, report_count(report, "rows"));
  output_string(output, "\ntask\t");
  output_string(output, task);
  for (size_t i = first; i < first + count; i++)
    print_score(output, report, names[i]);
  for (size_t i = 0; i < sizeof further / sizeof *further; i++)
    if (!isnan(report_number(report, further[i])))
      print_score(output, report, further[i]);
  output_character(output, '\n');
  return output_end(output, true);
}

static int score(const cli_session *session, const score_settings *settings, const entropic_model *model,
                 const char *data) {
  entropic_row_reader *reader;
  entropic_report *report;
  int result = rows_open(session, model, data, true, &reader);
  if (result)
    return result;
  entropic_status status =
      settings->level < 0 ? entropic_model_score(session->context, model, reader, &report)
                          : entropic_model_score_intervals(session->context, model, reader, settings->level, &report);
  entropic_row_reader_free(reader);
  if (status)
    return complain_about(session, data, status);
  size_t dropped = report_count(report, "dropped_rows");
  if (dropped)
    notice(session, "%zu row%s without a target left out", dropped, dropped == 1 ? "" : "s");
  const entropic_data_warnings warnings = {report_count(report, "outside"), report_count(report, "unseen"),
                                           report_count(report, "missing"), report_count(report, "clamped"),
                                           report_count(report, "continued")};
  mention_warnings(session, &warnings);
  if (!report_number(report, "validation_current"))
    notice(session, "the validation figures of the model are out of date: rows were added or forgotten since");
  result = settings->json ? report_print(session, report, "-") : print_scores(session, report);
  entropic_report_free(report);
  return result;
}

static int run_score(cli_session *session, int argc, char **argv) {
  score_settings settings = {.level = -1};
  cli_arguments arguments;
  int result = options_parse(session, &score_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  result = check_one_stdin(session, arguments.plain[0], arguments.plain[1]);
  if (result)
    return result;
  entropic_model *model = NULL;
  result = model_open(session, arguments.plain[0], &model);
  if (result)
    return result;
  result = score(session, &settings, model, arguments.plain[1]);
  entropic_model_free(model);
  return result;
}
