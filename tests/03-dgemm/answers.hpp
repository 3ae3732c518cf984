#pragma once
/// @file
/// The values in the answers of lesson 03's page.

#include <algorithm>
#include <vector>

#include "common/trace/metrics.hpp"
#include "dgemm.hpp"

namespace dgemm::test {

inline Problem order(int n) {
  return {.m = n, .n = n, .k = n, .lda = n, .ldb = n, .ldc = n};
}

inline std::vector<ladder::Answer> answers() {
  // c1: blocks of 64 x 64.
  constexpr int rows = 768 / 64;
  // g3: a warp's loads of As and Bs for a term, in wavefronts.
  constexpr double of_a = 8, of_b = 8 * 2, neighbour = 16;
  const Problem n256 = order(256);
  const double least = load_wavefronts(n256, 1),
               neighbours = wavefronts_with(of_a + 8 * neighbour, n256) / least;
  const double g3 = wavefronts_with(of_a + of_b, n256) / least;
  const double strided = strided_sectors(n256, 1) / naive_sectors(n256, 1);
  const double g1_to_g2 = naive_sectors(n256, 1) / tiled_sectors(n256, 1);
  const double all_of_a = sent_bytes_with_all_of_a(order(192), 3) / sent_bytes(order(192), 3);
  // g6: n = 512 in parts of A of 128 x 256, of B of 256 x 128. Stated costs in microseconds.
  namespace cost = ladder::metrics::cost;
  constexpr int ups = 16, products = 32, downs = 16;
  const double us = 1e6;
  const double up = us * (cost::transfer + 8 * 128 * 256 * cost::transfer_byte);
  const double down = us * (cost::transfer + 8 * 128 * 128 * cost::transfer_byte);
  const double product = us * (cost::kernel + 256 * cost::work_item);
  const double sum = ups * up + products * product + downs * down;
  const double longest = 12 * up + product + 10 * down, other = ups * up + 7 * product + down;

  return {{"c1.rows", load_imbalance(rows, 8), 2},
          {"c1.blocks", load_imbalance(rows * rows, 8), 2},
          {"g1.sectors", naive_sectors(order(64), 1)},
          {"g1.strided", strided_sectors(order(64), 1)},
          {"g1.strided_ratio", strided, 1},
          {"g2.sectors", tiled_sectors(order(64), 1)},
          {"g2.g1_ratio", g1_to_g2, 1},
          {"g3.per_term", of_a + of_b},
          {"g3.ratio", g3, 2},
          {"g3.neighbour_load", neighbour},
          {"g3.neighbours", neighbours, 1},
          {"g4.requests", load_requests(n256, 1)},
          {"g4.of_g3", 2 * load_requests(n256, 1)},
          {"g5.barriers", pass_barriers(n256, 1)},
          {"g5.of_g4", 2 * pass_barriers(n256, 1)},
          {"g6.up", up, 2},
          {"g6.down", down, 2},
          {"g6.product", product, 2},
          {"g6.sum", sum},
          {"g6.chain", std::max(longest, other) / sum, 3},
          {"g6.other_path", other},
          {"g6.one_queue", (ups * up + downs * down) / sum, 2},
          {"m1.bytes", sent_bytes(order(192), 3)},
          {"m1.all_of_a", all_of_a, 2},
          {"l1.g1_to_g2", naive_sectors(order(1024), 1) / tiled_sectors(order(1024), 1), 1}};
}

}  // namespace dgemm::test
