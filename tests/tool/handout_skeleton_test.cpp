/// @file
/// Skeletons that are cut rung by rung.
// Guards: docs/handout.md#what-is-cut-and-when-it-comes-back

#include "common/skeleton/handout_skeleton.hpp"
#include "tests/common/catch.hpp"

using namespace ladder::cut;

namespace {

const std::string first =
    "void first() {\n"
    "  // BEGIN SOLUTION Add up.\n"
    "  //| ladder::task();\n"
    "  for (int i = 0; i < n; ++i)\n"
    "    sum += a[i];  // in order\n"
    "  // END SOLUTION\n"
    "}\n";

const std::string second =
    "void second() {\n"
    "  if (b) {\n"
    "    // The sum.\n"
    "    for (int i = 0;  i < n; ++i) sum += a[i];\n"
    "  }\n"
    "  // BEGIN SOLUTION Divide.\n"
    "  //| ladder::task();\n"
    "  sum /= n;\n"
    "  // END SOLUTION\n"
    "}\n";

}  // namespace

TEST_CASE("a region knows its code, without comments, and what the skeleton has in its place") {
  const auto regions = regions_of(first, "first.cpp", "g1");
  REQUIRE(regions.size() == 1);
  CHECK(regions[0].line == 2);
  CHECK(regions[0].lines == 2);
  CHECK(regions[0].kept == std::vector<std::string>{"ladder::task();"});
  CHECK(without_blanks(regions[0]) == "for(inti=0;i<n;++i)sum+=a[i];");
}

TEST_CASE("in a course what an earlier rung has written is a task too, however it is broken into lines") {
  const CourseSkeleton cut = course_skeleton(second, "second.cpp", regions_of(first, "first.cpp", "g1"));
  CHECK(cut.text ==
        "void second() {\n"
        "  if (b) {\n"
        "    // The sum.\n"
        "    // TASK, as in g1: copy yours, 2 lines.\n"
        "    ladder::task();\n"
        "  }\n"
        "  // TASK, 1 line: Divide.\n"
        "  ladder::task();\n"
        "}\n");
  CHECK(cut.to_write == 1);
  CHECK(cut.to_copy == 2);
  CHECK(cut.rungs == std::vector<std::string>{"g1"});
  CHECK(task_lines(cut.text).to_write == 1);
  CHECK(task_lines(cut.text).to_copy == 2);
  CHECK(course_skeleton(second, "second.cpp", {}).text.find("as in g1") == std::string::npos);
}

TEST_CASE("what a skeleton keeps of a region is cut as well; parts of lines are not") {
  std::string kept = second;
  kept.replace(kept.find("  sum /= n;"), 0, "  //| for (int i = 0; i < n; ++i) sum += a[i];\n");
  CHECK(course_skeleton(kept, "second.cpp", regions_of(first, "first.cpp", "g1")).to_copy == 4);
  std::string part = second;
  part.replace(part.find("for (int"), 0, "if (c) ");
  CHECK(course_skeleton(part, "second.cpp", regions_of(first, "first.cpp", "g1")).to_copy == 0);
}

TEST_CASE("single lines of an earlier rung are cut as well; what declares something is then not compiled") {
  const std::string tile =
      "#include \"toy.hpp\"\n\nnamespace toy {\n\n"
      "void tile(const Problem& p) {\n"
      "  // BEGIN SOLUTION Do it.\n"
      "  //| ladder::task();\n"
      "  const int row = tile_size * threadIdx.y, column = tile_size * threadIdx.x;\n"
      "  ladder::check(cudaMemcpy(dA.get(), p.A, dA.bytes(), cudaMemcpyHostToDevice));\n"
      "  __syncthreads();\n"
      "  // END SOLUTION\n"
      "}\n\n}  // namespace toy\n";
  const auto regions = regions_of(tile, "g1_tile.cu", "g1");
  CHECK(
      regions[0].telling ==
      std::vector<std::string>{"constintrow=tile_size*threadIdx.y,column=tile_size*threadIdx.x;",
                               "ladder::check(cudaMemcpy(dA.get(),p.A,dA.bytes(),cudaMemcpyHostToDevice));"});
  Secrets secrets;
  for (const std::string& line : regions[0].telling) secrets.emplace(line, "g1");
  const auto later = [](const std::string& shown) {
    return "#include \"toy.hpp\"\n\nnamespace toy {\n\nvoid padded(const Problem& p) {\n  " + shown +
           "\n  // BEGIN SOLUTION Pad.\n  //| ladder::task();\n  pad();\n  // END SOLUTION\n}\n\n}  // "
           "namespace toy\n";
  };
  const std::string call =
      "ladder::check(cudaMemcpy(dA.get(), p.A,\n      dA.bytes(), cudaMemcpyHostToDevice));";
  const CourseSkeleton open = course_skeleton(later(call), "g2_padded.cu", regions, secrets);
  CHECK(open.text.find("cudaMemcpy") == std::string::npos);
  CHECK(open.to_copy == 2);
  const CourseSkeleton declared = course_skeleton(
      later("const int row = tile_size * threadIdx.y, column = tile_size * threadIdx.x;  // where"),
      "g2_padded.cu", regions, secrets);
  CHECK(declared.text.find("#include \"toy.hpp\"\n\n// Lines of earlier rungs") == 0);
  CHECK(declared.text.find("#if 0\nnamespace toy {") != std::string::npos);
  CHECK(declared.text.find("  // TASK, as in g1: copy yours, 1 line.\n") != std::string::npos);
  CHECK(declared.text.find("#else\nnamespace toy {\nvoid padded(const Problem&) {\n  ladder::task();\n}\n") !=
        std::string::npos);
  CHECK(SecretSearch(secrets).in(without_blanks(declared.text)) == nullptr);
  CHECK(SecretSearch(secrets).in(without_blanks(later(call)))->second == "g1");
}
