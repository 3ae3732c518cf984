#pragma once
/// @file
/// The words that the messages of mutants must have, and why some mutants state none.

#include <filesystem>
#include <string>
#include <vector>

#include "common/model/test_times.hpp"
#include "common/tool/catalogue/catalogue.hpp"

namespace ladder {

/// Those of a .mutants or .variants file; a variant that is right (PASS) is left out. @param name  the
/// file's, for messages
/// @throws cut::Error where the file cannot be read
std::vector<model::MutantWords> mutant_words(const std::string& text, const std::string& name);

/// Those of a lesson, for pages. Files that cannot be read are left out.
std::vector<model::MutantWords> mutants_of(const std::filesystem::path& root, const LessonEntry& lesson);

}  // namespace ladder
