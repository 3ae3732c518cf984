#pragma once
/// @file
/// Sums over a launch.

#include <map>
#include <tuple>

#include "common/base/observation/observation.hpp"
#include "common/trace/oclgrind_plugin/warp_log.hpp"

namespace ladder::oclgrind_plugin {

/// The position of a warp in its launch.
struct WarpPosition {
  std::array<std::uint32_t, 3> group{};
  unsigned warp = 0;
};

/// What one place did, summed over warps.
struct PlaceTotals {
  LineCounters line;
  std::uint64_t divergent = 0;  ///< of a branch
  Execution worst{};            ///< of an access, and where it was
  Shape worst_cost;
  WarpPosition worst_at;
};

/// Sums of a work-group, or of a whole launch.
class Totals {
 public:
  void add(const Place& place, const Execution& execution, const WarpPosition& at);
  void add_fp64(std::uint64_t operations) { fp64_ += operations; }
  void add_barrier() { ++barriers_; }
  void add_group() { ++groups_; }
  void skip(const std::string& counter, const std::string& reason) { skipped_[counter] = reason; }
  void merge(const Totals& other);

  /// Names the object of an address and says where in it the address lies.
  using Locate = std::function<std::pair<std::string, std::int64_t>(Action, std::uint64_t address)>;
  /// Fills in what was counted.
  void write_to(LaunchCounters& launch, const Locate& locate) const;

 private:
  std::vector<LineCounters> lines(const Locate& locate) const;
  std::vector<BranchCounters> branches() const;

  using Key = std::tuple<const Instruction*, Action, unsigned>;
  std::map<Key, PlaceTotals> places_;
  std::map<std::string, std::string> skipped_;
  std::uint64_t barriers_ = 0, groups_ = 0, fp64_ = 0, block_lanes_ = 0, block_warps_ = 0;
};

}  // namespace ladder::oclgrind_plugin
