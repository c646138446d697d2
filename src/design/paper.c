/* The source paper's sets: S_n holds all groups of hats with |l|_1 <= n + D - 1, for reproducing its experiments. */
#include "design/design.h"

__extension__ typedef unsigned __int128 ent_wide;

/* C(n, k); false if it passes 2^64 - 1. */
static bool binomial(uint64_t n, uint64_t k, uint64_t *value) {
  ent_wide product = 1;
  if (k > n - k)
    k = n - k;
  for (uint64_t i = 1; i <= k; i++) {
    product = product * (n - k + i) / i; /* a binomial coefficient itself, so the division is exact */
    if (product > UINT64_MAX)
      return false;
  }
  *value = (uint64_t)product;
  return true;
}

/* |S_n|; false if it passes 2^64 - 1. */
static bool set_size(uint64_t inputs, unsigned n, uint64_t *size) {
  ent_wide sum = 0;
  for (unsigned s = 0; s < n; s++) {
    uint64_t groups;
    if (s >= 64 || inputs > UINT64_MAX - s || !binomial(s + inputs - 1, s, &groups))
      return false;
    sum += (ent_wide)groups << s;
    if (sum > UINT64_MAX)
      return false;
  }
  *size = (uint64_t)sum;
  return true;
}

entropic_status ent_paper_size(entropic_context *context, size_t inputs, unsigned n, uint64_t *features,
                               uint64_t *nonzeros) {
  ENT_NEED(context, features);
  ENT_NEED(context, nonzeros);
  if (inputs == 0 || n == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "inputs, n: %zu and %u; both must be at least 1", inputs, n);
  uint64_t size, groups; /* where the features can be counted, n is small, and there are no more groups than features */
  if (!set_size(inputs, n, &size) || inputs > UINT64_MAX - (n - 1) || !binomial(n + inputs - 1, n - 1, &groups))
    return ent_fail(context, ENTROPIC_TOO_LARGE, "S_%u of %zu inputs has more than 2^64 - 1 features", n, inputs);
  *features = size;
  *nonzeros = groups;
  return ENTROPIC_OK;
}

/* The enumeration of S_n in order: by |l|_1, then by terms. */
typedef struct ent_paper_enumeration {
  entropic_context *context;
  entropic_design *design;
  int64_t base_cost;
  const uint64_t *drawn; /* the features drawn, ascending, or NULL for all */
  size_t drawn_count, drawn_used;
  uint64_t features; /* of all groups so far, drawn or not */
  entropic_term *terms;
  uint64_t *members;
} ent_paper_enumeration;

static int64_t level_cost(const entropic_design *design, size_t input, size_t level) {
  return ent_cost(ent_level_score(&design->kernel->axes[input]->levels[level], design->criterion));
}

/* Appends the group of the first `count` terms, or as much of it as was drawn. */
static entropic_status visit(ent_paper_enumeration *paper, size_t count) {
  uint64_t atoms = ent_atoms(paper->design->kernel, paper->terms, count);
  uint64_t first = paper->features;
  paper->features += atoms;
  size_t taken = 0;
  while (paper->drawn_used < paper->drawn_count && paper->drawn[paper->drawn_used] - first < atoms)
    paper->members[taken++] = paper->drawn[paper->drawn_used++] - first;
  bool all = paper->drawn == NULL || taken == atoms;
  if (!all && taken == 0)
    return ENTROPIC_OK;
  int64_t cost = paper->base_cost;
  for (size_t i = 0; i < count; i++)
    cost += level_cost(paper->design, paper->terms[i].input, paper->terms[i].level) -
            level_cost(paper->design, paper->terms[i].input, 0);
  return ent_design_append(paper->context, paper->design, paper->terms, count, cost, all ? NULL : paper->members,
                           all ? (size_t)atoms : taken);
}

/* All ways to spread `excess` levels over inputs from `from` on, behind the first `count` terms. */
static entropic_status spread(ent_paper_enumeration *paper, size_t count, size_t from, unsigned excess) {
  if (excess == 0)
    return visit(paper, count);
  for (size_t input = from; input < paper->design->kernel->inputs; input++)
    for (unsigned up = 1; up <= excess; up++) {
      paper->terms[count] = (entropic_term){.input = input, .level = up};
      entropic_status status = spread(paper, count + 1, input + 1, excess - up);
      if (status != ENTROPIC_OK)
        return status;
    }
  return ENTROPIC_OK;
}

/* Draws `wanted` of 0 .. total-1, ascending, all such sets with equal probability. Each number is taken with probability
 * (still wanted) / (still left). */
static void draw(uint64_t total, size_t wanted, uint64_t seed, uint64_t *drawn) {
  entropic_random random = entropic_random_start(seed, 0);
  size_t count = 0;
  for (uint64_t i = 0; count < wanted; i++)
    if (entropic_random_below(&random, total - i) < wanted - count)
      drawn[count++] = i;
}

/* The deepest set the kernel's levels allow. */
static unsigned deepest(const entropic_kernel *kernel) {
  size_t levels = ENTROPIC_MAX_LEVEL;
  for (size_t i = 0; i < kernel->inputs; i++)
    if (kernel->axes[i]->level_count < levels)
      levels = kernel->axes[i]->level_count;
  return (unsigned)levels;
}

entropic_status ent_paper_choice(entropic_context *context, const entropic_design_options *options,
                                 entropic_design *design) {
  unsigned n = 0, last = deepest(design->kernel);
  uint64_t total = 0;
  while (n < last && total < options->features)
    if (!set_size(design->kernel->inputs, ++n, &total))
      total = UINT64_MAX; /* more than enough */
  size_t wanted = total < options->features ? (size_t)total : options->features;
  entropic_status status = ENTROPIC_NO_MEMORY;
  uint64_t *drawn = NULL;
  ent_paper_enumeration paper = {.context = context, .design = design};
  paper.terms = ent_new(context, n, sizeof *paper.terms);
  paper.members = ent_new(context, wanted, sizeof *paper.members);
  if (paper.terms == NULL || paper.members == NULL)
    goto done;
  if (wanted < total) {
    drawn = ent_new(context, wanted, sizeof *drawn);
    if (drawn == NULL)
      goto done;
    draw(total, wanted, options->seed, drawn);
    paper.drawn = drawn;
    paper.drawn_count = wanted;
  }
  for (size_t i = 0; i < design->kernel->inputs; i++)
    paper.base_cost += level_cost(design, i, 0);
  status = ENTROPIC_OK;
  for (unsigned excess = 0; excess < n; excess++) {
    status = spread(&paper, 0, 0, excess);
    if (status != ENTROPIC_OK)
      goto done;
  }
  design->exhausted = wanted < options->features;
done:
  ent_delete(drawn);
  ent_delete(paper.terms);
  ent_delete(paper.members);
  return status;
}
