/// @file
/// Parts of the learner's loop: what a handout says of its course, a step begun from the one below, the
/// report for the staff, and what a screen reader reads.
// Guards: docs/student.md#in-a-course, docs/student.md#without-colours-with-a-screen-reader

#include <cstdlib>
#include <filesystem>
#include <regex>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/standing/assignment.hpp"
#include "common/tool/standing/course_view.hpp"
#include "common/tool/student/doctor_report.hpp"
#include "common/tool/student/start.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

using ladder::test::contains;

/// A moment of that date, at noon in UTC.
course::sys_seconds noon(int month, int day) {
  using namespace std::chrono;
  return sys_days(year(2027) / month / day) + hours(12);
}

course::Course a_course() {
  course::Course course;
  course.name = "CS 4xx";
  for (const int month : {2, 3}) {
    course::Assignment one;
    one.name = month == 2 ? "hw2" : "hw3";
    one.opens = noon(month, 1), one.due = noon(month, 14);
    one.rungs = {{"03/g1", 8}, {"03/g2", 10}};
    course.assignments.push_back(one);
  }
  course.assignments[0].private_tests = course::Private{.points = 4};
  return course;
}

}  // namespace

TEST_CASE("course: points by phase, and deadlines by this machine's clock") {
  const course::Course course = a_course();
  CHECK(course_points(course, "03/g2") == "10 + 10");
  CHECK(course_points(course, "03/g9").empty());
  CHECK(course_points(std::nullopt, "03/g2").empty());
  const course::Assignment& one = course.assignments[0];
  CHECK(phases_text(one) ==
        "18 points in the instant phase, which ./ladder check shows; final phase, after the deadline: "
        "private tests 4");
  CHECK(contains(course_line(course, one, noon(2, 11)), "hw2 is due " + local_text(noon(2, 14))));
  CHECK(contains(course_line(course, one, noon(1, 30)), " It opens " + local_text(noon(2, 1))));
  CHECK_FALSE(contains(course_line(course, one, noon(2, 11)), "opens"));
  CHECK(ago(1000, 1000 + 60) == "1 minute ago");
  CHECK(ago(2000, 1000) == "0 minutes ago");
  CHECK(ago(0, 3 * 86400) == "3 days ago");
}

TEST_CASE("start: the lower rung's code under the rung's name, with the rung's words and tasks") {
  const std::string lower =
      "/// @file\n/// g1: tiles.\n\n#include \"toy.hpp\"\n\n/// Does it.\nvoid tiles(const Problem& p) {\n"
      "  // BEGIN SOLUTION Do it.\n  //  With care.\n  //| ladder::task();\n  work(p);  // tiles of 32\n"
      "  // END SOLUTION\n}\n";
  const std::string skeleton =
      "/// @file\n/// g2: registers.\n\n#include \"toy.hpp\"\n\nvoid registers(const  Problem& p) {\n"
      "  // TASK, 3 lines: Keep it.\n  //  Not twice.\n  // a comment of the skeleton\n  "
      "ladder::task();\n}\n";
  const std::string text = begun_from(lower, "tiles", skeleton, "registers");
  CHECK(text ==
        "/// @file\n/// g2: registers.\n\n#include \"toy.hpp\"\n\n/// Does it.\n"
        "void registers(const Problem& p) {\n  // TASK, 3 lines: Keep it.\n  //  Not twice.\n"
        "  work(p);  // registers of 32\n}\n");
  CHECK(begun_from(lower, "tiles", "void registers(int n) {\n}\n", "registers").empty());
  CHECK(begun_from(lower, "other", skeleton, "registers").empty());
}

TEST_CASE("start: each task is in the function that it is about, behind the line in front of it") {
  const std::string lower =
      "/// g1\nnamespace {\nconstexpr int n{1'000};\nstruct Pair { int a; };\n"
      "__global__ void __launch_bounds__(32) multiply(int n, int* x) {\n  const int i = threadIdx.x;\n"
      "  if (i < n) {\n    x[i] = 1;\n  }\n  __syncthreads();\n  x[i] += 2;\n}\n}\n"
      "const cl::Source kernels = R\"(\nkernel void add(global int* y) {\n  y[0] = 3;\n})\";\n"
      "void tiles(const Problem& p) {\n  multiply<<<1, 32>>>(p.n, p.x);\n}\n";
  const std::string skeleton =
      "/// g2\nnamespace {\n// TASK, 1 line: A constant.\n"
      "__device__ int half(int n) {\n  // TASK, 1 line: Half of it.\n}\n"
      "__global__ void multiply(int n, int* x) {\n  // TASK, 1 line: First.\n  const int other = 5;\n"
      "  __syncthreads();\n  // TASK, 2 lines: Third.\n  //  With care.\n}\n}\n"
      "const cl::Source kernels = R\"(\nkernel void add(global int* y) {\n  // TASK, 1 line: Not 3.\n})\";\n"
      "void registers(const Problem& p) {\n  // TASK, 1 line: Launch.\n  ladder::task();\n}\n";
  CHECK(
      begun_from(lower, "tiles", skeleton, "registers") ==
      "/// g2\n\n// What this rung asks for and the code below has no function for; the rest is in front of "
      "that code.\n// TASK, 1 line: A constant.\n// In half:\n// TASK, 1 line: Half of it.\n"
      "namespace {\nconstexpr int n{1'000};\nstruct Pair { int a; };\n"
      "__global__ void __launch_bounds__(32) multiply(int n, int* x) {\n  // TASK, 1 line: First.\n"
      "  const int i = threadIdx.x;\n  if (i < n) {\n    x[i] = 1;\n  }\n  __syncthreads();\n"
      "  // TASK, 2 lines: Third.\n  //  With care.\n  x[i] += 2;\n}\n}\n"
      "const cl::Source kernels = R\"(\nkernel void add(global int* y) {\n  // TASK, 1 line: Not 3.\n"
      "  y[0] = 3;\n})\";\n"
      "void registers(const Problem& p) {\n  // TASK, 1 line: Launch.\n  multiply<<<1, 32>>>(p.n, "
      "p.x);\n}\n");
}

TEST_CASE("doctor --report: nothing about the person, and what a path was stays readable") {
  const Private secrets{"/home/anna", "anna", "lab-pc7", "/home/anna/gpu ladder", "/tmp/b"};
  const model::Machine machine{.cpu = "A CPU of lab-pc7",
                               .cores = 2,
                               .os = "Debian 12",
                               .kernel = "6.1",
                               .memory_bytes = 8e9,
                               .versions = {{"compiler", "g++ 12.2"}},
                               .devices = {{.id = "cuda:0",
                                            .name = "H200",
                                            .available = false,
                                            .reason = "/usr/lib/libcuda.so fails"}},
                               .missing = {{{"clang", "no host and device rules", "apt-get install clang"}}}};
  const json verdicts = {
      {"03-dgemm/g1_naive", {{"verdict", "PASS"}, {"message", "right"}, {"time", 1}}},
      {"03-dgemm/c1_first", {{"verdict", "SKIPPED"}, {"message", "right; not measured"}, {"time", 1}}},
      {"03-dgemm/g2_shared_tiles",
       {{"verdict", "CRASHED"},
        {"message", "anna@lab-pc7: /home/anna/gpu ladder/lessons/03-dgemm/g2_shared_tiles.cu:4 /home/anna/x"},
        {"device", "executor"},
        {"time", 2},
        {"details", {{"Printed", "my secret"}}}}}};
  const std::string text = doctor_report(machine, "H-ABCDEFGH", verdicts, secrets);
  INFO(text);
  for (const char* said : {"handout H-ABCDEFGH", "g++ 12.2", "not usable: libcuda.so fails", "clang: no host",
                           "03-dgemm/g2_shared_tiles: CRASHED", "g2_shared_tiles.cu:4", "(executor)"})
    CHECK(contains(text, said));
  for (const char* secret : {"anna", "lab-pc7", "/home", "/usr", "my secret", "g1_naive", "c1_first"})
    CHECK_FALSE(contains(text, secret));
  for (const std::string& line : lines_of(text)) CHECK(report::columns(line) <= 80);
}

TEST_CASE("LADDER_PLAIN: a table is one sentence per row, each cell after its title") {
  report::Table table({{"step"}, {"state"}, {"idea", false, true}});
  table.add({"03/g1", "PASS", "One thread computes one element of C, and nothing else in all the world."});
  table.add({"03/g2", "", "Tiles."});
  ::setenv("LADDER_PLAIN", "1", 1);
  const std::string plain = table.text(30);
  ::unsetenv("LADDER_PLAIN");
  CHECK(plain ==
        "step: 03/g1; state: PASS; idea: One thread computes one element of C, and nothing else in all the "
        "world.\n"
        "step: 03/g2; idea: Tiles.\n");
  CHECK(contains(table.text(30), "───"));
}

TEST_CASE("pages: each picture has words next to it, in the page and in itself") {
  const std::regex picture(R"(!\[([^\]]*)\]\(([^)]+\.(?:svg|png))\))");
  std::size_t pictures = 0;
  for (const char* part : {"README.md", "docs", "lessons", "common"}) {
    std::vector<fs::path> pages;
    const fs::path place = fs::path(LADDER_PROJECT) / part;
    if (fs::is_regular_file(place)) pages.push_back(place);
    if (fs::is_directory(place))
      for (const auto& entry : fs::recursive_directory_iterator(place))
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    for (const fs::path& page : pages) {
      const std::string text = read_text(page);
      for (std::sregex_iterator at(text.begin(), text.end(), picture), end; at != end; ++at, ++pictures) {
        INFO(page << ": " << (*at)[2]);
        CHECK((*at)[1].str().find(' ') != std::string::npos);  // more than a word
        const fs::path file = page.parent_path() / (*at)[2].str();
        if (file.extension() != ".svg") continue;
        const std::string svg = read_text(file);
        CHECK(contains(svg, "<title"));
        CHECK(contains(svg, "<desc"));
      }
    }
  }
  CHECK(pictures > 20);
}
