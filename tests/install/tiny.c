/* A minimal program: do the installed header and the installed library match? */
#include <entropic/entropic.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char expected[64];
  snprintf(expected, sizeof expected, "%d.%d.%d", ENTROPIC_VERSION_MAJOR, ENTROPIC_VERSION_MINOR,
           ENTROPIC_VERSION_PATCH);
  if (strcmp(entropic_version(), expected) != 0)
    return 1;

  entropic_context *context = NULL;
  if (entropic_context_create(&context) != ENTROPIC_OK)
    return 1;
  const char *path = "no such file";
  entropic_table *table = NULL;
  entropic_status status = entropic_table_load(context, &path, 1, NULL, &table); /* reaches zlib */
  entropic_context_free(context);
  puts(expected);
  return status == ENTROPIC_SYSTEM && table == NULL ? 0 : 1;
}
