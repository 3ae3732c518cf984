/// @file
/// The values in the answers of the lesson's page, computed by the lesson's functions.

#include "amounts.hpp"

/// Name, value, decimals: the page has <!-- = g1.atomics -->16,384<!-- . -->.
std::vector<ladder::Answer> ladder::page_answers() {
  using namespace npb_is;
  constexpr double bins_of_C = 1 << 23;
  const Problem judged{.n = 1 << 14, .bins = 1 << 10};
  return {
      {"c1.table", bucket_bytes(bins_of_C, 1) / (1 << 20)},
      {"c1.bucket", bucket_bytes(bins_of_C, 256) / (1 << 10)},
      {"g1.limit", key_atomics(judged, 1) / double(judged.n), 1, {"g1_global_atomics", "key_atomics", 14}},
      {"g1.atomics", key_atomics(judged, 1)},
      {"g1.barriers", scan_barriers(judged.bins, 512)},
      {"g1.barriers_C", scan_barriers(bins_of_C, 512)},
      {"g2.barriers", look_back_barriers(judged, 1)},
      {"g3.limit", bucket_atomics(judged, 1) / double(judged.n), 2, {"g3_buckets", "bucket_atomics", 14}},
      {"g3.atomics", bucket_atomics(judged, 1)},
      {"g3.keys_per_run", tile_keys / buckets(bins_of_C)},
      {"g3.bucket", bucket_bytes(bins_of_C, buckets(bins_of_C)) / (1 << 10)},
      {"g4.requests", vector_requests(judged, 1)},
      {"g4.in_flight_g3", 2048 * 4 / double(1 << 10)},
      {"g4.in_flight", 2048 * 16 / double(1 << 10)},
      {"g5.limit", tile_sectors(judged, 1), 0, {"g5_sorted_tiles", "tile_sectors", 14}},
      {"g5.sectors", tile_sectors(judged, 1)},
      {"g5.keys_per_run", sorted_tile / buckets(bins_of_C, large_buckets)},
      {"g5.counts", bucket_bytes(bins_of_C, large_buckets) / (1 << 10)},
      {"g6.limit", small_tile_sectors(judged, 1), 0, {"g6_one_launch", "small_tile_sectors", 14}},
      {"g6.tiles_g5", tiles_of(1 << 16, sorted_tile)},
      {"g6.keys_W", (1 << 20) / 132.0},
      {"g6.rows_W", tile_rows(1 << 20, 132)},
      {"g6.tiles_W", tiles_of(1 << 20, 512 * tile_rows(1 << 20, 132))},
      {"g2.blocks_C", tiles_of(bins_of_C, 4096)},
  };
}
