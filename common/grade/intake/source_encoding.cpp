#include "common/grade/intake/source_encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/base/error.hpp"
#include "common/grade/intake/scan.hpp"

namespace ladder::grade {
namespace {

/// Bytes of the UTF-8 sequence at the start of the text; 0 when there is none. Source: RFC 3629, section 4.
std::size_t utf8_sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef)
    return follows(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && follows(2) ? 3 : 0;
  if (first >= 0xf0 && first <= 0xf4)
    return follows(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) && follows(2) && follows(3)
               ? 4
               : 0;
  return 0;
}

void append_utf8(std::string& text, unsigned code) {
  if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
  } else {
    text += static_cast<char>(0xe0 | code >> 12);
    text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
  }
  text += static_cast<char>(0x80 | (code & 0x3f));
}

/// The character of a byte above 0x7f. Source: Unicode's table CP1252; what it leaves open is U+FFFD.
unsigned windows_1252(unsigned char byte) {
  static constexpr std::array<std::uint16_t, 32> first = {
      0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
      0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd, 0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
      0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178};
  return byte < 0xa0 ? first[byte - 0x80] : byte;
}

long line_of(std::string_view text, std::size_t at) {
  return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
}

constexpr const char* save_as =
    "save it as UTF-8 (VS Code: \"Save with Encoding\"; Notepad: \"Save As\", Encoding)";

/// @throws Error for what no compiler reads
void refuse_unreadable(std::string_view bytes, Content content) {
  if (bytes.find_first_not_of(std::string_view(" \t\r\n\0", 5)) == bytes.npos &&
      bytes.find('\0') == bytes.npos)
    throw Error("is empty");
  const auto begins = [&](std::string_view mark) { return bytes.starts_with(mark); };
  using namespace std::string_view_literals;
  if (begins("\xff\xfe\0\0"sv) || begins("\0\0\xfe\xff"sv))
    throw Error(fmt::format("is UTF-32: {}", save_as));
  if (begins("\xff\xfe"sv) || begins("\xfe\xff"sv)) throw Error(fmt::format("is UTF-16: {}", save_as));
  const auto nul = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\0'));
  if (nul == 0) return;
  std::array<std::size_t, 2> of_parity{};
  for (std::size_t i = 0; i < bytes.size(); ++i) of_parity[i % 2] += bytes[i] == '\0';
  // English text in UTF-16 without a mark: every second byte is NUL, and no other.
  if (nul > bytes.size() / 4 && (of_parity[0] == 0 || of_parity[1] == 0))
    throw Error(fmt::format("is UTF-16 without a mark: {}", save_as));
  if (content == Content::source || nul > bytes.size() / 20) throw Error("has NUL bytes: it is no text");
}

/// Lines end with LF. A lone CR ends a line where nothing else does (old Macs); elsewhere it would hide what
/// is before it
/// from a reader, and becomes a blank.
void change_line_ends(Text& text) {
  if (text.text.find('\r') == std::string::npos) return;
  const bool only_cr = text.text.find('\n') == std::string::npos;
  std::string lines;
  bool crlf = false, cr = false;
  for (std::size_t i = 0; i < text.text.size(); ++i) {
    const char c = text.text[i];
    if (c != '\r') {
      lines += c;
      continue;
    }
    const auto next = std::min(text.text.find_first_not_of('\r', i), text.text.size());
    if (next < text.text.size() && text.text[next] == '\n' && !only_cr) {
      crlf = true, i = next - 1;  // CR CR LF, too: what some mail programs make of CR LF
    } else {
      cr = true, lines += only_cr ? '\n' : ' ';
    }
  }
  text.text = std::move(lines);
  if (crlf) text.changed.emplace_back("crlf");
  if (cr) text.changed.emplace_back("cr");
}

bool is_control(char byte) {
  const auto c = static_cast<unsigned char>(byte);
  return (c < 0x20 && c != '\n' && c != '\t' && c != '\v' && c != '\f') || c == 0x7f;
}

/// Bytes of the terminal's command that begins with an ESC: "ESC [ 31 m"; 1: none is known. Source: ECMA-48,
/// section 5.4.
std::size_t escape_sequence(std::string_view text) {
  if (text.size() < 2 || text[1] != '[') return 1;
  std::size_t end = 2;
  while (end < text.size() && end < 32 && text[end] >= '0' && text[end] <= '?') ++end;
  return end < text.size() && text[end] >= 0x40 && text[end] <= 0x7e ? end + 1 : 1;
}

/// Pasted output brings them: no terminal, table or page may get them, and nobody's work is lost for one.
/// @throws Error where so many are no slip: a program, a picture
void change_control_characters(Text& text, Content content) {
  const std::string all = text.text;
  const auto count = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_control));
  if (count == 0) return;
  if (count > 16 + all.size() / 20) throw Error("is more than a twentieth control characters: it is no text");
  const std::vector<Part> parts = content == Content::source ? parts_of(all) : std::vector<Part>();
  text.text.clear();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_control(all[i])) {
      text.text += all[i];
      continue;
    }
    const bool code = !parts.empty() && parts[i] == Part::code;
    if (all[i] == '\x1b') i += escape_sequence(std::string_view(all).substr(i)) - 1;
    text.text += code ? ' ' : '?';
  }
  text.changed.emplace_back("control");
}

void change_to_utf8(Text& text, Content content) {
  std::string utf8;
  std::vector<Part> parts;
  bool changed = false;
  const std::string_view all = text.text;
  for (std::size_t i = 0; i < all.size();) {
    if (const std::size_t length = utf8_sequence(all.substr(i, 4))) {
      utf8 += all.substr(i, length), i += length;
      continue;
    }
    if (parts.empty() && content == Content::source) parts = parts_of(all);
    const auto byte = static_cast<unsigned char>(all[i]);
    if (content == Content::source && parts[i] == Part::code)
      throw Error(
          fmt::format("has the byte 0x{:02x}, no UTF-8, outside of comments and strings in line {}: {}", byte,
                      line_of(all, i), save_as));
    append_utf8(utf8, windows_1252(byte)), changed = true, ++i;
  }
  text.text = std::move(utf8);
  if (changed) text.changed.emplace_back("latin-1");
}

}  // namespace

Text text_of(std::string_view bytes, Content content) {
  refuse_unreadable(bytes, content);
  Text text;
  if (bytes.starts_with("\xef\xbb\xbf")) {
    bytes.remove_prefix(3);
    text.changed.emplace_back("bom");
    if (bytes.empty()) throw Error("is empty");
  }
  text.text = bytes;
  if (text.text.back() == '\x1a') text.text.pop_back();  // DOS's end of a file, which some editors keep
  change_line_ends(text);
  change_control_characters(text, content);
  change_to_utf8(text, content);
  return text;
}

std::string printable(std::string_view text, std::size_t most) {
  std::string shown;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_sequence(text.substr(i, 4));
    const auto first = static_cast<unsigned char>(text[i]);
    if (shown.size() + length > most) return shown + "…";
    // C1 controls (U+0080 to U+009f) and marks of direction (U+200e to U+206f) would change how the line
    // around them reads.
    const std::string_view one = text.substr(i, length);
    const bool c1 = length == 2 && first == 0xc2 && static_cast<unsigned char>(one[1]) < 0xa0;
    const bool direction = length == 3 && (one.starts_with("\xe2\x80") || one.starts_with("\xe2\x81")) &&
                           one != "…" && one != "–" && one != "—" && one != "’";
    if (length == 0 || (length == 1 && (first < 0x20 || first == 0x7f)) || c1 || direction)
      shown += '?';
    else
      shown += one;
    i += std::max<std::size_t>(length, 1);
  }
  return shown;
}

}  // namespace ladder::grade
