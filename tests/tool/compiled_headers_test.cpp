// <cuda_runtime.h> is compiled once for each way of compiling, and GCC takes it: with one flag that differs it would read the header
// again, say nothing, and take half as long again.
// Guards: docs/design.md#what-a-build-costs

#include <fmt/format.h>

#include <regex>

#include "common/base/process/process.hpp"
#include "common/tool/build/recipe.hpp"
#include "common/tool/build/toolchain.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;
namespace fs = std::filesystem;

namespace {

const fs::path build = LADDER_BINARY_DIR;

/// Whether the compiler that is called so takes a compiled header: of those that it reads, -H marks it with "!".
bool takes_compiled_header(const std::string& command) {
  const ProcessResult ended = run_process(
      {.arguments = {"/bin/sh", "-c", command + " -H -fsyntax-only -x c++ /dev/null"}, .folder = build});
  INFO(command << "\n" << ended.output);
  CHECK(ended.ok());
  return std::regex_search(ended.output, std::regex("(^|\n)! [^\n]*[.]gch"));
}

/// How the rewritten source of a step is compiled, without source and outputs.
std::string compile_command(const std::string& backend) {
  const StepProgram step{
      .tree = "solutions", .lesson = "03-dgemm", .name = "g2_shared_tiles", .backend = backend};
  const Recipe recipe = recipe_of(step, LADDER_PROJECT, build);
  for (const std::string& command : recipe.commands)
    if (command.find(".cu.cpp.o -c ") != command.npos)
      return std::regex_replace(command, std::regex(" (@[^ ]*[.]options|-MD|-M[TF] [^ ]*|-o [^ ]*|-c [^ ]*)"),
                                "");
  FAIL("no compiler among the commands for " << backend);
  return "";
}

}  // namespace

TEST_CASE("A step includes cuda_runtime.h compiled", "[build]") {
  const Toolchain tools = read_toolchain(build);
  if (tools.plain.first.empty()) LADDER_SKIP("headers are compiled for g++ only");
  for (const char* backend : {"executor", "observed"}) {
    INFO(backend);
    CHECK(takes_compiled_header(compile_command(backend)));
    CHECK_FALSE(takes_compiled_header(compile_command(backend) + " -fno-exceptions"));
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
