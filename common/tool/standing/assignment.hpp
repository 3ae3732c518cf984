#pragma once
/// @file
/// The assignments of a handout that was made from a course file, as its students read them.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "common/course/course_file.hpp"

namespace ladder {

std::chrono::sys_seconds now_in_seconds();

/// "3 days", "5 hours", "12 minutes".
std::string span_text(std::chrono::seconds span);

/// What a handout says of its course; nothing in a repository, and in a handout without one.
std::optional<course::Course> course_of_handout(const std::filesystem::path& root);

/// The assignment of that name; without one the next that is due, or the last when none is left. @throws
/// UsageError
const course::Assignment& assignment_now(const course::Course& course, const std::string& name,
                                         std::chrono::sys_seconds now);

/// "hw2 is due Sun 2027-02-14 23:59 CET, in 3 days": in this machine's zone, and in the course's where that
/// shows another time.
std::string deadline_text(const course::Course& course, const course::Assignment& assignment,
                          std::chrono::sys_seconds now);

/// "Sun 2027-02-14 23:59 CET", on this machine's clocks.
std::string local_text(std::chrono::sys_seconds moment);

}  // namespace ladder
