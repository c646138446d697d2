/* Standard input from the output of a command, and back. */
#ifndef STANDARD_INPUT_H
#define STANDARD_INPUT_H

#include "unit/tests.h"

typedef struct piped_input {
  FILE *pipe;
  int old; /* what standard input was; negative: closed */
} piped_input;

static inline piped_input pipe_input(const char *command) {
  piped_input input = {.pipe = popen(command, "r")};
  assert_non_null(input.pipe);
  input.old = dup(STDIN_FILENO);
  dup2(fileno(input.pipe), STDIN_FILENO);
  return input;
}

static inline void restore_input(piped_input input) {
  if (input.old >= 0)
    dup2(input.old, STDIN_FILENO);
  else
    close(STDIN_FILENO);
  close(input.old);
  pclose(input.pipe);
}

#endif
