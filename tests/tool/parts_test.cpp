/// @file
/// The tool's parts that need no build: names, hashes, compiler messages, counting, devices, processes.
// Guards: docs/design.md#the-life-of-a-check

#include <signal.h>
#include <unistd.h>

#include <fstream>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/base/text/points_text.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/sha256.hpp"
#include "common/tool/build/build.hpp"
#include "common/tool/catalogue/catalogue.hpp"
#include "common/tool/machine/placement.hpp"
#include "common/tool/maintain/checks/attempts.hpp"
#include "common/tool/maintain/testing/test_summary.hpp"
#include "common/tool/maintain/testing/times.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/gone.hpp"

using namespace ladder;

TEST_CASE("edit distance counts single edits and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("check", "check") == 0);
  CHECK(edit_distance("chek", "check") == 1);
  CHECK(edit_distance("hceck", "check") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("less than all points never reads as all of them") {
  CHECK(points_text(7.996, 8) == "7.99 of 8");
  CHECK(points_text(7.96, 8) == "7.96 of 8");
  CHECK(points_text(7.9999999999, 8, "/") == "8/8");  // a sum of thirds
  CHECK(points_text(2.666666, 2.666666) == "2.67 of 2.67");
  CHECK(points_text(2.664, 2.666666) == "2.66 of 2.67");
}

TEST_CASE("the nearest names are offered, and none that is far") {
  CHECK(nearest("chek", {"run", "check", "list"}) == std::vector<std::string>{"check"});
  CHECK(nearest("zzzzzz", {"run", "check"}).empty());
  CHECK(unknown("verb", "rnu", {"run", "check"}) == "unknown verb 'rnu'; nearest: run");
  CHECK(unknown("verb", "zzzzzz", {"run", "check"}) == "unknown verb 'zzzzzz'; there are: run, check");
}

TEST_CASE("what a rung's name says is the same to the tool and to CMake") {
  const std::string cmake = read_text(LADDER_PROJECT "/common/cmake/lessons.cmake");
  const auto says = [&](const std::string& text) { return cmake.find(text) != std::string::npos; };
  std::string of_gpu;
  for (const char track : tracks)
    if (is_track_of_gpu(track)) of_gpu += track;
  CHECK(of_gpu == "gt");
  const std::string all = "[" + std::string(tracks) + "]";
  CHECK(says("${folder}/" + all + "[0-9]*_*.cpp ${folder}/" + all + "[0-9]*_*.cu)"));
  CHECK(says("MATCHES \"^[" + of_gpu + "][0-9]\")\n    set(backends opencl)"));
  CHECK(says("MATCHES \"^m[0-9]\")\n    set(backends mpi mpi-memory)"));
  CHECK(says("MATCHES \"\\\\.cu$\")\n    set(backends executor observed cuda)"));
  CHECK(says("MATCHES \"^m[0-9].*\\\\.cu$\")\n    set(backends mpi-executor mpi-observed mpi-cuda)"));
  for (const std::string backend : {"executor", "observed", "cuda"})
    CHECK(worker_ending("m2_summa", backend) == "mpi-" + backend);
  CHECK(worker_ending("m1_mpi", "mpi") == "mpi");
  CHECK(worker_ending("g1_naive", "cuda") == "cuda");
  CHECK(std::string(family_of('c', ".cpp")) == "cpu");
  CHECK(std::string(family_of('m', ".cpp")) == "mpi");
  CHECK(std::string(family_of('m', ".cu")) == "mpi+cuda");
  CHECK(std::string(family_of('g', ".cpp")) == "opencl");
  CHECK(std::string(family_of('t', ".cu")) == "cuda");
}

TEST_CASE("./ladder looks for the files of all tracks before there is a program") {
  const std::string all = "[" + std::string(tracks) + "][0-9]*_*.c";
  for (const char* script : {"packages.sh", "verbs.sh"}) {
    INFO(script);
    CHECK(read_text(std::string(LADDER_PROJECT "/common/tool/") + script).find(all) != std::string::npos);
  }
}

TEST_CASE("nobody else in common has the letters of tracks") {
  const std::string letters(tracks);
  for (const auto& file : std::filesystem::recursive_directory_iterator(LADDER_PROJECT "/common")) {
    const std::string name = file.path().filename().string();
    // Shell and CMake look for files before there is a program.
    const bool looks_for_files = name == "lessons.cmake" || name == "packages.sh" || name == "verbs.sh";
    if (!file.is_regular_file() || name == "step_name.hpp" || looks_for_files) continue;
    INFO(file.path());
    CHECK(read_text(file.path()).find(letters) == std::string::npos);
  }
}

TEST_CASE("SHA-256 of the standard's examples") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("an attempt begins with what it must get") {
  const std::string words = "// verdict WRONG\n// must as before\n// must no result\n// not race\n";
  const ExpectedResult attempt = read_attempt(words + "#include <x>\n// must never read\n");
  CHECK(attempt.must.size() == 2);
  CHECK_THROWS_AS(read_attempt("// verdict PASS\n// must right\n// not race\n"), ladder::Error);
  model::StepResult result;
  result.verdict = Verdict::wrong;
  result.message = "B is as before the call: no result came back";
  CHECK(wrong_attempt(attempt, result) == "");
  for (const auto& [heading, text] : {std::pair{"Think", "Who waits?"}, {"Note", "one"}, {"Also", "a race"}})
    result.details.emplace_back(heading, text);
  CHECK(wrong_attempt(attempt, result) == "");  // far down
  result.details[0].second = "Is there a race?";
  CHECK(wrong_attempt(attempt, result).find("\"race\" is in WRONG  B is") == 0);
  result.message = "no result";
  CHECK(wrong_attempt(attempt, result).find("\"as before\" is not in") == 0);
  result.verdict = Verdict::pass;
  CHECK(wrong_attempt(attempt, result).find("expected WRONG, got PASS") == 0);
}

TEST_CASE("a submission's comments may allow several verdicts, and others in a mode of the sandbox") {
  const ExpectedResult one =
      read_expected("// what reads\n// verdict REVIEW|CRASHED\n// (why)\n// mode uid REJECTED\n");
  CHECK(one.what == "reads");
  CHECK(one.allowed("bwrap") == std::vector<std::string>{"REVIEW", "CRASHED"});
  CHECK(one.allowed("uid") == std::vector<std::string>{"REJECTED"});
  const ladder::ExpectedResult either = read_expected("// verdict WRONG\n// must one|another way\n");
  CHECK(ladder::unexpected(either, "", "WRONG", "ended another way").empty());
  CHECK(ladder::unexpected(either, "", "WRONG", "an other").find("\"one|another way\" is not in") == 0);
  CHECK(read_expected("#include <x>\n// verdict PASS\n").allowed().empty());
  CHECK_THROWS_AS(read_attempt("// verdict PASS|WRONG\n// must a\n// must b\n// not c\n"), ladder::Error);
}

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

TEST_CASE("the time of compilers is told by what they made, each command once") {
  const std::string log =
      "# ninja log v5\n"
      "0\t500\t100\tCMakeFiles/worker-mutants-01-lu-g1--a-cpu.dir/a.cpp.o\tc0\n"
      "0\t2500\t200\tCMakeFiles/worker-mutants-01-lu-g1--a-cpu.dir/a.cpp.o\tc1\n"
      "0\t2500\t200\tgenerated/mutants/01-lu/a.cpp\tc1\n"
      "100\t600\t300\tcommon/programs/CMakeFiles/counters-a.dir/counters-a.cuda/a.cpp.o\tc5\n"
      "100\t600\t300\tprograms/counters/a\tc6\n"
      "100\t1100\t300\ttests/tool/CMakeFiles/test-tool.dir/parts_test.cpp.o\tc2\n"
      "100\t1100\t300\tCMakeFiles/judge-01-lu.dir/tests/01-lu/verify.cpp.o\tc3\n"
      "100\t900\t300\tnvcc/solutions/01-lu/g8.ptxas.cpp\tc7\n"
      "100\t300\t300\tCMakeFiles/ladder-judge.dir/common/judge/plan.cpp.o\tc4\n";
  const auto seconds = compiler_seconds(log, 150);
  CHECK(seconds.size() == 5);
  CHECK(seconds.at("mutants") == Approx(2.5));
  CHECK(seconds.at("unit tests") == Approx(2));
  CHECK(seconds.at("judges") == Approx(1));
  CHECK(seconds.at("nvcc") == Approx(0.8));
  CHECK(seconds.at("harness and tool") == Approx(0.2));
  CHECK(compiler_seconds(log, 400).empty());
}

TEST_CASE("times are told by part, job, lesson and mutant; a lesson that costs too much is named") {
  TestTimes times{.parts = {{"trees", 12, 3}, {"mutants", 30, 40}},
                  .jobs = {{"mutants", "short", 4, 1}, {"mutants", "long", 20, 19}, {"trees", "other", 9, 9}},
                  .compilers = {{"judges", 7}},
                  .building = 100};
  const auto step = [](const char* lesson, const char* mutant, double processor) {
    model::DocumentStep one;
    one.lesson = lesson, one.name = "g1_naive", one.tree = "mutants", one.mutant = mutant;
    one.processor = processor;
    return one;
  };
  take_steps(times,
             {{.name = "03-dgemm", .steps = {step("03-dgemm", "slow", 295), step("03-dgemm", "quick", 6)}},
              {.name = "01-lu", .steps = {step("01-lu", "slow", 299)}}});
  CHECK(times.lessons.at("03-dgemm") == Approx(301));
  CHECK(times.steps.at("mutants 03/g1~slow") == Approx(295));
  const std::string text = times_text(times);
  const auto line = [&](const std::string& begin) {
    const auto at = text.find("\n" + begin);
    return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  };
  CHECK(line("trees ").find("12.0      3.0") != std::string::npos);
  CHECK(text.find("\n  long") < text.find("\nbuilds"));
  CHECK(line("  short").empty());
  CHECK(line("  03-dgemm").find("more than 300: too much for one lesson") != std::string::npos);
  CHECK(line("  01-lu").find("too much") == std::string::npos);
  CHECK(line("  mutants 03/g1~slow").find("295.0") != std::string::npos);
  CHECK(times.jobs.size() == 3);
}

TEST_CASE("JUnit of both Catch2 versions is counted") {
  const std::string xml =
      "<testsuites><testsuite name=\"t\" errors=\"0\" failures=\"1\" tests=\"3\">"
      "<testcase classname=\"t\" name=\"good &amp; well\" time=\"0\"/>"
      "<testcase classname=\"t\" name=\"bad\" time=\"0\"><failure message=\"1 == 2\" "
      "type=\"CHECK\">FAILED:\n  CHECK( 1 == 2 )\nat f.cpp:3</failure></testcase>"
      "<testcase classname=\"t\" name=\"odd\"><skipped message=\"SKIP()\"/></testcase>"
      "</testsuite></testsuites>";
  TestSummary tally;
  CHECK(take_junit(xml, "t", tally));
  CHECK(tally.line() == "1 passed, 1 failed, 1 skipped");
  REQUIRE(tally.failures().size() == 1);
  CHECK(tally.failures()[0].name == "t: bad");
  CHECK(tally.failures()[0].text == "FAILED:\nCHECK( 1 == 2 )\nat f.cpp:3");
  TestSummary cut_off;
  CHECK_FALSE(take_junit(xml.substr(0, 200), "t", cut_off));
  CHECK(take_skips("no GPU: none found\n\n", "t", tally) == 1);
  CHECK(tally.skips().back().text == "no GPU: none found");
}

TEST_CASE("a failure is told as it is counted: its name and its last lines") {
  TestSummary tally;
  std::vector<std::string> said;
  tally.on_failure([&](const TestSummary::Entry& failure) { said.push_back(ladder::told(failure, 100)); });
  tally.pass();
  tally.expect(true, "good", "");
  CHECK(said.empty());
  std::string lines;
  for (int i = 1; i <= 40; ++i) lines += "line " + std::to_string(i) + "\n\n";
  tally.fail("03: product", lines);
  REQUIRE(said.size() == 1);
  CHECK(said[0].rfind("FAILED  03: product\n", 0) == 0);
  CHECK(said[0].find("line 25\n") == std::string::npos);
  CHECK(said[0].find("\n        line 26\n") != std::string::npos);
  CHECK(said[0].substr(said[0].rfind('\n')) == "\n        line 40");
  // Of much text in a test's report both ends are kept: what was checked, and where it stands.
  take_junit("<testsuites><testcase name=\"long\"><failure>FAILED:\n  CHECK( a )\n" + lines +
                 "at f.cpp:3</failure></testcase></testsuites>",
             "t", tally);
  CHECK(tally.failures()[1].text.rfind("FAILED:\nCHECK( a )\nline 1\n", 0) == 0);
  CHECK(tally.failures()[1].text.find("\n…\nline 36\n") != std::string::npos);
  CHECK(said[1].substr(said[1].rfind('\n')) == "\n        at f.cpp:3");
}

TEST_CASE("the last line of the tests stands alone") {
  TestSummary tally;
  tally.pass(3);
  tally.skip("a", "no GPU");
  tally.skip("b", "no GPU");
  tally.fail("c", "1 == 2");
  const std::string text = tally.text(100);
  CHECK(text.substr(text.rfind('\n') + 1) == "3 passed, 1 failed, 2 skipped");
  CHECK(text.find("a and 1 more\n      no GPU") != std::string::npos);
}

TEST_CASE("devices are chosen by name, and unknown ones refused") {
  const std::vector<Device> machine = {{"cpu", "cpu", "x86", "", false, false},
                                       {"opencl:0", "opencl", "pocl", "0:0", false, true},
                                       {"opencl:1", "opencl", "H200", "1:0", true, false},
                                       {"cuda:0", "cuda", "H200", "0", true, false}};
  CHECK(Placer(machine, "").suits("cuda"));
  CHECK(Placer(machine, "executor").suits("cuda"));
  CHECK_FALSE(Placer(machine, "executor").suits("opencl"));
  CHECK(Placer(machine, "pocl").suits("opencl"));
  CHECK_FALSE(Placer(machine, "cuda:0").suits("mpi"));
  try {
    Placer(machine, "excutor");
    FAIL("accepted");
  } catch (const UsageError& error) {
    CHECK(error.text == "unknown device 'excutor'; nearest: executor");
  }
  CHECK_THROWS_AS(Placer(machine, "cuda:1"), UsageError);
}

TEST_CASE("a rung gets the best device that its worker was built for") {
  const ScratchFolder folder;
  write_text(folder.path() / "build.ninja",
             "rule none\n  command = true\n  generator = 1\nbuild build.ninja: none\n"
             "build w/g1.cuda w/g1.executor w/g2.executor w/g3.opencl w/m1.mpi w/c1.cpu w/m3.mpi-executor "
             "w/m4.mpi-cuda w/m4.mpi-executor: none\n");
  Build build(folder.path(), folder.path());
  build.refresh();
  const std::vector<Device> gpus = {{"cuda:0", "cuda", "H200", "0", true, false},
                                    {"cuda:1", "cuda", "H200", "1", true, false},
                                    {"opencl:0", "opencl", "pocl", "0:0", false, true},
                                    {"opencl:1", "opencl", "H200", "1:0", true, false}};
  const auto place = [&](const std::vector<Device>& devices, const std::string& wish, const std::string& name,
                         const std::string& file) {
    return Placer(devices, wish).place(StepEntry{"03-x", name, file, {}}, build, "w/" + name);
  };
  CHECK(place(gpus, "", "g1", "g1_a.cu").device == "cuda:0");
  CHECK(place({}, "", "g1", "g1_a.cu").device == "executor");
  CHECK(place(gpus, "executor", "g1", "g1_a.cu").backend == "executor");
  CHECK(place(gpus, "cpu", "g1", "g1_a.cu").backend == "executor");
  CHECK(place(gpus, "", "g2", "g2_a.cu").backend == "executor");  // no nvcc when it was built
  CHECK_FALSE(place(gpus, "cuda:0", "g2", "g2_a.cu").skip.empty());
  CHECK(place(gpus, "", "g3", "g3_a.cpp").environment.at("LADDER_OPENCL_DEVICE") == "1:0");
  CHECK(place(gpus, "pocl", "g3", "g3_a.cpp").environment.at("LADDER_OPENCL_DEVICE") == "0:0");
  CHECK_FALSE(place({}, "", "g3", "g3_a.cpp").skip.empty());
  CHECK(place(gpus, "", "g3", "g3_a.cpp").untraceable.empty());
  const Device without_layers{"opencl:0", "opencl", "pocl", "0:0", false, true, false};
  CHECK_FALSE(place({without_layers}, "", "g3", "g3_a.cpp").untraceable.empty());
  CHECK(place({}, "", "m1", "m1_a.cpp").backend == "mpi");
  CHECK_FALSE(place({}, "", "m2", "m2_a.cpp").skip.empty());
  CHECK(place({}, "", "m3", "m3_a.cu").backend == "executor");
  CHECK(place(gpus, "", "m3", "m3_a.cu").backend == "executor");  // no NCCL when it was built
  CHECK(place(gpus, "", "m4", "m4_a.cu").backend == "cuda");
  CHECK(place(gpus, "", "m4", "m4_a.cu").environment.empty());  // each rank chooses one of all devices
  const StepEntry of_three{"03-x", "m4", "m4_a.cu", {{"ranks", 3}}};
  CHECK(Placer(gpus, "").place(of_three, build, "w/m4").backend == "executor");
  CHECK(Placer(gpus, "cuda").place(of_three, build, "w/m4").skip ==
        "its 3 ranks need a GPU each, and this machine has 2");
  CHECK(place(gpus, "cuda", "m3", "m3_a.cu").skip.starts_with("nvcc, NCCL or Open MPI is not here"));
  CHECK(place({}, "", "m5", "m5_a.cu").skip == "Open MPI is not here (package libopenmpi-dev)");
  CHECK(place(gpus, "cuda:1", "c1", "c1_a.cpp").backend == "cpu");  // a wish for others leaves it its own
  unsetenv("CUDA_VISIBLE_DEVICES");
  CHECK(place(gpus, "cuda:1", "g1", "g1_a.cu").environment.at("CUDA_VISIBLE_DEVICES") == "1");
  setenv("CUDA_VISIBLE_DEVICES", "3,5", 1);
  CHECK(place(gpus, "cuda:1", "g1", "g1_a.cu").environment.at("CUDA_VISIBLE_DEVICES") == "5");
  unsetenv("CUDA_VISIBLE_DEVICES");
}

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
  // `later` says its process and goes on until a file `let` is there; `now` fails where that process is alive.
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

TEST_CASE("a child's output, status and error are told apart") {
  CHECK(run_process({.arguments = {"sh", "-c", "echo out; echo err >&2"}}).output == "out\nerr\n");
  CHECK(run_process({.arguments = {"sh", "-c", "echo out; echo err >&2"}, .output_only = true}).output ==
        "out\n");
  CHECK(run_process({.arguments = {"sh", "-c", "exit 3"}}).status == 3);
  CHECK(run_process({.arguments = {"sh", "-c", "kill -9 $$"}}).status == 128 + SIGKILL);
  const ProcessResult none = run_process({.arguments = {"/no/such/program"}});
  CHECK(none.status == 127);
  CHECK(none.error.find("/no/such/program: No such file") == 0);
  CHECK(run_process({.arguments = {"sh", "-c", "echo $ADDED"}, .environment = {{"ADDED", "yes"}}}).output ==
        "yes\n");
  CHECK(run_process({.arguments = {"sh", "-c", "pwd"}, .folder = "/"}).output == "/\n");
  CHECK(run_process({.arguments = {"head", "-c", "3000000", "/dev/zero"}}).output.size() == 3000000);
}

TEST_CASE("a child that does not end is ended, with what it started") {
  const ProcessResult late =
      run_process({.arguments = {"sh", "-c", "sleep 1000 & echo $!; wait"}, .seconds = 0.3});
  CHECK(late.timed_out);
  CHECK(test::gone(std::stoi(late.output)));
  // One that leaves its group behind is found as an orphan of ours.
  prepare_processes();
  const ProcessResult left =
      run_process({.arguments = {"sh", "-c", "setsid sh -c 'echo $$; exec sleep 1000' & sleep 0.3"}});
  CHECK(left.status == 0);
  CHECK(test::gone(std::stoi(left.output)));
}

TEST_CASE(
    "what we start computes with the kernels of OpenBLAS for this processor, unless somebody has chosen") {
  const auto told = [] {
    prepare_processes();
    return run_process({.arguments = {"sh", "-c", "printf %s \"$OPENBLAS_CORETYPE\""}}).output;
  };
  const char* const before = std::getenv("OPENBLAS_CORETYPE");
  const std::string kept = before ? before : "";
  unsetenv("OPENBLAS_CORETYPE");
#if defined(__x86_64__)
  CHECK((told() == "") == !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")));
#else
  CHECK(told() == "");
#endif
  setenv("OPENBLAS_CORETYPE", "Nehalem", 1);
  CHECK(told() == "Nehalem");
  unsetenv("OPENBLAS_CORETYPE");
  if (before) setenv("OPENBLAS_CORETYPE", kept.c_str(), 1);
}

TEST_CASE("a folder of a tool that was killed is swept, and nobody else's") {
  const std::filesystem::path base =
      std::filesystem::temp_directory_path() / ("sweep-" + std::to_string(getpid()));
  std::filesystem::create_directories(base / "ladder-999999999-abc");
  std::filesystem::create_directories(base / ("ladder-" + std::to_string(getppid()) + "-abc"));
  setenv("TMPDIR", base.c_str(), 1);
  {
    const ScratchFolder mine;
    CHECK(std::filesystem::exists(mine.path()));
    CHECK_FALSE(std::filesystem::exists(base / "ladder-999999999-abc"));
  }
  CHECK(std::distance(std::filesystem::directory_iterator(base), {}) == 1);
  unsetenv("TMPDIR");
  std::filesystem::remove_all(base);
}

TEST_CASE("a file is written whole or not at all") {
  CHECK_THROWS_AS(write_text("/proc/nothing/here.json", "x"), UsageError);
  CHECK_THROWS_AS(write_text("/dev/full", "x"), UsageError);
}

TEST_CASE("classes are sizes by name, and a wrong one is told in a line") {
  LessonEntry lesson{.name = "05-npb-ep",
                     .classes = nlohmann::json::parse(R"([{"name":"S","size":24},{"name":"A","size":28}])")};
  CHECK(lesson.size_of_class("A") == 28);
  const auto told = [](const LessonEntry& of, const char* name) -> std::string {
    try {
      return std::to_string(of.size_of_class(name));
    } catch (const UsageError& error) {
      return error.text;
    }
  };
  CHECK(told(lesson, "Q") == "unknown class of 05-npb-ep 'Q'; there are: S, A");
  lesson.classes = nlohmann::json::array();
  CHECK(told(lesson, "A") == "05-npb-ep has no classes; its sizes are numbers: --size N");
}
