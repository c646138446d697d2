/* Similar classes: their names differ by the case of letters or by blanks around them alone. */
#ifndef ENT_DATA_SIMILAR_CLASSES_H
#define ENT_DATA_SIMILAR_CLASSES_H

#include "data/columns.h"

/* Adds a notice for each target of text that has such classes. The classes stay as they are. */
entropic_status ent_columns_notice_similar_classes(entropic_context *context, ent_columns *columns);

#endif
