#pragma once
/// @file
/// The bytes of a submitted file as text that a compiler reads: UTF-8, lines that end with LF, and the same
/// line numbers.

#include <string>
#include <string_view>
#include <vector>

namespace ladder::grade {

/// A file's text, and what was changed to get it.
struct Text {
  std::string text;
  std::vector<std::string> changed;  ///< of "bom", "crlf", "cr", "latin-1", "control"
};

/// What a file is, as far as it matters where a byte stands.
enum class Content {
  source,  ///< C++: what is not UTF-8 may be in comments and strings only
  prose    ///< notes: it may stand anywhere
};

/// The text of the bytes. A byte-order mark goes, CRLF becomes LF, bytes that are not UTF-8 are read as
/// Windows-1252 (which has Latin-1's letters), control characters become blanks, in comments and strings '?'
/// (a terminal's colours go with their ESC). No line gets another number.
/// @throws Error saying what is wrong and what to do: empty, UTF-16 or UTF-32, binary, Latin-1 outside of
/// comments and strings
Text text_of(std::string_view bytes, Content content);

/// The text with what a terminal, JSON or a page could not show replaced by '?', and shortened.
std::string printable(std::string_view text, std::size_t most = 200);

}  // namespace ladder::grade
