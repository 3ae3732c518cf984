/// @file
/// The folders of common: a table of who includes whom, and what is refused.
// Guards: docs/contributing.md#layers

#include "common/sitegen/layers.hpp"

#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"

using namespace ladder::report;
using ladder::test::Checkout;

namespace {

/// Three folders, each on the ones below it.
void write_layers(Checkout& checkout) {
  checkout.write("common/base/text/text.hpp", "#include <string>\n");
  checkout.write("common/trace/trace.cpp", "#include \"common/base/text/text.hpp\"\n");
  checkout.write("common/alone/judge.cpp",
                 "#include \"common/trace/trace.hpp\"\n#include \"common/base/text/text.hpp\"\n");
}

}  // namespace

TEST_CASE("layers: a folder stands after those that it includes") {
  Checkout checkout;
  write_layers(checkout);
  const Layers layers = layers_of(checkout.root);
  CHECK(wrong_layers(layers).empty());
  CHECK(layer_table(layers) == std::vector<std::string>{"| folder | includes headers of |", "|---|---|",
                                                        "| `common/base` |  |", "| `common/trace` | base |",
                                                        "| `common/alone` | base, trace |"});
}

TEST_CASE("layers: a circle is named with the files that close it") {
  Checkout checkout;
  write_layers(checkout);
  checkout.write("common/trace/metrics.hpp", "#include \"common/alone/judge.hpp\"\n");
  const auto wrong = wrong_layers(layers_of(checkout.root));
  REQUIRE(wrong.size() == 1);
  CHECK(wrong[0] ==
        "folders of common include each other in a circle:"
        "\n  common/alone/judge.cpp includes common/trace"
        "\n  common/trace/metrics.hpp includes common/alone");
}

TEST_CASE(
    "layers: the rooms of tool and report are folders of their own, and an arrow that points up inside is "
    "named") {
  Checkout checkout;
  checkout.write("common/base/text/text.hpp", "#pragma once\n");
  checkout.write("common/tool/core/context.hpp", "#include \"common/base/text/text.hpp\"\n");
  checkout.write("common/tool/student/hint.cpp", "#include \"common/tool/core/context.hpp\"\n");
  checkout.write("common/tool/main.cpp", "#include \"common/tool/student/hint.hpp\"\n");
  checkout.write("common/judge/inner/one.hpp", "#include \"common/judge/two.hpp\"\n");  // one folder
  const std::vector<std::string> table = layer_table(layers_of(checkout.root));
  CHECK(std::vector(table.begin() + 2, table.end()) ==
        std::vector<std::string>{"| `common/base` |  |", "| `common/judge` |  |",
                                 "| `common/tool/core` | base |", "| `common/tool/student` | tool/core |",
                                 "| `common/tool` | tool/student |"});
  checkout.write("common/tool/core/verbs.cpp", "#include \"common/tool/student/hint.hpp\"\n");
  const auto wrong = wrong_layers(layers_of(checkout.root));
  REQUIRE(wrong.size() == 1);
  CHECK(wrong[0].find("common/tool/core/verbs.cpp includes common/tool/student") != std::string::npos);
}

TEST_CASE("layers: an include of the tool that points up is named, also where it closes no circle") {
  Checkout checkout;
  checkout.write("common/tool/README.md",
                 "| room | what is there |\n|---|---|\n| [core](core/README.md) | all |\n"
                 "| [student](student/README.md) | verbs |\n");
  checkout.write("common/tool/core/context.hpp", "#include \"common/base/text/text.hpp\"\n");
  checkout.write("common/tool/student/hint.cpp",
                 "#include \"common/tool/core/context.hpp\"\n#include \"common/tool/student/hint.hpp\"\n");
  checkout.write("common/tool/main.cpp", "#include \"common/tool/student/hint.hpp\"\n");
  CHECK(includes_upwards(checkout.root).empty());
  checkout.write("common/tool/core/verbs.cpp",
                 "#include \"common/base/text/text.hpp\"\n#include \"common/tool/student/hint.hpp\"\n");
  checkout.write("common/tool/core/deep/call.cpp", "#include \"common/tool/verb_call.hpp\"\n");
  checkout.write("common/tool/fresh/new.cpp", "#include \"common/tool/core/context.hpp\"\n");
  const std::string says = ", says the table of common/tool/README.md";
  CHECK(
      includes_upwards(checkout.root) ==
      std::vector<std::string>{
          "common/tool/core/deep/call.cpp:1 includes common/tool/verb_call.hpp: common/tool is above "
          "common/tool/core" +
              says,
          "common/tool/core/verbs.cpp:2 includes common/tool/student/hint.hpp: common/tool/student is above "
          "common/tool/core" +
              says,
          "common/tool/fresh has no row in the table of common/tool/README.md, which says what may include "
          "what"});
}

TEST_CASE("layers: of tests common names those of lessons only, but in the verb test") {
  Checkout checkout;
  checkout.write(
      "common/tool/maintain/reproduce.cpp",
      "read(root / \"tests/common/planted.json\");\nread(\"tests/03-dgemm/a.json\");\n"
      "// tests/NN-name/attempts\nread(\"tests/\" + lesson.name);\nread(format(\"tests/{}\", name));\n");
  checkout.write("common/cmake/lessons.cmake",
                 "glob(${ROOT}/tests/${lesson}/*.cpp)\nglob(${ROOT}/tests/tool/*.cpp)\n");
  checkout.write("common/tool/maintain/testing/test_programs.cpp", "run(\"tests/test-moments\");\n");
  checkout.write("common/tool/README.md", "`tests/tool` has them.\n");
  CHECK(uses_of_tests(checkout.root) ==
        std::vector<std::string>{"common/cmake/lessons.cmake:2 names tests/tool/*.cpp",
                                 "common/tool/maintain/reproduce.cpp:1 names tests/common/planted.json"});
}

TEST_CASE("layers: base knows nobody, and nobody knows a family of lessons") {
  Checkout checkout;
  write_layers(checkout);
  checkout.write("common/npb/seed.hpp", "#pragma once\n");
  checkout.write("common/base/observation/observation.hpp", "#  include \"common/npb/seed.hpp\"\n");
  CHECK(
      wrong_layers(layers_of(checkout.root)) ==
      std::vector<std::string>{
          "common/base/observation/observation.hpp includes common/npb: common/base knows nobody",
          "common/base/observation/observation.hpp includes common/npb: only lessons do, which ask for it in "
          "given/libraries.cmake"});
}
