#pragma once
/// @file
/// What is still to be done in the files of a lesson: lines with TODO, as the verb new writes them.

#include <set>
#include <string>
#include <vector>

#include "common/tool/catalogue/catalogue.hpp"

namespace ladder {

/// One line that says what is to be done.
struct Todo {
  std::string file;  ///< relative to the checkout
  std::size_t line;  ///< from 1
  std::string text;  ///< from TODO on
};

/// Those of lessons/NN-name, solutions/NN-name and tests/NN-name. Not those of a skeleton whose solution has
/// them, and not those of parts of pages that are generated.
std::vector<Todo> todos_of(const std::filesystem::path& root, const LessonEntry& lesson);

/// The steps that have one in their solution, skeleton, mutants or row, by name: they are not judged.
std::set<std::string> unfinished(const LessonEntry& lesson, const std::vector<Todo>& todos);

}  // namespace ladder
