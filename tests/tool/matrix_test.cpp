/// @file
/// All rungs of lesson 04 on a user's matrix, by the real tool, judge and workers.
// Guards: lessons/04-cholesky/README.md#your-own-matrix

#include <filesystem>

#include "grillage.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::test::Checkout;
using ladder::test::has;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Adds lesson 04 to a checkout: its real judge and solutions, which need no compiler any more.
/// @param observed  a rung that has its observed worker, too
/// @return its rungs
int add_lesson(const Checkout& c, const std::string& observed = "") {
  const std::string lesson = "04-cholesky";
  std::string ninja =
      "rule link\n  command = ln -sf $in $out\n"  // in their own folder they find their libraries
      "build judges/04-cholesky: link " LADDER_BINARY_DIR
      "/judges/04-cholesky\n"
      "build bin/confine: link " LADDER_BINARY_DIR "/bin/confine\n";
  int rungs = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(LADDER_PROJECT) / "solutions" / lesson)) {
    const fs::path file = entry.path().filename();
    c.write("solutions/" + lesson + "/" + file.string(), ladder::read_text(entry.path()));
    const std::string worker = "workers/solutions/" + lesson + "/" + file.stem().string() +
                               (file.extension() == ".cu" ? ".executor" : ".cpu");
    ninja += "build " + worker + ": link " LADDER_BINARY_DIR "/" + worker + "\n";
    if (file.stem() == observed) {
      const std::string path = "workers/solutions/" + lesson + "/" + observed + ".observed";
      ninja += "build " + path + ": link " LADDER_BINARY_DIR "/" + path + "\n";
    }
    ++rungs;
  }
  c.write("lessons/" + lesson + "/rungs.toml",
          ladder::read_text(fs::path(LADDER_PROJECT) / "lessons" / lesson / "rungs.toml"));
  c.write("build/build.ninja", c.read("build/build.ninja") + ninja);
  return rungs;
}

}  // namespace

TEST_CASE("Every rung of lesson 04 is right on a stiffness matrix of condition 4 million") {
  const Checkout c;
  const int rungs = add_lesson(c);
  c.write("grillage.mtx", cholesky::test::grillage(29, 7));
  // Numbers and findings of a rung are observed; no observed worker is here.
  const auto ended = c.tool({"check", "04", "--tree", "solutions", "--device", "executor", "--matrix",
                             "grillage.mtx", "--json", "found.json"});
  INFO(ended.output);
  CHECK(ended.status <= 1);  // g5's critical path is longer while others use the cores
  const json document = json::parse(c.read("found.json"));
  CHECK(document["matrix"] == json({{"file", "grillage.mtx"}, {"n", 588}, {"nnz", 4942}}));
  const json& steps = document["lessons"][0]["steps"];
  CHECK(int(steps.size()) == rungs);
  for (const json& step : steps) {
    INFO(step.dump(1));
    CHECK(step["kinds"][0]["kind"] == "correctness");
    CHECK(step["kinds"][0]["verdict"] == "PASS");
    CHECK(step["cases"] == json::parse(R"([{"class": "your matrix", "passed": 1, "of": 1}])"));
    CHECK(step["error"]["value"] < 1e-15);
  }
}

TEST_CASE("Lesson 04 on a matrix of which the host factorises most is right, and nobody is suspected") {
  const Checkout c;
  add_lesson(c, "g1_one_stream");
  constexpr int n = 200;  // of a narrow matrix nearly all of L is in the diagonal tiles
  std::string text = "%%MatrixMarket matrix coordinate real symmetric\n200 200 399\n";
  for (int i = 1; i <= n; ++i) {
    text += std::to_string(i) + " " + std::to_string(i) + " 2.5\n";
    if (i > 1) text += std::to_string(i) + " " + std::to_string(i - 1) + " -1\n";
  }
  c.write("narrow.mtx", text);
  const auto ended = c.tool({"check", "04/g1", "--tree", "solutions", "--device", "executor", "--matrix",
                             "narrow.mtx", "--json", "found.json"});
  INFO(ended.output);
  CHECK(ended.status == 0);
  const json document = json::parse(c.read("found.json")), &found = document["lessons"][0]["steps"][0];
  CHECK(found["verdict"] == "PASS");
  CHECK(found["kinds"].size() == 3);
}

TEST_CASE("A matrix that lesson 04 cannot take is one line, and no step is judged") {
  const Checkout c;
  add_lesson(c);
  const std::string head = "%%MatrixMarket matrix coordinate ";
  const auto refusal = [&](const std::string& text) {
    c.write("A.mtx", text);
    const auto ended =
        c.tool({"check", "04", "--tree", "solutions", "--device", "executor", "--matrix", "A.mtx"});
    CHECK(ended.status == 2);
    CHECK(ended.output.find("04/c1") == std::string::npos);
    const auto at = ended.output.rfind("/A.mtx");
    return at == std::string::npos ? ended.output : ended.output.substr(at + 6);
  };
  CHECK(refusal(head + "real symmetric\n2 2 2\n1 1 4\n2 2 -5\n") ==
        ":4: not positive definite: the diagonal entry of row 2 is -5\n");
  CHECK(refusal(head + "complex symmetric\n1 1 1\n1 1 4 0\n") ==
        ":1: field complex: only real, integer and pattern\n");
  CHECK(refusal(head + "real symmetric\n2 2 1\n1 1 x\n") == ":3: the value x is not a decimal number\n");
  CHECK(refusal(head + "real general\n2 3 1\n1 1 4\n") == ":2: 2 rows and 3 columns: not square\n");
}
