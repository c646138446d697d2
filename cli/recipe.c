#include "recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "signals.h"

#define OMEGA_LOW 1e-6 /* as the help and the message below have them */
#define OMEGA_HIGH 1e4
#define MOST_FEATURES 2147483647

/* The kernels of numbers that need no functions of the caller's. */
static bool kernel_choice(size_t position, cli_choice *choice) {
  for (size_t i = 0; i < entropic_family_count(); i++) {
    entropic_family family = (entropic_family)i;
    if (entropic_family_has(family, ENTROPIC_TRAIT_CATEGORIES) || entropic_family_has(family, ENTROPIC_TRAIT_FUNCTIONS))
      continue;
    if (position-- == 0) {
      *choice = (cli_choice){(int)i, entropic_family_name(family), entropic_family_help(family)};
      return true;
    }
  }
  return false;
}

const cli_option amount_options[] = {
    {.name = "features",
     .kind = OPTION_COUNT,
     .offset = offsetof(recipe_settings, features),
     .value = "M",
     .least = 1,
     .most = MOST_FEATURES,
     .help = "how many features (200)"},
    {.name = "nonzeros",
     .kind = OPTION_COUNT,
     .offset = offsetof(recipe_settings, nonzeros),
     .value = "B",
     .least = 1,
     .most = MOST_FEATURES,
     .help = "instead: how many non-zeros a row at most"},
    {.name = "omega",
     .kind = OPTION_TEXT,
     .offset = offsetof(recipe_settings, omega),
     .value = "W",
     .help = "its parameter, 1e-6 to 1e4 (1), or a comma list, one for each input;\nnot every kernel has it"},
    {.name = "seed",
     .kind = OPTION_COUNT,
     .offset = offsetof(recipe_settings, seed),
     .value = "K",
     .most = UINT64_MAX,
     .help = "of the random choice of --choice paper (1)"},
    {0}};

const cli_option shape_options[] = {
    {.name = "kernel",
     .kind = OPTION_CHOICE,
     .offset = offsetof(recipe_settings, kernel),
     .choice = kernel_choice,
     .help = "the kernel of each input (centred); w is --omega:"},
    {.name = "basis",
     .kind = OPTION_CHOICE,
     .offset = offsetof(recipe_settings, basis),
     .value = "full|interior",
     .help = "with boundary atoms (full); interior keeps only hats, which are\nzero at 0 and 1"},
    {.name = "criterion",
     .kind = OPTION_CHOICE,
     .offset = offsetof(recipe_settings, criterion),
     .value = "l2|sup|data",
     .help = "what makes a feature good (l2)"},
    {.name = "smooth",
     .kind = OPTION_COUNT,
     .offset = offsetof(recipe_settings, smooth),
     .value = "J",
     .least = 0,
     .most = 8,
     .help = "adds Legendre atoms up to degree J (0), where the kernel can have them"},
    {.name = "max-level",
     .kind = OPTION_COUNT,
     .offset = offsetof(recipe_settings, max_level),
     .value = "L",
     .least = 0,
     .most = ENTROPIC_MAX_LEVEL,
     .help = "the deepest level of hats (16)"},
    {.name = "max-order",
     .kind = OPTION_COUNT,
     .offset = offsetof(recipe_settings, max_order),
     .value = "K",
     .least = 1,
     .most = MOST_FEATURES,
     .help = "at most K active inputs in a feature (no limit)"},
    {.name = "choice",
     .kind = OPTION_CHOICE,
     .offset = offsetof(recipe_settings, choice),
     .value = "best|paper",
     .help = "the best features, or some of the source paper's set at random\n(best; paper: interior basis only)"},
    {0}};

recipe_settings recipe_default(void) {
  entropic_axis_options axis = entropic_axis_options_default();
  entropic_design_options design = entropic_design_options_default();
  return (recipe_settings){.kernel = (int)axis.family,
                           .basis = (int)axis.basis,
                           .max_level = (uint64_t)axis.max_level,
                           .criterion = (int)design.criterion,
                           .choice = (int)design.choice,
                           .seed = 1};
}

const char *recipe_given(const cli_command *command, const cli_arguments *arguments) {
  const char *name = option_given_of(command, arguments, amount_options);
  return name ? name : option_given_of(command, arguments, shape_options);
}

/* One number of a list, with blanks around it. */
static bool parse_omega(const char *text, size_t length, double *omega) {
  size_t blanks = strspn(text, " "), end = length;
  while (end > blanks && text[end - 1] == ' ')
    end--;
  return end > blanks && !entropic_parse_double(text + blanks, end - blanks, omega) && *omega >= OMEGA_LOW &&
         *omega <= OMEGA_HIGH;
}

/* Reads the numbers of a list, of which the first `room` are kept; none if it is left open. An exit status. */
static int parse_omegas(const cli_session *session, const char *text, double *omegas, size_t room, size_t *count) {
  *count = 0;
  if (!text || !strcmp(text, "auto"))
    return EXIT_DONE;
  for (size_t length; text; text = text[length] ? text + length + 1 : NULL) {
    double omega;
    length = strcspn(text, ",");
    if (!parse_omega(text, length, &omega))
      return complain(session, EXIT_USAGE, "--omega %.*s: expected a number from 1e-6 to 1e4", (int)length, text);
    if (*count < room)
      omegas[*count] = omega;
    ++*count;
  }
  return EXIT_DONE;
}

int recipe_check(const cli_session *session, const recipe_settings *settings, const cli_command *command,
                 const cli_arguments *arguments) {
  if (settings->features && settings->nonzeros)
    return complain(session, EXIT_USAGE, "give --features or --nonzeros, not both");
  if (settings->choice == ENTROPIC_SELECT_PAPER && settings->basis != ENTROPIC_BASIS_INTERIOR)
    return complain(session, EXIT_USAGE, "--choice paper needs --basis interior");
  if (settings->smooth == 1)
    return complain(session, EXIT_USAGE, "--smooth 1: the smooth atoms start at degree 2; 0 is for none");
  entropic_family family = (entropic_family)settings->kernel;
  bool smooth = settings->smooth != SMOOTH_AUTO && settings->smooth > 0;
  if (smooth && settings->basis != ENTROPIC_BASIS_FULL)
    return complain(session, EXIT_USAGE, "--smooth needs --basis full");
  if (smooth && !entropic_family_has(family, ENTROPIC_TRAIT_SMOOTH))
    return complain(session, EXIT_USAGE, "--smooth does not go with --kernel %s, which has no smooth atoms",
                    entropic_family_name(family));
  if (!entropic_family_has(family, ENTROPIC_TRAIT_OMEGA) && option_given(command, arguments, "omega"))
    return complain(session, EXIT_USAGE, "--omega does not go with --kernel %s, which has no parameter",
                    entropic_family_name(family));
  size_t count;
  return parse_omegas(session, settings->omega, NULL, 0, &count);
}

int recipe_check_alone(const cli_session *session, const recipe_settings *settings, const cli_command *command,
                       const cli_arguments *arguments) {
  int result = recipe_check(session, settings, command, arguments);
  if (result)
    return result;
  if (settings->choice != ENTROPIC_SELECT_PAPER && option_given(command, arguments, "seed"))
    return complain(session, EXIT_USAGE, "--seed needs --choice paper: nothing else is random");
  return EXIT_DONE;
}

int recipe_omegas(const cli_session *session, const recipe_settings *settings, size_t inputs, double **omegas,
                  size_t *count) {
  double *list = calloc(inputs > 0 ? inputs : 1, sizeof *list);
  *omegas = NULL;
  if (!list)
    return complain_memory(session);
  int result = parse_omegas(session, settings->omega, list, inputs, count);
  if (result)
    goto done;
  if (*count > 1 && *count != inputs)
    result = complain(session, EXIT_USAGE, "--omega has %zu numbers, there are %zu inputs", *count, inputs);
  if (result || *count == 0)
    goto done;
  *omegas = list;
  return EXIT_DONE;
done:
  free(list);
  return result;
}

entropic_axis_options recipe_axis(const recipe_settings *settings) {
  entropic_axis_options axis = entropic_axis_options_default();
  axis.family = (entropic_family)settings->kernel;
  axis.basis = (entropic_basis)settings->basis;
  axis.max_level = (int)settings->max_level;
  axis.smooth = (int)settings->smooth;
  return axis;
}

static int make_kernel(const cli_session *session, const recipe_settings *settings, size_t inputs,
                       entropic_kernel **kernel) {
  double *omegas = NULL;
  size_t given = 0;
  int result = recipe_omegas(session, settings, inputs, &omegas, &given);
  if (result)
    return result;
  size_t count = given > 1 ? given : 1;
  entropic_axis_options *axes = calloc(count, sizeof *axes);
  if (!axes) {
    free(omegas);
    return complain_memory(session);
  }
  for (size_t i = 0; i < count; i++) {
    axes[i] = recipe_axis(settings);
    axes[i].omega = omegas ? omegas[i] : axes[i].omega;
  }
  entropic_status status = entropic_kernel_create(session->context, axes, count, inputs, kernel);
  free(axes);
  free(omegas);
  return status ? complain_library(session, status) : EXIT_DONE;
}

int recipe_make(const cli_session *session, const recipe_settings *settings, size_t inputs, const double *sample,
                size_t rows, entropic_design **design) {
  entropic_kernel *kernel = NULL;
  int result = make_kernel(session, settings, inputs, &kernel);
  if (result)
    return result;
  entropic_design_options options = entropic_design_options_default();
  options.choice = (entropic_choice)settings->choice;
  options.criterion = (entropic_criterion)settings->criterion;
  options.nonzeros = (size_t)settings->nonzeros;
  options.features = settings->nonzeros ? 0 : settings->features ? (size_t)settings->features : 200;
  options.max_order = (size_t)settings->max_order;
  options.seed = settings->seed;
  if (settings->criterion == ENTROPIC_CRITERION_DATA) {
    options.sample = sample;
    options.sample_rows = rows;
  }
  entropic_status status = entropic_design_create(session->context, kernel, &options, design);
  entropic_kernel_free(kernel);
  if (status == ENTROPIC_TOO_LARGE) /* it is the options that ask for too much */
    return complain(session, EXIT_USAGE, "%s", entropic_context_message(session->context));
  if (status)
    return complain_library(session, status);
  if (entropic_design_exhausted(*design))
    notice(session, "the kernel has %zu features and %zu groups within these limits, fewer than asked for",
           entropic_design_features(*design), entropic_design_groups(*design));
  return EXIT_DONE;
}

int recipe_load(const cli_session *session, const char *path, entropic_design **design) {
  int result = check_readable(session, path);
  if (result)
    return result;
  entropic_status status = entropic_design_load(session->context, path, design);
  return status ? complain_library(session, status) : EXIT_DONE;
}

int recipe_save(const cli_session *session, const entropic_design *design, const char *path) {
  signals_hold();
  entropic_status status = entropic_design_save(session->context, design, path);
  signals_release();
  if (signals_pending())
    return signals_pending();
  return status ? write_failure(session, status) : EXIT_DONE;
}

/* Whether the axis of an input counts: a model has none that is worth telling where it does not use the input. */
static bool counts(const entropic_model *model, size_t input) {
  entropic_input info;
  return !model || (!entropic_model_input(NULL, model, input, &info) && info.used);
}

/* Of the inputs that are numbers, if there are any: the kernel of categories has no other name. */
static const char *family_of(const entropic_kernel *kernel, const entropic_model *model) {
  entropic_family categories = ENTROPIC_FAMILY_CATEGORY, numbers = categories;
  if (model && !entropic_model_describe(model).inputs_used)
    return "none";
  for (size_t i = 0; i < entropic_kernel_inputs(kernel); i++) {
    entropic_family family = entropic_kernel_axis(kernel, i).family;
    if (entropic_family_has(family, ENTROPIC_TRAIT_CATEGORIES) || !counts(model, i))
      continue;
    if (numbers != categories && numbers != family)
      return "mixed";
    numbers = family;
  }
  return entropic_family_name(numbers);
}

recipe_words recipe_wording(const entropic_kernel *kernel, const entropic_model *model) {
  recipe_words words = {.family = family_of(kernel, model), .low = INFINITY, .high = -INFINITY};
  for (size_t i = 0; i < entropic_kernel_inputs(kernel); i++) {
    entropic_axis_options axis = entropic_kernel_axis(kernel, i);
    if (!entropic_family_has(axis.family, ENTROPIC_TRAIT_OMEGA) || !counts(model, i))
      continue;
    words.low = axis.omega < words.low ? axis.omega : words.low;
    words.high = axis.omega > words.high ? axis.omega : words.high;
    words.smooth = axis.smooth > words.smooth ? axis.smooth : words.smooth;
  }
  return words;
}

void recipe_describe(cli_json *json, const entropic_kernel *kernel, const entropic_model *model) {
  recipe_words words = recipe_wording(kernel, model);
  json_string(json, "kernel", words.family);
  json_count(json, "smooth", (uint64_t)words.smooth);
  if (words.low == words.high) {
    json_number(json, "omega", words.low);
  } else if (words.low > words.high) {
    json_null(json, "omega");
  } else {
    json_open(json, "omega", '[');
    for (size_t i = 0; i < entropic_kernel_inputs(kernel); i++)
      json_number(json, NULL, counts(model, i) ? entropic_kernel_axis(kernel, i).omega : NAN);
    json_close(json, ']');
  }
}

void level_name(const entropic_kernel *kernel, size_t input, size_t level, char name[LEVEL_NAME_SIZE]) {
  entropic_level info = {0};
  name[0] = 0;
  if (entropic_kernel_level(NULL, kernel, input, level, &info))
    return;
  static const char *const names[] = {"constant", "even", "linear", "legendre", "hat", "category", "missing"};
  bool numbered = info.kind == ENTROPIC_KIND_LEGENDRE || info.kind == ENTROPIC_KIND_HAT;
  if (numbered)
    snprintf(name, LEVEL_NAME_SIZE, "%s%d", names[info.kind], info.order);
  else
    snprintf(name, LEVEL_NAME_SIZE, "%s", names[info.kind]);
}
