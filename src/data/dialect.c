/* How a text file is written, guessed from a sample of its records: see dialect.h. */
#include "data/dialect.h"

#include <string.h>

/* Is `a` the better guess? More records agree, below a title or in all; or more cells are numbers. */
static bool better(const ent_record_shape *a, const ent_record_shape *b) {
  double agree_a = (double)a->agree * (double)b->body, agree_b = (double)b->agree * (double)a->body;
  if (agree_a != agree_b)
    return agree_a > agree_b;
  agree_a = (double)a->agree * (double)b->records;
  agree_b = (double)b->agree * (double)a->records;
  if (agree_a != agree_b)
    return agree_a > agree_b;
  return (double)a->numbers * (double)b->cells > (double)b->numbers * (double)a->cells;
}

static void set_delimiter(ent_dialect *dialect, char delimiter) {
  dialect->delimiter = delimiter;
  dialect->blank = delimiter == ' ';
}

static bool may_delimit(char c) {
  return c == ',' || c == ';' || c == '\t' || c == '|' || c == ' ' || c == '\n' || c == '\r';
}

/* Single quotes count as quotes if they stand around fields and double ones do not. In most lines that have any, as many open a
 * field as close one: where a line has 't Hooft they are apostrophes. */
static void find_quote(const ent_sniff *sample, ent_dialect *dialect) {
  size_t paired = 0, odd = 0, opened = 0, closed = 0;
  dialect->quote = '"';
  for (const char *p = sample->start; p < sample->limit; p++) {
    bool opens = p == sample->start || may_delimit(p[-1]), closes = may_delimit(p[1]);
    if (*p == '"' && (opens || closes))
      return;
    opened += *p == '\'' && opens;
    closed += *p == '\'' && closes && !opens; /* one alone is a text */
    if (*p != '\n' && *p != '\r' && p + 1 < sample->limit)
      continue;
    paired += opened > 0 && opened == closed;
    odd += opened != closed;
    opened = closed = 0;
  }
  if (paired > 0 && paired >= odd)
    dialect->quote = '\'';
}

/* '#' begins comments if it begins the first line, but not every line. */
static void find_comment(const ent_sniff *sample, ent_dialect *dialect) {
  const char *p = sample->start;
  size_t marked = 0, lines = 0;
  bool first = false;
  do {
    if (p >= sample->limit || ent_line_is_empty(dialect, p))
      continue;
    first = first || (lines == 0 && *p == '#');
    marked += *p == '#';
    lines++;
  } while (ent_sniff_next_line(&p, sample->limit) && lines < ENT_SNIFF_RECORDS);
  dialect->comment = first && marked < lines ? '#' : 0;
}

typedef struct ent_marks {
  size_t commas, points;
} ent_marks;

static void count_marks(void *user, size_t record, size_t index, const ent_field *field) {
  ent_marks *marks = user;
  (void)record;
  (void)index;
  marks->commas += ent_is_fraction(field->text, field->length, ',');
  marks->points += ent_is_fraction(field->text, field->length, '.');
}

/* Do lines of tabs have a title above a header? */
static entropic_status has_title(entropic_context *context, const ent_sniff *sample, int header, ent_dialect *dialect,
                                 bool *titled) {
  ent_dialect tabs = *dialect;
  ent_sniff rest = *sample;
  const char *title = NULL;
  set_delimiter(&tabs, '\t');
  tabs.point = ','; /* either mark will do */
  entropic_status status = ent_sniff_skip_title(context, &rest, header, &tabs, &title);
  *titled = title != NULL;
  return status;
}

static entropic_status find_delimiter(entropic_context *context, const ent_sniff *sample, int header,
                                      ent_dialect *dialect) {
  static const char candidates[] = {';', '\t', '|', ','};
  ent_record_shape best = {0}, shape;
  char chosen = 0;
  bool titled = false;
  for (size_t i = 0; i < sizeof candidates; i++) {
    set_delimiter(dialect, candidates[i]);
    shape = ent_sniff_shape(sample, dialect);
    if (shape.usual >= 2 && (chosen == 0 || better(&shape, &best))) {
      best = shape;
      chosen = candidates[i];
    }
  }
  /* Blanks are also found in texts: they delimit if nothing else does, or where tabs do but for a few lines. */
  if (chosen == '\t' && best.agree < best.records) {
    entropic_status status = has_title(context, sample, header, dialect, &titled);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (chosen == 0 || (chosen == '\t' && !titled)) {
    set_delimiter(dialect, ' ');
    shape = ent_sniff_shape(sample, dialect);
    bool steady = shape.agree * 5 >= shape.body * 4 && shape.usual >= 2;
    if (chosen == 0 ? steady : steady && shape.agree == shape.records && best.agree < best.records)
      chosen = ' ';
  }
  set_delimiter(dialect, chosen == 0 ? ',' : chosen);
  return ENTROPIC_OK;
}

/* The length of a first line such as sep=; that names the delimiter for a spreadsheet; 0 if there is none. */
static size_t find_directive(const char *p, const char *limit, char *delimiter) {
  const char *q = p, *line_end = limit > p ? memchr(p, '\n', (size_t)(limit - p)) : NULL;
  bool quoted = *q == '"';
  q += quoted;
  if (line_end == NULL || line_end - q < 5 || !ent_same_word(q, 4, "sep="))
    return 0;
  q += 4;
  bool named = q[0] == '\\' && q[1] == 't';
  *delimiter = named ? '\t' : *q;
  q += named ? 2 : 1;
  q += quoted && *q == '"';
  q += *q == '\r';
  return q == line_end && strchr(",;\t| :", *delimiter) != NULL ? (size_t)(line_end + 1 - p) : 0;
}

static void find_decimal(const ent_sniff *sample, ent_dialect *dialect) {
  ent_marks marks = {0};
  size_t counts[ENT_SNIFF_RECORDS];
  ent_sniff_visit(sample, dialect, count_marks, &marks, counts);
  dialect->point = marks.commas > marks.points ? ',' : '.';
}

/* Delimiter, quote, comment and decimal mark. */
static entropic_status find_characters(entropic_context *context, const ent_sniff *sample,
                                       const ent_read_options *options, char named, ent_dialect *dialect) {
  if (options->comment == ENT_AUTO)
    find_comment(sample, dialect);
  else
    dialect->comment = (char)options->comment;
  if (options->quote == ENT_AUTO)
    find_quote(sample, dialect);
  else
    dialect->quote = (char)options->quote;
  if (options->delimiter != ENT_AUTO) {
    set_delimiter(dialect, (char)options->delimiter);
  } else if (named != 0) {
    set_delimiter(dialect, named);
  } else {
    entropic_status status = find_delimiter(context, sample, options->header, dialect);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (options->decimal != ENT_AUTO)
    dialect->point = (char)options->decimal;
  else if (dialect->delimiter != ',')
    find_decimal(sample, dialect);
  return ENTROPIC_OK;
}

entropic_status ent_dialect_find(entropic_context *context, const ent_sniff *sample, const ent_read_options *options,
                                 ent_dialect *dialect) {
  ent_sniff rest = *sample;
  *dialect = (ent_dialect){.delimiter = ',', .point = '.'};
  char named = 0;
  size_t directive = find_directive(sample->start, sample->limit, &named);
  rest.start += directive;
  const char *top = rest.start, *title = NULL;
  entropic_status status = find_characters(context, &rest, options, directive > 0 ? named : 0, dialect);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_sniff_skip_title(context, &rest, options->header, dialect, &title);
  if (status != ENTROPIC_OK)
    return status;
  dialect->start = (size_t)(rest.start - sample->start);
  dialect->title = title == NULL ? dialect->start : (size_t)(title - sample->start);
  dialect->titles = title == NULL ? 0 : ent_count_lines(top, rest.start);
  status = ent_sniff_find_columns(context, &rest, options->header, dialect);
  /* Lines of delimiters alone at the top are no part of the table where a header follows; without one they are rows. */
  if (title == NULL && !dialect->header)
    dialect->start = dialect->title = directive;
  return status;
}
