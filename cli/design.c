/* entropic design: which features, from the kernel alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "listing.h"

typedef struct design_settings {
  const char *path, *design, *save_design;
  uint64_t inputs, threads;
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
     .help = "saves the design, for --design"},
    OPTION_ROW_THREADS(design_settings),
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(design_settings, json),
     .help = "the list as one JSON object"},
    {0}};

static int run_design(cli_session *session, int argc, char **argv);

const cli_command design_command = {
    .name = "design",
    .summary = "which features are the best, from the kernel alone",
    .usage = "[DATA] [--inputs D] [options]",
    .text = "Lists the groups of features with the largest score, best first: tab-separated text\n"
            "with the columns group, features, score, order (active inputs: those not at their base\n"
            "level) and terms, such as \"x3:linear x7:hat2\". Where no input is active that is 1, or\n"
            "base if some input's base level is not the constant 1. DATA gives the number of inputs\n"
            "and their names; its values are used by --criterion data alone.",
    .example = "entropic design --inputs 10 --kernel laplace --omega 2 --features 100",
    .tables = {design_options, input_options, amount_options, shape_options, reading_options, common_options},
    .least = 0,
    .most = 1,
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
    if (entropic_design_group(NULL, design, g, &group))
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

static void group_as_json(cli_json *json, const cli_listing *listing, const entropic_group *group) {
  json_open(json, NULL, '{');
  json_count(json, "features", group->features);
  json_number(json, "score", score_of(group));
  json_number(json, "log2_score", group->log2_score);
  json_count(json, "first", group->first_feature + 1);
  json_count(json, "atoms", group->atoms);
  if (group->members) { /* a group that was cut: which of its atoms are there */
    json_open(json, "members", '[');
    for (size_t i = 0; i < group->features; i++)
      json_count(json, NULL, group->members[i] + 1);
    json_close(json, ']');
  }
  list_terms_json(json, listing, group, NULL);
  json_close(json, '}');
}

static void list_as_json(cli_output *output, const cli_listing *listing) {
  const entropic_design *design = listing->design;
  const entropic_kernel *kernel = entropic_design_kernel(design);
  size_t count = entropic_kernel_inputs(kernel);
  cli_json json = json_start(output);
  json_open(&json, NULL, '{');
  json_count(&json, "inputs", count);
  recipe_describe(&json, kernel, NULL);
  json_string(&json, "basis", entropic_kernel_axis(kernel, 0).basis == ENTROPIC_BASIS_FULL ? "full" : "interior");
  json_string(&json, "criterion", entropic_criterion_name(entropic_design_criterion(design)));
  json_count(&json, "features", entropic_design_features(design));
  json_count(&json, "groups", entropic_design_groups(design));
  json_count(&json, "nonzeros", entropic_design_nonzeros(design));
  json_open(&json, "base", '['); /* the level of each input where it is not active */
  for (size_t i = 0; i < count; i++) {
    char name[LEVEL_NAME_SIZE];
    level_name(kernel, i, entropic_design_base(design, i), name);
    json_string(&json, NULL, name);
  }
  json_close(&json, ']');
  json_open(&json, "list", '[');
  for (size_t g = 0; g < entropic_design_groups(design) && !output_stopped(output); g++) {
    entropic_group group;
    if (!entropic_design_group(NULL, design, g, &group))
      group_as_json(&json, listing, &group);
  }
  json_close(&json, ']');
  json_close(&json, '}');
  json_finish(&json);
}

static int report(const cli_session *session, const design_settings *settings, const entropic_design *design,
                  const cli_inputs *inputs) {
  int result = settings->save_design ? recipe_save(session, design, settings->save_design) : EXIT_DONE;
  if (result)
    return result;
  cli_output *output = output_begin(session, settings->path, &result);
  if (!output)
    return result;
  const cli_listing listing = {.design = design, .names = (const char *const *)inputs->names};
  if (settings->json)
    list_as_json(output, &listing);
  else
    list_as_text(output, &listing);
  return output_end(output, true);
}

static int work(const cli_session *session, const design_settings *settings, const recipe_settings *recipe,
                const input_settings *columns, const reading_settings *reading, const char *data) {
  cli_inputs inputs = {0};
  entropic_design *design = NULL;
  int result = data ? inputs_read(session, data, columns, reading, &inputs) : EXIT_DONE;
  if (result)
    return result;
  if (data && recipe->criterion == ENTROPIC_CRITERION_DATA) {
    result = inputs_scale(session, data, columns, &inputs);
    if (result)
      goto done;
  }
  if (settings->design)
    result = recipe_load(session, settings->design, &design);
  else
    result = recipe_make(session, recipe, data ? inputs.count : (size_t)settings->inputs, inputs.values, inputs.rows,
                         &design);
  if (result)
    goto done;
  size_t designed = entropic_kernel_inputs(entropic_design_kernel(design));
  if (data && designed != inputs.count) {
    result = complain(session, EXIT_DATA, "%s: the design is for %zu inputs, %s has %zu", settings->design, designed,
                      data, inputs.count);
    goto done;
  }
  if (data)
    inputs_mention(session, columns, &inputs, "");
  result = report(session, settings, design, &inputs);
done:
  entropic_design_free(design);
  inputs_free(&inputs);
  return result;
}

/* Which options go with which. */
static int check(const cli_session *session, const design_settings *settings, const recipe_settings *recipe,
                 const char *data, const cli_arguments *arguments) {
  const char *refused = recipe_given(&design_command, arguments);
  if (settings->design && refused)
    return complain(session, EXIT_USAGE, "--design brings its own kernel and features: --%s cannot be given", refused);
  if (settings->design && settings->inputs)
    return complain(session, EXIT_USAGE, "--design knows its inputs: --inputs cannot be given");
  if (!data && !settings->inputs && !settings->design)
    return complain(session, EXIT_USAGE, "DATA, --inputs D or --design FILE is needed");
  if (data && settings->inputs)
    return complain(session, EXIT_USAGE, "give DATA or --inputs, not both");
  const char *about = option_given_of(&design_command, arguments, input_options);
  if (!about)
    about = option_given_of(&design_command, arguments, reading_options);
  if (!data && about)
    return complain(session, EXIT_USAGE, "--%s is about DATA, which is not given", about);
  if (!data && recipe->criterion == ENTROPIC_CRITERION_DATA)
    return complain(session, EXIT_USAGE, "--criterion data needs DATA");
  const cli_destination places[] = {{"the list", settings->path, false},
                                    {"the design", settings->save_design, false},
                                    {"DATA", data, true},
                                    {"the saved design", settings->design, true}};
  int result = destinations_check(session, places, sizeof places / sizeof *places);
  return result ? result : recipe_check_alone(session, recipe, &design_command, arguments);
}

static int run_design(cli_session *session, int argc, char **argv) {
  design_settings settings = {.path = "-"};
  input_settings columns = {0};
  recipe_settings recipe = recipe_default();
  reading_settings reading = {0};
  common_settings common = {0};
  cli_arguments arguments;
  void *values[] = {&settings, &columns, &recipe, &recipe, &reading, &common};
  int result = options_parse(session, &design_command, argc, argv, values, &arguments);
  if (result >= 0)
    return result;
  const char *data = arguments.count ? arguments.plain[0] : NULL;
  result = check(session, &settings, &recipe, data, &arguments);
  if (result)
    return result;
  if (settings.threads)
    entropic_context_set_threads(session->context, (int)settings.threads);
  return work(session, &settings, &recipe, &columns, &reading, data);
}
