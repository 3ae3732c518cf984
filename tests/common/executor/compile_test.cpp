/// @file
/// What the executor does not have fails when it is compiled, with its name and line.
// Guards: common/executor/README.md#limits

#include "tests/common/catch.hpp"
#include "tests/common/executor/run.hpp"

#include <filesystem>

using ladder::test::Result;
using ladder::test::run;

namespace {

const std::string folder = "/tmp/ladder-executor-compile-" + std::to_string(getpid());

const std::string flags = " -O1 -Wall -Wextra -Wno-unused-parameter -I" LADDER_SHIM " ";

/// A header with <cuda_runtime.h>, precompiled: every rewritten source includes that first, and compiling it
/// takes longer than the few lines of a test.
std::string precompiled(const std::string& standard) {
  const std::string made = folder + "-" + standard, header = made + "/first.hpp";
  if (!std::filesystem::create_directories(made)) return header;
  std::ofstream(header) << "#include <cuda_runtime.h>\n";
  run(LADDER_CXX " -std=" + standard + flags + "-x c++-header " + header + " -o " + header + ".gch");
  return header;
}
struct CompiledHeaders {
  ~CompiledHeaders() {
    for (const char* standard : {"c++17", "c++20"}) std::filesystem::remove_all(folder + "-" + standard);
  }
} const compiled_headers;

/// Rewrites and compiles a source: what is refused where it is reached is found in code only.
Result compile(const std::string& source, const std::string& standard = "c++20") {
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/a.cu") << source;
  Result result = run(LADDER_CU2CPP " " + folder + "/a.cu " + folder + "/a.cpp");
  if (result.status == 0)
    result = run(LADDER_CXX " -std=" + standard + flags + "-include " + precompiled(standard) + " -c " +
                 folder + "/a.cpp -o " + folder + "/a.o");
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

TEST_CASE("headers that include themselves, through another one or by another path") {
  std::filesystem::create_directories(folder + "/lib");
  // The template's default argument and the structure may not be there twice: a header has one copy or none.
  std::ofstream(folder + "/lib/sum.cuh") << R"(#pragma once
#include "../lib/sum.cuh"
#include "size.hpp"
template <class T>
void sum(T* x, Size n = {32});
#include "sum.cu"
)";
  std::ofstream(folder + "/lib/sum.cu") << R"(#include "sum.cuh"
template <class T>
__global__ void add(T* x) { extern __shared__ T part[]; part[0] = *x; }
template <class T>
void sum(T* x, Size n) { add<T><<<1, n.value, sizeof(T)>>>(x); }
)";
  std::ofstream(folder + "/lib/size.hpp") << R"(#ifndef SIZE
#define SIZE
#include "../lib/plain.hpp"
struct Size { int value; };
#endif
)";
  std::ofstream(folder + "/lib/plain.hpp") << R"(#pragma once
#include "size.hpp"
inline const char* text = "no launch: <<<";
)";
  const Result result = compile("#include \"lib/sum.cuh\"\nint main() { sum<int>(nullptr); }\n");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(result.err == "");
}

TEST_CASE("what is missing is named") {
  check_fails("int main() { cublasSgetrfBatched(0); }\n", 1, "cublasSgetrfBatched");
  check_fails("#include <cublasLt.h>\nint main() {\n  cublasLtMatmul(0);\n}\n", 3,
              "the executor has no cuBLASLt");
  check_fails("__global__ void k(long* p) {\n  atomicAdd(p, 1);\n}\nvoid f() { k<<<1, 1>>>(nullptr); }\n", 2,
              "atomicAdd");
}

TEST_CASE("textures and surfaces") {
  check_fails("int main() {\n  cudaTextureObject_t t;\n}\n", 2, "the executor has no textures");
  check_fails("__global__ void k(unsigned long long t, float* p) {\n  *p = tex2D<float>(t, 0.f, 0.f);\n}\n",
              2, "the executor has no textures");
  check_fails("__global__ void k(unsigned long long t) {\n  surf2Dwrite(1.f, t, 0, 0);\n}\n", 2,
              "the executor has no surfaces");
  check_fails("int main() {\n  cudaArray_t a;\n  cudaMallocArray(&a, 0, 1);\n}\n", 3,
              "the executor has no textures");
}

TEST_CASE("texture references, which CUDA no longer has") {
  check_fails("texture<float, 1, cudaReadModeElementType> tex;\nint main() {}\n", 1,
              "the executor has no texture references");
  check_fails("\ntexture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> tex;\nint main() {}\n", 2,
              "the executor has no texture references");
  CHECK(compile("template <class T> class texture { T value; };\ntexture<float> mine;\nint main() {}\n")
            .status == 0);
  CHECK(compile("int main() { int texture = 1; return texture < 2; }\n").status == 0);
}

TEST_CASE("warp functions without a mask say which ones have it") {
  for (const std::string name : {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"})
    check_fails("__global__ void k(float* p) {\n  *p = " + name + "(*p, 1);\n}\n", 2,
                "use " + name + "_sync()");
  for (const std::string name : {"__ballot", "__any", "__all"})
    check_fails("__global__ void k(int* p) {\n  *p = " + name + "(*p > 1);\n}\n", 2,
                "use " + name + "_sync()");
}

TEST_CASE("inline PTX") {
  check_fails("__global__ void k(int* p) {\n  asm(\"bar.sync 0;\");\n}\n", 2,
              "the executor has no inline assembly (PTX)");
  check_fails(
      "#define D __device__\nD unsigned id() {\n  unsigned r;\n  asm volatile(\"mov.u32 %0, %%laneid;\" : "
      "\"=r\"(r));\n"
      "  return r;\n}\n",
      4, "the executor has no inline assembly (PTX)");
  // Nobody calls it; it is behind an #if; it is the host's.
  for (const std::string source : {"__device__ inline void unused() { asm(\"bar.sync 0;\"); }\n",
                                   "#if 0\n__global__ void k() { asm(\"bar.sync 0;\"); }\n#endif\n",
                                   "void host() { asm volatile(\"\" ::: \"memory\"); }\n"})
    CHECK(compile(source).status == 0);
}

TEST_CASE("launches in kernels, clusters") {
  check_fails("__global__ void a() {}\n__global__ void b() {\n  a<<<1, 1>>>();\n}\n", 3,
              "the executor has no dynamic parallelism");
  check_fails("__global__ void __cluster_dims__(2, 1, 1) k() {}\nint main() {\n  k<<<1, 1>>>();\n}\n", 3,
              "the executor has no clusters of blocks");
  check_fails(
      "#include <cooperative_groups.h>\n__global__ void k() {\n  auto c = "
      "cooperative_groups::this_cluster();\n}\n",
      3, "the executor has no clusters of blocks");
}

TEST_CASE("headers of libraries that are not there") {
  check_fails("#include <mma.h>\n", 1,
              "the executor has no tensor cores by nvcuda::wmma: use common/device/tensor.hpp");
  check_fails("\n#include <thrust/sort.h>\n", 2, "the executor has no Thrust");
  check_fails("#include <cub/cub.cuh>\n", 1, "the executor has no CUB");
  check_fails("#include \"cufft.h\"\n", 1, "the executor has no cuFFT");
  check_fails("#include <curand_kernel.h>\nint main() {\n  curandGenerator_t g;\n}\n", 3,
              "the executor has no cuRAND on the host");
  check_fails("#include <curand_kernel.h>\nvoid f(float* p) {\n  curandGenerateUniform(0, p, 5);\n}\n", 3,
              "the executor has no cuRAND on the host");
  check_fails("#include <cuda/std/mdspan>\n", 1, "the executor has no cuda::std::mdspan");
  check_fails("#include <torch/extension.h>\n", 1, "the executor has no PyTorch");
  check_fails("#include <cuda_fp8.h>\n", 1, "the executor has no 8-bit floating point numbers");
  CHECK(compile("#ifdef USE_THRUST\n#include <thrust/sort.h>\n#endif\n").status == 0);
}

TEST_CASE("what is not supported in other ways") {
  check_fails("__device__ int x;\nint main() {\n  int y = 0;\n  cudaMemcpyToSymbol(\"x\", &y, 4);\n}\n", 4,
              "the executor has no symbols by name");
  check_fails("int main() {\n  cudaGetDriverEntryPoint(\"x\", nullptr, 0);\n}\n", 2,
              "the executor has no entry points of the driver");
  check_fails("extern __shared__ float x[][4];\n", 1, "must be declared inside the kernel");
}

TEST_CASE("the headers are C++17, too") {
  const Result result = compile(
      "#include <cooperative_groups.h>\n#include <cooperative_groups/memcpy_async.h>\n"
      "#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>\n#include <cublasLt.h>\n"
      "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cuda_pipeline.h>\n#include <cuda/atomic>\n"
      "#include <cuda/barrier>\n#include <cuda/latch>\n#include <cuda/pipeline>\n#include <cuda/semaphore>\n"
      "#include <cuComplex.h>\n#include <cuda/cmath>\n#include <cuda/std/atomic>\n#include <cuda/std/span>\n"
      "#include <sm_61_intrinsics.h>\n#include <cuda/std/array>\n#include <cuda/std/type_traits>\n#include "
      "<nvToolsExt.h>\n#include <nvtx3/nvtx3.hpp>\n"
      "#include <cuda.h>\n#include <math_constants.h>\n#include <cuda/annotated_ptr>\n#include "
      "<curand_kernel.h>\n"
      "__global__ void k(int* p) { *p = max(1, 2); }\nint main() { k<<<1, 1>>>(nullptr); }\n",
      "c++17");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(result.err == "");
}

TEST_CASE("cuda::std has span and atomics from C++17 on") {
  for (const std::string standard : {"c++17", "c++20"}) {
    const Result result = compile(
        "#include <cuda/std/atomic>\n#include <cuda/std/span>\n#include <vector>\n"
        "__device__ cuda::std::atomic<int> total;\n"
        "__global__ void k(cuda::std::span<const int> in, cuda::std::span<int> bins) {\n"
        "  cuda::std::atomic_ref<int> bin(bins[in[threadIdx.x]]);\n"
        "  bin.fetch_add(1, cuda::std::memory_order_relaxed);\n  ++bin;\n  total += in.front();\n"
        "  cuda::std::atomic_ref<int>{bins.subspan(1).first(2)[0]} = 3;\n"
        "  for (int x : in.last(4)) total.fetch_max(x);\n}\n"
        "int main() {\n  std::vector<int> v(8);\n  int a[3] = {};\n  cuda::std::span<int> all(v);\n"
        "  cuda::std::span<const int> some(a);\n  cuda::std::span three(a);\n"
        "  k<<<1, 1>>>(some, all);\n  return static_cast<int>(three.size_bytes());\n}\n",
        standard);
    INFO(standard << result.err);
    CHECK(result.status == 0);
    CHECK(result.err == "");
  }
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
}

TEST_CASE("the rewriter reports a file that is not there, and how it is used") {
  const Result missing = run(LADDER_CU2CPP " /nowhere/a.cu /tmp/a.cpp");
  CHECK(missing.status == 1);
  CHECK(missing.says("/nowhere/a.cu:1: error: the file cannot be read"));
  const Result usage = run(LADDER_CU2CPP " a.cu");
  CHECK(usage.status == 2);
  CHECK(usage.says("usage: cu2cpp in.cu out.cpp"));
}
