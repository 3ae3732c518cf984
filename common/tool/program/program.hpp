#pragma once
/// @file
/// CUDA programs that this project does not know, with a main of their own: built for the executor and run.

#include <filesystem>
#include <string>
#include <vector>

#include "common/base/observation/observation.hpp"
#include "common/base/process/process.hpp"
#include "common/tool/core/context.hpp"

namespace ladder {

/// A program as named on the command line.
struct ProgramRequest {
  std::vector<std::filesystem::path> sources;  ///< .cu, .cpp, .cc, .cxx, .c; absolute
  std::vector<std::filesystem::path> include_dirs;
  std::vector<std::string> defines;    ///< "N=64"
  std::string standard = "c++17";      ///< nvcc's default
  std::vector<std::string> arguments;  ///< of the program
  double seconds = 120;                ///< limit of each run
  std::size_t memory_bytes = 0;        ///< limit of each run; 0: none
  std::filesystem::path input{};       ///< what it reads as standard input; empty: nothing
  std::filesystem::path keep;          ///< where the program is copied to; empty: nowhere
  std::filesystem::path builds{};  ///< where it is built; empty: the build folder, which keeps the last ones

  /// "reduce.cu", the first source's file name.
  std::string name() const { return sources.front().filename().string(); }
};

/// Whether the words after a verb are files of a program, not steps. @throws UsageError for a mixture
bool names_program(const Catalogue& catalogue, const std::vector<std::string>& names);

/// For calls that name rungs. @throws UsageError for an option that only a program has
void refuse_program_options(const Options& options);

/// The program that the command line names.
/// @throws UsageError for what is not there, and for an option that only rungs have
ProgramRequest program_request(const Options& options);

/// A program that was built, or why it was not.
struct BuiltProgram {
  std::filesystem::path file;
  std::vector<BuildFailure> errors;  ///< the first ones
  std::string output;                ///< all that rewriter, compiler and linker said
  bool interrupted = false;
  bool lint_crashed = false;  ///< nobody has looked at the rules of host and device
  bool ok() const { return errors.empty() && !interrupted; }
};

/// Rewrites, compiles and links, only what has changed since the last time.
/// @param observed  with the executor's access hooks
BuiltProgram build_program(Context& context, const ProgramRequest& request, bool observed);

/// Runs it where the tool was called.
/// @param show  prints the output while it comes
ProcessResult run_program(Context& context, const ProgramRequest& request, const BuiltProgram& program,
                          bool show, const std::map<std::string, std::string>& environment = {});

/// What a program did to its device.
struct ObservedProgram {
  BuiltProgram built;
  ProcessResult run;
  Observation observation;  ///< `incomplete` says why something is missing
};

/// Builds it with the executor's hooks and runs it; its output is not shown.
/// @param plain  how the program ran without; may be null. Where it had enough memory and the observed one
/// has not, less and
///               less is observed
ObservedProgram observe_program(Context& context, const ProgramRequest& request,
                                const ProcessResult* plain = nullptr);

/// What check says of a program, and what it is made of.
struct ProgramVerdict {
  std::string verdict, message;
  BuiltProgram built;
  ProcessResult run;
  Observation seen;
};

/// Builds it, runs it plain, and observes it.
/// @param show  prints its output while it comes
ProgramVerdict verdict_on(Context& context, const ProgramRequest& request, bool show);

/// check FILE.cu…: the program's output, then what was wrong. @return the exit status
int check_program(Context& context);

}  // namespace ladder
