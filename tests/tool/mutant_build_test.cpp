/// @file
/// Mutants as programs: those of a rung are built together, and none takes another along.
// Guards: docs/adding-a-lesson.md#the-mutants

#include <fmt/format.h>

#include <signal.h>

#include <fstream>
#include <optional>

#include "common/base/files/files.hpp"
#include "common/grade/sha256.hpp"
#include "common/tool/build/build.hpp"
#include "common/tool/build/mutant_ninja.hpp"
#include "tests/common/catch.hpp"

namespace fs = std::filesystem;
using namespace ladder;

namespace {

const std::string toy_source =
    "#include \"toy.hpp\"\n"
    "#define STEP 1\n"
    "namespace toy {\n"
    "namespace {\n"
    "int add(int n) { return n + STEP; }\n"
    "}\n"
    "void first(const Problem& p) { std::printf(\"%d from %s:%d\\n\", add(p.n), __FILE__, __LINE__); }\n"
    "}\n";

std::string mutant(const std::string& name, const std::string& find, const std::string& put,
                   const std::string& verdict = "WRONG") {
  return fmt::format("mutant {}\nverdict {}\nfind\n{}\nput\n{}\nend\n", name, verdict, find, put);
}

const std::string adds_two = mutant("adds-two", "#define STEP 1", "#define STEP 2"),
                  adds_nothing = mutant("adds-nothing", "int add(int n) { return n + STEP; }",
                                        "int add(int n) { return n; }"),
                  broken = mutant("broken", "int add(int n) { return n + STEP; }",
                                  "int add(int n) { return gone; }"),
                  ends = mutant("ends-early", "#define STEP 1",
                                "#include <cstdlib>\n#define STEP 1\nint early = (std::abort(), 1);");

/// A build folder as CMake would make it, for lesson 07-toy and its step c1.
class ToyBuild {
 public:
  explicit ToyBuild(const std::string& mutants) {
    write("lessons/07-toy/toy.hpp",
          "#pragma once\n#include <cstdio>\nnamespace toy { struct Problem { int n; }; }\n");
    write("solutions/07-toy/c1_first.cpp", toy_source);
    write("tests/07-toy/mutants/c1_first.mutants", mutants);
    write("main.cpp",
          "#include \"toy.hpp\"\nnamespace toy { extern void (*const ladder_step)(const Problem&); }\n"
          "extern const char ladder_source_hash[];\n"
          "int main() { toy::ladder_step({3}); std::puts(ladder_source_hash); }\n");
    write("build/CMakeFiles/rules.ninja",
          fmt::format("rule COMPILE_toy\n  command = {} -I../lessons/07-toy -c $in -o $out\n\n"
                      "rule LINK_toy\n  command = $PRE_LINK && {} $in -o $TARGET_FILE && $POST_BUILD\n\n",
                      LADDER_CXX, LADDER_CXX));
    const std::string folder = (root() / "build").string(),
                      objects = "worker-mutants-07-toy-ladder_rung--ladder_unit-cpu.dir",
                      source = "generated/mutants/07-toy/ladder_rung~ladder_unit";
    write("build/build.ninja",
          "include CMakeFiles/rules.ninja\nrule keep\n  command = true\n  generator = 1\n"
          "rule copy\n  command = cp $in $out\nbuild build.ninja: keep\nbuild bin/cut: copy " CUT_PROGRAM
          "\n"
          "build CMakeFiles/main.o: COMPILE_toy ../main.cpp\n"
          "build order-ladder_rung--ladder_unit-cpu: phony || bin/cut\n" +
              fmt::format("build {0}/ladder_rung~ladder_unit.hash.cpp.o: COMPILE_toy {1}/{2}.hash.cpp || "
                          "order-ladder_rung--ladder_unit-cpu\n"
                          "build {0}/ladder_rung~ladder_unit.cpp.o: COMPILE_toy {1}/{2}.cpp\n"
                          "build workers/mutants/07-toy/ladder_rung~ladder_unit.cpu: LINK_toy "
                          "CMakeFiles/main.o "
                          "{0}/ladder_rung~ladder_unit.hash.cpp.o {0}/ladder_rung~ladder_unit.cpp.o\n"
                          "  POST_BUILD = :\n  PRE_LINK = :\n"
                          "  TARGET_FILE = workers/mutants/07-toy/ladder_rung~ladder_unit.cpu\n\n",
                          objects, folder, source));
    start();
  }

  /// As the tool does when it starts.
  void start() {
    build_.emplace(root(), root() / "build");
    build_->refresh();
  }

  std::map<std::string, BuildFailure> make(const std::vector<std::string>& targets) {
    return build_->make(targets, [](const std::string&, double) {});
  }
  std::map<std::string, BuildFailure> make() { return make(build_->beginning_with("workers/mutants/")); }

  void ahead() { build_->ahead(build_->beginning_with("workers/mutants/")); }

  /// What a mutant prints, without the hash of its source; and that this hash is right.
  std::string prints(const std::string& name) const { return prints(file(name), source(name)); }
  static std::string prints(const fs::path& program, const fs::path& source) {
    const ProcessResult ended = run_process({.arguments = {program}});
    const std::size_t hash = ended.output.find('\n') + 1;
    CHECK(ended.output.substr(hash) == sha256(read_text(source)) + "\n");
    return ended.output.substr(0, hash);
  }

  std::string compiled() const { return build_->log(); }
  fs::path source(const std::string& name) const {
    return root() / "build/generated/mutants/07-toy" / ("c1_first~" + name + ".cpp");
  }
  fs::path file(const std::string& name) const { return build_->file(target(name)); }
  static std::string target(const std::string& name) {
    return "workers/mutants/07-toy/c1_first~" + name + ".cpu";
  }
  const Build& build() const { return *build_; }
  const fs::path& root() const { return scratch_.path(); }
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root() / path).parent_path());
    std::ofstream(root() / path) << text;
  }

 private:
  ScratchFolder scratch_;
  std::optional<Build> build_;
};

/// How many objects of mutants were compiled, tables and hashes apart.
int compilations(const std::string& log) {
  int n = 0;
  for (std::size_t at = 0; (at = log.find(".cpp.o\t", at)) != std::string::npos; ++at)
    n += log.compare(at - 5, 5, ".hash") == 0 ? 0 : 1;
  return n;
}

}  // namespace

TEST_CASE("mutants: one program is all of them, and each says under its name what it would say alone") {
  ToyBuild toy(adds_two + adds_nothing);
  CHECK(toy.build().knows(ToyBuild::target("adds-two")));
  CHECK_FALSE(toy.build().knows(ToyBuild::target("adds-three")));
  CHECK_FALSE(toy.build().knows("workers/mutants/07-toy/ladder_rung~ladder_unit.cpu"));
  CHECK(toy.make().empty());
  CHECK(toy.prints("adds-two") == "5 from " + toy.source("adds-two").string() + ":7\n");
  CHECK(toy.prints("adds-nothing") == "3 from " + toy.source("adds-nothing").string() + ":7\n");
  CHECK(fs::equivalent(toy.file("adds-two"), toy.file("adds-nothing")));
  CHECK(compilations(toy.compiled()) == 1);

  const std::string before = toy.compiled();
  CHECK(toy.make().empty());
  CHECK(toy.compiled() == before);  // nothing is built again
}

TEST_CASE("attempts: files of their own are one program, too, but for one that need not compile") {
  ToyBuild toy(adds_two);
  const auto program = [](const std::string& name) {
    return "workers/attempts/07-toy/c1_first~" + name + ".cpu";
  };
  const auto source = [&](const std::string& name) {
    return toy.root() / "tests/07-toy/attempts" / ("c1_first." + name + ".cpp");
  };
  for (const char* name : {"plain", "same"})
    toy.write(source(name).lexically_relative(toy.root()), fmt::format("// {}\n{}", name, toy_source));
  toy.write("tests/07-toy/attempts/c1_first.open.cpp", "// verdict BUILD ERROR\nnamespace toy {\n");
  toy.start();
  CHECK(toy.build().beginning_with("workers/attempts/") ==
        std::vector{program("open"), program("plain"), program("same")});
  const auto failures = toy.make({program("open"), program("plain"), program("same")});
  REQUIRE(failures.size() == 1);
  CHECK(failures.begin()->first == program("open"));
  CHECK(failures.begin()->second.where.starts_with("tests/07-toy/attempts/c1_first.open.cpp:"));
  for (const char* name : {"plain", "same"})
    CHECK(toy.prints(toy.build().file(program(name)), source(name)) ==
          "4 from " + source(name).string() + ":8\n");
  CHECK(fs::equivalent(toy.build().file(program("plain")), toy.build().file(program("same"))));
  CHECK(compilations(toy.compiled()) == 1);
}

TEST_CASE("mutants: what they share is built by a tool that has the targets from a list of before") {
  ToyBuild toy(adds_two + adds_nothing);
  toy.start();
  CHECK(toy.make().empty());
  CHECK(fs::exists(toy.file("adds-two")));
}

TEST_CASE("mutants: one that does not compile is named, and the others are there") {
  ToyBuild toy(adds_two + broken + adds_nothing);
  const auto failures = toy.make();
  REQUIRE(failures.size() == 1);
  CHECK(failures.begin()->first == ToyBuild::target("broken"));
  CHECK(failures.begin()->second.where == "build/generated/mutants/07-toy/c1_first~broken.cpp:5");
  CHECK(failures.begin()->second.text.find("gone") != std::string::npos);
  CHECK_FALSE(fs::exists(toy.file("broken")));
  CHECK(toy.prints("adds-two") == "5 from " + toy.source("adds-two").string() + ":7\n");
  CHECK(toy.prints("adds-nothing") == "3 from " + toy.source("adds-nothing").string() + ":7\n");
}

TEST_CASE("mutants: one that must not compile is alone from the beginning") {
  ToyBuild toy(adds_two + mutant("broken", "#define STEP 1", "#define STEP gone", "BUILD ERROR") +
               adds_nothing);
  CHECK(toy.make().size() == 1);
  CHECK(compilations(toy.compiled()) == 1);  // of the others; what fails is not in the log
  CHECK(fs::equivalent(toy.file("adds-two"), toy.file("adds-nothing")));
}

TEST_CASE("mutants: one that ends its program before main takes none along") {
  ToyBuild toy(adds_two + ends + adds_nothing);
  CHECK(toy.make().empty());
  CHECK(run_process({.arguments = {toy.file("ends-early")}}).status == 128 + SIGABRT);
  CHECK(toy.prints("adds-two") == "5 from " + toy.source("adds-two").string() + ":7\n");
  CHECK(toy.prints("adds-nothing") == "3 from " + toy.source("adds-nothing").string() + ":7\n");
}

TEST_CASE(
    "mutants: one whose edit no longer applies fails with the edit's line, and the others are built "
    "together") {
  ToyBuild toy(adds_two + mutant("lost", "no such line", "x") + adds_nothing);
  const auto failures = toy.make();
  REQUIRE(failures.size() == 1);
  CHECK(failures.begin()->first == ToyBuild::target("lost"));
  CHECK(failures.begin()->second.line() ==
        "tests/07-toy/mutants/c1_first.mutants:10: mutant lost: the lines to find are not in the solution "
        "(whole lines are compared)");
  CHECK(fs::equivalent(toy.file("adds-two"), toy.file("adds-nothing")));
}

TEST_CASE("mutants: an edit of one builds their program again; one that leaves the list is no target") {
  ToyBuild toy(adds_two + adds_nothing);
  CHECK(toy.make().empty());
  toy.write("tests/07-toy/mutants/c1_first.mutants",
            mutant("adds-two", "#define STEP 1", "#define STEP 20") +
                mutant("other", "#define STEP 1", "#define STEP 30"));
  Build again(toy.root(), toy.root() / "build");
  again.refresh();
  CHECK_FALSE(again.knows(ToyBuild::target("adds-nothing")));
  CHECK(again.make({ToyBuild::target("other"), ToyBuild::target("adds-two")}, {}).empty());
  CHECK(toy.prints("adds-two") == "23 from " + toy.source("adds-two").string() + ":7\n");
  CHECK(toy.prints("other") == "33 from " + toy.source("other").string() + ":7\n");
}

TEST_CASE(
    "mutants: what is built ahead, first what they need and then they, ends where they are wanted now") {
  ToyBuild toy(adds_two + adds_nothing);
  toy.ahead();
  for (int i = 0; i < 3; ++i) CHECK(toy.make({"bin/cut"}).empty());
  CHECK(fs::exists(toy.root() / "build/mutants-ahead.ninja"));
  CHECK(toy.make().empty());
  CHECK(toy.prints("adds-two") == "5 from " + toy.source("adds-two").string() + ":7\n");
}

TEST_CASE("mutants: a program of several is compiled with the options that each has next to its source") {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path();
  const std::string stem = "worker-mutants-07-toy-ladder_rung--ladder_unit-observed",
                    rewritten = stem + ".cuda/ladder_rung~ladder_unit.cu.cpp";
  std::ofstream(folder / "build.ninja") << fmt::format(
      "build {1} {1}.options: CUSTOM_COMMAND generated/mutants/07-toy/ladder_rung~ladder_unit.cu\n"
      "  COMMAND = bin/cu2cpp\n"
      "build CMakeFiles/{0}.dir/{1}.o: COMPILE_toy {1}\n  FLAGS = -O2 \"@{2}/{1}.options\" -Wall\n",
      stem, rewritten, folder.string());
  const MutantTemplates templates(folder);
  const MutantProgram several{
      .lesson = "07-toy", .step = "g1", .backend = "observed", .name = "FIRST", .ptxas = false};
  const std::string text = templates.together(several, {"one", "other"});
  const auto options = [&](const std::string& mutant) {
    const std::string where = "worker-mutants-07-toy-g1--" + mutant + "-observed.cuda/g1~" + mutant;
    return fmt::format("\"@{}/{}.cu.cpp.options\"", folder.string(), where);
  };
  INFO(text);
  CHECK(text.find(options("one") + " " + options("other") + " -Wall\n") != std::string::npos);
  CHECK(text.find("FIRST.cu.cpp.options") == std::string::npos);  // nothing writes it

  const fs::path source = folder / "g1.one.cu";  // an attempt's, which is rewritten where it is
  std::ofstream(source) << "\n";
  MutantProgram attempts = several;
  attempts.tree = "attempts";
  attempts.sources = (folder / "g1.").string();
  const std::string of_attempts = templates.together(attempts, {"one"});
  INFO(of_attempts);
  CHECK(of_attempts.find(": CUSTOM_COMMAND " + source.string() + "\n") != std::string::npos);
}
