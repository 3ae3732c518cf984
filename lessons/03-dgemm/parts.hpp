#pragma once
/// @file
/// The machinery of g6: how a product of matrices on the host is cut into parts, in which order these are multiplied, and
/// where a part is on its way through the device. Given: g6 says what waits for what.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

#include "common/device/cuda.hpp"
#include "dgemm.hpp"

namespace dgemm {

/// Edges of parts are multiples of this, the edge of a block's tile of C.
inline constexpr int part_grain = 128;

/// How a product is cut: parts of A are `rows` x `depth`, of B `depth` x `columns`, of C `rows` x `columns`; the last ones
/// smaller.
struct Plan {
  int rows, columns, depth;  ///< multiples of part_grain
  int of_m, of_n, of_k;      ///< parts along m, n and k
  int square;                ///< C begins with square x square parts at once; 0: not all of A and B may stay
  int kept_a, kept_b, kept_c;  ///< parts that are on the device at once
  std::size_t stage;  ///< elements of a chunk: what is in pinned memory, which takes long to allocate

  std::size_t part_a() const { return std::size_t(rows) * depth; }
  std::size_t part_b() const { return std::size_t(depth) * columns; }
  std::size_t part_c() const { return std::size_t(rows) * columns; }
  /// Elements on the device: parts of A, then of B, then of C.
  std::size_t elements() const { return before_c() + part_c() * kept_c; }
  std::size_t before_c() const { return part_a() * kept_a + part_b() * kept_b; }
  /// Rows of a chunk, where rows have so many columns.
  int rows_of_chunk(int of_columns) const { return int(stage / std::max(of_columns, 1)); }
};

/// @return a plan for so many bytes of device memory: at least two parts of each matrix, unless there are fewer.
inline Plan plan_for(const Problem& p, std::size_t bytes) {
  constexpr int grain = part_grain;
  const auto needed = [](std::size_t edge, std::size_t depth) { return 2 * edge * edge + 4 * edge * depth; };
  const std::size_t space = std::max(bytes / sizeof(double), needed(grain, grain));
  // 8 parts along the longest side: nothing overlaps the first and the last one. 8 along k, fewer if of < 2048 terms.
  const int wide = std::max(p.m, p.n) / 8, deep = std::max(p.k / 8, std::min(p.k / 2, 2048));
  int edge = grain, depth = grain;
  while (edge + grain <= wide && needed(edge + grain, edge + grain) <= space) edge += grain;
  while (depth + grain <= deep && needed(edge, depth + grain) <= space) depth += grain;
  const auto parts = [](int n, int of) { return std::max((n + of - 1) / of, 1); };  // k = 0: one, of no terms
  const auto at_most = [edge](int n) { return std::min(edge, (n + grain - 1) / grain * grain); };
  Plan plan{};
  plan.rows = at_most(p.m), plan.columns = at_most(p.n), plan.depth = depth;
  plan.of_m = parts(p.m, edge), plan.of_n = parts(p.n, edge), plan.of_k = parts(p.k, depth);
  plan.kept_c = 2;
  const std::size_t part = std::max(plan.part_a(), plan.part_b()), part_c = plan.part_c();
  const int all_a = plan.of_m * plan.of_k, all_b = plan.of_n * plan.of_k;
  // The square is as large as half of C's shorter side, if all of A and B, it, and one more part of C fit.
  const auto fits = [&](int side) { return part * (all_a + all_b) + part_c * (side * side + 1) <= space; };
  while (2 * plan.square < std::min(plan.of_m, plan.of_n) && fits(plan.square + 1)) ++plan.square;
  if (plan.square > 0) plan.kept_c = plan.square * plan.square + 1;
  const int left = int((space - part_c * plan.kept_c) / part);
  plan.kept_a = std::min(all_a, std::max(std::min(2 * plan.of_k, left / 2), left - all_b));  // of A 2 rows do
  plan.kept_b = std::min(all_b, left - plan.kept_a);
  plan.stage = std::clamp<std::size_t>(2 << 20, std::max(plan.columns, depth), std::max(part, part_c));
  return plan;
}

/// One product: an m x k part of A times a k x n part of B, for an m x n part of C.
struct Product {
  int m, n, k;         ///< its sizes
  int i0, j0, p0;      ///< its first row, column and term
  int part_a, part_b;  ///< which part of A, of B: the number of its slot's contents
  int c;               ///< which of the kept_c places on the device its part of C has
  bool first, last;    ///< of the products that are summed up in its part of C
};

/// @return the products in their order.
inline std::vector<Product> products_of(const Problem& p, const Plan& plan) {
  std::vector<std::array<int, 3>>
      order;  // i, j, q: part (i, j) of C gets part (i, q) of A times part (q, j) of B
  for (int i = 0; i < plan.of_m; ++i)
    for (int j = 0; j < plan.of_n; ++j)
      for (int q = 0; q < plan.of_k; ++q) order.push_back({i, j, q});
  // Where all of A and B may stay, C grows as a square: r rows of A and r columns of B give r^2 parts of C, so there is
  // soon more to compute than to copy. To have that from the start the first square takes its sum q by q, and grows in
  // each from one part of A and of B. After it a part takes its sum at once. Else row by row, which keeps a row of A.
  const auto turn = [&plan](const std::array<int, 3>& one) {
    const int ring = std::max(one[0], one[1]);
    return ring < plan.square ? std::array{0, one[2], ring} : std::array{ring, 0, 0};
  };
  const auto before = [&turn](const auto& one, const auto& other) { return turn(one) < turn(other); };
  if (plan.square > 0) std::stable_sort(order.begin(), order.end(), before);

  std::vector<Product> products;
  std::vector<int> places(plan.of_m *
                          plan.of_n);  // of a part of C on the device: it has one from its first product on
  int begun = 0;
  for (const auto& [i, j, q] : order) {
    int& c = places[i * plan.of_n + j];
    if (q == 0) c = begun++ % plan.kept_c;
    const int i0 = i * plan.rows, j0 = j * plan.columns, p0 = q * plan.depth;
    products.push_back({.m = std::min(plan.rows, p.m - i0),
                        .n = std::min(plan.columns, p.n - j0),
                        .k = std::min(plan.depth, p.k - p0),
                        .i0 = i0,
                        .j0 = j0,
                        .p0 = p0,
                        .part_a = i * plan.of_k + q,
                        .part_b = j * plan.of_k + q,
                        .c = c,
                        .first = q == 0,
                        .last = q + 1 == plan.of_k});
  }
  return products;
}

/// Device memory for one part of A or B.
struct Slot {
  explicit Slot(double* data) : data(data) {}
  double* data;
  int holds = -1;                                  ///< which part; -1: none
  ladder::Event arrived{cudaEventDisableTiming};   ///< the part is in the slot
  ladder::Event released{cudaEventDisableTiming};  ///< the last product that reads it has run
};

/// @return so many slots of so many elements, one after another from `memory` on.
inline std::vector<Slot> slots(double* memory, std::size_t elements, int count) {
  std::vector<Slot> all;
  for (int s = 0; s < count; ++s) all.emplace_back(memory + elements * s);
  return all;
}

/// Pinned memory of one chunk of a part on its way to the device.
struct Stage {
  explicit Stage(std::size_t elements) : data(elements) {}
  ladder::PinnedBuffer<double> data;
  ladder::Event filled{cudaEventDisableTiming};  ///< the host has copied the chunk into it
  ladder::Event sent{cudaEventDisableTiming};    ///< the chunk has left for the device
};

/// Rows that the host copies, between a matrix and pinned memory.
struct Rows {
  double* to;
  std::size_t ld_to;
  const double* from;
  std::size_t ld_from;
  int rows, columns;
};

/// A stream calls this on the host: copies the Rows at @p argument, large ones with several threads.
inline void CUDART_CB copy_rows(void* argument) noexcept {
  const Rows& r = *static_cast<const Rows*>(argument);
  constexpr std::size_t worth_a_thread = 2 << 20;  // one copies about 10 GB a second, less than PCIe moves
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
    } catch (const std::system_error&) {  // no further thread can be started
      copy_share(t);
    }
  }
  copy_share(0);
  for (std::thread& other : others) other.join();
}

}  // namespace dgemm
