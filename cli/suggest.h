/* "Did you mean ...?" */
#ifndef ENTROPIC_CLI_SUGGEST_H
#define ENTROPIC_CLI_SUGGEST_H

#include <stddef.h>

typedef struct cli_suggestion {
  const char *typed;
  const char *best; /* NULL while nothing is near enough */
  size_t distance;
} cli_suggestion;

cli_suggestion suggestion_start(const char *typed);
/* Keeps the candidate if it is nearer to what was typed than those before it. The string is kept by its pointer. */
void suggestion_try(cli_suggestion *suggestion, const char *candidate);

#endif
