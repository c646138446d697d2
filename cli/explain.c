/* entropic explain: what the inputs of a model do. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "about.h"
#include "commands.h"
#include "listing.h"
#include "models.h"
#include "signals.h"

typedef struct explain_settings {
  const char *row, *html;
  bool json;
} explain_settings;

static const cli_option explain_options[] = {
    {.name = "row",
     .kind = OPTION_TEXT,
     .offset = offsetof(explain_settings, row),
     .value = "DATA:LINE",
     .help = "splits the score of that line of DATA instead: the base, and the\n"
             "effect of each input; they add up to the score"},
    {.name = "html",
     .kind = OPTION_TEXT,
     .offset = offsetof(explain_settings, html),
     .value = "FILE",
     .help = "draws it besides: a page of its own with shares, curves of effects,\n"
             "maps of pairs, and the model, to be asked about any row"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(explain_settings, json),
     .help = "one JSON object instead of lines"},
    {0}};

static int run_explain(cli_session *session, int argc, char **argv);

const cli_command explain_command = {
    .name = "explain",
    .summary = "what the inputs of a model do to its scores",
    .usage = "MODEL [DATA] [options]",
    .text = "Prints a table, tab-separated, with the header effect, share, total: each input that\n"
            "MODEL uses, best first; then each pair, as \"x1 x2\"; then higher, effects of three\n"
            "inputs and more together. Shares are of the variance of the score: share is what an\n"
            "effect does alone, total all effects that an input is in. Inputs are taken as\n"
            "independent, each with its distribution in the training rows; shares then add up to 1.\n"
            "With DATA there are two more columns: own, the variance of an effect over the rows of\n"
            "DATA, and covariance, what it shares with all others; both together add up to 1.\n"
            "Nothing is sampled: the effects of a model are closed formulas. They are on the scale\n"
            "of scores: of a target learnt as a root its root, of classes before they become\n"
            "probabilities. Models that contain their training rows are explained as exactly.\n"
            "The page of --html needs no network. With DATA its pictures count the rows of DATA, and\n"
            "some of these rows are in the page to start from. Bands around its curves are the spread of\n"
            "the fold models that the fit averaged. docs/explaining.md says how to read it.",
    .example = "entropic generate friedman1 -o friedman1.csv\n"
               "entropic fit friedman1.csv --target y --quiet\n"
               "entropic explain friedman1.entropic\n"
               "entropic explain friedman1.entropic --row friedman1.csv:2\n"
               "entropic explain friedman1.entropic friedman1.csv --html friedman1.html",
    .options = explain_options,
    .purpose = ENTROPIC_PURPOSE_READ,
    .without = "weights",
    .threads = true,
    .operands = {"MODEL", "DATA"},
    .least = 1,
    .most = 2,
    .several = true,
    .run = run_explain,
};

/* ---- Shares ---- */

static void print_number(cli_output *output, const entropic_report *report, const char *list, size_t i,
                         const char *key) {
  char path[64];
  snprintf(path, sizeof path, "%s.%zu.%s", list, i, key);
  output_character(output, '\t');
  output_number(output, report_number(report, path));
}

/* False if there is no memory. */
static bool print_name(cli_output *output, const entropic_report *report, const char *path) {
  size_t length = entropic_report_text(report, path, NULL, 0);
  char *name = calloc(length + 1, 1);
  if (!name)
    return false;
  entropic_report_text(report, path, name, length + 1);
  list_name(output, name);
  free(name);
  return true;
}

/* False if there is no memory. */
static bool print_list(cli_output *output, const entropic_report *report, const char *list, bool rows) {
  bool inputs = !strcmp(list, "inputs");
  size_t count = entropic_report_size(report, list);
  char path[64];
  for (size_t i = 0; i < count; i++) {
    snprintf(path, sizeof path, inputs ? "%s.%zu.name" : "%s.%zu.names.0", list, i);
    if (!print_name(output, report, path))
      return false;
    if (!inputs) {
      output_character(output, ' ');
      snprintf(path, sizeof path, "%s.%zu.names.1", list, i);
      if (!print_name(output, report, path))
        return false;
    }
    print_number(output, report, list, i, inputs ? "first" : "share");
    if (inputs)
      print_number(output, report, list, i, "total");
    else
      output_character(output, '\t');
    if (rows) {
      print_number(output, report, list, i, "own");
      print_number(output, report, list, i, "covariance");
    }
    output_character(output, '\n');
  }
  return true;
}

/* The last line: effects of three inputs and more. */
static void print_higher(cli_output *output, const entropic_report *report, double share, bool rows) {
  output_string(output, "higher\t");
  output_number(output, share);
  output_character(output, '\t');
  if (rows) {
    output_character(output, '\t');
    output_number(output, report_number(report, "higher_own"));
    output_character(output, '\t');
    output_number(output, report_number(report, "higher_covariance"));
  }
  output_character(output, '\n');
}

static int print_shares(const cli_session *session, const entropic_report *report, bool rows) {
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, "-", &result);
  if (!output)
    return result;
  output_string(output, rows ? "effect\tshare\ttotal\town\tcovariance\n" : "effect\tshare\ttotal\n");
  if (!print_list(output, report, "inputs", rows) || !print_list(output, report, "pairs", rows)) {
    output_end(output, false);
    return complain_memory(session);
  }
  double higher = report_number(report, "higher");
  if (!isnan(higher))
    print_higher(output, report, higher, rows);
  else
    notice(session, "the model has too many pairs of inputs to list; they are among the totals");
  return output_end(output, true);
}

/* ---- One row ---- */

/* Splits "DATA:LINE"; data is to be freed. An exit status. */
static int parse_row(const cli_session *session, const char *text, char **data, size_t *line) {
  const char *colon = strrchr(text, ':');
  char *end = NULL;
  errno = 0;
  unsigned long long number = colon ? strtoull(colon + 1, &end, 10) : 0;
  bool digits = colon && colon > text && colon[1] >= '0' && colon[1] <= '9' && !*end && !errno;
  if (!digits || number == 0)
    return complain(session, EXIT_USAGE, "--row: found '%s', expected DATA:LINE, a file and a line of it from 1 on",
                    text);
  *data = strndup(text, (size_t)(colon - text));
  *line = (size_t)number;
  return *data ? EXIT_DONE : complain_memory(session);
}

/* Reads up to the row that begins in that line. An exit status. */
static int find_row(const cli_session *session, entropic_row_reader *reader, const char *data, size_t line, double *x) {
  size_t at = entropic_row_reader_line(reader), rows = 1, first = at;
  while (rows && at <= line) {
    bool wanted = at == line;
    entropic_status status = entropic_row_reader_next(session->context, reader, 1, x, NULL, NULL, &rows);
    if (status)
      return complain_about(session, data, status);
    if (wanted && rows)
      return EXIT_DONE;
    at = entropic_row_reader_line(reader);
  }
  if (line < first)
    return complain(session, EXIT_DATA, "%s: line %zu is not a row; the first row is line %zu", data, line, first);
  return complain(session, EXIT_DATA, "%s: no row begins in line %zu", data, line);
}

/* An effect of the row. */
typedef struct effect {
  size_t input;
  double value;
} effect;

static int compare_effects(const void *a, const void *b) {
  const effect *x = a, *y = b;
  double left = fabs(x->value), right = fabs(y->value);
  return left > right ? -1 : left < right ? 1 : x->input < y->input ? -1 : 1;
}

/* What is known of the row and its scores. */
typedef struct explained_row {
  const entropic_model *model;
  entropic_model_info info;
  size_t count; /* inputs with effects */
  const entropic_explanation *explanation;
  const double *effects;
  double *predictions;
} explained_row;

static const char *score_name(const explained_row *row, size_t score) {
  return row->info.classes ? entropic_model_class(row->model, score) : entropic_model_target(row->model, score);
}

static double score_of(const explained_row *row, size_t score) {
  double sum = 0;
  for (size_t i = 0; i <= row->count; i++)
    sum += row->effects[score * (1 + row->count) + i];
  return sum;
}

/* The effects of a score, the largest first; to be freed. */
static effect *sort_effects(const explained_row *row, size_t score) {
  effect *list = calloc(row->count + 1, sizeof *list);
  for (size_t i = 0; list && i < row->count; i++)
    list[i] = (effect){entropic_explanation_input(row->explanation, i), row->effects[score * (1 + row->count) + 1 + i]};
  if (list && row->count)
    qsort(list, row->count, sizeof *list, compare_effects);
  return list;
}

static const char *input_name(const explained_row *row, size_t number) {
  entropic_input_info input;
  return entropic_model_input(NULL, row->model, number, &input, sizeof input) ? "" : input.name;
}

static void print_line(cli_output *output, const char *name, double value) {
  list_name(output, name);
  output_character(output, '\t');
  output_number(output, value);
  output_character(output, '\n');
}

static int print_row(const cli_session *session, const explained_row *row) {
  int result = EXIT_DONE;
  bool several = row->info.scores > 1;
  cli_output *output = output_begin(session, "-", &result);
  if (!output)
    return result;
  output_string(output, several ? "of\teffect\tvalue\n" : "effect\tvalue\n");
  for (size_t k = 0; k < row->info.scores; k++) {
    effect *list = sort_effects(row, k);
    for (size_t i = 0; list && i < row->count + 2; i++) {
      if (several) {
        list_name(output, score_name(row, k));
        output_character(output, '\t');
      }
      if (i == 0)
        print_line(output, "base", row->effects[k * (1 + row->count)]);
      else if (i <= row->count)
        print_line(output, input_name(row, list[i - 1].input), list[i - 1].value);
      else
        print_line(output, "score", score_of(row, k));
    }
    if (!list)
      result = complain_memory(session);
    free(list);
  }
  int ended = output_end(output, !result);
  return result ? result : ended;
}

static void add_prediction(entropic_report *report, const explained_row *row) {
  if (row->info.classes)
    entropic_report_add_text(report, "prediction", entropic_model_class(row->model, (size_t)row->predictions[0]));
  else if (row->info.targets == 1)
    entropic_report_add_number(report, "prediction", row->predictions[0]);
}

static int report_row(const cli_session *session, const explained_row *row, const char *data, size_t line) {
  int result = EXIT_DONE;
  entropic_report *report = report_begin(session, &result);
  if (!report)
    return result;
  entropic_report_add_text(report, "data", data);
  entropic_report_add_integer(report, "line", line);
  add_prediction(report, row);
  entropic_report_open_list(report, "scores");
  for (size_t k = 0; k < row->info.scores; k++) {
    effect *list = sort_effects(row, k);
    entropic_report_open_object(report, NULL);
    if (row->info.scores > 1)
      entropic_report_add_text(report, "name", score_name(row, k));
    entropic_report_add_number(report, "score", score_of(row, k));
    entropic_report_add_number(report, "base", row->effects[k * (1 + row->count)]);
    entropic_report_open_list(report, "effects");
    for (size_t i = 0; list && i < row->count; i++) {
      entropic_report_open_object(report, NULL);
      entropic_report_add_text(report, "name", input_name(row, list[i].input));
      entropic_report_add_number(report, "value", list[i].value);
      entropic_report_close(report);
    }
    entropic_report_close(report);
    entropic_report_close(report);
    if (!list)
      result = complain_memory(session);
    free(list);
  }
  entropic_report_close(report);
  result = result ? result : report_print(session, report, "-");
  entropic_report_free(report);
  return result;
}

/* Splits the score of one row. */
static int split_row(const cli_session *session, const explain_settings *settings, const entropic_model *model,
                     const entropic_explanation *explanation) {
  explained_row row = {.model = model, .explanation = explanation, .count = entropic_explanation_inputs(explanation)};
  entropic_row_reader *reader = NULL;
  char *data = NULL;
  double *x = NULL, *effects = NULL;
  size_t line = 0;
  entropic_data_warnings warnings = {0};
  entropic_outputs outputs;
  int result = parse_row(session, settings->row, &data, &line);
  if (result)
    return result;
  entropic_status status = entropic_model_describe(session->context, model, &row.info, sizeof row.info);
  if (!status)
    result = rows_open(session, model, data, false, &reader);
  if (status || result)
    goto done;
  x = calloc(row.info.inputs + 1, sizeof *x);
  effects = calloc(row.info.scores * (1 + row.count), sizeof *effects);
  row.predictions = calloc(row.info.targets + 1, sizeof *row.predictions);
  row.effects = effects;
  if (!x || !effects || !row.predictions) {
    result = complain_memory(session);
    goto done;
  }
  result = find_row(session, reader, data, line, x);
  if (result)
    goto done;
  entropic_outputs_init(&outputs, sizeof outputs);
  outputs.predictions = row.predictions;
  outputs.explanation = explanation;
  outputs.effects = effects;
  outputs.warnings = &warnings;
  outputs.warnings_size = sizeof warnings;
  status = entropic_predict(session->context, model, x, 1, row.info.inputs, &outputs);
  if (status)
    goto done;
  mention_warnings(session, &warnings);
  result = settings->json ? report_row(session, &row, data, line) : print_row(session, &row);
done:
  if (status && !result)
    result = complain_about(session, data, status);
  entropic_row_reader_free(reader);
  free(data);
  free(x);
  free(effects);
  free(row.predictions);
  return result;
}

/* ---- The page ---- */

static int draw(const cli_session *session, const entropic_explanation *explanation, const char *model,
                const char *html) {
  char *name = NULL;
  int result = EXIT_DONE;
  entropic_report *about = report_begin(session, &result);
  if (!about)
    return result;
  result = about_report(session, about);
  if (result)
    goto done;
  name = about_name(model);
  if (!name) {
    result = complain_memory(session);
    goto done;
  }
  char *ending = strrchr(name, '.');
  if (ending && ending > name && !strcmp(ending, ".entropic"))
    *ending = 0;
  progress_heed_signals(session);
  signals_hold();
  entropic_status status = entropic_explanation_html(session->context, explanation, about, name, html);
  signals_release();
  result = signals_pending() ? signals_pending() : status ? write_failure(session, status) : EXIT_DONE;
done:
  entropic_report_free(about);
  free(name);
  return result;
}

/* ---- The command ---- */

static int explain(const cli_session *session, const explain_settings *settings, const entropic_model *model,
                   const char *path, const char *data) {
  entropic_row_reader *reader = NULL;
  entropic_explanation *explanation = NULL;
  entropic_report *report = NULL;
  int result = data ? rows_open(session, model, data, false, &reader) : EXIT_DONE;
  if (result)
    return result;
  entropic_status status = entropic_explain(session->context, model, reader, &explanation);
  if (status) {
    result = complain_about(session, data && status != ENTROPIC_BAD_ARGUMENT ? data : path, status);
    goto done;
  }
  if (settings->html) {
    result = draw(session, explanation, path, settings->html);
    if (result)
      goto done;
  }
  if (settings->row) {
    result = split_row(session, settings, model, explanation);
    goto done;
  }
  status = entropic_explanation_report(session->context, explanation, &report);
  if (status) {
    result = complain_library(session, status);
    goto done;
  }
  result = settings->json ? report_print(session, report, "-") : print_shares(session, report, data != NULL);
done:
  entropic_report_free(report);
  entropic_explanation_free(explanation);
  entropic_row_reader_free(reader);
  return result;
}

static int run_explain(cli_session *session, int argc, char **argv) {
  explain_settings settings = {0};
  cli_arguments arguments;
  int result = options_parse(session, &explain_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  const char *data = arguments.count > 1 ? arguments.plain[1] : NULL;
  result = data ? check_one_stdin(session, arguments.plain[0], data) : EXIT_DONE;
  if (result)
    return result;
  const cli_destination places[] = {{"the page", settings.html, false},
                                    {"the shares", "-", false},
                                    {"MODEL", arguments.plain[0], true},
                                    {"DATA", data, true}};
  result = destinations_check(session, places, sizeof places / sizeof *places);
  if (result)
    return result;
  result = settings.html ? check_writable(session, settings.html) : EXIT_DONE;
  if (result)
    return result;
  entropic_model *model = NULL;
  result = model_open(session, arguments.plain[0], &model);
  if (result)
    return result;
  result = explain(session, &settings, model, arguments.plain[0], data);
  entropic_model_free(model);
  return result;
}
