/* Templates: see template.h. */
#include "export/template.h"

#include <string.h>

#include "export/languages.h"

#define NESTED 8 /* conditions within each other, at most */
#define CONDITIONS 21

/* ---- Conditions ---- */

/* Whether something is so of the model. */
typedef struct ent_template_condition {
  const char *name;
  bool holds;
} ent_template_condition;

/* Is a category of the model a number? */
static bool has_number_categories(const ent_export_parts *parts) {
  double number;
  for (size_t i = 0; i < parts->effects->used; i++) {
    const ent_input *input = ent_export_schema(parts, i);
    for (size_t c = 0; c < input->categories; c++)
      if (entropic_parse_double(input->category[c], strlen(input->category[c]), &number) == ENTROPIC_OK)
        return true;
  }
  return false;
}

static bool has_beyond(const ent_export_parts *parts) {
  bool any = false;
  for (size_t c = 0; c < ent_model_components(parts->model); c++)
    any = any || (ent_model_component(parts->model, c)->design != NULL &&
                  ent_model_component(parts->model, c)->design->beyond != NULL);
  return any;
}

/* The conditions of all templates. */
static void find_conditions(const ent_export_text *text, const ent_export_parts *parts,
                            ent_template_condition found[CONDITIONS]) {
  const entropic_model *model = parts->model;
  const bool *used = parts->used;
  const ent_template_condition conditions[CONDITIONS] = {
      {"float", text->single},                             /* numbers are of single precision */
      {"classes", ent_schema_has_classes(&model->schema)}, /* it predicts a class */
      {"effects", parts->has_effects},                     /* it has marginals */
      {"intervals", model->intervals != NULL},             /* it has intervals, or sets of classes */
      {"bounds", model->bounds != NULL},                   /* predictions are clamped */
      {"components", ent_model_components(model) > 1},     /* it is a sum of several */
      {"centres", parts->centres > 0},                     /* it contains training rows */
      {"beyond", has_beyond(parts)},                       /* lines go on outside the training range */
      {"date_parts", ent_export_has_parts(parts)},         /* an input is made of a date */
      {"clock", ent_export_has_clock(parts)},              /* dates are by the clock as written */
      {"long_features", parts->most > 2 * ENT_RULES}, /* a feature has more factors than there are rules of Gauss */
      {"number_categories", has_number_categories(parts)},
      {"wide", parts->wide}, /* knots are further apart than the largest number */
      /* Shapes of levels that are in use; sinh: one of two with it. */
      {"sinh", used[ENT_EXPORT_ODD] || used[ENT_EXPORT_SINH_HAT]},
      {"line", used[ENT_EXPORT_LINE]},
      {"hat", used[ENT_EXPORT_HAT]},
      {"legendre", used[ENT_EXPORT_LEGENDRE]},
      {"even", used[ENT_EXPORT_EVEN]},
      {"odd", used[ENT_EXPORT_ODD]},
      {"sinh_hat", used[ENT_EXPORT_SINH_HAT]},
      {"series", used[ENT_EXPORT_SERIES]}};
  memcpy(found, conditions, sizeof conditions);
}

/* ---- Lines ---- */

/* A line without its line feed. */
typedef struct ent_template_line {
  const char *at;
  size_t length;
} ent_template_line;

/* A template that is being written. */
typedef struct ent_template_state {
  ent_export_text *text;
  const ent_export_parts *parts;
  const ent_template_writer *writers;
  ent_template_condition conditions[CONDITIONS];
  bool written[NESTED + 1]; /* within so many conditions: this is written */
  bool holds[NESTED + 1];   /* the condition does */
  int depth;
} ent_template_state;

static bool take_line(const char **source, ent_template_line *line) {
  const char *at = *source;
  if (*at == '\0')
    return false;
  *line = (ent_template_line){at, strcspn(at, "\n")};
  *source = at + line->length + (at[line->length] != '\0');
  return true;
}

static bool is_called(ent_template_line name, const char *known) {
  return strlen(known) == name.length && memcmp(name.at, known, name.length) == 0;
}

static void fail(const ent_template_state *state, ent_template_line line) {
  if (state->text->status == ENTROPIC_OK)
    state->text->status =
        ent_fail(state->text->context, ENTROPIC_BAD_ARGUMENT,
                 "the template of this language has the line '%.*s', which means nothing", (int)line.length, line.at);
}

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The length of model or MODEL at p, if it is the beginning of a name and _ follows; otherwise 0. */
static size_t prefix_at(const char *p, bool begins) {
  return begins && (memcmp(p, "model_", 6) == 0 || memcmp(p, "MODEL_", 6) == 0) ? 5 : 0;
}

void ent_template_plain(ent_export_text *text, const char *source, size_t count) {
  size_t plain = 0;
  for (size_t i = 0; i + 6 <= count; i++) {
    size_t length = prefix_at(source + i, i == 0 || !is_name(source[i - 1]));
    if (length == 0)
      continue;
    ent_export_bytes(text, source + plain, i - plain);
    ent_export_plain(text, source[i] == 'm' ? text->name : text->upper);
    i += length;
    plain = i;
  }
  ent_export_bytes(text, source + plain, count - plain);
}

/* ---- Directives ---- */

static void call_writer(const ent_template_state *state, ent_template_line name) {
  const ent_template_writer *writer = state->writers;
  while (writer->name != NULL && !is_called(name, writer->name))
    writer++;
  if (writer->name == NULL)
    fail(state, name);
  else if (state->written[state->depth])
    writer->write(state->text, state->parts);
}

static void begin_condition(ent_template_state *state, ent_template_line name) {
  size_t i = 0;
  while (i < CONDITIONS && !is_called(name, state->conditions[i].name))
    i++;
  if (i == CONDITIONS || state->depth == NESTED) {
    fail(state, name);
    return;
  }
  bool outside = state->written[state->depth++];
  state->holds[state->depth] = state->conditions[i].holds;
  state->written[state->depth] = outside && state->holds[state->depth];
}

static void obey(ent_template_state *state, ent_template_line line, char mark) {
  ent_template_line name = {line.at + 3, line.length - 3};
  for (; name.length > 0 && *name.at == ' '; name.length--)
    name.at++;
  if (mark == '=')
    call_writer(state, name);
  else if (mark == '?')
    begin_condition(state, name);
  else if (state->depth == 0 || name.length > 0)
    fail(state, line);
  else if (mark == ':')
    state->written[state->depth] = state->written[state->depth - 1] && !state->holds[state->depth];
  else
    state->depth--;
}

void ent_template_write(ent_export_text *text, const ent_export_parts *parts, const char *source,
                        const ent_template_writer *writers) {
  ent_template_state state = {.text = text, .parts = parts, .writers = writers, .written = {true}};
  ent_template_line line = {0};
  find_conditions(text, parts, state.conditions);
  while (take_line(&source, &line) && !is_called(line, " */"))
    continue;
  while (text->status == ENTROPIC_OK && take_line(&source, &line)) {
    ent_template_line bare = line;
    for (; bare.length > 0 && *bare.at == ' '; bare.length--)
      bare.at++;
    if (bare.length >= 3 && memcmp(bare.at, "//", 2) == 0 && strchr("=?:.", bare.at[2]) != NULL)
      obey(&state, bare, bare.at[2]);
    else if (state.written[state.depth]) {
      ent_template_plain(text, line.at, line.length);
      ent_export_plain(text, "\n");
    }
  }
  if (state.depth > 0)
    fail(&state, (ent_template_line){"//?", 3});
}
