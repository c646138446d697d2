/* Numbers that may mark missing values: see layout.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/progress.h"
#include "base/text.h"
#include "dataset/layout.h"

#define MOST_CODES 3    /* of an end of a column: -9, -8, -7 */
#define LEAST_REPEATS 3 /* a code stands in so many rows */
#define FAR 2.0         /* ranges of the other values lie between them and a code */
#define FEW_VALUES 3    /* other values that a column has, distinct ones, at least */
/* The same of values that nobody uses as a mark elsewhere; they stand in no more than half of the rows. Tails, counts and
 * amounts are never that far out. */
#define OTHER_REPEATS 5
#define OTHER_FAR 10.0
#define OTHER_FEW 5
#define NEGATIVE_FAR 0.4 /* of the only negative value among positive ones */
#define NAMES_SHOWN 5    /* columns that a notice names */

/* The outermost distinct values of a column at one end, with their counts; the outermost first. */
typedef struct ent_sentinel_end {
  double value[MOST_CODES + OTHER_FEW];
  size_t times[MOST_CODES + OTHER_FEW];
  size_t count;
} ent_sentinel_end;

/* Codes of a column; LOW and HIGH values together. */
typedef struct ent_sentinels {
  double code[2 * MOST_CODES]; /* ascending */
  size_t count, times;         /* how many rows have one */
  double least, most;          /* of the other values */
} ent_sentinels;

/* Takes a value in; sign is 1 at the low end and -1 at the high one. */
static void take_value(ent_sentinel_end *end, double value, double sign) {
  const size_t room = MOST_CODES + OTHER_FEW;
  size_t place = end->count;
  while (place > 0 && sign * value < sign * end->value[place - 1])
    place--;
  if (place > 0 && end->value[place - 1] == value) {
    end->times[place - 1]++;
    return;
  }
  if (place == room)
    return;
  size_t moved = (end->count < room ? end->count : room - 1) - place;
  memmove(end->value + place + 1, end->value + place, moved * sizeof *end->value);
  memmove(end->times + place + 1, end->times + place, moved * sizeof *end->times);
  end->value[place] = value;
  end->times[place] = 1;
  end->count = place + moved + 1;
}

/* Is a number one that people use as a mark? -7, -8, -9; 77 to 999999 and the like, of either sign, all its digits the same;
 * -100, -200 and other negative hundreds. */
static bool is_code(double value) {
  double size = fabs(value);
  if (value != floor(value) || size < 7 || size >= 1e9)
    return false;
  if (value < 0 && fmod(size, 100) == 0)
    return true;
  long rest = (long)size, digit = rest % 10;
  if (digit < 7 || (value > 0 && size < 10))
    return false;
  for (; rest > 0; rest /= 10)
    if (rest % 10 != digit)
      return false;
  return true;
}

/* How many of the outermost values of an end repeat as those that mark missing values do. */
static size_t count_repeated(const ent_sentinel_end *end, size_t rows) {
  size_t repeated = 0;
  for (; repeated < MOST_CODES && repeated < end->count; repeated++) {
    size_t times = end->times[repeated];
    bool other = times >= OTHER_REPEATS && times <= rows / 2;
    if (!other && !(is_code(end->value[repeated]) && times >= LEAST_REPEATS))
      break;
  }
  return repeated;
}

/* Whether a value is far from the rest; of codes it is enough to be the only negative numbers. */
static bool is_far(double value, size_t others, const ent_sentinels *rest) {
  double range = rest->most - rest->least;
  double gap = value < rest->least ? rest->least - value : value - rest->most;
  if (is_code(value) && ((value < 0 && rest->least >= 0) || gap >= FAR * range))
    return true;
  if (others < OTHER_FEW)
    return false;
  return gap >= OTHER_FAR * range || (value < 0 && rest->least > 0 && gap >= NEGATIVE_FAR * range);
}

/* How many of the outermost values of an end are apart from the rest; the others belong to it. */
static size_t count_apart(const ent_sentinel_end *end, size_t repeated, ent_sentinels *rest) {
  for (; repeated > 0; repeated--) {
    double inner = end->value[repeated - 1];
    if (is_far(inner, end->count - repeated, rest))
      break;
    rest->least = fmin(rest->least, inner);
    rest->most = fmax(rest->most, inner);
  }
  return repeated;
}

static void add_codes(const ent_sentinel_end *end, size_t codes, ent_sentinels *found) {
  for (size_t i = 0; i < codes; i++) {
    size_t place = found->count++;
    for (; place > 0 && found->code[place - 1] > end->value[i]; place--)
      found->code[place] = found->code[place - 1];
    found->code[place] = end->value[i];
    found->times += end->times[i];
  }
}

/* Finds those of both ends. The rest grows until nothing in it is apart. */
static void find_codes(const ent_sentinel_end *low, const ent_sentinel_end *high, size_t rows, ent_sentinels *found) {
  size_t below = count_repeated(low, rows), above = count_repeated(high, rows), before;
  /* Of a column of few values both ends have all of them. */
  if (below + FEW_VALUES > low->count || above + FEW_VALUES > high->count || below + above == 0)
    return;
  if (low->count < MOST_CODES + OTHER_FEW && below + above + FEW_VALUES > low->count)
    return;
  found->least = low->value[below];
  found->most = high->value[above];
  do {
    before = below + above;
    below = count_apart(low, below, found);
    above = count_apart(high, above, found);
  } while (below + above < before);
  add_codes(low, below, found);
  add_codes(high, above, found);
}

/* The codes of a column of so many rows. */
static entropic_status look(entropic_context *context, const ent_inputs *from, size_t column, size_t rows,
                            ent_sentinels *found) {
  ent_sentinel_end low = {.count = 0}, high = {.count = 0};
  ent_inputs_cursor cursor;
  *found = (ent_sentinels){.count = 0};
  ent_inputs_start(from, column, rows, &cursor);
  for (size_t row = 0; row < rows; row++) {
    entropic_status status = row % ENT_CURSOR_ROWS == 0 ? ent_poll(context) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
    double value = ent_inputs_at(&cursor, row);
    if (isnan(value))
      continue;
    take_value(&low, value, 1);
    take_value(&high, value, -1);
  }
  find_codes(&low, &high, rows, found);
  return ENTROPIC_OK;
}

/* Codes of all columns, by their numbers: those of inputs, then those of targets. */
typedef struct ent_sentinel_list {
  ent_sentinels *of;
  size_t columns;
} ent_sentinel_list;

static const char *name_of(const ent_schema *schema, size_t column) {
  return column < schema->inputs ? schema->input[column].name : schema->target[column - schema->inputs];
}

static bool same_codes(const ent_sentinels *a, const ent_sentinels *b) {
  return a->count == b->count && memcmp(a->code, b->code, a->count * sizeof *a->code) == 0;
}

#define LIST_SIZE 1024

/* "-9, -8" or, for an option, "-9,-8". */
static void list_codes(const ent_sentinels *of, const char *between, char text[LIST_SIZE]) {
  char number[ENTROPIC_NUMBER_SIZE];
  size_t used = 0;
  for (size_t i = 0; i < of->count; i++) {
    entropic_format_double(of->code[i], number);
    used += (size_t)snprintf(text + used, LIST_SIZE - used, "%s%s", i > 0 ? between : "", number);
  }
}

/* One notice for all columns that have the codes of this one. */
static entropic_status add_notice(entropic_context *context, const ent_sentinel_list *list, size_t first,
                                  entropic_dataset *dataset) {
  const ent_sentinels *of = &list->of[first];
  char names[LIST_SIZE] = "", codes[LIST_SIZE], option[LIST_SIZE], shown[ENT_SHOW_SIZE], ends[2][ENTROPIC_NUMBER_SIZE];
  size_t used = 0, columns = 0, times = 0;
  for (size_t i = first; i < list->columns; i++) {
    if (!same_codes(of, &list->of[i]))
      continue;
    const char *name = name_of(&dataset->schema, i);
    times += list->of[i].times;
    if (columns++ < NAMES_SHOWN)
      used += (size_t)snprintf(names + used, LIST_SIZE - used, "%s%s", columns > 1 ? ", " : "",
                               ent_show(name, strlen(name), shown));
  }
  if (columns > NAMES_SHOWN)
    snprintf(names + used, LIST_SIZE - used, " and %zu more", columns - NAMES_SHOWN);
  list_codes(of, " and ", codes);
  list_codes(of, ",", option);
  entropic_format_double(of->least, ends[0]);
  entropic_format_double(of->most, ends[1]);
  char rest[3 * ENTROPIC_NUMBER_SIZE] = "";
  if (columns == 1)
    snprintf(rest, sizeof rest, ", which are %s to %s", ends[0], ends[1]);
  return ent_notices_add(
      context, &dataset->notices,
      "column%s %s: %s appear%s %zu times, far from all other values%s; if this marks missing values, use --missing %s",
      columns > 1 ? "s" : "", names, codes, of->count > 1 ? "" : "s", times, rest, option);
}

entropic_status ent_dataset_warn_sentinels(entropic_context *context, entropic_dataset *dataset) {
  const ent_schema *schema = &dataset->schema;
  const ent_inputs targets = {.x = dataset->y, .stride = schema->targets}, inputs = ent_dataset_inputs(dataset);
  ent_sentinel_list list = {.columns = schema->inputs + (ent_schema_has_classes(schema) ? 0 : schema->targets)};
  list.of = ent_new(context, list.columns, sizeof *list.of);
  if (list.of == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < list.columns; i++) {
    const ent_input *input = i < schema->inputs ? &schema->input[i] : NULL;
    if (input != NULL && (input->categories > 0 || input->part != ENT_PART_NONE))
      continue;
    status = input != NULL ? look(context, &inputs, i, dataset->rows, &list.of[i])
                           : look(context, &targets, i - schema->inputs, dataset->rows, &list.of[i]);
    if (status != ENTROPIC_OK)
      goto done;
  }
  for (size_t i = 0; i < list.columns; i++) {
    bool first = list.of[i].count > 0;
    for (size_t k = 0; k < i && first; k++)
      first = !same_codes(&list.of[k], &list.of[i]);
    status = first ? add_notice(context, &list, i, dataset) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_delete(list.of);
  return status;
}
