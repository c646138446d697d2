/* The surveys of two parts that follow each other become those of both: see column_survey.h. Everything is merged so that it
 * does not matter where a table was cut. */
#include <string.h>

#include <math.h>

#include "columns/column_survey.h"

/* Two columns that are merged. */
typedef struct ent_column_pair {
  ent_column *to;
  const ent_column *from;
  uint64_t rows_to, rows_from;
  size_t shift; /* is added to the lines of `from`, modulo its range */
} ent_column_pair;

/* ---- Texts ---- */

/* Adds the texts of a dictionary to another, which is made if it is not there. */
static entropic_status merge_texts(entropic_context *context, ent_dictionary **to, const ent_dictionary *from,
                                   size_t shift) {
  if (from == NULL)
    return ENTROPIC_OK;
  entropic_status status = *to == NULL ? ent_dictionary_create(context, to) : ENTROPIC_OK;
  for (size_t i = 0; i < ent_dictionary_size(from) && status == ENTROPIC_OK; i++) {
    ent_dictionary_item item = ent_dictionary_get(from, (uint32_t)i);
    uint32_t code;
    bool is_new;
    item.line += shift;
    status = ent_dictionary_merge(context, *to, &item, &code, &is_new);
  }
  return status;
}

/* The steps of the second part, in rows and texts of both. `step` is the next one. */
static void take_steps(const ent_column_pair *pair, const ent_growth *from, ent_growth *to, size_t texts,
                       size_t *step) {
  for (; *step < from->count && from->steps[*step].texts <= texts; ++*step)
    to->steps[to->count++] = (ent_growth_step){.rows = pair->rows_to + from->steps[*step].rows,
                                               .texts = ent_dictionary_size(pair->to->dictionary),
                                               .stopped = from->steps[*step].stopped};
}

/* Categories: codes follow the order of first appearance. *first is the code of the first value of the second part. */
static entropic_status merge_categories(entropic_context *context, const ent_column_pair *pair, const ent_growth *from,
                                        ent_growth *to, double *first) {
  size_t step = 0, size = ent_dictionary_size(pair->from->dictionary);
  if (!ent_reserve(context, &to->steps, &to->capacity, to->count + from->count + 1, sizeof *to->steps))
    return ENTROPIC_NO_MEMORY;
  *first = pair->from->first;
  for (size_t i = 0; i < size; i++) {
    ent_dictionary_item item = ent_dictionary_get(pair->from->dictionary, (uint32_t)i);
    uint32_t code;
    bool is_new;
    take_steps(pair, from, to, i, &step);
    item.line += pair->shift;
    entropic_status status = ent_dictionary_merge(context, pair->to->dictionary, &item, &code, &is_new);
    if (status != ENTROPIC_OK)
      return status;
    if (pair->from->first == (double)i)
      *first = code;
  }
  take_steps(pair, from, to, size, &step);
  return ENTROPIC_OK;
}

/* Spellings of a target: too many are none. */
static entropic_status merge_spellings(entropic_context *context, const ent_column_pair *pair) {
  ent_column *to = pair->to;
  entropic_status status = merge_texts(context, &to->spellings, pair->from->spellings, 0);
  if (status != ENTROPIC_OK)
    return status;
  if (!to->unspelled && !pair->from->unspelled && ent_dictionary_size(to->spellings) <= ENT_SPELLINGS_MOST)
    return ENTROPIC_OK;
  ent_dictionary_free(to->spellings);
  to->spellings = NULL;
  to->unspelled = true;
  if (to->mode == ENT_MODE_NOTED && to->notation == ENT_NOTATION_PLAIN)
    to->mode = ENT_MODE_NUMBER;
  return ENTROPIC_OK;
}

/* ---- Notations ---- */

static entropic_status merge_evidence(entropic_context *context, const ent_column_pair *pair) {
  const ent_notation_evidence *from = pair->from->evidence;
  if (from == NULL)
    return ENTROPIC_OK;
  if (pair->to->evidence == NULL) {
    pair->to->evidence = ent_new(context, 1, sizeof *from);
    if (pair->to->evidence == NULL)
      return ENTROPIC_NO_MEMORY;
    *pair->to->evidence = *from;
    return ENTROPIC_OK;
  }
  ent_notation_evidence *to = pair->to->evidence;
  for (int n = 0; n < ENT_NOTATIONS; n++)
    to->matches[n] += from->matches[n];
  to->ambiguous += from->ambiguous;
  to->marked += from->marked;
  bool clearer = from->example_ambiguous && !to->example_ambiguous;
  if (from->example[0] != '\0' && (to->example[0] == '\0' || clearer)) {
    memcpy(to->example, from->example, sizeof to->example);
    to->example_ambiguous = from->example_ambiguous;
  }
  to->units_differ = to->units_differ || from->units_differ ||
                     (to->unit[0] != '\0' && from->unit[0] != '\0' && strcmp(to->unit, from->unit) != 0);
  if (to->unit[0] == '\0')
    memcpy(to->unit, from->unit, sizeof to->unit);
  return ENTROPIC_OK;
}

/* ---- Values ---- */

/* Is the column constant, and a run of whole numbers? `first` is the first value of the second part. */
static void merge_run(const ent_column_pair *pair, double first) {
  ent_column *to = pair->to;
  const ent_column *from = pair->from;
  if (pair->rows_from == 0)
    return;
  if (pair->rows_to == 0) {
    to->same = from->same;
    to->counting = from->counting;
    to->first = first;
    to->least = from->least;
    to->most = from->most;
    to->last = from->last;
    to->hashes = from->hashes;
    return;
  }
  to->same = to->same && from->same && (to->first == first || (isnan(to->first) && isnan(first)));
  to->counting = to->counting && from->counting && to->last != first;
  if (!to->counting)
    return;
  to->least = fmin(to->least, from->least);
  to->most = fmax(to->most, from->most);
  to->hashes += from->hashes;
  to->last = from->last;
}

static void merge_counts(const ent_column_pair *pair) {
  ent_column *to = pair->to;
  const ent_column *from = pair->from;
  to->missing += from->missing;
  to->soft += from->soft;
  to->texts += from->texts;
  to->ranges += from->ranges;
  to->lowest = fmin(to->lowest, from->lowest);
  to->highest = fmax(to->highest, from->highest);
  to->full = to->full || from->full;
  if (to->bad_line != 0 || from->bad_line == 0)
    return;
  to->bad_line = from->bad_line + pair->shift;
  to->bad_range = from->bad_range;
  memcpy(to->bad_text, from->bad_text, sizeof to->bad_text);
}

static entropic_status merge_column(entropic_context *context, ent_column_survey *survey, const ent_column_survey *next,
                                    size_t index, size_t shift) {
  const ent_column_pair pair = {&survey->columns.list[index], &next->columns.list[index], survey->rows, next->rows,
                                shift};
  double first = pair.from->first;
  entropic_status status = ENTROPIC_OK;
  if (pair.to->mode == ENT_MODE_TEXT)
    status = merge_categories(context, &pair, &next->growth[index], &survey->growth[index], &first);
  if (status != ENTROPIC_OK)
    return status;
  merge_run(&pair, first);
  merge_counts(&pair);
  status = merge_texts(context, &pair.to->words, pair.from->words, shift);
  if (status != ENTROPIC_OK)
    return status;
  status = merge_texts(context, &pair.to->missing_texts, pair.from->missing_texts, 0);
  if (status != ENTROPIC_OK)
    return status;
  status = merge_spellings(context, &pair);
  if (status != ENTROPIC_OK)
    return status;
  return merge_evidence(context, &pair);
}

/* ---- Parts ---- */

static const char *mode_name(const ent_column *column) {
  static const char *const names[] = {"numbers", "numbers", "dates", "text", "weights", "not read"};
  return names[column->mode];
}

/* Parts of one table have the same columns, read in the same way. */
static entropic_status check_columns(entropic_context *context, const ent_column_survey *survey,
                                     const ent_column_survey *next) {
  unsigned long long part = next->part + 1;
  if (survey->columns.count != next->columns.count)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s, part %llu: found %zu columns, expected %zu as in the parts before",
                    next->file, part, next->columns.count, survey->columns.count);
  for (size_t i = 0; i < survey->columns.count; i++) {
    const ent_column *to = &survey->columns.list[i], *from = &next->columns.list[i];
    char name[ENT_SHOW_SIZE], expected[ENT_SHOW_SIZE];
    ent_show(from->name, strlen(from->name), name);
    if (strcmp(to->name, from->name) != 0)
      return ent_fail(context, ENTROPIC_BAD_DATA,
                      "%s, part %llu: column %zu is called %s, expected %s as in the parts "
                      "before",
                      next->file, part, i + 1, name, ent_show(to->name, strlen(to->name), expected));
    if (to->role != from->role)
      return ent_fail(context, ENTROPIC_BAD_DATA,
                      "%s, part %llu, column %zu (%s): its role is %d, expected %d as in the "
                      "parts before",
                      next->file, part, i + 1, name, (int)from->role, (int)to->role);
    bool same = to->mode == from->mode || (ent_column_is_open(to) && ent_column_is_open(from));
    if (!same)
      return ent_fail(context, ENTROPIC_BAD_DATA,
                      "%s, part %llu, column %zu (%s): it is %s, expected %s as in the parts "
                      "before",
                      next->file, part, i + 1, name, mode_name(from), mode_name(to));
  }
  return ENTROPIC_OK;
}

static void ask_for(ent_column_survey *survey, uint64_t part, uint64_t start, uint64_t line) {
  survey->reread = true;
  survey->reread_part = part;
  survey->reread_start = start;
  survey->reread_line = line;
}

entropic_status ent_column_survey_merge(entropic_context *context, ent_column_survey *survey,
                                        const ent_column_survey *next) {
  uint64_t line = survey->line + survey->lines;
  if (survey->failed || survey->reread)
    return ENTROPIC_OK; /* what comes later is for another round */
  if (next->failed || (survey->is_range && next->is_range && survey->end != next->start)) {
    ask_for(survey, next->part, survey->end, line);
    return ENTROPIC_OK;
  }
  if (next->reread) {
    ask_for(survey, next->reread_part, next->reread_start, next->reread_line + (line - next->line));
    return ENTROPIC_OK;
  }
  entropic_status status = check_columns(context, survey, next);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < survey->columns.count; i++) {
    status = merge_column(context, survey, next, i, (size_t)(line - next->line));
    if (status != ENTROPIC_OK)
      return status;
  }
  survey->several = survey->several || next->several || strcmp(survey->file, next->file) != 0;
  survey->rows += next->rows;
  survey->lines += next->lines;
  survey->end = next->end;
  return ENTROPIC_OK;
}
