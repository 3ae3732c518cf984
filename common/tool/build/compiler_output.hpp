#pragma once
/// @file
/// What compilers, linkers and ninja print when something is wrong. It may be long and odd: no regular
/// expressions.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// Why a target was not built.
struct BuildFailure {
  std::string where;      ///< "solutions/03-dgemm/g2_shared_tiles.cu:41", or empty
  std::string text;       ///< the compiler's first error
  std::string hint;       ///< what that usually means; may be empty
  std::string output;     ///< everything that the compiler said
  int column = 0;         ///< of the line, counted from 1 as the compiler does it; 0: it names none
  std::string excerpt{};  ///< the lines of the source, where it was looked into (source_excerpt.hpp)

  /// "file:line: text" as far as it is known.
  std::string line() const { return where.empty() ? text : where + ": " + text; }
};

/// The first error in what a compiler, linker or generator printed.
/// @param root  paths under it are shortened
/// @param from  the folder that relative paths start in
BuildFailure first_error(const std::string& output, const std::filesystem::path& root,
                         const std::filesystem::path& from = {});

/// The first errors, at most `most` of them; at least one. @param root, from  as first_error()
std::vector<BuildFailure> first_errors(const std::string& output, const std::filesystem::path& root,
                                       const std::filesystem::path& from, std::size_t most);

/// What a kernel does instead of a function or class that only the host has; empty: it is none that we know.
std::string instead_in_kernels(std::string_view name);

/// What ninja said of one command that failed.
struct FailedCommand {
  std::vector<std::string> outputs;
  std::string text;
};

/// The failed commands in the output of ninja with NINJA_STATUS "[%f/%t] ".
std::vector<FailedCommand> failed_commands(const std::string& output);

}  // namespace ladder
