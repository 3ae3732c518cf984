#include "common/executor/observe/arithmetic.hpp"

#include <capstone/capstone.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>

#include "common/executor/runtime/symbols.hpp"

extern "C" void __sanitizer_cov_trace_pc();

namespace ladder::executor {
namespace {

/// Additions, multiplications, divisions and square roots of doubles in one instruction; a fused one is two.
unsigned double_operations([[maybe_unused]] std::string_view name,
                           [[maybe_unused]] std::string_view operands) {
#if defined(__x86_64__)
  if (name.starts_with('v')) name.remove_prefix(1);
  unsigned numbers = 1;
  if (name.ends_with("pd"))
    numbers = operands.find("zmm") != operands.npos ? 8 : operands.find("ymm") != operands.npos ? 4 : 2;
  else if (!name.ends_with("sd"))
    return 0;
  for (const char* one : {"add", "sub", "mul", "div", "sqrt"})
    if (name.substr(0, name.size() - 2) == one) return numbers;
  for (const char* fused : {"fmadd", "fmsub", "fnmadd", "fnmsub"})
    if (name.starts_with(fused)) return 2 * numbers;
#elif defined(__aarch64__)
  const unsigned numbers = operands.find(".2d") != operands.npos ? 2 : operands.starts_with('d') ? 1 : 0;
  for (const char* one : {"fadd", "fsub", "fmul", "fnmul", "fdiv", "fsqrt"})
    if (name == one) return numbers;
  for (const char* fused : {"fmadd", "fmsub", "fnmadd", "fnmsub", "fmla", "fmls"})
    if (name == fused) return 2 * numbers;
#endif
  return 0;
}

/// Reads the program's instructions.
class Disassembler {
 public:
  Disassembler() {
#if defined(__x86_64__)
    ready_ = cs_open(CS_ARCH_X86, CS_MODE_64, &handle_) == CS_ERR_OK;
#elif defined(__aarch64__)
    ready_ = cs_open(CS_ARCH_ARM64, CS_MODE_ARM, &handle_) == CS_ERR_OK;
#endif
  }
  bool ready() const {
    return ready_;
  }

  /// Operations of the basic block whose first hook returns to `code`: up to the next block's hook, or a jump.
  unsigned operations_of_block(std::uint32_t code) {
    const auto [found, is_new] = known_.try_emplace(code);
    if (is_new) found->second = count(program_base() + code);
    return found->second;
  }

 private:
  unsigned count(std::uint64_t address) {
    constexpr std::size_t most = 1 << 16;  // bytes of a block; the program is longer
    const auto* at = reinterpret_cast<const std::uint8_t*>(address);
    std::size_t rest = most;
    cs_insn* instruction = cs_malloc(handle_);
    unsigned sum = 0;
    while (in_program(at + 16) && cs_disasm_iter(handle_, &at, &rest, &address, instruction)) {
      const std::string_view name = instruction->mnemonic;
      if (ends_block(name, instruction->op_str)) break;
      sum += double_operations(name, instruction->op_str);
    }
    cs_free(instruction, 1);
    return sum;
  }

  static bool ends_block(std::string_view name, const char* operands) {
    if (name == "jmp" || name == "ret" || name == "b" || name == "br") return true;
    if (name != "call" && name != "bl") return false;
    const char* number = *operands == '#' ? operands + 1 : operands;
    return std::strtoull(number, nullptr, 16) == reinterpret_cast<std::uintptr_t>(&__sanitizer_cov_trace_pc);
  }

  csh handle_{};
  bool ready_ = false;
  std::map<std::uint32_t, unsigned> known_;
};

}  // namespace

void add_arithmetic(LaunchCounters& launch, const LaunchTotals& totals) {
  static std::mutex mutex;
  static auto* const disassembler = new Disassembler;
  std::lock_guard lock(mutex);
  if (!disassembler->ready()) {
    launch.skipped["fp64_operations"] = "the disassembler does not start";
    return;
  }
  double operations = 0;
  for (const auto& [code, block] : totals.blocks.all())
    operations += static_cast<double>(block.lanes) *
                  disassembler->operations_of_block(static_cast<std::uint32_t>(code));
  launch.counters["fp64_operations"] = operations;
}

}  // namespace ladder::executor
