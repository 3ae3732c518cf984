/// @file
/// The verb test: what attempts and attacks must get, times, counts of Catch2, and failures as they are told.
// Guards: docs/contributing.md#tests

#include "common/base/usage_error.hpp"
#include "common/tool/maintain/checks/attempts.hpp"
#include "common/tool/maintain/testing/test_summary.hpp"
#include "common/tool/maintain/testing/times.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

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
