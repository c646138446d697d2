/* The commands, and what `help` and `--version` print. */
#ifndef ENTROPIC_CLI_COMMANDS_H
#define ENTROPIC_CLI_COMMANDS_H

#include "options.h"

extern const cli_command generate_command;
extern const cli_command fit_command;
extern const cli_command predict_command;
extern const cli_command score_command;
extern const cli_command explain_command;
extern const cli_command export_command;
extern const cli_command info_command;
extern const cli_command features_command;
extern const cli_command design_command;
extern const cli_command collect_command;
extern const cli_command merge_command;
extern const cli_command solve_command;
extern const cli_command update_command;
extern const cli_command forget_command;
extern const cli_command receipt_command;
extern const cli_command compare_command;
extern const cli_command paper_command;

/* All of them, NULL after the last. */
extern const cli_command *const all_commands[];

/* NULL if there is none of that name. */
const cli_command *command_find(const char *name);
/* Complains about a name that is no command. */
int command_unknown(const cli_session *session, const char *name);

/* The whole command, with a context of its own: an exit status. cluster: the ranks it runs on; NULL: none. */
int command_main(int argc, char **argv, const cli_cluster *cluster);

/* The help of one command, or with NULL of all commands, on standard output. An exit status. */
int print_help(const cli_session *session, const cli_command *command);
int print_version(const cli_session *session);
/* All commands, options and parameters as JSON on standard output. */
int print_reference(const cli_session *session);

#endif
