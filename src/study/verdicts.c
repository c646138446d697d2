/* The list of verdicts, and those by claims and rates: see verdicts.h. */
#include "study/verdicts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *ent_verdict_name(ent_verdict_kind kind) {
  static const char *const names[] = {
      "holds", "holds after completion", "holds only inset", "does not hold", "not decided", "not measured"};
  return names[kind];
}

void ent_verdict_say(ent_verdict *verdict, const char *format, ...) {
  size_t length = strlen(verdict->evidence);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(verdict->evidence + length, sizeof verdict->evidence - length, format, arguments);
  va_end(arguments);
}

double ent_verdict_value(const ent_paper *paper, const char *claim) {
  for (size_t i = 0; paper->has_claims && i < ENT_CLAIMS; i++)
    if (strcmp(ent_claim_list[i].name, claim) == 0)
      return paper->claims[i].value;
  return NAN;
}

bool ent_verdict_holds(const ent_paper *paper, const char *claim) {
  for (size_t i = 0; paper->has_claims && i < ENT_CLAIMS; i++)
    if (strcmp(ent_claim_list[i].name, claim) == 0)
      return ent_claim_holds(&ent_claim_list[i], paper->claims[i].value);
  return false;
}

/* What else was found; empty if nothing. */
static const char *note_of(const ent_paper *paper, const char *claim) {
  size_t i = 0;
  while (strcmp(ent_claim_list[i].name, claim) != 0)
    i++;
  return paper->claims[i].note;
}

/* ---- By claims --------------------------------------------------------------------------------------------- */

#define MOST_NAMES 4

/* The claims that a verdict rests on: all must hold. `lacking`: what is missing without completion, which shows that the
 * claim does not hold as printed; NULL: it does. */
typedef struct ent_ground {
  const char *key;
  const char *names[MOST_NAMES];
  const char *lacking;
  const char *evidence; /* with the values of the names, then of lacking, each a %s */
} ent_ground;

static const ent_ground grounds[] = {
    {"supports",
     {"support", "nested", "union"},
     NULL,
     "Atoms are zero from %s times 2^-l on around their node; a share %s of the points of supports lies outside the "
     "coarser one, and a share %s outside the union of the two finer ones."},
    {"basis",
     {"orthogonal", "norms", "boundary", "expansion"},
     "without",
     "Inner products are at most %s, norms differ by %s. With two boundary functions, orthogonal to all atoms within "
     "%s, the expansion is exact within %s; without them %s of k(x,x) = 1 is missing at every x (laplace, omega 1)."},
    {"products",
     {"products", "product-norms", "faces", "product-expansion"},
     "without",
     "Inner products of lifted features are at most %s, norms differ by %s; orthogonal to products with boundary "
     "functions within %s; together they give the kernel within %s. Without boundary functions %s of k(x,x) = 1 is "
     "missing in one input already."},
    {"expansion",
     {"expansion", "root", "bridge"},
     "without",
     "With boundary functions the error is %s, if features carry sqrt(C) and not C (error with sqrt(C) over that with "
     "C: %s). As printed it is exact only for a kernel that is zero at both ends (bridge: %s); laplace lacks %s."},
    {"pairs",
     {"pair-orthogonal", "pair-expansion"},
     "without",
     "Custom pairs of Airy and Euler functions: inner products at most %s, expansion exact within %s with boundary "
     "functions, without which laplace lacks %s."},
    {"norms",
     {"growth", "linear"},
     NULL,
     "The squared norm over 2^|l| varies by a factor of at most %s an input; the difference from the hat times 2^l is "
     "at most %s, over all levels."},
    {"lemma",
     {"lemma", "logarithm"},
     NULL,
     "For the worst function, of completed features, D = 1, 2, 3, the ratio of its error to the bound changes by a "
     "factor of at most %s from one M to the next. The power of log M that fits is at most %s of the "
     "printed 4D-4."},
    {"optimal",
     {"sum", "product", "knapsack"},
     NULL,
     "The M features with the largest scores have the largest sum and product: differences from brute force %s, %s and "
     "%s. All weights are equal, so the knapsack is not hard."},
    {"size",
     {"size", "nonzeros", "share"},
     NULL,
     "%s sizes and %s rows differ from a count; the share of non-zeros is at most %s of 2 n/2^n."},
    {"share-limit", {"share-limit"}, NULL, "At n = 24 the share differs from n/(D 2^n) by %s of it at most, D <= 3."},
    {"nonzeros",
     {"sparse", "completed-sparse"},
     NULL,
     "Non-zeros over log2(M+1)^D are at most %s as printed; completed, over (log2(M+1) + 2)^D, at most %s."},
    {"training", {"training"}, NULL, "Products of a row over log2(M+1)^(2D) are at most %s (D = 1, 2, 3)."},
};

static void judge_ground(const ent_paper *paper, ent_verdict *verdict) {
  const ent_ground *ground = grounds;
  char shown[MOST_NAMES + 1][ENT_SHOWN_NUMBER];
  size_t count = 0;
  bool holds = true, known = true;
  while (strcmp(ground->key, verdict->key) != 0)
    ground++;
  for (; count < MOST_NAMES && ground->names[count] != NULL; count++) {
    known = known && !isnan(ent_verdict_value(paper, ground->names[count]));
    holds = holds && ent_verdict_holds(paper, ground->names[count]);
    ent_show_number(ent_verdict_value(paper, ground->names[count]), 2, shown[count]);
  }
  if (ground->lacking != NULL)
    ent_show_number(ent_verdict_value(paper, ground->lacking), 2, shown[count++]);
  if (!known)
    return;
  bool lacks = ground->lacking != NULL && ent_verdict_holds(paper, ground->lacking);
  verdict->kind = !holds ? ENT_VERDICT_FAILS : lacks ? ENT_VERDICT_COMPLETED : ENT_VERDICT_HOLDS;
  for (; count <= MOST_NAMES; count++)
    shown[count][0] = '\0';
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  ent_verdict_say(verdict, ground->evidence, shown[0], shown[1], shown[2], shown[3], shown[4]);
#pragma GCC diagnostic pop
  for (size_t i = 0; i < MOST_NAMES && ground->names[i] != NULL; i++)
    if (*note_of(paper, ground->names[i]) != '\0')
      ent_verdict_say(verdict, " (%s.)", note_of(paper, ground->names[i]));
}

/* The corrected claim says by its value that the printed one does not hold. */
static void judge_order(const ent_paper *paper, ent_verdict *verdict) {
  char shown[ENT_SHOWN_NUMBER];
  double ratio = ent_verdict_value(paper, "order");
  if (isnan(ratio))
    return;
  verdict->kind = ratio < 1 ? ENT_VERDICT_FAILS : ENT_VERDICT_HOLDS;
  ent_verdict_say(verdict,
                  "With omega 8, C of levels (4,1) is %s of C of (3,3), though |(4,1)| is smaller. So S_n need not be "
                  "the best set; the design, best first, does not rely on it.",
                  ent_show_number(ratio, 3, shown));
}

static void judge_laplace(const ent_paper *paper, ent_verdict *verdict) {
  char shown[2][ENT_SHOWN_NUMBER];
  double tanh_error = ent_verdict_value(paper, "tanh"), sinh_error = ent_verdict_value(paper, "not-sinh");
  if (isnan(tanh_error) || isnan(sinh_error))
    return;
  verdict->kind = ent_verdict_holds(paper, "not-sinh") ? ENT_VERDICT_FAILS : ENT_VERDICT_HOLDS;
  ent_verdict_say(verdict, "sinh(w 2^-l) is off by up to %s of it; C is tanh(w 2^-l), within %s, and tends to 0.",
                  ent_show_number(sinh_error, 2, shown[0]), ent_show_number(tanh_error, 2, shown[1]));
}

/* ---- The rate ---------------------------------------------------------------------------------------------- */

static const ent_rate *find_rate(const ent_paper *paper, size_t inputs) {
  for (size_t i = 0; i < ENT_PAPER_RATES; i++)
    if (paper->rates[i].count > 0 && paper->rates[i].inputs == inputs && paper->rates[i].rule == ENT_RATE_FOURTH)
      return &paper->rates[i];
  return NULL;
}

/* Steeper than -1/2: holds. Flatter, but still where the bound itself, with its logarithms, does not fall that fast: the
 * rows do not decide. */
static void judge_rate(const ent_paper *paper, ent_verdict *verdict) {
  const ent_rate *rate = find_rate(paper, (size_t)(verdict->key[strlen(verdict->key) - 1] - '0'));
  char shown[4][ENT_SHOWN_NUMBER];
  if (rate == NULL || isnan(rate->all.high))
    return;
  size_t half = rate->count > 3 ? rate->count / 2 : 0;
  double bound = ent_log_slope(rate->rows + half, rate->bound + half, rate->count - half);
  verdict->kind = rate->all.high <= -0.5 ? ENT_VERDICT_HOLDS : ENT_VERDICT_OPEN;
  if (verdict->kind == ENT_VERDICT_OPEN && rate->late.low > bound && rate->late.low > -0.5)
    verdict->kind = ENT_VERDICT_FAILS;
  ent_verdict_say(verdict,
                  "Slope of log risk against log N %s [%s, %s]; the bound itself, with its logarithms, has %s "
                  "over the last half of these N.",
                  ent_show_fixed(rate->all.slope, 2, shown[0]), ent_show_fixed(rate->all.low, 2, shown[1]),
                  ent_show_fixed(rate->all.high, 2, shown[2]), ent_show_fixed(bound, 2, shown[3]));
}

/* ---- All of them ------------------------------------------------------------------------------------------- */

static const struct {
  const char *key, *where, *claim;
  ent_judge judge;
} list[ENT_VERDICTS] = {
    {"supports", "abstract, section 3", "features have nested compact supports", judge_ground},
    {"basis", "theorem 1", "atoms are an orthogonal basis of the kernel's space, one input", judge_ground},
    {"products", "theorem 2", "products of atoms are an orthogonal basis, several inputs", judge_ground},
    {"pairs", "condition 1", "so it is for any Sturm-Liouville pair", judge_ground},
    {"expansion", "corollary", "the kernel is the sum of its features' products", judge_ground},
    {"laplace", "example", "C of the laplace kernel is sinh(w 2^-l)", judge_laplace},
    {"norms", "lemma 1, proof", "squared norms grow as 2^|l|, and atoms are hats up to O(2^-l)", judge_ground},
    {"lemma", "lemma 1", "M features miss at most M^-2 log^(4D-4) M of a function", judge_ground},
    {"optimal", "section 3", "the features chosen have the largest metric entropy", judge_ground},
    {"order", "section 3", "a smaller |l| has a larger C, so that S_n is optimal", judge_order},
    {"size", "section 4", "the size of S_n, its non-zeros, and their share of at most 2 n/2^n", judge_ground},
    {"share-limit", "section 4", "the share of non-zeros tends to n/(D 2^n)", judge_ground},
    {"nonzeros", "section 4", "a row has O(log^D M) non-zeros", judge_ground},
    {"training", "section 4", "training takes O(N log^2D M)", judge_ground},
    {"pays", "section 4", "so sparse features cost less than random ones for the same error, few inputs",
     ent_judge_pays},
    {"sparser-inputs", "section 4", "rows get sparser with more inputs D", ent_judge_sparser_inputs},
    {"sparser-rows", "section 4", "rows get sparser with more rows N, as M grows with N", ent_judge_sparser_rows},
    {"rate-1", "theorem 3", "M of order N^(1/4) gives a risk of order N^(-1/2), 1 input", judge_rate},
    {"rate-2", "theorem 3", "the same, 2 inputs", judge_rate},
    {"rate-3", "theorem 3", "the same, 3 inputs", judge_rate},
    {"rate-5", "theorem 3", "the same, 5 inputs", judge_rate},
    {"figure", "figure 4", "EOF has a smaller error than RKS, ORF, LKRF and EERF with as many features",
     ent_judge_figure},
    {"any-random", "section 5", "EOF outperforms any random features", ent_judge_any_random},
    {"time", "table 2", "EOF trains faster than LKRF and EERF", ent_judge_time},
    {"sparse", "table 2", "EOF has fewer non-zeros than random features", ent_judge_nonzeros},
    {"given", "table 3", "once the features are made, EOF is the fastest to train", ent_judge_given},
};

void ent_verdicts_make(const ent_paper *paper, ent_verdict verdicts[ENT_VERDICTS]) {
  for (size_t i = 0; i < ENT_VERDICTS; i++) {
    verdicts[i] =
        (ent_verdict){.key = list[i].key, .where = list[i].where, .claim = list[i].claim, .kind = ENT_VERDICT_NONE};
    list[i].judge(paper, &verdicts[i]);
    if (verdicts[i].kind == ENT_VERDICT_NONE)
      ent_verdict_say(&verdicts[i], "There are no results that could say so.");
  }
}

/* ---- The head of the page ---------------------------------------------------------------------------------- */

void ent_paper_add_verdicts(ent_page *page, const ent_paper *paper) {
  enum { CLAIM, WHERE, VERDICT, EVIDENCE, COLUMNS };
  static const ent_table_column columns[COLUMNS] = {{.title = "what the paper claims", .text = true},
                                                    {.title = "where", .text = true},
                                                    {.title = "verdict", .text = true},
                                                    {.title = "the numbers", .text = true}};
  ent_verdict verdicts[ENT_VERDICTS];
  char sentences[ENT_SENTENCES][ENT_EVIDENCE];
  ent_table_cell cells[ENT_VERDICTS * COLUMNS] = {{0}};
  ent_verdicts_make(paper, verdicts);
  ent_page_section(page, "What holds");
  for (size_t i = 0, count = ent_verdict_sentences(paper, sentences); i < count; i++)
    ent_page_paragraph(page, sentences[i]);
  for (size_t i = 0; i < ENT_VERDICTS; i++) {
    ent_table_cell *row = cells + i * COLUMNS;
    row[CLAIM].text = verdicts[i].claim;
    row[WHERE].text = verdicts[i].where;
    row[VERDICT].text = ent_verdict_name(verdicts[i].kind);
    row[EVIDENCE].text = verdicts[i].evidence;
  }
  ent_page_table(page,
                 &(ent_table){.title = "Every claim of the paper, and its verdict",
                              .note = "Made from the results of this page. Completion adds the boundary functions "
                                      "to the features; inset moves the inputs away from the faces of the cube.",
                              .columns = columns,
                              .column_count = COLUMNS,
                              .cells = cells,
                              .rows = ENT_VERDICTS});
}

void ent_paper_verdicts_json(ent_json *json, const ent_paper *paper) {
  ent_verdict verdicts[ENT_VERDICTS];
  char sentences[ENT_SENTENCES][ENT_EVIDENCE];
  ent_verdicts_make(paper, verdicts);
  ent_json_line(json);
  ent_json_open_list(json, "verdicts");
  for (size_t i = 0; i < ENT_VERDICTS; i++) {
    ent_json_line(json);
    ent_json_open_object(json, NULL);
    ent_json_add_text(json, "key", verdicts[i].key);
    ent_json_add_text(json, "where", verdicts[i].where);
    ent_json_add_text(json, "claim", verdicts[i].claim);
    ent_json_add_text(json, "verdict", ent_verdict_name(verdicts[i].kind));
    ent_json_add_text(json, "evidence", verdicts[i].evidence);
    ent_json_close(json);
  }
  ent_json_close(json);
  ent_json_line(json);
  ent_json_open_list(json, "summary");
  for (size_t i = 0, count = ent_verdict_sentences(paper, sentences); i < count; i++) {
    ent_json_line(json);
    ent_json_add_text(json, NULL, sentences[i]);
  }
  ent_json_close(json);
}
