/* The sections about statistics: writing, reading, and the receipt. */
#include "model/statistics_file.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "model/marginal_sums.h"
#include "loss/loss.h"

static void put_factors(ent_packer *packer, const double *factors, size_t count) {
  ent_pack_byte(packer, factors != NULL);
  if (factors != NULL)
    ent_pack_doubles(packer, factors, count);
}

static void put_member(ent_packer *packer, const ent_frozen_member *member) {
  ent_pack_double(packer, member->lambda);
  ent_pack_byte(packer, member->features != NULL);
  if (member->features == NULL)
    return;
  ent_pack_count(packer, member->count);
  for (size_t i = 0; i < member->count; i++)
    ent_pack_count(packer, i == 0 ? member->features[0] : member->features[i] - member->features[i - 1] - 1);
}

static void put_frozen(ent_packer *packer, const entropic_model *model) {
  const ent_frozen *frozen = model->frozen;
  ent_pack_count(packer, frozen->member_count);
  for (size_t m = 0; m < frozen->member_count; m++)
    put_member(packer, &frozen->members[m]);
  for (size_t j = 0; j < frozen->features; j++)
    ent_pack_signed(packer, frozen->exponents[j]);
  ent_pack_signed(packer, frozen->root_exponent);
  for (size_t k = 0; k < frozen->scores; k++) {
    ent_pack_signed(packer, frozen->target_exponent[k]);
    ent_pack_double(packer, frozen->shift[k]);
  }
  put_factors(packer, frozen->missing, frozen->inputs);
  put_factors(packer, frozen->class_weight, frozen->classes);
}

/* How many bytes of two's complement a number takes; none for 0. */
static size_t length_of(ent_int128 number) {
  if (number == 0)
    return 0;
  __extension__ unsigned __int128 size = (unsigned __int128)(number < 0 ? ~number : number);
  uint64_t high = (uint64_t)(size >> 64), low = (uint64_t)size;
  int bits = high != 0 ? 128 - __builtin_clzll(high) : low != 0 ? 64 - __builtin_clzll(low) : 0;
  return (size_t)bits / 8 + 1;
}

/* Many sums are 0, and others far from 128 bits: as few bytes as it takes. */
static void put_total(ent_packer *packer, ent_int128 total) {
  uint8_t bytes[17];
  size_t length = length_of(total);
  bytes[0] = (uint8_t)length;
  for (size_t k = 0; k < length; k++)
    bytes[1 + k] = (uint8_t)(total >> (8 * k));
  ent_pack_bytes(packer, bytes, 1 + length);
}

static void put_totals(ent_packer *packer, const entropic_model *model) {
  const ent_fixed *totals = model->totals;
  ent_pack_count(packer, model->total_rows);
  ent_pack_count(packer, totals->rows);
  for (size_t i = 0; i < totals->size * (totals->size + 1) / 2; i++)
    put_total(packer, totals->totals[i]);
}

static void put_marginal_sums(ent_packer *packer, const entropic_model *model) {
  for (size_t i = 0; i < model->totals->side_count; i++)
    put_total(packer, model->totals->side[i]);
}

static void put_validated(ent_packer *packer, const entropic_model *model) {
  ent_pack_bytes(packer, model->validated_receipt, ENT_SHA256_SIZE);
  ent_pack_byte(packer, model->outdated);
}

static void put_section(ent_packer *packer, const char *tag, const entropic_model *model,
                        void (*put)(ent_packer *packer, const entropic_model *model)) {
  ent_packer length = {.count = 0};
  put(&length, model);
  ent_pack_bytes(packer, tag, 4);
  ent_pack_u64(packer, length.count);
  put(packer, model);
}

void ent_save_statistics(ent_packer *packer, const entropic_model *model) {
  if (model->frozen == NULL)
    return;
  put_section(packer, ENT_FROZEN_TAG, model, put_frozen);
  if (model->totals == NULL)
    return;
  put_section(packer, ENT_TOTALS_TAG, model, put_totals);
  if (model->totals->side_count > 0)
    put_section(packer, ENT_MARGINAL_SUMS_TAG, model, put_marginal_sums);
  if (model->validated)
    put_section(packer, ENT_VALIDATED_TAG, model, put_validated);
}

/* Factors of at least `least`, or none. */
static void take_factors(ent_unpacker *unpacker, size_t count, double least, const char *what, double *factors,
                         bool there) {
  size_t at = unpacker->at;
  for (size_t i = 0; there && i < count && ent_unpack_fine(unpacker); i++) {
    factors[i] = ent_unpack_double(unpacker, what);
    if (ent_unpack_fine(unpacker) && !(factors[i] >= least && factors[i] > 0))
      ent_unpack_refuse(unpacker, at + 8 * i, "found %g, expected %s, %g or more", factors[i], what, least);
  }
}

static void take_member(ent_unpacker *unpacker, size_t features, ent_frozen_member *member) {
  size_t at = unpacker->at;
  member->lambda = ent_unpack_double(unpacker, "the lambda of a member");
  member->count = features;
  if (ent_unpack_fine(unpacker) && !(member->lambda >= 0))
    ent_unpack_refuse(unpacker, at, "found lambda %g, expected one that is not negative", member->lambda);
  if (ent_unpack_byte(unpacker, 0, 1, "whether the features of a member are listed") == 0)
    return;
  size_t count = ent_unpack_many(unpacker, 0, features, 1, "a number of features");
  if (!ent_unpack_fine(unpacker))
    return;
  member->features = ent_new(unpacker->context, count, sizeof *member->features);
  if (member->features == NULL) {
    ent_unpack_adopt(unpacker, at, ENTROPIC_NO_MEMORY);
    return;
  }
  member->count = count;
  for (size_t i = 0, next = 0; i < count && ent_unpack_fine(unpacker); i++) {
    uint64_t left = next < features ? features - next - 1 : 0;
    if (next >= features) {
      ent_unpack_refuse(unpacker, unpacker->at, "found more features of a member, expected none beyond the last");
      return;
    }
    next += (size_t)ent_unpack_count(unpacker, 0, left, "the features between two of a member") + 1;
    member->features[i] = (uint32_t)(next - 1);
  }
}

static int take_exponent(ent_unpacker *unpacker) {
  size_t at = unpacker->at;
  int64_t exponent = ent_unpack_signed(unpacker, "the scale of a column");
  if (ent_unpack_fine(unpacker) && (exponent < -ENT_FIXED_MOST_EXPONENT || exponent > ENT_FIXED_MOST_EXPONENT))
    ent_unpack_refuse(unpacker, at, "found a scale of 2^%" PRId64 ", expected 2^%d to 2^%d", exponent,
                      -ENT_FIXED_MOST_EXPONENT, ENT_FIXED_MOST_EXPONENT);
  return ent_unpack_fine(unpacker) ? (int)exponent : 0;
}

static void take_scales(ent_unpacker *unpacker, ent_frozen *frozen) {
  for (size_t j = 0; j < frozen->features && ent_unpack_fine(unpacker); j++)
    frozen->exponents[j] = take_exponent(unpacker);
  frozen->root_exponent = take_exponent(unpacker);
  for (size_t k = 0; k < frozen->scores && ent_unpack_fine(unpacker); k++) {
    frozen->target_exponent[k] = take_exponent(unpacker);
    frozen->shift[k] = ent_unpack_double(unpacker, "the shift of a target");
  }
}

/* Factors come last, so that whether there are some is known after all else. */
static void take_all_factors(ent_unpacker *unpacker, ent_frozen *frozen) {
  size_t at = unpacker->at;
  if (ent_unpack_byte(unpacker, 0, 1, "whether missing values have factors") == 1) {
    frozen->missing = ent_new(unpacker->context, frozen->inputs, sizeof *frozen->missing);
    if (frozen->missing == NULL)
      ent_unpack_adopt(unpacker, at, ENTROPIC_NO_MEMORY);
  }
  take_factors(unpacker, frozen->inputs, 1, "a factor of missing values", frozen->missing, frozen->missing != NULL);
  if (ent_unpack_byte(unpacker, 0, frozen->classes > 0, "whether classes have weights") == 1) {
    frozen->class_weight = ent_new(unpacker->context, frozen->classes, sizeof *frozen->class_weight);
    if (frozen->class_weight == NULL)
      ent_unpack_adopt(unpacker, at, ENTROPIC_NO_MEMORY);
  }
  take_factors(unpacker, frozen->classes, 0, "the weight of a class", frozen->class_weight,
               frozen->class_weight != NULL);
}

void ent_load_frozen(ent_unpacker *unpacker, entropic_model *model) {
  size_t at = unpacker->at;
  size_t members = ent_unpack_many(unpacker, 1, ENT_MOST_MEMBERS, 9, "a number of members");
  if (ent_unpack_fine(unpacker) &&
      (!ent_loss_has(model->loss, ENT_LOSS_STATISTICS) || model->solver == ENTROPIC_SOLVER_EXACT))
    ent_unpack_refuse(unpacker, at, "found scales of statistics, expected none with this loss and solver");
  if (!ent_unpack_fine(unpacker))
    return;
  model->frozen = ent_frozen_new(unpacker->context, model, members, false, false);
  if (model->frozen == NULL) {
    ent_unpack_adopt(unpacker, at, ENTROPIC_NO_MEMORY);
    return;
  }
  for (size_t m = 0; m < members && ent_unpack_fine(unpacker); m++)
    take_member(unpacker, model->main.features, &model->frozen->members[m]);
  take_scales(unpacker, model->frozen);
  take_all_factors(unpacker, model->frozen);
}

/* One sum; false with a message if it is none. */
static bool take_total(ent_unpacker *unpacker, ent_int128 *total) {
  size_t at = unpacker->at, left = ent_unpack_left(unpacker);
  const uint8_t *from = unpacker->bytes + at;
  size_t length = left == 0 ? 0 : from[0];
  if (left == 0 || length > 16 || length > left - 1) {
    ent_unpack_refuse(unpacker, at, "found the end of the section or a sum of more than 16 bytes, expected a sum");
    return false;
  }
  __extension__ unsigned __int128 bits = length > 0 && from[length] >= 128 ? ~(unsigned __int128)0 : 0;
  for (size_t k = length; k > 0; k--)
    bits = bits << 8 | from[k];
  *total = (ent_int128)bits;
  if (length_of(*total) != length) {
    ent_unpack_refuse(unpacker, at, "found a sum in %zu bytes, expected it in %zu", length, length_of(*total));
    return false;
  }
  unpacker->at += 1 + length;
  return true;
}

/* The sums of columns that are frozen. A sum takes a byte at least, so there is no room for more than the file has. */
static void take_totals(ent_unpacker *unpacker, entropic_model *model) {
  const ent_frozen *frozen = model->frozen;
  size_t at = unpacker->at, size = frozen->features + 1 + frozen->scores * ent_frozen_slices(frozen);
  size_t left = ent_unpack_left(unpacker), count = size / 2 > left ? SIZE_MAX : size * (size + 1) / 2;
  if (count > left) {
    ent_unpack_refuse(unpacker, at, "found %zu bytes of statistics, expected sums of %zu columns", left, size);
    return;
  }
  ent_unpack_adopt(unpacker, at, ent_frozen_statistics(unpacker->context, frozen, &model->totals));
  for (size_t i = 0; i < count && ent_unpack_fine(unpacker); i++)
    if (!take_total(unpacker, &model->totals->totals[i]))
      return;
}

void ent_load_totals(ent_unpacker *unpacker, entropic_model *model) {
  size_t at = unpacker->at;
  if (model->frozen == NULL)
    ent_unpack_refuse(unpacker, at, "found statistics, expected section %s before them", ENT_FROZEN_TAG);
  model->total_rows = ent_unpack_count(unpacker, 0, ENT_FIXED_MOST_ROWS, "the number of rows of statistics");
  uint64_t rows = ent_unpack_count(unpacker, 0, ENT_FIXED_MOST_ROWS, "the number of rows as they were entered");
  if (ent_unpack_fine(unpacker) && (rows < model->total_rows || (model->total_rows == 0 && rows > 0)))
    ent_unpack_refuse(unpacker, at,
                      "found statistics of %" PRIu64 " rows, expected at least the %" PRIu64 " of the table", rows,
                      model->total_rows);
  if (ent_unpack_fine(unpacker))
    take_totals(unpacker, model);
  if (!ent_unpack_fine(unpacker))
    return;
  model->totals->rows = rows;
  if (!ent_fixed_possible(model->totals, NULL))
    ent_unpack_refuse(unpacker, at, "found sums that no %" PRIu64 " rows can have", rows);
}

void ent_load_marginal_sums(ent_unpacker *unpacker, entropic_model *model) {
  size_t at = unpacker->at;
  ent_marginals *layout = NULL;
  if (model->totals == NULL) {
    ent_unpack_refuse(unpacker, at, "found sums of marginals, expected section %s before them", ENT_TOTALS_TAG);
    return;
  }
  ent_unpack_adopt(unpacker, at, ent_marginals_create(unpacker->context, model->main.design, &layout));
  if (!ent_unpack_fine(unpacker))
    return;
  size_t count = ent_marginal_sum_count(layout), left = ent_unpack_left(unpacker);
  ent_marginals_free(layout);
  if (count > left || count == 0) /* a sum takes a byte at least */
    ent_unpack_refuse(unpacker, at, "found %zu bytes of sums of marginals, expected %zu sums", left, count);
  if (ent_unpack_fine(unpacker))
    ent_unpack_adopt(unpacker, at, ent_fixed_start_side(unpacker->context, model->totals, count));
  for (size_t i = 0; i < count && ent_unpack_fine(unpacker); i++)
    if (!take_total(unpacker, &model->totals->side[i]))
      return;
  if (ent_unpack_fine(unpacker) && !unpacker->statistics)
    ent_unpack_adopt(unpacker, at, ent_marginals_renew(unpacker->context, model));
}

void ent_load_validated(ent_unpacker *unpacker, entropic_model *model) {
  size_t at = unpacker->at;
  if (model->totals == NULL || model->validation == ENTROPIC_VALIDATION_NONE)
    ent_unpack_refuse(unpacker, at, "found when statistics were validated, expected statistics and a validation");
  for (size_t i = 0; i < ENT_SHA256_SIZE && ent_unpack_fine(unpacker); i++)
    model->validated_receipt[i] = (uint8_t)ent_unpack_byte(unpacker, 0, UINT8_MAX, "a byte of a receipt");
  model->outdated = ent_unpack_byte(unpacker, 0, 1, "whether rows changed since validation") == 1;
  model->validated = ent_unpack_fine(unpacker);
}

void ent_load_check_statistics(ent_unpacker *unpacker, const entropic_model *model) {
  if (!ent_unpack_fine(unpacker))
    return;
  bool weights = false;
  for (size_t i = 0; i < model->scores * model->main.features; i++)
    weights |= model->main.weights[i] != 0;
  for (size_t k = 0; k < model->scores; k++)
    weights |= model->offsets[k] != 0;
  if (model->totals == NULL)
    ent_unpack_refuse(unpacker, unpacker->at, "found no statistics, expected section %s", ENT_TOTALS_TAG);
  else if (weights || model->validated)
    ent_unpack_refuse(unpacker, unpacker->at, "found weights or a validation, expected none with statistics");
  else if (model->solver != ENTROPIC_SOLVER_DIRECT || !model->converged ||
           model->validation != ENTROPIC_VALIDATION_NONE)
    ent_unpack_refuse(unpacker, ENT_HEAD_SIZE, "found a solver or a validation in section INFO, expected none");
}

entropic_model ent_statistics_view(const entropic_model *model) {
  entropic_model view = *model;
  view.solver = ENTROPIC_SOLVER_DIRECT;
  view.main.weights = view.offsets = NULL;
  view.marginals = NULL;
  view.intervals = NULL;
  view.member_effects = NULL;
  view.rows = view.folds = view.validation_rows = 0;
  view.converged = true;
  view.validation = ENTROPIC_VALIDATION_NONE;
  view.validation_error = view.validation_loss = NAN;
  view.validated = view.outdated = false;
  return view;
}

void ent_statistics_hash_section(const entropic_model *model, ent_section section, uint8_t digest[ENT_SHA256_SIZE]) {
  entropic_model view = ent_statistics_view(model);
  ent_sha256 hash = ent_sha256_start();
  ent_packer packer = {.hash = &hash};
  ent_save_section(&packer, &view, section);
  ent_pack_flush(&packer);
  ent_sha256_finish(&hash, digest);
}

entropic_status ent_statistics_hash(entropic_context *context, const entropic_model *model,
                                    uint8_t digest[ENT_SHA256_SIZE]) {
  entropic_model view = ent_statistics_view(model);
  entropic_status status = ent_save_check(context, &view, "receipt");
  if (status != ENTROPIC_OK)
    return status;
  ent_sha256 hash = ent_sha256_start();
  ent_packer packer = {.context = context, .hash = &hash};
  ent_save_sections(&packer, &view);
  ent_pack_flush(&packer);
  if (packer.status != ENTROPIC_OK)
    return packer.status;
  ent_sha256_finish(&hash, digest);
  return ENTROPIC_OK;
}
