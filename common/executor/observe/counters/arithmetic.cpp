#include "common/executor/observe/counters/arithmetic.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <string_view>

#include "common/executor/observe/counters/disassembly.hpp"
#include "common/executor/runtime/symbols.hpp"

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

/// Operations of the basic block whose first hook returns to `code`: up to the next block's hook, or a jump.
/// Nothing when the disassembler does not start.
std::optional<unsigned> operations_of_block(std::uint32_t code) {
  constexpr std::size_t max_bytes = 1 << 16;  // bytes of a block
  const std::uintptr_t begin = program_base() + code;
  unsigned sum = 0;
  const bool read = each_instruction(begin, begin + max_bytes, [&](const Instruction& instruction) {
    if (instruction.begins_block() || instruction.leaves()) return false;
    sum += double_operations(instruction.name, instruction.operands);
    return true;
  });
  return read ? std::optional(sum) : std::nullopt;
}

}  // namespace

void add_arithmetic(LaunchCounters& launch, const LaunchTotals& totals) {
  static std::mutex mutex;
  static auto* const known = new std::map<std::uint64_t, std::optional<unsigned>>;
  std::lock_guard lock(mutex);
  double operations = 0;
  for (const auto& [code, block] : totals.blocks.all()) {
    const auto [found, is_new] = known->try_emplace(code);
    if (is_new) found->second = operations_of_block(static_cast<std::uint32_t>(code));
    if (!found->second) {
      launch.skipped["fp64_operations"] = "the disassembler does not start";
      return;
    }
    operations += static_cast<double>(block.lanes) * *found->second;
  }
  launch.counters["fp64_operations"] = operations;
}

}  // namespace ladder::executor
