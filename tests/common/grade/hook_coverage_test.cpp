/// @file
/// What an object file shows of accesses that nobody reports, from what objdump prints.
// Guards: docs/grading.md#attacks

#include "common/grade/evidence/hook_coverage.hpp"

#include "tests/common/catch.hpp"

namespace ladder::grade {
namespace {

/// A function of the disassembly; lines that begin with ">" are relocations.
std::string function(const std::string& name, const std::vector<std::string>& lines) {
  std::string text = "0000000000000000 <" + name + ">:\n";
  for (const std::string& line : lines)
    text += line.starts_with(">") ? "\t\t\t1: R_X86_64_PLT32\t" + line.substr(1) + "-0x4\n"
                                  : "   0:\t" + line + "\n";
  return text + "\n";
}

const std::string mark =
    "0000000000000000 l     O .bss\t0000000000000001 _ZZ1kPdE27ladder_executor_kernel_mark\n";
const std::vector<std::string> hooked = {"call   1 <k>", ">__tsan_read8", "movsd  (%rdi),%xmm0"};

std::string said(const std::string& printed, const std::set<std::string>& used = {}) {
  Surroundings around;
  around.executor_words = {"atomicAdd"};
  std::string all;
  for (const Suspicion& one : unseen_accesses(code_from(printed), used, around))
    all += one.symbol + ": " + one.why + "\n";
  return all;
}

}  // namespace

TEST_CASE("A function whose accesses nobody reports", "[grade]") {
  CHECK(said(mark + function("_Z1kPd", hooked)).empty());
  CHECK(said(function("_Z5quietPKd", {"push   %rbp", "mov    %rsp,%rbp", "movsd  (%rdi),%xmm0", "ret"})) ==
        "_Z5quietPKd: accesses memory where nothing counts it\n");
  CHECK(said(function("_Z5quietPKd.cold", {"movsd  %xmm0,0x8(%rdi,%rax,8)"})) ==
        "_Z5quietPKd: accesses memory where nothing counts it\n");
  CHECK(said(function("_Z6sharedi", {"movsd  %fs:(%rax,%rdx,8),%xmm0"})) ==
        "_Z6sharedi: accesses memory where nothing counts it\n");
  CHECK(said(function("_Z5quietPKd", {"lock add %eax,(%rdi)"})) ==
        "_Z5quietPKd: accesses memory where nothing counts it\n");
  CHECK(said(function("_Z3armPKd", {"ldr\td0, [x0, #8]"})) ==
        "_Z3armPKd: accesses memory where nothing counts it\n");
}

TEST_CASE("The stack, fixed places and the executor's own functions are nobody's accesses", "[grade]") {
  CHECK(said(function("_Z5localv",
                      {"mov    -0x40(%rbp),%rax", "mov    %fs:0x28,%rdx", "lea    -0x80(%rbp),%rcx",
                       "movsd  (%rcx,%rax,8),%xmm0", "add    $0x8,%rcx", "mov    %rcx,%rdx",
                       "movsd  %xmm0,(%rdx)", "movsd  0x0(%rip),%xmm1", "nopw   0x0(%rax,%rax,1)",
                       "lea    0x8(%rdi),%rsi", "call   *0x10(%rax)", "ret"}))
            .empty());
  CHECK(said(function("_Z5armv", {"ldr\tx0, [sp, #8]", "stp\tx29, x30, [sp, #-16]!", "add\tx1, sp, #0x10",
                                  "ldr\td0, [x1, x2, lsl #3]"}))
            .empty());
  CHECK(said(function("_ZN6ladder8executor12count_atomicEv", {"mov    %fs:(%rdx),%eax"})).empty());
  CHECK(said(function("_ZZ9atomicAddIdET_PS0_S0_ENKUlS0_E_clES0_", {"addsd  (%rbx),%xmm0"})).empty());
  CHECK(said(function("_Z5localv", {"lea    -0x80(%rbp),%rcx", "mov    %rdi,%rcx", "movsd  (%rcx),%xmm0"})) ==
        "_Z5localv: accesses memory where nothing counts it\n");
}

TEST_CASE("A hooked function accesses its own variables without a hook", "[grade]") {
  CHECK(said(function("_Z6systemi", {"call   1 <k>", ">__tsan_func_entry", "movq   $0x0,(%rbx)",
                                     "rep stos %rax,%es:(%rdi)"}))
            .empty());
  std::vector<std::string> lines = hooked;  // a structure in parts
  for (int i = 0; i < 10; ++i) lines.push_back("movsd  " + std::to_string(8 * i) + "(%rsi),%xmm0");
  CHECK(said(function("_Z1kPd", lines)).empty());
}

TEST_CASE("Functions of libraries that kernels call, or get the address of", "[grade]") {
  const auto kernel = [&](const std::string& called) {
    std::vector<std::string> lines = hooked;
    lines.insert(lines.end(), {"call   2 <k>", ">" + called});
    return mark + function("_Z1kPd", lines);
  };
  const std::string helper = function("_Z6helperPd", {"call   1 <k>", ">swab"});
  CHECK(said(kernel("wmemcpy"), {"wmemcpy"}) ==
        "wmemcpy: calls in a kernel a function whose accesses nobody counts\n");
  CHECK(said(kernel("_ZNSs6appendEPKcm"), {"_ZNSs6appendEPKcm"}) ==
        "_ZNSs6appendEPKcm: calls in a kernel a function whose accesses nobody counts\n");
  CHECK(said(kernel("_Z6helperPd") + helper, {"swab"}) ==
        "swab: calls in a kernel a function whose accesses nobody counts\n");
  CHECK(said(kernel("exp") + helper, {"exp", "swab", "printf"}).empty());  // the host calls it
  CHECK(said(kernel("fma"), {"fma", "ladder_observed_memcpy", "printf"}).empty());
  const std::string data =
      "RELOCATION RECORDS FOR [.data.rel]:\nOFFSET           TYPE              VALUE\n"
      "0000000000000000 R_X86_64_64       wmemcpy\n";
  CHECK(said(kernel("fma") + data, {"wmemcpy", "fma"}) ==
        "wmemcpy: takes the address of a function whose accesses nobody counts\n");
  const std::string address =
      "0000000000000000 <_Z4hostv>:\n   0:\tmov    0x0(%rip),%rax\n"
      "\t\t\t3: R_X86_64_REX_GOTPCRELX\tstrncpy-0x4\n\n";
  CHECK(said(kernel("fma") + address, {"strncpy"}) ==
        "strncpy: takes the address of a function whose accesses nobody counts\n");
}

}  // namespace ladder::grade
