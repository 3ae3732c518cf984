#include "common/executor/observe/definedness/defined_bytes.hpp"

#include <algorithm>
#include <bit>

namespace ladder::executor {

/// The bits of that word which belong to the bytes from `begin` to `end`.
std::uint64_t DefinedBytes::mask(std::size_t word, std::size_t begin, std::size_t end) const {
  const std::size_t first = std::max(begin, word * 64) - word * 64,
                    last = std::min(end, word * 64 + 64) - word * 64;
  const std::uint64_t below = last == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << last) - 1;
  return below & ~((std::uint64_t{1} << first) - 1);
}

std::size_t DefinedBytes::first_missing(std::size_t offset, std::size_t bytes) const {
  const std::size_t end = std::min(offset + bytes, bytes_);
  for (std::size_t word = offset / 64; word * 64 < end; ++word) {
    const std::uint64_t missing = mask(word, offset, end) & ~words_[word];
    if (missing != 0) return word * 64 + static_cast<std::size_t>(std::countr_zero(missing)) - offset;
  }
  return bytes;
}

void DefinedBytes::set(std::size_t offset, std::size_t bytes) {
  const std::size_t end = std::min(offset + bytes, bytes_);
  for (std::size_t word = offset / 64; word * 64 < end; ++word) {
    const std::uint64_t added = mask(word, offset, end) & ~words_[word];
    words_[word] |= added;
    missing_ -= static_cast<std::size_t>(std::popcount(added));
  }
}

}  // namespace ladder::executor
