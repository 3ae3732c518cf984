#pragma once
/// @file
/// Rungs that were renamed or moved: the field `was` of the rows as a table of old and new names, and what it
/// is applied to.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace ladder {

/// A row's field `was`.
struct OldName {
  std::string lesson;  ///< "01-lu"
  std::string was;     ///< "g4_on_device"
  std::string now;     ///< "g6_on_device"

  /// "01-lu/g4_on_device > 01-lu/g6_on_device", as the list of applied ones has it.
  std::string text() const { return lesson + "/" + was + " > " + lesson + "/" + now; }
};

/// Gives texts and documents the current names. All names change at once, so g4 may become g5 while g5
/// becomes g6.
///
/// A full name ("g4_on_device") says its idea, so it is of one rung only: it can be renamed again and again
/// without harm. Where an old name is today another rung's name, that is not so, nor is it for short names
/// ("g4"). Such a name changes only where its row is not in the list of those that were applied, which is
/// kept next to the files: renamed.json.
class Renames {
 public:
  /// @param names    of all lessons
  /// @param present  the current names: "01-lu/g6_on_device"
  /// @param folder   where renamed.json is
  /// @throws UsageError when two rows of a lesson claim the same old name
  Renames(std::vector<OldName> names, std::set<std::string> present, std::filesystem::path folder);

  /// Whether nothing can have an old name.
  bool none() const { return active_.empty(); }

  /// Whether the list has all names: what was kept before was gone through.
  bool all_applied() const;

  /// The text with the current names. @param lesson whose names are in it without a lesson's name before
  /// them; empty: nobody's
  std::string text(const std::string& text, const std::string& lesson, bool short_names = false) const;

  /// All texts and keys of a document. @return whether something has changed
  bool apply(nlohmann::json& document) const;

  /// Writes the list: all names count as applied from now on. @return whether it has changed
  bool keep() const;

 private:
  nlohmann::json renamed(const nlohmann::json& value, const std::string& lesson, bool short_names) const;
  std::string now_of(const std::string& lesson, const std::string& name, bool short_name) const;
  std::string lesson_before(const std::string& text, std::size_t at) const;

  std::vector<OldName> names_, active_;
  std::set<std::string> applied_, lessons_;
  std::filesystem::path file_;
};

}  // namespace ladder
