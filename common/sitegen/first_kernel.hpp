#pragma once
/// @file
/// How much a newcomer reads before the first line of her first kernel.

#include <cstddef>
#include <string>
#include <vector>

#include "common/sitegen/pages/page_form.hpp"

namespace ladder::report {

inline constexpr std::size_t max_before_first_kernel = 600;

/// Where she reads more than that: README down to its first link to lesson 00 and, for students, down to the
/// path; the lesson's page down to *Write* of g1; the skeleton down to the end of its first task. All words
/// count, those of tables and of comments in code, too; folds, pictures and generated parts can be skipped.
std::vector<PageProblem> first_kernel_problems(const std::string& readme, const std::string& page,
                                               const std::string& skeleton);

}  // namespace ladder::report
