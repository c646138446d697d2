/* The table of all parameters. */
#ifndef ENT_DESIGN_PARAMETER_TABLE_H
#define ENT_DESIGN_PARAMETER_TABLE_H

#include "base/parameters.h"

extern const ent_parameter_table ent_parameter_rows;

#endif
