/// @file
/// Builds: what fails leaves no old program, and what is built ahead gives way and ends.
// Guards: docs/design.md#what-a-build-costs

#include <unistd.h>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/build/build.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/gone.hpp"

using namespace ladder;

TEST_CASE("of what fails the old program is deleted; what does not need it stays") {
  const ScratchFolder folder;
  const auto file = [&](const char* name) { return folder.path() / name; };
  write_text(file("build.ninja"),
             "rule copy\n  command = ! grep 'error' $in && cp $in $out\n"
             "rule none\n  command = true\n  generator = 1\nbuild build.ninja: none\n"
             "build a~x.o: copy a\nbuild a~x: copy a~x.o\nbuild b: copy c\n");
  write_text(file("a"), "1");
  write_text(file("c"), "1");
  Build build(folder.path(), folder.path());
  build.refresh();
  CHECK(build.make({"a~x", "b"}, {}).empty());
  write_text(file("a"), "a:1:1: error: gone\n");
  const auto failures = build.make({"a~x", "b"}, {});
  REQUIRE(failures.size() == 1);
  CHECK(failures.begin()->first == "a~x");
  CHECK(failures.begin()->second.text == "gone");
  CHECK_FALSE(std::filesystem::exists(file("a~x")));
  CHECK(std::filesystem::exists(file("b")));
}

TEST_CASE("what is built ahead waits for what is wanted now, and ends with the tool") {
  const ScratchFolder folder;
  const auto file = [&](const char* name) { return folder.path() / name; };
  // `later` says its process and goes on until a file `let` is there; `now` fails where that process is
  // alive.
  write_text(
      file("build.ninja"),
      "rule none\n  command = true\n  generator = 1\nbuild build.ninja: none\n"
      "rule wait\n  command = echo $$$$ > pid.new && mv pid.new pid; while ! test -e let; do sleep 0.02; "
      "done; "
      "touch $out\n"
      "rule look\n  command = ! grep -qs 'State:.[RSD]' /proc/$$(cat pid)/status && rm pid && touch $out\n"
      "build later: wait\nbuild now: look\n");
  // The process that builds ahead, once there is one. It is forgotten: the next is a new one.
  const auto begun = [&] {
    for (int i = 0; i < 2000 && !std::filesystem::exists(file("pid")); ++i) usleep(10000);
    REQUIRE(std::filesystem::exists(file("pid")));
    return std::stoi(read_text(file("pid")));
  };
  int last = 0;
  {
    Build build(folder.path(), folder.path());
    build.refresh();
    build.ahead({"later", "of another machine"});
    const int first = begun();
    CHECK(build.make({"now"}, {}).empty());
    const int second = begun();  // `now` has removed the first one's file
    CHECK(test::gone(first));
    try {
      const Build::Rest rest(build);
      CHECK(test::gone(second));
      std::filesystem::remove(file("pid"));
      CHECK(build.make({"now"}, {}).empty());  // is there; nothing goes on yet
      throw UsageError{"on purpose"};
    } catch (const UsageError&) {
    }
    last = begun();
    CHECK_FALSE(test::gone(last));
  }
  CHECK(test::gone(last));
  CHECK_FALSE(std::filesystem::exists(file("later")));
}

TEST_CASE(
    "a build that is ended leaves no file which a linker begins after the compiler that had started it") {
  const ScratchFolder folder;
  const auto file = [&](const char* name) { return folder.path() / name; };
  write_text(file("build.ninja"),
             "rule none\n  command = true\n  generator = 1\nbuild build.ninja: none\n"
             "rule link\n  command = (trap '' TERM; touch begun; sleep 0.3; : > $out) & wait\n"
             "build program: link\n");
  Build build(folder.path(), folder.path());
  build.refresh();
  build.ahead({"program"});
  for (int i = 0; i < 2000 && !std::filesystem::exists(file("begun")); ++i) usleep(10000);
  REQUIRE(std::filesystem::exists(file("begun")));
  const Build::Rest rest(build);
  usleep(600000);
  CHECK_FALSE(std::filesystem::exists(file("program")));
}

TEST_CASE("a child that is ended in a tick is the one in the background only") {
  const ScratchFolder folder;
  write_text(folder.path() / "build.ninja",
             "rule none\n  command = true\n  generator = 1\nbuild build.ninja: none\n"
             "rule wait\n  command = sleep 1000\nbuild later: wait\n");
  Build build(folder.path(), folder.path());
  build.refresh();
  build.ahead({"later"});
  std::optional<Build::Rest> rest;
  const ProcessResult ended =
      run_process({.arguments = {"sh", "-c", "sleep 0.3; exit 7"}}, [&](const std::string&) {
        if (!rest) rest.emplace(build);
      });
  CHECK(ended.status == 7);
}
