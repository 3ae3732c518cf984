/// @file
/// Logs of OpenCL compilers: the first error with its line, in whichever order a driver writes them.
// Guards: docs/rungs.md#what-the-words-mean

#include "common/judge/session/kernel_build.hpp"

#include "common/base/catch.hpp"

namespace ladder {

TEST_CASE("kernel build: the first error, its line and its words, of each kind of driver") {
  for (const char* log :
       {"\nerror: /r/lessons/01-lu/g2.cpp:26:38: use of undeclared identifier 'elment'\n1 error generated.\n",
        "/r/lessons/01-lu/g2.cpp:26:38: error: use of undeclared identifier 'elment'\n  x = elment;\n      "
        "^\n",
        "<kernel>:26:38: error: use of undeclared identifier 'elment'\n",
        "In file included from <built-in>:1:\nwarning: /r/g2.cpp:3:1: unused\n"
        "error: C:/r/g2.cpp:26:38: use of undeclared identifier 'elment'\n"
        "error: C:/r/g2.cpp:27:1: another\n"}) {
    INFO(log);
    CHECK(first_kernel_error(log) == "line 26: use of undeclared identifier 'elment'");
  }
}

TEST_CASE("kernel build: what is left of a log has no empty lines, and nothing is left of a single error") {
  CHECK(rest_of_build_log("\nerror: g2.cpp:26:38: no\n1 error generated.\n\n") == "");
  CHECK(rest_of_build_log("\nerror: a:1:2: one\n\nerror: a:3:4: two\n\n") ==
        "error: a:1:2: one\nerror: a:3:4: two");
  CHECK(first_kernel_error("ptxas fatal: no such thing\n") == "");
  CHECK(rest_of_build_log("\nptxas fatal: no such thing\n") == "ptxas fatal: no such thing");
  for (const char* none : {"", "\n \n", "error:", ":1:2:", "error: 1:2", "a:b:c: error: x"})
    CHECK(first_kernel_error(none) == "");
}

}  // namespace ladder
