/* Reading JSON: see json.h. */
#include "study/json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

#define DEEPEST 64
#define LARGEST_FILE ((size_t)256 << 20)

struct ent_json_document {
  char *text;             /* strings are decoded in place */
  ent_json_value *values; /* as many as the text can hold */
};

/* Reading under way. */
typedef struct ent_json_reader {
  entropic_context *context;
  const char *name, *source; /* source: the text as it was */
  char *text, *at, *end;
  ent_json_value *values;
  size_t count;
  int depth;
  entropic_status status;
} ent_json_reader;

/* Says what was expected where the text is now; only the first failure counts. Always false. */
static bool expected(ent_json_reader *reader, const char *what) {
  size_t line = 1, column = 1;
  if (reader->status != ENTROPIC_OK)
    return false;
  for (const char *c = reader->source; c < reader->source + (reader->at - reader->text); c++) {
    column = *c == '\n' ? 1 : column + 1;
    line += *c == '\n';
  }
  char shown[ENT_SHOW_SIZE];
  size_t left = (size_t)(reader->end - reader->at), length = 0;
  while (length < left && length < 12 && reader->at[length] != '\n')
    length++;
  reader->status = ent_fail(reader->context, ENTROPIC_BAD_DATA, "%s, line %zu, column %zu: found %s%s%s, expected %s",
                            reader->name, line, column, left > 0 ? "'" : "the end",
                            left > 0 ? ent_show(reader->at, length, shown) : "", left > 0 ? "'" : "", what);
  return false;
}

static void skip_blanks(ent_json_reader *reader) {
  while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL && *reader->at != '\0')
    reader->at++;
}

/* Whether the text goes on with this character, which is then passed. */
static bool passes(ent_json_reader *reader, char c) {
  skip_blanks(reader);
  if (reader->at == reader->end || *reader->at != c)
    return false;
  reader->at++;
  return true;
}

static int digit_of(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* Four hexadecimal digits. */
static bool read_unit(ent_json_reader *reader, uint32_t *unit) {
  *unit = 0;
  for (int i = 0; i < 4; i++, reader->at++) {
    int digit = reader->at < reader->end ? digit_of(*reader->at) : -1;
    if (digit < 0)
      return expected(reader, "four hexadecimal digits");
    *unit = *unit * 16 + (uint32_t)digit;
  }
  return true;
}

/* \uXXXX, after the u, as UTF-8; a pair of surrogates is one character. */
static bool read_code(ent_json_reader *reader, char **to) {
  uint32_t code, low;
  if (!read_unit(reader, &code))
    return false;
  if (code >= 0xd800 && code < 0xdc00 && reader->end - reader->at >= 6 && reader->at[0] == '\\' &&
      reader->at[1] == 'u') {
    reader->at += 2;
    if (!read_unit(reader, &low))
      return false;
    if (low < 0xdc00 || low > 0xdfff)
      return expected(reader, "the second of two surrogates before it");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  if (code == 0 || (code >= 0xd800 && code < 0xe000))
    return expected(reader, "a character before it");
  if (code < 0x80)
    *(*to)++ = (char)code;
  else if (code < 0x800)
    *(*to)++ = (char)(0xc0 | code >> 6);
  else if (code < 0x10000)
    *(*to)++ = (char)(0xe0 | code >> 12);
  else {
    *(*to)++ = (char)(0xf0 | code >> 18);
    *(*to)++ = (char)(0x80 | (code >> 12 & 0x3f));
  }
  if (code >= 0x800)
    *(*to)++ = (char)(0x80 | (code >> 6 & 0x3f));
  if (code >= 0x80)
    *(*to)++ = (char)(0x80 | (code & 0x3f));
  return true;
}

/* What follows a backslash. */
static bool read_escape(ent_json_reader *reader, char **to) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  char c = reader->at < reader->end ? *reader->at : '\0';
  const char *found = c == '\0' ? NULL : strchr(names, c);
  if (c != 'u' && found == NULL)
    return expected(reader, "one of \"\\/bfnrtu after a backslash");
  reader->at++;
  if (c == 'u')
    return read_code(reader, to);
  *(*to)++ = values[found - names];
  return true;
}

/* A string after its first quote. What is decoded is never longer than what stood there. */
static const char *read_string(ent_json_reader *reader) {
  char *start = reader->at, *to = start;
  while (reader->at < reader->end && *reader->at != '"') {
    uint32_t code;
    size_t length = ent_utf8(reader->at, (size_t)(reader->end - reader->at), &code);
    if (length == 0 || (unsigned char)*reader->at < 0x20) {
      expected(reader, "UTF-8 without control characters");
      return NULL;
    }
    if (*reader->at == '\\') {
      reader->at++;
      if (!read_escape(reader, &to))
        return NULL;
      continue;
    }
    memmove(to, reader->at, length);
    to += length;
    reader->at += length;
  }
  if (reader->at == reader->end) {
    expected(reader, "a closing quote");
    return NULL;
  }
  reader->at++;
  *to = '\0';
  return start;
}

/* entropic_parse_double takes more than JSON does: words, a plus, a bare point, leading zeros. */
static bool is_number(const char *text, size_t length) {
  size_t i = length > 0 && text[0] == '-';
  bool leading = i < length && text[i] == '0';
  size_t digits = i;
  while (i < length && text[i] >= '0' && text[i] <= '9')
    i++;
  if (i == digits || (leading && i > digits + 1))
    return false;
  if (i < length && text[i] == '.') {
    digits = ++i;
    while (i < length && text[i] >= '0' && text[i] <= '9')
      i++;
    if (i == digits)
      return false;
  }
  return i == length || text[i] == 'e' || text[i] == 'E';
}

static bool read_number(ent_json_reader *reader, double *number) {
  size_t left = (size_t)(reader->end - reader->at), length = 0;
  while (length < left && strchr("+-.0123456789eE", reader->at[length]) != NULL && reader->at[length] != '\0')
    length++;
  if (!is_number(reader->at, length) || entropic_parse_double(reader->at, length, number) != ENTROPIC_OK)
    return expected(reader, "a value");
  reader->at += length;
  return true;
}

static bool read_word(ent_json_reader *reader, ent_json_value *value) {
  static const char *const words[] = {"null", "false", "true"};
  for (ent_json_kind kind = ENT_JSON_NULL; kind <= ENT_JSON_TRUE; kind++) {
    size_t length = strlen(words[kind]);
    if ((size_t)(reader->end - reader->at) >= length && memcmp(reader->at, words[kind], length) == 0) {
      reader->at += length;
      value->kind = kind;
      return true;
    }
  }
  value->kind = ENT_JSON_NUMBER;
  return read_number(reader, &value->number);
}

static bool read_value(ent_json_reader *reader, ent_json_value **value);

/* The key of a member, with its colon. */
static bool read_key(ent_json_reader *reader, const char **key) {
  if (!passes(reader, '"'))
    return expected(reader, "a key in quotes");
  *key = read_string(reader);
  return *key != NULL && (passes(reader, ':') || expected(reader, "':'"));
}

/* The values of a list or an object, after its opening bracket. */
static bool read_values(ent_json_reader *reader, ent_json_value *list) {
  bool object = list->kind == ENT_JSON_OBJECT;
  char close = object ? '}' : ']';
  const ent_json_value **link = &list->first;
  if (passes(reader, close))
    return true;
  if (++reader->depth > DEEPEST)
    return expected(reader, "values that are nested less deep");
  do {
    const char *key = NULL;
    ent_json_value *value;
    if ((object && !read_key(reader, &key)) || !read_value(reader, &value))
      return false;
    value->key = key;
    *link = value;
    link = &value->next;
    list->count++;
  } while (passes(reader, ','));
  reader->depth--;
  return passes(reader, close) || expected(reader, object ? "',' or '}'" : "',' or ']'");
}

/* One value. There is room: every value but the first comes after a bracket, a comma or a colon. */
static bool read_value(ent_json_reader *reader, ent_json_value **value) {
  ent_json_value *made = *value = &reader->values[reader->count++];
  if (passes(reader, '"')) {
    made->kind = ENT_JSON_STRING;
    made->string = read_string(reader);
    return made->string != NULL;
  }
  made->kind = passes(reader, '{') ? ENT_JSON_OBJECT : passes(reader, '[') ? ENT_JSON_LIST : ENT_JSON_NULL;
  return made->kind == ENT_JSON_NULL ? read_word(reader, made) : read_values(reader, made);
}

static size_t most_values(const char *text, size_t length) {
  size_t count = 1;
  for (size_t i = 0; i < length; i++)
    count += text[i] == ',' || text[i] == ':' || text[i] == '[' || text[i] == '{';
  return count;
}

entropic_status ent_json_read(entropic_context *context, const char *name, const char *text, size_t length,
                              ent_json_document **document) {
  entropic_status status = ENTROPIC_NO_MEMORY;
  ent_json_document *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return status;
  made->text = ent_new_text(context, text, length);
  made->values = ent_new(context, most_values(text, length), sizeof *made->values);
  if (made->text == NULL || made->values == NULL)
    goto fail;
  ent_json_reader reader = {.context = context,
                            .name = name,
                            .source = text,
                            .text = made->text,
                            .at = made->text,
                            .end = made->text + length,
                            .values = made->values};
  ent_json_value *root;
  if (read_value(&reader, &root)) {
    skip_blanks(&reader);
    if (reader.at != reader.end)
      expected(&reader, "the end");
  }
  status = reader.status;
  if (status != ENTROPIC_OK)
    goto fail;
  *document = made;
  return ENTROPIC_OK;
fail:
  ent_json_free(made);
  return status;
}

/* All bytes of an open file, of `size` or fewer. */
static entropic_status read_bytes(entropic_context *context, const char *path, int file, char *bytes, size_t *size) {
  size_t got = 0;
  while (got < *size) {
    ssize_t now = read(file, bytes + got, *size - got);
    if (now < 0 && errno == EINTR)
      continue;
    if (now < 0) {
      char text[ENT_SHOW_SIZE];
      return ent_fail(context, ENTROPIC_SYSTEM, "%s: cannot read: %s", path, ent_error_text(errno, text));
    }
    if (now == 0)
      break;
    got += (size_t)now;
  }
  *size = got;
  return ENTROPIC_OK;
}

entropic_status ent_json_load(entropic_context *context, const char *path, ent_json_document **document) {
  char text[ENT_SHOW_SIZE], *bytes = NULL;
  struct stat info;
  entropic_status status;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0 || fstat(file, &info) != 0) {
    status = ent_fail(context, ENTROPIC_SYSTEM, "%s: cannot read: %s", path, ent_error_text(errno, text));
    goto done;
  }
  if (!S_ISREG(info.st_mode) || info.st_size < 0 || (size_t)info.st_size > LARGEST_FILE) {
    status = ent_fail(context, ENTROPIC_BAD_DATA, "%s: expected a file of at most %zu MiB", path, LARGEST_FILE >> 20);
    goto done;
  }
  size_t size = (size_t)info.st_size;
  bytes = ent_new_raw(context, size + 1, 1, 1);
  if (bytes == NULL) {
    status = ENTROPIC_NO_MEMORY;
    goto done;
  }
  status = read_bytes(context, path, file, bytes, &size);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_json_read(context, path, bytes, size, document);
done:
  ent_delete(bytes);
  if (file >= 0)
    close(file);
  return status;
}

void ent_json_free(ent_json_document *document) {
  if (document == NULL)
    return;
  ent_delete(document->text);
  ent_delete(document->values);
  ent_delete(document);
}

const ent_json_value *ent_json_root(const ent_json_document *document) {
  return document->values;
}

const ent_json_value *ent_json_get(const ent_json_value *value, const char *key) {
  if (value == NULL || value->kind != ENT_JSON_OBJECT)
    return NULL;
  for (const ent_json_value *member = value->first; member != NULL; member = member->next)
    if (strcmp(member->key, key) == 0)
      return member;
  return NULL;
}

const ent_json_value *ent_json_first(const ent_json_value *value) {
  return value == NULL ? NULL : value->first;
}

double ent_json_number(const ent_json_value *value) {
  return value != NULL && value->kind == ENT_JSON_NUMBER ? value->number : NAN;
}

const char *ent_json_string(const ent_json_value *value) {
  return value != NULL && value->kind == ENT_JSON_STRING ? value->string : NULL;
}

size_t ent_json_numbers(const ent_json_value *value, double *numbers, size_t most) {
  size_t count = 0;
  for (const ent_json_value *at = ent_json_first(value); at != NULL; at = at->next, count++)
    if (count < most)
      numbers[count] = ent_json_number(at);
  return count;
}
