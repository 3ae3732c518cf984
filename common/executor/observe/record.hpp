#pragma once
/// @file
/// The record of a process: what its launches did, as the document that judges and reports read.

#include <cstdint>
#include <string>
#include <vector>

#include "common/executor/observe/site_counters.hpp"
#include "common/trace/observation.hpp"

namespace ladder::executor {

struct Kernel;

/// Launches since the last begin(). One thread at a time: the one that executes the queue, or one that waited for it.
class Record {
 public:
  void begin() {
    launches_.clear();
    incomplete_.clear();
  }
  void add_launch(const Kernel& kernel, const LaunchTotals& totals, const std::string& unfinished);
  /// Everything so far, with the findings.
  Observation observation(std::vector<Finding> findings) const;

 private:
  std::vector<LaunchCounters> launches_;
  std::string incomplete_;
};

}  // namespace ladder::executor
