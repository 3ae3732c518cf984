#pragma once
/// @file
/// How g7 cuts a product of matrices on the host into parts, and in which order these are multiplied. Given.

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "problem.hpp"

namespace dgemm {

/// Edges of parts are multiples of this, the edge of a block's tile of C.
inline constexpr int part_grain = 128;

/// Streams in which products run side by side. With `fill`, `up` and `down` they are 7: a device has 8 queues
/// unless CUDA_DEVICE_MAX_CONNECTIONS says more, and streams that share one wait for each other.
inline constexpr int product_streams = 4;

/// How a product is cut: parts of A are `rows` x `depth`, of B `depth` x `columns`, of C `rows` x `columns`;
/// the last ones smaller.
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

/// @return the edge of parts of C, a multiple of part_grain, as long as parts with `fits(edge)` allow it. It
/// takes 8 parts along the longest side: nothing overlaps the first and the last one. But products of so
/// small parts may leave multiprocessors idle. Then it takes fewer, down to 4.
template <class Fits>
int edge_of_parts(const Problem& p, int multiprocessors, Fits&& fits) {
  constexpr int grain = part_grain;
  const int longest = std::max(p.m, p.n);
  // A product has a block for each tile of its part of C: in all streams at once, at least one per
  // multiprocessor.
  const auto blocks = [&p](int edge) {
    const auto tiles = [edge](int n) { return std::size_t(std::min(edge, n) + grain - 1) / grain; };
    return product_streams * tiles(p.m) * tiles(p.n);
  };
  int edge = grain;
  while (fits(edge + grain) && edge + grain <= longest / 4 &&
         (edge + grain <= longest / 8 || blocks(edge) < std::size_t(multiprocessors)))
    edge += grain;
  return edge;
}

/// @return a plan for that many bytes of device memory: at least two parts of each matrix, unless there are
/// fewer.
inline Plan plan_for(const Problem& p, std::size_t bytes, int multiprocessors) {
  constexpr int grain = part_grain;
  const auto needed = [](std::size_t edge, std::size_t depth) { return 2 * edge * edge + 4 * edge * depth; };
  const std::size_t space = std::max(bytes / sizeof(double), needed(grain, grain));
  const int edge =
      edge_of_parts(p, multiprocessors, [&](int longer) { return needed(longer, longer) <= space; });
  // 8 parts along k, fewer if of < 2048 terms.
  const int deep = std::max(p.k / 8, std::min(p.k / 2, 2048));
  int depth = grain;
  while (depth + grain <= deep && needed(edge, depth + grain) <= space) depth += grain;
  const auto parts = [](int n, int of) { return std::max((n + of - 1) / of, 1); };  // k = 0: one, of no terms
  const auto at_most = [edge](int n) { return std::min(edge, (n + grain - 1) / grain * grain); };
  Plan plan{};
  plan.rows = at_most(p.m), plan.columns = at_most(p.n), plan.depth = depth;
  plan.of_m = parts(p.m, edge), plan.of_n = parts(p.n, edge), plan.of_k = parts(p.k, depth);
  plan.kept_c = 2;
  const std::size_t part = std::max(plan.part_a(), plan.part_b()), part_c = plan.part_c();
  const int all_a = plan.of_m * plan.of_k, all_b = plan.of_n * plan.of_k, all_c = plan.of_m * plan.of_n;
  // The square is as large as half of C's shorter side, if all of A and B, it, and one more part of C fit.
  const auto fits = [&](std::size_t parts_of_c) {
    return part * (all_a + all_b) + part_c * parts_of_c <= space;
  };
  const auto square_fits = [&](int side) { return fits(side * side + 1); };
  while (2 * plan.square < std::min(plan.of_m, plan.of_n) && square_fits(plan.square + 1)) ++plan.square;
  if (const int square = plan.square * plan.square; square > 0) {
    plan.kept_c = square + 1;  // and where there is space, as many more as are computed at once
    while (plan.kept_c < square + product_streams && fits(plan.kept_c + 1)) ++plan.kept_c;
    plan.kept_c = std::min(plan.kept_c, all_c);
  }
  const int left = int((space - part_c * plan.kept_c) / part);
  plan.kept_a = std::min(all_a, std::max(std::min(2 * plan.of_k, left / 2), left - all_b));  // of A 2 rows do
  plan.kept_b = std::min(all_b, left - plan.kept_a);
  constexpr std::size_t chunk = (std::size_t(4) << 20) / sizeof(double);
  plan.stage = std::clamp(chunk, std::size_t(std::max(plan.columns, depth)), std::max(part, part_c));
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
  // Where all of A and B may stay, C grows as a square: r rows of A and r columns of B give r^2 parts of C,
  // so there is soon more to compute than to copy. To have that from the start the first square takes its sum
  // q by q, and grows in each from one part of A and of B. After it a part takes its sum at once. Else row by
  // row, which keeps a row of A.
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

}  // namespace dgemm
