/* Reading JSON (RFC 8259). Small on purpose: the whole text in memory, one tree of values.
 *
 * A value that is not there, or of another kind, reads as NaN, NULL or none: whoever reads a file asks for all it needs
 * and looks once whether it got it. */
#ifndef ENT_STUDY_JSON_H
#define ENT_STUDY_JSON_H

#include "base/context.h"

typedef enum ent_json_kind {
  ENT_JSON_NULL,
  ENT_JSON_FALSE,
  ENT_JSON_TRUE,
  ENT_JSON_NUMBER,
  ENT_JSON_STRING,
  ENT_JSON_LIST,
  ENT_JSON_OBJECT
} ent_json_kind;

/* A value. Texts are 0-terminated UTF-8, borrowed from the document. */
typedef struct ent_json_value ent_json_value;
struct ent_json_value {
  ent_json_kind kind;
  const char *key; /* of a member of an object; otherwise NULL */
  double number;
  const char *string;
  size_t count;                       /* of values in a list or an object */
  const ent_json_value *first, *next; /* of those, in their order; the next in the list or object that has this one */
};

typedef struct ent_json_document ent_json_document;

/* Reads text[0..length); name is that of the file, for messages. BAD_DATA with file, line and column if it is not one JSON
 * value, or nested deeper than 64. On failure *document is unchanged. */
entropic_status ent_json_read(entropic_context *context, const char *name, const char *text, size_t length,
                              ent_json_document **document);
/* The same of a file; at most 256 MiB. SYSTEM if it cannot be read. */
entropic_status ent_json_load(entropic_context *context, const char *path, ent_json_document **document);
void ent_json_free(ent_json_document *document);
const ent_json_value *ent_json_root(const ent_json_document *document);

/* The member of that name; NULL if value is NULL, is no object, or has none. */
const ent_json_value *ent_json_get(const ent_json_value *value, const char *key);
/* The first of a list, or of an object's members; NULL if value is NULL or has none. */
const ent_json_value *ent_json_first(const ent_json_value *value);
/* NaN for null, for what is no number, and for NULL. */
double ent_json_number(const ent_json_value *value);
/* NULL for what is no string, and for NULL. */
const char *ent_json_string(const ent_json_value *value);
/* The numbers of a list into numbers[most]; returns how many values it has, which may be more than most. */
size_t ent_json_numbers(const ent_json_value *value, double *numbers, size_t most);

#endif
