/* Libraries at run time: see dynamic.h. */
#include "base/dynamic.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENT_PATH_MOST 4096

/* Finds all functions; false if one is not there. */
static bool take_symbols(void *library, const ent_dynamic_request *request, void *functions,
                         char problem[ENT_DYNAMIC_PROBLEM]) {
  for (size_t i = 0; i < request->count; i++) {
    const ent_dynamic_symbol *symbol = &request->symbols[i];
    void *found = dlsym(library, symbol->name);
    if (found == NULL && !symbol->optional) {
      snprintf(problem, ENT_DYNAMIC_PROBLEM, "it has no function %s", symbol->name);
      return false;
    }
    memcpy((char *)functions + symbol->offset, &found, sizeof found);
  }
  return true;
}

/* Loads one library; false if that fails. */
static bool try_library(const char *path, const ent_dynamic_request *request, void *functions,
                        char problem[ENT_DYNAMIC_PROBLEM]) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *why = dlerror();
    snprintf(problem, ENT_DYNAMIC_PROBLEM, "%s", why == NULL ? "it cannot be loaded" : why);
    return false;
  }
  if (take_symbols(library, request, functions, problem))
    return true;
  dlclose(library);
  return false;
}

/* The first problem is kept: it is about the name that should have done. */
bool ent_dynamic_load(const ent_dynamic_request *request, void *functions, char problem[ENT_DYNAMIC_PROBLEM]) {
  const char *given = getenv(request->variable), *home = getenv("HOME");
  char later[ENT_DYNAMIC_PROBLEM] = "", path[ENT_PATH_MOST];
  problem[0] = '\0';
  if (given != NULL && given[0] != '\0')
    return try_library(given, request, functions, problem);
  for (const char *const *name = request->names; *name != NULL; name++) {
    bool below_home = strncmp(*name, "~/", 2) == 0;
    if (below_home && home == NULL)
      continue;
    snprintf(path, sizeof path, "%s%s", below_home ? home : "", *name + below_home);
    if (try_library(path, request, functions, problem[0] == '\0' ? problem : later))
      return true;
  }
  return false;
}
