#pragma once
/// @file
/// A user's file that a lesson's problem is read from.

#include "common/tool/judging/judging.hpp"

namespace ladder {

/// Looks at what --matrix names, before anything is built. @throws UsageError when a lesson reads no matrix,
/// or the file is not there
void require_matrix(const Options& options, const std::vector<LessonEntry*>& lessons);

/// What the file holds, as the judge of the task's lesson reads it. Nothing where there is no judge to ask;
/// then the steps say why.
/// @throws UsageError with what is wrong with it
std::optional<model::OwnFile> describe_matrix(Context& context, const Task& task);

}  // namespace ladder
