/* How fast tables are read. With files: the best of several readings of each, in seconds, one a line; scripts/bench-read
 * runs this in turns with other programs. With --generate BYTES FILE: writes a table of about that size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "entropic/entropic.h"

#define COLUMNS 20

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Numbers of several kinds: long and short fractions, integers, exponents. */
static size_t write_cell(char *text, size_t column, entropic_random *random) {
  double x = entropic_random_normal(random);
  switch (column % 4) {
  case 0:
    return entropic_format_double(x, text);
  case 1:
    return (size_t)sprintf(text, "%.3f", 100 * x);
  case 2:
    return (size_t)sprintf(text, "%d", (int)(1000 * x));
  default:
    return (size_t)sprintf(text, "%.6g", 1e-4 * x);
  }
}

static int generate(size_t bytes, const char *path) {
  FILE *file = fopen(path, "wb");
  if (file == NULL)
    return 1;
  entropic_random random = entropic_random_start(1, 1);
  size_t written = 0;
  for (size_t column = 0; column < COLUMNS; column++)
    fprintf(file, "column%zu%c", column + 1, column + 1 < COLUMNS ? ',' : '\n');
  while (written < bytes) {
    char line[COLUMNS * (ENTROPIC_NUMBER_SIZE + 1)], *p = line;
    for (size_t column = 0; column < COLUMNS; column++) {
      p += write_cell(p, column, &random);
      *p++ = column + 1 < COLUMNS ? ',' : '\n';
    }
    written += fwrite(line, 1, (size_t)(p - line), file);
  }
  return fclose(file) != 0;
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "--generate") == 0)
    return generate(strtoull(argv[2], NULL, 10), argv[3]);
  entropic_context *context;
  if (entropic_context_create(&context) != ENTROPIC_OK)
    return 1;
  int failed = 0;
  for (int i = 1; i < argc; i++) {
    const char *path = argv[i];
    entropic_table *table;
    double start = seconds_now();
    if (entropic_table_load(context, &path, 1, NULL, &table) != ENTROPIC_OK) {
      fprintf(stderr, "%s\n", entropic_context_message(context));
      failed = 1;
      continue;
    }
    printf("%.6f %zu %zu\n", seconds_now() - start, entropic_table_rows(table), entropic_table_columns(table));
    entropic_table_free(table);
  }
  entropic_context_free(context);
  return failed;
}
