/* Collecting rows into statistics: integer sums in fixed point (fixed.h), converted to doubles once. */
#include "base/memory.h"
#include "solve/gram.h"

entropic_status ent_gram_start(entropic_context *context, const ent_statistics *statistics, const ent_map *map,
                               const ent_rows *rows, const ent_collect_options *options, ent_gram *gram) {
  *gram = (ent_gram){0};
  if (map->inputs != rows->inputs || map->features != statistics->features || rows->targets != statistics->targets)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "rows of %zu inputs and %zu targets, a map of %zu inputs and %zu features, statistics of %zu "
                    "features and %zu targets: they do not match",
                    rows->inputs, rows->targets, map->inputs, map->features, statistics->features, statistics->targets);
  entropic_status status = ent_scales_find(context, statistics, map, rows, options->grade, &gram->scales);
  if (status != ENTROPIC_OK)
    return status;
  ent_fixed_collection what = {.fixed = &gram->scales.fixed,
                               .map = map,
                               .known = options->known,
                               .sliced = gram->scales.sliced,
                               .rows = rows->count,
                               .targets = rows->targets};
  what.options = options->fixed != NULL ? *options->fixed : ent_fixed_options_default(gram->scales.grade);
  status = ent_fixed_collector_start(context, &what, &gram->collector);
  if (status != ENTROPIC_OK)
    ent_scales_clear(&gram->scales);
  return status;
}

void ent_gram_clear(ent_gram *gram) {
  ent_fixed_collector_clear(&gram->collector);
  ent_scales_clear(&gram->scales);
}

entropic_status ent_statistics_collect_by(entropic_context *context, ent_statistics *statistics, const ent_map *map,
                                          const ent_rows *rows, const ent_collect_options *options) {
  ent_gram gram;
  ent_fixed_tally tally = {0};
  entropic_status status = ent_gram_start(context, statistics, map, rows, options, &gram);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_fixed_collector_add_all(context, &gram.collector, rows, ENT_FIXED_MOST_ROWS, &tally);
  if (status != ENTROPIC_OK)
    goto done;
  double start = ent_seconds();
  status = ent_fixed_tally_write(context, &tally, gram.scales.sliced, statistics);
  statistics->lift_seconds += gram.collector.lift_seconds;
  statistics->gram_seconds += gram.collector.sum_seconds + ent_seconds() - start;
done:
  ent_fixed_tally_clear(&tally);
  ent_gram_clear(&gram);
  return status;
}

entropic_status ent_statistics_collect(entropic_context *context, ent_statistics *statistics, const ent_map *map,
                                       const ent_rows *rows, ent_grade grade) {
  return ent_statistics_collect_by(context, statistics, map, rows, &(ent_collect_options){.grade = grade});
}

entropic_status ent_statistics_extend(entropic_context *context, ent_statistics *statistics, size_t known,
                                      const ent_map *map, const ent_rows *rows, ent_grade grade) {
  return ent_statistics_collect_by(context, statistics, map, rows,
                                   &(ent_collect_options){.grade = grade, .known = known});
}

entropic_status ent_statistics_of_rows(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                       ent_grade grade, ent_statistics **statistics) {
  ent_statistics *made = NULL;
  entropic_status status = ent_statistics_create(context, map->features, rows->targets, NULL, &made);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_statistics_collect(context, made, map, rows, grade);
  if (status != ENTROPIC_OK)
    goto fail;
  *statistics = made;
  return ENTROPIC_OK;
fail:
  ent_statistics_free(made);
  return status;
}
