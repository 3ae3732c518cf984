#pragma once
/// @file
/// Small edits of a kernel that somebody wrote, each of which may change what it does: questions for a talk
/// about it.

#include <string>
#include <vector>

namespace ladder {

/// One line of a source, changed. No line gets another number.
struct CodeMutation {
  std::string kind{};       ///< barrier, indices, padding, guard, block, blocks, loop
  int line = 0;             ///< of the source
  std::string was{}, is{};  ///< the line's code before and after; `is` may be empty
  std::string asked{};      ///< "The barrier in line 31 is removed."
  std::string text{};       ///< the whole source with it
};

/// The edits that this source has a place for: a barrier removed, two indices exchanged, padding dropped, a
/// guard moved by one,
/// a size of 16 for 32, blocks rounded down, a loop with one round more or less. In the order of lines.
std::vector<CodeMutation> code_mutations(const std::string& source);

}  // namespace ladder
