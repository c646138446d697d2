/* Test rows held out: see holdout.h. */
#include "compare/holdout.h"

#include <math.h>

#include "base/memory.h"

/* Systematic sampling: with the rows sorted by class, every 1/share-th of them, from a random start. Of any run of n
 * rows, so of each class and of all, share * n are taken, rounded up or down. The start is such that some row is taken
 * and some row is left. */
static entropic_status hold_out_rows(entropic_context *context, const ent_fold_options *split, double share,
                                     entropic_random *random, bool *test) {
  size_t *sorted = ent_new(context, split->rows, sizeof *sorted);
  if (sorted == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_rows_by_class(context, split, random, sorted);
  if (status != ENTROPIC_OK)
    goto done;
  double taken = share * (double)split->rows, left = (double)split->rows - taken;
  double least = fmax(0, 1 - taken), most = fmin(1, left);
  double start = least + (most - least) * entropic_random_uniform(random);
  for (size_t i = 0; i < split->rows; i++)
    test[sorted[i]] = floor(share * (double)(i + 1) + start) > floor(share * (double)i + start);
done:
  ent_delete(sorted);
  return status;
}

/* Test rows of each class: taken so far, and wanted in the end. */
typedef struct ent_shares {
  const double *labels; /* NULL: one class */
  double *taken, *wanted;
} ent_shares;

/* Takes rows. Returns the change of the sum over classes of (taken - wanted)^2 / wanted. */
static double take_rows(ent_shares *shares, const size_t *rows, size_t count) {
  double change = 0;
  for (size_t i = 0; i < count; i++) {
    size_t c = shares->labels == NULL ? 0 : (size_t)shares->labels[rows[i]];
    change += (1 + 2 * (shares->taken[c] - shares->wanted[c])) / shares->wanted[c];
    shares->taken[c]++;
  }
  return change;
}

static void give_back_rows(ent_shares *shares, const size_t *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    shares->taken[shares->labels == NULL ? 0 : (size_t)shares->labels[rows[i]]]--;
}

/* Takes groups in random order. A group is taken if that brings the classes nearer to their shares; if none does, the one
 * that leads least far away is taken. sorted: the rows by group; starts[groups + 1]: where each begins; order[groups]. */
static void choose_groups(ent_shares *shares, const size_t *sorted, const size_t *starts, const size_t *order,
                          size_t groups, bool *test) {
  size_t nearest = 0, taken = 0;
  double least = INFINITY;
  for (size_t i = 0; i < groups; i++) {
    size_t group = order[i], count = starts[group + 1] - starts[group];
    const size_t *rows = sorted + starts[group];
    double change = count > 0 ? take_rows(shares, rows, count) : INFINITY;
    if (change < least) {
      least = change;
      nearest = group;
    }
    if (change < 0)
      taken++;
    else if (count > 0)
      give_back_rows(shares, rows, count);
    for (size_t k = 0; change < 0 && k < count; k++)
      test[rows[k]] = true;
  }
  for (size_t k = starts[nearest]; taken == 0 && k < starts[nearest + 1]; k++)
    test[sorted[k]] = true;
}

static entropic_status hold_out_groups(entropic_context *context, const ent_fold_options *split, double share,
                                       entropic_random *random, bool *test) {
  size_t groups = ent_group_count(split), classes = split->labels == NULL ? 1 : split->classes;
  ent_fold_options by_group = {.rows = split->rows, .labels = split->groups, .classes = groups};
  ent_shares shares = {.labels = split->labels,
                       .taken = ent_new(context, classes, sizeof *shares.taken),
                       .wanted = ent_new(context, classes, sizeof *shares.wanted)};
  size_t *sorted = ent_new(context, split->rows, sizeof *sorted), *order = ent_new(context, groups, sizeof *order);
  size_t *starts = ent_new(context, groups + 1, sizeof *starts);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (shares.taken == NULL || shares.wanted == NULL || sorted == NULL || order == NULL || starts == NULL)
    goto done;
  status = ent_rows_by_class(context, &by_group, random, sorted);
  if (status != ENTROPIC_OK)
    goto done;
  entropic_random_permutation(random, groups, order);
  for (size_t r = 0; r < split->rows; r++) {
    starts[(size_t)split->groups[r] + 1]++;
    shares.wanted[split->labels == NULL ? 0 : (size_t)split->labels[r]] += share;
  }
  for (size_t g = 0; g < groups; g++)
    starts[g + 1] += starts[g];
  choose_groups(&shares, sorted, starts, order, groups, test);
done:
  ent_delete(shares.taken);
  ent_delete(shares.wanted);
  ent_delete(sorted);
  ent_delete(order);
  ent_delete(starts);
  return status;
}

entropic_status ent_holdout(entropic_context *context, const ent_fold_options *split, double share, uint64_t seed,
                            size_t *numbers, size_t *train) {
  bool *test = ent_new(context, split->rows, sizeof *test);
  if (test == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_random random = entropic_random_start(seed, 0);
  entropic_status status = split->groups == NULL ? hold_out_rows(context, split, share, &random, test)
                                                 : hold_out_groups(context, split, share, &random, test);
  if (status != ENTROPIC_OK)
    goto done;
  size_t count = 0;
  for (size_t r = 0; r < split->rows; r++)
    if (!test[r])
      numbers[count++] = r;
  *train = count;
  for (size_t r = 0; r < split->rows; r++)
    if (test[r])
      numbers[count++] = r;
done:
  ent_delete(test);
  return status;
}
