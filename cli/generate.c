/* entropic generate: synthetic tables as CSV. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "output.h"
#include "suggest.h"

typedef struct generate_settings {
  uint64_t rows, seed;
  double noise;
  const char *path;
  bool list;
} generate_settings;

static const cli_option generate_options[] = {
    {.name = "rows",
     .kind = OPTION_COUNT,
     .offset = offsetof(generate_settings, rows),
     .value = "N",
     .least = 1,
     .most = 1000000000,
     .help = "how many rows (1000)"},
    {.name = "noise",
     .kind = OPTION_NUMBER,
     .offset = offsetof(generate_settings, noise),
     .value = "S",
     .low = 0,
     .high = 1e6,
     .help = "standard deviation of the normal noise on y (0)"},
    {.name = "seed",
     .kind = OPTION_COUNT,
     .offset = offsetof(generate_settings, seed),
     .value = "K",
     .most = UINT64_MAX,
     .help = "of the random numbers (1)"},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(generate_settings, path),
     .value = "FILE",
     .help = "output file; - is standard output (-)"},
    {.name = "list", .kind = OPTION_FLAG, .offset = offsetof(generate_settings, list), .help = "lists the functions"},
    {0}};

static int run_generate(cli_session *session, int argc, char **argv);

const cli_command generate_command = {
    .name = "generate",
    .summary = "synthetic tables from known functions",
    .usage = "[NAME] [options]",
    .text = "Writes a table of random inputs and a function's value as CSV, with the header\n"
            "x1, ..., xD, y. The same seed gives the same bytes, and the first rows of a longer\n"
            "table are those of a shorter one. Without NAME: lists the functions (tab-separated:\n"
            "name, inputs, description).",
    .example = "entropic generate friedman1 --rows 500 --noise 1 --seed 7 -o friedman1.csv",
    .options = generate_options,
    .least = 0,
    .most = 1,
    .run = run_generate,
};

static int list_generators(const cli_session *session) {
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, "-", &result);
  if (!output)
    return result;
  for (size_t i = 0; i < entropic_generator_count(); i++) {
    const entropic_generator *generator = entropic_generator_get(i);
    output_string(output, generator->name);
    output_character(output, '\t');
    output_count(output, generator->inputs);
    output_character(output, '\t');
    output_string(output, generator->description);
    output_character(output, '\n');
  }
  return output_end(output, true);
}

static int unknown_generator(const cli_session *session, const char *name) {
  cli_suggestion near = suggestion_start(name);
  for (size_t i = 0; i < entropic_generator_count(); i++)
    suggestion_try(&near, entropic_generator_get(i)->name);
  if (near.best)
    return complain(session, EXIT_USAGE, "unknown function %s: did you mean %s?", name, near.best);
  return complain(session, EXIT_USAGE, "unknown function %s: see 'entropic generate --list'", name);
}

static void write_rows(cli_output *output, const double *values, size_t rows, size_t columns) {
  for (size_t row = 0; row < rows; row++)
    for (size_t d = 0; d < columns; d++) {
      output_number(output, values[row * columns + d]);
      output_character(output, d + 1 < columns ? ',' : '\n');
    }
}

static void write_header(cli_output *output, size_t inputs) {
  for (size_t d = 0; d < inputs; d++) {
    output_character(output, 'x');
    output_count(output, d + 1);
    output_character(output, ',');
  }
  output_string(output, "y\n");
}

/* Rows are made and written in blocks, so that memory does not grow with their number. */
static int write_table(const cli_session *session, const generate_settings *settings,
                       const entropic_generator *generator) {
  const size_t block = 1024, columns = generator->inputs + 1, total = (size_t)settings->rows;
  double *values = calloc(block * columns, sizeof *values);
  if (!values)
    return complain_memory(session);
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, settings->path, &result);
  if (!output) {
    free(values);
    return result;
  }
  write_header(output, generator->inputs);
  cli_progress bar = progress_start(session, "writing");
  for (size_t row = 0; row < total && !output_stopped(output); row += block) {
    size_t rows = total - row < block ? total - row : block;
    entropic_status status =
        entropic_generate(session->context, generator, row, rows, settings->noise, settings->seed, values);
    if (status) {
      result = complain_library(session, status);
      break;
    }
    write_rows(output, values, rows, columns);
    progress_step(&bar, row + rows, total);
  }
  progress_end(&bar);
  free(values);
  int ended = output_end(output, !result);
  return result ? result : ended;
}

static int run_generate(cli_session *session, int argc, char **argv) {
  generate_settings settings = {.rows = 1000, .seed = 1, .path = "-"};
  cli_arguments arguments;
  int result = options_parse(session, &generate_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  if (settings.list && arguments.count)
    return complain(session, EXIT_USAGE, "--list and a name cannot be combined");
  if (!settings.list && !arguments.count && arguments.own)
    return complain(session, EXIT_USAGE, "the name of a function is required: see 'entropic generate --list'");
  if (!arguments.count)
    return list_generators(session);
  const entropic_generator *generator = entropic_generator_find(arguments.plain[0]);
  if (!generator)
    return unknown_generator(session, arguments.plain[0]);
  return write_table(session, &settings, generator);
}
