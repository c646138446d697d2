/* Similar classes: their names differ by the case of letters or by blanks around them alone. */
#ifndef ENT_COLUMNS_SIMILAR_CLASSES_H
#define ENT_COLUMNS_SIMILAR_CLASSES_H

#include "columns/columns.h"

/* Adds a notice for each target of text that has such classes. The classes stay as they are. */
entropic_status ent_columns_notice_similar_classes(entropic_context *context, ent_columns *columns);

#endif
