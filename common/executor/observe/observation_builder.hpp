#pragma once
/// @file
/// The observation of a process: what its launches did, as the document that judges and reports read.

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/observation/observation.hpp"
#include "common/executor/observe/counters/site_counters.hpp"

namespace ladder::executor {

struct Kernel;

/// Launches since the last begin(). One thread at a time: the one that executes the queue, or one that waited
/// for it.
///
/// However many launches there are, the observation stays short enough to be read: the first ones are listed
/// singly, later ones are summed by kernel and line.
class ObservationBuilder {
 public:
  void begin() { *this = {}; }
  /// @param why_less why the launch was not observed as a whole; empty: it was
  void add_launch(const Kernel& kernel, const LaunchTotals& totals, const std::string& why_less);
  /// Everything so far, with the findings.
  Observation observation(std::vector<Finding> findings) const;

 private:
  void keep(LaunchCounters launch);

  std::vector<LaunchCounters> launches_;
  std::size_t entries_ = 0;                  // lines and branches of launches that are listed singly
  std::size_t alone_ = 0;                    // number of these launches; sums follow them
  std::uint64_t summed_ = 0, left_out_ = 0;  // launches
  std::string why_less_;                     // of the first launch
  std::uint64_t more_less_ = 0;              // launches
};

}  // namespace ladder::executor
