#pragma once
/// @file
/// Which tokens of a source stand in functions that run on the device.

#include <set>
#include <vector>

#include "common/executor/rewriter/source.hpp"

namespace ladder::rewriter {

/// Where a function runs, by the words in front of it.
enum class Side : char { host, device, both };

/// Bodies of functions that say __device__ or __global__. A macro that stands for these words is not seen.
class DeviceCode {
 public:
  explicit DeviceCode(const Source& source);
  Side side(int position) const { return sides_[static_cast<std::size_t>(position)]; }
  /// Whether the brace opens the body of a kernel.
  bool opens_kernel(int position) const { return kernels_.contains(position); }

 private:
  int body_of(int qualifier) const;
  bool says_host(int qualifier) const;

  const Source& source_;
  std::vector<Side> sides_;
  std::set<int> kernels_;  // the braces that open them
};

}  // namespace ladder::rewriter
