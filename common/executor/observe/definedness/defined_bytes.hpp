#pragma once
/// @file
/// Which bytes of an allocation are defined: they have been written.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ladder::executor {

/// A bit for each byte.
class DefinedBytes {
 public:
  explicit DefinedBytes(std::size_t bytes) : bytes_(bytes), missing_(bytes), words_((bytes + 63) / 64) {}

  bool complete() const { return missing_ == 0; }
  bool has(std::size_t offset, std::size_t bytes) const { return first_missing(offset, bytes) == bytes; }
  /// Bytes from `offset` on that have a value, up to `bytes`.
  std::size_t first_missing(std::size_t offset, std::size_t bytes) const;
  void set(std::size_t offset, std::size_t bytes);
  void set_all() { set(0, bytes_); }

 private:
  std::uint64_t mask(std::size_t word, std::size_t begin, std::size_t end) const;

  std::size_t bytes_, missing_;
  std::vector<std::uint64_t> words_;
};

}  // namespace ladder::executor
