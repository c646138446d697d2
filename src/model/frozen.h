/* What is frozen with a model, so that statistics of its rows can be added and subtracted: members with their features and
 * lambdas, scales of columns, weights of rows. The rest that is frozen is the model itself but for its weights: schema,
 * scaler, kernel, features, link, range. */
#ifndef ENT_MODEL_FROZEN_H
#define ENT_MODEL_FROZEN_H

#include "model/model.h"
#include "sums/fixed_targets.h"

/* A row whose weight is a whole number up to this enters so many times, with weight 1; any other weight enters by its
 * root. */
#define ENT_MOST_REPEATS 64

/* One of the models whose mean the model is. */
typedef struct ent_frozen_member {
  double lambda;
  size_t count;       /* of features */
  uint32_t *features; /* ascending, of the model's; NULL: all of them */
} ent_frozen_member;

/* A design without weights is a model that has none. */
struct entropic_frozen_design {
  entropic_model *model;
};

struct ent_frozen {
  size_t inputs, features, scores, classes; /* of the model */
  size_t member_count;
  ent_frozen_member *members;
  int *exponents;       /* [features] of features: see ent_map_calls */
  int root_exponent;    /* of roots of weights */
  int *target_exponent; /* [scores] */
  double *shift;        /* [scores] */
  double *missing;      /* [inputs] a weight is divided by those of its missing inputs, 1 or more; NULL: none */
  double *class_weight; /* [classes] factors of weights; NULL: none */
};

void ent_frozen_free(ent_frozen *frozen);

/* Room for a model: members and lists are to be filled in, all factors are 1. With `missing` and `weighted` there are
 * factors of missing inputs and of classes. NULL with a message on failure. */
ent_frozen *ent_frozen_new(entropic_context *context, const entropic_model *model, size_t members, bool missing,
                           bool weighted);

/* The shift of a target, near its middle, and its exponent, with head-room beyond what is farthest from the middle. False
 * if that is out of range. */
bool ent_frozen_scale_target(double middle, double farthest, double *shift, int *exponent);

/* What distances of targets from their mean are within, and how far roots of weights go. */
#define ENT_FROZEN_LEAST_TARGET 0x1p-304 /* 3e-92 */
#define ENT_FROZEN_MOST_TARGET 0x1p297   /* 2e89 */
#define ENT_FROZEN_MOST_ROOT 50
#define ENT_FROZEN_TARGETS "between 1e-91 and 1e89"
#define ENT_FROZEN_WEIGHTS "at most 1e29"

/* Whether all scales can be those of statistics, and files can hold all factors. */
bool ent_frozen_is_within_range(const ent_frozen *frozen);

/* How many columns a target takes. */
static inline size_t ent_frozen_slices(const ent_frozen *frozen) {
  return frozen->classes > 0 ? 1 : ENT_FIXED_MOST_SLICES;
}

/* The targets, borrowed. */
ent_fixed_targets ent_frozen_targets(const ent_frozen *frozen);

/* Statistics of no rows. BAD_ARGUMENT if a scale is out of range. */
entropic_status ent_frozen_statistics(entropic_context *context, const ent_frozen *frozen, ent_fixed **fixed);

/* The first and last target that statistics can hold, in the units of the data; either may be infinite. */
void ent_frozen_range(const entropic_model *model, size_t score, double *least, double *most);

/* The weight of a row: its own, times that of its class, divided by the factors of its missing inputs. x[inputs] as the
 * data have it; label: the class, 0 for numbers. */
double ent_frozen_weight(const entropic_model *model, const double *x, size_t label, double weight);

/* The same without the factors of missing inputs. */
double ent_frozen_plain_weight(const entropic_model *model, size_t label, double weight);

/* BAD_DATA, with what differs, unless statistics of the two go together. */
entropic_status ent_frozen_compare(entropic_context *context, const entropic_model *one, const entropic_model *other);

/* BAD_DATA with the reason unless a model of this loss and solver can have statistics. */
entropic_status ent_frozen_check(entropic_context *context, const entropic_model *model);

#endif
