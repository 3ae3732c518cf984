#pragma once
/// @file
/// Phrases that read like a translation, found in pages, comments and messages before a reader finds them.

#include <filesystem>
#include <string>
#include <vector>

namespace ladder {

/// A phrase in one line of a file, and what an English book would say.
struct UnidiomaticPhrase {
  std::string file;  ///< relative to the checkout
  int line = 0;
  std::string phrase, instead;
  /// "docs/course.md:12: 'mended': write 'fixed'"
  std::string sentence() const;
};

/// The phrases in one text, by line. @param code  only comments and string literals count
std::vector<UnidiomaticPhrase> unidiomatic_phrases(const std::string& file, const std::string& text,
                                                   bool code);

/// Those in all pages and sources of the repository. Submissions and programs of others are left out.
std::vector<UnidiomaticPhrase> unidiomatic_phrases(const std::filesystem::path& root);

}  // namespace ladder
