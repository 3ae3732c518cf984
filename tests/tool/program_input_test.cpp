/// @file
/// check FILE.cu: what a program reads, and that one error is told once. With the real compiler and executor.
// Guards: docs/programs.md

#include <nlohmann/json.hpp>

#include "common/base/text/text.hpp"
#include "tests/common/approved.hpp"
#include "tests/tool/program_folder.hpp"

namespace ladder::program_input_test {
using ladder::test::count;
using ladder::test::has;
using ladder::test::ProgramFolder;

namespace {

/// Adds what it reads, on the device.
constexpr const char* reads = R"(#include <cstdio>
__global__ void add(int x, int* total) { *total += x; }
int main() {
  int count = 0, x = 0, *total;
  if (std::scanf("%d", &count) != 1) return std::puts("no number"), 3;
  cudaMallocManaged(&total, sizeof(int));
  *total = 0;
  for (int i = 0; i < count && std::scanf("%d", &x) == 1; ++i) add<<<1, 1>>>(x, total);
  cudaDeviceSynchronize();
  std::printf("total %d\n", *total);
  cudaFree(total);
}
)";

constexpr const char* beyond = R"(#include <cstdio>
__global__ void reverse(int* x, int n) { x[n - threadIdx.x] = threadIdx.x; }
int main() {
  int* x;
  cudaMalloc(&x, 4 * sizeof(int));
  std::puts("before");
  reverse<<<1, 4>>>(x, 4);
  cudaDeviceSynchronize();
  std::puts("after");
  cudaFree(x);
}
)";

}  // namespace

TEST_CASE("program: standard input is handed on, to the plain run and to the observed one") {
  const ProgramFolder f;
  f.write("sum.cu", reads);
  f.write("input.txt", "3 1 2 4\n");
  for (const char* line : {"echo 3 1 2 4 | \"$tool\" check sum.cu --json out.json",
                           "\"$tool\" check sum.cu --json out.json < input.txt",
                           "{ echo 3; sleep 1; echo 1 2 4; } | \"$tool\" check sum.cu --json out.json"}) {
    const ProcessResult ended = f.sh(line);
    INFO(line << "\n" << ended.output);
    CHECK(ended.status == 0);
    CHECK(has(ended, "total 7"));
    CHECK(has(ended, "PASS"));
    const auto document = nlohmann::json::parse(f.read("out.json"));
    CHECK(document["program"]["observation"]["launches"].size() == 3);  // it has read the same
  }
}

TEST_CASE("program: where input is cut off, that is said; nobody waits for a pipe that does not end") {
  const ProgramFolder f;
  f.write("sum.cu", reads);
  const ProcessResult none = f.sh("sleep 1000 | { \"$tool\" check sum.cu; kill 0; }");
  test::approve("cut-off", none.output);
  test::approve("empty", f.sh("\"$tool\" check sum.cu < /dev/null"));  // as asked: nothing is said of it
}

TEST_CASE("program: the error that ended it is told once, with all that is known of it") {
  const ProgramFolder f;
  f.write("reverse.cu", beyond);
  const ProcessResult ended = f.sh("\"$tool\" check reverse.cu --json out.json");
  test::approve("ended-by-an-error", ended);
  const auto document = nlohmann::json::parse(f.read("out.json"))["program"];
  const std::string message = document["observation"]["findings"][0]["message"],
                    begin = message.substr(0, 40);
  std::string text;  // without the breaks of lines
  for (const std::string& line : lines_of(ended.output)) text += std::string(trim(line)) + " ";
  CHECK(count(text, begin) == 1);
  CHECK(count(text, "past the end of the 16 bytes") ==
        1);  // the verdict's line, and not what the program printed
  CHECK(document["message"].get<std::string>().find("reverse.cu:2") !=
        std::string::npos);  // the document has all
  const ProcessResult plain = f.sh("\"$tool\" check reverse.cu --plain");
  test::approve("ended-by-an-error-plain", plain);
  CHECK(count(plain.output, "past the end of the") == 1);
}

TEST_CASE("program: output that looks like the executor's is the program's own") {
  const ProgramFolder f;
  f.write("own.cu", "#include <cstdio>\nint main() { std::puts(\"own.cu:1: error: mine\"); return 86; }\n");
  const ProcessResult ended = f.sh("\"$tool\" check own.cu --plain");
  test::approve("looks-like-an-error", ended);
  f.write("good.cu", "#include <cstdio>\nint main() { std::puts(\"good.cu:1: error: mine\"); }\n");
  test::approve("looks-like-an-error-and-passes", f.sh("\"$tool\" check good.cu --plain"));
}

TEST_CASE("program: a brace that was left open is named, and what comes of it is not") {
  const ProgramFolder f;
  f.write("open.cu",
          "#include <cstdio>\n__global__ void k(int* x) {\n  if (threadIdx.x == 0) {\n    *x = 1;\n}\nint "
          "main() {\n  return 0;\n}\n");
  const ProcessResult ended = f.sh("\"$tool\" check open.cu");
  CHECK_FALSE(has(ended, "Also"));
  test::approve("brace-left-open", ended);
}

}  // namespace ladder::program_input_test
