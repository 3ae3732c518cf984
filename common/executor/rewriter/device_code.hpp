#pragma once
/// @file
/// Which tokens of a source are in functions that run on the device.

#include <map>
#include <string>
#include <vector>

#include "common/executor/rewriter/rewriter.hpp"

namespace ladder::rewriter {

/// Where a function runs, by the words in front of it.
enum class Side : char { host, device, both };

/// Bodies of functions that say __device__ or __global__, or a macro that stands for it.
class DeviceCode {
 public:
  /// Adds the source's macros to `all`.
  DeviceCode(const Source& source, Kernels& all);
  Side side(int position) const { return sides_[static_cast<std::size_t>(position)]; }
  /// Whether the brace opens the body of a kernel.
  bool opens_kernel(int position) const { return kernels_.contains(position); }
  /// The arguments of the __launch_bounds__ of the kernel whose body that brace opens; empty when it has
  /// none.
  std::string launch_bounds(int position) const;

 private:
  int body_of(int qualifier) const;
  bool opens_requirements(int brace) const;
  bool says_host(int qualifier) const;
  std::string bounds_at(int position) const;
  void find_bounds();

  const Source& source_;
  const std::map<std::string, Word>& words_;
  std::vector<Side> sides_;
  std::map<int, int> kernels_;                  // the braces that open them, with their __global__
  std::map<std::string, std::string>& bounds_;  // of headers, too
};

}  // namespace ladder::rewriter
