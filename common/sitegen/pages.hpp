#pragma once
/// @file
/// Pages whose numbers come from stored runs: fills the marks
///
///     <!-- generated: KIND ARGUMENTS -->
///     <!-- end -->
///
/// of README.md, lessons/*/*.md and docs/*.md, and draws their figures. A missing end is added. Marks are on
/// lines of their own; the generated text gets the indentation of its mark. Marks inside fenced code are
/// plain text. Inside the text of a lesson's pages it fills values (page_values.hpp):
///
///     <!-- = NAME -->5,120<!-- . -->

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ladder::report {

/// The lessons' tables as B/tables/NN-name print them: "03-dgemm" -> {"title", "steps", "answers"}.
using Tables = std::map<std::string, nlohmann::json>;

/// Something that is wrong with a page.
struct PageProblem {
  std::string file;      ///< relative to the checkout
  std::size_t line = 0;  ///< from 1; 0: the whole file
  std::string text;

  /// "README.md:21: …"
  std::string sentence() const;
};

/// The pages and figures as generated now.
struct Pages {
  std::map<std::string, std::string> files;  ///< path relative to the checkout -> whole text
  std::vector<PageProblem>
      problems;  ///< unknown kinds and values, marks inside a line, ends without a beginning
  std::vector<PageProblem> unused;  ///< values of a lesson that none of its pages shows
};

/// Computes pages and figures; writes nothing. @param below only pages of this folder, "lessons/03-dgemm/";
/// empty: all
Pages generate_pages(const std::filesystem::path& root, const Tables& tables, const std::string& below = "");

/// Where the checkout differs from what would be generated: hand-typed numbers, old figures, missing ends.
std::vector<PageProblem> check_pages(const std::filesystem::path& root, const Tables& tables,
                                     const std::string& below = "");

/// Writes what differs. @return the paths written, relative to the checkout
std::vector<std::string> write_pages(const std::filesystem::path& root, const Pages& pages);

}  // namespace ladder::report
