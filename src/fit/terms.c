/* Restrictions by parameters: see terms.h. */
#include "fit/terms.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "dataset/dataset.h"

#define NOT_THERE SIZE_MAX /* a column that is none of the inputs, and need not be left out */

static const char *const list_names[ENT_RESTRICT_KINDS] = {"only", "without"};

/* A list that is being read. */
typedef struct ent_terms {
  entropic_context *context;
  const entropic_dataset *train;
  ent_restriction_kind kind;
  char spelling[ENT_SPELLING_SIZE]; /* of the parameter */
  char *name;                       /* room for a name without its quotes */
  ent_restriction *restriction;
} ent_terms;

/* A part of the list. */
typedef struct ent_terms_part {
  const char *text;
  size_t length;
} ent_terms_part;

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static ent_terms_part trim(ent_terms_part part) {
  while (part.length > 0 && is_blank(part.text[0])) {
    part.text++;
    part.length--;
  }
  while (part.length > 0 && is_blank(part.text[part.length - 1]))
    part.length--;
  return part;
}

/* Takes the next part off the rest, up to a separator that does not stand in quotes. *more: one followed. */
static ent_terms_part next_part(ent_terms_part *rest, char separator, bool *more) {
  bool quoted = false;
  size_t length = 0;
  for (; length < rest->length && (quoted || rest->text[length] != separator); length++)
    quoted ^= rest->text[length] == '"';
  ent_terms_part part = {rest->text, length};
  *more = length < rest->length;
  rest->text += length + (*more ? 1 : 0);
  rest->length -= length + (*more ? 1 : 0);
  return trim(part);
}

static bool is_name(const char *name, ent_terms_part part) {
  return strlen(name) == part.length && memcmp(name, part.text, part.length) == 0;
}

static bool find_input(const ent_terms *terms, ent_terms_part name, size_t *input) {
  const ent_schema *schema = &terms->train->schema;
  for (*input = 0; *input < schema->inputs; ++*input)
    if (is_name(schema->input[*input].name, name))
      return true;
  return false;
}

/* The column of that name, or else of that number from 1. */
static const ent_dataset_column *find_column(const ent_terms *terms, ent_terms_part name) {
  const entropic_dataset *train = terms->train;
  size_t number = 0;
  for (size_t i = 0; i < train->table_column_count; i++)
    if (is_name(train->table_columns[i].name, name))
      return &train->table_columns[i];
  for (size_t i = 0; i < name.length; i++) {
    if (name.text[i] < '0' || name.text[i] > '9' || i == 9)
      return NULL;
    number = number * 10 + (size_t)(name.text[i] - '0');
  }
  return number < 1 || number > train->table_column_count ? NULL : &train->table_columns[number - 1];
}

/* No column is called like that. */
static entropic_status fail_unknown(const ent_terms *terms, ent_terms_part name) {
  const ent_schema *schema = &terms->train->schema;
  char shown[ENT_SHOW_SIZE], near[ENT_SHOW_SIZE];
  ent_nearest nearest = ent_nearest_start(name.text, name.length);
  for (size_t i = 0; i < schema->inputs; i++)
    ent_nearest_try(&nearest, schema->input[i].name, strlen(schema->input[i].name));
  ent_show(name.text, name.length, shown);
  if (nearest.best != NULL)
    return ent_fail(terms->context, ENTROPIC_BAD_ARGUMENT, "%s: there is no input %s: did you mean %s?",
                    terms->spelling, shown, ent_show(nearest.best, nearest.best_length, near));
  const char *first = schema->inputs > 0 ? schema->input[0].name : "none";
  return ent_fail(terms->context, ENTROPIC_BAD_ARGUMENT, "%s: there is no input %s; there are %zu, the first is %s",
                  terms->spelling, shown, schema->inputs, ent_show(first, strlen(first), near));
}

/* A column that is none of the inputs. Where terms are left out, an ignored one is out already. */
static entropic_status take_other(const ent_terms *terms, const ent_dataset_column *column, size_t *input) {
  static const char *const roles[] = {"dropped", "the target", "the weight of rows", "the group of rows", "ignored"};
  const ent_schema *schema = &terms->train->schema;
  char shown[ENT_SHOW_SIZE];
  entropic_role role = column->role;
  for (size_t i = 0; i < schema->targets; i++) /* LIBSVM text does not say which one it is */
    role = strcmp(schema->target[i], column->name) == 0 ? ENTROPIC_ROLE_TARGET : role;
  bool out = role == ENTROPIC_ROLE_INPUT || role == ENTROPIC_ROLE_IGNORED;
  *input = NOT_THERE;
  if (out && terms->kind == ENT_RESTRICT_WITHOUT)
    return ENTROPIC_OK;
  return ent_fail(terms->context, ENTROPIC_BAD_ARGUMENT, "%s: column %s is %s, expected inputs", terms->spelling,
                  ent_show(column->name, strlen(column->name), shown), roles[role]);
}

/* The input that a name or number stands for, or NOT_THERE. */
static entropic_status take_input(const ent_terms *terms, ent_terms_part name, size_t *input) {
  if (find_input(terms, name, input))
    return ENTROPIC_OK;
  const ent_dataset_column *column = find_column(terms, name);
  if (column == NULL)
    return fail_unknown(terms, name);
  ent_terms_part found = {column->name, strlen(column->name)};
  return find_input(terms, found, input) ? ENTROPIC_OK : take_other(terms, column, input);
}

/* The name of a factor without its quotes. */
static entropic_status take_name(const ent_terms *terms, ent_terms_part factor, ent_terms_part *name) {
  char shown[ENT_SHOW_SIZE];
  *name = factor;
  if (factor.length == 0)
    return ent_fail(terms->context, ENTROPIC_BAD_ARGUMENT, "%s: a name is empty, expected terms such as x1,x2:x3",
                    terms->spelling);
  if (factor.text[0] != '"')
    return ENTROPIC_OK;
  size_t used = 0, i = 1;
  for (; i < factor.length; i++) {
    if (factor.text[i] == '"' && (i + 1 == factor.length || factor.text[i + 1] != '"'))
      break;
    i += factor.text[i] == '"';
    terms->name[used++] = factor.text[i];
  }
  if (i + 1 != factor.length)
    return ent_fail(terms->context, ENTROPIC_BAD_ARGUMENT,
                    "%s: found %s, expected a name between quotes, and a quote in it twice", terms->spelling,
                    ent_show(factor.text, factor.length, shown));
  *name = (ent_terms_part){terms->name, used};
  return ENTROPIC_OK;
}

/* Any input. */
static bool is_any(ent_terms_part factor) {
  return factor.length == 1 && factor.text[0] == '*';
}

/* Puts a factor of a term into its set. */
static entropic_status take_factor(const ent_terms *terms, ent_terms_part factor, ent_input_set *set, bool *there) {
  ent_terms_part name;
  size_t input;
  if (is_any(factor)) {
    set->others++;
    return ENTROPIC_OK;
  }
  entropic_status status = take_name(terms, factor, &name);
  if (status != ENTROPIC_OK)
    return status;
  status = take_input(terms, name, &input);
  if (status != ENTROPIC_OK)
    return status;
  *there = *there && input != NOT_THERE;
  for (size_t i = 0; i < set->count; i++)
    if (set->inputs[i] == input && input != NOT_THERE) {
      char shown[ENT_SHOW_SIZE];
      return ent_fail(terms->context, ENTROPIC_BAD_ARGUMENT, "%s: a term has %s twice, expected it once",
                      terms->spelling, ent_show(name.text, name.length, shown));
    }
  set->inputs[set->count++] = input;
  return ENTROPIC_OK;
}

/* Takes the next factor off the rest: the longest name of an input with colons in it, such as date:hour, or up to the
 * next colon. *more: another one follows. */
static ent_terms_part next_factor(const ent_terms *terms, ent_terms_part *rest, bool *more) {
  size_t input;
  for (size_t length = rest->length; length > 0; length--) {
    ent_terms_part part = trim((ent_terms_part){rest->text, length});
    if ((length < rest->length && rest->text[length] != ':') || memchr(rest->text, ':', length) == NULL ||
        !find_input(terms, part, &input))
      continue;
    *more = length < rest->length;
    rest->text += length + (*more ? 1 : 0);
    rest->length -= length + (*more ? 1 : 0);
    return part;
  }
  return next_part(rest, ':', more);
}

static entropic_status take_term(const ent_terms *terms, ent_terms_part term) {
  bool there = true, more = true;
  ent_input_set set = {.inputs = ent_new(terms->context, term.length + 1, sizeof *set.inputs)};
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (set.inputs == NULL)
    return status;
  while (more) {
    ent_terms_part factor = next_factor(terms, &term, &more);
    status = take_factor(terms, factor, &set, &there);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = ENTROPIC_OK;
  if (!there)
    goto done;
  status = ent_restriction_add(terms->context, terms->restriction, terms->kind, &set);
  if (status == ENTROPIC_OK)
    return ENTROPIC_OK; /* the inputs are taken over */
done:
  ent_delete(set.inputs);
  return status;
}

static entropic_status take_list(ent_terms *terms, const char *text) {
  ent_terms_part rest = {text, strlen(text)};
  bool more = true;
  entropic_status status = ENTROPIC_OK;
  terms->name = ent_new(terms->context, rest.length + 1, sizeof *terms->name);
  if (terms->name == NULL)
    return ENTROPIC_NO_MEMORY;
  while (more && status == ENTROPIC_OK) {
    ent_terms_part term = next_part(&rest, ',', &more);
    status = take_term(terms, term);
  }
  ent_delete(terms->name);
  return status;
}

/* Text that is written, or only measured while there is no room for it. */
typedef struct ent_terms_text {
  char *text;
  size_t used;
} ent_terms_text;

static void put(ent_terms_text *to, char c) {
  if (to->text != NULL)
    to->text[to->used] = c;
  to->used++;
}

static bool needs_quotes(const char *name) {
  size_t length = strlen(name);
  return length == 0 || strpbrk(name, ",:\"") != NULL || strcmp(name, "*") == 0 || is_blank(name[0]) ||
         is_blank(name[length - 1]);
}

static void put_name(ent_terms_text *to, const char *name, bool quotes) {
  if (quotes)
    put(to, '"');
  for (; *name != 0; name++) {
    if (*name == '"')
      put(to, '"');
    put(to, *name);
  }
  if (quotes)
    put(to, '"');
}

/* Whether the name of an input could be read as a product. */
static bool has_colons(const ent_schema *schema) {
  bool found = false;
  for (size_t i = 0; i < schema->inputs; i++)
    found = found || strchr(schema->input[i].name, ':') != NULL;
  return found;
}

static void put_list(ent_terms_text *to, const ent_restriction *restriction, ent_restriction_kind kind,
                     const ent_schema *schema) {
  bool colons = has_colons(schema);
  for (size_t i = 0; i < restriction->counts[kind]; i++) {
    const ent_input_set *set = &restriction->sets[kind][i];
    bool product = set->count + set->others > 1;
    if (i > 0)
      put(to, ',');
    for (size_t k = 0; k < set->count + set->others; k++) {
      if (k > 0)
        put(to, ':');
      if (k >= set->count) {
        put(to, '*');
        continue;
      }
      const char *name = schema->input[set->inputs[k]].name;
      put_name(to, name, needs_quotes(name) || (product && colons));
    }
  }
}

/* A list as text, by names. */
static entropic_status set_text(entropic_context *context, const ent_schema *schema, ent_restriction_kind kind,
                                ent_restriction *restriction) {
  ent_terms_text to = {0};
  put_list(&to, restriction, kind, schema);
  to.text = restriction->texts[kind] = ent_new(context, to.used + 1, sizeof *to.text);
  if (to.text == NULL)
    return ENTROPIC_NO_MEMORY;
  to.used = 0;
  put_list(&to, restriction, kind, schema);
  return ENTROPIC_OK;
}

entropic_status ent_restriction_by(entropic_context *context, const entropic_parameters *parameters,
                                   const entropic_dataset *train, ent_restriction **restriction) {
  ent_restriction *made = NULL;
  *restriction = NULL;
  if (!ent_parameters_is_set(parameters, "only") && !ent_parameters_is_set(parameters, "without"))
    return ENTROPIC_OK;
  entropic_status status = ent_restriction_create(context, train->schema.inputs, &made);
  if (status != ENTROPIC_OK)
    return status;
  char last[ENT_SPELLING_SIZE] = "";
  for (int kind = 0; kind < ENT_RESTRICT_KINDS; kind++) {
    ent_terms terms = {.context = context, .train = train, .kind = (ent_restriction_kind)kind, .restriction = made};
    if (!ent_parameters_is_set(parameters, list_names[kind]))
      continue;
    ent_parameters_spelling(parameters, list_names[kind], terms.spelling);
    memcpy(last, terms.spelling, sizeof last);
    status = take_list(&terms, ent_parameters_text(parameters, list_names[kind]));
    if (status != ENTROPIC_OK)
      goto done;
    if (made->counts[kind] > 0)
      status = set_text(context, &train->schema, terms.kind, made);
    if (status != ENTROPIC_OK)
      goto done;
  }
  if (ent_restriction_finish(made) == 0) {
    status = ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: the terms leave no input", last);
    goto done;
  }
  if (made->counts[ENT_RESTRICT_ONLY] + made->counts[ENT_RESTRICT_WITHOUT] == 0)
    goto done; /* all that is to be left out is out already */
  *restriction = made;
  made = NULL;
done:
  ent_restriction_free(made);
  return status;
}
