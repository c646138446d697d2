/* Entropic: learning from tables with entropic optimal features.
 *
 * This header takes in the whole public interface of libentropic, part by part. What compare.h and shards.h declare is
 * experimental and may change in any version; all else is stable. Conventions, valid throughout:
 *
 *  - A function that can fail returns an entropic_status. It takes an entropic_context first; the text of the last
 *    failure is kept there (entropic_context_message). The context may be NULL: then only the text is lost.
 *    On failure output arguments keep their values, unless stated.
 *  - Handles are opaque. X_create makes one, X_free releases it; X_free(NULL) does nothing. A handle keeps what it
 *    needs of other handles: a kernel may be freed before a design that was made from it.
 *  - Arrays passed in are borrowed for the call and never kept, unless stated. Strings and arrays handed out through
 *    a const pointer belong to the handle and live as long as it does.
 *  - Inputs, rows, groups and columns are numbered from 0 in calls, from 1 in messages and files.
 *  - Handles that are not changed by a call are const there; const use of one handle from many threads is safe.
 *    A context belongs to one thread at a time.
 *  - The library never prints, exits, or touches the process's locale or signals.
 */
#ifndef ENTROPIC_H
#define ENTROPIC_H

#include "entropic/base.h"
#include "entropic/parameters.h"
#include "entropic/report.h"
#include "entropic/data.h"
#include "entropic/features.h"
#include "entropic/learn.h"
#include "entropic/model.h"
#include "entropic/interval.h"
#include "entropic/statistics.h"
#include "entropic/explain.h"
#include "entropic/predict.h"

#include "entropic/compare.h"
#include "entropic/shards.h"

#endif
