/// @file
/// Tool and judge are ended at any moment: no process and no shared memory stays behind, and what was judged
/// can be read. Real judge, real workers, some of which leave processes of their own. LADDER_MOMENTS: how
/// many moments; 50 without it.
// Guards: docs/student.md#what-is-kept

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <set>
#include <thread>

#include "common/base/process/process_tree.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::test::Checkout;
using ladder::test::within;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

/// The steps of the lesson: rows of the probe lesson, whose sources are all alike, since each worker is one
/// of its own.
constexpr std::pair<const char*, const char*> steps[] = {{"c1_plain", "forks"},
                                                         {"c3_timed", "leaves_an_orphan"},
                                                         {"c4_counted", "wrong"},
                                                         {"c5_refusing", "refuses_seven"}};
const std::map<std::string, std::string> verdict_of{
    {"c1_plain", "PASS"}, {"c3_timed", "PASS"}, {"c4_counted", "WRONG"}, {"c5_refusing", "PASS"}};

/// Adds the probe lesson to a checkout: its real judge and workers, which need no compiler any more.
void add_probe(const Checkout& c) {
  std::vector<std::string> rows;
  std::string ninja =
      "rule link\n  command = ln -sf $in $out\n"  // in their own folder they find their libraries
      "build judges/99-probe: copy " PROBE_BUILD
      "/judges/99-probe\n"
      "build bin/confine: link " PROBE_BUILD "/bin/confine\n";
  for (const auto& [step, worker] : steps) {
    const std::string file = std::string(step) + ".cpp";
    c.write("lessons/99-probe/" + file, ladder::read_text(PROBE_SOURCE));
    ninja += "build workers/lessons/99-probe/" + std::string(step) +
             ".cpu: link " PROBE_BUILD "/workers/probe/" + worker + ".cpu | ../lessons/99-probe/" + file +
             "\n";
    rows.push_back(ladder::test::row_text(file, "none"));
  }
  c.write("lessons/99-probe/rungs.toml", ladder::test::table_text("Probe", rows));
  c.write("build/build.ninja", c.read("build/build.ninja") + ninja);
}

/// Judges the probe's steps in the background.
pid_t start(const Checkout& c) {
  fs::remove(c.root() / "results.json");
  return c.start({"check", "99", "--json", "results.json"});
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string command_of(pid_t pid) {
  std::string line = ladder::read_text(fs::path("/proc") / std::to_string(pid) / "cmdline");
  return line.substr(0, line.find('\0'));
}

/// The judge below a tool; 0 when there is none now.
pid_t judge_below(pid_t tool) {
  for (const pid_t pid : ladder::descendants(tool))
    if (command_of(pid).ends_with("/judges/99-probe")) return pid;
  return 0;
}

std::set<std::string> shared_memory() {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/dev/shm", ignored)) names.insert(entry.path().filename());
  return names;
}

/// What lives below this process; the dead are buried.
std::string left_behind() {
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  std::string names;
  for (const pid_t pid : ladder::descendants(getpid())) names += command_of(pid) + " ";
  return names;
}

/// Records of a tool that could not sum them up any more: every whole line is one.
void check_records(const Checkout& c) {
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(c.root() / "tmp", ignored)) {
    if (entry.path().filename() != "results.jsonl") continue;
    std::istringstream lines(ladder::read_text(entry.path()));
    for (std::string line; std::getline(lines, line) && !lines.eof();)
      CHECK(json::parse(line, nullptr, false).is_object());
  }
}

/// A result is what it would have been, or NOT RUN; with a judge that was ended, of one step only.
void check_results(const Checkout& c, const std::string& who) {
  const json document = json::parse(c.read("results.json"), nullptr, false);
  REQUIRE(document.is_object());
  REQUIRE(document["lessons"].size() == 1);
  const json& results = document["lessons"][0]["steps"];
  REQUIRE(results.size() == std::size(steps));
  int not_run = 0;
  for (const json& result : results) {
    const std::string verdict = result["verdict"];
    INFO(result.dump());
    if (verdict == "NOT RUN")
      ++not_run;
    else
      CHECK(verdict == verdict_of.at(result["name"]));
  }
  if (who == "judge") CHECK(not_run <= 1);
}

}  // namespace

TEST_CASE("tool and judge are ended at any moment: nothing stays, and what was judged can be read") {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const Checkout c;
  add_probe(c);
  fs::create_directories(c.root() / "tmp");
  const auto begin = Clock::now();
  int status = 0;
  waitpid(start(c), &status, 0);
  INFO(c.read("output"));
  check_results(c, "judge");
  CHECK(left_behind() == "");
  const double whole = seconds_since(begin);

  const char* stated = std::getenv("LADDER_MOMENTS");
  const int moments = stated ? std::atoi(stated) : 50;
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  for (int moment = 0; moment < moments; ++moment) {
    const auto memory = shared_memory();
    const int number = std::array{SIGINT, SIGTERM, SIGHUP, SIGKILL}[random() % 4];
    const bool at_judge = random() % 2 == 0;
    const double delay = whole * std::uniform_real_distribution<>(0, 1)(random);
    INFO("seed " << seed << ", moment " << moment << ": signal " << number << " to the "
                 << (at_judge ? "judge" : "tool") << " after " << delay << " s");
    const pid_t tool = start(c);
    pid_t judge = 0;
    if (at_judge)
      within(20, [&] { return (judge = judge_below(tool)) != 0 || ladder::facts_of(tool).state == 'Z'; });
    std::this_thread::sleep_for(std::chrono::duration<double>(delay));
    // Nobody has waited for the tool, so its number is its own; the judge's may have ended meanwhile.
    ladder::signal_in_family(at_judge ? judge : tool, tool, number);
    CHECK(within(30, [&] { return waitpid(tool, &status, WNOHANG) == tool; }));
    std::string left;
    CHECK(within(5, [&] { return (left = left_behind()).empty(); }));
    CHECK(left == "");
    within(5, [&] { return shared_memory() == memory; });  // of others on this machine, too, who come and go
    CHECK(shared_memory() == memory);
    INFO(c.read("output"));
    check_records(c);
    if (fs::exists(c.root() / "results.json"))
      check_results(c, at_judge ? "judge" : "tool");
    else
      CHECK_FALSE(at_judge);
  }
}
