/// @file
/// The one classifier of lines of Markdown.
// Guards: docs/contributing.md#the-site

#include "common/base/text/markdown.hpp"

#include "tests/common/catch.hpp"

using ladder::heading_level;
using ladder::is_code_fence;

TEST_CASE("a fence is of backticks or tildes, also indented and with a language") {
  for (const char* line : {"```", "```cpp", "~~~", "  ```sh", "\t~~~ text", "```\r"})
    CHECK(is_code_fence(line));
  for (const char* line : {"", "`a`", "``", "a ```", "<!-- ``` -->"}) CHECK_FALSE(is_code_fence(line));
}

TEST_CASE("a heading has its level; a line of signs, or without a blank after them, is none") {
  CHECK(heading_level("# Title") == 1);
  CHECK(heading_level("### g2 · Tiles") == 3);
  for (const char* line : {"", "##", "#include <a>", " # indented", "Title #"})
    CHECK(heading_level(line) == 0);
}
