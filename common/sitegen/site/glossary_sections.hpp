#pragma once
/// @file
/// The glossary of the site: each word is a section, which leads to the rungs that use it.

#include <string>
#include <vector>

namespace ladder::report {

/// A rung whose section may use a word.
struct RungText {
  std::string lesson, id;  ///< "03", "g2"
  std::string page;        ///< its name in the site: "lessons_03_dgemm_g2"
  std::string text;        ///< Markdown
};

/// The spellings under which a text uses a word of the glossary: "multiprocessor (SM)" also as "SM", "grid,
/// block, thread" as each of the three.
std::vector<std::string> spellings_of(const std::string& word);

/// Whether a text outside of code uses a spelling, in the singular or the plural.
bool uses_word(const std::string& markdown, const std::string& spelling);

/// The glossary with a section for each row of its tables of words, and below it the
/// drawing that shows it, where a rung has one, and the rungs that use the word.
/// @param text  as SiteText::page returns it
std::string glossary_sections(const std::string& text, const std::vector<RungText>& rungs);

}  // namespace ladder::report
