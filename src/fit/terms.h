/* Restrictions by parameters: lists of terms as text. */
#ifndef ENT_FIT_TERMS_H
#define ENT_FIT_TERMS_H

#include "base/parameters.h"
#include "design/restriction.h"
#include "model/model.h"

/* The restriction that the parameters only and without ask for, with its texts; NULL if neither is given, or
 * if all that is to be left out is no input anyway. A list is
 * TERM,TERM,...; a term is an input, or a product NAME:NAME:... An input is a name, or the number of its column from 1;
 * "*" stands for any input. What has commas, colons or quotes in it stands in quotes, a quote in it twice; a term that is
 * the name of an input as it stands is that input. BAD_ARGUMENT with a message if a list cannot be read, names what is no
 * input, or leaves no input. */
entropic_status ent_restriction_by(entropic_context *context, const entropic_parameters *parameters,
                                   const entropic_dataset *train, ent_restriction **restriction);

#endif
