/// @file
/// Which rung is the one below, for everything that compares a rung with it.
// Guards: docs/adding-a-lesson.md#the-fields-of-a-row

#include "common/base/text/rung_below.hpp"

#include <vector>

#include "tests/common/catch.hpp"

namespace {

using ladder::program_without;
using Files = std::vector<std::string>;

std::string below(const Files& files, const std::string& name, const std::string& named = "") {
  return program_without(named, files, name, [](const std::string& file) { return file; });
}

const Files lesson = {"c1_openmp.cpp", "g1_naive.cpp",   "g2_rows.cpp",
                      "t1_tagged.cpp", "t2_resident.cu", "t3_queues.cpp"};

}  // namespace

TEST_CASE("the rung below is the last one before it of its track") {
  CHECK(below(lesson, "g2_rows") == "g1_naive");
  CHECK(below(lesson, "g1_naive").empty());
  CHECK(below(lesson, "c1_openmp").empty());
}

TEST_CASE("a rung in OpenCL is not below one in CUDA: the same device does not run both") {
  CHECK(below(lesson, "t2_resident").empty());
  CHECK(below(lesson, "t3_queues") == "t1_tagged");
}

TEST_CASE("nothing is below a rung that the lesson does not have") {
  CHECK(below(lesson, "g9_gone").empty());
  CHECK(below({}, "g2_rows").empty());
}

TEST_CASE("tables without files go by names, and a row may name another program or none") {
  const Files names = {"g1_naive", "", "g2_rows"};
  CHECK(below(names, "g2_rows") == "g1_naive");
  CHECK(below(lesson, "g2_rows", "g2_rows.slow") == "g2_rows.slow");
  CHECK(below(lesson, "g2_rows", "nothing").empty());
}
