#pragma once
/// @file
/// The layers of common: the folders, and whose headers they include; and that no folder names the tests.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ladder::report {

/// For each folder of common the folders that it includes, each with the first file that does.
using Layers = std::map<std::string, std::map<std::string, std::string>>;

Layers layers_of(const std::filesystem::path& root);

/// Violations of the rules, one sentence each: a cycle, a base that includes another folder, common code that
/// includes the code of a family of lessons (npb).
std::vector<std::string> wrong_layers(const Layers& layers);

/// Includes inside of common/tool that point up, each with its file and line: a room includes only rooms
/// above its row in the table of common/tool/README.md, which is the one place of their order, and no room
/// includes what lies next to the rooms, the tables of verbs. Also rooms that the table does not have.
std::vector<std::string> includes_upwards(const std::filesystem::path& root);

/// What of the tests common code names next to those of lessons, tests/NN-name: "FILE:LINE names …". The verb
/// test may, which runs them all, and the page of what they prove; so may what unit tests are built with.
/// Another verb's programs and data are in common.
std::vector<std::string> uses_of_tests(const std::filesystem::path& root);

/// The table of docs/design.md: each folder after those that it includes. @throws std::logic_error when there
/// is a cycle
std::vector<std::string> layer_table(const Layers& layers);

}  // namespace ladder::report
