/* The figures of the source paper's tables, as printed there. Everything that shows them takes them from here. */
#ifndef ENT_STUDY_PRINTED_H
#define ENT_STUDY_PRINTED_H

#include "compare/method.h"
#include "study/sets.h"

/* Table 1: the size of a data set. */
typedef struct ent_printed_set {
  size_t inputs, train, test;
} ent_printed_set;

/* Table 2: what a method takes on a data set with the number of features of ent_sets. NaN where nothing is printed. */
typedef struct ent_printed_cost {
  double seconds;    /* of training, on a Core i5 of 3.3 GHz with four cores */
  double nonzeros;   /* of the lifted training rows, nnz(F) */
  double candidates; /* M_0, the features that M are chosen from */
} ent_printed_cost;

extern const ent_printed_set ent_printed_sets[ENT_SETS];

/* The printed row of one of our methods: EOF-printed and EOF-inset are the paper's EOF, as our EOF is after completion. */
ent_printed_cost ent_printed_cost_of(ent_compare_method method, size_t set);

/* Table 3: seconds of training without making features, on the set that is timed. */
#define ENT_PRINTED_SIZES 5
extern const size_t ent_printed_sizes[ENT_PRINTED_SIZES];
/* NaN for methods that the table does not have. */
double ent_printed_given(ent_compare_method method, size_t size);

#endif
