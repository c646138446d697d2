/* entropic compare: our features against others on the user's own table. */
#include <stdlib.h>

#include "about.h"
#include "commands.h"
#include "output.h"
#include "reading.h"
#include "signals.h"
#include "study/study.h"

#define BUSY 0.25 /* processors, of other work */

typedef struct compare_settings {
  const char *html;
  bool json;
} compare_settings;

static const cli_option compare_options[] = {{.name = "html",
                                              .kind = OPTION_TEXT,
                                              .offset = offsetof(compare_settings, html),
                                              .value = "FILE",
                                              .help = "draws it: a page of its own, with charts and tables"},
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
            "(ours, selected from the data), EOF-printed (as in the source paper), EOF-inset (the same\n"
            "away from the faces of the cube), RKS, ORF, LKRF, EERF, QMC, SORF, Nystroem with landmarks\n"
            "at random and by pivoted Cholesky (Nystroem-RPC), and up to 5,000 training rows exact\n"
            "kernel ridge. Each twice: with the bandwidth of the paper's rule, and tuned on rows kept\n"
            "apart: the best of five bandwidths, of more where the best is the last of them, and with it\n"
            "of three scalings and, for Nystroem and kernel ridge, of two kernels. Prints tab separated\n"
            "lines: the mean error on test rows (root of the mean square, or share of wrong classes), its\n"
            "standard deviation over the runs, median times on one thread with the quartiles of training,\n"
            "non-zeros of a lifted row, and scaling and kernel in use.",
    .example = "entropic generate friedman1 --rows 500 --noise 1 -o friedman1.csv\n"
               "entropic compare friedman1.csv --target y --features 50,100 --runs 2",
    .options = compare_options,
    .purpose = ENTROPIC_PURPOSE_COMPARE,
    .threads = true,
    .operands = {"DATA"},
    .least = 1,
    .most = 1,
    .several = true,
    .run = run_compare,
};

static int draw(const cli_session *session, const compare_settings *settings, const char *data,
                const entropic_comparison *comparison) {
  char date[ABOUT_DATE_SIZE], *command = NULL, *title = NULL;
  const char *seed = entropic_parameters_get(session->parameters, "seed");
  int result = about_foot(session, date, &command);
  if (result)
    return result;
  title = about_name(data);
  if (!title) {
    result = complain_memory(session);
    goto done;
  }
  const ent_study_names names = {.title = title,
                                 .target = entropic_parameters_get(session->parameters, "target"),
                                 .date = date,
                                 .command = command,
                                 .seed = seed ? strtoull(seed, NULL, 10) : 1};
  signals_hold();
  entropic_status status = ent_comparison_html(session->context, comparison, &names, settings->html);
  signals_release();
  result = signals_pending() ? signals_pending() : status ? write_failure(session, status) : EXIT_DONE;
done:
  free(title);
  free(command);
  return result;
}

/* ---- Methods of a comparison, as JSON and as text ---- */

static void errors_as_json(entropic_report *report, const double *errors, size_t runs) {
  entropic_report_open_list(report, "errors");
  for (size_t i = 0; i < runs; i++)
    entropic_report_add_number(report, NULL, errors[i]);
  entropic_report_close(report);
}

/* The key "references": errors of a constant. */
static void references_as_json(entropic_report *report, const entropic_comparison *comparison) {
  entropic_method_result constant;
  const double *errors = NULL;
  entropic_comparison_constant(NULL, comparison, &constant, sizeof constant, &errors);
  entropic_report_open_object(report, "references");
  entropic_report_open_object(report, constant.name);
  entropic_report_add_number(report, "error", constant.error);
  entropic_report_add_number(report, "sd", constant.sd);
  errors_as_json(report, errors, constant.runs);
  entropic_report_close(report);
  entropic_report_close(report);
}

/* The key "methods": an array. */
static void methods_as_json(entropic_report *report, const entropic_comparison *comparison) {
  entropic_report_open_list(report, "methods");
  for (size_t i = 0; i < entropic_comparison_count(comparison); i++) {
    entropic_method_result c;
    const double *errors = NULL;
    entropic_comparison_get(NULL, comparison, i, &c, sizeof c);
    entropic_comparison_errors(NULL, comparison, i, &errors);
    entropic_report_open_object(report, NULL);
    entropic_report_add_text(report, "name", c.name);
    entropic_report_add_flag(report, "tuned", c.tuned);
    entropic_report_add_integer(report, "features", c.features);
    entropic_report_add_integer(report, "runs", c.runs);
    entropic_report_add_number(report, "error", c.error);
    entropic_report_add_number(report, "sd", c.sd);
    errors_as_json(report, errors, c.runs);
    entropic_report_add_number(report, "train_seconds", c.train_seconds);
    entropic_report_add_number(report, "train_low", c.train_low);
    entropic_report_add_number(report, "train_high", c.train_high);
    entropic_report_add_number(report, "lift_seconds", c.lift_seconds);
    entropic_report_add_number(report, "nonzeros", c.nonzeros);
    entropic_report_add_number(report, "bandwidth", c.bandwidth);
    entropic_report_add_text(report, "kernel", c.kernel);
    entropic_report_add_text(report, "scale", entropic_scaling_name(c.scaling));
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

/* Tab separated lines with a header. */
static void methods_as_text(cli_output *output, const entropic_comparison *comparison) {
  output_string(output, "method\tbandwidth\tfeatures\terror\tsd\ttrain_seconds\tlift_seconds\tnonzeros\tscale\t"
                        "train_low\ttrain_high\tkernel\n");
  for (size_t i = 0; i < entropic_comparison_count(comparison); i++) {
    entropic_method_result c;
    entropic_comparison_get(NULL, comparison, i, &c, sizeof c);
    output_string(output, c.name);
    output_string(output, c.tuned ? "\ttuned\t" : "\trule\t");
    output_count(output, c.features);
    const double numbers[] = {c.error, c.sd, c.train_seconds, c.lift_seconds, c.nonzeros};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
      output_character(output, '\t');
      output_number(output, numbers[k]);
    }
    output_character(output, '\t');
    output_string(output, entropic_scaling_name(c.scaling));
    output_character(output, '\t');
    output_number(output, c.train_low);
    output_character(output, '\t');
    output_number(output, c.train_high);
    output_character(output, '\t');
    output_string(output, c.kernel);
    output_character(output, '\n');
  }
}

/* ---- The command ---- */

static int print_json(const cli_session *session, const entropic_dataset *dataset,
                      const entropic_comparison *comparison) {
  entropic_dataset_info info;
  int result = EXIT_DONE;
  entropic_status status = entropic_dataset_describe(session->context, dataset, &info, sizeof info);
  if (status)
    return complain_library(session, status);
  entropic_report *report = report_begin(session, &result);
  if (!report)
    return result;
  entropic_report_add_integer(report, "rows", info.rows);
  entropic_report_add_integer(report, "inputs", info.inputs);
  entropic_report_add_text(report, "task", entropic_task_name(info.task));
  entropic_report_add_number(report, "load", entropic_comparison_load(comparison));
  references_as_json(report, comparison);
  methods_as_json(report, comparison);
  result = report_print(session, report, "-");
  entropic_report_free(report);
  return result;
}

static int print_methods(const cli_session *session, const entropic_comparison *comparison) {
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, "-", &result);
  if (!output)
    return result;
  methods_as_text(output, comparison);
  return output_end(output, true);
}

static int work(const cli_session *session, const compare_settings *settings, const char *data) {
  entropic_table *table = NULL;
  entropic_dataset *dataset = NULL;
  entropic_comparison *comparison = NULL;
  int result = reading_learn(session, data, &table, &dataset);
  entropic_table_free(table);
  if (result)
    return result;
  mention_classes(session, dataset);
  entropic_status status = entropic_compare(session->context, dataset, session->parameters, &comparison);
  if (status) {
    result = complain_about(session, data, status);
    goto done;
  }
  if (entropic_comparison_load(comparison) >= BUSY)
    notice(session, "the machine was busy with other work while times were measured: the times are unreliable");
  if (settings->html) {
    result = draw(session, settings, data, comparison);
    if (result)
      goto done;
  }
  result = settings->json ? print_json(session, dataset, comparison) : print_methods(session, comparison);
done:
  entropic_comparison_free(comparison);
  entropic_dataset_free(dataset);
  return result;
}

static int run_compare(cli_session *session, int argc, char **argv) {
  compare_settings settings = {0};
  cli_arguments arguments;
  int result = options_parse(session, &compare_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
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
  return work(session, &settings, arguments.plain[0]);
}
