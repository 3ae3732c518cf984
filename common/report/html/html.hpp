#pragma once
/// @file
/// The one writer of HTML: a page is one file without script, readable on a phone, on paper, on a dark screen
/// and by a screen reader.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/report/text/table.hpp"

namespace ladder::report {

/// A line of source shown on a page.
struct SourceRow {
  int number = 0;  ///< 0: none is shown
  std::string text;
  std::string remark;   ///< shown below the line, may have several lines; empty: none
  bool marked = false;  ///< by a sign at its edge and a background
};

/// A page under construction. Texts are plain: the page escapes them.
class HtmlPage {
 public:
  /// @param title  of the page and its first heading
  explicit HtmlPage(std::string title) : title_(std::move(title)) {}

  HtmlPage& heading(const std::string& text);
  /// A first heading again: what follows begins on a new sheet of paper.
  HtmlPage& part(const std::string& text);
  /// What is added from here to end() is on one page of paper, where it fits on one.
  HtmlPage& together();
  HtmlPage& end();
  /// Lines to write on, under what is asked for.
  HtmlPage& answer(const std::string& asked, int lines = 1);
  HtmlPage& paragraph(const std::string& text);
  /// Small print.
  HtmlPage& note(const std::string& text);
  /// Pairs of a term and its description.
  HtmlPage& facts(const std::vector<std::pair<std::string, std::string>>& pairs);
  /// A table with a caption; on a narrow screen it scrolls inside itself, the page does not.
  /// @param pages  where the first cell of a row leads to; empty: nowhere
  HtmlPage& table(const std::string& caption, const std::vector<Column>& columns,
                  const std::vector<std::vector<std::string>>& rows,
                  const std::vector<std::string>& pages = {});
  /// Text whose lines and blanks stay as they are.
  HtmlPage& verbatim(const std::string& caption, const std::string& text);
  /// Lines of a source file.
  HtmlPage& listing(const std::string& caption, const std::vector<SourceRow>& rows);
  /// A figure as report/figures.hpp and report/kernel_figures.hpp draw it; nothing for an empty one. Its ids
  /// become the page's own.
  HtmlPage& figure(const std::string& svg);

  /// The whole file.
  std::string text() const;

 private:
  std::string title_, body_;
  std::size_t figures_ = 0;
};

}  // namespace ladder::report
