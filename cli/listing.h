/* Groups and features of a design, listed. */
#ifndef ENTROPIC_CLI_LISTING_H
#define ENTROPIC_CLI_LISTING_H

#include "recipe.h"

/* What is listed, and where names come from. */
typedef struct cli_listing {
  const entropic_design *design;
  const char *const *names;    /* of the inputs; NULL: x1, x2, ... */
  const entropic_model *model; /* knows the names of categories; or NULL */
} cli_listing;

#define LEVEL_NAME_SIZE 32

/* A name from a file may hold tabs and newlines, which would break a table. */
void list_name(cli_output *output, const char *name);

/* "x1:linear x3:hat2", or with the number of a feature within the group "x1:linear x3:hat2#1"; a category is "colour=red".
 * Where no input is active: 1, or base if that is not the constant 1. */
void list_terms(cli_output *output, const cli_listing *listing, const entropic_group *group, const uint64_t *feature);
/* The same as key "terms": a list of objects with the keys input, name, level, and for a feature atom or category. */
void list_terms_json(entropic_report *report, const cli_listing *listing, const entropic_group *group,
                     const uint64_t *feature);

#endif
