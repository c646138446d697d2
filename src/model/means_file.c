/* Target means in model files. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "model/format.h"

/* ---- Writing ---- */

static void put_set(ent_packer *packer, const ent_mean_set *set, size_t columns) {
  ent_pack_count(packer, set->of[0]);
  ent_pack_count(packer, set->of[1] == ENT_NO_INPUT ? 0 : set->of[1] + 1);
  ent_pack_count(packer, set->count);
  uint64_t next = 0;
  for (size_t i = 0; i < set->count; i++) {
    ent_pack_count(packer, set->keys[i] - next);
    next = set->keys[i] + 1;
  }
  ent_pack_doubles(packer, set->means, set->count * columns);
  ent_pack_doubles(packer, set->amounts, set->count);
}

static void put_means(ent_packer *packer, const ent_target_means *means) {
  ent_pack_count(packer, means->columns);
  ent_pack_doubles(packer, means->overall, means->columns);
  ent_pack_count(packer, means->set_count);
  for (size_t s = 0; s < means->set_count; s++)
    put_set(packer, &means->sets[s], means->columns);
  ent_pack_count(packer, means->input_count);
  for (size_t i = 0; i < means->input_count; i++) {
    ent_pack_count(packer, means->inputs[i].input);
    ent_pack_count(packer, means->inputs[i].set);
    ent_pack_count(packer, means->inputs[i].column);
  }
}

void ent_save_means(ent_packer *packer, const entropic_model *model) {
  ent_packer length = {.count = 0};
  if (model->means == NULL)
    return;
  put_means(&length, model->means);
  ent_pack_bytes(packer, ENT_MEANS_TAG, 4);
  ent_pack_u64(packer, length.count);
  put_means(packer, model->means);
}

/* ---- Reading ---- */

static bool is_category(const ent_schema *schema, uint64_t input) {
  return input < schema->inputs && !schema->input[input].unused && schema->input[input].categories > 0;
}

/* What a set is of: one category in use, or two. False if the file says otherwise. */
static bool take_inputs(ent_unpacker *unpacker, const ent_schema *schema, ent_mean_set *set) {
  size_t at = unpacker->at;
  uint64_t first = ent_unpack_count(unpacker, 0, schema->inputs - 1, "the number of an input");
  uint64_t second = ent_unpack_count(unpacker, 0, schema->inputs, "the number of an input");
  if (ent_unpack_fine(unpacker) &&
      (!is_category(schema, first) || (second > 0 && (!is_category(schema, second - 1) || second - 1 <= first))))
    ent_unpack_refuse(unpacker, at,
                      "found target means of inputs %" PRIu64 " and %" PRIu64
                      ", expected categories in use, in ascending order",
                      first, second);
  if (!ent_unpack_fine(unpacker))
    return false;
  *set = (ent_mean_set){.of = {(size_t)first, second == 0 ? ENT_NO_INPUT : (size_t)second - 1},
                        .levels = {schema->input[first].categories, 1}};
  if (second > 0)
    set->levels[1] = schema->input[second - 1].categories;
  return true;
}

static void take_set(ent_unpacker *unpacker, const ent_schema *schema, size_t columns, ent_mean_set *set) {
  if (!take_inputs(unpacker, schema, set))
    return;
  uint64_t levels = (uint64_t)set->levels[0] * set->levels[1], next = 0;
  size_t at = unpacker->at, count = ent_unpack_many(unpacker, 0, levels, 1 + 8 * (columns + 1), "a number of keys");
  if (!ent_unpack_fine(unpacker))
    return;
  set->keys = ent_new(unpacker->context, count, sizeof *set->keys);
  if (set->keys == NULL) {
    ent_unpack_adopt(unpacker, at, ENTROPIC_NO_MEMORY);
    return;
  }
  for (size_t i = 0; i < count && ent_unpack_fine(unpacker); i++) {
    size_t place = unpacker->at;
    if (next >= levels)
      ent_unpack_refuse(unpacker, place, "found a key beyond the categories, expected at most %" PRIu64, levels - 1);
    else
      set->keys[i] = next + ent_unpack_count(unpacker, 0, levels - 1 - next, "the key of a category");
    next = set->keys[i] + 1;
  }
  set->means = ent_unpack_doubles(unpacker, count * columns, false, "the mean of a category");
  at = unpacker->at;
  set->amounts = ent_unpack_doubles(unpacker, count, false, "the logarithm of a number of rows");
  for (size_t i = 0; i < count && ent_unpack_fine(unpacker); i++)
    if (!(set->amounts[i] >= 0))
      ent_unpack_refuse(unpacker, at + 8 * i, "found %g, expected the logarithm of 1 and a number of rows",
                        set->amounts[i]);
  set->count = ent_unpack_fine(unpacker) ? count : 0;
}

/* Inputs that are made: each derived input in use once, in order, those of one set together. */
static void take_made(ent_unpacker *unpacker, const ent_schema *schema, ent_target_means *means) {
  size_t next = 0, last = 0;
  for (size_t i = 0; i < means->input_count && ent_unpack_fine(unpacker); i++) {
    size_t at = unpacker->at;
    ent_mean_input *input = &means->inputs[i];
    input->input = (size_t)ent_unpack_count(unpacker, 0, schema->inputs - 1, "the number of an input");
    input->set = (size_t)ent_unpack_count(unpacker, 0, means->set_count - 1, "the number of target means");
    input->column = (size_t)ent_unpack_count(unpacker, 0, means->columns, "a column of target means");
    if (!ent_unpack_fine(unpacker))
      return;
    while (next < schema->inputs && (!schema->input[next].derived || schema->input[next].unused))
      next++;
    if (input->input != next || input->set < last)
      ent_unpack_refuse(unpacker, at, "found target means for input %zu, expected the next input that has some",
                        input->input);
    last = input->set;
    next++;
  }
}

void ent_load_means(ent_unpacker *unpacker, entropic_model *model) {
  const ent_schema *schema = &model->schema;
  size_t at = unpacker->at, expected = ent_means_columns(schema);
  if (unpacker->version < ENT_MEANS_VERSION)
    ent_unpack_refuse(unpacker, at, "found target means in format %" PRIu32 ", which has none before format %" PRIu32,
                      unpacker->version, ENT_MEANS_VERSION);
  size_t columns = (size_t)ent_unpack_count(unpacker, 1, ENT_MEANS_COLUMNS, "a number of columns");
  if (ent_unpack_fine(unpacker) && columns != expected)
    ent_unpack_refuse(unpacker, at, "found target means of %zu columns, expected %zu as the targets have", columns,
                      expected);
  double *overall = ent_unpack_doubles(unpacker, columns, false, "a mean");
  size_t sets = ent_unpack_many(unpacker, 0, (uint64_t)schema->inputs, 3, "a number of target means");
  if (!ent_unpack_fine(unpacker)) {
    ent_delete(overall);
    return;
  }
  ent_target_means *means = model->means = ent_means_new(unpacker->context, columns, sets, schema->inputs);
  if (means == NULL) {
    ent_delete(overall);
    ent_unpack_adopt(unpacker, at, ENTROPIC_NO_MEMORY);
    return;
  }
  memcpy(means->overall, overall, columns * sizeof *overall);
  ent_delete(overall);
  for (size_t s = 0; s < sets && ent_unpack_fine(unpacker); s++)
    take_set(unpacker, schema, columns, &means->sets[s]);
  means->input_count = ent_unpack_many(unpacker, 0, sets == 0 ? 0 : schema->inputs, 3, "a number of inputs");
  take_made(unpacker, schema, means);
}

void ent_load_check_means(ent_unpacker *unpacker, const entropic_model *model) {
  size_t derived = 0, made = model->means == NULL ? 0 : model->means->input_count;
  for (size_t i = 0; i < model->schema.inputs; i++)
    derived += model->schema.input[i].derived && !model->schema.input[i].unused;
  if (ent_unpack_fine(unpacker) && derived != made)
    ent_unpack_refuse(unpacker, unpacker->at,
                      "found %zu inputs that are made of categories, expected target means of "
                      "as many, not of %zu",
                      derived, made);
}
