#pragma once
/// @file
/// Memory that the judge shares with a worker. It has no name in any file system, so nothing can be left
/// over.

#include <cstddef>

#include "common/judge/worker/channel.hpp"

namespace ladder {

class SharedMemory {
 public:
  SharedMemory() = default;
  /// @throws ladder::Error when there is not enough memory.
  SharedMemory(const char* name, std::size_t bytes);
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  std::byte* data() const { return base_; }
  std::size_t size() const { return bytes_; }
  /// A descriptor for writing.
  int descriptor() const { return file_.get(); }
  /// Forbids writing except through the existing mapping. @return a descriptor for reading only.
  Descriptor seal();

 private:
  Descriptor file_;
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace ladder
