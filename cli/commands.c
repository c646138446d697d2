/* Finds the command that is asked for and runs it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "output.h"
#include "suggest.h"

const cli_command *const all_commands[] = {
    &generate_command, &fit_command,      &predict_command, &score_command,   &explain_command, &export_command,
    &info_command,     &features_command, &design_command,  &collect_command, &merge_command,   &solve_command,
    &update_command,   &forget_command,   &receipt_command, &compare_command, &paper_command,   NULL};

const cli_command *command_find(const char *name) {
  for (const cli_command *const *at = all_commands; *at; at++)
    if (!strcmp((*at)->name, name))
      return *at;
  return NULL;
}

int command_unknown(const cli_session *session, const char *name) {
  if (!strcmp(name, "version"))
    return complain(session, EXIT_USAGE, "unknown command version: did you mean --version?");
  cli_suggestion near = suggestion_start(name);
  for (const cli_command *const *at = all_commands; *at; at++)
    suggestion_try(&near, (*at)->name);
  suggestion_try(&near, "help");
  if (near.best)
    return complain(session, EXIT_USAGE, "unknown command %s: did you mean %s?", name, near.best);
  return complain(session, EXIT_USAGE, "unknown command %s: see 'entropic --help'", name);
}

static int run_help(cli_session *session, int argc, char **argv) {
  if (argc > 1)
    return complain(session, EXIT_USAGE, "usage: entropic help [COMMAND]");
  if (argc == 0)
    return print_help(session, NULL);
  if (!strcmp(argv[0], "--json"))
    return print_reference(session);
  if (!strcmp(argv[0], "help") || !strcmp(argv[0], "--help") || !strcmp(argv[0], "-h"))
    return print_help(session, NULL);
  const cli_command *command = command_find(argv[0]);
  return command ? print_help(session, command) : command_unknown(session, argv[0]);
}

static int run(cli_session *session, int argc, char **argv) {
  if (argc < 2) {
    complain(session, EXIT_USAGE, "a command is required; 'entropic help COMMAND' describes each of these:");
    for (const cli_command *const *at = all_commands; *at; at++)
      fprintf(stderr, "  %-12s%s\n", (*at)->name, (*at)->summary);
    return EXIT_USAGE;
  }
  const char *name = argv[1];
  if (!strcmp(name, "--version"))
    return print_version(session);
  if (!strcmp(name, "--help") || !strcmp(name, "-h"))
    return print_help(session, NULL);
  if (!strcmp(name, "help"))
    return run_help(session, argc - 2, argv + 2);
  if (name[0] == '-')
    return complain(session, EXIT_USAGE, "unknown option %s: see 'entropic --help'", name);
  const cli_command *command = command_find(name);
  if (!command)
    return command_unknown(session, name);
  if (session->cluster && command != &fit_command)
    return complain(session, EXIT_USAGE, "entropic-mpi can only fit: use 'entropic %s'", name);
  session->command = command->name;
  return command->run(session, argc - 2, argv + 2);
}

int command_main(int argc, char **argv, const cli_cluster *cluster) {
  cli_session session = {.argc = argc, .argv = argv, .cluster = cluster};
  memory_keep(SIZE_MAX);
  if (entropic_context_create(&session.context))
    return complain_memory(&session);
  cli_progress bar = progress_start(&session, "working");
  session.bar = &bar;
  if (cluster)
    entropic_context_set_threads(session.context, cluster->threads);
  int result = run(&session, argc, argv);
  progress_end(session.bar);
  entropic_parameters_free(session.parameters);
  free(session.files);
  entropic_context_free(session.context);
  return result;
}
