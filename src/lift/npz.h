/* Compressed sparse rows as NumPy's archive. */
#ifndef ENT_LIFT_NPZ_H
#define ENT_LIFT_NPZ_H

#include "entropic/entropic.h"

/* entropic_csr_save_npz, with ZIP's fields of 64 bits wherever a size or offset reaches `wide`; the format needs them
 * from 2^32 - 1 on. A small value makes them testable. */
entropic_status ent_save_npz(entropic_context *context, const entropic_csr *csr, const char *path, uint64_t wide);

#endif
