/* Writes one JSON object on one line. Keys are NULL inside arrays. */
#ifndef ENTROPIC_CLI_JSON_H
#define ENTROPIC_CLI_JSON_H

#include "output.h"

typedef struct cli_json {
  cli_output *output;
  bool more; /* a comma is due before the next value */
} cli_json;

cli_json json_start(cli_output *output);
void json_open(cli_json *json, const char *key, char bracket);
void json_close(cli_json *json, char bracket);
/* Bytes that are not UTF-8 become U+FFFD: the result is always valid. */
void json_string(cli_json *json, const char *key, const char *value);
/* NaN and infinity, which JSON does not have, become null. */
void json_number(cli_json *json, const char *key, double value);
void json_count(cli_json *json, const char *key, uint64_t value);
void json_truth(cli_json *json, const char *key, bool value);
void json_null(cli_json *json, const char *key);
/* The newline after the outermost object. */
void json_finish(cli_json *json);

#endif
