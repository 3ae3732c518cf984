// CPU steps under sanitizers. Each of these steps returns the right result: what is wrong with it shows here
// only.
// Guards: docs/rungs.md#what-the-words-mean

#include "tests/common/judge/judged.hpp"

using namespace ladder::test;

namespace {

json sanitized(const std::string& function) {
  json step = planned("c1_plain", function);
  step["source"] = LADDER_PROBE "/openmp_steps.cpp";
  const std::string stem = build + "/workers/probe/" + function + ".";
  for (const char* what : {"races", "memory"})
    if (fs::exists(stem + what))
      step["sanitized"][what] = stem + what;
    else
      step["no_sanitized"][what] = "clang is not installed";
  return step;
}

json findings_of(const json& step) {
  const std::vector<json> found = judged(json::array({step}), {"findings"});
  REQUIRE(found.size() == 1);
  UNSCOPED_INFO(found.front().dump(1));
  return found.front();
}

/// The line of openmp_steps.cpp with that text.
std::string line_with(const std::string& text) {
  std::ifstream file(std::string(LADDER_PROBE) + "/openmp_steps.cpp");
  int number = 1;
  for (std::string line; std::getline(file, line); ++number)
    if (contains(line, text)) return std::to_string(number);
  FAIL("no line with " << text);
  return "";
}

/// Where clang or its OpenMP is not installed nothing is said of races, and nothing can be tested.
bool races_are_looked_for() {
  const bool here = fs::exists(build + "/workers/probe/takes_turns.races");
  if (!here) WARN("races are not looked for here: clang or libomp is not installed");
  return here;
}

}  // namespace

TEST_CASE("a right rung is silent under the sanitizers, whatever orders its threads") {
  for (int i = 0; i < 3; ++i) {
    const json found = findings_of(sanitized("takes_turns"));
    CHECK(found.at("verdict") == "PASS");
    CHECK(found.at("details").size() == (races_are_looked_for() ? 0 : 1));
  }
}

TEST_CASE("an index that threads share is a race, though every result is right") {
  if (!races_are_looked_for()) return;
  const json found = findings_of(sanitized("shares_an_index"));
  CHECK(found.at("verdict") == "WRONG");
  CHECK(contains(found.at("message"), "race between threads, line " + line_with("for (j = 0; j < 1; ++j)")));
  CHECK(contains(found.at("details").dump(), "a local variable that they share"));
  CHECK(contains(found.at("details").dump(), "Does each thread need its own"));
}

TEST_CASE("a race in an array has its name in the contract, and both lines") {
  if (!races_are_looked_for()) return;
  const json found = findings_of(sanitized("all_write_everything"));
  CHECK(found.at("verdict") == "WRONG");
  const std::string line = "(line " + line_with("for (int i = 0; i < p.n; ++i) p.y[i] = 2 * p.x[i];") + ")";
  CHECK(contains(found.at("details").dump(), "both write y["));
  CHECK(contains(found.at("details").dump(), line));
}

TEST_CASE("a rung that dies only while it is watched has crashed, and no note hides it") {
  if (!races_are_looked_for()) return;
  const json found = findings_of(sanitized("dies_when_watched"));
  CHECK(found.at("verdict") == "CRASHED");
  CHECK(contains(found.at("message"), ", while races were looked for: the process ended with signal 11"));
}

TEST_CASE("an element past the end that is only read is found, with the array's name") {
  const json found = findings_of(sanitized("reads_one_too_many"));
  CHECK(found.at("verdict") == "WRONG");
  CHECK(contains(found.at("message"), "access out of bounds, line " + line_with("sum += p.x[i];")));
  CHECK(contains(found.at("details").dump(), "reads x["));
  CHECK(contains(found.at("details").dump(), " of x, which has "));
}

TEST_CASE("a sum that is too large for its type is undefined") {
  const json found = findings_of(sanitized("overflows"));
  CHECK(found.at("verdict") == "WRONG");
  CHECK(contains(found.at("message"), "undefined behaviour, line " + line_with("hash += i;")));
  CHECK(contains(found.at("details").dump(), "signed integer overflow"));
}

TEST_CASE("where a sanitizer cannot be, a note says so and the rung passes") {
  json step = sanitized("takes_turns");
  step["sanitized"] = json::object();
  step["no_sanitized"] = {{"races", "clang is not installed"}, {"memory", "no worker"}};
  const json found = findings_of(step);
  CHECK(found.at("verdict") == "PASS");
  CHECK(contains(found.at("details").dump(), "races not looked for: clang is not installed"));

  step["sanitized"] = {{"races", "/bin/false"}};  // as where the kernel refuses what it needs
  step["no_sanitized"] = json::object();
  const json refused = findings_of(step);
  CHECK(refused.at("verdict") == "PASS");
  CHECK(contains(refused.at("details").dump(), "races not looked for: "));
}
