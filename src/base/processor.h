/* Which kind of code runs on this processor. */
#ifndef ENT_BASE_PROCESSOR_H
#define ENT_BASE_PROCESSOR_H

#include <stdbool.h>

/* Whether the processor has AVX2, or AVX-512, and the environment does not ask for less: ENTROPIC_PROCESSOR=reference
 * allows neither, ENTROPIC_PROCESSOR=avx2 the first alone. Tests ask for less, to compare bytes. */
bool ent_processor_has_avx2(void);
bool ent_processor_has_avx512(void);

#endif
