/* Compressed sparse rows as NumPy's archive. */
#ifndef ENT_LIFT_NPZ_H
#define ENT_LIFT_NPZ_H

#include "entropic/entropic.h"

/* entropic_csr_save_npz, with ZIP's fields of 64 bits wherever a size or offset reaches `wide`; the format needs them
 * from 2^32 - 1 on. A small value makes them testable. */
entropic_status ent_save_npz(entropic_context *context, const entropic_csr *csr, const char *path, uint64_t wide);

/* Mark of the byte order of this machine, to stand before a type such as "f8". */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ENT_NPY_ORDER "<"
#else
#define ENT_NPY_ORDER ">"
#endif

#define ENT_NPY_HEADER 128

/* What stands before the elements of an array in NumPy's format: magic, version 1.0, the length of a Python dictionary
 * padded with blanks so that elements start at a multiple of 64. text[ENT_NPY_HEADER]; shape as a Python tuple. */
void ent_npy_header(char *text, const char *type, const char *shape);

#endif
