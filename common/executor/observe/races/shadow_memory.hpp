#pragma once
/// @file
/// Shadow memory of the race detection: which threads last wrote and read each part of an object.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ladder::executor {

/// Number of a record of an access (AccessRecord). Later accesses have larger ones; 0: none.
using AccessId = std::uint32_t;

/// The last accesses to eight bytes; to four, or to one, where threads access so few at a time.
///
/// Three readers are enough to find a race with any later writer: the last one, one of another warp of its
/// block, and one of another block.
struct ShadowCell {
  std::uint64_t value = 0;  ///< after the last write
  AccessId writer = 0, reader = 0;
  std::uint32_t reading_lanes = 0;  ///< of `reader`'s warp
  AccessId other_warp = 0, other_block = 0;
  std::uint8_t writing_lane = 0, reading_warp = 0, other_warp_lane = 0, other_block_lane = 0;

  /// In writing_lane: `writer` has begun an asynchronous copy, and has not waited for it.
  static constexpr std::uint8_t copying = 0x80;
  bool is_copying() const { return writing_lane & copying; }
  unsigned writers_lane() const { return writing_lane & 31u; }
};

/// The cells of one object. A page is allocated at the first access to it.
class ShadowRegion {
 public:
  static constexpr std::size_t page_bytes = 1024;
  static constexpr std::uint8_t largest_shift = 3;

  /// A part of the object whose cells are all of one size.
  struct Page {
    std::unique_ptr<ShadowCell[]> cells;
    std::uint8_t shift = largest_shift;  ///< log2 of the bytes of a cell: 3, 2 or 0
    AccessId touched = 0;                ///< last access
  };

  /// The page of that offset, with cells that are small enough for an access of `bytes` bytes there.
  Page& page(std::size_t offset, std::size_t bytes) {
    const std::size_t number = offset / page_bytes;
    if (number >= pages_.size()) pages_.resize(number + 1);
    Page& page = pages_[number];
    if (!page.cells) page.cells = std::make_unique<ShadowCell[]>(page_bytes >> page.shift);
    if (((offset | bytes) & ((std::size_t{1} << page.shift) - 1)) != 0)
      split(page, ((offset | bytes) & 3) != 0 ? 0 : 2);
    return page;
  }
  const std::vector<Page>& pages() const { return pages_; }
  /// The bits of a value that a cell holds.
  static constexpr std::uint64_t mask_of(std::uint8_t shift) {
    return ~std::uint64_t{0} >> (64 - (8 << shift));
  }
  /// Forgets everything, because the numbers of accesses have started again from 1.
  void begin_generation(std::uint32_t generation) {
    if (generation_ == generation) return;
    generation_ = generation;
    pages_.clear();
    touched = 0;
  }
  /// Last access to any of them.
  AccessId touched = 0;

 private:
  /// Makes several cells of each.
  static void split(Page& page, std::uint8_t shift);

  std::vector<Page> pages_;
  std::uint32_t generation_ = 0;
};

}  // namespace ladder::executor
