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

struct Entry {
  int column, row;
  double value;
  long line;
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

/// Reads the first line. @return its field: real, integer or pattern
std::string read_header(Lines& lines, std::string& line) {
  if (!lines.next(line)) throw ladder::Error("an empty file is no Matrix Market file");
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
  if (symmetry != "symmetric") lines.refuse("symmetry " + symmetry + ": only symmetric");
  return field;
}

Symmetric assemble(int n, std::vector<Entry> entries, const Lines& lines) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.column != b.column ? a.column < b.column : a.row != b.row ? a.row < b.row : a.line < b.line;
  });
  Symmetric A;
  A.n = n;
  A.start.assign(n + 1, 0);
  std::size_t e = 0;
  for (int j = 0; j < n; ++j) {
    const bool has_diagonal = e < entries.size() && entries[e].column == j && entries[e].row == j;
    if (!has_diagonal) A.row.push_back(j), A.value.push_back(0);
    for (; e < entries.size() && entries[e].column == j; ++e) {
      if (e > 0 && entries[e - 1].column == j && entries[e - 1].row == entries[e].row)
        lines.refuse(entries[e].line, "row " + std::to_string(entries[e].row + 1) + ", column " +
                                          std::to_string(j + 1) + " is there already, on line " +
                                          std::to_string(entries[e - 1].line));
      A.row.push_back(entries[e].row);
      A.value.push_back(entries[e].value);
    }
    A.start[j + 1] = std::int64_t(A.row.size());
  }
  return A;
}

}  // namespace

Symmetric read_matrix_market(const std::string& path) {
  Lines lines(path);
  std::string line;
  const std::string field = read_header(lines, line);
  const bool pattern = field == "pattern";
  do {
    if (!lines.next(line)) lines.refuse("ends before the line of sizes");
  } while (is_comment(line));
  Fields sizes(lines, line);
  const long rows = sizes.whole("the number of rows", 1, INT_MAX - 1);
  const long columns = sizes.whole("the number of columns", 1, INT_MAX - 1);
  if (rows != columns)
    lines.refuse(std::to_string(rows) + " rows and " + std::to_string(columns) + " columns: not symmetric");
  const long count = sizes.whole("the number of entries", 0, rows * (rows + 1) / 2);
  sizes.end();

  std::vector<Entry> entries;
  while (lines.next(line)) {
    if (is_comment(line)) continue;
    if (long(entries.size()) == count)
      lines.refuse("more than the " + std::to_string(count) + " entries announced");
    Fields fields(lines, line);
    const int row = int(fields.whole("the row", 1, rows)) - 1;
    const int column = int(fields.whole("the column", 1, columns)) - 1;
    if (row < column) lines.refuse("above the diagonal: a symmetric file holds the lower triangle");
    entries.push_back({column, row, pattern ? 1 : fields.value(field == "integer"), lines.number()});
    fields.end();
  }
  if (long(entries.size()) < count)
    lines.refuse("ends after " + std::to_string(entries.size()) + " of the " + std::to_string(count) +
                 " entries announced");
  Symmetric A = assemble(int(rows), std::move(entries), lines);
  if (pattern) set_values(A, 0);
  return A;
}

}  // namespace cholesky
