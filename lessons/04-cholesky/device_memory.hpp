#pragma once
/// @file
/// Given: how much of the device's memory a rung may have.

#include <string>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace cholesky {

/// Before a rung starts: is there room for that many bytes?
/// @throws ladder::Error that says how many bytes are missing.
inline void require_device_memory(const Problem& p, std::size_t bytes) {
  std::size_t available = p.device_bytes;
  if (available == 0) {
    std::size_t total = 0;
    ladder::check(cudaMemGetInfo(&available, &total));
  }
  if (bytes > available)
    throw ladder::Error("The rung needs " + std::to_string(bytes) + " bytes of device memory and may have " +
                        std::to_string(available) + ": " + std::to_string(bytes - available) +
                        " bytes are missing.");
}

}  // namespace cholesky
