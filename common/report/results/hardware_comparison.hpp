#pragma once
/// @file
/// The executor compared with the hardware: the counters of docs/results/MACHINE/executor.json, one line per
/// kernel, with the reasons for differences (docs/results/explained.json).

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/base/observation/observation.hpp"

namespace ladder::report {

/// A counter that executor and hardware both have, over all launches of a kernel.
struct CounterBeside {
  std::string name;
  double executor = 0, hardware = 0;  ///< sums over the launches
  double worst = 0;  ///< the largest difference of one launch, as a share of the larger count
  std::string why;   ///< why it differs; empty without a reason
};

/// The launches of one kernel of a program or step.
struct KernelBeside {
  std::string of;  ///< "atomics", "03-dgemm/g2_shared_tiles"
  std::string kernel;
  int launches = 0, compared = 0;
  std::vector<CounterBeside> counters{};  ///< those that both have

  double worst() const;
};

/// Whether a counter means the same on executor and hardware, so that a difference says something.
bool comparable(const std::string& counter);

/// Matches the launches of two observations of the same program by kernel, grid and order, since threads of
/// the host may launch them in another order; where the hardware has another grid, or another instance of a
/// template, without these.
/// @param hardware  null: it was not measured
/// @return {"kernels": [{"kernel", "launches", "compared": of these, "counters": {name: {"executor",
///   "hardware": sums of the compared launches, or of all when the hardware was not measured, "worst":
///   largest difference of one}}}], "only_hardware": {kernel: launches without a partner}}; missing parts are
///   left out
nlohmann::json launches_beside(const Observation& executor, const Observation* hardware);

/// The reasons: [{"of": names of programs or steps, "kernels": all when missing, "counters", "why"}]. "*" in
/// "of" stands for all. Empty when the checkout has none.
nlohmann::json read_explained(const std::filesystem::path& root);
/// The table of planted mistakes; empty when the checkout has none.
nlohmann::json read_planted(const std::filesystem::path& root);

/// Whether the reason is one for that counter of that kernel.
bool explains(const nlohmann::json& reason, const std::string& of, const std::string& kernel,
              const std::string& counter);

/// @param groups  the part "programs" or "solutions" of executor.json
std::vector<KernelBeside> kernels_beside(const nlohmann::json& groups, const nlohmann::json& explained);

/// A solution's counter with a larger difference than this needs a reason.
constexpr double needs_reason = 0.1;

/// Counters that differ by more than that and have no reason.
std::vector<std::string> unexplained(const std::vector<KernelBeside>& kernels);

/// Why no counter of a solution is compared: what happened, or that it has no kernel of its own; empty when
/// some are.
std::string why_not_compared(const nlohmann::json& solution);

}  // namespace ladder::report
