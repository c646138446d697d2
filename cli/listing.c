#include "listing.h"

#include <stdio.h>

void list_name(cli_output *output, const char *name) {
  for (; *name; name++)
    output_character(output, (unsigned char)*name < 0x20 ? ' ' : *name);
}

static const char *input_name(const cli_listing *listing, size_t input, char buffer[LEVEL_NAME_SIZE]) {
  if (listing->names)
    return listing->names[input];
  snprintf(buffer, LEVEL_NAME_SIZE, "x%zu", input + 1);
  return buffer;
}

/* Whether a feature without active inputs is the constant 1. */
static bool base_is_one(const entropic_design *design) {
  const entropic_kernel *kernel = entropic_design_kernel(design);
  for (size_t i = 0; i < entropic_kernel_inputs(kernel); i++) {
    entropic_level level;
    if (entropic_kernel_level(NULL, kernel, i, entropic_design_base(design, i), &level, sizeof level) ||
        level.kind != ENTROPIC_LEVEL_KIND_CONSTANT)
      return false;
  }
  return true;
}

/* A term of a feature: its level, and which of that level's atoms. */
typedef struct cli_atom {
  entropic_level level;
  uint64_t atom;
  const char *category; /* its name if it is one, otherwise NULL */
} cli_atom;

static cli_atom find_atom(const cli_listing *listing, const entropic_group *group, size_t term, uint64_t feature) {
  const entropic_term *at = &group->terms[term];
  cli_atom found = {.atom = entropic_design_atom(listing->design, group, term, feature)};
  entropic_kernel_level(NULL, entropic_design_kernel(listing->design), at->input, at->level, &found.level,
                        sizeof found.level);
  if (found.level.kind == ENTROPIC_LEVEL_KIND_CATEGORY && listing->model) {
    const char *name = entropic_model_category(listing->model, at->input, (size_t)found.atom);
    found.category = name ? name : "missing";
  }
  return found;
}

static void list_atom(cli_output *output, const cli_atom *atom) {
  if (atom->level.atoms < 2)
    return;
  output_character(output, '#');
  output_count(output, atom->atom + 1);
}

void list_terms(cli_output *output, const cli_listing *listing, const entropic_group *group, const uint64_t *feature) {
  const entropic_kernel *kernel = entropic_design_kernel(listing->design);
  char buffer[LEVEL_NAME_SIZE];
  if (group->terms_count == 0)
    output_string(output, base_is_one(listing->design) ? "1" : "base");
  for (size_t t = 0; t < group->terms_count; t++) {
    const entropic_term *term = &group->terms[t];
    cli_atom atom = {0};
    if (feature)
      atom = find_atom(listing, group, t, *feature);
    if (t)
      output_character(output, ' ');
    list_name(output, input_name(listing, term->input, buffer));
    output_character(output, atom.category ? '=' : ':');
    if (atom.category) {
      list_name(output, atom.category);
      continue;
    }
    entropic_kernel_level_name(kernel, term->input, term->level, buffer, sizeof buffer);
    output_string(output, buffer);
    list_atom(output, &atom);
  }
}

void list_terms_json(entropic_report *report, const cli_listing *listing, const entropic_group *group,
                     const uint64_t *feature) {
  const entropic_kernel *kernel = entropic_design_kernel(listing->design);
  char buffer[LEVEL_NAME_SIZE];
  entropic_report_open_list(report, "terms");
  for (size_t t = 0; t < group->terms_count; t++) {
    const entropic_term *term = &group->terms[t];
    entropic_report_open_object(report, NULL);
    entropic_report_add_integer(report, "input", term->input + 1);
    entropic_report_add_text(report, "name", input_name(listing, term->input, buffer));
    entropic_kernel_level_name(kernel, term->input, term->level, buffer, sizeof buffer);
    entropic_report_add_text(report, "level", buffer);
    if (feature) {
      cli_atom atom = find_atom(listing, group, t, *feature);
      if (atom.category)
        entropic_report_add_text(report, "category", atom.category);
      else
        entropic_report_add_integer(report, "atom", atom.atom + 1);
    }
    entropic_report_close(report);
  }
  entropic_report_close(report);
}
