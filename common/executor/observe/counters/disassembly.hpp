#pragma once
/// @file
/// The program's own instructions.

#include <cstdint>
#include <functional>
#include <string_view>

namespace ladder::executor {

/// An instruction in assembler syntax. Its strings are valid only during the call of visit.
struct Instruction {
  std::uintptr_t address = 0, next = 0;
  std::string_view name, operands;

  /// Whether it is the call of the hook at the beginning of each basic block.
  bool begins_block() const;
  /// Whether execution never continues at the next instruction: an unconditional jump, a return.
  bool leaves() const;
  /// The target of a direct jump; 0 for all others, and for calls.
  std::uintptr_t jumps_to() const;
  /// The target of a direct call; 0 for all others.
  std::uintptr_t calls() const;
};

/// Calls visit for the instructions from an address on, until it returns false or no valid instruction
/// follows. One thread at a time: visit may not call this function.
/// @return false when the disassembler does not start
bool each_instruction(std::uintptr_t begin, std::uintptr_t end,
                      const std::function<bool(const Instruction&)>& visit);

}  // namespace ladder::executor
