#pragma once
/// @file
/// The lines of a source that a compiler's error is about, and braces that nobody closed.

#include <filesystem>
#include <optional>
#include <string>

#include "common/tool/build/compiler_output.hpp"

namespace ladder {

/// A brace that has no partner.
struct LoneBrace {
  std::size_t line = 0;  ///< counted from 1
  bool open = true;      ///< '{' that is never closed; else '}' that closes nothing
};

/// The brace that was most likely forgotten: the first one whose closing brace is indented less than the line
/// that opens it, else the innermost one that is left. Nothing where they pair, or where a macro has half a
/// pair.
std::optional<LoneBrace> lone_brace(const std::string& source);

/// Lines of a source with their numbers and a caret below a column (counted from 1; 0: none).
/// @param first, last  counted from 1; the caret is below the line `caret_line`
std::string excerpt(const std::string& source, std::size_t first, std::size_t last, std::size_t caret_line,
                    std::size_t column);

/// The failure with what its source says of it: `excerpt`, the end of the line before where a semicolon is
/// missing there, and the brace that was left open instead of where the compiler noticed it.
/// @param file  that `where` is about; it is read with the rights of whoever calls, so no stranger may have
/// named it
BuildFailure with_source(BuildFailure failure, const std::filesystem::path& file);

}  // namespace ladder
