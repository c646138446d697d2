/* The section of a model that has its intervals: docs/model-format.md. */
#include "model/format.h"
#include "model/intervals.h"

#define SPREAD_LEAST_KNOTS 2

static void put_intervals(ent_packer *packer, const entropic_model *model) {
  const ent_intervals *intervals = model->intervals;
  ent_pack_count(packer, intervals->rows);
  for (size_t t = 0; t < intervals->count; t++) {
    const ent_interval *interval = &intervals->target[t];
    ent_pack_double(packer, interval->deviation);
    ent_pack_count(packer, interval->spread.count);
    for (size_t f = 0; f < interval->spread.count; f++) {
      const ent_spread_factor *factor = &interval->spread.factors[f];
      ent_pack_count(packer, factor->axis == ENT_BY_SCORE ? 0 : factor->axis + 1);
      ent_pack_count(packer, factor->knots);
      ent_pack_doubles(packer, factor->at, factor->knots);
      ent_pack_doubles(packer, factor->factor, factor->knots);
      ent_pack_double(packer, factor->missing);
    }
    ent_pack_doubles(packer, interval->quantiles, ENT_QUANTILES);
  }
}

void ent_save_intervals(ent_packer *packer, const entropic_model *model) {
  ent_packer length = {.count = 0};
  if (model->intervals == NULL)
    return;
  put_intervals(&length, model);
  ent_pack_bytes(packer, ENT_INTERVALS_TAG, 4);
  ent_pack_u64(packer, length.count);
  put_intervals(packer, model);
}

/* A finite double above `least`, or also equal to it. */
static double take_above(ent_unpacker *unpacker, double least, bool equal, const char *what) {
  size_t at = unpacker->at;
  double value = ent_unpack_double(unpacker, what);
  if (ent_unpack_fine(unpacker) && !(value > least || (equal && value == least)))
    ent_unpack_refuse(unpacker, at, "found %g, expected %s, %s %g", value, what, equal ? "at least" : "above", least);
  return value;
}

static void take_factor(ent_unpacker *unpacker, const entropic_model *model, ent_spread_factor *factor) {
  size_t at = unpacker->at;
  uint64_t axis = ent_unpack_count(unpacker, 0, model->schema.inputs, "an input that the spread depends on");
  factor->axis = axis == 0 ? ENT_BY_SCORE : (size_t)axis - 1;
  if (ent_unpack_fine(unpacker) && axis > 0 && model->schema.input[axis - 1].unused)
    ent_unpack_refuse(unpacker, at, "found an input that the model does not use, expected one that it uses");
  factor->knots =
      (size_t)ent_unpack_count(unpacker, SPREAD_LEAST_KNOTS, ENT_SPREAD_KNOTS, "the number of knots of a spread");
  for (size_t i = 0; i < factor->knots && ent_unpack_fine(unpacker); i++)
    factor->at[i] = i == 0 ? ent_unpack_double(unpacker, "a knot of a spread")
                           : take_above(unpacker, factor->at[i - 1], false, "a knot of a spread");
  for (size_t i = 0; i < factor->knots && ent_unpack_fine(unpacker); i++)
    factor->factor[i] = take_above(unpacker, 0, false, "a spread");
  factor->missing = take_above(unpacker, 0, false, "the spread of missing values");
}

void ent_load_intervals(ent_unpacker *unpacker, entropic_model *model) {
  size_t count = model->schema.targets, start = unpacker->at;
  if (unpacker->statistics)
    ent_unpack_refuse(unpacker, start, "found intervals, expected none with statistics");
  uint64_t rows =
      ent_unpack_count(unpacker, ENT_INTERVAL_LEAST_ROWS, ENT_MODEL_MOST_ROWS, "the number of rows of intervals");
  if (!ent_unpack_fine(unpacker))
    return;
  ent_unpack_adopt(unpacker, start, ent_intervals_create(unpacker->context, count, &model->intervals));
  for (size_t t = 0; ent_unpack_fine(unpacker) && t < count; t++) {
    ent_interval *interval = &model->intervals->target[t];
    model->intervals->rows = (size_t)rows;
    interval->deviation = take_above(unpacker, 0, true, "the deviation of residuals");
    size_t factors =
        (size_t)ent_unpack_count(unpacker, 0, ent_schema_has_classes(&model->schema) ? 0 : ENT_SPREAD_FACTORS,
                                 "the number of factors of a spread");
    for (size_t f = 0; f < factors && ent_unpack_fine(unpacker); f++)
      take_factor(unpacker, model, &interval->spread.factors[f]);
    interval->spread.count = factors;
    for (size_t i = 0; i < ENT_QUANTILES && ent_unpack_fine(unpacker); i++)
      interval->quantiles[i] =
          take_above(unpacker, i == 0 ? 0 : interval->quantiles[i - 1], true, "a quantile of residuals");
  }
}
