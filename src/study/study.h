/* The interface of the private library that the command links for `compare --html` and `paper`. It is not installed, and
 * no part of libentropic.
 *
 * Conventions are those of the public header. */
#ifndef ENT_STUDY_STUDY_H
#define ENT_STUDY_STUDY_H

#include "claims/calls.h"

/* What a page says of itself; all borrowed. */
typedef struct ent_study_names {
  const char *title;          /* what the data are called; not of the paper */
  const char *target;         /* likewise */
  const char *date, *command; /* of the foot; NULL: left out */
  uint64_t seed;              /* of the comparison; the paper knows its own */
} ent_study_names;

/* A comparison as a page of its own, with charts and tables. Atomic. */
entropic_status ent_comparison_html(entropic_context *context, const entropic_comparison *comparison,
                                    const ent_study_names *names, const char *path);

/* The experiments of the source paper, run anew, and some of our own that need no data. */
typedef struct ent_paper ent_paper;

/* Start from ent_paper_options_default. */
typedef struct ent_paper_options {
  const char *data;       /* the folder with the data sets; NULL (default): only what needs none */
  const char *checkpoint; /* a folder, made if it is not there, that runs are logged in as they are done and taken from
                             where they were done before; NULL (default): none */
  const char *results;    /* a file of results, as ent_paper_json writes it: what is not run is taken from there; NULL
                             (default), or no such file: from nowhere */
  const char *only;       /* what to run, comma separated: the data sets by name, table2, table3, kernels, rates,
                             sparse, claims; or "none"; NULL (default): all of it */
  size_t runs;            /* of each data set, 1 .. 1000; default 50 */
  size_t most;            /* no more features than so many, and no exact kernel ridge; 0 (default): no limit */
  int quick;              /* not 0: one run, fewer rows and sizes, principal components for the auto-encoder */
  uint64_t seed;          /* default 1 */
} ent_paper_options;

ent_paper_options ent_paper_options_default(void);

/* A data set that is not in the folder is left out; one that is there but cannot be read is BAD_DATA. */
entropic_status ent_paper_run(entropic_context *context, const ent_paper_options *options, ent_paper **paper);
void ent_paper_free(ent_paper *paper);

/* How many data sets the paper has. */
size_t ent_paper_sets(const ent_paper *paper);
/* The name of a data set; *files, unless it is NULL, becomes the files it is in, comma separated. NULL if there is none
 * of that number. */
const char *ent_paper_set(const ent_paper *paper, size_t set, const char **files);
/* What was compared on a data set; NULL if it was left out, or there is none of that number. */
const entropic_comparison *ent_paper_comparison(const ent_paper *paper, size_t set);
/* The slope of the logarithm of the excess risk against that of the number of rows, for 1, 2, 3 or 5 inputs; otherwise
 * NaN. interval, unless it is NULL, becomes the 95 % interval of it, NaN with one run. */
double ent_paper_slope(const ent_paper *paper, size_t inputs, double interval[2]);

/* One page with every chart and table, and every number as JSON in it. Atomic; "-" is standard output, here and below. */
entropic_status ent_paper_html(entropic_context *context, const ent_paper *paper, const ent_study_names *names,
                               const char *path);
/* The same JSON on its own. */
entropic_status ent_paper_json(entropic_context *context, const ent_paper *paper, const char *path);
/* Four tables of tab separated lines, with an empty line between two: errors of all methods; our methods against each
 * baseline, run by run; features, non-zeros, errors and times, also for budgets of non-zeros; times of training with
 * features given. */
entropic_status ent_paper_text(entropic_context *context, const ent_paper *paper, const char *path);

#endif
