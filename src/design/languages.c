/* What is public of the languages of exports: see language_map.h. */
#include "design/language_map.h"
#include "entropic/entropic.h"

static const struct ent_language_row {
  const char *name, *endings, *help;
} rows[] = {
#define ENT_LANGUAGE_ROW(name, single, endings, help) {#name, endings, help},
    ENT_LANGUAGE_MAP(ENT_LANGUAGE_ROW)
#undef ENT_LANGUAGE_ROW
};

size_t entropic_language_count(void) {
  return sizeof rows / sizeof rows[0];
}

const char *entropic_language_name(size_t language) {
  return language < entropic_language_count() ? rows[language].name : NULL;
}

const char *ent_language_help(size_t language) {
  return language < entropic_language_count() ? rows[language].help : NULL;
}

const char *entropic_language_endings(size_t language) {
  return language < entropic_language_count() ? rows[language].endings : NULL;
}
