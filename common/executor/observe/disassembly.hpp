#pragma once
/// @file
/// The program's own instructions.

#include <cstdint>
#include <functional>
#include <string_view>

namespace ladder::executor {

/// An instruction, as an assembler writes it. Its words last as long as the call of visit that it is for.
struct Instruction {
  std::uintptr_t address = 0, next = 0;
  std::string_view name, operands;

  /// Whether it is the call of the hook that stands at the begin of each basic block.
  bool begins_block() const;
  /// Whether it always goes on elsewhere: a jump without a condition, a return.
  bool leaves() const;
  /// Where a jump leads that has its target in it; 0 for all others, and for calls.
  std::uintptr_t jumps_to() const;
};

/// Calls visit for the instructions from an address on: until it returns false, or what follows is none. One thread at a
/// time: visit may not call it again.
/// @return false when the disassembler does not start
bool each_instruction(std::uintptr_t begin, std::uintptr_t end,
                      const std::function<bool(const Instruction&)>& visit);

}  // namespace ladder::executor
