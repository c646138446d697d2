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

static void dsymm(int order, int side, int uplo, int m, int n, double alpha, const double *a, int lda, const double *b,
                  int ldb, double beta, double *c, int ldc) {
  ent_slot_acquire();
  calls.dsymm(order, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
  ent_slot_release();
}

static void dtrsm(int order, int side, int uplo, int trans, int diag, int m, int n, double alpha, const double *a,
                  int lda, double *b, int ldb) {
  ent_slot_acquire();
  calls.dtrsm(order, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
  ent_slot_release();
}

static void dgemv(int order, int trans, int m, int n, double alpha, const double *a, int lda, const double *x, int incx,
                  double beta, double *y, int incy) {
  ent_slot_acquire();
  calls.dgemv(order, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
  ent_slot_release();
}

static void dpotrf(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_length) {
  ent_slot_acquire();
  calls.dpotrf(uplo, n, a, lda, info, uplo_length);
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

static void dsymv(int order, int uplo, int n, double alpha, const double *a, int lda, const double *x, int incx,
                  double beta, double *y, int incy) {
  ent_slot_acquire();
  calls.dsymv(order, uplo, n, alpha, a, lda, x, incx, beta, y, incy);
  ent_slot_release();
}

static void dsyr2k(int order, int uplo, int trans, int n, int k, double alpha, const double *a, int lda,
                   const double *b, int ldb, double beta, double *c, int ldc) {
  ent_slot_acquire();
  calls.dsyr2k(order, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  ent_slot_release();
}

static void dscal(int n, double alpha, double *x, int incx) {
  ent_slot_acquire();
  calls.dscal(n, alpha, x, incx);
  ent_slot_release();
}

static void daxpy(int n, double alpha, const double *x, int incx, double *y, int incy) {
  ent_slot_acquire();
  calls.daxpy(n, alpha, x, incx, y, incy);
  ent_slot_release();
}

static double ddot(int n, const double *x, int incx, const double *y, int incy) {
  ent_slot_acquire();
  double sum = calls.ddot(n, x, incx, y, incy);
  ent_slot_release();
  return sum;
}

static void dsytd2(const char *uplo, const int *n, double *a, const int *lda, double *d, double *e, double *tau,
                   int *info, size_t uplo_length) {
  ent_slot_acquire();
  calls.dsytd2(uplo, n, a, lda, d, e, tau, info, uplo_length);
  ent_slot_release();
}

static void dlarfg(const int *n, double *alpha, double *x, const int *incx, double *tau) {
  ent_slot_acquire();
  calls.dlarfg(n, alpha, x, incx, tau);
  ent_slot_release();
}

static void dlarft(const char *direct, const char *storev, const int *n, const int *k, const double *v, const int *ldv,
                   const double *tau, double *t, const int *ldt, size_t direct_length, size_t storev_length) {
  ent_slot_acquire();
  calls.dlarft(direct, storev, n, k, v, ldv, tau, t, ldt, direct_length, storev_length);
  ent_slot_release();
}

static void dlarfb(const char *side, const char *trans, const char *direct, const char *storev, const int *m,
                   const int *n, const int *k, const double *v, const int *ldv, const double *t, const int *ldt,
                   double *c, const int *ldc, double *work, const int *ldwork, size_t side_length, size_t trans_length,
                   size_t direct_length, size_t storev_length) {
  ent_slot_acquire();
  calls.dlarfb(side, trans, direct, storev, m, n, k, v, ldv, t, ldt, c, ldc, work, ldwork, side_length, trans_length,
               direct_length, storev_length);
  ent_slot_release();
}

static void dormtr(const char *side, const char *uplo, const char *trans, const int *m, const int *n, const double *a,
                   const int *lda, const double *tau, double *c, const int *ldc, double *work, const int *lwork,
                   int *info, size_t side_length, size_t uplo_length, size_t trans_length) {
  ent_slot_acquire();
  calls.dormtr(side, uplo, trans, m, n, a, lda, tau, c, ldc, work, lwork, info, side_length, uplo_length, trans_length);
  ent_slot_release();
}

ent_blas ent_blas_throttled(const ent_blas *direct) {
  if (direct->dgemm == dgemm)
    return *direct; /* it is throttled already */
  calls = *direct;
  return (ent_blas){.dgemm = dgemm,
                    .dsyrk = dsyrk,
                    .dsymm = dsymm,
                    .dtrsm = dtrsm,
                    .dgemv = dgemv,
                    .dpotrf = dpotrf,
                    .dsyevd = dsyevd,
                    .dstedc = dstedc,
                    .dsymv = dsymv,
                    .dsyr2k = dsyr2k,
                    .dscal = dscal,
                    .daxpy = daxpy,
                    .ddot = ddot,
                    .dsytd2 = dsytd2,
                    .dlarfg = dlarfg,
                    .dlarft = dlarft,
                    .dlarfb = dlarfb,
                    .dormtr = dormtr,
                    .core = direct->core};
}
