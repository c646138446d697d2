/* Collecting rows into fixed-point statistics. */
#include "sums/fixed_collector.h"

entropic_status ent_fixed_collect(entropic_context *context, ent_fixed *fixed, const ent_map *map, const ent_rows *rows,
                                  const ent_fixed_options *options) {
  ENT_NEED(context, fixed);
  ENT_NEED(context, map);
  ENT_NEED(context, rows);
  ent_fixed_collection what = {.fixed = fixed, .map = map, .rows = rows->count, .targets = rows->targets};
  what.options = options == NULL ? ent_fixed_options_default(fixed->grade) : *options;
  if (map->inputs != rows->inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "rows of %zu inputs and a map of %zu do not match", rows->inputs,
                    map->inputs);
  ent_fixed_collector c;
  ent_fixed_tally tally = {0};
  entropic_status status = ent_fixed_collector_start(context, &what, &c);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_fixed_collector_add_all(context, &c, rows, ENT_FIXED_MOST_ROWS - fixed->rows, &tally);
  if (status != ENTROPIC_OK)
    goto done;
  if (tally.flushed != NULL) /* cannot fail: same shape, and rows have been counted */
    status = ent_fixed_add(context, fixed, tally.flushed);
  if (tally.sums != NULL)
    ent_fixed_sums_flush(tally.sums, fixed);
done:
  ent_fixed_tally_clear(&tally);
  ent_fixed_collector_clear(&c);
  return status;
}
