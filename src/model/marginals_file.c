/* The section of a model that has its marginals: docs/model-format.md. Which atoms there are follows from the design. */
#include "model/format.h"
#include "model/marginals.h"
#include "sums/fixed.h"

static void put_marginals(ent_packer *packer, const entropic_model *model) {
  for (size_t i = 0; i < model->main.marginals->inputs; i++) {
    const ent_marginal *m = &model->main.marginals->input[i];
    for (size_t u = 0; u < m->count; u++) {
      ent_pack_double(packer, m->means[u]);
      for (size_t p = 0; p <= m->places[u]; p++) {
        size_t at = u * m->level_count + p;
        bool there = m->partners[at] != ENT_NO_ATOM;
        ent_pack_count(packer, there ? m->partners[at] - m->first[p] + 1 : 0);
        if (there)
          ent_pack_double(packer, m->products[at]);
      }
    }
  }
}

void ent_save_marginals(ent_packer *packer, const entropic_model *model) {
  ent_packer length = {.count = 0};
  if (model->main.marginals == NULL || (model->totals != NULL && model->totals->side_count > 0))
    return;
  put_marginals(&length, model);
  ent_pack_bytes(packer, ENT_MARGINALS_TAG, 4);
  ent_pack_u64(packer, length.count);
  put_marginals(packer, model);
}

static void take_marginal(ent_unpacker *unpacker, ent_marginal *m) {
  for (size_t u = 0; u < m->count && ent_unpack_fine(unpacker); u++) {
    m->means[u] = ent_unpack_double(unpacker, "the mean of an atom");
    for (size_t p = 0; p <= m->places[u] && ent_unpack_fine(unpacker); p++) {
      size_t at = u * m->level_count + p, start = unpacker->at;
      uint64_t partner = ent_unpack_count(unpacker, 0, m->first[p + 1] - m->first[p], "an atom of the same input");
      if (partner == 0 || !ent_unpack_fine(unpacker))
        continue;
      m->partners[at] = (uint32_t)(m->first[p] + partner - 1);
      m->products[at] = ent_unpack_double(unpacker, "the mean of a product of atoms");
      if (ent_unpack_fine(unpacker) && p == m->places[u] && (m->partners[at] != u || !(m->products[at] >= 0)))
        ent_unpack_refuse(unpacker, start, "found %s of an atom, expected the mean of its square",
                          m->partners[at] == u ? "a negative square" : "another atom than its own");
    }
  }
}

void ent_load_marginals(ent_unpacker *unpacker, entropic_model *model) {
  if (model->main.design == NULL) {
    ent_unpack_refuse(unpacker, unpacker->at, "found marginals, expected none in a model of the exact kernel");
    return;
  }
  if (model->main.marginals != NULL) {
    ent_unpack_refuse(unpacker, unpacker->at, "found marginals, expected none beside the sums behind them");
    return;
  }
  ent_unpack_adopt(unpacker, unpacker->at,
                   ent_marginals_create(unpacker->context, model->main.design, &model->main.marginals));
  for (size_t i = 0; ent_unpack_fine(unpacker) && i < model->main.marginals->inputs; i++)
    take_marginal(unpacker, &model->main.marginals->input[i]);
}
