/* entropic features: a table's rows as sparse features. */
#include <string.h>

#include "commands.h"
#include "recipe.h"
#include "signals.h"

typedef struct features_settings {
  const char *path, *labels, *design, *save_design;
  bool json;
} features_settings;

static const cli_option features_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(features_settings, path),
     .value = "OUT",
     .help = "output file; a name in .npz gives a scipy CSR matrix;\n- is standard output (-)"},
    {.name = "labels",
     .kind = OPTION_TEXT,
     .offset = offsetof(features_settings, labels),
     .value = "FILE",
     .help = "writes the labels too, one number a line; needs --target"},
    {.name = "design",
     .kind = OPTION_TEXT,
     .offset = offsetof(features_settings, design),
     .value = "FILE",
     .help = "uses a saved design; goes without the options of kernel and design"},
    {.name = "save-design",
     .kind = OPTION_TEXT,
     .offset = offsetof(features_settings, save_design),
     .value = "FILE",
     .help = "saves the design, for --design"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(features_settings, json),
     .help = "a summary as JSON on standard output; needs -o OUT"},
    {0}};

static int run_features(cli_session *session, int argc, char **argv);

const cli_command features_command = {
    .name = "features",
    .summary = "a table's rows as sparse features",
    .usage = "DATA [-o OUT] [options]",
    .text = "Lifts each row of DATA (CSV and the like, LIBSVM text or .npy, plain, .gz or .zst;\n"
            "Parquet; one file, several, a folder or a pattern; - is standard input) to its entropic\n"
            "optimal features. Writes LIBSVM text, one line a row: the label (0 without --target),\n"
            "then index:value with indices from 1; or, if OUT ends with .npz, what\n"
            "scipy.sparse.load_npz reads. --labels FILE writes the labels on their own.",
    .example = "entropic generate friedman1 -o friedman1.csv\n"
               "entropic features friedman1.csv --target y --features 500 -o friedman1.libsvm",
    .options = features_options,
    .purpose = ENTROPIC_PURPOSE_DESIGN,
    .threads = true,
    .operands = {"DATA"},
    .least = 1,
    .most = 1,
    .several = true,
    .run = run_features,
};

/* What the work took and gave. */
typedef struct cli_totals {
  double read, design, lift; /* seconds */
  size_t nonzeros;
} cli_totals;

static void write_rows(cli_output *output, const entropic_csr *csr, const double *labels) {
  for (size_t row = 0; row < csr->rows; row++) {
    if (labels)
      output_number(output, labels[row]);
    else
      output_character(output, '0');
    for (size_t i = csr->starts[row]; i < csr->starts[row + 1]; i++) {
      output_character(output, ' ');
      output_count(output, (uint64_t)csr->indices[i] + 1);
      output_character(output, ':');
      output_number(output, csr->values[i]);
    }
    output_character(output, '\n');
  }
}

/* Rows are lifted and written in blocks, so that memory does not grow with their non-zeros. */
static int lift_to_text(const cli_session *session, const entropic_lift *lift, const cli_inputs *inputs,
                        const char *path, cli_totals *totals) {
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, path, &result);
  if (!output)
    return result;
  size_t nonzeros = entropic_lift_nonzeros(lift);
  size_t block = (1 << 20) / (nonzeros ? nonzeros : 1);
  block = block < 64 ? 64 : block > 8192 ? 8192 : block;
  cli_progress bar = progress_start(session, "lifting");
  for (size_t row = 0; row < inputs->rows && !output_stopped(output); row += block) {
    size_t rows = inputs->rows - row < block ? inputs->rows - row : block;
    entropic_csr *csr;
    entropic_status status =
        entropic_lift_csr(session->context, lift, inputs->values + row * inputs->count, rows, inputs->count, &csr);
    if (status) {
      result = complain_library(session, status);
      break;
    }
    totals->nonzeros += csr->starts[rows];
    write_rows(output, csr, inputs->target ? inputs->target + row : NULL);
    entropic_csr_free(csr);
    progress_step(&bar, row + rows, inputs->rows);
  }
  progress_end(&bar);
  int ended = output_end(output, !result);
  return result ? result : ended;
}

static int lift_to_npz(const cli_session *session, const entropic_lift *lift, const cli_inputs *inputs,
                       const char *path, cli_totals *totals) {
  entropic_csr *csr;
  entropic_status status = entropic_lift_csr(session->context, lift, inputs->values, inputs->rows, inputs->count, &csr);
  if (status)
    return complain_library(session, status);
  totals->nonzeros = csr->starts[csr->rows];
  signals_hold();
  status = entropic_csr_save_npz(session->context, csr, path);
  signals_release();
  entropic_csr_free(csr);
  if (signals_pending())
    return signals_pending();
  return status ? write_failure(session, status) : EXIT_DONE;
}

static int write_labels(const cli_session *session, const cli_inputs *inputs, const char *path) {
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, path, &result);
  if (!output)
    return result;
  for (size_t row = 0; row < inputs->rows && !output_stopped(output); row++) {
    output_number(output, inputs->target[row]);
    output_character(output, '\n');
  }
  return output_end(output, true);
}

/* What a person may not expect of the file to come. */
static void forewarn(const cli_session *session, const features_settings *settings, const cli_inputs *inputs) {
  bool npz = ends_with(settings->path, ".npz");
  inputs_mention(session, inputs, npz ? "" : ", labels are 0");
  if (npz && inputs->target && !settings->labels)
    notice(session, "%s cannot hold labels: --labels FILE writes them to a file of their own", settings->path);
  if (settings->design && inputs_scaling(session) != ENTROPIC_SCALING_NONE)
    notice(session, "a saved design has no scaling: inputs are scaled by the rows of this file alone (--scale none "
                    "turns this off)");
  if (ends_with(settings->path, ".csv"))
    notice(session, "%s: features are written as LIBSVM text, not as CSV", settings->path);
}

static int lift_all(const cli_session *session, const entropic_design *design, const cli_inputs *inputs,
                    const char *path, cli_totals *totals) {
  entropic_lift *lift;
  entropic_status status = entropic_lift_create(session->context, design, &lift);
  if (status)
    return complain_library(session, status);
  int result = ends_with(path, ".npz") ? lift_to_npz(session, lift, inputs, path, totals)
                                       : lift_to_text(session, lift, inputs, path, totals);
  entropic_lift_free(lift);
  return result;
}

static int obtain_design(const cli_session *session, const features_settings *settings, const char *data,
                         const cli_inputs *inputs, entropic_design **design) {
  if (!settings->design)
    return recipe_make(session, inputs->count, inputs->values, inputs->rows, design);
  int result = recipe_load(session, settings->design, design);
  if (result)
    return result;
  size_t expected = entropic_kernel_inputs(entropic_design_kernel(*design));
  if (expected == inputs->count)
    return EXIT_DONE;
  return complain(session, EXIT_DATA, "%s: the design is for %zu input%s, %s has %zu", settings->design, expected,
                  expected == 1 ? "" : "s", data, inputs->count);
}

static int summarise(const cli_session *session, const features_settings *settings, const entropic_design *design,
                     const cli_inputs *inputs, const cli_totals *totals) {
  double mean = inputs->rows ? (double)totals->nonzeros / (double)inputs->rows : 0;
  if (totals->nonzeros == 0)
    notice(session,
           "every feature is 0 in every row: with this many inputs, use a smaller --omega or another --kernel");
  double seconds = totals->read + totals->design + totals->lift;
  if (!settings->json) {
    if (strcmp(settings->path, "-"))
      notice(session, "%zu rows, %zu inputs, %zu features, %.1f non-zeros a row, %.2f s", inputs->rows, inputs->count,
             entropic_design_features(design), mean, seconds);
    return EXIT_DONE;
  }
  int result = EXIT_DONE;
  entropic_report *report = report_begin(session, &result);
  if (!report)
    return result;
  entropic_report_add_integer(report, "rows", inputs->rows);
  entropic_report_add_integer(report, "inputs", inputs->count);
  entropic_report_add_integer(report, "features", entropic_design_features(design));
  entropic_report_add_integer(report, "groups", entropic_design_groups(design));
  entropic_report_add_number(report, "nonzeros_per_row", mean);
  recipe_describe(report, entropic_design_kernel(design));
  entropic_report_open_object(report, "seconds");
  entropic_report_add_number(report, "read", totals->read);
  entropic_report_add_number(report, "design", totals->design);
  entropic_report_add_number(report, "lift", totals->lift);
  entropic_report_add_number(report, "total", seconds);
  entropic_report_close(report);
  result = report_print(session, report, "-");
  entropic_report_free(report);
  return result;
}

static int work(const cli_session *session, const features_settings *settings, const char *data) {
  cli_totals totals = {0};
  cli_inputs inputs = {0};
  entropic_design *design = NULL;
  double start = seconds_now();
  int result = inputs_read(session, data, &inputs);
  if (result)
    return result;
  result = inputs_scale(session, data, &inputs);
  if (result)
    goto done;
  double read = seconds_now();
  totals.read = read - start;
  result = obtain_design(session, settings, data, &inputs, &design);
  if (result)
    goto done;
  if (settings->save_design) {
    result = recipe_save(session, design, settings->save_design);
    if (result)
      goto done;
  }
  double designed = seconds_now();
  totals.design = designed - read;
  forewarn(session, settings, &inputs);
  if (settings->labels) {
    result = write_labels(session, &inputs, settings->labels);
    if (result)
      goto done;
  }
  result = lift_all(session, design, &inputs, settings->path, &totals);
  if (result)
    goto done;
  totals.lift = seconds_now() - designed;
  result = summarise(session, settings, design, &inputs, &totals);
done:
  entropic_design_free(design);
  inputs_free(&inputs);
  return result;
}

/* Which options go with which. */
static int check(const cli_session *session, const features_settings *settings, const char *data) {
  const char *refused = recipe_given(session, &features_command);
  if (settings->design && refused)
    return complain(session, EXIT_USAGE,
                    "--design and --%s cannot be combined: a design has its own kernel and features", refused);
  if (settings->json && !strcmp(settings->path, "-"))
    return complain(session, EXIT_USAGE, "--json needs -o OUT: the rows go to standard output");
  if (settings->labels && !entropic_parameters_is_set(session->parameters, "target"))
    return complain(session, EXIT_USAGE, "--labels needs --target COL");
  const cli_destination places[] = {{"the rows", settings->path, false},
                                    {"the labels", settings->labels, false},
                                    {"the design", settings->save_design, false},
                                    {"the summary", settings->json ? "-" : NULL, false},
                                    {"DATA", data, true},
                                    {"the saved design", settings->design, true}};
  int result = destinations_check(session, places, sizeof places / sizeof *places);
  if (result)
    return result;
  entropic_status status = entropic_parameters_check(session->context, session->parameters);
  return status ? complain_library(session, status) : EXIT_DONE;
}

static int run_features(cli_session *session, int argc, char **argv) {
  features_settings settings = {.path = "-"};
  cli_arguments arguments;
  int result = options_parse(session, &features_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  result = check(session, &settings, arguments.plain[0]);
  return result ? result : work(session, &settings, arguments.plain[0]);
}
