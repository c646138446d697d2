/* entropic design: which features, from the kernel alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "listing.h"
#include "models.h"

typedef struct design_settings {
  const char *path, *design, *save_design;
  bool ranges; /* the columns are given by --ranges */
  uint64_t inputs;
  bool json;
} design_settings;

static const cli_option design_options[] = {
    {.name = "inputs",
     .kind = OPTION_COUNT,
     .offset = offsetof(design_settings, inputs),
     .value = "D",
     .least = 1,
     .most = 1000000,
     .help = "how many inputs, if there is no DATA"},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(design_settings, path),
     .value = "FILE",
     .help = "output file of the list; - is standard output (-)"},
    {.name = "design",
     .kind = OPTION_TEXT,
     .offset = offsetof(design_settings, design),
     .value = "FILE",
     .help = "lists a saved design; goes without the options of kernel and design"},
    {.name = "save-design",
     .kind = OPTION_TEXT,
     .offset = offsetof(design_settings, save_design),
     .value = "FILE",
     .help = "saves the design, for --design; with --ranges also for\n'entropic collect --design'"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(design_settings, json),
     .help = "the list as one JSON object"},
    {0}};

static int run_design(cli_session *session, int argc, char **argv);

const cli_command design_command = {
    .name = "design",
    .summary = "which features are the best, from the kernel alone",
    .usage = "[DATA] [--inputs D] [--ranges RANGES] [options]",
    .text = "Lists the groups of features with the largest score, best first: tab-separated text\n"
            "with the columns group, features, score, order (active inputs: those not at their base\n"
            "level) and terms, such as \"x3:linear x7:hat2\". Where no input is active that is 1, or\n"
            "base if some input's base level is not the constant 1. DATA gives the number of inputs\n"
            "and their names; its values are used by --criterion data alone.\n"
            "With --ranges the inputs, their ranges and the target are given instead, and the design\n"
            "that is saved is complete: 'entropic collect' needs nothing else, and no row was seen.",
    .example = "entropic design --inputs 10 --kernel laplace --omega 2 --features 100\n"
               "entropic design --ranges 'age=0:99,sex=f|m?' --target y --target-range 0:50 --save-design d.txt",
    .options = design_options,
    .purpose = ENTROPIC_PURPOSE_COLLECT,
    .threads = true,
    .least = 0,
    .most = 1,
    .several = true,
    .run = run_design,
};

/* Scores are kept as logarithms with 32 binary places, good for nine digits: more would only look like information. */
static double score_of(const entropic_group *group) {
  char digits[ENTROPIC_NUMBER_SIZE];
  snprintf(digits, sizeof digits, "%.9g", exp2(group->log2_score));
  return strtod(digits, NULL);
}

static void list_as_text(cli_output *output, const cli_listing *listing) {
  const entropic_design *design = listing->design;
  output_string(output, "group\tfeatures\tscore\torder\tterms\n");
  for (size_t g = 0; g < entropic_design_groups(design) && !output_stopped(output); g++) {
    entropic_group group;
    if (entropic_design_group(NULL, design, g, &group, sizeof group))
      return;
    output_count(output, g + 1);
    output_character(output, '\t');
    output_count(output, group.features);
    output_character(output, '\t');
    output_number(output, score_of(&group));
    output_character(output, '\t');
    output_count(output, group.terms_count);
    output_character(output, '\t');
    list_terms(output, listing, &group, NULL);
    output_character(output, '\n');
  }
}

static void group_as_json(entropic_report *report, const cli_listing *listing, const entropic_group *group) {
  entropic_report_open_object(report, NULL);
  entropic_report_add_integer(report, "features", group->features);
  entropic_report_add_number(report, "score", score_of(group));
  entropic_report_add_number(report, "log2_score", group->log2_score);
  entropic_report_add_integer(report, "first", group->first_feature + 1);
  entropic_report_add_integer(report, "atoms", group->atoms);
  if (group->members) { /* a group that was cut: which of its atoms are there */
    entropic_report_open_list(report, "members");
    for (size_t i = 0; i < group->features; i++)
      entropic_report_add_integer(report, NULL, group->members[i] + 1);
    entropic_report_close(report);
  }
  list_terms_json(report, listing, group, NULL);
  entropic_report_close(report);
}

static void list_as_json(entropic_report *report, const cli_listing *listing) {
  const entropic_design *design = listing->design;
  const entropic_kernel *kernel = entropic_design_kernel(design);
  size_t count = entropic_kernel_inputs(kernel);
  entropic_axis_options axis = {0};
  entropic_group group;
  entropic_kernel_axis(NULL, kernel, 0, &axis, sizeof axis);
  entropic_report_add_integer(report, "inputs", count);
  recipe_describe(report, kernel);
  entropic_report_add_text(report, "basis", axis.basis == ENTROPIC_BASIS_FULL ? "full" : "interior");
  entropic_report_add_text(report, "criterion", entropic_criterion_name(entropic_design_criterion(design)));
  entropic_report_add_integer(report, "features", entropic_design_features(design));
  entropic_report_add_integer(report, "groups", entropic_design_groups(design));
  entropic_report_add_integer(report, "nonzeros", entropic_design_nonzeros(design));
  entropic_report_open_list(report, "base"); /* the level of each input where it is not active */
  for (size_t i = 0; i < count; i++) {
    char name[LEVEL_NAME_SIZE];
    entropic_kernel_level_name(kernel, i, entropic_design_base(design, i), name, sizeof name);
    entropic_report_add_text(report, NULL, name);
  }
  entropic_report_close(report);
  entropic_report_open_list(report, "list");
  for (size_t g = 0; !entropic_design_group(NULL, design, g, &group, sizeof group); g++)
    group_as_json(report, listing, &group);
  entropic_report_close(report);
}

static int print_json(const cli_session *session, const design_settings *settings, const cli_listing *listing) {
  int result = EXIT_DONE;
  entropic_report *report = report_begin(session, &result);
  if (!report)
    return result;
  list_as_json(report, listing);
  result = report_print(session, report, settings->path);
  entropic_report_free(report);
  return result;
}

static int print_listing(const cli_session *session, const design_settings *settings, const cli_listing *listing) {
  int result = EXIT_DONE;
  if (settings->json)
    return print_json(session, settings, listing);
  cli_output *output = output_begin(session, settings->path, &result);
  if (!output)
    return result;
  list_as_text(output, listing);
  return output_end(output, true);
}

static int print_design(const cli_session *session, const design_settings *settings, const entropic_design *design,
                        const cli_inputs *inputs) {
  int result = settings->save_design ? recipe_save(session, design, settings->save_design) : EXIT_DONE;
  const cli_listing listing = {.design = design, .names = (const char *const *)inputs->names};
  return result ? result : print_listing(session, settings, &listing);
}

/* Lists the design of a model without weights, with the names of its columns. */
static int print_columns(const cli_session *session, const design_settings *settings, const entropic_model *model) {
  const entropic_design *design = entropic_model_design(model);
  size_t count = entropic_kernel_inputs(entropic_design_kernel(design));
  const char **names = calloc(count, sizeof *names);
  if (!names)
    return complain_memory(session);
  for (size_t i = 0; i < count; i++) {
    entropic_input_info info;
    names[i] = entropic_model_input(NULL, model, i, &info, sizeof info) ? "" : info.name;
  }
  const cli_listing listing = {.design = design, .names = names, .model = model};
  int result = print_listing(session, settings, &listing);
  free(names);
  return result;
}

/* The text of a design for the columns of --ranges, and the design it describes. */
static int make_columns(const cli_session *session, unsigned char **text, size_t *count,
                        entropic_frozen_design **design) {
  const char *ranges = entropic_parameters_get(session->parameters, "ranges");
  int result = strchr(ranges, '=') ? EXIT_DONE : check_readable(session, ranges);
  if (result)
    return result;
  entropic_status status = entropic_frozen_design_make(session->context, session->parameters, text, count);
  if (!status)
    status = entropic_frozen_design_load_memory(session->context, *text, *count, design);
  if (status == ENTROPIC_TOO_LARGE) /* it is the options that ask for too much */
    return complain(session, EXIT_USAGE, "%s", entropic_context_message(session->context));
  return status ? complain_library(session, status) : EXIT_DONE;
}

/* The design for the columns of --ranges. */
static int work_with_ranges(const cli_session *session, const design_settings *settings) {
  unsigned char *text = NULL;
  size_t count = 0;
  entropic_frozen_design *design = NULL;
  int result = make_columns(session, &text, &count, &design);
  if (result)
    goto done;
  const entropic_model *model = entropic_frozen_design_model(design);
  recipe_mention(session, entropic_model_design(model));
  result = settings->save_design ? recipe_save_text(session, text, count, settings->save_design) : EXIT_DONE;
  if (!result)
    result = print_columns(session, settings, model);
done:
  entropic_frozen_design_free(design);
  entropic_bytes_free(text);
  return result;
}

/* A saved design that has columns; those are listed by their names. */
static int list_columns(const cli_session *session, const design_settings *settings) {
  entropic_frozen_design *design = NULL;
  int result = design_open(session, settings->design, &design);
  if (!result)
    result = print_columns(session, settings, entropic_frozen_design_model(design));
  entropic_frozen_design_free(design);
  return result;
}

static bool by_data(const cli_session *session) {
  return !strcmp(entropic_parameters_get(session->parameters, "criterion"), "data");
}

static int work(const cli_session *session, const design_settings *settings, const char *data) {
  cli_inputs inputs = {0};
  entropic_design *design = NULL;
  int result = data ? inputs_read(session, data, &inputs) : EXIT_DONE;
  if (result)
    return result;
  if (data && by_data(session)) {
    result = inputs_scale(session, data, &inputs);
    if (result)
      goto done;
  }
  if (settings->design)
    result = recipe_load(session, settings->design, &design);
  else
    result = recipe_make(session, data ? inputs.count : (size_t)settings->inputs, inputs.values, inputs.rows, &design);
  if (result)
    goto done;
  size_t designed = entropic_kernel_inputs(entropic_design_kernel(design));
  if (data && designed != inputs.count) {
    result = complain(session, EXIT_DATA, "%s: the design is for %zu inputs, %s has %zu", settings->design, designed,
                      data, inputs.count);
    goto done;
  }
  if (data)
    inputs_mention(session, &inputs, "");
  result = print_design(session, settings, design, &inputs);
done:
  entropic_design_free(design);
  inputs_free(&inputs);
  return result;
}

/* Which options go with which. */
static int check(const cli_session *session, const design_settings *settings, const char *data) {
  const char *refused = recipe_given(session, &design_command);
  if (settings->design && refused)
    return complain(session, EXIT_USAGE,
                    "--design and --%s cannot be combined: a design has its own kernel and features", refused);
  if (settings->design && settings->inputs)
    return complain(session, EXIT_USAGE, "--design and --inputs cannot be combined: a design has its own inputs");
  if (settings->ranges && (data || settings->inputs))
    return complain(session, EXIT_USAGE, "--ranges and %s cannot be combined: the ranges define the inputs",
                    data ? "DATA" : "--inputs");
  if (!data && !settings->inputs && !settings->design && !settings->ranges)
    return complain(session, EXIT_USAGE, "DATA, --inputs D, --design FILE or --ranges is required");
  if (data && settings->inputs)
    return complain(session, EXIT_USAGE, "DATA and --inputs cannot be combined");
  const char *about = recipe_given_of_data(session, &design_command);
  if (!data && about)
    return complain(session, EXIT_USAGE, "--%s needs DATA", about);
  if (!data && by_data(session))
    return complain(session, EXIT_USAGE, "--criterion data needs DATA");
  const char *ranges = settings->ranges ? entropic_parameters_get(session->parameters, "ranges") : NULL;
  const cli_destination places[] = {{"the list", settings->path, false},
                                    {"the design", settings->save_design, false},
                                    {"DATA", data, true},
                                    {"the saved design", settings->design, true},
                                    {"the ranges", ranges && !strchr(ranges, '=') ? ranges : NULL, true}};
  int result = destinations_check(session, places, sizeof places / sizeof *places);
  if (result)
    return result;
  entropic_status status = entropic_parameters_check(session->context, session->parameters);
  return status ? complain_library(session, status) : EXIT_DONE;
}

static int run_design(cli_session *session, int argc, char **argv) {
  design_settings settings = {.path = "-"};
  cli_arguments arguments;
  int result = options_parse(session, &design_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  const char *data = arguments.count ? arguments.plain[0] : NULL;
  settings.ranges = entropic_parameters_is_set(session->parameters, "ranges");
  result = check(session, &settings, data);
  if (result)
    return result;
  if (settings.ranges)
    return work_with_ranges(session, &settings);
  bool columns = settings.design && holds_columns(settings.design);
  if (columns && settings.save_design)
    return complain(session, EXIT_USAGE, "%s describes columns, which would be lost: copy the file instead",
                    settings.design);
  if (columns && !data)
    return list_columns(session, &settings);
  return work(session, &settings, data);
}
