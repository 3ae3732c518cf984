/// @file
/// check FILE.cu…: programs of somebody else's, end to end, with the real compiler and the real executor.
// Guards: docs/programs.md

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/tool/build/toolchain.hpp"
#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"

namespace fs = std::filesystem;
using ladder::test::approve;
using ladder::test::transcript;
using nlohmann::json;

namespace {

/// A folder with sources, whose name has a blank, and the tool started from there.
class Folder {
 public:
  Folder() : path_(scratch_.path() / "some code") {}

  const Folder& write(const std::string& name, const std::string& text) const {
    ladder::write_text(path_ / name, text);
    return *this;
  }

  ladder::ProcessResult check(std::vector<std::string> words,
                              std::map<std::string, std::string> environment = {}) const {
    words.insert(words.begin(), {LADDER_TOOL, "check"});
    environment.insert(
        {{"LADDER_BUILD", LADDER_BINARY_DIR}, {"LADDER_ROOT", LADDER_PROJECT}, {"COLUMNS", "100"}});
    return ladder::run_process(
        {.arguments = words, .folder = path_, .environment = environment, .seconds = 300});
  }

  /// The "program" of the document.
  json document(std::vector<std::string> words, int status) const {
    words.insert(words.begin(), {"--json", "out.json"});
    const ladder::ProcessResult ended = check(words);
    INFO(ended.output);
    CHECK(ended.status == status);
    return json::parse(ladder::read_text(path_ / "out.json")).at("program");
  }

  const fs::path& path() const { return path_; }

 private:
  ladder::ScratchFolder scratch_;
  fs::path path_;
};

bool has(const ladder::ProcessResult& ended, const std::string& text) {
  return ended.output.find(text) != std::string::npos;
}

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
  const Folder folder;
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
  const Folder folder;
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
  const Folder folder;
  folder.write("quiet.cu", "int main() {}\n").check({"quiet.cu"});
  CHECK(fs::exists(built));
  for (int i = 24; i < 30; ++i) CHECK_FALSE(fs::exists(old(i)));
  fs::remove(built);
  for (int i = 0; i < 30; ++i) fs::remove(old(i));
}

TEST_CASE("the exit status of the program is told, and the document has its output") {
  const Folder folder;
  folder.write("sum.cu", sum).write("scale.hpp", "inline int scaled(int i) { return i; }\n");
  const json program =
      folder.document({"--plain", "-D", "SCALE=1", "-o", "kept", "sum.cu", "--", "4", "3"}, 1);
  CHECK(program["verdict"] == "WRONG");
  CHECK(program["exit_status"] == 3);
  CHECK(program["output"] == "total 6");
  CHECK(program["observation"]["incomplete"] == "--plain");
  CHECK(ladder::run_process({.arguments = {(folder.path() / "kept").string(), "3"}}).output == "total 3");
}

TEST_CASE("a race and memory that nobody has written are found, with file, line and both parties") {
  const Folder folder;
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
  const Folder folder;
  folder.write("out.cu",
               "__global__ void k(int* x) {\n  x[threadIdx.x] = 1;\n}\nint main() {\n  int* x;\n  "
               "cudaMalloc(&x, 16);\n"
               "  k<<<1, 32>>>(x);\n  cudaDeviceSynchronize();\n}\n");
  approve("out-of-bounds", folder.check({"out.cu"}));
}

TEST_CASE("a program that hangs, needs too much, or is ended by a signal") {
  const Folder folder;
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
  const Folder folder;
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
  const Folder folder;
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
  const Folder folder;
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
  const Folder folder;
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

TEST_CASE("a program that needs too much memory only when it is observed is observed in a smaller part") {
  const Folder folder;
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
  const Folder folder;
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

TEST_CASE("where clang crashes, the rules of host and device are said not to be checked") {
  const Folder folder;
  folder.write("right.cu",
               "#pragma clang __debug parser_crash\n__global__ void k() {}\n"
               "int main() {\n  k<<<1, 1>>>();\n  return cudaDeviceSynchronize();\n}\n");
  const ladder::ProcessResult ended = folder.check({"right.cu"});
  INFO(ended.output);
  CHECK(ended.status == 0);
  if (ladder::read_toolchain(LADDER_BINARY_DIR).lint.empty()) LADDER_SKIP("clang is not here");
  CHECK(has(ended, "Not checked      host and device rules: SKIPPED, clang crashed on this file"));
}

TEST_CASE("a program that ends badly keeps its findings, and the cause of its end stands first") {
  const Folder folder;
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
  const Folder folder;
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
  const Folder folder;
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
  const Folder folder;
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
