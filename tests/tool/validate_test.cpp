/// @file
/// validate findings: programs of a small suite, judged by the real compiler and the real executor.
// Guards: docs/executor.md

#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/base/files/files.hpp"
#include "tests/tool/program_folder.hpp"

namespace ladder::validate_tests {

namespace fs = std::filesystem;
using ladder::test::has;
using nlohmann::json;

namespace {

/// A kernel in a program of 64 threads that writes an array of 64 numbers, and copies it back.
std::string program_of(const std::string& body, const std::string& head = "") {
  return head + "__global__ void k(int* x) {\n  __shared__ int s[64];\n  const int t = threadIdx.x;\n" +
         body +
         "}\nint main() {\n  int *x, back[64];\n  if (cudaMalloc(&x, sizeof back) != cudaSuccess) return 2;\n"
         "  k<<<1, 64>>>(x);\n  const cudaError_t e = cudaMemcpy(back, x, sizeof back, "
         "cudaMemcpyDeviceToHost);\n"
         "  cudaFree(x);\n  return e == cudaSuccess ? 0 : 1;\n}\n";
}

const std::string right = program_of("  s[t] = t;\n  __syncthreads();\n  x[t] = s[63 - t];\n");
const std::string races = program_of("  s[t] = t;\n  x[t] = s[63 - t];\n");
const std::string beyond = program_of("  s[t] = t;\n  x[t + 1] = s[t];\n");

/// A folder with a suite, and the verb on it.
class Bench {
 public:
  const Bench& write(const std::string& name, const std::string& text) const {
    folder_.write("a suite/" + name, text);
    return *this;
  }
  ladder::ProcessResult validate(std::vector<std::string> words) const {
    words.insert(words.begin(), {"validate", "findings"});
    return folder_.tool(words, {{"COLUMNS", "160"}});
  }
  json document() const { return json::parse(folder_.read("out.json")); }
  const fs::path& path() const { return folder_.path(); }

 private:
  ladder::test::ProgramFolder folder_;
};

json program(const json& document, const std::string& file) {
  for (const json& one : document.at("programs"))
    if (one.at("file") == file) return one;
  return nullptr;
}

}  // namespace

TEST_CASE("programs with known bugs are found, right ones pass, and wrong labels show") {
  const Bench bench;
  bench.write("right.cu", right).write("race.cu", races).write("bounds.cu", beyond);
  bench.write("said_to_be_right.cu", races)
      .write("said_to_race.cu", right)
      .write("broken.cu", "int main( {\n");
  bench.write("far.cu", races);
  bench.write(
      "labels.csv",
      "program,class,reason\nright.cu,clean,\nrace.cu,race,\nbounds.cu,bounds,\nsaid_to_be_right.cu,clean,\n"
      "said_to_race.cu,race,\nbroken.cu,race,\nfar.cu,race,by another reason\n");
  const ladder::ProcessResult ended =
      bench.validate({"--suite", "a suite", "--json", "out.json", "--report", "kept"});
  INFO(ended.output);
  CHECK(ended.status == 1);
  const json all = bench.document();
  CHECK(all["suite"] == "a suite");
  CHECK(all["backend"] == "executor");
  const json race = all["counts"][0], bounds = all["counts"][1];
  CHECK(race["class"] == "race");
  CHECK(race["labelled"] == 4);
  CHECK(race["found"] == 1);
  CHECK(race["missed"] == 1);
  CHECK(race["not_judged"] == 1);
  CHECK(race["not_applicable"] == 1);
  CHECK(race["accused"] == 1);
  CHECK(race["recall"] == 0.5);
  CHECK(race["precision"] == 0.5);
  CHECK(bounds["found"] == 1);
  CHECK(bounds["accused"] == 0);
  CHECK(all["all"]["labelled"] == 5);
  CHECK(program(all, "race.cu")["result"]["errors"] == json({"shared-race"}));
  CHECK(program(all, "right.cu")["result"]["verdict"] == "PASS");
  CHECK(program(all, "right.cu")["result"]["errors"].empty());
  CHECK(program(all, "far.cu")["not_applicable"] == "by another reason");
  CHECK(has(ended, "Missed:\n  said_to_race.cu (race)"));
  CHECK(has(ended, "Accused wrongly:\n  said_to_be_right.cu (free of bugs)"));
  CHECK(has(ended, "1 program: by another reason"));
  CHECK(has(ended, "Not judged:\n  1 program: "));
  // The counts for pages: without single results, instead of those from before.
  const json kept = json::parse(ladder::read_text(bench.path() / "kept/suites.json"));
  REQUIRE(kept.size() == 1);
  CHECK(kept[0]["all"] == all["all"]);
  CHECK_FALSE(kept[0].contains("programs"));
}

TEST_CASE("a suite is judged on from where it was interrupted, and what has changed is judged again") {
  const Bench bench;
  bench.write("right.cu", right).write("race.cu", races);
  bench.write("labels.csv", "program,class\nright.cu,clean\nrace.cu,race\n");
  const std::vector<std::string> words = {"--suite", "a suite", "--json", "out.json", "--resume"};
  CHECK(bench.validate(words).status == 0);
  json before = bench.document();
  before["programs"][0]["result"]["message"] = "kept";
  before["programs"][1]["result"]["message"] = "kept";
  ladder::write_text(bench.path() / "out.json", before.dump());
  bench.write("race.cu", right);
  const ladder::ProcessResult again = bench.validate(words);
  INFO(again.output);
  CHECK(has(again, "1 of 2 programs are in out.json already"));
  CHECK(again.status == 1);
  CHECK(program(bench.document(), "right.cu")["result"]["message"] == "kept");
  CHECK(program(bench.document(), "race.cu")["result"]["errors"].empty());
  // A call for a part of the suite keeps the others' results in the file.
  std::vector<std::string> part = words;
  part.insert(part.end(), {"--only", "right"});
  CHECK(bench.validate(part).status == 0);
  CHECK(program(bench.document(), "race.cu")["result"].is_object());
  CHECK(bench.document()["all"]["labelled"] == 0);
}

TEST_CASE("kernels without a main get one, and arguments of each run count") {
  const Bench bench;
  const std::string head = "//pass\n//--blockDim=64 --gridDim=2\n#include \"cuda.h\"\n";
  bench.write(
      "even.cu",
      head + "__global__ void k(int* x, int n) {\n  if (n > 0) x[threadIdx.x] = x[threadIdx.x + 1];\n}\n");
  bench.write("own.cu",
              head + "__global__ void k(float* x) {\n  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n}\n");
  bench.write(
      "labels.toml",
      "suite = 'kernels'\nprograms = '.*\\.cu'\ndriver = true\nruns = ['0', '1']\n[[label]]\nname = 'race'\n"
      "class = 'race'\npath = 'even'\n");
  const ladder::ProcessResult ended = bench.validate({"--suite", "a suite", "--json", "out.json"});
  INFO(ended.output);
  CHECK(ended.status == 0);
  const json found = program(bench.document(), "even.cu")["result"];
  CHECK(found["errors"] == json({"global-race"}));
  CHECK(found["first"].get<std::string>().find("even.cu:5: ") != std::string::npos);
}

TEST_CASE("what validate cannot do is one clear line") {
  const Bench bench;
  bench.write("right.cu", right).write("labels.csv", "program,class\nright.cu,clean\n");
  const auto refused = [&](std::vector<std::string> words, const std::string& text) {
    const ladder::ProcessResult ended = bench.validate(std::move(words));
    INFO(ended.output);
    CHECK(ended.status == 2);
    CHECK(has(ended, text));
    CHECK(ended.output.rfind("ladder: ", 0) == 0);
  };
  refused({}, "needs --suite DIR");
  refused({"--suite", "nowhere"}, "--suite nowhere: no such folder");
  refused({"--suite", "a suite", "--labels", "indgo"}, "nearest: indigo");
  refused({"--suite", "a suite", "--device", "cude"}, "unknown device 'cude'; nearest: cuda");
  refused({"--suite", "a suite", "--only", "left"}, "--only left: no program has this in its path");
  refused({"--suite", "a suite", "--sample", "none"}, "--sample must be an integer");
}

}  // namespace ladder::validate_tests
