/// @file
/// Submitted bytes as text, and what of a source is comment, string and include.
// Guards: docs/grading.md#attacks

#include "common/grade/intake/source_encoding.hpp"

#include "common/base/error.hpp"
#include "common/grade/intake/scan.hpp"
#include "tests/common/catch.hpp"

using namespace ladder::grade;
using ladder::test::contains;
using namespace std::string_literals;
using Names = std::vector<std::string>;

namespace {

std::string why_not(const std::string& bytes, Content content = Content::source) {
  try {
    text_of(bytes, content);
  } catch (const ladder::Error& e) {
    return e.what();
  }
  return "";
}

long lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace

TEST_CASE("line ends and a byte-order mark go, and no line gets another number") {
  Text text = text_of("\xef\xbb\xbfint a;\r\nint b;\r\n", Content::source);
  CHECK(text.text == "int a;\nint b;\n");
  CHECK(text.changed == Names{"bom", "crlf"});
  text = text_of("int a;\rint b;\r", Content::source);
  CHECK(text.text == "int a;\nint b;\n");
  CHECK(text.changed == Names{"cr"});
  // Within lines of LF a lone CR is no line: an error in line 2 stays in line 2.
  text = text_of("int a; // x\rint c;\nint b;\r\r\n", Content::source);
  CHECK(text.text == "int a; // x int c;\nint b;\n");
  CHECK(text.changed == Names{"crlf", "cr"});
  text = text_of("plain\n", Content::source);
  CHECK(text.changed.empty());
  CHECK(text_of("int a;\n\x1a", Content::source).text == "int a;\n");
}

TEST_CASE("Latin-1 in comments and strings becomes UTF-8; elsewhere it is refused with its line") {
  Text text = text_of(
      "// gr\xf6\xdf"
      "er \x80\nauto s = \"\xe9\";  /* \xe4\n\xfc */ int x;\n",
      Content::source);
  CHECK(text.text == "// größer €\nauto s = \"é\";  /* ä\nü */ int x;\n");
  CHECK(text.changed == Names{"latin-1"});
  CHECK(contains(why_not("int a;\nint gr\xf6\xdf"
                         "e;\n"),
                 "0xf6, no UTF-8, outside of comments and strings in line 2"));
  CHECK(contains(why_not("char c = '\xe9';\n"), "line 1"));
  // UTF-8 stays as it is, also next to Latin-1.
  text = text_of(
      "// größer gr\xf6\xdf"
      "er\n",
      Content::source);
  CHECK(text.text == "// größer größer\n");
  CHECK(text_of("int größe;\n", Content::source).changed.empty());
  CHECK(text_of("gr\xf6\xdf"
                "er",
                Content::prose)
            .text == "größer");
}

TEST_CASE("what no compiler reads is refused with what to do") {
  CHECK(why_not("") == "is empty");
  CHECK(why_not(" \r\n\t") == "is empty");
  CHECK(why_not("\xef\xbb\xbf") == "is empty");
  CHECK(contains(why_not("\xff\xfei\0n\0t\0"s), "is UTF-16: save it as UTF-8"));
  CHECK(contains(why_not("\xfe\xff\0i\0n\0t"s), "is UTF-16"));
  CHECK(contains(why_not("\xff\xfe\0\0i\0\0\0"s), "is UTF-32"));
  CHECK(contains(why_not("\0\0\xfe\xff\0\0\0i"s), "is UTF-32"));
  CHECK(contains(why_not("i\0n\0t\0 \0a\0;\0"s), "is UTF-16 without a mark"));
  CHECK(contains(why_not("int a;\0\0int b;"s), "NUL bytes"));
  CHECK(contains(why_not(std::string(40, '\x01') + "int a;\n"), "control characters: it is no text"));
}

TEST_CASE("control characters become harmless, in code and in prose, and no line gets another number") {
  Text text =
      text_of("int a;  // \x1b[31mred\x1b[0m\nint \x1b[2Jb;\nauto s = \"\x07\x08\";\n", Content::source);
  CHECK(text.text == "int a;  // ?red?\nint  b;\nauto s = \"??\";\n");
  CHECK(text.changed == Names{"control"});
  // What looks like a command and could end a comment stays.
  CHECK(text_of("/* \x1b[*/ int a;\n", Content::source).text == "/* ?[*/ int a;\n");
  for (int c = 1; c < 0x20; ++c) {
    if (c == '\n' || c == '\t' || c == '\v' || c == '\f' || c == '\r') continue;
    const std::string byte(1, static_cast<char>(c));
    INFO(c);
    CHECK(text_of("I think" + byte + " so.\nYes.\n", Content::prose).text == "I think? so.\nYes.\n");
    CHECK(text_of("int" + byte + "a;\nint b;\n", Content::source).text == "int a;\nint b;\n");
  }
  CHECK(text_of("a\x7f\n", Content::prose).text == "a?\n");
  CHECK(text_of(std::string(100, 'a') + "\0\n"s, Content::prose).text == std::string(100, 'a') + "?\n");
}

TEST_CASE("comments, strings and literals are told apart") {
  const auto part = [](const std::string& source, char mark) { return parts_of(source)[source.find(mark)]; };
  CHECK(part("// a @", '@') == Part::comment);
  CHECK(part("// a \\\n @\n", '@') == Part::comment);
  CHECK(part("// a\n @", '@') == Part::code);
  CHECK(part("/* \n @ */", '@') == Part::comment);
  CHECK(part("/* */ @", '@') == Part::code);
  CHECK(part("\"// @\"", '@') == Part::string);
  CHECK(part("\"\\\"\" @", '@') == Part::code);
  CHECK(part("'\"' @", '@') == Part::code);
  CHECK(part("'\"' // @", '@') == Part::comment);
  CHECK(part("1'000 // @ '", '@') == Part::comment);
  CHECK(part("0x1'0 + 1'0 \"@\"", '@') == Part::string);
  CHECK(part("u8R\"x( \" // )\" @ )x\"", '@') == Part::string);
  CHECK(part("R\"( \" )\" @", '@') == Part::code);
  CHECK(part("fooR\"( \" @ )\"", '@') == Part::code);  // no prefix of a raw string
  CHECK(part("\"open\n @", '@') == Part::code);
  for (const char* open : {"/*", "//", "\"", "'", "R\"", "R\"x(", "\"\\", "'\\"})
    CHECK(parts_of(open).size() == std::string(open).size());
}

TEST_CASE("includes in quotes are found, and only they") {
  CHECK(included_by(
            "#include \"a.hpp\"\n  # include\t\"b/c.hpp\" // x\n#include <vector>\n%:include \"d.h\"\n") ==
        Names{"a.hpp", "b/c.hpp", "d.h"});
  CHECK(included_by("// #include \"a.hpp\"\n/*\n#include \"b.hpp\"\n*/ int x;\nauto s = R\"(\n#include "
                    "\"c.hpp\"\n)\";\n")
            .empty());
  CHECK(included_by("/* x */ #include \"a.hpp\"\n#include \"a.hpp\"") == Names{"a.hpp"});
  CHECK(included_by("#include \"a.hpp").empty());
  CHECK(included_by("").empty());
}

TEST_CASE("a hostile name prints as one harmless line of UTF-8") {
  CHECK(printable("a\nb\x1b[31m\xff") == "a?b?[31m?");
  CHECK(printable("Søren.cu") == "Søren.cu");
  CHECK(printable("\xe2\x80\xae"
                  "evil") == "?evil");
  CHECK(printable("\xc2\x9b"
                  "x") == "?x");
  CHECK(printable(std::string(300, 'a')).size() == 203);
  CHECK(lines(printable("\n\n")) == 0);
}
