/* entropic collect: statistics of one shard. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "about.h"
#include "commands.h"
#include "reading.h"
#include "rows.h"

typedef struct collect_settings {
  const char *design, *path;
  bool json;
} collect_settings;

static const cli_option collect_options[] = {
    {.name = "design",
     .kind = OPTION_TEXT,
     .offset = offsetof(collect_settings, design),
     .value = "MODEL",
     .help = "the model whose columns, scaler and features are used; also a\nfile of statistics of that model, or "
             "a design that was saved with\nthe ranges of its columns, for which no row was seen"},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(collect_settings, path),
     .value = "STAT",
     .help = "the file of statistics (DATA without its endings, with .stat)"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(collect_settings, json),
     .help = "one JSON object instead of the receipt"},
    {0}};

static int run_collect(cli_session *session, int argc, char **argv);

const cli_command collect_command = {
    .name = "collect",
    .summary = "the statistics of some rows, for the design of a model",
    .usage = "DATA --design MODEL [-o STAT] [options]",
    .text = "Reduces the rows of DATA to the sums from which a model of the squared loss is solved, for\n"
            "the columns, scaler and features of MODEL. Rows are read once, in blocks. The sums are\n"
            "integers: the same bytes in any order of rows, on any number of threads and machines.\n"
            "'entropic merge' adds those of several shards, 'entropic solve' makes a model of them.\n"
            "Prints the receipt, the SHA-256 of all that is frozen and of the integers. If nothing of\n"
            "the data may be left in what is frozen, MODEL is a design with the ranges of its columns:\n"
            "see 'entropic design --ranges'.",
    .example = "entropic generate friedman1 --rows 500 -o a.csv\n"
               "entropic generate friedman1 --rows 500 --seed 2 -o b.csv\n"
               "entropic fit a.csv --target y --quiet\n"
               "entropic collect a.csv --design a.entropic\n"
               "entropic collect b.csv --design a.entropic\n"
               "entropic merge a.stat b.stat -o both.stat\n"
               "entropic solve both.stat -o both.entropic",
    .options = collect_options,
    .purpose = ENTROPIC_PURPOSE_READ,
    .threads = true,
    .operands = {"DATA"},
    .least = 1,
    .most = 1,
    .several = true,
    .run = run_collect,
};

/* Statistics of no rows, for a model, a design or other statistics. */
static int start(const cli_session *session, const char *design, entropic_statistics **statistics) {
  entropic_statistics *other = NULL;
  entropic_frozen_design *text = NULL;
  entropic_model *model = NULL;
  bool known = holds_statistics(design);
  int result = known                  ? statistics_open(session, design, &other)
               : holds_design(design) ? design_open(session, design, &text)
                                      : model_open(session, design, &model);
  if (result)
    return result;
  entropic_status status = model ? entropic_statistics_create(session->context, model, statistics)
                                 : entropic_statistics_create_for_design(
                                       session->context, known ? entropic_statistics_design(other) : text, statistics);
  entropic_statistics_free(other);
  entropic_frozen_design_free(text);
  entropic_model_free(model);
  return status ? complain_about(session, design, status) : EXIT_DONE;
}

static int work(const cli_session *session, const collect_settings *settings, const char *data) {
  entropic_statistics *statistics = NULL;
  entropic_row_reader *reader = NULL;
  entropic_report *report = NULL;
  int result = start(session, settings->design, &statistics);
  if (result)
    return result;
  const entropic_model *design = entropic_frozen_design_model(entropic_statistics_design(statistics));
  result = rows_open(session, design, data, true, &reader);
  if (result)
    goto done;
  entropic_status status = entropic_statistics_collect(session->context, statistics, reader, &report);
  if (status) {
    result = complain_about(session, data, status);
    goto done;
  }
  rows_mention(session, report);
  result = statistics_save(session, statistics, settings->path);
  if (result)
    goto done;
  char value[512];
  snprintf(value, sizeof value, "%zu", report_count(report, "rows"));
  summary_line(session, "rows", value);
  snprintf(value, sizeof value, "%.400s, %llu bytes", settings->path, (unsigned long long)file_size(settings->path));
  summary_line(session, "statistics", value);
  result = rows_print(session, report, settings->json);
done:
  entropic_report_free(report);
  entropic_row_reader_free(reader);
  entropic_statistics_free(statistics);
  return result;
}

static int check(const cli_session *session, const collect_settings *settings, const char *data) {
  if (!settings->design)
    return complain(session, EXIT_USAGE, "--design MODEL is required: it defines the columns and the features");
  if (!strcmp(settings->path, "-"))
    return complain(session, EXIT_USAGE, "-o - cannot be used: the receipt goes to standard output");
  int result = check_one_stdin(session, settings->design, data);
  if (result)
    return result;
  const cli_destination places[] = {
      {"the statistics", settings->path, false}, {"DATA", data, true}, {"the design", settings->design, true}};
  result = destinations_check(session, places, sizeof places / sizeof *places);
  return result ? result : check_writable(session, settings->path);
}

static int run_collect(cli_session *session, int argc, char **argv) {
  collect_settings settings = {0};
  cli_arguments arguments;
  int result = options_parse(session, &collect_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  const char *data = arguments.plain[0];
  char *made = NULL;
  if (!settings.path && !strcmp(data, "-"))
    return complain(session, EXIT_USAGE, "-o STAT is required: DATA has no file name to derive one from");
  if (!settings.path) {
    settings.path = made = about_with_ending(data, ".stat");
    if (!made)
      return complain_memory(session);
  }
  result = check(session, &settings, data);
  if (!result)
    result = work(session, &settings, data);
  free(made);
  return result;
}
