/* entropic merge: statistics of several shards, added up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "models.h"

typedef struct merge_settings {
  const char *path;
} merge_settings;

static const cli_option merge_options[] = {{.name = "output",
                                            .letter = 'o',
                                            .kind = OPTION_TEXT,
                                            .offset = offsetof(merge_settings, path),
                                            .value = "STAT",
                                            .help = "the file for the sum; it may be one of those that are added"},
                                           {0}};

static int run_merge(cli_session *session, int argc, char **argv);

const cli_command merge_command = {
    .name = "merge",
    .summary = "adds the statistics of several shards",
    .usage = "STAT STAT ... -o STAT [options]",
    .text = "Adds files of statistics that 'entropic collect' has made for the same design. The sum has\n"
            "the same bytes in any order, and the bytes of collecting all rows at once. Files for\n"
            "another design are refused, with what differs. Prints the receipt of the sum.",
    .example = "entropic generate friedman1 --rows 500 -o a.csv\n"
               "entropic generate friedman1 --rows 500 --seed 2 -o b.csv\n"
               "entropic fit a.csv --target y --quiet\n"
               "entropic collect a.csv --design a.entropic\n"
               "entropic collect b.csv --design a.entropic\n"
               "entropic merge a.stat b.stat -o both.stat",
    .options = merge_options,
    .operands = {"STAT"},
    .least = 1,
    .most = MOST_OPERANDS,
    .run = run_merge,
};

/* Adds the file of a shard. */
static int add(const cli_session *session, const char *first, const char *path, entropic_statistics *sum) {
  entropic_statistics *other = NULL;
  int result = statistics_open(session, path, &other);
  if (result)
    return result;
  entropic_status status = entropic_statistics_merge(session->context, sum, other);
  entropic_statistics_free(other);
  if (!status)
    return EXIT_DONE;
  return complain(session, EXIT_DATA, "%s and %s cannot be merged: %s", path, first,
                  entropic_context_message(session->context));
}

static int print_sum(const cli_session *session, const entropic_statistics *sum, const char *path) {
  entropic_statistics_info info;
  char receipt[ENTROPIC_RECEIPT_SIZE + 1], value[512];
  entropic_status status = entropic_statistics_receipt(session->context, sum, receipt);
  if (!status)
    status = entropic_statistics_describe(session->context, sum, &info, sizeof info);
  if (status)
    return complain_library(session, status);
  snprintf(value, sizeof value, "%llu", (unsigned long long)info.rows);
  summary_line(session, "rows", value);
  snprintf(value, sizeof value, "%.400s, %llu bytes", path, (unsigned long long)file_size(path));
  summary_line(session, "statistics", value);
  strcat(receipt, "\n");
  return output_print(session, receipt);
}

static int run_merge(cli_session *session, int argc, char **argv) {
  merge_settings settings = {0};
  cli_arguments arguments;
  entropic_statistics *sum = NULL;
  int result = options_parse(session, &merge_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  if (!settings.path || !strcmp(settings.path, "-"))
    return complain(session, EXIT_USAGE, "-o STAT is required: the file that the sum is written to");
  result = check_writable(session, settings.path);
  if (result)
    return result;
  result = statistics_open(session, arguments.plain[0], &sum);
  if (result)
    return result;
  for (size_t i = 1; i < arguments.count && !result; i++)
    result = add(session, arguments.plain[0], arguments.plain[i], sum);
  if (!result)
    result = statistics_save(session, sum, settings.path);
  if (!result)
    result = print_sum(session, sum, settings.path);
  entropic_statistics_free(sum);
  return result;
}
