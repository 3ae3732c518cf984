/// @file
/// What the rewriter changes, what it leaves alone, and what it refuses.
// Guards: common/executor/README.md

#include "common/executor/rewriter/rewriter.hpp"
#include "common/executor/rewriter/copy_elision.hpp"
#include "common/executor/rewriter/lexer.hpp"
#include "tests/common/catch.hpp"

#include <algorithm>

namespace {

using ladder::rewriter::rewrite;

const std::string head = "#include <cuda_runtime.h>\n#line 1 \"a.cu\"\n";

/// The rewritten source without the two lines that every one begins with.
std::string body(const std::string& source) {
  const std::string text = rewrite(source, "a.cu");
  REQUIRE(text.starts_with(head));
  return text.substr(head.size());
}

const std::string launcher = " ::ladder::executor::launcher(::ladder::executor::Site{__FILE__, __LINE__}, ";

std::string launch(const std::string& name, const std::string& configuration, const std::string& arguments) {
  return launcher + "LADDER_EXECUTOR_NAMED(" + name + "), ::ladder::executor::configure(" + configuration +
         ")).launch(" + arguments + ")";
}

/// The same of an expression that gives a kernel.
std::string launch_value(const std::string& value, const std::string& configuration,
                         const std::string& arguments) {
  return launcher + value + ", ::ladder::executor::configure(" + configuration + ")).launch(" + arguments +
         ")";
}

std::string refusal(const std::string& source) {
  try {
    rewrite(source, "a.cu");
  } catch (const ladder::rewriter::RewriteError& error) {
    return error.what();
  }
  return "accepted";
}

long lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace

TEST_CASE("tokens together are the source") {
  const std::string source =
      "int x = 1'000'000; // it's\n#error don't\nauto s = u8R\"a(\" // )a\" ; \"\\\"\" '\\'' 1.5e-3f /* \n";
  std::string text;
  for (const auto& token : ladder::rewriter::tokenize(source)) text += token.text;
  CHECK(text == source);
}

TEST_CASE("launches become calls") {
  CHECK(body("f() { k<<<1, 2>>>(a, b); }") == "f() { " + launch("k", "1, 2", "a, b") + "; }");
  CHECK(body("f() { k<<<g, b, s, t>>>(); }") == "f() { " + launch("k", "g, b, s, t", "") + "; }");
  CHECK(body("f() { ::a::b<1, (2 > 1)>::k<T, 3><<<1, 2>>>(x); }") ==
        "f() { " + launch("::a::b<1, (2 > 1)>::k<T, 3>", "1, 2", "x") + "; }");
  CHECK(body("f() { return ::k<<<(a >> 3) + 1, dim3(2, 3)>>>(x); }") ==
        "f() { return " + launch("::k", "(a >> 3) + 1, dim3(2, 3)", "x") + "; }");
  CHECK(body("f() { case 0:k<<<1,2>>>(x); }") == "f() { case 0:" + launch("k", "1,2", "x") + "; }");
  CHECK(body("f() { if (a < b && c > d) k<<<1,2>>>(x); }") ==
        "f() { if (a < b && c > d) " + launch("k", "1,2", "x") + "; }");
  CHECK(body("f() { o.run([=] { k<<<1,2>>>(x); }); }") ==
        "f() { o.run([=] { " + launch("k", "1,2", "x") + "; }); }");
}

TEST_CASE("expressions that give a kernel are launched") {
  CHECK(body("f() { a[i]<<<1, 2>>>(x); }") == "f() { " + launch_value("a[i]", "1, 2", "x") + "; }");
  CHECK(body("f() { this->s.k<<<1, 2>>>(x); }") == "f() { " + launch_value("this->s.k", "1, 2", "x") + "; }");
  CHECK(body("f() { if (x) (c ? a : b)<<<1, 2>>>(x); }") ==
        "f() { if (x) " + launch_value("(c ? a : b)", "1, 2", "x") + "; }");
  CHECK(body("f() { get(1)[2]<<<1, 2>>>(x); }") == "f() { " + launch_value("get(1)[2]", "1, 2", "x") + "; }");
  CHECK(body("f() { (*p)<<<1, 2>>>(x); }") == "f() { " + launch_value("(*p)", "1, 2", "x") + "; }");
  CHECK(body("f() { [&] { return k; }()<<<1, 2>>>(x); }") ==
        "f() { " + launch_value("[&] { return k; }()", "1, 2", "x") + "; }");
  CHECK(body("f() { if (x) { g(); } (a)<<<1, 2>>>(x); }") ==
        "f() { if (x) { g(); } " + launch("a", "1, 2", "x") + "; }");
}

TEST_CASE("macros that hold a part of a launch, or of a kernel's head") {
  CHECK(body("#define C <<<1, 2>>>\nf() { k C (x); }") ==
        "#define C ::ladder::executor::configure(1, 2)\nf() { " + launcher +
            "LADDER_EXECUTOR_NAMED(k ), C).launch (x); }");
  CHECK(body("#define C(n) <<<1, n>>>\nf() { k C(3)(x); }") ==
        "#define C(n) ::ladder::executor::configure(1, n)\nf() { " + launcher +
            "LADDER_EXECUTOR_NAMED(k ), C(3)).launch(x); }");
  CHECK(body("#define L(k, ...) k<<<__VA_ARGS__>>>\n") ==
        "#define L(k, ...) " + launcher +
            "LADDER_EXECUTOR_NAMED(k), ::ladder::executor::configure(__VA_ARGS__))\n");
  CHECK(body("#define KERNEL __global__ void\nKERNEL k() {}") ==
        "#define KERNEL __global__ void\nKERNEL k() { LADDER_EXECUTOR_KERNEL}");
  CHECK(body("#define DEVICE __device__\nDEVICE void f() { free(p); }") ==
        "#define DEVICE __device__\nDEVICE void f() { ::ladder::executor::device_free(p); }");
}

TEST_CASE("a name that only a call finds is launched by its call") {
  const std::string kernel = "namespace n { __global__ void k(X x); }\n",
                    launch = "void f() { k<<<1, 2>>>(x); }";
  CHECK(body(kernel + launch).find("LADDER_EXECUTOR_CALLED(k)") != std::string::npos);
  CHECK(body(kernel + "using namespace n;\n" + launch).find("LADDER_EXECUTOR_NAMED(k)") != std::string::npos);
  CHECK(body(kernel + "namespace n { " + launch + " }").find("LADDER_EXECUTOR_NAMED(k)") !=
        std::string::npos);
  CHECK(body("__global__ void k(int n = 1);\n" + launch).find("LADDER_EXECUTOR_CALLED(k)") !=
        std::string::npos);
}

TEST_CASE("a brace that nothing closes is named where it opens") {
  CHECK(refusal("__global__ void k(int* p) {\n  if (p) {\n    p[0] = 1;\n}\n\nint main() {\n}\n") ==
        "a.cu:2: error: nothing closes this '{'");
  CHECK(refusal("void f() {\n}\nint main() {\n  f();\n") == "a.cu:3: error: nothing closes this '{'");
  CHECK(refusal("namespace a {\nvoid f() {\n}\nEND_OF_A\n") == "accepted");
  CHECK(refusal("namespace a {\nvoid f() {\n  if (p) {\n    p[0] = 1;\n}\n}\n") ==
        "a.cu:3: error: nothing closes this '{'");
  CHECK(refusal("void f() BEGIN\n}\n") == "accepted");
  CHECK(refusal("void f()\n#if A\n{\n#else\n{\n#endif\n}\n") == "accepted");
}

TEST_CASE("brackets are matched in one branch of an #if") {
  const std::string kernel =
      "__global__ void k()\n#ifdef A\n{ a();\n#else\n{ b();\n#endif\n}\nvoid h() { free(p); }\n";
  const std::string marked = body(kernel);
  CHECK(marked.find("{ LADDER_EXECUTOR_KERNEL a();") != std::string::npos);
  CHECK(marked.find("device_free") == std::string::npos);
}

TEST_CASE("the bodies of kernels begin with their mark, and no others") {
  CHECK(body("template <int T>\nstatic __global__ void __launch_bounds__(T) k(int* p)\n{ if (T) { *p = 1; } "
             "}") ==
        "template <int T>\nstatic __global__ void __launch_bounds__(T) k(int* p)\n"
        "{ LADDER_EXECUTOR_KERNEL LADDER_EXECUTOR_BOUNDS(T) if (T) { *p = 1; } }");
  CHECK(body("int a;\n__launch_bounds__(f(1, 2), 3) __global__ void k() {}") ==
        "int a;\n__launch_bounds__(f(1, 2), 3) __global__ void k() "
        "{ LADDER_EXECUTOR_KERNEL LADDER_EXECUTOR_BOUNDS(f(1, 2), 3)}");
  CHECK(body("__global__ void __launch_bounds__(1) j() {}\n__global__ void k() {}")
            .ends_with("__global__ void k() { LADDER_EXECUTOR_KERNEL}"));
  CHECK(body("extern \"C\" __global__ void k() {}") ==
        "extern \"C\" __global__ void k() { LADDER_EXECUTOR_KERNEL}");
  CHECK(body("__global__ void k(int*p){p[0]=1;}") ==
        "__global__ void k(int*p){ LADDER_EXECUTOR_KERNEL p[0]=1;}");
  CHECK(body("template <class T> __global__ void k(T t) requires requires (T a) { a + a; } { t; }") ==
        "template <class T> __global__ void k(T t) requires requires (T a) { a + a; } { "
        "LADDER_EXECUTOR_KERNEL t; "
        "}");
  CHECK(body("#define K(n) \\\n  __global__ void n() { \\\n  }\n") ==
        "#define K(n) \\\n  __global__ void n() { LADDER_EXECUTOR_KERNEL \\\n  }\n");
  for (const std::string source :
       {"__global__ void k(int* p); void f() { g(); }", "__device__ int d() { return 1; }",
        "__device__ __host__ int d() { return 1; }", "__shared__ struct { int a; } s;"})
    CHECK(body(source).find("LADDER_EXECUTOR_KERNEL") == std::string::npos);
}

TEST_CASE("lines keep their numbers") {
  const std::string source = "f() {\n  k\n    <<<1, // >>> (\n       2>>>\n    (x,\n     y);\n}\n";
  CHECK(lines(body(source)) == lines(source));
  const std::string macro = "#define L(K) K<<<1, \\\n  2>>>(0) \\\n  + 1\nint x;\n";
  CHECK(lines(body(macro)) == lines(macro));
  CHECK(body(macro).find("configure(1, \\\n") != std::string::npos);
  CHECK(rewrite("int x;", "a \"b\".cu") == "#include <cuda_runtime.h>\n#line 1 \"a \\\"b\\\".cu\"\nint x;");
}

TEST_CASE("what looks like CUDA and is not stays") {
  for (const std::string source :
       {"const char* s = \"k<<<1, 2>>>(x); extern __shared__ int q[];\";", "// k<<<1, 2>>>(x)\n",
        "/* k<<<1,\n2>>>(x) */", "auto r = R\"x(k<<<1, 2>>>(x))x\";",
        "template <class T> std::ostream& operator<<<T>(std::ostream&, T);",
        "int y = 1 << 3 >> 1; a <<= 2; std::vector<std::vector<std::vector<int>>> v(3);",
        "extern int n; extern \"C\" int f();", "#error don't\n#define APOSTROPHE 'x'\n"})
    CHECK(body(source) == source);
}

TEST_CASE("dynamic shared memory becomes a pointer, outside functions an object") {
  const std::string memory = "(::ladder::executor::dynamic_shared());";
  CHECK(body("f() { extern __shared__ double s[]; }") ==
        "f() { double* const s = static_cast<double*>" + memory + " }");
  CHECK(body("f() { extern __shared__ __align__(16) unsigned char s[]; }") ==
        "f() { unsigned char* const s = static_cast<unsigned char*>" + memory + " }");
  CHECK(body("f() { extern volatile __shared__ int s[]; }") ==
        "f() { volatile int* const s = static_cast<volatile int*>" + memory + " }");
  CHECK(body("f() { extern __shared__ a::T s[][N + 1]; }") ==
        "f() { a::T (* const s)[N + 1] = static_cast<a::T (*)[N + 1]>" + memory + " }");
  const std::string object = "static const ::ladder::executor::DynamicShared<float> s{};";
  CHECK(body("extern __shared__ float s[];") == object);
  CHECK(body("namespace a {\nextern \"C\" {\nextern __shared__ float s[];\n}}") ==
        "namespace a {\nextern \"C\" {\n" + object + "\n}}");
  // Both branches open a brace, one closes it.
  const std::string branches = "f() {\n#if A\nif (a) {\n#else\nif (b) {\n#endif\n}\n}\n";
  CHECK(body(branches + "extern __shared__ float s[];") == branches + object);
}

TEST_CASE("small repairs") {
  CHECK(body("__noinline__ int f();") == "__attribute__((noinline)) int f();");
  CHECK(body("f() { __shared__ alignas(16) T s[4]; }") ==
        "f() { __shared__ LADDER_EXECUTOR_ALIGNED(16) T s[4]; }");
  CHECK(body("f() { static __shared__ int s; }") == "f() {  __shared__ int s; }");
  CHECK(body("f() { cudaLaunchCooperativeKernel((void*)k, 1, 2, a, 0, s); }") ==
        "f() { cudaLaunchCooperativeKernel(k, 1, 2, a, 0, s); }");
  CHECK(body("f() { cudaLaunchKernel((const void*)k<T>, 1, 2, a); }") ==
        "f() { cudaLaunchKernel(k<T>, 1, 2, a); }");
}

TEST_CASE("launches with blanks, and null pointers as arguments") {
  CHECK(body("f() { k << <1, 2>> >(a); }").find("configure( 1, 2)") != std::string::npos);
  const std::string kernel = "__global__ void k(int* p, int n, float* q);\n";
  const std::string text = body(kernel + "f() { k<<<1, 2>>>(0, 0, NULL); }");
  CHECK(text.find(".launch(nullptr, 0, nullptr)") != std::string::npos);
  CHECK(body("f() { j<<<1, 2>>>(0); }").find(".launch(0)") != std::string::npos);
}

TEST_CASE("kernels by their address") {
  const std::string kernel = "__global__ void k(int* p);\n";
  CHECK(body(kernel + "void* f = (void*)k;") == kernel + "void* f =  ::ladder::executor::kernel_address(k);");
  CHECK(body(kernel + "auto f = (const void *)k<2, int>;") ==
        kernel + "auto f =  ::ladder::executor::kernel_address(k<2, int>);");
  CHECK(body(kernel + "auto f = reinterpret_cast<void*>(&k);") ==
        kernel + "auto f =  ::ladder::executor::kernel_address(k);");
  CHECK(body(kernel + "auto f = (void*)other;") == kernel + "auto f = (void*)other;");
}

TEST_CASE("the heap of the device") {
  CHECK(body("__device__ void f() { p = malloc(4); free(p); q = new T[2]; delete[] q; }") ==
        "__device__ void f() { p = ::ladder::executor::device_malloc(4); ::ladder::executor::device_free(p); "
        "q = new (::ladder::executor::DeviceNew{}) T[2]; delete[] q; }");
  for (const std::string host :
       {"void f() { p = malloc(4); free(p); q = new T; }", "__device__ int x = 3; void f() { q = new T; }",
        "__device__ void f(); void g() { free(p); }"})
    CHECK(body(host) == host);
  const std::string constructor = "struct S { __device__ S(int v) : a{v}, b{v} { p = ";
  CHECK(body(constructor + "malloc(1); } void h() { free(p); } };") ==
        constructor + "::ladder::executor::device_malloc(1); } void h() { free(p); } };");
}

TEST_CASE("what the executor has not becomes a line for the compiler") {
  CHECK(body("__global__ void k() {\n  asm volatile(\"bar.sync 0;\"\n  :);\n}\n") ==
        "__global__ void k() { LADDER_EXECUTOR_KERNEL\n  "
        "::ladder::executor::missing_inline_assembly()\n;\n}\n");
  CHECK(body("#include <thrust/sort.h>\nint x;\n") == "#error the executor has no Thrust\nint x;\n");
  CHECK(body("__global__ void k() { j<<<1, 2>>>(); }").find("missing_dynamic_parallelism()") !=
        std::string::npos);
  CHECK(body("__host__ __device__ void f() { j<<<1, 2>>>(); }").find("missing") == std::string::npos);
}

TEST_CASE("what cannot be is refused with file and line") {
  CHECK(refusal("\nf() { k<<<1>>>(x); }") == "a.cu:2: error: a launch needs at least <<<grid, block>>>");
  CHECK(refusal("f() {\n k<<<1, 2(x); }").starts_with("a.cu:2: error: no '>>>'"));
  CHECK(refusal("f() { ; <<<1, 2>>>(x); }").starts_with("a.cu:1: error: no kernel name"));
  CHECK(refusal("f() { extern __shared__ int a[], b[]; }")
            .starts_with("a.cu:1: error: write dynamic shared memory as"));
  CHECK(refusal("f() { extern __shared__ int a[4]; }")
            .starts_with("a.cu:1: error: write dynamic shared memory as"));
  CHECK(refusal("f() {\n\n__shared__ int a = 0; }")
            .starts_with("a.cu:3: error: a __shared__ variable cannot be initialised"));
}

TEST_CASE("a kernel that is called like a function is refused") {
  const std::string kernel = "__global__ void __launch_bounds__(32) k(int* p) { *p = 1; }\n";
  CHECK(refusal(kernel + "int main() { k(p); }") ==
        "a.cu:2: error: the kernel 'k' is called like a function; launch it: k<<<grid, block>>>(...)");
  CHECK(refusal(kernel + "int main() { if (a) b(); else ::k(p); }")
            .starts_with("a.cu:2: error: the kernel 'k'"));
  CHECK(refusal(kernel + "int main() { k<<<1, 2>>>(p); }") == "accepted");
  CHECK(refusal(kernel + "void k(int* p, int n) { k<<<1, n>>>(p); }\nint main() { k(p, 3); }") == "accepted");
  CHECK(refusal("__global__ void k(int* p);\n" + kernel) == "accepted");
}

TEST_CASE("a header that needs it is replaced, with its own name") {
  const auto headers = [](const std::string& name) -> std::optional<std::string> {
    if (name == "kernels.cuh") return "/build/kernels.cuh";
    return {};
  };
  CHECK(rewrite("#include \"kernels.cuh\"\n#include \"other.hpp\"\n#include <cmath>\n", "a.cu", headers) ==
        head + "#include \"/build/kernels.cuh\"\n#include \"other.hpp\"\n#include <cmath>\n");
}

TEST_CASE("a program that lives by a copy being left out keeps that") {
  const std::string owner = "struct M { double* p; M(int n) { cudaMalloc(&p, n); } ~M() { cudaFree(p); }";
  for (const std::string& source : std::initializer_list<std::string>{
           owner + " };\n", "struct M { double* p; ~M(); };\nM::~M() { cudaFree(p); }\n",
           "class M { virtual ~M() noexcept { delete p; } int* p; void f(const M& other); };\n"})
    CHECK(ladder::rewriter::relies_on_elision(source, "a.cu"));
  for (const std::string& source : std::initializer_list<std::string>{
           owner + " M(const M&) = delete; };\n", owner + " M(M&& other) noexcept : p(other.p) {} };\n",
           "template <class T> struct M { M(const M<T>& other); ~M() { free(p); } T* p; };\n",
           "struct Shape { virtual ~Shape() {} virtual int sides() = 0; };\n",
           "struct Shape { virtual ~Shape() noexcept = default; };\n",
           "void f(Body* b) { b->~Body(); int x = ~mask(3); }\n"})
    CHECK(!ladder::rewriter::relies_on_elision(source, "a.cu"));
}
