#pragma once
/// @file
/// Counters of one launch by code address, and the tables that contain them.

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "common/base/observation/access_shape.hpp"
#include "common/executor/observe/counters/request.hpp"

namespace ladder::executor {

/// A request as an example of its line: the one that costs most above what is necessary.
struct Example {
  std::uint64_t block = 0;
  unsigned warp = 0;
  std::uint32_t mask = 0;
  unsigned excess = 0;             ///< sectors or wavefronts above the necessary, or lanes at one address
  const Object* object = nullptr;  ///< lives until the launch ends
  const char* begin = nullptr;     ///< of the object then
  const char* end = nullptr;       ///< of the object then
  std::array<std::uint64_t, 32> address{};
};

/// The counters of one access in the code, for one launch.
struct SiteCounters {
  std::uint32_t code = 0;
  Space space = Space::unknown;
  Operation operation = Operation::load;
  unsigned size = 0;
  std::uint64_t requests = 0, lanes = 0, distinct_bytes = 0;
  std::uint64_t sectors = 0, necessary_sectors = 0, wavefronts = 0, necessary_wavefronts = 0;
  std::uint64_t most_lanes_at_one_address = 0;
  std::uint64_t intervals = 0;     ///< between barriers, in which it was executed: summed over the blocks
  std::uint64_t object_bytes = 0;  ///< of the largest object that it accessed
  std::optional<Example> worst;

  void count(const Request& request, const Addresses& addresses);
  void add(const SiteCounters& other);

 private:
  void keep_example(const Request& request, const Shape& shape);

  std::uint64_t last_block_ = ~std::uint64_t{0};
  unsigned last_interval_ = 0;  // of that block

  /// Most requests look like the one before: the same distances between lanes. Their shape is kept.
  struct Last {
    std::array<std::uint64_t, 32> distance{};
    std::uint32_t mask = 0;
    unsigned phase = 0;
    Shape shape;
  } last_;
};

/// A conditional jump of the code.
struct SiteBranches {
  std::uint32_t code = 0;
  std::uint64_t executed = 0, divergent = 0;
  std::uint64_t idle =
      0;  ///< lanes, summed over the blocks that were executed without them after they parted here
  void add(const SiteBranches& other) {
    executed += other.executed;
    divergent += other.divergent;
    idle += other.idle;
  }
};

/// A basic block of the code: how often it was executed.
struct SiteBlock {
  std::uint64_t warps = 0, lanes = 0;
  void add(const SiteBlock& other) {
    warps += other.warps;
    lanes += other.lanes;
  }
};

/// Values by a key; the last ones used are found without a search.
template <class Value>
class SiteTable {
 public:
  Value& at(std::uint64_t key) {
    Slot& slot = recent_[key * 0x9E3779B97F4A7C15u >> 56];
    if (slot.value && slot.key == key) return *slot.value;
    slot = {key, &all_[key]};
    return *slot.value;
  }
  const std::unordered_map<std::uint64_t, Value>& all() const { return all_; }
  std::unordered_map<std::uint64_t, Value>& all() { return all_; }
  void clear() {
    all_.clear();
    recent_.fill({});
  }

 private:
  struct Slot {
    std::uint64_t key;
    Value* value;
  };
  std::array<Slot, 256> recent_{};
  std::unordered_map<std::uint64_t, Value> all_;
};

/// All counters of one launch, or of the part of it that one CPU thread ran.
struct LaunchTotals {
  SiteTable<SiteCounters> sites;
  SiteTable<SiteBranches> branches;
  SiteTable<SiteBlock> blocks;  ///< by code
  std::uint64_t observed_blocks = 0, barriers = 0, warp_barriers = 0;
  std::uint64_t most_barriers = 0;  ///< of one block
  std::uint64_t grid_barriers = 0;  ///< that one block has passed
  std::uint64_t accesses = 0;       ///< by lanes
  std::uint64_t results = 0;        ///< requests that stored to device memory, or changed it
  std::uint64_t idle_blocks = 0;    ///< blocks without such a request
  std::uint64_t idle_accesses = 0;  ///< of these blocks, by lanes
  /// Static shared variables that were touched, by their beginning on that thread of the machine.
  std::unordered_map<const char*, std::size_t> shared_variables;
  std::size_t static_shared = 0;  ///< bytes per block, of the totals added

  void add(const LaunchTotals& other);
  void clear();
};

}  // namespace ladder::executor
