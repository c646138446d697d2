/* entropic export: a model in a language of programs. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "models.h"

typedef struct export_settings {
  const char *path;
} export_settings;

static const cli_option export_options[] = {{.name = "output",
                                             .letter = 'o',
                                             .kind = OPTION_TEXT,
                                             .offset = offsetof(export_settings, path),
                                             .value = "FILE",
                                             .help =
                                                 "where to write it; - (the default) is standard output; its ending\n"
                                                 "says the language, unless --lang does"},
                                            {0}};

static int run_export(cli_session *session, int argc, char **argv);

const cli_command export_command = {
    .name = "export",
    .summary = "a model as a file of C or another language, to predict without entropic",
    .usage = "MODEL [-o FILE] [options]",
    .text = "Writes a model as one file, in a language of --lang. It scales inputs, knows categories by\n"
            "name and missing values, and has predictions, probabilities, the effects of inputs if the\n"
            "model keeps the marginals of its training rows, and intervals if the model has them.\n"
            "Predictions are those of 'entropic predict' to 12 digits. The export of a model that contains\n"
            "training rows contains them, too.\n"
            "C is tables and a short loop, without allocation and without a library but the C\n"
            "library's mathematics. Compiled with -DENTROPIC_EXPORT_TEST the file is a program that\n"
            "tests itself, with -DENTROPIC_EXPORT_MAIN one that predicts CSV rows; its argument is a\n"
            "level of intervals.",
    .example = "entropic generate friedman1 -o friedman1.csv\n"
               "entropic fit friedman1.csv --target y --quiet\n"
               "entropic export friedman1.entropic -o friedman1.c\n"
               "cc -DENTROPIC_EXPORT_MAIN friedman1.c -o friedman1 -lm\n"
               "./friedman1 0.9 < friedman1.csv | head -n 3",
    .options = export_options,
    .purpose = ENTROPIC_PURPOSE_EXPORT,
    .operands = {"MODEL"},
    .least = 1,
    .most = 1,
    .run = run_export,
};

/* Complains of an ending that is no language's, and names those there are. */
static int complain_ending(const cli_session *session, const char *path, const char *ending) {
  char known[512] = "";
  size_t used = 0;
  for (size_t i = 0; i < entropic_language_count() && used < sizeof known; i++)
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s (%s)", i > 0 ? ", " : "",
                             entropic_language_name(i), entropic_language_endings(i));
  return complain(session, EXIT_USAGE,
                  "%s: cannot export to %s; the languages are %s, and --lang selects one for any file name", path,
                  ending, known);
}

/* Is an ending with its point one of a list with blanks between them? */
static bool is_listed(const char *list, const char *ending) {
  for (size_t length; *list; list += length + (list[length] == ' ')) {
    length = strcspn(list, " ");
    if (length == strlen(ending) && !strncmp(list, ending, length))
      return true;
  }
  return false;
}

/* The language that the name of the file says, unless one was asked for. An exit status. */
static int guess_language(const cli_session *session, const char *path) {
  const char *name = strrchr(path, '/'), *dot = strrchr(name ? name : path, '.');
  bool ends = dot && dot > (name ? name + 1 : path) && dot[1];
  if (entropic_parameters_is_set(session->parameters, "lang") || !ends)
    return EXIT_DONE;
  for (size_t i = 0; i < entropic_language_count(); i++) {
    if (!is_listed(entropic_language_endings(i), dot))
      continue;
    entropic_status status =
        entropic_parameters_set(session->context, session->parameters, "lang", entropic_language_name(i));
    return status ? complain_library(session, status) : EXIT_DONE;
  }
  return complain_ending(session, path, dot);
}

static int run_export(cli_session *session, int argc, char **argv) {
  export_settings settings = {.path = "-"};
  cli_arguments arguments;
  int result = options_parse(session, &export_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  const char *path = arguments.plain[0];
  const cli_destination places[] = {{"the export", settings.path, false}, {"the model", path, true}};
  entropic_model *model = NULL;
  unsigned char *bytes = NULL;
  size_t count = 0;
  result = destinations_check(session, places, sizeof places / sizeof *places);
  if (!result)
    result = guess_language(session, settings.path);
  if (!result)
    result = model_open(session, path, &model);
  if (result)
    return result;
  entropic_status status = entropic_model_export_memory(session->context, model, session->parameters, &bytes, &count);
  entropic_model_free(model);
  if (status)
    return complain_about(session, path, status);
  cli_output *output = output_begin(session, settings.path, &result);
  if (output) {
    output_bytes(output, bytes, count);
    result = output_end(output, true);
  }
  entropic_bytes_free(bytes);
  return result;
}
