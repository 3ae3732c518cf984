/// @file
/// The verb test, end to end: what its parts find, count, leave out, skip and renew.
// Guards: docs/contributing.md#tests

#include <sys/stat.h>
#include <unistd.h>

#include "common/base/random.hpp"
#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::test::approve;
using ladder::test::Checkout;
using ladder::test::has;
using ladder::test::step;
using nlohmann::json;

namespace {

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
}

}  // namespace

TEST_CASE("test: trees, solutions, skeletons and mutants, counted on the last line") {
  const Checkout c;
  const std::vector<std::string> call = {"test",   "07",        "--part", "tree",
                                         "--part", "solutions", "--part", "mutants"};
  const ProcessResult good = c.tool(call);
  INFO(good.output);
  CHECK(good.status == 0);  // its parts end in any order
  CHECK(last_line(good.output).find(" passed, 0 failed, 0 skipped") != std::string::npos);
  // A skeleton that was worked on, a mutant that survives, an edit that no longer applies: each is found.
  c.write("lessons/07-toy/c1_first.cpp", c.read("lessons/07-toy/c1_first.cpp") + "// mine\n");
  std::string mutants = c.read("tests/07-toy/mutants/g1_naive.mutants");
  mutants.replace(mutants.find("fake all WRONG"), 14, "fake all PASS ");
  mutants.replace(mutants.rfind("  work();"), 9, "  gone();");
  c.write("tests/07-toy/mutants/g1_naive.mutants", mutants);
  const json document = c.json(call, 1);
  CHECK(document["tests"]["failed"] == 4);
  std::string all;
  for (const json& f : document["tests"]["failures"]) all += f["text"].get<std::string>() + "\n";
  CHECK(all.find("lessons/07-toy/c1_first.cpp:5 is\n// mine") != std::string::npos);
  CHECK(all.find("expected WRONG, got PASS") != std::string::npos);
  CHECK(all.find("the lines to find are not in the solution") != std::string::npos);
}

TEST_CASE(
    "test --changed: what has passed and cannot have changed is left out and named; it counts as nothing") {
  const Checkout c;
  const auto test = [&](const std::string& seed) {
    return c.tool({"test", "07", "--changed", "--part", "solutions", "--seed", seed}, {{"COLUMNS", "200"}});
  };
  // A tenth of what is left out is drawn and runs all the same: seeds that draw none of three, and one of
  // them.
  const auto draws = [](std::uint64_t seed) {
    ladder::Random random(seed);
    int drawn = 0;
    for (int i = 0; i < 3; ++i) drawn += random.below(10) == 0;
    return drawn;
  };
  std::uint64_t none = 1, one = 1;
  while (draws(none) != 0) ++none;
  while (draws(one) != 1) ++one;
  const std::string seed = std::to_string(none);
  const ProcessResult first = test(seed);
  approve("changed-first-time", first);
  const ProcessResult second = test(seed);
  approve("changed-nothing", second);
  CHECK(has(second, "drawn by seed " + seed));
  approve("changed-one-drawn", test(std::to_string(one)));
  // Without --changed nothing is left out.
  CHECK(last_line(c.tool({"test", "07", "--part", "solutions"}).output) == last_line(first.output));
  // A change of one step's solution: its jobs run, and fail now.
  c.order("solutions/07-toy/g1_naive.cu", "all WRONG");
  const ProcessResult third = test(seed);
  CHECK_FALSE(has(third, "solutions of 07/g1 (20"));
  approve("changed-solution", third);
  // What has failed is not left out.
  const ProcessResult fourth = test(seed);
  CHECK_FALSE(has(fourth, "solutions of 07/g1 (20"));
  CHECK(fourth.status == 1);
}

TEST_CASE("test: a contract of more than 60 lines fails") {
  const Checkout c;
  const auto of_lines = [&](int lines) {
    std::string text;
    for (int i = 0; i < lines; ++i) text += "// a line\n";
    c.write("lessons/07-toy/problem.hpp", text);
    return c.tool({"test", "07", "--part", "lines"});
  };
  CHECK(of_lines(60).status == 0);
  const ProcessResult longer = of_lines(61);
  CHECK(longer.status == 1);
  approve("contract-of-61-lines", longer);
}

TEST_CASE("test: a skeleton that is not NOT STARTED fails") {
  const Checkout c;
  const json document = c.json({"test", "07", "--part", "skeletons"}, 1);  // the fake judge says PASS
  CHECK(document["tests"]["failed"] == 2);
}

TEST_CASE("test: what fails is named where it fails, with its last lines, and not only at the end") {
  const Checkout c;
  c.write("build/test-first.sh",
          "#!/bin/sh\necho '<testsuites><testcase name=\"sums\"><failure>FAILED:\nCHECK( 1 == 2 )\nat f.cpp:3"
          "</failure></testcase></testsuites>' >\"$4\"; exit 1\n");
  c.write("build/test-second.sh",
          "#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo said $i; done; kill -SEGV $$\n");
  c.write("tests/common/a/bad_test.sh",
          "echo before; echo the last words; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do echo \"ok      check "
          "$i\"; done; "
          "exit 3\n");
  c.write("tests/common/a/idle_test.sh", "echo first; echo there is no printer; exit 77\n");
  c.write("tests/common/a/good_test.sh", "exit 0\n");
  const ProcessResult ended = c.tool({"test", "--part", "units"}, {{"COLUMNS", "200"}});
  INFO(ended.output);
  CHECK(ended.status == 1);
  // Programs run next to each other, so that their failures come in any order.
  const std::string now = ended.output.substr(0, ended.output.find("harness and tool"));
  CHECK(
      now.find("FAILED  test-first: sums\n        FAILED:\n        CHECK( 1 == 2 )\n        at f.cpp:3\n") !=
      std::string::npos);
  CHECK(now.find("FAILED  test-second\n        ended with status 139 before its report was whole") !=
        std::string::npos);
  CHECK(now.find("\n        said 12\n") != std::string::npos);
  CHECK(now.find("FAILED  tests/common/a/bad_test.sh\n        ended with status 3\n        before\n"
                 "        the last words\n") != std::string::npos);
  CHECK(now.find("no printer") == std::string::npos);
  // A script that could not run is skipped, with its reason: it did not pass.
  CHECK(has(ended, "skipped:\n  tests/common/a/idle_test.sh\n      there is no printer\n"));
  CHECK(last_line(ended.output).find("2 passed, 3 failed, 1 skipped") != std::string::npos);
}

TEST_CASE(
    "test --renew: programs with approved outputs write them; what differs is listed, what is left over "
    "goes") {
  const Checkout c;
  c.write("tests/common/CMakeLists.txt", "ladder_unit_test(test-first one_test.cpp two_test.cpp)\n");
  const std::string head = "/// A test.\n// Guards: README.md\n#include \"tests/common/approved.hpp\"\n";
  c.write("tests/common/one_test.cpp",
          head + "TEST_CASE(\"a\") { approve(\"said\", a()); approve(\"new\", b()); }\n");
  c.write("tests/common/two_test.cpp", head + "TEST_CASE(\"b\") { approve(\"same\", c()); }\n");
  // Says with which filter it was started, and writes what a real one would.
  c.write("build/test-first.sh",
          "#!/bin/sh\n[ \"$LADDER_RENEW\" = 1 ] || exit 9\ncd \"$LADDER_ROOT/tests/common/approved\"\n"
          "echo \"now $5 $6\" >one.said.txt\necho b >one.new.txt\necho c >two.same.txt\n"
          "echo '<testsuites><testcase name=\"a\"/></testsuites>' >\"$4\"\n");
  c.write("tests/common/approved/one.said.txt", "before\n");
  c.write("tests/common/approved/one.gone.txt", "left over\n");
  c.write("tests/common/approved/two.same.txt", "c\n");
  approve("renew", c.tool({"test", "--renew"}));
  CHECK(c.read("tests/common/approved/one.said.txt") == "now -# [#one_test],[#two_test]\n");
  CHECK_FALSE(std::filesystem::exists(c.root() / "tests/common/approved/one.gone.txt"));
  approve("renew-one-source", c.tool({"test", "--renew", "two_test.cpp"}));
  CHECK(c.read("tests/common/approved/one.said.txt") == "now -# [#two_test]\n");
  approve("renew-nothing-differs", c.tool({"test", "--renew", "two"}));
  approve("renew-refused", refusals(c, {{"test", "--renew", "tow"},
                                        {"test", "--renew", "--changed"},
                                        {"test", "--renew", "--part", "tree"}}));
  // A file that no check uses is found by the trees, too.
  c.write("tests/common/approved/one.gone.txt", "left over\n");
  CHECK(has(c.tool({"test", "--part", "tree"}, {{"COLUMNS", "200"}}), "tests/common/approved/one.gone.txt"));
  c.write("build/test-first.sh", "#!/bin/sh\nexit 1\n");
  CHECK(c.tool({"test", "--renew"}).status == 1);
}

TEST_CASE("test: what a sanitizer reports of a child is a failure, and what was left out is counted") {
  const Checkout c;
  // A CMake that configures one program, whose child has an error and whose own test passes all the same.
  c.write("bin/cmake",
          "#!/bin/sh\nmkdir -p \"$6\"; cp build/test-sanitized.sh \"$6/test-memory.sh\"\n"
          "[ \"$7\" = \"-DLADDER_SANITIZE=$LADDER_BUILD\" ] || exit 1\n"
          "printf 'rule EXECUTABLE\\n  command = cp $in $out && chmod +x $out\\n"
          "rule none\\n  command = true\\n  generator = 1\\nbuild build.ninja: none\\n"
          "build tests/test-memory: EXECUTABLE test-memory.sh\\n' >\"$6/build.ninja\"\n");
  std::filesystem::permissions(c.root() / "bin/cmake", std::filesystem::perms::owner_all);
  c.write("build/test-sanitized.sh",
          "#!/bin/sh\n"
          "if [ \"$1 $2\" = '--list-tests [plants-a-fault]' ]; then echo; echo '3 matching test cases'; "
          "exit; fi\n"
          "[ \"$1\" != --list-tests ] || exit 0\n"
          "[ \"$5\" = '~[plants-a-fault]~[other-machine]' ] || exit 9\n"
          "log=${ASAN_OPTIONS#log_path=\\'}\n"
          "printf '=====\\n==7==ERROR: AddressSanitizer: heap-use-after-free\\n    #0 0x1 in f "
          "a.cpp:3\\nShadow\\n' "
          ">${log%%\\'*}.7\n"
          "echo '<testsuites><testcase name=\"a\"/></testsuites>' >\"$4\"\n");
  const std::string path = (c.root() / "bin").string() + ":" + std::getenv("PATH");
  const ProcessResult ended = c.tool({"test", "--part", "sanitized"}, {{"PATH", path}, {"COLUMNS", "200"}});
  approve("sanitized", ended);
}

TEST_CASE("test: root runs as nobody too what the user matters to", "[as-root]") {
  if (geteuid() != 0) LADDER_SKIP("tests as nobody: only root can become nobody");
  const Checkout c;
  c.write("build/test-tool.sh",
          "#!/bin/sh\ntouch \"$HOME/mine\" \"$TMPDIR/too\" || exit 1\n"
          "echo \"<testsuites><testcase name='x'><failure>user $(id -u) of $(id -G)</failure></testcase>"
          "</testsuites>\" | sed \"s/'/\\\"/g\" >\"$4\"; exit 1\n");
  const ProcessResult closed = c.tool({"test", "--part", "nobody"}, {{"COLUMNS", "400"}});
  approve("nobody-may-not-read", closed);
  std::filesystem::permissions(c.root(), std::filesystem::perms(0755));
  c.write("build/bin/ladder-dev", "");
  c.write("ladder", "");
  std::filesystem::permissions(c.root() / "build/bin/ladder-dev", std::filesystem::perms(0755));
  const ProcessResult open = c.tool({"test", "--part", "nobody"}, {{"COLUMNS", "400"}});
  approve("nobody-fails", open);
}

TEST_CASE("what is given to nobody: the folder and what is in it, not what its links show to", "[as-root]") {
  if (geteuid() != 0) LADDER_SKIP("files as nobody: only root can give them away");
  const Checkout c;
  c.write("given/mine", "");
  c.write("other", "");
  std::filesystem::create_symlink(c.root() / "other", c.root() / "given/link");
  ladder::give_to_nobody(c.root() / "given");
  struct stat mine {
  }, other{};
  REQUIRE((stat((c.root() / "given/mine").c_str(), &mine) == 0 &&
           stat((c.root() / "other").c_str(), &other) == 0));
  CHECK(mine.st_uid == 65534);
  CHECK(other.st_uid == 0);
}
