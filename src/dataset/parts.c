/* Which parts of dates are inputs: see layout.h. */
#include <math.h>
#include <string.h>

#include "base/progress.h"
#include "base/text.h"
#include "dataset/layout.h"

/* What is seen of the dates of a column. */
typedef struct ent_parts_seen {
  bool any;
  double least, most;           /* of the dates */
  double first[ENT_DATE_PARTS]; /* of the first date */
  bool varies[ENT_DATE_PARTS];
} ent_parts_seen;

static void see(ent_parts_seen *seen, double days) {
  if (isnan(days))
    return;
  for (int part = ENT_PART_YEARDAY; part < ENT_DATE_PARTS; part++) {
    double value = ent_part_value((ent_date_part)part, days);
    if (!seen->any)
      seen->first[part] = value;
    seen->varies[part] = seen->varies[part] || value != seen->first[part];
  }
  seen->least = seen->any ? fmin(seen->least, days) : days;
  seen->most = seen->any ? fmax(seen->most, days) : days;
  seen->any = true;
}

/* Whether a column of the table has the name that the part of a column would have. */
static bool is_taken(const ent_layout *layout, const char *column, ent_date_part part) {
  const ent_columns *columns = layout->columns;
  size_t length = strlen(column);
  for (size_t i = 0; i < columns->count; i++) {
    const char *name = columns->list[i].name;
    if (strncmp(name, column, length) == 0 && name[length] == ':' &&
        strcmp(name + length + 1, ent_part_name(part)) == 0)
      return true;
  }
  return false;
}

static entropic_status notice_taken(entropic_context *context, const char *column, ent_date_part part,
                                    ent_notices *notices) {
  char shown[ENT_SHOW_SIZE];
  return ent_notices_add(context, notices,
                         "column %s:%s has the name of a part of the dates %s, so that part is not derived; if it is "
                         "something else, rename the column or ignore the dates",
                         ent_show(column, strlen(column), shown), ent_part_name(part), shown);
}

/* The parts of a column that become inputs; bit p: part p. */
static entropic_status find_parts(entropic_context *context, const ent_layout *layout, size_t column,
                                  ent_notices *notices, unsigned *parts) {
  const ent_column *of = &layout->columns->list[column];
  ent_parts_seen seen = {0};
  ent_layout_cursor cursor;
  ent_layout_cursor_start(layout, column, &cursor);
  for (size_t row = 0; row < layout->rows; row++) {
    entropic_status status = row % ENT_CURSOR_ROWS == 0 ? ent_poll(context) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
    see(&seen, ent_layout_at(&cursor, row));
  }
  *parts = 0;
  for (int part = ENT_PART_YEARDAY; part < ENT_DATE_PARTS; part++) {
    if (!seen.varies[part] || !(seen.most - seen.least >= ent_part_days((ent_date_part)part)))
      continue;
    bool taken = is_taken(layout, of->name, (ent_date_part)part);
    *parts |= taken ? 0 : 1u << part;
    entropic_status status = taken ? notice_taken(context, of->name, (ent_date_part)part, notices) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_layout_add_parts(entropic_context *context, ent_layout *layout, ent_notices *notices) {
  for (size_t i = 0; i < layout->inputs; i++) {
    size_t column = layout->input[i], behind = i + 1;
    unsigned parts;
    if (layout->columns->list[column].mode != ENT_MODE_DATE)
      continue;
    entropic_status status = find_parts(context, layout, column, notices, &parts);
    if (status != ENTROPIC_OK)
      return status;
    layout->part[i] = ENT_PART_WHOLE;
    size_t more = (size_t)__builtin_popcount(parts), rest = layout->inputs - behind;
    memmove(layout->input + behind + more, layout->input + behind, rest * sizeof *layout->input);
    memset(layout->part + behind + more, 0, rest * sizeof *layout->part);
    for (int part = ENT_PART_YEARDAY; part < ENT_DATE_PARTS; part++)
      if (parts >> part & 1) {
        layout->input[behind] = column;
        layout->part[behind++] = (ent_date_part)part;
      }
    layout->inputs += more;
    i = behind - 1;
  }
  return ENTROPIC_OK;
}
