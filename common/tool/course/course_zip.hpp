#pragma once
/// @file
/// course check --zip: the trial's submissions once more, through a built autograder for Gradescope.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "common/course/course_file.hpp"
#include "common/tool/core/context.hpp"

namespace ladder {

/// Before any work. @throws UsageError where --zip cannot be tried: not as root, or several assignments and
/// none named
void may_try_zip(const Context& context, const course::Course& course);

/// Unpacks and starts the autograder in a fresh root of Ubuntu 22.04 (as root), and lets each submission
/// through it.
/// @param assignment  its points are compared: a zip that was made without the course file may give others
/// @param trials   a folder; its entries are submissions
/// @param records  what grade made of them, by their names
/// @return {"file", "sha256", "rows": [{"submission", "must_get", "got", "right"}]}: must_get is what grade
/// has given
/// @throws UsageError when the autograder does not start
nlohmann::json try_zip(Context& context, const course::Assignment& assignment,
                       const std::filesystem::path& zip, const std::filesystem::path& trials,
                       const std::map<std::string, model::GradeRecord>& records);

}  // namespace ladder
