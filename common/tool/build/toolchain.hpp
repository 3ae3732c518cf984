#pragma once
/// @file
/// How CUDA sources become programs for the executor: what common/executor/toolchain.cmake wrote down.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ladder {

/// What one way of compiling needs.
struct CompileMode {
  std::vector<std::string> flags;    ///< of the compiler, for rewritten sources
  std::string first;                 ///< a header, compiled already, that they include first; may be empty
  std::vector<std::string> link;     ///< of the linker, after the objects
  std::vector<std::string> targets;  ///< of our build, to be built first
};

/// Compilers, rewriter, headers and libraries.
struct Toolchain {
  std::vector<std::string> launcher;  ///< ccache, where the build uses it
  std::string cxx, c;
  std::filesystem::path rewriter, headers;
  CompileMode plain, observed;
  std::vector<std::string>
      lint;  ///< clang, to which -std=…, -I…, -D… and the source are added; empty: not here
  /// <cuda_runtime.h>, precompiled for the device's side and the host's, by the standard.
  std::map<std::string, std::vector<std::string>> lint_headers;
  std::filesystem::path lint_script;  ///< runs it: OUTPUT [--headers …] COMMAND…

  /// What the script gets after OUTPUT, for a standard; -I…, -D… and the source come after that.
  std::vector<std::string> lint_words(const std::string& standard) const;
};

/// Reads the file that CMake wrote into the build folder. @throws UsageError when it is not there or broken
Toolchain read_toolchain(const std::filesystem::path& build_folder);

}  // namespace ladder
