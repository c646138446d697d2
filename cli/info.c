/* entropic info: what a model is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "listing.h"
#include "models.h"

typedef struct info_settings {
  bool list, json;
} info_settings;

static const cli_option info_options[] = {{.name = "list",
                                           .kind = OPTION_FLAG,
                                           .offset = offsetof(info_settings, list),
                                           .help = "the features, tab separated: number, weights, terms"},
                                          {.name = "json",
                                           .kind = OPTION_FLAG,
                                           .offset = offsetof(info_settings, json),
                                           .help = "one JSON object; with --list the features too"},
                                          {0}};

static int run_info(cli_session *session, int argc, char **argv);

const cli_command info_command = {
    .name = "info",
    .summary = "what a model is, what it learnt from, how big it is",
    .usage = "MODEL [options]",
    .text = "Prints what is known of a model, a line each. --list prints its features instead, with\n"
            "the header feature, weight (several: weight_NAME each), terms. Terms are such as\n"
            "\"x1:linear x3:hat2#1 colour=red\": the level of each active input, of hats which one,\n"
            "of a category its name.",
    .example = "entropic generate friedman1 -o friedman1.csv\n"
               "entropic fit friedman1.csv --target y --quiet\n"
               "entropic info friedman1.entropic\n"
               "entropic info friedman1.entropic --list",
    .options = info_options,
    .operands = {"MODEL"},
    .least = 1,
    .most = 1,
    .run = run_info,
};

static void write_line(void *user, const char *name, const char *value) {
  cli_output *output = user;
  char start[32];
  snprintf(start, sizeof start, "%-12s ", name);
  output_string(output, start);
  list_name(output, value);
  output_character(output, '\n');
}

/* "age, colour (3 categories), size (sometimes missing)": the inputs, all of them. */
static void write_inputs(cli_output *output, const entropic_model *model) {
  entropic_input_info input;
  for (size_t i = 0; !entropic_model_input(NULL, model, i, &input, sizeof input); i++) {
    char about[64];
    snprintf(about, sizeof about, "%s", input.date ? "date" : "number");
    if (input.part[0])
      snprintf(about, sizeof about, "%s",
               !strcmp(input.part, "category") ? "made of categories"
               : !strcmp(input.part, "hour")   ? "hour of the day"
                                               : "day of the year");
    if (input.category)
      snprintf(about, sizeof about, "category");
    if (input.categories)
      snprintf(about, sizeof about, "%zu categor%s", input.categories, input.categories == 1 ? "y" : "ies");
    output_string(output, i ? "             " : "columns      ");
    list_name(output, input.name);
    output_string(output, ": ");
    output_string(output, about);
    output_string(output, input.missing ? ", sometimes missing" : "");
    output_string(output, input.used ? "\n" : ", not used\n");
  }
}

static void info_as_text(cli_output *output, const entropic_model *model, const entropic_report *report,
                         const char *path) {
  entropic_model_info info;
  char value[64];
  write_line(output, "model", strcmp(path, "-") ? path : "from standard input");
  uint64_t size = file_size(path);
  snprintf(value, sizeof value, "%llu bytes", (unsigned long long)size);
  if (size)
    write_line(output, "size", value);
  model_summarise(model, report, write_line, output);
  entropic_model_describe(NULL, model, &info, sizeof info);
  snprintf(value, sizeof value, "%llu", (unsigned long long)info.seed);
  write_line(output, "seed", value);
  write_inputs(output, model);
}

/* Called for each feature: its group, and its number there. */
typedef void (*feature_visit)(void *user, const cli_listing *listing, const entropic_group *group, size_t feature,
                              uint64_t number);

static void visit_features(const cli_listing *listing, feature_visit visit, void *user) {
  entropic_group group;
  for (size_t g = 0; !entropic_design_group(NULL, listing->design, g, &group, sizeof group); g++)
    for (size_t i = 0; i < group.features; i++)
      visit(user, listing, &group, group.first_feature + i, group.members ? group.members[i] : i);
}

static void feature_as_json(void *user, const cli_listing *listing, const entropic_group *group, size_t feature,
                            uint64_t number) {
  entropic_report *report = user;
  const double *weights;
  entropic_report_open_object(report, NULL);
  entropic_report_open_list(report, "weights");
  for (size_t k = 0; (weights = entropic_model_weights(listing->model, k, NULL)); k++)
    entropic_report_add_number(report, NULL, weights[feature]);
  entropic_report_close(report);
  list_terms_json(report, listing, group, &number);
  entropic_report_close(report);
}

static int print_json(const cli_session *session, const cli_listing *listing, const info_settings *settings,
                      entropic_report *report, const char *path) {
  model_place(report, path);
  if (settings->list) {
    entropic_report_open_list(report, "list");
    visit_features(listing, feature_as_json, report);
    entropic_report_close(report);
  }
  return report_print(session, report, "-");
}

static void feature_as_text(void *user, const cli_listing *listing, const entropic_group *group, size_t feature,
                            uint64_t number) {
  cli_output *output = user;
  const double *weights;
  output_count(output, feature + 1);
  for (size_t s = 0; (weights = entropic_model_weights(listing->model, s, NULL)); s++) {
    output_character(output, '\t');
    output_number(output, weights[feature]);
  }
  output_character(output, '\t');
  list_terms(output, listing, group, &number);
  output_character(output, '\n');
}

static void list_as_text(cli_output *output, const cli_listing *listing, const entropic_model_info *info) {
  output_string(output, "feature");
  for (size_t s = 0; s < info->scores; s++) {
    output_string(output, "\tweight");
    if (info->scores == 1)
      continue;
    output_character(output, '_');
    list_name(output,
              info->classes ? entropic_model_class(listing->model, s) : entropic_model_target(listing->model, s));
  }
  output_string(output, "\tterms\n");
  visit_features(listing, feature_as_text, output);
}

static int print_list(const cli_session *session, const cli_listing *listing, const entropic_model_info *info) {
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, "-", &result);
  if (!output)
    return result;
  list_as_text(output, listing, info);
  return output_end(output, true);
}

static int print_report(const cli_session *session, const info_settings *settings, const cli_listing *listing,
                        const char *path) {
  entropic_report *report;
  entropic_status status = entropic_model_report(session->context, listing->model, &report);
  if (status)
    return complain_library(session, status);
  int result = EXIT_DONE;
  if (settings->json) {
    result = print_json(session, listing, settings, report, path);
    goto done;
  }
  cli_output *output = output_begin(session, "-", &result);
  if (!output)
    goto done;
  info_as_text(output, listing->model, report, path);
  result = output_end(output, true);
done:
  entropic_report_free(report);
  return result;
}

static int show(const cli_session *session, const info_settings *settings, const entropic_model *model,
                const char *path) {
  entropic_model_info info;
  cli_listing listing = {.design = entropic_model_design(model), .model = model};
  entropic_status status = entropic_model_describe(session->context, model, &info, sizeof info);
  if (status)
    return complain_library(session, status);
  if (settings->list && !listing.design)
    return complain(session, EXIT_USAGE, "--list: %s has no features, it is a sum over the kernel at %zu row%s", path,
                    info.features, info.features == 1 ? "" : "s");
  if (settings->list && info.components > 1)
    return complain(session, EXIT_USAGE, "--list: %s is a sum of %zu components; the features of one are listed", path,
                    info.components);
  const char **names = calloc(info.inputs ? info.inputs : 1, sizeof *names);
  if (!names)
    return complain_memory(session);
  entropic_input_info input;
  for (size_t i = 0; i < info.inputs && !entropic_model_input(NULL, model, i, &input, sizeof input); i++)
    names[i] = input.name;
  listing.names = names;
  int result = settings->list && !settings->json ? print_list(session, &listing, &info)
                                                 : print_report(session, settings, &listing, path);
  free(names);
  return result;
}

static int run_info(cli_session *session, int argc, char **argv) {
  info_settings settings = {0};
  cli_arguments arguments;
  int result = options_parse(session, &info_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  entropic_model *model = NULL;
  result = model_open(session, arguments.plain[0], &model);
  if (result)
    return result;
  result = show(session, &settings, model, arguments.plain[0]);
  entropic_model_free(model);
  return result;
}
