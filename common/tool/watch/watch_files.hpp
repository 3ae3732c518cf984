#pragma once
/// @file
/// From a saved file to the steps that it touches.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "common/tool/catalogue/catalogue.hpp"

namespace ladder {

/// The steps of a lesson that are made from a file: the one that it is, or those that include it, directly or
/// through another header.
/// @param folder   where the lesson's files are, of one tree
/// @param started  whether a step that only includes the file is worth judging
std::vector<std::string> steps_touched_by(const std::filesystem::path& saved, const LessonEntry& lesson,
                                          const std::filesystem::path& folder,
                                          const std::function<bool(const StepEntry&)>& started);

/// Sorts steps by their distance to one of them in the table, and drops doubles. All are names of `order`.
void nearest_first(std::vector<std::string>& steps, const std::string& to,
                   const std::vector<std::string>& order);

}  // namespace ladder
