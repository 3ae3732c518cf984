/// @file
/// All mutants of a rung as one source.
// Guards: docs/adding-a-lesson.md#the-mutants

#include <map>

#include "common/skeleton/mutant_unit.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/text.hpp"

using namespace ladder::cut;

namespace {

using ladder::test::contains;
using ladder::test::count;

std::string no_header(const std::string&) {
  return "";
}

}  // namespace

TEST_CASE(
    "unit: includes come first and once, then each mutant in a namespace of its own, with its file and "
    "lines") {
  const std::string text = unit_source(
      {{"c1_a~x", "/b/c1_a~x.cpp", "#include <vector>\n#include \"toy.hpp\"  // why\nint x;\n", ""},
       {"c1_a~y", "/b/c1_a~y.cpp", "#include \"toy.hpp\"\n#include <cmath>\nint y;", ""}},
      "toy", no_header);
  CHECK(text ==
        "#include <vector>\n#include \"toy.hpp\"\n#include <cmath>\nnamespace toy {}\n"
        "namespace ladder_mutant_000 { namespace toy { using namespace ::toy; }\n"
        "#line 1 \"/b/c1_a~x.cpp\"\n#include <vector>\n#include \"toy.hpp\"  // why\nint x;\n\n}\n"
        "namespace ladder_mutant_001 { namespace toy { using namespace ::toy; }\n"
        "#line 1 \"/b/c1_a~y.cpp\"\n#include \"toy.hpp\"\n#include <cmath>\nint y;\n}\n");
}

TEST_CASE(
    "unit: a mutant's macros end with it; those in kernels of OpenCL, and in comments, are not its own") {
  const std::string text =
      unit_source({{"a", "a.cpp",
                    "#define OWN 1\n# define SUM(x) (x)\n/* \n#define NONE 1\n*/\n"
                    "const char* k = R\"CL(\n#define NB 32\n#include \"no.h\"\n)CL\"; // \"\n"
                    "char q = '\"'; // R\"(\n#define LAST\n",
                    ""}},
                  "toy", no_header);
  CHECK(contains(text, "}\n#undef OWN\n#undef SUM\n#undef LAST\n"));
  CHECK(count(text, "#undef") == 3);
  CHECK(text.starts_with("namespace toy {}\n"));
}

TEST_CASE("unit: rewritten headers that say the same are one; those that differ stay with their mutants") {
  std::map<std::string, std::string> files = {
      {"/w/a.cpp.headers/1-tile.cuh",
       "#line 1 \"l/tile.cuh\"\n#pragma once\n#include \"/w/a.cpp.headers/2-low.cuh\"\nint t;\n"},
      {"/w/a.cpp.headers/2-low.cuh", "#line 1 \"l/low.cuh\"\n#include <bit>\nint low;\n"},
      {"/w/b.cpp.headers/7-tile.cuh",
       "#line 1 \"l/tile.cuh\"\n#pragma once\n#include \"/w/b.cpp.headers/3-low.cuh\"\nint t;\n"},
      {"/w/b.cpp.headers/3-low.cuh", "#line 1 \"l/low.cuh\"\n#include <bit>\nint low;\n"}};
  const auto read = [&](const std::string& path) { return files.at(path); };
  const std::vector<UnitPart> parts = {{"a", "w/a.cpp", "#include \"/w/a.cpp.headers/1-tile.cuh\"\n", ""},
                                       {"b", "w/b.cpp", "#include \"/w/b.cpp.headers/7-tile.cuh\"\n", ""}};
  const std::string same = unit_source(parts, "toy", read);
  CHECK(same.starts_with("#include \"/w/a.cpp.headers/1-tile.cuh\"\nnamespace toy"));
  CHECK_FALSE(contains(same, "/w/b.cpp.headers"));

  files["/w/b.cpp.headers/3-low.cuh"] = "#line 1 \"l/low.cuh\"\n#include <bit>\nint lower;\n";
  const std::string different = unit_source(parts, "toy", read);
  CHECK(different.starts_with("#include <bit>\nnamespace toy"));
  CHECK(count(different, "#include \"/w/b.cpp.headers/7-tile.cuh\"") == 1);
  CHECK(count(different, "#include \"/w/a.cpp.headers/1-tile.cuh\"") == 1);
}
