/// @file
/// The verb watch on a real terminal: saves of all kinds, keys, and that nothing stays when it ends.
// Guards: docs/student.md#the-learners-loop-watch

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "common/report/text/table.hpp"
#include "common/tool/watch/saved_files.hpp"
#include "common/tool/watch/watch_files.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"
#include "tests/tool/session.hpp"

using ladder::test::Checkout;
using ladder::test::count;
using ladder::test::Session;
using ladder::test::within;
namespace fs = std::filesystem;

namespace {

const std::string g1 = "lessons/07-toy/g1_naive.cu", c1 = "lessons/07-toy/c1_first.cpp";
const std::string keys = "? keys";  // ends the line of keys: watch has nothing to do

/// A judge is left whose plan lies in the temporary folder of this checkout.
/// @param which  "07-toy-2": the second that this call has started
bool a_judge_lives(const Checkout& c, const std::string& which = "") {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string all = ladder::read_text(entry.path() / "environ");
    const auto at = all.find("LADDER_PLAN=" + (c.root() / "tmp").string());
    if (at != std::string::npos && all.substr(at, all.find('\0', at) - at).find(which) != std::string::npos)
      return true;
  }
  return false;
}

void save_in_place(const Checkout& c, const std::string& path, const std::string& text) {
  std::ofstream(c.root() / path) << text;
}

}  // namespace

TEST_CASE("watch judges what is saved: wrong, broken, right; in place and by rename", "[watch]") {
  const Checkout c;
  c.order(g1, "correctness NOT_STARTED task");
  Session s(c, {"watch", "07/g1"});
  REQUIRE(s.shows("Watching 07/g1"));
  REQUIRE(s.shows("NOT STARTED"));
  REQUIRE(s.shows(keys));

  save_in_place(c, g1, "// fake correctness WRONG first C[0][1]\n");
  REQUIRE(s.shows("g1_naive.cu saved"));
  REQUIRE(s.shows("WRONG"));
  REQUIRE(s.shows("first C[0][1]"));
  REQUIRE(s.shows("points"));  // the whole of it
  REQUIRE(s.shows("Think"));
  REQUIRE(s.shows("from the save to the verdict"));
  REQUIRE(s.shows(keys));

  save_in_place(c, g1, "void f() {\n#error\n}\n");
  REQUIRE(s.shows("BUILD ERROR"));
  REQUIRE(s.shows("g1_naive.cu:2"));
  REQUIRE(s.shows("#error said so"));
  REQUIRE(s.shows(keys));

  c.write("lessons/07-toy/.g1_naive.cu.swp", "// fake correctness PASS right\n");
  fs::rename(c.root() / "lessons/07-toy/.g1_naive.cu.swp", c.root() / g1);
  REQUIRE(s.shows("right so far"));
  REQUIRE(s.shows("PASS"));
  REQUIRE(s.shows(keys));
  CHECK(c.read(".ladder/state.json").find("\"PASS\"") != std::string::npos);
  s.type("q");
  CHECK(s.status() == 0);
  CHECK(s.echoes());
  CHECK(fs::is_empty(c.root() / "tmp"));
}

TEST_CASE("watch needs 80 columns and no colour", "[watch]") {
  const Checkout c;
  c.order(g1,
          "correctness WRONG first C[0][1] of many: " + std::string(30, 'x') + " " + std::string(60, 'y'));
  Session s(c, {"watch", "--poll"}, {{"NO_COLOR", "1"}});
  REQUIRE(s.shows(keys));
  s.type("?");
  REQUIRE(s.shows("Enter"));
  c.order(g1,
          "correctness WRONG first C[0][1] of many: " + std::string(30, 'x') + " " + std::string(60, 'z'));
  REQUIRE(s.shows("zzz"));
  REQUIRE(s.shows(keys));
  s.type("q");
  CHECK(s.status() == 0);
  for (const std::string& line : s.lines()) CHECK((ladder::report::columns(line) <= 80 ? "" : line) == "");
  CHECK(count(s.output(), "\x1b[") == count(s.output(), "\x1b[K"));  // nothing but the line that is rewritten
}

TEST_CASE("watch finds saves without events, and says so", "[watch]") {
  const Checkout c;
  Session s(c, {"watch", "07/g1", "--poll"});
  REQUIRE(s.shows("Looks at the files twice a second: --poll"));
  REQUIRE(s.shows(keys));
  c.order(g1, "correctness WRONG first C[0][1]");  // by rename
  REQUIRE(s.shows("first C[0][1]"));
  REQUIRE(s.shows(keys));
}

TEST_CASE("watch judges every rung that was saved, and those that include a saved header", "[watch]") {
  const Checkout c;
  const std::string includes = "#include \"mine.hpp\"\n";
  c.write("lessons/07-toy/mine.hpp", "#include \"problem.hpp\"\n");
  c.write(c1, includes + "// fake correctness PASS right\n");
  c.write(g1, "ladder::task();\n" + includes);
  Session s(c, {"watch", "07"});
  REQUIRE(s.shows(keys));
  c.write(c1, includes + "// fake correctness WRONG one\n");
  c.write(g1, includes + "// fake correctness WRONG two\n");
  REQUIRE(s.shows("c1_first.cpp, g1_naive.cu saved"));
  REQUIRE(s.shows("two"));  // the last one is worked on
  REQUIRE(s.shows("one"));
  REQUIRE(s.shows(keys));
  c.write("lessons/07-toy/mine.hpp", "#include \"problem.hpp\"\n\n");
  REQUIRE(s.shows("mine.hpp saved"));
  REQUIRE(s.shows("07/g1"));
  REQUIRE(s.shows("07/c1"));
  REQUIRE(s.shows(keys));
  c.write("lessons/07-toy/problem.hpp", "// the problem, longer\n");
  REQUIRE(s.shows("problem.hpp saved"));
  REQUIRE(s.shows("07/g1"));
  REQUIRE(s.shows("07/c1"));
  REQUIRE(s.shows(keys));
  c.write("lessons/07-toy/nobodys.hpp", "// new\n");
  REQUIRE(s.shows("Nothing to judge"));
}

TEST_CASE("a save while a rung is judged begins again", "[watch]") {
  const Checkout c;
  Session s(c, {"watch", "07/g1"});
  REQUIRE(s.shows(keys));
  c.order(g1, "correctness SLEEP");
  REQUIRE(within(20, [&] { return a_judge_lives(c); }));
  c.order(g1, "correctness PASS right");
  REQUIRE(s.shows("begins again"));
  REQUIRE(s.shows("PASS"));
  REQUIRE(s.shows(keys));
  CHECK_FALSE(a_judge_lives(c));
}

TEST_CASE("keys of watch: next, hint, reference, and verbs that a copy has not", "[watch]") {
  const Checkout c;
  c.order(g1, "correctness WRONG first C[0][1]");
  Session s(c, {"watch", "07/g1", "--device", "executor"});
  REQUIRE(s.shows(keys));
  s.type("h");
  REQUIRE(s.shows("What comes first?"));
  s.type("d");
  REQUIRE(s.shows("after PASS"));
  s.type("\x1b[A");  // an arrow: means nothing
  c.order(g1, "correctness PASS right");
  REQUIRE(s.shows("PASS"));
  REQUIRE(s.shows(keys));
  s.type("d");
  REQUIRE(s.shows("+// fake correctness PASS right"));
  s.type("n");
  REQUIRE(s.shows("No other rung"));
  s.type("\n");
  REQUIRE(s.shows("PASS"));
  s.type("q");
  CHECK(s.status() == 0);
}

TEST_CASE("n goes to the next rung that is not done", "[watch]") {
  const Checkout c;
  c.order(c1, "correctness WRONG one");
  Session s(c, {"watch", "07"});
  REQUIRE(s.shows("c1_first.cpp"));
  REQUIRE(s.shows(keys));
  s.type("n");
  REQUIRE(s.shows("write  lessons/07-toy/g1_naive.cu"));
  s.type("n");
  REQUIRE(s.shows("write  lessons/07-toy/c1_first.cpp"));
}

TEST_CASE("what a save left to do is said at once, and in words for keys instead of commands", "[watch]") {
  const Checkout c;
  Session s(c, {"watch", "07/g1"});
  REQUIRE(s.shows(keys));
  c.write(g1, c.read(g1) + "// more\n");
  REQUIRE(s.shows("Line 3 still has ladder::task()"));
  REQUIRE(s.shows(keys));  // a copy is no compiler: it could take what is saved in the same 4 ms for built
  c.write(g1, "#error not C++\n");
  REQUIRE(s.shows("fix it and save it"));
  REQUIRE(s.shows(keys));
  s.type("d");
  REQUIRE(s.shows("is shown after PASS"));
}

TEST_CASE("watch begins with the rung that was judged last, not with the first of the table", "[watch]") {
  const Checkout c;
  c.order(g1, "all WRONG one");
  c.tool({"check", "07/g1"});
  Session s(c, {"watch"});
  REQUIRE(s.shows("Next: lessons/07-toy/g1_naive.cu"));
}

TEST_CASE("Ctrl-C, a lost terminal and a signal end watch, its judge and the terminal's modes", "[watch]") {
  const std::string how = GENERATE(as<std::string>{}, "Ctrl-C", "hang up", "SIGTERM", "q");
  INFO(how);
  const Checkout c;
  Session s(c, {"watch", "07/g1"});
  REQUIRE(s.shows(keys));
  CHECK_FALSE(s.echoes());
  c.order(g1, "correctness SLEEP");
  REQUIRE(within(20, [&] { return a_judge_lives(c); }));
  if (how == "Ctrl-C") s.type("\x03");
  if (how == "hang up") s.hang_up();
  if (how == "SIGTERM") s.kill(SIGTERM);
  if (how == "q") s.type("q");
  CHECK(s.status() == 0);
  CHECK_FALSE(a_judge_lives(c));
  CHECK(fs::is_empty(c.root() / "tmp"));
  if (how != "hang up") CHECK(s.echoes());
}

TEST_CASE("watch waits while another ladder builds", "[watch]") {
  const Checkout c;
  const int lock = open((c.root() / "build/.lock").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  REQUIRE(flock(lock, LOCK_EX) == 0);
  Session s(c, {"watch", "07/g1"});
  REQUIRE(s.shows("waiting for another ladder"));
  close(lock);
  REQUIRE(s.shows("Watching"));  // its tables are built, too
  REQUIRE(s.shows(keys));
  const int free = open((c.root() / "build/.lock").c_str(), O_WRONLY | O_CLOEXEC);
  CHECK(flock(free, LOCK_EX | LOCK_NB) == 0);  // between two saves nobody is kept waiting
  close(free);
}

TEST_CASE("Ctrl-Z gives the terminal back until watch goes on", "[watch]") {
  const Checkout c;
  Session s(c, {"watch", "07/g1"}, {}, "\"$@\"; echo it stopped; read word; fg");
  REQUIRE(s.shows(keys));
  s.type("\x1a");
  REQUIRE(s.shows("it stopped"));
  CHECK(s.echoes());
  s.type("\n");
  REQUIRE(within(20, [&] { return !s.echoes(); }));
  c.order(g1, "correctness WRONG first C[0][1]");
  REQUIRE(s.shows("first C[0][1]"));
  REQUIRE(s.shows(keys));
  s.type("q");
  CHECK(s.status() == 0);
}

TEST_CASE("Ctrl-Z does not stop watch where no shell could make it go on", "[watch]") {
  const Checkout c;
  Session s(c, {"watch", "07/g1"});
  REQUIRE(s.shows(keys));
  s.type("\x1a\x1c");  // and Ctrl-\, which would leave its modes
  c.order(g1, "correctness WRONG first C[0][1]");
  REQUIRE(s.shows("first C[0][1]"));
  CHECK_FALSE(s.echoes());
}

TEST_CASE("Ctrl-C while diff measures the reference: status 1") {
  const Checkout c;
  c.order(g1, "correctness PASS right");
  c.tool({"check", "07/g1"});
  c.order("solutions/07-toy/g1_naive.cu", "correctness SLEEP");
  fs::create_directories(c.root() / "tmp");
  const pid_t tool = c.start({"diff", "07/g1", "--json", "diff.json"});
  REQUIRE(within(20, [&] { return a_judge_lives(c, "-2/"); }));
  kill(tool, SIGINT);
  int raw = 0;
  waitpid(tool, &raw, 0);
  CHECK((WIFEXITED(raw) && WEXITSTATUS(raw) == 1));
  CHECK(c.read("diff.json").find("\"interrupted\": true") != std::string::npos);
}

TEST_CASE("b of watch has the options of watch", "[watch]") {
  const Checkout c;
  c.order(c1, "all PASS right");
  Session s(c, {"watch", "07/c1", "--seed", "77", "--size", "64"},
            {{"FAKE_PLAN_COPY", (c.root() / "plan.json").string()}});
  REQUIRE(s.shows(keys));
  s.type("b");
  REQUIRE(s.shows("15 rounds"));
  CHECK(c.read("plan.json").find("\"seed\": 77") != std::string::npos);
  CHECK(c.read("plan.json").find("\"size\": 64") != std::string::npos);
}

TEST_CASE("watch without a terminal prints lines and reads no keys", "[watch]") {
  const Checkout c;
  fs::create_directories(c.root() / "tmp");
  const pid_t tool = c.start({"watch", "07/g1", "--json", "last.json"});
  CHECK(within(20, [&] { return c.read("output").find("07/g1") != std::string::npos; }));
  c.order(g1, "correctness WRONG first C[0][1]");
  CHECK(within(20, [&] { return c.read("output").find("Think") != std::string::npos; }));
  kill(tool, SIGINT);
  int raw = 0;
  waitpid(tool, &raw, 0);
  CHECK((WIFEXITED(raw) && WEXITSTATUS(raw) == 0));
  CHECK(c.read("output").find("No terminal to read keys from") != std::string::npos);
  CHECK(c.read("output").find('\x1b') == std::string::npos);
  CHECK(c.read("output").find(keys) == std::string::npos);
  CHECK(c.read("last.json").find("\"WRONG\"") != std::string::npos);
}

TEST_CASE("file systems that tell of no saves are known by their numbers", "[watch]") {
  CHECK(ladder::without_events(0x01021997).find("9p") == 0);
  CHECK(ladder::without_events(0x65735546).find("FUSE") == 0);
  CHECK(ladder::without_events(0x6969) == "NFS");
  CHECK(ladder::without_events(0xFF534D42) == "SMB");
  CHECK(ladder::without_events(0xEF53).empty());      // ext4
  CHECK(ladder::without_events(0x01021994).empty());  // tmpfs
  CHECK(ladder::without_events(0x794c7630)
            .empty());  // overlay: has events; a save without one is found all the same
}

TEST_CASE("a save that no event tells of is found, and then it is looked twice a second", "[watch]") {
  const Checkout c;
  fs::create_hard_link(c.root() / g1, c.root() / "elsewhere");
  ladder::SavedFiles files({c.root() / "lessons/07-toy"}, false);
  if (!files.why_polling().empty()) LADDER_SKIP("no events here: " + files.why_polling());
  // Written by its other name, it changes with no event in the folder that is watched.
  save_in_place(c, "elsewhere", "// changed\n");
  std::vector<fs::path> saved;
  CHECK(within(20, [&] { return !(saved = files.fresh()).empty(); }));
  CHECK(saved == std::vector{c.root() / g1});
  CHECK(files.why_polling() == "a save came without the file system telling of it");
  CHECK(files.descriptor() == -1);
  CHECK(within(20, [&] { return files.fresh().empty(); }));
}

TEST_CASE("the nearest rung is judged first", "[watch]") {
  std::vector<std::string> steps = {"a", "e", "d", "b", "a"};
  ladder::nearest_first(steps, "c", {"a", "b", "c", "d", "e"});
  CHECK(steps == std::vector<std::string>{"b", "d", "a", "e"});
}
