/* A verdict for every claim of the source paper, made from results: those of its experiments, run anew, and those of
 * `--claims`. Nothing here is typed that a number could say otherwise. */
#ifndef ENT_STUDY_VERDICTS_H
#define ENT_STUDY_VERDICTS_H

#include "study/paper.h"

typedef enum ent_verdict_kind {
  ENT_VERDICT_HOLDS,     /* as printed */
  ENT_VERDICT_COMPLETED, /* with the boundary functions, not without */
  ENT_VERDICT_INSET,     /* as printed, but with inputs away from the faces of the cube */
  ENT_VERDICT_FAILS,
  ENT_VERDICT_OPEN, /* the numbers do not decide */
  ENT_VERDICT_NONE  /* there are no numbers */
} ent_verdict_kind;

/* "holds", "holds after completion", ... */
const char *ent_verdict_name(ent_verdict_kind kind);

#define ENT_EVIDENCE 640

typedef struct ent_verdict {
  const char *key;   /* one word, for programs */
  const char *where; /* in the paper */
  const char *claim; /* in a few words */
  ent_verdict_kind kind;
  char evidence[ENT_EVIDENCE]; /* the numbers that say so, as a sentence or two */
} ent_verdict;

#define ENT_VERDICTS 26
void ent_verdicts_make(const ent_paper *paper, ent_verdict verdicts[ENT_VERDICTS]);

/* How the method does as printed, what the one that wins has beyond the text, and how dense its rows are: sentences made
 * from the results. Returns how many there are; 0 without data. */
#define ENT_SENTENCES 5
size_t ent_verdict_sentences(const ent_paper *paper, char sentences[ENT_SENTENCES][ENT_EVIDENCE]);

/* The head of the page; `, "verdicts": [...], "summary": [...]`. */
void ent_paper_add_verdicts(ent_page *page, const ent_paper *paper);
void ent_paper_verdicts_json(ent_json *json, const ent_paper *paper);

/* ---- For the files that judge ------------------------------------------------------------------------------ */

/* Sets kind and evidence. */
typedef void (*ent_judge)(const ent_paper *paper, ent_verdict *verdict);

/* The value of a claim of `--claims`; NaN if it was not measured. */
double ent_verdict_value(const ent_paper *paper, const char *claim);
/* Whether it holds. */
bool ent_verdict_holds(const ent_paper *paper, const char *claim);
/* Adds to the evidence; %s alone, for numbers are shown by ent_show_number. */
void ent_verdict_say(ent_verdict *verdict, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Errors (verdicts_errors.c), */
void ent_judge_figure(const ent_paper *paper, ent_verdict *verdict);
void ent_judge_any_random(const ent_paper *paper, ent_verdict *verdict);
/* time and sparsity (verdicts_costs.c), */
void ent_judge_time(const ent_paper *paper, ent_verdict *verdict);
void ent_judge_nonzeros(const ent_paper *paper, ent_verdict *verdict);
void ent_judge_given(const ent_paper *paper, ent_verdict *verdict);
void ent_judge_sparser_inputs(const ent_paper *paper, ent_verdict *verdict);
void ent_judge_pays(const ent_paper *paper, ent_verdict *verdict);
void ent_judge_sparser_rows(const ent_paper *paper, ent_verdict *verdict);

#endif
