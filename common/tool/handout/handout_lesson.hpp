#pragma once
/// @file
/// One lesson of a handout: which lines are secrets, and files without them.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/skeleton/handout_skeleton.hpp"
#include "common/tool/catalogue/catalogue.hpp"

namespace ladder {

/// Telling lines that are in the solutions of two lessons or more: they are the language's or the field's.
std::set<std::string> common_lines(const std::filesystem::path& root,
                                   const std::vector<LessonEntry>& lessons);

/// What students of a lesson get of its rungs.
struct HandoutLesson {
  cut::Secrets secrets;  ///< lines of the regions that they write, with the rung: "03/g2"
  std::map<const StepEntry*, std::string> steps;  ///< cut rung by rung; without those that are withheld
  std::set<std::string> headers;      ///< of lessons/NN-name that would show a secret, and what includes them
  std::vector<std::string> withheld;  ///< why what is not handed out
};

/// @param chosen    the rungs that are handed out
/// @param released  their paths: those whose solution may be seen
/// @param common    common_lines()
HandoutLesson lesson_of_handout(const std::filesystem::path& root, const LessonEntry& lesson,
                                const std::set<const StepEntry*>& chosen,
                                const std::set<std::string>& released, const std::set<std::string>& common);

/// A page without the answers of folds, in sections of rungs that are not open; where a fold is in none
/// and is an "Answer", while `all_open` is false.
std::string without_answers(const std::string& page, const std::string& number,
                            const std::set<std::string>& open_rungs, bool all_open);

/// The text of a rungs.toml without the hints of the rungs whose files are not in `files`.
std::string without_hints(const std::string& table, const std::set<std::string>& files);

}  // namespace ladder
