/* The languages of exports, one line each. The parameter `lang`, help, completion, the endings of files and exports themselves
 * are made from it: docs/adding-a-language.md. */
#ifndef ENT_DESIGN_LANGUAGE_MAP_H
#define ENT_DESIGN_LANGUAGE_MAP_H

#include <stddef.h>

/* The name, which --lang has, and ent_export_NAME of src/export/; whether there are numbers of single precision; endings of
 * files that are in this language; what it is. The first line is the default. */
#define ENT_LANGUAGE_MAP(X)                                                                                            \
  X(c, true, ".c .h .cc .cpp .cxx .hpp .inc .txt .out", "one file of C99 without dependencies")                        \
  X(js, false, ".js .mjs", "a module of JavaScript, for node and browsers")                                            \
  X(json, false, ".json", "the numbers alone, for programs in any language")

/* One line about a language; NULL for a number that is none. */
const char *ent_language_help(size_t language);

#endif
