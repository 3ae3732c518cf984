#pragma once
/// @file
/// Reads of uninitialised device memory.

#include <functional>
#include <map>
#include <vector>

#include "common/executor/observe/race_shadow.hpp"

namespace ladder::executor {

/// Follows which bytes of allocations were written, by kernels, copies and fills.
class UnwrittenJudge {
 public:
  std::function<void(const UnwrittenRead&)> on_unwritten;

  void begin_launch() { reads_.clear(); }
  void take(const Request& request);
  /// A value that another thread wrote at the same time is a race and not reported again.
  void end_launch(const RaceShadow& shadow);

 private:
  void read(const Request& request, unsigned lane, const TrackedObject& object, std::size_t offset);

  std::map<std::uint32_t, std::vector<UnwrittenRead>> reads_;  // by code
};

}  // namespace ladder::executor
