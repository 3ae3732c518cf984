/// @file
/// Phrases that read like a translation are named with file, line and what to write instead; code is no text.
// Guards: docs/contributing.md#style

#include "common/tool/maintain/checks/english.hpp"

#include "tests/common/catch.hpp"

namespace ladder::english_test {
namespace {

std::string first(const std::string& text, bool code) {
  const auto found = unidiomatic_phrases("docs/a.md", text, code);
  return found.empty() ? "" : found.front().sentence();
}

}  // namespace

TEST_CASE("english: a phrase is named with its line and what to write instead") {
  CHECK(first("right\nit is mended\n", false) == "docs/a.md:2: 'mended': write 'fix'");
  CHECK(first("a rung beside the library", false) != "");
  CHECK(first("leave --out away", false) != "");
  CHECK(first("48 sectors a flop", false) != "");
  CHECK(first("the value stands in the table", false) != "");
}

TEST_CASE("english: each phrase is found, at the beginning of a sentence, too") {
  for (const char* phrase : {"Mending it",
                             "they mend it",
                             "Leave --out away",
                             "In place of it",
                             "in place of it",
                             "it runs for ever",
                             "Anew",
                             "read anew",
                             "Beside it",
                             "It stands in it",
                             "Stands there now",
                             "in the race of two",
                             "it wants a whole number",
                             "it wants a text",
                             "three launches an element",
                             "1.44 times what is needed",
                             "3.67 of what is necessary",
                             "g1 gets 17.0 times",
                             "the page says how",
                             "an event tells",
                             "what is under way",
                             "the tiles on their way",
                             "How many loads has a tile",
                             "it stays so",
                             "it is here already",
                             "a block of so many threads each",
                             "that many or fewer",
                             "and the like",
                             "a barrier or 2 bytes a flop",
                             "a GPU of today",
                             "names of today",
                             "it loses the products",
                             "rows lose multiples of it",
                             "has lost its multiples"}) {
    CAPTURE(phrase);
    CHECK(first(phrase, false) != "");
    CHECK(first(std::string("x;  // ") + phrase, true) != "");
  }
}

TEST_CASE("english: pages say how many there are for each") {
  for (const char* phrase : {"a block of threads a tile", "then a thread an entry", "s³/3 operations a tile",
                             "two entries a lane"}) {
    CAPTURE(phrase);
    CHECK(first(phrase, false) != "");
  }
  CHECK(first("which elements a thread has, and a block a week", false) == "");
  CHECK(first("it gives each thread a block: two elements a row apart", false) == "");
}

TEST_CASE("english: what only pages have: headings, headless clauses, and two colons in one sentence") {
  CHECK(first("# What must be there\n", false) != "");
  CHECK(first("Who cannot install packages uses an image.\n", false) != "");
  CHECK(first("Who waits for whom?\n", false) == "");
  CHECK(first("// Who writes the exam.\n", true) == "");
  CHECK(first("There are two: the first one: g1.\n", false) != "");
  CHECK(first("There are two: the first one. It is: g1.\n", false) == "");
  CHECK(first("- `a.cpp`: what it has: the tables.\n", false) == "");
  CHECK(first("See [a: b](x.md): it shows `c: d: e` and more.\n", false) != "");
  CHECK(first("| two: cells | of: tables |\n", false) == "");
  CHECK(first("```\na: b: c\n```\n    a: b: c\n<!-- generated: x y -->\na: b: c: d\n<!-- end -->\n", false) ==
        "");
}

TEST_CASE("english: plain sentences pass") {
  CHECK(first("a rung next to the library, 48 sectors per flop; amend the commit\n", false) == "");
  CHECK(first("which elements a thread has, and give each thread a block: two elements a row apart", false) ==
        "");
  CHECK(first("code that stands next to the vendor's library; a few bytes a person reads\n", false) == "");
}

TEST_CASE("english: of code, comments and string literals count") {
  CHECK(first("const auto beside = peers.front();\n", true) == "");
  CHECK(first("f(x);  // beside the others\n", true) != "");
  CHECK(first("throw Error(\"it wants a whole number\");\n", true) != "");
}

}  // namespace ladder::english_test
