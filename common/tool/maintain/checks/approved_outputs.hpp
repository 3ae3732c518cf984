#pragma once
/// @file
/// Approved outputs: what users read, kept as approved/SOURCE.NAME.txt next to the test that compares it.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ladder {

/// A source of tests that compares outputs with approved files.
struct ApprovingSource {
  std::string program;  ///< "test-verbs"
  std::string name;     ///< "hint_test"
};

/// Those that include approved.hpp, by program.
std::vector<ApprovingSource> approving_sources(const std::filesystem::path& root);

/// Those of them that are meant by names of programs and sources: "test-verbs", "hint_test.cpp", "hint"; all
/// where there is no name. @throws UsageError for another name
std::vector<ApprovingSource> approving_sources(const std::filesystem::path& root,
                                               const std::vector<std::string>& names);

/// Path, from the checkout, and text of every approved file.
std::map<std::string, std::string> approved_files(const std::filesystem::path& root);

/// Approved files that no check uses: their name does not be in quotes in their test's source.
std::vector<std::string> left_over_approved_files(const std::filesystem::path& root);

/// The files that differ, a line each, as git shows them: "M  …/approved/hint.first.txt"; and what to do
/// with them.
std::string renewed_text(const std::map<std::string, std::string>& before,
                         const std::map<std::string, std::string>& after);

}  // namespace ladder
