/// @file
/// Names as people type them and as files have them, classes as sizes, and points as text.
// Guards: docs/student.md#the-loop-on-one-screen

#include "common/base/files/files.hpp"
#include "common/base/text/nearest.hpp"
#include "common/base/text/points_text.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/catalogue/catalogue.hpp"
#include "tests/common/catch.hpp"

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
