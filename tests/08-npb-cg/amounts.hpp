#pragma once
/// @file
/// What lesson 08's rungs are measured by: the work of a problem, the necessary amounts that rungs.toml
/// names, and what the page predicts.

#include <algorithm>
#include <cmath>

#include "common/lesson/amounts.hpp"
#include "common/trace/metrics.hpp"
#include "lessons/08-npb-cg/problem.hpp"

namespace npb_cg {

constexpr int products = iterations + 1;  ///< of a call: the last one is for the norm

/// @name Necessary amounts
/// What the algorithm of a rung has to do. README.md derives them.
/// @{

/// Dot products of a call: r . r before the first iteration, two in each, and the norm.
constexpr double dots() {
  return 2 * iterations + 2;
}

/// g1: one addition to device memory per block of 256 elements of a dot product.
constexpr double block_atomics(const Problem& p, int) {
  return dots() * ((p.n + 255) / 256);
}

/// Sectors of the vector for one entry. 32 columns at random places of n / 4 sectors are in few sectors
/// less than 32.
inline double vector_sectors(double n) {
  const double all = std::max(1.0, n / 4);
  return all * (1 - std::pow(1 - 1 / all, 32)) / 32;
}

/// g2: 4 values and 8 columns in a sector. A row begins anywhere in a sector of each, so it needs 3/4 and 7/8
/// of one more on average; then two loads of row_start, and the result. In an iteration kernels for vectors
/// load or store 13 elements for each row, and 8 outside of all iterations.
inline double warp_sectors(const Problem& p, int) {
  return products * ((1 / 4.0 + 1 / 8.0 + vector_sectors(p.n)) * p.nnz + (3 / 4.0 + 7 / 8.0 + 3) * p.n) +
         (iterations * 13 + 8) * p.n / 4.0;
}

/// g1 and g2: the host copies each dot product but the norm's, and waits for it.
constexpr double dot_waits(const Problem&, int) {
  return dots() - 1;
}

/// g4: start, three kernels in each iteration, and two for the norm.
constexpr double fused_launches(const Problem&, int) {
  return 3 * iterations + 3;
}

/// g4: one addition to device memory per block of 8 rows in each product, and per block of 256 elements in
/// each of the other sums.
constexpr double fused_atomics(const Problem& p, int) {
  return products * ((p.n + 7) / 8 + (p.n + 255) / 256);
}

/// g6: a row's entries in a piece are loaded in runs of 16, which begin anywhere in a sector. Bounds take 1.2
/// per row and piece, the vector n / 4 for each of the executor's 4 blocks, d or x and the result n / 4 each.
/// In an iteration kernels for vectors load or store 9 elements for each row, and 4 outside of all
/// iterations.
inline double piece_sectors(const Problem& p, int) {
  const double n = p.n, nnz = p.nnz, pieces = std::max(1.0, std::ceil(std::floor(nnz / n) / 64));
  const double runs = nnz / 16 + n * pieces / 2;
  return products * (3 / 8.0 * nnz + (3 / 4.0 + 7 / 8.0) * runs + (1.2 * pieces + 1.5) * n) +
         (iterations * 9 + 4) * n / 4;
}

/// g7: an entry takes 10 bytes, in products as when it is rewritten, after 27 sectors of loads per 32
/// entries. Rounding to whole steps makes about 4 entries more per row and piece; starts and order are read
/// for each slice. The copies of the vector and the vectors of an iteration as in g6. Once a call, bounds and
/// order: 15 per row.
inline double slice_sectors(const Problem& p, int) {
  const double n = p.n, nnz = p.nnz, pieces = std::max(1.0, std::ceil(std::floor(nnz / n) / 64));
  const double product = 10 / 32.0 * (nnz + 4 * n * pieces) + (3 / 8.0 * pieces + 1.5) * n;
  return products * product + (27 + 12) / 32.0 * nnz + 15 * n + (iterations * 9 + 4) * n / 4;
}

/// g8: the whole grid waits for r and rho, and for d . q; at the end for z, and for the sum of the norm.
constexpr double grid_waits(const Problem&, int) {
  return 2 * iterations + 2;
}

/// g8: a block's entries and row_start are loaded once, in requests that begin anywhere in a sector. For each
/// product each of the executor's 4 blocks copies the vector; r and z are stored, once per iteration and
/// once; x is loaded by rows and once more. In an iteration each of 32 warps loads 4 sums, and a block adds
/// to 2.
constexpr double resident_sectors(const Problem& p, int) {
  constexpr double blocks = 4, warps = 32;
  const double n = p.n, entries = (8.75 + 4.875) / 32 * p.nnz;
  return entries + 13 / 8.0 * n + products * (blocks + 1) * n / 4 + blocks * (2 * warps + 2) +
         iterations * blocks * (4 * warps + 2);
}

/// m1: in each product's gather a piece goes from its rank to all others. A sum of one double over P ranks
/// sends 2 (P - 1) of them.
constexpr double piece_bytes(const Problem& p, int ranks) {
  return sizeof(double) * (ranks - 1) * (products * double(p.n) + dots() * 2);
}

/// m2: in each product's gather a piece of every rank goes to all others. A sum of one double over P ranks
/// sends 2 (P - 1) of them: for each iteration those of r . r and of d . q, and that of the norm.
constexpr double gathered_bytes(const Problem& p, int ranks) {
  const double piece = (p.n + ranks - 1) / ranks, others = ranks - 1;
  return sizeof(double) * (products * ranks * others * piece + (2 * iterations + 1) * 2 * others);
}

/// m2, by stated costs: memset and start; in each iteration gather, product or the sum of r . r, turn, the
/// sum of d . q, advance; then a copy of z, gather, measure, sum and root.
/// @param in_order  the product waits for the sum
constexpr double rank_path(const Problem& p, int ranks, bool in_order) {
  namespace cost = ladder::metrics::cost;
  const int piece = (p.n + ranks - 1) / ranks;
  const auto kernel = [](double blocks) { return cost::kernel + blocks * 256 * cost::work_item; };
  const auto message = [](double elements) {
    return cost::message + elements * sizeof(double) * cost::message_byte;
  };
  const double vectors = kernel((piece + 255) / 256), product = kernel((piece + 7) / 8);
  const double gather = message(double(piece) * (ranks - 1)), sum = message(2.0 * (ranks - 1) / ranks);
  const double iteration =
      gather + (in_order ? product + sum : std::max(product, sum)) + vectors + sum + vectors;
  const double fill = cost::device_copy + Problem::sums_of_call * sizeof(double) * cost::device_byte;
  const double copy = cost::device_copy + piece * sizeof(double) * cost::device_byte;
  const double norm = copy + gather + product + sum + cost::kernel + cost::work_item;
  return fill + vectors + iterations * iteration + norm;
}
/// While a rank multiplies, the ranks add up r . r.
constexpr double hidden_sum_seconds(const Problem& p, int ranks) {
  return rank_path(p, ranks, false);
}

/// Nothing runs without one.
constexpr double one_launch(const Problem&, int) {
  return 1;
}

/// What no program can do without: each value and each column is loaded once.
constexpr double matrix_sectors(const Problem& p, int) {
  return 12.0 * p.nnz / 32;
}
/// @}

/// @name What the page predicts
/// @{

constexpr double nnz_S = 78148;  ///< entries of class S's matrix

/// Bytes of the values and columns.
constexpr double matrix_bytes(double nnz) {
  return 12 * nnz;
}
/// @}

/// What no rung can do without: the products, four vector updates and two dot products in each iteration;
/// matrix and vectors cross the memory once, and for each further product what no device holds on its chip:
/// an H200 has 50 MB of L2, 66 MB of registers and shared memory.
constexpr ladder::Work work(const Problem& p) {
  constexpr double on_chip = 128e6;  // bytes
  const double n = p.n, nnz = p.nnz, rest = std::max(0., matrix_bytes(nnz) - on_chip);
  return {.fp64 = products * 2 * nnz + iterations * 10 * n,
          .bytes = matrix_bytes(nnz) + 20 * n + (products - 1) * rest,
          .formula =
              "26 products of 2 nnz, 250 n FP64 operations; 12 nnz + 20 n bytes, and what is over 128 MB of "
              "the matrix 25 times more"};
}

/// The amounts by the names that rungs.toml uses.
inline const ladder::Amounts amounts = {{"block_atomics", ladder::amount<block_atomics>},
                                        {"warp_sectors", ladder::amount<warp_sectors>},
                                        {"matrix_sectors", ladder::amount<matrix_sectors>},
                                        {"dot_waits", ladder::amount<dot_waits>},
                                        {"fused_launches", ladder::amount<fused_launches>},
                                        {"fused_atomics", ladder::amount<fused_atomics>},
                                        {"piece_sectors", ladder::amount<piece_sectors>},
                                        {"slice_sectors", ladder::amount<slice_sectors>},
                                        {"grid_waits", ladder::amount<grid_waits>},
                                        {"resident_sectors", ladder::amount<resident_sectors>},
                                        {"piece_bytes", ladder::amount<piece_bytes>},
                                        {"gathered_bytes", ladder::amount<gathered_bytes>},
                                        {"hidden_sum_seconds", ladder::amount<hidden_sum_seconds>},
                                        {"one_launch", ladder::amount<one_launch>}};

}  // namespace npb_cg
