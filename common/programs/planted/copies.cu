/// @file
/// Planted mistakes: asynchronous copies to shared memory, which may write from their call until their thread
/// has waited; and a ring there that one warp fills for another.

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cuda/barrier>

#include "planted.hpp"

namespace {

using planted::Array;

constexpr int threads = 64, parts = 8;

// ---------------------------------------------------------------- begun too early

/// Two parts are in flight while one is read, each in a stage of its own.
__global__ void staged(const double* x, double* y, bool right) {
  __shared__ double stage[3][threads];
  const int t = threadIdx.x;
  const auto begin = [&](int part) {
    if (part < parts)
      __pipeline_memcpy_async(&stage[part % 3][t],  // here: early-copy
                              &x[part * threads + t], sizeof(double));
    __pipeline_commit();
  };
  begin(0);
  begin(1);
  for (int part = 0; part < parts; ++part) {
    if (!right) begin(part + 2);
    __pipeline_wait_prior(right ? 1 : 2);
    __syncthreads();  // here: early-barrier
    if (right) begin(part + 2);
    y[part * threads + t] = stage[part % 3][threads - 1 - t];  // here: old-read
  }
}
void begun_before_the_barrier(bool right) {
  Array<double> x(parts * threads), y(parts * threads);
  staged<<<1, threads>>>(x.get(), y.get(), right);
  y.at(0);
}

// ---------------------------------------------------------------- read too early

/// A thread knows that its own copies have arrived, and of the others' nothing.
__global__ void mirrored(const double* x, double* y, bool right) {
  __shared__ double s[threads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &x[t], sizeof(double));  // here: copy-of-another
  __pipeline_commit();
  if (!right) __syncthreads();
  __pipeline_wait_prior(0);
  if (right) __syncthreads();
  y[t] = s[threads - 1 - t];  // here: read-of-another
}
void barrier_before_the_wait(bool right) {
  Array<double> x(threads), y(threads);
  mirrored<<<1, threads>>>(x.get(), y.get(), right);
  y.at(0);
}

/// Nobody else reads it, so that no barrier is needed; but the thread must wait.
__global__ void own(const double* x, double* y, bool right) {
  __shared__ double s[threads];
  const int t = threadIdx.x;
  s[t] = 0;
  __pipeline_memcpy_async(&s[t], &x[t], sizeof(double));  // here: own-copy
  __pipeline_commit();
  if (right) __pipeline_wait_prior(0);
  y[t] = s[t];  // here: own-read
}
void own_copy_not_waited_for(bool right) {
  Array<double> x(threads), y(threads);
  own<<<1, threads>>>(x.get(), y.get(), right);
  y.at(0);
}

/// Two batches are in flight where one may be: several barriers later the copy is still not waited for.
__global__ void late(const double* x, double* y, bool right) {
  __shared__ double s[2][threads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[0][t], &x[t], sizeof(double));  // here: late-copy
  __pipeline_commit();
  __pipeline_memcpy_async(&s[1][t], &x[threads + t], sizeof(double));
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(right ? 1 : 2);
  __syncthreads();
  y[t] = s[0][threads - 1 - t];  // here: late-read
  __pipeline_wait_prior(0);
  __syncthreads();
  y[threads + t] = s[1][threads - 1 - t];
}
void one_batch_too_few(bool right) {
  Array<double> x(2 * threads), y(2 * threads);
  late<<<1, threads>>>(x.get(), y.get(), right);
  y.at(0);
}

// ---------------------------------------------------------------- two copies to one place

__global__ void overlapping(const double* x, double* y, bool right) {
  __shared__ double s[2 * threads];
  const int t = threadIdx.x;
  // Each thread copies two elements, and goes on by one where it should go on by two.
  for (int i = 0; i < 2; ++i)
    __pipeline_memcpy_async(&s[(right ? 2 * t : t) + i], &x[2 * t + i], sizeof(double));  // here: two-copies
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[t] = s[t];
}
void copies_overlap(bool right) {
  Array<double> x(2 * threads), y(threads);
  overlapping<<<1, threads>>>(x.get(), y.get(), right);
  y.at(0);
}

// ---------------------------------------------------------------- a ring of stages

/// The first warp fills the stages, the second one reads them. Wrong: it gives them back before it has read.
__global__ void ring(const double* x, double* y, bool right) {
  __shared__ double stages[2][32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> full[2], empty[2];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 2) init(&full[lane], 1), init(&empty[lane], 1);
  __syncthreads();
  const auto arrive = [&](auto& barrier) {
    __syncwarp();
    if (lane == 0) static_cast<void>(barrier.arrive());
  };
  for (int part = 0; part < parts; ++part) {
    const int stage = part % 2, round = part / 2;
    if (threadIdx.x < 32) {
      empty[stage].wait_parity(round % 2 == 0);   // the round before
      stages[stage][lane] = x[part * 32 + lane];  // here: ring-write
      arrive(full[stage]);
    } else {
      full[stage].wait_parity(round % 2 != 0);
      if (!right) arrive(empty[stage]);
      y[part * 32 + lane] = stages[stage][31 - lane];  // here: ring-read
      if (right) arrive(empty[stage]);
    }
  }
}
void stage_given_back_early(bool right) {
  Array<double> x(parts * 32), y(parts * 32);
  ring<<<1, threads>>>(x.get(), y.get(), right);
  y.at(0);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr planted::Case cases[] = {{"begun-before-the-barrier", begun_before_the_barrier},
                                     {"barrier-before-the-wait", barrier_before_the_wait},
                                     {"own-copy-not-waited-for", own_copy_not_waited_for},
                                     {"one-batch-too-few", one_batch_too_few},
                                     {"copies-overlap", copies_overlap},
                                     {"stage-given-back-early", stage_given_back_early}};
  return planted::run(cases, argc, argv);
}
