#include "common/course/platforms/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "common/base/error.hpp"
#include "common/base/files/whole_file.hpp"
#include "common/base/text/text.hpp"
#include "common/grade/csv.hpp"
#include "common/grade/intake/names.hpp"
#include "common/grade/intake/source_encoding.hpp"

namespace ladder::course {
namespace {

/// Reads fields one after the other. No library in Debian says on which line a row begins.
class Reader {
 public:
  Reader(const std::string& text, const std::string& name, char separator)
      : text_(text), name_(name), separator_(separator) {}

  /// The next row that is not empty. @return false after the last
  bool next(Row& row) {
    while (at_ < text_.size()) {
      row = {line_, {}};
      do row.fields.push_back(field());
      while (at_ < text_.size() && text_[at_] == separator_ && ++at_);
      if (at_ < text_.size()) ++at_, ++line_;  // the end of the line
      if (row.fields.size() > 1 || !trim(row.fields[0]).empty()) return true;
    }
    return false;
  }

 private:
  std::string field() {
    if (at_ < text_.size() && text_[at_] == '"') return quoted();
    const auto end = std::min({text_.find(separator_, at_), text_.find('\n', at_), text_.size()});
    std::string plain = text_.substr(at_, end - at_);
    at_ = end;
    return plain;
  }

  std::string quoted() {
    const int begin = line_;
    std::string inside;
    for (++at_; at_ < text_.size(); ++at_) {
      const bool quote = text_[at_] == '"';
      if (quote && (at_ + 1 == text_.size() || text_[at_ + 1] != '"')) {
        if (++at_ == text_.size() || text_[at_] == separator_ || text_[at_] == '\n') return inside;
        throw Error(
            fmt::format("{}:{}: after a closing quote comes '{}': a quote in a field is written twice", name_,
                        line_, text_[at_]));
      }
      at_ += quote;  // one of two
      line_ += text_[at_] == '\n';
      inside += text_[at_];
    }
    throw Error(fmt::format("{}:{}: a quote is opened and never closed", name_, begin));
  }

  const std::string& text_;
  const std::string& name_;
  char separator_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

int Table::column(const std::string& wanted) const {
  for (std::size_t i = 0; i < header.size(); ++i)
    if (grade::lower(header[i]) == grade::lower(wanted)) return static_cast<int>(i);
  return -1;
}

std::string Table::field(const Row& row, const std::string& wanted) const {
  const int at = column(wanted);
  return at < 0 ? "" : std::string(trim(row.fields[static_cast<std::size_t>(at)]));
}

Table read_table(const std::string& bytes, const std::string& name) {
  std::string text;
  try {
    text = grade::text_of(bytes, grade::Content::prose).text;
  } catch (const Error& e) {
    throw Error(fmt::format("{} {}", name, e.what()));
  }
  Table table{.name = name, .separator = ',', .header = {}, .rows = {}};
  const std::string first = text.substr(0, text.find('\n'));
  if (std::count(first.begin(), first.end(), ';') > std::count(first.begin(), first.end(), ','))
    table.separator = ';';
  Reader reader(text, name, table.separator);
  Row row;
  if (!reader.next(row)) throw Error(fmt::format("{}: it has no header", name));
  for (const std::string& column : row.fields) {
    if (table.column(std::string(trim(column))) >= 0 && !trim(column).empty())
      throw Error(fmt::format("{}:{}: the column {} is there twice", name, row.line, trim(column)));
    table.header.emplace_back(trim(column));
  }
  while (reader.next(row)) {
    if (row.fields.size() != table.header.size())
      throw Error(fmt::format("{}:{}: {} fields, and the header has {}: a field with '{}' needs quotes", name,
                              row.line, row.fields.size(), table.header.size(), table.separator));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table read_table(const std::filesystem::path& file) {
  return read_table(read_bytes(file), file.filename().string());
}

std::string table_text(const std::vector<std::vector<std::string>>& rows, const CsvDialect& form) {
  std::string text = form.bom ? "\xef\xbb\xbf" : "";
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += form.separator;
      line += grade::csv_field(grade::csv_name(row[i]));
    }
    text += line + "\r\n";
  }
  return text;
}

std::string without_guard(const std::string& text) {
  return text.size() > 2 && text[0] == '\'' && grade::is_formula(text.substr(1)) ? text.substr(1) : text;
}

std::string read_bytes(const std::filesystem::path& file) {
  const auto bytes = whole_file(file);
  if (!bytes) throw Error(fmt::format("cannot read {}: {}", file.string(), std::strerror(errno)));
  return *bytes;
}

std::string folded(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && !std::isalnum(byte)) continue;
    // U+00c0 to U+00de, "À" to "Þ", are 0x20 before their small letters; U+00d7 is no letter.
    const bool capital = byte >= 0x80 && byte <= 0x9e && byte != 0x97 && letters.ends_with('\xc3');
    letters += capital       ? static_cast<char>(byte + 0x20)
               : byte < 0x80 ? static_cast<char>(std::tolower(byte))
                             : c;
  }
  return letters;
}

}  // namespace ladder::course
