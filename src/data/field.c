/* Fields cut out of lines: see dialect.h. */
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "data/dialect.h"

const char *ent_find_end(const char *p, char delimiter) {
#if defined(__SSE2__)
  const __m128i delimiters = _mm_set1_epi8(delimiter), line_feeds = _mm_set1_epi8('\n');
  for (;; p += 16) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
    int found = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(bytes, delimiters), _mm_cmpeq_epi8(bytes, line_feeds)));
    if (found != 0)
      return p + __builtin_ctz((unsigned)found);
  }
#else
  while (*p != delimiter && *p != '\n')
    p++;
  return p;
#endif
}

/* The end of a field between blanks. */
static const char *find_blank(const char *p) {
  while (*p != ' ' && *p != '\t' && *p != '\n')
    p++;
  return p;
}

const char *ent_skip_blanks(const ent_dialect *dialect, const char *p, bool delimiters) {
  char delimiter = dialect->delimiter;
  while ((*p == ' ' || *p == '\t' || *p == delimiter) && (delimiters || dialect->blank || *p != delimiter))
    p++;
  return p;
}

bool ent_line_is_empty(const ent_dialect *dialect, const char *p) {
  if (dialect->comment != 0 && *p == dialect->comment)
    return true;
  p = ent_skip_blanks(dialect, p, false);
  return *p == '\n' || (p[0] == '\r' && p[1] == '\n');
}

static ent_cut fault(ent_field *field, const char *what) {
  field->fault = what;
  return ENT_FIELD_FAULT;
}

size_t ent_count_lines(const char *p, const char *end) {
  size_t lines = 0;
#if defined(__SSE2__)
  const __m128i line_feeds = _mm_set1_epi8('\n'), ones = _mm_set1_epi8(1);
  __m128i sums = _mm_setzero_si128();
  for (; end - p >= 16; p += 16) {
    __m128i found = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), line_feeds);
    sums = _mm_add_epi64(sums, _mm_sad_epu8(_mm_and_si128(found, ones), _mm_setzero_si128()));
  }
  lines = (size_t)_mm_cvtsi128_si64(sums) + (size_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(sums, sums));
#endif
  for (; p < end; p++)
    lines += *p == '\n';
  return lines;
}

/* p is past the opening quote. */
static ent_cut cut_quoted(const ent_dialect *dialect, const char *p, const char *limit, bool ended, ent_field *field) {
  const char *close = p;
  for (;;) {
    close = memchr(close, dialect->quote, (size_t)(limit - close));
    if (close == NULL)
      return ended ? fault(field, "a quote is opened and never closed") : ENT_FIELD_MORE;
    if (close + 1 == limit && !ended)
      return ENT_FIELD_MORE;
    if (close + 1 == limit || close[1] != dialect->quote)
      break;
    field->doubled = true;
    close += 2;
  }
  field->text = p;
  field->length = (size_t)(close - p);
  field->lines = ent_count_lines(p, close);
  field->quoted = true;
  const char *end = close + 1;
  while (*end == ' ' || *end == '\r' || (*end == '\t' && dialect->delimiter != '\t'))
    if (dialect->blank && *end != '\r')
      break;
    else
      end++;
  if (end >= limit && !ended)
    return ENT_FIELD_MORE;
  field->end = end;
  if (memchr(p, 0, field->length) != NULL)
    return fault(field, "found a NUL byte, expected text");
  bool ends = *end == '\n' || (dialect->blank ? *end == ' ' || *end == '\t' : *end == dialect->delimiter);
  return ends ? ENT_FIELD_CUT : fault(field, "there is text after a closing quote, expected the end of the field");
}

ent_cut ent_field_cut(const ent_dialect *dialect, const char *p, const char *limit, bool ended, ent_field *field) {
  *field = (ent_field){0};
  p = ent_skip_blanks(dialect, p, false);
  if (dialect->quote != 0 && *p == dialect->quote && p < limit)
    return cut_quoted(dialect, p + 1, limit, ended, field);
  const char *end = dialect->blank ? find_blank(p) : ent_find_end(p, dialect->delimiter);
  if (end >= limit && !ended)
    return ENT_FIELD_MORE;
  field->end = end;
  if (*end == '\n' && end > p && end[-1] == '\r')
    end--;
  while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  field->text = p;
  field->length = (size_t)(end - p);
  if (memchr(p, 0, field->length) != NULL)
    return fault(field, "found a NUL byte, expected text");
  return ENT_FIELD_CUT;
}
