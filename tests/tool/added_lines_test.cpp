/// @file
/// What counts as a line of code, and as an added one.
// Guards: docs/contributing.md#style

#include "common/skeleton/code_lines.hpp"
#include "tests/common/catch.hpp"

using Lines = std::vector<std::string>;

TEST_CASE("lines of code: without comments, blanks and marks; what looks like a comment in a string stays") {
  CHECK(
      ladder::cut::code_lines(
          "/// @file\n\nint a;  // why\n  //| ladder::task();\n  // BEGIN SOLUTION Do it.\n\tint b; \r\n") ==
      Lines{"int a;", "int b;"});
  CHECK(ladder::cut::code_lines("int /* one\n two */ a;\n/* three\nfour */\nint b;\n") ==
        Lines{"int", "a;", "int b;"});
  CHECK(ladder::cut::code_lines("f(\"// no comment\", '\"', \"\\\"//\");  // one\n") ==
        Lines{"f(\"// no comment\", '\"', \"\\\"//\");"});
  CHECK(ladder::cut::code_lines("int a = 1'000;  // thousand\n") == Lines{"int a = 1'000;"});
  CHECK(ladder::cut::code_lines("s = R\"CL(\n// of the kernel\nx = 1;  // one\n)CL\";  // end\n") ==
        Lines{"s = R\"CL(", "x = 1;", ")CL\";"});
  CHECK(ladder::cut::code_lines("").empty());
  CHECK(ladder::cut::code_lines("\"not closed\nint a;").size() == 2);
}

TEST_CASE("added lines: what the rung below does not have in the same order") {
  CHECK(ladder::cut::added_lines({}, {}) == 0);
  CHECK(ladder::cut::added_lines({}, {"a", "b"}) == 2);
  CHECK(ladder::cut::added_lines({"a", "b"}, {}) == 0);
  CHECK(ladder::cut::added_lines({"a", "b", "c"}, {"a", "x", "c"}) == 1);
  CHECK(ladder::cut::added_lines({"a", "b"}, {"b", "a"}) == 1);
  CHECK(ladder::cut::added_lines({"}", "a", "}"}, {"}", "}", "}", "a", "}"}) == 2);
}
