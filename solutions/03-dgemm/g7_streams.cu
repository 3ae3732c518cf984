/// @file
/// g7: streams. The matrices are on the host, and may be larger than the device's memory: parts of them go
/// through it. In g5 they were on the device. Here copies of the next parts and of finished ones run while
/// products are computed. Source: work D, future work ("CUDA streams and asynchronous copies").

#include <cuda_pipeline.h>

#include <cstdint>
#include <deque>
#include <vector>

#include "common/device/cuda.hpp"
#include "parts.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

constexpr int R = 8;         // a thread computes R x R elements of C
constexpr int threads = 16;  // of a block in x and in y
constexpr int tile = threads * R;
constexpr int depth = 8;  // terms of the sum in one pass

/// Reads two neighbours from shared memory in one request.
/// @param from  at a multiple of 16 bytes
__device__ void read_two(double* to, const double* from) {
  const double2 both = *reinterpret_cast<const double2*>(from);
  to[0] = both.x;
  to[1] = both.y;
}

/// g5's kernel, and one thing more: it can add to what is in C.
/// @tparam Vector  what a lane copies per request: double, or double2 where pairs() says that it may
template <class Vector>
__global__ void __launch_bounds__(threads* threads)
    multiply(int m, int n, int k,                            // the sum has k terms
             const double* __restrict__ A, std::size_t lda,  // m x k, lda
             const double* __restrict__ B, std::size_t ldb,  // k x n, ldb
             double* __restrict__ C, std::size_t ldc,        // m x n, ldc
             bool add) {                                     // C += A B; else C = A B
  constexpr int width = sizeof(Vector) / sizeof(double);     // elements per request
  __shared__ alignas(16) double As[2][tile][depth];
  __shared__ alignas(16) double Bs[2][depth][tile];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int thread = ty * threads + tx;
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile;

  // Begins to copy the columns of A and the rows of B from p0 on into a buffer.
  const auto copy_part = [&](int p0, int buffer) {
    for (int e0 = 0; e0 < tile * depth; e0 += threads * threads * width) {
      const int e = e0 + thread * width;
      const int i = e / depth, p = e % depth;
      const double* from_a = A + (row0 + i) * lda + p0 + p;
      const bool inside_a = row0 + i < m && p0 + p < k;
      const int q = e / tile, j = e % tile;
      const double* from_b = B + (p0 + q) * ldb + col0 + j;
      const bool inside_b = p0 + q < k && col0 + j < n;
      __pipeline_memcpy_async(&As[buffer][i][p], from_a, sizeof(Vector), inside_a ? 0 : sizeof(Vector));
      __pipeline_memcpy_async(&Bs[buffer][q][j], from_b, sizeof(Vector), inside_b ? 0 : sizeof(Vector));
    }
    __pipeline_commit();
  };

  // sum[i][j] with an even j, and sum[i][j + 1], are columns 2 tx + threads j and the next one of the tile.
  double sum[R][R] = {};
  copy_part(0, 0);
  for (int i = 0; i < R && add; ++i)
    for (int j = 0; j < R; ++j) {
      const int row = row0 + ty + threads * i, col = col0 + 2 * tx + threads * (j - j % 2) + j % 2;
      if (row < m && col < n) sum[i][j] = C[row * ldc + col];
    }
  for (int p0 = 0, now = 0; p0 < k; p0 += depth, now = 1 - now) {
    __pipeline_wait_prior(0);  // this thread's copies have arrived
    __syncthreads();           // so have all others'; and no thread reads the other buffer any more
    if (p0 + depth < k) copy_part(p0 + depth, 1 - now);

#pragma unroll
    for (int p = 0; p < depth; ++p) {
      double a[R], b[R];
      for (int i = 0; i < R; ++i) a[i] = As[now][ty + threads * i][p];
      for (int j = 0; j < R; j += 2) read_two(&b[j], &Bs[now][p][2 * tx + threads * j]);
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) sum[i][j] += a[i] * b[j];
    }
  }
  __pipeline_wait_prior(0);  // for the first part, where k = 0: no copy may outlive its block
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < R; j += 2) {
      const int row = row0 + ty + threads * i, col = col0 + 2 * tx + threads * j;
      double* const to = C + row * ldc + col;
      if (width == 2 && row < m && col < n) *reinterpret_cast<double2*>(to) = {sum[i][j], sum[i][j + 1]};
      if (width == 1 && row < m && col < n) to[0] = sum[i][j];
      if (width == 1 && row < m && col + 1 < n) to[1] = sum[i][j + 1];
    }
}

/// @return whether all rows of a matrix begin at a multiple of 16 bytes and have an even number of columns.
bool pairs(const double* data, std::size_t ld, int columns) {
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(double2) == 0 && ld % 2 == 0 && columns % 2 == 0;
}

/// Launches the product of an m x k and a k x n part without padding.
void launch(int m, int n, int k, const double* A, const double* B, double* C, bool add, cudaStream_t stream) {
  const dim3 block(threads, threads);
  const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile);
  if (pairs(A, k, k) && pairs(B, n, n) && pairs(C, n, n))
    multiply<double2><<<grid, block, 0, stream>>>(m, n, k, A, k, B, n, C, n, add);
  else
    multiply<double><<<grid, block, 0, stream>>>(m, n, k, A, k, B, n, C, n, add);
  ladder::check(cudaGetLastError());
}

/// @name What the streams of a call do with events.
/// @{
void record(const ladder::Event& event, const ladder::Stream& stream) {
  ladder::check(cudaEventRecord(event.get(), stream.get()));
}
void wait(const ladder::Stream& stream, const ladder::Event& event) {  // as last recorded
  ladder::check(cudaStreamWaitEvent(stream.get(), event.get()));
}
/// @}

std::vector<ladder::Stream> streams_of_products() {
  std::vector<ladder::Stream> streams;
  for (int s = 0; s < product_streams; ++s) streams.emplace_back(cudaStreamNonBlocking);
  return streams;
}

/// The way of a call's parts through the device: their places on it, the streams that copy and multiply them,
/// and the events by which these wait for each other.
struct Transit {
  const Problem& p;
  const Plan plan;

  CopyTeam team{sizeof(double) * plan.stage};
  /// Read when a stream comes to them: must not move, and outlive the streams' work.
  std::deque<HostCopy> copies{};
  const ladder::DeviceBuffer<double> memory{plan.elements()};
  std::vector<Slot> slots_a = slots(memory.get(), plan.part_a(), plan.kept_a);
  std::vector<Slot> slots_b = slots(memory.get() + plan.part_a() * plan.kept_a, plan.part_b(), plan.kept_b);
  std::array<Stage, 2> stages{Stage(plan.stage), Stage(plan.stage)};
  int chunks = 0;  ///< that went through a stage
  const ladder::PinnedBuffer<double> finished{plan.stage};
  /// Of each place for a part of C: its sum is complete; its last chunk has left the device.
  std::vector<ladder::Event> computed = std::vector<ladder::Event>(plan.kept_c);
  std::vector<ladder::Event> copied_out = std::vector<ladder::Event>(plan.kept_c);
  /// Each does one kind of work: the host fills stages, PCIe up, PCIe down; the multiprocessors, as a product
  /// has too few blocks for all of them.
  const ladder::Stream fill{cudaStreamNonBlocking}, up{cudaStreamNonBlocking}, down{cudaStreamNonBlocking};
  std::vector<ladder::Stream> compute = streams_of_products();

  void let_host_copy(const ladder::Stream& stream, const Rows& rows) {
    ladder::check(cudaLaunchHostFunc(stream.get(), copy_rows, &copies.emplace_back(HostCopy{&team, rows})));
  }

  /// Copies a part of A or B to the device unless it is there.
  /// @param number  which part of the matrix
  /// @param from    rows x columns, ld
  Slot& load_part(std::vector<Slot>& of, int number, const double* from, std::size_t ld, int rows,
                  int columns) {
    Slot& slot = of[number % of.size()];
    if (slot.holds == number) return slot;
    slot.holds = number;
    // BEGIN SOLUTION The part's way to its slot, in streams `fill` and `up`. Which events does each step wait
    //  for? A slot gets a new part only when all streams have released it. `arrived` says that all of the
    //  part is in it.
    for (const ladder::Event& released : slot.released) wait(up, released);
    // END SOLUTION
    for (int row = 0; row < rows; row += plan.rows_of_chunk(columns)) {
      const int count = std::min(plan.rows_of_chunk(columns), rows - row);
      Stage& stage = stages[chunks++ % 2];
      // BEGIN SOLUTION One chunk: in `fill` the host copies its rows to the stage, in `up` they go to the
      //  slot. A stage is filled again only when it was sent. No stream waits for more than it must.
      wait(fill, stage.sent);
      let_host_copy(fill, {stage.data.get(), std::size_t(columns), from + row * ld, ld, count, columns});
      record(stage.filled, fill);

      wait(up, stage.filled);
      ladder::check(cudaMemcpyAsync(slot.data + std::size_t(row) * columns, stage.data.get(),
                                    sizeof(double) * count * columns, cudaMemcpyHostToDevice, up.get()));
      record(stage.sent, up);
      // END SOLUTION
    }
    // BEGIN SOLUTION All of the part is in flight: which event says when it is in the slot?
    record(slot.arrived, up);
    // END SOLUTION
    return slot;
  }

  /// C += A B, or C = A B for the first product of a part of C.
  void multiply_parts(const Product& product, Slot& a, Slot& b, double* C) {  // m x n
    const auto& [m, n, k, i0, j0, p0, part_a, part_b, c, first, last] = product;
    // BEGIN SOLUTION Launch the product: C = A B for the first one of a part of C, then C += A B. In which of
    //  the streams `compute`? Which events must it wait for, and which does it record?
    // Products of one part of C wait for each other, others do not.
    const int s = c % product_streams;
    wait(compute[s], a.arrived);
    wait(compute[s], b.arrived);
    if (first) wait(compute[s], copied_out[c]);
    launch(m, n, k, a.data, b.data, C, !first, compute[s].get());
    record(a.released[s], compute[s]);
    record(b.released[s], compute[s]);
    if (last) record(computed[c], compute[s]);
    // END SOLUTION
  }

  /// Copies a part of C to its place on the host, once it is computed.
  void bring_back(const Product& product, const double* C) {  // m x n
    const int m = product.m, n = product.n, c = product.c;
    // BEGIN SOLUTION In stream `down`: when this part of C is computed it goes to `finished`, and from there
    //  the host copies it to p.C, chunk by chunk. When its last chunk has left, its place on the device is
    //  free again.
    wait(down, computed[c]);
    for (int row = 0; row < m; row += plan.rows_of_chunk(n)) {
      const int count = std::min(plan.rows_of_chunk(n), m - row);
      ladder::check(cudaMemcpyAsync(finished.get(), C + std::size_t(row) * n, sizeof(double) * count * n,
                                    cudaMemcpyDeviceToHost, down.get()));
      if (row + count == m) record(copied_out[c], down);
      double* const to = p.C + std::size_t(product.i0 + row) * p.ldc + product.j0;
      let_host_copy(down, {to, std::size_t(p.ldc), finished.get(), std::size_t(n), count, n});
    }
    // END SOLUTION
  }
};

}  // namespace

/// C = A B for matrices on the host, with at most p.device_bytes of device memory at once.
/// @throws ladder::Error when the device refuses a call, or has too little memory.
void streams(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;  // nothing to compute, and a grid must not be empty
  std::size_t bytes = p.device_bytes;
  // BEGIN SOLUTION Where the problem states no bytes, nine tenths of the device's free memory.
  //| ladder::task();  // Delete this line when you start.
  if (std::size_t total = 0; bytes == 0) {
    ladder::check(cudaMemGetInfo(&bytes, &total));
    bytes = bytes / 10 * 9;
  }
  // END SOLUTION
  Transit transit{p, plan_for(p, bytes, multiprocessors())};
  const Plan& plan = transit.plan;
  for (const Product& product : products_of(p, plan)) {
    const auto& [m, n, k, i0, j0, p0, part_a, part_b, c, first, last] = product;
    double* const C = transit.memory.get() + plan.before_c() + plan.part_c() * c;
    Slot& a = transit.load_part(transit.slots_a, part_a, p.A + std::size_t(i0) * p.lda + p0, p.lda, m, k);
    Slot& b = transit.load_part(transit.slots_b, part_b, p.B + std::size_t(p0) * p.ldb + j0, p.ldb, k, n);
    transit.multiply_parts(product, a, b, C);
    if (last) transit.bring_back(product, C);
  }
  // BEGIN SOLUTION Return when C is there.
  // Freeing the buffers waits too, but reports nothing.
  ladder::check(cudaStreamSynchronize(transit.down.get()));
  // END SOLUTION
}

}  // namespace dgemm
