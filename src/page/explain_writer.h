/* What the files share that write the numbers of the page of an explanation. */
#ifndef ENT_PAGE_EXPLAIN_WRITER_H
#define ENT_PAGE_EXPLAIN_WRITER_H

#include "base/json.h"
#include "explain/grid.h"
#include "page/page.h"

typedef struct ent_explain_rank {
  size_t number; /* the place of an input, or the number of a pair */
  double total;
} ent_explain_rank;

typedef struct ent_explain_writer {
  ent_text *out;
  ent_json json; /* written to it */
  const entropic_explanation *x;
  ent_effect_grid *fine, *rough;    /* of the curves of the first inputs, and of the others */
  ent_effect_grid *coarse;          /* of pairs */
  ent_explain_rank *inputs, *pairs; /* best first */
  size_t *rank;                     /* of each input */
  bool *in_pair;                    /* of each input by rank: its coarse points are wanted */
  double *effects;
  size_t *counts;
  double variance; /* of all scores */
  size_t listed;   /* inputs that there is room for */
  size_t end;      /* where pictures must end */
} ent_explain_writer;

/* So many significant digits, or null; and a list of such numbers. */
void ent_explain_add_number(ent_json *json, const char *key, double value, int digits);
void ent_explain_add_list(ent_json *json, const char *key, const double *values, size_t count, int digits);
/* A name, cut where it is too long to be shown. */
void ent_explain_add_name(ent_json *json, const char *key, const char *name);
/* The shares of an effect: keys[1] of all scores together, keys[0] of each where there are several. */
void ent_explain_add_shares(ent_explain_writer *w, const char *keys, const double *variances, size_t stride);
/* What the rows say about an effect. */
void ent_explain_add_dependence(ent_explain_writer *w, size_t effect);
/* Points of a grid, and how many rows are there if that is known. */
void ent_explain_add_points(ent_explain_writer *w, const ent_effect_points *points, size_t place, bool shares);
/* Takes back what was written since `start` if it is too much; whether it was. */
bool ent_explain_take_back(const ent_explain_writer *w, size_t start);

double ent_explain_share(double part, double whole);
double ent_explain_sum(const double *values, size_t count, size_t stride);

/* Pairs, and the points of their inputs; sets of more inputs. */
void ent_explain_add_pairs(ent_explain_writer *w);
entropic_status ent_explain_add_sets(ent_explain_writer *w);

#endif
