/* Reading a saved design back: every number is checked before it is used. The format is described in save.c. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "data/lines.h"
#include "design/design.h"

/* A short file must not keep anyone waiting. */
#define MOST_TEXTS ((size_t)16 * ENT_TEXT_AXES_MOST)

typedef struct ent_loader {
  entropic_context *context;
  ent_lines lines;
  const char *at; /* what is left of the line */
  entropic_axis_options *axes;
  entropic_design *design;
  entropic_term *terms;
  uint64_t *members;
  size_t member_capacity;
  size_t first_group_line;
  size_t unbased; /* inputs without base level */
  bool texts;     /* custom kernels may come */
  char **kept;    /* their texts, until there is a kernel */
  size_t kept_count, kept_capacity;
} ent_loader;

static entropic_status expected(ent_loader *loader, const char *what) {
  char shown[ENT_SHOW_SIZE];
  return ent_fail(loader->context, ENTROPIC_BAD_DATA, "%s, line %zu: expected %s, found '%s'",
                  loader->lines.bytes->name, loader->lines.line, what, ent_show(loader->at, strlen(loader->at), shown));
}

/* Says of a failure below in which file and line it came up. What is wrong with a file is bad data, whatever it would be
 * elsewhere. Line 0: none in particular. */
static entropic_status locate(ent_loader *loader, entropic_status status, size_t line) {
  char message[ENT_MESSAGE_SIZE];
  if (status == ENTROPIC_OK || status == ENTROPIC_NO_MEMORY)
    return status;
  snprintf(message, sizeof message, "%s", loader->context != NULL ? loader->context->message : "");
  if (line == 0)
    return ent_fail(loader->context, ENTROPIC_BAD_DATA, "%s: %s", loader->lines.bytes->name, message);
  return ent_fail(loader->context, ENTROPIC_BAD_DATA, "%s, line %zu: %s", loader->lines.bytes->name, line, message);
}

static entropic_status next_line(ent_loader *loader, const char *what) {
  bool more;
  entropic_status status = ent_lines_next(loader->context, &loader->lines, &more);
  if (status != ENTROPIC_OK)
    return status;
  loader->at = loader->lines.text;
  return more ? ENTROPIC_OK : expected(loader, what);
}

/* Each of these takes something off the front of the line, with the blank behind it; false if it is not there. */
static bool take_word(ent_loader *loader, const char *word) {
  size_t length = strlen(word);
  if (strncmp(loader->at, word, length) != 0 || (loader->at[length] != ' ' && loader->at[length] != '\0'))
    return false;
  loader->at += length + (loader->at[length] == ' ');
  return true;
}

static bool take_integer(ent_loader *loader, uint64_t most, char end, uint64_t *value) {
  const char *at = loader->at;
  uint64_t number = 0;
  if (*at < '0' || *at > '9')
    return false;
  for (; *at >= '0' && *at <= '9'; at++)
    if (__builtin_mul_overflow(number, 10, &number) || __builtin_add_overflow(number, (uint64_t)(*at - '0'), &number))
      return false;
  if (number > most || (*at != end && !(end == ' ' && *at == '\0')))
    return false;
  loader->at = at + (*at != '\0');
  *value = number;
  return true;
}

static bool take_int(ent_loader *loader, int most, int *value) {
  uint64_t number;
  if (!take_integer(loader, (uint64_t)most, ' ', &number))
    return false;
  *value = (int)number;
  return true;
}

static bool take_cost(ent_loader *loader, int64_t *cost) {
  bool negative = loader->at[0] == '-';
  loader->at += negative;
  uint64_t number;
  if (!take_integer(loader, INT64_MAX, ' ', &number))
    return false;
  *cost = negative ? -(int64_t)number : (int64_t)number;
  return true;
}

static bool take_double(ent_loader *loader, double *value) {
  size_t length = strcspn(loader->at, " ");
  if (entropic_parse_double(loader->at, length, value) != ENTROPIC_OK)
    return false;
  loader->at += length + (loader->at[length] == ' ');
  return true;
}

static bool find_criterion(const char *name, entropic_criterion *criterion) {
  for (int i = 0; ent_criterion_name(i) != NULL; i++) {
    if (strcmp(name, ent_criterion_name(i)) != 0)
      continue;
    *criterion = (entropic_criterion)i;
    return true;
  }
  return false;
}

static entropic_status load_head(ent_loader *loader, entropic_criterion *criterion, uint64_t *inputs) {
  entropic_status status = next_line(loader, ENT_DESIGN_FIRST_LINE);
  if (status != ENTROPIC_OK)
    return status;
  loader->texts = strcmp(loader->at, ENT_DESIGN_FIRST_LINE_TEXT) == 0;
  if (!loader->texts && strcmp(loader->at, ENT_DESIGN_FIRST_LINE) != 0)
    return expected(loader, "'" ENT_DESIGN_FIRST_LINE "' or '" ENT_DESIGN_FIRST_LINE_TEXT "'");
  status = next_line(loader, "a criterion");
  if (status != ENTROPIC_OK)
    return status;
  if (!(take_word(loader, "criterion") && find_criterion(loader->at, criterion)))
    return expected(loader, "'criterion' and one of l2, sup, data, residual");
  status = next_line(loader, "the number of inputs");
  if (status != ENTROPIC_OK)
    return status;
  if (!(take_word(loader, "inputs") && take_integer(loader, ENT_MAX_SAVED_INPUTS, ' ', inputs) && *inputs > 0 &&
        *loader->at == '\0'))
    return expected(loader, "'inputs' and a number from 1 to 1048576");
  return ENTROPIC_OK;
}

/* The name of a family that can be saved; a custom one as text. */
static bool take_family(ent_loader *loader, entropic_axis_options *options) {
  for (size_t i = 0; i < entropic_family_count(); i++) {
    entropic_family family = (entropic_family)i;
    bool text = loader->texts && entropic_family_has(family, ENTROPIC_TRAIT_FUNCTIONS);
    if ((text || entropic_family_has(family, ENTROPIC_TRAIT_SAVED)) &&
        take_word(loader, entropic_family_name(family))) {
      options->family = family;
      return true;
    }
  }
  return false;
}

static bool take_category(ent_loader *loader, entropic_axis_options *options) {
  uint64_t categories;
  if (!(take_word(loader, "omega") && take_double(loader, &options->omega) && take_word(loader, "categories") &&
        take_integer(loader, ENT_MAX_CATEGORIES, ' ', &categories) && *loader->at == '\0'))
    return false;
  options->categories = (size_t)categories;
  return true;
}

static bool take_axis(ent_loader *loader, entropic_axis_options *options) {
  *options = ent_axis_options_default();
  if (!take_family(loader, options))
    return false;
  if (entropic_family_has(options->family, ENTROPIC_TRAIT_CATEGORIES))
    return take_category(loader, options);
  options->basis = take_word(loader, "interior") ? ENTROPIC_BASIS_INTERIOR : ENTROPIC_BASIS_FULL;
  if (options->basis == ENTROPIC_BASIS_FULL && !take_word(loader, "full"))
    return false;
  return take_word(loader, "omega") && take_double(loader, &options->omega) && take_word(loader, "level") &&
         take_int(loader, ENTROPIC_MAX_LEVEL, &options->max_level) && take_word(loader, "smooth") &&
         take_int(loader, 8, &options->smooth) && take_word(loader, "unit") &&
         take_int(loader, 1, &options->unit_height) &&
         (!take_word(loader, "missing") || take_int(loader, 1, &options->missing)) && *loader->at == '\0';
}

/* A text of a custom kernel, on a line of its own. */
static entropic_status load_text(ent_loader *loader, int number, entropic_axis_options *options) {
  char what[64];
  snprintf(what, sizeof what, "'%s' and an expression", ent_text_names[number]);
  if (!take_word(loader, ent_text_names[number]))
    return expected(loader, what);
  char **grown =
      ent_grow(loader->context, loader->kept, &loader->kept_capacity, loader->kept_count + 1, sizeof *loader->kept);
  if (grown == NULL)
    return ENTROPIC_NO_MEMORY;
  loader->kept = grown;
  char *text = ent_new_text(loader->context, loader->at, strlen(loader->at));
  if (text == NULL)
    return ENTROPIC_NO_MEMORY;
  *ent_text_of(options, number) = loader->kept[loader->kept_count++] = text;
  return ENTROPIC_OK;
}

/* The texts of a custom kernel: p and q, or an equation. */
static entropic_status load_texts(ent_loader *loader, entropic_axis_options *options) {
  entropic_status status = next_line(loader, "'p' or 'alpha' and an expression");
  if (status != ENTROPIC_OK)
    return status;
  bool equation = strncmp(loader->at, "alpha", 5) == 0;
  for (int i = equation ? ENT_TEXT_ALPHA : 0, end = equation ? ENT_TEXTS : ENT_TEXT_ALPHA;;) {
    status = load_text(loader, i, options);
    if (status != ENTROPIC_OK || ++i == end)
      return status;
    status = next_line(loader, "another expression");
    if (status != ENTROPIC_OK)
      return status;
  }
}

/* Whether there can be such an axis: it is made, and freed again. Deep levels of a custom one take time: the kernel checks
 * those, when all is read. */
static entropic_status check_axis(ent_loader *loader, const entropic_axis_options *options) {
  ent_axis *axis = NULL;
  entropic_axis_options checked = *options;
  if (ent_is_text(options) && options->max_level > 1)
    checked.max_level = 1;
  if (loader->kept_count > MOST_TEXTS)
    return expected(loader, "no more custom kernels: there are too many");
  entropic_status status = ent_axis_create(loader->context, &checked, &axis);
  ent_axis_free(axis);
  return locate(loader, status, loader->lines.line);
}

static entropic_status load_axes(ent_loader *loader, size_t inputs) {
  for (uint64_t i = 0, run; i < inputs; i += run) {
    entropic_status status = next_line(loader, "the axis of an input");
    if (status != ENTROPIC_OK)
      return status;
    entropic_axis_options options;
    if (!(take_word(loader, "axis") && take_integer(loader, inputs - i, ' ', &run) && run > 0 &&
          take_axis(loader, &options)))
      return expected(loader, "'axis', a number of inputs, a kernel, its basis, omega, level, smooth and unit, or "
                              "'category', omega and categories");
    if (entropic_family_has(options.family, ENTROPIC_TRAIT_FUNCTIONS))
      status = load_texts(loader, &options);
    if (status != ENTROPIC_OK)
      return status;
    status = check_axis(loader, &options);
    if (status != ENTROPIC_OK)
      return status;
    for (uint64_t j = i; j < i + run; j++)
      loader->axes[j] = options;
  }
  return ENTROPIC_OK;
}

static entropic_status load_bases(ent_loader *loader) {
  entropic_design *design = loader->design;
  size_t inputs = design->kernel->inputs;
  for (uint64_t i = 0, run, level; i < inputs; i += run) {
    entropic_status status = next_line(loader, "the base level of an input");
    if (status != ENTROPIC_OK)
      return status;
    if (!(take_word(loader, "base") && take_integer(loader, inputs - i, ' ', &run) && run > 0 &&
          take_integer(loader, ENT_LEVEL_LIMIT, ' ', &level) && *loader->at == '\0'))
      return expected(loader, "'base', a number of inputs and a level");
    for (uint64_t j = i; j < i + run; j++) {
      design->base[j] = level == 0 ? ENTROPIC_NO_LEVEL : (size_t)level - 1;
      if (!ent_is_base(design->kernel, (size_t)j, design->base[j]))
        return expected(loader, "a base level that the input has, with a single atom");
    }
  }
  loader->unbased = ent_design_unbased(design);
  return ENTROPIC_OK;
}

/* Terms up to the end of the line or '='. Inputs without a base level must all be there. */
static entropic_status load_terms(ent_loader *loader, size_t *count) {
  const entropic_design *design = loader->design;
  size_t next = 0;
  *count = 0;
  while (*loader->at != '\0' && *loader->at != '=') {
    uint64_t input, level;
    entropic_term term;
    if (!(take_integer(loader, design->kernel->inputs, ':', &input) && input > 0 &&
          take_integer(loader, ENT_LEVEL_LIMIT, ' ', &level) && level > 0 &&
          ent_is_term(design, next, term = (entropic_term){(size_t)input - 1, (size_t)level - 1})))
      return expected(loader, "terms input:level, by input, with levels that the input has besides its base level");
    next = (size_t)input;
    loader->terms[(*count)++] = term;
  }
  if (!ent_has_unbased(design, loader->terms, *count, loader->unbased))
    return expected(loader, "a term for every input without base level");
  return ENTROPIC_OK;
}

static entropic_status load_members(ent_loader *loader, uint64_t atoms, size_t *count) {
  uint64_t before = 0, member;
  *count = 0;
  while (*loader->at != '\0') {
    if (!(take_integer(loader, atoms, ' ', &member) && member > before))
      return expected(loader, "members of the group, ascending");
    void *grown =
        ent_grow(loader->context, loader->members, &loader->member_capacity, *count + 1, sizeof *loader->members);
    if (grown == NULL)
      return ENTROPIC_NO_MEMORY;
    loader->members = grown;
    loader->members[(*count)++] = member - 1;
    before = member;
  }
  return *count > 0 ? ENTROPIC_OK : expected(loader, "members behind '='");
}

static entropic_status load_group(ent_loader *loader) {
  int64_t cost;
  size_t term_count, features;
  entropic_status status = next_line(loader, "another group");
  if (status != ENTROPIC_OK)
    return status;
  if (!take_cost(loader, &cost))
    return expected(loader, "a group: its cost, then terms");
  status = load_terms(loader, &term_count);
  if (status != ENTROPIC_OK)
    return status;
  uint64_t atoms = ent_atoms(loader->design->kernel, loader->terms, term_count);
  if (!take_word(loader, "=")) {
    if (*loader->at != '\0' || atoms > ENT_MAX_FEATURES)
      return expected(loader, "a group of at most 2147483647 features");
    status = ent_design_append(loader->context, loader->design, loader->terms, term_count, cost, NULL, (size_t)atoms);
    return locate(loader, status, loader->lines.line);
  }
  status = load_members(loader, atoms, &features);
  if (status != ENTROPIC_OK)
    return status;
  status =
      ent_design_append(loader->context, loader->design, loader->terms, term_count, cost, loader->members, features);
  return locate(loader, status, loader->lines.line);
}

/* The same terms may not come twice, but for single atoms of custom kernels. */
static entropic_status check_repeats(ent_loader *loader) {
  size_t repeated;
  entropic_status status = ent_design_find_repeat(loader->context, loader->design, &repeated);
  if (status != ENTROPIC_OK || repeated == SIZE_MAX)
    return status;
  return ent_fail(loader->context, ENTROPIC_BAD_DATA, "%s, line %zu: the terms of this group stand in another one too",
                  loader->lines.bytes->name, loader->first_group_line + repeated);
}

/* Nothing may follow the last group. */
static entropic_status load_end(ent_loader *loader) {
  bool more = false;
  entropic_status status = ent_lines_next(loader->context, &loader->lines, &more);
  if (status != ENTROPIC_OK)
    return status;
  if (more)
    return ent_fail(loader->context, ENTROPIC_BAD_DATA, "%s, line %zu: expected nothing after the last group",
                    loader->lines.bytes->name, loader->lines.line);
  return ENTROPIC_OK;
}

static entropic_status load_groups(ent_loader *loader) {
  uint64_t groups = 0;
  entropic_status status = next_line(loader, "the number of groups");
  if (status != ENTROPIC_OK)
    return status;
  if (!(take_word(loader, "groups") && take_integer(loader, ENT_MAX_FEATURES, ' ', &groups) && groups > 0 &&
        take_word(loader, "exhausted") && take_int(loader, 1, &loader->design->exhausted) && *loader->at == '\0'))
    return expected(loader, "'groups', their number, 'exhausted' and 0 or 1");
  loader->first_group_line = loader->lines.line + 1;
  for (uint64_t i = 0; i < groups; i++) {
    status = load_group(loader);
    if (status != ENTROPIC_OK)
      return status;
  }
  status = load_end(loader);
  if (status != ENTROPIC_OK)
    return status;
  status = locate(loader, ent_design_finish(loader->context, loader->design), 0);
  if (status != ENTROPIC_OK)
    return status;
  return check_repeats(loader);
}

static entropic_status load_all(ent_loader *loader) {
  entropic_criterion criterion = ENTROPIC_CRITERION_L2;
  uint64_t inputs = 0;
  entropic_status status = load_head(loader, &criterion, &inputs);
  if (status != ENTROPIC_OK)
    return status;
  loader->axes = ent_new(loader->context, (size_t)inputs, sizeof *loader->axes);
  loader->terms = ent_new(loader->context, (size_t)inputs, sizeof *loader->terms);
  if (loader->axes == NULL || loader->terms == NULL)
    return ENTROPIC_NO_MEMORY;
  status = load_axes(loader, (size_t)inputs);
  if (status != ENTROPIC_OK)
    return status;
  entropic_kernel *kernel;
  status = locate(loader, ent_kernel_create(loader->context, loader->axes, (size_t)inputs, (size_t)inputs, &kernel), 0);
  if (status != ENTROPIC_OK)
    return status;
  loader->design = ent_design_new(loader->context, kernel, criterion);
  entropic_kernel_free(kernel);
  if (loader->design == NULL)
    return ENTROPIC_NO_MEMORY;
  status = load_bases(loader);
  if (status != ENTROPIC_OK)
    return status;
  return load_groups(loader);
}

/* A design from lines that have been opened; they are closed. */
static entropic_status load(ent_loader *loader, entropic_design **design) {
  entropic_status status = load_all(loader);
  if (status != ENTROPIC_OK)
    goto done;
  *design = loader->design;
  loader->design = NULL;
done:
  entropic_design_free(loader->design);
  ent_lines_close(&loader->lines);
  ent_delete(loader->axes);
  ent_delete(loader->terms);
  ent_delete(loader->members);
  for (size_t i = 0; i < loader->kept_count; i++)
    ent_delete(loader->kept[i]);
  ent_delete(loader->kept);
  return status;
}

entropic_status entropic_design_load(entropic_context *context, const char *path, entropic_design **design) {
  ENT_NEED(context, path);
  ENT_NEED(context, design);
  ent_loader loader = {.context = context, .at = ""};
  entropic_status status = ent_lines_open(context, path, &loader.lines);
  return status != ENTROPIC_OK ? status : load(&loader, design);
}

entropic_status entropic_design_load_memory(entropic_context *context, const void *bytes, size_t count,
                                            entropic_design **design) {
  ENT_NEED(context, bytes);
  ENT_NEED(context, design);
  ent_loader loader = {.context = context, .at = ""};
  entropic_status status = ent_lines_open_memory(context, bytes, count, &loader.lines);
  return status != ENTROPIC_OK ? status : load(&loader, design);
}
