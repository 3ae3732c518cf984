#pragma once
/// @file
/// Counts of executed instructions of OpenCL kernels, from the simulator Oclgrind (`oclgrind --inst-counts`).

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// Executed instructions: kernel, instruction ("br", "load global", "call sqrt"), how often over all its
/// launches.
using InstructionCounts = std::map<std::string, std::map<std::string, double>>;

/// Reads what Oclgrind prints to standard output after each launch. Other lines (the program's own output)
/// are skipped.
InstructionCounts parse_instruction_counts(std::string_view text);

/// Executed branch instructions (br, switch) of the kernels whose name contains `kernel`; all for "".
/// Oclgrind counts after its compiler has optimised: a loop is one branch a turn, a select is none. Jumps
/// without a condition count too: Oclgrind does not tell them apart.
/// @throws ladder::Error when no kernel of that name was counted.
double branches(const InstructionCounts& counts, std::string_view kernel = "");

/// How a process is started so that its OpenCL calls go to Oclgrind and counts are printed. No wrapper
/// program, so that the process id, descriptors and limits stay the caller's.
struct Oclgrind {
  std::string library;  ///< the runtime to preload; empty: not installed
  std::string missing;  ///< why it can't be used, as a reason for SKIPPED; empty: it can

  /// "NAME=value" to add to the process's environment. OPENCL_LAYERS must not be in it: no layer under
  /// Oclgrind.
  std::vector<std::string> environment() const;
};

/// Looks for Oclgrind: LADDER_OCLGRIND (path of liboclgrind-rt.so) or where Debian and Ubuntu put it.
Oclgrind find_oclgrind();

}  // namespace ladder
