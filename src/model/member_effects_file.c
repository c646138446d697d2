/* The section of a model that has the main effects of its members: docs/model-format.md. Which atoms there are follows from
 * the design. */
#include "model/format.h"
#include "model/member_effects.h"

#include "base/memory.h"

static void put_member_effects(ent_packer *packer, const entropic_model *model) {
  const ent_member_effects *e = model->member_effects;
  ent_pack_count(packer, e->members);
  for (size_t i = 0; i < e->used; i++)
    for (size_t k = 0; k < e->scores; k++) {
      ent_pack_signed(packer, e->exponents[i * e->scores + k]);
      for (size_t u = e->places[i]; u < e->places[i + 1]; u++)
        for (size_t m = 0; m < e->members; m++)
          ent_pack_signed(packer, e->values[(u * e->scores + k) * e->members + m]);
    }
}

void ent_save_member_effects(ent_packer *packer, const entropic_model *model) {
  ent_packer length = {.count = 0};
  if (model->member_effects == NULL)
    return;
  put_member_effects(&length, model);
  ent_pack_bytes(packer, ENT_MEMBERS_TAG, 4);
  ent_pack_u64(packer, length.count);
  put_member_effects(packer, model);
}

/* A signed integer of at most that size. */
static int32_t take_within(ent_unpacker *unpacker, int64_t most, const char *what) {
  size_t at = unpacker->at;
  int64_t value = ent_unpack_signed(unpacker, what);
  if (ent_unpack_fine(unpacker) && (value < -most || value > most)) {
    ent_unpack_refuse(unpacker, at, "found %lld, expected %s, from -%lld to %lld", (long long)value, what,
                      (long long)most, (long long)most);
    return 0;
  }
  return (int32_t)value;
}

static void take_input(ent_unpacker *unpacker, ent_member_effects *e, size_t input) {
  for (size_t k = 0; k < e->scores && ent_unpack_fine(unpacker); k++) {
    e->exponents[input * e->scores + k] =
        take_within(unpacker, ENT_MEMBER_EFFECT_RANGE, "the exponent of effects of members");
    for (size_t u = e->places[input]; u < e->places[input + 1]; u++)
      for (size_t m = 0; m < e->members && ent_unpack_fine(unpacker); m++)
        e->values[(u * e->scores + k) * e->members + m] =
            take_within(unpacker, INT64_C(1) << ENT_MEMBER_EFFECT_BITS, "a coefficient of an effect of a member");
  }
}

void ent_load_member_effects(ent_unpacker *unpacker, entropic_model *model) {
  size_t start = unpacker->at, values = 0;
  if (model->marginals == NULL || unpacker->statistics) {
    ent_unpack_refuse(unpacker, start, "found effects of members, expected none %s",
                      unpacker->statistics ? "with statistics" : "in a model without marginals");
    return;
  }
  for (size_t i = 0; i < model->marginals->inputs; i++)
    values += model->marginals->input[i].count * model->scores;
  size_t members = (size_t)ent_unpack_many(unpacker, 2, ENT_MOST_MEMBERS, values > 0 ? values : 1,
                                           "a number of members with their effects");
  if (!ent_unpack_fine(unpacker))
    return;
  model->member_effects = ent_member_effects_new(unpacker->context, model->marginals, model->scores, members);
  if (model->member_effects == NULL) {
    unpacker->status = ENTROPIC_NO_MEMORY;
    return;
  }
  for (size_t i = 0; i < model->member_effects->used; i++)
    take_input(unpacker, model->member_effects, i);
}
