#pragma once
/// @file
/// The counters of a launch as the hardware counted them, through NVIDIA's profiler ncu: how it is called,
/// and what its CSV says, in the structure of the observed mode.

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/observation/observation.hpp"

namespace ladder {

/// One metric of ncu and the counter that it is. A counter may be the sum of several metrics.
struct NcuMetric {
  const char* name;     ///< "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
  const char* counter;  ///< "global_load_sectors": a name of LaunchCounters::counters
  double factor;        ///< a multiply-add is two operations
};

/// All metrics that are asked for.
std::span<const NcuMetric> ncu_metrics();

/// What ncu is to count for some counters, in the order of its table. A word that is no counter is a name of
/// ncu's own.
/// @param counted  separated by blanks, as Metric::counted has them
std::vector<std::string> ncu_names(std::string_view counted);

/// The command that profiles a program and prints CSV on its standard output, the program's own output before
/// it.
/// @param ncu      path of ncu
/// @param program  the program and its arguments
/// @param kernels  counts launches of those whose names have one of these in them, by kernel_base_name;
/// empty: of all
std::vector<std::string> ncu_command(const std::string& ncu, const std::vector<std::string>& program,
                                     const std::set<std::string>& kernels = {});

/// The command for metrics of one's own choice, by the names that ncu has for them.
/// @param cold  the caches are emptied before each launch; else they hold what ran before left there
std::vector<std::string> ncu_command(const std::string& ncu, std::span<const char* const> metrics, bool cold);

/// A launch and what was counted of it, by ncu's names; what the device does not have is not there.
struct NcuLaunch {
  std::string kernel;
  std::map<std::string, double> values;
};

/// Reads what that command printed. @throws ladder::Error that says in one line why there are no numbers
std::vector<NcuLaunch> parse_ncu(std::string_view output, std::span<const char* const> metrics);

/// Reads what the command for all metrics printed. A metric that ncu does not know on this device stands in
/// LaunchCounters::skipped.
/// @throws ladder::Error that says in one line why there are no numbers (permission, no kernel, no table)
Observation parse_ncu(std::string_view output);

/// Why ncu could not profile, in one line with what to do; nothing when its output names no error.
std::optional<std::string> ncu_problem(std::string_view output);

/// The kernel's own name: "copy" of "void <unnamed>::copy<64>(int, const double *)", "multiply" of
/// "multiply<T>".
std::string kernel_base_name(std::string_view name);

}  // namespace ladder
