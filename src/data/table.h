/* What a table is made of. */
#ifndef ENT_DATA_TABLE_H
#define ENT_DATA_TABLE_H

#include "data/source.h"

struct entropic_table {
  entropic_source *source; /* for its columns */
  double *values;
  size_t capacity; /* of values */
};

#endif
