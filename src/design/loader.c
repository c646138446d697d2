/* Reading the text of a design line by line: see loader.h. */
#include "design/loader.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

entropic_status ent_loader_expected(ent_loader *loader, const char *what) {
  char shown[ENT_SHOW_SIZE];
  return ent_fail(loader->context, ENTROPIC_BAD_DATA, "%s, line %zu: expected %s, found '%s'",
                  loader->lines.bytes->name, loader->lines.line, what, ent_show(loader->at, strlen(loader->at), shown));
}

entropic_status ent_loader_locate(ent_loader *loader, entropic_status status, size_t line) {
  char message[ENT_MESSAGE_SIZE];
  if (status == ENTROPIC_OK || status == ENTROPIC_NO_MEMORY)
    return status;
  snprintf(message, sizeof message, "%s", loader->context != NULL ? loader->context->message : "");
  if (line == 0)
    return ent_fail(loader->context, ENTROPIC_BAD_DATA, "%s: %s", loader->lines.bytes->name, message);
  return ent_fail(loader->context, ENTROPIC_BAD_DATA, "%s, line %zu: %s", loader->lines.bytes->name, line, message);
}

entropic_status ent_loader_next(ent_loader *loader, const char *what) {
  bool more;
  entropic_status status = ent_lines_next(loader->context, &loader->lines, &more);
  if (status != ENTROPIC_OK)
    return status;
  loader->at = loader->lines.text;
  return more ? ENTROPIC_OK : ent_loader_expected(loader, what);
}

bool ent_take_word(ent_loader *loader, const char *word) {
  size_t length = strlen(word);
  if (strncmp(loader->at, word, length) != 0 || (loader->at[length] != ' ' && loader->at[length] != '\0'))
    return false;
  loader->at += length + (loader->at[length] == ' ');
  return true;
}

bool ent_take_integer(ent_loader *loader, uint64_t most, char end, uint64_t *value) {
  const char *at = loader->at;
  uint64_t number = 0;
  if (*at < '0' || *at > '9')
    return false;
  for (; *at >= '0' && *at <= '9'; at++)
    if (__builtin_mul_overflow(number, 10, &number) || __builtin_add_overflow(number, (uint64_t)(*at - '0'), &number))
      return false;
  if (number > most || (*at != end && !(end == ' ' && *at == '\0')))
    return false;
  loader->at = at + (*at != '\0');
  *value = number;
  return true;
}

bool ent_take_double(ent_loader *loader, double *value) {
  size_t length = strcspn(loader->at, " ");
  if (entropic_parse_double(loader->at, length, value) != ENTROPIC_OK)
    return false;
  loader->at += length + (loader->at[length] == ' ');
  return true;
}
