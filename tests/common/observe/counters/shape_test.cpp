/// @file
/// The cost of single requests, by hand.
// Guards: docs/glossary.md#access-to-memory

#include "common/base/observation/access_shape.hpp"

#include "tests/common/catch.hpp"

using ladder::Addresses;
using ladder::atomic_shape;
using ladder::global_shape;
using ladder::shared_shape;

namespace {

/// Lane i at `index(i)` elements of `size` bytes.
template <class Index>
Addresses lanes(unsigned size, Index index, std::uint32_t mask = 0xFFFFFFFFu) {
  Addresses addresses{{}, mask, size};
  for (unsigned lane = 0; lane < 32; ++lane) addresses.lane[lane] = 4096 + std::uint64_t{size} * index(lane);
  return addresses;
}

}  // namespace

TEST_CASE("one lane, no neighbours") {
  const auto shape = global_shape(lanes(
      8, [](unsigned) { return 0u; }, 1u << 17));
  CHECK(shape.sectors == 1);
  CHECK(shape.distinct_bytes == 8);
  CHECK(shape.necessary_sectors == 1);
  CHECK(shape.most_lanes_at_one_address == 1);
}

TEST_CASE("lanes in any order") {
  const auto forward = global_shape(lanes(8, [](unsigned i) { return i; }));
  const auto mixed = global_shape(lanes(8, [](unsigned i) { return i * 13 % 32; }));
  CHECK(forward.sectors == 8);
  CHECK(mixed.sectors == 8);
  CHECK(mixed.distinct_bytes == 256);
}

TEST_CASE("an access over the border of two sectors counts in both") {
  Addresses one{{}, 1, 8};
  one.lane[0] = 4096 + 28;
  CHECK(global_shape(one).sectors == 2);
}

TEST_CASE("overlapping accesses have their bytes once") {
  Addresses two{{}, 3, 8};
  two.lane[0] = 4096;
  two.lane[1] = 4100;
  CHECK(global_shape(two).distinct_bytes == 12);
}

TEST_CASE("banks") {
  for (const unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u})
    CHECK(shared_shape(lanes(4, [=](unsigned i) { return stride * i; })).wavefronts == stride);
  CHECK(shared_shape(lanes(4, [](unsigned i) { return 33 * i; })).wavefronts == 1);
  CHECK(shared_shape(lanes(4, [](unsigned) { return 7u; })).wavefronts == 1);
  CHECK(shared_shape(lanes(1, [](unsigned i) { return i; })).wavefronts == 1);
  CHECK(shared_shape(lanes(
                         4, [](unsigned i) { return 32 * i; }, 0x00FF00FFu))
            .wavefronts == 16);
}

TEST_CASE("8 bytes per lane: half-warps, together when neighbours agree") {
  CHECK(shared_shape(lanes(8, [](unsigned i) { return i; })).wavefronts == 2);
  CHECK(shared_shape(lanes(8, [](unsigned i) { return 32 * i; })).wavefronts == 32);
  CHECK(shared_shape(lanes(8, [](unsigned) { return 3u; })).wavefronts == 1);
  CHECK(shared_shape(lanes(8, [](unsigned i) { return i / 2; })).wavefronts == 1);
  CHECK(shared_shape(lanes(8, [](unsigned i) { return i / 4 * 2 + i % 2; })).wavefronts == 1);
  CHECK(shared_shape(lanes(
                         8, [](unsigned i) { return i; }, 0x0000FFFFu))
            .wavefronts == 1);
}

TEST_CASE("the least number of wavefronts is that of the lanes that are served together") {
  // 16 doubles are 128 bytes; where each half of the warp reads them, two wavefronts bring them nevertheless.
  const auto halves = shared_shape(lanes(8, [](unsigned i) { return i % 16; }));
  CHECK(halves.necessary_wavefronts == 2);
  CHECK(halves.wavefronts == 2);
  const auto conflict = shared_shape(lanes(8, [](unsigned i) { return i % 16 * 16; }));
  CHECK(conflict.necessary_wavefronts == 2);
  CHECK(conflict.wavefronts == 32);
}

TEST_CASE("16 bytes per lane: quarters") {
  CHECK(shared_shape(lanes(16, [](unsigned i) { return i; })).wavefronts == 4);
  CHECK(shared_shape(lanes(16, [](unsigned) { return 3u; })).wavefronts == 2);
  CHECK(shared_shape(lanes(16, [](unsigned i) { return i; })).necessary_wavefronts == 4);
}

TEST_CASE("atomics on doubles at one address come one after the other") {
  CHECK(atomic_shape(lanes(8, [](unsigned) { return 0u; })).sectors == 32);
  CHECK(atomic_shape(lanes(8, [](unsigned i) { return i; })).sectors == 8);
  CHECK(atomic_shape(lanes(8, [](unsigned i) { return i / 2; })).sectors == 8);
  CHECK(atomic_shape(lanes(4, [](unsigned) { return 0u; })).sectors == 32);
  CHECK(atomic_shape(lanes(4, [](unsigned i) { return i % 8; })).sectors == 4);
  CHECK(atomic_shape(lanes(4, [](unsigned i) { return i % 2; })).sectors == 16);
}
