#pragma once
/// @file
/// What is deleted of a course's grades at the retention date, and what stays.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "common/course/course_file.hpp"

namespace ladder {

/// The folders of grades next to a course file that were made by it.
std::vector<std::filesystem::path> grades_of(const course::Course& course);

/// What goes of a folder of grades: those of its parts that are there.
std::vector<std::filesystem::path> to_purge(const std::filesystem::path& grades);

/// Deletes code and evidence of a folder of grades; points, verdicts and who has decided what stay.
/// Interrupted, it can be done again. @throws UsageError
void purge(const std::filesystem::path& grades);

/// Why it is too early, and what to do; empty: it is not. @param now  the date is the course's zone's
std::string why_not_yet(const course::Course& course, std::chrono::sys_seconds now);

}  // namespace ladder
