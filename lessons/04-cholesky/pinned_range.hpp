#pragma once
/// @file
/// Given, for g4: pins memory that somebody else owns. Source: none.

#include <cstddef>
#include <source_location>

#include "common/device/cuda.hpp"

namespace cholesky {

inline void unpin(void* memory) {
  ladder::details::wait_if_unwinding();  // copies from and to it may still run
  cudaHostUnregister(memory);
}

/// Memory that is pinned as long as this object lives. All copies must be over when it ends.
struct PinnedRange : ladder::Handle<void*, unpin> {
  /// @throws ladder::Error at the caller's line when the system refuses.
  PinnedRange(void* memory, std::size_t bytes, std::source_location where = std::source_location::current())
      : Handle([&] {
          ladder::check(cudaHostRegister(memory, bytes, cudaHostRegisterDefault), where);
          return memory;
        }()) {}
};

}  // namespace cholesky
