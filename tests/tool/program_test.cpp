/// @file
/// check FILE.cu…: programs of somebody else's, end to end, with the real compiler and the real executor.
// Guards: docs/programs.md

#include <fmt/format.h>

#include <chrono>

#include "common/tool/build/toolchain.hpp"
#include "tests/common/approved.hpp"
#include "tests/tool/program_folder.hpp"

namespace fs = std::filesystem;
using ladder::test::approve;
using ladder::test::has;
using ladder::test::ProgramFolder;
using ladder::test::transcript;
using nlohmann::json;

namespace {

const char* const sum = R"(#include <cstdio>
#include <cstdlib>
#include "scale.hpp"
__global__ void add(int n, const int* x, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, SCALE * x[i]);
}
int main(int count, char** words) {
  const int n = count > 1 ? std::atoi(words[1]) : 10;
  int *x, *total;
  cudaMallocManaged(&x, n * sizeof(int));
  cudaMallocManaged(&total, sizeof(int));
  for (int i = 0; i < n; ++i) x[i] = scaled(i);
  *total = 0;
  add<<<(n + 63) / 64, 64>>>(n, x, total);
  cudaDeviceSynchronize();
  std::printf("total %d", *total);
  cudaFree(x);
  cudaFree(total);
  return count > 2 ? std::atoi(words[2]) : 0;
}
)";

}  // namespace

TEST_CASE("a program of several files, with headers, macros and arguments, runs and passes") {
  const ProgramFolder folder;
  folder.write("sum.cu", sum)
      .write("scale.cpp", "#include \"scale.hpp\"\nint scaled(int i) { return 2 * i; }\n");
  folder.write("include/scale.hpp", "int scaled(int);\n");
  const std::vector<std::string> words = {"sum.cu", "scale.cpp", "-I", "include", "-D", "SCALE=3", "--", "5"};
  approve("several-files", folder.check(words));
}

TEST_CASE("the whole program of lesson 00's page runs and prints what its comment says") {
  const std::string page = ladder::read_text(fs::path(LADDER_PROJECT) / "lessons/00-first-steps/README.md");
  const std::string begin = "```cpp\n#include";
  const auto at = page.find(begin);
  REQUIRE(at != page.npos);
  const auto from = at + std::string("```cpp\n").size();
  const std::string program = page.substr(from, page.find("\n```", from) + 1 - from), says = "std::printf";
  const ProgramFolder folder;
  folder.write("whole.cu", program);
  const json ran = folder.document({"whole.cu", "-I", LADDER_PROJECT, "--std", "c++20"}, 0);
  CHECK(ran["verdict"] == "PASS");
  const auto line = program.find("  // ", program.find(says)) + 5;
  CHECK(ran["output"] == program.substr(line, program.find('\n', line) + 1 - line));
}

TEST_CASE("old programs go, and the folders of the build among them stay") {
  // check keeps 24 programs, so of 30 older ones the six oldest go whatever else lies there; the folder of
  // another test would be newer than all of these.
  const fs::path programs = fs::path(LADDER_BINARY_DIR) / "programs", built = programs / "of-the-build";
  const auto old = [&](int i) { return programs / fmt::format("old-{:012x}", i); };
  const auto make = [](const fs::path& folder, int days) {
    fs::create_directories(folder);
    fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(24 * days));
  };
  make(built, 500);
  for (int i = 0; i < 30; ++i) make(old(i), 100 + i);
  const ProgramFolder folder;
  folder.write("quiet.cu", "int main() {}\n").check({"quiet.cu"});
  CHECK(fs::exists(built));
  for (int i = 24; i < 30; ++i) CHECK_FALSE(fs::exists(old(i)));
  fs::remove(built);
  for (int i = 0; i < 30; ++i) fs::remove(old(i));
}

TEST_CASE("the exit status of the program is told, and the document has its output") {
  const ProgramFolder folder;
  folder.write("sum.cu", sum).write("scale.hpp", "inline int scaled(int i) { return i; }\n");
  const json program =
      folder.document({"--plain", "-D", "SCALE=1", "-o", "kept", "sum.cu", "--", "4", "3"}, 1);
  CHECK(program["verdict"] == "WRONG");
  CHECK(program["exit_status"] == 3);
  CHECK(program["output"] == "total 6");
  CHECK(program["observation"]["incomplete"] == "you asked for --plain");
  CHECK(ladder::run_process({.arguments = {(folder.path() / "kept").string(), "3"}}).output == "total 3");
}

TEST_CASE("a race and memory that nobody has written are found, with file, line and both parties") {
  const ProgramFolder folder;
  folder.write("shift.cu", R"(#include <cstdio>
__global__ void shift(int* x) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
  int *x, first;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  shift<<<1, 64>>>(x);
  cudaMemcpy(&first, x, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(x);
}
)");
  approve("race", folder.check({"shift.cu"}));
}

TEST_CASE("an access out of bounds ends the program with its line") {
  const ProgramFolder folder;
  folder.write("out.cu",
               "__global__ void k(int* x) {\n  x[threadIdx.x] = 1;\n}\nint main() {\n  int* x;\n  "
               "cudaMalloc(&x, 16);\n"
               "  k<<<1, 32>>>(x);\n  cudaDeviceSynchronize();\n}\n");
  approve("out-of-bounds", folder.check({"out.cu"}));
}

TEST_CASE("a program that hangs, needs too much, or is ended by a signal") {
  const ProgramFolder folder;
  folder.write("hang.cu",
               "#include <cstdio>\nint main() {\n  cudaFree(nullptr);\n  std::puts(\"so far\");\n  for "
               "(volatile int i = 0;; i = i "
               "+ 1) {}\n}\n");
  approve("hangs", folder.check({"hang.cu", "--seconds", "1"}));  // what it printed is not lost with it
  folder.write("abort.cu", "#include <cstdlib>\nint main() {\n  std::abort();\n}\n");
  approve("aborts", folder.check({"abort.cu", "--plain"}));
  folder.write("minus.cu", "int main() {\n  return -1;\n}\n");
  approve("exits-with-minus-one", folder.check({"minus.cu", "--plain"}));
  folder.write(
      "hungry.cu",
      "#include <cstring>\nint main() {\n  for (;;) std::memset(new char[1 << 26], 1, 1 << 26);\n}\n");
  approve("needs-too-much-memory", folder.check({"hungry.cu", "--memory", "1", "--plain"}));
}

TEST_CASE("cuda::std in a kernel is the device's, for the rules of host and device, too") {
  const ProgramFolder folder;
  folder.write("std.cu",
               "#include <cuda/std/atomic>\n#include <cuda/std/span>\n"
               "__global__ void count(cuda::std::span<int> bins, cuda::std::atomic<int>* total) {\n"
               "  cuda::std::atomic_ref<int>(bins[threadIdx.x % bins.size()]).fetch_add(1);\n  "
               "total->fetch_add(1);\n}\n"
               "int main() {\n  int* bins;\n  cudaMalloc(&bins, 20);\n  cudaMemset(bins, 0, 20);\n"
               "  count<<<2, 32>>>({bins, 4}, reinterpret_cast<cuda::std::atomic<int>*>(bins + 4));\n"
               "  int host[5];\n  cudaMemcpy(host, bins, 20, cudaMemcpyDeviceToHost);\n  cudaFree(bins);\n"
               "  return host[0] != 16 || host[4] != 64;\n}\n");
  for (const char* standard : {"c++17", "c++20"}) {
    const ladder::ProcessResult ended = folder.check({"std.cu", "--std", standard});
    INFO(ended.output);
    CHECK(has(ended, "std.cu  PASS"));
  }
}

TEST_CASE("what does not compile or link says where and what is missing") {
  const ProgramFolder folder;
  folder.write("typo.cu", "int main() {\n  int x = y;\n  z = 1;\n}\n");
  const json typo = folder.document({"typo.cu"}, 1);
  CHECK(typo["verdict"] == "BUILD ERROR");
  CHECK(typo["errors"].size() == 2);
  CHECK(typo["errors"][0]["where"] == "typo.cu:2");
  CHECK(typo["errors"][1]["where"] == "typo.cu:3");
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"int main() {\n  cudaTextureObject_t t;\n}\n", "a.cu:2: ", "cudaTextureObject_t"},
      {"#include <cufft.h>\nint main() {}\n", "a.cu:1: ", "cuFFT"},
      {"int main() {\n  cudaNoSuchCall(1);\n}\n", "a.cu:2: ‘cudaNoSuchCall’ was not declared",
       "the executor does not have it"},
      {"int main() {\n  cudaMemcpyKind kind = cudaMemcpyHosttoDevice;\n}\n",
       "a.cu:2: ‘cudaMemcpyHosttoDevice’ was not declared", "is the name spelled as the compiler suggests?"},
      {"void f();\nint main() {\n  f();\n}\n", "undefined reference to `f()'",
       "is the file that defines it named too?"},
      {"__global__ void k() {}\n", "undefined reference to `main'", "a program has a main function"},
      {"__global__ void k(int* x) {\n  asm(\"bar.sync 0;\");\n}\nint main() {}\n",
       "a.cu:2: the executor has no inline assembly (PTX)", "it needs a GPU"},
      {"__global__ void k() {}\n__global__ void l() {\n  k<<<1, 1>>>();\n}\nint main() { l<<<1, 1>>>(); }\n",
       "a.cu:3: the executor has no dynamic parallelism", "a kernel cannot launch kernels"},
      {"#include <no/such/place/mpi.h>\nint main() {}\n", "mpi.h: No such file", "the executor has no MPI"},
      {"__global__ void k(int* x) {\n  *x = __shfl(*x, 0);\n}\nint main() {}\n",
       "a.cu:2: the executor has no __shfl()", "use __shfl_sync()"},
      {"int f(int x) { return x; }\n__global__ void k(int* x) {\n  *x = f(*x);\n}\nint main() {}\n",
       "a.cu:3: f() is a host function: a kernel cannot call it", "is __device__ missing in front of it?"}};
  const bool lints = !ladder::read_toolchain(LADDER_BINARY_DIR).lint.empty();
  for (const auto& [source, error, hint] : cases) {
    if (!lints && std::string(error).find("host function") != std::string::npos) {
      ladder::test::note_skip("host and device rules of a program: clang is not here");
      continue;
    }
    const ladder::ProcessResult ended = folder.write("a.cu", source).check({"a.cu"});
    INFO(ended.output);
    CHECK(ended.status == 1);
    CHECK(has(ended, "a.cu  BUILD ERROR  "));
    CHECK(has(ended, error));
    CHECK(has(ended, hint));
  }
}

TEST_CASE("a mistake that is corrected builds again, and the old program never runs in its place") {
  const ProgramFolder folder;
  folder.write("a.cu", "#include <cstdio>\nint main() { std::puts(\"one\"); }\n");
  CHECK(has(folder.check({"a.cu", "--plain"}), "one\n"));
  folder.write("a.cu", "#include <cstdio>\nint main() { std::puts(\"two\") }\n");
  const ladder::ProcessResult broken = folder.check({"a.cu", "--plain"});
  CHECK(has(broken, "a.cu  BUILD ERROR  a.cu:2: expected ‘;’"));
  CHECK_FALSE(has(broken, "one\n"));
  folder.write("a.cu", "#include <cstdio>\nint main() { std::puts(\"two\"); }\n");
  CHECK(has(folder.check({"a.cu", "--plain"}), "two\n"));
}

TEST_CASE("wrong words about programs are one line and status 2") {
  const ProgramFolder folder;
  folder.write("a.cu", "int main() {}\n").write("b.cpp", "int main() {}\n");
  std::string all;
  for (std::vector<std::string> call : std::vector<std::vector<std::string>>{{"nowhere.cu"},
                                                                             {"b.cpp"},
                                                                             {"a.cu", "-I", "nowhere"},
                                                                             {"a.cu", "--std", "c++14"},
                                                                             {"a.cu", "--std", "c++98"},
                                                                             {"a.cu", "--seconds", "0"},
                                                                             {"a.cu", "03/g1"}}) {
    const ladder::ProcessResult ended = folder.check(call);
    CHECK(ended.status == 2);
    call.insert(call.begin(), "check");
    all += transcript(call, ended);
  }
  approve("wrong-words", all);
}

TEST_CASE("where clang crashes, the rules of host and device are said not to be checked") {
  const ProgramFolder folder;
  folder.write("right.cu",
               "#pragma clang __debug parser_crash\n__global__ void k() {}\n"
               "int main() {\n  k<<<1, 1>>>();\n  return cudaDeviceSynchronize();\n}\n");
  const ladder::ProcessResult ended = folder.check({"right.cu"});
  INFO(ended.output);
  CHECK(ended.status == 0);
  if (ladder::read_toolchain(LADDER_BINARY_DIR).lint.empty()) LADDER_SKIP("clang is not here");
  CHECK(has(ended, "Not checked      host and device rules: SKIPPED, clang crashed on this file"));
}
