/* entropic update and forget: a model with more rows, or without some of them. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "reading.h"
#include "replace.h"
#include "rows.h"

typedef struct change_request {
  bool forget, in_place, had_intervals, had_bands;
  model_bytes before; /* what the file had */
} change_request;

typedef struct update_settings {
  const char *path;
  bool json, rows_only;
} update_settings;

#define OUTPUT_OPTION                                                                                                  \
  {                                                                                                                    \
    .name = "output", .letter = 'o', .kind = OPTION_TEXT, .offset = offsetof(update_settings, path), .value = "MODEL", \
    .help = "another file for the changed model (MODEL itself is replaced)"                                            \
  }
#define JSON_OPTION                                                                                                    \
  {                                                                                                                    \
    .name = "json", .kind = OPTION_FLAG, .offset = offsetof(update_settings, json),                                    \
    .help = "one JSON object instead of the receipt"                                                                   \
  }

static const cli_option update_options[] = {OUTPUT_OPTION,
                                            {.name = "rows-only",
                                             .kind = OPTION_FLAG,
                                             .offset = offsetof(update_settings, rows_only),
                                             .help =
                                                 "finds the weights anew from the rows of DATA alone: for models that\n"
                                                 "keep no statistics, such as those of the logistic loss"},
                                            JSON_OPTION,
                                            {0}};

static const cli_option forget_options[] = {OUTPUT_OPTION, JSON_OPTION, {0}};

static int run_update(cli_session *session, int argc, char **argv);
static int run_forget(cli_session *session, int argc, char **argv);

const cli_command update_command = {
    .name = "update",
    .summary = "adds rows to a model that keeps its statistics",
    .usage = "MODEL DATA [options]",
    .text = "Adds the rows of DATA to a model that was fitted with --keep-statistics, exactly, without a\n"
            "refit: the statistics are those of all rows, and the weights are solved from them.\n"
            "Columns, scaler, features and lambda stay as they were fitted. MODEL is replaced in one\n"
            "step; if another process has changed it meanwhile, it stays as it is, with exit status 3.\n"
            "Prints the receipt, the SHA-256 of what is frozen and of the statistics. The figures\n"
            "of validation count as not current from then on. Models of the logistic or hinge loss have\n"
            "no statistics; --rows-only finds their weights anew from the rows of DATA alone, with the\n"
            "features and lambda there are: to forget rows, give all others.",
    .example = "entropic generate friedman1 --rows 500 -o a.csv\n"
               "entropic generate friedman1 --rows 500 --seed 2 -o b.csv\n"
               "entropic fit a.csv --target y --keep-statistics --quiet\n"
               "entropic update a.entropic b.csv\n"
               "entropic forget a.entropic b.csv",
    .options = update_options,
    .purpose = ENTROPIC_PURPOSE_READ,
    .threads = true,
    .operands = {"MODEL", "DATA"},
    .least = 2,
    .most = 2,
    .several = true,
    .run = run_update,
};

const cli_command forget_command = {
    .name = "forget",
    .summary = "forgets rows that a model has learnt from",
    .usage = "MODEL DATA [options]",
    .text = "Subtracts the rows of DATA from the statistics of a model that keeps them, and solves its\n"
            "weights anew. What is left is, to the byte, what 'entropic collect' gives for the other\n"
            "rows, so the receipt that is printed can be checked. Rows that were never added are refused\n"
            "where that shows; otherwise the rows given are trusted. Columns, scaler, features and\n"
            "lambda, which were chosen with these rows in sight, stay. MODEL is replaced in one step; if\n"
            "another process has changed it meanwhile, it stays as it is, with exit status 3.",
    .example = "entropic generate friedman1 --rows 500 -o a.csv\n"
               "entropic generate friedman1 --rows 100 -o first.csv\n"
               "entropic fit a.csv --target y --keep-statistics --quiet\n"
               "entropic forget a.entropic first.csv",
    .options = forget_options,
    .purpose = ENTROPIC_PURPOSE_READ,
    .threads = true,
    .operands = {"MODEL", "DATA"},
    .least = 2,
    .most = 2,
    .several = true,
    .run = run_forget,
};

/* What was done with the rows, for people. */
static const char *name_change(const update_settings *settings, bool forget) {
  return settings->rows_only ? "read" : forget ? "forgotten" : "added";
}

/* Whether two paths lead to one file. */
static bool same_file(const char *a, const char *b) {
  struct stat first, second;
  return !stat(a, &first) && !stat(b, &second) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* Says what has become of the model, which has been written. */
static int tell(const cli_session *session, const update_settings *settings, const entropic_report *report,
                const change_request *request) {
  char value[128];
  rows_mention(session, report);
  if (request->had_intervals)
    notice(session, "the model no longer has intervals: they were those of the original fit");
  if (request->had_bands)
    notice(session, "its curves no longer have bands: they showed the spread of the fold models of the original fit");
  if (report_count(report, "marginals_dropped"))
    notice(session, "the model no longer has marginals: an older version of Entropic wrote it without the sums that "
                    "would update them; 'entropic explain' now needs DATA");
  snprintf(value, sizeof value, "%zu %s, %zu in the model now", report_count(report, "rows"),
           name_change(settings, request->forget), report_count(report, "total_rows"));
  summary_line(session, "rows", value);
  return settings->rows_only && !settings->json ? EXIT_DONE : rows_print(session, report, settings->json);
}

static int change(const cli_session *session, const update_settings *settings, entropic_model *model, const char *data,
                  change_request *request) {
  entropic_row_reader *reader = NULL;
  entropic_report *report = NULL;
  entropic_model_info info;
  entropic_status status = entropic_model_describe(session->context, model, &info, sizeof info);
  if (status)
    return complain_library(session, status);
  request->had_intervals = info.interval_rows > 0;
  request->had_bands = info.effect_members > 0;
  int result = rows_open(session, model, data, true, &reader);
  if (result)
    return result;
  status = settings->rows_only ? entropic_model_refit(session->context, model, reader, &report)
           : request->forget   ? entropic_model_forget(session->context, model, reader, &report)
                               : entropic_model_update(session->context, model, reader, &report);
  entropic_row_reader_free(reader);
  if (status)
    return complain_about(session, data, status);
  result = request->in_place ? model_save_over(session, model, settings->path, &request->before)
                             : model_save(session, model, settings->path);
  if (!result)
    result = tell(session, settings, report, request);
  entropic_report_free(report);
  return result;
}

/* Says early, before rows are read, that a model cannot be changed. */
static int check_model(const cli_session *session, const entropic_model *model, const char *path) {
  char receipt[ENTROPIC_RECEIPT_SIZE];
  entropic_status status = entropic_model_receipt(session->context, model, receipt);
  return status ? complain_about(session, path, status) : EXIT_DONE;
}

static int run(cli_session *session, const cli_command *command, int argc, char **argv, bool forget) {
  update_settings settings = {0};
  cli_arguments arguments;
  entropic_model *model = NULL;
  change_request request = {.forget = forget};
  int result = options_parse(session, command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  const char *path = arguments.plain[0], *data = arguments.plain[1];
  if (!settings.path)
    settings.path = path;
  if (!strcmp(settings.path, "-"))
    return complain(session, EXIT_USAGE,
                    "a model from standard input cannot be replaced: -o MODEL is required, a file");
  const cli_destination places[] = {{"the model", settings.path, false}, {"DATA", data, true}};
  result = destinations_check(session, places, sizeof places / sizeof *places);
  if (!result)
    result = check_one_stdin(session, path, data);
  if (!result)
    result = model_open_bytes(session, path, &model, &request.before); /* first: otherwise it is bad input */
  if (result)
    goto done;
  request.in_place = request.before.bytes && same_file(settings.path, path);
  result = check_writable(session, settings.path);
  if (!result && !settings.rows_only)
    result = check_model(session, model, path);
  if (!result)
    result = change(session, &settings, model, data, &request);
done:
  model_bytes_free(&request.before);
  entropic_model_free(model);
  return result;
}

static int run_update(cli_session *session, int argc, char **argv) {
  return run(session, &update_command, argc, argv, false);
}

static int run_forget(cli_session *session, int argc, char **argv) {
  return run(session, &forget_command, argc, argv, true);
}
