#pragma once
/// @file
/// Tables as spreadsheets and platforms write them (RFC 4180, with ',' or ';'), and as they read them.

#include <filesystem>
#include <string>
#include <vector>

namespace ladder::course {

/// A row below the header.
struct Row {
  int line = 0;  ///< where it begins, the header's line is 1
  std::vector<std::string> fields;
};

/// A table with a header. Column names are compared without case.
struct Table {
  std::string name;  ///< of the file, for messages
  char separator = ',';
  std::vector<std::string> header;
  std::vector<Row> rows;

  /// The column of that name; -1: there is none.
  int column(const std::string& name) const;
  /// The field of a row, without blanks at its ends; empty where the column is not there.
  std::string field(const Row& row, const std::string& column) const;
};

/// Reads a table. UTF-8 with or without a byte-order mark, or Windows-1252. The separator is what the header
/// has more of. Empty lines are skipped.
/// @param name  of the file, for messages
/// @throws Error "NAME:LINE: …": no header, a column twice, a row with another number of fields, an open
/// quote
Table read_table(const std::string& bytes, const std::string& name);

/// @throws Error as read_table does, and when the file cannot be read
Table read_table(const std::filesystem::path& file);

/// How a table is written.
struct CsvDialect {
  char separator = ',';  ///< ';' where a spreadsheet takes ',' for the decimal point
  bool bom = true;       ///< without it Excel takes UTF-8 for Latin-1
};

/// The rows as a file: each text that a spreadsheet would take for a formula gets an apostrophe.
std::string table_text(const std::vector<std::vector<std::string>>& rows, const CsvDialect& form);

/// What an apostrophe of ours protects: "'=O'Brien" is "=O'Brien".
std::string without_guard(const std::string& text);

/// The whole of a file. @throws Error naming it and the reason
std::string read_bytes(const std::filesystem::path& file);

/// A name for comparing: no blanks or punctuation, and no case where the letters are those of Latin-1.
std::string folded(std::string_view text);

}  // namespace ladder::course
