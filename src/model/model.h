/* A model: inputs, scaling, features, weights, and what is known of how it came about. */
#ifndef ENT_MODEL_MODEL_H
#define ENT_MODEL_MODEL_H

#include "axis/kernel.h"
#include "axis/scaler.h"
#include "base/sha256.h"
#include "dataset/target_means.h"
#include "loss/link.h"

typedef struct ent_frozen ent_frozen;

/* "direct", "balanced", "plain", "residual" and so on; NULL for a number that is none of them. */
const char *ent_solver_name(entropic_solver solver);
const char *ent_class_weight_name(entropic_class_weight weight);
const char *ent_target_scale_name(entropic_target_scale scale);
const char *ent_select_name(entropic_select select);

/* A sum of scores is made of components, each with its own scaling, kernel, feature map and weights. The feature map is
 * the features of a design, or the sections of the kernel at centres. */
typedef struct ent_component {
  entropic_scaler *scaler;
  entropic_kernel *kernel; /* a holder */
  entropic_design *design; /* NULL with centres */
  entropic_lift *lift;     /* of the design; never saved */
  size_t features;         /* or centres */
  double *centres;         /* features x inputs, scaled; NULL with a design */
  double *weights;         /* weights[score * features + feature] */
} ent_component;

struct entropic_model {
  ent_schema schema;
  ent_target_means *means; /* that its derived inputs in use are made by; NULL: it has none */
  entropic_loss loss;
  double loss_parameter; /* of a loss that has one, in the units of the target */
  entropic_solver solver;
  ent_component main; /* what members, statistics, intervals and what is frozen are about */
  size_t more_count;  /* of components whose scores are added to those of the main one */
  ent_component *more;
  struct ent_marginals *marginals;       /* of the atoms of all components over the training rows; NULL: not kept */
  struct ent_distribution *distribution; /* of the inputs in the training rows (distribution.h); NULL: not kept */
  size_t scores;
  double *offsets; /* [scores] */
  ent_link link;   /* what scores say of the target, in its units */
  double *bounds;  /* lower and upper, [targets x 2]: predictions are kept within, infinity is none; NULL: no bounds */
  double nonzeros; /* a row, on average */
  size_t rows;
  double lambda;
  bool converged;
  uint64_t seed;
  entropic_validation validation;
  size_t folds, validation_rows;
  double validation_error, validation_loss;  /* see ent_model_set_figures */
  struct ent_intervals *intervals;           /* of predictions (intervals.h); NULL: it has none */
  struct ent_member_effects *member_effects; /* of the members it is the mean of; NULL: not kept, or not a mean */
  ent_frozen *frozen;       /* what statistics of rows need besides (frozen.h); NULL: it can have none */
  struct ent_fixed *totals; /* the statistics of its rows; NULL: it does not keep them */
  uint64_t total_rows;      /* of them */
  bool validated;           /* of a model that keeps statistics: the next two are known */
  bool outdated;            /* rows were added or forgotten since validation */
  uint8_t validated_receipt[ENT_SHA256_SIZE]; /* of the statistics when it was validated */
};

/* Sets validation_error and validation_loss, rounded to 6 digits: a model keeps no bits that could depend on the
 * processor and mean nothing. */
void ent_model_set_figures(entropic_model *model, double error, double loss);

/* ---- Components ---- */

static inline size_t ent_model_components(const entropic_model *model) {
  return 1 + model->more_count;
}
static inline const ent_component *ent_model_component(const entropic_model *model, size_t component) {
  return component == 0 ? &model->main : &model->more[component - 1];
}
/* Features and centres of all components; centres alone. */
size_t ent_model_features(const entropic_model *model);
size_t ent_model_centres(const entropic_model *model);
/* Whether some component has a design, even one of no feature. */
bool ent_model_has_features(const entropic_model *model);
void ent_component_clear(ent_component *component);
/* From now on the line of an input alone goes on outside the range learnt from, in units of the input and by at most one
 * range: scaler and design. The lift has to be made anew. */
entropic_status ent_component_go_beyond(entropic_context *context, ent_component *component, size_t input);
/* What the line of an input alone adds to a score for each scaled unit outside the range; 0 if it does not go on. */
double ent_component_beyond_slope(const ent_component *component, size_t input, size_t score);
/* Adds a component and empties it. It is for the inputs and scores of the model. */
entropic_status ent_model_add_component(entropic_context *context, entropic_model *model, ent_component *component);

/* Scaled rows have the inputs of all components, one component after the other: so many numbers a row. */
static inline size_t ent_model_width(const entropic_model *model) {
  return ent_model_components(model) * model->schema.inputs;
}
/* Rows in the units of the data, scaled: scaled[row * ent_model_width + component * inputs + input]. Not in place. */
void ent_model_scale(const entropic_model *model, const double *x, size_t rows, size_t stride, double *scaled);

/* Scores of scaled rows, before anything is made of them: scores[row * model->scores + score]. */
entropic_status ent_model_scores(entropic_context *context, const entropic_model *model, const double *x, size_t rows,
                                 size_t stride, double *scores);
/* BAD_DATA, with row and input, if a value of some rows of x cannot be used: rows from number `first` on. */
entropic_status ent_model_check_rows(entropic_context *context, const entropic_model *model, const double *x,
                                     size_t first, size_t rows, size_t stride);
/* Marks the inputs that no component depends on, directly or by target means, and lets go of what the model kept of them:
 * knots and categories. */
entropic_status ent_model_drop_unused(entropic_context *context, entropic_model *model);
/* How many inputs are in use. */
size_t ent_model_used(const entropic_model *model);
/* The class of a row from its scores, and the probabilities of all classes. */
size_t ent_model_decide(const entropic_model *model, const double *scores);
void ent_model_chances(const entropic_model *model, const double *scores, double *probabilities);
/* Keeps predictions[rows x targets] within the bounds of the model; returns how many were changed. */
size_t ent_model_clamp(const entropic_model *model, double *predictions, size_t rows);

/* The calls of the interface without sizes of structs: the rooms know them. */
entropic_model_info ent_model_describe(const entropic_model *model);
void ent_model_count_data_warnings(const entropic_model *model, const double *x, size_t rows, size_t stride,
                                   entropic_data_warnings *warnings);
entropic_status ent_model_input(entropic_context *context, const entropic_model *model, size_t input,
                                entropic_input_info *info);

#endif
