/// @file
/// What the executor does not have fails when it is compiled, with its name and line.

#include "tests/common/catch.hpp"
#include "tests/common/executor/run.hpp"

#include <filesystem>

using ladder::test::Result;
using ladder::test::run;

namespace {

const std::string folder = "/tmp/ladder-executor-compile-" + std::to_string(getpid());

/// Rewrites and compiles a source, without code.
Result compile(const std::string& source) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/a.cu") << source;
  Result result = run(LADDER_CU2CPP " " + folder + "/a.cu " + folder + "/a.cpp");
  if (result.status == 0)
    result = run(LADDER_CXX " -std=c++20 -Wall -Wextra -fsyntax-only -I" LADDER_SHIM " " + folder + "/a.cpp");
  std::filesystem::remove_all(folder);
  return result;
}

void check_fails(const std::string& source, int line, const std::string& name) {
  const Result result = compile(source);
  INFO(source << "\n" << result.err);
  CHECK(result.status != 0);
  CHECK(result.says("a.cu:" + std::to_string(line) + ":"));
  CHECK(result.says(name));
}

}  // namespace

TEST_CASE("a small source compiles without a warning") {
  const Result result = compile(
      "__global__ void k(int* p) { __shared__ int s[32]; s[0] = 1; __syncthreads(); *p = s[0]; }\n"
      "int main() { k<<<1, 1>>>(nullptr); }\n");
  CHECK(result.status == 0);
  CHECK(result.err == "");
}

TEST_CASE("what is missing is named") {
  check_fails("int main() {\n  cudaTextureObject_t t;\n}\n", 2, "cudaTextureObject_t");
  check_fails("#include <cublas_v2.h>\nint main() { cublasSgetrfBatched(0); }\n", 2, "cublasSgetrfBatched");
  check_fails("#include <cuda_pipeline.h>\n", 1, "cuda_pipeline.h");
  check_fails("__global__ void __cluster_dims__(2) k() {}\n", 1, "__cluster_dims__");
  check_fails("__global__ void k(int* p) {\n  asm(\"bar.sync 0;\");\n}\n", 2, "inline assembly");
  check_fails("__global__ void k(long* p) {\n  atomicAdd(p, 1);\n}\nvoid f() { k<<<1, 1>>>(nullptr); }\n", 2,
              "atomicAdd");
}

TEST_CASE("what nvcc refuses too") {
  check_fails("__global__ void k(int* p) {\n  p[0] = x;\n}\n", 2, "x");
  check_fails("__global__ void k(int* p);\nint main() {\n  k<<<1, 32>>>(\"text\");\n}\n", 3,
              "cannot convert");
  check_fails(
      "#include <vector>\n__global__ void k(std::vector<int> v);\nvoid f(std::vector<int> v) {\n  k<<<1, "
      "1>>>(v);\n}\n",
      4, "pass a pointer and a size");
  check_fails("__global__ void k(int* p) {\n  __shared__ int s = 0;\n}\n", 2, "cannot be initialised");
  check_fails("__global__ void k(int* p) {}\nint main() {\n  k(nullptr);\n}\n", 3, "called like a function");
  check_fails(
      "__global__ void k(int* p) {}\nint main() {\n  void* f = (void*)k;\n  cudaLaunchKernel(f, 1, 1, "
      "nullptr);\n}\n",
      4, "the kernel itself");
}

TEST_CASE("the rewriter reports a file that is not there, and how it is used") {
  const Result missing = run(LADDER_CU2CPP " /nowhere/a.cu /tmp/a.cpp");
  CHECK(missing.status == 1);
  CHECK(missing.says("/nowhere/a.cu:1: error: the file cannot be read"));
  const Result usage = run(LADDER_CU2CPP " a.cu");
  CHECK(usage.status == 2);
  CHECK(usage.says("usage: cu2cpp in.cu out.cpp"));
}
