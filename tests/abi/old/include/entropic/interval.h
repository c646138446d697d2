/* Prediction intervals: ends that the target lies between with a given probability, and sets that have the right class.
 * Stable.
 *
 * They are cross-conformal. A fit leaves rows out to measure its error; neither the features nor the weights of the
 * models that predict these rows have seen them. The half width of an interval is a quantile of their absolute
 * residuals, times a spread that depends on the prediction or on inputs where the residuals show it. Where the model is
 * a mean of several, it is also times an estimate of what the mean is worth; docs/intervals.md says how. The model keeps
 * 256 quantiles.
 *
 * What that means: on rows that are exchangeable with the training rows (drawn in the same way, in no order), the share
 * of targets within intervals of level 0.9 is about 0.9. It is no guarantee for a finite number of rows. The level
 * holds on average over all rows, not for each kind of row. Rows of another time or place may differ, and nothing holds
 * for them. With groups it is about rows of new groups, as whole groups are left out.
 *
 * Models have intervals if their fit chose something by validation, which is the default, and at least 20 rows were
 * left out; of fits that choose nothing, regression by the direct solver. Models of older versions have none. update,
 * forget and refit change the weights and drop the intervals; statistics, and models that are solved from them, have
 * none. entropic_predict, in predict.h, gives the intervals and sets of rows. */
#ifndef ENTROPIC_INTERVAL_H
#define ENTROPIC_INTERVAL_H

#include "entropic/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* entropic_model_score with these keys besides: level; coverage, the share of targets within their intervals, or of
 * right classes in their sets; and width, the mean of upper - lower, or set_size, the mean number of classes in a set.
 * Means are weighted, and over several targets. */
ENTROPIC_API entropic_status entropic_model_score_intervals(entropic_context *context, const entropic_model *model,
                                                            entropic_row_reader *reader, double level,
                                                            entropic_report **report);

#ifdef __cplusplus
}
#endif
#endif
