/* Throttled calls of OpenBLAS: at most as many at once as there are work buffers; one at a time in a build "without
 * threads".
 *
 * A build without threads must not be called from several: it hands out work buffers without a lock, and concurrent
 * calls overwrite each other's (Debian's libopenblas0-serial 0.3.21, four threads, 40 x 40 matrices: one product in
 * twenty is wrong). */
#include "base/threads.h"
#include "base/blas.h"

static ent_blas calls; /* the functions of OpenBLAS itself */

static void dgemm(int order, int trans_a, int trans_b, int m, int n, int k, double alpha, const double *a, int lda,
                  const double *b, int ldb, double beta, double *c, int ldc) {
  ent_slot_acquire();
  calls.dgemm(order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  ent_slot_release();
}

static void dsyrk(int order, int uplo, int trans, int n, int k, double alpha, const double *a, int lda, double beta,
                  double *c, int ldc) {
  ent_slot_acquire();
  calls.dsyrk(order, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);
  ent_slot_release();
}

static void dtrsm(int order, int side, int uplo, int trans, int diag, int m, int n, double alpha, const double *a,
                  int lda, double *b, int ldb) {
  ent_slot_acquire();
  calls.dtrsm(order, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
  ent_slot_release();
}

static void dsyevd(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,
                   const int *lwork, int *iwork, const int *liwork, int *info, size_t jobz_length, size_t uplo_length) {
  ent_slot_acquire();
  calls.dsyevd(jobz, uplo, n, a, lda, w, work, lwork, iwork, liwork, info, jobz_length, uplo_length);
  ent_slot_release();
}

static void dstedc(const char *compz, const int *n, double *d, double *e, double *z, const int *ldz, double *work,
                   const int *lwork, int *iwork, const int *liwork, int *info, size_t compz_length) {
  ent_slot_acquire();
  calls.dstedc(compz, n, d, e, z, ldz, work, lwork, iwork, liwork, info, compz_length);
  ent_slot_release();
}

ent_blas ent_blas_throttled(const ent_blas *direct) {
  if (direct->dgemm == dgemm)
    return *direct; /* it is throttled already */
  calls = *direct;
  return (ent_blas){
      .dgemm = dgemm, .dsyrk = dsyrk, .dtrsm = dtrsm, .dsyevd = dsyevd, .dstedc = dstedc, .core = direct->core};
}
