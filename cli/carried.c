#include "carried.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX_SIZE 24

int carried_start(const cli_session *session, entropic_row_reader *reader, const char *list, cli_carried *carried) {
  if (!list)
    return EXIT_DONE;
  entropic_status status = entropic_row_reader_carry(session->context, reader, list);
  if (status)
    return complain_library(session, status);
  size_t count = entropic_row_reader_carried(reader);
  carried->reader = reader;
  carried->names = calloc(count, sizeof *carried->names);
  if (!carried->names)
    return complain_memory(session);
  carried->count = count;
  for (size_t i = 0; i < count; i++) {
    const char *name = entropic_row_reader_carried_name(reader, i);
    carried->names[i] = malloc(strlen(name) + SUFFIX_SIZE);
    if (!carried->names[i])
      return complain_memory(session);
    strcpy(carried->names[i], name);
  }
  return EXIT_DONE;
}

static bool is_carried(const cli_carried *carried, const char *name, size_t but) {
  for (size_t i = 0; i < carried->count; i++)
    if (i != but && !strcmp(carried->names[i], name))
      return true;
  return false;
}

void carried_rename(const cli_session *session, cli_carried *carried, carried_taken taken, const void *user) {
  for (size_t i = 0; i < carried->count; i++) {
    char *name = carried->names[i];
    size_t length = strlen(name);
    if (!taken(user, name))
      continue;
    for (size_t number = 1; taken(user, name) || is_carried(carried, name, i); number++)
      snprintf(name + length, SUFFIX_SIZE, ".%zu", number);
    notice(session, "column %.*s of DATA is renamed %s: the predictions already have a column of that name",
           (int)length, name, name);
  }
}

void carried_clear(cli_carried *carried) {
  for (size_t i = 0; i < carried->count; i++)
    free(carried->names[i]);
  free(carried->names);
  *carried = (cli_carried){0};
}

void carried_header(const cli_carried *carried, cli_output *output) {
  for (size_t i = 0; i < carried->count; i++) {
    output_field(output, "", carried->names[i]);
    output_character(output, ',');
  }
}

void carried_write(const cli_carried *carried, cli_output *output, size_t row) {
  for (size_t i = 0; i < carried->count; i++) {
    const char *text = entropic_row_reader_carried_text(carried->reader, row, i);
    if (text && *text) /* a missing value is an empty field, as in DATA */
      output_field(output, "", text);
    output_character(output, ',');
  }
}
