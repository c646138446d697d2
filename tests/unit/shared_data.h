/* Real data, where they are: ../shared/data, or where ENTROPIC_CRITERION_DATA points. */
#ifndef SHARED_DATA_H
#define SHARED_DATA_H

#include "unit/tests.h"

/* The path of a file of the data, or NULL without them; overwritten by the next call. */
static inline const char *data(const char *name) {
  static char path[4200];
  const char *folder = getenv("ENTROPIC_DATA"), *source = getenv("ENTROPIC_SOURCE");
  if (folder != NULL && folder[0] != '\0')
    snprintf(path, sizeof path, "%s/%s", folder, name);
  else
    snprintf(path, sizeof path, "%s/../shared/data/%s", source == NULL ? "." : source, name);
  return access(path, R_OK) == 0 ? path : NULL;
}

/* A test of files that are not there says so and is skipped. */
static inline void need_data(void) {
  if (data("README.md") != NULL)
    return;
  print_message("# no data at ../shared/data or ENTROPIC_CRITERION_DATA\n");
  skip();
}

#endif
