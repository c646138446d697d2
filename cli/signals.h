/* Interruption without half-written files, and quiet ends of pipes. */
#ifndef ENTROPIC_CLI_SIGNALS_H
#define ENTROPIC_CLI_SIGNALS_H

#include <stdbool.h>

/* Installs the handlers, and makes sure that descriptors 0, 1 and 2 are taken, so that no file opened later ends up as
 * standard output by accident. */
void signals_install(void);

/* While a file is being written (calls nest) the first SIGINT, SIGTERM, SIGHUP, SIGQUIT or SIGXCPU is only remembered,
 * for signals_end; otherwise, and when asked again a while later, they end the process at once, as they do by
 * default. */
void signals_hold(void);
void signals_release(void);

/* 128 + the number of a remembered signal, 0 if there was none. */
int signals_pending(void);

/* Whether a write met a pipe that nobody reads any more. */
bool signals_pipe_broken(void);
#define EXIT_PIPE 141

/* The last thing in main: if a signal is remembered or a pipe was broken, the process dies by that signal now that
 * everything is cleaned up. Otherwise returns `result`. */
int signals_end(int result);

#endif
