#include "common/executor/observe/counters/arithmetic.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "common/executor/include/executor/math.h"
#include "common/executor/observe/counters/disassembly.hpp"
#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {
namespace {

/// What a basic block does with doubles, per lane.
struct Arithmetic {
  unsigned operations = 0;    ///< additions, multiplications, divisions and square roots; a fused one is two
  unsigned instructions = 0;  ///< of a GPU's FP64 units, for the same
  unsigned conversions = 0;   ///< to and from doubles
};

// A GPU has no instruction for these: their code, but for MUFU's first approximation, is additions,
// multiplications and fused ones of doubles. Counted in what nvcc 13 makes for compute capability 9.0.
constexpr unsigned division = 8, root = 8, reciprocal = 5;  // of a root
constexpr unsigned function = 28;                           // a logarithm; others are taken as one

/// Doubles in one instruction.
unsigned doubles([[maybe_unused]] std::string_view name, [[maybe_unused]] std::string_view operands) {
#if defined(__x86_64__)
  if (name.ends_with("pd"))
    return operands.find("zmm") != operands.npos ? 8 : operands.find("ymm") != operands.npos ? 4 : 2;
  return name.ends_with("sd") ? 1 : 0;
#elif defined(__aarch64__)
  return operands.find(".2d") != operands.npos ? 2 : operands.starts_with('d') ? 1 : 0;
#else
  return 0;
#endif
}

/// Of each double of an instruction, whose name is given without the v of AVX, the f of Arm, and the type.
Arithmetic arithmetic_of(std::string_view name) {
  for (const char* fused : {"madd", "msub", "nmadd", "nmsub", "mla", "mls"})
    if (name.starts_with(fused)) return {2, 1};
  if (name == "div") return {1, division};
  if (name == "sqrt") return {1, root};
  for (const char* one : {"add", "sub", "mul", "nmul"})
    if (name == one) return {1, 1};
  return {};
}

/// Doubles that one instruction makes of other numbers, or other numbers of doubles.
unsigned conversions(std::string_view name, std::string_view operands) {
#if defined(__x86_64__)
  if (name.starts_with('v')) name.remove_prefix(1);
  if (!name.starts_with("cvt")) return 0;
  if (name.find("sd") != name.npos) return 1;
  return name.find("pd") != name.npos ? doubles("pd", operands) : 0;
#else
  const bool converts = name.starts_with("fcvt") || name == "scvtf" || name == "ucvtf";
  if (!converts || operands.find('d') == operands.npos) return 0;
  return operands.find(".2d") != operands.npos ? 2 : 1;
#endif
}

Arithmetic arithmetic_of(const Instruction& instruction) {
  if (const unsigned numbers = conversions(instruction.name, instruction.operands)) return {0, 0, numbers};
  const unsigned numbers = doubles(instruction.name, instruction.operands);
  std::string_view name = instruction.name;
#if defined(__x86_64__)
  if (name.starts_with('v')) name.remove_prefix(1);
  if (numbers > 0 && !name.starts_with("f")) name.remove_suffix(2);
#endif
  if (name.starts_with('f')) name.remove_prefix(1);
  const Arithmetic one = arithmetic_of(name);
  return {numbers * one.operations, numbers * one.instructions};
}

/// Where a call through the table of the dynamic linker goes; null for a call of the program's own function.
const void* library_function([[maybe_unused]] std::uintptr_t target) {
#if defined(__x86_64__)
  if (!in_program(reinterpret_cast<const void*>(target))) return nullptr;
  const auto* code = reinterpret_cast<const unsigned char*>(target);
  if (std::memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0) code += 4;  // endbr64
  if (*code == 0xf2) ++code;                                     // bnd
  if (code[0] != 0xff || code[1] != 0x25) return nullptr;        // jmp *distance(%rip)
  std::int32_t distance = 0;
  std::memcpy(&distance, code + 2, sizeof distance);
  const void* address = nullptr;
  std::memcpy(&address, code + 6 + distance, sizeof address);
  return address;
#else
  return nullptr;
#endif
}

/// What functions of the C library do, by their addresses.
std::map<const void*, Arithmetic> library_arithmetic() {
  std::map<const void*, Arithmetic> all;
  for (const char* name :
       {"log", "log2", "log10", "log1p", "exp",  "exp2", "exp10", "expm1", "pow",  "cbrt", "hypot",
        "sin", "cos",  "tan",   "asin",  "acos", "atan", "atan2", "sinh",  "cosh", "tanh"})
    all[dlsym(RTLD_DEFAULT, name)] = {0, function};
  all[dlsym(RTLD_DEFAULT, "fma")] = {0, 1};
  all[dlsym(RTLD_DEFAULT, "sqrt")] = {0, root};
  all.erase(nullptr);  // of those that it does not have
  return all;
}

/// What a called function does, if it is one of the C library or of the executor's own.
Arithmetic arithmetic_of_call(std::uintptr_t target) {
  if (target == 0) return {};
  if (target == reinterpret_cast<std::uintptr_t>(&reciprocal_root)) return {2, reciprocal};
  static const auto& known = *new const auto(library_arithmetic());
  const auto found = known.find(library_function(target));
  return found == known.end() ? Arithmetic{} : found->second;
}

/// Arithmetic of the basic block whose first hook returns to `code`: up to the next block's hook, or a jump.
/// Nothing when the disassembler does not start.
std::optional<Arithmetic> arithmetic_of_block(std::uint32_t code) {
  constexpr std::size_t max_bytes = 1 << 16;  // bytes of a block
  const std::uintptr_t begin = program_base() + code;
  Arithmetic sum;
  const bool read = each_instruction(begin, begin + max_bytes, [&](const Instruction& instruction) {
    if (instruction.begins_block() || instruction.leaves()) return false;
    for (const Arithmetic& one : {arithmetic_of(instruction), arithmetic_of_call(instruction.calls())})
      sum.operations += one.operations, sum.instructions += one.instructions,
          sum.conversions += one.conversions;
    return true;
  });
  return read ? std::optional(sum) : std::nullopt;
}

}  // namespace

void add_arithmetic(LaunchCounters& launch, const LaunchTotals& totals) {
  static std::mutex mutex;
  static auto* const known = new std::map<std::uint64_t, std::optional<Arithmetic>>;
  std::lock_guard lock(mutex);
  double operations = 0, instructions = 0, conversions = 0;
  for (const auto& [code, block] : totals.blocks.all()) {
    const auto [found, is_new] = known->try_emplace(code);
    if (is_new) found->second = arithmetic_of_block(static_cast<std::uint32_t>(code));
    if (!found->second) {
      for (const char* counter : {"fp64_operations", "fp64_instructions", "conversions"})
        launch.skipped[counter] = "the disassembler does not start";
      return;
    }
    operations += static_cast<double>(block.lanes) * found->second->operations;
    instructions += static_cast<double>(block.lanes) * found->second->instructions;
    conversions += static_cast<double>(block.lanes) * found->second->conversions;
  }
  launch.counters["fp64_operations"] = operations;
  launch.counters["conversions"] = conversions;
#if defined(__x86_64__)
  launch.counters["fp64_instructions"] = instructions;
#else
  launch.skipped["fp64_instructions"] = "calls of mathematical functions are found on x86-64 only";
#endif
}

}  // namespace ladder::executor
