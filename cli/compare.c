/* entropic compare: our features against others on the user's own table. */
#include <string.h>

#include "commands.h"
#include "methods.h"
#include "reading.h"
#include "signals.h"
#include "study/study.h"

#define SIZES_MOST 32
#define MOST_FEATURES 20000

typedef struct compare_settings {
  const char *target, *groups, *features, *html;
  cli_texts ignore, categorical, keep;
  int task, scaling;
  uint64_t runs, seed, threads;
  bool json;
  reading_settings reading;
} compare_settings;

static const cli_option compare_options[] = {
    {.name = "target",
     .kind = OPTION_TEXT,
     .offset = offsetof(compare_settings, target),
     .value = "COL",
     .help = "the column to predict: a name or a number from 1;\nLIBSVM text has its label"},
    {.name = "features",
     .kind = OPTION_TEXT,
     .offset = offsetof(compare_settings, features),
     .value = "LIST",
     .help = "numbers of features to compare at (50,100,200)"},
    {.name = "runs",
     .kind = OPTION_COUNT,
     .offset = offsetof(compare_settings, runs),
     .value = "R",
     .least = 1,
     .most = 1000,
     .help = "how many splits: four fifths to learn from, a fifth, also of every\nclass, to test on (5)"},
    {.name = "html",
     .kind = OPTION_TEXT,
     .offset = offsetof(compare_settings, html),
     .value = "FILE",
     .help = "draws it: a page of its own, with charts and tables"},
    {.name = "groups",
     .kind = OPTION_TEXT,
     .offset = offsetof(compare_settings, groups),
     .value = "COL",
     .help = "rows with the same value here stay together, in a split and while\ntuning"},
    {.name = "ignore",
     .kind = OPTION_TEXTS,
     .offset = offsetof(compare_settings, ignore),
     .value = "COLS",
     .help = "columns to leave out: names or numbers, comma separated;\nmay be repeated"},
    {.name = "keep",
     .kind = OPTION_TEXTS,
     .offset = offsetof(compare_settings, keep),
     .value = "COLS",
     .help = "inputs however they look: row numbers, names of rows, constants"},
    {.name = "categorical",
     .kind = OPTION_TEXTS,
     .offset = offsetof(compare_settings, categorical),
     .value = "COLS",
     .help = "columns that are categories although they hold numbers"},
    {.name = "task",
     .kind = OPTION_CHOICE,
     .offset = offsetof(compare_settings, task),
     .value = "auto|regression|classification",
     .help = "what the target is; auto: text, or two values, are classes"},
    {.name = "scale",
     .kind = OPTION_CHOICE,
     .offset = offsetof(compare_settings, scaling),
     .value = "quantile|minmax|none|blend|auto",
     .help = "how inputs are brought to [0,1], for all methods (auto: each tuned\nmethod tries quantile, blend and "
             "minmax)"},
    {.name = "seed",
     .kind = OPTION_COUNT,
     .offset = offsetof(compare_settings, seed),
     .value = "K",
     .most = UINT64_MAX,
     .help = "of the splits and of random features (1)"},
    OPTION_ROW_THREADS(compare_settings),
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(compare_settings, json),
     .help = "one JSON object instead of lines"},
    {0}};

static int run_compare(cli_session *session, int argc, char **argv);

const cli_command compare_command = {
    .name = "compare",
    .summary = "our features against random ones, on your own table",
    .usage = "DATA --target COL [options]",
    .text = "Learns the target of DATA by ridge on several kinds of features, with the same rows,\n"
            "scalings, solver and tuning for all: EOF (ours, best first whatever the data), EOF-select\n"
            "(ours, selected from the data), EOF-printed (as in the source paper), RKS, ORF, LKRF, EERF,\n"
            "Nystroem and QMC. Each twice: with the bandwidth of the paper's rule, and tuned on rows\n"
            "kept apart: the best of five bandwidths, and with it of three scalings. Prints tab\n"
            "separated lines: the mean error on test rows (root of the mean square, or share of wrong\n"
            "classes), its standard deviation over the runs, times of one run on one thread, non-zeros\n"
            "of a lifted row, and the scaling in use.",
    .example = "entropic generate friedman1 --rows 500 --noise 1 -o friedman1.csv\n"
               "entropic compare friedman1.csv --target y --features 50,100 --runs 2",
    .tables = {compare_options, reading_options, common_options},
    .operands = {"DATA"},
    .least = 1,
    .most = 1,
    .run = run_compare,
};

/* "50,100" into sizes; an exit status. */
static int read_sizes(const cli_session *session, const char *text, size_t sizes[SIZES_MOST], size_t *count) {
  *count = 0;
  for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    double value;
    size_t length = strcspn(at, ",");
    if (entropic_parse_double(at, length, &value) || !(value >= 1 && value <= MOST_FEATURES) ||
        value != (double)(size_t)value)
      return complain(session, EXIT_USAGE, "--features %s: expected whole numbers from 1 to %d, comma separated", text,
                      MOST_FEATURES);
    if (*count == SIZES_MOST)
      return complain(session, EXIT_USAGE, "--features %s: at most %d numbers", text, SIZES_MOST);
    for (size_t i = 0; i < *count; i++)
      if (sizes[i] == (size_t)value)
        return complain(session, EXIT_USAGE, "--features %s: %zu is there twice", text, sizes[i]);
    sizes[(*count)++] = (size_t)value;
  }
  return EXIT_DONE;
}

static int prepare(const cli_session *session, const compare_settings *settings, const char *data,
                   entropic_dataset **dataset) {
  const reading_columns columns = {.target = settings->target,
                                   .groups = settings->groups,
                                   .ignore = &settings->ignore,
                                   .categorical = &settings->categorical,
                                   .keep = &settings->keep};
  entropic_table *table = NULL;
  int result = reading_load(session, &settings->reading, &columns, data, NULL, &table);
  if (result)
    return result;
  result = reading_check_target(session, &columns, table);
  if (result)
    goto done;
  entropic_status status = entropic_dataset_create(session->context, table, (entropic_task)settings->task, dataset);
  if (status) {
    result = complain_about(session, data, status);
    goto done;
  }
  reading_mention_classes(session, *dataset);
done:
  entropic_table_free(table);
  return result;
}

static int draw(const cli_session *session, const compare_settings *settings, const char *data,
                const entropic_comparison *comparison) {
  signals_hold();
  entropic_status status = ent_comparison_html(session->context, comparison, data, settings->html);
  signals_release();
  if (signals_pending())
    return signals_pending();
  return status ? write_failure(session, status) : EXIT_DONE;
}

static int report(const cli_session *session, const compare_settings *settings, const entropic_dataset *dataset,
                  const entropic_comparison *comparison) {
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, "-", &result);
  if (!output)
    return result;
  if (settings->json) {
    entropic_dataset_info info = entropic_dataset_describe(dataset);
    cli_json json = json_start(output);
    json_open(&json, NULL, '{');
    json_count(&json, "rows", info.rows);
    json_count(&json, "inputs", info.inputs);
    json_string(&json, "task", entropic_task_name(info.task));
    references_as_json(&json, comparison);
    methods_as_json(&json, comparison);
    json_close(&json, '}');
    json_finish(&json);
  } else {
    methods_as_text(output, comparison);
  }
  return output_end(output, true);
}

static int work(const cli_session *session, const compare_settings *settings, const char *data,
                const entropic_compare_options *given) {
  entropic_dataset *dataset = NULL;
  entropic_comparison *comparison = NULL;
  entropic_compare_options options = *given;
  int result = prepare(session, settings, data, &dataset);
  if (result)
    return result;
  cli_progress bar = progress_start(session, "comparing");
  progress_listen(&bar);
  entropic_status status = entropic_compare(session->context, dataset, &options, &comparison);
  progress_end(&bar);
  if (status) {
    result = complain_about(session, data, status);
    goto done;
  }
  if (settings->html) {
    result = draw(session, settings, data, comparison);
    if (result)
      goto done;
  }
  result = report(session, settings, dataset, comparison);
done:
  entropic_comparison_free(comparison);
  entropic_dataset_free(dataset);
  return result;
}

static int run_compare(cli_session *session, int argc, char **argv) {
  entropic_compare_options options = entropic_compare_options_default();
  compare_settings settings = {.scaling = (int)options.scaling, .runs = options.runs, .seed = options.seed};
  common_settings common = {0};
  cli_arguments arguments;
  size_t sizes[SIZES_MOST];
  void *values[] = {&settings, &settings.reading, &common};
  int result = options_parse(session, &compare_command, argc, argv, values, &arguments);
  if (result >= 0)
    return result;
  if (settings.features && strcmp(settings.features, "auto")) {
    result = read_sizes(session, settings.features, sizes, &options.feature_count);
    if (result)
      return result;
    options.features = sizes;
  }
  const cli_destination places[] = {
      {"the page", settings.html, false}, {"the numbers", "-", false}, {"DATA", arguments.plain[0], true}};
  result = destinations_check(session, places, sizeof places / sizeof *places);
  if (result)
    return result;
  if (settings.html) {
    result = check_writable(session, settings.html);
    if (result)
      return result;
  }
  options.runs = (size_t)settings.runs;
  options.seed = settings.seed;
  options.scaling = (entropic_scaling)settings.scaling;
  if (settings.threads)
    entropic_context_set_threads(session->context, (int)settings.threads);
  return work(session, &settings, arguments.plain[0], &options);
}
