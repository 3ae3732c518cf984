/// @file
/// What a step's text says to the compiler: the word and its line, and nothing of what honest steps say.
// Guards: docs/grading.md#attacks

#include "common/grade/evidence/source_words.hpp"

#include "tests/common/catch.hpp"

namespace ladder::grade {
namespace {

std::string said_of(const std::vector<Suspicion>& found) {
  std::string all;
  for (const Suspicion& one : found) all += one.symbol + " (" + one.place + ")\n";
  return all;
}

std::string of_source(const std::string& text, Counted counted = Counted::kernels) {
  return said_of(words_of_source("g.cu", text, counted));
}

std::string of_code(const std::string& text, Counted counted = Counted::kernels) {
  return said_of(words_of_code("# 1 \"/s/03-dgemm/g.cu\"\n" + text, counted, {"__shared__", "__global__"}));
}

}  // namespace

TEST_CASE("Words of the harness and of its hooks in a rung's own text", "[grade]") {
  CHECK(of_source("\nextern \"C\" void ladder_observe_begin();\n") == "ladder_observe_begin (g.cu:2)\n");
  CHECK(of_source("LADDER_EXECUTOR_UNOBSERVED int f();") == "LADDER_EXECUTOR_UNOBSERVED (g.cu:1)\n");
  CHECK(of_source("#define Q __attribute__((no_sanitize_thread))\n") == "no_sanitize_thread (g.cu:1)\n");
  CHECK(of_source("int x;\n[[gnu::no_instru\\\nment_function]] int f();") ==
        "no_instrument_function (g.cu:2)\n");
  CHECK(of_source("void g() { __tsan_read8(p); ladder::executor::observe_fence(); }") ==
        "__tsan_read8 (g.cu:1)\nnamespace executor (g.cu:1)\nobserve_fence (g.cu:1)\n");
  CHECK(of_source("using namespace ladder::executor;") == "namespace executor (g.cu:1)\n");
  CHECK(of_source("namespace ladder { void f(); }") == "namespace ladder (g.cu:1)\n");
  CHECK(of_source("#line 7 \"other.h\"\n") == "#line (g.cu:1)\n");
  CHECK(of_source("# 7 \"other.h\"\n") == "#line (g.cu:1)\n");
  CHECK(of_source("#include \"../../solutions/x.cu\"\n#include </etc/passwd>\n#include "
                  "\"common/executor/observe/event_dispatcher.hpp\"\n") ==
        "#include ../../solutions/x.cu (g.cu:1)\n#include /etc/passwd (g.cu:2)\n#include "
        "common/executor/observe/event_dispatcher.hpp (g.cu:3)\n");
  CHECK(of_source("#include <immintrin.h>\n") == "#include immintrin.h (g.cu:1)\n");
  CHECK(of_source("#include <immintrin.h>\n", Counted::processor).empty());
}

TEST_CASE("Comments, strings and honest text are no words", "[grade]") {
  CHECK(of_source(
            "// no_sanitize, __tsan_read8 \\\n ladder_observe_begin\n/* LADDER_EXECUTOR_UNOBSERVED */\n"
            "const char* s = \"ladder_observe_begin // \\\" __tsan_\"; char c = '\"';\n"
            "const char* raw = R\"x(no_sanitize\n)\" )x\";\n"
            "#ifdef LADDER_EXECUTOR\n#endif\n#include \"common/device/cuda.hpp\"\n#include <cuda_runtime.h>\n"
            "namespace cg = cooperative_groups; ladder::check(cudaGetLastError()); int big = 1'000'000;\n")
            .empty());
  CHECK(of_code("#pragma unroll 4\n#pragma omp parallel for\n#pragma GCC unroll 8\n#pragma once\n"
                "__attribute__((aligned(16), noinline)) double a[2]; [[maybe_unused]] int b; "
                "[[gnu::always_inline]] int f();\n"
                "static thread_local __attribute__((abi_tag(\"cuda_shared\"))) double As[32];\n"
                "{ static char ladder_executor_kernel_mark; "
                "::ladder::executor::observe_kernel(&ladder_executor_kernel_mark); }\n"
                "__builtin_prefetch(p); __builtin_popcount(x); a[b[i]] = 1; x[[] { return 0; }()] = 2;\n"
                "#define N 32\n#define __MY_HEADER_H__ 1\n#define CHECK(x) asm_like(x)\n")
            .empty());
}

TEST_CASE("What the compiler reads: attributes, pragmas, assembler, builtins, macros", "[grade]") {
  CHECK(of_code("int a;\n__attribute__((noinline, __no_sanitize__(\"thread\"))) int f();\n") ==
        "__no_sanitize__ (g.cu:2)\n");
  CHECK(of_code("__attribute__((weak, section(\".text.x\"), alias(\"write\"))) int f();") ==
        "attribute weak (g.cu:1)\nattribute section (g.cu:1)\nattribute alias (g.cu:1)\n");
  CHECK(of_code("[[gnu::target(\"avx2\"), gnu::optimize(\"O1\")]] void f();") ==
        "attribute target (g.cu:1)\nattribute optimize (g.cu:1)\n");
  CHECK(of_code("[[using gnu: constructor]] void f();") == "attribute constructor (g.cu:1)\n");
  CHECK(of_code("[[gnu::target(\"avx2\")]] void f();\n#pragma GCC optimize(\"O3\")\n", Counted::processor)
            .empty());
  CHECK(of_code("[[gnu::no_sanitize_thread]] void f();", Counted::processor) ==
        "no_sanitize_thread (g.cu:1)\n");
  CHECK(of_code("#pragma GCC optimize(\"O1\")\n#pragma weak f\n#pragma redefine_extname f write\n") ==
        "#pragma GCC optimize ( \" ) (g.cu:1)\n#pragma weak f (g.cu:2)\n#pragma redefine_extname f write "
        "(g.cu:3)\n");
  CHECK(of_code("void f() { asm volatile(\"syscall\"); }") == "asm (g.cu:1)\n");
  CHECK(of_code("int g() __asm__(\"system\");") == "asm (g.cu:1)\n");
  CHECK(of_code("__builtin_ia32_movntdq(p, x); _mm_stream_pd(p, y);") ==
        "__builtin_ia32_movntdq (g.cu:1)\n_mm_stream_pd (g.cu:1)\n");
  CHECK(of_code(
            "#undef __shared__\n#define __shared__ static thread_local\n#define LADDER_EXECUTOR_KERNEL\n") ==
        "#undef __shared__ (g.cu:1)\n#define __shared__ (g.cu:2)\n#define LADDER_EXECUTOR_KERNEL (g.cu:3)\n");
  CHECK(of_code("int a;\n# 40 \"/s/03-dgemm/tiles.cuh\"\nasm(\"\");\n") == "asm (tiles.cuh:40)\n");
}

}  // namespace ladder::grade
