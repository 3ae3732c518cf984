#include "matrix_market.hpp"

#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "common/lesson/lesson.hpp"

namespace cholesky {
namespace {

/// A file, plain or packed, read line by line.
class Lines {
 public:
  explicit Lines(const std::string& path) : path_(path), file_(gzopen(path.c_str(), "rb"), gzclose) {
    if (!file_) throw ladder::Error(path + ": cannot be opened");
    gzbuffer(file_.get(), 1 << 18);
  }

  /// @return false at the end of the file.
  bool next(std::string& line) {
    line.clear();
    char piece[512];
    while (gzgets(file_.get(), piece, sizeof piece)) {
      line += piece;
      if (line.back() != '\n') continue;
      break;
    }
    int code = Z_OK;
    const char* const text = gzerror(file_.get(), &code);
    if (code != Z_OK && code != Z_STREAM_END) {
      ++number_;
      refuse(std::string("the packed file is damaged: ") + text);
    }
    if (line.empty()) return false;
    ++number_;
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
    return true;
  }

  [[noreturn]] void refuse(const std::string& reason) const { refuse(number_, reason); }
  [[noreturn]] void refuse(long line, const std::string& reason) const {
    throw ladder::Error(path_ + ":" + std::to_string(line) + ": " + reason);
  }
  long number() const { return number_; }

 private:
  std::string path_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file_;
  long number_ = 0;
};

/// An entry at its place below the diagonal.
struct Entry {
  int column, row;
  double value;
  long line;
  bool mirrored;  ///< The file has it above the diagonal.
};

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c));
}

/// The numbers of a line.
class Fields {
 public:
  Fields(const Lines& lines, const std::string& line) : lines_(lines), at_(line.c_str()) {}

  long whole(const char* what, long low, long high) {
    const std::string text = next();
    char* end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 10);  // the largest one when the number is too large
    if (text.empty() || *end != 0) lines_.refuse(std::string("expected ") + what + ", a whole number");
    if (value < low || value > high)
      lines_.refuse(std::string(what) + " is " + text + ", not in " + std::to_string(low) + " to " +
                    std::to_string(high));
    return value;
  }
  /// @param whole  the file says that its values are integers
  double value(bool whole) {
    const std::string text = next();
    if (text.empty()) lines_.refuse("expected a value after row and column");
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (*end != 0 || text.find_first_of("xX") != std::string::npos)
      lines_.refuse("the value " + text + " is not a decimal number");
    if (!std::isfinite(value)) lines_.refuse("the value is not finite");
    if (whole && text.find_first_not_of("+-0123456789") != std::string::npos)
      lines_.refuse("the value " + text + " is not a whole number, though the first line says integer");
    return value;
  }
  void end() {
    while (is_space(*at_)) ++at_;
    if (*at_ != 0) lines_.refuse(std::string("more on the line than expected: ") + at_);
  }

 private:
  /// What is before the next blank; empty at the end of the line.
  std::string next() {
    while (is_space(*at_)) ++at_;
    const char* const begin = at_;
    while (*at_ != 0 && !is_space(*at_)) ++at_;
    return {begin, at_};
  }

  const Lines& lines_;
  const char* at_;
};

bool is_comment(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  return first == std::string::npos || line[first] == '%';
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

/// What the first line says.
struct Header {
  bool whole;    ///< Values are integers.
  bool pattern;  ///< There are no values.
  bool general;  ///< Both triangles are in the file.
};

Header read_header(Lines& lines, const std::string& path) {
  std::string line;
  if (!lines.next(line)) throw ladder::Error(path + ": an empty file is no Matrix Market file");
  std::istringstream words(lower_case(line));
  std::string mark, object, format, field, symmetry;
  words >> mark >> object >> format >> field >> symmetry;
  if (mark != "%%matrixmarket") lines.refuse("does not begin with %%MatrixMarket");
  if (symmetry.empty()) lines.refuse("has fewer words than %%MatrixMarket matrix coordinate real symmetric");
  if (object != "matrix") lines.refuse("object " + object + ": only matrix");
  if (format != "coordinate")
    lines.refuse("format " + format + ": only coordinate, which is for sparse matrices");
  if (field != "real" && field != "integer" && field != "pattern")
    lines.refuse("field " + field + ": only real, integer and pattern");
  if (symmetry == "skew-symmetric")
    lines.refuse("symmetry skew-symmetric: its diagonal is 0, so it is not positive definite");
  if (symmetry != "symmetric" && symmetry != "general")
    lines.refuse("symmetry " + symmetry + ": only symmetric and general");
  return {field == "integer", field == "pattern", symmetry == "general"};
}

/// @return a place as the file has it: "row 3, column 1".
std::string place_of(const Entry& entry) {
  const int row = entry.mirrored ? entry.column : entry.row,
            column = entry.mirrored ? entry.row : entry.column;
  return "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
}

std::string text_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// Refuses an entry of a general file whose mirror image has another value, or is missing and so 0.
void refuse_unequal(const Entry& entry, const Entry* mirror, const Lines& lines) {
  if (entry.value == (mirror ? mirror->value : 0)) return;
  Entry other = entry;
  other.mirrored = !entry.mirrored;
  lines.refuse(entry.line, place_of(entry) + " is " + text_of(entry.value) + ", but " + place_of(other) +
                               " is " +
                               (mirror ? text_of(mirror->value) + ", on line " + std::to_string(mirror->line)
                                       : "not in the file") +
                               ": not symmetric");
}

bool same_place(const Entry& a, const Entry& b) {
  return a.column == b.column && a.row == b.row;
}

/// Drops the upper triangle of a general file. @param entries  sorted, none twice: images next to each other,
/// the lower one first
std::vector<Entry> lower_triangle(const std::vector<Entry>& entries, const Lines& lines) {
  std::vector<Entry> lower;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const Entry& entry = entries[e];
    const bool has_image = e + 1 < entries.size() && same_place(entry, entries[e + 1]);
    if (entry.row != entry.column) refuse_unequal(entry, has_image ? &entries[e + 1] : nullptr, lines);
    if (!entry.mirrored) lower.push_back(entry);
    if (has_image) ++e;
  }
  return lower;
}

/// @param entries  sorted: of one place in a symmetric file, and of one triangle in a general one, by their
/// lines
void refuse_twice(const std::vector<Entry>& entries, bool general, const Lines& lines) {
  for (std::size_t e = 1; e < entries.size(); ++e) {
    const Entry &first = entries[e - 1], &entry = entries[e];
    const bool other_triangle = entry.mirrored != first.mirrored;
    if (!same_place(first, entry) || (general && other_triangle)) continue;
    lines.refuse(entry.line, place_of(entry) + " is there already, " +
                                 (other_triangle ? "as " + place_of(first) + ", " : "") + "on line " +
                                 std::to_string(first.line));
  }
}

Symmetric assemble(int n, std::vector<Entry> entries, bool general, const Lines& lines) {
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    const bool a_later = general && a.mirrored, b_later = general && b.mirrored;
    return std::tie(a.column, a.row, a_later, a.line) < std::tie(b.column, b.row, b_later, b.line);
  });
  refuse_twice(entries, general, lines);
  if (general) entries = lower_triangle(entries, lines);
  Symmetric A;
  A.n = n;
  A.start.assign(n + 1, 0);
  std::size_t e = 0;
  for (int j = 0; j < n; ++j) {
    const bool has_diagonal = e < entries.size() && entries[e].column == j && entries[e].row == j;
    if (!has_diagonal) A.row.push_back(j), A.value.push_back(0);
    for (; e < entries.size() && entries[e].column == j; ++e) {
      A.row.push_back(entries[e].row);
      A.value.push_back(entries[e].value);
    }
    A.start[j + 1] = std::int64_t(A.row.size());
  }
  return A;
}

/// Refuses a matrix that needs more memory than there is, before any of it is taken.
void refuse_too_large(long rows, long count, std::size_t memory, const Lines& lines) {
  // the entries, once more sorted out of a general file, and the matrix with its diagonal
  const double bytes = 2.0 * count * sizeof(Entry) +
                       double(rows) * (sizeof(std::int64_t) + sizeof(int) + sizeof(double)) +
                       double(count) * (sizeof(int) + sizeof(double));
  if (bytes <= double(memory)) return;
  const auto gigabytes = [](double b) { return std::to_string(long(std::ceil(b / 1e9))) + " GB"; };
  lines.refuse(std::to_string(rows) + " rows and " + std::to_string(count) + " entries take up to " +
               gigabytes(bytes) + " while they are read, more than the memory that is free here");
}

}  // namespace

Symmetric read_matrix_market(const std::string& path, std::optional<std::size_t> memory) {
  Lines lines(path);
  std::string line;
  const Header header = read_header(lines, path);
  do {
    if (!lines.next(line)) lines.refuse("ends before the line of sizes");
  } while (is_comment(line));
  Fields sizes(lines, line);
  const long rows = sizes.whole("the number of rows", 1, INT_MAX - 1);
  const long columns = sizes.whole("the number of columns", 1, INT_MAX - 1);
  if (rows != columns)
    lines.refuse(std::to_string(rows) + " rows and " + std::to_string(columns) + " columns: not square");
  const long count =
      sizes.whole("the number of entries", 0, header.general ? rows * rows : rows * (rows + 1) / 2);
  sizes.end();
  if (memory) refuse_too_large(rows, count, *memory, lines);

  std::vector<Entry> entries;
  while (lines.next(line)) {
    if (is_comment(line)) continue;
    if (long(entries.size()) == count)
      lines.refuse("more than the " + std::to_string(count) + " entries announced");
    Fields fields(lines, line);
    const int row = int(fields.whole("the row", 1, rows)) - 1;
    const int column = int(fields.whole("the column", 1, columns)) - 1;
    const double value = header.pattern ? 1 : fields.value(header.whole);
    entries.push_back({std::min(row, column), std::max(row, column), value, lines.number(), row < column});
    fields.end();
  }
  if (long(entries.size()) < count)
    lines.refuse("ends after " + std::to_string(entries.size()) + " of the " + std::to_string(count) +
                 " entries announced");
  Symmetric A = assemble(int(rows), std::move(entries), header.general, lines);
  if (header.pattern) set_values(A, 0);
  return A;
}

long line_of_diagonal(const std::string& path, int row) {
  Lines lines(path);
  bool sizes = true;  // the first line that is no comment has them
  for (std::string line; lines.next(line);) {
    if (is_comment(line)) continue;
    int i = 0, j = 0;
    if (!sizes && std::istringstream(line) >> i >> j && i == row + 1 && j == row + 1) return lines.number();
    sizes = false;
  }
  return 0;
}

}  // namespace cholesky
