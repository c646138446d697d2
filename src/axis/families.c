/* The families of kernels: one table each, in the order of their numbers. */
#include <stdio.h>
#include <string.h>

#include "axis/axis.h"

static const ent_family *const families[] = {
#define ENT_FAMILY_ROW(name, number, table) [number] = &ent_family_##table,
    ENTROPIC_FAMILY_MAP(ENT_FAMILY_ROW)
#undef ENT_FAMILY_ROW
};

size_t ent_family_count(void) {
  return sizeof families / sizeof families[0];
}

const ent_family *ent_family_of(entropic_family family) {
  return (size_t)family < ent_family_count() ? families[family] : NULL;
}

const char *entropic_family_name(entropic_family family) {
  const ent_family *found = ent_family_of(family);
  return found == NULL ? NULL : found->name;
}

const char *ent_family_help(entropic_family family) {
  const ent_family *found = ent_family_of(family);
  return found == NULL ? NULL : found->help;
}

int entropic_family_has(entropic_family family, unsigned traits) {
  const ent_family *found = ent_family_of(family);
  return found != NULL && (found->traits & traits) == traits;
}

int entropic_family_find(const char *name, entropic_family *family) {
  for (size_t i = 0; name != NULL && family != NULL && i < ent_family_count(); i++) {
    if (strcmp(name, families[i]->name) == 0) {
      *family = (entropic_family)i;
      return 1;
    }
  }
  return 0;
}

const char *ent_families_with(unsigned traits, char text[ENT_FAMILIES_SIZE]) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < ent_family_count(); i++) {
    if (!entropic_family_has((entropic_family)i, traits) || /* what nobody asks for is no advice */
        entropic_family_has((entropic_family)i, ENTROPIC_TRAIT_PERIODIC))
      continue;
    int length = snprintf(text + used, ENT_FAMILIES_SIZE - used, "%s%s", used > 0 ? " or " : "", families[i]->name);
    used += (size_t)length < ENT_FAMILIES_SIZE - used ? (size_t)length : ENT_FAMILIES_SIZE - 1 - used;
  }
  return text;
}
