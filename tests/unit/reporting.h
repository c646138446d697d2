/* What tests of reports share: is a text well-formed XML, and is anything in it that should not be? */
#ifndef REPORTING_H
#define REPORTING_H

#include "unit/tests.h"

#include <ctype.h>

#include "page/page.h"

#define DEEPEST 64

static inline void assert_text(const ent_text *text, const char *expected) {
  assert_int_equal(text->status, ENTROPIC_OK);
  assert_string_equal(text->bytes == NULL ? "" : text->bytes, expected);
  assert_int_equal(text->length, strlen(expected));
}

/* The end of an attribute list that begins at p: name="value" pairs. NULL if it is anything else. */
static inline const char *skip_attributes(const char *p) {
  while (*p == ' ') {
    size_t name = strspn(++p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789:");
    if (name == 0 || strncmp(p + name, "=\"", 2) != 0)
      return NULL;
    p += name + 2;
    p += strcspn(p, "\"<");
    if (*p++ != '"')
      return NULL;
  }
  return p;
}

/* &name; or &#number; */
static inline bool is_entity(const char *p) {
  static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  for (size_t i = 0; i < COUNT(known); i++)
    if (strncmp(p, known[i], strlen(known[i])) == 0)
      return true;
  return false;
}

/* What is wrong with a well-formed document, and where; NULL if nothing is. */
static inline const char *find_flaw(const char *text) {
  char open[DEEPEST][32];
  size_t depth = 0;
  for (const char *p = text; *p != '\0';) {
    if (((unsigned char)*p < ' ' && *p != '\n') || (*p == '&' && !is_entity(p)))
      return p;
    if (*p != '<') {
      p++;
      continue;
    }
    const char *start = p;
    bool end = p[1] == '/';
    p += end ? 2 : 1;
    size_t name = strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789");
    if (name == 0 || name >= sizeof open[0] || depth + 1 >= DEEPEST)
      return start;
    if (end) {
      if (depth == 0 || strlen(open[depth - 1]) != name || memcmp(open[depth - 1], p, name) != 0 || p[name] != '>')
        return start;
      depth--;
      p += name + 1;
      continue;
    }
    snprintf(open[depth], sizeof open[0], "%.*s", (int)name, p);
    p = skip_attributes(p + name);
    if (p == NULL)
      return start;
    bool alone = *p == '/';
    p += alone;
    if (*p++ != '>')
      return start;
    depth += !alone;
  }
  return depth == 0 ? NULL : text + strlen(text);
}

/* Is one of these words anywhere, with no letter beside it? */
static inline const char *find_word(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *p = text; *p != '\0'; p++)
    if (strncasecmp(p, word, length) == 0 && (p == text || !isalpha((unsigned char)p[-1])) &&
        !isalpha((unsigned char)p[length]))
      return p;
  return NULL;
}

/* Well-formed, with no number that is none. */
static inline void assert_sound(const ent_text *text) {
  assert_int_equal(text->status, ENTROPIC_OK);
  assert_non_null(text->bytes);
  assert_int_equal(strlen(text->bytes), text->length);
  const char *flaw = find_flaw(text->bytes);
  static const char *const words[] = {"nan", "inf", "infinity"};
  for (size_t i = 0; i < 3 && flaw == NULL; i++)
    flaw = find_word(text->bytes, words[i]);
  if (flaw != NULL) {
    size_t before = flaw - text->bytes < 60 ? (size_t)(flaw - text->bytes) : 60;
    fail_msg("wrong at byte %td: %.*s -->%.80s", flaw - text->bytes, (int)before, flaw - before, flaw);
  }
}

static inline size_t count_of(const char *text, const char *part) {
  size_t count = 0;
  for (const char *p = text; (p = strstr(p, part)) != NULL; p += strlen(part))
    count++;
  return count;
}

#endif
