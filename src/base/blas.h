/* Dense linear algebra: the few calls we need of OpenBLAS, which has BLAS and LAPACK in one library.
 *
 * The library is loaded when it is first needed, not when the program starts: what needs no algebra starts faster and
 * runs without it, and there is a moment to tell OpenBLAS which processor this is, if it does not know. Every call is
 * single-threaded; the threads are ours, and as many may call at once as there are work buffers (blas_room.h). Others
 * wait. All matrices are column-major. */
#ifndef ENT_BASE_BLAS_H
#define ENT_BASE_BLAS_H

#include "base/context.h"

/* The numbers by which cblas knows things. */
enum { ENT_COLUMNS = 102, ENT_PLAIN = 111, ENT_TRANSPOSE = 112, ENT_UPPER = 121, ENT_NON_UNIT = 131, ENT_LEFT = 141 };

typedef struct ent_blas {
  void (*dgemm)(int order, int trans_a, int trans_b, int m, int n, int k, double alpha, const double *a, int lda,
                const double *b, int ldb, double beta, double *c, int ldc);
  void (*dsyrk)(int order, int uplo, int trans, int n, int k, double alpha, const double *a, int lda, double beta,
                double *c, int ldc);
  void (*dsymm)(int order, int side, int uplo, int m, int n, double alpha, const double *a, int lda, const double *b,
                int ldb, double beta, double *c, int ldc);
  void (*dtrsm)(int order, int side, int uplo, int trans, int unit, int m, int n, double alpha, const double *a,
                int lda, double *b, int ldb);
  void (*dgemv)(int order, int trans, int m, int n, double alpha, const double *a, int lda, const double *x, int x_step,
                double beta, double *y, int y_step);
  void (*dpotrf)(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_length);
  void (*dsyevd)(const char *job, const char *uplo, const int *n, double *a, const int *lda, double *values,
                 double *work, const int *work_size, int *iwork, const int *iwork_size, int *info, size_t job_length,
                 size_t uplo_length);
  void (*dsytrd)(const char *uplo, const int *n, double *a, const int *lda, double *diagonal, double *e, double *tau,
                 double *work, const int *work_size, int *info, size_t uplo_length);
  void (*dormtr)(const char *side, const char *uplo, const char *trans, const int *m, const int *n, const double *a,
                 const int *lda, const double *tau, double *c, const int *ldc, double *work, const int *work_size,
                 int *info, size_t side_length, size_t uplo_length, size_t trans_length);
  const char *core; /* the code it uses, such as "SkylakeX" */
} ent_blas;

/* The same calls, but between ent_turn_begin and ent_turn_end. There can be one such table; `direct` is copied. */
ent_blas ent_blas_in_turns(const ent_blas *direct);

/* Loads it at the first call. SYSTEM if there is none, NO_MEMORY if there is no room for it. Only while there is a single
 * thread can it be told which processor this is, so whatever starts threads that will need it asks for it first. */
entropic_status ent_blas_get(entropic_context *context, const ent_blas **blas);

/* A size as BLAS takes it; TOO_LARGE past its integers. */
entropic_status ent_blas_size(entropic_context *context, size_t size, int *as_int);

#endif
