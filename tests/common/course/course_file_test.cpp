/// @file
/// The course file: what it says, and what is said of a wrong one.
// Guards: docs/course.md#the-file

#include "common/course/course_file.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "common/base/catch.hpp"
#include "common/base/error.hpp"
#include "common/base/text/text.hpp"
#include "common/course/student_course.hpp"
#include "common/course/times.hpp"

using namespace ladder;
using namespace ladder::course;
namespace fs = std::filesystem;

namespace {

/// A folder with a course file, private tests and bounds.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("course-" + std::to_string(::getpid()))) {
    fs::create_directories(path_ / "private/hw2");
    std::ofstream(path_ / "a100.toml") << "\n";
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;

  Course read(const std::string& text) const {
    std::ofstream(path_ / "course.toml") << text;
    return read_course(path_ / "course.toml");
  }
  /// The problems of a text, without the folder.
  std::string said(const std::string& text) const {
    try {
      read(text);
    } catch (const Error& error) {
      return with_paths_in(path_.string(), error.what());
    }
    return "nothing";
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

const std::string good = R"(course = "CS 4xx GPU Programming"
term = "2027-spring"
timezone = "America/Chicago"
roster = "roster.csv"
key = "~/keys/cs4xx.key"
retention = "2028-06-30"

[late]
grace = "15 min"
per_day = "10 %"
cap = "50 %"
at_most = "3 days"
slip_days = 4
counts = "best"

[attempts]
per_day = 10

[[assignment]]
name = "hw1"
opens = 2027-01-18T09:00
due = 2027-01-31T23:59
rungs = { "00/g1" = 8 }

[[assignment]]
name = "hw2"
opens = 2027-02-01T09:00
due = 2027-02-14T23:59
answers = "after_deadline"
regrades_until = 2027-03-01T23:59
points = 36
rungs = { "03/g2" = 8, "03/g1" = 8,
          "03/g3" = 10 }
predict = [{ rung = "03/g2", metric = "sectors", n = "192..512 step 32", points = 1 }]
manual = [{ rung = "03/g2", ask = "What goes wrong without the second barrier?", points = 2 }]
time = { rungs = ["03/g3"], points = 3, bounds = "a100.toml" }
private = { folder = "private/hw2", points = 4 }
allow = { headers = ["cuda_pipeline.h"], symbols = [] }
)";

/// The good file with one text in the place of another.
std::string with(const std::string& what, const std::string& put) {
  std::string text = good;
  REQUIRE(text.find(what) != text.npos);
  replace_all(text, what, put);
  return text;
}

}  // namespace

TEST_CASE("a course file says what it says") {
  const Folder folder;
  const Course course = folder.read(good);
  CHECK(course.name == "CS 4xx GPU Programming");
  CHECK(course.roster == folder.path() / "roster.csv");
  CHECK(course.key == fs::path(std::getenv("HOME") ? std::getenv("HOME") : "~") / "keys/cs4xx.key");
  CHECK(course.late.per_day == Approx(0.1));
  CHECK(course.late.at_most->days == 3);
  CHECK(course.late.counts == Counts::best);
  CHECK(course.attempts.per_day == 10);
  REQUIRE(course.assignments.size() == 2);
  const Assignment& hw2 = course.assignment("hw2");
  CHECK(utc_text(hw2.due) == "2027-02-15T05:59:00Z");
  CHECK(hw2.rung_names() == std::vector<std::string>{"03/g2", "03/g1", "03/g3"});  // as the file has them
  CHECK(hw2.place_of("03/g3").line == 33);
  CHECK(hw2.points() == 36);
  CHECK(hw2.private_tests->folder == folder.path() / "private/hw2");
  CHECK(hw2.time->bounds == folder.path() / "a100.toml");
  CHECK(hw2.answers == "after_deadline");
}

TEST_CASE("rungs of one track can be written as a range, which shares its points equally") {
  const Folder folder;
  const std::string one = "rungs = { \"00/g1\" = 8 }";
  const Assignment hw1 =
      folder.read(with(one, "rungs = { \"00/g1-g6\" = 12, \"00/g9\" = 3 }")).assignment("hw1");
  CHECK(hw1.rung_names() ==
        std::vector<std::string>{"00/g1", "00/g2", "00/g3", "00/g4", "00/g5", "00/g6", "00/g9"});
  for (std::size_t i = 0; i < 6; ++i) CHECK(hw1.rungs[i].second == 2);
  CHECK(hw1.rungs[6].second == 3);
  CHECK(hw1.points() == 15);
  CHECK(hw1.place_of("00/g4").line == hw1.place_of("00/g1").line);
  CHECK(folder.read(with("time = { rungs = [\"03/g3\"]", "time = { rungs = [\"03/g1-g3\"]"))
            .assignment("hw2")
            .time->rungs == std::vector<std::string>{"03/g1", "03/g2", "03/g3"});
  for (const char* wrong : {"00/g6-g1", "00/g1-c3", "00/g1-", "00/1-6", "00/g1-g1000", "0/g1-g2"})
    CHECK(folder.said(with(one, std::string("rungs = { \"") + wrong + "\" = 12 }"))
              .find(std::string("course.toml:23:11: '") + wrong + "' is no rung") == 0);
  CHECK(folder.said(with(one, "rungs = { \"00/g1-g3\" = 12, \"00/g2\" = 1 }"))
            .find("00/g2 is in hw1 already") != std::string::npos);
}

TEST_CASE("a wrong course file is named by line and column") {
  const Folder folder;
  const auto check = [&](const std::string& what, const std::string& put, const std::string& expected) {
    INFO(put);
    CHECK(folder.said(with(what, put)) == expected);
  };
  check("per_day = 10\n", "per_dya = 10\n",
        "course.toml:17:1: [attempts]: unknown entry 'per_dya'; nearest: per_day");
  check("term =", "trem =", "course.toml:2:1: unknown entry 'trem'; nearest: term");
  check("America/Chicago", "America/Chicgo",
        "course.toml:3:12: unknown time zone 'America/Chicgo'; nearest: America/Chicago, America/Curacao, "
        "America/Cuiaba");
  check("due = 2027-02-14T23:59", "due = 2027-01-14T23:59",
        "course.toml:28:7: hw2 is due at 2027-01-14 23:59 CST, before it opens at 2027-02-01 09:00 CST");
  check("due = 2027-02-14T23:59", "due = 2027-03-14T02:30",
        "course.toml:28:7: 2027-03-14 02:30 does not exist in America/Chicago: clocks skip it; choose a time "
        "before "
        "or after");
  check("due = 2027-02-14T23:59", "due = \"2027-02-14\"",
        "course.toml:28:7: due must be a time without quotes: 2027-02-14T23:59");
  check("points = 36", "points = 40",
        "course.toml:31:10: points is 40, and its parts have 36: rungs, predict, manual, time and private "
        "together");
  check("\"03/g3\" = 10", "\"03/g3\" = 0",
        "course.toml:31:10: points is 36, and its parts have 26: rungs, predict, manual, time and private "
        "together\n"
        "course.toml:33:21: 03/g3 0: more than 0");
  check("\"03/g3\" = 10", "\"00/g1\" = 10, \"03/g3\" = 10",
        "course.toml:31:10: points is 36, and its parts have 46: rungs, predict, manual, time and private "
        "together\n"
        "course.toml:33:11: 00/g1 is in hw1 already, line 23: a rung is in one assignment");
  check("name = \"hw2\"", "name = \"hw1\"",
        "course.toml:25:1: two assignments are called 'hw1': the other one is in line 19");
  check("private/hw2", "private/hw3",
        "course.toml:37:22: no folder private/hw3: private tests lie there, as "
        "NN-name/private_test.cpp");
  check("a100.toml", "h100.toml", "course.toml:36:50: no file h100.toml; ./ladder grade calibrate writes it");
  check("counts = \"best\"", "counts = \"bset\"", "course.toml:14:10: unknown counts 'bset'; nearest: best");
  check(
      "cap = \"50 %\"", "per_hour = \"1 %\"",
      "course.toml:11:12: per_hour and per_day: give one of them; the other would take points a second time");
  check("grace = \"15 min\"", "grace = \"15\"",
        "course.toml:9:9: '15' is no length of time; write \"15 min\", \"2 h\" or \"3 days\"");
  check("\"10 %\"", "\"110 %\"", "course.toml:10:11: '110 %' is no share; write \"10 %\", from 0 to 100");
  check("metric = \"sectors\", ", "",
        "course.toml:34:12: predict: metric is missing; it must be a quoted string");
  check("rungs = [\"03/g3\"]", "rungs = [\"03/g4\"]",
        "course.toml:36:18: time: 03/g4 is not among the rungs of hw2");
  check("\"00/g1\" = 8", "\"g1\" = 8", "course.toml:23:11: 'g1' is no rung; a rung is written \"03/g1\"");
  check("2028-06-30", "2027-01-30",
        "course.toml:19:1: hw1 is due after 2027-01-30, when code is deleted (retention)\n"
        "course.toml:25:1: hw2 is due after 2027-01-30, when code is deleted (retention)");
}

TEST_CASE("what TOML itself refuses has its place too") {
  const Folder folder;
  // A time given twice.
  const std::string twice =
      folder.said(with("due = 2027-02-14T23:59", "due = 2027-02-14T23:59\ndue = 2027-02-15T23:59"));
  INFO(twice);
  CHECK(twice.starts_with("course.toml:29:"));
  CHECK(twice.find("due") != twice.npos);
  CHECK(folder.said(with("term = ", "term ")).starts_with("course.toml:2:"));
  CHECK(folder.said("\xff\xfe").starts_with("course.toml:1:"));
}

TEST_CASE("the platform and we do not both take points") {
  const Folder folder;
  std::string text = with("counts = \"best\"", "by = \"platform\"");
  const std::string said = folder.said(text);
  for (const char* key : {"9:9: grace", "10:11: per_day", "11:7: cap", "12:11: at_most", "13:13: slip_days"})
    CHECK(said.find(std::string("course.toml:") + key + " next to by = \"platform\"") != said.npos);
}

TEST_CASE("all that is wrong is said at once, in the order of the file") {
  const Folder folder;
  const std::string said = folder.said("course = 7\n[[assignment]]\nname = \"a b\"\n");
  CHECK(
      said ==
      "course.toml:1:1: timezone is missing; it must be a quoted string\n"
      "course.toml:1:10: course must be a quoted string\n"
      "course.toml:2:1: [[assignment]]: opens is missing; it must be a time without quotes: "
      "2027-02-14T23:59\n"
      "course.toml:2:1: [[assignment]]: due is missing; it must be a time without quotes: 2027-02-14T23:59\n"
      "course.toml:2:1: rungs is missing; write rungs = { \"03/g1\" = 8 }\n"
      "course.toml:3:8: name 'a b': letters, digits, . _ -; it names files");
}

TEST_CASE(
    "what students read of a course file: rungs, questions, deadlines, and nothing of people and keys") {
  const Folder folder;
  const Course all = folder.read(good);
  std::vector<const Assignment*> assignments;
  for (const Assignment& one : all.assignments) assignments.push_back(&one);
  const nlohmann::json document = student_course(all, assignments);
  for (const char* secret : {"roster", "key", "private/hw2", "a100", "retention"}) {
    INFO(secret);
    CHECK(document.dump().find(secret) == std::string::npos);
  }
  const auto back = read_student_course(document);
  REQUIRE(back);
  CHECK(student_course(*back, {&back->assignments[0], &back->assignments[1]}) == document);
  CHECK(back->timezone.name() == "America/Chicago");
  for (std::size_t i = 0; i < all.assignments.size(); ++i) {
    CHECK(back->assignments[i].due == all.assignments[i].due);
    CHECK(back->assignments[i].points() == all.assignments[i].points());
    CHECK(back->assignments[i].rungs == all.assignments[i].rungs);
  }
  for (const char* wrong : {"{}", "[]", R"({"schema":"gpu-ladder-course/1","course":"x"})"})
    CHECK_FALSE(read_student_course(nlohmann::json::parse(wrong)));
}

TEST_CASE("The machine of --remote: what is there, and what a shell must not get", "[course]") {
  const Folder folder;
  const std::string head = "course = \"c\"\ntimezone = \"UTC\"\n[remote]\n";
  const std::string tail =
      "\n[[assignment]]\nname = \"hw1\"\nopens = 2027-01-18T09:00\ndue = 2027-01-31T23:59\n"
      "rungs = { \"00/g1\" = 8 }\n";
  const Course course =
      folder.read(head +
                  "host = \"anna@login.hpc.edu\"\naccount = \"cs4xx\"\npartition = \"gpu,gpu-long\"\n"
                  "gres = \"gpu:a100:1\"\ntime = \"1-00:10:00\"\ncpus = 4\nscratch = \"/scratch/$USER\"" +
                  tail);
  REQUIRE(course.remote);
  CHECK(course.remote->host == "anna@login.hpc.edu");
  CHECK(course.remote->time == "1-00:10:00");
  CHECK(course.remote->cpus == 4);
  const auto handed = read_student_course(student_course(course, {&course.assignments[0]}));
  REQUIRE(handed);
  REQUIRE(handed->remote);
  CHECK(handed->remote->scratch == course.remote->scratch);
  CHECK(student_course(*handed, {&handed->assignments[0]}) ==
        student_course(course, {&course.assignments[0]}));
  CHECK(folder.said(head + "account = \"cs4xx\"" + tail) ==
        "course.toml:3:1: [remote]: host is missing; it must be a quoted string");
  const std::string wrong =
      "host = \"-oProxyCommand=x\"\ntime = \"ten minutes\"\nscratch = \"/tmp/$(id)\"\nqueue = \"gpu\"";
  CHECK(folder.said(head + wrong + tail) ==
        "course.toml:4:8: host '-oProxyCommand=x': as in host = \"login.hpc.edu\"\n"
        "course.toml:5:8: time 'ten minutes': as in time = \"00:10:00\"\n"
        "course.toml:6:11: scratch '/tmp/$(id)': as in scratch = \"/scratch/$USER\"\n"
        "course.toml:7:1: [remote]: unknown entry 'queue'; there are: account, cpus, gres, host, image, "
        "partition, scratch, time");
}
