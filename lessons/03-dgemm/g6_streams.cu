/// @file
/// g6: streams. The matrices are on the host, and may be larger than the device's memory: parts of them go through it.
/// In g5 they were on the device. Here copies of the next parts and of finished ones run beside the products.
/// Source: work D, future work ("CUDA streams and asynchronous copies").

#include <cuda_pipeline.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <system_error>
#include <thread>
#include <vector>

#include "common/device/cuda.hpp"
#include "dgemm.hpp"

namespace dgemm {
namespace {

constexpr int R = 8;         // a thread computes R x R elements of C
constexpr int threads = 16;  // of a block in x and in y
constexpr int tile = threads * R;
constexpr int depth = 8;  // terms of the sum in one pass

/// Begins to copy one double to shared memory past the registers; to a zero where it is not inside the matrix.
__device__ void copy(double* to, const double* from, bool inside) {
  __pipeline_memcpy_async(to, from, sizeof *to, inside ? 0 : sizeof *to);
}

/// Reads two neighbours from shared memory in one request.
/// @param from  at a multiple of 16 bytes
__device__ void read_two(double* to, const double* from) {
  const double2 both = *reinterpret_cast<const double2*>(from);
  to[0] = both.x;
  to[1] = both.y;
}

/// g5's kernel, and one thing more: it can add to what is in C.
__global__ void __launch_bounds__(threads* threads)
    multiply(int m, int n, int k,                            // the sum has k terms
             const double* __restrict__ A, std::size_t lda,  // m x k, lda
             const double* __restrict__ B, std::size_t ldb,  // k x n, ldb
             double* __restrict__ C, std::size_t ldc,        // m x n, ldc
             bool add) {                                     // C += A B; else C = A B
  __shared__ alignas(16) double As[2][depth][tile + 2];
  __shared__ alignas(16) double Bs[2][depth][tile];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int tx = warp % 2 * 8 + lane / 8 * 2 + lane / 2 % 2;
  const int ty = warp / 2 * 4 + lane / 4 % 2 * 2 + lane % 2;
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile;

  const auto bring = [&](int p0, int buffer) {
    for (int e0 = 0; e0 < tile * depth; e0 += threads * threads) {
      const int e = e0 + thread;
      const int i = e / depth, p = e % depth;
      copy(&As[buffer][p][i], A + (row0 + i) * lda + p0 + p, row0 + i < m && p0 + p < k);
      const int q = e / tile, j = e % tile;
      copy(&Bs[buffer][q][j], B + (p0 + q) * ldb + col0 + j, p0 + q < k && col0 + j < n);
    }
    __pipeline_commit();
  };

  bring(0, 0);
  double sum[R][R] = {};
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < R; ++j) {
      const int row = row0 + 2 * ty + threads * (i - i % 2) + i % 2;
      const int col = col0 + 2 * tx + threads * (j - j % 2) + j % 2;
      if (add && row < m && col < n) sum[i][j] = C[row * ldc + col];
    }
  for (int p0 = 0, now = 0; p0 < k; p0 += depth, now = 1 - now) {
    __pipeline_wait_prior(0);
    __syncthreads();
    if (p0 + depth < k) bring(p0 + depth, 1 - now);
    const auto& An = As[now];
    const auto& Bn = Bs[now];
#pragma unroll
    for (int p = 0; p < depth; ++p) {
      double a[R], b[R];
      for (int i = 0; i < R; i += 2) read_two(&a[i], &An[p][2 * ty + threads * i]);
      for (int j = 0; j < R; j += 2) read_two(&b[j], &Bn[p][2 * tx + threads * j]);
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) sum[i][j] += a[i] * b[j];
    }
  }
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < R; ++j) {
      const int row = row0 + 2 * ty + threads * (i - i % 2) + i % 2;
      const int col = col0 + 2 * tx + threads * (j - j % 2) + j % 2;
      if (row < m && col < n) C[row * ldc + col] = sum[i][j];
    }
}

/// Rows that the host copies, between a matrix and pinned memory.
struct Rows {
  double* to;
  std::size_t ld_to;
  const double* from;
  std::size_t ld_from;
  int rows, columns;
};

/// A stream calls this on the host: copies the Rows at @p argument, large ones with several threads.
void CUDART_CB copy_rows(void* argument) noexcept {
  const Rows& r = *static_cast<const Rows*>(argument);
  constexpr std::size_t worth_a_thread = 2 << 20;  // one copies about 10 GB a second, less than a link moves
  const int most = std::clamp(int(std::thread::hardware_concurrency()), 1, 8);
  const int team = std::clamp(int(r.rows * r.columns * sizeof(double) / worth_a_thread), 1, most);
  const auto copy_share = [&r, team](int t) {
    for (std::int64_t i = std::int64_t(r.rows) * t / team; i < std::int64_t(r.rows) * (t + 1) / team; ++i)
      std::memcpy(r.to + i * r.ld_to, r.from + i * r.ld_from, r.columns * sizeof(double));
  };
  std::vector<std::thread> others;
  for (int t = 1; t < team; ++t) {
    try {
      others.emplace_back(copy_share, t);
    } catch (const std::system_error&) {  // no thread is to be had
      copy_share(t);
    }
  }
  copy_share(0);
  for (std::thread& other : others) other.join();
}

/// How a product is cut: parts of A are `rows` x `depth`, of B `depth` x `columns`, of C `rows` x `columns`; the last ones
/// smaller.
struct Plan {
  int rows, columns, depth;    // multiples of tile
  int of_m, of_n, of_k;        // parts along m, n and k
  int square;                  // C begins with square x square parts at once; 0: not all of A and B may stay
  int kept_a, kept_b, kept_c;  // parts that are on the device at once
  std::size_t stage;           // elements of a piece: what is in pinned memory, which takes long to allocate

  std::size_t part_a() const { return std::size_t(rows) * depth; }
  std::size_t part_b() const { return std::size_t(depth) * columns; }
  std::size_t part_c() const { return std::size_t(rows) * columns; }
};

/// @return a plan for so many bytes of device memory: at least two parts of each matrix, unless there are fewer.
Plan plan_for(const Problem& p, std::size_t bytes) {
  const auto needed = [](std::size_t edge, std::size_t depth) { return 2 * edge * edge + 4 * edge * depth; };
  const std::size_t room = std::max(bytes / sizeof(double), needed(tile, tile));
  // 8 parts along the longest side: nothing overlaps the first and the last one. 8 along k, fewer if of < 2048 terms.
  const int wide = std::max(p.m, p.n) / 8, deep = std::max(p.k / 8, std::min(p.k / 2, 2048));
  int edge = tile, depth = tile;
  while (edge + tile <= wide && needed(edge + tile, edge + tile) <= room) edge += tile;
  while (depth + tile <= deep && needed(edge, depth + tile) <= room) depth += tile;
  const auto parts = [](int n, int of) { return std::max((n + of - 1) / of, 1); };  // k = 0: one, of no terms
  const auto at_most = [edge](int n) { return std::min(edge, (n + tile - 1) / tile * tile); };
  Plan plan{};
  plan.rows = at_most(p.m), plan.columns = at_most(p.n), plan.depth = depth;
  plan.of_m = parts(p.m, edge), plan.of_n = parts(p.n, edge), plan.of_k = parts(p.k, depth);
  plan.kept_c = 2;
  const std::size_t part = std::max(plan.part_a(), plan.part_b()), part_c = plan.part_c();
  const int all_a = plan.of_m * plan.of_k, all_b = plan.of_n * plan.of_k;
  // The square is as large as half of C's shorter side, if all of A and B, it, and one more part of C have room.
  const auto fits = [&](int side) { return part * (all_a + all_b) + part_c * (side * side + 1) <= room; };
  while (2 * plan.square < std::min(plan.of_m, plan.of_n) && fits(plan.square + 1)) ++plan.square;
  if (plan.square > 0) plan.kept_c = plan.square * plan.square + 1;
  const int left = int((room - part_c * plan.kept_c) / part);
  plan.kept_a = std::min(all_a, std::max(std::min(2 * plan.of_k, left / 2), left - all_b));  // of A 2 rows do
  plan.kept_b = std::min(all_b, left - plan.kept_a);
  plan.stage = std::clamp<std::size_t>(2 << 20, std::max(plan.columns, depth), std::max(part, part_c));
  return plan;
}

/// @return the products in their order, as i, j, q: part (i, j) of C gets part (i, q) of A times part (q, j) of B.
std::vector<std::array<int, 3>> order_of(const Plan& plan) {
  std::vector<std::array<int, 3>> order;
  for (int i = 0; i < plan.of_m; ++i)
    for (int j = 0; j < plan.of_n; ++j)
      for (int q = 0; q < plan.of_k; ++q) order.push_back({i, j, q});
  // Where all of A and B may stay, C grows as a square: r rows of A and r columns of B give r^2 parts of C, so there is
  // soon more to compute than to copy. To have that from the start the first square takes its sum q by q, and grows in
  // each from one part of A and of B. After it a part takes its sum at once. Else row by row, which keeps a row of A.
  const auto turn = [&plan](const std::array<int, 3>& product) {
    const int ring = std::max(product[0], product[1]);
    return ring < plan.square ? std::array{0, product[2], ring} : std::array{ring, 0, 0};
  };
  const auto before = [&turn](const auto& one, const auto& other) { return turn(one) < turn(other); };
  if (plan.square > 0) std::stable_sort(order.begin(), order.end(), before);
  return order;
}

/// Room on the device for one part of A or B.
struct Slot {
  explicit Slot(double* data) : data(data) {}
  double* data;
  int holds = -1;                                  // which part; -1: none
  ladder::Event arrived{cudaEventDisableTiming};   // the part is there
  ladder::Event released{cudaEventDisableTiming};  // the last product that reads it has run
};

/// Pinned memory of one piece of a part on its way to the device.
struct Stage {
  explicit Stage(std::size_t elements) : data(elements) {}
  ladder::PinnedBuffer<double> data;
  ladder::Event filled{cudaEventDisableTiming}, sent{cudaEventDisableTiming};
};

}  // namespace

/// C = A B for matrices on the host, with at most p.device_bytes of device memory at once.
/// @throws ladder::Error when the device refuses a call, or has too little memory.
void streams(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;  // nothing to compute, and a grid must not be empty
  std::size_t bytes = p.device_bytes;
  // TASK, 4 lines: Where the problem states no bytes, nine tenths of the device's free memory.
  ladder::task();  // Delete this line when you start.
  const Plan plan = plan_for(p, bytes);
  const std::size_t of_a = plan.part_a() * plan.kept_a, of_b = plan.part_b() * plan.kept_b;

  std::deque<Rows> copies;  // read when a stream comes to them: must not move, and outlive the streams' work
  const ladder::DeviceBuffer<double> memory(of_a + of_b + plan.part_c() * plan.kept_c);
  std::vector<Slot> slots_a, slots_b;
  for (int s = 0; s < plan.kept_a; ++s) slots_a.emplace_back(memory.get() + plan.part_a() * s);
  for (int s = 0; s < plan.kept_b; ++s) slots_b.emplace_back(memory.get() + of_a + plan.part_b() * s);
  std::array<Stage, 2> stages{Stage(plan.stage), Stage(plan.stage)};
  const ladder::PinnedBuffer<double> finished(plan.stage);
  const auto rows_of_piece = [&plan](int columns) { return int(plan.stage / std::max(columns, 1)); };
  std::vector<ladder::Event> computed(plan.kept_c), taken(plan.kept_c);  // of the parts of C on the device
  // Each does one kind of work: the host fills stages, the link up, the multiprocessors, the link down.
  const ladder::Stream fill(cudaStreamNonBlocking), up(cudaStreamNonBlocking), compute(cudaStreamNonBlocking),
      down(cudaStreamNonBlocking);

  const auto record = [](const ladder::Event& event, const ladder::Stream& stream) {
    ladder::check(cudaEventRecord(event.get(), stream.get()));
  };
  const auto wait = [](const ladder::Stream& stream, const ladder::Event& event) {  // as last recorded
    ladder::check(cudaStreamWaitEvent(stream.get(), event.get()));
  };
  const auto let_host_copy = [&](const ladder::Stream& stream, const Rows& rows) {
    ladder::check(cudaLaunchHostFunc(stream.get(), copy_rows, &copies.emplace_back(rows)));
  };

  // Brings a part of A or B to the device unless it is there. `part_number`: which of the matrix.
  int sent = 0;
  const auto bring = [&](std::vector<Slot>& slots, int part_number, const double* from, std::size_t ld,
                         int rows, int columns) -> Slot& {
    Slot& slot = slots[part_number % slots.size()];
    if (slot.holds == part_number) return slot;
    slot.holds = part_number;
    // TASK, 14 lines: Piece by piece: in stream `fill` the host copies rows to a stage, in stream `up` they go to the slot.
    //  Take the two stages in turn: stages[sent++ % 2]. A stage is filled again only when it was sent; a slot gets a new
    //  part only when it is released. Nobody waits for more than that. The slot's event `arrived` says that all is there.
    return slot;
  };

  std::vector<int> place(plan.of_m * plan.of_n);  // of a part of C on the device
  int begun = 0;
  for (const auto [i, j, q] : order_of(plan)) {
    const int i0 = i * plan.rows, m = std::min(plan.rows, p.m - i0);
    const int j0 = j * plan.columns, n = std::min(plan.columns, p.n - j0);
    const int p0 = q * plan.depth, k = std::min(plan.depth, p.k - p0);
    int& c = place[i * plan.of_n + j];
    if (q == 0) c = begun++ % plan.kept_c;
    double* const C = memory.get() + of_a + of_b + plan.part_c() * c;
    Slot& a = bring(slots_a, i * plan.of_k + q, p.A + std::size_t(i0) * p.lda + p0, p.lda, m, k);
    Slot& b = bring(slots_b, j * plan.of_k + q, p.B + std::size_t(p0) * p.ldb + j0, p.ldb, k, n);
    // TASK, 8 lines: Launch the product of the two parts in stream `compute`: C is m x n without padding, and from
    //  the second q on it is added to. Which events must it wait for, and what does it release?
    if (q + 1 < plan.of_k) continue;
    // TASK, 11 lines: In stream `down`: when this part of C is computed it goes to `finished`, and from there the host
    //  copies it to p.C, piece by piece. When its last piece has left, the part's room on the device is free again.
  }
  // TASK, 1 line: Return when C is there.
}

}  // namespace dgemm
