#pragma once
/// @file
/// Which rung comes next, and why: one answer for ./ladder alone, list, check, watch and hint.

#include <functional>
#include <string>
#include <vector>

#include "common/tool/core/context.hpp"
#include "common/tool/standing/progress.hpp"

namespace ladder {

/// A rung and one sentence why it is the next; null when every required rung is done.
struct NextRung {
  const StepEntry* step = nullptr;
  std::string why{};
  /// Where else one may go on: the first rung that is left on the README's path, when it is of another
  /// lesson.
  const StepEntry* other = nullptr;
  std::string why_other{};
};

/// Which steps are in question; empty: all.
using Among = std::function<bool(const StepEntry&)>;

/// The step that was judged last; null when none was.
const StepEntry* judged_last(Context& context, const Progress& progress, const Among& among = {});

/// The rung that was judged last of those that are begun, while it is not done; then what comes after it;
/// where nothing was judged or its ladder is done, what an open assignment asks for, else the first required
/// rung that is left on the README's path, else in the order of the lessons. Tables must have been read.
NextRung next_rung(Context& context, const Progress& progress, const Among& among = {});

/// What comes after a rung that is done: what an open assignment asks for, else the next required rung of its
/// ladder that is not done, else one below it. Null when its ladder is done. Needs the table of its lesson
/// only.
NextRung next_after(Context& context, const Progress& progress, const StepEntry& at, const Among& among = {});

/// The rungs of the README's path, in its order; empty where it has none, as in a handout.
std::vector<const StepEntry*> path_of_readme(Context& context);

}  // namespace ladder
