/* entropic score: how good a model's predictions are. */
#include "commands.h"
#include "models.h"
#include "reading.h"

typedef struct score_settings {
  const char *weights;
  uint64_t threads;
  bool json;
} score_settings;

static const cli_option score_options[] = {{.name = "weights",
                                            .kind = OPTION_TEXT,
                                            .offset = offsetof(score_settings, weights),
                                            .value = "COL",
                                            .help = "how much each row counts (all the same)"},
                                           OPTION_ROW_THREADS(score_settings),
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
            "targets the mean of each), or error, accuracy, logloss and auc for classes (of more than\n"
            "two classes auc is the mean over each against the rest).",
    .example = "entropic generate friedman1 -o friedman1.csv\n"
               "entropic fit friedman1.csv --target y --quiet\n"
               "entropic generate friedman1 --seed 2 -o other.csv\n"
               "entropic score friedman1.entropic other.csv",
    .tables = {score_options, reading_options, common_options},
    .operands = {"MODEL", "DATA"},
    .least = 2,
    .most = 2,
    .run = run_score,
};

/* The scores of a task, in the order in which they are printed. */
typedef struct score_line {
  const char *name;
  double value;
} score_line;

#define SCORES_MOST 4

static size_t list_scores(const entropic_scores *scores, bool classes, score_line lines[SCORES_MOST]) {
  const score_line numbers[] = {{"rmse", scores->rmse}, {"mae", scores->mae}, {"r2", scores->r2}};
  const score_line chances[] = {
      {"error", scores->error}, {"accuracy", scores->accuracy}, {"logloss", scores->logloss}, {"auc", scores->auc}};
  const score_line *from = classes ? chances : numbers;
  size_t count = classes ? sizeof chances / sizeof *chances : sizeof numbers / sizeof *numbers;
  for (size_t i = 0; i < count; i++)
    lines[i] = from[i];
  return count;
}

static void scores_as_json(cli_output *output, const entropic_scores *scores, entropic_task task,
                           const score_line *lines, size_t count) {
  cli_json json = json_start(output);
  json_open(&json, NULL, '{');
  json_count(&json, "rows", scores->rows);
  json_string(&json, "task", entropic_task_name(task));
  for (size_t i = 0; i < count; i++)
    json_number(&json, lines[i].name, lines[i].value);
  json_count(&json, "dropped_rows", scores->without_target);
  json_close(&json, '}');
  json_finish(&json);
}

static void scores_as_text(cli_output *output, const entropic_scores *scores, entropic_task task,
                           const score_line *lines, size_t count) {
  output_string(output, "rows\t");
  output_count(output, scores->rows);
  output_string(output, "\ntask\t");
  output_string(output, entropic_task_name(task));
  for (size_t i = 0; i < count; i++) {
    output_character(output, '\n');
    output_string(output, lines[i].name);
    output_character(output, '\t');
    output_number(output, lines[i].value);
  }
  output_character(output, '\n');
}

static int report(const cli_session *session, const score_settings *settings, const entropic_model *model,
                  const entropic_scores *scores) {
  entropic_task task = entropic_model_describe(model).task;
  score_line lines[SCORES_MOST];
  size_t count = list_scores(scores, task == ENTROPIC_TASK_CLASSIFICATION, lines);
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, "-", &result);
  if (!output)
    return result;
  if (settings->json)
    scores_as_json(output, scores, task, lines, count);
  else
    scores_as_text(output, scores, task, lines, count);
  return output_end(output, true);
}

static int score(const cli_session *session, const score_settings *settings, const reading_settings *reading,
                 const entropic_model *model, const char *data) {
  entropic_read_options options;
  int result = reading_apply(session, reading, &options);
  if (result)
    return result;
  result = check_readable(session, data);
  if (result)
    return result;
  options.roles.weights = settings->weights;
  entropic_row_reader *reader;
  entropic_status status = entropic_row_reader_open(session->context, model, data, &options, 1, &reader);
  if (status)
    return complain_about(session, data, status);
  mention_reading(session, reader);
  entropic_scores scores = {0};
  entropic_data_warnings warnings = {0};
  cli_progress bar = progress_start(session, "scoring");
  progress_wait(&bar);
  status = entropic_model_score(session->context, model, reader, &warnings, &scores);
  progress_end(&bar);
  entropic_row_reader_free(reader);
  if (status)
    return complain_about(session, data, status);
  if (scores.without_target)
    notice(session, "%zu row%s without a target left out", scores.without_target,
           scores.without_target == 1 ? "" : "s");
  mention_warnings(session, &warnings);
  return report(session, settings, model, &scores);
}

static int run_score(cli_session *session, int argc, char **argv) {
  score_settings settings = {0};
  reading_settings reading = {0};
  common_settings common = {0};
  cli_arguments arguments;
  void *values[] = {&settings, &reading, &common};
  int result = options_parse(session, &score_command, argc, argv, values, &arguments);
  if (result >= 0)
    return result;
  result = check_one_stdin(session, arguments.plain[0], arguments.plain[1]);
  if (result)
    return result;
  if (settings.threads)
    entropic_context_set_threads(session->context, (int)settings.threads);
  entropic_model *model = NULL;
  result = model_open(session, arguments.plain[0], &model);
  if (result)
    return result;
  result = score(session, &settings, &reading, model, arguments.plain[1]);
  entropic_model_free(model);
  return result;
}
