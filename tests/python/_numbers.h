/* Reading and printing of plain numbers, for the drivers. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

static inline void stop(const char *message) {
  fprintf(stderr, "driver: %s\n", message);
  exit(EXIT_FAILURE);
}

static inline double read_number(void) {
  char text[64];
  double value = 0;
  if (scanf("%63s", text) != 1 || entropic_parse_double(text, strlen(text), &value) != ENTROPIC_OK)
    stop("a number was expected");
  return value;
}

static inline size_t read_size(void) {
  return (size_t)read_number();
}

static inline double *read_array(size_t count) {
  double *values = calloc(count + 1, sizeof *values);
  if (values == NULL)
    stop("out of memory");
  for (size_t i = 0; i < count; i++)
    values[i] = read_number();
  return values;
}

static inline void show(const char *name, const double *values, size_t count) {
  char text[ENTROPIC_NUMBER_SIZE];
  fputs(name, stdout);
  for (size_t i = 0; i < count; i++) {
    entropic_format_double(values[i], text);
    printf(" %s", text);
  }
  putchar('\n');
}

#endif
