/* Geometric means over the data sets: one of our methods against a baseline, at each number of features. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/paper.h"

/* The sizes of all sets, ascending; returns how many. */
static size_t all_sizes(const ent_paper *paper, size_t most, size_t *sizes) {
  size_t count = 0;
  for (size_t set = 0; set < ENT_SETS; set++) {
    const ent_experiments *experiments = paper->comparisons[set] == NULL ? NULL : &paper->comparisons[set]->experiments;
    for (size_t i = 0; experiments != NULL && i < experiments->size_count + experiments->large_count; i++) {
      size_t size = ent_comparison_size(experiments, i), at = 0;
      while (at < count && sizes[at] < size)
        at++;
      if ((at < count && sizes[at] == size) || count == most)
        continue;
      memmove(sizes + at + 1, sizes + at, (count++ - at) * sizeof *sizes);
      sizes[at] = size;
    }
  }
  return count;
}

/* A pair of methods; `other` is ENT_COMPARE_METHODS for the best baseline of each set. */
typedef struct ent_mean_pair {
  ent_compare_method ours, other;
  bool tuned;
} ent_mean_pair;

typedef struct ent_mean_ratio {
  double ratio; /* geometric mean over sets; NaN if there is none */
  size_t sets, wins;
} ent_mean_ratio;

static ent_mean_ratio mean_ratio(const ent_paper *paper, const ent_mean_pair *pair, size_t size) {
  ent_mean_ratio mean = {.ratio = NAN};
  double sum = 0;
  for (size_t set = 0; set < ENT_SETS; set++) {
    if (paper->comparisons[set] == NULL)
      continue;
    const ent_experiments *experiments = &paper->comparisons[set]->experiments;
    const ent_experiment *ours = ent_experiments_find(experiments, pair->ours, pair->tuned, size);
    const ent_experiment *other = ours == NULL ? NULL
                                  : pair->other < ENT_COMPARE_METHODS
                                      ? ent_experiments_find(experiments, pair->other, pair->tuned, size)
                                      : ent_comparison_best(experiments, pair->tuned, size, ours->runs);
    if (other == NULL || other->runs == 0)
      continue;
    double ratio = ent_comparison_paired(paper->comparisons[set], ours, other).ratio;
    sum += log(ratio);
    mean.wins += ratio < 1;
    mean.sets++;
  }
  if (mean.sets > 0)
    mean.ratio = exp(sum / (double)mean.sets);
  return mean;
}

static const char *name_of(ent_compare_method method) {
  return method < ENT_COMPARE_METHODS ? ent_compare_method_name(method) : "best baseline of each set";
}

/* Whether a method is one that ours are set against here. */
static bool is_other(ent_compare_method method) {
  return method == ENT_COMPARE_METHODS || (!ent_compare_method_is_ours(method) && !ent_compare_method_is_exact(method));
}

#define MOST_SIZES ((size_t)16)

static void add_table(ent_page *page, const ent_paper *paper, ent_compare_method ours, bool tuned) {
  enum { ROWS = ENT_COMPARE_METHODS + 1, TEXT = 48 };
  size_t sizes[MOST_SIZES], count = all_sizes(paper, MOST_SIZES, sizes), columns = count + 1, rows = 0;
  ent_table_column heads[MOST_SIZES + 1] = {{.title = "baseline", .text = true}};
  ent_table_cell cells[ROWS * (MOST_SIZES + 1)] = {{0}};
  char names[MOST_SIZES][24], texts[ROWS * (MOST_SIZES + 1)][TEXT], title[160];
  for (size_t i = 0; i < count; i++) {
    snprintf(names[i], sizeof names[i], "M\xc2\xa0=\xc2\xa0%zu", sizes[i]);
    heads[i + 1] = (ent_table_column){.title = names[i], .digits = 3};
  }
  for (ent_compare_method other = 0; other <= ENT_COMPARE_METHODS; other++) {
    const ent_mean_pair pair = {ours, other, tuned};
    if (!is_other(other))
      continue;
    cells[rows * columns].text = name_of(other);
    for (size_t i = 0; i < count; i++) {
      size_t at = rows * columns + i + 1;
      const ent_mean_ratio mean = mean_ratio(paper, &pair, sizes[i]);
      cells[at].value = mean.ratio;
      if (mean.sets == 0)
        continue;
      snprintf(texts[at], TEXT, "won %zu of %zu", mean.wins, mean.sets);
      cells[at].under[0] = texts[at];
    }
    rows++;
  }
  snprintf(title, sizeof title, "All sets: error of %s over that of baselines, bandwidths %s",
           ent_compare_method_name(ours), tuned ? "tuned" : "by rule");
  ent_page_table(page, &(ent_table){.title = title,
                                    .note = "Geometric means, over the data sets with as many features, of the "
                                            "ratio of the errors on the same runs. Won: the sets on which the ratio "
                                            "is below 1.",
                                    .columns = heads,
                                    .column_count = columns,
                                    .cells = cells,
                                    .rows = rows});
}

void ent_paper_add_means(ent_page *page, const ent_paper *paper) {
  for (int tuned = 0; tuned < 2; tuned++)
    for (ent_compare_method ours = ENT_COMPARE_ENTROPY; ours <= ENT_COMPARE_RESIDUAL; ours++)
      add_table(page, paper, ours, tuned == 1);
}

void ent_paper_means_json(ent_json *json, const ent_paper *paper) {
  size_t sizes[MOST_SIZES], count = all_sizes(paper, MOST_SIZES, sizes);
  ent_json_line(json);
  ent_json_open_list(json, "means");
  for (int tuned = 0; tuned < 2; tuned++)
    for (ent_compare_method ours = ENT_COMPARE_ENTROPY; ours <= ENT_COMPARE_RESIDUAL; ours++)
      for (ent_compare_method other = 0; other <= ENT_COMPARE_METHODS; other++)
        for (size_t i = 0; i < count && is_other(other); i++) {
          const ent_mean_pair pair = {ours, other, tuned == 1};
          const ent_mean_ratio mean = mean_ratio(paper, &pair, sizes[i]);
          if (mean.sets == 0)
            continue;
          ent_json_line(json);
          ent_json_open_object(json, NULL);
          ent_json_add_text(json, "name", ent_compare_method_name(ours));
          ent_json_add_text(json, "other", other < ENT_COMPARE_METHODS ? ent_compare_method_name(other) : "best");
          ent_json_add_flag(json, "tuned", tuned == 1);
          ent_json_add_integer(json, "features", sizes[i]);
          ent_json_add_number(json, "ratio", mean.ratio);
          ent_json_add_integer(json, "sets", mean.sets);
          ent_json_add_integer(json, "wins", mean.wins);
          ent_json_close(json);
        }
  ent_json_close(json);
}
