#pragma once
/// @file
/// What students see of a handout's course while they work: points of rungs, phases, deadlines.

#include <chrono>
#include <ctime>
#include <optional>
#include <string>

#include "common/course/course_file.hpp"

namespace ladder {

/// The points of a rung in the instant phase: "8", "8 + 10" where two assignments have it; empty: none, or no
/// course.
std::string course_points(const std::optional<course::Course>& course, const std::string& label);

/// The assignment's points by phase: "18 points in the instant phase, which ./ladder check shows; final
/// phase, …".
std::string phases_text(const course::Assignment& assignment);

/// Where an assignment stands now: its deadline by this machine's clock, and its phases.
std::string course_line(const course::Course& course, const course::Assignment& assignment,
                        std::chrono::sys_seconds now);

/// "3 days ago", "5 minutes ago", of a moment that is past.
std::string ago(std::time_t moment, std::time_t now);

}  // namespace ladder
