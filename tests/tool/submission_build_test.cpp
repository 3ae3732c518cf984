// A submission is built by the commands of the same step of the checkout, with other folders.
// Guards: docs/grading.md#what-it-does-in-order

#include "common/tool/build/submission_build.hpp"

#include "common/base/catch.hpp"
#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/sha256.hpp"
#include "common/tool/build/build.hpp"
#include "common/tool/build/built_steps.hpp"

using namespace ladder;
namespace fs = std::filesystem;

namespace {

const StepProgram shared_tiles{.tree = "lessons",
                               .lesson = "03-dgemm",
                               .name = "g2_shared_tiles",
                               .backend = "executor",
                               .source = "/root/ladder/lessons/03-dgemm/g2_shared_tiles.cu"};

/// What ninja prints, shortened; the first line is of another target, which all steps share.
const std::string from_ninja =
    "ccache /usr/bin/c++ -I/root/ladder -o CMakeFiles/ladder-base.dir/x.cpp.o -c "
    "/root/ladder/common/base/x.cpp\n"
    "cd /b && /b/bin/cu2cpp /root/ladder/lessons/03-dgemm/g2_shared_tiles.cu "
    "/b/worker-lessons-03-dgemm-g2_shared_tiles-executor.cuda/g2_shared_tiles.cu.cpp "
    "-I/root/ladder/lessons/03-dgemm "
    "&& /usr/bin/cmake -E cmake_transform_depfile Ninja gccdepfile /root/ladder /b/CMakeFiles/d/1.d\n"
    "ccache /usr/bin/c++ -fmacro-prefix-map=/root/ladder/= -iquote /root/ladder/lessons/03-dgemm "
    "-o CMakeFiles/worker-lessons-03-dgemm-g2_shared_tiles-executor.dir/g2.o -c "
    "/b/worker-lessons-03-dgemm-g2_shared_tiles-executor.cuda/g2_shared_tiles.cu.cpp\n"
    ": && /usr/bin/c++ CMakeFiles/worker-lessons-03-dgemm-g2_shared_tiles-executor.dir/g2.o -o "
    "workers/lessons/03-dgemm/g2_shared_tiles.executor -Wl,-rpath,\"\\$ORIGIN/../../../lib\" "
    "libladder-worker.a && :\n";

Recipe recipe() {
  return recipe_from(from_ninja, shared_tiles, "/root/ladder", "/b");
}

}  // namespace

TEST_CASE("A submission's recipe has the commands of its rung alone, and none that serves the build folder",
          "[grade]") {
  const Recipe r = recipe();
  REQUIRE(r.commands.size() == 3);
  for (const std::string& command : r.commands) {
    INFO(command);
    CHECK(command.find("ccache") == std::string::npos);
    CHECK(command.find("depfile") == std::string::npos);
  }
}

TEST_CASE("A submission's recipe reads its source, and writes below its folder", "[grade]") {
  const std::string script = recipe().script("/s", "/o");
  INFO(script);
  CHECK(script.find("cu2cpp /s/03-dgemm/g2_shared_tiles.cu "
                    "/o/worker-lessons-03-dgemm-g2_shared_tiles-executor.cuda/g2_shared_tiles.cu.cpp") !=
        std::string::npos);
  CHECK(script.find("-o /o/workers/lessons/03-dgemm/g2_shared_tiles.executor") != std::string::npos);
  CHECK(script.find("-iquote /s/03-dgemm") != std::string::npos);
  CHECK(script.find("lessons/03-dgemm/g2_shared_tiles.cu ") == std::string::npos);
  CHECK(script.find("-rpath,\"/b/lib\"") != std::string::npos);
  CHECK(script.find(" libladder-worker.a") != std::string::npos);
}

TEST_CASE("A submission's recipe names the folders that its outputs need", "[grade]") {
  CHECK(recipe().folders ==
        std::vector<std::string>{"CMakeFiles/worker-lessons-03-dgemm-g2_shared_tiles-executor.dir",
                                 "worker-lessons-03-dgemm-g2_shared_tiles-executor.cuda",
                                 "workers/lessons/03-dgemm"});
}

TEST_CASE(
    "A submission's recipe reads the installation of a compiler outside of /usr, and no more of its prefix",
    "[grade]") {
  const ScratchFolder scratch;
  const std::filesystem::path prefix = scratch.path() / "gcc";
  for (const char* folder :
       {"bin", "libexec/gcc", "lib64", "share/cmake-3.25", "share/keyrings", "Documents"})
    std::filesystem::create_directories(prefix / folder);
  write_text(prefix / "bin/real", "#!/bin/sh\n");
  std::filesystem::create_directories(scratch.path() / "links/bin");
  std::filesystem::create_symlink(prefix / "bin/real", scratch.path() / "links/bin/c++");
  std::string printed = from_ninja;
  replace_all(printed, "/usr/bin/c++", (scratch.path() / "links/bin/c++").string());
  const auto reads = recipe_from(printed, shared_tiles, "/root/ladder", "/b").reads;
  const auto has = [&](const std::string& path) {
    return std::find(reads.begin(), reads.end(), (scratch.path() / path).string()) != reads.end();
  };
  for (const char* path :
       {"links/bin", "links/bin/c++", "gcc/bin", "gcc/libexec", "gcc/lib64", "gcc/share/cmake-3.25"}) {
    INFO(path);
    CHECK(has(path));
  }
  for (const char* path : {"gcc", "gcc/share", "gcc/share/keyrings", "gcc/Documents", "links"}) {
    INFO(path);
    CHECK_FALSE(has(path));
  }
}

TEST_CASE("A recipe without ptxas links what is left, and asks nvcc nothing", "[grade]") {
  std::string printed = from_ninja;
  const std::string folder = "worker-lessons-03-dgemm-g2_shared_tiles-executor",
                    report = folder + ".cuda/g2_shared_tiles.cu.ptxas.cpp",
                    object = "CMakeFiles/" + folder + ".dir/" + report + ".o";
  replace_all(printed, "dir/g2.o -o workers", "dir/g2.o " + object + " -o workers");
  printed = "cd /b && /usr/bin/cmake -DNVCC=/opt/nvcc -DOUTPUT=/b/" + report +
            " -P /root/ladder/common/executor/ptxas.cmake\n/usr/bin/c++ -MD -o " + object + " -c /b/" +
            report + "\n" + printed;
  Recipe without = recipe_from(printed, shared_tiles, "/root/ladder", "/b");
  CHECK(without.commands.size() == 5);
  leave_out_ptxas(without);
  CHECK(without.commands == recipe().commands);
}

TEST_CASE("A compiler that was ended from outside is started once more", "[grade]") {
  const ScratchFolder folder;
  write_text(folder.path() / "build.ninja", "");
  const Build build(folder.path(), folder.path());
  int ended = 0, runs = 0;
  const Confined run = [&](const std::string&, const std::vector<std::string>&) {
    ProcessResult one;
    one.status = 0;
    one.output = "g1.cu:49: warning: ignoring the pragma";
    if (++runs <= ended)
      one.status = 128 + 9;
    else
      write_text(folder.path() / recipe().target, "");
    return one;
  };
  const auto built = [&] {
    runs = 0;
    return build_submitted(recipe(), build, folder.path(), folder.path(), run);
  };
  CHECK_FALSE(built());
  CHECK(runs == 1);
  ended = 1;
  CHECK_FALSE(built());
  ended = 2;
  const auto failure = built();
  REQUIRE(failure);
  CHECK(failure->text == "the compiler was ended by signal 9, twice");
}

TEST_CASE("A compiler that has used up its CPU time is not started again, and it is said", "[grade]") {
  const ScratchFolder folder;
  write_text(folder.path() / "build.ninja", "");
  const Build build(folder.path(), folder.path());
  int runs = 0;
  const Confined run = [&](const std::string&, const std::vector<std::string>&) {
    ++runs;
    ProcessResult one;
    one.status = 1;
    one.output =
        "c++: fatal error: CPU time limit exceeded signal terminated program cc1plus\ncompilation "
        "terminated.";
    return one;
  };
  const auto failure = build_submitted(recipe(), build, folder.path(), folder.path(), run);
  REQUIRE(failure);
  CHECK(runs == 1);
  CHECK(failure->text ==
        "the compiler used up its CPU time, many times what the reference needs, and was ended");
}

TEST_CASE("Rungs that tests have built before: of texts that are ours, and made once", "[grade]") {
  const ScratchFolder scratch;
  const fs::path root = scratch.path() / "checkout", store = scratch.path() / "store",
                 sources = scratch.path() / "sources", outputs = scratch.path() / "outputs";
  for (const fs::path& folder :
       {root / "common", root / "lessons/03-dgemm", store / "texts", sources / "03-dgemm", outputs})
    fs::create_directories(folder);
  write_text(root / "build.ninja", "");
  write_text(root / "lessons/03-dgemm/g2_shared_tiles.cu", "ours");
  const Build build(root, root);
  Recipe copies;
  copies.target = "workers/lessons/03-dgemm/g2_shared_tiles.executor",
  copies.folders = {"workers/lessons/03-dgemm"};
  copies.commands = {"cp @SOURCES@/03-dgemm/g2_shared_tiles.cu @OUTPUTS@/" + copies.target,
                     "echo x >>" + (scratch.path() / "made").string()};
  const auto taken = [&](const std::string& text) {
    fs::remove_all(outputs), fs::create_directories(outputs);
    write_text(sources / "03-dgemm/g2_shared_tiles.cu", text);
    const auto named = take_built(copies, build, sources, outputs);
    CHECK(named.has_value() == fs::exists(outputs / copies.target));
    if (named) CHECK(read_text(*named / "03-dgemm/g2_shared_tiles.cu") == text);
    return named && read_text(outputs / copies.target) == text;
  };
  const auto times_made = [&] { return read_text(scratch.path() / "made").size() / 2; };

  CHECK_FALSE(taken("ours"));  // no store is named
  ::setenv("LADDER_BUILT_STEPS", store.c_str(), 1);
  fs::permissions(store, fs::perms(0775));
  CHECK_THROWS_AS(taken("ours"), UsageError);
  fs::permissions(store, fs::perms(0755));
  CHECK_FALSE(taken("of a submission"));
  CHECK(times_made() == 0);
  CHECK(taken("ours"));
  CHECK(taken("ours"));
  CHECK(times_made() == 1);
  write_text(store / "texts" / sha256("a mutant"), "");
  CHECK(taken("a mutant"));
  CHECK(times_made() == 2);
  write_text(root / "common/changed.hpp", "");  // it may be included
  CHECK(taken("ours"));
  CHECK(times_made() == 3);
  write_text(sources / "03-dgemm/dgemm.hpp", "of a submission");
  CHECK_FALSE(taken("ours"));
  copies.commands = {"false"};
  fs::remove(sources / "03-dgemm/dgemm.hpp");
  CHECK_FALSE(taken("ours"));
  ::unsetenv("LADDER_BUILT_STEPS");
}
