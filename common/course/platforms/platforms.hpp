#pragma once
/// @file
/// The platforms' downloads, each by itself: what submission_import.cpp puts together.

#include <filesystem>
#include <string>
#include <vector>

#include "common/course/platforms/submission_import.hpp"

namespace ladder::course {

/// The people of a roster by what platforms call them.
class Lookup {
 public:
  explicit Lookup(const Roster& roster) : roster_(roster) {}

  /// The one whose field has this text, without case; empty where there is none.
  std::string by(std::string Person::*field, const std::string& text) const;
  /// The only one of that name, written "Last, First" or "First Last", as platforms shorten it; empty where
  /// there is none, or two.
  std::string by_name(const std::string& name) const;
  /// The one whom a text names in any of the fields that identify people.
  std::string by_any(const std::string& text) const;
  /// The one whose GitHub login ends the name of a repository, "hw2-alice".
  std::string by_repository(const std::string& name) const;
  const Roster& roster() const { return roster_; }

 private:
  const Roster& roster_;
};

/// What is in a folder, in the order of names, without hidden files and what archivers add.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

bool is_archive(const std::filesystem::path& file);

/// The only archive of a folder that holds nothing else; else the folder.
std::filesystem::path without_wrapping(const std::filesystem::path& folder);

/// A key as a file's name.
std::string key_text(const std::string& text);

/// Each looks whether the folder is the platform's. @return nothing where it is not
std::optional<SubmissionImport> from_gradescope(const std::filesystem::path& folder, const Lookup& people,
                                                const Zone& zone);
std::optional<SubmissionImport> from_canvas(const std::filesystem::path& folder, const Lookup& people);
std::optional<SubmissionImport> from_moodle(const std::filesystem::path& folder, const Lookup& people,
                                            const Zone& zone);

/// Clones, and folders and archives that are called by an id of the roster.
SubmissionImport from_folders(const std::filesystem::path& folder, const Lookup& people);

/// The commit that a clone has checked out, 40 digits; empty where it cannot be told.
std::string commit_of_clone(const std::filesystem::path& clone);

}  // namespace ladder::course
