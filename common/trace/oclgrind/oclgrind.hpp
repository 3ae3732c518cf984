#pragma once
/// @file
/// Counts of executed instructions of OpenCL kernels, from the simulator Oclgrind (`oclgrind --inst-counts`).

#include <map>
#include <string>
#include <string_view>

namespace ladder {

/// Executed instructions: kernel, instruction ("br", "load global", "call sqrt"), how often over all its
/// launches.
using InstructionCounts = std::map<std::string, std::map<std::string, double>>;

/// Reads what Oclgrind prints to standard output after each launch. Other lines (the program's own output)
/// are skipped.
InstructionCounts parse_instruction_counts(std::string_view text);

/// Executed branch instructions (br, switch) of the kernels whose name contains `kernel`; all for "".
/// Oclgrind counts after its compiler has optimised: a loop is one branch a turn, a select is none. Jumps
/// without a condition count too: Oclgrind does not distinguish them.
/// @throws ladder::Error when no kernel of that name was counted.
double branches(const InstructionCounts& counts, std::string_view kernel = "");

/// How a process is started so that its OpenCL calls go to Oclgrind. No wrapper program, so that the process
/// id, descriptors and limits stay the caller's. OPENCL_LAYERS must not be in its environment: no layer under
/// Oclgrind.
struct Oclgrind {
  std::string library;  ///< the runtime to preload; empty: not installed
  std::string missing;  ///< why it can't be used, as a reason for SKIPPED; empty: it can
  /// Our plugin (oclgrind_plugin/); empty: not built. It counts, names buffers in messages, and chooses
  /// work-group sizes that the program leaves open.
  std::string plugin{};

  using Environment = std::map<std::string, std::string>;  ///< variables to add to the process's
  /// Instructions are counted and printed.
  Environment environment_of_instructions() const;
  /// Counts by warps, written as a record of observation.hpp. Needs the plugin.
  Environment environment_of_counters(const std::string& record) const;
  /// Looks for mistakes, written as a text for parse_oclgrind_log(). Uninitialised reads and races
  /// in which all write the same value are reported with the plugin only: Oclgrind alone is wrong about them.
  Environment environment_of_findings(const std::string& log) const;
};

/// Looks for Oclgrind: LADDER_OCLGRIND (path of liboclgrind-rt.so) or where Debian and Ubuntu put it.
/// @param plugin  the path of ours, if it was built
Oclgrind find_oclgrind(const std::string& plugin = "");

}  // namespace ladder
