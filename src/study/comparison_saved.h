/* Results of comparisons that were saved as JSON: read back, and put together with newer ones. */
#ifndef ENT_STUDY_COMPARISON_SAVED_H
#define ENT_STUDY_COMPARISON_SAVED_H

#include "compare/comparison.h"
#include "study/json.h"

/* What ent_experiment_json writes, into an experiment that was started with room for `most_runs` errors. `name` is that of
 * the file, for messages. BAD_DATA if something is missing or is not what it should be. */
entropic_status ent_experiment_load(entropic_context *context, const char *name, const ent_json_value *value,
                                    ent_experiment *experiment);
/* The request of an experiment in JSON. BAD_DATA if there is no such method. */
entropic_status ent_request_load(entropic_context *context, const char *name, const ent_json_value *value,
                                 ent_request *request);
/* What ent_comparison_json writes. */
entropic_status ent_comparison_load(entropic_context *context, const char *name, const ent_json_value *value,
                                    entropic_comparison **comparison);

/* All experiments of both; of those that both have, the newer ones'. Takes both over: they are freed, also on failure.
 * `older` may be NULL. */
entropic_status ent_comparison_merge(entropic_context *context, entropic_comparison *older, entropic_comparison *newer,
                                     entropic_comparison **merged);

#endif
