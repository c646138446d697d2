/* Methods of a comparison, as text and as JSON. */
#ifndef ENTROPIC_CLI_METHODS_H
#define ENTROPIC_CLI_METHODS_H

#include "output.h"

/* The key "references": errors of a constant. */
void references_as_json(entropic_report *report, const entropic_comparison *comparison);

/* The key "methods": an array. */
void methods_as_json(entropic_report *report, const entropic_comparison *comparison);
/* Tab separated lines with a header. */
void methods_as_text(cli_output *output, const entropic_comparison *comparison);

#endif
