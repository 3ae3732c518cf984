#pragma once
/// @file
/// What the work-items of one warp did since their last barrier, put together to executions by the warp.

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "common/trace/oclgrind_plugin/instruction.hpp"
#include "common/trace/oclgrind_plugin/request.hpp"

namespace ladder::oclgrind_plugin {

enum class Action : std::uint8_t {
  global_load,
  global_store,
  global_atomic,
  local_load,
  local_store,
  local_atomic,
  jump
};

/// Whether it touches the memory of a work-group.
constexpr bool is_local(Action action) {
  return action == Action::local_load || action == Action::local_store || action == Action::local_atomic;
}

/// An instruction that does something of one kind; the unit that is counted.
struct Place {
  const Instruction* instruction = nullptr;
  Action action{};
  unsigned size = 0;  ///< bytes per lane; 0: no access
};

/// Oclgrind runs the work-items of a group one after the other, each up to the next barrier. So the k-th
/// execution of an instruction by one lane belongs to the k-th of the others: together they are one request
/// of the warp.
class WarpLog {
 public:
  /// @param raw  identifies the instruction
  /// @return false when there is no room for more
  bool add(const llvm::Instruction* raw, const Place& place, unsigned lane, std::uint64_t value);

  /// Shows every execution since the last call, and forgets them.
  void flush(const std::function<void(const Place&, const Execution&)>& show);

 private:
  struct Entry {
    const llvm::Instruction* raw;
    Place place;
    std::array<std::uint32_t, warp_size> executed{};  ///< by each lane
    std::vector<Execution> executions;
    std::size_t used = 0;  ///< of executions; the rest is kept for the next warp
    int next = -1;         ///< another place of the same instruction
  };
  Entry& entry_of(const llvm::Instruction* raw, const Place& place);

  std::unordered_map<const llvm::Instruction*, int> first_;
  std::vector<Entry> entries_;
  int last_ = -1;  ///< of the latest call: neighbouring lanes rarely, loops often repeat it
  std::size_t kept_ = 0;
};

}  // namespace ladder::oclgrind_plugin
