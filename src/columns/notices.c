/* A growing list of sentences: see notices.h. */
#include "columns/notices.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

entropic_status ent_notices_add(entropic_context *context, ent_notices *notices, const char *format, ...) {
  char text[ENT_MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!ent_reserve(context, &notices->list, &notices->capacity, notices->count + 1, sizeof *notices->list))
    return ENTROPIC_NO_MEMORY;
  notices->list[notices->count] = ent_new_text(context, text, strlen(text));
  if (notices->list[notices->count] == NULL)
    return ENTROPIC_NO_MEMORY;
  notices->count++;
  return ENTROPIC_OK;
}

const char *ent_notices_get(const ent_notices *notices, size_t index) {
  return index < notices->count ? notices->list[index] : NULL;
}

void ent_notices_clear(ent_notices *notices) {
  for (size_t i = 0; i < notices->count; i++)
    ent_delete(notices->list[i]);
  ent_delete(notices->list);
  *notices = (ent_notices){0};
}
