/// @file
/// Tables on a terminal: how many columns a text takes, in every script.
// Guards: docs/measuring.md#a-run

#include "common/report/text/table.hpp"

#include <string>

#include "tests/common/catch.hpp"

using ladder::report::columns;
using ladder::report::shortened;
using ladder::report::wrapped;

TEST_CASE("table: columns are those of a terminal, not bytes and not characters") {
  CHECK(columns("abc") == 3);
  CHECK(columns("é") == 1);
  CHECK(columns("e\u0301") == 1);  // the same with an accent of its own
  CHECK(columns("王小明") == 6);
  CHECK(columns("\x1b[1mbold\x1b[0m") == 4);
  CHECK(columns("🎓") == 2);
  CHECK(columns("\xff\xfe") == 2);  // no UTF-8
  CHECK(columns("\u200b") == 0);
  CHECK(columns("") == 0);
}

TEST_CASE("table: what is shortened fits, and no character is cut") {
  for (const std::string text :
       {"王小明 is here", "Zoë Müller and others", "e\u0301e\u0301e\u0301e\u0301e\u0301", "\xff\xff\xff\xff"})
    for (std::size_t width = 1; width <= columns(text); ++width) {
      INFO(text << " in " << width);
      const std::string fitted = shortened(text, width);
      CHECK(columns(fitted) <= width);
      CHECK(fitted.find("\xef\xbf\xbd") == std::string::npos);
    }
  CHECK(shortened("王小明", 5) == "王小…");
  CHECK(shortened("王小明", 4) == "王…");
  for (const std::string& line : wrapped("王小明 王小明 王小明", 7)) CHECK(columns(line) <= 7);
}

TEST_CASE("tables: a text is broken at blanks, but a command stays whole, however long it is") {
  using ladder::report::unbroken;
  const std::string call = "./ladder check 03/g2 --matrix '/a/very long/folder/A.mtx'";
  CHECK(wrapped("again: " + unbroken(call) + "; then look", 20) ==
        std::vector<std::string>{"again:", call + ";", "then look"});
  CHECK(wrapped("again: " + unbroken("a b") + " c", 12) == std::vector<std::string>{"again: a b c"});
}
