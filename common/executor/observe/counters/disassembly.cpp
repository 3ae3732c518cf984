#include "common/executor/observe/counters/disassembly.hpp"

#include <capstone/capstone.h>

#include <cstdlib>
#include <mutex>
#include <string>

#include "common/executor/runtime/symbols.hpp"

extern "C" void __sanitizer_cov_trace_pc();

namespace ladder::executor {
namespace {

/// The number that operands end with: "0x1f20", "#0x1f20", "w0, #0x1f20"; 0 when they end otherwise.
std::uintptr_t last_number(std::string_view operands) {
  const auto separator = operands.find_last_of(" ,#");
  const std::string last(separator == operands.npos ? operands : operands.substr(separator + 1));
  char* end = nullptr;
  const std::uintptr_t number = std::strtoull(last.c_str(), &end, 16);
  return *end == 0 ? number : 0;
}

/// The disassembler; 0 when it does not start. Opened once: it builds its tables at the first instruction.
csh disassembler() {
  static const csh handle = [] {
    csh opened{};
#if defined(__x86_64__)
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &opened) != CS_ERR_OK) return csh{};
#elif defined(__aarch64__)
    if (cs_open(CS_ARCH_ARM64, CS_MODE_ARM, &opened) != CS_ERR_OK) return csh{};
#endif
    return opened;
  }();
  return handle;
}

}  // namespace

bool Instruction::begins_block() const {
  return calls() == reinterpret_cast<std::uintptr_t>(&__sanitizer_cov_trace_pc);
}

bool Instruction::leaves() const {
  return name == "jmp" || name == "ret" || name == "b" || name == "br";
}

std::uintptr_t Instruction::jumps_to() const {
#if defined(__x86_64__)
  const bool jump = name.starts_with('j');
#else
  const bool jump = name == "b" || name.starts_with("b.") || name.starts_with("cb") || name.starts_with("tb");
#endif
  return jump ? last_number(operands) : 0;
}

std::uintptr_t Instruction::calls() const {
  return name == "call" || name == "bl" ? last_number(operands) : 0;
}

bool each_instruction(std::uintptr_t begin, std::uintptr_t end,
                      const std::function<bool(const Instruction&)>& visit) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  const csh handle = disassembler();
  if (!handle) return false;
  const auto* at = reinterpret_cast<const std::uint8_t*>(begin);
  std::uint64_t address = begin;
  cs_insn* read = cs_malloc(handle);
  constexpr std::size_t longest = 16;  // bytes of one
  while (address < end && in_program(at + longest)) {
    std::size_t rest = end - address;
    if (!cs_disasm_iter(handle, &at, &rest, &address, read)) break;
    if (!visit({static_cast<std::uintptr_t>(read->address), static_cast<std::uintptr_t>(address),
                read->mnemonic, read->op_str}))
      break;
  }
  cs_free(read, 1);
  return true;
}

}  // namespace ladder::executor
