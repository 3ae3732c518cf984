/// @file
/// The first error of a compiler, as students read it.
// Guards: docs/student.md#the-loop-on-one-screen

#include "common/tool/build/compiler_output.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

TEST_CASE("the first error of a compiler is found") {
  const auto gcc = first_error(
      "In file included from x\n/r/lessons/03-a/g1.cu:12:5: error: 'foo' was not declared in this "
      "scope\n/r/b.cpp:1:1: error: late\n",
      "/r");
  CHECK(gcc.where == "lessons/03-a/g1.cu:12");
  CHECK(gcc.text == "'foo' was not declared in this scope");
  CHECK_FALSE(gcc.hint.empty());
  const auto named = first_error("/r/a.cpp:1:1: error: /r/b.hpp was needed, not /home/r/c.hpp\n", "/r");
  CHECK(named.text == "b.hpp was needed, not /home/r/c.hpp");
  const auto ours = first_error(
      "/r/a.cpp:1:1: error: \xe2\x80\x98lane\xe2\x80\x99 was not declared in this scope; did you mean "
      "\xe2\x80\x98ladder::executor::lane\xe2\x80\x99?\n",
      "/r");
  CHECK(ours.text == "\xe2\x80\x98lane\xe2\x80\x99 was not declared in this scope");
  const auto nvcc = first_error("/r/a.cu(7): error: expected a \";\"\n", "/r");
  CHECK(nvcc.line() == "a.cu:7: expected a \";\"");
  CHECK(first_error("/usr/bin/ld: main.o: in function `main':\nmain.cpp: undefined reference to "
                    "`dgemm::naive(dgemm::Problem const&)'\n",
                    "/r")
            .text == "undefined reference to `dgemm::naive(dgemm::Problem const&)'");
  // lld's words are those of the GNU linker, whose hints they get.
  const auto lld = first_errors(
      "ld.lld: error: undefined symbol: dgemm::naive(dgemm::Problem const&)\n>>> referenced by main.cpp\n>>> "
      "     "
      "         main.o:(main)\nld.lld: error: undefined symbol: f()\n>>> referenced by a.cu:3 (/r/a.cu:3)\n"
      ">>>               a.o:(main)\nld.lld: error: duplicate symbol: g()\n>>> defined at d1.cpp:1 "
      "(/r/d1.cpp:1)\n"
      ">>>            d1.o:(g())\n>>> defined at d2.cpp:1 (/r/d2.cpp:1)\n>>>            d2.o:(.text+0x0)\n"
      "collect2: error: ld returned 1 exit status\n",
      "/r", "", 9);
  REQUIRE(lld.size() == 2);  // with a place; without one, only when there is no other
  CHECK(lld[0].line() == "a.cu:3: undefined reference to `f()'");
  CHECK_FALSE(lld[0].hint.empty());
  CHECK(lld[1].line() == "d1.cpp:1: multiple definition of `g()'");
  CHECK(
      first_error("ld.lld: error: undefined symbol: main\n>>> referenced by Scrt1.o:(_start)\n", "/r").text ==
      "undefined reference to `main'");
  CHECK(first_error("cut: /r/tests/x.mutants:4: mutant a: no\n", "/r").where == "tests/x.mutants:4");
  CHECK_FALSE(first_error("", "/r").text.empty());
  // Messages about templates are long; they must neither take long nor overflow the stack.
  CHECK(first_error(std::string(5000000, 'x') + "\na.cpp:1:2: error: short", "/r").text == "short");
}
