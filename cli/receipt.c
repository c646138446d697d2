/* entropic receipt: the hash of statistics. */
#include <string.h>

#include "commands.h"
#include "models.h"

typedef struct receipt_settings {
  bool unused;
} receipt_settings;

static const cli_option receipt_options[] = {{0}};

static int run_receipt(cli_session *session, int argc, char **argv);

const cli_command receipt_command = {
    .name = "receipt",
    .summary = "the hash of a model's statistics, or of a file of them",
    .usage = "MODEL|STAT [options]",
    .text = "Prints the receipt of statistics: the SHA-256 of all that is frozen with their design and\n"
            "of the integers, never of weights. Two receipts are equal if the same rows were collected\n"
            "for the same design, in whatever order, shards or updates. After 'entropic forget' it is\n"
            "the receipt of 'entropic collect' on the other rows.",
    .example = "entropic generate friedman1 --rows 500 -o a.csv\n"
               "entropic fit a.csv --target y --keep-statistics --quiet\n"
               "entropic receipt a.entropic",
    .options = receipt_options,
    .operands = {"MODEL|STAT"},
    .least = 1,
    .most = 1,
    .run = run_receipt,
};

static int run_receipt(cli_session *session, int argc, char **argv) {
  receipt_settings settings = {0};
  cli_arguments arguments;
  entropic_statistics *statistics = NULL;
  entropic_model *model = NULL;
  char receipt[ENTROPIC_RECEIPT_SIZE + 1];
  int result = options_parse(session, &receipt_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  const char *path = arguments.plain[0];
  bool known = holds_statistics(path);
  result = known ? statistics_open(session, path, &statistics) : model_open(session, path, &model);
  if (result)
    return result;
  entropic_status status = known ? entropic_statistics_receipt(session->context, statistics, receipt)
                                 : entropic_model_receipt(session->context, model, receipt);
  entropic_statistics_free(statistics);
  entropic_model_free(model);
  if (status)
    return complain_about(session, path, status);
  return output_print(session, strcat(receipt, "\n"));
}
