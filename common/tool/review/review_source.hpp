#pragma once
/// @file
/// The lines of a submission that a verdict is about.

#include <filesystem>
#include <string>

#include "common/model/grade.hpp"

namespace ladder {

/// The lines of the source that the result of a step names, and those that use what it says the step uses,
/// each with its neighbours; the beginning of the file where it names none.
std::string lines_in_question(const model::GradeEntry& step, const std::filesystem::path& source);

}  // namespace ladder
