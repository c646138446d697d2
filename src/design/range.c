/* Choosing features within a group: needed where the last group is cut, and for groups of single atoms. */
#include "design/tiers.h"

#include <limits.h>
#include <stdlib.h>

#include "base/scaled.h"

uint64_t ent_range_size(const ent_range *range) {
  uint64_t size = 1;
  for (size_t i = 0; i < range->count; i++)
    if (__builtin_mul_overflow(size, range->tiers[i]->atoms, &size))
      return UINT64_MAX;
  return size;
}

static uint64_t level_atoms(const ent_range *range, size_t term) {
  return range->kernel->axes[range->terms[term].input]->levels[range->terms[term].level].info.atoms;
}

/* The feature at an index: mixed radix over the tiers' atoms, renumbered over all atoms of the levels. */
static uint64_t member_at(const ent_range *range, uint64_t index) {
  uint64_t member = 0, radix = 1;
  for (size_t t = range->count; t-- > 0;) {
    member += (range->tiers[t]->first_atom + index % range->tiers[t]->atoms) * radix;
    index /= range->tiers[t]->atoms;
    radix *= level_atoms(range, t);
  }
  return member;
}

typedef struct ent_share {
  uint64_t member;
  size_t row;
  ent_scaled value; /* at this row */
  double mass;      /* its square, in units of the largest */
  int64_t cost;     /* of the mass summed up: whole numbers, so that rounding does not decide */
} ent_share;

static double value_at(const entropic_kernel *kernel, size_t input, size_t level, double x, uint32_t *atom) {
  const ent_axis *axis = kernel->axes[input];
  double clamped = ent_clamp(x), value;
  axis->levels[level].evaluate(axis, &axis->levels[level], &clamped, 1, atom, &value);
  return value;
}

/* Which feature of the range a row falls into, and its value there; false if into none, or if it is 0 there. */
static bool share_of_row(const ent_range *range, const entropic_design *design, const double *row, ent_share *share) {
  size_t term = 0;
  share->value = ent_scaled_one();
  share->member = 0;
  for (size_t i = 0; i < range->kernel->inputs; i++) {
    uint32_t atom;
    if (term < range->count && range->terms[term].input == i) {
      ent_scaled_multiply(&share->value, value_at(range->kernel, i, range->terms[term].level, row[i], &atom));
      if (atom < range->tiers[term]->first_atom || atom - range->tiers[term]->first_atom >= range->tiers[term]->atoms)
        return false;
      share->member = share->member * level_atoms(range, term) + atom;
      term++;
    } else {
      ent_scaled_multiply(&share->value, value_at(range->kernel, i, design->base[i], row[i], &atom));
    }
  }
  return share->value.mantissa != 0;
}

static int compare_members(const void *a, const void *b) {
  const ent_share *x = a, *y = b;
  if (x->member != y->member)
    return x->member < y->member ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static int compare_masses(const void *a, const void *b) {
  const ent_share *x = a, *y = b;
  if (x->cost != y->cost)
    return x->cost < y->cost ? -1 : 1;
  return (x->member > y->member) - (x->member < y->member);
}

static int compare_numbers(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Adds up the shares of each member; returns how many members there are. */
static size_t add_up(ent_share *shares, size_t count) {
  long largest = LONG_MIN;
  for (size_t i = 0; i < count; i++)
    if (shares[i].value.exponent > largest)
      largest = shares[i].value.exponent;
  for (size_t i = 0; i < count; i++) {
    double value = ent_scaled_value(shares[i].value, largest);
    shares[i].mass = value * value;
  }
  qsort(shares, count, sizeof *shares, compare_members);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (kept > 0 && shares[kept - 1].member == shares[i].member)
      shares[kept - 1].mass += shares[i].mass;
    else
      shares[kept++] = shares[i];
  }
  for (size_t i = 0; i < kept; i++)
    shares[i].cost = shares[i].mass > 0 ? ent_cost(shares[i].mass) : INT64_MAX;
  return kept;
}

static entropic_status choose_by_mass(entropic_context *context, const ent_range *range,
                                      const entropic_design_options *options, const entropic_design *design,
                                      size_t wanted, uint64_t *members) {
  ent_share *shares = ent_new(context, options->sample_rows, sizeof *shares);
  if (shares == NULL)
    return ENTROPIC_NO_MEMORY;
  size_t count = 0;
  for (size_t row = 0; row < options->sample_rows; row++) {
    shares[count].row = row;
    count += share_of_row(range, design, options->sample + row * range->kernel->inputs, &shares[count]);
  }
  count = add_up(shares, count);
  qsort(shares, count, sizeof *shares, compare_masses);
  size_t chosen = count < wanted ? count : wanted;
  for (size_t i = 0; i < chosen; i++)
    members[i] = shares[i].member;
  ent_delete(shares);
  qsort(members, chosen, sizeof *members, compare_numbers);
  /* too few features meet the sample: the first of the others fill up */
  size_t met = 0, total = chosen;
  for (uint64_t index = 0; total < wanted; index++) {
    uint64_t member = member_at(range, index);
    while (met < chosen && members[met] < member)
      met++;
    if (!(met < chosen && members[met] == member))
      members[total++] = member;
  }
  qsort(members, wanted, sizeof *members, compare_numbers);
  return ENTROPIC_OK;
}

entropic_status ent_range_choose(entropic_context *context, const ent_range *range,
                                 const entropic_design_options *options, const entropic_design *design, size_t wanted,
                                 uint64_t *members) {
  if (wanted < ent_range_size(range) && options->sample != NULL && options->sample_rows > 0)
    return choose_by_mass(context, range, options, design, wanted, members);
  for (size_t i = 0; i < wanted; i++)
    members[i] = member_at(range, i);
  return ENTROPIC_OK;
}
