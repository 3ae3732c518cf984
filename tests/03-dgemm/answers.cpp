/// @file
/// The values in the answers of lesson 03's page.

#include <algorithm>
#include <cmath>
#include <vector>

#include "amounts.hpp"
#include "common/trace/metrics.hpp"
#include "plan.hpp"

namespace dgemm::test {
namespace {

Problem order(int n) {
  return {.m = n, .n = n, .k = n, .lda = n, .ldb = n, .ldc = n};
}

std::vector<ladder::Answer> answers() {
  // c1: blocks of 64 x 64.
  constexpr int rows = 768 / 64;
  // c2: the tile of C with AVX-512, and terms that are packed at once.
  constexpr int tile_rows = 8, tile_vectors = 3, lanes = 8, depth = 256;
  // g3: a warp's loads of As and Bs for a term, in wavefronts.
  constexpr double of_a = 8, of_b = 8 * 2, neighbour = 16;
  // g6: wavefronts of the 8 warps of a block for 8 terms.
  const auto block_reads = [](double per_term) { return 8 * 8 * per_term; };
  // t1: what half a warp's 16 doubles of A and of B take without padding.
  constexpr double unpadded_a = 2, unpadded_b = 4, stored_a = 2;
  // t2: a stage with its padding, and a part without.
  constexpr double stage = 8.0 * (128 * (8 + 4) + 8 * (128 + 4)), part = 8.0 * 2 * 128 * 8;
  // t3: tiles of 128 x 128 at n = 8192, one per multiprocessor of an H200; wavefronts of a load of pairs
  // without a swizzle.
  constexpr int across = 8192 / 128, wave = 132;
  constexpr double plain_a = 8, plain_b = 16, pairs_a = 4, pairs_b = 8, min_load = 4;
  const auto of_pairs = [](double a, double b) {
    return ((pairs_a * a + pairs_b * b) / (pairs_a + pairs_b) / min_load * 3 + 1) / 4;
  };
  // t5: the moduli, and a load of four words of eight rows that begin in two banks.
  double moduli_bits = 0;
  for (const int m : {256, 255, 253, 251, 247, 241, 239, 233, 229, 227, 223, 217, 211, 199, 197, 193})
    moduli_bits += std::log2(m);
  constexpr double in_place = 4;
  const Problem n256 = order(256);
  const double least = load_wavefronts(n256, 1),
               neighbours = wavefronts_with(of_a + 8 * neighbour, n256) / least;
  const double g3 = wavefronts_with(of_a + of_b, n256) / least;
  const double strided = strided_sectors(n256, 1) / naive_sectors(n256, 1);
  // t4: multiprocessors of an H200; the passes of a tile of the target, and one block's share of them on the
  // executor.
  constexpr int h200 = 132;
  constexpr double passes = 8 * 128 / 16, share = passes / 2;
  const double g1_to_g2 = naive_sectors(n256, 1) / tiled_sectors(n256, 1);
  const double all_of_a = sent_bytes_with_all_of_a(order(192), 3) / sent_bytes(order(192), 3);
  // g7: n = 512 in parts of A of 128 x 256, of B of 256 x 128. Stated costs in microseconds.
  namespace cost = ladder::metrics::cost;
  constexpr int ups = 16, products = 32, downs = 16;
  const double us = 1e6;
  const double up = us * (cost::transfer + 8 * 128 * 256 * cost::transfer_byte);
  const double down = us * (cost::transfer + 8 * 128 * 128 * cost::transfer_byte);
  const double product = us * (cost::kernel + 256 * cost::work_item);
  const double sum = ups * up + products * product + downs * down;
  const double longest = 12 * up + product + 10 * down, other = ups * up + product + 4 * down;
  constexpr double streams = product_streams;
  // m3: n = 512 on 2 x 2 ranks, in four panels. Rank 3 receives two of them and packs its parts of two.
  constexpr double block = 256, half_panel = 8 * block * 128;
  const double fill = us * (cost::device_copy + 8 * block * block * cost::device_byte);
  const double packed = us * (cost::device_copy + half_panel * cost::device_byte);
  const double received = us * (cost::message + half_panel * cost::message_byte);
  const double panel = us * (cost::kernel + block * block * cost::work_item);
  const double panels_sum = fill + 4 * (packed + received + panel);
  const double first_panels =
      std::max(2 * received + panel, 4 * received);  // until panel 1 can be multiplied

  return {{"c1.rows", load_imbalance(rows, 8), 2},
          {"c1.blocks", load_imbalance(rows * rows, 8), 2},
          {"c2.of_c1", 6.0 / 4, 1},
          {"c2.loads", loads_with_tile(tile_rows, tile_vectors), 2},
          {"c2.flat_loads", loads_with_tile(1, tile_rows * tile_vectors), 2},
          {"c2.panel_b", 8.0 * depth * tile_vectors * lanes},
          {"c2.copies", 2.0 / 768 * 1000, 1},
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
          {"g6.registers", (8 * 8 + 2 * (8 + 8)) * 2},
          {"g6.reads", block_reads(8 + 8)},
          {"g6.reads_of_g5", block_reads(of_a + of_b)},
          {"g6.of_g5", g3, 2},
          {"g6.clocks", 8 * 8 * 8 * 32 / 64},  // 8 warps of 64 sums per lane; 64 FP64 units
          {"g7.up", up, 2},
          {"g7.down", down, 2},
          {"g7.product", product, 2},
          {"g7.sum", sum},
          {"g7.chain", std::max(longest, other) / sum, 3},
          {"g7.other_path", other},
          {"g7.products", 1 / streams, 2},
          {"g7.one_queue", (ups * up + downs * down) / sum, 2},
          {"m1.bytes", sent_bytes(order(192), 3)},
          {"m1.all_of_a", all_of_a, 2},
          {"m2.bytes", panel_bytes(order(192), 4)},
          {"m2.in_line", panel_bytes_in_line(order(192), 4) / panel_bytes(order(192), 4), 1},
          {"m3.receives", 2 * received, 1},
          {"m3.product", panel, 1},
          {"m3.longest", fill + first_panels + 3 * panel},
          {"m3.sum", panels_sum},
          {"m3.chain", (fill + first_panels + 3 * panel) / panels_sum, 3},
          {"m3.bytes", 2 * 2 * half_panel},
          {"t1.load_of_b", 2 * unpadded_b},
          {"t1.per_pass", 8 * 2 + 16 * 2},
          {"t1.ratio", (3 + (stored_a + 1) / 2) / 4, 3},
          {"t1.unpadded", ((8 * 2 * unpadded_a + 16 * 2 * unpadded_b) / 16 + 1) / 4, 2},
          {"t1.of_g5", wavefronts_with(of_a + of_b, n256) / fragment_wavefronts(n256, 1), 2},
          {"t2.stage", stage},
          {"t2.shared", 4 * stage},
          {"t2.part", part},
          {"t2.ahead", 4 * part},
          {"t2.barriers", pass_barriers(n256, 1)},
          {"t2.two_barriers", 2 * pass_barriers(n256, 1) / pass_barriers(n256, 1), 1},
          {"t3.load_of_a", plain_a},
          {"t3.load_of_b", plain_b},
          {"t3.least", min_load},
          {"t3.plain", of_pairs(plain_a, plain_b), 2},
          {"t3.rows_in_order", of_pairs(plain_a, min_load), 2},
          {"t3.of_t2", (3 + (stored_a + 1) / 2) / 4, 3},
          {"t3.by_rows", double(strips_of_wave(wave, across, 1))},
          {"t3.in_bands", double(strips_of_wave(wave, across, 8))},
          {"t3.strips", double(strips_of_wave(wave, across, 1)) / strips_of_wave(wave, across, 8), 1},
          {"t3.shared", 3 * 8.0 * 2 * 128 * 16},
          {"t4.tiles", 1024 / 64 * (1024 / 128)},
          {"t4.gain",
           double(passes_in_waves(1024, 1024, 1024, h200)) / passes_in_shares(1024, 1024, 1024, h200), 1},
          {"t4.flat", passes_in_shares(64, 4096, 4096, h200)},
          {"t4.gain_flat",
           double(passes_in_waves(64, 4096, 4096, h200)) / passes_in_shares(64, 4096, 4096, h200), 1},
          {"t4.one_block", (passes + 1) / share, 1},
          {"t4.bytes", 8.0 * 64 * 128},
          {"t5.bits", moduli_bits, 1},
          {"t5.in_place", in_place},
          {"t5.ratio", (3 * in_place + 1) / 4, 2},
          {"l1.g1_to_g2", naive_sectors(order(1024), 1) / tiled_sectors(order(1024), 1), 1}};
}

/// The limits in plain units, and what other rungs need in these units: per 1,000 multiply-adds.
std::vector<ladder::Answer> limits() {
  const Problem n256 = order(256), n128 = order(128);
  const double each = 1000 / (256.0 * 256 * 256), of_128 = 1000 / (128.0 * 128 * 128);
  // g2: for 32 multiply-adds a wavefront of A and two of B; each tile of 32 x 32 is stored, 16 doubles at
  // once
  constexpr double g2 = 3.0 / 32 + 2.0 * 32 * 32 / 16 / (32 * 32 * 32);
  const double fragments = each * fragment_wavefronts(n256, 1), t2_of_t3 = 9.0 / 8;
  const double loaded_bytes = 8 * 256.0 * 256 * 256 / 64;
  return {
      {"g1.limit", each * naive_sectors(n256, 1), 0, {"g1_naive", "naive_sectors", 256}},
      {"g2.limit", each * tiled_sectors(n256, 1), 0, {"g2_shared_tiles", "tiled_sectors", 256}},
      {"g3.limit", each * load_wavefronts(n256, 1), 0, {"g3_register_tiles", "load_wavefronts", 256}},
      {"g3.of_g2", 1000 * g2},
      {"g4.limit", loaded_bytes / load_requests(n256, 1), 0, {"g4_vector_loads", "load_requests", 256, true}},
      {"g4.request", 32.0 * 16},
      {"g6.limit", each * load_wavefronts(n256, 1), 1, {"g6_warp_tiles", "load_wavefronts", 256}},
      {"g6.wavefronts_of_g5", each * wavefronts_with(8 + 8 * 2, n256), 1},
      {"t1.limit", fragments, 2, {"t1_tensor_cores", "fragment_wavefronts", 256}},
      {"t1.wavefronts_of_g5", each * wavefronts_with(8 + 8 * 2, n256), 1},
      {"t3.limit", fragments, 1, {"t3_swizzle", "fragment_wavefronts", 256}},
      {"t3.wavefronts_of_t2", fragments * t2_of_t3, 1},
      {"t4.limit",
       shared_barriers({.m = 128, .n = 128, .k = 1024}, 1),
       0,
       {"t4_split_k", "shared_barriers", 128}},
      {"t5.limit", of_128 * residue_wavefronts(n128, 1), 2, {"t5_residues", "residue_wavefronts", 128}},
  };
}

}  // namespace
}  // namespace dgemm::test

std::vector<ladder::Answer> ladder::page_answers() {
  std::vector<Answer> all = dgemm::test::answers();
  for (const Answer& limit : dgemm::test::limits()) all.push_back(limit);
  return all;
}
