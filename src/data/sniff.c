/* Records of a sample, and how many fields they have: see sample.h. */
#include "data/dialect.h"

#include <string.h>

bool ent_sniff_next_line(const char **p, const char *limit) {
  const char *end = memchr(*p, '\n', (size_t)(limit - *p));
  if (end == NULL)
    return false;
  *p = end + 1;
  return true;
}

/* [+-]digits MARK digits, all of it. */
bool ent_is_fraction(const char *text, size_t length, char mark) {
  size_t i = length > 0 && (text[0] == '-' || text[0] == '+'), digits[2] = {0, 0};
  int part = 0;
  for (; i < length; i++) {
    if (text[i] >= '0' && text[i] <= '9')
      digits[part]++;
    else if (text[i] == mark && part == 0)
      part = 1;
    else
      return false;
  }
  return digits[0] > 0 && digits[1] > 0;
}

bool ent_field_is_number(const ent_field *field, char point) {
  ent_column_cell cell = {.text = field->text, .length = field->length};
  double value;
  ent_cell_trim(&cell); /* blanks in quotes do not count in numbers */
  return entropic_parse_double(cell.text, cell.length, &value) != ENTROPIC_BAD_DATA ||
         (point == ',' && ent_is_fraction(cell.text, cell.length, ','));
}

size_t ent_sniff_visit(const ent_sniff *sample, const ent_dialect *dialect, ent_sniff_visitor visitor, void *user,
                       size_t *counts) {
  const char *p = sample->start;
  size_t record = 0;
  while (p < sample->limit && record < ENT_SNIFF_RECORDS) {
    if (ent_line_is_empty(dialect, p)) {
      if (!ent_sniff_next_line(&p, sample->limit))
        break;
      continue;
    }
    size_t fields = 0;
    for (bool more = true; more;) {
      ent_field field;
      ent_cut cut = ent_field_cut(dialect, p, sample->limit, sample->ended, &field);
      if (cut == ENT_FIELD_MORE && record > 0)
        return record;
      if (cut != ENT_FIELD_CUT) { /* broken: the reader will say so; here the line is what counts */
        counts[record] = fields + 1;
        return record + 1;
      }
      visitor(user, record, fields++, &field);
      p = field.end + (*field.end != '\n');
      if (dialect->blank)
        p = ent_skip_blanks(dialect, p, false);
      more = *p != '\n' && !(dialect->blank && p[0] == '\r' && p[1] == '\n');
      more = more || (!dialect->blank && field.end < p); /* a delimiter at the end opens one more, empty */
    }
    counts[record++] = fields;
    p += *p == '\r';
    p += p < sample->limit;
  }
  return record;
}

static void count_cell(void *user, size_t record, size_t index, const ent_field *field) {
  ent_record_shape *shape = user;
  (void)record;
  (void)index;
  shape->cells++;
  shape->numbers += ent_field_is_number(field, ',');
}

/* The number of fields most records have; of two equally frequent ones the first. */
static size_t most_frequent(const size_t *counts, size_t records, size_t *times) {
  size_t best = 0;
  *times = 0;
  for (size_t i = 0; i < records; i++) {
    size_t same = 0;
    for (size_t j = i; j < records; j++)
      same += counts[j] == counts[i];
    if (same > *times) {
      *times = same;
      best = counts[i];
    }
  }
  return best;
}

ent_record_shape ent_sniff_shape(const ent_sniff *sample, const ent_dialect *dialect) {
  ent_record_shape shape = {0};
  size_t counts[ENT_SNIFF_RECORDS], times, skip = 0;
  shape.records = ent_sniff_visit(sample, dialect, count_cell, &shape, counts);
  shape.first = shape.records > 0 ? counts[0] : 1;
  size_t half = shape.records / 2, usual = most_frequent(counts + half, shape.records - half, &times);
  while (skip < half && skip < ENT_TITLE_MOST && counts[skip] < usual)
    skip++;
  shape.body = shape.records - skip;
  shape.usual = most_frequent(counts + skip, shape.body, &shape.agree);
  shape.others = shape.records > 1 ? most_frequent(counts + 1, shape.records - 1, &times) : shape.first;
  return shape;
}
