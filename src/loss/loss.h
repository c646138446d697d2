/* Losses: what a fit makes small. One file each, and one line in ENTROPIC_LOSS_MAP; all other code asks the table.
 * Members and traits that say "not built" have their place here, and no code behind them yet: ent_loss_check refuses them.
 *
 * N is the sum of the weights w. With f = c + a.z the scores, a fit minimises  sum w loss(y, f) / N + lambda |a|^2. Features,
 * sizes and lambdas are found by the squared loss; the weights are then those of the loss that is asked for. */
#ifndef ENT_LOSS_LOSS_H
#define ENT_LOSS_LOSS_H

#include <stdbool.h>

#include "base/context.h"
#include "entropic/learn.h"
#include "loss/link.h"

/* What a loss is for, and what there is beside its minimum; bits, so that several go into one number. */
typedef enum ent_loss_trait {
  ENT_LOSS_NUMBERS = 1,    /* targets may be numbers */
  ENT_LOSS_CLASSES = 2,    /* targets may be classes */
  ENT_LOSS_STATISTICS = 4, /* sums over rows hold all that the minimum needs: rows can be added and forgotten */
  ENT_LOSS_GRADIENT_SUMS =
      8, /* sums of its gradient can be had of all rows of a table that is larger than the sample */
  ENT_LOSS_PROBABILITIES = 16, /* scores of classes are log odds; of other losses they get a temperature */
  ENT_LOSS_KINKS = 32,         /* it has no derivative at some scores, such as absolute and quantile losses */
  ENT_LOSS_STEEP = 64,         /* its second derivative has no bound, such as with a log link */
  ENT_LOSS_OFFSETS = 128       /* rows may have an offset, which is part of their scores: not built */
} ent_loss_trait;

/* How its minimum is found. */
typedef enum ent_loss_method {
  ENT_METHOD_RIDGE,     /* one linear system */
  ENT_METHOD_NEWTON,    /* of labels, solve/logistic.h */
  ENT_METHOD_MAJORISED, /* steps of one ridge, solve/majorised.h: needs `row`, whose curvature is at most 2 */
  ENT_METHOD_IRLS,      /* of numbers, steps of ridges with the curvatures as weights: needs `curvature`. Not built */
  ENT_METHODS
} ent_loss_method;

/* How `auto` compares a loss of classes with the squared one, on validation rows. */
typedef struct ent_loss_contest {
  double most_values;  /* rows x features x scores up to which it is worth its time; 0: it is not compared */
  bool several_scores; /* of several scores alone; otherwise one score is always worth it */
  bool preferred;      /* it is taken unless it errs by two standard errors more */
} ent_loss_contest;

/* A parameter of a loss that the user gives. */
typedef struct ent_loss_given {
  const char *name, *help; /* as in the table of parameters */
  double value, least, most;
} ent_loss_given;

typedef struct ent_loss {
  const char *name, *help; /* as in the parameter `loss`; one line */
  unsigned traits;         /* of ent_loss_trait */
  ent_loss_method method;
  uint32_t since; /* the first version of model files that has it */
  double
      tolerance; /* majorised: converged when the ridge of a step would reduce the objective by less than this share */
  /* Majorised: the loss of a row times its weight, and half its derivative by the score into *slope. The target of classes is
   * -1 or 1 for each score. The second derivative is nowhere above 2, that of the square. */
  double (*row)(double target, double score, double weight, double parameter, double *slope);
  /* A parameter of the loss, in the units of the target, from a robust deviation of what the squared loss leaves: see
   * ent_loss_deviation. NULL: it has none. */
  double (*parameter)(double deviation);
  const ent_loss_given *given; /* one that the user gives; NULL: it has none. Not built */
  double (*curvature)(double target, double score, double weight,
                      double parameter); /* the second derivative; for IRLS */
  /* What validation measures, in place of `row` and of the same arguments but for weight and slope: a deviance, say. NULL: the
   * loss of a row. Its mean is reported as validation.loss; that of classes is by their link. */
  double (*deviance)(double target, double score, double parameter);
  ent_link_number link; /* of numbers; classes have that of their number. Others than the identity are not built */
  size_t outputs;       /* scores for each target, such as one for each quantile; 0: one. Several are not built */
  ent_loss_contest contest;
} ent_loss;

#define ENT_LOSS_DECLARE(name, number, table) extern const ent_loss ent_loss_##table;
ENTROPIC_LOSS_MAP(ENT_LOSS_DECLARE)
#undef ENT_LOSS_DECLARE

/* "logistic"; NULL for a number that is no loss. */
const char *ent_loss_name(entropic_loss loss);
/* NULL for auto, and for a number that is no loss. */
const ent_loss *ent_loss_of(entropic_loss loss);
/* By its place in the table, from 0; NULL past the last one. Numbers may have gaps. */
const ent_loss *ent_loss_at(size_t place);
/* Whether there is such a loss, with all of these traits. */
bool ent_loss_has(entropic_loss loss, unsigned traits);
/* The first in the table with all of these traits; auto if there is none. */
entropic_loss ent_loss_first(unsigned traits);
/* The one that features, sizes and lambdas are found by, and what an open choice begins with. */
static inline entropic_loss ent_loss_default(void) {
  return ent_loss_first(ENT_LOSS_NUMBERS | ENT_LOSS_CLASSES | ENT_LOSS_STATISTICS);
}
/* Losses of classes that an open choice compares with that one: the one that is worth its time longest is the first. auto
 * past the last one. */
entropic_loss ent_loss_compared(size_t rank);
/* What validation measures of a row. */
double ent_loss_deviance(const ent_loss *loss, double target, double score, double parameter);
/* SYSTEM if the table of a loss lacks something that its method or its traits need. */
entropic_status ent_loss_check(entropic_context *context, entropic_loss loss);
/* The same of a table. */
entropic_status ent_loss_check_table(entropic_context *context, const ent_loss *loss);

/* The deviation of residuals, by the median of their absolute values, which a few outliers do not move: that of normal ones is
 * their standard deviation. 0 if half of them are 0. Sorts sizes[count]. */
double ent_loss_deviation(double *sizes, size_t count);

#endif
