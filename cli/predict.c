/* entropic predict: a model's predictions for the rows of a table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carried.h"
#include "commands.h"
#include "intervals.h"
#include "models.h"

#define BLOCK_VALUES ((size_t)1 << 20)
#define BLOCK_ROWS ((size_t)8192)

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
  const entropic_model *model;
  entropic_model_info info;
  entropic_row_reader *reader;
  size_t capacity;
  double *x, *predictions, *probabilities; /* of a block; probabilities only with --proba */
  entropic_explanation *explanation;       /* only with --effects, as the next four */
  size_t effect_count;                     /* base and inputs, of a score */
  char *prefix;                            /* of the names of columns of a score */
  size_t prefix_size;
  double *effects;
  cli_intervals intervals; /* with --interval or --std */
  cli_carried carried;     /* with --with */
  cli_output *output;
  size_t rows;
  entropic_data_warnings warnings;
} predict_work;

/* The class or the target that a score is of. */
static const char *score_name(const predict_work *work, size_t score) {
  if (work->info.task == ENTROPIC_TASK_REGRESSION)
    return entropic_model_target(work->model, score);
  return work->info.scores > 1 ? entropic_model_class(work->model, score) : "";
}

/* The columns of a score: the score itself, and what it is made of. */
static void write_effects_header(const predict_work *work, size_t score) {
  bool several = work->info.scores > 1;
  const char *name = several ? score_name(work, score) : "";
  output_character(work->output, ',');
  output_field(work->output, several ? "score_" : "score", name);
  snprintf(work->prefix, work->prefix_size, several ? "effect_%s_" : "effect_", name);
  output_character(work->output, ',');
  output_field(work->output, work->prefix, "base");
  for (size_t i = 0; i + 1 < work->effect_count; i++) {
    entropic_input_info input;
    size_t number = entropic_explanation_input(work->explanation, i);
    output_character(work->output, ',');
    if (!entropic_model_input(NULL, work->model, number, &input, sizeof input))
      output_field(work->output, work->prefix, input.name);
  }
}

static void write_header(const predict_work *work) {
  cli_output *output = work->output;
  carried_header(&work->carried, output);
  if (work->info.targets == 1)
    output_string(output, "prediction");
  for (size_t t = 0; t < work->info.targets && work->info.targets > 1; t++) {
    if (t)
      output_character(output, ',');
    output_field(output, "prediction_", entropic_model_target(work->model, t));
  }
  for (size_t c = 0; c < work->info.classes && work->probabilities; c++) {
    output_character(output, ',');
    output_field(output, "p_", entropic_model_class(work->model, c));
  }
  intervals_header(&work->intervals, output);
  for (size_t k = 0; k < work->info.scores && work->effects; k++)
    write_effects_header(work, k);
  output_character(output, '\n');
}

/* The score is the sum of the effects as they are written, but for the rounding of sums. */
static void write_effects(const predict_work *work, size_t row, size_t score) {
  const double *effects = work->effects + (row * work->info.scores + score) * work->effect_count;
  double sum = 0;
  for (size_t i = 0; i < work->effect_count; i++)
    sum += effects[i];
  output_character(work->output, ',');
  output_number(work->output, sum);
  for (size_t i = 0; i < work->effect_count; i++) {
    output_character(work->output, ',');
    output_number(work->output, effects[i]);
  }
}

static void write_row(const predict_work *work, size_t row) {
  cli_output *output = work->output;
  size_t targets = work->info.targets, classes = work->info.classes;
  carried_write(&work->carried, output, row);
  for (size_t t = 0; t < targets; t++) {
    double prediction = work->predictions[row * targets + t];
    if (t)
      output_character(output, ',');
    if (classes)
      output_field(output, "", entropic_model_class(work->model, (size_t)prediction));
    else
      output_number(output, prediction);
  }
  for (size_t c = 0; c < classes && work->probabilities; c++) {
    output_character(output, ',');
    output_number(output, work->probabilities[row * classes + c]);
  }
  intervals_write(&work->intervals, output, row);
  for (size_t k = 0; k < work->info.scores && work->effects; k++)
    write_effects(work, row, k);
  output_character(output, '\n');
}

/* Reads, predicts and writes one block; *rows is 0 at the end. */
static entropic_status predict_block(const cli_session *session, predict_work *work, size_t *rows) {
  size_t inputs = work->info.inputs;
  entropic_status status =
      entropic_row_reader_next(session->context, work->reader, work->capacity, work->x, NULL, NULL, rows);
  if (status || *rows == 0)
    return status;
  entropic_outputs outputs;
  entropic_outputs_init(&outputs, sizeof outputs);
  outputs.predictions = work->predictions;
  outputs.probabilities = work->probabilities;
  outputs.explanation = work->explanation;
  outputs.effects = work->effects;
  outputs.warnings = &work->warnings;
  outputs.warnings_size = sizeof work->warnings;
  intervals_ask(&work->intervals, &outputs);
  status = entropic_predict(session->context, work->model, work->x, *rows, inputs, &outputs);
  if (status)
    return status;
  for (size_t row = 0; row < *rows; row++)
    write_row(work, row);
  return ENTROPIC_OK;
}

static int predict_all(const cli_session *session, predict_work *work, const char *data, const char *path) {
  int result = EXIT_DONE;
  work->output = output_begin(session, path, &result);
  if (!work->output)
    return result;
  write_header(work);
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

/* Blocks of so many rows that they are worth spreading over threads, and yet no burden where inputs are many. */
static int make_room(const cli_session *session, predict_work *work, bool proba) {
  size_t inputs = work->info.inputs, classes = work->info.classes, effects = work->info.scores * work->effect_count;
  size_t rows = BLOCK_VALUES / (inputs + classes + work->info.targets + effects);
  work->capacity = rows < 16 ? 16 : rows > BLOCK_ROWS ? BLOCK_ROWS : rows;
  work->x = calloc(work->capacity * inputs, sizeof *work->x);
  work->predictions = calloc(work->capacity * work->info.targets, sizeof *work->predictions);
  work->probabilities = proba ? calloc(work->capacity * classes, sizeof *work->probabilities) : NULL;
  work->effects = effects ? calloc(work->capacity * effects, sizeof *work->effects) : NULL;
  bool complete = work->x && work->predictions && (!proba || work->probabilities) && (!effects || work->effects);
  return complete ? EXIT_DONE : complain_memory(session);
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

/* Takes the model apart, for --effects. */
static int take_apart(const cli_session *session, predict_work *work, const char *path) {
  entropic_status status = entropic_explain(session->context, work->model, NULL, &work->explanation);
  if (status)
    return complain_about(session, path, status);
  work->effect_count = 1 + entropic_explanation_inputs(work->explanation);
  for (size_t k = 0; k < work->info.scores; k++) {
    size_t size = strlen(score_name(work, k)) + sizeof "effect__";
    work->prefix_size = size > work->prefix_size ? size : work->prefix_size;
  }
  work->prefix = calloc(work->prefix_size, 1);
  return work->prefix ? EXIT_DONE : complain_memory(session);
}

/* Is a name that of a column: `first`, of several targets with their names behind it? */
static bool is_column(const predict_work *work, const char *first, const char *name) {
  size_t length = strlen(first);
  if (strncmp(name, first, length))
    return false;
  if (work->info.targets == 1)
    return !name[length];
  for (size_t t = 0; t < work->info.targets; t++)
    if (name[length] == '_' && !strcmp(name + length + 1, entropic_model_target(work->model, t)))
      return true;
  return false;
}

/* A carried_taken: do the predictions have a column of this name? Of effects any name of their kind counts. */
static bool is_taken(const void *user, const char *name) {
  const predict_work *work = user;
  bool interval = work->intervals.level >= 0, classes = work->info.task == ENTROPIC_TASK_CLASSIFICATION;
  for (size_t c = 0; c < work->info.classes && work->probabilities; c++)
    if (!strncmp(name, "p_", 2) && !strcmp(name + 2, entropic_model_class(work->model, c)))
      return true;
  return is_column(work, "prediction", name) || (work->intervals.std && is_column(work, "std", name)) ||
         (interval && classes && is_column(work, "set", name)) ||
         (interval && !classes && (is_column(work, "lower", name) || is_column(work, "upper", name))) ||
         (work->effects && (!strncmp(name, "score", 5) || !strncmp(name, "effect_", 7)));
}

static int predict(const cli_session *session, const predict_settings *settings, const entropic_model *model,
                   const cli_arguments *arguments) {
  const char *data = arguments->plain[1];
  predict_work work = {.model = model, .intervals = {.level = settings->level, .std = settings->std}};
  double start = seconds_now();
  entropic_status status = entropic_model_describe(session->context, model, &work.info, sizeof work.info);
  if (status)
    return complain_library(session, status);
  if (settings->proba && !work.info.classes)
    return complain(session, EXIT_USAGE, "--proba needs a model of classes: this one predicts numbers");
  int result = rows_open(session, model, data, false, &work.reader);
  if (result)
    return result;
  result = carried_start(session, work.reader, settings->with, &work.carried);
  if (result)
    goto done;
  result = settings->effects ? take_apart(session, &work, arguments->plain[0]) : EXIT_DONE;
  if (result)
    goto done;
  result = make_room(session, &work, settings->proba);
  if (result)
    goto done;
  result = intervals_start(session, model, work.capacity, &work.intervals);
  if (result)
    goto done;
  carried_rename(session, &work.carried, is_taken, &work);
  result = predict_all(session, &work, data, settings->path);
  if (result)
    goto done;
  result = summarise(session, settings, &work, seconds_now() - start);
done:
  free(work.x);
  free(work.predictions);
  free(work.probabilities);
  free(work.effects);
  free(work.prefix);
  intervals_clear(&work.intervals);
  carried_clear(&work.carried);
  entropic_explanation_free(work.explanation);
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
