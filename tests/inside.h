/* What tests see of the library: the interface, and the calls by options behind it. */
#ifndef ENTROPIC_TESTS_INSIDE_H
#define ENTROPIC_TESTS_INSIDE_H

#include "data/table.h"
#include "design/design.h"
#include "entropic/entropic.h"
#include "fit/options.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/row_reader.h"
#include "compare/comparison.h"

#endif
