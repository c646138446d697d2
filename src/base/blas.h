/* The BLAS and LAPACK functions that we take from OpenBLAS. Their bits depend on the processor, so they serve where
 * bits are not promised: random features, the logistic loss, eigenvectors. Elsewhere see dense.h.
 *
 * The library is loaded when it is first needed, not when the program starts. Programs that need no linear algebra
 * start faster and run without it, and the processor can be named before OpenBLAS chooses its kernels (blas.c).
 *
 * Every call is single-threaded; the threads are ours. At most as many calls run at once as there are work buffers
 * (below); further ones wait. All matrices are column-major. */
#ifndef ENT_BASE_BLAS_H
#define ENT_BASE_BLAS_H

#include <stdbool.h>

#include "base/context.h"

/* The constants of cblas.h: CblasColMajor, CblasNoTrans and so on. */
enum { ENT_COL_MAJOR = 102, ENT_NO_TRANS = 111, ENT_TRANS = 112, ENT_UPPER = 121, ENT_NON_UNIT = 131, ENT_LEFT = 141 };

typedef struct ent_blas {
  void (*dgemm)(int order, int trans_a, int trans_b, int m, int n, int k, double alpha, const double *a, int lda,
                const double *b, int ldb, double beta, double *c, int ldc);
  void (*dsyrk)(int order, int uplo, int trans, int n, int k, double alpha, const double *a, int lda, double beta,
                double *c, int ldc);
  void (*dtrsm)(int order, int side, int uplo, int trans, int diag, int m, int n, double alpha, const double *a,
                int lda, double *b, int ldb);
  void (*dsyevd)(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,
                 const int *lwork, int *iwork, const int *liwork, int *info, size_t jobz_length, size_t uplo_length);
  void (*dstedc)(const char *compz, const int *n, double *d, double *e, double *z, const int *ldz, double *work,
                 const int *lwork, int *iwork, const int *liwork, int *info, size_t compz_length);
  const char *core; /* the kernels it uses, such as "SkylakeX" */
} ent_blas;

/* The same functions, each between ent_slot_acquire and ent_slot_release (threads.h). There can be one such table;
 * `direct` is copied. */
ent_blas ent_blas_throttled(const ent_blas *direct);

/* Loads OpenBLAS at the first call. SYSTEM if it is not installed, NO_MEMORY if it does not fit into memory. The
 * processor can be named only while there is a single thread, so code whose threads will use BLAS calls this before it
 * starts them. */
entropic_status ent_blas_get(entropic_context *context, const ent_blas **blas);

/* Long calls (progress.h) that will need OpenBLAS call this first: it is loaded now if their work will go to another
 * thread, and if there is memory for it. */
void ent_blas_prepare(const entropic_context *context);

/* A size as an int, as BLAS takes it; TOO_LARGE if it does not fit. */
entropic_status ent_blas_size(entropic_context *context, size_t size, int *as_int);

/* Address space for OpenBLAS and its work buffers.
 *
 * OpenBLAS maps one work buffer for each concurrent call and one for each thread that it starts. If the mapping fails,
 * versions before 0.3.30 retry for ever. So we make it map its buffers while we know that there is enough address
 * space, and never run more calls at once than there are buffers. */

/* The size of a work buffer of OpenBLAS 0.3.21 on x86-64 and arm64. */
#define ENT_BLAS_BUFFER ((size_t)1 << 27)

/* How to make OpenBLAS map a buffer: by its own allocator, or by a call of BLAS if the build hides the allocator. */
typedef struct ent_blas_buffers {
  void *(*allocate)(int unused); /* NULL if hidden */
  void (*release)(void *buffer); /* the buffer stays mapped, for the next call */
  void (*use)(void);             /* a call of BLAS that needs a buffer; used if `allocate` is NULL */
  bool concurrent;               /* several threads may call BLAS at once; if not, one buffer is enough */
} ent_blas_buffers;

/* Whether this many more bytes can be mapped now. */
bool ent_can_map(size_t bytes);

/* Whether there is address space to load the library, which will start `threads` threads. NO_MEMORY if not. */
entropic_status ent_blas_can_load(entropic_context *context, size_t threads);

/* Maps a buffer for each thread of the context and opens as many slots (ent_slot_acquire). Fewer if address space is
 * short; NO_MEMORY if there is not even one. */
entropic_status ent_blas_map_buffers(entropic_context *context, const ent_blas_buffers *buffers);

#endif
