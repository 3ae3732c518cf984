#pragma once
/// @file
/// The old contents of the bytes that a block has written, so that its writes can be undone.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ladder::executor {

/// The bytes that stores and atomics of one block are about to overwrite. Written by the hooks: add() must
/// not call functions that the program may have instrumented.
class UndoLog {
 public:
  UndoLog();

  void clear() { next_ = 0; }
  void add(const void* address, unsigned size);
  /// False when the block has written more often than this can hold.
  bool complete() const { return next_ < capacity; }
  /// Writes the old bytes back.
  void roll_back() const;
  /// Every byte that was written, with its present value, by address.
  std::vector<std::pair<const char*, char>> current_bytes() const;

 private:
  static constexpr std::size_t capacity = std::size_t{1} << 20;
  static constexpr unsigned largest_access = 16;
  struct Entry {
    char* address;
    unsigned size;
    char bytes[largest_access];
  };

  std::unique_ptr<Entry[]> entries_;
  std::size_t next_ = 0;
};

}  // namespace ladder::executor
