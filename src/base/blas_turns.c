/* Calls of OpenBLAS, as many at a time as there are work buffers; one at a time in a build "without threads".
 *
 * Such a build is not one that threads may use: OpenBLAS then hands out its work buffers without a lock, and two calls
 * at once write over each other (Debian's libopenblas0-serial 0.3.21, four threads, 40 x 40 matrices: one product in
 * twenty is wrong). */
#include "base/threads.h"
#include "base/blas.h"

static ent_blas calls;

static void dgemm(int order, int turn_a, int turn_b, int m, int n, int k, double alpha, const double *a, int lda,
                  const double *b, int ldb, double beta, double *c, int ldc) {
  ent_turn_begin();
  calls.dgemm(order, turn_a, turn_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  ent_turn_end();
}

static void dsyrk(int order, int part, int turn, int n, int k, double alpha, const double *a, int lda, double beta,
                  double *c, int ldc) {
  ent_turn_begin();
  calls.dsyrk(order, part, turn, n, k, alpha, a, lda, beta, c, ldc);
  ent_turn_end();
}

static void dsymm(int order, int side, int part, int m, int n, double alpha, const double *a, int lda, const double *b,
                  int ldb, double beta, double *c, int ldc) {
  ent_turn_begin();
  calls.dsymm(order, side, part, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
  ent_turn_end();
}

static void dtrsm(int order, int side, int part, int turn, int unit, int m, int n, double alpha, const double *a,
                  int lda, double *b, int ldb) {
  ent_turn_begin();
  calls.dtrsm(order, side, part, turn, unit, m, n, alpha, a, lda, b, ldb);
  ent_turn_end();
}

static void dgemv(int order, int turn, int m, int n, double alpha, const double *a, int lda, const double *x,
                  int x_step, double beta, double *y, int y_step) {
  ent_turn_begin();
  calls.dgemv(order, turn, m, n, alpha, a, lda, x, x_step, beta, y, y_step);
  ent_turn_end();
}

static void dpotrf(const char *part, const int *n, double *a, const int *lda, int *info, size_t part_length) {
  ent_turn_begin();
  calls.dpotrf(part, n, a, lda, info, part_length);
  ent_turn_end();
}

static void dsyevd(const char *job, const char *part, const int *n, double *a, const int *lda, double *values,
                   double *work, const int *work_size, int *whole, const int *whole_size, int *info, size_t job_length,
                   size_t part_length) {
  ent_turn_begin();
  calls.dsyevd(job, part, n, a, lda, values, work, work_size, whole, whole_size, info, job_length, part_length);
  ent_turn_end();
}

static void dsytrd(const char *part, const int *n, double *a, const int *lda, double *diagonal, double *beside,
                   double *turns, double *work, const int *work_size, int *info, size_t part_length) {
  ent_turn_begin();
  calls.dsytrd(part, n, a, lda, diagonal, beside, turns, work, work_size, info, part_length);
  ent_turn_end();
}

static void dormtr(const char *side, const char *part, const char *turn, const int *m, const int *n, const double *a,
                   const int *lda, const double *turns, double *c, const int *ldc, double *work, const int *work_size,
                   int *info, size_t side_length, size_t part_length, size_t turn_length) {
  ent_turn_begin();
  calls.dormtr(side, part, turn, m, n, a, lda, turns, c, ldc, work, work_size, info, side_length, part_length,
               turn_length);
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
