#pragma once
/// @file
/// A lesson's page taken apart, as docs/adding-a-lesson.md orders it. Texts are Markdown, those of folds
/// HTML.

#include <string>
#include <vector>

namespace ladder::report {

/// The section of a rung.
struct RungSection {
  std::string id;         ///< "g2"
  std::string heading;    ///< "g2 · A block loads each tile once and uses every element 32 times"
  std::size_t line = 0;   ///< of its heading, from 1
  std::string drawing;    ///< the figure of its idea, as the page links it; empty: none
  std::string sketch;     ///< the first drawing made of characters; empty: none
  std::string question;   ///< after **Predict.**
  std::string answer;     ///< in the fold below it
  std::string judged_by;  ///< the first sentence after **Judged by.**
  std::string next;       ///< after **Why not more?**
};

/// What a page has of its lesson.
struct LessonPage {
  std::string title;               ///< "03 · DGEMM: the product of two matrices"
  std::string about;               ///< the paragraph below the title
  std::vector<std::string> goals;  ///< the list of what one can do after the lesson
  std::string needs;               ///< the paragraph "You need …"
  std::string formula;             ///< the first formula, or drawing of characters, of The problem
  std::string ladder;              ///< the first figure of all rungs; empty: none was measured
  std::vector<RungSection> rungs;
};

/// @param text  of the page, README.md
LessonPage read_lesson_page(const std::string& text);

}  // namespace ladder::report
