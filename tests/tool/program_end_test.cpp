/// @file
/// How programs of somebody else's end: badly, never, or after being observed in part.
// Guards: docs/programs.md

#include "tests/common/approved.hpp"
#include "tests/tool/program_folder.hpp"

using ladder::test::approve;
using ladder::test::has;
using ladder::test::ProgramFolder;
using ladder::test::transcript;

namespace {

/// Sums up 256 numbers of which half were never set; then it ends as its argument says.
const char* const ends_badly = R"(#include <cassert>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
__global__ void sum(const int* v, int* r) {
  atomicAdd(r, v[threadIdx.x]);
}
__global__ void never_ends(volatile int* r) {
  while (r[0] != -1) r[1] = r[0];
}
__global__ void asserts(const int* r) {
  assert(r[0] == 1);
}
int main(int, char** words) {
  int *v, *r, result;
  cudaMalloc(&v, 256 * sizeof(int));
  cudaMalloc(&r, 2 * sizeof(int));
  cudaMemset(v, 0, 128 * sizeof(int));
  cudaMemset(r, 0, 2 * sizeof(int));
  sum<<<1, 256>>>(v, r);
  cudaMemcpy(&result, r, sizeof(int), cudaMemcpyDeviceToHost);
  const char* how = words[1];
  if (!std::strcmp(how, "assert")) assert(how == nullptr);
  if (!std::strcmp(how, "abort")) std::abort();
  if (!std::strcmp(how, "exit")) std::exit(3);
  if (!std::strcmp(how, "signal")) std::raise(SIGUSR1);
  if (!std::strcmp(how, "throw")) throw std::runtime_error("the sum is wrong");
  if (!std::strcmp(how, "null")) *static_cast<volatile int*>(nullptr) = result;
  if (!std::strcmp(how, "loop")) for (sigset_t none{};;) sigsuspend(&none);
  if (!std::strcmp(how, "kernel")) never_ends<<<1, 32>>>(r);
  if (!std::strcmp(how, "memory")) for (;;) std::memset(std::malloc(1 << 26), 1, 1 << 26);
  if (!std::strcmp(how, "asserts")) asserts<<<1, 32>>>(r);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
)";

}  // namespace

TEST_CASE("a program that needs too much memory only when it is observed is observed in a smaller part") {
  const ProgramFolder folder;
  folder.write(
      "large.cu",
      "__global__ void fill(int* x) {\n  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n}\nint main() "
      "{\n  int* x;\n  cudaMalloc(&x, (40 << 20) * sizeof(int));\n  fill<<<(40 << 20) / 1024, "
      "1024>>>(x);\n  cudaDeviceSynchronize();\n  cudaFree(x);\n}\n");
  const ladder::ProcessResult ended = folder.check({"large.cu", "--memory", "1"});
  INFO(ended.output);
  CHECK(ended.status == 0);  // how many blocks were observed depends on the machine
  CHECK(has(ended, "; findings: none in "));
  CHECK(has(ended, " of 40960 blocks\n"));
}

TEST_CASE("a right program that is too large to observe as a whole passes, and says how much was seen") {
  const ProgramFolder folder;
  folder.write(
      "fill.cu",
      "__global__ void fill(int* x) {\n  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n}\nint main() "
      "{\n  int* x;\n  cudaMalloc(&x, 4096 * sizeof(int));\n  fill<<<64, 64>>>(x);\n  "
      "cudaDeviceSynchronize();\n  cudaFree(x);\n}\n");
  const ladder::ProcessResult ended = folder.check({"fill.cu"}, {{"LADDER_EXECUTOR_OBSERVE_LIMIT", "3000"}});
  INFO(ended.output);
  CHECK(ended.status == 0);
  CHECK(has(ended, "fill.cu  PASS  exit status 0, "));
  CHECK(has(ended, "; findings: none in "));
  CHECK(has(ended, " of 64 blocks\n"));
  CHECK(has(ended, "Observed in part kernel fill (fill.cu:7): "));
  CHECK(folder.check({"fill.cu", "--strict"}, {{"LADDER_EXECUTOR_OBSERVE_LIMIT", "3000"}}).status == 1);
}

TEST_CASE("a program that ends badly keeps its findings, and the cause of its end stands first") {
  const ProgramFolder folder;
  folder.write("bad.cu", ends_badly);
  const auto check = [&](const char* how, const char* seconds) {
    const ladder::ProcessResult ended =
        folder.check({"bad.cu", "--memory", "1", "--seconds", seconds, "--", how}, {{"COLUMNS", "200"}});
    INFO(how << "\n" << ended.output);
    CHECK(ended.status == 1);
    CHECK(has(ended, "\nbad.cu:7: error: "));
    return ended;
  };
  std::string all;
  for (const char* how : {"assert", "abort", "exit", "signal", "throw", "null", "asserts"})
    all += transcript({"check", "bad.cu", "--", how}, check(how, "20"));
  // Without its argument: words[1] is null.
  all += transcript({"check", "bad.cu"}, folder.check({"bad.cu", "--memory", "1"}, {{"COLUMNS", "200"}}));
  // How far the observed run comes depends on the machine: the verdict's line. A busy one needs a while to
  // come to the finding, and longer to fill the memory.
  for (const auto& [how, seconds] : {std::pair{"loop", "4"}, {"kernel", "4"}, {"memory", "60"}}) {
    const std::string output = check(how, seconds).output;
    all += output.substr(0, output.find('\n') + 1);
  }
  approve("ends-badly", all);
}

TEST_CASE(
    "what never ran, and text that never appears, are errors of a program; a program that asks has none") {
  const ProgramFolder folder;
  const std::string kernel =
      "#include <cstdio>\n__global__ void k() {\n  printf(\"hello\\n\");\n}\nint main() {\n";
  folder.write("big.cu", kernel + "  k<<<1, 2048>>>();\n  cudaDeviceSynchronize();\n}\n");
  folder.write("nosync.cu", kernel + "  k<<<1, 1>>>();\n}\n");
  folder.write("asked.cu",
               kernel +
                   "  k<<<1, 2048>>>();\n  if (cudaGetLastError() != cudaSuccess) k<<<2, 1024>>>();\n"
                   "  cudaDeviceSynchronize();\n}\n");
  const ladder::ProcessResult big = folder.check({"big.cu"}), nosync = folder.check({"nosync.cu"});
  approve("kernel-never-ran", big);
  // Whether the text appears is chance: approved without it.
  ladder::ProcessResult without_text = nosync;
  if (without_text.output.starts_with("hello\n")) without_text.output.erase(0, 6);
  approve("nobody-waits", without_text);
  CHECK(folder.document({"asked.cu"}, 0)["verdict"] == "PASS");
}

TEST_CASE(
    "a kernel that does not end is TIMEOUT in seconds, with line, thread and what its condition compares") {
  const ProgramFolder folder;
  folder.write("endless.cu",
               "__global__ void k(int* x, int end) {\n  if (threadIdx.x == 3)\n    for (int half = 8; half "
               ">= end; half /= 2)\n"
               "      x[half] = 1;\n}\nint main() {\n  int* x;\n  cudaMalloc(&x, 64);\n"
               "  k<<<1, 32>>>(x, 0);\n  cudaDeviceSynchronize();\n  cudaFree(x);\n}\n");
  const ladder::ProcessResult ended = folder.check({"endless.cu"});
  INFO(ended.output);
  CHECK(ended.status == 1);  // which of the two runs says so first depends on the machine
  CHECK(has(ended, "endless.cu  TIMEOUT"));
  CHECK(has(ended, "thread (3,0,0)"));
  CHECK(has(ended, "compares 0 with"));
}

TEST_CASE("a loop around a barrier that does not end is TIMEOUT with its line, too") {
  const ProgramFolder folder;
  folder.write(
      "meets.cu",
      "__global__ void k(int* x) {\n  __shared__ int ready;\n  if (threadIdx.x == 0) ready = 0;\n"
      "  __syncthreads();\n  while (ready == 0) {\n    x[threadIdx.x] = 1;\n    __syncthreads();\n  }\n}\n"
      "int main() {\n  int* x;\n  cudaMalloc(&x, 128);\n  k<<<1, 32>>>(x);\n  cudaDeviceSynchronize();\n"
      "  cudaFree(x);\n}\n");
  // Of the plain run; the observed one knows by then and waits for two seconds. The default is 20.
  const ladder::ProcessResult ended =
      folder.check({"meets.cu"}, {{"LADDER_EXECUTOR_TIMEOUT", "2"}, {"LADDER_EXECUTOR_BARRIERS", "100000"}});
  INFO(ended.output);
  CHECK(ended.status == 1);
  CHECK(has(ended, "meets.cu  TIMEOUT"));
  // Where the observed run was ended before it could say so.
  const bool by_plain_run = has(ended, "does not finish");
  CHECK((has(ended, "does not end") || by_plain_run));
  CHECK(has(ended, "meets.cu:"));
}
