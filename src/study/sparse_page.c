/* Where sparse features pay, as charts and tables. */
#include <math.h>
#include <stdio.h>

#include "study/paper.h"

#define MOST_CURVES (ENT_SPARSE_CASES * ENT_SPARSE_METHODS)
#define NAME 96
#define SENTENCE 1024

/* The cases of one function and number of inputs: those from `first` to before *end. */
static size_t end_of_group(const ent_sparse *sparse, size_t first) {
  const ent_sparse_case *one = &sparse->cases[first];
  size_t end = first + 1;
  while (end < sparse->count && sparse->cases[end].target == one->target && sparse->cases[end].inputs == one->inputs)
    end++;
  return end;
}

/* "EOF, 10,000 rows". */
static void name_curve(const ent_sparse_case *one, size_t method, char name[NAME]) {
  char rows[ENT_SHOWN_NUMBER];
  snprintf(name, NAME, "%s, %s rows", method == ENT_SPARSE_EOF ? "EOF" : "RKS",
           ent_show_fixed((double)one->rows, 0, rows));
}

static void name_case(const ent_sparse_case *one, char name[NAME]) {
  char rows[ENT_SHOWN_NUMBER];
  snprintf(name, NAME, "%s function, %zu inputs, %s rows", one->target == ENT_SPARSE_ALIGNED ? "aligned" : "oblique",
           one->inputs, ent_show_fixed((double)one->rows, 0, rows));
}

/* Errors against times of training, or of prediction. */
static void add_chart(ent_page *page, const ent_sparse *sparse, size_t first, bool prediction) {
  static const char *const axes[] = {"training, ms", "prediction, ns a row"};
  size_t end = end_of_group(sparse, first), count = 0;
  ent_series series[MOST_CURVES];
  char names[MOST_CURVES][NAME], title[NAME];
  double x[MOST_CURVES][ENT_SPARSE_POINTS], y[MOST_CURVES][ENT_SPARSE_POINTS];
  for (size_t i = first; i < end; i++)
    for (size_t m = 0; m < ENT_SPARSE_METHODS; m++, count++) {
      const ent_sparse_curve *curve = &sparse->cases[i].curves[m];
      name_curve(&sparse->cases[i], m, names[count]);
      for (size_t k = 0; k < curve->count; k++) {
        x[count][k] = prediction ? 1e9 * curve->points[k].predict : 1e3 * curve->points[k].train;
        y[count][k] = curve->points[k].error;
      }
      series[count] = (ent_series){
          .name = names[count], .count = curve->count, .x = x[count], .y = y[count], .dashed = m == ENT_SPARSE_RKS};
    }
  const ent_sparse_case *one = &sparse->cases[first];
  snprintf(title, sizeof title, "%s function, %zu inputs: error against %s",
           one->target == ENT_SPARSE_ALIGNED ? "Aligned" : "Oblique", one->inputs,
           prediction ? "prediction time" : "training time");
  ent_page_chart(page, &(ent_chart){.title = title,
                                    .x = {.title = axes[prediction], .logarithmic = true},
                                    .y = {.title = "error", .logarithmic = true},
                                    .series = series,
                                    .series_count = count});
}

enum {
  ERROR,
  TRAIN_RATIO,
  PREDICT_RATIO,
  EOF_FEATURES,
  EOF_NONZEROS,
  EOF_TRAIN,
  EOF_PREDICT,
  RKS_FEATURES,
  RKS_TRAIN,
  RKS_PREDICT,
  EQUAL_COLUMNS
};

static void fill_row(const ent_sparse_equal *equal, ent_table_cell *row) {
  const ent_sparse_cost *eof = &equal->costs[ENT_SPARSE_EOF], *rks = &equal->costs[ENT_SPARSE_RKS];
  const double values[EQUAL_COLUMNS] = {[ERROR] = equal->error,
                                        [EOF_FEATURES] = eof->features,
                                        [EOF_NONZEROS] = eof->nonzeros,
                                        [EOF_TRAIN] = 1e3 * eof->train,
                                        [EOF_PREDICT] = 1e9 * eof->predict,
                                        [RKS_FEATURES] = rks->features,
                                        [RKS_TRAIN] = 1e3 * rks->train,
                                        [RKS_PREDICT] = 1e9 * rks->predict,
                                        [TRAIN_RATIO] = rks->train / eof->train,
                                        [PREDICT_RATIO] = rks->predict / eof->predict};
  for (size_t k = 0; k < EQUAL_COLUMNS; k++)
    row[k] = (ent_table_cell){.value = values[k]};
  if (!eof->reached)
    row[EOF_FEATURES].text = "not reached";
  if (!rks->reached)
    row[RKS_FEATURES].text = "not reached";
}

static void add_equals(ent_page *page, const ent_sparse *sparse) {
  static const ent_table_column columns[EQUAL_COLUMNS] = {[ERROR] = {.title = "error", .digits = 3},
                                                          [EOF_FEATURES] = {.title = "EOF: M", .fixed = true},
                                                          [EOF_NONZEROS] = {.title = "non-zeros", .fixed = true},
                                                          [EOF_TRAIN] = {.title = "train, ms", .digits = 3},
                                                          [EOF_PREDICT] = {.title = "predict, ns", .digits = 3},
                                                          [RKS_FEATURES] = {.title = "RKS: M", .fixed = true},
                                                          [RKS_TRAIN] = {.title = "train, ms", .digits = 3},
                                                          [RKS_PREDICT] = {.title = "predict, ns", .digits = 3},
                                                          [TRAIN_RATIO] = {.title = "train, ratio", .digits = 3},
                                                          [PREDICT_RATIO] = {.title = "predict, ratio", .digits = 3}};
  ent_table_cell cells[ENT_SPARSE_CASES * ENT_SPARSE_LEVELS * EQUAL_COLUMNS];
  size_t groups[ENT_SPARSE_CASES * ENT_SPARSE_LEVELS], rows = 0;
  char names[ENT_SPARSE_CASES][NAME];
  const char *titles[ENT_SPARSE_CASES];
  for (size_t i = 0; i < sparse->count; i++) {
    ent_sparse_equal equals[ENT_SPARSE_LEVELS];
    size_t count = ent_sparse_equals(&sparse->cases[i], equals);
    name_case(&sparse->cases[i], names[i]);
    titles[i] = names[i];
    for (size_t k = 0; k < count; k++, rows++) {
      fill_row(&equals[k], cells + rows * EQUAL_COLUMNS);
      groups[rows] = i;
    }
  }
  ent_page_table(
      page, &(ent_table){
                .title = "Sparse and dense features at equal error",
                .note = "Times of training are of all rows, those of prediction and the non-zeros of one. Ratios are "
                        "RKS / EOF: above 1, EOF takes less time. M and times are on the line, in "
                        "logarithms, between two measured points.",
                .columns = columns,
                .column_count = EQUAL_COLUMNS,
                .cells = cells,
                .rows = rows,
                .groups = groups,
                .group_titles = titles});
}

static void add_exponents(ent_page *page, const ent_sparse *sparse) {
  enum { INPUTS, MOST, NONZEROS, GROWTH, PRODUCTS, PAPER, TIME, COLUMNS };
  static const ent_table_column columns[COLUMNS] = {
      [INPUTS] = {.title = "inputs, D", .fixed = true},   [MOST] = {.title = "largest M", .fixed = true},
      [NONZEROS] = {.title = "non-zeros", .fixed = true}, [GROWTH] = {.title = "power: non-zeros", .digits = 3},
      [PRODUCTS] = {.title = "products", .digits = 3},    [PAPER] = {.title = "the paper's 2 D", .fixed = true},
      [TIME] = {.title = "time of Z'Z", .digits = 3}};
  ent_table_cell cells[ENT_SPARSE_DIMENSIONS * COLUMNS];
  for (size_t i = 0; i < sparse->growth_count; i++) {
    const ent_sparse_growth *growth = &sparse->growth[i];
    const ent_sparse_exponents exponents = ent_sparse_exponents_of(sparse, growth);
    const double values[COLUMNS] = {[INPUTS] = (double)growth->inputs,
                                    [MOST] = growth->features[growth->count - 1],
                                    [NONZEROS] = growth->nonzeros[growth->count - 1],
                                    [GROWTH] = exponents.nonzeros,
                                    [PRODUCTS] = exponents.products,
                                    [PAPER] = 2 * (double)growth->inputs,
                                    [TIME] = exponents.gram};
    for (size_t k = 0; k < COLUMNS; k++)
      cells[i * COLUMNS + k] = (ent_table_cell){.value = values[k]};
  }
  ent_page_table(
      page, &(ent_table){.title = "Powers of log M",
                         .note = "Slopes of logarithms against log log M. For the products of a row the paper has 2 D, "
                                 "and D for its non-zeros. The time of Z'Z is that of the Gram matrix, on "
                                 "the case with most rows.",
                         .columns = columns,
                         .column_count = COLUMNS,
                         .cells = cells,
                         .rows = sparse->growth_count});
}

/* Ratios at the least error of RKS. */
typedef struct ent_sparse_verdict {
  size_t cases, reached, trains, predicts; /* how often EOF reaches that error, and is faster */
  double least, most;                      /* RKS / EOF, of training */
} ent_sparse_verdict;

static ent_sparse_verdict judge(const ent_sparse *sparse, ent_sparse_target target) {
  ent_sparse_verdict verdict = {.least = INFINITY, .most = 0};
  for (size_t i = 0; i < sparse->count; i++) {
    if (sparse->cases[i].target != target)
      continue;
    ent_sparse_equal equals[ENT_SPARSE_LEVELS];
    size_t count = ent_sparse_equals(&sparse->cases[i], equals);
    const ent_sparse_equal *last = NULL; /* the least error that RKS reaches */
    for (size_t k = 0; k < count; k++)
      last = equals[k].costs[ENT_SPARSE_RKS].reached ? &equals[k] : last;
    verdict.cases++;
    if (last == NULL || !last->costs[ENT_SPARSE_EOF].reached)
      continue;
    const ent_sparse_cost *eof = &last->costs[ENT_SPARSE_EOF], *rks = &last->costs[ENT_SPARSE_RKS];
    verdict.reached++;
    verdict.trains += eof->train < rks->train;
    verdict.predicts += eof->predict < rks->predict;
    verdict.least = fmin(verdict.least, rks->train / eof->train);
    verdict.most = fmax(verdict.most, rks->train / eof->train);
  }
  return verdict;
}

static void add_verdict(ent_page *page, const ent_sparse *sparse, ent_sparse_target target) {
  const ent_sparse_verdict verdict = judge(sparse, target);
  char text[SENTENCE], more[SENTENCE / 2] = "", shown[2][ENT_SHOWN_NUMBER];
  if (verdict.cases == 0)
    return;
  if (verdict.reached > 0)
    snprintf(more, sizeof more,
             " It trains faster in %zu of these and predicts faster in %zu. RKS takes %s to %s times as long to train.",
             verdict.trains, verdict.predicts, ent_show_number(verdict.least, 2, shown[0]),
             ent_show_number(verdict.most, 2, shown[1]));
  snprintf(text, sizeof text, "The %s function: EOF reaches the least error of RKS in %zu of %zu case%s.%s",
           ent_sparse_target_name(target), verdict.reached, verdict.cases, verdict.cases == 1 ? "" : "s", more);
  ent_page_note(page, text);
}

void ent_paper_add_sparse(ent_page *page, const ent_paper *paper) {
  const ent_sparse *sparse = &paper->sparse;
  if (sparse->count == 0)
    return;
  ent_page_section(page, "Where sparse features pay");
  ent_page_paragraph(
      page, "Many features of few inputs: the case that the paper's promise is for, training in O(N log^2D M). A known "
            "function with noise is learnt from N rows with more and more features. The aligned function is a sum of "
            "laplace kernels, in the space of our features. The oblique one is a sum of ridge functions, with kinks in "
            "any direction, which our features are not made for. The error is that of predictions of the function on "
            "test rows, over its deviation.");
  ent_page_paragraph(
      page,
      "Times are on one thread. Training is making the features, lifting the rows and solving: by the Gram matrix "
      "and its Cholesky factor or, where rows are sparse and that is faster, by conjugate gradients on compressed "
      "rows; beyond 4096 features always so. Kernel, its parameter and lambda N are chosen for each M on "
      "validation rows, in nobody's time. RKS has fewer features because its rows are dense: each has "
      "M (M + 1) / 2 products.");
  ent_page_panels_start(page);
  for (size_t first = 0; first < sparse->count; first = end_of_group(sparse, first)) {
    add_chart(page, sparse, first, false);
    add_chart(page, sparse, first, true);
  }
  ent_page_panels_end(page);
  for (ent_sparse_target target = 0; target < ENT_SPARSE_TARGETS; target++)
    add_verdict(page, sparse, target);
  add_equals(page, sparse);
  add_exponents(page, sparse);
}
