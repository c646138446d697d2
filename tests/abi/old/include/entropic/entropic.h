/* Entropic: learning from tables with entropic optimal features.
 *
 * This header takes in the stable interface of libentropic, part by part: whatever is declared if nothing is defined
 * before it. It only grows. With ENTROPIC_EXPERIMENTAL defined before the first include there is more, which may change in
 * any version: compare.h, shards.h, and entropic_mpi.h of libentropic_mpi; and tools.h, whose functions are in
 * libentropic.a alone. What is marked ENTROPIC_API is exported by the shared library, what is marked ENTROPIC_STATIC is not.
 *
 * Conventions, valid throughout:
 *
 *  - A function that can fail returns an entropic_status, 0 for success. It takes an entropic_context first, but for X_init,
 *    which has nothing to say; the text of the last failure is kept there (entropic_context_message). The context may be
 *    NULL: then only the text is lost. On failure output arguments keep their values, unless stated.
 *  - A function that answers a question about a handle cannot fail. Yes and no are int, 1 and 0. Of a handle that is
 *    NULL, or for what is not there, counts are 0, numbers of things SIZE_MAX, values NaN, pointers NULL.
 *  - Structs grow at their end, so each comes with its size as the caller knows it. The size of a struct that the
 *    library fills in is the argument after it: sizeof info. A struct that the caller fills in begins with its size, which
 *    X_init sets where there is one.
 *  - An array is followed by its count, a matrix by rows and stride: doubles from row to row. Counts are size_t.
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

#ifdef ENTROPIC_EXPERIMENTAL
#include "entropic/compare.h"
#include "entropic/shards.h"
#include "entropic/tools.h"
#endif

#endif
