/* Shared libraries that are looked for at run time, so that nobody needs them who does not use them. */
#ifndef ENT_BASE_DYNAMIC_H
#define ENT_BASE_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>

/* A function of a library, and the place of its pointer in a struct. */
typedef struct ent_dynamic_symbol {
  const char *name;
  size_t offset;
  bool optional; /* the pointer stays NULL where the library does not have it */
} ent_dynamic_symbol;

typedef struct ent_dynamic_request {
  const char *variable;     /* of the environment: if it is set, its value is the path, and nothing else is tried */
  const char *const *names; /* that are tried in this order, up to NULL. One that begins with ~/ is below $HOME */
  const ent_dynamic_symbol *symbols;
  size_t count;
} ent_dynamic_request;

#define ENT_DYNAMIC_PROBLEM 512

/* Loads a library and fills the struct of its functions. It is not unloaded again. False if there is none with all
 * functions; then `problem` says why, as far as the system does. */
bool ent_dynamic_load(const ent_dynamic_request *request, void *functions, char problem[ENT_DYNAMIC_PROBLEM]);

#endif
