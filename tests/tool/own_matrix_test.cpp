/// @file
/// --matrix on the toy checkout: what is refused before anything is built, what a judge says of a file, and
/// what of it is in documents.
// Guards: docs/student.md#a-matrix-of-your-own

#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::test::Checkout;
using ladder::test::has;
using ladder::test::step;
using nlohmann::json;

namespace {

/// Lets the toy's problems be read from a matrix.
void let_read(const Checkout& c) {
  const std::string table = "lessons/07-toy/rungs.toml";
  c.write(table, "reads = \"matrix\"\n" + c.read(table));
}

/// The output of a call that must be refused.
std::string refused(const Checkout& c, std::vector<std::string> arguments) {
  const ProcessResult ended = c.tool(std::move(arguments));
  CHECK(ended.status == 2);
  return ended.output;
}

}  // namespace

TEST_CASE("--matrix: a lesson that reads none, another problem besides, and no file are refused at once") {
  const Checkout c;
  c.write("A.mtx", "3\n");
  CHECK(refused(c, {"check", "07/c1", "--matrix", "A.mtx"}) ==
        "ladder: 07-toy reads no matrix, because it makes its problems itself: --size N\n");
  let_read(c);
  for (const std::string verb : {"check", "run", "bench", "profile"})
    CHECK(refused(c, {verb, "07/g1", "--matrix", "A.mtx", "--size", "4"}) ==
          "ladder: --size excludes --matrix\n");
  for (const std::string verb : {"check", "run", "profile"})
    CHECK(refused(c, {verb, "07/g1", "--device", "executor", "--matrix", "B.mtx"})
              .find("B.mtx: cannot be opened") != std::string::npos);
  CHECK(refused(c, {"check", "07/c1", "--matrix", "."}).find(" is a folder, not a matrix") !=
        std::string::npos);
}

TEST_CASE("--matrix: the judge reads the file before any step; what is wrong with it is one line") {
  const Checkout c;
  let_read(c);
  c.write("bad.mtx", "bad\n");
  const std::string bad = refused(c, {"check", "07/c1", "--matrix", "bad.mtx"});
  CHECK(bad.find("bad.mtx:1: is bad\n") != std::string::npos);
  CHECK(bad.find("07/c1") == std::string::npos);
  c.write("silent.mtx", "silent\n");
  CHECK(refused(c, {"check", "07/c1", "--matrix", "silent.mtx"})
            .find("the judge of 07-toy ended while it read it") != std::string::npos);
}

TEST_CASE(
    "--matrix: the plan has the file, documents and titles its name, and progress knows nothing of it") {
  const Checkout c;
  let_read(c);
  // A long name, as a folder of one's own may have: the call that Next shows is copied, so it stays whole.
  const std::string folder = "matrices " + std::string(90, 'x'), file = folder + "/my matrix.mtx";
  c.write(file, "3\n");
  c.order("lessons/07-toy/c1_first.cpp", "correctness WRONG L is not a factor");
  const json document =
      c.json({"check", "07/c1", "--matrix", file}, 1, {{"FAKE_PLAN_COPY", (c.root() / "plan").string()}});
  CHECK(document["matrix"] == json({{"file", "my matrix.mtx"}, {"n", 3}, {"nnz", 7}}));
  CHECK(document["lessons"][0]["title"] == "A toy: my matrix.mtx, n = 3, nnz = 7");
  CHECK(json::parse(c.read("plan"))["file"] == (c.root() / file).string());
  CHECK(c.read("build/state/state.json").find("c1_first") == std::string::npos);
  const ProcessResult shown = c.tool({"check", "07/c1", "--matrix", file});
  CHECK(has(shown, "./ladder check 07/c1 --matrix '" + (c.root() / file).string() + "' --seed "));
  c.write("run.json", c.read("results.json"));
  CHECK(refused(c, {"results", "add", "run.json", "--as", "here"}) != "");
}
