/* Whether there is anything to learn: a permutation test of linear dependence. See outer.h.
 *
 * The statistic of an input is what it alone explains of the targets: for a number its squared correlation with them,
 * for a category the squares between its values. Their sum tells of many weak inputs, their largest of a single strong
 * one. If none of the permutations reaches the targets as they came, in the sum or in the largest, that is evidence:
 * by chance it happens once in PERMUTATIONS + 1 for each of the two.
 *
 * Rows of a group may not be permuted, but groups may: there the means of groups take the place of rows. The variance
 * of a mean of k rows is between 1 and 1/k of that of a row, by how alike they are; times the fourth root of k the
 * means of large and small groups are nearly exchangeable in either case. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "tune/folds.h"
#include "fit/outer.h"

#define PERMUTATIONS ((size_t)499)
#define BLOCK ((size_t)256) /* rows that are scaled at a time, or correlated between two polls */
#define BATCH ((size_t)8)   /* permutations that go through the rows together */
#define MOST_WORK 2e10      /* multiplications; with more nothing is said */

/* Columns of numbers, centred and of unit length, and categories as they are. */
typedef struct ent_dependence {
  size_t rows; /* or groups */
  size_t targets, numbers, categories;
  float *x;               /* rows x numbers */
  uint32_t *codes;        /* rows x categories; atoms[c] is that of a missing value or one not seen */
  size_t *atoms, *starts; /* [categories] how many values, and where their sums begin */
  double *counts;         /* by atom */
  size_t sums;            /* atoms of all categories */
  double *y;              /* rows x targets, centred, of unit length */
  uint64_t seed;
  double *sum, *largest; /* [1 + PERMUTATIONS], the first of the targets as they came */
} ent_dependence;

static void dependence_clear(ent_dependence *d) {
  ent_delete(d->x);
  ent_delete(d->codes);
  ent_delete(d->atoms);
  ent_delete(d->starts);
  ent_delete(d->counts);
  ent_delete(d->y);
  ent_delete(d->sum);
  ent_delete(d->largest);
}

/* The moments of a column of scaled numbers, missing ones left out. */
typedef struct ent_column_moments {
  double mean, count, square;
} ent_column_moments;

/* What a pass over the scaled rows finds of a column: its mean, then its deviations, then the column itself. */
typedef enum ent_moment_pass { MEANS, DEVIATIONS, COLUMNS, MOMENT_PASSES } ent_moment_pass;

static void add_number(double value, ent_moment_pass pass, ent_column_moments *m, float *to) {
  double off = isfinite(value) ? value - m->mean : 0;
  if (pass == MEANS && isfinite(value)) {
    m->mean += value;
    m->count++;
  } else if (pass == DEVIATIONS) {
    m->square += off * off;
  } else if (pass == COLUMNS) {
    *to = (float)(off * m->square);
  }
}

/* From sums to the mean, and from the sum of squares to the factor that makes the column one of unit length. */
static void end_pass(ent_moment_pass pass, ent_column_moments *m) {
  if (pass == MEANS)
    m->mean = m->count > 0 ? m->mean / m->count : 0;
  else if (pass == DEVIATIONS)
    m->square = m->square > 0 ? 1 / sqrt(m->square) : 0;
}

/* Columns as they are correlated: missing values at the mean. Rows are scaled a block at a time. Inputs that features may
 * not depend on count as missing everywhere. */
static entropic_status set_numbers(entropic_context *context, const ent_fit *fit, ent_dependence *d) {
  size_t inputs = fit->inputs;
  ent_column_moments *moments = ent_new(context, inputs, sizeof *moments);
  const ent_inputs from = ent_dataset_inputs(fit->train);
  double *x = ent_new_matrix(context, BLOCK, inputs, sizeof *x);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (moments == NULL || x == NULL)
    goto done;
  for (int pass = MEANS; pass < MOMENT_PASSES; pass++) {
    for (size_t first = 0; first < d->rows; first += BLOCK) {
      size_t rows = d->rows - first < BLOCK ? d->rows - first : BLOCK;
      ent_inputs_read(&from, inputs, first, rows, x);
      status = ent_scaler_fill_all(context, fit->scaler, x, rows, inputs, x);
      if (status != ENTROPIC_OK)
        goto done;
      for (size_t r = 0; r < rows; r++)
        for (size_t i = 0, column = 0; i < inputs; i++)
          if (fit->train->schema.input[i].categories == 0)
            add_number(ent_restriction_has(fit->features.restriction, i) ? x[r * inputs + i] : NAN,
                       (ent_moment_pass)pass, &moments[i], d->x + (first + r) * d->numbers + column++);
    }
    for (size_t i = 0; i < inputs; i++)
      end_pass((ent_moment_pass)pass, &moments[i]);
  }
  status = ENTROPIC_OK;
done:
  ent_delete(moments);
  ent_delete(x);
  return status;
}

static void set_category(const ent_fit *fit, size_t input, size_t column, ent_dependence *d) {
  size_t atoms = d->atoms[column];
  const ent_inputs from = ent_dataset_inputs(fit->train);
  ent_inputs_cursor cursor;
  ent_inputs_start(&from, input, d->rows, &cursor);
  for (size_t r = 0; r < d->rows; r++) {
    double code = ent_inputs_at(&cursor, r);
    bool known = code >= 0 && code < (double)(atoms - 1) && ent_restriction_has(fit->features.restriction, input);
    size_t atom = known ? (size_t)code : atoms - 1;
    d->codes[r * d->categories + column] = (uint32_t)(d->starts[column] + atom);
    d->counts[d->starts[column] + atom]++;
  }
}

static void set_targets(const ent_fit *fit, ent_dependence *d) {
  for (size_t k = 0; k < d->targets; k++) {
    double mean = 0, square = 0;
    for (size_t r = 0; r < d->rows; r++)
      mean += fit->y[r * d->targets + k] / (double)d->rows;
    for (size_t r = 0; r < d->rows; r++) {
      double off = fit->y[r * d->targets + k] - mean;
      square += off * off;
    }
    double scale = square > 0 ? 1 / sqrt(square) : 0;
    for (size_t r = 0; r < d->rows; r++)
      d->y[r * d->targets + k] = (fit->y[r * d->targets + k] - mean) * scale;
  }
}

/* Groups in the place of rows. */
typedef struct ent_merging {
  const double *group_of; /* [rows] */
  size_t rows, groups;
  double *counts; /* [groups] rows */
  double *means;  /* [groups] room, of one column */
} ent_merging;

/* From sums over the rows of groups to means, each times the fourth root of its rows, centred and of unit length. */
static void scale_means(const ent_merging *m) {
  double weight = 0, mean = 0, square = 0;
  for (size_t g = 0; g < m->groups; g++) {
    double root = sqrt(sqrt(m->counts[g]));
    m->means[g] = m->counts[g] > 0 ? m->means[g] / m->counts[g] : 0;
    mean += root * m->means[g];
    weight += root;
  }
  mean /= weight;
  for (size_t g = 0; g < m->groups; g++) {
    m->means[g] = sqrt(sqrt(m->counts[g])) * (m->means[g] - mean);
    square += m->means[g] * m->means[g];
  }
  for (size_t g = 0; g < m->groups && square > 0; g++)
    m->means[g] /= sqrt(square);
}

static void merge_number(const ent_merging *m, size_t column, ent_dependence *d) {
  memset(m->means, 0, m->groups * sizeof *m->means);
  for (size_t r = 0; r < m->rows; r++)
    m->means[(size_t)m->group_of[r]] += (double)d->x[r * d->numbers + column];
  scale_means(m);
  for (size_t g = 0; g < m->groups; g++)
    d->x[g * d->numbers + column] = (float)m->means[g];
}

static void merge_target(const ent_merging *m, size_t target, ent_dependence *d) {
  memset(m->means, 0, m->groups * sizeof *m->means);
  for (size_t r = 0; r < m->rows; r++)
    m->means[(size_t)m->group_of[r]] += d->y[r * d->targets + target];
  scale_means(m);
  for (size_t g = 0; g < m->groups; g++)
    d->y[g * d->targets + target] = m->means[g];
}

/* A category that changes within a group tells nothing: then all groups have the same. */
static void merge_category(const ent_merging *m, size_t column, ent_dependence *d) {
  bool same = true;
  for (size_t g = 0; g < m->groups; g++)
    m->means[g] = -1;
  for (size_t r = 0; r < m->rows; r++) {
    double *of = &m->means[(size_t)m->group_of[r]], code = (double)d->codes[r * d->categories + column];
    same = same && (*of < 0 || *of == code);
    *of = code;
  }
  for (size_t a = 0; a < d->atoms[column]; a++)
    d->counts[d->starts[column] + a] = 0;
  for (size_t g = 0; g < m->groups; g++) {
    size_t atom = same && m->means[g] >= 0 ? (size_t)m->means[g] : d->starts[column];
    d->codes[g * d->categories + column] = (uint32_t)atom;
    d->counts[atom]++;
  }
}

/* There are no more groups than rows, so they find room where the rows were. Each column is read before it is
 * written. */
static entropic_status merge_groups(entropic_context *context, const entropic_dataset *data, ent_dependence *d) {
  ent_fold_options split = {.rows = data->rows, .groups = data->groups};
  ent_merging m = {.group_of = data->groups, .rows = data->rows, .groups = ent_group_count(&split)};
  m.counts = ent_new(context, m.groups, sizeof *m.counts);
  m.means = ent_new(context, m.groups, sizeof *m.means);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (m.counts == NULL || m.means == NULL)
    goto done;
  for (size_t r = 0; r < m.rows; r++)
    m.counts[(size_t)m.group_of[r]]++;
  for (size_t j = 0; j < d->numbers; j++)
    merge_number(&m, j, d);
  for (size_t k = 0; k < d->targets; k++)
    merge_target(&m, k, d);
  for (size_t c = 0; c < d->categories; c++)
    merge_category(&m, c, d);
  d->rows = m.groups;
  status = ENTROPIC_OK;
done:
  ent_delete(m.counts);
  ent_delete(m.means);
  return status;
}

static entropic_status dependence_start(entropic_context *context, const ent_fit *fit, ent_dependence *d) {
  const ent_schema *schema = &fit->train->schema;
  *d = (ent_dependence){.rows = fit->train->rows, .targets = fit->scores, .seed = fit->options->seed};
  for (size_t i = 0; i < fit->inputs; i++)
    *(schema->input[i].categories > 0 ? &d->categories : &d->numbers) += 1;
  d->x = ent_new_matrix(context, d->rows, d->numbers, sizeof *d->x);
  d->codes = ent_new_matrix(context, d->rows, d->categories, sizeof *d->codes);
  d->atoms = ent_new(context, d->categories, sizeof *d->atoms);
  d->starts = ent_new(context, d->categories, sizeof *d->starts);
  d->y = ent_new_matrix(context, d->rows, d->targets, sizeof *d->y);
  d->sum = ent_new(context, 1 + PERMUTATIONS, sizeof *d->sum);
  d->largest = ent_new(context, 1 + PERMUTATIONS, sizeof *d->largest);
  if (d->x == NULL || d->codes == NULL || d->atoms == NULL || d->starts == NULL || d->y == NULL || d->sum == NULL ||
      d->largest == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0, c = 0; i < fit->inputs; i++)
    if (schema->input[i].categories > 0) {
      d->atoms[c] = schema->input[i].categories + 1;
      d->starts[c] = d->sums;
      d->sums += d->atoms[c++];
    }
  d->counts = ent_new(context, d->sums, sizeof *d->counts);
  if (d->counts == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0, category = 0; i < fit->inputs; i++)
    if (schema->input[i].categories > 0)
      set_category(fit, i, category++, d);
  entropic_status status = set_numbers(context, fit, d);
  if (status != ENTROPIC_OK)
    return status;
  set_targets(fit, d);
  return fit->train->groups == NULL ? ENTROPIC_OK : merge_groups(context, fit->train, d);
}

/* Adds what one input explains of one target to a statistic. */
static void add_explained(double explained, double degrees, double *sum, double *largest) {
  *sum += explained;
  *largest = fmax(*largest, explained / degrees);
}

/* A batch of permutations, and room for their products. */
typedef struct ent_permuted {
  size_t batch;
  size_t *orders;  /* batch x rows */
  float *products; /* batch x numbers */
  double *sums;    /* batch x sums */
} ent_permuted;

/* Adds the products of some rows of all columns with one permuted target of each of a batch. */
static void correlate(const ent_dependence *d, const ent_permuted *p, size_t target, size_t first, size_t end) {
  for (size_t r = first; r < end; r++)
    for (size_t b = 0; b < p->batch; b++) {
      double y = d->y[p->orders[b * d->rows + r] * d->targets + target];
      const float *x = d->x + r * d->numbers;
      float *to = p->products + b * d->numbers, part = (float)y;
      for (size_t j = 0; j < d->numbers; j++)
        to[j] += part * x[j];
      for (size_t c = 0; c < d->categories; c++)
        p->sums[b * d->sums + d->codes[r * d->categories + c]] += y;
    }
}

/* Products of all columns with one permuted target. */
static entropic_status correlate_all(entropic_context *context, const ent_dependence *d, const ent_permuted *p,
                                     size_t target) {
  memset(p->products, 0, p->batch * d->numbers * sizeof *p->products);
  memset(p->sums, 0, p->batch * d->sums * sizeof *p->sums);
  for (size_t first = 0; first < d->rows; first += BLOCK) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    correlate(d, p, target, first, d->rows - first < BLOCK ? d->rows : first + BLOCK);
  }
  return ENTROPIC_OK;
}

static void add_statistics(const ent_dependence *d, const float *products, const double *sums, double *sum,
                           double *largest) {
  for (size_t j = 0; j < d->numbers; j++)
    add_explained((double)products[j] * (double)products[j], 1, sum, largest);
  for (size_t c = 0; c < d->categories; c++) {
    double between = 0, degrees = -1;
    for (size_t a = d->starts[c]; a < d->starts[c] + d->atoms[c]; a++) {
      between += d->counts[a] > 0 ? sums[a] * sums[a] / d->counts[a] : 0;
      degrees += d->counts[a] > 0;
    }
    if (degrees > 0)
      add_explained(between, degrees, sum, largest);
  }
}

/* One batch of permutations; the first of all is none. */
static entropic_status permute(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  ent_dependence *d = shared;
  size_t first = task * BATCH, batch = 1 + PERMUTATIONS - first < BATCH ? 1 + PERMUTATIONS - first : BATCH;
  ent_permuted p = {.batch = batch,
                    .orders = ent_new_matrix(context, batch, d->rows, sizeof *p.orders),
                    .products = ent_new_matrix(context, batch, d->numbers, sizeof *p.products),
                    .sums = ent_new_matrix(context, batch, d->sums, sizeof *p.sums)};
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (p.orders == NULL || p.products == NULL || p.sums == NULL)
    goto done;
  for (size_t b = 0; b < batch; b++) {
    entropic_random random = entropic_random_start(d->seed ^ UINT64_C(0x9e3779b97f4a7c15), first + b);
    if (first + b > 0)
      entropic_random_permutation(&random, d->rows, p.orders + b * d->rows);
    for (size_t r = 0; first + b == 0 && r < d->rows; r++)
      p.orders[r] = r;
  }
  for (size_t k = 0; k < d->targets; k++) {
    status = correlate_all(context, d, &p, k);
    if (status != ENTROPIC_OK)
      goto done;
    for (size_t b = 0; b < batch; b++)
      add_statistics(d, p.products + b * d->numbers, p.sums + b * d->sums, &d->sum[first + b], &d->largest[first + b]);
  }
  status = ENTROPIC_OK;
done:
  ent_delete(p.orders);
  ent_delete(p.products);
  ent_delete(p.sums);
  return status;
}

entropic_status ent_evidence(entropic_context *context, const ent_fit *fit, bool *found) {
  double work = (double)fit->train->rows * (double)fit->inputs * (double)fit->scores * (double)(1 + PERMUTATIONS);
  *found = false;
  if (fit->train->time != NULL || work > MOST_WORK)
    return ENTROPIC_OK;
  ent_dependence d;
  entropic_status status = dependence_start(context, fit, &d);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_parallel(context, PERMUTATIONS / BATCH + 1, permute, &d);
  if (status != ENTROPIC_OK)
    goto done;
  bool sum = true, largest = true;
  for (size_t i = 1; i <= PERMUTATIONS; i++) {
    sum = sum && d.sum[i] < d.sum[0];
    largest = largest && d.largest[i] < d.largest[0];
  }
  *found = sum || largest;
done:
  dependence_clear(&d);
  return status;
}
