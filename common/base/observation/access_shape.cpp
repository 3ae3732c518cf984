#include "common/base/observation/access_shape.hpp"

#include <algorithm>

namespace ladder {
namespace {

/// Up to 32 sorted values; in most requests they are in order already.
struct Sorted {
  std::array<std::uint64_t, 32> value;
  unsigned count = 0;

  Sorted(const Addresses& addresses, std::uint32_t mask) {
    bool in_order = true;
    for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
      const std::uint64_t next = addresses.lane[static_cast<unsigned>(__builtin_ctz(rest))];
      in_order &= count == 0 || value[count - 1] <= next;
      value[count++] = next;
    }
    if (!in_order) std::sort(value.begin(), value.begin() + count);
  }
};

unsigned pieces(unsigned amount, unsigned piece) {
  return (amount + piece - 1) / piece;
}

/// Fills in what both kinds of memory have: distinct bytes, also where accesses overlap, and the contention.
Shape common_shape(const Sorted& sorted, unsigned size) {
  Shape shape;
  std::uint64_t end = 0;  // of the bytes counted so far
  unsigned same = 0;
  for (unsigned i = 0; i < sorted.count; ++i) {
    const std::uint64_t begin = sorted.value[i];
    const std::uint64_t from = i == 0 ? begin : std::max(begin, end);
    if (begin + size > from) shape.distinct_bytes += static_cast<unsigned>(begin + size - from);
    end = std::max(end, begin + size);
    same = i > 0 && begin == sorted.value[i - 1] ? same + 1 : 1;
    shape.most_lanes_at_one_address = std::max(shape.most_lanes_at_one_address, same);
  }
  return shape;
}

/// Wavefronts, and how few they would be if all banks shared the work.
struct Passes {
  unsigned taken = 0, necessary = 0;

  Passes operator+(Passes other) const { return {taken + other.taken, necessary + other.necessary}; }
};

/// A bank serves one word per wavefront: the largest number of distinct words that these lanes read from one.
Passes passes(const Addresses& addresses, std::uint32_t mask) {
  if (!mask) return {};
  const Sorted sorted(addresses, mask);
  std::array<std::uint8_t, banks> words{};
  unsigned most = 0, all = 0;
  std::uint64_t next = 0;  // the first word not counted yet
  for (unsigned i = 0; i < sorted.count; ++i) {
    const std::uint64_t first = sorted.value[i] / 4, last = (sorted.value[i] + addresses.size - 1) / 4;
    for (std::uint64_t word = i == 0 ? first : std::max(first, next); word <= last; ++word, ++all)
      most = std::max<unsigned>(most, ++words[word % banks]);
    next = std::max(next, last + 1);
  }
  return {most, pieces(all, banks)};
}

/// Whether each lane's neighbour at that distance is inactive or has the same address.
bool in_pairs(const Addresses& addresses, std::uint32_t mask, unsigned distance) {
  for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    if ((mask >> (lane ^ distance) & 1) && addresses.lane[lane] != addresses.lane[lane ^ distance])
      return false;
  }
  return true;
}

/// Wavefronts of two groups of lanes: together when neighbours have the same address, else one group after
/// the other.
Passes passes_of_both(const Addresses& addresses, std::uint32_t low, std::uint32_t high) {
  const std::uint32_t both = low | high;
  if (in_pairs(addresses, both, 1) || in_pairs(addresses, both, 2)) return passes(addresses, both);
  return passes(addresses, low) + passes(addresses, high);
}

/// Distinct sectors of sorted addresses.
unsigned sectors_of(const Sorted& sorted, unsigned size) {
  unsigned sectors = 0;
  std::uint64_t next = 0;
  for (unsigned i = 0; i < sorted.count; ++i) {
    const std::uint64_t first = sorted.value[i] / sector_bytes;
    const std::uint64_t last = (sorted.value[i] + size - 1) / sector_bytes;
    const std::uint64_t from = i == 0 ? first : std::max(first, next);
    if (last + 1 > from) sectors += static_cast<unsigned>(last + 1 - from);
    next = std::max(next, last + 1);
  }
  return sectors;
}

}  // namespace

Shape global_shape(const Addresses& addresses) {
  const Sorted sorted(addresses, addresses.mask);
  Shape shape = common_shape(sorted, addresses.size);
  shape.sectors = sectors_of(sorted, addresses.size);
  shape.necessary_sectors = pieces(shape.distinct_bytes, sector_bytes);
  return shape;
}

Shape atomic_shape(const Addresses& addresses) {
  Shape shape = global_shape(addresses);
  shape.sectors = 0;
  // Each round serves one lane of each address.
  Addresses rest = addresses;
  while (rest.mask) {
    const std::uint32_t before = rest.mask;
    Addresses round = rest;
    round.mask = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      bool taken = !(before >> lane & 1);
      for (unsigned other = 0; other < lane && !taken; ++other)
        taken = (round.mask >> other & 1) && rest.lane[other] == rest.lane[lane];
      if (!taken) round.mask |= 1u << lane;
    }
    shape.sectors += sectors_of(Sorted(round, round.mask), round.size);
    rest.mask &= ~round.mask;
  }
  return shape;
}

/// 8 bytes per lane: two half-warps. 16 bytes per lane: two halves of two quarters. Checked against an H200
/// with ncu.
Shape shared_shape(const Addresses& addresses) {
  const std::uint32_t mask = addresses.mask;
  Shape shape = common_shape(Sorted(addresses, mask), addresses.size);
  Passes all;
  if (addresses.size <= 4)
    all = passes(addresses, mask);
  else if (addresses.size == 8)
    all = passes_of_both(addresses, mask & 0x0000FFFFu, mask & 0xFFFF0000u);
  else
    all = passes_of_both(addresses, mask & 0x000000FFu, mask & 0x0000FF00u) +
          passes_of_both(addresses, mask & 0x00FF0000u, mask & 0xFF000000u);
  shape.wavefronts = all.taken;
  shape.necessary_wavefronts = all.necessary;
  return shape;
}

}  // namespace ladder
