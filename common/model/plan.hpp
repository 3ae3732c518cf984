#pragma once
/// @file
/// What the tool asks of a judge: the tool writes it as plan.json (plan_json.hpp), the judge reads it.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/process/sandbox.hpp"
#include "common/base/test_kind.hpp"
#include "common/base/verdict.hpp"
#include "common/lesson/rung.hpp"

namespace ladder {

/// What a worker may use.
struct Limits {
  double call_seconds = 20;
  std::size_t memory_bytes = 8'000'000'000;
  std::size_t output_bytes = 64 * 1024;
  std::size_t disk_bytes = std::size_t{512} << 20;  ///< of a sandboxed worker's folders
  /// Shadow memory of a sanitizer lies at addresses of its own choice: no bound on data, and no random
  /// addresses where the kernel allows that.
  bool shadow_memory = false;
  /// The process waits for the worker and ends with its exit code, or with 128 + its signal, as bubblewrap
  /// does.
  bool waits_for_worker = false;
};

/// Where points of time begin and end on this machine; see common/grade/bounds.hpp. All 0: nothing is
/// decided.
struct CalibratedTime {
  double full = 0, zero = 0, points = 0;
};

/// A kind of test that a step has failed.
struct Earlier {
  Verdict verdict = Verdict::not_run;
  std::string message{};
};

/// One step to be judged, and how its worker is started.
struct PlannedStep {
  std::string step{}, tree{}, mutant{}, backend{}, device{}, worker{}, source{}, source_hash{}, below{},
      skip{};
  std::string observed{};     ///< the worker of the executor's observed mode; empty: there is none
  std::string no_observed{};  ///< why there is none
  /// The worker of the program without the step's idea, and its name; empty: the row names nothing that is
  /// built here.
  std::string without{}, without_name{};
  std::string below_observed{};  ///< the observed worker of the step below, where its numbers are to be shown
  /// Workers of a CPU step under sanitizers, by what they look for: "races", "memory"; and why one is not
  /// there.
  std::map<std::string, std::string> sanitized{}, no_sanitized{};
  double device_bytes = 0;  ///< memory of the GPU that runs it; 0: none does, or it is not known
  std::string gpu{};        ///< the PCI address of the GPU that runs it; empty: none, or not known
  int ranks = 1;
  std::optional<Earlier> failed{};  ///< a kind of test that it has failed under another judge
  /// What the report of a mutant must say: once it does, no further case is judged and no cause looked for.
  std::optional<std::vector<std::string>> words{};
  /// "solutions/03-dgemm/g2_shared_tiles" or with "~mutant".
  std::string label() const { return tree + "/" + step + (mutant.empty() ? "" : "~" + mutant); }
  char track() const { return step[0]; }
};

/// A program that steps are compared with: the baseline, a library.
struct Peer {
  std::string name, backend, worker, device;
  std::string label{};                               ///< as tables say it: "baseline", "cuBLAS"
  std::map<std::string, std::string> environment{};  ///< next to the plan's
};

/// What a device does at best, as doctor has measured it; 0: not known.
struct Ceilings {
  double fp64 = 0;               ///< operations per second; a multiply-add is two
  bool fp64_tensor = false;      ///< fp64 is the rate of tensor cores
  double fp64_vector = 0;        ///< without them
  double fp32 = 0, integer = 0;  ///< operations per second, too
  double memory = 0, cache = 0;  ///< bytes per second
  double cache_bytes = 0;  ///< of the caches that `cache` is about, and of what is between them and memory
  double to_device = 0, from_device = 0;  ///< bytes per second between the host's memory and the device's
  std::string why_not{};                  ///< why there are none
};

/// What a judge is to do.
struct Plan {
  Lesson table{};  ///< of the lesson
  std::string lesson{}, verb = "check", root{}, scratch{}, results{};
  std::string confine{};             ///< the launcher of workers
  std::optional<Sandbox> sandbox{};  ///< around workers of the tree "submissions", and no others
  std::string caches{};              ///< where drivers' caches lie, one for each step
  std::uint64_t seed = 0;
  std::string key{};  ///< 64 hexadecimal digits: all inputs come from it, and not from the seed; empty: none
  bool key_is_secret = false;   ///< it is in no message and no record
  std::string private_tests{};  ///< their folder as typed, where check judges by them: messages repeat it
  int only_case = -1;           ///< correctness: this case alone, by its place among the step's; -1: all
  int size = 0;                 ///< 0: the sizes of the lesson's tests
  std::string file{};           ///< the problem is read from this file; empty: from none
  int pairs = 15;
  double cell_seconds = 0;  ///< for a cell of a table; 0: the judge's usual
  /// A file that the tool makes when nothing of its own works next to a judge that times; empty: none.
  std::string quiet{};
  std::vector<std::string>
      under{};  ///< kind hardware: a program of the user's own, with its arguments, in the place of ncu
  std::string only{};  ///< of a reproduction: tables with this in their titles; "": all
  Limits limits{};
  std::vector<TestKind> kinds{};
  std::vector<PlannedStep> steps{};
  std::vector<Peer> peers{};
  std::vector<Peer> variants{};  ///< what only reproductions run
  std::map<std::string, std::string>
      recorders{};  ///< by back end: the shared object, or "" with the reason below
  std::map<std::string, std::string> no_recorder{};  ///< by back end: why there is none
  std::map<std::string, std::string> environment{};
  std::map<std::string, Ceilings> ceilings{};  ///< by back end
  /// By step, instead of what its row says.
  std::map<std::string, CalibratedTime> time_bounds{};
  std::string powercap = "/sys/class/powercap";  ///< where the kernel shows counters of energy
  std::string nvml = "libnvidia-ml.so.1";        ///< the NVIDIA driver's library that reads them

  /// Whether the call asks for one problem, and not for those of the lesson's tests.
  bool states_problem() const { return size > 0 || !file.empty(); }
  bool wants(TestKind kind) const { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); }
  /// The shared object that records what a program of that back end does; "": none was built.
  std::string recorder_of(const std::string& backend) const {
    const auto found = recorders.find(backend);
    return found == recorders.end() ? "" : found->second;
  }
};

}  // namespace ladder
