#pragma once
/// @file
/// What must be climbed before a rung, from the fields `after` and `assumes` of the lessons' rungs.toml.

#include <set>
#include <string>
#include <vector>

#include "common/sitegen/pages.hpp"

namespace ladder::report {

/// The rungs that a prerequisite names, "03-dgemm/g2_shared_tiles": itself, or the required ones of
/// "00-first-steps". Empty: there is no such lesson or rung.
std::vector<std::string> rungs_meant(const Tables& tables, const std::string& prerequisite);

/// The first prerequisite of a row that is not among these rungs ("03-dgemm/g1_naive"); empty: none.
std::string missing_prerequisite(const Tables& tables, const nlohmann::json& row,
                                 const std::set<std::string>& climbed);

/// What a lesson needs, as its page lists it: "OpenMP for c1; [00](…) before g1". A prerequisite is named
/// once per track, at its first rung. @param page  of whose folder links are relative
std::string needs_of_lesson(const Tables& tables, const std::string& lesson, const std::string& page);

/// Sentences on what is not on a path of lessons in order: stretch rungs that need a later lesson, and
/// lessons that the path does not have.
std::string off_path(const Tables& tables, const std::vector<std::string>& path, const std::string& page);

/// Names that no table has, required rungs that need a lesson of a larger number, and circles.
/// @param below  only of this lesson's folder, "lessons/03-dgemm/"; empty: of all
std::vector<PageProblem> prerequisite_problems(const Tables& tables, const std::string& below);

}  // namespace ladder::report
