#pragma once
/// @file
/// Tables for a terminal: aligned, UTF-8, fitted to a width.

#include <string>
#include <string_view>
#include <vector>

namespace ladder::report {

/// Columns that a text takes on a terminal; UTF-8 letters are one column, escape sequences none.
std::size_t columns(std::string_view text);

/// The text, cut with "…" when it is wider than `width` columns.
std::string shortened(std::string_view text, std::size_t width);

/// A text that wrapped() keeps on one line, however long it is: a command that is copied from a terminal must
/// be whole there.
std::string unbroken(std::string text);

/// The text broken at blanks into lines of at most `width` columns; a longer word is
/// broken, unless it is unbroken().
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// A heading at the left and wrapped text to the right of it, as feedback shows it.
std::string feedback_block(const std::string& heading, const std::string& text, std::size_t width,
                           std::size_t indent = 17);

/// A column of a table.
struct Column {
  std::string title;
  bool right = false;  ///< right-aligned, for numbers
  bool wraps = false;  ///< may be broken into lines
  int drop = 0;        ///< when the table is too wide, columns with the largest value go first; 0: never
};

/// A table as text. Empty columns are left out; too wide a table first wraps, then drops columns, and says
/// which.
class Table {
 public:
  explicit Table(std::vector<Column> all) : columns_(std::move(all)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  std::string text(std::size_t width) const;
  /// The same for those who listen: one line per row, each cell after its column's title; nothing is drawn.
  /// text() gives this where LADDER_PLAIN is set.
  std::string lines() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// A number with three significant digits: 0.304, 12.3, 1,234.
std::string short_number(double value);
/// "35 %" of 0.35.
std::string per_cent(double share);

/// A time with its unit: 12.3 ms.
std::string short_time(double seconds);

/// An amount per second with its unit: 1.21 TFLOP/s of 1.21e12 and FLOP/s.
std::string short_rate(double amount, const std::string& unit);

/// An energy with its unit: 12.3 mJ.
std::string short_energy(double joules);

}  // namespace ladder::report
