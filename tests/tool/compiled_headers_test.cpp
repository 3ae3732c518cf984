// What every step of a kind includes is compiled once for each way of compiling, and GCC takes it: with one
// flag that differs it would read the headers again, say nothing, and take half as long again or, for an
// OpenCL step, four times as long.
// Guards: docs/design.md#what-a-build-costs

#include <fmt/format.h>

#include <regex>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/tool/build/recipe.hpp"
#include "common/tool/build/toolchain.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;
namespace fs = std::filesystem;

namespace {

const fs::path build = LADDER_BINARY_DIR;

/// Whether the compiler that is called so takes a compiled header: of those that it reads, -H marks it with
/// "!".
bool takes_compiled_header(const std::string& command) {
  const ProcessResult ended = run_process(
      {.arguments = {"/bin/sh", "-c", command + " -H -fsyntax-only -x c++ /dev/null"}, .folder = build});
  INFO(command << "\n" << ended.output);
  CHECK(ended.ok());
  return std::regex_search(ended.output, std::regex("(^|\n)! [^\n]*[.]gch"));
}

/// How the source of a step is compiled, rewritten or as it is, without source and outputs.
std::string compile_command(const StepProgram& step) {
  const Recipe recipe = recipe_of(step, LADDER_PROJECT, build);
  const std::regex of_source(step.name + "(.cu)?.cpp.o -c ");
  for (const std::string& command : recipe.commands)
    if (std::regex_search(command, of_source))
      return std::regex_replace(command, std::regex(" (@[^ ]*[.]options|-MD|-M[TF] [^ ]*|-o [^ ]*|-c [^ ]*)"),
                                "");
  FAIL("no compiler among the commands for " << step.target());
  return "";
}

}  // namespace

TEST_CASE("A rung includes compiled headers: cuda_runtime.h, or common/device/opencl.hpp", "[build]") {
  const Toolchain tools = read_toolchain(build);
  if (tools.plain.first.empty()) LADDER_SKIP("headers are compiled for g++ only");
  const StepProgram steps[] = {
      {.tree = "solutions", .lesson = "03-dgemm", .name = "g2_shared_tiles", .backend = "executor"},
      {.tree = "solutions", .lesson = "03-dgemm", .name = "g2_shared_tiles", .backend = "observed"},
      // whose libraries have a flag of their own
      {.tree = "solutions", .lesson = "04-cholesky", .name = "g1_one_stream", .backend = "executor"},
      {.tree = "solutions", .lesson = "04-cholesky", .name = "g1_one_stream", .backend = "observed"},
      {.tree = "solutions", .lesson = "01-lu", .name = "g1_naive", .backend = "opencl"},
      {.tree = "lessons", .lesson = "01-lu", .name = "g1_naive", .backend = "opencl"},
  };
  for (const StepProgram& step : steps) {
    const fs::path found = build / "found";
    if (step.backend == "opencl" ? read_text(found / "libOpenCL.so").empty()
                                 : !read_text(found / ("missing-" + step.lesson)).empty())
      continue;  // no such program here
    INFO(step.target());
    CHECK(takes_compiled_header(compile_command(step)));
    CHECK_FALSE(takes_compiled_header(compile_command(step) + " -fno-exceptions"));
  }
}

TEST_CASE("A program that the project does not know includes cuda_runtime.h compiled", "[build]") {
  const Toolchain tools = read_toolchain(build);
  if (tools.plain.first.empty()) LADDER_SKIP("headers are compiled for g++ only");
  for (const CompileMode* mode : {&tools.plain, &tools.observed}) {
    std::string command = tools.cxx + " -std=gnu++17";
    for (const std::string& flag : mode->flags) command += " " + flag;
    CHECK(takes_compiled_header(
        fmt::format("{} -w -include {} -I{}", command, mode->first, tools.headers.string())));
  }
}
