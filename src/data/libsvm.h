/* LIBSVM text. */
#ifndef ENT_DATA_LIBSVM_H
#define ENT_DATA_LIBSVM_H

#include "data/bytes.h"

/* Is it named so, or does its first line read "label index:value ..."? */
bool ent_looks_like_libsvm(const ent_bytes *bytes);

#endif
