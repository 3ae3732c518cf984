#pragma once
/// @file
/// What the observed mode tells of a run: counters of each launch and source line, and findings.
///
/// The executor writes it as JSON (schema "gpu-ladder-observation/1", the same names as here); judge, report
/// and the tables against hardware read it. The OpenCL plugin and `ncu` are read into the same structure.

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// A line of the student's file, as seen from the project's folder where it lies inside.
struct SourceLine {
  std::string file{};
  int line = 0;
};

/// One warp's execution of one access, kept as an example for the picture: the worst of its line.
struct WarpAccess {
  std::array<std::uint32_t, 3> block{};
  unsigned warp = 0;       ///< in the block
  std::uint32_t mask = 0;  ///< lanes that took part
  /// 32: bytes from the beginning of the object, or of the shared memory; -1: lane not there, or in another
  /// object.
  std::vector<std::int64_t> at{};
  std::string object{};  ///< "As", "dA", or "allocation at file:line"
};

/// What one source line asked of one kind of memory, over a whole launch.
struct LineCounters {
  SourceLine site{};
  std::string space{};               ///< global, shared, local
  std::string operation{};           ///< load, store, atomic
  unsigned size = 0;                 ///< bytes per lane
  std::uint64_t requests = 0;        ///< executions by a warp
  std::uint64_t lanes = 0;           ///< executions by a lane: bytes asked for = lanes * size
  std::uint64_t distinct_bytes = 0;  ///< summed over the requests
  std::uint64_t sectors = 0;         ///< global: 32-byte sectors
  std::uint64_t necessary_sectors =
      0;                         ///< global: of distinct_bytes, request by request, as if they lay together
  std::uint64_t wavefronts = 0;  ///< shared
  std::uint64_t necessary_wavefronts =
      0;  ///< shared: of distinct words, request by request, without conflicts
  std::uint64_t most_lanes_at_one_address = 0;  ///< atomics: largest contention of a request
  std::uint64_t intervals = 0;     ///< shared: between two barriers, in which it was executed, of all blocks
  std::uint64_t object_bytes = 0;  ///< shared: of the array
  std::optional<WarpAccess> worst{};
};

/// A branch of the source: decisions of warps.
struct BranchCounters {
  SourceLine site{};
  std::uint64_t executed = 0;   ///< by warps
  std::uint64_t divergent = 0;  ///< executed, and the lanes of the warp went both ways
  std::uint64_t idle =
      0;  ///< lanes that waited for others, or had left, since they parted here, at each basic block
};

/// One launch of a kernel; or several of one kernel and line, summed, when a record would be too long
/// otherwise.
struct LaunchCounters {
  std::string kernel{};
  SourceLine site{};
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t static_shared = 0, dynamic_shared = 0;  ///< bytes per block
  std::optional<unsigned> registers{};                  ///< from ptxas, where nvcc is
  std::uint64_t launches = 1;         ///< more: grid, block and shared memory are those of the largest
  std::uint64_t blocks = 0;           ///< of several launches: all their blocks; of one: see all_blocks()
  std::uint64_t observed_blocks = 0;  ///< fewer than all: counters are of these only
  /// By name: global_load_requests, global_store_requests, global_load_sectors, global_store_sectors,
  /// global_bytes, distinct_global_bytes, necessary_sectors, shared_load_requests, shared_store_requests,
  /// shared_load_wavefronts, shared_store_wavefronts, necessary_wavefronts, global_atomics (executions by a
  /// lane), global_atomic_requests, global_atomic_sectors, shared_atomics, shared_atomic_requests, barriers
  /// (executions by a block), most_barriers and grid_barriers (of one block), warp_barriers, idle_blocks
  /// (observed blocks that stored nothing to device memory), idle_accesses (of these, by lanes), branches
  /// (executed by warps), divergent_branches, instructions_lanes, instructions_warps (basic blocks: their
  /// ratio is active lanes a warp), local_bytes, fp64_operations, fp64_instructions, conversions.
  std::map<std::string, double> counters{};
  std::map<std::string, std::string> skipped{};  ///< counters that are not known here, with the reason
  std::vector<LineCounters> lines{};
  std::vector<BranchCounters> branches{};

  std::uint64_t all_blocks() const {
    return launches > 1 ? blocks : std::uint64_t{1} * grid[0] * grid[1] * grid[2];
  }
};

/// Something wrong, or suspicious, in what the threads did.
struct Finding {
  /// shared-race, global-race, out-of-bounds, use-after-free, uninitialised, barrier, shuffle, early-read,
  /// missing-dependence, host-access, leak, misaligned, null, exited-before-barrier, same-value-race,
  /// invalid-free, read-only, launch, lost-text, stack-overflow, endless
  std::string kind{};
  std::string severity{};  ///< error, warning, note
  std::string kernel{};    ///< empty: the host's program
  SourceLine site{};
  std::array<std::uint32_t, 3> block{}, thread{};
  std::string operation{};  ///< read, write, atomic, barrier, shuffle, copy, …
  struct Other {
    SourceLine site{};
    std::array<std::uint32_t, 3> block{}, thread{};
    std::string operation{};
  };
  std::optional<Other> other{};  ///< the other party
  std::string address{};         ///< "As[3][17]", "dA + 1234 (of 1000)"
  std::string message{};         ///< one line: what, where, who
  std::string meaning{};         ///< one sentence: why that matters
  std::uint64_t count = 1;       ///< how often the same was seen
  bool fatal = false;            ///< the program could not go on from there
};

/// Where the results of a call come from: elements of its outputs that it has changed, and that are not zero.
struct ResultOrigin {
  std::uint64_t elements = 0;
  std::uint64_t of_kernels =
      0;  ///< those whose value a kernel, or a library of the device, has stored somewhere
  /// Of these, what the host had copied to the device before a kernel stored it, and what is no input and no
  /// whole number.
  std::uint64_t uploaded = 0;
  bool known = true;  ///< false: kernels have stored too many values to keep them
};

/// One access of one thread, in the order of the run.
struct ThreadAccess {
  SourceLine site{};
  std::array<std::uint32_t, 3> block{}, thread{};
  std::string operation{};  ///< read, write, atomic
  std::string address{};    ///< "As[3][17]"
  bool global = false;      ///< device memory
};

/// All that one observed run told.
struct Observation {
  std::string device = "executor";
  std::vector<LaunchCounters> launches{};
  std::vector<Finding> findings{};
  std::optional<ResultOrigin> results{};  ///< of a step's call
  std::vector<ThreadAccess> accesses{};   ///< the first ones, where the run was asked for them
  std::string incomplete{};               ///< why something is missing; empty: nothing is
  std::string
      summed{};  ///< which launches are in the record as sums, so that it is not too long; empty: none

  /// A counter summed over the launches whose kernel's name contains `kernel`; nothing when it is unknown in
  /// one of them.
  std::optional<double> sum(std::string_view counter, std::string_view kernel = "") const;
  /// Findings of that severity.
  std::size_t findings_of(std::string_view severity) const;
  /// Blocks of all launches, and how many of them were observed.
  struct Blocks {
    std::uint64_t observed = 0, all = 0;
  };
  Blocks blocks() const;
};

/// What the JSON of an observation calls itself.
inline constexpr std::string_view observation_schema = "gpu-ladder-observation/1";

/// Reads the JSON document. It may come from a hostile process: sizes are bounded, unknown fields are
/// ignored.
/// @throws ladder::Error for a document that is not one
Observation parse_observation(std::string_view text);
nlohmann::json to_json(const Observation& observation);

}  // namespace ladder
