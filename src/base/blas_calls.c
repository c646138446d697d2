/* Calls of OpenBLAS, as many at a time as there are work buffers; one at a time in a build "without threads".
 *
 * Such a build is not one that threads may use: OpenBLAS then hands out its work buffers without a lock, and two calls
 * at once write over each other (Debian's libopenblas0-serial 0.3.21, four threads, 40 x 40 matrices: one product in
 * twenty is wrong). */
#include "base/threads.h"
#include "base/blas.h"

static ent_blas calls;

static void dgemm(int order, int trans_a, int trans_b, int m, int n, int k, double alpha, const double *a, int lda,
                  const double *b, int ldb, double beta, double *c, int ldc) {
  ent_turn_begin();
  calls.dgemm(order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  ent_turn_end();
}

static void dsyrk(int order, int uplo, int trans, int n, int k, double alpha, const double *a, int lda, double beta,
                  double *c, int ldc) {
  ent_turn_begin();
  calls.dsyrk(order, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);
  ent_turn_end();
}

static void dsymm(int order, int side, int uplo, int m, int n, double alpha, const double *a, int lda, const double *b,
                  int ldb, double beta, double *c, int ldc) {
  ent_turn_begin();
  calls.dsymm(order, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
  ent_turn_end();
}

static void dtrsm(int order, int side, int uplo, int trans, int unit, int m, int n, double alpha, const double *a,
                  int lda, double *b, int ldb) {
  ent_turn_begin();
  calls.dtrsm(order, side, uplo, trans, unit, m, n, alpha, a, lda, b, ldb);
  ent_turn_end();
}

static void dgemv(int order, int trans, int m, int n, double alpha, const double *a, int lda, const double *x,
                  int x_step, double beta, double *y, int y_step) {
  ent_turn_begin();
  calls.dgemv(order, trans, m, n, alpha, a, lda, x, x_step, beta, y, y_step);
  ent_turn_end();
}

static void dpotrf(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_length) {
  ent_turn_begin();
  calls.dpotrf(uplo, n, a, lda, info, uplo_length);
  ent_turn_end();
}

static void dsyevd(const char *job, const char *uplo, const int *n, double *a, const int *lda, double *values,
                   double *work, const int *work_size, int *iwork, const int *iwork_size, int *info, size_t job_length,
                   size_t uplo_length) {
  ent_turn_begin();
  calls.dsyevd(job, uplo, n, a, lda, values, work, work_size, iwork, iwork_size, info, job_length, uplo_length);
  ent_turn_end();
}

static void dsytrd(const char *uplo, const int *n, double *a, const int *lda, double *diagonal, double *e, double *tau,
                   double *work, const int *work_size, int *info, size_t uplo_length) {
  ent_turn_begin();
  calls.dsytrd(uplo, n, a, lda, diagonal, e, tau, work, work_size, info, uplo_length);
  ent_turn_end();
}

static void dormtr(const char *side, const char *uplo, const char *trans, const int *m, const int *n, const double *a,
                   const int *lda, const double *tau, double *c, const int *ldc, double *work, const int *work_size,
                   int *info, size_t side_length, size_t uplo_length, size_t trans_length) {
  ent_turn_begin();
  calls.dormtr(side, uplo, trans, m, n, a, lda, tau, c, ldc, work, work_size, info, side_length, uplo_length,
               trans_length);
  ent_turn_end();
}

ent_blas ent_blas_in_turns(const ent_blas *direct) {
  if (direct->dgemm == dgemm)
    return *direct; /* it takes turns already */
  calls = *direct;
  return (ent_blas){.dgemm = dgemm,
                    .dsyrk = dsyrk,
                    .dsymm = dsymm,
                    .dtrsm = dtrsm,
                    .dgemv = dgemv,
                    .dpotrf = dpotrf,
                    .dsyevd = dsyevd,
                    .dsytrd = dsytrd,
                    .dormtr = dormtr,
                    .core = direct->core};
}
