#pragma once
/// @file
/// The skeleton of a step, wherever this copy has it.

#include <string>

#include "common/tool/core/context.hpp"

namespace ladder {

struct Skeleton {
  std::string text;
  std::string from;  ///< where it was found, for the message
};

/// The file as handed out (.handout/, else git's tag `handout`), else as cloned (HEAD), else cut from the
/// solution.
/// @throws UsageError when there is none
Skeleton find_skeleton(const Context& context, const StepEntry& step);

/// Whether files of these steps may be replaced: where one PASSes it is asked, and without a terminal or
/// --yes the answer is no, which is said.
bool may_replace(Context& context, const std::vector<const StepEntry*>& steps);

}  // namespace ladder
