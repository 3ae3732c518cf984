/// @file
/// Host and device rules: clang on small sources with one mistake each, and its silence on everything that is
/// right.
// Guards: common/executor/README.md#limits

#include <cstdlib>
#include <filesystem>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/tool/build/lint.hpp"
#include "common/tool/build/toolchain.hpp"
#include "tests/common/catch.hpp"

namespace fs = std::filesystem;
using ladder::BuildFailure;

namespace {

const fs::path project = LADDER_PROJECT;

bool clang_is_here() {
  return !ladder::read_toolchain(LADDER_BINARY_DIR).lint.empty();
}

std::string output_of_lint(const fs::path& source, const std::vector<std::string>& more,
                           const std::string& standard, const ladder::Toolchain& toolchain) {
  const ladder::ScratchFolder folder;
  const fs::path output = folder.path() / "a.lint";
  std::vector<std::string> command = {"sh", toolchain.lint_script.string(), output.string()};
  const std::vector<std::string> words = toolchain.lint_words(standard);
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), more.begin(), more.end());
  command.push_back(source.string());
  ladder::run_process({.arguments = command, .seconds = 60});
  return ladder::read_text(output);
}

std::vector<BuildFailure> lint(const fs::path& source, const std::vector<std::string>& more,
                               const std::string& standard, const ladder::Toolchain& toolchain) {
  return ladder::lint_errors(output_of_lint(source, more, standard, toolchain), source.parent_path());
}

std::vector<BuildFailure> lint(const fs::path& source, const std::vector<std::string>& more,
                               const std::string& standard = "c++20") {
  return lint(source, more, standard, ladder::read_toolchain(LADDER_BINARY_DIR));
}

/// The violations in a source, each as "line: text".
std::string found_in(const std::string& text, const std::string& standard = "c++20") {
  const ladder::ScratchFolder folder;
  ladder::write_text(folder.path() / "a.cu", text);
  std::string found;
  for (const BuildFailure& error : lint(folder.path() / "a.cu", {}, standard))
    found += error.where.substr(error.where.find(':') + 1) + ": " + error.text + "\n";
  return found;
}

}  // namespace

#define NEEDS_CLANG \
  if (!clang_is_here()) LADDER_SKIP("host and device rules: clang is not here")

TEST_CASE("lint: each mistake is found, once, with its line and in plain words") {
  NEEDS_CLANG;
  const std::pair<const char*, const char*> cases[] = {
      {"double twice(double x) { return 2 * x; }\n__global__ void k(double* x) {\n  x[0] = twice(x[0]);\n}\n",
       "3: twice() is a host function: a kernel cannot call it\n"},
      {"#include <vector>\n__global__ void k(int* n, std::vector<int>* v) {\n  *n = v->size();\n}\n",
       "3: std::vector<…>::size() is a host function: a kernel cannot call it\n"},
      {"#include <vector>\n__global__ void k(int* n) {\n  std::vector<int> v(*n);\n}\n",
       "3: the constructor of std::vector<int> is a host function: a kernel cannot call it\n"},
      {"#include <algorithm>\n__global__ void k(int* n) {\n  std::sort(n, n + 9);\n}\n",
       "3: sort() is a host function: a kernel cannot call it\n"},
      {"#include <memory>\n#include <utility>\n__global__ void k(int* n) {\n  std::swap(n[0], n[1]);\n}\n",
       "4: swap() is a host function: a kernel cannot call it\n"},
      {"#include <memory>\n__global__ void k(int* n, std::unique_ptr<int>* p) {\n  p->swap(*p);\n}\n",
       "3: std::unique_ptr::swap() is a host function: a kernel cannot call it\n"},
      {"__global__ void k(int* n) {\n  __shared__ int sum = 0;\n  sum += *n;\n}\n",
       "2: a __shared__ variable cannot be initialised where it is declared\n"},
      {"__device__ int one() { return 1; }\nint main() {\n  return one();\n}\n",
       "3: one() is a device function: the host cannot call it\n"},
      {"int main() {\n  __syncthreads();\n}\n",
       "2: __syncthreads() is a device function: the host cannot call it\n"},
      {"int count = 3;\n__global__ void k(int* n) {\n  *n = count;\n}\n",
       "3: count is a variable of the host: a kernel cannot use it\n"},
      {"struct Point { float x; float norm() const { return x; } };\n__global__ void k(Point* p) {\n  p->x = "
       "p->norm();\n}\n",
       "3: norm() is a host function: a kernel cannot call it\n"},
      {"float host(float x) { return x; }\ntemplate <class T> __device__ T twice(T x) {\n  return "
       "host(x);\n}\n"
       "__global__ void k(float* x) { *x = twice(*x); }\n",
       "3: host() is a host function: a kernel cannot call it\n"}};
  for (const auto& [source, expected] : cases) {
    INFO(source);
    CHECK(found_in(source) == expected);
    CHECK(found_in(source, "c++17") == expected);
  }
}

TEST_CASE("lint: headers that clang refuses as precompiled are read") {
  NEEDS_CLANG;
  const ladder::ScratchFolder folder;
  ladder::write_text(folder.path() / "a.cu",
                     "double twice(double x) { return 2 * x; }\n__global__ void k(double* x) {\n  x[0] = "
                     "twice(x[0]);\n}\n");
  ladder::Toolchain toolchain = ladder::read_toolchain(LADDER_BINARY_DIR);
  const std::string text = (folder.path() / "text").string(), empty = (folder.path() / "empty").string();
  ladder::write_text(text, "no header");
  ladder::write_text(empty, "");
  for (const std::string& file : {text, empty, (folder.path() / "none").string()}) {
    CAPTURE(file);
    toolchain.lint_headers["c++20"] = {file, file};
    const auto found = lint(folder.path() / "a.cu", {}, "c++20", toolchain);
    REQUIRE(found.size() == 1);
    CHECK(found[0].text.find("twice() is a host function") == 0);
  }
}

TEST_CASE("lint: precompiled headers of which one has changed are made again by the next build") {
  NEEDS_CLANG;
  const ladder::ScratchFolder folder;
  ladder::write_text(folder.path() / "a.cu",
                     "int twice(int x) { return 2 * x; }\n__global__ void k(int* v) { *v = twice(*v); }\n");
  const fs::path header = folder.path() / "part.h", whole = folder.path() / "headers.cuh";
  ladder::write_text(header, "#pragma once\nint once(int x);\n");
  ladder::write_text(whole, "#include <cuda_runtime.h>\n#include \"" + header.string() + "\"\n");
  ladder::Toolchain toolchain = ladder::read_toolchain(LADDER_BINARY_DIR);
  const fs::path compiled = folder.path() / "device.pch";
  std::vector<std::string> precompile = {
      "sh", (toolchain.lint_script.parent_path() / "lint_headers.sh").string(), compiled.string()};
  precompile.insert(precompile.end(), toolchain.lint.begin(), toolchain.lint.end() - 4);  // the header itself
  precompile.insert(precompile.end(), {"-std=c++20", whole.string()});
  ladder::run_process({.arguments = precompile, .seconds = 60});
  toolchain.lint_headers["c++20"] = {compiled.string(), (folder.path() / "none").string()};
  for (const bool changed : {false, true}) {
    CAPTURE(changed);
    if (changed) ladder::write_text(header, "#pragma once\nint once(int x, int y);\n");
    const auto found = lint(folder.path() / "a.cu", {}, "c++20", toolchain);
    REQUIRE(found.size() == 1);
    CHECK(found[0].text.find("twice() is a host function") == 0);
    CHECK(fs::exists(compiled) != changed);
  }
}

TEST_CASE("lint: what both sides have may be used on both, and what is wrong besides is found") {
  NEEDS_CLANG;
  // Of two functions that differ in their side alone clang keeps one in a precompiled header. All that the
  // header declares for the device is here, and so is what a host may do besides.
  const std::string both = R"(
  f = acosf(f) + acoshf(f) + asinf(f) + asinhf(f) + atanf(f) + atanhf(f) + cbrtf(f) + ceilf(f) + cosf(f)
      + coshf(f) + erff(f) + erfcf(f) + expf(f) + exp2f(f) + exp10f(f) + expm1f(f) + fabsf(f) +
      floorf(f) + lgammaf(f) + logf(f) + log10f(f) + log1pf(f) + log2f(f) + logbf(f) + nearbyintf(f) +
      rintf(f) + roundf(f) + sinf(f) + sinhf(f) + sqrtf(f) + tanf(f) + tanhf(f) + tgammaf(f) +
      truncf(f);
  f = atan2f(f, f) + copysignf(f, f) + fdimf(f, f) + fmaxf(f, f) + fminf(f, f) + fmodf(f, f) + hypotf(f,
      f) + nextafterf(f, f) + powf(f, f) + remainderf(f, f) + fmaf(f, f, f);
  i = ilogbf(f) + lroundf(f) + lrintf(f) + llroundf(f) + llrintf(f);
  d = j0(d) + j1(d) + y0(d) + y1(d) + j0f(f) + j1f(f) + y0f(f) + y1f(f) + exp10(d);
  f = frexpf(f, &i) + ldexpf(f, i) + modff(f, &f) + remquof(f, f, &i) + scalbnf(f, i) + scalblnf(f, 3L);
  sincos(d, &d, &d); sincosf(f, &f, &f);
  d = acos(d) + acosh(d) + atan2(d, d) + cbrt(d) + ceil(d) + cos(d) + erf(d) + erfc(d) + exp(d) +
      exp2(d) + expm1(d) + fabs(d) + fdim(d, d) + floor(d) + fma(d, d, d) + fmax(d, d) + fmin(d, d) +
      fmod(d, d) + frexp(d, &i) + hypot(d, d) + ldexp(d, i) + lgamma(d) + log(d) + log10(d) + log1p(d) +
      log2(d) + logb(d) + lround(d) + modf(d, &d) + nearbyint(d) + pow(d, d) + remainder(d, d) + rint(d)
      + round(d) + sin(d) + sinh(d) + sqrt(d) + tan(d) + tanh(d) + tgamma(d) + trunc(d) + abs(i) +
      labs(3L) + llabs(3LL);
  d = std::abs(d) + std::abs(f) + std::sqrt(f) + std::pow(d, 2) + std::exp(f) + std::min(i, 2) +
      std::max(d, 2.0) + std::isnan(d) + std::isinf(f) + std::isfinite(d) + std::fma(d, d, d) +
      std::log2(f) + std::hypot(d, d) + std::floor(f) + std::round(d) + std::copysign(d, d) +
      std::cos(f) + std::fmax(f, f) + std::signbit(d);
  m = malloc(3); free(m); memset(m, 0, 3); memcpy(m, m, 3); printf("%d", i); clock(); assert(i);
  int* a = new int; delete a; a = new int[9]; delete[] a; a = new (m) int; a = new (m) int[2];
  struct S { __host__ __device__ S() {} __host__ __device__ ~S() {} int x; }; S* s = new S; delete s; s
      = new S[3]; delete[] s; s = new (m) S; s->~S(); ::operator delete(m); m = ::operator new(3);
      ::operator delete[](::operator new[](3));
)";
  const std::string head =
      "#include <algorithm>\n#include <cassert>\n#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n"
      "#include <cstring>\n#include <ctime>\n#include <functional>\n#include <memory>\n#include <new>\n"
      "#include <string>\n#include <vector>\n#line 1\n";
  const std::string parameters = "(float f, double d, int i, void* m) {";
  CHECK(
      found_in(head + "void host" + parameters + both +
               "std::function<void()> g = [] {}; auto p = std::make_unique<int[]>(9); std::vector<int> v(3);"
               "std::string s(\"a\"); int* n = new (std::nothrow) int; delete n; }\n") == "");
  CHECK(found_in(head + "__global__ void k" + parameters + both + "}\n") == "");
  CHECK(found_in(head +
                 "__device__ int twice(int x) { return 2 * x; }\nusing F = int (*)(int);\n"
                 "__global__ void apply(int* v, F f) { *v = f(*v); }\nvoid host" +
                 parameters + both + "\n#line 99\napply<<<1, 32>>>((int*)m, twice);\n}\n") ==
        "99: twice() is a device function: the host can neither call it nor take its address\n");
  CHECK(found_in(head + "int one() { return 1; }\n__global__ void k" + parameters + both +
                 "\n#line 99\ni = one();\n}\n") == "99: one() is a host function: a kernel cannot call it\n");
}

TEST_CASE("lint: a crash of clang's is told, and so is what it said on the other side") {
  NEEDS_CLANG;
  const ladder::ScratchFolder folder;
  // clang, killed on the host's side whatever it reads.
  const fs::path clang = folder.path() / "clang++";
  ladder::Toolchain toolchain = ladder::read_toolchain(LADDER_BINARY_DIR);
  ladder::write_text(clang, "#!/bin/sh\ncase \"$*\" in *--cuda-host-only*) kill -SEGV $$ ;; esac\nexec " +
                                toolchain.lint.at(0) + " \"$@\"\n");
  fs::permissions(clang, fs::perms::owner_all);
  toolchain.lint[0] = clang.string();
  ladder::write_text(folder.path() / "a.cu",
                     "int one() { return 1; }\n__global__ void k(int* v) { *v = one(); }\n");
  const std::string output = output_of_lint(folder.path() / "a.cu", {}, "c++20", toolchain);
  CHECK(ladder::lint_crashed(output));
  CHECK(ladder::lint_errors(output, folder.path()).size() == 1);
}

TEST_CASE("lint: clang does not crash at the C++ library's containers, and finds what is wrong besides") {
  NEEDS_CLANG;
  for (const std::string standard : {"c++20", "gnu++17"})
    CHECK(found_in(R"(
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>
double host(double x) { return x; }
struct Named { std::pair<std::string, std::vector<int>> value; };
__global__ void k(std::pair<int, int> p, int* out) { *out = p.first + std::pair<int, int>(p).second; host(1); }
int main() {
  std::map<std::string, double> times;
  times["k"] = 1;
  std::unordered_map<std::string, std::vector<int>> u{{"a", {1, 2}}};
  std::vector<std::pair<std::string, double>> v(times.begin(), times.end());
  std::deque<std::tuple<std::string, int>> d{{"a", 1}};
  Named a{{"a", {}}}, b = a;
  a = b;
  for (const auto& [name, seconds] : times) printf("%s %g\n", name.c_str(), seconds);
}
)",
                   standard) == "10: host() is a host function: a kernel cannot call it\n");
}

TEST_CASE("lint: a host that takes the address of a device function, in whatever form") {
  NEEDS_CLANG;
  const std::string head =
      "using F = int (*)(int);\n__device__ int twice(int x) { return 2 * x; }\n"
      "template <class T> __device__ T thrice(T x) { return 3 * x; }\n"
      "struct S { static __device__ int same(int x) { return x; } };\n"
      "__global__ void apply(int* v, F f) { *v = f(*v); }\n"
      "template <class G> __global__ void any(int* v, G f) { *v = f(*v); }\nvoid host(int* v) {\n";
  const std::string text = "() is a device function: the host can neither call it nor take its address\n";
  const std::pair<const char*, const char*> cases[] = {
      {"apply<<<1, 32>>>(v, twice);", "twice"},
      {"apply<<<1, 32>>>(v, &twice);", "twice"},
      {"F f = twice; apply<<<1, 1>>>(v, f);", "twice"},
      {"any<<<1, 1>>>(v, twice);", "twice"},
      {"F table[2] = {twice, nullptr}; apply<<<1, 1>>>(v, table[0]);", "twice"},
      {"apply<<<1, 1>>>(v, thrice<int>);", "thrice<int>"},
      {"apply<<<1, 1>>>(v, S::same);", "same"}};
  for (const auto& [line, name] : cases) {
    INFO(line);
    CHECK(found_in(head + line + "\n}\n") == "8: " + std::string(name) + text);
  }
}

TEST_CASE("lint: pointers to device functions that a device takes, and what is for both sides, are right") {
  NEEDS_CLANG;
  CHECK(found_in(R"(
#include <cuda_runtime.h>
using F = int (*)(int);
__device__ int twice(int x) { return 2 * x; }
__host__ __device__ int next(int x) { return x + 1; }
__device__ F chosen = twice;
__device__ F table[2] = {twice, next};
struct Twice { __device__ int operator()(int x) const { return twice(x); } };
__global__ void apply(int* v, F f) { *v = f(*v); }
__global__ void local(int* v) { F f = twice; *v = f(*v); }
template <F f> __global__ void fixed(int* v) { *v = f(*v); }
template <class G> __global__ void any(int* v, G g) { *v = g(*v); }
template <F f> void launch(int* v) { fixed<f><<<1, 1>>>(v); }
void host(int* v) {
  F f;
  cudaMemcpyFromSymbol(&f, chosen, sizeof f);
  apply<<<1, 1>>>(v, f);
  apply<<<1, 1>>>(v, next);
  fixed<twice><<<1, 1>>>(v);
  launch<twice>(v);
  any<<<1, 1>>>(v, Twice());
  local<<<1, 1>>>(v);
  static_assert(sizeof(decltype(&twice)) > 0);
}
)") == "");
}

TEST_CASE("lint: what nvcc accepts is not accused") {
  NEEDS_CLANG;
  CHECK(found_in(R"(
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
constexpr double pi = 3.14;
const int fixed = 4;
__constant__ float table[4];
__device__ int counter;
constexpr int next(int x) { return x + 1; }
template <class T> __host__ __device__ T square(T x) { return x * x; }
struct Twice { __host__ __device__ double operator()(double x) const { return 2 * x; } };
__device__ double all(double x, float y) {
  double s, c;
  sincos(x, &s, &c);
  return std::sqrt(x) + exp(x) + sqrtf(y) + fabsf(y) + std::max(x, 1.0) + pow(x, 2) + rsqrt(x) + fma(x, x, x) +
         fmaxf(y, 1.f) + erf(x) + std::abs(x) + isnan(x) + s + c + __expf(y) + fmod(x, 2.0) + cbrt(x) + hypot(x, x);
}
__global__ void k(double* x, int n, Twice twice, __half* h) {
  extern __shared__ double dynamic[];
  __shared__ double s[32];
  const cg::thread_block block = cg::this_thread_block();
  s[threadIdx.x] = all(x[0], 1.f) + fixed + pi + table[0] + next(3) + twice(2) + square(2.0) + blockDim.x + warpSize;
  block.sync();
  __syncthreads();
  assert(n > 0);
  if (threadIdx.x == 0) printf("%g\n", s[1]);
  atomicAdd(&x[0], 1.0);
  atomicAdd(&counter, 1);
  double* y = new double[3];
  delete[] y;
  void* z = malloc(3);
  free(z);
  memset(x, 0, 8);
  const int low = std::numeric_limits<int>::min();
  auto add = [=](int a) { return a + low; };
  x[7] = add(__shfl_down_sync(~0u, min(n, 2), 1)) + __popc(n) + __ldg(x) + double(__half2float(h[0])) + dynamic[0];
}
int main() {
  std::vector<double> v(10);
  std::string name = "a";
  const double reference = std::sqrt(v[0]) + rsqrt(2.0) + square(3.0) + Twice()(2) + make_float2(1, 2).x;
  double* d;
  cudaMalloc(&d, 80);
  k<<<dim3(1), dim3(32), 64>>>(d, static_cast<int>(reference), Twice(), nullptr);
  cudaDeviceSynchronize();
  printf("%zu %s\n", v.size(), name.c_str());
}
)") == "");
}

// Solutions and skeletons: the parts of the verb test that judge them are told what clang says of each.

TEST_CASE("lint: silent on the programs that the executor is tested with") {
  NEEDS_CLANG;
  for (const char* folder : {"tests/common/executor/programs", "common/programs"})
    for (const auto& entry : fs::directory_iterator(project / folder)) {
      if (entry.path().extension() != ".cu") continue;
      for (const BuildFailure& error : lint(entry.path(), {"-I" + project.string()}))
        FAIL_CHECK(entry.path().string() << ": " << error.line());
    }
}

TEST_CASE("lint: only the rules of host and device count, and nothing in our headers or the library's") {
  CHECK(ladder::lint_errors("/a/b.cu:3:2: error: unknown type name 'foo'\n", "/a").empty());
  CHECK(ladder::lint_errors(
            "/p/common/executor/include/executor/math.h:3:2: error: reference to __host__ variable 'x' in "
            "__device__ function\n",
            "/p")
            .empty());
  CHECK(ladder::lint_errors(
            "/a/b.cu:3:2: error: no matching function for call to 'f'\n"
            "/p/common/executor/include/executor/new.h:9:1: note: candidate function not viable: call to "
            "__host__ function from __global__ function\n",
            "/a")
            .empty());
  const auto errors = ladder::lint_errors(
      "/a/b.cu:3:2: error: no matching function for call to 'f'\n"
      "/a/b.cu:1:1: note: candidate function not viable: call to __host__ function from __global__ "
      "function\n",
      "/a");
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].line() == "b.cu:3: f() is a host function: a kernel cannot call it");
  CHECK(ladder::lint_errors("garbage: error: \n: error: x\n1:2: error: y\n", "/a").empty());
}
