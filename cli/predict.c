/* entropic predict: a model's predictions for the rows of a table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "models.h"
#include "predicted.h"

typedef struct predict_settings {
  const char *path, *with;
  double level; /* of intervals; below 0: none */
  bool proba, std, effects, json;
} predict_settings;

static const cli_option predict_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(predict_settings, path),
     .value = "OUT",
     .help = "output file; - is standard output (-)"},
    {.name = "with",
     .kind = OPTION_TEXT,
     .offset = offsetof(predict_settings, with),
     .value = "COLS",
     .help = "columns of DATA that go along, before the predictions: names or\n"
             "numbers with commas between them, or all"},
    {.name = "proba",
     .kind = OPTION_FLAG,
     .offset = offsetof(predict_settings, proba),
     .help = "the probability of each class too, as columns p_CLASS"},
    INTERVAL_OPTION(offsetof(predict_settings, level), "intervals that have the target with about this\n"
                                                       "probability, such as 0.9, as columns lower and upper\n"
                                                       "(lower_TARGET ...); of classes a column set: their\n"
                                                       "names, with blanks between them"),
    {.name = "std",
     .kind = OPTION_FLAG,
     .offset = offsetof(predict_settings, std),
     .help = "the standard deviation of the target about the prediction,\n"
             "too, as column std (std_TARGET ...)"},
    {.name = "effects",
     .kind = OPTION_FLAG,
     .offset = offsetof(predict_settings, effects),
     .help = "what each input adds to the score, too: columns score,\n"
             "effect_base and effect_INPUT, which add up to the score; of\n"
             "several scores score_NAME, effect_NAME_base and so on"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(predict_settings, json),
     .help = "a summary as JSON on standard output; needs -o OUT"},
    {0}};

static int run_predict(cli_session *session, int argc, char **argv);

const cli_command predict_command = {
    .name = "predict",
    .summary = "a model's predictions for the rows of a table",
    .usage = "MODEL DATA [-o OUT] [options]",
    .text = "Writes CSV with a header and one line for each row of DATA, in their order: the column\n"
            "prediction, a number or the name of a class (prediction_TARGET each if MODEL has several\n"
            "targets). The inputs that MODEL uses are found in DATA by name; in a file without names by\n"
            "place. Values may be missing. Numbers are kept within the range of MODEL. With --with,\n"
            "columns of DATA stand before the predictions, as they are written there. Rows are read\n"
            "and written in blocks: memory does not grow with DATA.\n"
            "Intervals come from the rows that the fit left out to measure its error: the prediction +-\n"
            "a quantile of their residuals, wider where the residuals show that the spread is larger.\n"
            "For rows drawn as those of the fit, the share of targets in intervals of level 0.9 is about\n"
            "0.9, on average over all rows and not for each kind of row. This is no guarantee.",
    .example = "entropic generate friedman1 -o friedman1.csv\n"
               "entropic fit friedman1.csv --target y --quiet\n"
               "entropic predict friedman1.entropic friedman1.csv -o predictions.csv\n"
               "entropic predict friedman1.entropic friedman1.csv --with y,x1 -o beside.csv",
    .options = predict_options,
    .purpose = ENTROPIC_PURPOSE_READ,
    .without = "weights",
    .threads = true,
    .operands = {"MODEL", "DATA"},
    .least = 2,
    .most = 2,
    .several = true,
    .run = run_predict,
};

/* Where predictions are made, block by block. */
typedef struct predict_work {
  entropic_row_reader *reader;
  double *x; /* of a block */
  cli_predicted predicted;
  cli_output *output;
  size_t rows;
  entropic_data_warnings warnings;
} predict_work;

/* Reads, predicts and writes one block; *rows is 0 at the end. */
static entropic_status predict_block(const cli_session *session, predict_work *work, size_t *rows) {
  const cli_predicted *predicted = &work->predicted;
  entropic_status status =
      entropic_row_reader_next(session->context, work->reader, predicted->capacity, work->x, NULL, NULL, rows);
  if (status || *rows == 0)
    return status;
  entropic_outputs outputs;
  entropic_outputs_init(&outputs, sizeof outputs);
  predicted_ask(predicted, &outputs);
  outputs.warnings = &work->warnings;
  outputs.warnings_size = sizeof work->warnings;
  status = entropic_predict(session->context, predicted->model, work->x, *rows, predicted->info.inputs, &outputs);
  return status ? status : predicted_write(session, predicted, *rows, work->output);
}

static int predict_all(const cli_session *session, predict_work *work, const char *data, const char *path) {
  int result = EXIT_DONE;
  work->output = output_begin(session, path, &result);
  if (!work->output)
    return result;
  predicted_header(&work->predicted, work->output);
  progress_heed_signals(session);
  cli_progress bar = progress_start(session, "predicting");
  size_t rows = 1;
  while (rows && !output_stopped(work->output)) {
    entropic_status status = predict_block(session, work, &rows);
    if (status) {
      progress_end(&bar);
      result = complain_about(session, data, status);
      break;
    }
    work->rows += rows;
    progress_rows(&bar, work->rows);
  }
  progress_end(&bar);
  int ended = output_end(work->output, !result);
  return result ? result : ended;
}

static int summarise(const cli_session *session, const predict_settings *settings, const predict_work *work,
                     double seconds) {
  mention_warnings(session, &work->warnings);
  if (!settings->json) {
    if (strcmp(settings->path, "-"))
      notice(session, "%zu row%s, %.2f s", work->rows, work->rows == 1 ? "" : "s", seconds);
    return EXIT_DONE;
  }
  int result = EXIT_DONE;
  entropic_report *report = report_begin(session, &result);
  if (!report)
    return result;
  entropic_report_add_integer(report, "rows", work->rows);
  entropic_report_add_integer(report, "outside", work->warnings.outside);
  entropic_report_add_integer(report, "unseen", work->warnings.unseen);
  entropic_report_add_integer(report, "missing", work->warnings.missing);
  entropic_report_add_integer(report, "clamped", work->warnings.clamped);
  entropic_report_add_integer(report, "continued", work->warnings.continued);
  entropic_report_add_number(report, "seconds", seconds);
  result = report_print(session, report, "-");
  entropic_report_free(report);
  return result;
}

static int predict(const cli_session *session, const predict_settings *settings, const entropic_model *model,
                   const cli_arguments *arguments) {
  const char *data = arguments->plain[1];
  predict_work work = {.predicted = {.model = model, .intervals = {.level = settings->level, .std = settings->std}}};
  cli_predicted *predicted = &work.predicted;
  double start = seconds_now();
  entropic_status status = entropic_model_describe(session->context, model, &predicted->info, sizeof predicted->info);
  if (status)
    return complain_library(session, status);
  if (settings->proba && !predicted->info.classes)
    return complain(session, EXIT_USAGE, "--proba needs a model of classes: this one predicts numbers");
  int result = rows_open(session, model, data, false, &work.reader);
  if (result)
    return result;
  result = carried_start(session, work.reader, settings->with, &predicted->carried);
  if (result)
    goto done;
  result = predicted_start(session, arguments->plain[0], settings->proba, settings->effects, predicted);
  if (result)
    goto done;
  work.x = calloc(predicted->capacity * predicted->info.inputs, sizeof *work.x);
  if (!work.x) {
    result = complain_memory(session);
    goto done;
  }
  carried_rename(session, &predicted->carried, predicted_has, predicted);
  result = predict_all(session, &work, data, settings->path);
  if (result)
    goto done;
  result = summarise(session, settings, &work, seconds_now() - start);
done:
  free(work.x);
  predicted_clear(predicted);
  entropic_row_reader_free(work.reader);
  return result;
}

static int check(const cli_session *session, const predict_settings *settings, const cli_arguments *arguments) {
  if (settings->json && !strcmp(settings->path, "-"))
    return complain(session, EXIT_USAGE, "--json needs -o OUT: the predictions go to standard output");
  const cli_destination places[] = {{"the predictions", settings->path, false},
                                    {"MODEL", arguments->plain[0], true},
                                    {"DATA", arguments->plain[1], true}};
  int result = destinations_check(session, places, sizeof places / sizeof *places);
  return result ? result : check_one_stdin(session, arguments->plain[0], arguments->plain[1]);
}

static int run_predict(cli_session *session, int argc, char **argv) {
  predict_settings settings = {.path = "-", .level = -1};
  cli_arguments arguments;
  int result = options_parse(session, &predict_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  result = check(session, &settings, &arguments);
  if (result)
    return result;
  entropic_model *model = NULL;
  result = model_open(session, arguments.plain[0], &model);
  if (result)
    return result;
  result = predict(session, &settings, model, &arguments);
  entropic_model_free(model);
  return result;
}
