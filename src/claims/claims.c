/* The list of claims; checking them; lines and JSON. */
#include "claims/claims.h"

#include <string.h>

#include "axis/kernel.h"
#include "base/progress.h"
#include "page/page.h"

static entropic_status lift_rows(entropic_context *context, const entropic_design *design, const double *x, size_t rows,
                                 entropic_csr **csr) {
  entropic_lift *lift = NULL;
  entropic_status status = entropic_lift_create(context, design, &lift);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_lift_csr(context, lift, x, rows, entropic_lift_inputs(lift), csr);
  entropic_lift_free(lift);
  return status;
}

const ent_subject ent_subject_library = {.kernel = ent_kernel_axis_value,
                                         .atom = entropic_kernel_atom,
                                         .level = ent_kernel_level,
                                         .design = ent_design_create,
                                         .size = ent_paper_size,
                                         .lift = lift_rows,
                                         .rate = ent_rate_measure};

const ent_claim ent_claim_list[ENT_CLAIMS] = {
    {"support", "Theorem 1", "an atom of level l is zero from 2^-l on around its node, and not before",
     "largest distance from the node, in units of 2^-l, where an atom of one of 19 kernels is not zero", false, 1,
     ent_claim_support},
    {"nested", "Theorem 1", "supports are nested",
     "share of points of supports outside the coarser support that they meet", false, 0, ent_claim_nested},
    {"union", "Theorem 1", "a support is the union of two supports of the next level, which share only its node",
     "share of points inside a support but in neither of the two, or the other way round, 19 kernels", false, 0,
     ent_claim_union},
    {"combination", "Theorem 1", "an atom is a combination of the kernel at its two ends and its node",
     "largest difference", false, 1e-11, ent_claim_combination},
    {"orthogonal", "Theorem 1", "atoms are orthogonal in the kernel's space",
     "largest inner product of two atoms of norm 1, by the reproducing property, all pairs of 6 levels of 19 kernels",
     false, 1e-11, ent_claim_orthogonal},
    {"norms", "Theorem 1", "the squared norm of an atom of height 1 is 1/C as printed", "largest relative difference",
     false, 1e-11, ent_claim_norms},
    {"growth", "order of norms", "the squared norm of a product of atoms of height 1 is of order 2^|l|",
     "largest over least of 2^-|l|/C, where w 2^-l <= 1/2 in each input, to the power 1/D; 19 kernels to level 30, "
     "lifted products of 2 and 3 inputs",
     false, 1.1, ent_claim_growth},
    {"linear", "form of atoms", "an atom of height 1 is the linear hat plus O(2^-l)",
     "largest difference times 2^l, 12 levels of 19 kernels and of custom pairs of Airy and Euler functions", false, 1,
     ent_claim_linear},
    {"boundary", "Theorem 1, completed",
     "two boundary atoms, combinations of k(.,0) and k(.,1), are orthogonal to each other and to all atoms",
     "largest inner product", false, 1e-11, ent_claim_boundary},
    {"expansion", "Corollary, completed", "boundary atoms and atoms together give the kernel",
     "largest error of the expansion, 19 kernels", false, 1e-13, ent_claim_expansion},
    {"without", "Corollary, corrected", "atoms alone, as printed, do not give the kernel",
     "what they lack of k(x,x) = 1, at the least over x; laplace, omega 1", true, 0.5, ent_claim_without},
    {"bridge", "Corollary", "atoms alone do give a kernel that is zero at both ends",
     "largest error of the expansion of bridge", false, 1e-14, ent_claim_bridge},
    {"pair-expansion", "Condition 1", "any Sturm-Liouville pair has the expansion",
     "largest error for custom pairs of Airy and Euler functions", false, 1e-11, ent_claim_pair_expansion},
    {"pair-orthogonal", "Condition 1", "any Sturm-Liouville pair has orthogonal atoms",
     "largest inner product for custom pairs of Airy and Euler functions", false, 1e-11, ent_claim_pair_orthogonal},
    {"products", "Theorem 2", "products of atoms of several inputs are orthogonal",
     "largest inner product of 80 lifted features, 2 and 3 inputs", false, 1e-10, ent_claim_products},
    {"faces", "Theorem 2, completed", "they are orthogonal to all products with boundary atoms",
     "largest inner product of 80 lifted features, 2 and 3 inputs", false, 1e-10, ent_claim_faces},
    {"product-norms", "Theorem 2", "the norm of a product is the product of the norms",
     "largest difference of the squared norm of a lifted feature from 1", false, 1e-10, ent_claim_product_norms},
    {"product-expansion", "Theorem 2, completed", "products with boundary atoms give the kernel of several inputs",
     "largest error of z(x).z(y), 2 and 3 inputs", false, 1e-12, ent_claim_product_expansion},
    {"root", "feature map, corrected", "features carry sqrt(C), not C",
     "error of z(x).z(y) with sqrt(C) over that with C", false, 1e-10, ent_claim_root},
    {"tanh", "laplace example, corrected", "C of laplace is tanh(w 2^-l)", "largest relative difference, 30 levels",
     false, 1e-12, ent_claim_tanh},
    {"not-sinh", "laplace example, corrected", "C of laplace is not sinh(w 2^-l)",
     "largest relative difference, 30 levels", true, 0.5, ent_claim_not_sinh},
    {"vanish", "laplace example, corrected", "C falls to 0, not to infinity, as levels grow",
     "C of level 30 over C of level 1", false, 1e-6, ent_claim_vanish},
    {"order", "order of C, corrected",
     "|l| < |m| does not imply that C of l is above C of m, and the design does not rely on it",
     "C of levels (4,1) over C of (3,3), omega 8", false, 0.9, ent_claim_order},
    {"sum", "optimal features", "the design of M features has the largest sum of scores",
     "largest relative difference from brute force, 60 random kernels", false, 1e-8, ent_claim_sum},
    {"product", "optimal features", "the design of M features has the largest product of scores",
     "largest difference of the mean log2 from brute force, 60 random kernels", false, 1e-8, ent_claim_product},
    {"knapsack", "optimal features, corrected",
     "the knapsack has equal weights, so it is not hard: the M largest scores are its optimum",
     "largest relative difference from the best of all subsets", false, 1e-8, ent_claim_knapsack},
    {"size", "sets S_n", "S_n, meaning |l| <= n+D-1, has the sum of 2^(s-D) C(s-1,D-1), s = D .. n+D-1, as its size",
     "sizes that differ from a count, of 64", false, 0, ent_claim_size},
    {"nonzeros", "sets S_n", "S_n has C(n+D-1,D) non-zeros a row",
     "rows that have another number of them when lifted, of 640", false, 0, ent_claim_nonzeros},
    {"share", "sparsity", "the share of non-zeros in a row of S_n is at most 2n/2^n",
     "largest ratio to it, D = 1 .. 8, n = 1 .. 24", false, 1, ent_claim_share},
    {"share-limit", "sparsity, corrected",
     "this share over n/(D 2^n) tends to 1, but slowly, as 1 + 2(D-1)/n: n/(D 2^n) is no bound",
     "largest relative difference from it at n = 24, D = 1, 2, 3", false, 0.25, ent_claim_share_limit},
    {"sparse", "sparsity", "a row has O(log^D M) non-zeros",
     "largest ratio of those counted by lifting to log2(M+1)^D, D = 1, 2, 3", false, 1, ent_claim_sparse},
    {"completed-sparse", "sparsity, completed", "the completed basis, best first, keeps this order",
     "largest ratio of non-zeros counted by lifting to (log2(M+1) + 2)^D, D = 1, 2, 3", false, 1,
     ent_claim_completed_sparse},
    {"training", "training time", "training takes O(N log^2D M) products",
     "largest ratio of the products that lifted rows need to N log2(M+1)^(2D), D = 1, 2, 3", false, 1,
     ent_claim_training},
    {"worst", "Lemma 1", "the largest |f - f_M|^2 in mean square, for f of norm 1, has an exact value if D = 1",
     "largest relative difference of the eigenvalue of k - k_M from w/(pi (M-1))^2, centred, M = 3 .. 65", false, 1e-3,
     ent_claim_worst},
    {"lemma", "Lemma 1", "|f - f_M|^2 in mean square is at most of order M^-2 log^(4D-4) M for f of norm 1",
     "largest growth, with M, of the ratio of the largest eigenvalue of k - k_M to it, D = 1, 2, 3", false, 1,
     ent_claim_lemma},
    {"logarithm", "Lemma 1", "log^(4D-4) M is more than enough: we derive log^(3D-3) M",
     "largest ratio to 4D-4 of the exponent e, fitted to eigenvalue M^2 = const log^e M, D = 2, 3", false, 1,
     ent_claim_logarithm},
    {"rate", "generalization bound", "M = 2 N^(1/4) features give a risk of order N^(-1/2)",
     "upper end of the 95 % interval of the slope of log risk against log N, D = 1", false, -0.5, ent_claim_rate},
};

double ent_worse(double a, double b) {
  return isnan(a) || a > b ? a : b;
}

bool ent_claim_holds(const ent_claim *claim, double value) {
  return claim->at_least ? value >= claim->limit : value <= claim->limit;
}

ent_claim_series *ent_finding_series(ent_finding *finding, const char *name) {
  for (size_t i = 0; i < finding->series_count; i++)
    if (strcmp(finding->series[i].name, name) == 0)
      return &finding->series[i];
  if (finding->series_count == ENT_CLAIM_SERIES)
    return &finding->series[ENT_CLAIM_SERIES - 1];
  ent_claim_series *series = &finding->series[finding->series_count++];
  strncpy(series->name, name, sizeof series->name - 1);
  return series;
}

void ent_series_put(ent_claim_series *series, double x, double y) {
  if (series->count == ENT_CLAIM_POINTS)
    return;
  series->x[series->count] = x;
  series->y[series->count++] = y;
}

static entropic_status check_all(entropic_context *context, void *arguments) {
  ent_claims *claims = arguments;
  for (size_t i = 0; i < ENT_CLAIMS; i++) {
    ent_progress_at(context, "claims", i, ENT_CLAIMS);
    entropic_status status = ent_claim_list[i].measure(context, &ent_subject_library, &claims->findings[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_claims_check(entropic_context *context, ent_claims **claims) {
  if (claims == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "claims is NULL");
  ent_claims *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_call_run(context, "claims", check_all, made);
  if (status != ENTROPIC_OK) {
    ent_claims_free(made);
    return status;
  }
  *claims = made;
  return ENTROPIC_OK;
}

void ent_claims_free(ent_claims *claims) {
  ent_delete(claims);
}

size_t ent_claims_count(const ent_claims *claims) {
  (void)claims;
  return ENT_CLAIMS;
}

size_t ent_claims_failed(const ent_claims *claims) {
  size_t failed = 0;
  for (size_t i = 0; i < ENT_CLAIMS; i++)
    failed += !ent_claim_holds(&ent_claim_list[i], claims->findings[i].value);
  return failed;
}

static void add_number(ent_text *text, double value) {
  char shown[ENTROPIC_NUMBER_SIZE];
  ent_text_bytes(text, shown, entropic_format_double(value, shown));
}

static entropic_status save(ent_text *text, const char *path) {
  entropic_status status = ent_text_save(text, path);
  ent_text_free(text);
  return status;
}

entropic_status ent_claims_text(entropic_context *context, const ent_claims *claims, const char *path) {
  ent_text text = {.context = context};
  ent_text_add(&text, "number\tclaim\tvalue\tlimit\tholds\n");
  for (size_t i = 0; i < ENT_CLAIMS; i++) {
    const ent_claim *claim = &ent_claim_list[i];
    const char *note = claims->findings[i].note;
    ent_text_format(&text, "%zu\t%s: %s: %s%s%s\t", i + 1, claim->source, claim->text, claim->measured,
                    *note != '\0' ? "; " : "", note);
    add_number(&text, claims->findings[i].value);
    ent_text_add(&text, claim->at_least ? "\t>= " : "\t<= ");
    add_number(&text, claim->limit);
    ent_text_add(&text, ent_claim_holds(claim, claims->findings[i].value) ? "\tyes\n" : "\tno\n");
  }
  return save(&text, path);
}

void ent_claims_keep(const ent_claims *claims, ent_claim_result results[ENT_CLAIMS]) {
  for (size_t i = 0; i < ENT_CLAIMS; i++) {
    results[i].value = claims->findings[i].value;
    memcpy(results[i].note, claims->findings[i].note, sizeof results[i].note);
  }
}

void ent_claims_list(ent_json *json, const ent_claim_result *results) {
  ent_json_open_list(json, "claims");
  for (size_t i = 0; i < ENT_CLAIMS; i++) {
    const ent_claim *claim = &ent_claim_list[i];
    ent_json_line(json);
    ent_json_open_object(json, NULL);
    ent_json_add_integer(json, "number", i + 1);
    ent_json_add_text(json, "name", claim->name);
    ent_json_add_text(json, "claim", claim->text);
    ent_json_add_text(json, "measured", claim->measured);
    ent_json_add_text(json, "note", results[i].note);
    ent_json_add_text(json, "source", claim->source);
    ent_json_add_number(json, "value", results[i].value);
    ent_json_add_number(json, "limit", claim->limit);
    ent_json_add_plain(json, "relation", claim->at_least ? "\">=\"" : "\"<=\"");
    ent_json_add_flag(json, "holds", ent_claim_holds(claim, results[i].value));
    ent_json_close(json);
  }
  ent_json_close(json);
}

void ent_claims_numbers(ent_text *text, const ent_claims *claims) {
  ent_json json = {.text = text, .in_page = true};
  ent_claim_result results[ENT_CLAIMS];
  ent_claims_keep(claims, results);
  ent_json_open_object(&json, NULL);
  ent_claims_list(&json, results);
  ent_json_close(&json);
}

entropic_status ent_claims_json(entropic_context *context, const ent_claims *claims, const char *path) {
  ent_text text = {.context = context};
  ent_claims_numbers(&text, claims);
  ent_text_add(&text, "\n");
  return save(&text, path);
}
