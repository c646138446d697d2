/* The section of a model that has its marginals: docs/model-format.md. Which atoms there are follows from the design. */
#include "model/format.h"
#include "model/joint.h"
#include "sums/fixed.h"

/* Of several components: means, and products of any two atoms. */
static void put_joint(ent_packer *packer, const ent_marginals *marginals) {
  for (size_t i = 0; i < marginals->inputs; i++) {
    const ent_marginal *m = &marginals->input[i];
    ent_pack_doubles(packer, m->means, m->count);
    for (size_t u = 0; u < m->count; u++)
      ent_pack_doubles(packer, m->all + u * m->count, u + 1);
  }
}

static void put_marginals(ent_packer *packer, const entropic_model *model) {
  if (model->marginals->parts != NULL) {
    put_joint(packer, model->marginals);
    return;
  }
  for (size_t i = 0; i < model->marginals->inputs; i++) {
    const ent_marginal *m = &model->marginals->input[i];
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
  if (model->marginals == NULL || (model->totals != NULL && model->totals->side_count > 0))
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

static void take_joint(ent_unpacker *unpacker, const ent_marginals *marginals, size_t input) {
  const ent_marginal *m = &marginals->input[input];
  for (size_t u = 0; u < m->count && ent_unpack_fine(unpacker); u++)
    m->means[u] = ent_unpack_double(unpacker, "the mean of an atom");
  for (size_t u = 0; u < m->count; u++)
    for (size_t v = 0; v <= u && ent_unpack_fine(unpacker); v++)
      m->all[u * m->count + v] = m->all[v * m->count + u] =
          ent_unpack_double(unpacker, "the mean of a product of atoms");
  ent_marginals_split_means(marginals, input);
}

void ent_load_marginals(ent_unpacker *unpacker, entropic_model *model) {
  if (model->marginals != NULL) {
    ent_unpack_refuse(unpacker, unpacker->at, "found marginals, expected none beside the sums behind them");
    return;
  }
  if (!ent_model_has_features(model)) {
    ent_unpack_refuse(unpacker, unpacker->at, "found marginals, expected none in a model without features");
    return;
  }
  ent_unpack_adopt(unpacker, unpacker->at, ent_model_atoms(unpacker->context, model, &model->marginals));
  for (size_t i = 0; ent_unpack_fine(unpacker) && i < model->marginals->inputs; i++)
    if (model->marginals->parts != NULL)
      take_joint(unpacker, model->marginals, i);
    else
      take_marginal(unpacker, &model->marginals->input[i]);
}
