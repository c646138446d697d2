/* Runs one suite, by its name: `unit base_number`. Without a name it lists them. */
#include "suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static test_suite *suites; /* in the order of their names */

void test_suite_register(test_suite *suite) {
  test_suite **place = &suites;
  while (*place != NULL && strcmp((*place)->name, suite->name) < 0)
    place = &(*place)->next;
  if (*place != NULL && strcmp((*place)->name, suite->name) == 0) {
    fprintf(stderr, "two suites have the name %s\n", suite->name);
    abort();
  }
  suite->next = *place;
  *place = suite;
}

static int list_suites(void) {
  for (const test_suite *suite = suites; suite != NULL; suite = suite->next)
    puts(suite->name);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 1)
    return list_suites();
  for (const test_suite *suite = suites; argc == 2 && suite != NULL; suite = suite->next)
    if (strcmp(suite->name, argv[1]) == 0)
      return suite->run();
  fprintf(stderr, "usage: %s [SUITE]; without one the suites are listed%s%s\n", argv[0],
          argc == 2 ? ", and there is no " : "", argc == 2 ? argv[1] : "");
  return 2;
}
