#pragma once
/// @file
/// Given, for t2 to t5: what a program asks of a device once, not at each panel: attributes of kernels, the
/// size of a cluster. Source: none.

#include <map>
#include <mutex>
#include <utility>

#include "common/device/cuda.hpp"

namespace lu {

/// @param kernel  what is asked about
/// @param ask     sets or asks something for the current device, and returns a number. If it throws, nothing
/// is known, and the next call asks again
/// @return the number that `ask` returned for this kernel on the current device: two devices may differ
/// @throws ladder::Error
template <class Ask>
int once_per_device(const void* kernel, const Ask& ask) {
  static std::mutex mutex;
  // Of this place in the program: Ask is a type of its own.
  static std::map<std::pair<int, const void*>, int> known;
  int device = 0;
  ladder::check(cudaGetDevice(&device));
  const std::lock_guard lock(mutex);
  const std::pair key(device, kernel);
  auto found = known.find(key);
  if (found == known.end()) found = known.emplace(key, ask()).first;
  return found->second;
}

}  // namespace lu
