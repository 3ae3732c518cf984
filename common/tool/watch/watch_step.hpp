#pragma once
/// @file
/// One step after its file was saved: the verdict first, then counters and findings.

#include <chrono>
#include <optional>
#include <string>

#include "common/tool/core/context.hpp"

namespace ladder {

/// What is judged, and how much of it is shown.
struct SavedStep {
  std::string path;                                              ///< "03-dgemm/g2_shared_tiles"
  bool whole = true;                                             ///< all that is known; else a line
  std::optional<std::chrono::steady_clock::time_point> saved{};  ///< nothing: it was not saved just now
};

/// Builds and judges it. The verdict of the plain worker is shown before the observed one is built; then all
/// is judged as check does it, shown and kept.
/// @return whether it was judged; no when it was interrupted or its file has changed meanwhile
bool judge_saved(Context& context, const SavedStep& saved);

}  // namespace ladder
