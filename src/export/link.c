/* What the link of a model says in C or JavaScript: texts of its table with the model's numbers. */
#include <string.h>

#include "export/languages.h"
#include "export/template.h"

/* A number between braces: the parameter of that name, {sign}, or one of double with :double behind it. */
static bool write_parameter(ent_export_text *text, const ent_link *link, const char *name, size_t length) {
  static const char of_double[] = ":double";
  const ent_link_family *family = ent_link_of(link);
  size_t marked = sizeof of_double - 1;
  bool wide = length > marked && memcmp(name + length - marked, of_double, marked) == 0;
  length -= wide ? marked : 0;
  const double *value = length == 4 && memcmp(name, "sign", 4) == 0 ? &link->sign : NULL;
  double found;
  for (size_t i = 0; i < family->parameter_count && value == NULL; i++)
    if (strlen(family->parameters[i].name) == length && memcmp(family->parameters[i].name, name, length) == 0) {
      found = ent_link_parameter_value(link, &family->parameters[i]);
      value = &found;
    }
  if (value == NULL)
    return false;
  if (wide)
    ent_export_double(text, *value);
  else
    ent_export_number(text, *value);
  return true;
}

/* Braces with something that has a meaning; false if they are those of the language. */
static bool write_braces(ent_export_text *text, const ent_link *link, const char *name, size_t length) {
  bool below = link->sign < 0;
  if (length == 1 && (*name == '+' || *name == '-')) {
    ent_export_plain(text, (*name == '+') != below ? "+" : "-");
    return true;
  }
  if (length == 5 && memcmp(name, "minus", 5) == 0) {
    ent_export_plain(text, below ? "-" : "");
    return true;
  }
  return write_parameter(text, link, name, length);
}

void ent_export_link(ent_export_text *text, const ent_link *link, const char *source) {
  while (*source != '\0') {
    size_t length = strcspn(source + 1, "{}");
    if (*source == '{' && source[1 + length] == '}' && write_braces(text, link, source + 1, length)) {
      source += length + 2;
      continue;
    }
    ent_template_plain(text, source, 1 + length);
    source += 1 + length;
  }
}
