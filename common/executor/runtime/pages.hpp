#pragma once
/// @file
/// The unit of memory protection.

#include <unistd.h>

#include <cstddef>

namespace ladder::executor {

/// Bytes of a page: 4096 nearly everywhere, more on some 64-bit Arm systems.
inline std::size_t page_size() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

/// `bytes` rounded up to whole pages.
inline std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_size() - 1) / page_size() * page_size();
}

}  // namespace ladder::executor
