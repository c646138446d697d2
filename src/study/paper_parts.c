/* Which experiments of the paper are run. */
#include <string.h>

#include "base/parameters.h"
#include "base/text.h"
#include "study/paper.h"

static const char *name_of(unsigned part) {
  static const char *const names[ENT_PARTS - ENT_SETS] = {"table2", "table3", "kernels", "rates", "sparse", "claims"};
  return part < ENT_SETS ? ent_sets[part].name : names[part - ENT_SETS];
}

static entropic_status refuse(entropic_context *context, const char *name, size_t length) {
  char shown[ENT_SHOW_SIZE], all[160] = "";
  ent_nearest nearest = ent_nearest_start(name, length);
  for (unsigned part = 0; part < ENT_PARTS; part++) {
    ent_nearest_try(&nearest, name_of(part), strlen(name_of(part)));
    strcat(strcat(all, name_of(part)), ", ");
  }
  bool close = nearest.best != NULL;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "only: '%s' is not an experiment of the paper%s%.*s%s (%snone)",
                  ent_show(name, length, shown), close ? ", did you mean " : "", close ? (int)nearest.best_length : 0,
                  close ? nearest.best : "", close ? "?" : "", all);
}

entropic_status ent_paper_parts(entropic_context *context, const char *names, unsigned *parts) {
  unsigned made = 0;
  if (names == NULL) {
    *parts = (1U << ENT_PARTS) - 1;
    return ENTROPIC_OK;
  }
  if (strcmp(names, "none") == 0) {
    *parts = 0;
    return ENTROPIC_OK;
  }
  for (const char *name = names;; name++) {
    size_t length = strcspn(name, ",");
    unsigned part = 0;
    while (part < ENT_PARTS && (strlen(name_of(part)) != length || memcmp(name_of(part), name, length) != 0))
      part++;
    if (part == ENT_PARTS)
      return refuse(context, name, length);
    made |= 1U << part;
    name += length;
    if (*name == '\0')
      break;
  }
  *parts = made;
  return ENTROPIC_OK;
}
