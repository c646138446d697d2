/* Kernels and designs by parameters. */
#ifndef ENT_DESIGN_BY_PARAMETERS_H
#define ENT_DESIGN_BY_PARAMETERS_H

#include "base/parameters.h"
#include "design/columns.h"

/* What is wrong with the parameters of kernel and design whatever the data. */
entropic_status ent_design_check(entropic_context *context, const entropic_parameters *parameters);
/* The kernel of one input: family, basis, max-level, smooth; its omega is the default. */
entropic_axis_options ent_axis_by(const entropic_parameters *parameters);
/* The numbers of omega: none, one, or one for each input, into omegas[inputs]. */
entropic_status ent_omegas_by(entropic_context *context, const entropic_parameters *parameters, size_t inputs,
                              double *omegas, size_t *count);
entropic_status ent_kernel_by(entropic_context *context, const entropic_parameters *parameters, size_t inputs,
                              entropic_kernel **kernel);
/* The same for the inputs of columns: numbers by the parameters, categories by their own kernel. */
entropic_status ent_kernel_of_columns(entropic_context *context, const entropic_parameters *parameters,
                                      const ent_design_columns *columns, entropic_kernel **kernel);
/* Without a sample. */
entropic_status ent_design_options_by(entropic_context *context, const entropic_parameters *parameters,
                                      entropic_design_options *options);

/* The table of all parameters. */
extern const ent_parameter_table ent_parameter_rows;

#endif
