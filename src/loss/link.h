/* Links: what the scores of a row say of its target. One file each, and one line in ENT_LINK_MAP; all other code asks the
 * table.
 *
 * Effects add up to scores and stay on their scale. Intervals are made there, too, and cross the link at their ends. A model
 * has one link: that of its loss, or the root of a skewed target, whose squares are then fitted on the scale of scores. */
#ifndef ENT_LOSS_LINK_H
#define ENT_LOSS_LINK_H

#include <stdbool.h>

#include "base/context.h"
#include "entropic/learn.h"

/* X(NAME, table): the tables are ent_link_TABLE. Those of classes in the order in which they are asked. */
#define ENT_LINK_MAP(X)                                                                                                \
  X(IDENTITY, identity) /* a score is the prediction */                                                                \
  X(ROOT, root)         /* the root of how far a target is from the crowded end of all */                              \
  X(LOGIT, logit)       /* one score for two classes: the log odds of the second */                                    \
  X(SOFTMAX, softmax)   /* one score for each class */

typedef enum ent_link_number {
#define ENT_LINK_MEMBER(name, table) ENT_LINK_##name,
  ENT_LINK_MAP(ENT_LINK_MEMBER)
#undef ENT_LINK_MEMBER
      ENT_LINKS
} ent_link_number;

/* The link of a model with its parameters, of which each link has some. All zero: the identity. */
typedef struct ent_link {
  ent_link_number number;
  double sign;                /* 1: targets are above the origin; -1: below it; 0: there is none */
  double origin;              /* the least target of the training rows, or the largest */
  double bias;                /* the retransformation bias of means, in the units of the target; 0 or more */
  double inverse_temperature; /* of classes: probabilities are those of scores times this. Of numbers 1, or unused */
} ent_link;

typedef enum ent_link_trait {
  ENT_LINK_NUMBERS = 1,
  ENT_LINK_CLASSES = 2,
  ENT_LINK_TRANSFORMS = 4,     /* what is learnt by squares is score(target), in sums over rows, too */
  ENT_LINK_ONE_TARGET = 8,     /* a model of it has one target */
  ENT_LINK_DIRECTED = 16,      /* it has a sign: in files two numbers, of 1 and of -1 */
  ENT_LINK_ONE_SCORE = 32,     /* all classes have one score between them */
  ENT_LINK_CHECKS_TARGETS = 64 /* a target that it does not take is refused; otherwise it counts as the end */
} ent_link_trait;

/* A parameter of a link: a member of ent_link. */
typedef struct ent_link_parameter {
  const char *name; /* in exports, and as {name} in their texts */
  const char *what; /* in messages about files: "origin of a root" */
  size_t at;        /* its offset in ent_link */
  bool in_file;     /* behind the link's number; the inverse temperature has a place of its own */
  bool may_be_negative;
} ent_link_parameter;

/* How a link is said in C or JavaScript: lines of the templates of exports. {name} becomes the parameter of that name,
 * {name:double} one of double in files of float, too; {+} and {-} become the sign and the other one as operators, and
 * {minus} nothing or a minus. As in templates, model_ and MODEL_ are the model's name. */
typedef struct ent_link_text {
  const char *constant; /* JavaScript: the value of `root`, an object of the parameters */
  /* Numbers: a prediction y of a score y (C), or of `score` (JavaScript); the score of a prediction, from score and predicted,
   * in C of floats with a text of its own, as they are too short for a way back; the target of a score, without the bias. */
  const char *predict, *score, *score_single, *target;
  /* Classes: the number of the best one, of scores (C) or sums (JavaScript); their probabilities, or `all` of them. */
  const char *decide, *chances;
} ent_link_text;

typedef struct ent_link_family {
  const char *name;
  const char
      *scale_words; /* of numbers on the scale of scores, in messages: " (of roots)"; "" for those of the target */
  const char *scale_name;      /* that scale: "root"; NULL: that of the target */
  const char *reading;         /* what effects are, for the reader of a page: sentences */
  unsigned traits;             /* of ent_link_trait */
  uint32_t since;              /* the first version of model files that has it */
  unsigned code;               /* its number in files; 0: it follows from the task. Directed: this and the next one */
  size_t classes;              /* of a link of classes: that it is for; 0: any number */
  entropic_target_scale scale; /* what the interface calls it */
  const char *object;          /* JSON: the key of its parameters; NULL: they stand by themselves */
  const char *figure; /* reports: the key of the loss of validation, where it is the link's; NULL: the loss's */
  const ent_link_parameter *parameters;
  size_t parameter_count;

  /* ---- Numbers ---- */

  /* Predictions of scores, in place. They rise with the score, or fall, for each link alike. */
  void (*predict)(const ent_link *link, size_t count, double *values);
  double (*slope)(const ent_link *link, double score); /* their derivative */
  /* The score of a target, and of a prediction. */
  double (*score)(const ent_link *link, double target);
  double (*score_of_prediction)(const ent_link *link, double prediction);
  /* The target that has a score: of quantiles, which have no bias. */
  double (*target)(const ent_link *link, double score);
  bool (*takes)(const ent_link *link, double target); /* NULL: any number */
  /* The deviation of predictions about a score whose own is `off`; NULL: by the slope. */
  double (*deviation)(const ent_link *link, double score, double off);
  /* NULL where scores are on the scale of the target: */
  double (*size)(double size);                                        /* of predictions, of scores up to `size` */
  void (*ends)(const ent_link *link, double *least, double *most);    /* of all predictions; infinite ones stay */
  void (*targets)(const ent_link *link, double *least, double *most); /* the targets whose scores lie between */
  int (*unit)(int unit);                           /* of scores, where that of targets is 2^unit, with unit even */
  void (*restore_units)(ent_link *link, int unit); /* of parameters: from 2^unit to 1 */

  /* ---- Classes ---- */

  size_t (*decide)(size_t classes, const double *scores);
  void (*chances)(size_t classes, const double *scores, double *probabilities); /* may be in place */
  /* Scores whose probabilities are the shares of the weights in their sum; none is 0. */
  void (*constant)(size_t classes, const double *weights, double sum, double *scores);
  double (*steepest)(const ent_link *link); /* the largest slope of a probability, if all scores change by as much */

  ent_link_text c, js;
} ent_link_family;

#define ENT_LINK_DECLARE(name, table) extern const ent_link_family ent_link_##table;
ENT_LINK_MAP(ENT_LINK_DECLARE)
#undef ENT_LINK_DECLARE

/* ---- The table ---- */

const ent_link_family *ent_link_of(const ent_link *link);
const ent_link_family *ent_link_at(ent_link_number number);
static inline bool ent_link_has(const ent_link *link, unsigned traits) {
  return (ent_link_of(link)->traits & traits) == traits;
}
/* The link that so many classes have, or 0 for numbers, if nothing else is said; its inverse temperature is 1. */
ent_link ent_link_for(size_t classes);
/* SYSTEM if a table lacks something that its traits need. */
entropic_status ent_link_check_table(entropic_context *context, const ent_link_family *family);

/* ---- Files ---- */

unsigned ent_link_code(const ent_link *link);
/* The largest there is. */
unsigned ent_link_most_code(void);
/* The number and the sign of a code above 0; false if no link has it. */
bool ent_link_from_code(unsigned code, ent_link *link);
static inline double *ent_link_parameter_of(ent_link *link, const ent_link_parameter *parameter) {
  return (double *)(void *)((char *)link + parameter->at);
}
static inline double ent_link_parameter_value(const ent_link *link, const ent_link_parameter *parameter) {
  return *(const double *)(const void *)((const char *)link + parameter->at);
}
/* Whether number, sign and parameters are the same, but for the inverse temperature. */
bool ent_link_equal(const ent_link *a, const ent_link *b);

/* ---- Numbers ---- */

static inline void ent_link_predict(const ent_link *link, size_t count, double *values) {
  ent_link_of(link)->predict(link, count, values);
}
static inline double ent_link_score(const ent_link *link, double target) {
  return ent_link_of(link)->score(link, target);
}
static inline double ent_link_score_of_prediction(const ent_link *link, double prediction) {
  return ent_link_of(link)->score_of_prediction(link, prediction);
}
static inline double ent_link_target(const ent_link *link, double score) {
  return ent_link_of(link)->target(link, score);
}
bool ent_link_takes(const ent_link *link, double target);
double ent_link_size(const ent_link *link, double size);
/* The ends are infinite where there are none. */
void ent_link_ends(const ent_link *link, double *least, double *most);
void ent_link_targets_between(const ent_link *link, double *least, double *most);
int ent_link_unit(const ent_link *link, int unit);
void ent_link_restore_units(ent_link *link, int unit);
double ent_link_deviation(const ent_link *link, double score, double off);
/* BAD_DATA, with the row, if the link, which is of the family, refuses a target: y[row * stride]. */
entropic_status ent_link_check_targets(entropic_context *context, const ent_link_family *family, const ent_link *link,
                                       const double *y, size_t rows, size_t stride);

/* ---- Classes ---- */

/* How many scores so many classes have: one for two, otherwise one for each. */
size_t ent_class_scores(size_t classes);
/* The class with the largest score, the first of several; of one score, class 1 if it is above 0. */
size_t ent_class_of(size_t classes, const double *scores);
/* probabilities[classes] from scores of an inverse temperature of 1: one score for two classes, otherwise one for each. */
void ent_probabilities(size_t classes, const double *scores, double *probabilities);
/* The same of a model's scores. The class of ent_class_of is the likeliest, and no earlier one is as likely. */
void ent_link_probabilities(const ent_link *link, size_t classes, const double *scores, double *probabilities);

#endif
