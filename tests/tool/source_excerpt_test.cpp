/// @file
/// What is shown of the source of a build error: line and caret, a semicolon that is missing on the line
/// before, a brace that is left open; and that Think belongs to what the error is about. Errors are g++'s and
/// clang's own.
// Guards: docs/student.md#the-loop-on-one-screen

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/base/text/text.hpp"
#include "common/tool/build/compiler_output.hpp"
#include "common/tool/build/lint.hpp"
#include "common/tool/build/source_excerpt.hpp"
#include "tests/common/catch.hpp"

namespace ladder::source_excerpt_test {
namespace fs = std::filesystem;

namespace {

const std::string sample = R"SAMPLE(#include <cstddef>
namespace sums {
namespace {
struct Range {
  int begin, end;
  int size() const {
    return end - begin;
  }
};
#if defined(NEVER)
void f(int) { if (true) {}
#elif 0
void f(long) {
#else
void f() {
#endif
}
#if 0
{{{
#endif
const char* const pattern = R"(\{"[^{]*)";
const char* const kernel = R"CLC(
  void k() { if (1) { } }
)CLC";
}  // namespace

/* a { in a comment */
double sum(const double* x, int n) {
  double total = 0;
  const char open = '{', text[] = "} {";  // } }
  for (int i = 0; i < n; ++i) {
    if (x[i] > open) {
      total += x[i];
    } else {
      switch (i % 2) {
        case 0: {
          total += text[0];
          break;
        }
        default:
          break;
      }
    }
    while (false) {
      total -= 1'000;
    }
  }
  auto twice = [&](double y) {
    return 2 * y;
  };
  return twice(total);
}

int last(int n)
{
  if (n > 1)
  {
    return n;
  }
  return 0;
}
}  // namespace sums
)SAMPLE";

std::string sample_without(std::size_t line, char what) {
  auto lines = lines_of(sample);
  std::string& text = lines[line - 1];
  text.erase(text.rfind(what, std::min(text.find("//"), text.size())), 1);
  std::string all;
  for (const std::string& one : lines) all += one + "\n";
  return all;
}

/// For each line that ends what another one begins, the line of its '{'.
const std::vector<std::pair<std::size_t, std::size_t>> pairs = {
    {8, 6},   {9, 4},   {25, 3},  {39, 36}, {42, 35}, {43, 34}, {46, 44},
    {47, 31}, {50, 48}, {52, 28}, {59, 57}, {61, 55}, {62, 2}};

BuildFailure failure_of(const std::string& source, const std::string& program = "g++") {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "a.cpp";
  write_text(file, source);
  const ProcessResult ended =
      run_process({.arguments = {program, "-std=c++17", "-fsyntax-only", file.string()},
                   .environment = {{"LC_ALL", "C.UTF-8"}}});
  REQUIRE(ended.status != 0);
  return with_source(first_error(ended.output, folder.path()), file);
}

std::string where_of(const BuildFailure& failure) {
  return failure.where.substr(failure.where.rfind(':') + 1);
}

}  // namespace

TEST_CASE("excerpt: of braces that pair none is named; of those that do not, the one that was left open") {
  CHECK_FALSE(lone_brace(sample));
  for (const auto& [closing, opening] : pairs) {
    INFO("without the } of line " << closing);
    const auto brace = lone_brace(sample_without(closing, '}'));
    REQUIRE(brace);
    CHECK(brace->open);
    CHECK(brace->line == opening);
  }
  for (const auto& [closing, opening] : pairs) {
    INFO("without the { of line " << opening);
    const auto brace = lone_brace(sample_without(opening, '{'));
    REQUIRE(brace);
    CHECK_FALSE(brace->open);
  }
  CHECK_FALSE(
      lone_brace("#define BEGIN {\nint f() BEGIN return 0; }\n"));  // half a pair in a macro: nobody can say
  CHECK_FALSE(lone_brace("#define BOTH(x) \\\n  do { \\\n  } while (x)\nint f() { BOTH(0); return 0; }\n"));
}

TEST_CASE("excerpt: whatever g++ says of a brace that was left open, its line is named and shown") {
  for (const auto& [closing, opening] : pairs) {
    INFO("without the } of line " << closing);
    const BuildFailure failure = failure_of(sample_without(closing, '}'));
    INFO(failure.line() << "\n" << failure.excerpt);
    CHECK(where_of(failure) == std::to_string(opening));
    CHECK(failure.text.find("is never closed; the compiler notices it on line ") != std::string::npos);
    CHECK(failure.excerpt.find(" | ") != std::string::npos);
    CHECK(failure.excerpt.find('^') != std::string::npos);
    CHECK(failure.hint.find("spelled") == std::string::npos);
  }
}

TEST_CASE("excerpt: a semicolon that is missing is shown at the end of its line, not of the next one") {
  std::size_t tried = 0;
  const auto lines = lines_of(sample);
  for (std::size_t line = 1; line <= lines.size(); ++line) {
    const std::string code(trim(lines[line - 1].substr(0, lines[line - 1].find("//"))));
    if (!code.ends_with(';') || code.ends_with("};")) continue;
    for (const char* program : {"g++", "clang++"}) {
      if (!run_process({.arguments = {program, "--version"}}).ok()) continue;
      const BuildFailure failure = failure_of(sample_without(line, ';'), program);
      INFO(program << ", line " << line << ": " << failure.line() << "\n" << failure.excerpt);
      if (failure.text.find(';') == std::string::npos) continue;  // it is taken for something else
      ++tried;
      const std::string number = fmt::format("{:4} | ", line);
      const auto at = failure.excerpt.find(number);
      REQUIRE(at != std::string::npos);
      const auto end = failure.excerpt.find('\n', at);
      const std::string caret =
          failure.excerpt.substr(end + 1, failure.excerpt.find('\n', end + 1) - end - 1);
      REQUIRE(caret.find('^') != std::string::npos);
      const std::string shown = failure.excerpt.substr(at, end - at);
      CHECK(caret.size() == shown.substr(0, shown.find("  //")).size() + 1);  // just behind the statement
    }
  }
  CHECK(tried > 8);
}

TEST_CASE("excerpt: the caret is below the name that the error is about, in long lines and behind tabs too") {
  const std::pair<const char*, const char*> cases[] = {
      {"int main() {\n  return nobody;\n}\n", "   2 | return nobody;\n     |        ^"},
      {"int main() {\n\treturn 1 +\tnobody;\n}\n",
       "   2 | return 1 +      nobody;\n     |                 ^"}};
  for (const auto& [source, expected] : cases) CHECK(failure_of(source).excerpt == expected);
  const BuildFailure wide =
      failure_of("int main() {\n  return " + std::string(30, '(') + "1 + 2 + 3 + 4 + 5 + 6 + 7 + nobody + 8" +
                 std::string(30, ')') + ";\n}\n");
  INFO(wide.excerpt);
  const auto lines = lines_of(wide.excerpt);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].size() <= 62);
  CHECK(lines[0].substr(lines[1].find('^')).starts_with("nobody"));
}

TEST_CASE("excerpt: a place that is not in the file, and one that is named by nobody, shows nothing") {
  const ScratchFolder folder;
  write_text(folder.path() / "a.cpp", "int x;\n");
  for (const char* where : {"", "a.cpp", "a.cpp:", "a.cpp:7", "a.cpp:0", "a.cpp:99999999999", "a.cpp:x"}) {
    INFO(where);
    CHECK(with_source({where, "text", "", ""}, folder.path() / "a.cpp").excerpt == "");
  }
  CHECK(with_source({"b.cpp:1", "text", "", ""}, folder.path() / "b.cpp").excerpt == "");
}

TEST_CASE("Think of what only the host has says what a kernel does instead, and no lesson has it") {
  const std::pair<const char*, const char*> cases[] = {
      {"std::cout << 1", "<iostream>"},      {"std::cerr << 1", "<iostream>"},
      {"std::vector<int> v(3)", "<vector>"}, {"std::string s", "<string>"},
      {"std::mt19937 g", "C++ library"},     {"std::map<int, int> m", "<map>"},
      {"std::unique_ptr<int> p", "<memory>"}};
  for (const auto& [statement, header] : cases) {
    const BuildFailure failure = failure_of(std::string("int main() {\n  ") + statement + ";\n}\n");
    INFO(failure.line() << ": " << failure.hint);
    CHECK(failure.hint.find(header) != std::string::npos);
    CHECK(failure.hint.find("in a kernel: ") != std::string::npos);
    CHECK(failure.hint.find("problem.hpp") == std::string::npos);
  }
  CHECK(failure_of("namespace sums {}\nint main() { sums::nobody(); }\n").hint.find("problem.hpp") !=
        std::string::npos);
  CHECK(failure_of("int main() { printf(\"\"); }\n").hint.find("<cstdio>") != std::string::npos);
}

TEST_CASE("Think of a host function in a kernel belongs to whose function it is") {
  const auto hint = [](const std::string& name, const std::string& header) {
    const auto errors =
        lint_errors("/a/b.cu:3:2: error: reference to __host__ function '" + name +
                        "' in __global__ function\n" + header + ":9:1: note: '" + name + "' declared here\n",
                    "/a", "/a");
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].column == 2);
    return errors[0].hint;
  };
  for (const char* name : {"rand", "srand", "random", "drand48"})
    CHECK(hint(name, "/usr/include/stdlib.h").find("from its own index") != std::string::npos);
  for (const char* name : {"puts", "fprintf", "putchar"})
    CHECK(hint(name, "/usr/include/stdio.h").find("prints with printf") != std::string::npos);
  CHECK(hint("exit", "/usr/include/stdlib.h").find("return") != std::string::npos);
  CHECK(hint("time", "/usr/include/time.h").find("clock64") != std::string::npos);
  CHECK(hint("sort", "/usr/include/c++/12/bits/stl_algo.h").find("pointers and sizes") != std::string::npos);
  CHECK(hint("operator<<", "/usr/include/c++/12/ostream").find("prints with printf") != std::string::npos);
  CHECK(hint("strcoll", "/usr/include/string.h").find("nobody can add __device__") != std::string::npos);
  CHECK(hint("helper", "/a/b.cu") == "is __device__ missing in front of it?");
}

}  // namespace ladder::source_excerpt_test
