/* Values of a report by their paths. The text was written by report.c, so it is known to be well formed. */
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/report.h"
#include "base/text.h"

#define LONG_LIST ((size_t)32)          /* elements */
#define POLL_ELEMENTS ((size_t)1 << 12) /* below 1 ms */

/* Past the string that starts at `at`, at its first quote. */
static const char *skip_string(const char *at) {
  for (at++; *at != '"'; at++)
    at += *at == '\\';
  return at + 1;
}

/* Past the value that starts at `at`. */
static const char *skip_value(const char *at) {
  size_t depth = 0;
  do {
    if (*at == '"') {
      at = skip_string(at);
      continue;
    }
    depth += *at == '{' || *at == '[';
    depth -= *at == '}' || *at == ']';
    at++;
  } while (depth > 0 || (*at != ',' && *at != '}' && *at != ']' && *at != 0));
  return at;
}

static const char *skip_comma(const char *at) {
  return *at == ',' ? at + 2 : at;
}

/* ---- Long lists ---- */

void ent_report_index_clear(ent_report_index *index) {
  ent_delete(index->lists);
  ent_delete(index->elements);
  *index = (ent_report_index){0};
}

/* Lists the elements of the list at `start`, if they are many. */
static entropic_status list_elements(entropic_context *context, const char *text, size_t start,
                                     ent_report_index *index) {
  size_t count = 0, first = index->element_count;
  const char *at = text + start + 1;
  for (; *at != ']'; at = skip_comma(skip_value(at))) {
    entropic_status status = ++count % POLL_ELEMENTS == 0 ? ent_poll(context) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
  }
  if (count < LONG_LIST)
    return ENTROPIC_OK;
  ent_report_list *lists =
      ent_grow(NULL, index->lists, &index->list_capacity, index->list_count + 1, sizeof *index->lists);
  index->lists = lists == NULL ? index->lists : lists;
  size_t *elements = ent_grow(NULL, index->elements, &index->element_capacity, first + count, sizeof *index->elements);
  index->elements = elements == NULL ? index->elements : elements;
  if (lists == NULL || elements == NULL)
    return ENTROPIC_NO_MEMORY;
  lists[index->list_count++] = (ent_report_list){start, (size_t)(at - text), first, count};
  for (at = text + start + 1; *at != ']'; at = skip_comma(skip_value(at))) {
    elements[index->element_count++] = (size_t)(at - text);
    entropic_status status = index->element_count % POLL_ELEMENTS == 0 ? ent_poll(context) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_report_index_fill(entropic_context *context, const char *text, ent_report_index *index) {
  size_t lists = 0;
  for (const char *at = text; *at != 0;) {
    if (*at == '"') {
      at = skip_string(at);
      continue;
    }
    if (*at++ != '[')
      continue;
    entropic_status status = ++lists % POLL_ELEMENTS == 0 ? ent_poll(context) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
    status = list_elements(context, text, (size_t)(at - 1 - text), index);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* What a path is followed in. */
typedef struct ent_report_text {
  const char *text;
  const ent_report_index *index;
} ent_report_text;

/* The list that starts at `at`, if it is a long one; otherwise NULL. */
static const ent_report_list *long_list(const ent_report_text *in, const char *at) {
  size_t low = 0, high = in->index->list_count, start = (size_t)(at - in->text);
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (in->index->lists[middle].start < start)
      low = middle + 1;
    else
      high = middle;
  }
  return low < in->index->list_count && in->index->lists[low].start == start ? &in->index->lists[low] : NULL;
}

/* Past the value that starts at `at`, with a long list in one step. */
static const char *pass_value(const ent_report_text *in, const char *at) {
  const ent_report_list *list = *at == '[' ? long_list(in, at) : NULL;
  return list == NULL ? skip_value(at) : in->text + list->end + 1;
}

/* ---- Paths ---- */

/* The element of a number in the list that starts at `at`; NULL if there is none. */
static const char *find_element(const ent_report_text *in, const char *at, const char *name, size_t length) {
  size_t wanted = 0;
  for (size_t i = 0; i < length; i++) {
    if (name[i] < '0' || name[i] > '9' || length > 9)
      return NULL;
    wanted = wanted * 10 + (size_t)(name[i] - '0');
  }
  const ent_report_list *list = long_list(in, at);
  if (list != NULL)
    return wanted < list->count ? in->text + in->index->elements[list->first + wanted] : NULL;
  at++;
  for (size_t i = 0; *at != ']'; i++, at = skip_comma(pass_value(in, at)))
    if (i == wanted)
      return at;
  return NULL;
}

/* The value of a key in the object that starts at `at`; NULL if there is none. */
static const char *find_key(const ent_report_text *in, const char *at, const char *name, size_t length) {
  for (at++; *at != '}'; at = skip_comma(pass_value(in, at))) {
    const char *key = at + 1, *end = skip_string(at);
    at = end + 2;
    if ((size_t)(end - 1 - key) == length && memcmp(key, name, length) == 0)
      return at;
  }
  return NULL;
}

static const char *find(const entropic_report *report, const char *path) {
  const char *at = entropic_report_json(report);
  if (at == NULL || path == NULL)
    return NULL;
  const ent_report_text in = {at, ent_report_index_of(report)};
  while (at != NULL && *path != 0) {
    size_t length = strcspn(path, ".");
    at = *at == '{' ? find_key(&in, at, path, length) : *at == '[' ? find_element(&in, at, path, length) : NULL;
    path += length + (path[length] == '.');
  }
  return at;
}

int entropic_report_number(const entropic_report *report, const char *path, double *value) {
  const char *at = find(report, path);
  if (at == NULL || value == NULL || strchr("{[\"n", *at) != NULL)
    return 0;
  if (*at == 't' || *at == 'f') {
    *value = *at == 't';
    return 1;
  }
  return entropic_parse_double(at, (size_t)(skip_value(at) - at), value) == ENTROPIC_OK;
}

/* The byte that \u00XX stands for: the only escape of that kind that is written. */
static char escaped_byte(const char *digits) {
  int value = 0;
  for (int i = 0; i < 4; i++)
    value = value * 16 + (digits[i] <= '9' ? digits[i] - '0' : ent_lower(digits[i]) - 'a' + 10);
  return (char)value;
}

size_t entropic_report_text(const entropic_report *report, const char *path, char *text, size_t size) {
  const char *at = find(report, path);
  if (text == NULL)
    size = 0;
  if (size > 0)
    text[0] = 0;
  if (at == NULL || *at != '"')
    return 0;
  size_t length = 0;
  for (at++; *at != '"'; at++, length++) {
    char c = *at;
    if (c == '\\' && at[1] == 'u') {
      c = escaped_byte(at + 2);
      at += 5;
    } else if (c == '\\') {
      c = *++at;
    }
    if (length + 1 < size)
      text[length] = c;
  }
  if (size > 0)
    text[length < size ? length : size - 1] = 0;
  return length;
}

size_t entropic_report_size(const entropic_report *report, const char *path) {
  const char *at = find(report, path);
  if (at == NULL || (*at != '{' && *at != '['))
    return 0;
  const ent_report_text in = {entropic_report_json(report), ent_report_index_of(report)};
  const ent_report_list *list = *at == '[' ? long_list(&in, at) : NULL;
  if (list != NULL)
    return list->count;
  size_t count = 0;
  char close = *at == '{' ? '}' : ']';
  for (at++; *at != close; at = skip_comma(skip_value(at)), count++)
    if (close == '}')
      at = skip_string(at) + 2;
  return count;
}
