/// @file
/// Jobs in lanes: the longest first, next to the builds of the next ones, with what each needs for itself.
// Guards: docs/contributing.md#tests

#include "common/tool/core/job_queue.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <thread>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/base/usage_error.hpp"
#include "tests/common/catch.hpp"

namespace ladder {
namespace {

using nlohmann::json;

/// A build folder of a few rules, a queue on it, and a log that jobs write lines into, each at once.
struct Bench {
  explicit Bench(std::size_t lanes, const std::string& rules = "") {
    write_text(folder.path() / "build.ninja",
               "rule none\n  command = true\n  generator = 1\nbuild build.ninja: none\n" + rules);
    build = std::make_unique<Build>(folder.path(), folder.path());
    build->refresh();
    queue = std::make_unique<JobQueue>(*build, terminal, lanes);
  }
  std::filesystem::path file(const std::string& name) const { return folder.path() / name; }

  /// A job that writes when it begins and when it ends, and takes a tenth of a second in between.
  QueuedJob job(const std::string& name, double cost = 1) {
    return {.name = name,
            .cost = cost,
            .work =
                [name](const Emit& emit) {
                  emit({{"line", name + " begins"}});
                  usleep(100000);
                  emit({{"line", name + " ends"}});
                },
            .message = [this](const json& message) { lines.push_back(message.value("line", "")); },
            .ended = [this, name](const JobEnd& end) { ends[name] = end; }};
  }
  std::ptrdiff_t at(const std::string& line) const {
    return std::find(lines.begin(), lines.end(), line) - lines.begin();
  }
  /// Whether two jobs ran at once.
  bool together(const std::string& a, const std::string& b) const {
    return at(a + " begins") < at(b + " ends") && at(b + " begins") < at(a + " ends");
  }

  ScratchFolder folder;
  Terminal terminal{true};
  std::unique_ptr<Build> build;
  std::unique_ptr<JobQueue> queue;
  std::vector<std::string> lines;
  std::map<std::string, JobEnd> ends;
};

}  // namespace

TEST_CASE("a command that runs while a job's message or end is taken leaves the other jobs alone") {
  Bench bench(3);
  const auto command = [] { CHECK(run_process({.arguments = {"true"}}).ok()); };
  for (const char* name : {"one", "two", "three", "four"}) {
    QueuedJob job = bench.job(name);
    job.message = [&, take = job.message](const json& message) { take(message), command(); };
    job.ended = [&, take = job.ended](const JobEnd& end) { take(end), command(); };
    bench.queue->add(job);
  }
  bench.queue->run();
  REQUIRE(bench.ends.size() == 4);
  for (const auto& [name, end] : bench.ends) {
    INFO(name);
    CHECK(end.problem.empty());
    CHECK(bench.at(name + " ends") < std::ssize(bench.lines));
  }
}

TEST_CASE("jobs run side by side, the longest first, no more at once than there are lanes") {
  Bench bench(2);
  for (const auto& [name, cost] : {std::pair{"short", 1.0}, {"longest", 9.0}, {"long", 5.0}})
    bench.queue->add(bench.job(name, cost));
  bench.queue->run();
  CHECK(bench.together("longest", "long"));
  CHECK(bench.at("short begins") > std::min(bench.at("longest ends"), bench.at("long ends")));
  REQUIRE(bench.ends.size() == 3);
  for (const auto& [name, end] : bench.ends) {
    CHECK(end.problem.empty());
    CHECK(end.seconds >= 0.1);
    CHECK_FALSE(end.interrupted);
  }
}

TEST_CASE("a job is told its share of the cores, and one that runs alone has them all") {
  Bench bench(2);
  for (const bool alone : {false, true}) {
    QueuedJob job = bench.job(alone ? "alone" : "one of two");
    job.alone = alone;
    job.work = [alone](const Emit& emit) {
      const char* const cores = std::getenv(cores_of_job);
      emit({{"line", fmt::format("{}: {}", alone ? "alone" : "one of two", cores ? cores : "all")}});
    };
    bench.queue->add(job);
  }
  bench.queue->run();
  const unsigned half = std::max(2u, std::thread::hardware_concurrency() / 2);
  CHECK(bench.at(fmt::format("one of two: {}", half)) < 2);
  CHECK(bench.at("alone: all") < 2);
}

TEST_CASE("a job starts when the targets of a few are there, while those of the next are built") {
  // `late` waits until the first job has run: built before it, it would wait forever.
  Bench bench(
      1,
      "rule make\n  command = touch $out\nbuild early: make\nbuild other: make\n"
      "rule wait\n  command = for i in `seq 500`; do test -e ran && touch $out && exit; sleep 0.02; done; "
      "exit 1\nbuild late: wait\n");
  const auto needs = [&](const std::string& target) {
    QueuedJob job = bench.job(target);
    job.targets = {target, "no such target"};
    job.work = [&bench, target](const Emit& emit) {
      const bool failed = !bench.build->make({target}, {}).empty();
      emit({{"line", target + (failed ? " failed" : " is built")}});
      write_text(bench.file("ran"), "");
    };
    return job;
  };
  for (const char* target : {"early", "other", "late"}) bench.queue->add(needs(target));
  bench.queue->run();
  CHECK(bench.at("early is built") < 2);
  CHECK(bench.at("late is built") == 2);
}

TEST_CASE("a job knows why a target of its own was not built") {
  Bench bench(1,
              "rule fail\n  command = echo 'a.cpp:3:1: error: no such thing' && false\nbuild broken: fail\n"
              "rule make\n  command = touch $out\nbuild good: make\n");
  QueuedJob job = bench.job("needs both");
  job.targets = {"broken", "good"};
  job.work = [&](const Emit& emit) {
    for (const auto& [target, failure] : bench.build->make({"broken", "good"}, {}))
      emit({{"line", target + ": " + failure.line()}});
  };
  bench.queue->add(job);
  bench.queue->run();
  CHECK(bench.lines == std::vector<std::string>{"broken: a.cpp:3: no such thing"});
}

TEST_CASE("a job that must be alone runs when all others have ended, however long it is") {
  Bench bench(3);
  QueuedJob alone = bench.job("alone", 100);
  alone.alone = true;
  bench.queue->add(alone);
  for (const char* name : {"one", "two", "three"}) bench.queue->add(bench.job(name));
  bench.queue->run();
  CHECK(bench.together("one", "two"));
  for (const char* name : {"one", "two", "three"}) CHECK_FALSE(bench.together("alone", name));
}

TEST_CASE("while a job holds the build, nothing is built and no other holds it") {
  // Each target is refused while a job that holds the build says that it is at work.
  Bench bench(2,
              "rule make\n  command = sleep 0.05; ! test -e held && touch $out\n"
              "build a: make\nbuild b: make\nbuild c: make\n");
  const auto holds = [&](const std::string& name) {
    QueuedJob job = bench.job(name);
    job.holds_build = true;
    job.work = [&bench, name, work = job.work](const Emit& emit) {
      write_text(bench.file("held"), "");
      work(emit);
      std::filesystem::remove(bench.file("held"));
    };
    return job;
  };
  const auto needs = [&](const std::string& target) {
    QueuedJob job = bench.job("needs " + target);
    job.targets = {target};
    job.ended = [&bench, target](const JobEnd&) {
      if (std::filesystem::exists(bench.file(target))) bench.lines.push_back(target + " is there");
    };
    return job;
  };
  bench.queue->add(holds("first"));
  bench.queue->add(holds("second"));
  for (const char* target : {"a", "b", "c"}) bench.queue->add(needs(target));
  bench.queue->run();
  CHECK_FALSE(bench.together("first", "second"));
  for (const char* target : {"a", "b", "c"})
    CHECK(std::count(bench.lines.begin(), bench.lines.end(), std::string(target) + " is there") == 1);
}

TEST_CASE("what a job has for itself, no other has meanwhile; what jobs share, they have together") {
  Bench bench(4);
  const auto add = [&](const std::string& name, std::set<std::string> owns, std::set<std::string> shares) {
    QueuedJob job = bench.job(name);
    job.owns = std::move(owns), job.shares = std::move(shares);
    bench.queue->add(job);
  };
  add("first", {}, {"users"});
  add("second", {}, {"users"});
  add("owner", {"users"}, {});
  add("other", {"processes"}, {});
  bench.queue->run();
  CHECK(bench.ends.size() == 4);
  CHECK(bench.together("first", "second"));
  CHECK(bench.together("first", "other"));
  for (const char* name : {"first", "second"}) CHECK_FALSE(bench.together("owner", name));
}

TEST_CASE("a job whose process dies, or throws, is named with the reason; the others go on") {
  Bench bench(1);
  QueuedJob killed = bench.job("killed"), thrown = bench.job("thrown");
  killed.work = [](const Emit&) { kill(getpid(), SIGKILL); };
  thrown.work = [](const Emit&) { throw UsageError{"the disk is full"}; };
  std::string told;
  thrown.message = [&](const json& message) { told = message.value("problem", ""); };
  for (const QueuedJob& job : {killed, thrown, bench.job("good")}) bench.queue->add(job);
  bench.queue->run();
  CHECK(bench.ends.at("killed").problem == "its process died of signal 9 (Killed)");
  CHECK(bench.ends.at("thrown").problem == "its process ended with status 1");
  CHECK(told == "the disk is full");
  CHECK(bench.ends.at("good").problem.empty());
}

TEST_CASE("a job that has ended may add others") {
  Bench bench(1);
  QueuedJob first = bench.job("first");
  first.ended = [&](const JobEnd&) { bench.queue->add(bench.job("second")); };
  bench.queue->add(first);
  bench.queue->run();
  CHECK(bench.at("second ends") == 3);
}

TEST_CASE("jobs wait for memory, but one runs however much it wants") {
  Bench bench(3);
  bench.queue->limit_memory(4);
  for (const auto& [name, gib] : {std::pair{"large", 3.0}, {"other", 2.0}, {"huge", 50.0}}) {
    QueuedJob job = bench.job(name);
    job.memory_gib = gib;
    bench.queue->add(job);
  }
  bench.queue->run();
  CHECK(bench.ends.size() == 3);
  CHECK_FALSE(bench.together("large", "other"));
  CHECK_FALSE(bench.together("large", "huge"));
}

TEST_CASE("an interrupted queue ends its jobs with what they have said, and starts no more") {
  Bench bench(1);
  QueuedJob endless = bench.job("endless", 9);
  endless.work = [](const Emit& emit) {
    emit({{"line", "begun"}});
    while (!interrupted()) usleep(10000);
    emit({{"line", "asked to end"}});
  };
  bench.queue->add(endless);
  bench.queue->add(bench.job("never"));
  const StopWhen stop([&] { return !bench.lines.empty(); });
  bench.queue->run();
  CHECK(bench.lines == std::vector<std::string>{"begun", "asked to end"});
  CHECK(bench.ends.at("endless").interrupted);
  CHECK(bench.ends.at("never").interrupted);
}

}  // namespace ladder
